#include "render/output/denoise_file.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/half.h"
#include "core/base/jobs.h"
#include "core/pack/pack.h"
#include "render/denoise/denoise_window.h"

#include <stdlib.h>
#include <string.h>

// Channels are planes of half floats, the high bytes before the low bytes: high bytes of noise
// still compress.
typedef struct planes_job {
    coif_denoise_frame *frame;
    uint8_t *bytes;
} planes_job;

static size_t pixels_of(const coif_denoise_frame *frame)
{
    return (size_t)frame->width * (size_t)frame->height;
}

static void encode_planes(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const planes_job *job = context;
    const size_t pixels = pixels_of(job->frame);
    for (int64_t channel = begin; channel < end; ++channel) {
        uint8_t *high = job->bytes + 2 * (size_t)channel * pixels, *low = high + pixels;
        for (size_t i = 0; i < pixels; ++i) {
            const uint16_t half = coif_float_to_half(coif_denoise_inputs(job->frame, i)[channel]);
            high[i] = (uint8_t)(half >> 8);
            low[i] = (uint8_t)(half & 255);
        }
    }
}

static void decode_planes(const planes_job *job)
{
    const size_t pixels = pixels_of(job->frame);
    for (size_t channel = 0; channel < COIF_INPUTS; ++channel) {
        const uint8_t *high = job->bytes + 2 * channel * pixels, *low = high + pixels;
        for (size_t i = 0; i < pixels; ++i) {
            coif_denoise_inputs(job->frame, i)[channel] =
                coif_half_to_float((uint16_t)(high[i] << 8 | low[i]));
        }
    }
}

// The numbers of a file by their keys.
typedef struct file_number {
    const char *key;
    size_t offset;
} file_number;
#define NUMBER(name_, field_)                                                                      \
    {                                                                                              \
        name_, offsetof(coif_denoise_file, field_)                                                 \
    }
static const file_number NUMBERS[] = {
    NUMBER("width", frame.width),
    NUMBER("height", frame.height),
    NUMBER("radius", radius),
    NUMBER("full_width", full_width),
    NUMBER("full_height", full_height),
    NUMBER("window_x0", window.x0),
    NUMBER("window_y0", window.y0),
    NUMBER("window_x1", window.x1),
    NUMBER("window_y1", window.y1),
    NUMBER("view_transform", output.view),
    NUMBER("working_space", output.working_space),
    NUMBER("exr_compression", output.exr_compression),
    NUMBER("bit_depth", output.bit_depth),
};
_Static_assert(sizeof(coif_view_transform) == sizeof(int32_t) &&
                   sizeof(coif_working_space) == sizeof(int32_t),
               "stored as numbers");

// Names of a view of OpenColorIO by their keys.
typedef struct file_name {
    const char *key;
    size_t offset;
} file_name;
#define NAME(field_)                                                                               \
    {                                                                                              \
        "ocio_" #field_, offsetof(coif_denoise_file, output.ocio.field_)                           \
    }
static const file_name NAMES[] = {NAME(config), NAME(display), NAME(view), NAME(look),
                                  NAME(color_space)};

static const char **name_at(coif_denoise_file *file, const file_name *name)
{
    return (const char **)(void *)((char *)file + name->offset);
}

static int32_t *number_at(coif_denoise_file *file, const file_number *number)
{
    return (int32_t *)(void *)((char *)file + number->offset);
}

static const char *print_settings(const coif_denoise_file *file, coif_arena *arena)
{
    coif_denoise_file copy = *file;
    const char *text = "";
    for (size_t i = 0; i < COIF_COUNT_OF(NUMBERS); ++i) {
        text = coif_arena_print(arena, "%s%s=%d\n", text, NUMBERS[i].key,
                                *number_at(&copy, &NUMBERS[i]));
    }
    for (size_t i = 0; i < COIF_COUNT_OF(NAMES) && file->output.view == COIF_VIEW_OCIO; ++i) {
        const char *name = *name_at(&copy, &NAMES[i]);
        const bool given = name != NULL && name[0] != '\0';
        // The configuration is found from any folder.
        name = given && i == 0 ? coif_path_real(name, arena) : name;
        text = given ? coif_arena_print(arena, "%s%s=%s\n", text, NAMES[i].key, name) : text;
    }
    return coif_arena_print(arena, "%sexposure=%.9g\ntransparent=%d\nexr_float=%d\nformats=%s\n%s",
                            text, (double)file->output.exposure, file->output.transparent,
                            file->output.exr_float, file->formats, file->metadata);
}

static double number_of(const char *lines, const char *key, coif_arena *arena)
{
    const char *text = coif_metadata_value(lines, key, arena);
    return text != NULL ? atof(text) : 0.0;
}

coif_status coif_denoise_file_save(const coif_denoise_file *file, coif_jobs *jobs, const char *path,
                                   coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "denoiser inputs");
    const char *settings = print_settings(file, &arena);
    const size_t bytes = 2 * pixels_of(&file->frame) * COIF_INPUTS;
    coif_denoise_frame frame = file->frame;
    planes_job job = {&frame, coif_arena_new(&arena, bytes, uint8_t)};
    coif_parallel_for(jobs, COIF_INPUTS, 1, encode_planes, &job);
    coif_pack_block blocks[] = {{.name = "settings",
                                 .type = COIF_PACK_BYTE,
                                 .components = 1,
                                 .codec = COIF_CODEC_RAW,
                                 .count = (int64_t)strlen(settings),
                                 .data = settings},
                                {.name = "inputs",
                                 .type = COIF_PACK_BYTE,
                                 .components = 1,
                                 .codec = COIF_CODEC_ZSTD,
                                 .count = (int64_t)bytes,
                                 .data = job.bytes}};
    coif_pack pack = {.kind = COIF_PACK_DENOISE,
                      .block_count = COIF_COUNT_OF(blocks),
                      .blocks = blocks,
                      .jobs = jobs};
    return coif_pack_save(&pack, path, error);
}

static int32_t compression_count(void)
{
    int32_t count = 0;
    while (COIF_EXR_COMPRESSIONS[count] != NULL) {
        ++count;
    }
    return count;
}

static bool sizes_are_valid(const coif_denoise_file *file)
{
    const coif_rect *window = &file->window;
    return file->frame.width >= 1 && file->frame.height >= 1 && file->frame.width <= 65536 &&
           file->frame.height <= 65536 && file->full_width <= 65536 && file->full_height <= 65536 &&
           window->x0 >= 0 && window->y0 >= 0 && window->x1 <= file->full_width &&
           window->y1 <= file->full_height && window->x1 - window->x0 == file->frame.width &&
           window->y1 - window->y0 == file->frame.height && file->radius >= 1 &&
           file->radius <= COIF_MAX_DENOISE_RADIUS && file->output.view >= 0 &&
           file->output.view <= COIF_VIEW_OCIO && file->output.working_space >= 0 &&
           file->output.working_space <= COIF_WORKING_ACESCG && file->output.exr_compression >= 0 &&
           file->output.exr_compression < compression_count() && file->output.bit_depth >= 0 &&
           file->output.bit_depth <= 2;
}

coif_status coif_denoise_file_load(coif_denoise_file *file, const char *path, coif_arena *arena,
                                   coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "denoiser inputs");
    coif_pack pack;
    COIF_TRY(coif_pack_load(&pack, path, COIF_PACK_DENOISE, &scratch, error));
    const char *settings = coif_pack_metadata(&pack, "settings", arena);
    *file = (coif_denoise_file){.metadata = settings, .digest = pack.digest};
    for (size_t i = 0; i < COIF_COUNT_OF(NUMBERS); ++i) {
        const double value = number_of(settings, NUMBERS[i].key, &scratch);
        *number_at(file, &NUMBERS[i]) = value > -1e9 && value < 1e9 ? (int32_t)value : -1;
    }
    for (size_t i = 0; i < COIF_COUNT_OF(NAMES); ++i) {
        *name_at(file, &NAMES[i]) = coif_metadata_value(settings, NAMES[i].key, arena);
    }
    file->output.exposure = (float)number_of(settings, "exposure", &scratch);
    file->output.transparent = number_of(settings, "transparent", &scratch) > 0.0;
    file->output.exr_float = number_of(settings, "exr_float", &scratch) > 0.0;
    file->formats = coif_metadata_value(settings, "formats", arena);
    if (!sizes_are_valid(file) || file->formats == NULL) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: invalid settings of denoiser inputs", path);
    }
    COIF_TRY(coif_output_open_display(&file->output, error));
    const coif_pack_block expected = {.name = "inputs",
                                      .type = COIF_PACK_BYTE,
                                      .components = 1,
                                      .count =
                                          (int64_t)(2 * pixels_of(&file->frame) * COIF_INPUTS)};
    const coif_pack_block *found;
    COIF_TRY(coif_pack_need(&found, &pack, path, &expected, error));
    coif_denoise_frame_init(&file->frame, file->frame.width, file->frame.height, arena);
    decode_planes(&(planes_job){&file->frame, (uint8_t *)(uintptr_t)found->data});
    return COIF_OK;
}

coif_status coif_denoise_file_peek(uint64_t *digest, const char *path, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "denoiser inputs");
    coif_pack pack;
    COIF_TRY(coif_pack_peek(&pack, path, &arena, error));
    *digest = pack.digest;
    return COIF_OK;
}

// Keys of images have a colon or are the names of EXR attributes; settings are neither.
static bool is_attribute(const char *line)
{
    const size_t key = strcspn(line, "=\n");
    static const char *const names[] = {"worldTo", "chromaticities", "framesPerSecond", "timeCode"};
    bool found = memchr(line, ':', key) != NULL;
    for (size_t i = 0; i < COIF_COUNT_OF(names); ++i) {
        found = found || strncmp(line, names[i], strlen(names[i])) == 0;
    }
    return found;
}

int32_t coif_denoise_file_texts(const coif_denoise_file *file, coif_image_attribute *texts,
                                int32_t capacity, coif_arena *arena)
{
    int32_t count = 0;
    for (const char *line = file->metadata; *line != '\0' && count < capacity;) {
        const size_t key = strcspn(line, "=\n"), length = strcspn(line, "\n");
        if (is_attribute(line) && line[key] == '=') {
            texts[count++] = (coif_image_attribute){
                coif_arena_print(arena, "%.*s", (int)key, line),
                coif_arena_print(arena, "%.*s", (int)(length - key - 1), line + key + 1)};
        }
        line += length + (line[length] == '\n');
    }
    return count;
}
