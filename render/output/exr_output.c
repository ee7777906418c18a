// exr_output: OpenEXR files with AOVs.
//
// Beauty comes first as plain RGBA; AOVs have dotted channel names and a part each, unless the
// layout is a single part or one file per AOV.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "render/film/cryptomatte.h"
#include "render/output/image_output.h"

#include <stdio.h>
#include <string.h>

enum { MAX_LAYERS = COIF_MAX_AOVS + 2 * COIF_CRYPTO_RANKS, MAX_LAYER_CHANNELS = 4, MAX_TEXTS = 32 };

// An EXR layer of up to four channels. Ranks of a Cryptomatte are stored two per layer.
typedef struct layer {
    const coif_aov *aov;
    const char *name;
    int32_t first, count; // channels of the aov
} layer;

typedef struct exr_file {
    const coif_film *film;
    const coif_image_output_desc *desc;
    coif_arena *arena;
    layer layers[MAX_LAYERS];
    int32_t layer_count;
} exr_file;

static void list_layers(exr_file *file)
{
    const coif_aovs *aovs = &file->film->aovs;
    for (int32_t i = 0; i < aovs->count; ++i) {
        const coif_aov *aov = &aovs->list[i];
        if (i > 0 && aov->kind != COIF_AOV_DENOISED && !file->desc->output->write_aovs) {
            continue;
        }
        for (int32_t c = 0; c < aov->channel_count && !aov->hidden; c += MAX_LAYER_CHANNELS) {
            const bool cryptomatte = aov->accumulation == COIF_ACCUMULATE_CRYPTOMATTE;
            const int32_t left = aov->channel_count - c;
            file->layers[file->layer_count++] = (layer){
                .aov = aov,
                .name = cryptomatte ? coif_arena_print(file->arena, "%s%02d", aov->name,
                                                       c / MAX_LAYER_CHANNELS)
                                    : aov->name,
                .first = c,
                .count = left < MAX_LAYER_CHANNELS ? left : MAX_LAYER_CHANNELS,
            };
        }
    }
}

static const char *channel_name(const exr_file *file, const layer *from, int32_t channel)
{
    const char *name = from->aov->channels[channel];
    return from->aov->bare_channels || file->desc->output->exr_layout == COIF_EXR_NUKE
               ? name
               : coif_arena_print(file->arena, "%s.%s", from->name, name);
}

// Metadata of the Cryptomatte specification; the key holds the first seven digits of the hash of
// the AOV name.
static int32_t add_manifest(coif_image_attribute *texts, const exr_file *file, const coif_aov *aov)
{
    const char *manifest = file->desc->manifests[aov->kind == COIF_AOV_CRYPTO_OBJECT ? 0 : 1];
    const coif_image_attribute list[] = {{"name", aov->name},
                                         {"hash", "MurmurHash3_32"},
                                         {"conversion", "uint32_to_float32"},
                                         {"manifest", manifest != NULL ? manifest : "{}"}};
    char hash[9];
    snprintf(hash, sizeof hash, "%08x", coif_murmur3(aov->name, 0));
    for (size_t i = 0; i < COIF_COUNT_OF(list); ++i) {
        texts[i].key = coif_arena_print(file->arena, "cryptomatte/%.7s/%s", hash, list[i].key);
        texts[i].value = list[i].value;
    }
    return COIF_COUNT_OF(list);
}

static const char *print_matrix(const double matrix[16], coif_arena *arena)
{
    const char *text = "";
    for (int i = 0; i < 16; ++i) {
        text = coif_arena_print(arena, "%s%s%.9g", text, i > 0 ? "," : "", matrix[i]);
    }
    return text;
}

static int32_t add_camera(coif_image_attribute *texts, const exr_file *file)
{
    if (file->desc->camera == NULL) {
        return 0;
    }
    const coif_camera_matrices matrices = coif_camera_matrices_of(file->desc->camera);
    texts[0] =
        (coif_image_attribute){"worldToCamera", print_matrix(matrices.to_camera, file->arena)};
    texts[1] = (coif_image_attribute){"worldToNDC", print_matrix(matrices.to_ndc, file->arena)};
    return 2;
}

static void set_metadata(coif_image_desc *part, const exr_file *file, const layer *first, bool all)
{
    const coif_image_output_desc *desc = file->desc;
    coif_image_attribute *texts = coif_arena_new(file->arena, MAX_TEXTS, coif_image_attribute);
    int32_t count = 0;
    for (; count < desc->text_count; ++count) {
        texts[count] = desc->texts[count];
    }
    count += add_camera(texts + count, file);
    for (int32_t i = 0; i < file->layer_count; ++i) {
        const layer *current = &file->layers[i];
        if (current->aov->accumulation == COIF_ACCUMULATE_CRYPTOMATTE && current->first == 0 &&
            (all || current->aov == first->aov)) {
            count += add_manifest(texts + count, file, current->aov);
        }
    }
    part->texts = texts;
    part->text_count = count;
}

// Identifiers and positions need lossless compression.
static const char *compression_of(const exr_file *file, bool full_float)
{
    static const char *const lossy[] = {"pxr24", "b44", "b44a", "dwaa", "dwab"};
    const char *name = COIF_EXR_COMPRESSIONS[file->desc->output->exr_compression];
    for (size_t i = 0; i < COIF_COUNT_OF(lossy) && full_float; ++i) {
        if (strcmp(name, lossy[i]) == 0) {
            return "zip";
        }
    }
    return name;
}

static void fill_pixels(float *pixels, const exr_file *file, const layer *from, int32_t stride)
{
    const coif_rect *window = &file->desc->window;
    for (int32_t y = window->y0; y < window->y1; ++y) {
        for (int32_t x = window->x0; x < window->x1; ++x, pixels += stride) {
            float values[COIF_MAX_AOV_CHANNELS];
            coif_film_value(file->film, coif_film_index(file->film, x, y), from->aov, values);
            memcpy(pixels, values + from->first, (size_t)from->count * sizeof *pixels);
        }
    }
}

// One part of some layers.
static coif_image_desc make_part(const exr_file *file, const layer *layers, int32_t count)
{
    const coif_rect *window = &file->desc->window;
    coif_image_desc part = {
        .width = window->x1 - window->x0,
        .height = window->y1 - window->y0,
        .premultiplied = true,
        .x = window->x0,
        .y = window->y0,
        .full_width = file->film->width,
        .full_height = file->film->height,
    };
    bool full_float = false;
    for (int32_t i = 0; i < count; ++i) {
        part.channel_count += layers[i].count;
        full_float |= layers[i].aov->full_float;
    }
    const char **names = coif_arena_new(file->arena, part.channel_count, const char *);
    coif_image_type *types = coif_arena_new(file->arena, part.channel_count, coif_image_type);
    float *pixels = coif_arena_new(
        file->arena, (size_t)part.width * (size_t)part.height * (size_t)part.channel_count, float);
    int32_t channel = 0;
    for (int32_t i = 0; i < count; ++i) {
        fill_pixels(pixels + channel, file, &layers[i], part.channel_count);
        for (int32_t c = 0; c < layers[i].count; ++c, ++channel) {
            names[channel] = channel_name(file, &layers[i], c);
            types[channel] = layers[i].aov->full_float || file->desc->output->exr_float
                                 ? COIF_IMAGE_FLOAT
                                 : COIF_IMAGE_HALF;
        }
    }
    part.channel_names = names;
    part.channel_types = types;
    part.pixels = pixels;
    part.compression = compression_of(file, full_float);
    return part;
}

const char *coif_aov_file_path(const char *path, const char *name, coif_arena *arena)
{
    const char *end = strrchr(path, '.');
    return coif_arena_print(arena, "%.*s.%s%s", (int)(end - path), path, name, end);
}

static coif_status save_files(const exr_file *file, const char *path, coif_error *error)
{
    for (int32_t i = 0; i < file->layer_count; ++i) {
        const layer *current = &file->layers[i];
        // All ranks of a Cryptomatte go into one file.
        int32_t count = 1;
        while (i + count < file->layer_count && file->layers[i + count].aov == current->aov) {
            ++count;
        }
        coif_image_desc part = make_part(file, current, count);
        set_metadata(&part, file, current, false);
        const char *name =
            i == 0 ? path : coif_aov_file_path(path, current->aov->name, file->arena);
        COIF_TRY(coif_image_save(name, &part, error));
        i += count - 1;
    }
    return COIF_OK;
}

static coif_status save_parts(const exr_file *file, const char *path, coif_error *error)
{
    const bool nuke = file->desc->output->exr_layout == COIF_EXR_NUKE;
    coif_image_desc *parts = coif_arena_new(file->arena, file->layer_count, coif_image_desc);
    for (int32_t i = 0; i < file->layer_count; ++i) {
        const layer *current = &file->layers[i];
        parts[i] = make_part(file, current, 1);
        parts[i].part = nuke && current->aov->kind == COIF_AOV_DEPTH ? "depth" : current->name;
        if (i == 0 || current->aov->accumulation == COIF_ACCUMULATE_CRYPTOMATTE) {
            set_metadata(&parts[i], file, current, i == 0);
        }
    }
    return coif_image_save_parts(path, parts, file->layer_count, error);
}

coif_status coif_film_save_exr(const coif_film *film, const coif_image_output_desc *desc,
                               const char *path, coif_arena *arena, coif_error *error)
{
    exr_file *file = coif_arena_new(arena, 1, exr_file);
    *file = (exr_file){.film = film, .desc = desc, .arena = arena};
    list_layers(file);
    if (desc->output->exr_layout == COIF_EXR_FILES) {
        return save_files(file, path, error);
    }
    if (desc->output->exr_layout == COIF_EXR_SINGLE || file->layer_count == 1) {
        coif_image_desc part = make_part(file, file->layers, file->layer_count);
        set_metadata(&part, file, file->layers, true);
        return coif_image_save(path, &part, error);
    }
    return save_parts(file, path, error);
}
