// body: a mesh of the scene and how it moves: keyed rigid motion, or a sequence of OBJ files.
#ifndef COIF_CORE_BODY_H
#define COIF_CORE_BODY_H

#include "core/mesh.h"
#include "core/scene.h"

typedef struct coif_body_params {
    const char *name;
    const char *mesh; // "head.obj", or "head.####.obj": one file per frame, same topology
    float scale;
    float translate[3]; // metres
    float rotate[3];    // degrees about x, then y, then z, around pivot
    float pivot[3];
    float falloff[2]; // the motion fades from none at height falloff[0] to all at falloff[1] (rest
                      // coordinates); equal heights: the whole body moves
    int32_t collide;
    int32_t visible;
} coif_body_params;

// Table and section of one entry of "bodies"; the renderer adds "material" below it.
extern const coif_param COIF_BODY_PARAMS[];
extern const uint32_t COIF_BODY_PARAM_COUNT;

typedef struct coif_body {
    const coif_node *node;
    coif_body_params params; // at rest: values that are not animated
    coif_mesh rest;          // scaled, before motion; for a sequence: its first file
    bool sequence;
    int sequence_first; // number of the first file that exists
    const char *folder;
} coif_body;

coif_status coif_body_load(coif_body *body, const coif_node *node, const coif_scene *scene,
                           coif_arena *arena, coif_error *error);

// All bodies of the scene, in its order.
coif_status coif_bodies_load(coif_body **bodies, int32_t *count, const coif_scene *scene,
                             coif_arena *arena, coif_error *error);
const coif_body *coif_bodies_find(const coif_body *bodies, int32_t count, const char *name);

// The mesh at a (possibly fractional) frame: positions and normals are new, the rest is shared with
// body->rest. Sequences are interpolated between whole frames and held beyond their ends; a missing
// file in between or another topology is an error.
coif_status coif_body_pose(coif_mesh *mesh, const coif_body *body, double frame, coif_arena *arena,
                           coif_error *error);

// Whether anything about it changes over time.
bool coif_body_moves(const coif_body *body);

#endif
