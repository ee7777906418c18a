// Analytic sky: distribution, illuminance and colour.
#include "render/lights/sky.h"

#include "tests/support/render_wall.h"

static coif_arena arena;

static coif_sky sky_of(float elevation, float turbidity)
{
    const coif_sky_desc desc = {.elevation = elevation / 360.0f, .turbidity = turbidity};
    return coif_sky_init(&desc);
}

static double luminance_of(coif_vec3 c)
{
    return 0.2126 * (double)c.x + 0.7152 * (double)c.y + 0.0722 * (double)c.z;
}

static coif_vec3 direction_at(double elevation, double azimuth)
{
    const double degree = 3.141592653589793 / 180.0;
    const double across = cos(elevation * degree);
    return (coif_vec3){(float)(across * sin(azimuth * degree)), (float)sin(elevation * degree),
                       (float)(across * cos(azimuth * degree))};
}

// Luminance relative to the zenith by the Perez formula with the coefficients of Preetham et al.
static double luminance(double t, double theta_sun, double theta, double gamma)
{
    const double a = 0.1787 * t - 1.4630, b = -0.3554 * t + 0.4275, c = -0.0227 * t + 5.3251;
    const double d = 0.1206 * t - 2.5771, e = -0.0670 * t + 0.3703;
    const double there =
        (1.0 + a * exp(b / cos(theta))) * (1.0 + c * exp(d * gamma) + e * cos(gamma) * cos(gamma));
    const double up =
        (1.0 + a * exp(b)) * (1.0 + c * exp(d * theta_sun) + e * cos(theta_sun) * cos(theta_sun));
    return there / up;
}

TEST(sky_distribution_matches_preetham)
{
    const double degree = 3.141592653589793 / 180.0;
    for (int turbidity = 2; turbidity <= 6; turbidity += 2) {
        const coif_sky sky = sky_of(60.0f, (float)turbidity);
        const double zenith = luminance_of(coif_sky_at(&sky, direction_at(90.0, 0.0)));
        for (int height = 10; height <= 90; height += 20) {
            // In the solar vertical plane, beyond the zenith.
            const double theta = (90 - height) * degree;
            const double expected =
                luminance(turbidity, 30.0 * degree, theta, theta + 30.0 * degree);
            CHECK_NEAR(luminance_of(coif_sky_at(&sky, direction_at(height, 180.0))) / zenith /
                           expected,
                       1.0, 2e-3);
        }
    }
}

// Illuminance on a horizontal plane by the sky, klx.
static double horizontal_illuminance(const coif_sky *sky)
{
    enum { ACROSS = 90, DOWN = 90 };
    const double degree = 3.141592653589793 / 180.0;
    double sum = 0.0;
    for (int i = 0; i < ACROSS * DOWN; ++i) {
        const double height = i / ACROSS + 0.5;
        const coif_vec3 w = direction_at(height, (i % ACROSS + 0.5) * 360.0 / ACROSS);
        sum += luminance_of(coif_sky_at(sky, w)) * (double)w.y * cos(height * degree);
    }
    return 10.0 * sum * degree * (360.0 / ACROSS) * degree;
}

// Measurement fits for a solar elevation h: horizontal illuminance 0.8 + 15.5 sqrt(sin h) klx, sun
// 127.5 exp(-0.21 / sin h) klx (IES 1984), zenith 100 + 63 h + h (h - 30) exp(0.0346 (h - 68))
// cd/m^2 (Krochmann 1970). They ignore refraction, so suns below 10 degrees are not compared.
TEST(clear_sky_illuminance_matches_measurements)
{
    const double degree = 3.141592653589793 / 180.0;
    for (int h = 5; h <= 90; h += 5) {
        const coif_sky sky = sky_of((float)h, 2.15f);
        const double sine = sin(h * degree);
        CHECK_NEAR(log(horizontal_illuminance(&sky) / (0.8 + 15.5 * sqrt(sine))), 0.0, log(1.24));
        if (h >= 10) {
            CHECK_NEAR(10.0 * luminance_of(sky.sun) / (127.5 * exp(-0.21 / sine)), 1.0,
                       h < 20 ? 0.08 : 0.04);
        }
        const double zenith = 0.1 + 0.063 * h + 1e-3 * h * (h - 30) * exp(0.0346 * (h - 68));
        const double found = 10.0 * luminance_of(coif_sky_at(&sky, direction_at(90.0, 0.0)));
        // At high elevation the sun is close to the zenith.
        CHECK(h < 20 || h > 70 || fabs(log(found / zenith)) < log(1.6));
    }
    const coif_sky dusk = sky_of(0.0f, 2.15f);
    CHECK_NEAR(log(horizontal_illuminance(&dusk) / 0.8), 0.0, log(1.1));
}

// More turbidity moves light from the sun to the sky.
TEST(sun_and_sky_never_exceed_the_extraterrestrial_light)
{
    const double degree = 3.141592653589793 / 180.0;
    for (int h = 10; h <= 90; h += 20) {
        double before = 0.0;
        for (int turbidity = 2; turbidity <= 10; turbidity += 2) {
            const coif_sky sky = sky_of((float)h, (float)turbidity);
            const double sine = sin(h * degree), here = horizontal_illuminance(&sky);
            CHECK(here + 10.0 * luminance_of(sky.sun) * sine < 133.0 * sine);
            CHECK(here > before);
            before = here;
        }
    }
}

TEST(zenith_is_bluer_than_the_horizon)
{
    const coif_sky sky = sky_of(40.0f, 3.0f);
    const coif_vec3 up = coif_sky_at(&sky, direction_at(90.0, 0.0));
    const coif_vec3 far = coif_sky_at(&sky, direction_at(2.0, 180.0));
    CHECK(up.z > 1.5f * up.x);
    CHECK(far.z / far.x < 0.8f * up.z / up.x);
    CHECK(luminance_of(far) > luminance_of(up));
    // Symmetric about the sun's plane, brightest around the sun.
    const coif_vec3 left = coif_sky_at(&sky, direction_at(30.0, 50.0));
    const coif_vec3 right = coif_sky_at(&sky, direction_at(30.0, -50.0));
    CHECK_NEAR(left.x, right.x, 1e-5);
    CHECK(luminance_of(coif_sky_at(&sky, direction_at(40.0, 5.0))) > 2.0 * luminance_of(left));
}

// About 100 klx (10 units) and white when high and clear, dim and red at the horizon.
TEST(sun_reddens_towards_the_horizon)
{
    const coif_vec3 noon = sky_of(70.0f, 3.0f).sun, evening = sky_of(3.0f, 3.0f).sun;
    CHECK(luminance_of(noon) > 8.0 && luminance_of(noon) < 11.0);
    CHECK(noon.x / noon.z < 1.8f);
    CHECK(luminance_of(evening) < 0.1 * luminance_of(noon));
    CHECK(evening.x > 4.0f * evening.z);
    CHECK(luminance_of(sky_of(40.0f, 8.0f).sun) < 0.6 * luminance_of(sky_of(40.0f, 3.0f).sun));
    CHECK(isfinite(sky_of(0.0f, 2.0f).sun.x) && isfinite(sky_of(90.0f, 10.0f).sun.x));
}

TEST(sky_radiance_is_positive_and_bounded)
{
    for (int i = 0; i < 5 * 9 * 10 * 12; ++i) {
        const float elevation = (float)(i % 5) * 22.5f, turbidity = 2.0f + (float)(i / 5 % 9);
        const coif_sky sky = sky_of(elevation, turbidity);
        const coif_vec3 light = coif_sky_at(
            &sky, direction_at(1.0 + (double)(i / 45 % 10) * 9.5, (double)(i / 450) * 30.0));
        const double b = luminance_of(light);
        CHECK(b > 0.001 && b < 30.0);
        CHECK(light.x >= 0.0f && light.y >= 0.0f && light.z >= 0.0f);
    }
}

// Tabulated sky plus sun light match the integral of the model with either sampling technique; the
// ground reflects its albedo.
TEST(wall_irradiance_equals_the_integral_of_the_sky)
{
    coif_lights lights;
    coif_render_scene scene;
    wall_lights(&lights, "{\"type\": \"sky\", \"elevation\": 50, \"angular_diameter\": 3}", &arena);
    CHECK(lights.count == 2);
    wall_scene(&scene, &lights, &arena);
    const coif_sky sky = sky_of(50.0f, 3.0f);
    double integral = 0.0;
    enum { ACROSS = 360, DOWN = 180 };
    const double step = 3.141592653589793 / 360.0;
    for (int i = 0; i < ACROSS * DOWN; ++i) {
        const double height = (i / ACROSS + 0.5) * 90.0 / DOWN;
        const coif_vec3 w = direction_at(height, (i % ACROSS + 0.5) * 360.0 / ACROSS);
        integral += coif_sky_at(&sky, w).y * w.y * cos(height * step * 2.0) * step * 2.0 * step;
    }
    const double expected = integral + sky.sun.y * sky.sun_direction.y;
    CHECK(integral > 1.0 && integral < 4.0); // 10 to 40 klx from the sky alone
    CHECK_NEAR(wall_path_irradiance(&scene, 0.0f, 0.0f, 4096).y / expected, 1.0, 0.01);
    CHECK_NEAR(wall_nee_irradiance(&lights, 0.0f, 0.0f, 1 << 15) / expected, 1.0, 0.01);
    CHECK_NEAR(wall_bsdf_irradiance(&lights, 0.0f, 0.0f, 1 << 19) / expected, 1.0, 0.03);
    const coif_sky_desc grey = {
        .elevation = 50.0f / 360.0f, .turbidity = 3.0f, .ground = {0.5f, 0.5f, 0.5f}};
    const coif_sky above_grey = coif_sky_init(&grey);
    CHECK_NEAR(coif_sky_at(&above_grey, direction_at(-20.0, 0.0)).y * 2.0 * 3.14159265 / expected,
               1.0, 0.01);
    coif_accel_close(scene.accel);
}

// 16 samples from the table are within 15 % of the reference.
TEST(sky_sampling_has_low_variance)
{
    coif_lights lights;
    wall_lights(&lights, "{\"type\": \"sky\", \"elevation\": 20, \"sun_intensity\": 1}", &arena);
    const double reference = wall_nee_irradiance(&lights, 0.0f, 0.0f, 1 << 15);
    double worst = 0.0;
    coif_render_scene scene;
    wall_scene(&scene, &lights, &arena);
    for (int i = 0; i < 32; ++i) {
        const double few = wall_path_irradiance(&scene, (float)i * 0.37f, 0.0f, 16).y;
        worst = fmax(worst, fabs(few / reference - 1.0));
    }
    CHECK(worst < 0.15);
    coif_accel_close(scene.accel);
}
