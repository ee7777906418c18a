// archive: scene files of other programs (Alembic, USD, PLY, GLB) as a list of objects with time
// samples.
//
// A reader keeps the structure of the file in memory and reads samples on request, so that an
// animated mesh streams. Positions are returned in metres, y up, right-handed, in world space: the
// transforms of the hierarchy, unit and up axis are applied at the time of the sample. Times are in
// seconds. One vtable per format; the file's content selects it, not its extension.
#ifndef COIF_CORE_ARCHIVE_ARCHIVE_H
#define COIF_CORE_ARCHIVE_ARCHIVE_H

#include "core/base/base.h"
#include "core/base/vec.h"

typedef enum coif_archive_kind {
    COIF_ARCHIVE_CURVES,
    COIF_ARCHIVE_MESH,
    COIF_ARCHIVE_CAMERA
} coif_archive_kind;

typedef enum coif_curve_basis {
    COIF_BASIS_LINEAR,
    COIF_BASIS_BSPLINE,
    COIF_BASIS_CATMULL_ROM,
    COIF_BASIS_BEZIER
} coif_curve_basis;

typedef struct coif_archive_object {
    const char *path; // "/head/hair"
    coif_archive_kind kind;
    bool is_guide;          // curves marked as guides of other curves
    bool constant_topology; // counts and faces are those of the first sample
    int32_t sample_count;   // at least 1; includes samples of animated transforms
    const double *times;    // sample_count, increasing; a static object has the time 0
} coif_archive_object;

// What conversion the reader applies; zeros: what the file states, else metres (USD:
// centimetres) and y up.
typedef struct coif_archive_import {
    double meters_per_unit; // 0: of the file
    char up_axis;           // 'y', 'z' or 0: of the file
} coif_archive_import;

typedef struct coif_archive {
    const struct coif_archive_vtable *vtable;
    const char *path;
    const char *format;      // "Alembic 1.8 (Ogawa)", "USD text 1.0", "USD crate 0.8.0"
    const char *application; // program that wrote the file; "": unknown
    double meters_per_unit;  // as applied
    char up_axis;            // as applied
    bool states_units;       // the file gives its unit or it was given; else it is an assumption
    double fps;              // 0: not in the file
    int32_t object_count;
    coif_archive_object *objects;
} coif_archive;

// Per-curve and per-point data; pointers are NULL when the file lacks the data.
typedef struct coif_archive_curves {
    coif_curve_basis basis;
    bool periodic;
    bool pinned; // splines start and end at the first and last control point
    int32_t curve_count, point_count;
    int32_t *counts;          // points per curve
    coif_vec3 *points;        // control points, m
    coif_vec3 *velocities;    // m/s
    float *widths;            // per point, diameter in m
    coif_vec3 *colors;        // per point, linear
    float *uv;                // 2 per curve: root position on the scalp
    int32_t *ids;             // per curve: groom_id
    int32_t *group_ids;       // per curve: groom_group_id
    const char **group_names; // per curve: groom_group_name
    int32_t *guide;           // per curve: 1 for guides (groom_guide)
    int32_t *closest_guides;  // 3 per curve: ids of guides
    float *guide_weights;     // 3 per curve
} coif_archive_curves;

typedef struct coif_archive_mesh {
    int32_t vertex_count, face_count, corner_count;
    int32_t *face_sizes;   // corners per face
    int32_t *corners;      // vertex of each corner, counter-clockwise seen from outside
    coif_vec3 *positions;  // per vertex
    coif_vec3 *velocities; // per vertex, or NULL
    coif_vec3 *normals;    // per corner, or NULL
    float *uv;             // 2 per corner, or NULL
    int32_t group_count;   // named subsets of faces
    const char **group_names;
    int32_t *face_group; // per face: index of a group, -1: none; NULL without groups
} coif_archive_mesh;

typedef struct coif_archive_camera {
    float to_world[12];                // three rows of four: camera looks along -z, y up
    float focal_length;                // mm
    float film_width, film_height;     // mm
    float film_offset[2];              // mm
    float focus_distance;              // m; 0: unknown
    float f_stop;                      // 0: no depth of field
    float shutter_open, shutter_close; // s relative to the frame
} coif_archive_camera;

// Opens a file and logs its format, unit and up axis once. Damaged or unsupported content is
// COIF_ERR_FORMAT that names path and location; an HDF5-based Alembic file and other known formats
// without a reader get a message that says how to convert them. Import may be NULL. All memory is
// the arena's, and no file stays open between calls, so there is nothing to close.
coif_status coif_archive_open(coif_archive **archive, const char *path,
                              const coif_archive_import *import, coif_arena *arena,
                              coif_error *error);

// Whether the first bytes of the file are those of a format that coif_archive_open names.
bool coif_archive_is_archive(const char *path);

// Index of the object of a kind by its path, the last components of it or those of its parent, or
// the only one where name is NULL; -1.
int32_t coif_archive_find(const coif_archive *archive, coif_archive_kind kind, const char *name);

// The same, where "" is no name; COIF_ERR_SCENE "object: ..." that names the objects of the kind.
coif_status coif_archive_select(int32_t *object, const coif_archive *archive,
                                coif_archive_kind kind, const char *name, coif_error *error);

// Samples. Transforms are interpolated at the time of the sample; data of the object are those of
// the sample itself. Memory comes from arena.
coif_status coif_archive_read_curves(const coif_archive *archive, int32_t object, int32_t sample,
                                     coif_archive_curves *curves, coif_arena *arena,
                                     coif_error *error);
coif_status coif_archive_read_mesh(const coif_archive *archive, int32_t object, int32_t sample,
                                   coif_archive_mesh *mesh, coif_arena *arena, coif_error *error);
coif_status coif_archive_read_camera(const coif_archive *archive, int32_t object, int32_t sample,
                                     coif_archive_camera *camera, coif_arena *arena,
                                     coif_error *error);

// One per format. open fills the public members; NULL readers: the format has no such objects.
// archive.c lists them.
typedef struct coif_archive_vtable {
    const char *name, *extensions;
    bool (*matches)(const unsigned char *head, size_t size); // first bytes of the file
    coif_status (*open)(coif_archive **archive, const char *path, const coif_archive_import *import,
                        coif_arena *arena, coif_error *error);
    coif_status (*read_curves)(const coif_archive *, int32_t object, int32_t sample,
                               coif_archive_curves *, coif_arena *, coif_error *);
    coif_status (*read_mesh)(const coif_archive *, int32_t object, int32_t sample,
                             coif_archive_mesh *, coif_arena *, coif_error *);
    coif_status (*read_camera)(const coif_archive *, int32_t object, int32_t sample,
                               coif_archive_camera *, coif_arena *, coif_error *);
} coif_archive_vtable;

extern const coif_archive_vtable COIF_ARCHIVE_ALEMBIC; // alembic/
extern const coif_archive_vtable COIF_ARCHIVE_USDA;    // usd/
extern const coif_archive_vtable COIF_ARCHIVE_USDC;    // usd/
extern const coif_archive_vtable COIF_ARCHIVE_PLY;     // mesh/
extern const coif_archive_vtable COIF_ARCHIVE_GLB;     // mesh/

// Fibre scattering of exported hair, in the parameters of Chiang et al. 2016.
typedef struct coif_archive_hair_look {
    coif_vec3 absorption; // per fibre radius
    coif_vec3 tint[3];    // of the lobes R, TT and TRT
    float ior;
    float longitudinal_variance; // v of the lobe R; v / 4 of TT, 4 v of TRT
    float azimuthal_scale;       // s of the logistic, without the factor sqrt(pi / 8)
    float cuticle_angle;         // degrees
} coif_archive_hair_look;

// Writing. Objects are declared first, then every sample of every object in the order of time, then
// the file is committed under its final name. Positions are metres, y up; the writer converts to
// the unit and up axis of the description and states both in the file.
typedef struct coif_archive_write_desc {
    double fps;         // time of frame f is f / fps
    double first_frame; // frame of sample 0; samples are one frame apart times frame_step
    double frame_step;
    int32_t sample_count;
    double meters_per_unit; // 1, or 0.01 for programs that work in centimetres
    char up_axis;           // 'y' or 'z'
    coif_curve_basis basis; // of curves: linear, bspline or catmull-rom
    const char *application;
    bool varying_widths; // for readers that do not know widths per control point
} coif_archive_write_desc;

typedef struct coif_archive_write_object {
    const char *path; // "/head/hair"; parents are made as transforms
    coif_archive_kind kind;
    bool is_guide, animated; // not animated: one sample
    // Of curves, or NULL; objects may share it. It lives as long as the writer; formats without
    // looks ignore it.
    const coif_archive_hair_look *look;
} coif_archive_write_object;

typedef struct coif_archive_writer coif_archive_writer;

typedef struct coif_archive_writer_vtable {
    const char *name, *extensions;
    coif_status (*create)(coif_archive_writer **writer, const char *path,
                          const coif_archive_write_desc *desc,
                          const coif_archive_write_object *objects, int32_t object_count,
                          coif_arena *arena, coif_error *error);
    // Data are copied or written before the call returns.
    coif_status (*write_curves)(coif_archive_writer *, int32_t object, int32_t sample,
                                const coif_archive_curves *, coif_error *);
    coif_status (*write_mesh)(coif_archive_writer *, int32_t object, int32_t sample,
                              const coif_archive_mesh *, coif_error *);
    coif_status (*write_camera)(coif_archive_writer *, int32_t object, int32_t sample,
                                const coif_archive_camera *, coif_error *);
    coif_status (*commit)(coif_archive_writer *, coif_error *);
    void (*discard)(coif_archive_writer *); // after a commit: nothing
} coif_archive_writer_vtable;

extern const coif_archive_writer_vtable COIF_ARCHIVE_WRITE_ALEMBIC, COIF_ARCHIVE_WRITE_USDA,
    COIF_ARCHIVE_WRITE_USDC;

// The writer of the path's extension, NULL: none.
const coif_archive_writer_vtable *coif_archive_writer_for(const char *path);

#endif
