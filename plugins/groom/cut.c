// groom.cut: cuts strands where they first cross a mesh.
//
// The mesh is an OBJ file in the rest space of the body; both sides of its triangles cut. A cut
// strand is resampled to the same number of points; other strands are unchanged.
//
// Triangles are binned into a uniform grid; a segment tests the triangles of the cells its bounding
// box overlaps, by the intersection test of Moeller and Trumbore (1997).
#include <coif/plugin.h>
#include <coif/shorten.h>

#include <stdio.h>
#include <stdlib.h>

// A triangle is entered in every cell its bounding box overlaps. The grid is coarsened until there
// are at most this many entries per triangle on average.
enum { CELLS_PER_AXIS_MAX = 64, ENTRIES_PER_TRIANGLE_MAX = 64 };

enum { LINE = 4096, MOST_CORNERS = 64, MOST_ELEMENTS = 50000000 };

typedef struct cut_params {
    const char *mesh;
    float scale;
    float randomness;
} cut_params;

enum { MESH, SCALE, RAGGED };

typedef struct cut_state {
    int32_t place_count, triangle_count;
    coif_kit_vec *places;
    int32_t *corners; // 3 per triangle
    float low[3], cell;
    int32_t size[3];
    int64_t *begin;     // offsets into triangles, one per cell and one more
    int32_t *triangles; // of each cell
} cut_state;

// clang-format off
static const coif_param PARAMS[] = {
    {.name = "mesh", .help = "OBJ file with the surface, in the space of the body.", .unit = "", .type = COIF_PARAM_PATH,
     .offset = offsetof(cut_params, mesh)},
    {.name = "scale", .help = "Metres per unit of the OBJ file.", .unit = "m", .type = COIF_PARAM_FLOAT,
     .offset = offsetof(cut_params, scale), .fallback = {1}, .low = 1e-6, .high = 1000},
    {.name = "randomness", .help = "Maximum random shortening behind the surface.", .unit = "m",
     .type = COIF_PARAM_FLOAT, .flags = COIF_PARAM_MAPPABLE, .offset = offsetof(cut_params, randomness), .fallback = {0.002},
     .low = 0, .high = 1},
};
// clang-format on

// The file is read twice: to count, and to keep.
typedef struct obj_reading {
    const coif_host *host;
    const char *path;
    cut_state *state;
    int32_t line, places, triangles;
    float scale;
} obj_reading;

static coif_status bad_line(const obj_reading *all, const char *wanted)
{
    all->host->set_error(all->host, "mesh: %s: line %d: wanted %s", all->path, all->line, wanted);
    return COIF_ERR_FORMAT;
}

static coif_status read_place(obj_reading *all, const char *text)
{
    float numbers[3];
    for (int i = 0; i < 3; ++i) {
        char *end;
        numbers[i] = strtof(text, &end) * all->scale;
        if (end == text || !(numbers[i] > -1e6f && numbers[i] < 1e6f)) {
            return bad_line(all, "three numbers");
        }
        text = end;
    }
    if (all->state->places != NULL) {
        all->state->places[all->places] = coif_kit_vec_make(numbers[0], numbers[1], numbers[2]);
    }
    ++all->places;
    return COIF_OK;
}

// A fan of triangles; what follows a slash is not needed.
static coif_status read_face(obj_reading *all, const char *text)
{
    int32_t corners[MOST_CORNERS];
    int32_t count = 0;
    for (;;) {
        char *end;
        const long number = strtol(text, &end, 10);
        if (end == text) {
            break;
        }
        const long index = number < 0 ? all->places + number : number - 1;
        if (count == MOST_CORNERS || number == 0 || index < 0 || index >= MOST_ELEMENTS ||
            (all->state->corners != NULL && index >= all->state->place_count)) {
            return bad_line(all, "numbers of points that are there, 64 at most");
        }
        corners[count++] = (int32_t)index;
        while (*end != '\0' && *end != ' ' && *end != '\t') {
            ++end;
        }
        text = end;
    }
    if (count < 3) {
        return bad_line(all, "a face of three corners or more");
    }
    for (int32_t k = 1; k + 1 < count; ++k, ++all->triangles) {
        if (all->state->corners != NULL) {
            int32_t *to = all->state->corners + 3 * (ptrdiff_t)all->triangles;
            to[0] = corners[0], to[1] = corners[k], to[2] = corners[k + 1];
        }
    }
    return COIF_OK;
}

static coif_status read_lines(obj_reading *all, FILE *file)
{
    char text[LINE];
    coif_status status = COIF_OK;
    rewind(file);
    all->line = all->places = all->triangles = 0;
    while (status == COIF_OK && fgets(text, sizeof text, file) != NULL) {
        ++all->line;
        if (strlen(text) == LINE - 1) {
            return bad_line(all, "a line of less than 4095 characters");
        }
        if (text[0] == 'v' && (text[1] == ' ' || text[1] == '\t')) {
            status = read_place(all, text + 2);
        } else if (text[0] == 'f' && (text[1] == ' ' || text[1] == '\t')) {
            status = read_face(all, text + 2);
        }
        if (all->places > MOST_ELEMENTS || all->triangles > MOST_ELEMENTS) {
            return bad_line(all, "fewer points and faces");
        }
    }
    return status;
}

static void box_of(const cut_state *state, const int32_t *corners, float low[3], float high[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = 3e38f, high[axis] = -3e38f;
        for (int k = 0; k < 3; ++k) {
            const coif_kit_vec p = state->places[corners[k]];
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
    if (cut->mesh == NULL || cut->mesh[0] == '\0') {
        host->set_error(host, "mesh: no surface is named");
        return COIF_ERR_SCENE;
    }
    FILE *file = fopen(cut->mesh, "rb");
    if (file == NULL) {
        host->set_error(host, "mesh: %s cannot be read", cut->mesh);
        return COIF_ERR_IO;
    }
    obj_reading all = {.host = host, .path = cut->mesh, .state = state, .scale = cut->scale};
    coif_status status = read_lines(&all, file);
    if (status == COIF_OK && all.triangles == 0) {
        host->set_error(host, "mesh: %s: no face in this file", cut->mesh);
        status = COIF_ERR_FORMAT;
    }
    if (status == COIF_OK) {
        state->place_count = all.places;
        state->triangle_count = all.triangles;
        state->places = host->alloc(host, sizeof(coif_kit_vec) * (size_t)all.places);
        state->corners = host->alloc(host, 3 * sizeof(int32_t) * (size_t)all.triangles);
        status = read_lines(&all, file);
    }
    fclose(file);
    if (status == COIF_OK) {
        build_grid(host, state);
    }
    return status;
}

// Where the segment from a crosses the triangle, as a share of the way; above 1: not.
static float crossing(const cut_state *state, int32_t triangle, coif_kit_vec a, coif_kit_vec way)
{
    const int32_t *c = state->corners + 3 * (ptrdiff_t)triangle;
    const coif_kit_vec p = state->places[c[0]];
    const coif_kit_vec e1 = coif_kit_sub(state->places[c[1]], p);
    const coif_kit_vec e2 = coif_kit_sub(state->places[c[2]], p);
    const coif_kit_vec h = coif_kit_cross(way, e2);
    const float det = coif_kit_dot(e1, h);
    if (det == 0.0f) {
        return 2.0f;
    }
    const coif_kit_vec s = coif_kit_sub(a, p);
    const coif_kit_vec q = coif_kit_cross(s, e1);
    const float u = coif_kit_dot(s, h) / det;
    const float v = coif_kit_dot(way, q) / det;
    const float t = coif_kit_dot(e2, q) / det;
    // Edges belong to both sides of them: nothing slips through between two triangles.
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
    const coif_kit_vec way = coif_kit_sub(b, a);
    for (int32_t z = begin[2]; z <= end[2]; ++z) {
        for (int32_t y = begin[1]; y <= end[1]; ++y) {
            for (int32_t x = begin[0]; x <= end[0]; ++x) {
                const int32_t cell = cell_at(state, x, y, z);
                for (int64_t k = state->begin[cell]; k < state->begin[cell + 1]; ++k) {
                    const float t = crossing(state, state->triangles[k], a, way);
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
        const float ragged = coif_kit_strand_param(batch, RAGGED, strand, cut->randomness);
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
                // A root beyond the surface keeps a stubble.
                coif_kit_shorten(batch, strand, length, coif_kit_clamp(kept, 0.001f, 1.0f));
                break;
            }
            distance += segment;
        }
    }
}

static const coif_plugin CUT = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_GROOM,
    .id = "groom.cut",
    .version = "1.0.0",
    .help = "Cuts strands where they first cross a modelled surface.",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(cut_params),
    .state_size = sizeof(cut_state),
    .init = cut_init,
    .groom = cut_groom,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&CUT};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
