// denoise_frame: what the denoiser reads of one rendered frame, as floats.
//
// A film that is denoised over its frames stores these inputs per frame. Light is the mean of each
// of the two sample halves (denoise.h); colours, normals and tensors are times coverage, as in the
// film.
#ifndef COIF_RENDER_DENOISE_DENOISE_FRAME_H
#define COIF_RENDER_DENOISE_DENOISE_FRAME_H

#include "core/base/log.h"
#include "render/film/film.h"

// Channels of a pixel. The first COIF_INPUT_LINEAR are means over samples and may be averaged.
enum {
    COIF_INPUT_DIRECT = 0,       // RGB of the first and of the second half
    COIF_INPUT_INDIRECT = 6,     // the same
    COIF_INPUT_REST = 12,        // beauty minus direct and indirect light, RGB
    COIF_INPUT_ALPHA = 15,       // of beauty
    COIF_INPUT_MASK = 16,        // coverage of hair and of meshes
    COIF_INPUT_ALBEDO = 18,      // RGB
    COIF_INPUT_NORMAL = 21,      // XYZ
    COIF_INPUT_TENSOR = 24,      // structure tensor of the screen-space strand tangent
    COIF_INPUT_MESH_ALBEDO = 27, // RGB
    COIF_INPUT_FIRST_HALF = 30,  // fraction of the samples that are in the first half
    COIF_INPUT_LINEAR = 31,
    COIF_INPUT_DEPTH = 31,   // of the nearest sample, 0 without one, as its motion
    COIF_INPUT_FORWARD = 32, // motion vectors in pixels, right and up
    COIF_INPUT_BACKWARD = 34,
    COIF_INPUTS = 36
};

typedef struct coif_denoise_frame {
    int32_t width, height;
    float *channels; // COIF_INPUTS per pixel
} coif_denoise_frame;

void coif_denoise_frame_init(coif_denoise_frame *frame, int32_t width, int32_t height,
                             coif_arena *arena);

// Reads the window of a film that has the AOVs "denoised", "Z", "forward" and "backward". False if
// a pixel has no second half.
bool coif_denoise_frame_read(coif_denoise_frame *frame, const coif_film *film, coif_rect window,
                             coif_arena *arena);

static inline float *coif_denoise_inputs(const coif_denoise_frame *frame, size_t pixel)
{
    return frame->channels + COIF_INPUTS * pixel;
}

// Whether every pixel has samples of both halves; logs a warning otherwise.
bool coif_film_has_halves(const coif_film *film);

// Means of direct or indirect light of a film's pixel: of the first half, which has that fraction
// of the samples, of the second half and of all samples.
void coif_denoise_light(const coif_film *film, size_t pixel, bool indirect, float fraction,
                        float a[3], float b[3], float mean[3]);

// Mask, albedo, normal, tensor, mesh albedo and fraction of the first half of a film's pixel, at
// their places among the inputs.
void coif_denoise_features(const coif_film *film, size_t pixel, float *inputs);

#endif
