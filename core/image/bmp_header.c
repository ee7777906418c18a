#include "core/image/bmp_header.h"

#include "core/base/error.h"

#include <string.h>

// BITMAPFILEHEADER and BITMAPINFOHEADER (Windows GDI).
enum {
    FILE_HEADER = 14,
    INFO_HEADER = 40, // and longer versions of it
    LONGEST_HEADER = 124,
    PIXELS_AT = 10,
    HEADER_SIZE_AT = 14,
    WIDTH_AT = 18,
    HEIGHT_AT = 22,
    BITS_AT = 28,
    COMPRESSION_AT = 30,
    COLORS_AT = 46
};

static const int64_t MAX_SIDE = 65536;

static int64_t word(const coif_bytes *file, int at)
{
    int32_t value;
    memcpy(&value, (const char *)file->data + at, sizeof value);
    return value;
}

coif_status coif_bmp_check(const coif_bytes *file, coif_error *error)
{
    const char *data = file->data;
    if (file->size < FILE_HEADER + INFO_HEADER || data[0] != 'B' || data[1] != 'M') {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: not a valid BMP file (no header)",
                         file->name);
    }
    uint16_t bits;
    memcpy(&bits, data + BITS_AT, sizeof bits);
    const int64_t header = word(file, HEADER_SIZE_AT), compression = word(file, COMPRESSION_AT);
    if (header < INFO_HEADER || header > LONGEST_HEADER || compression != 0 ||
        (bits != 8 && bits != 24 && bits != 32)) {
        return coif_fail(
            error, COIF_ERR_FORMAT,
            "%s: BMP with %d bits per pixel and compression %lld; expected 8, 24 or 32 "
            "bits without compression: convert it to PNG",
            file->name, bits, (long long)compression);
    }
    const int64_t width = word(file, WIDTH_AT), signed_height = word(file, HEIGHT_AT);
    const int64_t height = signed_height < 0 ? -signed_height : signed_height;
    const int64_t pixels_at = word(file, PIXELS_AT), colors = word(file, COLORS_AT);
    const int64_t palette = bits == 8 ? 4 * 256 : 0;
    const int64_t row = (width * bits + 31) / 32 * 4;
    if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE ||
        (bits == 8 && colors != 0 && colors != 256) || pixels_at < FILE_HEADER + header + palette ||
        pixels_at + row * height > (int64_t)file->size) {
        return coif_fail(
            error, COIF_ERR_FORMAT,
            "%s: not a valid BMP file (%lld x %lld pixels of %d bits from byte %lld of "
            "%zu)",
            file->name, (long long)width, (long long)height, bits, (long long)pixels_at,
            file->size);
    }
    return COIF_OK;
}
