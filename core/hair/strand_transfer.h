// strand_transfer: moves strands from one head to another.
//
// Both scalps are parametrised by direction from the centre of their bounding box, in units of half
// its size: by the azimuth about a pole, and the angle from the pole as a fraction of all angles at
// which directions of that azimuth hit the scalp. A root keeps both, so that hairlines meet and
// bays of a jagged border are skipped; the strand moves with it, rotated by the smallest rotation
// between the two normals and scaled by the geometric mean of the ratios of the boxes. The transfer
// back is the inverse, except where a direction hits the first scalp several times, as at an ear.
#ifndef COIF_CORE_HAIR_STRAND_TRANSFER_H
#define COIF_CORE_HAIR_STRAND_TRANSFER_H

#include "core/base/jobs.h"
#include "core/hair/strands.h"
#include "core/mesh/mesh.h"

typedef struct coif_scalp {
    const coif_mesh *mesh;
    const char *group; // NULL or "": the whole mesh
} coif_scalp;

typedef struct coif_transfer_report {
    int32_t beyond;      // strands whose direction misses a scalp: moved towards the pole
    float largest_angle; // of those, degrees between both directions
} coif_transfer_report;

// Strands keep counts, radii, colours and root UVs. A group without triangles or a flat scalp is
// COIF_ERR_SCENE.
coif_status coif_strands_transfer(coif_strands *moved, const coif_strands *strands,
                                  const coif_scalp *from, const coif_scalp *to,
                                  coif_transfer_report *report, coif_arena *arena, coif_jobs *jobs,
                                  coif_error *error);

#endif
