// Float images, and image files by extension: EXR, PNG, JPEG, TIFF, BMP, HDR.
//
// Row 0 is the top. Values are linear light or plain data; the sRGB curve is applied only on
// request. The image library is loaded with the first file, from ../lib/coif/image relative to the
// program's directory or from COIF_IMAGE_MODULE.
#ifndef COIF_CORE_IMAGE_IMAGE_H
#define COIF_CORE_IMAGE_IMAGE_H

#include "core/base/base.h"

// Images being painted are stored in square tiles of this many texels a side, row by row and padded
// at the border; a tile without paint is a single value.
enum { COIF_IMAGE_TILE = 64 };
typedef struct coif_image_tile {
    float *texels; // channel_count interleaved values per texel; NULL: all equal value
    float value;
} coif_image_tile;

typedef struct coif_image {
    int32_t width, height, channel_count;
    float *pixels; // channel_count interleaved values per pixel
    // Used instead of pixels (then NULL); supported by coif_image_sample and coif_image_texel only.
    coif_image_tile *tiles;
    // Storage type: 8, 16 (unsigned integer) or 0 (half and float). Colour textures of 8 and 16
    // bits are sRGB encoded, see coif_image_linearise.
    int32_t integer_bits;
    const char *const *channel_names; // "R", "Z", "N.X", ...
    const char *part;                 // name of the part of an EXR file, or ""
    // Data window offset in the full image (EXR display window) of that size; other formats than
    // EXR and TIFF always hold the full image.
    int32_t x, y, full_width, full_height;
} coif_image;

// Whether the extension of path is one of those above.
bool coif_image_has_extension(const char *path);

// Loads the first image of a file with values as stored: colours are not premultiplied. A missing
// file is COIF_ERR_IO; a truncated, foreign or larger one than 65536 pixels is COIF_ERR_FORMAT.
coif_status coif_image_load(coif_image *image, const char *path, coif_arena *arena,
                            coif_error *error);

// As above, for textures: an EXR file with a smaller data window is expanded to the display window,
// with zeros around it.
coif_status coif_image_load_full(coif_image *image, const char *path, coif_arena *arena,
                                 coif_error *error);

// Loads a part of a multi-part EXR file, from 0; COIF_ERR_ARGUMENT when there are fewer.
coif_status coif_image_load_part(coif_image *image, const char *path, int32_t part,
                                 coif_arena *arena, coif_error *error);

// Reads the header of a part only; pixels are NULL.
coif_status coif_image_read_header(coif_image *image, const char *path, int32_t part,
                                   coif_arena *arena, coif_error *error);

// Decodes the sRGB curve of the colour channels of an integer image; other images are unchanged.
void coif_image_linearise(coif_image *image);

typedef enum coif_image_type {
    COIF_IMAGE_UINT8 = 1,
    COIF_IMAGE_UINT16 = 2,
    COIF_IMAGE_HALF = 3,
    COIF_IMAGE_FLOAT = 4
} coif_image_type;

// NULL-terminated; the first is the default.
extern const char *const COIF_EXR_COMPRESSIONS[];

typedef struct coif_image_attribute {
    const char *key, *value;
} coif_image_attribute;

typedef struct coif_image_desc {
    int32_t width, height, channel_count;
    const char *const *channel_names; // NULL: Y, or R G B, or R G B A
    // NULL: half for EXR, 16 bits for TIFF, float for HDR, 8 bits for the others. Only EXR can hold
    // channels of different types.
    const coif_image_type *channel_types;
    const float *pixels;               // interleaved
    const coif_image_attribute *texts; // metadata
    int32_t text_count;
    bool srgb; // apply the sRGB curve to the colour channels
    // Colours are premultiplied by alpha. Integer files store them unpremultiplied; formats without
    // alpha store them as they are, which is the image over black.
    bool premultiplied;
    const char *compression; // EXR: "zip" (default), "piz", "none", ...; NULL for the default
    const char *part;        // EXR: name of the part, NULL for none
    bool fast;               // PNG: fast compression, larger file
    // EXR: data window offset and display window size; 0: the full image.
    int32_t x, y, full_width, full_height;
} coif_image_desc;

// Saves atomically in the format of the extension. Equal descriptions give equal bytes: there is no
// time stamp except SOURCE_DATE_EPOCH if set. Integer formats clamp to 0..1, NaN becomes 0; half
// clamps to the largest half. EXR and PNG store texts under their keys, TIFF and JPEG as lines of
// the image description, BMP and HDR not at all. In EXR worldToCamera and worldToNDC are matrices,
// given as sixteen numbers separated by commas; chromaticities ("0.64,0.33,..."), framesPerSecond
// ("24/1") and timeCode ("00:00:01:12") have their EXR types, and no other format stores them.
coif_status coif_image_save(const char *path, const coif_image_desc *desc, coif_error *error);

// Encodes to memory in arena instead of a file; the extension of name selects the format.
coif_status coif_image_encode(char **data, size_t *size, const char *name,
                              const coif_image_desc *desc, coif_arena *arena, coif_error *error);

// Saves a multi-part EXR file with unique part names and one display window.
coif_status coif_image_save_parts(const char *path, const coif_image_desc *parts, int32_t count,
                                  coif_error *error);

// Checks that an image can be saved to path: library, extension, writable directory, no directory
// of that name. Leaves no file behind; called before long renders.
coif_status coif_image_save_check(const char *path, coif_error *error);

// Reads one metadata value of an image file, NULL when absent.
coif_status coif_image_read_attribute(char **value, const char *path, const char *key,
                                      coif_arena *arena, coif_error *error);

// Bilinear lookup of one channel at (u, v), clamped at the border; v points up as in OBJ. NaN
// coordinates count as 0, missing channels have the value 0.
float coif_image_sample(const coif_image *image, int32_t channel, float u, float v);

// Nearest lookup: the texel that contains (u, v).
float coif_image_texel(const coif_image *image, int32_t channel, float u, float v);

// Images in memory that replace files: painted maps that are not saved yet. Find returns NULL for
// other paths.
typedef struct coif_image_overrides {
    void *data;
    const coif_image *(*find)(void *data, const char *path);
} coif_image_overrides;

#endif
