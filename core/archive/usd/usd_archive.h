// USD layers as archives: objects, their times, transforms to metres and y up.
#ifndef COIF_CORE_ARCHIVE_USD_USD_ARCHIVE_H
#define COIF_CORE_ARCHIVE_USD_USD_ARCHIVE_H

#include "core/archive/archive.h"
#include "core/archive/usd/usd_xform.h"

typedef struct coif_usd_object {
    int32_t prim;
    double *time_codes; // one per sample
    bool moving;        // a transform has samples
} coif_usd_object;

typedef struct coif_usd_archive {
    coif_archive base; // first: coif_archive points here
    coif_usd_layer layer;
    coif_usd_object *objects;
    double time_codes_per_second;
    size_t layer_offset; // of a layer in a package
    size_t file_size;    // 0: the bytes are in memory
} coif_usd_archive;

// Opens a layer in memory, text, crate or package; bytes must outlive the archive.
coif_status coif_usd_archive_open_bytes(coif_archive **archive, const coif_bytes *bytes,
                                        const coif_archive_import *import, coif_arena *arena,
                                        coif_error *error);

// One sample of an object: where values are read, and the transform to metres and y up. The file is
// mapped between begin and end.
typedef struct coif_usd_sample_query {
    coif_usd_query query;
    coif_usd_layer layer; // of the archive, with the bytes of the file
    coif_bytes mapped;
    const coif_usd_archive *archive;
    const coif_usd_object *object;
    coif_transform to_world;
    float scale; // factor of lengths, the mean of all directions
} coif_usd_sample_query;
coif_status coif_usd_sample_begin(coif_usd_sample_query *at, const coif_archive *archive,
                                  int32_t object, int32_t sample, coif_arena *arena,
                                  coif_error *error);
void coif_usd_sample_end(coif_usd_sample_query *at);

// Positions and velocities in the world; NULL without the attribute. Velocities contain the motion
// of the transform.
coif_status coif_usd_read_points(const coif_usd_sample_query *at, coif_vec3 **points,
                                 int32_t *count, coif_vec3 **velocities);

coif_status coif_usd_read_curves(const coif_archive *archive, int32_t object, int32_t sample,
                                 coif_archive_curves *curves, coif_arena *arena, coif_error *error);
coif_status coif_usd_read_mesh(const coif_archive *archive, int32_t object, int32_t sample,
                               coif_archive_mesh *mesh, coif_arena *arena, coif_error *error);
coif_status coif_usd_read_camera(const coif_archive *archive, int32_t object, int32_t sample,
                                 coif_archive_camera *camera, coif_arena *arena, coif_error *error);

// Integers of an attribute, checked against the type and number of elements; NULL without it.
coif_status coif_usd_read_integers(const coif_usd_query *query, const char *name, int32_t **values,
                                   int32_t *count);

// A primvar: name, or "primvars:" name, with the indices of name:indices applied.
typedef struct coif_usd_primvar {
    float *values; // NULL: none
    int32_t components;
    int64_t count;
    const char *interpolation; // "" where it is not given
} coif_usd_primvar;
coif_status coif_usd_read_primvar(const coif_usd_query *query, const char *name, int32_t components,
                                  coif_usd_primvar *primvar);

#endif
