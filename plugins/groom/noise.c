// groom.noise: rotates segments by spatial noise, so that neighbouring strands deviate together.
//
// Noise is evaluated at the points of the strand in the rest space of the body; groom.frizz is the
// counterpart with independent noise per strand. Segment lengths are preserved.
#include <coif/noise_scale.h>
#include <coif/plugin.h>

typedef struct noise_params {
    float angle;
    float scale;
    float fade_in;
    int32_t seed;
} noise_params;

// Rows of PARAMS.
enum { NOISE_ANGLE, NOISE_SCALE, NOISE_FADE_IN };

#define ROW(...) COIF_PLUGIN_ROW(noise_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(angle, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Typical rotation of a segment.", "deg", 12, 0, 0, 0, 180),
    ROW(scale, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Feature size of the noise.", "m", 0.04, 0, 0, 0.0005, 100),
    ROW(fade_in, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Fraction of the length from the root over which the rotation rises to its full value.", "", 0.3, 0, 0, 0.01, 1),
    ROW(seed, COIF_PARAM_INT, 0, "Seed of the noise.", "", 1, 0, 0, 0, 1000000),
};
// clang-format on

static float noise_at(const coif_kit_noise_scale *size, coif_kit_vec position, uint32_t seed)
{
    float fields[2] = {0.0f, 0.0f};
    for (int i = 0; i < (size->second > 0.0f ? 2 : 1); ++i) {
        const float frequency = 1.0f / (i == 0 ? size->first : size->second);
        fields[i] = coif_kit_noise3(position.x * frequency, position.y * frequency,
                                    position.z * frequency, seed);
    }
    return coif_kit_noise_scale_blend(size, fields[0], fields[1]);
}

static void displace_strand(const noise_params *noise, coif_kit_noise_scales sizes,
                            const coif_groom_batch *batch, int32_t strand)
{
    const float degree = COIF_KIT_PI / 180.0f;
    const float angle = coif_kit_strand_param(batch, NOISE_ANGLE, strand, noise->angle);
    const float rise = coif_kit_strand_param(batch, NOISE_FADE_IN, strand, noise->fade_in);
    const float full = coif_kit_clamp(rise * coif_kit_strand_length(batch, strand), 1e-6f, 1e6f);
    const coif_kit_noise_scale size = coif_kit_noise_scale_at(
        sizes, coif_kit_strand_param(batch, NOISE_SCALE, strand, noise->scale));
    const uint32_t seed = 2u * (uint32_t)noise->seed;
    coif_kit_strand_walk walk =
        coif_kit_strand_walk_begin(batch, strand, coif_kit_vec_make(1.0f, 0.0f, 0.0f));
    coif_kit_vec at = walk.position;
    for (;;) {
        const coif_kit_vec ahead = walk.segment_direction, side = walk.side, up = walk.up,
                           position = walk.position;
        const float segment = walk.segment_length;
        const float here = degree * coif_kit_point_param(batch, NOISE_ANGLE, walk.point, angle) *
                           coif_kit_smoothstep((walk.distance + 0.5f * segment) / full);
        if (!coif_kit_strand_walk_next(&walk)) {
            break;
        }
        // Noise is mostly within +-0.5.
        const float a = 2.0f * here * noise_at(&size, position, seed);
        const float b = 2.0f * here * noise_at(&size, position, seed + 1u);
        coif_kit_vec step = coif_kit_rotate(ahead, side, coif_kit_cos(a), coif_kit_sin(a));
        step = coif_kit_rotate(step, up, coif_kit_cos(b), coif_kit_sin(b));
        at = coif_kit_mad(at, segment, step);
        coif_kit_set_point(batch, walk.point, at);
    }
}

static coif_status noise_prepare(const coif_host *host, void *state, const void *params,
                                 const coif_groom_batch *whole)
{
    (void)host, (void)params;
    *(coif_kit_noise_scales *)state = coif_kit_noise_scales_range(whole, NOISE_SCALE);
    return COIF_OK;
}

static void noise_groom(const coif_host *host, const void *state, const void *params,
                        const coif_groom_batch *batch)
{
    (void)host;
    const coif_kit_noise_scales *sizes = state;
    for (int32_t strand = 0; strand < batch->strand_count; ++strand) {
        displace_strand(params, *sizes, batch, strand);
    }
}

static const coif_plugin NOISE = {
    COIF_PLUGIN_HEAD(COIF_KIND_GROOM, "groom.noise", "1.0.0",
                     "Bends neighbouring strands together by smooth noise.", PARAMS, noise_params),
    .state_size = sizeof(coif_kit_noise_scales),
    .groom = noise_groom,
    .prepare = noise_prepare,
};

COIF_PLUGIN_ENTRY(NOISE)
