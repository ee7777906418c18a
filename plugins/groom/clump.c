// groom.clump: gathers hair into locks.
//
// The first `count` strands of the groom are centres; they are spread evenly over the scalp because
// strands come in the order of the root sequence. Each strand is drawn sideways towards the nearest
// centre c, never along it, so tips stay as uneven as they grew:
//
//   p -= a strength profile,   a = the part of p - c across c, down to the thickness of the lock
//
// Nearest means root and middle of the strand together: hair on the two sides of a parting has
// close roots and yet does not belong together. Segment lengths are kept.
#include <coif/lock.h>
#include <coif/plugin.h>
#include <coif/strand.h>

typedef struct clump_params {
    int32_t count;
    float strength;
    int32_t profile;
    float radius;
    float twist;
    float stray;
} clump_params;

enum { COUNT, STRENGTH, PROFILE, RADIUS, TWIST, STRAY };

enum { EVEN, LINEAR, LATE, EARLY };
static const char *const PROFILES[] = {"even", "linear", "late", "early", NULL};

#define ROW(field, kind, vary, text, units, a, b, c, lowest, highest)                              \
    {                                                                                              \
        .name = #field, .help = text, .unit = units, .type = kind, .flags = vary,                  \
        .offset = offsetof(clump_params, field), .fallback = {a, b, c}, .low = lowest,             \
        .high = highest                                                                            \
    }

#define MAP  COIF_PARAM_MAPPABLE
#define BOTH COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP

// clang-format off
static const coif_param PARAMS[] = {
    ROW(count,  COIF_PARAM_INT,   0,    "number of locks",                                            "",    300, 0, 0, 1, 1000000),
    ROW(strength, COIF_PARAM_FLOAT, BOTH, "how far strands are drawn to the middle of their lock",      "",    0.7, 0, 0, 0, 1),
    {.name = "profile", .help = "how the strength grows from root to tip; even leaves it to a ramp", .unit = "",
     .type = COIF_PARAM_CHOICE, .offset = offsetof(clump_params, profile), .fallback = {LINEAR}, .choices = PROFILES},
    ROW(radius, COIF_PARAM_FLOAT, MAP,  "thickness of a finished lock: nothing is drawn closer",      "m",   0.001, 0, 0, 0, 1),
    ROW(twist,  COIF_PARAM_FLOAT, MAP,  "turn of the lock about its middle from root to tip",         "deg", 0, 0, 0, -3600, 3600),
    ROW(stray,  COIF_PARAM_FLOAT, MAP,  "share of strands that keep out of their lock",               "",    0.06, 0, 0, 0, 1),
};
// clang-format on

static float square(coif_kit_vec a)
{
    return coif_kit_dot(a, a);
}

static int32_t nearest_centre(const coif_strand_view *all, int32_t strand, int32_t count)
{
    const int32_t *first = all->first;
    const coif_kit_vec root = coif_kit_view_point(all, first[strand]);
    const coif_kit_vec middle =
        coif_kit_view_point(all, first[strand] + (first[strand + 1] - first[strand]) / 2);
    int32_t nearest = 0;
    float least = 3e38f;
    for (int32_t centre = 0; centre < count; ++centre) {
        const int32_t half = first[centre] + (first[centre + 1] - first[centre]) / 2;
        const float distance = square(coif_kit_sub(root, coif_kit_view_point(all, first[centre]))) +
                               0.25f * square(coif_kit_sub(middle, coif_kit_view_point(all, half)));
        if (distance < least) {
            least = distance;
            nearest = centre;
        }
    }
    return nearest;
}

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

// How one strand follows its centre.
typedef struct strand_lock {
    coif_kit_cursor guide;
    float length, radius, twist;
    float follow; // below 1 for strays
} strand_lock;

static strand_lock lock_of(const clump_params *clump, const coif_groom_batch *batch, int32_t strand,
                           int32_t centre)
{
    const coif_strand_view *all = batch->all;
    const float chance = coif_kit_random(batch->random[strand], 31);
    const float stray = coif_kit_at_strand(batch, STRAY, strand, clump->stray);
    return (strand_lock){
        .guide = coif_kit_cursor_at_root(all, centre, coif_kit_normal(batch, strand)),
        .length = coif_kit_strand_length(batch, strand),
        .radius = coif_kit_at_strand(batch, RADIUS, strand, clump->radius),
        .twist = coif_kit_at_strand(batch, TWIST, strand, clump->twist) * (COIF_KIT_PI / 180.0f),
        .follow = chance < stray ? 0.3f * chance / stray : 1.0f,
    };
}

// Where a point goes, for a strength there.
static coif_kit_vec gather(strand_lock *lock, const coif_kit_walk *walk, float strength,
                           int32_t profile)
{
    const float t =
        lock->length > 0.0f ? coif_kit_clamp(walk->distance / lock->length, 0.0f, 1.0f) : 0.0f;
    const float drawn =
        coif_kit_clamp(lock->follow * strength * profile_at(profile, t), 0.0f, 1.0f);
    const coif_kit_vec across = coif_kit_cursor_beside(&lock->guide, walk->at, walk->distance);
    const float distance = coif_kit_length(across);
    const float least = distance > lock->radius ? lock->radius / distance : 1.0f;
    // The whole way from where it is to the skin of the lock, so that no strand is stopped suddenly
    // by it.
    coif_kit_vec kept = coif_kit_scale(across, 1.0f - (1.0f - least) * drawn);
    if (lock->twist != 0.0f) {
        const float angle = lock->twist * t;
        kept = coif_kit_turn(kept, lock->guide.tangent, coif_kit_cos(angle), coif_kit_sin(angle));
    }
    return coif_kit_mad(walk->at, 1.0f, coif_kit_sub(kept, across));
}

static void clump_strand(const clump_params *clump, const coif_groom_batch *batch, int32_t strand)
{
    const coif_strand_view *all = batch->all;
    const int32_t self = batch->strand_begin + strand;
    const int32_t count = clump->count < all->strand_count ? clump->count : all->strand_count;
    const int32_t centre = nearest_centre(all, self, count);
    strand_lock lock = lock_of(clump, batch, strand, centre);
    if (batch->lock != NULL && lock.follow >= 1.0f) {
        batch->lock[strand] = centre;
    }
    if (centre == self) {
        return;
    }
    const float strength = coif_kit_at_strand(batch, STRENGTH, strand, clump->strength);

    coif_kit_walk walk = coif_kit_walk_begin(batch, strand, coif_kit_normal(batch, strand));
    coif_kit_vec at = walk.at, before = walk.at;
    float segment = walk.segment;
    while (coif_kit_walk_next(&walk)) {
        const float here = coif_kit_at_point(batch, STRENGTH, walk.point, strength);
        const coif_kit_vec gathered = gather(&lock, &walk, here, clump->profile);
        const coif_kit_vec step = coif_kit_direction(coif_kit_sub(gathered, before), walk.tangent);
        at = coif_kit_mad(at, segment, step);
        coif_kit_place(batch, walk.point, at);
        before = gathered;
        segment = walk.segment;
    }
}

static void clump_groom(const coif_host *host, const void *state, const void *params,
                        const coif_groom_batch *batch)
{
    (void)host, (void)state;
    for (int32_t strand = 0; strand < batch->strand_count; ++strand) {
        clump_strand(params, batch, strand);
    }
}

static const coif_plugin CLUMP = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_GROOM,
    .id = "groom.clump",
    .version = "1.0.0",
    .help = "gathers hair into locks",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(clump_params),
    .groom = clump_groom,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&CLUMP};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
