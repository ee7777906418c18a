// strand_brush: brushes on guides and strands: dabs change the points within their volume.
//
// Strands are independent of each other, so the result does not depend on threads.
#ifndef COIF_SIM_GROOM_STRAND_BRUSH_H
#define COIF_SIM_GROOM_STRAND_BRUSH_H

#include "core/hair/strands.h"
#include "sim/groom/strand_dab.h"

typedef struct coif_brush_strands {
    int32_t strand_count;
    const int32_t *first;
    coif_vec4 *points;
    float *segments;          // per point: length of the segment that ends there
    const coif_vec3 *normals; // per strand: of the surface at the root
    const float *weights;     // per strand: mask, 0 to 1; NULL: 1
    uint8_t *deleted;         // per strand; such strands are skipped
    uint8_t *changed;         // per strand: set to 1 where a dab changed something
} coif_brush_strands;

// Applies the dabs in their order.
void coif_strand_brush_apply(const coif_brush_strands *strands, const coif_strand_dab *dabs,
                             int32_t count, const coif_brush_body *body, coif_arena *scratch,
                             coif_jobs *jobs);

// Lengths of the segments of strands.
void coif_strand_brush_measure(float *segments, const coif_strands *strands);

// A strand along a drawn line: as many points as wanted at equal distances, the first at root, out
// of the body. False when it is shorter than a millimetre or cannot be moved out.
bool coif_strand_brush_draw(coif_vec4 *points, int32_t count, const coif_vec3 *line,
                            int32_t line_count, coif_vec3 root, const coif_brush_body *body);

#endif
