// Mipmap of one image, in compact storage.
//
// 8-bit images stay bytes and are decoded at lookup; all others are stored as half floats. Each
// level is box-filtered from the one before in linear light. Levels above a maximum size are
// dropped, which bounds the memory of a texture: size^2 times 4/3 times 3 bytes, or 6 (8192: 268
// MB, 537 MB). One image at a time is held as floats while it is loaded. Own lookup instead of
// OpenImageIO's TextureSystem: results do not depend on its version, and a lookup costs a seventh.
#ifndef COIF_RENDER_SHADING_MIPMAP_H
#define COIF_RENDER_SHADING_MIPMAP_H

#include "core/base/base.h"
#include "core/base/vec.h"
#include "render/math/working_space.h"

// Channels and colour space of a texture.
typedef enum coif_map_kind {
    COIF_MAP_COLOR,  // red, green, blue or grey; integer images are sRGB-encoded
    COIF_MAP_SCALAR, // the first channel, linear
    COIF_MAP_VECTOR, // three channels, linear
    COIF_MAP_ALPHA   // the alpha channel, else the first, linear
} coif_map_kind;

typedef enum coif_wrap {
    COIF_WRAP_REPEAT = 0,
    COIF_WRAP_CLAMP = 1,
    COIF_WRAP_MIRROR = 2
} coif_wrap;

enum { COIF_MAX_MIP_LEVELS = 18 };

typedef struct coif_mipmap_level {
    int32_t width, height;
    size_t offset; // of its first value
} coif_mipmap_level;

typedef struct coif_mipmap {
    int32_t channel_count, level_count;
    coif_mipmap_level levels[COIF_MAX_MIP_LEVELS];
    const uint8_t *byte_texels; // or
    const uint16_t *half_texels;
    const float *decode_lut; // of byte_texels: 256 values
    float mean[3];           // of the whole image
    uint64_t digest;
} coif_mipmap;

typedef struct coif_mipmap_desc {
    const char *path;
    coif_map_kind kind;
    int32_t max_size;         // maximum side
    coif_working_space space; // of colours; other than Rec. 709, 8-bit colours become half floats
} coif_mipmap_desc;
coif_status coif_mipmap_load(coif_mipmap *mipmap, const coif_mipmap_desc *desc, coif_arena *arena,
                             coif_error *error);

// Trilinear lookup at (u, v), v upwards as in OBJ, with a footprint of width in uv. Grey gives
// three equal values.
coif_vec3 coif_mipmap_at(const coif_mipmap *mipmap, coif_vec2 uv, float width, coif_wrap wrap);

#endif
