#include "render/lights/sky.h"

#include "core/base/arena.h"
#include "render/math/color.h"

// Image height; the width is twice that. 0.7 degrees per pixel.
enum { HEIGHT = 256 };

static const float KILOCANDELAS = 0.1f; // of radiance 1: 10,000 cd/m^2

static float power(float x, float exponent)
{
    return coif_fast_exp(exponent * coif_fast_log(x));
}

// CIE XYZ to linear light of Rec. 709.
static coif_vec3 to_rgb(float x, float y, float z)
{
    return (coif_vec3){
        coif_max(3.2404542f * x - 1.5371385f * y - 0.4985314f * z, 0.0f),
        coif_max(-0.9692660f * x + 1.8760108f * y + 0.0415560f * z, 0.0f),
        coif_max(0.0556434f * x - 0.2040259f * y + 1.0572252f * z, 0.0f),
    };
}

static float perez(const coif_perez *coefficients, float cos_zenith, float cos_sun, float sun)
{
    return (1.0f + coefficients->a * coif_fast_exp(coefficients->b / coif_max(cos_zenith, 0.01f))) *
           (1.0f + coefficients->c * coif_fast_exp(coefficients->d * sun) +
            coefficients->e * cos_sun * cos_sun);
}

static float angle_of(float cosine)
{
    return coif_fast_atan2(sqrtf(coif_max(1.0f - cosine * cosine, 0.0f)), cosine);
}

static float cubic(float t, float a, float b, float c, float d)
{
    return ((a * t + b) * t + c) * t + d;
}

// Scales to a value at the zenith, with the sun at an angle theta from it. The absolute luminance
// is set in set_brightness.
static void set_zenith(coif_perez *coefficients, float value, float theta, float cosine)
{
    coefficients->scale = value / perez(coefficients, 1.0f, cosine, theta);
}

static void set_perez(coif_sky *sky, float t, float theta)
{
    const float cosine = sky->sun_direction.y;
    sky->luminance =
        (coif_perez){0.1787f * t - 1.4630f, -0.3554f * t + 0.4275f, -0.0227f * t + 5.3251f,
                     0.1206f * t - 2.5771f, -0.0670f * t + 0.3703f, 0.0f};
    sky->x = (coif_perez){-0.0193f * t - 0.2592f, -0.0665f * t + 0.0008f, -0.0004f * t + 0.2125f,
                          -0.0641f * t - 0.8989f, -0.0033f * t + 0.0452f, 0.0f};
    sky->y = (coif_perez){-0.0167f * t - 0.2608f, -0.0950f * t + 0.0092f, -0.0079f * t + 0.2102f,
                          -0.0441f * t - 1.6537f, -0.0109f * t + 0.0529f, 0.0f};
    const float x = t * t * cubic(theta, 0.00166f, -0.00375f, 0.00209f, 0.0f) +
                    t * cubic(theta, -0.02903f, 0.06377f, -0.03202f, 0.00394f) +
                    cubic(theta, 0.11693f, -0.21196f, 0.06052f, 0.25886f);
    const float y = t * t * cubic(theta, 0.00275f, -0.00610f, 0.00317f, 0.0f) +
                    t * cubic(theta, -0.04214f, 0.08970f, -0.04153f, 0.00516f) +
                    cubic(theta, 0.15346f, -0.26756f, 0.06670f, 0.26688f);
    set_zenith(&sky->luminance, 1.0f, theta, cosine);
    set_zenith(&sky->x, x, theta, cosine);
    set_zenith(&sky->y, y, theta, cosine);
}

// Asymmetric Gaussian of the colour matching functions.
static float lobe(float nanometres, float middle, float below, float sky_radiance)
{
    const float t = (nanometres - middle) / (nanometres < middle ? below : sky_radiance);
    return coif_fast_exp(-0.5f * t * t);
}

// Sunlight after transmission through the atmosphere.
typedef struct sunlight {
    coif_vec3 direct; // CIE XYZ
    float scattered;  // Y of scattered light on a horizontal plane
} sunlight;

// Integrates over wavelengths; mass 0 gives the extraterrestrial sun. Colour matching functions are
// the fits of Wyman, Sloan and Shirley 2013. Downward fractions: 0.5 of Rayleigh and 0.84 of
// aerosol scattering, times 0.79, decreasing with the air mass (Bird and Hulstrom 1981).
static sunlight sun_through(float mass, float turbidity)
{
    static const float OZONE = 0.0427f; // peak optical depth of 3.5 mm of ozone
    static const float AIR_DOWN = 0.5f, DUST_DOWN = 0.84f, ARRIVES = 0.79f;
    const float aerosol = 0.04608f * turbidity - 0.04586f;
    sunlight sum = {{0.0f, 0.0f, 0.0f}, 0.0f};
    for (float n = 380.0f; n < 725.0f; n += 5.0f) {
        const float micro = 1e-3f * n;
        // Planck's law at 5778 K, in any unit.
        const float emitted = power(micro, -5.0f) / (coif_fast_exp(2.490098f / micro) - 1.0f);
        const float air = coif_fast_exp(-mass * 0.008735f * power(micro, -4.08f));
        const float dust = coif_fast_exp(-mass * aerosol * power(micro, -1.3f));
        const float ozone = coif_fast_exp(-mass * OZONE * lobe(n, 595.0f, 48.0f, 52.0f));
        const float light = emitted * ozone * air * dust;
        const float x = 1.056f * lobe(n, 599.8f, 37.9f, 31.0f) +
                        0.362f * lobe(n, 442.0f, 16.0f, 26.7f) -
                        0.065f * lobe(n, 501.1f, 20.4f, 26.2f);
        const float y =
            0.821f * lobe(n, 568.8f, 46.9f, 40.5f) + 0.286f * lobe(n, 530.9f, 16.3f, 31.1f);
        const float z =
            1.217f * lobe(n, 437.0f, 11.8f, 36.0f) + 0.681f * lobe(n, 459.0f, 26.0f, 13.8f);
        sum.direct = coif_mad(sum.direct, light, (coif_vec3){x, y, z});
        sum.scattered +=
            emitted * ozone * y * ARRIVES * (AIR_DOWN * (1.0f - air) + DUST_DOWN * (1.0f - dust));
    }
    sum.scattered /= 1.0f - mass + power(mass, 1.02f);
    return sum;
}

// The air mass of Kasten 1965.
static float air_mass(float theta, float cosine)
{
    const float degrees = coif_min(theta * (180.0f / COIF_PI), 90.0f);
    return 1.0f / (coif_max(cosine, 0.0f) + 0.15f * power(93.885f - degrees, -1.253f));
}

static coif_vec3 sky_radiance(const coif_sky *sky, coif_vec3 direction)
{
    const float cos_sun = coif_clamp(coif_dot(direction, sky->sun_direction), -1.0f, 1.0f);
    const float sun = angle_of(cos_sun);
    const float luminance =
        coif_max(sky->luminance.scale * perez(&sky->luminance, direction.y, cos_sun, sun), 0.0f);
    const float x = sky->x.scale * perez(&sky->x, direction.y, cos_sun, sun);
    const float y = coif_max(sky->y.scale * perez(&sky->y, direction.y, cos_sun, sun), 0.01f);
    const float xyz_scale = luminance / y;
    return to_rgb(x * xyz_scale, luminance, coif_max(1.0f - x - y, 0.0f) * xyz_scale);
}

// The direction of a pixel centre.
static coif_vec3 pixel_direction(int32_t column, int32_t row)
{
    float sine, cosine, turn_sine, turn_cosine;
    coif_fast_sincos_turns(0.5f * ((float)row + 0.5f) / HEIGHT, &sine, &cosine);
    coif_fast_sincos_turns(((float)column + 0.5f) / (2 * HEIGHT) - 0.5f, &turn_sine, &turn_cosine);
    return (coif_vec3){sine * turn_sine, cosine, -sine * turn_cosine};
}

// Irradiance of the sky on a horizontal plane, from every eighth pixel.
static coif_vec3 irradiance(const coif_sky *sky)
{
    enum { STEP = 8 };
    coif_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int32_t row = STEP / 2; row < HEIGHT / 2; row += STEP) {
        for (int32_t column = STEP / 2; column < 2 * HEIGHT; column += STEP) {
            const coif_vec3 direction = pixel_direction(column, row);
            const float sine = sqrtf(coif_max(1.0f - direction.y * direction.y, 0.0f));
            sum = coif_mad(sum, direction.y * sine, sky_radiance(sky, direction));
        }
    }
    const float pixel = COIF_PI * STEP / HEIGHT;
    return coif_scale(sum, pixel * pixel);
}

// Sun and sky from the same extraterrestrial light. Preetham's zenith luminance makes clear skies
// twice as bright as measured ones, and hazy ones brighter than the extraterrestrial sun.
static void set_brightness(coif_sky *sky, float theta, float turbidity)
{
    static const float EXTRATERRESTRIAL = 133.0f; // klx
    // Horizontal illuminance with the sun on the horizon: 0.8 klx in total (IES 1984).
    static const float HORIZON_COSINE = 0.017f;
    // Below 5 degrees the sun lights the upper atmosphere through a smaller air mass than it is
    // seen through; the formulas of the scattered light end there, too.
    static const float MAX_AIR_MASS = 10.0f;
    const float cosine = coif_max(sky->sun_direction.y, 0.0f);
    const float mass = air_mass(theta, cosine);
    const sunlight seen = sun_through(mass, turbidity);
    const float scattered = sun_through(coif_min(mass, MAX_AIR_MASS), turbidity).scattered;
    const float scale = EXTRATERRESTRIAL * KILOCANDELAS / sun_through(0.0f, turbidity).direct.y;
    sky->sun = coif_scale(to_rgb(seen.direct.x, seen.direct.y, seen.direct.z), scale);
    const float target = scale * scattered * (cosine + HORIZON_COSINE);
    sky->luminance.scale *= target / coif_luminance(irradiance(sky));
}

coif_sky coif_sky_init(const coif_sky_desc *desc)
{
    coif_sky sky = {0};
    float sine, cosine, turn_sine, turn_cosine;
    coif_fast_sincos_turns(desc->elevation, &sine, &cosine);
    coif_fast_sincos_turns(desc->azimuth, &turn_sine, &turn_cosine);
    sky.sun_direction = (coif_vec3){cosine * turn_sine, sine, cosine * turn_cosine};
    const float theta = (0.25f - desc->elevation) * COIF_TWO_PI;
    set_perez(&sky, desc->turbidity, theta);
    set_brightness(&sky, theta, desc->turbidity);
    const coif_vec3 level = coif_mad(irradiance(&sky), coif_max(sine, 0.0f), sky.sun);
    sky.ground_radiance = coif_scale(coif_mul(desc->ground, level), COIF_INV_PI);
    return sky;
}

coif_vec3 coif_sky_at(const coif_sky *sky, coif_vec3 direction)
{
    return direction.y > 0.0f ? sky_radiance(sky, direction) : sky->ground_radiance;
}

coif_image_texture *coif_sky_bake(const coif_sky *sky, coif_arena *arena)
{
    coif_image_texture *texture = coif_arena_new(arena, 1, coif_image_texture);
    texture->path = "";
    texture->image = (coif_image){.width = 2 * HEIGHT, .height = HEIGHT, .channel_count = 3};
    texture->image.pixels = coif_arena_new(arena, (size_t)3 * 2 * HEIGHT * HEIGHT, float);
    for (int32_t i = 0; i < 2 * HEIGHT * HEIGHT; ++i) {
        const coif_vec3 light =
            coif_sky_at(sky, pixel_direction(i % (2 * HEIGHT), i / (2 * HEIGHT)));
        float *pixel = texture->image.pixels + 3 * i;
        pixel[0] = light.x;
        pixel[1] = light.y;
        pixel[2] = light.z;
    }
    return texture;
}
