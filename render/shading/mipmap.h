// pyramid: one picture at ever smaller sizes, packed: what a texture is while rays ask it.
//
// Pictures of 8 bits stay bytes and are decoded when they are asked; all others are kept as halves.
// Each size is half the one before, filtered in linear light. Sizes above a limit are left out, so
// what a texture takes is bounded: limit^2 times 4/3 times 3 bytes, or 6 (8192: 268 MB, 537 MB).
// Only while it is loaded one picture is held as floats.
#ifndef COIF_RENDER_SHADING_MIPMAP_H
#define COIF_RENDER_SHADING_MIPMAP_H

#include "core/base/base.h"
#include "core/base/vec.h"

// What is taken from a file.
typedef enum coif_map_kind {
    COIF_MAP_COLOR,  // red, green, blue or grey; 8 and 16 bits are in the sRGB curve
    COIF_MAP_SCALAR, // the first channel as it is
    COIF_MAP_VECTOR, // three channels as they are
    COIF_MAP_ALPHA   // the alpha channel as it is, else the first
} coif_map_kind;

typedef enum coif_wrap {
    COIF_WRAP_REPEAT = 0,
    COIF_WRAP_CLAMP = 1,
    COIF_WRAP_MIRROR = 2
} coif_wrap;

enum { COIF_MAX_MIP_LEVELS = 18 };

typedef struct coif_mipmap_level {
    int32_t width, height;
    size_t first; // its first value
} coif_mipmap_level;

typedef struct coif_mipmap {
    int32_t channel_count, level_count;
    coif_mipmap_level levels[COIF_MAX_MIP_LEVELS];
    const uint8_t *bytes; // or
    const uint16_t *halves;
    const float *curve; // of bytes: 256 values
    float mean[3];      // of the whole picture
    uint64_t digest;
} coif_mipmap;

coif_status coif_mipmap_load(coif_mipmap *pyramid, const char *path, coif_map_kind kind,
                             int32_t largest, coif_arena *arena, coif_error *error);

// The value at (u, v), v upwards as in OBJ, averaged over about a width of uv: bilinear, and
// between two sizes. Grey gives three equal values.
coif_vec3 coif_mipmap_at(const coif_mipmap *pyramid, coif_vec2 uv, float width, coif_wrap wrap);

uint16_t coif_float_to_half(float value);
float coif_half_to_float(uint16_t half);

#endif
