// density.hairline: density that falls off towards a plane or a polyline.
//
// A natural hairline is soft: density falls off over about a centimetre and the edge is displaced
// by noise. The value grows with the distance from `line` (a polyline, or with `smooth` a
// Catmull-Rom spline), or without a line with the height above the plane. With `within` hair grows
// near the line instead, as brows, moustaches and whiskers do.
#include <coif/polyline.h>

typedef struct hairline_params {
    float point[3];
    float normal[3];
    const char *line;
    int32_t closed;
    float width;
    float edge_noise;
    float edge_noise_scale;
    int32_t seed;
    float max_distance;
    int32_t spline;
} hairline_params;

#define ROW(field, kind, text, units, a, b, c, lowest, highest)                                    \
    {                                                                                              \
        .name = #field, .help = text, .unit = units, .type = kind,                                 \
        .offset = offsetof(hairline_params, field), .fallback = {a, b, c}, .low = lowest,          \
        .high = highest                                                                            \
    }

// clang-format off
static const coif_param PARAMS[] = {
    ROW(point,  COIF_PARAM_VEC3,   "Point on the plane at which hair ends.",                            "m", 0, 0, 0, -1000, 1000),
    ROW(normal, COIF_PARAM_VEC3,   "Normal of the plane; hair grows on the side it points to.",                              "",  0, 1, 0,    -1,    1),
    ROW(line,   COIF_PARAM_STRING, "Points of a polyline used instead of the plane, as \"x y z, x y z, ...\".",  "m", 0, 0, 0, 0, 0),
    ROW(closed, COIF_PARAM_BOOL,   "The polyline is closed.",                                   "",  0, 0, 0, 0, 0),
    ROW(width,  COIF_PARAM_FLOAT,  "Distance over which the density rises from 0 to 1.",                           "m", 0.012, 0, 0, 0, 10),
    ROW(edge_noise, COIF_PARAM_FLOAT,  "Amplitude of the noise that displaces the edge.",                                        "m", 0.003, 0, 0, 0, 1),
    ROW(edge_noise_scale,   COIF_PARAM_FLOAT,  "Feature size of the edge noise.",                   "m", 0.01,  0, 0, 1e-4, 10),
    ROW(seed,   COIF_PARAM_INT,    "Seed of the edge noise.",                                "",  1, 0, 0, 0, 1000000),
    ROW(max_distance, COIF_PARAM_FLOAT,  "Hair grows only within this distance of the polyline; 0 grows hair away from it.", "m", 0, 0, 0, 0, 10),
    ROW(spline, COIF_PARAM_BOOL,   "Interpolate the points of the polyline with a smooth spline.",     "",  0, 0, 0, 0, 0),
};
// clang-format on

static coif_status hairline_init(const coif_host *host, void *state, const void *params)
{
    const hairline_params *hairline = params;
    coif_kit_polyline *line = state;
    const coif_status status = coif_kit_polyline_read(line, host, "line", hairline->line);
    line->closed = hairline->closed;
    if (status == COIF_OK && hairline->spline) {
        coif_kit_polyline_smooth(line);
    }
    return status;
}

static void hairline_map(const coif_host *host, const void *state, const void *params,
                         const coif_map_batch *batch)
{
    (void)host;
    const coif_kit_polyline *line = state;
    const hairline_params *hairline = params;
    const coif_kit_vec normal = coif_kit_normalize(
        coif_kit_vec_make(hairline->normal[0], hairline->normal[1], hairline->normal[2]),
        coif_kit_vec_make(0.0f, 1.0f, 0.0f));
    const coif_kit_vec point =
        coif_kit_vec_make(hairline->point[0], hairline->point[1], hairline->point[2]);
    const float width = hairline->width > 1e-6f ? hairline->width : 1e-6f;
    const float frequency = 1.0f / hairline->edge_noise_scale;
    for (int32_t i = 0; i < batch->count; ++i) {
        const coif_kit_vec position = coif_kit_vec_make(batch->x[i], batch->y[i], batch->z[i]);
        const float distance = line->count > 0
                                   ? coif_kit_polyline_closest(line, position).distance
                                   : coif_kit_dot(coif_kit_sub(position, point), normal);
        const float inside = line->count > 0 && hairline->max_distance > 0.0f
                                 ? hairline->max_distance - distance
                                 : distance;
        const float displacement =
            hairline->edge_noise * coif_kit_noise3(position.x * frequency, position.y * frequency,
                                                   position.z * frequency,
                                                   (uint32_t)hairline->seed);
        batch->value[i] = coif_kit_smoothstep((inside + displacement) / width);
    }
}

static const coif_plugin HAIRLINE = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_MAP,
    .id = "density.hairline",
    .version = "1.0.0",
    .help = "Density that falls off towards a plane or a polyline.",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(hairline_params),
    .state_size = sizeof(coif_kit_polyline),
    .init = hairline_init,
    .map = hairline_map,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&HAIRLINE};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
