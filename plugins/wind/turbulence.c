// wind.turbulence: eddies of many sizes, carried by a mean wind and replaced by new ones.
//
//   air = mean + speed curl A(p - mean t, t)
//
// The curl of any field A has no divergence, so air neither piles up nor thins out anywhere (R.
// Bridson et al., Curl-noise for procedural fluid flow, 2007). A is smooth noise in octaves; eddies
// of half the size are slower by 2^(1/3), as in the inertial range of real turbulence (A. N.
// Kolmogorov, 1941). The curl is taken in closed form, not by differences.
#include <coif/exact.h>
#include <coif/plugin.h>

typedef struct turbulence_params {
    float velocity[3];
    float speed;
    float size;
    int32_t octaves;
    float life;
    int32_t seed;
} turbulence_params;

#define ROW(field, kind, text, units, a, b, c, lowest, highest)                                    \
    {                                                                                              \
        .name = #field, .help = text, .unit = units, .type = kind,                                 \
        .offset = offsetof(turbulence_params, field), .fallback = {a, b, c}, .low = lowest,        \
        .high = highest                                                                            \
    }

// clang-format off
static const coif_param PARAMS[] = {
    ROW(velocity, COIF_PARAM_VEC3,  "mean wind, which carries the eddies along",               "m/s", 1, 0, 0, -100, 100),
    ROW(speed,    COIF_PARAM_FLOAT, "root of the mean square of the eddies' speed",            "m/s", 1, 0, 0,    0,  50),
    ROW(size,     COIF_PARAM_FLOAT, "size of the largest eddies",                              "m", 0.3, 0, 0, 0.01, 100),
    ROW(octaves,  COIF_PARAM_INT,   "sizes of eddies, each half the one before",               "",    2, 0, 0,    1,   6),
    ROW(life,     COIF_PARAM_FLOAT, "seconds until eddies are replaced by others; 0: never",   "s",   1, 0, 0,    0, 1000),
    ROW(seed,     COIF_PARAM_INT,   "another number gives other eddies",                       "",    1, 0, 0,    0, 1000000),
};
// clang-format on

// The root of the mean square of the curl of three unit noises, measured.
static const float CURL_OF_NOISE = 1.724f;

typedef struct corner_weights {
    float value[2], slope[2]; // of the nearer and the farther lattice plane, along one axis
} corner_weights;

static corner_weights weights_at(float t)
{
    const float ease = coif_kit_ease(t);
    const float slope = 30.0f * t * t * (t - 1.0f) * (t - 1.0f);
    const corner_weights w = {{1.0f - ease, ease}, {-slope, slope}};
    return w;
}

// One of the twelve edges of a cube as a vector.
static void edge_of(uint32_t word, float edge[3])
{
    const uint32_t e = word % 12u;
    const uint32_t a = e < 8 ? 0 : 1, b = e < 4 ? 1 : 2;
    edge[0] = edge[1] = edge[2] = 0.0f;
    edge[a] = (e & 1) ? 1.0f : -1.0f;
    edge[b] = (e & 2) ? 1.0f : -1.0f;
}

// Adds scale times the curl of three noise fields at p. They share one word per lattice point.
static void add_curl(const float p[3], uint32_t seed, float scale, float curl[3])
{
    float t[3];
    uint32_t cell[3];
    corner_weights w[3];
    for (int a = 0; a < 3; ++a) {
        cell[a] = (uint32_t)coif_kit_cell(p[a], &t[a]);
        w[a] = weights_at(t[a]);
    }
    float slope[3][3] = {{0.0f}}; // of field, along axis
    for (uint32_t k = 0; k < 2; ++k) {
        const uint32_t plane = coif_kit_hash(cell[2] + k, seed);
        for (uint32_t j = 0; j < 2; ++j) {
            const uint32_t row = coif_kit_hash(cell[1] + j + plane, seed);
            for (uint32_t i = 0; i < 2; ++i) {
                const uint32_t word = coif_kit_hash(cell[0] + i + row, seed);
                const float away[3] = {t[0] - (float)i, t[1] - (float)j, t[2] - (float)k};
                const float wx = w[0].value[i], wy = w[1].value[j], wz = w[2].value[k];
                const float grow[3] = {w[0].slope[i] * wy * wz, wx * w[1].slope[j] * wz,
                                       wx * wy * w[2].slope[k]};
                const float share = wx * wy * wz;
                for (uint32_t f = 0; f < 3; ++f) {
                    float edge[3];
                    edge_of(word >> (8 * f + 4), edge);
                    const float height = edge[0] * away[0] + edge[1] * away[1] + edge[2] * away[2];
                    for (int a = 0; a < 3; ++a) {
                        slope[f][a] += grow[a] * height + share * edge[a];
                    }
                }
            }
        }
    }
    curl[0] += scale * (slope[2][1] - slope[1][2]);
    curl[1] += scale * (slope[0][2] - slope[2][0]);
    curl[2] += scale * (slope[1][0] - slope[0][1]);
}

// Two generations of eddies, the old one dying out while the new one grows. Their shares keep the
// mean square.
typedef struct generations {
    uint32_t number;
    float share[2];
} generations;

static generations generations_at(const turbulence_params *turbulence, double time)
{
    generations now = {0, {1.0f, 0.0f}};
    if (turbulence->life > 0.0f) {
        const double lives = time / turbulence->life;
        const float share = coif_kit_smooth((float)(lives - floor(lives)));
        now.number = (uint32_t)(int64_t)floor(lives);
        now.share[0] = coif_kit_cos(0.25f * COIF_KIT_TAU * share);
        now.share[1] = coif_kit_sin(0.25f * COIF_KIT_TAU * share);
    }
    return now;
}

static void turbulence_force(const coif_host *host, const void *state, const void *params,
                             const coif_force_batch *batch)
{
    (void)host, (void)state;
    const turbulence_params *turbulence = params;
    const generations now = generations_at(turbulence, batch->time);

    float amplitude[6], sum = 0.0f, loudness = 1.0f;
    for (int32_t o = 0; o < turbulence->octaves; ++o) {
        amplitude[o] = loudness;
        sum += loudness * loudness;
        loudness *= 0.79370053f; // 2^(-1/3)
    }
    const float unit = turbulence->speed / (CURL_OF_NOISE * sqrtf(sum));

    for (int32_t i = 0; i < batch->count; ++i) {
        const double place[3] = {batch->x[i] - turbulence->velocity[0] * batch->time,
                                 batch->y[i] - turbulence->velocity[1] * batch->time,
                                 batch->z[i] - turbulence->velocity[2] * batch->time};
        float air[3] = {turbulence->velocity[0], turbulence->velocity[1], turbulence->velocity[2]};
        double cells = 1.0 / turbulence->size;
        for (int32_t o = 0; o < turbulence->octaves && turbulence->speed > 0.0f; ++o) {
            const float p[3] = {(float)(place[0] * cells), (float)(place[1] * cells),
                                (float)(place[2] * cells)};
            for (uint32_t g = 0; g < 2; ++g) {
                if (now.share[g] > 0.0f) {
                    const uint32_t seed = coif_kit_hash(
                        (uint32_t)turbulence->seed * 8u + (uint32_t)o, now.number + g);
                    add_curl(p, seed, unit * amplitude[o] * now.share[g], air);
                }
            }
            cells *= 2.0;
        }
        batch->wind_x[i] += air[0];
        batch->wind_y[i] += air[1];
        batch->wind_z[i] += air[2];
    }
}

static const coif_plugin TURBULENCE = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_FORCE,
    .id = "wind.turbulence",
    .version = "1.0.0",
    .help = "eddies of many sizes in a mean wind",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(turbulence_params),
    .force = turbulence_force,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&TURBULENCE};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
