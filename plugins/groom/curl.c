// groom.curl: helical curls and planar waves around the axis of the strand.
//
//   p(s) += radius fade(s) (cos a side + (1 - flatness) sin a up),   a = 2 pi (s / wavelength +
//   phase)
//
// Side and up are parallel-transported, so a wave never flips. Flatness 0 is a helix, 1 a planar
// wave; side is tangential to the scalp and perpendicular to the fall of the hair, so flat waves
// lie on the head. Phase is spatial noise, shared by neighbours; randomness decorrelates strands.
//
// The strands of a clump (groom.clump) curl as one: they take axis, phase, frame and wavelength
// from the centre strand at their projection on it, so the clump winds about its axis as a ringlet.
// `together` is the weight of that; strands without a clump and stray strands use their own wave.
//
// Curling lengthens the strand, by sqrt(1 + (2 pi radius / wavelength)^2) for a helix, unless
// keep_length is set: then the strand keeps its length and its extent shrinks by that factor. One
// turn needs at least `per_turn` points: the host resamples strands to that, and where the groom's
// point limit prevents it the wavelength is increased.
#include <coif/noise_scale.h>
#include <coif/plugin.h>
#include <coif/strand_cursor.h>

typedef struct curl_params {
    float radius;
    float wavelength;
    float flatness;
    float fade_length;
    float coherence_length;
    float randomness;
    float irregularity;
    float variation;
    int32_t keep_length;
    int32_t seed;
    float clump_coherence;
    int32_t handedness;
    int32_t points_per_turn;
} curl_params;

// Rows of PARAMS.
enum {
    CURL_RADIUS,
    CURL_WAVELENGTH,
    CURL_FLATNESS,
    CURL_FADE_LENGTH,
    CURL_COHERENCE_LENGTH,
    CURL_RANDOMNESS,
    CURL_IRREGULARITY,
    CURL_VARIATION,
    CURL_KEEP_LENGTH,
    CURL_SEED,
    CURL_CLUMP_COHERENCE
};

enum { AXIS_POINTS_MAX = 1024 };

enum { HAND_RIGHT, HAND_LEFT, HAND_MIXED };
static const char *const HANDS[] = {"right", "left", "mixed", NULL};

#define ROW(...)    COIF_PLUGIN_ROW(curl_params, __VA_ARGS__)
#define CHOICE(...) COIF_PLUGIN_CHOICE(curl_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(radius, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Radius of the curl around its axis.", "m", 0.006, 0, 0, 0, 1),
    ROW(wavelength, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Arc length of one turn.", "m", 0.06, 0, 0, 0.001, 10),
    ROW(flatness, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Shape of the curl: 0 is a helix, 1 a planar wave.", "", 0.3, 0, 0, 0, 1),
    ROW(fade_length, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Length from the root over which the radius rises to its full value.", "m", 0.05, 0, 0, 0, 10),
    ROW(coherence_length, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Distance over which neighbouring clumps have similar phase.", "m", 0.04, 0, 0, 0.001, 10),
    ROW(randomness, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Random phase of each clump or loose strand.", "", 0.1, 0, 0, 0, 1),
    ROW(irregularity, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Random variation of wavelength and radius along the strand.", "", 0.25, 0, 0, 0, 1),
    ROW(variation, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Random variation of the radius between clumps and loose strands.", "", 0.25, 0, 0, 0, 1),
    ROW(keep_length, COIF_PARAM_BOOL, 0, "Keep the arc length of the strand instead of the length of its axis.", "", 0, 0, 0, 0, 1),
    ROW(seed, COIF_PARAM_INT, 0, "Seed of the phases.", "", 1, 0, 0, 0, 1000000),
    ROW(clump_coherence, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Fraction by which the strands of a clump curl as a unit; 1 gives ringlets.", "", 1, 0, 0, 0, 1),
    CHOICE(handedness, "Handedness of the curls; mixed varies by clump.", HANDS, 0),
    ROW(points_per_turn, COIF_PARAM_INT, 0, "Minimum number of points per turn.", "", 16, 0, 0, 5, 64),
};
// clang-format on

// Wave of a strand or of a clump.
typedef struct strand_wave {
    float radius;     // factor on the radius parameter
    float wavelength; // m
    float least;      // shortest wavelength the points resolve, m
    float phase;      // at the root, in turns
    float unevenness; // amplitude of phase noise, in turns
    float flatness;
    float hand; // 1 or -1
    uint32_t word;
} strand_wave;

static float view_length(const coif_strand_view *strands, int32_t strand)
{
    float length = 0.0f;
    for (int32_t i = strands->first[strand]; i + 1 < strands->first[strand + 1]; ++i) {
        length += coif_kit_length(
            coif_kit_sub(coif_kit_view_point(strands, i + 1), coif_kit_view_point(strands, i)));
    }
    return length;
}

// Phase noise of a strand of the input groom at a position, in turns.
static float phase_noise(const curl_params *curl, coif_kit_noise_scales patches,
                         const coif_groom_batch *batch, int32_t strand, coif_kit_vec position)
{
    const coif_kit_noise_scale size =
        coif_kit_noise_scale_at(patches, coif_kit_input_param(batch, CURL_COHERENCE_LENGTH, strand,
                                                              curl->coherence_length));
    float fields[2] = {0.0f, 0.0f};
    for (int i = 0; i < (size.second > 0.0f ? 2 : 1); ++i) {
        const float patch = i == 0 ? size.first : size.second;
        fields[i] = coif_kit_noise3(position.x / patch, position.y / patch, position.z / patch,
                                    (uint32_t)curl->seed);
    }
    return 2.0f * coif_kit_noise_scale_blend(&size, fields[0], fields[1]);
}

// Wave of a strand of the input groom.
static strand_wave wave_of(const curl_params *curl, coif_kit_noise_scales patches,
                           const coif_groom_batch *batch, int32_t strand)
{
    const coif_strand_view *strands = batch->input;
    const int32_t root = strands->first[strand];
    const int32_t segments = strands->first[strand + 1] - root - 1;
    const float segment = view_length(strands, strand) / (float)(segments > 0 ? segments : 1);
    const uint32_t word = strands->random[strand];
    const float own = coif_kit_random(word, 21) - 0.5f;
    // Evaluated near the tip, where the strands of a clump have converged, so their phases agree.
    const coif_kit_vec late = coif_kit_view_point(strands, root + segments - segments / 4);
    const float drift = phase_noise(curl, patches, batch, strand, late);
    const float other = 2.0f * coif_kit_random(word, 22) - 1.0f;
    const int left = curl->handedness == HAND_LEFT ||
                     (curl->handedness == HAND_MIXED && coif_kit_random(word, 24) < 0.5f);
    return (strand_wave){
        .radius =
            1.0f + other * coif_kit_input_param(batch, CURL_VARIATION, strand, curl->variation),
        .wavelength = coif_kit_input_param(batch, CURL_WAVELENGTH, strand, curl->wavelength),
        .least = (float)curl->points_per_turn * segment,
        .phase =
            drift + own * coif_kit_input_param(batch, CURL_RANDOMNESS, strand, curl->randomness),
        .unevenness = coif_kit_input_param(batch, CURL_IRREGULARITY, strand, curl->irregularity),
        .flatness = coif_kit_input_param(batch, CURL_FLATNESS, strand, curl->flatness),
        .hand = left ? -1.0f : 1.0f,
        .word = coif_kit_hash(word, 23),
    };
}

// Initial side vector: perpendicular to the fall of the hair, along the scalp; the small tangent
// term avoids a zero vector where hair falls along the normal.
static coif_kit_vec initial_side(const coif_strand_view *strands, int32_t strand)
{
    const float *frame = strands->root_frame + 9 * (ptrdiff_t)strand;
    const coif_kit_vec normal = coif_kit_vec_make(frame[6], frame[7], frame[8]);
    const coif_kit_vec fall =
        coif_kit_sub(coif_kit_view_point(strands, strands->first[strand + 1] - 1),
                     coif_kit_view_point(strands, strands->first[strand]));
    const coif_kit_vec unit = coif_kit_normalize(fall, normal);
    const coif_kit_vec tangent = coif_kit_vec_make(frame[0], frame[1], frame[2]);
    return coif_kit_mad(coif_kit_cross(unit, normal), 0.02f, tangent);
}

// Centre strand of a clump with parallel-transported frames at its points.
typedef struct clump_axis {
    coif_kit_strand_cursor cursor;
    coif_kit_vec side[AXIS_POINTS_MAX], tangent[AXIS_POINTS_MAX];
} clump_axis;

// Returns 0 without a clump, or when its centre has more than AXIS_POINTS_MAX points.
static int open_axis(clump_axis *axis, const coif_groom_batch *batch, int32_t clump)
{
    const coif_strand_view *strands = batch->input;
    const int32_t count = clump >= 0 ? strands->first[clump + 1] - strands->first[clump] : 0;
    if (count < 2 || count > AXIS_POINTS_MAX) {
        return 0;
    }
    const float *frame = strands->root_frame + 9 * (ptrdiff_t)clump;
    const coif_kit_vec normal = coif_kit_vec_make(frame[6], frame[7], frame[8]);
    axis->cursor = coif_kit_strand_cursor_at_root(strands, clump, normal);
    coif_kit_vec behind = normal;
    for (int32_t k = 0; k < count; ++k) {
        const coif_kit_vec ahead =
            k + 1 < count
                ? coif_kit_normalize(
                      coif_kit_strand_cursor_step(&axis->cursor, strands->first[clump] + k), behind)
                : behind;
        axis->tangent[k] =
            k > 0 ? coif_kit_normalize(coif_kit_mad(ahead, 1.0f, behind), ahead) : ahead;
        const coif_kit_vec side =
            k > 0 ? coif_kit_parallel_transport(axis->side[k - 1], axis->tangent[k - 1],
                                                axis->tangent[k])
                  : initial_side(strands, clump);
        axis->side[k] = coif_kit_normalize(coif_kit_perpendicular(side, axis->tangent[k]),
                                           coif_kit_any_perpendicular(axis->tangent[k]));
        behind = ahead;
    }
    return 1;
}

// Frame at the cursor, interpolated.
static void axis_frame(const clump_axis *axis, coif_kit_vec *side, coif_kit_vec *up)
{
    const int32_t k = axis->cursor.point - axis->cursor.root;
    const float t = axis->cursor.fraction;
    const coif_kit_vec tangent = coif_kit_normalize(
        coif_kit_mad(coif_kit_scale(axis->tangent[k], 1.0f - t), t, axis->tangent[k + 1]),
        axis->tangent[k]);
    const coif_kit_vec mixed =
        coif_kit_mad(coif_kit_scale(axis->side[k], 1.0f - t), t, axis->side[k + 1]);
    *side = coif_kit_normalize(coif_kit_perpendicular(mixed, tangent), axis->side[k]);
    *up = coif_kit_cross(tangent, *side);
}

// Accumulated phase at the last evaluated arc length.
typedef struct wave_turns {
    float distance, turns;
} wave_turns;

// Phase at an arc length, in turns, integrated from the previous one.
static float advance_phase(wave_turns *phase, const strand_wave *wave, float distance,
                           float wavelength)
{
    const float length = wavelength > wave->least ? wavelength : wave->least;
    phase->turns += (distance - phase->distance) / (length > 1e-6f ? length : 1e-6f);
    phase->distance = distance;
    // The correlation length of the phase noise is about two wavelengths.
    return phase->turns + wave->phase +
           wave->unevenness * 0.5f * coif_kit_noise1(0.5f * phase->turns, wave->word);
}

// Local frame, radius and flatness of a wave.
typedef struct wave_frame {
    coif_kit_vec side, up;
    float radius, flatness;
} wave_frame;

static coif_kit_vec offset_at(const strand_wave *wave, float turns, const wave_frame *frame)
{
    const float angle = COIF_KIT_TAU * (turns - floorf(turns));
    const float out = frame->radius * wave->radius;
    return coif_kit_mad(coif_kit_scale(frame->side, out * coif_kit_cos(angle)),
                        wave->hand * out * (1.0f - frame->flatness) * coif_kit_sin(angle),
                        frame->up);
}

// Waves of one strand: its own and that of its clump.
typedef struct curling {
    strand_wave own, clump;
    wave_turns own_turns, clump_turns;
    clump_axis axis;
    float together; // weight of the clump's wave
    float radius, fade;
} curling;

static void begin_strand(curling *waves, const curl_params *curl, coif_kit_noise_scales patches,
                         const coif_groom_batch *batch, int32_t strand)
{
    const int32_t clump = coif_kit_strand_clump(batch, strand);
    waves->own = wave_of(curl, patches, batch, batch->strand_begin + strand);
    waves->own_turns = waves->clump_turns = (wave_turns){0.0f, 0.0f};
    waves->radius = coif_kit_strand_param(batch, CURL_RADIUS, strand, curl->radius);
    waves->fade = coif_kit_strand_param(batch, CURL_FADE_LENGTH, strand, curl->fade_length);
    waves->together =
        coif_kit_strand_param(batch, CURL_CLUMP_COHERENCE, strand, curl->clump_coherence);
    if (waves->together <= 0.0f || !open_axis(&waves->axis, batch, clump)) {
        waves->together = 0.0f;
        return;
    }
    waves->clump = wave_of(curl, patches, batch, clump);
    waves->clump.least =
        waves->own.least > waves->clump.least ? waves->own.least : waves->clump.least;
}

static coif_kit_vec offset_of(curling *waves, const coif_groom_batch *batch,
                              const coif_kit_strand_walk *walk)
{
    const float s = walk->distance;
    const float full = waves->fade > 0.0f ? coif_kit_smoothstep(s / waves->fade)
                       : s > 0.0f         ? 1.0f
                                          : 0.0f;
    const float radius =
        full * coif_kit_point_param(batch, CURL_RADIUS, walk->point, waves->radius);
    const float wavelength =
        coif_kit_point_param(batch, CURL_WAVELENGTH, walk->point, waves->own.wavelength);
    const float together = waves->together > 0.0f
                               ? coif_kit_clamp(coif_kit_point_param(batch, CURL_CLUMP_COHERENCE,
                                                                     walk->point, waves->together),
                                                0.0f, 1.0f)
                               : 0.0f;
    wave_frame frame = {walk->side, walk->up, radius, 0.0f};
    coif_kit_vec offset = coif_kit_vec_make(0.0f, 0.0f, 0.0f);
    if (together < 1.0f) {
        const float turns = advance_phase(&waves->own_turns, &waves->own, s, wavelength);
        frame.flatness =
            coif_kit_point_param(batch, CURL_FLATNESS, walk->point, waves->own.flatness);
        offset = coif_kit_scale(offset_at(&waves->own, turns, &frame), 1.0f - together);
    }
    if (together > 0.0f) {
        coif_kit_strand_cursor_project(&waves->axis.cursor, walk->position, s);
        axis_frame(&waves->axis, &frame.side, &frame.up);
        // The ramp of the strand scales the wavelength of the clump.
        const float ratio = waves->clump.wavelength / waves->own.wavelength;
        const float turns = advance_phase(&waves->clump_turns, &waves->clump,
                                          waves->axis.cursor.distance, wavelength * ratio);
        frame.flatness =
            coif_kit_point_param(batch, CURL_FLATNESS, walk->point, waves->clump.flatness);
        offset = coif_kit_mad(offset, together, offset_at(&waves->clump, turns, &frame));
    }
    return offset;
}

static void curl_strand(curling *waves, const curl_params *curl, coif_kit_noise_scales patches,
                        const coif_groom_batch *batch, int32_t strand)
{
    begin_strand(waves, curl, patches, batch, strand);
    coif_kit_strand_walk walk = coif_kit_strand_walk_begin(
        batch, strand, initial_side(batch->input, batch->strand_begin + strand));
    coif_kit_vec at = walk.position, before = walk.position;
    float segment = walk.segment_length;
    while (coif_kit_strand_walk_next(&walk)) {
        const coif_kit_vec curled =
            coif_kit_mad(walk.position, 1.0f, offset_of(waves, batch, &walk));
        if (curl->keep_length) {
            const coif_kit_vec step =
                coif_kit_normalize(coif_kit_sub(curled, before), walk.tangent);
            at = coif_kit_mad(at, segment, step);
        } else {
            at = curled;
        }
        coif_kit_set_point(batch, walk.point, at);
        before = curled;
        segment = walk.segment_length;
    }
}

static coif_status curl_prepare(const coif_host *host, void *state, const void *params,
                                const coif_groom_batch *whole)
{
    (void)host, (void)params;
    *(coif_kit_noise_scales *)state = coif_kit_noise_scales_range(whole, CURL_COHERENCE_LENGTH);
    return COIF_OK;
}

static void curl_groom(const coif_host *host, const void *state, const void *params,
                       const coif_groom_batch *batch)
{
    (void)host;
    const coif_kit_noise_scales *patches = state;
    curling waves;
    for (int32_t strand = 0; strand < batch->strand_count; ++strand) {
        curl_strand(&waves, params, *patches, batch, strand);
    }
}

static void curl_max_segment_length(const coif_host *host, const void *state, const void *params,
                                    const coif_groom_batch *batch, float *longest)
{
    const curl_params *curl = params;
    (void)host, (void)state;
    for (int32_t strand = 0; strand < batch->strand_count; ++strand) {
        const int32_t clump = coif_kit_strand_clump(batch, strand);
        const float own = coif_kit_strand_param(batch, CURL_WAVELENGTH, strand, curl->wavelength);
        const float together =
            clump >= 0 ? coif_kit_input_param(batch, CURL_WAVELENGTH, clump, curl->wavelength)
                       : own;
        float least = own;
        for (int32_t i = batch->first[strand]; i < batch->first[strand + 1]; ++i) {
            const float here = coif_kit_point_param(batch, CURL_WAVELENGTH, i, own);
            least = here < least ? here : least;
        }
        least = together < own ? least * (together / own) : least;
        // Phase noise makes some waves shorter.
        const float uneven =
            coif_kit_strand_param(batch, CURL_IRREGULARITY, strand, curl->irregularity);
        longest[strand] = least / ((1.0f + 0.75f * uneven) * (float)curl->points_per_turn);
    }
}

static const coif_plugin CURL = {
    COIF_PLUGIN_HEAD(COIF_KIND_GROOM, "groom.curl", "2.0.0",
                     "Waves and curls around the axis of the strand.", PARAMS, curl_params),
    .state_size = sizeof(coif_kit_noise_scales),
    .groom = curl_groom,
    .prepare = curl_prepare,
    .max_segment_length = curl_max_segment_length,
};

COIF_PLUGIN_ENTRY(CURL)
