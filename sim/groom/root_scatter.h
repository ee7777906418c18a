// root_scatter: root positions: a fixed sequence of candidates, thinned by density.
//
// Candidate i is point i of a sequence: one coordinate selects a triangle by area, two the
// position in it, and a threshold decides whether the density there lets it grow. Changing the
// density therefore only adds or removes roots, never moves them, and density 0 gives no root.
#ifndef COIF_SIM_GROOM_ROOT_SCATTER_H
#define COIF_SIM_GROOM_ROOT_SCATTER_H

#include "core/mesh/mesh.h"
#include "sim/groom/low_discrepancy.h"

typedef struct coif_root_set {
    int32_t count;
    int32_t *triangles;
    float *barycentrics; // 2 per root: weights of the second and third corner
    int32_t *candidates; // ascending: index in the sequence
} coif_root_set;

// Fills value with the density, 0 to 1, at count surface points.
typedef coif_status (*coif_density)(void *context, int32_t count, const coif_surface_point *points,
                                    float *value, coif_error *error);

typedef struct coif_roots_desc {
    const coif_mesh *mesh;
    const char *group;  // only triangles of this group; NULL or "" for all
    int32_t candidates; // roots at density 1 over all these triangles
    double per_area;    // instead of candidates: roots per square metre; 0: unused
    coif_sequence_kind sequence;
    uint64_t seed;
    coif_density density; // NULL: 1 everywhere
    void *density_context;
} coif_roots_desc;

coif_status coif_roots_scatter(coif_root_set *roots, const coif_roots_desc *desc, coif_arena *arena,
                               coif_jobs *jobs, coif_error *error);

// Density threshold of each of count candidates, in [0, 1): for callers that thin them
// repeatedly, as painting does.
void coif_roots_thresholds(double *thresholds, const coif_roots_desc *desc, int32_t count);

#endif
