// groom.bun: gathers hair at a tie and winds it into a coil around the tie.
//
// Curves to the tie: coif/gather.h. The centreline of the coil is an Archimedean spiral about the
// axis of the tie that starts at its middle and descends to the head; after its last turn it goes
// on beneath, where the ends of the hair are hidden. Heights are distances from the body. Strands
// keep their position in the cross-section (coif/bundle.h), which turns about the centreline.
#include <coif/bundle.h>
#include <coif/plugin.h>

// Points of the centreline, per turn of the coil, and locks that messiness loosens.
enum { PATH_MAX = 2048, PATH_PER_TURN = 64, LOCKS = 40 };

typedef struct bun_params {
    float tie[3];
    float tie_radius;
    float band_length;
    float axis[3];
    float radius;
    float thickness;
    float turns;
    float height;
    float twist;
    float messiness;
    float clearance;
    float ridge_height;
    float stray_fraction;
    int32_t region;
} bun_params;

// Row of PARAMS.
enum { BUN_STRAY_FRACTION = 12 };

#define ROW(...) COIF_PLUGIN_ROW(bun_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(tie, COIF_PARAM_VEC3, 0, "Centre of the tie in the middle of the bun, in the space of the body.", "m", 0, 0.062, -0.107, -100, 100),
    ROW(tie_radius, COIF_PARAM_FLOAT, 0, "Radius of the hair inside the tie.", "m", 0.013, 0, 0, 0.0005, 1),
    ROW(band_length, COIF_PARAM_FLOAT, 0, "Length of the tie along the hair, within which the hair keeps its radius.", "m", 0.006, 0, 0, 0, 1),
    ROW(axis, COIF_PARAM_VEC3, 0, "Axis of the coil, away from the head.", "", 0, 0.4, -1, -1, 1),
    ROW(radius, COIF_PARAM_FLOAT, 0, "Radius of the last turn of the coil, to the middle of the wound hair.", "m", 0.027, 0, 0, 0.001, 1),
    ROW(thickness, COIF_PARAM_FLOAT, 0, "Radius of the wound hair.", "m", 0.012, 0, 0, 0.0005, 1),
    ROW(turns, COIF_PARAM_FLOAT, 0, "Number of turns of the coil.", "", 1.75, 0, 0, 0.25, 10),
    ROW(height, COIF_PARAM_FLOAT, 0, "Height of the middle of the coil above its tie.", "m", 0.012, 0, 0, 0, 1),
    ROW(twist, COIF_PARAM_FLOAT, 0, "Rotation of the wound hair about its centreline per turn of the coil.", "deg", 160, 0, 0, -3600, 3600),
    ROW(messiness, COIF_PARAM_FLOAT, 0, "Displacement of locks from the coil relative to its thickness.", "", 0.25, 0, 0, 0, 2),
    ROW(clearance, COIF_PARAM_FLOAT, 0, "Distance of the lowest strands from the scalp.", "m", 0.0015, 0, 0, 0, 1),
    ROW(ridge_height, COIF_PARAM_FLOAT, 0, "Height of the ridges a comb leaves in the gathered hair.", "m", 0.0015, 0, 0, 0, 0.1),
    ROW(stray_fraction, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Fraction of the strands that lie loosely.", "", 0.03, 0, 0, 0, 1),
    ROW(region, COIF_PARAM_INT, 0, "Region of the strands that are gathered; -1 gathers all.", "", -1, 0, 0, -1, 1000000),
};
// clang-format on

typedef struct bun_state {
    float twist; // of the wound hair about its centreline, radians/m
    coif_kit_gather gather;
    coif_kit_bundle bundle;
} bun_state;

// Centreline of the coil; wound_length: of its turns, without the hidden ones.
static int32_t wind(coif_kit_vec *path, float *wound_length, const bun_params *bun,
                    const coif_kit_gather *gather)
{
    const coif_kit_vec axis = coif_kit_normalize(coif_kit_vec_of(bun->axis), gather->to_tie);
    const coif_kit_vec down = coif_kit_vec_make(0.0f, -1.0f, 0.0f);
    const coif_kit_vec side =
        coif_kit_normalize(coif_kit_perpendicular(down, axis), coif_kit_any_perpendicular(axis));
    const coif_kit_vec up = coif_kit_cross(axis, side);
    const float step = 2.0f * COIF_KIT_PI / (float)PATH_PER_TURN;
    const float inner = 0.6f * bun->radius; // of the hidden turns
    coif_kit_vec normal;
    const float begin = coif_kit_gather_distance(gather, gather->tie, &normal) + bun->band_length;
    float length = 0.0f;
    int32_t count = 0;
    path[count++] = coif_kit_mad(gather->tie, bun->band_length, axis);
    for (int32_t i = 1; i < PATH_MAX && length < gather->longest; ++i) {
        const float angle = step * (float)i, turn = angle / (2.0f * COIF_KIT_PI);
        const float wound = coif_kit_clamp(turn / bun->turns, 0.0f, 1.0f);
        const float hidden = coif_kit_smoothstep((turn - bun->turns) / 0.5f);
        const float rise = coif_kit_smoothstep(turn / 0.35f);
        const float r = coif_kit_mix(bun->radius * wound, inner, hidden);
        const float h = coif_kit_mix(begin + rise * bun->height, 0.9f * bun->thickness,
                                     coif_kit_smoothstep(wound));
        coif_kit_vec at = coif_kit_mad(gather->tie, r * coif_kit_cos(angle), side);
        at = coif_kit_mad(at, r * coif_kit_sin(angle), up);
        at = coif_kit_mad(at, h - begin, axis);
        for (int k = 0; k < 3; ++k) {
            const float distance = coif_kit_gather_distance(gather, at, &normal);
            at = coif_kit_mad(at, h - distance, axis);
        }
        length += coif_kit_length(coif_kit_sub(at, path[count - 1]));
        *wound_length = turn <= bun->turns ? length : *wound_length;
        path[count++] = at;
    }
    return count;
}

static coif_status bun_prepare(const coif_host *host, void *data, const void *params,
                               const coif_groom_batch *whole)
{
    const bun_params *bun = params;
    bun_state *state = data;
    coif_kit_vec path[PATH_MAX];
    (void)host;
    if (whole->strand_count == 0) {
        return COIF_OK;
    }
    coif_kit_gather *gather = &state->gather;
    memset(gather, 0, sizeof *gather);
    coif_kit_gather_build(gather, whole, coif_kit_vec_of(bun->tie), bun->tie_radius, bun->region);
    gather->band = bun->band_length;
    gather->clearance = bun->clearance;
    gather->ridge_height = bun->ridge_height;
    float wound_length = 1e-3f;
    const int32_t count = wind(path, &wound_length, bun, gather);
    state->twist = bun->twist * (COIF_KIT_PI / 180.0f) * bun->turns / wound_length;
    coif_kit_gather_follow(gather, path, count, bun->thickness);
    coif_kit_bundle_build(&state->bundle, gather, whole, 1);
    return COIF_OK;
}

// What coif_kit_tail_offset needs of one strand.
typedef struct bun_strand {
    const bun_params *params;
    float twist; // radians/m
    coif_kit_bundled in;
    uint32_t lock;
} bun_strand;

static coif_kit_vec bun_offset(const void *data, const coif_kit_gathered *strand,
                               const coif_kit_tail_section *section, float s)
{
    const bun_strand *of = data;
    const bun_params *bun = of->params;
    (void)section;
    const float wound = s - bun->band_length;
    const float begin = coif_kit_smoothstep(wound / (2.0f * bun->thickness));
    const float angle = wound > 0.0f ? of->twist * wound : 0.0f;
    const float c = coif_kit_cos(angle), sine = coif_kit_sin(angle);
    const float x = c * of->in.p - sine * of->in.q, y = sine * of->in.p + c * of->in.q;
    // Messy locks bulge out of the coil, and each strand out of its lock.
    const float bulge =
        1.0f + bun->messiness * coif_kit_noise1(s / 0.035f, of->lock) +
        0.5f * bun->messiness * coif_kit_noise1(s / 0.02f, coif_kit_hash(strand->word, 75)) +
        strand->stray * (0.3f + 0.5f * coif_kit_noise1(s / 0.03f, strand->word));
    const float radius = coif_kit_mix(bun->tie_radius, bun->thickness * bulge, begin);
    return coif_kit_vec_make(radius * coif_kit_mix(strand->a, x, begin),
                             radius * coif_kit_mix(strand->b, y, begin), 0.0f);
}

static void bun_groom(const coif_host *host, const void *data, const void *params,
                      const coif_groom_batch *batch)
{
    const bun_params *bun = params;
    const bun_state *state = data;
    (void)host;
    for (int32_t s = 0; s < batch->strand_count; ++s) {
        if (!coif_kit_gather_takes(&state->gather, batch->region, s)) {
            continue;
        }
        const float strays =
            coif_kit_strand_param(batch, BUN_STRAY_FRACTION, s, bun->stray_fraction);
        const coif_kit_gathered strand = coif_kit_gather_strand(&state->gather, batch, s, strays);
        bun_strand of = {.params = bun,
                         .twist = state->twist,
                         .in = coif_kit_bundle_at(&state->bundle, strand.a, strand.b)};
        // Locks are sectors of the cross-section.
        of.lock = (uint32_t)((float)LOCKS * coif_kit_clamp(0.5f + 0.5f * of.in.p, 0.0f, 0.999f)) +
                  1000u * (of.in.q > 0.0f);
        coif_kit_gather_lay(&state->gather, &strand, batch, s, bun_offset, &of);
    }
}

static void bun_max_segment(const coif_host *host, const void *data, const void *params,
                            const coif_groom_batch *batch, float *longest)
{
    const bun_params *bun = params;
    (void)host, (void)data;
    for (int32_t s = 0; s < batch->strand_count; ++s) {
        longest[s] = 0.4f * bun->thickness;
    }
}

static const coif_plugin BUN = {
    COIF_PLUGIN_HEAD(COIF_KIND_GROOM, "groom.bun", "1.0.0",
                     "Gathers hair at a tie and winds it into a coil.", PARAMS, bun_params),
    .state_size = sizeof(bun_state),
    .groom = bun_groom,
    .max_segment_length = bun_max_segment,
    .prepare = bun_prepare,
};

COIF_PLUGIN_ENTRY(BUN)
