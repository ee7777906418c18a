#include "core/triangulate.h"

#include "core/arena.h"

typedef struct point {
    double x, y;
} point;

// The polygon as a ring; corners leave it one by one. Only corners that do not turn strictly left
// can lie in an ear and block it: they are kept in a grid of cells, so that a test looks at few.
typedef struct corner_ring {
    point *points;
    int32_t *previous, *next;
    bool *bent; // does not turn strictly left
    int32_t left;
    int64_t patience; // tests until a hopeless polygon is simply finished off

    int32_t *cells; // first corner of each cell, -1 when empty; NULL: search the whole ring
    int32_t *below; // the next corner in the same cell
    int32_t columns, rows;
    int32_t bent_count, bent_when_built;
    point low, scale;

    int32_t *triangles;
    int32_t triangle_count;
} corner_ring;

enum {
    GRID_FROM = 48, // corners; below, the whole ring is quicker
    PATIENCE_PER_CORNER = 4096
};

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

// Bent corners into about as many cells. Built anew when three quarters of them are gone: cells
// that hold nothing would cost the larger ears that come later.
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
    ring->columns = ring->rows = side;
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

static bool grid_blocks(corner_ring *ring, point a, point b, point c)
{
    const double left = fmin(a.x, fmin(b.x, c.x));
    const double right = fmax(a.x, fmax(b.x, c.x));
    const double bottom = fmin(a.y, fmin(b.y, c.y));
    const double top = fmax(a.y, fmax(b.y, c.y));
    const int32_t column0 = cell_of(left, ring->low.x, ring->scale.x, ring->columns);
    const int32_t column1 = cell_of(right, ring->low.x, ring->scale.x, ring->columns);
    const int32_t row0 = cell_of(bottom, ring->low.y, ring->scale.y, ring->rows);
    const int32_t row1 = cell_of(top, ring->low.y, ring->scale.y, ring->rows);
    for (int32_t row = row0; row <= row1; ++row) {
        ring->patience -= column1 - column0 + 1;
        for (int32_t column = column0; column <= column1; ++column) {
            if (cell_blocks(ring, &ring->cells[row * ring->columns + column], a, b, c)) {
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
    const point a = ring->points[ring->previous[i]];
    const point b = ring->points[i];
    const point c = ring->points[ring->next[i]];
    if (ring->cells != NULL) {
        return !grid_blocks(ring, a, b, c);
    }
    for (int32_t j = ring->next[ring->next[i]]; j != ring->previous[i]; j = ring->next[j]) {
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
            i = stuck && ring->patience >= 0 ? least_evil(ring, i) : i;
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

static coif_vec3 corner(const coif_vec3 *points, int32_t i, int32_t count)
{
    return points[i < count ? i : 0];
}

// Newell's normal: the sum of the areas that the polygon shows along each axis.
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

// Seen along the axis that shows it largest: no rounding at all, and a plane polygon keeps the
// proportions of its areas. Turned so that it runs to the left.
static point flatten(coif_vec3 p, const double normal[3])
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

static void open_ring(corner_ring *ring, const coif_vec3 *points, int32_t count,
                      coif_arena *scratch)
{
    double normal[3];
    polygon_normal(normal, points, count);
    ring->points = coif_arena_new(scratch, count, point);
    ring->previous = coif_arena_new(scratch, count, int32_t);
    ring->next = coif_arena_new(scratch, count, int32_t);
    ring->bent = coif_arena_new(scratch, count, bool);
    ring->left = count;
    ring->patience = (int64_t)PATIENCE_PER_CORNER * count;
    for (int32_t i = 0; i < count; ++i) {
        ring->points[i] = flatten(points[i], normal);
        ring->previous[i] = i > 0 ? i - 1 : count - 1;
        ring->next[i] = i + 1 < count ? i + 1 : 0;
    }
    for (int32_t i = 0; i < count; ++i) {
        check_bend(ring, i);
    }
    if (count >= GRID_FROM) {
        const int32_t side = (int32_t)sqrt((double)count) + 1;
        ring->cells = coif_arena_new(scratch, (size_t)side * (size_t)side, int32_t);
        ring->below = coif_arena_new(scratch, count, int32_t);
        build_grid(ring, 0);
    }
}

// How much the triangle faces the way the whole polygon does; 0 or less when it is turned over.
static double facing(coif_vec3 a, coif_vec3 b, coif_vec3 c, const double normal[3])
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

// Along the shorter diagonal that lies inside.
static int32_t split_quad(int32_t *triangles, const coif_vec3 *p)
{
    static const int32_t ALONG_02[6] = {0, 1, 2, 0, 2, 3};
    static const int32_t ALONG_13[6] = {1, 2, 3, 1, 3, 0};
    double normal[3];
    polygon_normal(normal, p, 4);
    const bool inside_02 =
        facing(p[0], p[1], p[2], normal) > 0.0 && facing(p[0], p[2], p[3], normal) > 0.0;
    const bool inside_13 =
        facing(p[1], p[2], p[3], normal) > 0.0 && facing(p[1], p[3], p[0], normal) > 0.0;
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
    corner_ring ring = {.triangles = triangles};
    const coif_arena_mark mark = coif_arena_mark_here(scratch);
    open_ring(&ring, points, count, scratch);
    clip_ears(&ring);
    coif_arena_rewind(scratch, mark);
    return ring.triangle_count;
}
