#include "render/film/aov.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/scene/params.h"

#include <stdio.h>
#include <string.h>

static const char *const RGBA[] = {"R", "G", "B", "A"};
static const char *const XYZ[] = {"X", "Y", "Z"};
static const char *const UV[] = {"u", "v"};
static const char *const ROOT[] = {"U", "V"};
static const char *const DEPTH[] = {"Z"};
static const char *const MASK[] = {"hair", "surface"};
static const char *const ID[] = {"strand_id"};
static const char *const SAMPLES[] = {"samples"};

// Words that stand for several layers.
enum { LOBES = 1, PASSES = 2, LIGHTS = 4, CRYPTO = 8, ALL = 16 };
typedef struct group_word {
    const char *name;
    int bit;
} group_word;
static const group_word GROUPS[] = {
    {"lobes", LOBES}, {"passes", PASSES}, {"lights", LIGHTS}, {"crypto", CRYPTO}, {"all", ALL}};

typedef struct row {
    coif_aov aov;
    int groups;
} row;

// clang-format off
#define MEAN(kind_, name_, names_, count_, groups_)                                                \
    {{.kind = kind_, .gather = COIF_ACCUMULATE_MEAN, .name = name_, .channels = names_,                \
      .channel_count = count_, .size = count_}, groups_}
#define NEAREST(kind_, name_, names_, count_, plain_)                                              \
    {{.kind = kind_, .gather = COIF_ACCUMULATE_NEAREST, .name = name_, .channels = names_,             \
      .channel_count = count_, .size = count_, .plain = plain_, .exact = true}, ALL}
#define RANKED(kind_, name_)                                                                       \
    {{.kind = kind_, .gather = COIF_ACCUMULATE_CRYPTOMATTE, .name = name_, .channels = RGBA,                \
      .channel_count = 2 * COIF_CRYPTO_RANKS, .size = COIF_CRYPTO_SUMS, .exact = true},                     \
     ALL | CRYPTO}
static const row ROWS[] = {
    {{.kind = COIF_AOV_BEAUTY, .name = "rgba", .channels = RGBA, .channel_count = 4, .size = 4, .plain = true}, 0},
    MEAN(COIF_AOV_R, "R", RGBA, 3, ALL | LOBES),
    MEAN(COIF_AOV_TT, "TT", RGBA, 3, ALL | LOBES),
    MEAN(COIF_AOV_TRT, "TRT", RGBA, 3, ALL | LOBES),
    MEAN(COIF_AOV_MULTIPLE, "multiple", RGBA, 3, ALL | LOBES),
    MEAN(COIF_AOV_SURFACE, "surface", RGBA, 3, ALL | LOBES),
    MEAN(COIF_AOV_BACKGROUND, "background", RGBA, 3, ALL | LOBES | PASSES),
    MEAN(COIF_AOV_DIRECT, "direct", RGBA, 3, ALL | PASSES),
    MEAN(COIF_AOV_INDIRECT, "indirect", RGBA, 3, ALL | PASSES),
    MEAN(COIF_AOV_LIGHT, "lights", RGBA, 3, ALL | LIGHTS),
    MEAN(COIF_AOV_ALBEDO, "albedo", RGBA, 3, ALL),
    MEAN(COIF_AOV_NORMAL, "N", XYZ, 3, ALL),
    MEAN(COIF_AOV_TANGENT, "tangent", XYZ, 3, ALL),
    NEAREST(COIF_AOV_DEPTH, "Z", DEPTH, 1, true),
    NEAREST(COIF_AOV_POSITION, "P", XYZ, 3, false),
    NEAREST(COIF_AOV_FORWARD, "forward", UV, 2, false),
    NEAREST(COIF_AOV_BACKWARD, "backward", UV, 2, false),
    NEAREST(COIF_AOV_ROOT_UV, "rootuv", ROOT, 2, false),
    NEAREST(COIF_AOV_STRAND_ID, "strand_id", ID, 1, true),
    MEAN(COIF_AOV_MASK, "mask", MASK, 2, ALL),
    {{.kind = COIF_AOV_SAMPLES, .gather = COIF_ACCUMULATE_COUNT, .name = "samples", .channels = SAMPLES, .channel_count = 1,
      .plain = true, .exact = true}, ALL},
    {{.kind = COIF_AOV_VARIANCE, .gather = COIF_ACCUMULATE_VARIANCE, .name = "variance", .channels = RGBA, .channel_count = 3,
      .size = COIF_VARIANCE_SUMS, .exact = true}, ALL},
    {{.kind = COIF_AOV_SHADOW_CATCHER, .gather = COIF_ACCUMULATE_SHADOW_CATCHER, .name = "shadow_catcher", .channels = RGBA, .channel_count = 3,
      .size = 10}, ALL},
    {{.kind = COIF_AOV_DENOISED, .gather = COIF_ACCUMULATE_DENOISE_INPUTS, .name = "denoised", .channels = RGBA, .channel_count = 3,
      .size = COIF_DENOISE_SUMS}, 0},
    RANKED(COIF_AOV_CRYPTO_OBJECT, "crypto_object"),
    RANKED(COIF_AOV_CRYPTO_CLUMP, "crypto_clump"),
};
// clang-format on

_Static_assert(COIF_COUNT_OF(ROWS) == COIF_AOV_KINDS, "one row per kind, in their order");

typedef struct wishes {
    bool wanted[COIF_AOV_KINDS];
} wishes;

static int group_bit(const char *word)
{
    for (size_t i = 0; i < COIF_COUNT_OF(GROUPS); ++i) {
        if (strcmp(word, GROUPS[i].name) == 0) {
            return GROUPS[i].bit;
        }
    }
    return 0;
}

static bool wish(wishes *all, const char *word)
{
    const int bit = group_bit(word);
    bool known = bit != 0;
    for (int i = 1; i < COIF_AOV_KINDS; ++i) {
        if (strcmp(word, ROWS[i].aov.name) == 0 || (ROWS[i].groups & bit) != 0) {
            all->wanted[i] = true;
            known = true;
        }
    }
    return known;
}

static coif_status refuse(const char *word, coif_error *error)
{
    const char *names[COIF_AOV_KINDS + COIF_COUNT_OF(GROUPS)];
    size_t count = 0;
    char list[512] = "";
    for (int i = 1; i < COIF_AOV_KINDS; ++i) {
        names[count++] = ROWS[i].aov.name;
    }
    for (size_t i = 0; i < COIF_COUNT_OF(GROUPS); ++i) {
        if (GROUPS[i].bit != LIGHTS) { // has the name of its one row
            names[count++] = GROUPS[i].name;
        }
    }
    for (size_t i = 0; i < count; ++i) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? " " : "", names[i]);
    }
    const char *near = coif_nearest_name(word, names, count);
    return coif_fail(error, COIF_ERR_SCENE, "no layer is called \"%s\"%s%s%s; known are %s", word,
                     near != NULL ? " (did you mean \"" : "", near != NULL ? near : "",
                     near != NULL ? "\"?)" : "", list);
}

static coif_status read_names(wishes *all, const char *names, coif_error *error)
{
    for (const char *c = names; c != NULL && *c != '\0';) {
        const size_t between = strspn(c, ", ");
        const size_t length = strcspn(c + between, ", ");
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), c + between);
        if (length > 0 && !wish(all, word)) {
            return refuse(word, error);
        }
        c += between + length;
    }
    return COIF_OK;
}

coif_status coif_aovs_check(const char *names, coif_error *error)
{
    wishes all = {0};
    return read_names(&all, names, error);
}

static coif_aov *take(coif_aovs *aovs, coif_aov_kind kind)
{
    coif_aov *aov = &aovs->list[aovs->count++];
    *aov = ROWS[kind].aov;
    aovs->needs_light_split |= kind >= COIF_AOV_R && kind <= COIF_AOV_LIGHT;
    return aov;
}

static bool adds_up(const coif_aov *aov)
{
    return aov->gather == COIF_ACCUMULATE_MEAN || aov->gather == COIF_ACCUMULATE_SHADOW_CATCHER ||
           aov->gather == COIF_ACCUMULATE_DENOISE_INPUTS;
}

// Gives layers their places, those first whose samples simply add up.
static void lay_out(coif_aovs *aovs)
{
    aovs->stride = 0;
    for (int i = 0; i < COIF_AOV_KINDS; ++i) {
        aovs->place[i] = -1;
    }
    for (int round = 0; round < 2; ++round) {
        for (int32_t i = 0; i < aovs->count; ++i) {
            coif_aov *aov = &aovs->list[i];
            if (adds_up(aov) != (round == 0)) {
                continue;
            }
            aov->place = aovs->stride;
            aovs->stride += aov->size;
            if (aovs->place[aov->kind] < 0) {
                aovs->place[aov->kind] = aov->place;
            }
        }
        aovs->sum_count = round == 0 ? aovs->stride : aovs->sum_count;
    }
}

void coif_aovs_beauty_only(coif_aovs *aovs)
{
    *aovs = (coif_aovs){0};
    take(aovs, COIF_AOV_BEAUTY);
    lay_out(aovs);
}

coif_status coif_aovs_select(coif_aovs *aovs, const coif_aovs_desc *desc, coif_arena *arena,
                             coif_error *error)
{
    wishes all = {0};
    COIF_TRY(read_names(&all, desc->names, error));
    all.wanted[COIF_AOV_DENOISED] |= desc->denoise;
    coif_aovs_beauty_only(aovs);
    bool nearest = false;
    for (int i = 1; i < COIF_AOV_KINDS; ++i) {
        if (!all.wanted[i]) {
            continue;
        }
        nearest |= ROWS[i].aov.gather == COIF_ACCUMULATE_NEAREST;
        if (i != COIF_AOV_LIGHT) {
            take(aovs, (coif_aov_kind)i);
            continue;
        }
        for (int32_t g = 0; g < desc->light_group_count; ++g) {
            coif_aov *aov = take(aovs, COIF_AOV_LIGHT);
            aov->name = coif_arena_print(arena, "light_%s", desc->light_groups[g]);
            aov->group = g;
        }
    }
    if (nearest && !all.wanted[COIF_AOV_DEPTH]) {
        take(aovs, COIF_AOV_DEPTH)->hidden = true;
    }
    static const coif_aov_kind guides[] = {COIF_AOV_DIRECT, COIF_AOV_INDIRECT, COIF_AOV_ALBEDO,
                                           COIF_AOV_NORMAL, COIF_AOV_MASK};
    const bool ranked = all.wanted[COIF_AOV_CRYPTO_OBJECT] || all.wanted[COIF_AOV_CRYPTO_CLUMP];
    for (size_t i = 0; i < COIF_COUNT_OF(guides); ++i) {
        const bool needed = all.wanted[COIF_AOV_DENOISED] || (ranked && guides[i] == COIF_AOV_MASK);
        if (needed && !all.wanted[guides[i]]) {
            take(aovs, guides[i])->hidden = true;
        }
    }
    if (desc->adaptive && !all.wanted[COIF_AOV_VARIANCE]) {
        take(aovs, COIF_AOV_VARIANCE)->hidden = true;
    }
    if (desc->has_shadow_catcher && !all.wanted[COIF_AOV_SHADOW_CATCHER]) {
        take(aovs, COIF_AOV_SHADOW_CATCHER)->hidden = true;
    }
    lay_out(aovs);
    return COIF_OK;
}

const coif_aov *coif_aovs_find(const coif_aovs *aovs, const char *name)
{
    for (int32_t i = 0; i < aovs->count; ++i) {
        if (strcmp(aovs->list[i].name, name) == 0 && !aovs->list[i].hidden) {
            return &aovs->list[i];
        }
    }
    return NULL;
}
