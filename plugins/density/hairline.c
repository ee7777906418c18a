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

#define ROW(...) COIF_PLUGIN_ROW(hairline_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(point, COIF_PARAM_VEC3, 0, "Point on the plane at which hair ends.", "m", 0, 0, 0, -1000, 1000),
    ROW(normal, COIF_PARAM_VEC3, 0, "Normal of the plane; hair grows on the side it points to.", "", 0, 1, 0, -1, 1),
    ROW(line, COIF_PARAM_STRING, 0, "Points of a polyline used instead of the plane, as \"x y z, x y z, ...\".", "m", 0, 0, 0, 0, 0),
    ROW(closed, COIF_PARAM_BOOL, 0, "The polyline is closed.", "", 0, 0, 0, 0, 0),
    ROW(width, COIF_PARAM_FLOAT, 0, "Distance over which the density rises from 0 to 1.", "m", 0.012, 0, 0, 0, 10),
    ROW(edge_noise, COIF_PARAM_FLOAT, 0, "Amplitude of the noise that displaces the edge.", "m", 0.003, 0, 0, 0, 1),
    ROW(edge_noise_scale, COIF_PARAM_FLOAT, 0, "Feature size of the edge noise.", "m", 0.01, 0, 0, 1e-4, 10),
    ROW(seed, COIF_PARAM_INT, 0, "Seed of the edge noise.", "", 1, 0, 0, 0, 1000000),
    ROW(max_distance, COIF_PARAM_FLOAT, 0, "Hair grows only within this distance of the polyline; 0 grows hair away from it.", "m", 0, 0, 0, 0, 10),
    ROW(spline, COIF_PARAM_BOOL, 0, "Interpolate the points of the polyline with a smooth spline.", "", 0, 0, 0, 0, 0),
};
// clang-format on

static coif_status hairline_init(const coif_host *host, void *state, const void *params)
{
    const hairline_params *hairline = params;
    coif_kit_polyline *line = state;
    line->closed = hairline->closed;
    return coif_kit_polyline_init(line, host, "line", hairline->line, hairline->spline);
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
    COIF_PLUGIN_HEAD(COIF_KIND_MAP, "density.hairline", "1.0.0",
                     "Density that falls off towards a plane or a polyline.", PARAMS,
                     hairline_params),
    .state_size = sizeof(coif_kit_polyline),
    .init = hairline_init,
    .map = hairline_map,
};

COIF_PLUGIN_ENTRY(HAIRLINE)
