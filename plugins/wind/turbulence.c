// wind.turbulence: eddies of many sizes, carried by a mean wind and replaced by new ones.
//
//   air = mean + speed curl A(p - mean t, t)
//
// The curl of any field A has no divergence, so air neither piles up nor thins out anywhere (R.
// Bridson et al., Curl-noise for procedural fluid flow, 2007). A is smooth noise in octaves; eddies
// of half the size are slower by 2^(1/3), as in the inertial range of real turbulence (A. N.
// Kolmogorov, 1941). The curl is taken in closed form, not by differences.
#include <coif/noise.h>
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
    coif_kit_float4 value[2], slope[2]; // of the nearer and the farther lattice plane, on one axis
} corner_weights;

static corner_weights weights_at(coif_kit_float4 t)
{
    const coif_kit_float4 ease = coif_kit_ease4(t);
    const coif_kit_float4 slope = 30.0f * t * t * (t - 1.0f) * (t - 1.0f);
    const corner_weights w = {{1.0f - ease, ease}, {-slope, slope}};
    return w;
}

// Three fields that share one word per lattice point.
static void draw_eddies(coif_kit_corners *corners, uint32_t seed)
{
    uint32_t words[8];
    coif_kit_corner_words(corners->cell, seed, words);
    for (uint32_t i = 0; i < 8; ++i) {
        for (uint32_t field = 0; field < 3; ++field) {
            coif_kit_set_edge(corners, field, i, (words[i] >> (8 * field + 4)) % 12u);
        }
    }
}

// The curl of the fields of one cell at four places in it.
static void curl_in(const coif_kit_corners *corners, const coif_kit_float4 heights[12],
                    const corner_weights w[3], coif_kit_float4 curl[3])
{
    coif_kit_float4 slope[3][2] = {{{0.0f}}}; // of each field along the two axes after its own
    for (int c = 0; c < 8; ++c) {
        const int i = c & 1, j = c >> 1 & 1, k = c >> 2;
        const coif_kit_float4 wx = w[0].value[i], wy = w[1].value[j], wz = w[2].value[k];
        const coif_kit_float4 grow[3] = {w[0].slope[i] * wy * wz, wx * w[1].slope[j] * wz,
                                         wx * wy * w[2].slope[k]};
        // The share of a corner by where its edge leads.
        const coif_kit_float4 share = wx * wy * wz, shares[3] = {-share, 0.0f * share, share};
        for (int field = 0; field < 3; ++field) {
            const uint8_t *ways = corners->ways[field][c], *leads = corners->leads[field][c];
            const int a = (field + 1) % 3, b = (field + 2) % 3;
            const coif_kit_float4 height = heights[ways[0]] + heights[ways[1]];
            slope[field][0] += grow[a] * height + shares[leads[a]];
            slope[field][1] += grow[b] * height + shares[leads[b]];
        }
    }
    curl[0] = slope[2][1] - slope[1][0];
    curl[1] = slope[0][1] - slope[2][0];
    curl[2] = slope[1][1] - slope[0][0];
}

// Adds scale times the curl of three noise fields at four places.
static void add_curl(coif_kit_lattice *lattice, const coif_kit_places *places, uint32_t seed,
                     float scale, coif_kit_float4 air[3])
{
    coif_kit_float4 heights[12];
    coif_kit_heights(places, heights);
    const corner_weights w[3] = {weights_at(places->inside[0]), weights_at(places->inside[1]),
                                 weights_at(places->inside[2])};
    uint32_t cell[3];
    coif_kit_int4 left = {-1, -1, -1, -1};
    while (coif_kit_any4(left)) {
        const coif_kit_int4 here = coif_kit_fellows(places, left, cell);
        coif_kit_float4 curl[3];
        curl_in(coif_kit_corners_at(lattice, cell, seed, draw_eddies), heights, w, curl);
        for (int a = 0; a < 3; ++a) {
            air[a] = coif_kit_select4(here, air[a] + scale * curl[a], air[a]);
        }
        left &= ~here;
    }
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

// Eddies of one size and generation.
typedef struct eddies {
    uint32_t seed;
    double cells; // in a metre
    float scale;
} eddies;

static int32_t list_eddies(const turbulence_params *turbulence, double time, eddies list[12])
{
    const generations now = generations_at(turbulence, time);
    float amplitude[6], sum = 0.0f, loudness = 1.0f;
    for (int32_t o = 0; o < turbulence->octaves; ++o) {
        amplitude[o] = loudness;
        sum += loudness * loudness;
        loudness *= 0.79370053f; // 2^(-1/3)
    }
    const float unit = turbulence->speed / (CURL_OF_NOISE * sqrtf(sum));
    double cells = 1.0 / turbulence->size;
    int32_t count = 0;
    for (int32_t o = 0; o < turbulence->octaves && turbulence->speed > 0.0f; ++o) {
        for (uint32_t g = 0; g < 2; ++g) {
            if (now.share[g] > 0.0f) {
                list[count++] =
                    (eddies){.seed = coif_kit_hash((uint32_t)turbulence->seed * 8u + (uint32_t)o,
                                                   now.number + g),
                             .cells = cells,
                             .scale = unit * amplitude[o] * now.share[g]};
            }
        }
        cells *= 2.0;
    }
    return count;
}

static void turbulence_force(const coif_host *host, const void *state, const void *params,
                             const coif_force_batch *batch)
{
    (void)host, (void)state;
    const turbulence_params *turbulence = params;
    const float *const from[3] = {batch->x, batch->y, batch->z};
    eddies list[12];
    const int32_t count = list_eddies(turbulence, batch->time, list);
    coif_kit_lattice lattices[12];
    for (int32_t e = 0; e < count; ++e) {
        coif_kit_lattice_clear(&lattices[e]);
    }
    for (int32_t i = 0; i < batch->count; i += 4) {
        coif_kit_double4 place[3];
        coif_kit_float4 air[3] = {{0.0f}};
        for (int a = 0; a < 3; ++a) {
            place[a] = __builtin_convertvector(coif_kit_load4(from[a], i, batch->count),
                                               coif_kit_double4) -
                       turbulence->velocity[a] * batch->time;
            air[a] += turbulence->velocity[a];
        }
        for (int32_t e = 0; e < count; ++e) {
            coif_kit_places places;
            for (int a = 0; a < 3; ++a) {
                coif_kit_split4(&places, a,
                                __builtin_convertvector(place[a] * list[e].cells, coif_kit_float4));
            }
            add_curl(&lattices[e], &places, list[e].seed, list[e].scale, air);
        }
        coif_kit_add4(batch->wind_x, i, batch->count, air[0]);
        coif_kit_add4(batch->wind_y, i, batch->count, air[1]);
        coif_kit_add4(batch->wind_z, i, batch->count, air[2]);
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
