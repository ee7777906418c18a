#include "render/film/aov.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/scene/former_names.h"
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

// Names of groups of AOVs.
enum { LOBES = 1, PASSES = 2, LIGHTS = 4, CRYPTO = 8, ALL = 16 };
typedef struct aov_group {
    const char *name;
    int bit;
} aov_group;
static const aov_group GROUPS[] = {{"hair_lobes", LOBES},
                                   {"light_passes", PASSES},
                                   {"lights", LIGHTS},
                                   {"crypto", CRYPTO},
                                   {"all", ALL}};

typedef struct aov_entry {
    coif_aov aov;
    int groups;
} aov_entry;

// clang-format off
#define MEAN(kind_, name_, names_, count_, groups_)                                                \
    {{.kind = kind_, .accumulation = COIF_ACCUMULATE_MEAN, .name = name_, .channels = names_,                \
      .channel_count = count_, .size = count_}, groups_}
#define NEAREST(kind_, name_, names_, count_, bare_)                                              \
    {{.kind = kind_, .accumulation = COIF_ACCUMULATE_NEAREST, .name = name_, .channels = names_,             \
      .channel_count = count_, .size = count_, .bare_channels = bare_, .full_float = true}, ALL}
#define RANKED(kind_, name_)                                                                       \
    {{.kind = kind_, .accumulation = COIF_ACCUMULATE_CRYPTOMATTE, .name = name_, .channels = RGBA,                \
      .channel_count = 2 * COIF_CRYPTO_RANKS, .size = COIF_CRYPTO_SUMS, .full_float = true},                     \
     ALL | CRYPTO}
static const aov_entry AOVS[] = {
    {{.kind = COIF_AOV_BEAUTY, .name = "rgba", .channels = RGBA, .channel_count = 4, .size = 4, .bare_channels = true}, 0},
    MEAN(COIF_AOV_R, "R", RGBA, 3, ALL | LOBES),
    MEAN(COIF_AOV_TT, "TT", RGBA, 3, ALL | LOBES),
    MEAN(COIF_AOV_TRT, "TRT", RGBA, 3, ALL | LOBES),
    MEAN(COIF_AOV_MULTIPLE, "hair_multiple", RGBA, 3, ALL | LOBES),
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
    NEAREST(COIF_AOV_ROOT_UV, "root_uv", ROOT, 2, false),
    NEAREST(COIF_AOV_STRAND_ID, "strand_id", ID, 1, true),
    MEAN(COIF_AOV_MASK, "mask", MASK, 2, ALL),
    {{.kind = COIF_AOV_SAMPLES, .accumulation = COIF_ACCUMULATE_COUNT, .name = "samples", .channels = SAMPLES, .channel_count = 1,
      .bare_channels = true, .full_float = true}, ALL},
    {{.kind = COIF_AOV_VARIANCE, .accumulation = COIF_ACCUMULATE_VARIANCE, .name = "variance", .channels = RGBA, .channel_count = 3,
      .size = COIF_VARIANCE_SUMS, .full_float = true}, ALL},
    {{.kind = COIF_AOV_SHADOW_CATCHER, .accumulation = COIF_ACCUMULATE_SHADOW_CATCHER, .name = "shadow_catcher", .channels = RGBA, .channel_count = 3,
      .size = 10}, ALL},
    {{.kind = COIF_AOV_DENOISED, .accumulation = COIF_ACCUMULATE_DENOISE_INPUTS, .name = "denoised", .channels = RGBA, .channel_count = 3,
      .size = COIF_DENOISE_SUMS}, 0},
    RANKED(COIF_AOV_CRYPTO_OBJECT, "crypto_object"),
    RANKED(COIF_AOV_CRYPTO_CLUMP, "crypto_clump"),
};
// clang-format on

_Static_assert(COIF_COUNT_OF(AOVS) == COIF_AOV_KINDS, "one entry per kind, in their order");

typedef struct selection {
    bool selected[COIF_AOV_KINDS];
} selection;

static int group_bit(const char *word)
{
    for (size_t i = 0; i < COIF_COUNT_OF(GROUPS); ++i) {
        if (strcmp(word, GROUPS[i].name) == 0) {
            return GROUPS[i].bit;
        }
    }
    return 0;
}

static bool select_name(selection *set, const char *word)
{
    const int bit = group_bit(word);
    bool known = bit != 0;
    for (int i = 1; i < COIF_AOV_KINDS; ++i) {
        if (strcmp(word, AOVS[i].aov.name) == 0 || (AOVS[i].groups & bit) != 0) {
            set->selected[i] = true;
            known = true;
        }
    }
    return known;
}

// Groups first, then single AOVs; the group of lights has the name of its AOV.
static const char *option_name(int32_t index)
{
    for (size_t i = 0; i < COIF_COUNT_OF(GROUPS); ++i) {
        if (GROUPS[i].bit != LIGHTS && index-- == 0) {
            return GROUPS[i].name;
        }
    }
    return index + 1 < COIF_AOV_KINDS ? AOVS[index + 1].aov.name : NULL;
}

static bool is_displayable(const coif_aov *aov)
{
    return aov->kind != COIF_AOV_LIGHT && aov->accumulation != COIF_ACCUMULATE_CRYPTOMATTE;
}

bool coif_aov_option_at(coif_aov_option *option, int32_t index)
{
    *option = (coif_aov_option){.name = option_name(index)};
    selection selected = {0};
    if (option->name == NULL || !select_name(&selected, option->name)) {
        return false;
    }
    for (int i = 1; i < COIF_AOV_KINDS; ++i) {
        if (selected.selected[i] && is_displayable(&AOVS[i].aov)) {
            option->layers[option->layer_count++] = AOVS[i].aov.name;
        }
    }
    return true;
}

static coif_status unknown_name(const char *word, coif_error *error)
{
    const char *names[COIF_AOV_KINDS + COIF_COUNT_OF(GROUPS)];
    size_t count = 0;
    char list[512] = "";
    for (int i = 1; i < COIF_AOV_KINDS; ++i) {
        names[count++] = AOVS[i].aov.name;
    }
    for (size_t i = 0; i < COIF_COUNT_OF(GROUPS); ++i) {
        if (GROUPS[i].bit != LIGHTS) { // same as the name of its only AOV
            names[count++] = GROUPS[i].name;
        }
    }
    for (size_t i = 0; i < count; ++i) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? " " : "", names[i]);
    }
    const char *present = coif_former_choice("aovs", word);
    if (present != NULL) {
        return coif_fail(error, COIF_ERR_SCENE, "AOV \"%s\" was renamed to \"%s\"", word, present);
    }
    const char *near = coif_nearest_name(word, names, count);
    return coif_fail(error, COIF_ERR_SCENE, "unknown AOV \"%s\"%s%s%s; known are %s", word,
                     near != NULL ? " (did you mean \"" : "", near != NULL ? near : "",
                     near != NULL ? "\"?)" : "", list);
}

static coif_status read_names(selection *set, const char *names, coif_error *error)
{
    for (const char *c = names; c != NULL && *c != '\0';) {
        const size_t separators = strspn(c, ", ");
        const size_t length = strcspn(c + separators, ", ");
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), c + separators);
        if (length > 0 && !select_name(set, word)) {
            return unknown_name(word, error);
        }
        c += separators + length;
    }
    return COIF_OK;
}

coif_status coif_aovs_check(const char *names, coif_error *error)
{
    selection set = {0};
    return read_names(&set, names, error);
}

coif_status coif_aov_check_light_group(const char *param, const char *text, coif_error *error)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    const bool group = strcmp(param, "light_group") == 0;
    if (group && (strspn(text, letters) != strlen(text) || strlen(text) > 31)) {
        return coif_fail(
            error, COIF_ERR_SCENE,
            "\"%s\" is not a valid light group: expected at most 31 letters, digits and _", text);
    }
    return COIF_OK;
}

static coif_aov *add_aov(coif_aovs *aovs, coif_aov_kind kind)
{
    coif_aov *aov = &aovs->list[aovs->count++];
    *aov = AOVS[kind].aov;
    aovs->needs_light_split |= kind >= COIF_AOV_R && kind <= COIF_AOV_LIGHT;
    return aov;
}

static bool is_linear(const coif_aov *aov)
{
    return aov->accumulation == COIF_ACCUMULATE_MEAN ||
           aov->accumulation == COIF_ACCUMULATE_SHADOW_CATCHER ||
           aov->accumulation == COIF_ACCUMULATE_DENOISE_INPUTS;
}

// Assigns offsets; AOVs that are linear in the samples come first.
static void assign_offsets(coif_aovs *aovs)
{
    aovs->stride = 0;
    for (int i = 0; i < COIF_AOV_KINDS; ++i) {
        aovs->offset[i] = -1;
    }
    for (int round = 0; round < 2; ++round) {
        for (int32_t i = 0; i < aovs->count; ++i) {
            coif_aov *aov = &aovs->list[i];
            if (is_linear(aov) != (round == 0)) {
                continue;
            }
            aov->offset = aovs->stride;
            aovs->stride += aov->size;
            if (aovs->offset[aov->kind] < 0) {
                aovs->offset[aov->kind] = aov->offset;
            }
        }
        aovs->sum_count = round == 0 ? aovs->stride : aovs->sum_count;
    }
}

void coif_aovs_beauty_only(coif_aovs *aovs)
{
    *aovs = (coif_aovs){0};
    add_aov(aovs, COIF_AOV_BEAUTY);
    assign_offsets(aovs);
}

coif_status coif_aovs_select(coif_aovs *aovs, const coif_aovs_desc *desc, coif_arena *arena,
                             coif_error *error)
{
    selection set = {0};
    COIF_TRY(read_names(&set, desc->names, error));
    set.selected[COIF_AOV_DENOISED] |= desc->denoise;
    coif_aovs_beauty_only(aovs);
    aovs->half_run = desc->denoise && desc->denoise_film ? COIF_FILM_HALF_RUN : COIF_HALF_RUN;
    bool nearest = false;
    for (int i = 1; i < COIF_AOV_KINDS; ++i) {
        if (!set.selected[i]) {
            continue;
        }
        nearest |= AOVS[i].aov.accumulation == COIF_ACCUMULATE_NEAREST;
        if (i != COIF_AOV_LIGHT) {
            add_aov(aovs, (coif_aov_kind)i)->hidden =
                i == COIF_AOV_DENOISED && desc->denoise && desc->denoise_film;
            continue;
        }
        for (int32_t g = 0; g < desc->light_group_count; ++g) {
            coif_aov *aov = add_aov(aovs, COIF_AOV_LIGHT);
            aov->name = coif_arena_print(arena, "light_%s", desc->light_groups[g]);
            aov->light_group = g;
        }
    }
    static const coif_aov_kind vectors[] = {COIF_AOV_FORWARD, COIF_AOV_BACKWARD};
    for (size_t i = 0; i < COIF_COUNT_OF(vectors) && desc->denoise && desc->denoise_film; ++i) {
        nearest = true;
        if (!set.selected[vectors[i]]) {
            add_aov(aovs, vectors[i])->hidden = true;
        }
    }
    if (nearest && !set.selected[COIF_AOV_DEPTH]) {
        add_aov(aovs, COIF_AOV_DEPTH)->hidden = true;
    }
    static const coif_aov_kind guides[] = {COIF_AOV_DIRECT, COIF_AOV_INDIRECT, COIF_AOV_ALBEDO,
                                           COIF_AOV_NORMAL, COIF_AOV_MASK};
    const bool cryptomatte =
        set.selected[COIF_AOV_CRYPTO_OBJECT] || set.selected[COIF_AOV_CRYPTO_CLUMP];
    for (size_t i = 0; i < COIF_COUNT_OF(guides); ++i) {
        const bool needed =
            set.selected[COIF_AOV_DENOISED] || (cryptomatte && guides[i] == COIF_AOV_MASK);
        if (needed && !set.selected[guides[i]]) {
            add_aov(aovs, guides[i])->hidden = true;
        }
    }
    if (desc->adaptive && !set.selected[COIF_AOV_VARIANCE]) {
        add_aov(aovs, COIF_AOV_VARIANCE)->hidden = true;
    }
    if (desc->has_shadow_catcher && !set.selected[COIF_AOV_SHADOW_CATCHER]) {
        add_aov(aovs, COIF_AOV_SHADOW_CATCHER)->hidden = true;
    }
    assign_offsets(aovs);
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
