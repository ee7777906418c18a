// Image saving through the OpenImageIO module.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/image/image_format.h"
#include "core/image/image_oiio.h"
#include "core/image/srgb.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const float MAX_HALF = 65504.0f;

static const char *const *default_names(int32_t count)
{
    static const char *const grey[] = {"Y", "A"};
    static const char *const colour[] = {"R", "G", "B", "A"};
    return count < 3 ? grey : colour;
}

// Number of channels in the file: alpha is dropped and grey is replicated where the format needs
// it.
static int32_t channels_in_file(const coif_image_format *format, int32_t count)
{
    const bool alpha = count == 2 || count == 4;
    if (count < 3 && !format->grey) {
        return 3;
    }
    // Grey and alpha needs a format with four channels.
    return alpha && (count > format->channels || format->channels == 3) ? count - 1 : count;
}

// sRGB encoding; for 8-bit files the value of the byte.
static float encode(float value, coif_image_type type)
{
    return type == COIF_IMAGE_UINT8 ? (float)coif_srgb_byte(value) / 255.0f
                                    : coif_srgb_encode(value);
}

// Converts one pixel for the file: unpremultiplied, sRGB encoded, clamped to the type's range.
static void convert_pixel(float *out, const float *in, int32_t out_count,
                          const coif_image_desc *desc, const coif_image_type *types)
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
            value = desc->srgb ? encode(value, types[c]) : value;
        }
        if (types[c] <= COIF_IMAGE_UINT16) {
            value = !(value > 0.0f) ? 0.0f : value > 1.0f ? 1.0f : value;
        } else if (types[c] == COIF_IMAGE_HALF) {
            value = value > MAX_HALF ? MAX_HALF : value;
            value = value < -MAX_HALF ? -MAX_HALF : value;
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

static const char **list_texts(const coif_image_desc *desc, coif_arena *arena)
{
    const char **texts = coif_arena_new(arena, 2 * desc->text_count + 1, const char *);
    for (int32_t i = 0; i < desc->text_count; ++i) {
        texts[2 * i] = desc->texts[i].key;
        texts[2 * i + 1] = desc->texts[i].value;
    }
    return texts;
}

// Description of one part for the module, without the date.
static coif_image_encode_desc prepare(const coif_image_format *format, const coif_image_desc *desc,
                                      coif_arena *arena)
{
    const int32_t count = channels_in_file(format, desc->channel_count);
    const bool named = desc->channel_names != NULL && format->mixed;
    const int64_t pixel_count = (int64_t)desc->width * desc->height;
    coif_image_type *types = coif_arena_new(arena, count, coif_image_type);
    int32_t *numbers = coif_arena_new(arena, count, int32_t);
    for (int32_t c = 0; c < count; ++c) {
        const int32_t source = c < desc->channel_count ? c : 0;
        types[c] = desc->channel_types ? desc->channel_types[source] : format->default_type;
        numbers[c] = (int32_t)types[c];
    }
    float *pixels = coif_arena_new(arena, pixel_count * count, float);
    for (int64_t i = 0; i < pixel_count; ++i) {
        convert_pixel(pixels + i * count, desc->pixels + i * desc->channel_count, count, desc,
                      types);
    }
    return (coif_image_encode_desc){
        .format = format->library,
        .width = desc->width,
        .height = desc->height,
        .channel_count = count,
        .channel_names = named ? desc->channel_names : default_names(count),
        .channel_types = numbers,
        .pixels = pixels,
        .texts = list_texts(desc, arena),
        .text_count = desc->text_count,
        .fast = desc->fast,
        .srgb = desc->srgb,
        .compression = format->mixed && desc->compression ? desc->compression : format->compression,
        .software = "coif " COIF_VERSION,
        .part = format->mixed ? desc->part : NULL,
        .x = format->mixed ? desc->x : 0,
        .y = format->mixed ? desc->y : 0,
        .full_width = format->mixed ? desc->full_width : 0,
        .full_height = format->mixed ? desc->full_height : 0,
    };
}

// Encoded bytes of a file, owned by the module.
typedef struct encoded {
    const coif_oiio_module *module;
    coif_image_bytes bytes;
} encoded;

static coif_status encode_parts(encoded *file, const char *path, const coif_image_format *format,
                                const coif_image_desc *parts, int32_t count, coif_arena *arena,
                                coif_error *error)
{
    char date[32];
    read_date(date, sizeof date);
    coif_image_encode_desc *list = coif_arena_new(arena, count, coif_image_encode_desc);
    for (int32_t i = 0; i < count; ++i) {
        list[i] = prepare(format, &parts[i], arena);
        list[i].date = date;
    }
    COIF_TRY(coif_oiio_module_load(&file->module, error));
    coif_image_failure failure = {0};
    return file->module->encode(list, count, &file->bytes, &failure)
               ? COIF_OK
               : coif_fail(error, coif_image_failure_status(&failure, COIF_ERR_IO),
                           "%s: cannot encode as %s (%s)", path, format->name, failure.text);
}

static coif_status save_image(const char *path, const coif_image_format *format,
                              const coif_image_desc *parts, int32_t count, coif_arena *arena,
                              coif_error *error)
{
    encoded file;
    COIF_TRY(encode_parts(&file, path, format, parts, count, arena, error));
    const coif_status status = coif_file_save(path, file.bytes.data, file.bytes.size, error);
    file.module->release(&file.bytes);
    return status;
}

coif_status coif_image_encode(char **data, size_t *size, const char *name,
                              const coif_image_desc *desc, coif_arena *arena, coif_error *error)
{
    const coif_image_format *format;
    COIF_TRY(coif_image_format_find(&format, name, error));
    COIF_TRY(coif_image_format_check(format, name, desc, error));
    COIF_SCOPED_ARENA(scratch, "image");
    encoded file;
    COIF_TRY(encode_parts(&file, name, format, desc, 1, &scratch, error));
    *size = file.bytes.size;
    *data = coif_arena_new(arena, (int64_t)*size, char);
    memcpy(*data, file.bytes.data, *size);
    file.module->release(&file.bytes);
    return COIF_OK;
}

coif_status coif_image_save_parts(const char *path, const coif_image_desc *parts, int32_t count,
                                  coif_error *error)
{
    const coif_image_format *format;
    COIF_TRY(coif_image_format_find(&format, path, error));
    if (count < 1 || (count > 1 && !format->mixed)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: %s does not support %d parts", path,
                         format->name, count);
    }
    for (int32_t i = 0; i < count; ++i) {
        COIF_TRY(coif_image_format_check(format, path, &parts[i], error));
        for (int32_t k = 0; k < i; ++k) {
            if (parts[i].part == NULL || parts[k].part == NULL ||
                strcmp(parts[i].part, parts[k].part) == 0) {
                return coif_fail(error, COIF_ERR_ARGUMENT, "%s: part %d needs a unique name", path,
                                 i);
            }
        }
    }
    COIF_SCOPED_ARENA(scratch, "image save");
    return save_image(path, format, parts, count, &scratch, error);
}

coif_status coif_image_save_check(const char *path, coif_error *error)
{
    const coif_image_format *format;
    const coif_oiio_module *module;
    coif_file file;
    COIF_TRY(coif_image_format_find(&format, path, error));
    COIF_TRY(coif_oiio_module_load(&module, error));
    if (coif_path_is_directory(path)) {
        return coif_fail(error, COIF_ERR_IO, "%s: cannot write: is a directory", path);
    }
    COIF_TRY(coif_file_open(&file, path, COIF_FILE_WRITE, error));
    coif_file_close(&file);
    return COIF_OK;
}

coif_status coif_image_save(const char *path, const coif_image_desc *desc, coif_error *error)
{
    return coif_image_save_parts(path, desc, 1, error);
}
