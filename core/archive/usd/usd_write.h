// Writer of USD: prims with attributes and their samples, in an encoding of text or crate.
//
// Prims and attributes are described once (usd_write_objects.c, usd_write_look.c); an encoding
// stores values as they arrive, sample by sample, and puts the file together when it is committed.
#ifndef COIF_CORE_ARCHIVE_USD_USD_WRITE_H
#define COIF_CORE_ARCHIVE_USD_USD_WRITE_H

#include "core/archive/archive.h"
#include "core/archive/transform.h"
#include "core/archive/usd/usd_layer.h"
#include "core/base/text_writer.h"

typedef struct coif_usd_out_desc {
    const char *name, *type;   // "points", "point3f[]"; the type "rel" is a relationship
    const char *interpolation; // NULL: none
    int32_t element_size;      // array elements per value; 0: not given
    bool uniform;              // does not vary over time
    bool held;                 // rarely changes: equal samples are written once
    const char *target;        // path of a relationship or connection, NULL
} coif_usd_out_desc;

// Attribute of a prim. Strings of the description must live as long as the writer.
typedef struct coif_usd_out_attribute {
    coif_usd_out_desc desc;
    coif_usd_type type;
    // Text: values that did not change so far; with the first change text is open.
    void *first; // NULL: none
    int64_t first_count;
    int32_t first_sample, last_sample; // -1: not a sample
    coif_text_writer *text;
    // Crate: values of the file and their samples.
    uint64_t *values, digest;
    int32_t *samples;
    size_t count, value_capacity, sample_capacity;
    struct coif_usd_out_attribute *next;
} coif_usd_out_attribute;

typedef struct coif_usd_out_prim {
    const char *path, *type;
    const char *api_schema; // applied, NULL: none
    coif_usd_out_attribute *attributes;
    bool animated, is_guide, started;
    const coif_archive_hair_look *look;
    const char *look_path; // of the material
} coif_usd_out_prim;

// Metadata of the layer: a number, or a text where that is not NULL.
typedef struct coif_usd_out_metadata {
    const char *name, *text;
    double number;
    bool token; // of text
} coif_usd_out_metadata;

// Put appends the value of a sample, -1 for one without time; data is NULL of targets and of
// attributes without value. Finish writes everything else; prims are in the order of their paths.
typedef struct coif_usd_encoding {
    coif_status (*open)(coif_archive_writer *, const char *path, coif_error *);
    coif_status (*put)(coif_archive_writer *, coif_usd_out_attribute *, int32_t sample,
                       const void *data, int64_t count, coif_error *);
    coif_status (*finish)(coif_archive_writer *, const coif_usd_out_metadata *metadata,
                          int32_t metadata_count, coif_error *);
    void (*discard)(coif_archive_writer *);
} coif_usd_encoding;

extern const coif_usd_encoding COIF_USD_TEXT_ENCODING, COIF_USD_CRATE_ENCODING;

struct coif_archive_writer {
    const coif_usd_encoding *encoding;
    coif_archive_write_desc desc;
    const char *path;
    coif_usd_out_prim **prims; // the first ones are the objects
    size_t prim_count, prim_capacity;
    coif_transform to_file; // metres, y up, to the unit and up axis of the file
    coif_text_writer *file; // text, or buffered bytes
    void *state;            // of the encoding
    coif_arena *arena;
};

static inline double coif_usd_time_code(const coif_archive_writer *writer, int32_t sample)
{
    return writer->desc.first_frame + sample * writer->desc.frame_step;
}

// A prim of that path; characters that USD does not allow become _.
coif_usd_out_prim *coif_usd_add_out_prim(coif_archive_writer *writer, const char *path,
                                         const char *type);

// A value of an attribute: data are count elements of its type (int32_t, float, double, const
// char *).
coif_status coif_usd_put(coif_archive_writer *writer, coif_usd_out_prim *prim,
                         const coif_usd_out_desc *desc, int32_t sample, const void *data,
                         int64_t count, coif_error *error);

coif_status coif_usd_write_curves(coif_archive_writer *writer, int32_t object, int32_t sample,
                                  const coif_archive_curves *curves, coif_error *error);
coif_status coif_usd_write_mesh(coif_archive_writer *writer, int32_t object, int32_t sample,
                                const coif_archive_mesh *mesh, coif_error *error);
coif_status coif_usd_write_camera(coif_archive_writer *writer, int32_t object, int32_t sample,
                                  const coif_archive_camera *camera, coif_error *error);

// Material prims of a look of hair, at a path.
coif_status coif_usd_write_look(coif_archive_writer *writer, const char *path,
                                const coif_archive_hair_look *look, coif_error *error);
extern const char COIF_USD_LOOKS_PATH[];

#endif
