// groom.braid: gathers hair at a tie and plaits it, flat of two or more locks or as a fishtail.
//
// Curves to the tie: coif/gather.h. Locks: coif/bundle.h. Their centrelines: coif/plait.h. Strands
// keep their position in the cross-section of their lock, which a noise shared by neighbours
// ripples. A second tie ends the plait; the rest of the hair is a tassel.
#include <coif/bundle.h>
#include <coif/plait.h>
#include <coif/plugin.h>
#include <coif/polyline.h>

typedef struct braid_params {
    float tie[3];
    float tie_radius;
    float band_length;
    float direction[3];
    float fall[3];
    float fall_length;
    const char *path;
    int32_t pattern;
    int32_t locks;
    float length;
    float pitch;
    float width;
    float depth;
    float taper;
    float tightness;
    float end_radius;
    float tassel_width;
    float clearance;
    float ridge_height;
    float stray_fraction;
    int32_t region;
} braid_params;

// Row of PARAMS.
enum { BRAID_STRAY_FRACTION = 19 };

enum { PATTERN_FLAT, PATTERN_FISHTAIL };
static const char *const PATTERNS[] = {"flat", "fishtail", NULL};

#define ROW(...)    COIF_PLUGIN_ROW(braid_params, __VA_ARGS__)
#define CHOICE(...) COIF_PLUGIN_CHOICE(braid_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(tie, COIF_PARAM_VEC3, 0, "Centre of the tie at which the plait begins, in the space of the body.", "m", 0, -0.02, -0.116, -100, 100),
    ROW(tie_radius, COIF_PARAM_FLOAT, 0, "Radius of the hair inside the tie.", "m", 0.015, 0, 0, 0.0005, 1),
    ROW(band_length, COIF_PARAM_FLOAT, 0, "Length of each tie along the plait, within which the hair keeps its radius.", "m", 0.006, 0, 0, 0, 1),
    ROW(direction, COIF_PARAM_VEC3, 0, "Direction in which the plait leaves the tie.", "", 0, -0.6, -0.8, -1, 1),
    ROW(fall, COIF_PARAM_VEC3, 0, "Direction towards which the plait turns.", "", 0, -1, 0.05, -1, 1),
    ROW(fall_length, COIF_PARAM_FLOAT, 0, "Length over which the plait turns.", "m", 0.025, 0, 0, 0.001, 10),
    ROW(path, COIF_PARAM_STRING, 0, "Polyline \"x y z, x y z, ...\" that the plait follows from the tie as a spline, in place of direction and fall.", "m", 0, 0, 0, 0, 0),
    CHOICE(pattern, "Pattern of the plait.", PATTERNS, PATTERN_FLAT),
    ROW(locks, COIF_PARAM_INT, 0, "Number of locks that are plaited; 2 make a rope, a fishtail takes 9 or more.", "", 3, 0, 0, 2, COIF_KIT_BUNDLE_LOCKS - 1),
    ROW(length, COIF_PARAM_FLOAT, 0, "Length of the plait between its ties.", "m", 0.25, 0, 0, 0, 100),
    ROW(pitch, COIF_PARAM_FLOAT, 0, "Length of the plait after which a lock is back at its side.", "m", 0.09, 0, 0, 0.001, 100),
    ROW(width, COIF_PARAM_FLOAT, 0, "Half the width of the plait.", "m", 0.02, 0, 0, 0.0005, 1),
    ROW(depth, COIF_PARAM_FLOAT, 0, "Depth of the plait relative to its width.", "", 0.7, 0, 0, 0.05, 2),
    ROW(taper, COIF_PARAM_FLOAT, 0, "Width at the end of the plait relative to its beginning.", "", 0.6, 0, 0, 0.05, 2),
    ROW(tightness, COIF_PARAM_FLOAT, 0, "Separation of the locks: at 1 adjacent locks touch, at 0 they run into each other.", "", 0.7, 0, 0, 0, 1),
    ROW(end_radius, COIF_PARAM_FLOAT, 0, "Radius of the hair inside the tie at the end of the plait.", "m", 0.006, 0, 0, 0.0005, 1),
    ROW(tassel_width, COIF_PARAM_FLOAT, 0, "Radius of the hair after the end tie relative to that of the tie.", "", 2.2, 0, 0, 0.5, 10),
    ROW(clearance, COIF_PARAM_FLOAT, 0, "Distance of the lowest strands from the scalp.", "m", 0.0015, 0, 0, 0, 1),
    ROW(ridge_height, COIF_PARAM_FLOAT, 0, "Height of the ridges a comb leaves in the gathered hair.", "m", 0.0015, 0, 0, 0, 0.1),
    ROW(stray_fraction, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Fraction of the strands that lie loosely.", "", 0.03, 0, 0, 0, 1),
    ROW(region, COIF_PARAM_INT, 0, "Region of the strands that are gathered; -1 gathers all.", "", -1, 0, 0, -1, 1000000),
};
// clang-format on

typedef struct braid_state {
    coif_kit_polyline path;
    coif_kit_gather gather;
    coif_kit_bundle bundle;
    int32_t lock_of[COIF_KIT_BUNDLE_LOCKS]; // of the plait, for a lock of the bundle
} braid_state;

static coif_kit_plait_point lock_centre(const braid_params *braid, int32_t lock, float turns)
{
    const float phase = coif_kit_plait_phase(braid->locks, lock, turns);
    return braid->pattern == PATTERN_FISHTAIL ? coif_kit_plait_fishtail(phase)
                                              : coif_kit_plait_flat(braid->locks, phase);
}

static coif_status braid_init(const coif_host *host, void *data, const void *params)
{
    const braid_params *braid = params;
    braid_state *state = data;
    return coif_kit_polyline_init(&state->path, host, "path", braid->path, 1);
}

// Assigns the locks of the bundle to those of the plait from left to right.
static void assign_locks(braid_state *state, const braid_params *braid)
{
    float x[COIF_KIT_BUNDLE_LOCKS], lock[COIF_KIT_BUNDLE_LOCKS];
    for (int32_t k = 0; k < braid->locks; ++k) {
        x[k] = lock_centre(braid, k, 0.0f).x;
        lock[k] = (float)k;
    }
    coif_kit_sort_pairs(x, lock, braid->locks);
    for (int32_t k = 0; k < braid->locks; ++k) {
        state->lock_of[k] = (int32_t)lock[k];
    }
}

static coif_status braid_prepare(const coif_host *host, void *data, const void *params,
                                 const coif_groom_batch *whole)
{
    const braid_params *braid = params;
    braid_state *state = data;
    (void)host;
    if (whole->strand_count == 0) {
        return COIF_OK;
    }
    coif_kit_gather *gather = &state->gather;
    memset(gather, 0, sizeof *gather);
    coif_kit_gather_build(gather, whole, coif_kit_vec_of(braid->tie), braid->tie_radius,
                          braid->region);
    gather->band = braid->band_length;
    gather->clearance = braid->clearance;
    gather->ridge_height = braid->ridge_height;
    if (state->path.count > 0) {
        coif_kit_gather_follow(gather, state->path.points, state->path.count, braid->width);
    } else {
        coif_kit_gather_hang(gather, coif_kit_vec_of(braid->direction),
                             coif_kit_vec_of(braid->fall), braid->fall_length,
                             braid->width * braid->depth);
    }
    coif_kit_bundle_build(&state->bundle, gather, whole, braid->locks);
    assign_locks(state, braid);
    return COIF_OK;
}

// What coif_kit_tail_offset needs of one strand.
typedef struct braid_strand {
    const braid_params *params;
    int32_t lock; // of the plait
    float p, q;   // in the cross-section of the lock, unit disc
} braid_strand;

// Position in the cross-section of the plait after `turns` periods, -1 to 1 along both axes.
static coif_kit_plait_point plait_position(const braid_strand *in, float turns, float s,
                                           float stray)
{
    const braid_params *braid = in->params;
    const int fishtail = braid->pattern == PATTERN_FISHTAIL;
    const coif_kit_plait_point centre = lock_centre(braid, in->lock, turns);
    // Adjacent locks touch in the middle of a plait of n locks when their radius is amplitude / n.
    const float loose = coif_kit_mix(1.35f, 1.0f, braid->tightness) * (1.0f + 0.5f * stray);
    const float across = (fishtail ? 0.32f : 1.9f / (float)braid->locks) * loose;
    const float over = (fishtail ? 0.5f : 0.85f) * loose;
    const uint32_t seed = 64u + 2u * (uint32_t)in->lock;
    const float ripple_x = 0.12f * coif_kit_noise3(2.0f * in->p, 2.0f * in->q, s / 0.03f, seed);
    const float ripple_y =
        0.12f * coif_kit_noise3(2.0f * in->p, 2.0f * in->q, s / 0.03f, seed + 1u);
    coif_kit_plait_point at;
    at.x = (centre.x + across * (in->p + ripple_x)) / (1.0f + across);
    at.y = (centre.y + over * (in->q + ripple_y)) / (1.0f + over);
    return at;
}

static coif_kit_vec braid_offset(const void *data, const coif_kit_gathered *strand,
                                 const coif_kit_tail_section *section, float s)
{
    const braid_strand *in = data;
    const braid_params *braid = in->params;
    (void)section;
    const float plait = s - braid->band_length; // from the end of the tie
    const float within = coif_kit_clamp(plait, 0.0f, braid->length);
    const float taper =
        coif_kit_mix(1.0f, braid->taper, braid->length > 0.0f ? within / braid->length : 0.0f);
    const float begin = coif_kit_smoothstep(plait / (3.0f * braid->tie_radius));
    const float end =
        coif_kit_smoothstep(1.0f - (braid->length - plait) / (2.0f * braid->width * taper));
    const float beyond = plait - braid->length - braid->band_length; // the end tie
    const float open = 1.0f + (braid->tassel_width - 1.0f) * coif_kit_smoothstep(beyond / 0.03f);
    const float turns = within / braid->pitch;
    const coif_kit_plait_point at = plait_position(in, turns, plait, strand->stray);
    const float tip = braid->end_radius * open;
    const float x =
        coif_kit_mix(coif_kit_mix(braid->tie_radius, braid->width * taper, begin), tip, end);
    const float y = coif_kit_mix(
        coif_kit_mix(braid->tie_radius, braid->width * braid->depth * taper, begin), tip, end);
    return coif_kit_vec_make(x * coif_kit_mix(strand->a, at.x, begin),
                             y * coif_kit_mix(strand->b, at.y, begin), 0.0f);
}

static void braid_groom(const coif_host *host, const void *data, const void *params,
                        const coif_groom_batch *batch)
{
    const braid_params *braid = params;
    const braid_state *state = data;
    (void)host;
    for (int32_t s = 0; s < batch->strand_count; ++s) {
        if (!coif_kit_gather_takes(&state->gather, batch->region, s)) {
            continue;
        }
        const float strays =
            coif_kit_strand_param(batch, BRAID_STRAY_FRACTION, s, braid->stray_fraction);
        const coif_kit_gathered strand = coif_kit_gather_strand(&state->gather, batch, s, strays);
        const coif_kit_bundled at = coif_kit_bundle_at(&state->bundle, strand.a, strand.b);
        const braid_strand in = {braid, state->lock_of[at.lock], at.p, at.q};
        coif_kit_gather_lay(&state->gather, &strand, batch, s, braid_offset, &in);
        if (batch->clump != NULL) {
            batch->clump[s] = state->bundle.centre[at.lock];
        }
    }
}

// A period of a flat plait has locks - 1 waves over the depth.
static void braid_max_segment(const coif_host *host, const void *data, const void *params,
                              const coif_groom_batch *batch, float *longest)
{
    const braid_params *braid = params;
    (void)host, (void)data;
    const int32_t waves = braid->pattern == PATTERN_FISHTAIL ? 3 : braid->locks - 1;
    for (int32_t s = 0; s < batch->strand_count; ++s) {
        longest[s] = braid->pitch / (8.0f * (float)waves);
    }
}

static const coif_plugin BRAID = {
    COIF_PLUGIN_HEAD(COIF_KIND_GROOM, "groom.braid", "1.0.0",
                     "Gathers hair at a tie and plaits it.", PARAMS, braid_params),
    .state_size = sizeof(braid_state),
    .init = braid_init,
    .groom = braid_groom,
    .max_segment_length = braid_max_segment,
    .prepare = braid_prepare,
};

COIF_PLUGIN_ENTRY(BRAID)
