// USD layer: prims, their attributes and undecoded values, the common model of text and crate
// files.
//
// The structure of the layer is in memory; values stay in the file and are decoded on request, so
// that time samples stream. Composition (sublayers, references, payloads, inherits, variants) is
// not evaluated: a layer is read by itself.
#ifndef COIF_CORE_ARCHIVE_USD_USD_LAYER_H
#define COIF_CORE_ARCHIVE_USD_USD_LAYER_H

#include "core/base/base.h"
#include "core/base/fs.h"

// Location of a value in the file; its meaning belongs to the reader.
typedef uint64_t coif_usd_handle;
#define COIF_USD_NO_VALUE UINT64_MAX

typedef enum coif_usd_element {
    COIF_USD_INT,    // int32_t, also of bool
    COIF_USD_FLOAT,  // float, also of half
    COIF_USD_DOUBLE, // double
    COIF_USD_TEXT    // const char *: token, string, asset path
} coif_usd_element;

// Type of an attribute: "point3f[]" is an array of three floats.
typedef struct coif_usd_type {
    coif_usd_element element;
    int32_t components; // numbers per element; matrices have 4, 9 or 16, row by row
    bool array, matrix;
} coif_usd_type;

// False for types without numbers or text (dictionaries, relationships, unknown types).
bool coif_usd_type_of(coif_usd_type *type, const char *name);

typedef struct coif_usd_value {
    coif_usd_element element;
    int32_t components;
    int64_t count; // elements
    void *data;    // count * components numbers or texts
} coif_usd_value;

typedef struct coif_usd_attribute {
    const char *name, *type;
    const char *interpolation; // metadata; NULL: not given
    int32_t element_size;      // array elements per primvar value
    coif_usd_handle value;     // default value
    int32_t sample_count;
    const double *times; // time codes, increasing
    const coif_usd_handle *samples;
    int32_t next; // next attribute of the prim, -1
} coif_usd_attribute;

typedef struct coif_usd_prim {
    const char *path, *name, *type; // type "": none
    int32_t parent;                 // -1: child of the layer
    int32_t first_attribute;        // -1: none
    bool abstract, inactive, instanceable;
} coif_usd_prim;

// What a layer has that is not evaluated; the path of the first prim, NULL: nothing.
typedef struct coif_usd_ignored {
    const char *composition; // sublayers, references, payloads, inherits, specializes, clips
    const char *variants;
} coif_usd_ignored;

typedef struct coif_usd_layer coif_usd_layer;

typedef coif_status coif_usd_decode(const coif_usd_layer *layer, coif_usd_handle handle,
                                    const coif_usd_type *type, coif_usd_value *value,
                                    coif_arena *arena, coif_error *error);

struct coif_usd_layer {
    coif_bytes bytes;
    const char *format;                              // "USD text 1.0"
    const char *documentation;                       // of the layer, "" without
    double meters_per_unit;                          // 0: not given
    double time_codes_per_second, frames_per_second; // 0: not given
    char up_axis;                                    // 0: not given
    coif_usd_ignored ignored;
    coif_usd_prim *prims; // parents before children
    size_t prim_count, prim_capacity;
    coif_usd_attribute *attributes;
    size_t attribute_count, attribute_capacity;
    coif_usd_decode *decode;
    const void *tables; // of the crate reader
    coif_arena *arena;
};

// Builders of the readers. Add returns an index, or -1 for a path that is too deep or long.
int32_t coif_usd_add_prim(coif_usd_layer *layer, int32_t parent, const char *name, size_t length);
int32_t coif_usd_add_attribute(coif_usd_layer *layer, int32_t prim, const char *name,
                               size_t length);
void coif_usd_note_ignored(const char **first, const char *path);

// Sorts samples by time; of equal times the last one stays.
typedef struct coif_usd_sample {
    double time;
    coif_usd_handle handle;
} coif_usd_sample;
void coif_usd_set_samples(coif_usd_layer *layer, coif_usd_attribute *attribute,
                          coif_usd_sample *samples, size_t count);

// The attribute of a prim, NULL without.
const coif_usd_attribute *coif_usd_find(const coif_usd_layer *layer, int32_t prim,
                                        const char *name);

// The value of an attribute at a time code: numbers are interpolated linearly between samples of
// equal size, everything else is held. data is NULL without a value. The result has the element and
// the components asked for (0: any number); other types are COIF_ERR_FORMAT.
typedef struct coif_usd_query {
    const coif_usd_layer *layer;
    int32_t prim;
    double time;
    coif_arena *arena;
    coif_error *error;
} coif_usd_query;
coif_status coif_usd_read(const coif_usd_query *query, const coif_usd_attribute *attribute,
                          coif_usd_element element, int32_t components, coif_usd_value *value);

// The same for an attribute by name; without it data is NULL.
coif_status coif_usd_get(const coif_usd_query *query, const char *name, coif_usd_element element,
                         int32_t components, coif_usd_value *value);

// One number or text; fallback without a value.
coif_status coif_usd_get_number(const coif_usd_query *query, const char *name, double fallback,
                                double *number);
coif_status coif_usd_get_text(const coif_usd_query *query, const char *name, const char *fallback,
                              const char **text);

// Fails with file and attribute: "a.usda: /head/hair.points: ...".
coif_status coif_usd_fail(const coif_usd_query *query, const char *name, const char *format, ...)
    COIF_PRINTF(3, 4);

#endif
