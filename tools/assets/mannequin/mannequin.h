// model: the finished mannequin, as it goes into the file.
#ifndef COIF_ASSETS_MANNEQUIN_H
#define COIF_ASSETS_MANNEQUIN_H

#include "tools/assets/shared/poly_mesh.h"
#include "tools/assets/mannequin/head_sdf.h"

typedef struct head_model {
    head_mesh mesh;   // both halves
    head_vec *normal; // per point
    int *twin;        // per point: its mirror image
    int uv_count;
    double *uv;     // two each
    int *uv_corner; // four per face
} head_model;

// Returns 0, after saying why, when the sculpture cannot be laid flat.
int head_model_build(head_model *model, const head_sculpture *sculpture);

void head_model_free(head_model *model);

// Writes the OBJ file and its material library; returns 0, after saying why, when it cannot.
int head_model_save(const head_model *model, const char *obj_path, const char *mtl_path);

// Measures every promise made about the mesh, prints the figures, returns the number of broken
// promises.
int head_model_check(const head_model *model);

// The number of pairs of triangles that pass through each other without sharing a corner.
int head_mesh_crossings(const head_mesh *mesh);

#endif
