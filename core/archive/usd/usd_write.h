// Writer of USD text: attributes of objects, collected sample by sample.
//
// USD lists all samples of an attribute together, but samples arrive object by object in the order
// of time. So every attribute has a part, a temporary file; parts are joined when the file is
// committed.
#ifndef COIF_CORE_ARCHIVE_USD_USD_WRITE_H
#define COIF_CORE_ARCHIVE_USD_USD_WRITE_H

#include "core/archive/archive.h"
#include "core/archive/transform.h"
#include "core/base/hash64.h"
#include "core/base/text_writer.h"

// Attributes of an object, in the order of the file.
typedef enum coif_usd_part_kind {
    COIF_USD_FIXED, // everything that has no samples
    COIF_USD_EXTENT,
    COIF_USD_POINTS,
    COIF_USD_VELOCITIES,
    COIF_USD_NORMALS,
    COIF_USD_WIDTHS,
    COIF_USD_COLORS,
    COIF_USD_TRANSFORM,
    COIF_USD_LENS,
    COIF_USD_PARTS = COIF_USD_LENS + 7 // one per number of a camera
} coif_usd_part_kind;

// An array that may stay the same in all samples of an animated object.
typedef struct coif_usd_held {
    coif_usd_part_kind kind;
    const char *declaration, *metadata;
    const float *values;
    int64_t count; // of tuples
    int32_t components;
    float scale;
} coif_usd_held;

typedef struct coif_usd_part {
    coif_text_writer *text; // NULL: nothing written
    int32_t samples;
    // Values that did not change so far are written at the first change, or once at the end.
    coif_usd_held first; // values NULL: none
    int32_t first_sample, last_sample;
} coif_usd_part;

typedef struct coif_usd_write_object {
    coif_archive_write_object desc;
    const char *path; // with names that USD allows
    coif_usd_part parts[COIF_USD_PARTS];
    bool started;
    uint64_t topology; // of curves: digest of the counts of the first sample
} coif_usd_write_object;

struct coif_archive_writer {
    coif_archive_write_desc desc;
    coif_text_writer *file;
    coif_usd_write_object *objects;
    int32_t object_count;
    coif_transform to_file; // metres, y up, to the unit and up axis of the file
    coif_arena *arena;
};

// One sample that is being written.
typedef struct coif_usd_write_sample {
    coif_archive_writer *writer;
    coif_usd_write_object *object;
    int32_t sample;
    coif_error *error;
} coif_usd_write_sample;

// The part of an attribute, opened at its first use. Declaration and metadata ("(...)" or "") must
// live as long as the writer.
coif_status coif_usd_part_open(const coif_usd_write_sample *at, coif_usd_part_kind kind,
                               const char *declaration, const char *metadata, coif_usd_part **part);

// Before and after the value of one sample; an object that is not animated has one value.
void coif_usd_part_begin(const coif_usd_write_sample *at, coif_usd_part *part);
void coif_usd_part_end(const coif_usd_write_sample *at, coif_usd_part *part);

// "[...]" of count tuples.
void coif_usd_put_floats(coif_text_writer *text, const float *values, int64_t count,
                         int32_t components, float scale);
void coif_usd_put_integers(coif_text_writer *text, const int32_t *values, int64_t count);

coif_status coif_usd_put_held(const coif_usd_write_sample *at, const coif_usd_held *array);

coif_status coif_usd_write_curves(coif_archive_writer *writer, int32_t object, int32_t sample,
                                  const coif_archive_curves *curves, coif_error *error);
coif_status coif_usd_write_mesh(coif_archive_writer *writer, int32_t object, int32_t sample,
                                const coif_archive_mesh *mesh, coif_error *error);
coif_status coif_usd_write_camera(coif_archive_writer *writer, int32_t object, int32_t sample,
                                  const coif_archive_camera *camera, coif_error *error);

// Material prims of the look of the hair; "" without one.
void coif_usd_put_look(coif_text_writer *text, const coif_archive_hair_look *look);
extern const char COIF_USD_LOOK_PATH[];

#endif
