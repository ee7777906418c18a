// mesh: the cub as quads, laid out flat, with its coat painted on.
#ifndef COIF_ASSETS_CUB_MESH_H
#define COIF_ASSETS_CUB_MESH_H

#include "tools/assets/tiger_cub/tiger_cub.h"
#include "tools/assets/shared/poly_mesh.h"

typedef struct cub_atlas {
    double *uv; // two for each of four corners of each face
} cub_atlas;

// A net of quads over the field, evened out and on its surface; groups are set.
void cub_net_build(head_mesh *mesh, const cub *body);

// Adds two eyeballs that are balls of their own.
void cub_eyes_add(head_mesh *mesh, const cub *body);

// Every face gets a place of its own in the unit square: pieces that face one way are laid down as
// they are seen from there. `gap` is the least distance between pieces.
void cub_atlas_build(cub_atlas *atlas, const head_mesh *mesh, double gap);

#endif
