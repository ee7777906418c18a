#include "core/mesh/ear_clip.h"

#include "core/base/arena.h"

#include <math.h>

typedef coif_point2d point;

// The polygon as a ring; corners leave it one by one. When any corner lies in an ear, one that
// does not turn left does: those are kept in a grid of cells, so that a test looks at few.
typedef struct corner_ring {
    const point *points;
    int32_t *previous, *next;
    bool *bent; // does not turn left
    int32_t left;
    int64_t patience; // tests until a hopeless polygon is simply finished off

    int32_t *cells; // first corner of each cell, -1 when empty; NULL: search the whole ring
    int32_t *below; // the next corner in the same cell
    int32_t side;   // cells along x and along y
    int32_t bent_count, bent_when_built;
    point low, scale;

    int32_t *triangles;
    int32_t triangle_count;
} corner_ring;

enum { GRID_FROM = 48 }; // corners; below, the whole ring is quicker

// Twice the signed area. Differences of floats and their products are all but exact in double.
static double area2(point a, point b, point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool same(point a, point b)
{
    return a.x == b.x && a.y == b.y;
}

static void check_bend(corner_ring *ring, int32_t i)
{
    const point *p = ring->points;
    const bool bent = !(area2(p[ring->previous[i]], p[i], p[ring->next[i]]) > 0.0);
    ring->bent_count += (int32_t)bent - (int32_t)ring->bent[i];
    ring->bent[i] = bent;
}

static int32_t cell_of(double place, double low, double scale, int32_t count)
{
    const double cell = (place - low) * scale;
    return cell <= 0.0 ? 0 : cell >= count - 1 ? count - 1 : (int32_t)cell;
}

// Bent corners, into about as many cells. Built anew when three quarters of them are
// gone: cells that hold nothing would cost the larger ears that come later.
static void build_grid(corner_ring *ring, int32_t start)
{
    point low = ring->points[start];
    point high = low;
    int32_t i = start;
    do {
        const point p = ring->points[i];
        low = (point){fmin(low.x, p.x), fmin(low.y, p.y)};
        high = (point){fmax(high.x, p.x), fmax(high.y, p.y)};
        i = ring->next[i];
    } while (i != start);

    const int32_t side = (int32_t)sqrt((double)ring->bent_count) + 1;
    ring->side = side;
    ring->low = low;
    ring->scale = (point){high.x > low.x ? side / (high.x - low.x) : 0.0,
                          high.y > low.y ? side / (high.y - low.y) : 0.0};
    ring->bent_when_built = ring->bent_count;
    for (int32_t cell = 0; cell < side * side; ++cell) {
        ring->cells[cell] = -1;
    }
    do {
        if (ring->bent[i]) {
            const int32_t column = cell_of(ring->points[i].x, low.x, ring->scale.x, side);
            const int32_t row = cell_of(ring->points[i].y, low.y, ring->scale.y, side);
            ring->below[i] = ring->cells[row * side + column];
            ring->cells[row * side + column] = i;
        }
        i = ring->next[i];
    } while (i != start);
}

// Whether an edge from x to one of the neighbours of corner i runs into the triangle (x, y, z).
static bool enters(const corner_ring *ring, int32_t i, point x, point y, point z)
{
    const point p = ring->points[ring->previous[i]];
    const point n = ring->points[ring->next[i]];
    return (area2(x, y, p) > 0.0 && area2(z, x, p) > 0.0) ||
           (area2(x, y, n) > 0.0 && area2(z, x, n) > 0.0);
}

// Whether corner i stands in the way of the ear (a, b, c). A corner in the same place as one of the
// ear's own (a bridge to a hole passes each of its corners twice) does so only when its edges do.
static bool blocks(const corner_ring *ring, int32_t i, point a, point b, point c)
{
    const point p = ring->points[i];
    if (!ring->bent[i] || area2(a, b, p) < 0.0 || area2(b, c, p) < 0.0 || area2(c, a, p) < 0.0) {
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

// Drops corners from a cell once they are gone (next is -1) or no longer bent.
static bool cell_blocks(corner_ring *ring, int32_t *cell, point a, point b, point c)
{
    for (int32_t *link = cell; *link >= 0;) {
        const int32_t i = *link;
        --ring->patience;
        if (ring->next[i] < 0 || !ring->bent[i]) {
            *link = ring->below[i];
            continue;
        }
        if (blocks(ring, i, a, b, c)) {
            return true;
        }
        link = &ring->below[i];
    }
    return false;
}

// Widens [left, right] by the part of the edge from a to b that lies between two heights.
static void cover_edge(double span[2], point a, point b, double bottom, double top)
{
    const double low = fmax(fmin(a.y, b.y), bottom);
    const double high = fmin(fmax(a.y, b.y), top);
    if (low > high) {
        return;
    }
    const double slope = a.y != b.y ? (b.x - a.x) / (b.y - a.y) : 0.0;
    const double x0 = a.y != b.y ? a.x + (low - a.y) * slope : a.x;
    const double x1 = a.y != b.y ? a.x + (high - a.y) * slope : b.x;
    span[0] = fmin(span[0], fmin(x0, x1));
    span[1] = fmax(span[1], fmax(x0, x1));
}

// Looks into the cells that the triangle itself touches, row by row: long thin ears are common and
// their boxes are large. The margin is far above rounding and far below a cell.
static bool grid_blocks(corner_ring *ring, point a, point b, point c)
{
    const double margin_x = ring->scale.x > 0.0 ? 1e-6 / ring->scale.x : 0.0;
    const double height = ring->scale.y > 0.0 ? 1.0 / ring->scale.y : INFINITY;
    const double lowest = fmin(a.y, fmin(b.y, c.y));
    const double highest = fmax(a.y, fmax(b.y, c.y));
    const int32_t row0 = cell_of(lowest, ring->low.y, ring->scale.y, ring->side);
    const int32_t row1 = cell_of(highest, ring->low.y, ring->scale.y, ring->side);
    for (int32_t row = row0; row <= row1; ++row) {
        const double bottom = row > row0 ? ring->low.y + (row - 1e-6) * height : lowest;
        const double top = row < row1 ? ring->low.y + (row + 1 + 1e-6) * height : highest;
        double span[2] = {INFINITY, -INFINITY};
        cover_edge(span, a, b, bottom, top);
        cover_edge(span, b, c, bottom, top);
        cover_edge(span, c, a, bottom, top);
        const int32_t first = cell_of(span[0] - margin_x, ring->low.x, ring->scale.x, ring->side);
        const int32_t last = cell_of(span[1] + margin_x, ring->low.x, ring->scale.x, ring->side);
        ring->patience -= last - first + 8; // finding the span costs about as much as 8 cells
        for (int32_t column = first; column <= last; ++column) {
            if (cell_blocks(ring, &ring->cells[row * ring->side + column], a, b, c)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_ear(corner_ring *ring, int32_t i)
{
    --ring->patience;
    if (ring->bent[i]) {
        return false;
    }
    const int32_t before = ring->previous[i];
    const int32_t after = ring->next[i];
    const point a = ring->points[before];
    const point b = ring->points[i];
    const point c = ring->points[after];
    if (ring->cells != NULL) {
        return !grid_blocks(ring, a, b, c);
    }
    for (int32_t j = ring->next[after]; j != before; j = ring->next[j]) {
        --ring->patience;
        if (blocks(ring, j, a, b, c)) {
            return false;
        }
    }
    return true;
}

// Takes corner i out of the ring; its triangle is kept when it has area.
static void clip(corner_ring *ring, int32_t i)
{
    const int32_t before = ring->previous[i];
    const int32_t after = ring->next[i];
    if (area2(ring->points[before], ring->points[i], ring->points[after]) != 0.0) {
        int32_t *triangle = ring->triangles + 3 * (size_t)ring->triangle_count++;
        triangle[0] = before;
        triangle[1] = i;
        triangle[2] = after;
    }
    ring->next[before] = after;
    ring->previous[after] = before;
    ring->bent_count -= ring->bent[i];
    ring->next[i] = -1;
    --ring->left;
    check_bend(ring, before);
    check_bend(ring, after);
    if (ring->cells != NULL && ring->bent_count < ring->bent_when_built / 4) {
        build_grid(ring, after);
    }
}

// No ear anywhere: rounding, a spike, or a polygon that crosses itself. A corner without area costs
// nothing; else any that turns left.
static int32_t least_evil(const corner_ring *ring, int32_t start)
{
    const point *p = ring->points;
    int32_t choice = start;
    int32_t i = start;
    do {
        if (area2(p[ring->previous[i]], p[i], p[ring->next[i]]) == 0.0) {
            return i;
        }
        choice = ring->bent[choice] ? i : choice;
        i = ring->next[i];
    } while (i != start);
    return choice;
}

// A corner where the outline turns back on itself, or which is there twice.
static bool is_spike(const corner_ring *ring, int32_t i)
{
    const point a = ring->points[ring->previous[i]];
    const point b = ring->points[i];
    const point c = ring->points[ring->next[i]];
    return area2(a, b, c) == 0.0 && (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) <= 0.0;
}

// Removes spikes at corner i and those that appear when it goes; returns a corner that stayed.
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

// Rounds around the ring. At first every other ear is clipped, which keeps triangles small and
// even; when a round finds few, it pays to stay where the last one was.
static void clip_ears(corner_ring *ring)
{
    int32_t i = 0;
    int32_t misses = 0;
    int32_t steps = 0;
    int32_t clipped = 0;
    bool spread = true;
    for (int32_t k = ring->left; k > 0; --k) {
        i = ring->next[clip_spikes(ring, i)];
    }
    while (ring->left > 3) {
        if (++steps > ring->left) {
            spread = spread && clipped > ring->left / 8;
            steps = clipped = 0;
        }
        const bool stuck = misses >= ring->left || ring->patience < 0;
        if (stuck || is_ear(ring, i)) {
            if (stuck && ring->patience >= 0) {
                i = least_evil(ring, i);
                ring->patience /= 2; // a polygon that does not cross itself hardly ever gets here
            }
            const int32_t before = ring->previous[i];
            clip(ring, i);
            ++clipped;
            misses = 0;
            i = clip_spikes(ring, ring->next[clip_spikes(ring, before)]);
            i = spread ? ring->next[i] : ring->previous[i];
        } else {
            ++misses;
            i = ring->next[i];
        }
    }
    clip(ring, i);
}

// Even a comb of long teeth needs about 20 sqrt(n) tests for each of its n corners; a polygon that
// needs far more crosses itself.
static int64_t patience_for(int32_t count)
{
    const double tests = 512.0 + 32.0 * sqrt((double)count);
    return (int64_t)count * (int64_t)fmin(tests, 8192.0);
}

static void open_ring(corner_ring *ring, int32_t count, coif_arena *scratch)
{
    ring->previous = coif_arena_new(scratch, count, int32_t);
    ring->next = coif_arena_new(scratch, count, int32_t);
    ring->bent = coif_arena_new(scratch, count, bool);
    ring->left = count;
    ring->patience = patience_for(count);
    for (int32_t i = 0; i < count; ++i) {
        ring->previous[i] = i > 0 ? i - 1 : count - 1;
        ring->next[i] = i + 1 < count ? i + 1 : 0;
    }
    for (int32_t i = 0; i < count; ++i) {
        check_bend(ring, i);
    }
    if (count >= GRID_FROM) {
        const size_t side = (size_t)sqrt((double)count) + 1;
        ring->cells = coif_arena_new(scratch, side * side, int32_t);
        ring->below = coif_arena_new(scratch, count, int32_t);
        build_grid(ring, 0);
    }
}

int32_t coif_ear_clip(int32_t *triangles, const coif_point2d *points, int32_t count,
                      coif_arena *scratch)
{
    corner_ring ring = {.points = points, .triangles = triangles};
    const coif_arena_mark mark = coif_arena_mark_here(scratch);
    open_ring(&ring, count, scratch);
    clip_ears(&ring);
    coif_arena_rewind(scratch, mark);
    return ring.triangle_count;
}
