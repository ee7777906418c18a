// Ear clipping (Meisters 1975) with a list of reflex corners.
//
// Only a reflex corner can lie in an ear, so a test visits the reflex corners alone: O(n r) for n
// corners of which r are reflex. A budget of tests bounds the time of self-intersecting and of
// huge, strongly concave polygons; when it is used up, the rest is clipped without tests.
#include "core/mesh/ear_clip.h"

#include "core/base/arena.h"

#include <math.h>

typedef coif_point2d point;

typedef struct corner_ring {
    const point *points;
    int32_t *previous, *next; // next is -1 for clipped corners
    bool *reflex;             // does not turn left
    bool *listed;             // is in reflex_list
    int32_t *reflex_list; // with corners that are clipped or no longer reflex, removed when visited
    int32_t reflex_count;
    int32_t left;   // corners in the ring
    int64_t budget; // remaining tests

    int32_t *triangles;
    int32_t triangle_count;
} corner_ring;

// Twice the signed area; nearly exact in double for float coordinates.
static double area2(point a, point b, point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool same(point a, point b)
{
    return a.x == b.x && a.y == b.y;
}

static void update_reflex(corner_ring *ring, int32_t i)
{
    const point *p = ring->points;
    ring->reflex[i] = !(area2(p[ring->previous[i]], p[i], p[ring->next[i]]) > 0.0);
    if (ring->reflex[i] && !ring->listed[i]) {
        ring->listed[i] = true;
        ring->reflex_list[ring->reflex_count++] = i;
    }
}

// Whether an edge from x to a neighbour of corner i enters the triangle (x, y, z).
static bool enters(const corner_ring *ring, int32_t i, point x, point y, point z)
{
    const point p = ring->points[ring->previous[i]];
    const point n = ring->points[ring->next[i]];
    return (area2(x, y, p) > 0.0 && area2(z, x, p) > 0.0) ||
           (area2(x, y, n) > 0.0 && area2(z, x, n) > 0.0);
}

// Whether reflex corner i blocks the ear (a, b, c). A corner at the position of a corner of the ear
// (a bridge to a hole visits each of its corners twice) blocks only if its edges enter the ear.
static bool blocks(const corner_ring *ring, int32_t i, point a, point b, point c)
{
    const point p = ring->points[i];
    if (area2(a, b, p) < 0.0 || area2(b, c, p) < 0.0 || area2(c, a, p) < 0.0) {
        return false;
    }
    if (same(p, a)) {
        return enters(ring, i, a, b, c);
    }
    if (same(p, b)) {
        return enters(ring, i, b, c, a);
    }
    return !same(p, c) || enters(ring, i, c, a, b);
}

static bool is_ear(corner_ring *ring, int32_t i)
{
    const int32_t before = ring->previous[i], after = ring->next[i];
    --ring->budget;
    if (ring->reflex[i]) {
        return false;
    }
    for (int32_t k = 0; k < ring->reflex_count;) {
        const int32_t j = ring->reflex_list[k];
        --ring->budget;
        if (ring->next[j] < 0 || !ring->reflex[j]) {
            ring->listed[j] = false;
            ring->reflex_list[k] = ring->reflex_list[--ring->reflex_count];
            continue;
        }
        if (j != before && j != after &&
            blocks(ring, j, ring->points[before], ring->points[i], ring->points[after])) {
            return false;
        }
        ++k;
    }
    return true;
}

// Removes corner i from the ring; its triangle is kept if it has area.
static void clip(corner_ring *ring, int32_t i)
{
    const int32_t before = ring->previous[i], after = ring->next[i];
    if (area2(ring->points[before], ring->points[i], ring->points[after]) != 0.0) {
        int32_t *triangle = ring->triangles + 3 * (size_t)ring->triangle_count++;
        triangle[0] = before;
        triangle[1] = i;
        triangle[2] = after;
    }
    ring->next[before] = after;
    ring->previous[after] = before;
    ring->next[i] = -1;
    --ring->left;
    update_reflex(ring, before);
    update_reflex(ring, after);
}

// Without any ear (rounding, a spike, self-intersection): a corner without area, else a convex one.
static int32_t choose_fallback(const corner_ring *ring, int32_t start)
{
    const point *p = ring->points;
    int32_t choice = start;
    int32_t i = start;
    do {
        if (area2(p[ring->previous[i]], p[i], p[ring->next[i]]) == 0.0) {
            return i;
        }
        choice = ring->reflex[choice] ? i : choice;
        i = ring->next[i];
    } while (i != start);
    return choice;
}

// A corner where the outline reverses, or a duplicate of its neighbour.
static bool is_spike(const corner_ring *ring, int32_t i)
{
    const point a = ring->points[ring->previous[i]];
    const point b = ring->points[i];
    const point c = ring->points[ring->next[i]];
    return area2(a, b, c) == 0.0 && (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) <= 0.0;
}

// Removes spikes at corner i and those that this exposes; returns a remaining corner.
static int32_t clip_spikes(corner_ring *ring, int32_t i)
{
    while (ring->left > 3 && is_spike(ring, i)) {
        const int32_t before = ring->previous[i];
        const int32_t after = ring->next[i];
        clip(ring, i);
        i = is_spike(ring, before) ? before : after;
    }
    return i;
}

// Passes around the ring. At first every other ear is clipped, which gives well-shaped triangles;
// when a pass finds few ears, it continues next to the last one.
static void clip_ears(corner_ring *ring)
{
    int32_t i = 0, misses = 0, steps = 0, clipped = 0;
    bool alternate = true;
    for (int32_t k = ring->left; k > 0; --k) {
        i = ring->next[clip_spikes(ring, i)];
    }
    while (ring->left > 3) {
        if (++steps > ring->left) {
            alternate = alternate && clipped > ring->left / 8;
            steps = clipped = 0;
        }
        const bool stuck = misses >= ring->left || ring->budget < 0;
        if (!stuck && !is_ear(ring, i)) {
            ++misses;
            i = ring->next[i];
            continue;
        }
        if (stuck && ring->budget >= 0) {
            i = choose_fallback(ring, i);
            ring->budget /= 2; // rare for simple polygons
        }
        const int32_t before = ring->previous[i];
        clip(ring, i);
        ++clipped;
        misses = 0;
        i = clip_spikes(ring, ring->next[clip_spikes(ring, before)]);
        i = alternate ? ring->next[i] : ring->previous[i];
    }
    clip(ring, i);
}

int32_t coif_ear_clip(int32_t *triangles, const coif_point2d *points, int32_t count,
                      coif_arena *scratch)
{
    const coif_arena_mark mark = coif_arena_mark_here(scratch);
    corner_ring ring = {
        .points = points,
        .triangles = triangles,
        .previous = coif_arena_new(scratch, count, int32_t),
        .next = coif_arena_new(scratch, count, int32_t),
        .reflex = coif_arena_new(scratch, count, bool),
        .listed = coif_arena_new(scratch, count, bool),
        .reflex_list = coif_arena_new(scratch, count, int32_t),
        .left = count,
        .budget = (int64_t)count * (int64_t)fmin(512.0 + 32.0 * sqrt((double)count), 8192.0),
    };
    for (int32_t i = 0; i < count; ++i) {
        ring.previous[i] = i > 0 ? i - 1 : count - 1;
        ring.next[i] = i + 1 < count ? i + 1 : 0;
    }
    for (int32_t i = 0; i < count; ++i) {
        update_reflex(&ring, i);
    }
    clip_ears(&ring);
    coif_arena_rewind(scratch, mark);
    return ring.triangle_count;
}
