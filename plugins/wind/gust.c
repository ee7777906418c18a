// wind.gust: a steady wind that swells and falls, with squalls that drift along with it.
//
//   air = mean (1 + swell sin(2 pi t / period)) + squall noise((p - mean t) / size)
//
// The squalls are a field of smooth noise that is frozen and carried by the mean wind (G. I.
// Taylor, The spectrum of turbulence, 1938), so neighbouring strands feel nearly the same push.
#include <coif/noise.h>
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

// Squalls at four points of a batch, from the i-th on.
static void squalls_at(coif_kit_lattice *lattice, const gust_params *gust,
                       const coif_force_batch *batch, int32_t i, coif_kit_float4 squall[3])
{
    const float *const from[3] = {batch->x, batch->y, batch->z};
    const double cells = 1.0 / gust->size;
    coif_kit_places places;
    for (int a = 0; a < 3; ++a) {
        const coif_kit_double4 x =
            __builtin_convertvector(coif_kit_load4(from[a], i, batch->count), coif_kit_double4);
        const double blown = gust->velocity[a] * batch->time;
        coif_kit_split4(&places, a, __builtin_convertvector((x - blown) * cells, coif_kit_float4));
    }
    coif_kit_noise_fields(lattice, &places, 3u * (uint32_t)gust->seed, squall);
    for (int a = 0; a < 3; ++a) {
        squall[a] = gust->squall * squall[a];
    }
}

static void gust_force(const coif_host *host, const void *state, const void *params,
                       const coif_force_batch *batch)
{
    (void)host, (void)state; // a pure function of time and place: nothing to remember between calls
    const gust_params *gust = params;
    const double turns = batch->time / gust->period;
    const float swell =
        1.0f + gust->swell * coif_kit_sin(COIF_KIT_TAU * (float)(turns - floor(turns)));
    coif_kit_lattice lattice;
    coif_kit_lattice_clear(&lattice);
    for (int32_t i = 0; i < batch->count; i += 4) {
        coif_kit_float4 squall[3] = {{0.0f}};
        if (gust->squall > 0.0f) {
            squalls_at(&lattice, gust, batch, i, squall);
        }
        coif_kit_add4(batch->wind_x, i, batch->count, gust->velocity[0] * swell + squall[0]);
        coif_kit_add4(batch->wind_y, i, batch->count, gust->velocity[1] * swell + squall[1]);
        coif_kit_add4(batch->wind_z, i, batch->count, gust->velocity[2] * swell + squall[2]);
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
