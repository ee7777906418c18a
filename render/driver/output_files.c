#include "render/driver/output_files.h"

#include "core/base/error.h"
#include "core/base/hash64.h"

#include <inttypes.h>
#include <string.h>

coif_status coif_output_files_init(coif_output_files *out, const coif_frame_setup *shot,
                                   const coif_render_desc *desc, coif_arena *arena,
                                   coif_error *error)
{
    const char *stem =
        coif_path_join(desc->folder, coif_arena_print(arena, "render%04d", shot->frame), arena);
    const char *given = desc->format != NULL && desc->format[0] != '\0'
                            ? desc->format
                            : coif_image_format_name(shot->image.format);
    char *list = coif_arena_copy_text(arena, given);
    char *rest = NULL;
    for (char *name = strtok_r(list, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
        if (!coif_image_format_is_known(name) || out->count == COIF_MAX_FORMATS) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "picture format \"%s\": wanted png, exr, jpg, tif, bmp or hdr, or "
                             "several with commas",
                             given);
        }
        out->paths[out->count++] = coif_arena_print(arena, "%s.%s", stem, name);
    }
    if (out->count == 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "picture format \"%s\": names none", given);
    }
    const char *first = strrchr(out->paths[0], '.');
    out->preview = coif_path_join(
        desc->folder, coif_arena_print(arena, "preview%04d%s", shot->frame, first), arena);
    out->checkpoint = coif_arena_print(arena, "%s.checkpoint", stem);
    out->stats = coif_arena_print(arena, "%s.stats.json", stem);
    return COIF_OK;
}

static const char *digest_name(uint64_t digest, coif_arena *arena)
{
    return coif_arena_print(arena, "%016" PRIx64, digest);
}

// BMP and HDR files cannot say what they were made from. The file of figures beside them does so,
// by the digest of their bytes: figures of a later picture in another format know nothing of them.
static const char *picture_digest(const char *path, coif_arena *arena)
{
    char *data;
    size_t size;
    coif_error ignored = {0};
    return coif_file_load(&data, &size, path, arena, &ignored) == COIF_OK
               ? digest_name(coif_hash64(data, size), arena)
               : "none";
}

static bool figures_know(const char *path, const coif_output_files *out, const char *settings,
                         coif_arena *arena)
{
    char *found;
    size_t size;
    coif_error ignored = {0};
    return coif_path_exists(out->stats) &&
           coif_file_load(&found, &size, out->stats, arena, &ignored) == COIF_OK &&
           strstr(found, settings) != NULL && strstr(found, picture_digest(path, arena)) != NULL;
}

// Whether a file is whole and was made from these settings.
static bool is_done(const char *path, const coif_output_files *out, const char *settings,
                    coif_arena *arena)
{
    coif_error ignored = {0};
    char *found = NULL;
    coif_image image;
    if (!coif_path_exists(path)) {
        return false;
    }
    if (coif_path_has_extension(path, "bmp") || coif_path_has_extension(path, "hdr")) {
        if (!figures_know(path, out, settings, arena)) {
            return false;
        }
    } else if (coif_image_read_attribute(&found, path, COIF_SETTINGS_KEY, arena, &ignored) !=
                   COIF_OK ||
               found == NULL || strcmp(found, settings) != 0) {
        return false;
    }
    return coif_image_load(&image, path, arena, &ignored) == COIF_OK;
}

static bool layers_done(const char *path, const coif_frame_setup *shot,
                        const coif_output_files *out, const char *settings, coif_arena *arena)
{
    const coif_aovs *aovs = &shot->aovs;
    bool done = true;
    for (int32_t i = 1; i < aovs->count && done; ++i) {
        done = aovs->list[i].hidden ||
               is_done(coif_aov_file_path(path, aovs->list[i].name, arena), out, settings, arena);
    }
    return done;
}

bool coif_output_files_up_to_date(const coif_output_files *out, const coif_frame_setup *shot)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "pictures");
    const char *settings = digest_name(shot->settings, &scratch);
    bool done = true;
    for (int32_t i = 0; i < out->count && done; ++i) {
        done = is_done(out->paths[i], out, settings, &scratch);
        if (done && shot->image.exr_layout == COIF_EXR_FILES &&
            coif_path_has_extension(out->paths[i], "exr")) {
            done = layers_done(out->paths[i], shot, out, settings, &scratch);
        }
        if (done && coif_aovs_find(&shot->aovs, "denoised") != NULL &&
            !coif_path_has_extension(out->paths[i], "exr")) {
            done = is_done(coif_aov_file_path(out->paths[i], "denoised", &scratch), out, settings,
                           &scratch);
        }
    }
    coif_arena_free(&scratch);
    return done;
}

coif_status coif_output_files_check(const coif_output_files *out, coif_error *error)
{
    for (int32_t i = 0; i < out->count; ++i) {
        COIF_TRY(coif_image_save_check(out->paths[i], error));
    }
    return COIF_OK;
}

static const char *list_grooms(const coif_render_assets *production, coif_arena *arena)
{
    const char *list = "";
    for (int32_t i = 0; i < production->groom_count; ++i) {
        const coif_render_groom *groom = &production->grooms[i];
        list = coif_arena_print(arena, "%s%s%s=%016" PRIx64, list, i > 0 ? " " : "", groom->name,
                                groom->digest);
    }
    return list;
}

int32_t coif_output_metadata(coif_image_attribute texts[COIF_MAX_ATTRIBUTES],
                             const coif_frame_setup *shot, const coif_render_assets *production,
                             coif_arena *arena)
{
    const coif_image_attribute list[] = {
        {"coif:version", COIF_VERSION},
        {"coif:scene", digest_name(production->desc->scene->digest, arena)},
        {"coif:grooms", list_grooms(production, arena)},
        {COIF_SETTINGS_KEY, digest_name(shot->settings, arena)},
        {"coif:frame", coif_arena_print(arena, "%d", shot->frame)},
        {"coif:samples", coif_arena_print(arena, "%d", shot->image.samples)},
        {"coif:seed", coif_arena_print(arena, "%d", shot->image.seed)},
        {"coif:isa", production->isa},
        {"coif:primaries", "Rec. 709, linear in EXR and HDR"},
    };
    memcpy(texts, list, sizeof list);
    return COIF_COUNT_OF(list);
}

coif_status coif_output_files_save_stats(const coif_output_files *out, const coif_frame_setup *shot,
                                         const coif_frame_timings *times, coif_arena *arena,
                                         coif_error *error)
{
    const coif_image_params *image = &shot->image;
    const char *digests = "";
    for (int32_t i = 0; i < out->count; ++i) {
        digests = coif_arena_print(arena, "%s%s\"%s\"", digests, i == 0 ? "" : ", ",
                                   picture_digest(out->paths[i], arena));
        if (coif_aovs_find(&shot->aovs, "denoised") != NULL &&
            !coif_path_has_extension(out->paths[i], "exr")) {
            const char *second = coif_aov_file_path(out->paths[i], "denoised", arena);
            digests = coif_arena_print(arena, "%s, \"%s\"", digests, picture_digest(second, arena));
        }
    }
    const char *text = coif_arena_print(
        arena,
        "{\"frame\": %d, \"settings\": \"%016" PRIx64 "\", \"width\": %d, \"height\": %d, "
        "\"samples\": %d, \"pictures\": [%s], \"build_seconds\": %.3f, \"render_seconds\": %.3f, "
        "\"build_processor_seconds\": %.3f, \"hierarchy_processor_seconds\": %.3f}\n",
        shot->frame, shot->settings, image->width, image->height, image->samples, digests,
        times->build, times->render, times->build_processor, times->hierarchy_processor);
    return coif_file_save(out->stats, text, strlen(text), error);
}
