// stance, wide: as many places at once as a kernel has lanes; see stance.h.
#ifndef COIF_SIM_COLLISION_BODY_TRANSFORM_SIMD_H
#define COIF_SIM_COLLISION_BODY_TRANSFORM_SIMD_H

#include "sim/collision/body_transform.h"
#include "sim/solver/simd/simd_vec3.h"

// Pairs of levels that a height at rest is looked for between, and by what share of their distance
// it may be off.
#define STANCE_TRIES 12
#define STANCE_SLACK 1e-3f

// Bounds are of levels; between them and between moments things are a little larger.
#define PASSAGE_MARGIN 1.1f

// What this far beyond all levels meets, it meets in the piece there, metres.
#define PASSAGE_NEAR 0.04f

static inline coif_simd mix_wide(coif_simd a, coif_simd b, coif_simd share)
{
    return a + share * (b - a);
}

// coif_affine_apply of each place, to the bit.
static inline wide3 apply_rigid(const coif_affine *rigid, wide3 p)
{
    const coif_vec3 *m = rigid->turn.row;
    return (wide3){(m[0].x * p.x + m[0].y * p.y + m[0].z * p.z) + rigid->shift.x,
                   (m[1].x * p.x + m[1].y * p.y + m[1].z * p.z) + rigid->shift.y,
                   (m[2].x * p.x + m[2].y * p.y + m[2].z * p.z) + rigid->shift.z};
}

// The way back of a level for each lane, and after it that of the next.
typedef struct stance_levels {
    const float4 *back[COIF_LANES];
} stance_levels;

static inline stance_levels levels_at(const coif_body_transform *stance, coif_simd_mask level)
{
    stance_levels levels;
    for (int lane = 0; lane < COIF_LANES; ++lane) {
        levels.back[lane] = stance->back[level[lane]];
    }
    return levels;
}

// Rows of lanes 0 to 3 become columns, and so do those of lanes 4 to 7 beside them.
#if COIF_LANES == 8
#define ROWS_OF(levels, lane, axis)                                                                \
    __builtin_shufflevector((levels)->back[lane][axis], (levels)->back[(lane) + 4][axis], 0, 1, 2, \
                            3, 4, 5, 6, 7)
#define ZIP_NEAR(a, b)   __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define ZIP_FAR(a, b)    __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define FIRST_TWO(a, b)  __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define SECOND_TWO(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#else
#define ROWS_OF(levels, lane, axis) (levels)->back[lane][axis]
#define ZIP_NEAR(a, b)              __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define ZIP_FAR(a, b)               __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define FIRST_TWO(a, b)             __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define SECOND_TWO(a, b)            __builtin_shufflevector(a, b, 2, 3, 6, 7)
#endif

// Where levels lead places, one axis of that; 3 axes more are those of the next levels.
static inline coif_simd lead_back(const stance_levels *levels, int axis, wide3 x)
{
    const coif_simd a = ROWS_OF(levels, 0, axis), b = ROWS_OF(levels, 1, axis);
    const coif_simd c = ROWS_OF(levels, 2, axis), d = ROWS_OF(levels, 3, axis);
    const coif_simd ab = ZIP_NEAR(a, b), ab_far = ZIP_FAR(a, b);
    const coif_simd cd = ZIP_NEAR(c, d), cd_far = ZIP_FAR(c, d);
    return (FIRST_TWO(ab, cd) * x.x + SECOND_TWO(ab, cd) * x.y) +
           (FIRST_TWO(ab_far, cd_far) * x.z + SECOND_TWO(ab_far, cd_far));
}

// Of heights, counted in levels: those that they lie above.
static inline coif_simd_mask levels_of(coif_simd at)
{
    const coif_simd last = coif_simd_all(COIF_HEIGHT_DEFORM_LEVELS - 1);
    const coif_simd within = coif_simd_min(coif_simd_max(at, coif_simd_all(0.0f)), last);
    return __builtin_convertvector(within, coif_simd_mask);
}

// Between two levels the height that the way back leads to goes straight, from a to b, so it is
// known where it is the height itself. If that is not between them, other two are tried.
static inline wide3 rest_between(const coif_body_transform *stance, wide3 x, coif_simd_mask wanted,
                                 coif_simd guess)
{
    const coif_body_motion *passage = stance->passage;
    const float step = (passage->high - passage->low) / COIF_HEIGHT_DEFORM_LEVELS;
    const coif_simd none = coif_simd_all(0.0f);
    const coif_simd nowhere = coif_simd_all(NAN);
    coif_simd_mask level = levels_of((guess - passage->low) / step);
    coif_simd_mask lost = wanted;
    coif_simd share = none;
    coif_simd height = nowhere;
    for (int n = 0; n < STANCE_TRIES && any_of(lost); ++n) {
        const stance_levels levels = levels_at(stance, level);
        const coif_simd a = lead_back(&levels, 1, x);
        const coif_simd b = lead_back(&levels, 3 + 1, x);
        const coif_simd floor = __builtin_convertvector(level, coif_simd);
        const coif_simd at = (a - (passage->low + floor * step)) / (step - (b - a));
        // Beyond the ends nothing differs any more.
        const coif_simd_mask ends =
            ((level == 0) & (at < 0.0f)) | ((level == COIF_HEIGHT_DEFORM_LEVELS - 1) & (at > 1.0f));
        const coif_simd_mask found =
            lost & (((at >= -STANCE_SLACK) & (at <= 1.0f + STANCE_SLACK)) | ends);
        const coif_simd within = coif_simd_min(coif_simd_max(at, none), coif_simd_all(1.0f));
        share = coif_simd_select(found, within, share);
        height = coif_simd_select(found, mix_wide(a, b, within), height);
        lost &= ~found;
        level = (lost & levels_of(floor + at)) | (~lost & level);
    }
    const stance_levels levels = levels_at(stance, level);
    const coif_simd side = mix_wide(lead_back(&levels, 0, x), lead_back(&levels, 3 + 0, x), share);
    const coif_simd front = mix_wide(lead_back(&levels, 2, x), lead_back(&levels, 3 + 2, x), share);
    return select3(lost, (wide3){nowhere, nowhere, nowhere}, (wide3){side, height, front});
}

// Where places were at rest, not a number where that is not to be found; of those that are not
// wanted what comes out is any number.
static inline wide3 stance_rest(const coif_body_transform *stance, wide3 places,
                                coif_simd_mask wanted)
{
    const coif_body_motion *passage = stance->passage;
    const wide3 above = apply_rigid(&stance->above_back, places);
    const coif_simd_mask is_above = (places.y >= passage->high) & (above.y >= passage->high);
    if (!passage->flexes || !any_of(wanted & ~is_above)) {
        return above;
    }
    const wide3 below = apply_rigid(&stance->below_back, places);
    const coif_simd_mask is_below = (places.y <= passage->low) & (below.y <= passage->low);
    const wide3 rest = select3(is_above, above, below);
    const coif_simd_mask is_between = wanted & ~(is_above | is_below);
    if (!any_of(is_between)) {
        return rest;
    }
    // Heights are turned and shifted the more the higher they are.
    const coif_simd share = (places.y - passage->low) / (passage->high - passage->low);
    const coif_simd guess = mix_wide(below.y, above.y, share);
    return select3(is_between, rest_between(stance, places, is_between, guess), rest);
}

// To which share things are pressed upwards so far from the centre, at the least.
static inline coif_simd least_pressed(const coif_body_motion *passage, coif_simd radius)
{
    return 1.0f - PASSAGE_MARGIN * (passage->turns_up * radius + passage->shifts_up);
}

// |G| and |G^-1| are at most 1 + |u| / (1 + u.y).
static inline coif_simd widest_within(const coif_body_motion *passage, coif_simd radius)
{
    const coif_simd pressed =
        coif_simd_max(least_pressed(passage, radius), coif_simd_all(COIF_BODY_MOTION_COMPRESSED));
    return 1.0f + PASSAGE_MARGIN * (passage->turns * radius + passage->shifts) / pressed;
}

static inline coif_simd longest_within(const coif_body_motion *passage, coif_simd radius,
                                       coif_simd way, float part)
{
    const coif_simd carried = part * (passage->turning * radius + passage->moving);
    const coif_simd longest =
        PASSAGE_MARGIN * widest_within(passage, radius) * (way + carried) + 1e-5f;
    return coif_simd_select(least_pressed(passage, radius) > COIF_BODY_MOTION_COMPRESSED, longest,
                            coif_simd_all(INFINITY));
}

// What bounds of places at rest are made of, for what flexes.
typedef struct passage_place {
    coif_simd radius; // from the centre
    coif_simd widest; // within that
    coif_simd beyond; // how far above or below all levels
} passage_place;

static inline passage_place passage_place_of(const coif_body_motion *passage, wide3 p)
{
    if (!passage->flexes) {
        return (passage_place){.radius = coif_simd_all(0.0f)};
    }
    const coif_vec3 c = passage->centre;
    const wide3 off = {p.x - c.x, p.y - c.y, p.z - c.z};
    const coif_simd radius = coif_simd_sqrt(dot3(off, off));
    return (passage_place){radius, widest_within(passage, radius),
                           coif_simd_max(p.y - passage->high, passage->low - p.y)};
}

// Distances of some millimetres around places at rest may be so many times as large as in the
// world.
static inline coif_simd passage_widest(const coif_body_motion *passage, const passage_place *place)
{
    const coif_simd one = coif_simd_all(1.0f);
    return passage->flexes ? coif_simd_select(place->beyond > PASSAGE_NEAR, one, place->widest)
                           : one;
}

// If nothing is within this distance of a place at rest, then nothing is within so much in the
// world. What is within the piece above or below is as far away as at rest.
static inline coif_simd passage_least(const coif_body_motion *passage, const passage_place *place,
                                      coif_simd least)
{
    if (!passage->flexes) {
        return least;
    }
    const coif_simd_mask differ = (least > 0.0f) & ~(place->beyond >= least);
    return coif_simd_select(differ, coif_simd_max(least / place->widest, place->beyond), least);
}

// How long ways are at rest, at the most, that end at these places at rest, if they are so long in
// the world and take such a part of the frame.
static inline coif_simd passage_longest(const coif_body_motion *passage, const passage_place *place,
                                        coif_simd way, float part)
{
    return longest_within(passage, place->radius + way, way, part);
}

#endif
