// denoise: a finished film without most of its noise, and with its strands.
//
// Hair looks alike along a strand and different from strand to strand, so light is gathered along
// strands first and across them last. Direct and indirect light are taken apart into bands, from
// single pixels through ever longer stretches of strand to ever wider neighbourhoods:
//
//   picture = sum_i (L_i - L_i+1) + L_n        L_0 as rendered, L_n the smoothest
//
// A film that is to be denoised keeps the samples in two halves. What both halves say of a band is
// picture, what only one says is noise: with C the mean over the surroundings of the product of
// both halves, and E that of the square of their mean, sqrt(C / E) of a band would leave it the
// contrast it has without noise, were the halves independent. Samples are spread so well that
// halves differ more than that, and (C / E)^0.3 makes up for it. C / E itself would have the least
// error (Wiener 1949) and less contrast the noisier it is: fine strands would fade. A picture
// without noise is left as it is.
//
// The paint on bodies is known without noise: light is divided by how it differs from the paint
// around before all this, and multiplied by it again.
//
// Two halves as in Rousselle et al. 2012, guided by layers as in their paper of 2013; widening
// steps as in Dammertz et al. 2010; gathering along lines as in Cabral and Leedom 1993.
#ifndef COIF_RENDER_DENOISE_DENOISE_H
#define COIF_RENDER_DENOISE_DENOISE_H

#include "core/base/log.h"
#include "render/film/film.h"

// Samples of one half follow each other by so many: runs of powers of two are spread well.
enum { COIF_HALF_RUN = 8 };

// Whether a sample belongs to the second half.
static inline bool coif_second_half(int32_t sample)
{
    return (sample & COIF_HALF_RUN) != 0;
}

// Fills film->denoised from a film with the layer "denoised". Where a pixel has no second half,
// nothing is done and a line in the log says so. The same bits for any number of threads.
coif_status coif_film_denoise(coif_film *film, coif_jobs *jobs, coif_progress *progress,
                              coif_arena *arena, coif_error *error);

#endif
