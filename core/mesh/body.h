// body: a mesh of the scene and how it moves: keyed rigid motion, a sequence of OBJ files, or both.
//
// A point p of the rest mesh, with share s of the motion, stands at
//
//   pivot + R(s rotate) (p - pivot) + s translate        R(a) = Rz(a.z) Ry(a.y) Rx(a.x)
//
// where s is 1, or rises smoothly from 0 to 1 between two heights: a head that turns on a neck
// whose foot stays.
#ifndef COIF_CORE_MESH_BODY_H
#define COIF_CORE_MESH_BODY_H

#include "core/mesh/mesh.h"
#include "core/scene/scene.h"

typedef struct coif_body_params {
    const char *name;
    const char *mesh; // "head.obj", or "head.####.obj": one file per frame, same topology
    const char *include_groups,
        *exclude_groups; // parts of it that are kept, and left out: see coif_mesh_desc
    float crease_angle;
    float scale;
    float translate[3]; // metres
    float rotate[3];    // degrees about x, then y, then z, around pivot
    float pivot[3];
    float deform_y_min; // the motion fades from none at falloff_low to all at falloff_high (heights
    float deform_y_max; // of the scaled rest mesh); equal heights: the whole body moves
    int32_t collide;
    int32_t visible;
} coif_body_params;

// Table of one entry of "bodies"; the renderer adds "material" below it.
extern const coif_param COIF_BODY_PARAMS[];
extern const uint32_t COIF_BODY_PARAM_COUNT;

typedef struct coif_body {
    const coif_node *node;
    coif_body_params params; // at rest: values that are not animated
    coif_mesh rest;          // scaled, before motion; for a sequence: its first file
    bool sequence;
    int sequence_first, sequence_last; // numbers of the files, without a gap
    const coif_body_params *drag;      // NULL, or a motion on top of its own
    const bool
        *needs_normals; // NULL, or per triangle: whether its normals are asked for when it is posed
} coif_body;

// Messages begin with scene and place: "bob.json: /bodies/0/mesh: head.obj: line 3: ...".
coif_status coif_body_load(coif_body *body, const coif_node *node, const coif_scene *scene,
                           coif_arena *arena, coif_error *error);

// All bodies of the scene, in its order, held where its hand holds them: the one that it names and
// what lies within its box at rest, as eyes do in a head. When some fail, the message has one line
// for each.
coif_status coif_bodies_load(coif_body **bodies, int32_t *count, const coif_scene *scene,
                             coif_arena *arena, coif_error *error);
const coif_body *coif_bodies_find(const coif_body *bodies, int32_t count, const char *name);

// The mesh at a (possibly fractional) frame: positions and normals are new, the rest is shared with
// body->rest. Sequences are interpolated between whole frames and held beyond their ends; a file
// that went away or has another topology is an error. Each call for a sequence reads up to two
// files. Without an arena the mesh is an earlier pose of the body, whose memory is used again.
coif_status coif_body_pose(coif_mesh *mesh, const coif_body *body, double frame, coif_arena *arena,
                           coif_error *error);

// The motion alone: moves positions and normals in place; and that of the hand.
void coif_body_transform_points(coif_mesh *mesh, const coif_body_params *params,
                                const coif_body *body);
void coif_body_apply_drag(coif_mesh *mesh, const coif_body *body);

// The mesh before motion and sequence, with room of its own for positions and normals.
void coif_body_rest(coif_mesh *mesh, const coif_body *body, coif_arena *arena);

// Whether anything about it changes over time.
bool coif_body_is_animated(const coif_body *body);

#endif
