// strand_dab: one dab of a brush on one strand.
//
// Roots stay. A dab moves points by its falloff; from the first moved point to the tip the segment
// lengths are restored (follow-the-leader: each point is placed at the length of its segment in the
// direction of its moved position). The rotations of the segments are then spread along the strand,
// so that it bends in an arc; points inside the body are rotated out of it. A strand
// that cannot be moved out keeps its shape. A mirrored dab on mirrored strands
// gives mirrored bits, apart from the body.
#ifndef COIF_SIM_GROOM_STRAND_DAB_H
#define COIF_SIM_GROOM_STRAND_DAB_H

#include "core/collision/sdf.h"

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

// The body that strands stay out of; collider may be NULL.
typedef struct coif_brush_body {
    const coif_collider *collider;
    float clearance;     // of points from the surface, m
    const coif_sdf *sdf; // of the body: spares queries and changes no result; may be NULL
} coif_brush_body;

// Weight at a distance from the centre: 1 within the hardness, then a smooth step to 0 at the
// radius.
float coif_strand_dab_falloff(const coif_strand_dab *dab, float distance);

// Ends a strand at a fraction of its length; the points keep their fractions of the length and
// their radii. Scratch: count points.
void coif_strand_cut(coif_vec4 *points, int32_t count, float fraction, coif_vec4 *scratch);

// Rotates segments from point `first` on out of the body; the rest of the strand is translated with
// them. False when a point that was outside before would end inside.
bool coif_strand_push_out(coif_vec4 *points, const coif_vec4 *before, const float *segments,
                          int32_t count, int32_t first, const coif_brush_body *body);

#define COIF_SHORTEST_STRAND 0.001f // m, of a strand that is cut or drawn

// A strand while dabs are applied to it; arrays start at the root.
typedef struct coif_brush_strand {
    int32_t count;
    coif_vec4 *points;
    float *segments;
    coif_vec3 normal;
    float mask;
    coif_vec3 *moved;     // scratch: positions of the tool
    coif_vec3 *rotations; // scratch: of the segments by a dab
    float *weights;       // scratch: of the dab
    coif_vec4 *kept;      // scratch: points before the dab
    bool deleted;
} coif_brush_strand;

// Returns whether the strand has changed.
bool coif_brush_apply_dab(coif_brush_strand *strand, const coif_strand_dab *dab,
                          const coif_brush_body *body);

bool coif_brush_is_inside(const coif_brush_body *body, coif_vec4 point);

static inline void coif_set_position(coif_vec4 *point, coif_vec3 position)
{
    point->x = position.x;
    point->y = position.y;
    point->z = position.z;
}

#endif
