// fur_bsdf: what holds for hair holds for fur, and its core scatters as a random walk does.
#include "render/bsdf/fur_bsdf.h"

#include "render/shading/hair_params.h"
#include "tests/support/render_sphere.h"

static const coif_hair_bsdf_params FUR = {.eta = 1.55f,
                                          .beta_m = 0.2f,
                                          .beta_n = 0.25f,
                                          .alpha = 0.05f,
                                          .medulla = 0.8f,
                                          .scattering = 2.5f,
                                          .anisotropy = 0.5f,
                                          .pigment = 0.5f,
                                          .layers = 1.0f};

static float unit(uint64_t index, uint32_t dimension)
{
    return coif_random_unit(17, index, dimension);
}

static void white_fur_returns_all_light(void)
{
    static const float roughness[] = {0.05f, 0.2f, 0.5f, 1.0f};
    for (uint64_t i = 0; i < 160; ++i) {
        const coif_hair_bsdf_params fur = {.eta = 1.3f + 0.7f * unit(i, 0),
                                           .beta_m = roughness[i % 4],
                                           .beta_n = roughness[i / 4 % 4],
                                           .alpha = 0.05f,
                                           .medulla = 0.98f * unit(i, 1),
                                           .scattering = 20.0f * unit(i, 2) * unit(i, 3),
                                           .anisotropy = 0.98f * unit(i, 4),
                                           .pigment = 1.0f,
                                           .layers = 0.3f + 2.0f * unit(i, 5)};
        const coif_hair_lobes lobes = coif_hair_lobes_of(&fur);
        const float h = i % 8 == 0 ? 1.0f : 2.0f * unit(i, 6) - 1.0f;
        const float sine = i % 8 == 1 ? 0.995f : 2.0f * unit(i, 7) - 1.0f;
        const coif_hair_bsdf bsdf = coif_hair_bsdf_at(&lobes, (coif_vec3){0.0f, 0.0f, 0.0f}, h,
                                                      sphere_direction(sine, -2.0f));
        const sphere_sums sums = sphere_integrate(&bsdf);
        CHECK_NEAR(sums.value, 1.0, 1e-3);
        CHECK_NEAR(sums.density, 1.0, 1e-3);
    }
}

static void samples_follow_the_density_and_weigh_f_over_pdf(void)
{
    for (int k = 0; k < 4; ++k) {
        coif_hair_bsdf_params fur = FUR;
        fur.scattering = 0.5f + 4.0f * (float)k;
        fur.anisotropy = 0.8f - 0.25f * (float)k;
        const coif_hair_lobes lobes = coif_hair_lobes_of(&fur);
        const coif_hair_bsdf bsdf =
            coif_hair_bsdf_at(&lobes, (coif_vec3){0.1f, 0.2f, 0.5f}, -0.5f + 0.3f * (float)k,
                              sphere_direction(0.7f - 0.4f * (float)k, 1.0f));
        const sphere_sums sums = sphere_integrate(&bsdf);
        CHECK_NEAR(sums.density, 1.0, 1e-3);
        CHECK(sums.value < 0.95);
        sphere_check_samples(&bsdf, sums.value);
    }
}

static void mirrored_fur_scatters_mirrored_light(void)
{
    const coif_hair_lobes lobes = coif_hair_lobes_of(&FUR);
    sphere_check_mirror(&lobes);
}

static void the_edges_are_finite(void)
{
    for (int k = 0; k < 16; ++k) {
        coif_hair_bsdf_params fur = FUR;
        fur.beta_m = k % 2 ? 0.0f : 1.0f;
        fur.beta_n = k / 2 % 2 ? 0.0f : 1.0f;
        fur.anisotropy = k / 4 % 2 ? 0.0f : 1.0f;
        fur.scattering = k / 8 ? 1e4f : 0.0f;
        fur.medulla = 1.0f;
        const coif_hair_lobes lobes = coif_hair_lobes_of(&fur);
        sphere_check_edges(&lobes);
    }
}

// A core that scatters nothing and is pigmented as what surrounds it is none.
static void fur_without_scattering_is_hair(void)
{
    coif_hair_bsdf_params fur = FUR, hair = FUR;
    fur.scattering = 0.0f;
    fur.pigment = 1.0f;
    hair.medulla = 0.0f;
    const coif_hair_lobes core = coif_hair_lobes_of(&fur), plain = coif_hair_lobes_of(&hair);
    const coif_vec3 absorption = {0.2f, 0.4f, 0.9f};
    for (uint64_t i = 0; i < 200; ++i) {
        const coif_vec3 wo = sphere_random(2 * i), wi = sphere_random(2 * i + 1);
        const float h = 2.0f * unit(i, 0) - 1.0f;
        const coif_hair_bsdf a = coif_hair_bsdf_at(&core, absorption, h, wo);
        const coif_hair_bsdf b = coif_hair_bsdf_at(&plain, absorption, h, wo);
        float pdf_a, pdf_b;
        const coif_vec3 f = coif_hair_bsdf_eval(&a, wi, &pdf_a);
        const coif_vec3 g = coif_hair_bsdf_eval(&b, wi, &pdf_b);
        CHECK_NEAR(f.x, g.x, 1e-4 * (double)g.x + 1e-9);
        CHECK_NEAR(f.z, g.z, 1e-4 * (double)g.z + 1e-9);
        CHECK_NEAR(pdf_a, pdf_b, 1e-4 * (double)pdf_b + 1e-9);
    }
}

// Turns a direction by a scattering of Henyey and Greenstein.
static void scatter(double *d, double g, uint64_t walk, uint32_t step)
{
    const double u = (double)coif_random_unit(31, walk, 3 * step + 1);
    const double phi = 6.283185307179586 * (double)coif_random_unit(31, walk, 3 * step + 2);
    const double root = (1.0 - g * g) / (1.0 - g + 2.0 * g * u);
    const double c = g > 0.0 ? (1.0 + g * g - root * root) / (2.0 * g) : 2.0 * u - 1.0;
    const double s = sqrt(fmax(1.0 - c * c, 0.0));
    coif_vec3 a, b;
    const coif_vec3 way = {(float)d[0], (float)d[1], (float)d[2]};
    coif_frame_around(way, &a, &b);
    d[0] = c * d[0] + s * (cos(phi) * (double)a.x + sin(phi) * (double)b.x);
    d[1] = c * d[1] + s * (cos(phi) * (double)a.y + sin(phi) * (double)b.y);
    d[2] = c * d[2] + s * (cos(phi) * (double)a.z + sin(phi) * (double)b.z);
    const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int i = 0; i < 3; ++i) {
        d[i] /= length;
    }
}

typedef struct walk_means {
    double across, along; // mean cosine across the core, share of the sine that is kept along it
    double scattered;     // share of the walks
} walk_means;

// Walks through a core of radius 1 that are scattered at least once, from an offset across it.
static walk_means walk(double scattering, double g, double h, double theta)
{
    enum { WALKS = 6000, STEPS = 20000 };
    walk_means means = {0.0, 0.0, 0.0};
    for (uint64_t w = 0; w < WALKS; ++w) {
        double y = -sqrt(1.0 - h * h), z = h;
        double d[3] = {sin(theta), cos(theta), 0.0};
        uint32_t step = 0;
        for (; step < STEPS; ++step) {
            const double a = d[1] * d[1] + d[2] * d[2], b = y * d[1] + z * d[2];
            const double inside = fmax(b * b - a * (y * y + z * z - 1.0), 0.0);
            const double exit = a > 1e-12 ? (sqrt(inside) - b) / a : 1e9;
            const double free = -log(1.0 - (double)coif_random_unit(31, w, 3 * step)) / scattering;
            if (free >= exit) {
                break;
            }
            y += free * d[1];
            z += free * d[2];
            scatter(d, g, w, step);
        }
        if (step > 0) {
            means.across += d[1] / sqrt(fmax(d[1] * d[1] + d[2] * d[2], 1e-12));
            means.along += d[0] / sin(theta);
            means.scattered += 1.0;
        }
    }
    means.across /= means.scattered;
    means.along /= means.scattered;
    means.scattered /= WALKS;
    return means;
}

static void the_core_scatters_as_a_random_walk_does(void)
{
    static const float settings[][3] = {// depth of the core, anisotropy, offset
                                        {0.5f, 0.0f, 0.0f}, {1.0f, 0.5f, 0.0f},
                                        {3.0f, 0.4f, 0.6f}, {3.0f, 0.8f, 0.0f},
                                        {8.0f, 0.6f, 0.5f}, {12.0f, 0.2f, 0.0f}};
    const float kappa = 0.8f, theta = 0.4f;
    for (size_t k = 0; k < COIF_COUNT_OF(settings); ++k) {
        const float *s = settings[k];
        coif_hair_bsdf_params fur = FUR;
        fur.beta_n = 0.05f; // the cuticle adds nothing of its own
        fur.beta_m = 0.05f;
        fur.medulla = kappa;
        fur.scattering = 0.5f * s[0] / kappa;
        fur.anisotropy = s[1];
        const coif_hair_lobes lobes = coif_hair_lobes_of(&fur);
        // The offset outside that is refracted to the one in the core.
        const float sin_o = fur.eta * sinf(theta), cos_o = sqrtf(1.0f - sin_o * sin_o);
        const float h = s[2] * kappa * sqrtf(fur.eta * fur.eta - sin_o * sin_o) / cos_o;
        const coif_hair_bsdf bsdf = coif_hair_bsdf_at(&lobes, (coif_vec3){0.0f, 0.0f, 0.0f}, h,
                                                      sphere_direction(sin_o, 0.0f));
        const walk_means truth =
            walk(0.5 * (double)s[0], (double)s[1], (double)s[2], (double)theta);
        const float inner = (1.0f - bsdf.lobe[0][0]);
        CHECK_NEAR(bsdf.scattered.focus[0], truth.across, 0.1);
        CHECK_NEAR(bsdf.scattered.color[0].y / inner, truth.scattered, 0.02);
        const double x = (double)bsdf.scattered.inverse_variance;
        CHECK_NEAR(1.0 / tanh(x) - 1.0 / x, truth.along, 0.08);
    }
}

// The light that a deep mass of fibres in all directions sends back when it is lit straight on.
static double mass_color(const coif_hair_lobes *lobes, float absorption)
{
    enum { WALKS = 8000, STEPS = 400 };
    double back = 0.0;
    for (uint64_t w = 0; w < WALKS; ++w) {
        float depth = 0.0f, carried = 1.0f;
        coif_vec3 way = {0.0f, 1.0f, 0.0f}; // into the mass
        for (uint32_t step = 0; step < STEPS && carried > 1e-4f; ++step) {
            const uint32_t d = 8 * step;
            depth -= way.y * logf(1.0f - coif_random_unit(41, w, d));
            if (depth < 0.0f) {
                back += (double)carried;
                break;
            }
            // A fibre along x of a frame of its own, met as often as it is wide across the ray:
            // its sine is that of a place on a disk.
            const float sine = sqrtf(coif_random_unit(41, w, d + 1)) *
                               cosf(COIF_TWO_PI * coif_random_unit(41, w, d + 2));
            const coif_vec3 wo = sphere_direction(sine, 0.0f);
            const float h = 2.0f * coif_random_unit(41, w, d + 3) - 1.0f;
            const coif_hair_bsdf bsdf =
                coif_hair_bsdf_at(lobes, (coif_vec3){absorption, absorption, absorption}, h, wo);
            const coif_vec2 v = {coif_random_unit(41, w, d + 4), coif_random_unit(41, w, d + 5)};
            const coif_vec3 wi = coif_hair_bsdf_sample(&bsdf, coif_random_unit(41, w, d + 6), v);
            float pdf;
            carried *= coif_hair_bsdf_eval(&bsdf, wi, &pdf).y / pdf;
            // The fibre may lie any way round the ray: only the angle between the two is kept.
            const float cosine = coif_clamp(-coif_dot(wi, wo), -1.0f, 1.0f);
            const float s = sqrtf(1.0f - cosine * cosine);
            const float phi = COIF_TWO_PI * coif_random_unit(41, w, d + 7);
            coif_vec3 a, b;
            coif_frame_around(way, &a, &b);
            way = coif_normalize(
                coif_mad(coif_mad(coif_scale(way, cosine), s * cosf(phi), a), s * sinf(phi), b));
        }
    }
    return back / WALKS;
}

static void a_wanted_colour_is_that_of_hair(void)
{
    static const float colors[] = {0.15f, 0.5f};
    coif_hair_params params = {.eta = 1.55f,
                               .beta_m = 0.2f,
                               .beta_n = 0.3f,
                               .alpha = 2.5f,
                               .medulla = 0.75f,
                               .medulla_scattering = 2.5f,
                               .medulla_anisotropy = 0.5f,
                               .medulla_pigment = 0.5f,
                               .cuticle_layers = 1.0f};
    coif_hair_material hair, fur;
    coif_hair_material_init(&hair, &params);
    params.model = COIF_MODEL_FUR;
    coif_hair_material_init(&fur, &params);
    for (size_t k = 0; k < COIF_COUNT_OF(colors); ++k) {
        const coif_vec3 color = {colors[k], colors[k], colors[k]};
        const float plain = coif_hair_material_absorption_of(&hair, color).y;
        const float deep = coif_hair_material_absorption_of(&fur, color).y;
        const double wanted = mass_color(&hair.lobes, plain);
        CHECK_NEAR(mass_color(&fur.lobes, deep), wanted, 0.12 * wanted);
        CHECK(mass_color(&fur.lobes, plain) > 1.2 * wanted); // it is needed at all
        CHECK_NEAR(coif_hair_material_color_of(&fur, (coif_vec3){deep, deep, deep}).y, color.y,
                   1e-4);
    }
}

TEST_MAIN(TEST(white_fur_returns_all_light), TEST(samples_follow_the_density_and_weigh_f_over_pdf),
          TEST(mirrored_fur_scatters_mirrored_light), TEST(the_edges_are_finite),
          TEST(fur_without_scattering_is_hair), TEST(the_core_scatters_as_a_random_walk_does),
          TEST(a_wanted_colour_is_that_of_hair))
