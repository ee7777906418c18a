// Albedo inversion for fur: from a colour to the absorption of fibres with a medulla.
//
// Chiang's fit from colour to absorption is for hair, which scatters forward. Fur scatters back
// more, so the same absorption gives a paler colour. Multiple scattering depends on the fibre
// through the similarity parameter (1 - a) / (1 - g a), a the albedo of a fibre and g the mean
// cosine of its phase function (van de Hulst 1980). The absorption of fur is that of hair times the
// factor that makes the two parameters equal at a middle grey; for other colours the right factor
// is within 25 % of it.
#ifndef COIF_RENDER_BSDF_FUR_ALBEDO_INVERSION_H
#define COIF_RENDER_BSDF_FUR_ALBEDO_INVERSION_H

#include "render/bsdf/hair_bsdf.h"

// The factor; middle is the absorption that gives hair the middle grey.
float coif_fur_absorption_scale(const coif_hair_bsdf_params *fur, float middle);

#endif
