#include "render/driver/output_files.h"

#include "core/base/error.h"
#include "core/base/frame_list.h"
#include "core/base/hash64.h"
#include "core/base/strbuf.h"
#include "core/image/image_format.h"
#include "core/pack/pack.h"
#include "render/driver/film_tiles.h"
#include "render/output/denoise_file.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool is_known(const char *extension)
{
    const char *const *known = COIF_IMAGE_FORMATS;
    while (*known != NULL && strcmp(extension, *known) != 0) {
        ++known;
    }
    return *known != NULL;
}

static coif_status list_formats(coif_output_files *out, const char *formats, const char *stem,
                                coif_arena *arena, coif_error *error)
{
    char *list = coif_arena_copy_text(arena, formats);
    char *rest = NULL;
    for (char *name = strtok_r(list, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
        if (!is_known(name) || out->count == COIF_MAX_FORMATS) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "--format \"%s\": expected png, exr, jpg, tif, bmp or hdr, or several "
                             "separated by commas",
                             formats);
        }
        out->paths[out->count++] = coif_arena_print(arena, "%s.%s", stem, name);
    }
    return out->count > 0 ? COIF_OK
                          : coif_fail(error, COIF_ERR_ARGUMENT,
                                      "--format \"%s\": no image format given", formats);
}

coif_status coif_output_files_init(coif_output_files *out, const coif_frame_setup *setup,
                                   const coif_output_files_desc *desc, coif_arena *arena,
                                   coif_error *error)
{
    *out = (coif_output_files){0};
    if (desc->folder == NULL) {
        return COIF_OK;
    }
    const char *given = desc->formats;
    const char *formats =
        given != NULL && given[0] != '\0' ? given : COIF_IMAGE_FORMATS[setup->image.format];
    const char *frame = coif_frame_text(setup->number, arena);
    const char *name = coif_arena_print(arena, desc->preview ? "preview%s" : "render%s", frame);
    const char *stem = coif_path_join(desc->folder, name, arena);
    COIF_TRY(list_formats(out, formats, stem, arena, error));
    if (desc->preview && out->count > 1) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "--format \"%s\": a preview has one format",
                         formats);
    }
    const char *extension = strrchr(out->paths[0], '.');
    out->preview = coif_path_join(desc->folder,
                                  coif_arena_print(arena, "preview%s%s", frame, extension), arena);
    out->stem = stem;
    if (setup->tile.index > 0) {
        out->film = coif_film_tile_path(stem, setup->tile, arena);
    }
    out->checkpoint =
        coif_arena_print(arena, "%s.checkpoint", out->film != NULL ? out->film : stem);
    out->stats = coif_arena_print(arena, "%s.stats.json", stem);
    out->inputs = setup->denoise_film ? coif_arena_print(arena, "%s.denoise", stem) : NULL;
    return COIF_OK;
}

static const char *digest_name(uint64_t digest, coif_arena *arena)
{
    return coif_arena_print(arena, "%016" PRIx64, digest);
}

// BMP and HDR have no metadata. Their settings are in the statistics file, with the digest of their
// bytes, since the statistics may be those of a later image in another format.
static const char *file_digest(const char *path, coif_arena *arena)
{
    char *data;
    size_t size;
    coif_error ignored = {0};
    return coif_file_load(&data, &size, path, arena, &ignored) == COIF_OK
               ? digest_name(coif_hash64(data, size), arena)
               : "none";
}

static bool stats_match(const char *path, const coif_output_files *out, const char *settings,
                        coif_arena *arena)
{
    char *found;
    size_t size;
    coif_error ignored = {0};
    return coif_path_exists(out->stats) &&
           coif_file_load(&found, &size, out->stats, arena, &ignored) == COIF_OK &&
           strstr(found, settings) != NULL && strstr(found, file_digest(path, arena)) != NULL;
}

// Whether a file is complete and was made from these settings.
static bool is_up_to_date(const char *path, const coif_output_files *out, const char *settings,
                          coif_arena *arena)
{
    coif_error ignored = {0};
    char *found = NULL;
    coif_image image;
    if (!coif_path_exists(path)) {
        return false;
    }
    if (coif_path_has_extension(path, "bmp") || coif_path_has_extension(path, "hdr")) {
        if (!stats_match(path, out, settings, arena)) {
            return false;
        }
    } else if (coif_image_read_attribute(&found, path, COIF_SETTINGS_KEY, arena, &ignored) !=
                   COIF_OK ||
               found == NULL || strcmp(found, settings) != 0) {
        return false;
    }
    return coif_image_load(&image, path, arena, &ignored) == COIF_OK;
}

static bool aov_files_up_to_date(const char *path, const coif_frame_setup *setup,
                                 const coif_output_files *out, const char *settings,
                                 coif_arena *arena)
{
    const coif_aovs *aovs = &setup->aovs;
    bool done = true;
    for (int32_t i = 1; i < aovs->count && done; ++i) {
        done = aovs->list[i].hidden ||
               is_up_to_date(coif_aov_file_path(path, aovs->list[i].name, arena), out, settings,
                             arena);
    }
    return done;
}

// Inputs of the denoiser may be deleted when the denoised images are there.
static bool inputs_up_to_date(const coif_output_files *out, const char *settings, coif_arena *arena)
{
    coif_error ignored = {0};
    coif_denoise_file file;
    if (coif_path_exists(out->inputs)) {
        if (coif_denoise_file_load(&file, out->inputs, arena, &ignored) != COIF_OK) {
            return false;
        }
        const char *found = coif_metadata_value(file.metadata, COIF_SETTINGS_KEY, arena);
        return found != NULL && strcmp(found, settings) == 0;
    }
    bool done = true;
    for (int32_t i = 0; i < out->count && done; ++i) {
        done = is_up_to_date(coif_aov_file_path(out->paths[i], "denoised", arena), out, settings,
                             arena);
    }
    return done;
}

bool coif_output_files_up_to_date(const coif_output_files *out, const coif_frame_setup *setup)
{
    COIF_SCOPED_ARENA(scratch, "output files");
    const char *settings = digest_name(setup->settings, &scratch);
    bool done = true;
    for (int32_t i = 0; i < out->count && done; ++i) {
        done = is_up_to_date(out->paths[i], out, settings, &scratch);
        if (done && setup->output.exr_layout == COIF_EXR_FILES &&
            coif_path_has_extension(out->paths[i], "exr")) {
            done = aov_files_up_to_date(out->paths[i], setup, out, settings, &scratch);
        }
        if (done && coif_aovs_find(&setup->aovs, "denoised") != NULL &&
            !coif_path_has_extension(out->paths[i], "exr")) {
            done = is_up_to_date(coif_aov_file_path(out->paths[i], "denoised", &scratch), out,
                                 settings, &scratch);
        }
    }
    return done && (out->inputs == NULL || inputs_up_to_date(out, settings, &scratch));
}

coif_status coif_output_files_save_inputs(const coif_output_files *out,
                                          const coif_frame_setup *setup, const coif_film *film,
                                          const coif_image_attribute *texts, int32_t text_count,
                                          coif_jobs *jobs, coif_arena *arena, coif_error *error)
{
    coif_strbuf metadata, formats;
    coif_strbuf_init(&metadata, arena);
    coif_strbuf_init(&formats, arena);
    for (int32_t i = 0; i < text_count; ++i) {
        coif_strbuf_print(&metadata, "%s=%s\n", texts[i].key, texts[i].value);
    }
    for (int32_t i = 0; i < out->count; ++i) {
        coif_strbuf_print(&formats, "%s%s", i > 0 ? "," : "", strrchr(out->paths[i], '.') + 1);
    }
    coif_denoise_file file = {.radius = setup->image.denoise_frames,
                              .formats = formats.data,
                              .output = setup->output,
                              .full_width = setup->image.width,
                              .full_height = setup->image.height,
                              .window = setup->window,
                              .metadata = metadata.data};
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    coif_status status = COIF_OK;
    if (coif_denoise_frame_read(&file.frame, film, setup->window, arena)) {
        status = coif_denoise_file_save(&file, jobs, out->inputs, error);
    }
    coif_arena_rewind(arena, mark);
    return status;
}

coif_status coif_output_files_check(const coif_output_files *out, coif_error *error)
{
    for (int32_t i = 0; i < out->count; ++i) {
        COIF_TRY(coif_image_save_check(out->paths[i], error));
    }
    return COIF_OK;
}

static const char *list_grooms(const coif_render_assets *assets, coif_arena *arena)
{
    const char *list = "";
    for (int32_t i = 0; i < assets->groom_count; ++i) {
        const coif_render_groom *groom = &assets->grooms[i];
        list = coif_arena_print(arena, "%s%s%s=%016" PRIx64, list, i > 0 ? " " : "", groom->name,
                                groom->digest);
    }
    return list;
}

// A rational number: rates as 23.976 are multiples of 1000/1001.
static const char *frame_rate(double fps, coif_arena *arena)
{
    const double drop = fps * 1.001, nearest = floor(drop + 0.5);
    if (fps == floor(fps)) {
        return coif_arena_print(arena, "%.0f/1", fps);
    }
    return fabs(drop - nearest) < 0.01 ? coif_arena_print(arena, "%.0f/1001", 1000.0 * nearest)
                                       : coif_arena_print(arena, "%.0f/1000", 1000.0 * fps);
}

// Hours, minutes, seconds and frames from frame 0, non-drop, at the nearest whole rate.
static const char *time_code(double number, double fps, coif_arena *arena)
{
    const int64_t rate = (int64_t)(fps + 0.5) < 1 ? 1 : (int64_t)(fps + 0.5);
    const int64_t frame = (int64_t)floor(number), seconds = frame / rate;
    return coif_arena_print(arena, "%02d:%02d:%02d:%02d", (int)(seconds / 3600 % 24),
                            (int)(seconds / 60 % 60), (int)(seconds % 60), (int)(frame % rate));
}

int32_t coif_output_metadata(coif_image_attribute texts[COIF_MAX_ATTRIBUTES],
                             const coif_frame_setup *setup, const coif_render_assets *assets,
                             bool preview, coif_arena *arena)
{
    if (preview) {
        texts[0] = (coif_image_attribute){"coif:version", COIF_VERSION};
        texts[1] = (coif_image_attribute){"coif:preview", "yes"};
        return 2;
    }
    static const char *const primaries[] = {"Rec. 709, linear in EXR and HDR",
                                            "ACEScg (AP1) in EXR, Rec. 709 in HDR, both linear"};
    static const char *const chromaticities[] = {
        "0.64,0.33,0.3,0.6,0.15,0.06,0.3127,0.329",
        "0.713,0.293,0.165,0.83,0.128,0.044,0.32168,0.33767"};
    const double fps = coif_scene_fps(assets->source->scene);
    const coif_image_attribute list[] = {
        {"coif:version", COIF_VERSION},
        {"coif:scene", digest_name(assets->source->scene->digest, arena)},
        {"coif:grooms", list_grooms(assets, arena)},
        {COIF_SETTINGS_KEY, digest_name(setup->settings, arena)},
        {"coif:frame", coif_arena_print(arena, "%.10g", setup->frame)},
        {"coif:samples", coif_arena_print(arena, "%d", setup->image.samples)},
        {"coif:seed", coif_arena_print(arena, "%d", setup->image.seed)},
        {"coif:isa", assets->isa},
        {"coif:primaries", primaries[setup->output.working_space]},
        {"chromaticities", chromaticities[setup->output.working_space]},
        {"framesPerSecond", frame_rate(fps, arena)},
        {"timeCode", time_code(setup->number, fps, arena)},
    };
    memcpy(texts, list, sizeof list);
    return COIF_COUNT_OF(list);
}

coif_status coif_output_files_save_stats(const coif_output_files *out,
                                         const coif_frame_setup *setup,
                                         const coif_frame_timings *timings, coif_arena *arena,
                                         coif_error *error)
{
    const coif_image_params *image = &setup->image;
    const char *digests = "";
    for (int32_t i = 0; i < out->count; ++i) {
        digests = coif_arena_print(arena, "%s%s\"%s\"", digests, i == 0 ? "" : ", ",
                                   file_digest(out->paths[i], arena));
        if (coif_aovs_find(&setup->aovs, "denoised") != NULL &&
            !coif_path_has_extension(out->paths[i], "exr")) {
            const char *second = coif_aov_file_path(out->paths[i], "denoised", arena);
            digests = coif_arena_print(arena, "%s, \"%s\"", digests, file_digest(second, arena));
        }
    }
    const char *text = coif_arena_print(
        arena,
        "{\"frame\": %.10g, \"settings\": \"%016" PRIx64 "\", \"width\": %d, \"height\": %d, "
        "\"samples\": %d, \"pictures\": [%s], \"build_seconds\": %.3f, \"render_seconds\": %.3f, "
        "\"build_processor_seconds\": %.3f, \"hierarchy_processor_seconds\": %.3f}\n",
        setup->frame, setup->settings, image->width, image->height, image->samples, digests,
        timings->build, timings->render, timings->build_processor, timings->bvh_processor);
    return coif_file_save(out->stats, text, strlen(text), error);
}
