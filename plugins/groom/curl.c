// groom.curl: waves and curls around the strand's own axis.
//
//   p(s) += radius fade(s) (cos a side + (1 - flatness) sin a up),   a = 2 pi (s / wavelength +
//   phase)
//
// Side and up are carried along the strand without turning, so a wave never flips. Flatness 0 is a
// helix, 1 a wave in one plane; side lies along the scalp and across the way the hair falls, so
// flat waves lie on the head. Neighbours curl together: the phase drifts from patch to patch, and
// randomness frees single strands from it; after groom.clump the strands of a lock wave as one.
//
// Curling adds length along the path, by sqrt(1 + (2 pi radius / wavelength)^2) for a helix, unless
// keep_length is set: then the hair keeps its length and the lock gets shorter and tighter by that
// factor. A wavelength below five segments cannot be drawn by the points of the strand and is taken
// as five segments.
#include <coif/plugin.h>
#include <coif/strand.h>

typedef struct curl_params {
    float radius;
    float wavelength;
    float flatness;
    float fade;
    float patch;
    float randomness;
    float irregularity;
    float variation;
    int32_t keep_length;
    int32_t seed;
} curl_params;

enum { RADIUS, WAVELENGTH, FLATNESS, FADE, PATCH, RANDOMNESS, IRREGULARITY, VARIATION };

#define ROW(field, kind, vary, text, units, a, b, c, lowest, highest)                              \
    {                                                                                              \
        .name = #field, .help = text, .unit = units, .type = kind, .flags = vary,                  \
        .offset = offsetof(curl_params, field), .fallback = {a, b, c}, .low = lowest,              \
        .high = highest                                                                            \
    }

#define MAP  COIF_PARAM_MAPPABLE
#define BOTH COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP

// clang-format off
static const coif_param PARAMS[] = {
    ROW(radius,       COIF_PARAM_FLOAT, BOTH, "how far the curl reaches from its axis",                     "m", 0.006, 0, 0, 0, 1),
    ROW(wavelength,   COIF_PARAM_FLOAT, MAP,  "length of one turn along the strand",                        "m", 0.06, 0, 0, 0.001, 10),
    ROW(flatness,     COIF_PARAM_FLOAT, MAP,  "0 a helix, 1 a wave in one plane",                           "",  0.3, 0, 0, 0, 1),
    ROW(fade,         COIF_PARAM_FLOAT, MAP,  "length from the root until the curl is full",                "m", 0.05, 0, 0, 0, 10),
    ROW(patch,        COIF_PARAM_FLOAT, 0,    "distance over which neighbours curl together",               "m", 0.04, 0, 0, 0.001, 10),
    ROW(randomness,   COIF_PARAM_FLOAT, MAP,  "how freely each strand chooses its phase: 1 any at all",     "",  0.1, 0, 0, 0, 1),
    ROW(irregularity, COIF_PARAM_FLOAT, MAP,  "how unevenly one wave follows the other",                    "",  0.25, 0, 0, 0, 1),
    ROW(variation,    COIF_PARAM_FLOAT, MAP,  "how much the radius differs among strands",                  "",  0.25, 0, 0, 0, 1),
    ROW(keep_length,  COIF_PARAM_BOOL,  0,    "keep the length of the hair instead of that of its axis",    "",  0, 0, 0, 0, 1),
    ROW(seed,         COIF_PARAM_INT,   0,    "another number gives other phases",                          "",  1, 0, 0, 0, 1000000),
};
// clang-format on

// What one strand needs to know at each of its points.
typedef struct strand_wave {
    float radius, flatness, fade;
    float turns;      // per metre
    float phase;      // turns at the root
    float unevenness; // turns
    uint32_t word;
} strand_wave;

static strand_wave wave_of(const curl_params *curl, const coif_groom_batch *batch, int32_t strand)
{
    const int32_t root = batch->first[strand];
    const int32_t segments = batch->first[strand + 1] - root - 1;
    const float segment =
        coif_kit_strand_length(batch, strand) / (float)(segments > 0 ? segments : 1);
    const float asked = coif_kit_at_strand(batch, WAVELENGTH, strand, curl->wavelength);
    const float length = coif_kit_clamp(asked, 5.0f * segment + 1e-6f, 1e6f);
    const uint32_t word = batch->random[strand];
    const float own = coif_kit_random(word, 21) - 0.5f;
    // Towards the tip, where the strands of a lock have come together, so that they wave as one.
    const int32_t late = root + segments - segments / 4;
    const float drift =
        2.0f * coif_kit_noise3(batch->x[late] / curl->patch, batch->y[late] / curl->patch,
                               batch->z[late] / curl->patch, (uint32_t)curl->seed);
    const float other = 2.0f * coif_kit_random(word, 22) - 1.0f;
    return (strand_wave){
        .radius = 1.0f + other * coif_kit_at_strand(batch, VARIATION, strand, curl->variation),
        .flatness = coif_kit_at_strand(batch, FLATNESS, strand, curl->flatness),
        .fade = coif_kit_at_strand(batch, FADE, strand, curl->fade),
        .turns = 1.0f / length,
        .phase = drift + own * coif_kit_at_strand(batch, RANDOMNESS, strand, curl->randomness),
        .unevenness = coif_kit_at_strand(batch, IRREGULARITY, strand, curl->irregularity),
        .word = coif_kit_hash(word, 23),
    };
}

// Across the way the hair falls and along the scalp; for straight hair any tangent will do.
static coif_kit_vec sideways(const coif_groom_batch *batch, int32_t strand)
{
    const float *frame = batch->root_frame + 9 * (ptrdiff_t)strand;
    const coif_kit_vec normal = coif_kit_normal(batch, strand);
    const coif_kit_vec fall = coif_kit_sub(coif_kit_point(batch, batch->first[strand + 1] - 1),
                                           coif_kit_point(batch, batch->first[strand]));
    const coif_kit_vec unit = coif_kit_direction(fall, normal);
    const coif_kit_vec tangent = coif_kit_vec_of(frame[0], frame[1], frame[2]);
    return coif_kit_mad(coif_kit_cross(unit, normal), 0.02f, tangent);
}

static coif_kit_vec offset_at(const strand_wave *wave, const coif_kit_walk *walk, float radius)
{
    const float s = walk->distance;
    // The waves wander over about two of their own lengths.
    const float wander =
        wave->unevenness * 0.5f * coif_kit_noise1(0.5f * s * wave->turns, wave->word);
    const float turns = s * wave->turns + wave->phase + wander;
    const float angle = COIF_KIT_TAU * (turns - floorf(turns));
    const float full = wave->fade > 0.0f ? coif_kit_smooth(s / wave->fade) : s > 0.0f ? 1.0f : 0.0f;
    const float reach = radius * wave->radius * full;
    const coif_kit_vec across = coif_kit_scale(walk->side, reach * coif_kit_cos(angle));
    return coif_kit_mad(across, reach * (1.0f - wave->flatness) * coif_kit_sin(angle), walk->up);
}

static void curl_strand(const curl_params *curl, const coif_groom_batch *batch, int32_t strand)
{
    const strand_wave wave = wave_of(curl, batch, strand);
    const float radius = coif_kit_at_strand(batch, RADIUS, strand, curl->radius);
    coif_kit_walk walk = coif_kit_walk_begin(batch, strand, sideways(batch, strand));
    coif_kit_vec at = walk.at, before = walk.at;
    float segment = walk.segment;
    while (coif_kit_walk_next(&walk)) {
        const coif_kit_vec offset =
            offset_at(&wave, &walk, coif_kit_at_point(batch, RADIUS, walk.point, radius));
        const coif_kit_vec curled = coif_kit_mad(walk.at, 1.0f, offset);
        if (curl->keep_length) {
            const coif_kit_vec step =
                coif_kit_direction(coif_kit_sub(curled, before), walk.tangent);
            at = coif_kit_mad(at, segment, step);
        } else {
            at = curled;
        }
        coif_kit_place(batch, walk.point, at);
        before = curled;
        segment = walk.segment;
    }
}

static void curl_groom(const coif_host *host, const void *state, const void *params,
                       const coif_groom_batch *batch)
{
    (void)host, (void)state;
    for (int32_t strand = 0; strand < batch->strand_count; ++strand) {
        curl_strand(params, batch, strand);
    }
}

static const coif_plugin CURL = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_GROOM,
    .id = "groom.curl",
    .version = "1.0.0",
    .help = "waves and curls around the axis of the strand",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(curl_params),
    .groom = curl_groom,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&CURL};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
