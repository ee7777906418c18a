// groom.curl: waves and curls around the strand's own axis.
//
//   p(s) += radius fade(s) (cos a side + (1 - flatness) sin a up),   a = 2 pi (s / wavelength +
//   phase)
//
// Side and up are carried along the strand without turning, so a wave never flips. Flatness 0 is a
// helix, 1 a wave in one plane; side lies along the scalp and across the way the hair falls, so
// flat waves lie on the head. Neighbours curl together: the phase drifts from patch to patch, and
// randomness frees strands from it.
//
// The strands of a lock (groom.clump) curl as one: they take axis, phase, frame and wavelength from
// the strand in its middle, at the place beside them, so that the whole lock winds about its axis:
// a ringlet. `together` says how much; strands without a lock, and strays, go their own way.
//
// Curling adds length along the path, by sqrt(1 + (2 pi radius / wavelength)^2) for a helix, unless
// keep_length is set: then the hair keeps its length and the lock gets shorter and tighter by that
// factor. One turn is drawn with `per_turn` points at least: strands are given them, and where the
// groom allows no more (points_most), the wave is widened.
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

enum {
    RADIUS,
    WAVELENGTH,
    FLATNESS,
    FADE,
    PATCH,
    RANDOMNESS,
    IRREGULARITY,
    VARIATION,
    KEEP_LENGTH,
    SEED,
    TOGETHER
};

enum { MOST_POINTS = 1024 };

enum { RIGHT, LEFT, MIXED };
static const char *const HANDS[] = {"right", "left", "mixed", NULL};

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
    ROW(radius,       COIF_PARAM_FLOAT, BOTH, "Radius of the curl around its axis.",                     "m", 0.006, 0, 0, 0, 1),
    ROW(wavelength,   COIF_PARAM_FLOAT, BOTH, "Arc length of one turn.",                        "m", 0.06, 0, 0, 0.001, 10),
    ROW(flatness,     COIF_PARAM_FLOAT, BOTH, "Shape of the curl: 0 is a helix, 1 a planar wave.",                           "",  0.3, 0, 0, 0, 1),
    ROW(fade_length,         COIF_PARAM_FLOAT, MAP,  "Length from the root over which the radius rises to its full value.",                "m", 0.05, 0, 0, 0, 10),
    ROW(coherence_length,        COIF_PARAM_FLOAT, MAP,  "Distance over which neighbouring clumps have similar phase.",               "m", 0.04, 0, 0, 0.001, 10),
    ROW(randomness,   COIF_PARAM_FLOAT, MAP,  "Random phase of each clump or loose strand.",   "",  0.1, 0, 0, 0, 1),
    ROW(irregularity, COIF_PARAM_FLOAT, MAP,  "Random variation of wavelength and radius along the strand.",                    "",  0.25, 0, 0, 0, 1),
    ROW(variation,    COIF_PARAM_FLOAT, MAP,  "Random variation of the radius between clumps and loose strands.",  "",  0.25, 0, 0, 0, 1),
    ROW(keep_length,  COIF_PARAM_BOOL,  0,    "Keep the arc length of the strand instead of the length of its axis.",    "",  0, 0, 0, 0, 1),
    ROW(seed,         COIF_PARAM_INT,   0,    "Seed of the phases.",                          "",  1, 0, 0, 0, 1000000),
    ROW(clump_coherence,     COIF_PARAM_FLOAT, BOTH, "Fraction by which the strands of a clump curl as a unit; 1 gives ringlets.",     "",  1, 0, 0, 0, 1),
    {.name = "handedness", .help = "Handedness of the curls; mixed varies by clump.", .unit = "",
     .type = COIF_PARAM_CHOICE, .offset = offsetof(curl_params, handedness), .choices = HANDS},
    ROW(points_per_turn,     COIF_PARAM_INT,   0,    "Minimum number of points per turn.",                "",  16, 0, 0, 5, 64),
};
// clang-format on

// What the points of a strand, or of a lock, need to know.
typedef struct strand_wave {
    float radius; // times the radius asked for
    float wavelength, least;
    float phase;      // turns at the root
    float unevenness; // turns
    float flatness;
    float hand; // 1 or -1
    uint32_t word;
} strand_wave;

static float view_length(const coif_strand_view *all, int32_t strand)
{
    float length = 0.0f;
    for (int32_t i = all->first[strand]; i + 1 < all->first[strand + 1]; ++i) {
        length += coif_kit_length(
            coif_kit_sub(coif_kit_view_point(all, i + 1), coif_kit_view_point(all, i)));
    }
    return length;
}

// How the phase of a strand of the whole groom drifts, at a place.
static float drift_at(const curl_params *curl, coif_kit_noise_scales patches,
                      const coif_groom_batch *batch, int32_t strand, coif_kit_vec place)
{
    const coif_kit_noise_scale size = coif_kit_noise_scale_at(
        patches, coif_kit_input_param(batch, PATCH, strand, curl->coherence_length));
    float fields[2] = {0.0f, 0.0f};
    for (int i = 0; i < (size.second > 0.0f ? 2 : 1); ++i) {
        const float patch = i == 0 ? size.first : size.second;
        fields[i] = coif_kit_noise3(place.x / patch, place.y / patch, place.z / patch,
                                    (uint32_t)curl->seed);
    }
    return 2.0f * coif_kit_noise_scale_blend(&size, fields[0], fields[1]);
}

// Of a strand of the whole groom.
static strand_wave wave_of(const curl_params *curl, coif_kit_noise_scales patches,
                           const coif_groom_batch *batch, int32_t strand)
{
    const coif_strand_view *all = batch->input;
    const int32_t root = all->first[strand];
    const int32_t segments = all->first[strand + 1] - root - 1;
    const float segment = view_length(all, strand) / (float)(segments > 0 ? segments : 1);
    const uint32_t word = all->random[strand];
    const float own = coif_kit_random(word, 21) - 0.5f;
    // Towards the tip, where the strands of a lock have come together, so that they wave as one.
    const coif_kit_vec late = coif_kit_view_point(all, root + segments - segments / 4);
    const float drift = drift_at(curl, patches, batch, strand, late);
    const float other = 2.0f * coif_kit_random(word, 22) - 1.0f;
    const int left =
        curl->handedness == LEFT || (curl->handedness == MIXED && coif_kit_random(word, 24) < 0.5f);
    return (strand_wave){
        .radius = 1.0f + other * coif_kit_input_param(batch, VARIATION, strand, curl->variation),
        .wavelength = coif_kit_input_param(batch, WAVELENGTH, strand, curl->wavelength),
        .least = (float)curl->points_per_turn * segment,
        .phase = drift + own * coif_kit_input_param(batch, RANDOMNESS, strand, curl->randomness),
        .unevenness = coif_kit_input_param(batch, IRREGULARITY, strand, curl->irregularity),
        .flatness = coif_kit_input_param(batch, FLATNESS, strand, curl->flatness),
        .hand = left ? -1.0f : 1.0f,
        .word = coif_kit_hash(word, 23),
    };
}

// Across the way the hair falls and along the scalp; for straight hair any tangent will do.
static coif_kit_vec sideways(const coif_strand_view *all, int32_t strand)
{
    const float *frame = all->root_frame + 9 * (ptrdiff_t)strand;
    const coif_kit_vec normal = coif_kit_vec_make(frame[6], frame[7], frame[8]);
    const coif_kit_vec fall = coif_kit_sub(coif_kit_view_point(all, all->first[strand + 1] - 1),
                                           coif_kit_view_point(all, all->first[strand]));
    const coif_kit_vec unit = coif_kit_normalize(fall, normal);
    const coif_kit_vec tangent = coif_kit_vec_make(frame[0], frame[1], frame[2]);
    return coif_kit_mad(coif_kit_cross(unit, normal), 0.02f, tangent);
}

// The middle of a lock with frames at its points.
typedef struct lock_axis {
    coif_kit_strand_cursor cursor;
    coif_kit_vec side[MOST_POINTS], tangent[MOST_POINTS];
} lock_axis;

// No lock, or one with more points than fit: false.
static int open_axis(lock_axis *axis, const coif_groom_batch *batch, int32_t lock)
{
    const coif_strand_view *all = batch->input;
    const int32_t count = lock >= 0 ? all->first[lock + 1] - all->first[lock] : 0;
    if (count < 2 || count > MOST_POINTS) {
        return 0;
    }
    const float *frame = all->root_frame + 9 * (ptrdiff_t)lock;
    const coif_kit_vec normal = coif_kit_vec_make(frame[6], frame[7], frame[8]);
    axis->cursor = coif_kit_strand_cursor_at_root(all, lock, normal);
    coif_kit_vec behind = normal;
    for (int32_t k = 0; k < count; ++k) {
        const coif_kit_vec ahead =
            k + 1 < count
                ? coif_kit_normalize(
                      coif_kit_strand_cursor_step(&axis->cursor, all->first[lock] + k), behind)
                : behind;
        axis->tangent[k] =
            k > 0 ? coif_kit_normalize(coif_kit_mad(ahead, 1.0f, behind), ahead) : ahead;
        const coif_kit_vec side =
            k > 0 ? coif_kit_parallel_transport(axis->side[k - 1], axis->tangent[k - 1],
                                                axis->tangent[k])
                  : sideways(all, lock);
        axis->side[k] = coif_kit_normalize(coif_kit_perpendicular(side, axis->tangent[k]),
                                           coif_kit_any_perpendicular(axis->tangent[k]));
        behind = ahead;
    }
    return 1;
}

// The frame of the lock where the cursor is.
static void axis_frame(const lock_axis *axis, coif_kit_vec *side, coif_kit_vec *up)
{
    const int32_t k = axis->cursor.point - axis->cursor.root;
    const float t = axis->cursor.share;
    const coif_kit_vec tangent = coif_kit_normalize(
        coif_kit_mad(coif_kit_scale(axis->tangent[k], 1.0f - t), t, axis->tangent[k + 1]),
        axis->tangent[k]);
    const coif_kit_vec mixed =
        coif_kit_mad(coif_kit_scale(axis->side[k], 1.0f - t), t, axis->side[k + 1]);
    *side = coif_kit_normalize(coif_kit_perpendicular(mixed, tangent), axis->side[k]);
    *up = coif_kit_cross(tangent, *side);
}

// How many turns a wave has made where it has been asked for last.
typedef struct wave_turns {
    float distance, turns;
} wave_turns;

static float turn_on(wave_turns *turned, const strand_wave *wave, float distance, float wavelength)
{
    const float length = wavelength > wave->least ? wavelength : wave->least;
    turned->turns += (distance - turned->distance) / (length > 1e-6f ? length : 1e-6f);
    turned->distance = distance;
    // The waves wander over about two of their own lengths.
    return turned->turns + wave->phase +
           wave->unevenness * 0.5f * coif_kit_noise1(0.5f * turned->turns, wave->word);
}

// The frame of a place on a strand, how far its curl reaches there, and how flat it is.
typedef struct wave_place {
    coif_kit_vec side, up;
    float reach, flatness;
} wave_place;

static coif_kit_vec offset_at(const strand_wave *wave, float turns, const wave_place *place)
{
    const float angle = COIF_KIT_TAU * (turns - floorf(turns));
    const float out = place->reach * wave->radius;
    return coif_kit_mad(coif_kit_scale(place->side, out * coif_kit_cos(angle)),
                        wave->hand * out * (1.0f - place->flatness) * coif_kit_sin(angle),
                        place->up);
}

// One strand, its own wave and that of its lock.
typedef struct curling {
    strand_wave own, lock;
    wave_turns own_turns, lock_turns;
    lock_axis axis;
    float together; // share of the lock's wave
    float radius, fade;
} curling;

static void begin_strand(curling *all, const curl_params *curl, coif_kit_noise_scales patches,
                         const coif_groom_batch *batch, int32_t strand)
{
    const int32_t lock = coif_kit_strand_clump(batch, strand);
    all->own = wave_of(curl, patches, batch, batch->strand_begin + strand);
    all->own_turns = all->lock_turns = (wave_turns){0.0f, 0.0f};
    all->radius = coif_kit_strand_param(batch, RADIUS, strand, curl->radius);
    all->fade = coif_kit_strand_param(batch, FADE, strand, curl->fade_length);
    all->together = coif_kit_strand_param(batch, TOGETHER, strand, curl->clump_coherence);
    if (all->together <= 0.0f || !open_axis(&all->axis, batch, lock)) {
        all->together = 0.0f;
        return;
    }
    all->lock = wave_of(curl, patches, batch, lock);
    all->lock.least = all->own.least > all->lock.least ? all->own.least : all->lock.least;
}

static coif_kit_vec offset_of(curling *all, const coif_groom_batch *batch,
                              const coif_kit_strand_walk *walk)
{
    const float s = walk->distance;
    const float full = all->fade > 0.0f ? coif_kit_smoothstep(s / all->fade)
                       : s > 0.0f       ? 1.0f
                                        : 0.0f;
    const float reach = full * coif_kit_point_param(batch, RADIUS, walk->point, all->radius);
    const float wavelength =
        coif_kit_point_param(batch, WAVELENGTH, walk->point, all->own.wavelength);
    const float together =
        all->together > 0.0f
            ? coif_kit_clamp(coif_kit_point_param(batch, TOGETHER, walk->point, all->together),
                             0.0f, 1.0f)
            : 0.0f;
    wave_place place = {walk->side, walk->up, reach, 0.0f};
    coif_kit_vec offset = coif_kit_vec_make(0.0f, 0.0f, 0.0f);
    if (together < 1.0f) {
        const float turns = turn_on(&all->own_turns, &all->own, s, wavelength);
        place.flatness = coif_kit_point_param(batch, FLATNESS, walk->point, all->own.flatness);
        offset = coif_kit_scale(offset_at(&all->own, turns, &place), 1.0f - together);
    }
    if (together > 0.0f) {
        coif_kit_strand_cursor_project(&all->axis.cursor, walk->at, s);
        axis_frame(&all->axis, &place.side, &place.up);
        // A ramp is the strand's own, the length that it scales is that of the lock.
        const float ratio = all->lock.wavelength / all->own.wavelength;
        const float turns =
            turn_on(&all->lock_turns, &all->lock, all->axis.cursor.distance, wavelength * ratio);
        place.flatness = coif_kit_point_param(batch, FLATNESS, walk->point, all->lock.flatness);
        offset = coif_kit_mad(offset, together, offset_at(&all->lock, turns, &place));
    }
    return offset;
}

static void curl_strand(curling *all, const curl_params *curl, coif_kit_noise_scales patches,
                        const coif_groom_batch *batch, int32_t strand)
{
    begin_strand(all, curl, patches, batch, strand);
    coif_kit_strand_walk walk = coif_kit_strand_walk_begin(
        batch, strand, sideways(batch->input, batch->strand_begin + strand));
    coif_kit_vec at = walk.at, before = walk.at;
    float segment = walk.segment;
    while (coif_kit_strand_walk_next(&walk)) {
        const coif_kit_vec curled = coif_kit_mad(walk.at, 1.0f, offset_of(all, batch, &walk));
        if (curl->keep_length) {
            const coif_kit_vec step =
                coif_kit_normalize(coif_kit_sub(curled, before), walk.tangent);
            at = coif_kit_mad(at, segment, step);
        } else {
            at = curled;
        }
        coif_kit_set_point(batch, walk.point, at);
        before = curled;
        segment = walk.segment;
    }
}

static coif_status curl_prepare(const coif_host *host, void *state, const void *params,
                                const coif_groom_batch *whole)
{
    (void)host, (void)params;
    *(coif_kit_noise_scales *)state = coif_kit_noise_scales_range(whole, PATCH);
    return COIF_OK;
}

static void curl_groom(const coif_host *host, const void *state, const void *params,
                       const coif_groom_batch *batch)
{
    (void)host;
    const coif_kit_noise_scales *patches = state;
    curling all;
    for (int32_t strand = 0; strand < batch->strand_count; ++strand) {
        curl_strand(&all, params, *patches, batch, strand);
    }
}

static void curl_max_segment_length(const coif_host *host, const void *state, const void *params,
                                    const coif_groom_batch *batch, float *longest)
{
    const curl_params *curl = params;
    (void)host, (void)state;
    for (int32_t strand = 0; strand < batch->strand_count; ++strand) {
        const int32_t lock = coif_kit_strand_clump(batch, strand);
        const float own = coif_kit_strand_param(batch, WAVELENGTH, strand, curl->wavelength);
        const float together =
            lock >= 0 ? coif_kit_input_param(batch, WAVELENGTH, lock, curl->wavelength) : own;
        float least = own;
        for (int32_t i = batch->first[strand]; i < batch->first[strand + 1]; ++i) {
            const float here = coif_kit_point_param(batch, WAVELENGTH, i, own);
            least = here < least ? here : least;
        }
        least = together < own ? least * (together / own) : least;
        // Where waves follow each other unevenly, some are shorter.
        const float uneven = coif_kit_strand_param(batch, IRREGULARITY, strand, curl->irregularity);
        longest[strand] = least / ((1.0f + 0.75f * uneven) * (float)curl->points_per_turn);
    }
}

static const coif_plugin CURL = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_GROOM,
    .id = "groom.curl",
    .version = "2.0.0",
    .help = "Waves and curls around the axis of the strand.",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(curl_params),
    .state_size = sizeof(coif_kit_noise_scales),
    .groom = curl_groom,
    .prepare = curl_prepare,
    .max_segment_length = curl_max_segment_length,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&CURL};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
