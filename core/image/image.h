// image: rows of floats, and files of them by extension: EXR, PNG, JPEG, TIFF, BMP, HDR.
//
// Row 0 is the top. Values are linear light or plain data; the sRGB curve is applied only where a
// caller says so. The library behind this is loaded when the first file is touched, from
// ../lib/coif/image beside the program's folder or from where COIF_IMAGE_MODULE says.
#ifndef COIF_CORE_IMAGE_IMAGE_H
#define COIF_CORE_IMAGE_IMAGE_H

#include "core/base/base.h"

// A picture that somebody paints is stored in squares of so many texels a side, row by row and
// filled up beyond its edges: one that was never painted is a single value.
enum { COIF_IMAGE_TILE = 64 };
typedef struct coif_image_tile {
    float *texels; // channel_count interleaved values per texel; NULL: all of them are value
    float value;
} coif_image_tile;

typedef struct coif_image {
    int32_t width, height, channel_count;
    float *pixels; // channel_count interleaved values per pixel
    // Instead of pixels, which are NULL then. Only coif_image_sample and coif_image_texel know
    // these.
    coif_image_tile *tiles;
    // How values were stored: 8, 16 (unsigned integer) or 0 (half and float). Colour textures of 8
    // and 16 bits are in the sRGB curve, see coif_image_linearise.
    int32_t integer_bits;
    const char *const *channel_names; // "R", "Z", "N.X", ...
    const char *part;                 // name of the part of an EXR file, or ""
    // Where it lies in a larger picture of that size; EXR and TIFF can say so, others are the
    // whole.
    int32_t x, y, full_width, full_height;
} coif_image;

// The first picture of the file, values as stored: colours are not multiplied by alpha. A file that
// is not there is COIF_ERR_IO; one that is cut off, foreign, or wider than 65536 pixels is
// COIF_ERR_FORMAT.
coif_status coif_image_load(coif_image *image, const char *path, coif_arena *arena,
                            coif_error *error);

// As above, for what is laid on a body: a file that holds but the part of a picture where there is
// something (EXR's data window) is laid as that whole picture, 0 around it.
coif_status coif_image_load_full(coif_image *image, const char *path, coif_arena *arena,
                                 coif_error *error);

// A further picture of an EXR file of several parts, from 0; COIF_ERR_ARGUMENT when it has fewer.
coif_status coif_image_load_part(coif_image *image, const char *path, int32_t part,
                                 coif_arena *arena, coif_error *error);

// The same without its pixels, which are NULL: what a part is, before it is read.
coif_status coif_image_read_header(coif_image *image, const char *path, int32_t part,
                                   coif_arena *arena, coif_error *error);

// Undoes the sRGB curve on the colour channels of an integer image; leaves others alone.
void coif_image_linearise(coif_image *image);

typedef enum coif_image_type {
    COIF_IMAGE_UINT8 = 1,
    COIF_IMAGE_UINT16 = 2,
    COIF_IMAGE_HALF = 3,
    COIF_IMAGE_FLOAT = 4
} coif_image_type;

// NULL-terminated; the first is the usual one.
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
    // Colours are multiplied by alpha, as a film gives them. Files of integers hold them divided;
    // formats without alpha get them as they are, which is the picture over black.
    bool premultiplied;
    const char *compression; // EXR: "zip" (default), "piz", "none", ...; NULL for the default
    const char *part;        // EXR: name of the part, NULL for none
    bool fast;               // PNG: larger, for somebody who waits to look at it
    // EXR: it is the part at x, y of a picture so large; 0: it is the whole.
    int32_t x, y, full_width, full_height;
} coif_image_desc;

// Format by extension; written to a temporary name, then renamed. The same description always
// gives the same bytes: no clock is asked, only SOURCE_DATE_EPOCH if it is set. Integer files clip
// to 0..1, NaN becomes 0; halves clip to the largest half. EXR and PNG keep texts under their own
// keys, TIFF and JPEG as lines of the description, BMP and HDR have no room for them. In EXR
// worldToCamera and worldToNDC are matrices, given as sixteen numbers with commas between.
coif_status coif_image_save(const char *path, const coif_image_desc *desc, coif_error *error);

// The bytes of such a file in arena, and no file: the name's extension says which format.
coif_status coif_image_encode(char **data, size_t *size, const char *name,
                              const coif_image_desc *desc, coif_arena *arena, coif_error *error);

// An EXR file of several parts, each with a name of its own; all lie in one picture.
coif_status coif_image_save_parts(const char *path, const coif_image_desc *parts, int32_t count,
                                  coif_error *error);

// Whether a picture can go there: the library is to be had, the extension is known, the folder
// takes files and no folder has that name. Leaves nothing behind; for asking before hours of work.
coif_status coif_image_save_check(const char *path, coif_error *error);

// One metadata value of an image file, NULL when absent.
coif_status coif_image_read_attribute(char **value, const char *path, const char *key,
                                      coif_arena *arena, coif_error *error);

// One channel at (u, v), bilinear between texel centres, clamped at the border; v runs upwards as
// in OBJ. A coordinate that is not a number counts as 0, a channel that is not there has the value
// 0.
float coif_image_sample(const coif_image *image, int32_t channel, float u, float v);

// The texel that (u, v) lies in, without blending; else as above.
float coif_image_texel(const coif_image *image, int32_t channel, float u, float v);

// Pictures in memory that stand for files: what somebody paints and has not saved yet. Find returns
// NULL for a path that is not among them.
typedef struct coif_image_overrides {
    void *data;
    const coif_image *(*find)(void *data, const char *path);
} coif_image_overrides;

#endif
