// Image loading through the OpenImageIO module.
#include "core/base/arena.h"
#include "core/base/dynlib.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/image/bmp_header.h"
#include "core/image/image_format.h"
#include "core/image/image_oiio.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const int64_t MAX_SIDE = 65536;
static const int64_t MAX_BYTES = (int64_t)16 << 30;

// Upper bound of the compression ratio, beyond an allowance for small files: a header that claims
// more is damaged, and nothing is allocated for it.
static const int64_t MAX_COMPRESSION_RATIO = 65536;
static const int64_t RATIO_ALLOWANCE = (int64_t)256 << 20;

static coif_status open_module(const coif_oiio_module **module, coif_arena *arena,
                               coif_error *error)
{
    const char *path = getenv("COIF_IMAGE_MODULE");
    if (path == NULL || path[0] == '\0') {
        path = coif_path_join(coif_dynlib_program_folder(arena),
                              "../lib/coif/image/libcoif_image.so", arena);
    }
    coif_dynlib library;
    COIF_TRY(coif_dynlib_open(&library, path, error));
    const coif_oiio_module_entry entry =
        (coif_oiio_module_entry)(intptr_t)coif_dynlib_find(&library, COIF_OIIO_MODULE_SYMBOL);
    if (entry == NULL) {
        coif_dynlib_close(&library);
        return coif_fail(error, COIF_ERR_FORMAT, "%s: not the image module of coif", path);
    }
    *module = entry();
    return COIF_OK;
}

// The module is never unloaded: its libraries keep threads and static tables.
coif_status coif_oiio_module_load(const coif_oiio_module **module, coif_error *error)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static const coif_oiio_module *opened;

    pthread_mutex_lock(&lock);
    coif_status status = COIF_OK;
    if (opened == NULL) {
        COIF_SCOPED_ARENA(scratch, "image module");
        status = open_module(&opened, &scratch, error);
    }
    *module = opened;
    pthread_mutex_unlock(&lock);
    return status;
}

coif_status coif_image_failure_status(const coif_image_failure *failure, coif_status other)
{
    return failure->out_of_memory ? COIF_ERR_MEMORY : other;
}

typedef struct image_reader {
    const coif_oiio_module *module;
    const coif_image_format *format;
    const char *path;
    void *file;
    int64_t file_size;
    coif_image_header header;
} image_reader;

static coif_status open_reader(image_reader *reader, const char *path, int32_t part,
                               coif_error *error)
{
    *reader = (image_reader){.path = path};
    COIF_TRY(coif_image_format_find(&reader->format, path, error));

    coif_bytes bytes;
    COIF_TRY(coif_file_map(&bytes, path, error));
    reader->file_size = (int64_t)bytes.size;
    const bool is_bmp = strcmp(reader->format->library, "bmp") == 0;
    const coif_status status = is_bmp ? coif_bmp_check(&bytes, error) : COIF_OK;
    coif_file_unmap(&bytes);
    COIF_TRY(status);

    COIF_TRY(coif_oiio_module_load(&reader->module, error));
    coif_image_failure failure = {0};
    reader->file =
        reader->module->open(reader->format->library, path, part, &reader->header, &failure);
    if (reader->file == NULL && part > 0) {
        return coif_fail(error, coif_image_failure_status(&failure, COIF_ERR_ARGUMENT),
                         "%s: cannot read part %d (%s)", path, part, failure.text);
    }
    if (reader->file == NULL) {
        return coif_fail(error, coif_image_failure_status(&failure, COIF_ERR_FORMAT),
                         "%s: not a valid %s file (%s)", path, reader->format->name, failure.text);
    }
    return COIF_OK;
}

static coif_status check_header(const image_reader *reader, coif_error *error)
{
    const coif_image_header *header = &reader->header;
    if (header->deep != 0 || header->depth > 1) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: deep and volume images are not supported",
                         reader->path);
    }
    if (header->width < 1 || header->height < 1 || header->width > MAX_SIDE ||
        header->height > MAX_SIDE || header->channel_count < 1 || header->channel_count > 1023) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: %lld x %lld pixels of %lld channels; expected sides from 1 to %lld",
                         reader->path, (long long)header->width, (long long)header->height,
                         (long long)header->channel_count, (long long)MAX_SIDE);
    }
    const int64_t bytes = header->width * header->height * header->channel_count * 4;
    if (bytes > MAX_BYTES) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: %lld bytes of pixels, expected at most %lld",
                         reader->path, (long long)bytes, (long long)MAX_BYTES);
    }
    if (bytes > RATIO_ALLOWANCE && bytes / MAX_COMPRESSION_RATIO > reader->file_size) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: a file of %lld bytes cannot hold %lld x %lld pixels", reader->path,
                         (long long)reader->file_size, (long long)header->width,
                         (long long)header->height);
    }
    return COIF_OK;
}

static const char *const *read_channel_names(const image_reader *reader, coif_arena *arena)
{
    const char **names = coif_arena_new(arena, reader->header.channel_count, const char *);
    for (int32_t i = 0; i < (int32_t)reader->header.channel_count; ++i) {
        char name[256] = "";
        reader->module->channel_name(reader->file, i, name, sizeof name);
        names[i] = coif_arena_copy_text(arena, name);
    }
    return names;
}

static char *read_text(const image_reader *reader, const char *key, coif_arena *arena)
{
    const int64_t length = reader->module->text(reader->file, key, NULL, 0);
    if (length < 0) {
        return NULL;
    }
    char *value = coif_arena_new(arena, length + 1, char);
    reader->module->text(reader->file, key, value, (size_t)length + 1);
    return value;
}

// Fills everything but the pixels.
static coif_status describe(coif_image *image, const image_reader *reader, coif_arena *arena,
                            coif_error *error)
{
    COIF_TRY(check_header(reader, error));
    const coif_image_header *header = &reader->header;
    *image = (coif_image){
        .width = (int32_t)header->width,
        .height = (int32_t)header->height,
        .channel_count = (int32_t)header->channel_count,
        .integer_bits = header->integer_bits,
        .channel_names = read_channel_names(reader, arena),
        .part = read_text(reader, "oiio:subimagename", arena),
        .x = (int32_t)header->x,
        .y = (int32_t)header->y,
        .full_width = (int32_t)header->full_width,
        .full_height = (int32_t)header->full_height,
    };
    image->part = image->part != NULL ? image->part : "";
    return COIF_OK;
}

static coif_status read_pixels(coif_image *image, const image_reader *reader, coif_arena *arena,
                               coif_error *error)
{
    const coif_image_header *header = &reader->header;
    image->pixels =
        coif_arena_new(arena, header->width * header->height * header->channel_count, float);
    coif_image_failure failure = {0};
    return reader->module->read(reader->file, image->pixels, &failure)
               ? COIF_OK
               : coif_fail(error, coif_image_failure_status(&failure, COIF_ERR_FORMAT),
                           "%s: damaged %s file (%s)", reader->path, reader->format->name,
                           failure.text);
}

static coif_status load(coif_image *image, const char *path, int32_t part, bool pixels,
                        coif_arena *arena, coif_error *error)
{
    image_reader reader;
    COIF_TRY(open_reader(&reader, path, part, error));
    coif_status status = describe(image, &reader, arena, error);
    if (status == COIF_OK && pixels) {
        status = read_pixels(image, &reader, arena, error);
    }
    reader.module->close(reader.file);
    return status;
}

coif_status coif_image_read_header(coif_image *image, const char *path, int32_t part,
                                   coif_arena *arena, coif_error *error)
{
    return load(image, path, part, false, arena, error);
}

coif_status coif_image_load_part(coif_image *image, const char *path, int32_t part,
                                 coif_arena *arena, coif_error *error)
{
    return load(image, path, part, true, arena, error);
}

coif_status coif_image_load(coif_image *image, const char *path, coif_arena *arena,
                            coif_error *error)
{
    return coif_image_load_part(image, path, 0, arena, error);
}

// Copies the overlap of data window and display window.
static void copy_data_window(float *pixels, const coif_image *part)
{
    const int64_t channels = part->channel_count;
    const int64_t left = part->x > 0 ? part->x : 0;
    const int64_t end = (int64_t)part->x + part->width;
    const int64_t right = end < part->full_width ? end : part->full_width;
    for (int64_t row = 0; row < part->height && left < right; ++row) {
        const int64_t y = part->y + row;
        if (y >= 0 && y < part->full_height) {
            memcpy(pixels + (y * part->full_width + left) * channels,
                   part->pixels + (row * part->width + left - part->x) * channels,
                   sizeof(float) * (size_t)((right - left) * channels));
        }
    }
}

coif_status coif_image_load_full(coif_image *image, const char *path, coif_arena *arena,
                                 coif_error *error)
{
    COIF_TRY(coif_image_load(image, path, arena, error));
    const int32_t width = image->full_width, height = image->full_height;
    const bool full =
        image->x == 0 && image->y == 0 && image->width == width && image->height == height;
    // In other formats the offset is a position on a printed page.
    if (full || width < 1 || height < 1 || !coif_path_has_extension(path, "exr")) {
        return COIF_OK;
    }
    if (width > MAX_SIDE || height > MAX_SIDE ||
        (int64_t)width * height * image->channel_count * 4 > MAX_BYTES) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: display window of %d x %d pixels is too large", path, width, height);
    }
    float *pixels = coif_arena_new(arena, (int64_t)width * height * image->channel_count, float);
    copy_data_window(pixels, image);
    image->pixels = pixels;
    image->width = width;
    image->height = height;
    image->x = image->y = 0;
    return COIF_OK;
}

coif_status coif_image_read_attribute(char **value, const char *path, const char *key,
                                      coif_arena *arena, coif_error *error)
{
    *value = NULL;
    image_reader reader;
    COIF_TRY(open_reader(&reader, path, 0, error));
    *value = read_text(&reader, key, arena);
    reader.module->close(reader.file);
    return COIF_OK;
}
