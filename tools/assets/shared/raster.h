// raster: textures baked from a mesh.
#ifndef COIF_ASSETS_RASTER_H
#define COIF_ASSETS_RASTER_H

#include "core/base/error.h"
#include "tools/assets/shared/poly_mesh.h"

enum { RASTER_CHANNELS = 3 };

// A square image of 8 bits per channel; row 0 is the top.
typedef struct raster {
    int size, channels;
    bool srgb;     // texels are linear light, stored with the sRGB transfer function
    float *pixels; // encoded, 0 to 1
} raster;

// The value of one texel, at a surface position.
typedef void raster_shader(const void *object, coif_vec3d p, int group,
                           double texel[RASTER_CHANNELS]);

void raster_init(raster *image, int size, int channels, bool srgb, coif_arena *arena);

// Quantises and stores a texel.
void raster_put(raster *image, size_t index, const double texel[RASTER_CHANNELS]);

// Evaluates the shader at the texels covered by faces and dilates the result by four texels. uv has
// two coordinates for each of the four corners of each face.
void raster_bake(raster *image, const poly_mesh *mesh, const double *uv, raster_shader *shader,
                 const void *object);

coif_status raster_save(const raster *image, const char *path, coif_error *error);

#endif
