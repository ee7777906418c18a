// image_file: images out of files, through the module that holds OpenImageIO.
#include "core/base/arena.h"
#include "core/base/dynlib.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/image/image_format.h"
#include "core/image/image_oiio.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const int64_t LARGEST_SIDE = 65536;
static const int64_t LARGEST_BYTES = (int64_t)16 << 30;

// No codec packs more than this many bytes of floats into one, beyond an allowance for small files:
// a header that claims more is lying, and nothing is allocated for it.
static const int64_t LARGEST_RATIO = 65536;
static const int64_t RATIO_ALLOWANCE = (int64_t)256 << 20;

static coif_status open_module(const coif_oiio_module **door, coif_arena *arena, coif_error *error)
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
    *door = entry();
    return COIF_OK;
}

// The module stays until the program ends: its libraries keep threads and tables of their own and
// do not bear being unloaded.
coif_status coif_oiio_module_load(const coif_oiio_module **door, coif_error *error)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static const coif_oiio_module *opened;

    pthread_mutex_lock(&lock);
    coif_status status = COIF_OK;
    if (opened == NULL) {
        coif_arena scratch;
        coif_arena_init(&scratch, "image module");
        status = open_module(&opened, &scratch, error);
        coif_arena_free(&scratch);
    }
    *door = opened;
    pthread_mutex_unlock(&lock);
    return status;
}

typedef struct image_reader {
    const coif_oiio_module *door;
    const coif_image_format *format;
    const char *path;
    void *file;
    int64_t file_size;
    coif_image_header head;
} image_reader;

static coif_status open_reader(image_reader *reader, const char *path, int32_t part,
                               coif_error *error)
{
    *reader = (image_reader){.path = path};
    COIF_TRY(coif_image_format_find(&reader->format, path, error));

    coif_file file;
    COIF_TRY(coif_file_open(&file, path, COIF_FILE_READ, error));
    reader->file_size = (int64_t)file.size;
    coif_file_close(&file);

    COIF_TRY(coif_oiio_module_load(&reader->door, error));
    coif_image_failure why = {""};
    reader->file = reader->door->open(reader->format->library, path, part, &reader->head, &why);
    if (reader->file == NULL && part > 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: part %d is not to be had (%s)", path, part,
                         why.text);
    }
    if (reader->file == NULL) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: not a whole %s file (%s)", path,
                         reader->format->name, why.text);
    }
    return COIF_OK;
}

static coif_status check_head(const image_reader *reader, coif_error *error)
{
    const coif_image_header *head = &reader->head;
    if (head->deep != 0 || head->depth > 1) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: deep and volume images are not read",
                         reader->path);
    }
    if (head->width < 1 || head->height < 1 || head->width > LARGEST_SIDE ||
        head->height > LARGEST_SIDE || head->channel_count < 1 || head->channel_count > 1023) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: %lld x %lld pixels of %lld channels; sides may be 1 to %lld",
                         reader->path, (long long)head->width, (long long)head->height,
                         (long long)head->channel_count, (long long)LARGEST_SIDE);
    }
    const int64_t bytes = head->width * head->height * head->channel_count * 4;
    if (bytes > LARGEST_BYTES) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: %lld bytes of pixels, at most %lld are read",
                         reader->path, (long long)bytes, (long long)LARGEST_BYTES);
    }
    if (bytes > RATIO_ALLOWANCE && bytes / LARGEST_RATIO > reader->file_size) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: a file of %lld bytes cannot hold %lld x %lld pixels", reader->path,
                         (long long)reader->file_size, (long long)head->width,
                         (long long)head->height);
    }
    return COIF_OK;
}

static const char *const *read_channel_names(const image_reader *reader, coif_arena *arena)
{
    const char **names = coif_arena_new(arena, reader->head.channel_count, const char *);
    for (int32_t i = 0; i < (int32_t)reader->head.channel_count; ++i) {
        char name[256] = "";
        reader->door->channel_name(reader->file, i, name, sizeof name);
        names[i] = coif_arena_copy_text(arena, name);
    }
    return names;
}

static char *read_text(const image_reader *reader, const char *key, coif_arena *arena)
{
    const int64_t length = reader->door->text(reader->file, key, NULL, 0);
    if (length < 0) {
        return NULL;
    }
    char *value = coif_arena_new(arena, length + 1, char);
    reader->door->text(reader->file, key, value, (size_t)length + 1);
    return value;
}

// All but the pixels.
static coif_status describe(coif_image *image, const image_reader *reader, coif_arena *arena,
                            coif_error *error)
{
    COIF_TRY(check_head(reader, error));
    const coif_image_header *head = &reader->head;
    *image = (coif_image){
        .width = (int32_t)head->width,
        .height = (int32_t)head->height,
        .channel_count = (int32_t)head->channel_count,
        .integer_bits = head->integer_bits,
        .channel_names = read_channel_names(reader, arena),
        .part = read_text(reader, "oiio:subimagename", arena),
        .x = (int32_t)head->x,
        .y = (int32_t)head->y,
        .full_width = (int32_t)head->full_width,
        .full_height = (int32_t)head->full_height,
    };
    image->part = image->part != NULL ? image->part : "";
    return COIF_OK;
}

static coif_status read_image(coif_image *image, const image_reader *reader, coif_arena *arena,
                              coif_error *error)
{
    COIF_TRY(describe(image, reader, arena, error));
    const coif_image_header *head = &reader->head;
    image->pixels = coif_arena_new(arena, head->width * head->height * head->channel_count, float);
    coif_image_failure why = {""};
    if (!reader->door->read(reader->file, image->pixels, &why)) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: damaged %s file (%s)", reader->path,
                         reader->format->name, why.text);
    }
    return COIF_OK;
}

coif_status coif_image_read_header(coif_image *image, const char *path, int32_t part,
                                   coif_arena *arena, coif_error *error)
{
    image_reader reader;
    COIF_TRY(open_reader(&reader, path, part, error));
    const coif_status status = describe(image, &reader, arena, error);
    reader.door->close(reader.file);
    return status;
}

coif_status coif_image_load_part(coif_image *image, const char *path, int32_t part,
                                 coif_arena *arena, coif_error *error)
{
    image_reader reader;
    COIF_TRY(open_reader(&reader, path, part, error));

    const coif_status status = read_image(image, &reader, arena, error);

    reader.door->close(reader.file);
    return status;
}

coif_status coif_image_load(coif_image *image, const char *path, coif_arena *arena,
                            coif_error *error)
{
    return coif_image_load_part(image, path, 0, arena, error);
}

// What of the part lies in the picture.
static void lay_part(float *pixels, const coif_image *part)
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
    const bool whole =
        image->x == 0 && image->y == 0 && image->width == width && image->height == height;
    // What other formats say of places is that of a sheet of paper.
    if (whole || width < 1 || height < 1 || !coif_path_has_extension(path, "exr")) {
        return COIF_OK;
    }
    if (width > LARGEST_SIDE || height > LARGEST_SIDE ||
        (int64_t)width * height * image->channel_count * 4 > LARGEST_BYTES) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: part of a picture of %d x %d pixels", path,
                         width, height);
    }
    float *pixels = coif_arena_new(arena, (int64_t)width * height * image->channel_count, float);
    lay_part(pixels, image);
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
    reader.door->close(reader.file);
    return COIF_OK;
}
