// denoise_window: denoising over neighbouring frames of a film.
//
// The inputs of neighbouring frames are warped to the frame by the motion vectors of strands and
// surfaces, averaged with it, and the average goes through the denoiser of single images
// (denoise.h). With A and B the light of the two sample halves, V the variance of a frame's mean
// and D the difference of a warped frame s from the frame t itself,
//
//   V_t = E[f (1 - f) (A_t - B_t)^2]      f: fraction of the samples in the first half
//   D^2 = E[(A_t - A_s) (B_t - B_s)]
//
// are measured over a few pixels. The noise of the halves is independent, so D^2 has none of it on
// average: what is left is what motion vectors do not explain, that is disocclusion, highlights
// that move over strands, and strands that move differently. The warped frame gets the weight
//
//   w_s = V_t / (V_s + D^2 + D^4 / (10 V_s)) exp(-4 F)
//
// relative to a weight of 1 of the frame itself. V_t / (V_s + D^2) has the least squared error if
// differences are independent; where they are large they are the same in all frames, and would
// leave a ghost. F is the squared difference of coverage, strand directions, albedo and normals,
// which are less noisy than light. Subbands of the average get a gain of (C / E)^0.75: its noise is
// lower than that of one frame, so strands keep their contrast with a gain closer to the one of
// least error.
#ifndef COIF_RENDER_DENOISE_DENOISE_WINDOW_H
#define COIF_RENDER_DENOISE_DENOISE_WINDOW_H

#include "render/denoise/denoise_frame.h"

enum { COIF_MAX_DENOISE_RADIUS = 4 };

// Frames number - radius to number + radius, NULL where there is none; the middle one must exist.
typedef struct coif_denoise_window {
    const coif_denoise_frame *frames[2 * COIF_MAX_DENOISE_RADIUS + 1];
    int32_t radius;
} coif_denoise_window;

// Prepares a frame that was read: clamps fireflies and smooths motion vectors. Once per frame.
coif_status coif_denoise_frame_prepare(coif_denoise_frame *frame, coif_jobs *jobs,
                                       coif_progress *progress, coif_error *error);

// Denoised RGB and alpha per pixel of the middle frame. The same bits for any number of threads.
coif_status coif_denoise_window_filter(float *rgba, const coif_denoise_window *window,
                                       coif_jobs *jobs, coif_progress *progress, coif_error *error);

#endif
