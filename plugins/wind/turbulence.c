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
    float rms_speed;
    float scale;
    int32_t octaves;
    float lifetime;
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
    ROW(velocity, COIF_PARAM_VEC3,  "Mean wind velocity, which advects the eddies.",               "m/s", 1, 0, 0, -100, 100),
    ROW(rms_speed,    COIF_PARAM_FLOAT, "Root mean square speed of the turbulence.",            "m/s", 1, 0, 0,    0,  50),
    ROW(scale,     COIF_PARAM_FLOAT, "Size of the largest eddies.",                              "m", 0.3, 0, 0, 0.01, 100),
    ROW(octaves,  COIF_PARAM_INT,   "Number of octaves of eddies, each half the size of the one before.",               "",    2, 0, 0,    1,   6),
    ROW(lifetime,     COIF_PARAM_FLOAT, "Lifetime of an eddy; 0 means that eddies do not change.",   "s",   1, 0, 0,    0, 1000),
    ROW(seed,     COIF_PARAM_INT,   "Seed of the turbulence.",                       "",    1, 0, 0,    0, 1000000),
};
// clang-format on

// The root of the mean square of the curl of three unit noises, measured.
static const float CURL_OF_NOISE = 1.724f;

// What a corner of a cell counts at eight places, wherever the cell is.
typedef struct corner_weights {
    coif_kit_f32x8 grow[3];   // slope on each axis
    coif_kit_f32x8 shares[3]; // by where the edge of the corner leads: back, not along, there
} corner_weights;

COIF_KIT_INLINE void weigh(const coif_kit_lattice_points *places, corner_weights weights[8])
{
    coif_kit_f32x8 value[3][2], slope[3][2]; // of the nearer and the farther lattice plane
    coif_kit_f32x8 ease[3];
    coif_kit_fade8(places, ease);
    for (int a = 0; a < 3; ++a) {
        const coif_kit_f32x8 t = places->inside[a];
        value[a][0] = 1.0f - ease[a];
        value[a][1] = ease[a];
        slope[a][1] = 30.0f * t * t * (t - 1.0f) * (t - 1.0f);
        slope[a][0] = -slope[a][1];
    }
    for (int c = 0; c < 8; ++c) {
        const int i = c & 1, j = c >> 1 & 1, k = c >> 2;
        const coif_kit_f32x8 wx = value[0][i], wy = value[1][j], wz = value[2][k];
        corner_weights *w = &weights[c];
        w->grow[0] = slope[0][i] * wy * wz;
        w->grow[1] = wx * slope[1][j] * wz;
        w->grow[2] = wx * wy * slope[2][k];
        w->shares[2] = wx * wy * wz;
        w->shares[1] = 0.0f * w->shares[2];
        w->shares[0] = -w->shares[2];
    }
}

// Three fields that share one word per lattice point.
COIF_KIT_INLINE void draw_eddies(coif_kit_cell_gradients *corners, uint32_t seed)
{
    coif_kit_u32x8 words;
    coif_kit_corner_hashes(corners->cell, seed, &words);
    for (int field = 0; field < 3; ++field) {
        const coif_kit_u32x8 edges = (words >> (8 * field + 4)) % 12u;
        coif_kit_set_gradients(corners, field, &edges);
    }
}

// The curl of the fields of one cell at eight places in it.
COIF_KIT_INLINE void curl_in(const coif_kit_cell_gradients *corners,
                             const coif_kit_f32x8 heights[12], const corner_weights weights[8],
                             coif_kit_f32x8 curl[3])
{
    coif_kit_f32x8 slope[3][2]; // of each field along the two axes after its own
    for (int field = 0; field < 3; ++field) {
        const int a = (field + 1) % 3, b = (field + 2) % 3;
        coif_kit_f32x8 along_a = {0.0f}, along_b = {0.0f};
        for (int c = 0; c < 8; ++c) {
            const uint32_t edge = corners->slopes[field][c];
            const corner_weights *w = &weights[c];
            coif_kit_f32x8 height;
            coif_kit_gradient_dot(&height, edge, heights);
            along_a += w->grow[a] * height + *coif_kit_select(w->shares, edge, 2);
            along_b += w->grow[b] * height + *coif_kit_select(w->shares, edge, 3);
        }
        slope[field][0] = along_a;
        slope[field][1] = along_b;
    }
    curl[0] = slope[2][1] - slope[1][0];
    curl[1] = slope[0][1] - slope[2][0];
    curl[2] = slope[1][1] - slope[0][0];
}

// Adds scale times the curl of three noise fields at eight places.
COIF_KIT_INLINE void add_curl(coif_kit_lattice *lattice, const coif_kit_lattice_points *places,
                              uint32_t seed, float scale, coif_kit_f32x8 air[3])
{
    coif_kit_f32x8 heights[12];
    coif_kit_corner_offsets(places, heights);
    corner_weights weights[8];
    weigh(places, weights);
    coif_kit_cell_iterator visit;
    coif_kit_cell_iterator_begin(&visit);
    while (coif_kit_cell_iterator_next(&visit, places)) {
        coif_kit_f32x8 curl[3];
        curl_in(coif_kit_cell_gradients_at(lattice, visit.cell, seed, draw_eddies), heights,
                weights, curl);
        for (int a = 0; a < 3; ++a) {
            const coif_kit_f32x8 sum = air[a] + scale * curl[a];
            coif_kit_blend_mask(&air[a], &visit.here, &sum);
        }
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
    if (turbulence->lifetime > 0.0f) {
        const double lives = time / turbulence->lifetime;
        const float share = coif_kit_smoothstep((float)(lives - floor(lives)));
        now.number = (uint32_t)(int64_t)floor(lives);
        now.share[0] = coif_kit_cos(0.25f * COIF_KIT_TAU * share);
        now.share[1] = coif_kit_sin(0.25f * COIF_KIT_TAU * share);
    }
    return now;
}

// Eddies of one size and generation.
typedef struct eddies {
    uint32_t seed;
    float scale;
    coif_kit_f64x8 cells; // in a metre, eight times the same
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
    const float unit = turbulence->rms_speed / (CURL_OF_NOISE * sqrtf(sum));
    const coif_kit_f64x8 none = {0.0};
    double cells = 1.0 / turbulence->scale;
    int32_t count = 0;
    for (int32_t o = 0; o < turbulence->octaves && turbulence->rms_speed > 0.0f; ++o) {
        for (uint32_t g = 0; g < 2; ++g) {
            if (now.share[g] > 0.0f) {
                list[count++] =
                    (eddies){.seed = coif_kit_hash((uint32_t)turbulence->seed * 8u + (uint32_t)o,
                                                   now.number + g),
                             .scale = unit * amplitude[o] * now.share[g],
                             .cells = none + cells};
            }
        }
        cells *= 2.0;
    }
    return count;
}

// What is the same at all points of a batch.
typedef struct weather {
    float mean[3];
    coif_kit_f64x8 blown[3]; // how far eddies have come, eight times the same
    eddies list[12];
    int32_t count;
} weather;

COIF_KIT_INLINE void blow(const weather *now, const coif_force_batch *batch)
{
    const float *const from[3] = {batch->x, batch->y, batch->z};
    float *const wind[3] = {batch->wind_x, batch->wind_y, batch->wind_z};
    coif_kit_lattice lattices[12];
    for (int32_t e = 0; e < now->count; ++e) {
        coif_kit_lattice_clear(&lattices[e]);
    }
    for (int32_t i = 0; i < batch->count; i += COIF_KIT_LANES) {
        const coif_kit_f32x8 none = {0.0f};
        coif_kit_f64x8 place[3];
        coif_kit_f32x8 air[3];
        for (int a = 0; a < 3; ++a) {
            coif_kit_f32x8 x;
            coif_kit_load_partial(&x, from[a] + i, batch->count - i);
            place[a] = __builtin_convertvector(x, coif_kit_f64x8) - now->blown[a];
            air[a] = none + now->mean[a];
        }
        for (int32_t e = 0; e < now->count; ++e) {
            const eddies *some = &now->list[e];
            coif_kit_lattice_points places;
            for (int a = 0; a < 3; ++a) {
                const coif_kit_f32x8 x =
                    __builtin_convertvector(place[a] * some->cells, coif_kit_f32x8);
                coif_kit_lattice_split(&places, a, &x);
            }
            add_curl(&lattices[e], &places, some->seed, some->scale, air);
        }
        for (int a = 0; a < 3; ++a) {
            coif_kit_add_partial(wind[a] + i, batch->count - i, &air[a]);
        }
    }
}

COIF_KIT_AVX2 static void blow_avx2(const weather *now, const coif_force_batch *batch)
{
    blow(now, batch);
}

static void blow_any(const weather *now, const coif_force_batch *batch)
{
    blow(now, batch);
}

static void turbulence_force(const coif_host *host, const void *state, const void *params,
                             const coif_force_batch *batch)
{
    (void)host, (void)state;
    const turbulence_params *turbulence = params;
    const coif_kit_f64x8 none = {0.0};
    weather now;
    now.count = list_eddies(turbulence, batch->time, now.list);
    for (int a = 0; a < 3; ++a) {
        now.mean[a] = turbulence->velocity[a];
        now.blown[a] = none + turbulence->velocity[a] * batch->time;
    }
    coif_kit_has_avx2() ? blow_avx2(&now, batch) : blow_any(&now, batch);
}

static const coif_plugin TURBULENCE = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_FORCE,
    .id = "wind.turbulence",
    .version = "1.0.0",
    .help = "Divergence-free turbulence of several scales in a mean wind.",
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
