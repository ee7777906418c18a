// wind.turbulence: divergence-free curl noise advected by a mean wind, with finite eddy lifetime.
//
//   air = mean + speed curl A(p - mean t, t)
//
// The curl of a potential A is divergence-free (R. Bridson et al., Curl-noise for procedural fluid
// flow, 2007). A is gradient noise in octaves; eddies of half the size are slower by 2^(1/3), as in
// the inertial range of turbulence (A. N. Kolmogorov, 1941). The curl is computed analytically.
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

#define ROW(...) COIF_PLUGIN_ROW(turbulence_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(velocity, COIF_PARAM_VEC3, 0, "Mean wind velocity, which advects the eddies.", "m/s", 1, 0, 0, -100, 100),
    ROW(rms_speed, COIF_PARAM_FLOAT, 0, "Root mean square speed of the turbulence.", "m/s", 1, 0, 0, 0, 50),
    ROW(scale, COIF_PARAM_FLOAT, 0, "Size of the largest eddies.", "m", 0.3, 0, 0, 0.01, 100),
    ROW(octaves, COIF_PARAM_INT, 0, "Number of octaves of eddies, each half the size of the one before.", "", 2, 0, 0, 1, 6),
    ROW(lifetime, COIF_PARAM_FLOAT, 0, "Lifetime of an eddy; 0 means that eddies do not change.", "s", 1, 0, 0, 0, 1000),
    ROW(seed, COIF_PARAM_INT, 0, "Seed of the turbulence.", "", 1, 0, 0, 0, 1000000),
};
// clang-format on

// RMS of the curl of three unit noise fields, measured.
static const float CURL_RMS = 1.724f;

// Interpolation weights of a cell corner at eight points.
typedef struct corner_weights {
    coif_kit_f32x8 derivative[3];    // of the weight along each axis
    coif_kit_f32x8 signed_weight[3]; // weight times gradient component -1, 0, +1
} corner_weights;

COIF_KIT_INLINE void corner_weights_at(const coif_kit_lattice_points *points,
                                       corner_weights weights[8])
{
    coif_kit_f32x8 value[3][2], derivatives[3][2]; // of the lattice plane below and above
    coif_kit_f32x8 fade[3];
    coif_kit_fade8(points, fade);
    for (int a = 0; a < 3; ++a) {
        const coif_kit_f32x8 t = points->fraction[a];
        value[a][0] = 1.0f - fade[a];
        value[a][1] = fade[a];
        derivatives[a][1] = 30.0f * t * t * (t - 1.0f) * (t - 1.0f);
        derivatives[a][0] = -derivatives[a][1];
    }
    for (int c = 0; c < 8; ++c) {
        const int i = c & 1, j = c >> 1 & 1, k = c >> 2;
        const coif_kit_f32x8 wx = value[0][i], wy = value[1][j], wz = value[2][k];
        corner_weights *w = &weights[c];
        w->derivative[0] = derivatives[0][i] * wy * wz;
        w->derivative[1] = wx * derivatives[1][j] * wz;
        w->derivative[2] = wx * wy * derivatives[2][k];
        w->signed_weight[2] = wx * wy * wz;
        w->signed_weight[1] = 0.0f * w->signed_weight[2];
        w->signed_weight[0] = -w->signed_weight[2];
    }
}

// Gradients of three potential components from one hash per lattice point.
COIF_KIT_INLINE void init_eddy_gradients(coif_kit_cell_gradients *corners, uint32_t seed)
{
    coif_kit_u32x8 hashes;
    coif_kit_corner_hashes(corners->cell, seed, &hashes);
    for (int field = 0; field < 3; ++field) {
        const coif_kit_u32x8 edges = (hashes >> (8 * field + 4)) % 12u;
        coif_kit_set_gradients(corners, field, &edges);
    }
}

// Curl of the potential within one cell, at eight points.
COIF_KIT_INLINE void cell_curl(const coif_kit_cell_gradients *corners,
                               const coif_kit_f32x8 offsets[12], const corner_weights weights[8],
                               coif_kit_f32x8 curl[3])
{
    coif_kit_f32x8 derivatives[3][2]; // of each component along the two axes after its own
    for (int field = 0; field < 3; ++field) {
        const int a = (field + 1) % 3, b = (field + 2) % 3;
        coif_kit_f32x8 d_a = {0.0f}, d_b = {0.0f};
        for (int c = 0; c < 8; ++c) {
            const uint32_t edge = corners->gradients[field][c];
            const corner_weights *w = &weights[c];
            coif_kit_f32x8 dot;
            coif_kit_gradient_dot(&dot, edge, offsets);
            d_a += w->derivative[a] * dot + *coif_kit_select(w->signed_weight, edge, 2);
            d_b += w->derivative[b] * dot + *coif_kit_select(w->signed_weight, edge, 3);
        }
        derivatives[field][0] = d_a;
        derivatives[field][1] = d_b;
    }
    curl[0] = derivatives[2][1] - derivatives[1][0];
    curl[1] = derivatives[0][1] - derivatives[2][0];
    curl[2] = derivatives[1][1] - derivatives[0][0];
}

// Adds scale times the curl of three noise fields at eight points.
COIF_KIT_INLINE void add_curl(coif_kit_lattice *lattice, const coif_kit_lattice_points *points,
                              uint32_t seed, float scale, coif_kit_f32x8 air[3])
{
    coif_kit_f32x8 offsets[12];
    coif_kit_corner_offsets(points, offsets);
    corner_weights weights[8];
    corner_weights_at(points, weights);
    coif_kit_cell_iterator iterator;
    coif_kit_cell_iterator_begin(&iterator);
    while (coif_kit_cell_iterator_next(&iterator, points)) {
        coif_kit_f32x8 curl[3];
        cell_curl(coif_kit_cell_gradients_at(lattice, iterator.cell, seed, init_eddy_gradients),
                  offsets, weights, curl);
        for (int a = 0; a < 3; ++a) {
            const coif_kit_f32x8 sum = air[a] + scale * curl[a];
            coif_kit_blend_mask(&air[a], &iterator.lanes, &sum);
        }
    }
}

// Two generations of eddies, cross-faded. The squared weights sum to 1, which preserves variance.
typedef struct generations {
    uint32_t number;
    float weight[2];
} generations;

static generations generations_at(const turbulence_params *turbulence, double time)
{
    generations now = {0, {1.0f, 0.0f}};
    if (turbulence->lifetime > 0.0f) {
        const double lifetimes = time / turbulence->lifetime;
        const float t = coif_kit_smoothstep((float)(lifetimes - floor(lifetimes)));
        now.number = (uint32_t)(int64_t)floor(lifetimes);
        now.weight[0] = coif_kit_cos(0.25f * COIF_KIT_TAU * t);
        now.weight[1] = coif_kit_sin(0.25f * COIF_KIT_TAU * t);
    }
    return now;
}

// One octave of one generation.
typedef struct octave {
    uint32_t seed;
    float scale;
    coif_kit_f64x8 frequency; // cells per metre, in all lanes
} octave;

static int32_t active_octaves(const turbulence_params *turbulence, double time, octave list[12])
{
    const generations now = generations_at(turbulence, time);
    float amplitude[6], sum = 0.0f, gain = 1.0f;
    for (int32_t o = 0; o < turbulence->octaves; ++o) {
        amplitude[o] = gain;
        sum += gain * gain;
        gain *= 0.79370053f; // 2^(-1/3)
    }
    const float unit = turbulence->rms_speed / (CURL_RMS * sqrtf(sum));
    const coif_kit_f64x8 zero = {0.0};
    double frequency = 1.0 / turbulence->scale;
    int32_t count = 0;
    for (int32_t o = 0; o < turbulence->octaves && turbulence->rms_speed > 0.0f; ++o) {
        for (uint32_t g = 0; g < 2; ++g) {
            if (now.weight[g] > 0.0f) {
                list[count++] =
                    (octave){.seed = coif_kit_hash((uint32_t)turbulence->seed * 8u + (uint32_t)o,
                                                   now.number + g),
                             .scale = unit * amplitude[o] * now.weight[g],
                             .frequency = zero + frequency};
            }
        }
        frequency *= 2.0;
    }
    return count;
}

// Quantities that do not depend on the point.
typedef struct wind_state {
    float mean[3];
    coif_kit_f64x8 advected[3]; // displacement of the eddies, m, in all lanes
    octave list[12];
    int32_t count;
} wind_state;

COIF_KIT_INLINE void evaluate(const wind_state *now, const coif_force_batch *batch)
{
    const float *const from[3] = {batch->x, batch->y, batch->z};
    float *const wind[3] = {batch->wind_x, batch->wind_y, batch->wind_z};
    coif_kit_lattice lattices[12];
    for (int32_t e = 0; e < now->count; ++e) {
        coif_kit_lattice_clear(&lattices[e]);
    }
    for (int32_t i = 0; i < batch->count; i += COIF_KIT_LANES) {
        const coif_kit_f32x8 zero = {0.0f};
        coif_kit_f64x8 position[3];
        coif_kit_f32x8 air[3];
        for (int a = 0; a < 3; ++a) {
            coif_kit_f32x8 x;
            coif_kit_load_partial(&x, from[a] + i, batch->count - i);
            position[a] = __builtin_convertvector(x, coif_kit_f64x8) - now->advected[a];
            air[a] = zero + now->mean[a];
        }
        for (int32_t e = 0; e < now->count; ++e) {
            const octave *current = &now->list[e];
            coif_kit_lattice_points points;
            for (int a = 0; a < 3; ++a) {
                const coif_kit_f32x8 x =
                    __builtin_convertvector(position[a] * current->frequency, coif_kit_f32x8);
                coif_kit_lattice_split(&points, a, &x);
            }
            add_curl(&lattices[e], &points, current->seed, current->scale, air);
        }
        for (int a = 0; a < 3; ++a) {
            coif_kit_add_partial(wind[a] + i, batch->count - i, &air[a]);
        }
    }
}

COIF_KIT_AVX2 static void evaluate_avx2(const wind_state *now, const coif_force_batch *batch)
{
    evaluate(now, batch);
}

static void evaluate_sse(const wind_state *now, const coif_force_batch *batch)
{
    evaluate(now, batch);
}

static void turbulence_force(const coif_host *host, const void *state, const void *params,
                             const coif_force_batch *batch)
{
    (void)host, (void)state;
    const turbulence_params *turbulence = params;
    const coif_kit_f64x8 zero = {0.0};
    wind_state now;
    now.count = active_octaves(turbulence, batch->time, now.list);
    for (int a = 0; a < 3; ++a) {
        now.mean[a] = turbulence->velocity[a];
        now.advected[a] = zero + turbulence->velocity[a] * batch->time;
    }
    coif_kit_has_avx2() ? evaluate_avx2(&now, batch) : evaluate_sse(&now, batch);
}

static const coif_plugin TURBULENCE = {
    COIF_PLUGIN_HEAD(COIF_KIND_FORCE, "wind.turbulence", "1.0.0",
                     "Divergence-free turbulence of several scales in a mean wind.", PARAMS,
                     turbulence_params),
    .force = turbulence_force,
};

COIF_PLUGIN_ENTRY(TURBULENCE)
