// sky: a clear sky with its sun, by formula.
//
// How light and colour are spread over the sky is after Preetham, Shirley and Smits 1999: the
// five-term distribution of Perez et al. 1993 with coefficients linear in turbidity. How much there
// is of it is what the air takes from the sun and sends down, after Bird and Hulstrom 1981, so sun
// and sky never give more than comes from outside. The sun is a
// black body of 5778 K and 133 klx outside the air (IES: 127 to 134), seen through as much air as
// Kasten 1965 says, which takes away by Rayleigh and aerosol scattering and by ozone as in
// Preetham's appendix (the ozone's table as a bell); water and mixed gases, a per cent or two, are
// left out. Below the horizon lies even ground of
// one colour, lit by both.
//
// Radiance 1 stands for 10,000 cd/m^2, so that pictures come out without another exposure.
#ifndef COIF_RENDER_LIGHTS_SKY_H
#define COIF_RENDER_LIGHTS_SKY_H

#include "render/shading/texture_cache.h"

typedef struct coif_sky_desc {
    float elevation; // of the sun, share of a full turn above the horizon
    float azimuth;   // share of a full turn from +z towards +x
    float turbidity; // 2 very clear, 3 clear, 6 warm and moist, 10 hazy
    coif_vec3 ground;
} coif_sky_desc;

// Perez's five numbers of one quantity, and its value at the zenith over the formula's there.
typedef struct coif_perez {
    float a, b, c, d, e;
    float scale;
} coif_perez;

typedef struct coif_sky {
    coif_vec3 sun_way;          // towards the sun
    coif_vec3 sun;              // irradiance on a surface that faces it
    coif_perez luminance, x, y; // CIE chromaticities
    coif_vec3 below;            // radiance of the ground
} coif_sky;

coif_sky coif_sky_init(const coif_sky_desc *desc);

// Radiance from a direction, the sun's own disk apart.
coif_vec3 coif_sky_at(const coif_sky *sky, coif_vec3 direction);

// The same as a picture of the whole sphere, as environment.h takes it.
coif_image_texture *coif_sky_bake(const coif_sky *sky, coif_arena *arena);

#endif
