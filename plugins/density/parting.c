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

#define ROW(field, kind, text, units, a, b, c, lowest, highest)                                    \
    {                                                                                              \
        .name = #field, .help = text, .unit = units, .type = kind,                                 \
        .offset = offsetof(parting_params, field), .fallback = {a, b, c}, .low = lowest,           \
        .high = highest                                                                            \
    }

// clang-format off
static const coif_param PARAMS[] = {
    ROW(start,     COIF_PARAM_VEC3,  "First point of the parting.",                                          "m", 0.03, 0.1, 0.08, -1000, 1000),
    ROW(end,       COIF_PARAM_VEC3,  "Last point of the parting.",                                            "m", 0.03, 0.1, -0.06, -1000, 1000),
    ROW(up,       COIF_PARAM_VEC3,  "Projection direction; distances are measured perpendicular to it.", "",  0, 1, 0, -1, 1),
    ROW(width,    COIF_PARAM_FLOAT, "Width of the bare line.",                                   "m", 0.0015, 0, 0, 0, 1),
    ROW(softness, COIF_PARAM_FLOAT, "Distance beyond the line over which the density rises to 1.",          "m", 0.001, 0, 0, 0, 1),
    ROW(edge_noise,   COIF_PARAM_FLOAT, "Amplitude of the noise that displaces the line.",                                 "m", 0.0015, 0, 0, 0, 1),
    ROW(edge_noise_scale,     COIF_PARAM_FLOAT, "Feature size of the edge noise.",                           "m", 0.02, 0, 0, 1e-4, 10),
    ROW(seed,     COIF_PARAM_INT,   "Seed of the edge noise.",                         "",  1, 0, 0, 0, 1000000),
    ROW(line,     COIF_PARAM_STRING, "Points of a polyline used instead of start and end, as \"x y z, x y z, ...\".", "m", 0, 0, 0, 0, 0),
    ROW(spline,   COIF_PARAM_BOOL,  "Interpolate the points of the polyline with a smooth spline.", "", 0, 0, 0, 0, 0),
};
// clang-format on

static coif_kit_vec up_of(const parting_params *parting)
{
    return coif_kit_normalize(coif_kit_vec_make(parting->up[0], parting->up[1], parting->up[2]),
                              coif_kit_vec_make(0.0f, 1.0f, 0.0f));
}

static coif_status parting_init(const coif_host *host, void *state, const void *params)
{
    const parting_params *parting = params;
    coif_kit_polyline *line = state;
    const coif_status status = coif_kit_polyline_read(line, host, "line", parting->line);
    if (status == COIF_OK && parting->spline) {
        coif_kit_polyline_smooth(line);
    }
    return status;
}

static void parting_map(const coif_host *host, const void *state, const void *params,
                        const coif_map_batch *batch)
{
    (void)host;
    const parting_params *parting = params;
    coif_kit_polyline line = *(const coif_kit_polyline *)state;
    if (line.count == 0) {
        line.count = 2;
        line.points[0] = coif_kit_vec_make(parting->start[0], parting->start[1], parting->start[2]);
        line.points[1] = coif_kit_vec_make(parting->end[0], parting->end[1], parting->end[2]);
    }
    const coif_kit_parting_desc desc = {.line = &line,
                                        .up = up_of(parting),
                                        .amplitude = parting->edge_noise,
                                        .wavelength = parting->edge_noise_scale,
                                        .seed = (uint32_t)parting->seed};
    coif_kit_polyline_project(&line, desc.up);
    const float softness = parting->softness > 1e-7f ? parting->softness : 1e-7f;
    for (int32_t i = 0; i < batch->count; ++i) {
        const coif_kit_parting_sample sample =
            coif_kit_parting_query(&desc, coif_kit_vec_make(batch->x[i], batch->y[i], batch->z[i]));
        const float distance = sqrtf(sample.side * sample.side + sample.past * sample.past);
        batch->value[i] = coif_kit_smoothstep((distance - 0.5f * parting->width) / softness);
    }
}

static const coif_plugin PARTING = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_MAP,
    .id = "density.parting",
    .version = "1.1.0",
    .help = "Bare line where hair is parted.",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(parting_params),
    .state_size = sizeof(coif_kit_polyline),
    .init = parting_init,
    .map = parting_map,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&PARTING};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
