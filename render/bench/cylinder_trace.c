#include "render/bench/cylinder_trace.h"

#include "core/base/rng.h"
#include "render/bsdf/hair_bsdf.h"

#include <math.h>

static const double PI = 3.141592653589793;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void add(double a[3], double scale, const double b[3])
{
    for (int i = 0; i < 3; ++i) {
        a[i] += scale * b[i];
    }
}

// Fresnel reflectance and refracted direction of a ray that meets a surface with a normal against
// it; eta: index behind over index before the surface. False: total internal reflection.
static bool refract(double refracted[3], double *reflected, const double ray[3],
                    const double normal[3], double eta)
{
    const double cos_i = fmin(-dot(ray, normal), 1.0);
    const double cos2_t = 1.0 - (1.0 - cos_i * cos_i) / (eta * eta);
    *reflected = 1.0;
    if (cos2_t <= 0.0) {
        return false;
    }
    const double cos_t = sqrt(cos2_t);
    const double s = (cos_i - eta * cos_t) / (cos_i + eta * cos_t);
    const double p = (eta * cos_i - cos_t) / (eta * cos_i + cos_t);
    *reflected = 0.5 * (s * s + p * p);
    for (int i = 0; i < 3; ++i) {
        refracted[i] = ray[i] / eta + (cos_i / eta - cos_t) * normal[i];
    }
    return true;
}

// Unit outward normal of y^2 / a^2 + z^2 / b^2 = 1 at a point.
static void normal_at(double normal[3], const double point[3], const double axes[2])
{
    const double y = point[1] / (axes[0] * axes[0]), z = point[2] / (axes[1] * axes[1]);
    const double length = sqrt(y * y + z * z);
    normal[0] = 0.0;
    normal[1] = y / length;
    normal[2] = z / length;
}

// Larger distance along a ray to the cylinder, or the smaller.
static double distance_to(const double point[3], const double ray[3], const double axes[2],
                          bool larger)
{
    const double a = axes[0] * axes[0], b = axes[1] * axes[1];
    const double quadratic = ray[1] * ray[1] / a + ray[2] * ray[2] / b;
    const double linear = point[1] * ray[1] / a + point[2] * ray[2] / b;
    const double constant = point[1] * point[1] / a + point[2] * point[2] / b - 1.0;
    const double root = sqrt(fmax(linear * linear - quadratic * constant, 0.0));
    return ((larger ? root : -root) - linear) / quadratic;
}

void coif_cylinder_trace(coif_cylinder_exit exits[COIF_CYLINDER_EXITS],
                         const coif_cylinder *cylinder, const double wo[3], double h)
{
    const double axes[2] = {sqrt(cylinder->ratio), 1.0 / sqrt(cylinder->ratio)};
    const double across = sqrt(wo[1] * wo[1] + wo[2] * wo[2]);
    const double side[3] = {0.0, -wo[2] / across, wo[1] / across};
    const double width =
        sqrt(axes[0] * axes[0] * side[1] * side[1] + axes[1] * axes[1] * side[2] * side[2]);
    double point[3] = {0.0, -h * width * side[1], -h * width * side[2]};
    double ray[3] = {-wo[0], -wo[1], -wo[2]}, normal[3], onward[3] = {0.0, 0.0, 0.0}, reflected;
    add(point, distance_to(point, ray, axes, false), ray);
    normal_at(normal, point, axes);
    refract(onward, &reflected, ray, normal, cylinder->eta);
    exits[0] = (coif_cylinder_exit){reflected, {ray[0], ray[1], ray[2]}};
    add(exits[0].direction, -2.0 * dot(ray, normal), normal);

    double energy = 1.0 - reflected;
    for (int k = 1; k < COIF_CYLINDER_EXITS; ++k) {
        for (int i = 0; i < 3; ++i) {
            ray[i] = onward[i];
        }
        const double chord = distance_to(point, ray, axes, true);
        add(point, chord, ray);
        normal_at(normal, point, axes);
        energy *= exp(-cylinder->absorption * chord);
        const double inward[3] = {-normal[0], -normal[1], -normal[2]};
        exits[k] = (coif_cylinder_exit){0.0, {0.0, 0.0, 0.0}};
        refract(exits[k].direction, &reflected, ray, inward, 1.0 / cylinder->eta);
        exits[k].energy = energy * (1.0 - reflected);
        energy *= reflected;
        add(onward, -2.0 * dot(ray, normal), normal);
    }
}

// A random setting: cylinder, direction of the observer, offset.
typedef struct setting {
    coif_cylinder cylinder;
    double wo[3], h;
    coif_ellipse section;
    float sin_o;
} setting;

static setting random_setting(double max_ratio, uint64_t index)
{
    const double psi = 2.0 * PI * (double)coif_random_unit(31, index, 0);
    const double sine = 1.9 * (double)coif_random_unit(31, index, 1) - 0.95;
    const double cosine = sqrt(1.0 - sine * sine);
    const double ratio = 1.0 + (max_ratio - 1.0) * (double)coif_random_unit(31, index, 2);
    return (setting){
        .cylinder = {ratio, 1.3 + 0.7 * (double)coif_random_unit(31, index, 3),
                     0.6 * (double)coif_random_unit(31, index, 4)},
        .wo = {sine, cosine * cos(psi), cosine * sin(psi)},
        .h = 1.98 * (double)coif_random_unit(31, index, 5) - 0.99,
        .section = {(float)ratio, (float)cos(psi), (float)sin(psi)},
        .sin_o = (float)sine,
    };
}

static coif_hair_bsdf bsdf_of(const setting *at, const coif_hair_lobes *lobes, double h)
{
    const float sigma = (float)at->cylinder.absorption;
    coif_hair_bsdf bsdf;
    coif_hair_bsdf_init_ellipse(&bsdf, lobes, (coif_vec3){sigma, sigma, sigma}, (float)h, at->sin_o,
                                &at->section);
    return bsdf;
}

static coif_hair_lobes lobes_of(const setting *at)
{
    const coif_hair_bsdf_params hair = {
        .eta = (float)at->cylinder.eta, .beta_m = 0.3f, .beta_n = 0.3f};
    return coif_hair_lobes_of(&hair);
}

// Azimuth of a direction relative to that of the observer.
static double azimuth(const setting *at, const double direction[3])
{
    return atan2(direction[2] * at->wo[1] - direction[1] * at->wo[2],
                 direction[1] * at->wo[1] + direction[2] * at->wo[2]);
}

static void compare_lobes(coif_ellipse_errors *errors, const setting *at)
{
    coif_cylinder_exit exits[COIF_CYLINDER_EXITS];
    coif_cylinder_trace(exits, &at->cylinder, at->wo, at->h);
    const coif_hair_lobes lobes = lobes_of(at);
    const coif_hair_bsdf bsdf = bsdf_of(at, &lobes, at->h);
    for (int p = 0; p < 3; ++p) {
        errors->energy = fmax(errors->energy, fabs((double)bsdf.lobe[p][1] - exits[p].energy));
        if (exits[p].energy > 1e-3) {
            const double turn = (double)bsdf.center[p] - azimuth(at, exits[p].direction);
            errors->azimuth = fmax(errors->azimuth, fabs(remainder(turn, 2.0 * PI)));
        }
    }
    double rest = 0.0;
    for (int k = 3; k < COIF_CYLINDER_EXITS; ++k) {
        rest += exits[k].energy;
    }
    errors->residual = fmax(errors->residual, fabs((double)bsdf.lobe[3][1] - rest));
}

// Half the L1 distance of the azimuthal distributions of parallel light, over all offsets. The
// traced directions are blurred as the lobes are.
static double azimuthal_difference(const setting *at)
{
    enum { BINS = 72, OFFSETS = 400 };
    const coif_hair_lobes lobes = lobes_of(at);
    double found[BINS] = {0.0}, expected[BINS] = {0.0}, difference = 0.0;
    for (int i = 0; i < OFFSETS; ++i) {
        const double h = 2.0 * (i + 0.5) / OFFSETS - 1.0;
        coif_cylinder_exit exits[COIF_CYLINDER_EXITS];
        coif_cylinder_trace(exits, &at->cylinder, at->wo, h);
        const coif_hair_bsdf bsdf = bsdf_of(at, &lobes, h);
        for (int bin = 0; bin < BINS; ++bin) {
            const double phi = 2.0 * PI * (bin + 0.5) / BINS;
            coif_lanes n = coif_hair_azimuthal(&lobes, (float)phi - bsdf.center);
            n[3] = 1.0f / COIF_TWO_PI;
            for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
                found[bin] += (double)(bsdf.lobe[p][1] * n[p]) / OFFSETS;
            }
            for (int k = 0; k < 12; ++k) {
                const float turn = (float)(phi - azimuth(at, exits[k].direction));
                expected[bin] += exits[k].energy / OFFSETS *
                                 (double)coif_hair_azimuthal(&lobes, coif_lanes_splat(turn))[0];
            }
        }
    }
    for (int bin = 0; bin < BINS; ++bin) {
        difference += 0.5 * fabs(found[bin] - expected[bin]) * 2.0 * PI / BINS;
    }
    return difference;
}

// Albedo of a white fibre: midpoint rule over the sphere.
static double furnace_error(const setting *at)
{
    enum { ROWS = 128, COLUMNS = 256 };
    setting white = *at;
    white.cylinder.absorption = 0.0;
    const coif_hair_lobes lobes = lobes_of(&white);
    const coif_hair_bsdf bsdf = bsdf_of(&white, &lobes, white.h);
    double sum = 0.0;
    for (int i = 0; i < ROWS; ++i) {
        const double theta = PI * ((i + 0.5) / ROWS - 0.5);
        for (int k = 0; k < COLUMNS; ++k) {
            const double phi = 2.0 * PI * (k + 0.5) / COLUMNS;
            float pdf;
            const coif_vec3 wi = {(float)sin(theta), (float)(cos(theta) * cos(phi)),
                                  (float)(cos(theta) * sin(phi))};
            sum += cos(theta) * (double)coif_hair_bsdf_eval(&bsdf, wi, &pdf).y;
        }
    }
    return fabs(sum * 2.0 * PI * PI / (ROWS * COLUMNS) - 1.0);
}

coif_ellipse_errors coif_ellipse_validate(double max_ratio)
{
    enum { SETTINGS = 4000, DISTRIBUTIONS = 24, FURNACES = 24 };
    coif_ellipse_errors errors = {0};
    for (uint64_t i = 0; i < SETTINGS; ++i) {
        const setting at = random_setting(max_ratio, i);
        compare_lobes(&errors, &at);
    }
    for (uint64_t i = 0; i < DISTRIBUTIONS; ++i) {
        const setting at = random_setting(max_ratio, i);
        errors.azimuthal += azimuthal_difference(&at) / DISTRIBUTIONS;
    }
    for (uint64_t i = 0; i < FURNACES; ++i) {
        const setting at = random_setting(max_ratio, i);
        errors.furnace = fmax(errors.furnace, furnace_error(&at));
    }
    return errors;
}
