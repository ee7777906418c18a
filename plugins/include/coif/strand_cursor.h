// coif/strand_cursor.h: walking beside another strand, for groom modifiers that move locks.
//
// The strand in the middle of a lock is taken from coif_groom_batch.all, as it was before the
// modifier, so that every strand of the lock sees the same. Static, like coif/strand.h.
#ifndef COIF_PLUGIN_STRAND_CURSOR_H
#define COIF_PLUGIN_STRAND_CURSOR_H

#include <coif/strand.h>

// The lock of a strand of the batch: the strand of `all` in its middle, -1 for none.
static inline int32_t coif_kit_strand_clump(const coif_groom_batch *batch, int32_t strand)
{
    const int known = batch->struct_size > offsetof(coif_groom_batch, clump);
    return known && batch->clump != NULL ? batch->clump[strand] : -1;
}

static inline coif_kit_vec coif_kit_view_point(const coif_strand_view *all, int32_t point)
{
    return coif_kit_vec_make(all->x[point], all->y[point], all->z[point]);
}

// A parameter of any strand of `all`.
static inline float coif_kit_input_param(const coif_groom_batch *batch, int32_t row, int32_t strand,
                                         float value)
{
    return batch->input_per_strand != NULL && batch->input_per_strand[row] != NULL
               ? batch->input_per_strand[row][strand]
               : value;
}

// A place that moves along a strand of `all`.
typedef struct coif_kit_strand_cursor {
    const coif_strand_view *all;
    int32_t root, point, end;
    float begin;    // distance of point from the root
    float distance; // of the place from the root; below 0 before it, and past the tip further on
    float share;    // how far the place is from point to the next
    coif_kit_vec at, tangent;
} coif_kit_strand_cursor;

static inline coif_kit_strand_cursor coif_kit_strand_cursor_at_root(const coif_strand_view *all,
                                                                    int32_t strand,
                                                                    coif_kit_vec tangent)
{
    coif_kit_strand_cursor cursor;
    memset(&cursor, 0, sizeof cursor);
    cursor.all = all;
    cursor.root = cursor.point = all->first[strand];
    cursor.end = all->first[strand + 1];
    cursor.at = coif_kit_view_point(all, cursor.root);
    cursor.tangent = tangent;
    return cursor;
}

static inline coif_kit_vec coif_kit_strand_cursor_step(const coif_kit_strand_cursor *cursor,
                                                       int32_t point)
{
    return coif_kit_sub(coif_kit_view_point(cursor->all, point + 1),
                        coif_kit_view_point(cursor->all, point));
}

// To a distance from the root; beyond its ends the strand goes on straight.
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
    const float inside = distance - cursor->begin;
    cursor->share = length > 0.0f ? coif_kit_clamp(inside / length, 0.0f, 1.0f) : 0.0f;
    cursor->at =
        coif_kit_mad(coif_kit_view_point(cursor->all, cursor->point), inside, cursor->tangent);
}

// To the place beside a point that is at about that distance from its own root. Returns the way
// from the strand to the point, straight across the strand.
static inline coif_kit_vec coif_kit_strand_cursor_project(coif_kit_strand_cursor *cursor,
                                                          coif_kit_vec point, float distance)
{
    coif_kit_strand_cursor_move(cursor, distance);
    const float ahead = coif_kit_dot(coif_kit_sub(point, cursor->at), cursor->tangent);
    coif_kit_strand_cursor_move(cursor, distance + ahead);
    return coif_kit_perpendicular(coif_kit_sub(point, cursor->at), cursor->tangent);
}

#endif
