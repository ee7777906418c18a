// aov: what a picture may hold beside its colour, layer by layer, and how each is gathered.
//
// A layer is chosen by name ("image/aovs"). Names of groups stand for several: "lobes" for the
// parts that add up to the picture, "lights" for one layer per light group, "crypto" for the
// Cryptomattes, "all". Only what is chosen is gathered, and takes room on the film.
//
//   lobes        R + TT + TRT + multiple + surface + background = the picture
//   lights       light_other + light_NAME ... = the picture
//   passes       direct + indirect + background = the picture
#ifndef COIF_RENDER_FILM_AOV_H
#define COIF_RENDER_FILM_AOV_H

#include "core/base/base.h"

typedef enum coif_aov_kind {
    COIF_AOV_BEAUTY = 0,
    COIF_AOV_R, // light that hair scattered once, by lobe
    COIF_AOV_TT,
    COIF_AOV_TRT,
    COIF_AOV_MULTIPLE,   // seen on hair, after more than that
    COIF_AOV_SURFACE,    // seen on bodies
    COIF_AOV_BACKGROUND, // seen behind all, and lights themselves
    COIF_AOV_DIRECT,     // scattered once, by anything
    COIF_AOV_INDIRECT,   // more than once
    COIF_AOV_LIGHT,      // from one group of lights
    COIF_AOV_ALBEDO,
    COIF_AOV_NORMAL,
    COIF_AOV_TANGENT, // of hair, from root to tip
    COIF_AOV_DEPTH,
    COIF_AOV_POSITION,
    COIF_AOV_FORWARD,  // where it goes until the next frame, in pixels, right and up
    COIF_AOV_BACKWARD, // where it was at the one before, likewise
    COIF_AOV_ROOT_UV,
    COIF_AOV_STRAND_ID, // from 1 through all grooms
    COIF_AOV_MASK,      // share of hair and of bodies
    COIF_AOV_SAMPLES,
    COIF_AOV_VARIANCE,       // of the pixel's own value, not of one sample
    COIF_AOV_SHADOW_CATCHER, // how much of its light a shadow catcher gets; 1 where there is none
    COIF_AOV_DENOISED,       // the picture without most of its noise
    COIF_AOV_CRYPTO_OBJECT,
    COIF_AOV_CRYPTO_CLUMP,
    COIF_AOV_KINDS
} coif_aov_kind;

typedef enum coif_aov_accumulation {
    COIF_ACCUMULATE_MEAN,     // over samples, colours and vectors times coverage
    COIF_ACCUMULATE_NEAREST,  // that of the sample nearest to the camera; 0 where there is none
    COIF_ACCUMULATE_COUNT,    // nothing: the film counts anyway
    COIF_ACCUMULATE_VARIANCE, // what the pixel's own samples say of it
    COIF_ACCUMULATE_SHADOW_CATCHER, // light that arrived, light without shadows, light behind, and
                                    // coverage
    COIF_ACCUMULATE_DENOISE_INPUTS, // differences between halves of the samples, and directions of
                                    // strands
    COIF_ACCUMULATE_CRYPTOMATTE     // names and how much of the pixel each covers
} coif_aov_accumulation;

// Cryptomatte: names told apart in one pixel, how many of them are kept in the file, and sums (see
// crypto.h).
enum {
    COIF_CRYPTO_SLOTS = 12,
    COIF_CRYPTO_RANKS = 6,
    COIF_CRYPTO_SUMS = 3 * COIF_CRYPTO_SLOTS + 2
};

// Sums of the layer "denoised": direct and indirect light of the first half less that of the
// second, directions of strands in view, colours of bodies in view, samples of the first half less
// those of the second.
enum {
    COIF_SUM_DIRECT = 0,
    COIF_SUM_INDIRECT = 3,
    COIF_SUM_TANGENT2 = 6,
    COIF_SUM_ALBEDO = 9,
    COIF_SUM_HALF_COUNT = 12,
    COIF_DENOISE_SUMS = 13
};

// Sums of the layer "variance", of a pixel's own samples: squares of red, green, blue and
// brightness; red, green, blue and alpha; samples of a shadow catcher that are shaded.
enum {
    COIF_SUM_LUMINANCE2 = 3,
    COIF_SUM_COLOR = 4,
    COIF_SUM_ALPHA = 7,
    COIF_SUM_SHADED = 8,
    COIF_VARIANCE_SUMS = 9
};

enum { COIF_MAX_AOV_CHANNELS = 2 * COIF_CRYPTO_RANKS, COIF_MAX_LIGHT_GROUPS = 32 };

typedef struct coif_aov {
    coif_aov_kind kind;
    coif_aov_accumulation gather;
    const char *name;            // of the layer: "N", "light_key"
    const char *const *channels; // what follows the dot in channel names
    int32_t channel_count;       // in the picture
    bool plain;                  // channels bear no layer's name
    bool exact;                  // always 32 bits
    bool hidden;                 // gathered for the others' sake, not shown
    int32_t group;               // COIF_AOV_LIGHT
    int32_t place, size;         // sums of a pixel
} coif_aov;

enum { COIF_MAX_AOVS = COIF_AOV_KINDS + COIF_MAX_LIGHT_GROUPS };

typedef struct coif_aovs {
    coif_aov list[COIF_MAX_AOVS]; // the first is the picture itself
    int32_t count;
    int32_t stride;    // sums of a pixel
    int32_t sum_count; // of them the first, to which samples are simply added
    // Place of each kind's sums, -1 for those that are not gathered; of light groups the first.
    int32_t place[COIF_AOV_KINDS];
    bool needs_light_split; // light has to be told apart by where it came from
} coif_aovs;

// What is asked for in words, with spaces or commas between them, and groups of lights by name (the
// first is that of lights without one). Adaptive also gathers the variance. An unknown name is
// COIF_ERR_SCENE and lists the known ones.
typedef struct coif_aovs_desc {
    const char *names;
    const char *const *light_groups;
    int32_t light_group_count;
    bool adaptive;
    bool denoise;            // the same as the name "denoised"
    bool has_shadow_catcher; // there is a shadow catcher: the picture's alpha needs its light
} coif_aovs_desc;
coif_status coif_aovs_select(coif_aovs *aovs, const coif_aovs_desc *desc, coif_arena *arena,
                             coif_error *error);

// The picture alone.
void coif_aovs_beauty_only(coif_aovs *aovs);

// Whether names are all known; what the scene checks before it knows its lights.
coif_status coif_aovs_check(const char *names, coif_error *error);

// The layer of that name, NULL when it is not among the chosen.
const coif_aov *coif_aovs_find(const coif_aovs *aovs, const char *name);

// Motion vectors look at the picture's own frame (0), the next (1) and the one before (2).
enum { COIF_MOTION_FRAMES = 3 };
static inline int coif_motion_frame(int frame, int which)
{
    return which == 2 ? frame - 1 : frame + which;
}

// Whether the layers want to know one of them.
static inline bool coif_aovs_need_motion_frame(const coif_aovs *aovs, int which)
{
    const bool forward = aovs->place[COIF_AOV_FORWARD] >= 0;
    const bool backward = aovs->place[COIF_AOV_BACKWARD] >= 0;
    return which == 0 ? forward || backward : which == 1 ? forward : backward;
}

#endif
