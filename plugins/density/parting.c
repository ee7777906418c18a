// density.parting: a bare line on the scalp, where hair is parted.
//
// The line is what an upright sheet through two places, or along a line of more, cuts out of the
// scalp; its sides wander a little. groom.part combs hair away from one.
#include <coif/polyline.h>

typedef struct parting_params {
    float from[3];
    float to[3];
    float up[3];
    float width;
    float softness;
    float ragged;
    float size;
    int32_t seed;
    const char *line;
    int32_t smooth;
} parting_params;

#define ROW(field, kind, text, units, a, b, c, lowest, highest)                                    \
    {                                                                                              \
        .name = #field, .help = text, .unit = units, .type = kind,                                 \
        .offset = offsetof(parting_params, field), .fallback = {a, b, c}, .low = lowest,           \
        .high = highest                                                                            \
    }

// clang-format off
static const coif_param PARAMS[] = {
    ROW(from,     COIF_PARAM_VEC3,  "where it begins",                                          "m", 0.03, 0.1, 0.08, -1000, 1000),
    ROW(to,       COIF_PARAM_VEC3,  "where it ends",                                            "m", 0.03, 0.1, -0.06, -1000, 1000),
    ROW(up,       COIF_PARAM_VEC3,  "direction in which the height of a place does not matter", "",  0, 1, 0, -1, 1),
    ROW(width,    COIF_PARAM_FLOAT, "width of the bare line",                                   "m", 0.0015, 0, 0, 0, 1),
    ROW(softness, COIF_PARAM_FLOAT, "distance beyond it over which hair becomes full",          "m", 0.001, 0, 0, 0, 1),
    ROW(ragged,   COIF_PARAM_FLOAT, "how far the line wanders",                                 "m", 0.0015, 0, 0, 0, 1),
    ROW(size,     COIF_PARAM_FLOAT, "distance over which it wanders",                           "m", 0.02, 0, 0, 1e-4, 10),
    ROW(seed,     COIF_PARAM_INT,   "another number wanders otherwise",                         "",  1, 0, 0, 0, 1000000),
    ROW(line,     COIF_PARAM_STRING, "instead of from and to: points of a line, as \"x y z, x y z, ...\"", "m", 0, 0, 0, 0, 0),
    ROW(smooth,   COIF_PARAM_BOOL,  "a curve through the points of the line, not straight pieces", "", 0, 0, 0, 0, 0),
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
    if (status == COIF_OK && parting->smooth) {
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
        line.points[0] = coif_kit_vec_make(parting->from[0], parting->from[1], parting->from[2]);
        line.points[1] = coif_kit_vec_make(parting->to[0], parting->to[1], parting->to[2]);
    }
    const coif_kit_parting_desc way = {.line = &line,
                                       .up = up_of(parting),
                                       .ragged = parting->ragged,
                                       .size = parting->size,
                                       .seed = (uint32_t)parting->seed};
    coif_kit_polyline_project(&line, way.up);
    const float softness = parting->softness > 1e-7f ? parting->softness : 1e-7f;
    for (int32_t i = 0; i < batch->count; ++i) {
        const coif_kit_parting_sample parted =
            coif_kit_parting_query(&way, coif_kit_vec_make(batch->x[i], batch->y[i], batch->z[i]));
        const float distance = sqrtf(parted.side * parted.side + parted.past * parted.past);
        batch->value[i] = coif_kit_smoothstep((distance - 0.5f * parting->width) / softness);
    }
}

static const coif_plugin PARTING = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_MAP,
    .id = "density.parting",
    .version = "1.1.0",
    .help = "a bare line where hair is parted",
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
