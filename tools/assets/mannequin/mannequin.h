// mannequin: the complete mesh, with normals and texture coordinates.
#ifndef COIF_ASSETS_MANNEQUIN_H
#define COIF_ASSETS_MANNEQUIN_H

#include "core/base/error.h"
#include "tools/assets/mannequin/regions.h"

typedef struct mannequin {
    poly_mesh mesh;     // both halves
    coif_vec3d *normal; // per point
    int *twin;          // per point: its mirror image
    int uv_count;
    double *uv;     // two each
    int *uv_corner; // four per face: index into uv
} mannequin;

coif_status mannequin_build(mannequin *model, const head_sdf *sdf, coif_arena *arena,
                            coif_error *error);

// Increases the density of the mesh at small features: pass 0 at eyes, nose, lips and ears, pass 1
// at the lid margins, lips and nostrils.
void head_subdivide(poly_mesh *mesh, const head_sdf *sdf, int pass);

// Writes mannequin.obj and mannequin.mtl.
coif_status mannequin_save_obj(const mannequin *model, const char *folder, coif_error *error);

// Prints measurements of eyes, lashes and skin; returns the number of violated properties.
int mannequin_check_face(const mannequin *model, const head_sdf *sdf);

#endif
