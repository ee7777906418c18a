// denoise: strand-aware denoiser of a finished film.
//
// Hair is coherent along a strand and varies from strand to strand, so light is filtered along
// strands first and across them last. Direct and indirect light are decomposed into subbands, from
// single pixels over line filters of increasing length to a-trous filters of increasing radius:
//
//   image = sum_i (L_i - L_i+1) + L_n        L_0 as rendered, L_n the smoothest
//
// The film keeps the samples in two halves. What both halves agree on is signal, the rest is noise:
// with C the local mean of the product of both halves of a subband, and E that of the square of
// their mean, a gain of sqrt(C / E) would keep the contrast of the noise-free image if the halves
// were independent. Sobol samples are better distributed than that, so the halves are
// anticorrelated, and (C / E)^0.3 compensates. C / E itself has the least error (Wiener 1949) but
// lowers contrast where noise is high: fine strands would fade. A noise-free image is left
// unchanged.
//
// The albedo of meshes is known without noise: light is demodulated by the ratio of albedo to its
// local mean, and modulated again after filtering.
//
// Sources: two halves as in Rousselle et al. 2012, guided by feature buffers as in Rousselle et al.
// 2013; a-trous filters as in Dammertz et al. 2010; line filters as in Cabral and Leedom 1993.
#ifndef COIF_RENDER_DENOISE_DENOISE_H
#define COIF_RENDER_DENOISE_DENOISE_H

#include "core/base/log.h"
#include "render/denoise/denoise_frame.h"
#include "render/film/film.h"

// Fills film->denoised from a film with the AOV "denoised". If a pixel has no second half, beauty
// is copied and a warning is logged. The same bits for any number of threads.
coif_status coif_film_denoise(coif_film *film, coif_jobs *jobs, coif_progress *progress,
                              coif_arena *arena, coif_error *error);

// The same from stored inputs: denoised has RGB per pixel.
coif_status coif_denoise_frame_filter(float *denoised, const coif_denoise_frame *frame,
                                      coif_jobs *jobs, coif_progress *progress, coif_error *error);

#endif
