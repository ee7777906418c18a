// density.hairline: hair thins out towards a plane, or towards a line drawn in space.
//
// The edge of real hair is not a cut: over a centimetre or so roots get rarer, and the edge itself
// wanders. Points of `line`, when it is given, are joined by straight pieces, or with `smooth` by a
// curve through all of them (Catmull and Rom 1974), and the value grows with the distance from it;
// without it, with the height over the plane. With `within` the line is
// a stroke of a brush instead: hair grows near it, as brows, moustaches and whiskers do.
#include <coif/cut.h>
#include <coif/exact.h>
#include <coif/strand.h>

#include <stdlib.h>

enum { MOST_POINTS = 256, PIECES = 8 };

typedef struct hairline_params {
    float point[3];
    float normal[3];
    const char *line;
    int32_t closed;
    float width;
    float ragged;
    float size;
    int32_t seed;
    float within;
    int32_t smooth;
} hairline_params;

typedef struct hairline_state {
    int32_t count;
    coif_kit_vec points[PIECES * MOST_POINTS];
} hairline_state;

#define ROW(field, kind, text, units, a, b, c, lowest, highest)                                    \
    {                                                                                              \
        .name = #field, .help = text, .unit = units, .type = kind,                                 \
        .offset = offsetof(hairline_params, field), .fallback = {a, b, c}, .low = lowest,          \
        .high = highest                                                                            \
    }

// clang-format off
static const coif_param PARAMS[] = {
    ROW(point,  COIF_PARAM_VEC3,   "a place on the plane where hair ends",                            "m", 0, 0, 0, -1000, 1000),
    ROW(normal, COIF_PARAM_VEC3,   "which side of the plane hair is on",                              "",  0, 1, 0,    -1,    1),
    ROW(line,   COIF_PARAM_STRING, "instead of a plane: points of a line, as \"x y z, x y z, ...\"",  "m", 0, 0, 0, 0, 0),
    ROW(closed, COIF_PARAM_BOOL,   "the line ends where it begins",                                   "",  0, 0, 0, 0, 0),
    ROW(width,  COIF_PARAM_FLOAT,  "distance over which hair becomes full",                           "m", 0.012, 0, 0, 0, 10),
    ROW(ragged, COIF_PARAM_FLOAT,  "how far the edge wanders",                                        "m", 0.003, 0, 0, 0, 1),
    ROW(size,   COIF_PARAM_FLOAT,  "distance from one bay of the edge to the next",                   "m", 0.01,  0, 0, 1e-4, 10),
    ROW(seed,   COIF_PARAM_INT,    "another number wanders otherwise",                                "",  1, 0, 0, 0, 1000000),
    ROW(within, COIF_PARAM_FLOAT,  "hair only nearer to the line than this; 0 for hair away from it", "m", 0, 0, 0, 0, 10),
    ROW(smooth, COIF_PARAM_BOOL,   "a curve through the points of the line, not straight pieces",     "",  0, 0, 0, 0, 0),
};
// clang-format on

// The next number of a list; what stands between numbers is skipped by the caller.
static int read_number(const char **text, float *number)
{
    char *end;
    *number = strtof(*text, &end);
    const int found = end != *text && *number > -1e6f && *number < 1e6f;
    *text = end;
    return found;
}

// Point i of the line, past its ends as it would go on.
static coif_kit_vec around(const coif_kit_vec *points, int32_t count, int closed, int32_t i)
{
    if (closed) {
        return points[(i + count) % count];
    }
    if (i < 0 || i >= count) {
        const int32_t end = i < 0 ? 0 : count - 1, in = i < 0 ? 1 : count - 2;
        return coif_kit_mad(points[end], 1.0f, coif_kit_sub(points[end], points[in]));
    }
    return points[i];
}

// The line becomes a curve of short straight pieces.
static void draw_curve(hairline_state *hairline, int closed)
{
    coif_kit_vec points[MOST_POINTS];
    const int32_t count = hairline->count, spans = closed ? count : count - 1;
    memcpy(points, hairline->points, sizeof points[0] * (size_t)count);
    for (int32_t i = 0; i < spans; ++i) {
        coif_kit_vec p[4];
        for (int32_t k = 0; k < 4; ++k) {
            p[k] = around(points, count, closed, i - 1 + k);
        }
        for (int32_t k = 0; k < PIECES; ++k) {
            hairline->points[PIECES * i + k] = coif_kit_curve(p, (float)k / (float)PIECES);
        }
    }
    hairline->count = PIECES * spans;
    if (!closed) {
        hairline->points[hairline->count++] = points[count - 1];
    }
}

static coif_status hairline_init(const coif_host *host, void *state, const void *params)
{
    const hairline_params *given = params;
    hairline_state *hairline = state;
    const char *text = given->line != NULL ? given->line : "";
    text += strspn(text, " \t\n");
    while (*text != '\0') {
        float place[3];
        if (hairline->count == MOST_POINTS) {
            host->explain(host, "line: more than %d points", MOST_POINTS);
            return COIF_ERR_SCENE;
        }
        for (int a = 0; a < 3; ++a) {
            if (!read_number(&text, &place[a])) {
                host->explain(host, "line: point %d is not three numbers; wanted \"x y z, x y z\"",
                              (int)hairline->count + 1);
                return COIF_ERR_SCENE;
            }
        }
        hairline->points[hairline->count++] = coif_kit_vec_of(place[0], place[1], place[2]);
        text += strspn(text, " \t\n,;");
    }
    if (hairline->count == 1) {
        host->explain(host, "line: one point makes no line; wanted two or more");
        return COIF_ERR_SCENE;
    }
    if (given->smooth && hairline->count > 2) {
        draw_curve(hairline, given->closed);
    }
    return COIF_OK;
}

static float distance_to_piece(coif_kit_vec place, coif_kit_vec from, coif_kit_vec to)
{
    const coif_kit_vec along = coif_kit_sub(to, from), away = coif_kit_sub(place, from);
    const float square = coif_kit_dot(along, along);
    const float share =
        square > 0.0f ? coif_kit_clamp(coif_kit_dot(away, along) / square, 0.0f, 1.0f) : 0.0f;
    return coif_kit_length(coif_kit_mad(away, -share, along));
}

static float distance_to_line(const hairline_state *hairline, int closed, coif_kit_vec place)
{
    const int32_t pieces = closed ? hairline->count : hairline->count - 1;
    float nearest = 1e30f;
    for (int32_t i = 0; i < pieces; ++i) {
        const float distance = distance_to_piece(place, hairline->points[i],
                                                 hairline->points[(i + 1) % hairline->count]);
        nearest = distance < nearest ? distance : nearest;
    }
    return nearest;
}

static void hairline_map(const coif_host *host, const void *state, const void *params,
                         const coif_map_batch *batch)
{
    (void)host;
    const hairline_state *hairline = state;
    const hairline_params *given = params;
    const coif_kit_vec normal =
        coif_kit_direction(coif_kit_vec_of(given->normal[0], given->normal[1], given->normal[2]),
                           coif_kit_vec_of(0.0f, 1.0f, 0.0f));
    const coif_kit_vec point = coif_kit_vec_of(given->point[0], given->point[1], given->point[2]);
    const float width = given->width > 1e-6f ? given->width : 1e-6f;
    const float cells = 1.0f / given->size;
    for (int32_t i = 0; i < batch->count; ++i) {
        const coif_kit_vec place = coif_kit_vec_of(batch->x[i], batch->y[i], batch->z[i]);
        const float distance = hairline->count > 0
                                   ? distance_to_line(hairline, given->closed, place)
                                   : coif_kit_dot(coif_kit_sub(place, point), normal);
        const float inside =
            hairline->count > 0 && given->within > 0.0f ? given->within - distance : distance;
        const float bay = given->ragged * coif_kit_noise3(place.x * cells, place.y * cells,
                                                          place.z * cells, (uint32_t)given->seed);
        batch->value[i] = coif_kit_smooth((inside + bay) / width);
    }
}

static const coif_plugin HAIRLINE = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_MAP,
    .id = "density.hairline",
    .version = "1.0.0",
    .help = "hair that thins out towards a plane or a line",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(hairline_params),
    .state_size = sizeof(hairline_state),
    .init = hairline_init,
    .map = hairline_map,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&HAIRLINE};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
