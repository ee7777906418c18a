#include "render/bsdf/ellipse_bsdf.h"

// Chords are traced while more than a thousandth of the energy is inside; total internal reflection
// may hold it for long.
enum { MIN_CHORDS = 2, MAX_CHORDS = 24 };
static const float MIN_ENERGY = 1e-3f;

static float dot(coif_vec2 a, coif_vec2 b)
{
    return a.x * b.x + a.y * b.y;
}

// s a + t b
static coif_vec2 combine(float s, coif_vec2 a, float t, coif_vec2 b)
{
    return (coif_vec2){s * a.x + t * b.x, s * a.y + t * b.y};
}

static coif_vec2 normalize(coif_vec2 a)
{
    return combine(1.0f / sqrtf(coif_max(dot(a, a), 1e-30f)), a, 0.0f, a);
}

// Angle from a to b.
static float angle(coif_vec2 a, coif_vec2 b)
{
    return coif_fast_atan2(a.x * b.y - a.y * b.x, dot(a, b));
}

// The section: points on the unit circle stand for those of the ellipse with semi-axes a and 1 / a.
static coif_vec2 to_circle(float a, coif_vec2 direction)
{
    return (coif_vec2){direction.x / a, direction.y * a};
}

// Outward normal at a point of the circle.
static coif_vec2 normal_at(float a, coif_vec2 point)
{
    return normalize(to_circle(a, point));
}

static float largest(coif_lanes color)
{
    return coif_max(coif_max(color[0], color[1]), color[2]);
}

void coif_ellipse_bsdf_init(coif_hair_bsdf *bsdf, const coif_ellipse *section, coif_vec3 absorption,
                            float h)
{
    const coif_hair_lobes *lobes = bsdf->lobes;
    const float a = sqrtf(section->ratio);
    const float inverse_index = coif_max(bsdf->h_refraction_scale, 1e-4f);
    const float index = 1.0f / inverse_index;
    const coif_vec2 wo = {section->major, section->minor};

    // Offsets relative to the width are the same in circle and ellipse.
    const coif_vec2 axis = normalize(to_circle(a, wo));
    const float depth = sqrtf(coif_max(1.0f - h * h, 0.0f));
    coif_vec2 point = {depth * axis.x + h * axis.y, depth * axis.y - h * axis.x};
    coif_vec2 normal = normal_at(a, point);
    const float cos_o = coif_max(dot(normal, wo), 0.0f);
    const float sin_t = inverse_index * sqrtf(coif_max(1.0f - cos_o * cos_o, 0.0f));
    const float cos_t = sqrtf(coif_max(1.0f - sin_t * sin_t, 0.0f));
    coif_vec2 ray = combine(-inverse_index, wo, inverse_index * cos_o - cos_t, normal);

    const float reflected = coif_hair_fresnel(bsdf->cosine * cos_o, lobes);
    bsdf->center =
        (coif_lanes){angle(wo, combine(2.0f * cos_o, normal, -1.0f, wo)), 0.0f, 0.0f, 0.0f};
    bsdf->lobe[0] = coif_lanes_splat(reflected);
    bsdf->lobe[3] = coif_lanes_splat(0.0f);
    const coif_lanes extinction =
        -bsdf->path_length_scale * (coif_lanes){absorption.x, absorption.y, absorption.z, 0.0f};
    coif_lanes energy = coif_lanes_splat(1.0f - reflected), transmitted = energy;
    float sum_reflected = reflected;
    int chords = 0;
    while (chords < MIN_CHORDS || (chords < MAX_CHORDS && largest(energy) > MIN_ENERGY)) {
        const int k = ++chords;
        const coif_vec2 direction = to_circle(a, ray);
        const float chord = coif_max(
            -2.0f * dot(point, direction) / coif_max(dot(direction, direction), 1e-30f), 0.0f);
        point = normalize(combine(1.0f, point, chord, direction));
        normal = normal_at(a, point);
        transmitted = coif_lanes_exp(chord * extinction);
        energy *= transmitted;

        const float cos_i = coif_clamp(dot(ray, normal), 0.0f, 1.0f);
        const float cos2_e = 1.0f - index * index * (1.0f - cos_i * cos_i);
        float inside = 1.0f; // total internal reflection
        if (cos2_e > 0.0f) {
            const float cos_e = sqrtf(cos2_e);
            inside = coif_hair_fresnel(bsdf->cosine * cos_e, lobes);
            if (k < 3) {
                bsdf->center[k] = angle(wo, combine(index, ray, cos_e - index * cos_i, normal));
            }
        }
        const coif_lanes leaving = energy * (1.0f - inside);
        if (k < 3) {
            bsdf->lobe[k] = leaving;
        } else {
            bsdf->lobe[3] += leaving;
        }
        energy *= inside;
        sum_reflected += inside;
        ray = combine(1.0f, ray, -2.0f * cos_i, normal);
    }
    const float series = coif_min(sum_reflected / (float)(chords + 1), 0.999f);
    bsdf->lobe[3] += energy * ((1.0f - series) * transmitted / (1.0f - series * transmitted));
}
