// fur_color: how much more pigment fur wants than hair to have the same colour.
//
// Chiang's fit from a wanted colour to absorption is that of hair, which lets most light through to
// the fibres behind it. Fur sends more of it back at once, so the same pigment looks paler. Light
// that is scattered many times only knows (1 - a) / (1 - g a), a the albedo of a fibre and g the
// mean cosine of its scattering (similarity, van de Hulst 1980): the absorption of fur is that of
// hair times what makes the two equal at a colour in the middle. For other colours that factor is
// within a quarter of its own.
#ifndef COIF_RENDER_BSDF_FUR_ALBEDO_INVERSION_H
#define COIF_RENDER_BSDF_FUR_ALBEDO_INVERSION_H

#include "render/bsdf/hair_bsdf.h"

// The factor; middle is the absorption that gives hair the colour in the middle.
float coif_fur_absorption_scale(const coif_hair_bsdf_params *fur, float middle);

#endif
