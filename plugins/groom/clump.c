// groom.clump: pulls strands towards centre strands.
//
// The first `count` strands are centres; since strands are in the order of a low-discrepancy
// sequence they are distributed evenly over the scalp. Each strand is pulled towards the nearest
// centre c perpendicular to it, so tips keep their length differences:
//
//   p -= a strength profile,   a = perpendicular part of p - c, limited by the clump radius
//
// Distance combines roots and midpoints, which separates the two sides of a parting; clumps never
// span regions. Segment lengths are preserved.
//
// Clumps can be hierarchical: level k has count ratio^(k - 1) centres, each assigned to the nearest
// centre of the coarser level. A strand is pulled to its finest centre and inherits the
// displacement of that centre by the coarser levels, so fine clumps stay fine.
#include <coif/nearest_strand.h>
#include <coif/plugin.h>

enum { LEVEL_COUNT_MAX = 4 };

typedef struct clump_params {
    int32_t count;
    float strength;
    int32_t profile;
    float radius;
    float twist;
    float stray_fraction;
    int32_t levels;
    float subclumps;
    float finer[LEVEL_COUNT_MAX - 1];
    int32_t curl_level;
} clump_params;

// Rows of PARAMS.
enum {
    CLUMP_COUNT,
    CLUMP_STRENGTH,
    CLUMP_PROFILE,
    CLUMP_RADIUS,
    CLUMP_TWIST,
    CLUMP_STRAY_FRACTION,
    CLUMP_LEVELS,
    CLUMP_SUBCLUMPS,
    CLUMP_STRENGTH_2
};

enum { PROFILE_CONSTANT, PROFILE_LINEAR, PROFILE_LATE, PROFILE_EARLY };
static const char *const PROFILES[] = {"constant", "linear", "late", "early", NULL};

#define ROW(...)    COIF_PLUGIN_ROW(clump_params, __VA_ARGS__)
#define CHOICE(...) COIF_PLUGIN_CHOICE(clump_params, __VA_ARGS__)

#define FINER(level)                                                                               \
    {                                                                                              \
        .name = "strength_" #level, .help = "Strength of the clumps of level " #level ".",         \
        .unit = "", .type = COIF_PARAM_FLOAT, .flags = COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP,      \
        .offset = offsetof(clump_params, finer) + (level - 2) * sizeof(float), .fallback = {0.7},  \
        .low = 0, .high = 1                                                                        \
    }

// clang-format off
static const coif_param PARAMS[] = {
    ROW(count, COIF_PARAM_INT, 0, "Number of clumps.", "", 300, 0, 0, 1, 1000000),
    ROW(strength, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Fraction of the distance by which strands move to the centre of their clump.", "", 0.7, 0, 0, 0, 1),
    CHOICE(profile, "Growth of the strength from root to tip; constant leaves the profile to a ramp.", PROFILES, PROFILE_LINEAR),
    ROW(radius, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Minimum radius of a clump.", "m", 0.001, 0, 0, 0, 1),
    ROW(twist, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Rotation of a clump about its centre from root to tip.", "deg", 0, 0, 0, -3600, 3600),
    ROW(stray_fraction, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Fraction of the strands that do not join their clump.", "", 0.06, 0, 0, 0, 1),
    ROW(levels, COIF_PARAM_INT, 0, "Levels of clumping; 2 are clumps of finer clumps.", "", 1, 0, 0, 1, LEVEL_COUNT_MAX),
    ROW(subclumps, COIF_PARAM_FLOAT, 0, "Finer clumps per clump.", "", 5, 0, 0, 1, 100),
    FINER(2), FINER(3), FINER(4),
    ROW(curl_level, COIF_PARAM_INT, 0, "Level whose clumps groom.curl curls as a unit; 1 is the coarsest.", "", 1, 0, 0, 1, LEVEL_COUNT_MAX),
};
// clang-format on

static float profile_at(int32_t profile, float t)
{
    switch (profile) {
    case PROFILE_CONSTANT:
        return 1.0f;
    case PROFILE_LATE:
        return t * t;
    case PROFILE_EARLY:
        return t * (2.0f - t);
    default:
        return t;
    }
}

// Clump hierarchy; level 0 is the coarsest.
typedef struct clump_state {
    int32_t levels;
    coif_kit_strand_grid finest; // centres of the finest level
    // Per centre of a level: its parent in the coarser level, -1 when its region has none.
    int32_t *parent[LEVEL_COUNT_MAX];
} clump_state;

static coif_status clump_prepare(const coif_host *host, void *data, const void *params,
                                 const coif_groom_batch *whole)
{
    const clump_params *clump = params;
    clump_state *state = data;
    const coif_strand_view *strands = whole->input;
    float count = (float)clump->count;
    for (int32_t level = 0; level < clump->levels; ++level) {
        coif_kit_strand_grid finer;
        coif_kit_strand_grid_build(&finer, host, strands,
                                   (int32_t)coif_kit_clamp(count, 1.0f, 1e7f));
        if (level > 0) {
            state->parent[level] = host->alloc(host, sizeof(int32_t) * (size_t)(finer.count + 1));
            for (int32_t s = 0; s < finer.count; ++s) {
                state->parent[level][s] = coif_kit_strand_grid_nearest(&state->finest, s);
            }
        }
        state->finest = finer;
        count *= clump->subclumps;
    }
    state->levels = clump->levels;
    return COIF_OK;
}

// Clumping of one strand.
typedef struct strand_clump {
    int32_t levels;
    int32_t centre[LEVEL_COUNT_MAX]; // -1: none
    coif_kit_strand_cursor cursor[LEVEL_COUNT_MAX];
    float strength[LEVEL_COUNT_MAX];
    float length, twist, radius;
    float radius_ratio; // of a clump to the finer clumps it consists of
    float weight;       // below 1 for stray strands
} strand_clump;

static void find_centres(strand_clump *member, const clump_state *state, int32_t strand)
{
    member->levels = state->levels;
    int32_t own = state->levels > 0 ? coif_kit_strand_grid_nearest(&state->finest, strand) : -1;
    for (int32_t level = state->levels - 1; level >= 0; --level) {
        member->centre[level] = own;
        own = level > 0 && own >= 0 ? state->parent[level][own] : -1;
    }
}

static void open_strand(strand_clump *member, const clump_params *clump,
                        const coif_groom_batch *batch, int32_t strand)
{
    const float chance = coif_kit_random(batch->random[strand], 31);
    const float stray =
        coif_kit_strand_param(batch, CLUMP_STRAY_FRACTION, strand, clump->stray_fraction);
    member->radius_ratio = sqrtf(clump->subclumps);
    member->radius = coif_kit_strand_param(batch, CLUMP_RADIUS, strand, clump->radius);
    for (int32_t level = member->levels - 1; level >= 0; --level) {
        const int32_t row = level > 0 ? CLUMP_STRENGTH_2 + level - 1 : CLUMP_STRENGTH;
        const float value = level > 0 ? clump->finer[level - 1] : clump->strength;
        member->strength[level] = coif_kit_strand_param(batch, row, strand, value);
        if (member->centre[level] >= 0) {
            member->cursor[level] = coif_kit_strand_cursor_at_root(
                batch->input, member->centre[level], coif_kit_root_normal(batch, strand));
        }
    }
    member->length = coif_kit_strand_length(batch, strand);
    member->twist = coif_kit_strand_param(batch, CLUMP_TWIST, strand, clump->twist);
    member->weight = chance < stray ? 0.3f * chance / stray : 1.0f;
}

// Action of one level on a point.
typedef struct pull {
    float weight; // 0: none, 1: onto the surface of the clump
    float radius; // of the clump, m
    float twist;  // about the centre, radians
} pull;

// Displacement of a point by the centre of one level.
static coif_kit_vec pull_point(coif_kit_strand_cursor *cursor, coif_kit_vec point, float distance,
                               pull by)
{
    const coif_kit_vec across = coif_kit_strand_cursor_project(cursor, point, distance);
    const float away = coif_kit_length(across);
    const float least = away > by.radius ? by.radius / away : 1.0f;
    // Interpolate between the offset and the clump surface: a clamp would leave a kink.
    coif_kit_vec kept = coif_kit_scale(across, 1.0f - (1.0f - least) * by.weight);
    if (by.twist != 0.0f) {
        kept =
            coif_kit_rotate(kept, cursor->tangent, coif_kit_cos(by.twist), coif_kit_sin(by.twist));
    }
    return coif_kit_sub(kept, across);
}

// Position of a point after all levels.
static coif_kit_vec clumped_point(strand_clump *member, const clump_params *clump,
                                  const coif_groom_batch *batch, const coif_kit_strand_walk *walk,
                                  int32_t self)
{
    const float t =
        member->length > 0.0f ? coif_kit_clamp(walk->distance / member->length, 0.0f, 1.0f) : 0.0f;
    const float shape = profile_at(clump->profile, t);
    coif_kit_vec to = walk->position, point = walk->position;
    float distance = walk->distance;
    float radius = coif_kit_point_param(batch, CLUMP_RADIUS, walk->point, member->radius);
    const float twist = coif_kit_point_param(batch, CLUMP_TWIST, walk->point, member->twist);
    for (int32_t level = member->levels - 1; level >= 0 && member->centre[level] >= 0; --level) {
        pull by = {.radius = radius};
        radius *= member->radius_ratio;
        if (member->centre[level] == self) {
            continue;
        }
        const int32_t row = level > 0 ? CLUMP_STRENGTH_2 + level - 1 : CLUMP_STRENGTH;
        const float strength =
            coif_kit_point_param(batch, row, walk->point, member->strength[level]);
        by.weight = coif_kit_clamp(member->weight * strength * shape, 0.0f, 1.0f);
        by.twist = level == 0 ? twist * (COIF_KIT_PI / 180.0f) * t : 0.0f;
        to = coif_kit_mad(to, 1.0f, pull_point(&member->cursor[level], point, distance, by));
        // The coarser level displaces the projection on the centre.
        point = member->cursor[level].position;
        distance = member->cursor[level].distance;
        self = member->centre[level];
    }
    return to;
}

static void clump_strand(const clump_params *clump, const clump_state *state,
                         const coif_groom_batch *batch, int32_t strand)
{
    const int32_t self = batch->strand_begin + strand;
    strand_clump member;
    find_centres(&member, state, self);
    if (member.levels == 0 || member.centre[member.levels - 1] < 0) {
        return; // no centre in its region
    }
    open_strand(&member, clump, batch, strand);
    if (batch->clump != NULL && member.weight >= 1.0f) {
        const int32_t level = clump->curl_level < member.levels ? clump->curl_level : member.levels;
        batch->clump[strand] = member.centre[level - 1];
    }
    if (member.centre[0] == self) {
        return;
    }
    coif_kit_strand_walk walk =
        coif_kit_strand_walk_begin(batch, strand, coif_kit_root_normal(batch, strand));
    coif_kit_vec at = walk.position, before = walk.position;
    float segment = walk.segment_length;
    while (coif_kit_strand_walk_next(&walk)) {
        const coif_kit_vec clumped = clumped_point(&member, clump, batch, &walk, self);
        const coif_kit_vec step = coif_kit_normalize(coif_kit_sub(clumped, before), walk.tangent);
        at = coif_kit_mad(at, segment, step);
        coif_kit_set_point(batch, walk.point, at);
        before = clumped;
        segment = walk.segment_length;
    }
}

static void clump_groom(const coif_host *host, const void *state, const void *params,
                        const coif_groom_batch *batch)
{
    (void)host;
    for (int32_t strand = 0; strand < batch->strand_count; ++strand) {
        clump_strand(params, state, batch, strand);
    }
}

static const coif_plugin CLUMP = {
    COIF_PLUGIN_HEAD(COIF_KIND_GROOM, "groom.clump", "1.1.0", "Gathers strands into clumps.",
                     PARAMS, clump_params),
    .state_size = sizeof(clump_state),
    .groom = clump_groom,
    .prepare = clump_prepare,
};

COIF_PLUGIN_ENTRY(CLUMP)
