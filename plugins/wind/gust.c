// wind.gust: a steady wind that swells and falls, with squalls that drift along with it.
//
//   air = mean (1 + swell sin(2 pi t / period)) + squall noise((p - mean t) / size)
//
// The squalls are a field of smooth noise that is frozen and carried by the mean wind (G. I.
// Taylor, The spectrum of turbulence, 1938), so neighbouring strands feel nearly the same push.
#include <coif/exact.h>
#include <coif/plugin.h>

typedef struct gust_params {
    float velocity[3];
    float swell;
    float period;
    float squall;
    float size;
    int32_t seed;
} gust_params;

#define ROW(field, kind, text, units, a, b, c, lowest, highest)                                    \
    {                                                                                              \
        .name = #field, .help = text, .unit = units, .type = kind,                                 \
        .offset = offsetof(gust_params, field), .fallback = {a, b, c}, .low = lowest,              \
        .high = highest                                                                            \
    }

// clang-format off
static const coif_param PARAMS[] = {
    ROW(velocity, COIF_PARAM_VEC3,  "mean wind",                              "m/s", 2, 0, 0, -100, 100),
    ROW(swell,    COIF_PARAM_FLOAT, "slow swell, as a share of the mean",     "",  0.5, 0, 0,    0,   1),
    ROW(period,   COIF_PARAM_FLOAT, "seconds between two swells",             "s",   3, 0, 0,  0.1,  60),
    ROW(squall,   COIF_PARAM_FLOAT, "largest speed of the squalls",           "m/s", 1, 0, 0,    0,  50),
    ROW(size,     COIF_PARAM_FLOAT, "distance from one squall to the next",   "m", 0.5, 0, 0, 0.01, 100),
    ROW(seed,     COIF_PARAM_INT,   "another number gives other squalls",     "",    1, 0, 0,    0, 1000000),
};
// clang-format on

static void gust_force(const coif_host *host, const void *state, const void *params,
                       const coif_force_batch *batch)
{
    (void)host, (void)state; // a pure function of time and place: nothing to remember between calls
    const gust_params *gust = params;
    const double turns = batch->time / gust->period;
    const float swell =
        1.0f + gust->swell * coif_kit_sin(COIF_KIT_TAU * (float)(turns - floor(turns)));
    const double blown[3] = {gust->velocity[0] * batch->time, gust->velocity[1] * batch->time,
                             gust->velocity[2] * batch->time};
    const double cells = 1.0 / gust->size;
    const uint32_t seed = 3u * (uint32_t)gust->seed;

    for (int32_t i = 0; i < batch->count; ++i) {
        float squall[3] = {0.0f, 0.0f, 0.0f};
        if (gust->squall > 0.0f) {
            const float x = (float)((batch->x[i] - blown[0]) * cells);
            const float y = (float)((batch->y[i] - blown[1]) * cells);
            const float z = (float)((batch->z[i] - blown[2]) * cells);
            for (uint32_t k = 0; k < 3; ++k) {
                squall[k] = gust->squall * coif_kit_noise3(x, y, z, seed + k);
            }
        }
        batch->wind_x[i] += gust->velocity[0] * swell + squall[0];
        batch->wind_y[i] += gust->velocity[1] * swell + squall[1];
        batch->wind_z[i] += gust->velocity[2] * swell + squall[2];
    }
}

static const coif_plugin GUST = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_FORCE,
    .id = "wind.gust",
    .version = "1.0.0",
    .help = "a wind with a slow swell and drifting squalls",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(gust_params),
    .force = gust_force,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&GUST};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
