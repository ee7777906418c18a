// strand_brush: brushes on guides and strands: one dab changes the points within its volume.
//
// Roots stay. A dab moves points by its falloff; from the first moved point to the tip the segment
// lengths are restored (follow-the-leader: each point is placed at the length of its segment in the
// direction of its moved position). The rotations of the segments are then spread along the strand,
// so that it bends in an arc; points inside the body are rotated out of it. A strand
// that cannot be moved out keeps its shape. Strands are independent of each other, so the result
// does not depend on threads; a mirrored dab on mirrored strands gives mirrored bits, apart from
// the body.
#ifndef COIF_SIM_GROOM_STRAND_BRUSH_H
#define COIF_SIM_GROOM_STRAND_BRUSH_H

#include "core/collision/sdf.h"
#include "core/hair/strands.h"

typedef enum coif_brush_tool {
    COIF_BRUSH_COMB,     // moves points by drag
    COIF_BRUSH_SMOOTH,   // towards the middle of the neighbours
    COIF_BRUSH_PUFF,     // away from the surface at the root; inverted: towards it
    COIF_BRUSH_CLUMP,    // towards the axis of the brush; inverted: away from it
    COIF_BRUSH_TWIST,    // around the line through position along drag
    COIF_BRUSH_PART,     // to both sides of the line through position along drag
    COIF_BRUSH_LENGTHEN, // scales the segments; inverted: shortens
    COIF_BRUSH_CUT,      // ends strands where they enter the brush
    COIF_BRUSH_DELETE,
    COIF_BRUSH_TOOLS
} coif_brush_tool;

extern const char *const COIF_BRUSH_TOOL_NAMES[COIF_BRUSH_TOOLS + 1]; // ends with NULL

typedef struct coif_strand_dab {
    coif_brush_tool tool;
    coif_vec3 position;
    // Away from the viewer: the brush is a cylinder along it, from front before the position to the
    // radius behind it. Zero: a ball.
    coif_vec3 view;
    float front;
    coif_vec3 drag;   // see the tools, m
    coif_vec3 normal; // of the surface at position; part only
    float radius;     // m
    float strength;   // 0 to 1
    float hardness;   // fraction of the radius with full strength
    bool invert;
    bool mirror;         // the dab acts mirrored at the axis as well
    int32_t mirror_axis; // 0 to 2: at x, y or z = 0
} coif_strand_dab;

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

// The body that strands stay out of; collider may be NULL.
typedef struct coif_brush_body {
    const coif_collider *collider;
    float clearance;     // of points from the surface, m
    const coif_sdf *sdf; // of the body: spares queries and changes no result; may be NULL
} coif_brush_body;

// Weight at a distance from the centre: 1 within the hardness, then a smooth step to 0 at the
// radius.
float coif_strand_dab_falloff(const coif_strand_dab *dab, float distance);

// Applies the dabs in their order.
void coif_strand_brush_apply(const coif_brush_strands *strands, const coif_strand_dab *dabs,
                             int32_t count, const coif_brush_body *body, coif_arena *scratch,
                             coif_jobs *jobs);

// Ends a strand at a fraction of its length; the points keep their fractions of the length and
// their radii. Scratch: count points.
void coif_strand_cut(coif_vec4 *points, int32_t count, float fraction, coif_vec4 *scratch);

// Rotates segments from point `first` on out of the body; the rest of the strand is translated with
// them. False when a point that was outside before would end inside.
bool coif_strand_push_out(coif_vec4 *points, const coif_vec4 *before, const float *segments,
                          int32_t count, int32_t first, const coif_brush_body *body);

// Lengths of the segments of strands.
void coif_strand_brush_measure(float *segments, const coif_strands *strands);

// A strand along a drawn line: as many points as wanted at equal distances, the first at root, out
// of the body. False when it is shorter than a millimetre or cannot be moved out.
bool coif_strand_brush_draw(coif_vec4 *points, int32_t count, const coif_vec3 *line,
                            int32_t line_count, coif_vec3 root, const coif_brush_body *body);

#endif
