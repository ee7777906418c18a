// aov: arbitrary output variables: which exist, how each is accumulated, and where on the film.
//
// AOVs are selected by name ("image/aovs"). Group names select several: "hair_lobes",
// "light_passes" and "lights" for sets that add up to the beauty image, "crypto" for the
// Cryptomattes, "all". Only selected AOVs are accumulated and take memory.
//
//   hair_lobes    R + TT + TRT + hair_multiple + surface + background = beauty
//   lights        light_other + light_NAME ... = beauty
//   light_passes  direct + indirect + background = beauty
#ifndef COIF_RENDER_FILM_AOV_H
#define COIF_RENDER_FILM_AOV_H

#include "core/base/base.h"

typedef enum coif_aov_kind {
    COIF_AOV_BEAUTY = 0,
    COIF_AOV_R, // single scattering on hair, by lobe
    COIF_AOV_TT,
    COIF_AOV_TRT,
    COIF_AOV_MULTIPLE,   // multiple scattering seen on hair
    COIF_AOV_SURFACE,    // seen on meshes
    COIF_AOV_BACKGROUND, // and directly visible lights
    COIF_AOV_DIRECT,     // scattered once
    COIF_AOV_INDIRECT,   // scattered more than once
    COIF_AOV_LIGHT,      // from one light group
    COIF_AOV_ALBEDO,
    COIF_AOV_NORMAL,
    COIF_AOV_TANGENT, // of hair, from root to tip
    COIF_AOV_DEPTH,
    COIF_AOV_POSITION,
    COIF_AOV_FORWARD,  // motion vector to the next frame, in pixels, right and up
    COIF_AOV_BACKWARD, // motion vector to the previous frame
    COIF_AOV_ROOT_UV,
    COIF_AOV_STRAND_ID, // from 1, over all grooms
    COIF_AOV_MASK,      // coverage of hair and of meshes
    COIF_AOV_SAMPLES,
    COIF_AOV_VARIANCE,       // of the pixel value
    COIF_AOV_SHADOW_CATCHER, // shadowed over unshadowed light; 1 where there is no shadow catcher
    COIF_AOV_DENOISED,       // denoised beauty
    COIF_AOV_CRYPTO_OBJECT,
    COIF_AOV_CRYPTO_CLUMP,
    COIF_AOV_KINDS
} coif_aov_kind;

typedef enum coif_aov_accumulation {
    COIF_ACCUMULATE_MEAN,           // over samples; colours and vectors times coverage
    COIF_ACCUMULATE_NEAREST,        // of the sample nearest to the camera; 0 without a hit
    COIF_ACCUMULATE_COUNT,          // no sums: the film counts samples
    COIF_ACCUMULATE_VARIANCE,       // sums of values and squares of the pixel's own samples
    COIF_ACCUMULATE_SHADOW_CATCHER, // shadowed and unshadowed light, background, coverage
    COIF_ACCUMULATE_DENOISE_INPUTS, // differences of the sample halves, strand directions
    COIF_ACCUMULATE_CRYPTOMATTE     // identifiers and their coverage
} coif_aov_accumulation;

// Cryptomatte: identifiers accumulated per pixel, ranks written to the file, and sums
// (cryptomatte.h).
enum {
    COIF_CRYPTO_SLOTS = 12,
    COIF_CRYPTO_RANKS = 6,
    COIF_CRYPTO_SUMS = 3 * COIF_CRYPTO_SLOTS + 2
};

// Sums of "denoised": direct and indirect light of the first half minus the second, structure
// tensor of the screen-space strand tangent, albedo of meshes, samples of the first half minus the
// second.
enum {
    COIF_SUM_DIRECT = 0,
    COIF_SUM_INDIRECT = 3,
    COIF_SUM_TANGENT2 = 6,
    COIF_SUM_ALBEDO = 9,
    COIF_SUM_HALF_COUNT = 12,
    COIF_DENOISE_SUMS = 13
};

// Sums of "variance" over the pixel's own samples: squares of R, G, B and luminance; R, G, B and
// alpha; shadowed samples of a shadow catcher.
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
    coif_aov_accumulation accumulation;
    const char *name;            // "N", "light_key"
    const char *const *channels; // suffixes of channel names
    int32_t channel_count;
    bool bare_channels;   // channel names have no AOV prefix
    bool full_float;      // always 32-bit, never lossy compression
    bool hidden;          // accumulated for other AOVs, not written
    int32_t light_group;  // COIF_AOV_LIGHT
    int32_t offset, size; // in the sums of a pixel
} coif_aov;

// Sample halves of the denoiser alternate in runs of this many samples; runs of powers of two are
// well distributed. Films average several frames and need fewer samples in each.
enum { COIF_HALF_RUN = 8, COIF_FILM_HALF_RUN = 4 };

enum { COIF_MAX_AOVS = COIF_AOV_KINDS + COIF_MAX_LIGHT_GROUPS };

typedef struct coif_aovs {
    coif_aov list[COIF_MAX_AOVS]; // the first is beauty
    int32_t count;
    int32_t stride;    // sums of a pixel
    int32_t sum_count; // the first of them, which are linear in the samples and may be splatted
    int32_t offset[COIF_AOV_KINDS]; // of each kind, -1: not selected; of the first light group
    bool needs_light_split;         // paths must record light by origin
    int32_t half_run;               // samples after which the half for the denoiser alternates
} coif_aovs;

// An unknown name is COIF_ERR_SCENE, with a list of the known ones.
typedef struct coif_aovs_desc {
    const char *names;               // separated by spaces or commas
    const char *const *light_groups; // the first holds lights without a group
    int32_t light_group_count;
    bool adaptive;           // accumulates the variance
    bool denoise;            // as the name "denoised"
    bool denoise_film;       // with denoise: its inputs are stored, with motion; nothing is written
    bool has_shadow_catcher; // beauty alpha needs its sums
} coif_aovs_desc;
coif_status coif_aovs_select(coif_aovs *aovs, const coif_aovs_desc *desc, coif_arena *arena,
                             coif_error *error);

void coif_aovs_beauty_only(coif_aovs *aovs);

// Checks names without knowing the light groups.
coif_status coif_aovs_check(const char *names, coif_error *error);

// Text check of parameter tables: light groups become AOV names, light_NAME.
coif_status coif_aov_check_light_group(const char *param, const char *text, coif_error *error);

// A word of "image/aovs" for user interfaces, with the AOVs it selects that can be displayed as an
// image: neither cryptomattes nor light groups, whose names depend on the scene. False past the
// last.
typedef struct coif_aov_option {
    const char *name;
    const char *layers[COIF_AOV_KINDS];
    int32_t layer_count;
} coif_aov_option;
bool coif_aov_option_at(coif_aov_option *option, int32_t index);

static inline bool coif_second_half(const coif_aovs *aovs, int32_t sample)
{
    return (sample & aovs->half_run) != 0;
}

// A selected AOV by name; NULL: not selected.
const coif_aov *coif_aovs_find(const coif_aovs *aovs, const char *name);

// Motion vectors need the current frame (0), the next (1) and the previous (2).
enum { COIF_MOTION_FRAMES = 3 };
static inline double coif_motion_frame(double frame, int which)
{
    return which == 2 ? frame - 1 : frame + which;
}

static inline bool coif_aovs_need_motion_frame(const coif_aovs *aovs, int which)
{
    const bool forward = aovs->offset[COIF_AOV_FORWARD] >= 0;
    const bool backward = aovs->offset[COIF_AOV_BACKWARD] >= 0;
    return which == 0 ? forward || backward : which == 1 ? forward : backward;
}

#endif
