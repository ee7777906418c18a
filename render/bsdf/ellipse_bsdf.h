// Lobes of the hair BSDF for a fibre of elliptical cross section, near field.
//
// After Khungurn and Marschner 2017 ("Azimuthal Scattering from Elliptical Hair Fibers"): a ray is
// traced through the ellipse with the modified index of refraction, and each of its exits is the
// centre of a lobe. Unlike in a circle, the angle of incidence differs between internal
// reflections, so the Fresnel reflectance F_k and the absorption T_k of each chord do too, and F_k
// may be 1:
//
//   R = F_0,  TT = (1 - F_0) T_1 (1 - F_1),  TRT = (1 - F_0) T_1 F_1 T_2 (1 - F_2),  ...
//
// All further exits are the residual lobe; after the last chord that is traced it is a geometric
// series with the mean F. Without absorption the sum is 1. Lobe shapes are those of the round
// fibre, and for ratio 1 so are centres and attenuations.
#ifndef COIF_RENDER_BSDF_ELLIPSE_BSDF_H
#define COIF_RENDER_BSDF_ELLIPSE_BSDF_H

#include "render/bsdf/hair_lobes.h"
#include "render/math/ellipse.h"

// Sets centres and attenuations; what depends on theta_o alone is set already. H: offset across the
// width that the observer sees.
void coif_ellipse_bsdf_init(coif_hair_bsdf *bsdf, const coif_ellipse *section, coif_vec3 absorption,
                            float h);

#endif
