// Analytic clear sky with sun.
//
// Distribution and chromaticity follow Preetham, Shirley and Smits 1999: the five-term function of
// Perez et al. 1993 with coefficients linear in turbidity. The absolute level follows the scattered
// fraction of sunlight by Bird and Hulstrom 1981, so that sun and sky together never exceed the
// extraterrestrial sun: a black body of 5778 K and 133 klx (IES: 127 to 134). Its transmittance
// uses the air mass of Kasten 1965 with Rayleigh and aerosol scattering and ozone as in Preetham's
// appendix (the ozone table approximated by a bell); water and mixed gases, one or two per cent,
// are left out. Below the horizon is uniform ground lit by both.
//
// Radiance 1 is 10,000 cd/m^2, which needs no exposure correction.
#ifndef COIF_RENDER_LIGHTS_SKY_H
#define COIF_RENDER_LIGHTS_SKY_H

#include "render/shading/texture.h"

typedef struct coif_sky_desc {
    float elevation; // of the sun above the horizon, in turns
    float azimuth;   // from +z towards +x, in turns
    float turbidity; // 2 very clear, 3 clear, 6 warm and moist, 10 hazy
    coif_vec3 ground;
} coif_sky_desc;

// Perez coefficients of one quantity, and its zenith value over that of the formula.
typedef struct coif_perez {
    float a, b, c, d, e;
    float scale;
} coif_perez;

typedef struct coif_sky {
    coif_vec3 sun_direction;    // towards the sun
    coif_vec3 sun;              // irradiance on a surface that faces it
    coif_perez luminance, x, y; // CIE chromaticities
    coif_vec3 ground_radiance;
} coif_sky;

coif_sky coif_sky_init(const coif_sky_desc *desc);

// Radiance from a direction, without the sun's disk.
coif_vec3 coif_sky_at(const coif_sky *sky, coif_vec3 direction);

// The same as a latitude-longitude image for environment.h.
coif_image_texture *coif_sky_bake(const coif_sky *sky, coif_arena *arena);

#endif
