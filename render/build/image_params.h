// image_params: parameters of the scene's "image" section.
#ifndef COIF_RENDER_BUILD_IMAGE_PARAMS_H
#define COIF_RENDER_BUILD_IMAGE_PARAMS_H

#include "render/film/adaptive_sampling.h"
#include "render/output/image_output.h"

typedef struct coif_image_params {
    int32_t width, height;
    int32_t samples;
    int32_t seed, animate_seed;
    float exposure;
    int32_t format, view_transform, filter, curve_type;
    int32_t max_depth;
    float clamp_indirect;
    int32_t indirect_cache, hair_filtering;
    float min_pixel_width; // pixels
    int32_t max_texture_size;
    int32_t film_transparent;
    int32_t denoise, denoise_frames;
    int32_t filter_splatting;
    float background[3];
    int32_t write_aovs;
    const char *aovs;
    int32_t exr_layout, exr_pixel_type, exr_compression, bit_depth;
    int32_t working_space;
    const char *ocio_config, *ocio_display, *ocio_view, *ocio_look, *ocio_color_space;
    float adaptive_threshold;
    int32_t adaptive_min_samples;
} coif_image_params;

extern const coif_section COIF_IMAGE_SECTION;

coif_sampling_params coif_image_sampling(const coif_image_params *image);
coif_output_params coif_image_output(const coif_image_params *image);

// Whether samples are splatted: a box filter covers the samples of its own pixel only.
bool coif_image_splats(const coif_image_params *image);

#endif
