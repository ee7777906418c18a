// Triangulation of polygons in space: ear clipping (Meisters 1975) with a list of reflex corners.
//
// An ear is a convex corner whose triangle contains no other corner; every simple polygon has two.
// Only a reflex corner can lie in an ear, so a test visits the reflex corners alone: O(n r) for n
// corners of which r are reflex. A budget of tests bounds the time of self-intersecting and of
// huge, strongly concave polygons; when it is used up, the rest is clipped without tests.
#include "core/mesh/triangulate.h"

#include "core/base/arena.h"

#include <math.h>

typedef struct point {
    double x, y;
} point;

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

// The polygon is counter-clockwise.
static int32_t clip_polygon(int32_t *triangles, const point *points, int32_t count,
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

static coif_vec3 corner(const coif_vec3 *points, int32_t i, int32_t count)
{
    return points[i < count ? i : 0];
}

// Newell's normal: projected areas along the axes.
static void polygon_normal(double normal[3], const coif_vec3 *points, int32_t count)
{
    const coif_vec3 o = points[0];
    normal[0] = normal[1] = normal[2] = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        const coif_vec3 p = points[i];
        const coif_vec3 q = corner(points, i + 1, count);
        const double px = (double)p.x - o.x, py = (double)p.y - o.y, pz = (double)p.z - o.z;
        const double qx = (double)q.x - o.x, qy = (double)q.y - o.y, qz = (double)q.z - o.z;
        normal[0] += py * qz - pz * qy;
        normal[1] += pz * qx - px * qz;
        normal[2] += px * qy - py * qx;
    }
}

// Projects along the dominant axis of the normal, which is exact, to a counter-clockwise polygon.
static point project(coif_vec3 p, const double normal[3])
{
    const double x = fabs(normal[0]), y = fabs(normal[1]), z = fabs(normal[2]);
    if (x > y && x > z) {
        return normal[0] > 0.0 ? (point){p.y, p.z} : (point){p.z, p.y};
    }
    if (y > z) {
        return normal[1] > 0.0 ? (point){p.z, p.x} : (point){p.x, p.z};
    }
    return normal[2] >= 0.0 ? (point){p.x, p.y} : (point){p.y, p.x};
}

// Area of the triangle projected on the polygon normal; not positive when inverted.
static double projected_area(coif_vec3 a, coif_vec3 b, coif_vec3 c, const double normal[3])
{
    const double ux = (double)b.x - a.x, uy = (double)b.y - a.y, uz = (double)b.z - a.z;
    const double vx = (double)c.x - a.x, vy = (double)c.y - a.y, vz = (double)c.z - a.z;
    return (uy * vz - uz * vy) * normal[0] + (uz * vx - ux * vz) * normal[1] +
           (ux * vy - uy * vx) * normal[2];
}

static double distance2(coif_vec3 a, coif_vec3 b)
{
    const double x = (double)b.x - a.x, y = (double)b.y - a.y, z = (double)b.z - a.z;
    return x * x + y * y + z * z;
}

// Splits a quad along the shorter interior diagonal; 0 when it has none.
static int32_t split_quad(int32_t *triangles, const coif_vec3 *p)
{
    static const int32_t ALONG_02[6] = {0, 1, 2, 0, 2, 3};
    static const int32_t ALONG_13[6] = {1, 2, 3, 1, 3, 0};
    double normal[3];
    polygon_normal(normal, p, 4);
    const bool inside_02 = projected_area(p[0], p[1], p[2], normal) > 0.0 &&
                           projected_area(p[0], p[2], p[3], normal) > 0.0;
    const bool inside_13 = projected_area(p[1], p[2], p[3], normal) > 0.0 &&
                           projected_area(p[1], p[3], p[0], normal) > 0.0;
    if (!inside_02 && !inside_13) {
        return 0;
    }
    const bool along_13 =
        inside_13 && (!inside_02 || distance2(p[1], p[3]) < distance2(p[0], p[2]));
    for (int i = 0; i < 6; ++i) {
        triangles[i] = along_13 ? ALONG_13[i] : ALONG_02[i];
    }
    return 2;
}

int32_t coif_triangulate(int32_t *triangles, const coif_vec3 *points, int32_t count,
                         coif_arena *scratch)
{
    if (count == 4 && split_quad(triangles, points) == 2) {
        return 2;
    }
    double normal[3];
    polygon_normal(normal, points, count);
    const coif_arena_mark mark = coif_arena_mark_here(scratch);
    point *projected = coif_arena_new(scratch, count, point);
    for (int32_t i = 0; i < count; ++i) {
        projected[i] = project(points[i], normal);
    }
    const int32_t found = clip_polygon(triangles, projected, count, scratch);
    coif_arena_rewind(scratch, mark);
    return found;
}
