#include "sim/stance.h"

// Pairs of levels that a height at rest is looked for between, and by what share of their distance
// it may be off.
enum { TRIES = 12 };
static const float SLACK = 1e-3f;

// Bounds are of levels; between them and between moments things are a little larger.
static const float MARGIN = 1.1f;

static const float PRESSED = COIF_PASSAGE_PRESSED;

// What this far beyond all levels meets, it meets in the piece there, metres.
static const float NEAR = 0.04f;

static float larger(float a, float b)
{
    return a > b ? a : b;
}

void coif_passage_rigid(coif_passage *passage, const coif_rigid *begin, const coif_rigid *end)
{
    passage->flexes = false;
    passage->low = passage->high = -INFINITY;
    passage->ends[0] = passage->feet[0] = *begin;
    passage->ends[1] = passage->feet[1] = *end;
}

static void fill_back(coif_passage *passage, int end)
{
    for (int32_t i = 0; i <= COIF_FLEX_LEVELS; ++i) {
        const coif_rigid back = coif_rigid_inverse(&passage->flexed[end].level[i]);
        const float shift[3] = {back.shift.x, back.shift.y, back.shift.z};
        for (int r = 0; r < 3; ++r) {
            const coif_vec3 row = back.turn.row[r];
            passage->back[end][i][r] = (float4){row.x, row.y, row.z, shift[r]};
        }
    }
}

// |a - b|, of matrices: the root of the sum of squares.
static float difference(const coif_mat3 *a, const coif_mat3 *b)
{
    float sum = 0.0f;
    for (int r = 0; r < 3; ++r) {
        const coif_vec3 d = coif_sub(a->row[r], b->row[r]);
        sum += coif_dot(d, d);
    }
    return sqrtf(sum);
}

// What lies between two levels: u = F^-1 dF/dy p = F^-1 dA (p - centre) + F^-1 d(F centre).
static void bound_levels(coif_passage *passage, const coif_rigid *a, const coif_rigid *b,
                         float step)
{
    const coif_rigid back = coif_rigid_inverse(a);
    const coif_vec3 shift = coif_scale(
        coif_sub(coif_rigid_apply(b, passage->centre), coif_rigid_apply(a, passage->centre)),
        1.0f / step);
    coif_vec3 up = {0, 0, 0}; // the upward row of F^-1 dA
    for (int r = 0; r < 3; ++r) {
        const float *row = &back.turn.row[1].x;
        up = coif_mad(up, row[r] / step, coif_sub(b->turn.row[r], a->turn.row[r]));
    }
    passage->turns = larger(passage->turns, difference(&a->turn, &b->turn) / step);
    passage->shifts = larger(passage->shifts, coif_length(shift));
    passage->turns_up = larger(passage->turns_up, coif_length(up));
    passage->shifts_up = larger(passage->shifts_up, fabsf(coif_dot(back.turn.row[1], shift)));
}

static void bound_flex(coif_passage *passage)
{
    const float step = (passage->high - passage->low) / COIF_FLEX_LEVELS;
    passage->turns = passage->shifts = passage->turns_up = passage->shifts_up = 0.0f;
    passage->strays = passage->turning = passage->moving = 0.0f;
    for (int32_t i = 0; i <= COIF_FLEX_LEVELS; ++i) {
        const coif_rigid *level[2] = {&passage->flexed[0].level[i], &passage->flexed[1].level[i]};
        coif_vec3 centre[2];
        for (int e = 0; e < 2; ++e) {
            centre[e] = coif_rigid_apply(level[e], passage->centre);
            passage->strays =
                larger(passage->strays, coif_length(coif_sub(centre[e], passage->centre)));
            if (i < COIF_FLEX_LEVELS) {
                bound_levels(passage, level[e], &passage->flexed[e].level[i + 1], step);
            }
        }
        passage->turning = larger(passage->turning, difference(&level[0]->turn, &level[1]->turn));
        passage->moving = larger(passage->moving, coif_length(coif_sub(centre[1], centre[0])));
    }
}

bool coif_passage_flex(coif_passage *passage, const coif_flex *begin, const coif_flex *end,
                       coif_vec3 centre)
{
    passage->flexes = true;
    passage->low = begin->low;
    passage->high = begin->high;
    passage->flexed[0] = *begin;
    passage->flexed[1] = *end;
    passage->centre = centre;
    for (int e = 0; e < 2; ++e) {
        passage->feet[e] = passage->flexed[e].level[0];
        passage->ends[e] = passage->flexed[e].level[COIF_FLEX_LEVELS];
        fill_back(passage, e);
    }
    bound_flex(passage);
    return begin->low == end->low && begin->high == end->high && isfinite(passage->turns) &&
           isfinite(passage->moving);
}

coif_stance coif_stance_at(const coif_passage *passage, float moment)
{
    const coif_rigid above = coif_rigid_between(&passage->ends[0], &passage->ends[1], moment);
    const coif_rigid below = coif_rigid_between(&passage->feet[0], &passage->feet[1], moment);
    return (coif_stance){.passage = passage,
                         .moment = moment,
                         .above = above,
                         .below = below,
                         .above_back = coif_rigid_inverse(&above),
                         .below_back = coif_rigid_inverse(&below)};
}

// A row of the ways back of a level at this moment.
static inline float4 row_of(const coif_stance *stance, int32_t level, int row)
{
    const float4 from = stance->passage->back[0][level][row];
    const float4 to = stance->passage->back[1][level][row];
    return from + stance->moment * (to - from);
}

static inline float4 mix_row(const coif_stance *stance, int32_t level, float share, int row)
{
    return (1.0f - share) * row_of(stance, level, row) + share * row_of(stance, level + 1, row);
}

static inline float sum_of(float4 a)
{
    const float4 halves = a + (float4){a[2], a[3], a[0], a[1]};
    return halves[0] + halves[1];
}

// Between two levels the height that the way back leads to goes straight, from a to b, so it is
// known where it is the height itself. If that is not between them, other two are tried.
static bool find_height(const coif_stance *stance, float4 x, int32_t *level, float *share)
{
    const coif_passage *passage = stance->passage;
    const float step = (passage->high - passage->low) / COIF_FLEX_LEVELS;
    for (int n = 0; n < TRIES; ++n) {
        const float a = sum_of(row_of(stance, *level, 1) * x);
        const float b = sum_of(row_of(stance, *level + 1, 1) * x);
        const float at = (a - (passage->low + (float)*level * step)) / (step - (b - a));
        // Beyond the ends nothing differs any more.
        const bool ends =
            (*level == 0 && at < 0.0f) || (*level == COIF_FLEX_LEVELS - 1 && at > 1.0f);
        if ((at >= -SLACK && at <= 1.0f + SLACK) || ends) {
            *share = coif_clamp(at, 0.0f, 1.0f);
            return true;
        }
        const float next = (float)*level + floorf(at);
        *level = next < 0.0f                      ? 0
                 : next < COIF_FLEX_LEVELS - 1.0f ? (int32_t)next
                                                  : COIF_FLEX_LEVELS - 1;
    }
    return false;
}

static coif_vec3 rest_between(const coif_stance *stance, coif_vec3 place)
{
    const float4 x = {place.x, place.y, place.z, 1.0f};
    float share;
    int32_t level = coif_flex_find(&stance->passage->flexed[0], place.y, &share);
    if (!find_height(stance, x, &level, &share)) {
        return coif_vec3_of(NAN, NAN, NAN);
    }
    return coif_vec3_of(sum_of(mix_row(stance, level, share, 0) * x),
                        sum_of(mix_row(stance, level, share, 1) * x),
                        sum_of(mix_row(stance, level, share, 2) * x));
}

coif_vec3 coif_stance_rest(const coif_stance *stance, coif_vec3 place)
{
    const coif_passage *passage = stance->passage;
    const coif_vec3 above = coif_rigid_apply(&stance->above_back, place);
    if (!passage->flexes || (place.y >= passage->high && above.y >= passage->high)) {
        return above;
    }
    const coif_vec3 below = coif_rigid_apply(&stance->below_back, place);
    if (place.y <= passage->low && below.y <= passage->low) {
        return below;
    }
    return rest_between(stance, place);
}

// coif_rigid_apply of four places, to the bit.
static inline four3 apply4(const coif_rigid *rigid, four3 p)
{
    const coif_vec3 *m = rigid->turn.row;
    return (four3){(m[0].x * p.x + m[0].y * p.y + m[0].z * p.z) + rigid->shift.x,
                   (m[1].x * p.x + m[1].y * p.y + m[1].z * p.z) + rigid->shift.y,
                   (m[2].x * p.x + m[2].y * p.y + m[2].z * p.z) + rigid->shift.z};
}

four3 coif_stance_rest4(const coif_stance *stance, four3 places, mask4 wanted)
{
    const coif_passage *passage = stance->passage;
    const four3 above = apply4(&stance->above_back, places);
    const mask4 is_above = (places.y >= passage->high) & (above.y >= passage->high);
    if (!passage->flexes || !any4(~is_above)) {
        return above;
    }
    const four3 below = apply4(&stance->below_back, places);
    const mask4 is_below = (places.y <= passage->low) & (below.y <= passage->low);
    four3 rest = {select4(is_above, above.x, below.x), select4(is_above, above.y, below.y),
                  select4(is_above, above.z, below.z)};
    const mask4 known = is_above | is_below | ~wanted;
    for (int k = 0; any4(~known) && k < 4; ++k) {
        if (known[k] == 0) {
            const coif_vec3 p =
                rest_between(stance, coif_vec3_of(places.x[k], places.y[k], places.z[k]));
            rest.x[k] = p.x;
            rest.y[k] = p.y;
            rest.z[k] = p.z;
        }
    }
    return rest;
}

coif_vec3 coif_stance_slope(const coif_stance *stance, coif_vec3 place, coif_vec3 p,
                            coif_vec3 normal)
{
    const coif_passage *passage = stance->passage;
    if (!passage->flexes || p.y >= passage->high) {
        return coif_mat3_apply_transposed(&stance->above_back.turn, normal);
    }
    if (p.y <= passage->low) {
        return coif_mat3_apply_transposed(&stance->below_back.turn, normal);
    }
    const float4 x = {place.x, place.y, place.z, 1.0f};
    const float step = (passage->high - passage->low) / COIF_FLEX_LEVELS;
    float share;
    const int32_t level = coif_flex_find(&passage->flexed[0], p.y, &share);
    float4 rows[3];
    float v[3];
    for (int r = 0; r < 3; ++r) {
        rows[r] = mix_row(stance, level, share, r);
        v[r] = sum_of((row_of(stance, level + 1, r) - row_of(stance, level, r)) * x) / step;
    }
    // G^T n = B^T (n + e_y (v . n) / (1 - v.y))
    const float pressed = 1.0f - v[1] > PRESSED ? 1.0f - v[1] : PRESSED;
    const float up = coif_dot(coif_vec3_of(v[0], v[1], v[2]), normal) / pressed;
    const float4 g = normal.x * rows[0] + (normal.y + up) * rows[1] + normal.z * rows[2];
    return coif_vec3_of(g[0], g[1], g[2]);
}

float coif_passage_pressed(const coif_passage *passage, int end, coif_vec3 p)
{
    const coif_flex *flex = &passage->flexed[end];
    float share;
    const int32_t level = coif_flex_find(flex, p.y, &share);
    const coif_vec3 way = coif_sub(coif_rigid_apply(&flex->level[level + 1], p),
                                   coif_rigid_apply(&flex->level[level], p));
    const float4 up = passage->back[end][level][1];
    const float step = (flex->high - flex->low) / COIF_FLEX_LEVELS;
    return 1.0f + (up[0] * way.x + up[1] * way.y + up[2] * way.z) / step;
}

coif_vec3 coif_stance_world(const coif_stance *stance, coif_vec3 p)
{
    const coif_passage *passage = stance->passage;
    if (!passage->flexes || p.y >= passage->high) {
        return coif_rigid_apply(&stance->above, p);
    }
    if (p.y <= passage->low) {
        return coif_rigid_apply(&stance->below, p);
    }
    const coif_rigid begin = coif_flex_at(&passage->flexed[0], p.y);
    const coif_rigid end = coif_flex_at(&passage->flexed[1], p.y);
    const coif_rigid now = coif_rigid_between(&begin, &end, stance->moment);
    return coif_rigid_apply(&now, p);
}

// To which share things are pressed upwards so far from the centre, at the least.
static float4 least_pressed(const coif_passage *passage, float4 radius)
{
    return 1.0f - MARGIN * (passage->turns_up * radius + passage->shifts_up);
}

// |G| and |G^-1| are at most 1 + |u| / (1 + u.y).
static float4 widest4(const coif_passage *passage, float4 radius)
{
    const float4 pressed = max4(least_pressed(passage, radius), (float4){0} + PRESSED);
    return 1.0f + MARGIN * (passage->turns * radius + passage->shifts) / pressed;
}

static float4 longest4(const coif_passage *passage, float4 radius, float4 way, float part)
{
    const float4 carried = part * (passage->turning * radius + passage->moving);
    const float4 longest = MARGIN * widest4(passage, radius) * (way + carried) + 1e-5f;
    return select4(least_pressed(passage, radius) > PRESSED, longest, (float4){0} + INFINITY);
}

static float4 radius4(const coif_passage *passage, four3 p)
{
    const coif_vec3 c = passage->centre;
    const four3 off = {p.x - c.x, p.y - c.y, p.z - c.z};
    return root4(dot4(off, off));
}

static four3 four_of(coif_vec3 p)
{
    const float4 none = {0};
    return (four3){none + p.x, none + p.y, none + p.z};
}

float coif_passage_widest(const coif_passage *passage, coif_vec3 p)
{
    if (!passage->flexes || p.y > passage->high + NEAR || p.y < passage->low - NEAR) {
        return 1.0f;
    }
    return widest4(passage, radius4(passage, four_of(p)))[0];
}

float4 coif_passage_least4(const coif_passage *passage, four3 p, float4 least)
{
    // What is within the piece above or below is as far away as at rest.
    const float4 beyond = max4(p.y - passage->high, passage->low - p.y);
    const mask4 differ = (least > 0.0f) & ~(beyond >= least);
    if (!passage->flexes || !any4(differ)) {
        return least;
    }
    const float4 shared = least / widest4(passage, radius4(passage, p));
    return select4(differ, max4(shared, beyond), least);
}

float coif_passage_least(const coif_passage *passage, coif_vec3 p, float least)
{
    return coif_passage_least4(passage, four_of(p), (float4){0} + least)[0];
}

float coif_passage_longest(const coif_passage *passage, coif_vec3 low, coif_vec3 high, float way,
                           float part)
{
    const coif_vec3 middle = coif_scale(coif_add(low, high), 0.5f);
    const float radius = coif_length(coif_sub(middle, passage->centre)) +
                         coif_length(coif_sub(high, middle)) + passage->strays;
    const float4 none = {0};
    return longest4(passage, none + radius, none + way, part)[0];
}

float4 coif_passage_longest4(const coif_passage *passage, four3 p, float4 way, float part)
{
    return longest4(passage, radius4(passage, p) + way, way, part);
}
