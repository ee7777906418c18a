// coif/strand_cursor.h: arc-length positions on another strand, for modifiers that act on clumps.
//
// The centre strand of a clump is read from coif_groom_batch.input, the groom before the modifier,
// so that all strands of a clump see the same centre. All functions are static inline; [worker].
#ifndef COIF_PLUGIN_STRAND_CURSOR_H
#define COIF_PLUGIN_STRAND_CURSOR_H

#include <coif/strand.h>

// Centre strand of the clump of a strand of the batch, as index into batch->input; -1 for none.
static inline int32_t coif_kit_strand_clump(const coif_groom_batch *batch, int32_t strand)
{
    const int known = batch->struct_size > offsetof(coif_groom_batch, clump);
    return known && batch->clump != NULL ? batch->clump[strand] : -1;
}

// Position of a point of a strand view, m.
static inline coif_kit_vec coif_kit_view_point(const coif_strand_view *strands, int32_t point)
{
    return coif_kit_vec_make(strands->x[point], strands->y[point], strands->z[point]);
}

// Value of a MAPPABLE parameter for any strand of batch->input; `value` where it is not mapped.
static inline float coif_kit_input_param(const coif_groom_batch *batch, int32_t row, int32_t strand,
                                         float value)
{
    return batch->input_per_strand != NULL && batch->input_per_strand[row] != NULL
               ? batch->input_per_strand[row][strand]
               : value;
}

// A position on a strand, extrapolated linearly beyond root and tip.
typedef struct coif_kit_strand_cursor {
    const coif_strand_view *strands;
    int32_t root, end;     // points [root, end) of the strand
    int32_t point;         // the segment [point, point + 1] the cursor is on
    float begin;           // arc length from the root to point, m
    float distance;        // arc length from the root to the cursor, m; may be negative
    float fraction;        // of the segment, clamped to [0, 1]
    coif_kit_vec position; // m
    coif_kit_vec tangent;  // unit, of the segment
} coif_kit_strand_cursor;

// Cursor at the root; `tangent` is kept while segments have no length.
static inline coif_kit_strand_cursor coif_kit_strand_cursor_at_root(const coif_strand_view *strands,
                                                                    int32_t strand,
                                                                    coif_kit_vec tangent)
{
    coif_kit_strand_cursor cursor;
    memset(&cursor, 0, sizeof cursor);
    cursor.strands = strands;
    cursor.root = cursor.point = strands->first[strand];
    cursor.end = strands->first[strand + 1];
    cursor.position = coif_kit_view_point(strands, cursor.root);
    cursor.tangent = tangent;
    return cursor;
}

// Vector from a point of the cursor's strand to the next.
static inline coif_kit_vec coif_kit_strand_cursor_step(const coif_kit_strand_cursor *cursor,
                                                       int32_t point)
{
    return coif_kit_sub(coif_kit_view_point(cursor->strands, point + 1),
                        coif_kit_view_point(cursor->strands, point));
}

// Moves to an arc length from the root, in either direction.
static inline void coif_kit_strand_cursor_move(coif_kit_strand_cursor *cursor, float distance)
{
    while (cursor->point > cursor->root && distance < cursor->begin) {
        --cursor->point;
        cursor->begin -= coif_kit_length(coif_kit_strand_cursor_step(cursor, cursor->point));
    }
    coif_kit_vec step = coif_kit_strand_cursor_step(cursor, cursor->point);
    float length = coif_kit_length(step);
    while (cursor->point + 2 < cursor->end && distance > cursor->begin + length) {
        cursor->begin += length;
        ++cursor->point;
        step = coif_kit_strand_cursor_step(cursor, cursor->point);
        length = coif_kit_length(step);
    }
    cursor->tangent = coif_kit_normalize(step, cursor->tangent);
    cursor->distance = distance;
    const float offset = distance - cursor->begin;
    cursor->fraction = length > 0.0f ? coif_kit_clamp(offset / length, 0.0f, 1.0f) : 0.0f;
    cursor->position =
        coif_kit_mad(coif_kit_view_point(cursor->strands, cursor->point), offset, cursor->tangent);
}

// Moves to the projection of a point that is at about arc length `distance` of its own strand (one
// Newton step). Returns the offset of the point from the cursor, perpendicular to the tangent.
static inline coif_kit_vec coif_kit_strand_cursor_project(coif_kit_strand_cursor *cursor,
                                                          coif_kit_vec point, float distance)
{
    coif_kit_strand_cursor_move(cursor, distance);
    const float ahead = coif_kit_dot(coif_kit_sub(point, cursor->position), cursor->tangent);
    coif_kit_strand_cursor_move(cursor, distance + ahead);
    return coif_kit_perpendicular(coif_kit_sub(point, cursor->position), cursor->tangent);
}

#endif
