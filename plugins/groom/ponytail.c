// groom.ponytail: gathers hair at a tie, from where it falls as a tail.
//
// Curves to the tie: coif/gather.h. In the tail strands keep their position in the cross-section,
// which widens from the tie, and draw together into locks towards the tips; each lock sways by
// itself. The ring of the tie: coif_kit_gather.
#include <coif/gather.h>
#include <coif/plugin.h>

enum { LOCKS_MAX = 400 };

typedef struct ponytail_params {
    float tie[3];
    float tie_radius;
    float direction[3];
    float fall[3];
    float fall_length;
    float width;
    int32_t locks;
    float lock_strength;
    float sway;
    float clearance;
    float ridge_height;
    float stray_fraction;
    float band_length;
    int32_t region;
} ponytail_params;

// Row of PARAMS.
enum { PONYTAIL_STRAY_FRACTION = 11 };

#define ROW(...) COIF_PLUGIN_ROW(ponytail_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(tie, COIF_PARAM_VEC3, 0, "Centre of the tie in the space of the body.", "m", 0, 0.055, -0.112, -100, 100),
    ROW(tie_radius, COIF_PARAM_FLOAT, 0, "Radius of the hair inside the tie.", "m", 0.013, 0, 0, 0.0005, 1),
    ROW(direction, COIF_PARAM_VEC3, 0, "Direction in which the tail leaves the tie.", "", 0, 0.5, -1, -1, 1),
    ROW(fall, COIF_PARAM_VEC3, 0, "Direction towards which the tail turns.", "", 0, -1, 0.05, -1, 1),
    ROW(fall_length, COIF_PARAM_FLOAT, 0, "Length over which the tail turns.", "m", 0.05, 0, 0, 0.001, 10),
    ROW(width, COIF_PARAM_FLOAT, 0, "Radius of the tail relative to that of the tie.", "", 1.9, 0, 0, 0.5, 10),
    ROW(locks, COIF_PARAM_INT, 0, "Number of locks of the tail.", "", 60, 0, 0, 1, LOCKS_MAX),
    ROW(lock_strength, COIF_PARAM_FLOAT, 0, "Fraction of the distance by which strands move to the centre of their lock at the end of the tail.", "", 0.75, 0, 0, 0, 1),
    ROW(sway, COIF_PARAM_FLOAT, 0, "Sideways displacement of locks at the end of the tail.", "m", 0.012, 0, 0, 0, 1),
    ROW(clearance, COIF_PARAM_FLOAT, 0, "Distance of the lowest strands from the scalp.", "m", 0.0015, 0, 0, 0, 1),
    ROW(ridge_height, COIF_PARAM_FLOAT, 0, "Height of the ridges a comb leaves in the gathered hair.", "m", 0.0015, 0, 0, 0, 0.1),
    ROW(stray_fraction, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Fraction of the strands that lie loosely.", "", 0.03, 0, 0, 0, 1),
    ROW(band_length, COIF_PARAM_FLOAT, 0, "Length of the tie along the tail, within which the hair keeps its radius.", "m", 0.008, 0, 0, 0, 1),
    ROW(region, COIF_PARAM_INT, 0, "Region of the strands that are gathered; -1 gathers all.", "", -1, 0, 0, -1, 1000000),
};
// clang-format on

typedef struct ponytail_state {
    coif_kit_gather gather;
    float locks[LOCKS_MAX][2]; // centres in the unit disc
} ponytail_state;

static coif_status ponytail_prepare(const coif_host *host, void *data, const void *params,
                                    const coif_groom_batch *whole)
{
    const ponytail_params *ponytail = params;
    ponytail_state *state = data;
    (void)host;
    memset(state, 0, sizeof *state);
    if (whole->strand_count == 0) {
        return COIF_OK;
    }
    coif_kit_gather *gather = &state->gather;
    coif_kit_gather_build(gather, whole, coif_kit_vec_of(ponytail->tie), ponytail->tie_radius,
                          ponytail->region);
    gather->band = ponytail->band_length;
    gather->clearance = ponytail->clearance;
    gather->ridge_height = ponytail->ridge_height;
    coif_kit_gather_hang(gather, coif_kit_vec_of(ponytail->direction),
                         coif_kit_vec_of(ponytail->fall), ponytail->fall_length,
                         ponytail->tie_radius * ponytail->width);
    // Lock centres on a spiral of equal areas (Vogel 1979).
    for (int32_t k = 0; k < ponytail->locks; ++k) {
        const float r = sqrtf(((float)k + 0.5f) / (float)ponytail->locks);
        state->locks[k][0] = r * coif_kit_cos(2.3999632f * (float)k);
        state->locks[k][1] = r * coif_kit_sin(2.3999632f * (float)k);
    }
    return COIF_OK;
}

// What coif_kit_tail_offset needs of one strand.
typedef struct tail_strand {
    const ponytail_params *params;
    const ponytail_state *state;
    int32_t lock;
} tail_strand;

static int32_t nearest_lock(const ponytail_state *state, int32_t count, float a, float b)
{
    int32_t best = 0;
    float least = 1e9f;
    for (int32_t k = 0; k < count; ++k) {
        const float x = state->locks[k][0] - a, y = state->locks[k][1] - b;
        if (x * x + y * y < least) {
            least = x * x + y * y;
            best = k;
        }
    }
    return best;
}

static coif_kit_vec tail_offset(const void *data, const coif_kit_gathered *strand,
                                const coif_kit_tail_section *section, float s)
{
    const tail_strand *tail = data;
    const ponytail_params *ponytail = tail->params;
    const float *lock = tail->state->locks[tail->lock];
    const float beyond = s - ponytail->band_length; // the tie
    const float t = coif_kit_clamp(beyond / tail->state->gather.longest, 0.0f, 1.0f);
    const float wide = coif_kit_mix(ponytail->tie_radius, section->radius,
                                    coif_kit_smoothstep(beyond / (4.0f * section->radius)));
    const float pull = ponytail->lock_strength * (1.0f - strand->stray) * t * (2.0f - t);
    const float sway = ponytail->sway * t;
    const uint32_t seed = 16u * (uint32_t)tail->lock;
    const float loose = 1.0f + 0.5f * strand->stray * coif_kit_smoothstep(5.0f * t);
    const float own = 2.5f * strand->stray * ponytail->sway * t;
    coif_kit_vec offset;
    offset.x = wide * loose * coif_kit_mix(strand->a, lock[0], pull) +
               sway * coif_kit_noise1(s / 0.07f, seed) +
               own * coif_kit_noise1(s / 0.05f, coif_kit_hash(strand->word, 72));
    offset.y = wide * loose * coif_kit_mix(strand->b, lock[1], pull) +
               sway * coif_kit_noise1(s / 0.07f, seed + 1u) +
               own * coif_kit_noise1(s / 0.05f, coif_kit_hash(strand->word, 73));
    offset.z = 0.0f;
    return offset;
}

static void ponytail_groom(const coif_host *host, const void *data, const void *params,
                           const coif_groom_batch *batch)
{
    const ponytail_params *ponytail = params;
    tail_strand tail = {.params = params, .state = data};
    (void)host;
    for (int32_t s = 0; s < batch->strand_count; ++s) {
        if (!coif_kit_gather_takes(&tail.state->gather, batch->region, s)) {
            continue;
        }
        const float strays =
            coif_kit_strand_param(batch, PONYTAIL_STRAY_FRACTION, s, ponytail->stray_fraction);
        const coif_kit_gathered strand =
            coif_kit_gather_strand(&tail.state->gather, batch, s, strays);
        tail.lock = nearest_lock(tail.state, ponytail->locks, strand.a, strand.b);
        coif_kit_gather_lay(&tail.state->gather, &strand, batch, s, tail_offset, &tail);
    }
}

static const coif_plugin PONYTAIL = {
    COIF_PLUGIN_HEAD(COIF_KIND_GROOM, "groom.ponytail", "1.1.0",
                     "Gathers hair at a tie, from where it falls as a tail.", PARAMS,
                     ponytail_params),
    .state_size = sizeof(ponytail_state),
    .groom = ponytail_groom,
    .prepare = ponytail_prepare,
};

COIF_PLUGIN_ENTRY(PONYTAIL)
