// groom.clump: gathers hair into locks.
//
// The first `count` strands of the groom are centres; they are spread evenly over the scalp because
// strands come in the order of the root sequence. Each strand is drawn sideways towards the nearest
// centre c, never along it, so tips stay as uneven as they grew:
//
//   p -= a strength profile,   a = the part of p - c across c, down to the thickness of the lock
//
// Nearest means root and middle of the strand together: hair on the two sides of a parting has
// close roots and yet does not belong together; nor does hair of two regions. Segment lengths are
// kept.
//
// Locks may be made of finer ones: level k has count ratio^(k - 1) centres, and each centre belongs
// to the nearest of the level before. A strand is drawn to the centre of the finest level, and goes
// with it where that is drawn by its own, so that a fine lock stays fine in a thick one.
#include <coif/nearest_strand.h>
#include <coif/plugin.h>

enum { MOST_LEVELS = 4 };

typedef struct clump_params {
    int32_t count;
    float strength;
    int32_t profile;
    float radius;
    float twist;
    float stray_fraction;
    int32_t levels;
    float subclumps;
    float finer[MOST_LEVELS - 1];
    int32_t curl_level;
} clump_params;

enum { COUNT, STRENGTH, PROFILE, RADIUS, TWIST, STRAY, LEVELS, RATIO, STRENGTH_2 };

enum { EVEN, LINEAR, LATE, EARLY };
static const char *const PROFILES[] = {"constant", "linear", "late", "early", NULL};

#define ROW(field, kind, vary, text, units, a, b, c, lowest, highest)                              \
    {                                                                                              \
        .name = #field, .help = text, .unit = units, .type = kind, .flags = vary,                  \
        .offset = offsetof(clump_params, field), .fallback = {a, b, c}, .low = lowest,             \
        .high = highest                                                                            \
    }

#define MAP  COIF_PARAM_MAPPABLE
#define BOTH COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP

#define FINER(level)                                                                               \
    {                                                                                              \
        .name = "strength_" #level, .help = "Strength of the clumps of level " #level ".",         \
        .unit = "", .type = COIF_PARAM_FLOAT, .flags = BOTH,                                       \
        .offset = offsetof(clump_params, finer) + (level - 2) * sizeof(float), .fallback = {0.7},  \
        .low = 0, .high = 1                                                                        \
    }

// clang-format off
static const coif_param PARAMS[] = {
    ROW(count,  COIF_PARAM_INT,   0,    "Number of clumps.",                                            "",    300, 0, 0, 1, 1000000),
    ROW(strength, COIF_PARAM_FLOAT, BOTH, "Fraction of the distance by which strands move to the centre of their clump.",       "",    0.7, 0, 0, 0, 1),
    {.name = "profile", .help = "Growth of the strength from root to tip; constant leaves the profile to a ramp.", .unit = "",
     .type = COIF_PARAM_CHOICE, .offset = offsetof(clump_params, profile), .fallback = {LINEAR}, .choices = PROFILES},
    ROW(radius, COIF_PARAM_FLOAT, BOTH, "Minimum radius of a clump.",      "m",   0.001, 0, 0, 0, 1),
    ROW(twist,  COIF_PARAM_FLOAT, BOTH, "Rotation of a clump about its centre from root to tip.",         "deg", 0, 0, 0, -3600, 3600),
    ROW(stray_fraction,  COIF_PARAM_FLOAT, MAP,  "Fraction of the strands that do not join their clump.",               "",    0.06, 0, 0, 0, 1),
    ROW(levels, COIF_PARAM_INT,   0,    "Levels of clumping; 2 are clumps of finer clumps.",                "",    1, 0, 0, 1, MOST_LEVELS),
    ROW(subclumps,  COIF_PARAM_FLOAT, 0,    "Finer clumps per clump.",                                   "",    5, 0, 0, 1, 100),
    FINER(2), FINER(3), FINER(4),
    ROW(curl_level, COIF_PARAM_INT,  0,    "Level whose clumps groom.curl curls as a unit; 1 is the coarsest.",          "",    1, 0, 0, 1, MOST_LEVELS),
};
// clang-format on

static float profile_at(int32_t profile, float t)
{
    switch (profile) {
    case EVEN:
        return 1.0f;
    case LATE:
        return t * t;
    case EARLY:
        return t * (2.0f - t);
    default:
        return t;
    }
}

// Who belongs to whom. Level 0 is the thickest.
typedef struct clump_state {
    int32_t levels;
    coif_kit_strand_grid near; // among the centres of the finest level
    // per centre of a level: the centre it belongs to in the level before; -1: none in its region
    int32_t *owner[MOST_LEVELS];
} clump_state;

static coif_status clump_prepare(const coif_host *host, void *data, const void *params,
                                 const coif_groom_batch *whole)
{
    const clump_params *clump = params;
    clump_state *state = data;
    const coif_strand_view *all = whole->input;
    float count = (float)clump->count;
    for (int32_t level = 0; level < clump->levels; ++level) {
        coif_kit_strand_grid finer;
        coif_kit_strand_grid_build(&finer, host, all, (int32_t)coif_kit_clamp(count, 1.0f, 1e7f));
        if (level > 0) {
            state->owner[level] = host->alloc(host, sizeof(int32_t) * (size_t)(finer.count + 1));
            for (int32_t s = 0; s < finer.count; ++s) {
                state->owner[level][s] = coif_kit_strand_grid_nearest(&state->near, s);
            }
        }
        state->near = finer;
        count *= clump->subclumps;
    }
    state->levels = clump->levels;
    return COIF_OK;
}

// How one strand follows its centres.
typedef struct strand_lock {
    int32_t levels;
    int32_t centre[MOST_LEVELS]; // -1: none
    coif_kit_strand_cursor guide[MOST_LEVELS];
    float strength[MOST_LEVELS];
    float length, twist, radius;
    float thicker; // a lock than those it is made of: as many lie side by side in it
    float follow;  // below 1 for strays
} strand_lock;

static void find_centres(strand_lock *lock, const clump_state *state, int32_t strand)
{
    lock->levels = state->levels;
    int32_t own = state->levels > 0 ? coif_kit_strand_grid_nearest(&state->near, strand) : -1;
    for (int32_t level = state->levels - 1; level >= 0; --level) {
        lock->centre[level] = own;
        own = level > 0 && own >= 0 ? state->owner[level][own] : -1;
    }
}

static void open_lock(strand_lock *lock, const clump_params *clump, const coif_groom_batch *batch,
                      int32_t strand)
{
    const float chance = coif_kit_random(batch->random[strand], 31);
    const float stray = coif_kit_strand_param(batch, STRAY, strand, clump->stray_fraction);
    lock->thicker = sqrtf(clump->subclumps);
    lock->radius = coif_kit_strand_param(batch, RADIUS, strand, clump->radius);
    for (int32_t level = lock->levels - 1; level >= 0; --level) {
        const int32_t row = level > 0 ? STRENGTH_2 + level - 1 : STRENGTH;
        const float value = level > 0 ? clump->finer[level - 1] : clump->strength;
        lock->strength[level] = coif_kit_strand_param(batch, row, strand, value);
        if (lock->centre[level] >= 0) {
            lock->guide[level] = coif_kit_strand_cursor_at_root(
                batch->input, lock->centre[level], coif_kit_root_normal(batch, strand));
        }
    }
    lock->length = coif_kit_strand_length(batch, strand);
    lock->twist = coif_kit_strand_param(batch, TWIST, strand, clump->twist);
    lock->follow = chance < stray ? 0.3f * chance / stray : 1.0f;
}

// What is done to a point at one level: drawn by a share towards a lock of a radius, and turned.
typedef struct pull {
    float drawn, radius, turn;
} pull;

// How a point beside the centre of a level moves.
static coif_kit_vec draw(coif_kit_strand_cursor *guide, coif_kit_vec point, float distance, pull by)
{
    const coif_kit_vec across = coif_kit_strand_cursor_project(guide, point, distance);
    const float away = coif_kit_length(across);
    const float least = away > by.radius ? by.radius / away : 1.0f;
    // The whole way from where it is to the skin of the lock, so that no strand is stopped suddenly
    // by it.
    coif_kit_vec kept = coif_kit_scale(across, 1.0f - (1.0f - least) * by.drawn);
    if (by.turn != 0.0f) {
        kept = coif_kit_rotate(kept, guide->tangent, coif_kit_cos(by.turn), coif_kit_sin(by.turn));
    }
    return coif_kit_sub(kept, across);
}

// Where a point goes.
static coif_kit_vec gathered_point(strand_lock *lock, const clump_params *clump,
                                   const coif_groom_batch *batch, const coif_kit_strand_walk *walk,
                                   int32_t self)
{
    const float t =
        lock->length > 0.0f ? coif_kit_clamp(walk->distance / lock->length, 0.0f, 1.0f) : 0.0f;
    const float shape = profile_at(clump->profile, t);
    coif_kit_vec to = walk->at, point = walk->at;
    float distance = walk->distance;
    float radius = coif_kit_point_param(batch, RADIUS, walk->point, lock->radius);
    const float twist = coif_kit_point_param(batch, TWIST, walk->point, lock->twist);
    for (int32_t level = lock->levels - 1; level >= 0 && lock->centre[level] >= 0; --level) {
        pull by = {.radius = radius};
        radius *= lock->thicker;
        if (lock->centre[level] == self) {
            continue;
        }
        const int32_t row = level > 0 ? STRENGTH_2 + level - 1 : STRENGTH;
        const float strength = coif_kit_point_param(batch, row, walk->point, lock->strength[level]);
        by.drawn = coif_kit_clamp(lock->follow * strength * shape, 0.0f, 1.0f);
        by.turn = level == 0 ? twist * (COIF_KIT_PI / 180.0f) * t : 0.0f;
        to = coif_kit_mad(to, 1.0f, draw(&lock->guide[level], point, distance, by));
        // The place beside it on the centre goes with the centre of the next level.
        point = lock->guide[level].at;
        distance = lock->guide[level].distance;
        self = lock->centre[level];
    }
    return to;
}

static void clump_strand(const clump_params *clump, const clump_state *state,
                         const coif_groom_batch *batch, int32_t strand)
{
    const int32_t self = batch->strand_begin + strand;
    strand_lock lock;
    find_centres(&lock, state, self);
    if (lock.levels == 0 || lock.centre[lock.levels - 1] < 0) {
        return; // its region has no centre
    }
    open_lock(&lock, clump, batch, strand);
    if (batch->clump != NULL && lock.follow >= 1.0f) {
        const int32_t level = clump->curl_level < lock.levels ? clump->curl_level : lock.levels;
        batch->clump[strand] = lock.centre[level - 1];
    }
    if (lock.centre[0] == self) {
        return;
    }
    coif_kit_strand_walk walk =
        coif_kit_strand_walk_begin(batch, strand, coif_kit_root_normal(batch, strand));
    coif_kit_vec at = walk.at, before = walk.at;
    float segment = walk.segment;
    while (coif_kit_strand_walk_next(&walk)) {
        const coif_kit_vec gathered = gathered_point(&lock, clump, batch, &walk, self);
        const coif_kit_vec step = coif_kit_normalize(coif_kit_sub(gathered, before), walk.tangent);
        at = coif_kit_mad(at, segment, step);
        coif_kit_set_point(batch, walk.point, at);
        before = gathered;
        segment = walk.segment;
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
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_GROOM,
    .id = "groom.clump",
    .version = "1.1.0",
    .help = "Gathers strands into clumps.",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(clump_params),
    .state_size = sizeof(clump_state),
    .groom = clump_groom,
    .prepare = clump_prepare,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&CLUMP};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
