// density.parting: zero density along a parting.
//
// The parting is a line through two or more points, projected onto the scalp along `up` and
// displaced by noise. groom.part combs hair away from the same line.
#include <coif/polyline.h>

typedef struct parting_params {
    float start[3];
    float end[3];
    float up[3];
    float width;
    float softness;
    float edge_noise;
    float edge_noise_scale;
    int32_t seed;
    const char *line;
    int32_t spline;
} parting_params;

#define ROW(...) COIF_PLUGIN_ROW(parting_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(start, COIF_PARAM_VEC3, 0, "First point of the parting.", "m", 0.03, 0.1, 0.08, -1000, 1000),
    ROW(end, COIF_PARAM_VEC3, 0, "Last point of the parting.", "m", 0.03, 0.1, -0.06, -1000, 1000),
    ROW(up, COIF_PARAM_VEC3, 0, "Projection direction; distances are measured perpendicular to it.", "", 0, 1, 0, -1, 1),
    ROW(width, COIF_PARAM_FLOAT, 0, "Width of the bare line.", "m", 0.0015, 0, 0, 0, 1),
    ROW(softness, COIF_PARAM_FLOAT, 0, "Distance beyond the line over which the density rises to 1.", "m", 0.001, 0, 0, 0, 1),
    ROW(edge_noise, COIF_PARAM_FLOAT, 0, "Amplitude of the noise that displaces the line.", "m", 0.0015, 0, 0, 0, 1),
    ROW(edge_noise_scale, COIF_PARAM_FLOAT, 0, "Feature size of the edge noise.", "m", 0.02, 0, 0, 1e-4, 10),
    ROW(seed, COIF_PARAM_INT, 0, "Seed of the edge noise.", "", 1, 0, 0, 0, 1000000),
    ROW(line, COIF_PARAM_STRING, 0, "Points of a polyline used instead of start and end, as \"x y z, x y z, ...\".", "m", 0, 0, 0, 0, 0),
    ROW(spline, COIF_PARAM_BOOL, 0, "Interpolate the points of the polyline with a smooth spline.", "", 0, 0, 0, 0, 0),
};
// clang-format on

static coif_status parting_init(const coif_host *host, void *state, const void *params)
{
    const parting_params *parting = params;
    return coif_kit_polyline_init(state, host, "line", parting->line, parting->spline);
}

static void parting_map(const coif_host *host, const void *state, const void *params,
                        const coif_map_batch *batch)
{
    (void)host;
    const parting_params *parting = params;
    coif_kit_polyline line = *(const coif_kit_polyline *)state;
    coif_kit_parting_desc desc = {.amplitude = parting->edge_noise,
                                  .wavelength = parting->edge_noise_scale,
                                  .seed = (uint32_t)parting->seed};
    coif_kit_parting_init(&desc, &line, parting->start, parting->end, parting->up);
    const float softness = parting->softness > 1e-7f ? parting->softness : 1e-7f;
    for (int32_t i = 0; i < batch->count; ++i) {
        const coif_kit_parting_sample sample =
            coif_kit_parting_query(&desc, coif_kit_vec_make(batch->x[i], batch->y[i], batch->z[i]));
        const float distance = sqrtf(sample.side * sample.side + sample.past * sample.past);
        batch->value[i] = coif_kit_smoothstep((distance - 0.5f * parting->width) / softness);
    }
}

static const coif_plugin PARTING = {
    COIF_PLUGIN_HEAD(COIF_KIND_MAP, "density.parting", "1.1.0", "Bare line where hair is parted.",
                     PARAMS, parting_params),
    .state_size = sizeof(coif_kit_polyline),
    .init = parting_init,
    .map = parting_map,
};

COIF_PLUGIN_ENTRY(PARTING)
