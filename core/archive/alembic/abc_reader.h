// Reader of Alembic archives: nodes of the hierarchy and values of their properties at a time.
#ifndef COIF_CORE_ARCHIVE_ALEMBIC_ABC_READER_H
#define COIF_CORE_ARCHIVE_ALEMBIC_ABC_READER_H

#include "core/archive/alembic/abc_schema.h"
#include "core/archive/archive.h"
#include "core/archive/transform.h"

typedef enum coif_abc_schema {
    COIF_ABC_GROUP, // nothing that is read
    COIF_ABC_XFORM,
    COIF_ABC_CURVES,
    COIF_ABC_MESH,
    COIF_ABC_CAMERA,
    COIF_ABC_FACE_SET
} coif_abc_schema;

// An object of the file. Face sets are the children of their mesh.
typedef struct coif_abc_node {
    struct coif_abc_node *parent; // NULL: top
    const char *name, *path;
    coif_abc_schema schema;
    coif_abc_property *properties; // compound of the schema: ".geom", ".xform"; NULL for groups
    struct coif_abc_node *face_sets, *next_face_set; // in the order of the file
} coif_abc_node;

typedef struct coif_abc_archive {
    coif_archive base; // first member: a coif_archive is this
    coif_bytes source;
    coif_abc_node **nodes; // per object of base
} coif_abc_archive;

// As the open function of the format, from a file (data NULL, size 0) or from memory, which must
// stay.
coif_status coif_abc_open(coif_archive **archive, const coif_bytes *source,
                          const coif_archive_import *import, coif_arena *arena, coif_error *error);

// Node, time and open file of one call of a reader.
typedef struct coif_abc_query {
    coif_ogawa *ogawa;
    const coif_abc_node *node;
    double time, first_time, last_time; // of the sample; of all samples
    coif_transform units;               // space of the file to metres, y up
    coif_transform to_world;            // space of the node to metres, y up, at that time
    coif_arena *arena;
} coif_abc_query;

typedef coif_status (*coif_abc_reader)(void *result, const coif_abc_query *query,
                                       coif_error *error);

// Opens the file, runs the reader on a sample of an object and closes the file.
coif_status coif_abc_run(coif_abc_reader reader, void *result, const coif_archive *archive,
                         int32_t object, int32_t sample, coif_arena *arena, coif_error *error);

// COIF_ERR_FORMAT "PATH: OBJECT: ...".
coif_status coif_abc_fail(const coif_abc_query *query, coif_error *error, const char *format, ...)
    COIF_PRINTF(3, 4);

// Numbers of a sample, converted from their type. All are 4 bytes wide.
typedef enum coif_abc_number { COIF_ABC_AS_FLOAT, COIF_ABC_AS_INT } coif_abc_number;
typedef struct coif_abc_values {
    int64_t count; // elements of extent numbers
    union {
        float *floats;
        int32_t *ints;
    };
} coif_abc_values;

// Values of a property at the sample at or before the time of the query. Elements are `extent`
// numbers; another multiple of numbers is an error. A property without samples has no values.
coif_status coif_abc_read_values(coif_abc_values *values, const coif_abc_query *query,
                                 const coif_abc_property *property, uint32_t extent,
                                 coif_abc_number number, coif_error *error);

// Floats interpolated between samples of equal count.
coif_status coif_abc_read_interpolated(coif_abc_values *values, const coif_abc_query *query,
                                       const coif_abc_property *property, uint32_t extent,
                                       coif_error *error);

// At most count doubles of a property, interpolated; others are kept. Count becomes their number.
coif_status coif_abc_read_doubles(double *values, uint32_t *count, const coif_abc_query *query,
                                  const coif_abc_property *property, coif_error *error);

// Raw bytes of the first sample of a property, without its key.
coif_status coif_abc_read_bytes(coif_bytes *bytes, const coif_abc_query *query,
                                const coif_abc_property *property, coif_error *error);

// Values of a geometry parameter with indices resolved, and its scope.
typedef enum coif_abc_scope {
    COIF_ABC_CONSTANT_SCOPE,
    COIF_ABC_UNIFORM,     // per face or curve
    COIF_ABC_VARYING,     // per vertex; per segment end of cubic curves
    COIF_ABC_VERTEX,      // per vertex or point
    COIF_ABC_FACE_VARYING // per corner
} coif_abc_scope;
typedef struct coif_abc_param {
    coif_abc_values values;
    coif_abc_scope scope;
} coif_abc_param;
// Counts: values of each scope. A count that does not fit the stated scope selects the scope that
// it fits; values.count is 0 when there is none, with a warning, and without the property.
coif_status coif_abc_read_param(coif_abc_param *param, const coif_abc_query *query,
                                const coif_abc_property *property, uint32_t extent,
                                coif_abc_number number, const int64_t counts[5], coif_error *error);

// Transform of a node to metres and y up at a time.
coif_status coif_abc_transform_at(coif_transform *to_world, const coif_abc_query *query,
                                  double time, coif_error *error);

// Velocities of points in world space, with those of moving transforms; NULL when the file has
// none.
coif_status coif_abc_read_velocities(coif_vec3 **velocities, const coif_abc_query *query,
                                     const coif_abc_values *points, coif_error *error);

// Points in world space; fails when one is not finite.
coif_status coif_abc_world_points(coif_vec3 **world, const coif_abc_query *query,
                                  const coif_abc_values *points, coif_error *error);

// Readers of one kind of objects, for coif_abc_run.
coif_status coif_abc_read_curves(void *curves, const coif_abc_query *query, coif_error *error);
coif_status coif_abc_read_mesh(void *mesh, const coif_abc_query *query, coif_error *error);
coif_status coif_abc_read_camera(void *camera, const coif_abc_query *query, coif_error *error);

#endif
