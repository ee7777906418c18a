// Alembic on top of Ogawa: headers of objects and properties, metadata, time sampling.
//
// Layout after the Alembic library (BSD, lib/Alembic/AbcCoreOgawa). Root group: version (0),
// library version, top object, metadata of the archive, time samplings, indexed metadata. Object:
// its properties, child objects, data with the headers of the children and 32 bytes of digests.
// Compound property: properties, data with their headers. Scalar property: one block per stored
// sample; array property: a block and its dimensions per stored sample. A block begins with a
// 16-byte key.
#ifndef COIF_CORE_ARCHIVE_ALEMBIC_ABC_SCHEMA_H
#define COIF_CORE_ARCHIVE_ALEMBIC_ABC_SCHEMA_H

#include "core/archive/alembic/ogawa_read.h"

#define COIF_ABC_KEY_BYTES    16
#define COIF_ABC_DIGEST_BYTES 32 // after the headers of child objects

// Bits of the first word of a property header.
enum {
    COIF_ABC_SCALAR = 1, // bits 0 and 1: 0 compound, 1 scalar, else array
    COIF_ABC_ARRAY = 2,
    COIF_ABC_WIDTH_SHIFT = 2, // counts take 1, 2 or 4 bytes
    COIF_ABC_TYPE_SHIFT = 4,
    COIF_ABC_HAS_SAMPLING = 0x100,
    COIF_ABC_HAS_RANGE = 0x200, // first and last changed sample follow
    COIF_ABC_HOMOGENEOUS = 0x400,
    COIF_ABC_CONSTANT = 0x800,
    COIF_ABC_EXTENT_SHIFT = 12,
    COIF_ABC_METADATA_SHIFT = 20,
    COIF_ABC_METADATA_INLINE = 0xff // index of metadata that follow the name
};

// Attribute of curves that coif writes: splines are pinned by control points beyond their ends.
#define COIF_ABC_PINNED "coif_pinned"

typedef enum coif_abc_type {
    COIF_ABC_BOOL,
    COIF_ABC_UINT8,
    COIF_ABC_INT8,
    COIF_ABC_UINT16,
    COIF_ABC_INT16,
    COIF_ABC_UINT32,
    COIF_ABC_INT32,
    COIF_ABC_UINT64,
    COIF_ABC_INT64,
    COIF_ABC_FLOAT16,
    COIF_ABC_FLOAT32,
    COIF_ABC_FLOAT64,
    COIF_ABC_STRING,
    COIF_ABC_WSTRING
} coif_abc_type;

// Uniform: one time; cyclic: several times that repeat; acyclic: all times.
typedef struct coif_abc_sampling {
    double seconds_per_cycle;
    uint32_t count;
    const double *times; // count, increasing
    bool acyclic;
} coif_abc_sampling;

// Seconds per cycle of acyclic samplings.
#define COIF_ABC_ACYCLIC (1.7976931348623157e308 / 32.0)

typedef struct coif_abc_property {
    const char *name, *metadata; // metadata: "key=value;key=value"
    bool compound, array;
    coif_abc_type type;
    uint32_t extent; // values per element
    uint32_t sample_count, first_changed, last_changed;
    const coif_abc_sampling *sampling;
    coif_ogawa_group group;
    struct coif_abc_property *children; // of a compound
    int32_t child_count;
} coif_abc_property;

// What the archive says once, and the arena of its structure.
typedef struct coif_abc_file {
    coif_ogawa ogawa;
    coif_abc_sampling *samplings;
    uint32_t sampling_count;
    const char **metadata; // indexed
    int32_t metadata_count;
    coif_arena *arena, *scratch; // scratch: rewound after each block of headers
} coif_abc_file;

// A sequence of numbers and texts in a block of headers, which is loaded into scratch.
typedef struct coif_abc_cursor {
    coif_abc_file *file;
    const char *data;
    size_t size, at;
    uint64_t offset; // of data in the file
} coif_abc_cursor;
coif_status coif_abc_load(coif_abc_cursor *cursor, coif_abc_file *file,
                          const coif_ogawa_group *group, uint64_t index, coif_error *error);
coif_status coif_abc_take(void *to, size_t bytes, coif_abc_cursor *cursor, coif_error *error);
coif_status coif_abc_take_text(const char **text, size_t bytes, coif_abc_cursor *cursor,
                               coif_error *error);

// Metadata by index; index 255 stands for metadata that follow in the stream, with their size in
// width bytes before them.
coif_status coif_abc_take_metadata(const char **metadata, uint32_t index, size_t width,
                                   coif_abc_cursor *cursor, coif_error *error);

coif_status coif_abc_read_samplings(coif_abc_file *file, const coif_ogawa_group *group,
                                    uint64_t index, coif_error *error);
coif_status coif_abc_read_indexed_metadata(coif_abc_file *file, const coif_ogawa_group *group,
                                           uint64_t index, coif_error *error);

// Reads the headers of a compound and of the compounds inside it.
coif_status coif_abc_read_compound(coif_abc_property *compound, coif_abc_file *file,
                                   uint64_t reference, coif_error *error);

// The property of a compound; NULL when there is none or compound is NULL.
const coif_abc_property *coif_abc_find(const coif_abc_property *compound, const char *name);

// Copies the value of a key, "" when absent; a longer value is cut.
void coif_abc_metadata_get(char *value, size_t size, const char *metadata, const char *key);
bool coif_abc_metadata_is(const char *metadata, const char *key, const char *value);

// Whether samples of a property differ.
static inline bool coif_abc_is_animated(const coif_abc_property *property)
{
    return property != NULL && property->sample_count > 1 && property->last_changed > 0;
}

double coif_abc_sample_time(const coif_abc_property *property, uint32_t sample);

// The samples around a time and the weight of the second; equal at a sample and outside the range.
typedef struct coif_abc_interval {
    uint32_t before, after;
    double weight;
} coif_abc_interval;
coif_abc_interval coif_abc_samples_at(const coif_abc_property *property, double time);

#endif
