// groom.cut: cuts strands where they first cross a mesh.
//
// The mesh is an OBJ file in the rest space of the body; both sides of its triangles cut. A cut
// strand is resampled to the same number of points; other strands are unchanged.
//
// Triangles are binned into a uniform grid; a segment tests the triangles of the cells its bounding
// box overlaps, by the intersection test of Moeller and Trumbore (1997).
#include <coif/plugin.h>
#include <coif/shorten.h>

// A triangle is entered in every cell its bounding box overlaps. The grid is coarsened until there
// are at most this many entries per triangle on average.
enum { CELLS_PER_AXIS_MAX = 64, ENTRIES_PER_TRIANGLE_MAX = 64 };

typedef struct cut_params {
    const char *mesh;
    float scale;
    float randomness;
} cut_params;

// Rows of PARAMS.
enum { CUT_MESH, CUT_SCALE, CUT_RANDOMNESS };

typedef struct cut_state {
    int32_t triangle_count;
    const coif_kit_vec *positions; // of the vertices, m
    const int32_t *corners;        // 3 per triangle
    float low[3], cell;
    int32_t size[3];
    int64_t *begin;     // offsets into triangles, one per cell and one more
    int32_t *triangles; // of each cell
} cut_state;

#define ROW(...) COIF_PLUGIN_ROW(cut_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(mesh, COIF_PARAM_PATH, 0, "OBJ file with the surface, in the space of the body.", "", 0, 0, 0, 0, 0),
    ROW(scale, COIF_PARAM_FLOAT, 0, "Metres per unit of the OBJ file.", "m", 1, 0, 0, 1e-6, 1000),
    ROW(randomness, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Maximum random shortening behind the surface.", "m", 0.002, 0, 0, 0, 1),
};
// clang-format on

static void box_of(const cut_state *state, const int32_t *corners, float low[3], float high[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = 3e38f, high[axis] = -3e38f;
        for (int k = 0; k < 3; ++k) {
            const coif_kit_vec p = state->positions[corners[k]];
            const float at = axis == 0 ? p.x : axis == 1 ? p.y : p.z;
            low[axis] = at < low[axis] ? at : low[axis];
            high[axis] = at > high[axis] ? at : high[axis];
        }
    }
}

static void cells_of(const cut_state *state, const float low[3], const float high[3],
                     int32_t from[3], int32_t to[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        const float last = (float)(state->size[axis] - 1);
        from[axis] = (int32_t)coif_kit_clamp(floorf((low[axis] - state->low[axis]) / state->cell),
                                             0.0f, last);
        to[axis] = (int32_t)coif_kit_clamp(floorf((high[axis] - state->low[axis]) / state->cell),
                                           0.0f, last);
    }
}

static int32_t cell_at(const cut_state *state, int32_t x, int32_t y, int32_t z)
{
    return (z * state->size[1] + y) * state->size[0] + x;
}

// Cells that the bounding box of a triangle overlaps.
static void triangle_cells(const cut_state *state, int32_t triangle, int32_t from[3], int32_t to[3])
{
    float low[3], high[3];
    box_of(state, state->corners + 3 * (ptrdiff_t)triangle, low, high);
    cells_of(state, low, high, from, to);
}

// Counts the triangles of each cell, or stores them.
static void bin_triangles(cut_state *state, int store)
{
    for (int32_t t = 0; t < state->triangle_count; ++t) {
        int32_t from[3], to[3];
        triangle_cells(state, t, from, to);
        for (int32_t z = from[2]; z <= to[2]; ++z) {
            for (int32_t y = from[1]; y <= to[1]; ++y) {
                for (int32_t x = from[0]; x <= to[0]; ++x) {
                    const int32_t cell = cell_at(state, x, y, z);
                    if (store) {
                        state->triangles[state->begin[cell + 1]++] = t;
                    } else {
                        ++state->begin[cell + 2];
                    }
                }
            }
        }
    }
}

// Sets the resolution and returns the number of (triangle, cell) entries it needs.
static int64_t set_resolution(cut_state *state, const float high[3], float widest, float across)
{
    state->cell = widest / across;
    for (int axis = 0; axis < 3; ++axis) {
        const float extent = high[axis] - state->low[axis];
        state->size[axis] = 1 + (int32_t)coif_kit_clamp(floorf(extent / state->cell), 0.0f,
                                                        (float)CELLS_PER_AXIS_MAX);
    }
    int64_t entries = 0;
    for (int32_t t = 0; t < state->triangle_count; ++t) {
        int32_t from[3], to[3];
        triangle_cells(state, t, from, to);
        entries += (int64_t)(to[0] - from[0] + 1) * (to[1] - from[1] + 1) * (to[2] - from[2] + 1);
    }
    return entries;
}

static void build_grid(const coif_host *host, cut_state *state)
{
    float high[3] = {-3e38f, -3e38f, -3e38f}, widest = 1e-6f;
    state->low[0] = state->low[1] = state->low[2] = 3e38f;
    for (int32_t t = 0; t < state->triangle_count; ++t) {
        float a[3], b[3];
        box_of(state, state->corners + 3 * (ptrdiff_t)t, a, b);
        for (int axis = 0; axis < 3; ++axis) {
            state->low[axis] = a[axis] < state->low[axis] ? a[axis] : state->low[axis];
            high[axis] = b[axis] > high[axis] ? b[axis] : high[axis];
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        const float extent = high[axis] - state->low[axis];
        widest = extent > widest ? extent : widest;
    }
    const int64_t limit = (int64_t)ENTRIES_PER_TRIANGLE_MAX * state->triangle_count;
    float across =
        coif_kit_clamp(sqrtf((float)state->triangle_count), 1.0f, (float)CELLS_PER_AXIS_MAX);
    while (set_resolution(state, high, widest, across) > limit && across > 1.0f) {
        across = across > 2.0f ? 0.5f * across : 1.0f;
    }
    const int32_t cells = state->size[0] * state->size[1] * state->size[2];
    state->begin = host->alloc(host, sizeof(int64_t) * ((size_t)cells + 2));
    bin_triangles(state, 0);
    for (int32_t c = 2; c < cells + 2; ++c) {
        state->begin[c] += state->begin[c - 1];
    }
    state->triangles = host->alloc(host, sizeof(int32_t) * ((size_t)state->begin[cells + 1] + 1));
    bin_triangles(state, 1);
}

static coif_status cut_init(const coif_host *host, void *data, const void *params)
{
    const cut_params *cut = params;
    cut_state *state = data;
    coif_mesh_view mesh = {.struct_size = sizeof mesh};
    if (cut->mesh == NULL || cut->mesh[0] == '\0') {
        host->set_error(host, "mesh: no file given");
        return COIF_ERR_SCENE;
    }
    const coif_status status = host->mesh_open(host, cut->mesh, &mesh);
    if (status != COIF_OK) {
        return status;
    }
    coif_kit_vec *positions = host->alloc(host, sizeof *positions * (size_t)mesh.vertex_count);
    for (int32_t i = 0; i < mesh.vertex_count; ++i) {
        const float *p = mesh.positions + 3 * (ptrdiff_t)i;
        positions[i] = coif_kit_vec_make(p[0] * cut->scale, p[1] * cut->scale, p[2] * cut->scale);
    }
    state->positions = positions;
    state->corners = mesh.indices;
    state->triangle_count = mesh.triangle_count;
    build_grid(host, state);
    return COIF_OK;
}

// Parameter in [0, 1] at which the segment from a along `step` crosses the triangle; 2: no
// crossing.
static float intersect_triangle(const cut_state *state, int32_t triangle, coif_kit_vec a,
                                coif_kit_vec step)
{
    const int32_t *c = state->corners + 3 * (ptrdiff_t)triangle;
    const coif_kit_vec p = state->positions[c[0]];
    const coif_kit_vec e1 = coif_kit_sub(state->positions[c[1]], p);
    const coif_kit_vec e2 = coif_kit_sub(state->positions[c[2]], p);
    const coif_kit_vec h = coif_kit_cross(step, e2);
    const float det = coif_kit_dot(e1, h);
    if (det == 0.0f) {
        return 2.0f;
    }
    const coif_kit_vec s = coif_kit_sub(a, p);
    const coif_kit_vec q = coif_kit_cross(s, e1);
    const float u = coif_kit_dot(s, h) / det;
    const float v = coif_kit_dot(step, q) / det;
    const float t = coif_kit_dot(e2, q) / det;
    // The tolerance closes gaps between adjacent triangles.
    return u >= -1e-5f && v >= -1e-5f && u + v <= 1.00001f && t >= 0.0f && t <= 1.0f ? t : 2.0f;
}

static float first_crossing(const cut_state *state, coif_kit_vec a, coif_kit_vec b)
{
    const float from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z};
    float low[3], high[3], first = 2.0f;
    int32_t begin[3], end[3];
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = from[axis] < to[axis] ? from[axis] : to[axis];
        high[axis] = from[axis] < to[axis] ? to[axis] : from[axis];
        const float far = state->low[axis] + state->cell * (float)state->size[axis];
        if (high[axis] < state->low[axis] || low[axis] > far) {
            return first;
        }
    }
    cells_of(state, low, high, begin, end);
    const coif_kit_vec step = coif_kit_sub(b, a);
    for (int32_t z = begin[2]; z <= end[2]; ++z) {
        for (int32_t y = begin[1]; y <= end[1]; ++y) {
            for (int32_t x = begin[0]; x <= end[0]; ++x) {
                const int32_t cell = cell_at(state, x, y, z);
                for (int64_t k = state->begin[cell]; k < state->begin[cell + 1]; ++k) {
                    const float t = intersect_triangle(state, state->triangles[k], a, step);
                    first = t < first ? t : first;
                }
            }
        }
    }
    return first;
}

static void cut_groom(const coif_host *host, const void *data, const void *params,
                      const coif_groom_batch *batch)
{
    const cut_params *cut = params;
    (void)host;
    for (int32_t strand = 0; strand < batch->strand_count; ++strand) {
        const float ragged = coif_kit_strand_param(batch, CUT_RANDOMNESS, strand, cut->randomness);
        const float shorter = ragged * coif_kit_random(batch->random[strand], 53);
        float distance = 0.0f;
        for (int32_t i = batch->first[strand]; i + 1 < batch->first[strand + 1]; ++i) {
            const float t =
                first_crossing(data, coif_kit_point(batch, i), coif_kit_point(batch, i + 1));
            const float segment = coif_kit_segment_length(batch, i);
            if (t <= 1.0f) {
                const float length = coif_kit_strand_length(batch, strand);
                const float kept =
                    length > 0.0f ? (distance + t * segment - shorter) / length : 1.0f;
                // Keep a minimal length for roots beyond the surface.
                coif_kit_shorten(batch, strand, length, coif_kit_clamp(kept, 0.001f, 1.0f));
                break;
            }
            distance += segment;
        }
    }
}

static const coif_plugin CUT = {
    COIF_PLUGIN_HEAD(COIF_KIND_GROOM, "groom.cut", "1.0.0",
                     "Cuts strands where they first cross a modelled surface.", PARAMS, cut_params),
    .state_size = sizeof(cut_state),
    .init = cut_init,
    .groom = cut_groom,
};

COIF_PLUGIN_ENTRY(CUT)
