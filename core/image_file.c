// image_file: images in and out of files, through the module that holds OpenImageIO.
#include "core/arena.h"
#include "core/error.h"
#include "core/fs.h"
#include "core/image_format.h"
#include "core/image_oiio.h"
#include "core/library.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const int64_t LARGEST_SIDE = 65536;
static const int64_t LARGEST_BYTES = (int64_t)16 << 30;
static const float LARGEST_HALF = 65504.0f;

// No codec packs more than this many bytes of floats into one, beyond an allowance for small files:
// a header that claims more is lying, and nothing is allocated for it.
static const int64_t LARGEST_RATIO = 65536;
static const int64_t RATIO_ALLOWANCE = (int64_t)256 << 20;

static coif_status open_module(const coif_image_door **door, coif_arena *arena, coif_error *error)
{
    const char *path = getenv("COIF_IMAGE_MODULE");
    if (path == NULL || path[0] == '\0') {
        path = coif_path_join(coif_library_program_folder(arena),
                              "../lib/coif/image/libcoif_image.so", arena);
    }
    coif_library library;
    COIF_TRY(coif_library_open(&library, path, error));
    const coif_image_door_function entry =
        (coif_image_door_function)(intptr_t)coif_library_find(&library, COIF_IMAGE_DOOR_SYMBOL);
    if (entry == NULL) {
        coif_library_close(&library);
        return coif_fail(error, COIF_ERR_FORMAT, "%s: not the image module of coif", path);
    }
    *door = entry();
    return COIF_OK;
}

// The module stays until the program ends: its libraries keep threads and tables of their own and
// do not bear being unloaded.
static coif_status find_door(const coif_image_door **door, coif_error *error)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static const coif_image_door *opened;

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
    const coif_image_door *door;
    const coif_image_format *format;
    const char *path;
    void *file;
    int64_t file_size;
    coif_image_head head;
} image_reader;

static coif_status open_reader(image_reader *reader, const char *path, coif_error *error)
{
    *reader = (image_reader){.path = path};
    COIF_TRY(coif_image_format_find(&reader->format, path, error));

    coif_file file;
    COIF_TRY(coif_file_open(&file, path, COIF_FILE_READ, error));
    reader->file_size = (int64_t)file.size;
    coif_file_close(&file);

    COIF_TRY(find_door(&reader->door, error));
    coif_image_why why = {""};
    reader->file = reader->door->open(reader->format->library, path, &reader->head, &why);
    if (reader->file == NULL) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: not a whole %s file (%s)", path,
                         reader->format->name, why.text);
    }
    return COIF_OK;
}

static coif_status check_head(const image_reader *reader, coif_error *error)
{
    const coif_image_head *head = &reader->head;
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

static coif_status read_image(coif_image *image, const image_reader *reader, coif_arena *arena,
                              coif_error *error)
{
    COIF_TRY(check_head(reader, error));
    const coif_image_head *head = &reader->head;
    *image = (coif_image){
        .width = (int32_t)head->width,
        .height = (int32_t)head->height,
        .channel_count = (int32_t)head->channel_count,
        .integer_bits = head->integer_bits,
        .pixels = coif_arena_new(arena, head->width * head->height * head->channel_count, float),
        .channel_names = read_channel_names(reader, arena),
    };
    coif_image_why why = {""};
    if (!reader->door->read(reader->file, image->pixels, &why)) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: damaged %s file (%s)", reader->path,
                         reader->format->name, why.text);
    }
    return COIF_OK;
}

coif_status coif_image_load(coif_image *image, const char *path, coif_arena *arena,
                            coif_error *error)
{
    image_reader reader;
    COIF_TRY(open_reader(&reader, path, error));

    const coif_status status = read_image(image, &reader, arena, error);

    reader.door->close(reader.file);
    return status;
}

coif_status coif_image_read_text(char **value, const char *path, const char *key, coif_arena *arena,
                                 coif_error *error)
{
    *value = NULL;
    image_reader reader;
    COIF_TRY(open_reader(&reader, path, error));

    const int64_t length = reader.door->text(reader.file, key, NULL, 0);
    if (length >= 0) {
        *value = coif_arena_new(arena, length + 1, char);
        reader.door->text(reader.file, key, *value, (size_t)length + 1);
    }
    reader.door->close(reader.file);
    return COIF_OK;
}

static const char *const *default_names(int32_t count)
{
    static const char *const grey[] = {"Y", "A"};
    static const char *const colour[] = {"R", "G", "B", "A"};
    return count < 3 ? grey : colour;
}

// Channels in the file: alpha is left out where it has no room, grey is repeated where colour is
// wanted.
static int32_t channels_in_file(const coif_image_format *format, int32_t count)
{
    const bool alpha = count == 2 || count == 4;
    if (count < 3 && !format->grey) {
        return 3;
    }
    // Two channels go only where four do.
    return alpha && (count > format->channels || format->channels == 3) ? count - 1 : count;
}

// One pixel as the file wants it: divided by alpha, in the curve, inside the type's range.
static void develop(float *out, const float *in, int32_t out_count, const coif_image_desc *desc,
                    const coif_image_type *types)
{
    const int32_t count = desc->channel_count;
    const bool alpha = count == 2 || count == 4;
    const int32_t colours = count < 3 ? 1 : 3;
    const bool divide = desc->premultiplied && alpha && out_count == count &&
                        types[0] <= COIF_IMAGE_UINT16 && in[count - 1] > 0.0f;

    for (int32_t c = 0; c < out_count; ++c) {
        const int32_t source = c < count && out_count <= count ? c : 0;
        float value = in[source];
        if (source < colours) {
            value = divide ? value / in[count - 1] : value;
            value = desc->srgb ? coif_srgb_encode(value) : value;
        }
        if (types[c] <= COIF_IMAGE_UINT16) {
            value = !(value > 0.0f) ? 0.0f : value > 1.0f ? 1.0f : value;
        } else if (types[c] == COIF_IMAGE_HALF) {
            value = value > LARGEST_HALF ? LARGEST_HALF : value;
            value = value < -LARGEST_HALF ? -LARGEST_HALF : value;
        }
        out[c] = value;
    }
}

// The date of SOURCE_DATE_EPOCH in the form of EXIF, "" when it is not set or not a number.
static void read_date(char *date, size_t size)
{
    date[0] = '\0';
    const char *text = getenv("SOURCE_DATE_EPOCH");
    if (text == NULL || text[0] == '\0') {
        return;
    }
    char *end;
    const time_t seconds = (time_t)strtoll(text, &end, 10);
    struct tm parts;
    if (*end == '\0' && gmtime_r(&seconds, &parts) != NULL) {
        strftime(date, size, "%Y:%m:%d %H:%M:%S", &parts);
    }
}

static coif_status save_bytes(const char *path, const coif_image_format *format,
                              const coif_image_encode_desc *encode, coif_error *error)
{
    const coif_image_door *door;
    COIF_TRY(find_door(&door, error));
    coif_image_bytes bytes;
    coif_image_why why = {""};
    if (!door->encode(encode, &bytes, &why)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: cannot be written as %s (%s)", path,
                         format->name, why.text);
    }
    const coif_status status = coif_file_save(path, bytes.data, bytes.size, error);
    door->release(&bytes);
    return status;
}

static coif_status save_image(const char *path, const coif_image_format *format,
                              const coif_image_desc *desc, coif_arena *arena, coif_error *error)
{
    const int32_t count = channels_in_file(format, desc->channel_count);
    const bool named = desc->channel_names != NULL && format->mixed;
    const int64_t pixel_count = (int64_t)desc->width * desc->height;
    coif_image_type *types = coif_arena_new(arena, count, coif_image_type);
    int32_t *numbers = coif_arena_new(arena, count, int32_t);
    for (int32_t c = 0; c < count; ++c) {
        const int32_t source = c < desc->channel_count ? c : 0;
        types[c] = desc->channel_types ? desc->channel_types[source] : format->usual;
        numbers[c] = (int32_t)types[c];
    }
    float *pixels = coif_arena_new(arena, pixel_count * count, float);
    for (int64_t i = 0; i < pixel_count; ++i) {
        develop(pixels + i * count, desc->pixels + i * desc->channel_count, count, desc, types);
    }
    const char **texts = coif_arena_new(arena, 2 * desc->text_count + 1, const char *);
    for (int32_t i = 0; i < desc->text_count; ++i) {
        texts[2 * i] = desc->texts[i].key;
        texts[2 * i + 1] = desc->texts[i].value;
    }
    char date[32];
    read_date(date, sizeof date);
    const coif_image_encode_desc encode = {
        .format = format->library,
        .width = desc->width,
        .height = desc->height,
        .channel_count = count,
        .channel_names = named ? desc->channel_names : default_names(count),
        .channel_types = numbers,
        .pixels = pixels,
        .texts = texts,
        .text_count = desc->text_count,
        .srgb = desc->srgb,
        .compression = format->mixed && desc->compression ? desc->compression : format->compression,
        .software = "coif " COIF_VERSION,
        .date = date,
    };
    return save_bytes(path, format, &encode, error);
}

coif_status coif_image_save(const char *path, const coif_image_desc *desc, coif_error *error)
{
    const coif_image_format *format;
    COIF_TRY(coif_image_format_find(&format, path, error));
    COIF_TRY(coif_image_format_check(format, path, desc, error));

    coif_arena scratch;
    coif_arena_init(&scratch, "image save");
    const coif_status status = save_image(path, format, desc, &scratch, error);
    coif_arena_free(&scratch);
    return status;
}
