// Fur BSDF: the properties of the hair BSDF, medulla scattering against random walks, albedo
// inversion.
#include "render/bsdf/fur_bsdf.h"

#include "render/shading/hair_params.h"
#include "tests/support/hair_bsdf_checks.h"

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

TEST(white_fur_conserves_energy)
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
        CHECK_NEAR(sums.pdf, 1.0, 1e-3);
    }
}

TEST(sample_histogram_matches_the_pdf_and_weights_are_f_over_pdf)
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
        CHECK_NEAR(sums.pdf, 1.0, 1e-3);
        CHECK(sums.value < 0.95);
        sphere_check_samples(&bsdf, sums.value);
    }
}

TEST(bsdf_is_mirror_symmetric)
{
    const coif_hair_lobes lobes = coif_hair_lobes_of(&FUR);
    sphere_check_mirror(&lobes);
}

TEST(values_are_finite_at_grazing_angles_and_extreme_parameters)
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

// A medulla without scattering, with the absorption of the cortex, has no effect.
TEST(fur_without_scattering_equals_hair)
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

// Samples the Henyey-Greenstein phase function.
static void scatter(double *d, double g, uint64_t walk, uint32_t step)
{
    const double u = (double)coif_random_unit(31, walk, 3 * step + 1);
    const double phi = 6.283185307179586 * (double)coif_random_unit(31, walk, 3 * step + 2);
    const double root = (1.0 - g * g) / (1.0 - g + 2.0 * g * u);
    const double c = g > 0.0 ? (1.0 + g * g - root * root) / (2.0 * g) : 2.0 * u - 1.0;
    const double s = sqrt(fmax(1.0 - c * c, 0.0));
    coif_vec3 a, b;
    const coif_vec3 direction = {(float)d[0], (float)d[1], (float)d[2]};
    coif_frame_around(direction, &a, &b);
    d[0] = c * d[0] + s * (cos(phi) * (double)a.x + sin(phi) * (double)b.x);
    d[1] = c * d[1] + s * (cos(phi) * (double)a.y + sin(phi) * (double)b.y);
    d[2] = c * d[2] + s * (cos(phi) * (double)a.z + sin(phi) * (double)b.z);
    const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int i = 0; i < 3; ++i) {
        d[i] /= length;
    }
}

typedef struct walk_statistics {
    double across, along; // azimuthal mean cosine; factor on the sine along the fibre
    double scattered;     // fraction of the walks
} walk_statistics;

// Random walks through a medulla of radius 1 from an offset h; statistics of those that scatter.
static walk_statistics walk(double scattering, double g, double h, double theta)
{
    enum { WALKS = 6000, STEPS = 20000 };
    walk_statistics means = {0.0, 0.0, 0.0};
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

TEST(medulla_lobes_match_random_walks)
{
    static const float settings[][3] = {// optical depth, anisotropy, offset
                                        {0.5f, 0.0f, 0.0f}, {1.0f, 0.5f, 0.0f},
                                        {3.0f, 0.4f, 0.6f}, {3.0f, 0.8f, 0.0f},
                                        {8.0f, 0.6f, 0.5f}, {12.0f, 0.2f, 0.0f}};
    const float kappa = 0.8f, theta = 0.4f;
    for (size_t k = 0; k < COIF_COUNT_OF(settings); ++k) {
        const float *s = settings[k];
        coif_hair_bsdf_params fur = FUR;
        fur.beta_n = 0.05f; // so that the cuticle does not blur
        fur.beta_m = 0.05f;
        fur.medulla = kappa;
        fur.scattering = 0.5f * s[0] / kappa;
        fur.anisotropy = s[1];
        const coif_hair_lobes lobes = coif_hair_lobes_of(&fur);
        // The h outside that refracts to the offset in the medulla.
        const float sin_o = fur.eta * sinf(theta), cos_o = sqrtf(1.0f - sin_o * sin_o);
        const float h = s[2] * kappa * sqrtf(fur.eta * fur.eta - sin_o * sin_o) / cos_o;
        const coif_hair_bsdf bsdf = coif_hair_bsdf_at(&lobes, (coif_vec3){0.0f, 0.0f, 0.0f}, h,
                                                      sphere_direction(sin_o, 0.0f));
        const walk_statistics reference =
            walk(0.5 * (double)s[0], (double)s[1], (double)s[2], (double)theta);
        const float inner = (1.0f - bsdf.lobe[0][0]);
        CHECK_NEAR(bsdf.scattered.mean_cosine[0], reference.across, 0.1);
        CHECK_NEAR(bsdf.scattered.color[0].y / inner, reference.scattered, 0.02);
        const double x = (double)bsdf.scattered.inverse_variance;
        CHECK_NEAR(1.0 / tanh(x) - 1.0 / x, reference.along, 0.08);
    }
}

// Albedo of a semi-infinite medium of randomly oriented fibres at normal incidence.
static double mass_color(const coif_hair_lobes *lobes, float absorption)
{
    enum { WALKS = 8000, STEPS = 400 };
    double reflected = 0.0;
    for (uint64_t w = 0; w < WALKS; ++w) {
        float depth = 0.0f, throughput = 1.0f;
        coif_vec3 direction = {0.0f, 1.0f, 0.0f}; // into the medium
        for (uint32_t step = 0; step < STEPS && throughput > 1e-4f; ++step) {
            const uint32_t d = 8 * step;
            depth -= direction.y * logf(1.0f - coif_random_unit(41, w, d));
            if (depth < 0.0f) {
                reflected += (double)throughput;
                break;
            }
            // A fibre along x of its own frame, hit in proportion to its width across the ray: its
            // sine is distributed as a coordinate of a uniform disk.
            const float sine = sqrtf(coif_random_unit(41, w, d + 1)) *
                               cosf(COIF_TWO_PI * coif_random_unit(41, w, d + 2));
            const coif_vec3 wo = sphere_direction(sine, 0.0f);
            const float h = 2.0f * coif_random_unit(41, w, d + 3) - 1.0f;
            const coif_hair_bsdf bsdf =
                coif_hair_bsdf_at(lobes, (coif_vec3){absorption, absorption, absorption}, h, wo);
            const coif_vec2 v = {coif_random_unit(41, w, d + 4), coif_random_unit(41, w, d + 5)};
            const coif_vec3 wi = coif_hair_bsdf_sample(&bsdf, coif_random_unit(41, w, d + 6), v);
            float pdf;
            throughput *= coif_hair_bsdf_eval(&bsdf, wi, &pdf).y / pdf;
            // The fibre's rotation about the ray is random: only the angle between wo and wi
            // counts.
            const float cosine = coif_clamp(-coif_dot(wi, wo), -1.0f, 1.0f);
            const float s = sqrtf(1.0f - cosine * cosine);
            const float phi = COIF_TWO_PI * coif_random_unit(41, w, d + 7);
            coif_vec3 a, b;
            coif_frame_around(direction, &a, &b);
            direction = coif_normalize(coif_mad(
                coif_mad(coif_scale(direction, cosine), s * cosf(phi), a), s * sinf(phi), b));
        }
    }
    return reflected / WALKS;
}

TEST(albedo_inversion_gives_fur_the_colour_of_hair)
{
    static const float colors[] = {0.15f, 0.5f};
    coif_hair_params params = {.ior = 1.55f,
                               .longitudinal_roughness = 0.2f,
                               .azimuthal_roughness = 0.3f,
                               .cuticle_angle = 2.5f,
                               .medulla_radius = 0.75f,
                               .medulla_scattering = 2.5f,
                               .medulla_anisotropy = 0.5f,
                               .medulla_pigment = 0.5f,
                               .cuticle_layers = 1.0f,
                               COIF_HAIR_OPAQUE};
    coif_hair_material hair, fur;
    coif_hair_material_init(&hair, &params, COIF_WORKING_REC709);
    params.model = COIF_MODEL_FUR;
    coif_hair_material_init(&fur, &params, COIF_WORKING_REC709);
    for (size_t k = 0; k < COIF_COUNT_OF(colors); ++k) {
        const coif_vec3 color = {colors[k], colors[k], colors[k]};
        const float plain = coif_hair_material_absorption_of(&hair, color).y;
        const float deep = coif_hair_material_absorption_of(&fur, color).y;
        const double expected = mass_color(&hair.lobes, plain);
        CHECK_NEAR(mass_color(&fur.lobes, deep), expected, 0.12 * expected);
        CHECK(mass_color(&fur.lobes, plain) > 1.2 * expected); // the inversion is needed
        CHECK_NEAR(coif_hair_material_color_of(&fur, (coif_vec3){deep, deep, deep}).y, color.y,
                   1e-4);
    }
}
