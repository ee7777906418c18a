// density.parting: a bare line on the scalp, where hair is parted.
//
// The line is what an upright sheet through two places cuts out of the scalp; its sides wander a
// little, as no comb draws a straight line.
#include <coif/strand.h>

typedef struct parting_params {
    float from[3];
    float to[3];
    float up[3];
    float width;
    float softness;
    float ragged;
    float size;
    int32_t seed;
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
};
// clang-format on

static void parting_map(const coif_host *host, const void *state, const void *params,
                        const coif_map_batch *batch)
{
    (void)host, (void)state;
    const parting_params *parting = params;
    const coif_kit_vec from = coif_kit_vec_of(parting->from[0], parting->from[1], parting->from[2]);
    const coif_kit_vec to = coif_kit_vec_of(parting->to[0], parting->to[1], parting->to[2]);
    const coif_kit_vec up =
        coif_kit_direction(coif_kit_vec_of(parting->up[0], parting->up[1], parting->up[2]),
                           coif_kit_vec_of(0.0f, 1.0f, 0.0f));
    // Everything is looked at from above.
    const coif_kit_vec slant = coif_kit_sub(to, from);
    const coif_kit_vec along = coif_kit_mad(slant, -coif_kit_dot(slant, up), up);
    const float length = coif_kit_length(along);
    const coif_kit_vec ahead = coif_kit_direction(along, coif_kit_any_across(up));
    const coif_kit_vec aside = coif_kit_cross(up, ahead);
    const float softness = parting->softness > 1e-7f ? parting->softness : 1e-7f;

    for (int32_t i = 0; i < batch->count; ++i) {
        const coif_kit_vec away =
            coif_kit_sub(coif_kit_vec_of(batch->x[i], batch->y[i], batch->z[i]), from);
        const float run = coif_kit_dot(away, ahead);
        const float wander =
            parting->ragged * coif_kit_noise1(run / parting->size, (uint32_t)parting->seed);
        const float side = coif_kit_dot(away, aside) + wander;
        const float past = run - coif_kit_clamp(run, 0.0f, length);
        const float distance = sqrtf(side * side + past * past);
        batch->value[i] = coif_kit_smooth((distance - 0.5f * parting->width) / softness);
    }
}

static const coif_plugin PARTING = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_MAP,
    .id = "density.parting",
    .version = "1.0.0",
    .help = "a bare line where hair is parted",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(parting_params),
    .map = parting_map,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&PARTING};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
