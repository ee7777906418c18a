// wind.gust: a mean wind with periodic swell and noise (squalls) advected by the mean.
//
//   air = mean (1 + swell sin(2 pi t / period)) + squall noise((p - mean t) / size)
//
// Squalls are gradient noise advected by the mean wind (frozen turbulence: G. I. Taylor, The
// spectrum of turbulence, 1938), so neighbouring strands receive nearly the same wind.
#include <coif/noise.h>
#include <coif/plugin.h>

typedef struct gust_params {
    float velocity[3];
    float swell;
    float period;
    float squall_speed;
    float squall_spacing;
    int32_t seed;
} gust_params;

#define ROW(...) COIF_PLUGIN_ROW(gust_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(velocity, COIF_PARAM_VEC3, 0, "Mean wind velocity.", "m/s", 2, 0, 0, -100, 100),
    ROW(swell, COIF_PARAM_FLOAT, 0, "Amplitude of the slow swell relative to the mean.", "", 0.5, 0, 0, 0, 1),
    ROW(period, COIF_PARAM_FLOAT, 0, "Period of the swell.", "s", 3, 0, 0, 0.1, 60),
    ROW(squall_speed, COIF_PARAM_FLOAT, 0, "Maximum speed of the squalls.", "m/s", 1, 0, 0, 0, 50),
    ROW(squall_spacing, COIF_PARAM_FLOAT, 0, "Distance between squalls.", "m", 0.5, 0, 0, 0.01, 100),
    ROW(seed, COIF_PARAM_INT, 0, "Seed of the squalls.", "", 1, 0, 0, 0, 1000000),
};
// clang-format on

// Quantities that do not depend on the point.
typedef struct wind_state {
    float mean[3];
    float squall;
    uint32_t seed;
    coif_kit_f64x8 advected[3]; // displacement of the noise, m, in all lanes
    coif_kit_f64x8 frequency;   // noise cells per metre, in all lanes
} wind_state;

static void wind_state_at(wind_state *now, const gust_params *gust, double time)
{
    const coif_kit_f64x8 zero = {0.0};
    const double cycles = time / gust->period;
    const float swell =
        1.0f + gust->swell * coif_kit_sin(COIF_KIT_TAU * (float)(cycles - floor(cycles)));
    for (int a = 0; a < 3; ++a) {
        now->mean[a] = gust->velocity[a] * swell;
        now->advected[a] = zero + gust->velocity[a] * time;
    }
    now->squall = gust->squall_speed;
    now->seed = 3u * (uint32_t)gust->seed;
    now->frequency = zero + 1.0 / gust->squall_spacing;
}

// Squalls at eight points, of which the first `count` are valid.
COIF_KIT_INLINE void squalls_at(coif_kit_lattice *lattice, const wind_state *now,
                                const float *const at[3], int32_t count, coif_kit_f32x8 squall[3])
{
    coif_kit_lattice_points points;
    for (int a = 0; a < 3; ++a) {
        coif_kit_f32x8 x;
        coif_kit_load_partial(&x, at[a], count);
        const coif_kit_f64x8 frequency =
            (__builtin_convertvector(x, coif_kit_f64x8) - now->advected[a]) * now->frequency;
        x = __builtin_convertvector(frequency, coif_kit_f32x8);
        coif_kit_lattice_split(&points, a, &x);
    }
    coif_kit_noise3_fields(lattice, &points, now->seed, squall);
    for (int a = 0; a < 3; ++a) {
        squall[a] = now->squall * squall[a];
    }
}

COIF_KIT_INLINE void evaluate(const wind_state *given, const coif_force_batch *batch)
{
    // A local copy: the compiler must assume that stores to the wind arrays alias *given.
    const wind_state now = *given;
    const int32_t count = batch->count;
    const float *const x = batch->x, *const y = batch->y, *const z = batch->z;
    float *const wind[3] = {batch->wind_x, batch->wind_y, batch->wind_z};
    const coif_kit_f32x8 zero = {0.0f};
    coif_kit_lattice lattice;
    coif_kit_lattice_clear(&lattice);
    for (int32_t i = 0; i < count; i += COIF_KIT_LANES) {
        coif_kit_f32x8 squall[3];
        squall[0] = squall[1] = squall[2] = zero;
        if (now.squall > 0.0f) {
            const float *const at[3] = {x + i, y + i, z + i};
            squalls_at(&lattice, &now, at, count - i, squall);
        }
        for (int a = 0; a < 3; ++a) {
            const coif_kit_f32x8 air = now.mean[a] + squall[a];
            coif_kit_add_partial(wind[a] + i, count - i, &air);
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

static void gust_force(const coif_host *host, const void *state, const void *params,
                       const coif_force_batch *batch)
{
    (void)host, (void)state; // stateless: a function of time and position
    wind_state now;
    wind_state_at(&now, params, batch->time);
    coif_kit_has_avx2() ? evaluate_avx2(&now, batch) : evaluate_sse(&now, batch);
}

static const coif_plugin GUST = {
    COIF_PLUGIN_HEAD(COIF_KIND_FORCE, "wind.gust", "1.0.0",
                     "Mean wind with a slow swell and drifting squalls.", PARAMS, gust_params),
    .force = gust_force,
};

COIF_PLUGIN_ENTRY(GUST)
