// Table of image formats and validation of image descriptions.
#include "core/image/image_format.h"

#include "core/base/error.h"
#include "core/base/fs.h"

#include <string.h>

#define BIT(type) (1u << COIF_IMAGE_##type)

// clang-format off
#define FORMAT_ROWS(ROW)                                                                           \
    /*   name    extensions   library    default  supported types      channels grey mixed */      \
    ROW("PNG",  "png", NULL,   "png",     UINT8,  BIT(UINT8) | BIT(UINT16),    4, 1, 0, NULL)      \
    ROW("EXR",  "exr", NULL,   "openexr", HALF,   BIT(HALF) | BIT(FLOAT),   1023, 1, 1, "zip")     \
    ROW("JPEG", "jpg", "jpeg", "jpeg",    UINT8,  BIT(UINT8),                  3, 1, 0, "jpeg:95") \
    ROW("TIFF", "tif", "tiff", "tiff",    UINT16, 0xffffffffu,                 4, 1, 0, "zip")     \
    ROW("BMP",  "bmp", NULL,   "bmp",     UINT8,  BIT(UINT8),                  4, 0, 0, NULL)      \
    ROW("HDR",  "hdr", NULL,   "hdr",     FLOAT,  BIT(FLOAT),                  3, 0, 0, NULL)
#define FORMAT(name_, ext_, ext2_, library_, type_, types_, channels_, grey_, mixed_, compression_) \
    {name_, {ext_, ext2_}, library_, COIF_IMAGE_##type_, types_, channels_, grey_, mixed_, compression_},
#define EXTENSION(name_, ext_, ...) ext_,
// clang-format on

static const coif_image_format FORMATS[] = {FORMAT_ROWS(FORMAT)};
const char *const COIF_IMAGE_FORMATS[] = {FORMAT_ROWS(EXTENSION) NULL};

const char *const COIF_EXR_COMPRESSIONS[] = {"zip", "zips", "piz",  "rle",  "none", "pxr24",
                                             "b44", "b44a", "dwaa", "dwab", NULL};

coif_status coif_image_format_find(const coif_image_format **format, const char *path,
                                   coif_error *error)
{
    for (size_t i = 0; i < COIF_COUNT_OF(FORMATS); ++i) {
        for (int k = 0; k < 2; ++k) {
            const char *extension = FORMATS[i].extensions[k];
            if (extension != NULL && coif_path_has_extension(path, extension)) {
                *format = &FORMATS[i];
                return COIF_OK;
            }
        }
    }
    return coif_fail(
        error, COIF_ERR_ARGUMENT,
        "%s: unknown image extension; expected .exr .png .jpg .jpeg .tif .tiff .bmp or "
        ".hdr",
        path);
}

bool coif_image_has_extension(const char *path)
{
    const coif_image_format *format;
    coif_error error = {0};
    return coif_image_format_find(&format, path, &error) == COIF_OK;
}

static coif_status check_types(const coif_image_format *format, const char *path,
                               const coif_image_desc *desc, coif_error *error)
{
    for (int32_t i = 0; desc->channel_types != NULL && i < desc->channel_count; ++i) {
        const int type = (int)desc->channel_types[i];
        if (type < 1 || type > 4 || (format->types & (1u << type)) == 0) {
            static const char *const names[] = {"an unknown type", "8-bit", "16-bit", "half",
                                                "float"};
            return coif_fail(error, COIF_ERR_ARGUMENT, "%s: %s does not support %s channels", path,
                             format->name, names[type < 1 || type > 4 ? 0 : type]);
        }
        if (!format->mixed && type != (int)desc->channel_types[0]) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "%s: all channels of a %s file must have the same type", path,
                             format->name);
        }
    }
    return COIF_OK;
}

static coif_status check_texts(const char *path, const coif_image_desc *desc, coif_error *error)
{
    for (int32_t i = 0; i < desc->text_count; ++i) {
        const char *key = desc->texts[i].key;
        // Keys with this prefix control OpenImageIO.
        if (key == NULL || key[0] == '\0' || strncmp(key, "oiio:", 5) == 0 || strlen(key) > 79 ||
            strchr(key, '\n') != NULL || desc->texts[i].value == NULL) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "%s: metadata entry %d has an invalid key or no value", path, i);
        }
    }
    return COIF_OK;
}

static coif_status check_compression(const coif_image_format *format, const char *path,
                                     const coif_image_desc *desc, coif_error *error)
{
    if (desc->compression == NULL || strcmp(format->library, "openexr") != 0) {
        return COIF_OK;
    }
    for (size_t i = 0; COIF_EXR_COMPRESSIONS[i] != NULL; ++i) {
        if (strcmp(desc->compression, COIF_EXR_COMPRESSIONS[i]) == 0) {
            return COIF_OK;
        }
    }
    return coif_fail(
        error, COIF_ERR_ARGUMENT,
        "%s: unknown compression \"%s\"; expected none rle zip zips piz pxr24 b44 b44a "
        "dwaa or dwab",
        path, desc->compression);
}

coif_status coif_image_format_check(const coif_image_format *format, const char *path,
                                    const coif_image_desc *desc, coif_error *error)
{
    if (desc->width < 1 || desc->height < 1 || desc->width > 65536 || desc->height > 65536) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: size %d x %d, expected 1 to 65536", path,
                         desc->width, desc->height);
    }
    // Formats without alpha store the colour channels only.
    const bool alpha = desc->channel_count == 4 || desc->channel_count == 2;
    if (desc->channel_count < 1 || desc->channel_count - (alpha ? 1 : 0) > format->channels) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: %s does not support %d channels", path,
                         format->name, desc->channel_count);
    }
    if (desc->channel_count > 4 && desc->channel_names == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: %d channels need names", path,
                         desc->channel_count);
    }
    COIF_TRY(check_types(format, path, desc, error));
    COIF_TRY(check_texts(path, desc, error));
    return check_compression(format, path, desc, error);
}
