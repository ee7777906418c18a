#include "tools/assets/mannequin/head_sdf.h"

void head_sdf_init(head_sdf *sdf)
{
    ear_sdf_init(&sdf->ear);
    bust_sdf_init(&sdf->bust);
}

double head_sdf_without_ears(const head_sdf *sdf, coif_vec3d p)
{
    p.x = fabs(p.x);
    double field = bust_sdf_distance(&sdf->bust, skull_sdf(p), p);
    field = nose_sdf(field, p);
    field = mouth_sdf(field, p);
    return eyelids_sdf(field, p);
}

double head_sdf_distance(const head_sdf *sdf, coif_vec3d p)
{
    p.x = fabs(p.x);
    return ear_sdf_distance(&sdf->ear, head_sdf_without_ears(sdf, p), p);
}

double head_sdf_field(const void *sdf, coif_vec3d p)
{
    return head_sdf_distance(sdf, p);
}

static coif_vec3d gradient(const head_sdf *sdf, coif_vec3d p)
{
    return sdf_gradient((sdf_field){head_sdf_field, sdf}, p, 0.04);
}

coif_vec3d head_sdf_normal(const head_sdf *sdf, coif_vec3d p)
{
    const coif_vec3d g = gradient(sdf, p);
    return coif_vec3d_normalize(p.x == 0.0 ? xyz(0, g.y, g.z) : g);
}

coif_vec3d head_sdf_project(const head_sdf *sdf, coif_vec3d p)
{
    for (int iteration = 0; iteration < 4; ++iteration) {
        const double value = head_sdf_distance(sdf, p);
        const coif_vec3d g = gradient(sdf, p);
        const double slope = fmax(coif_vec3d_dot(g, g), 0.05);
        if (fabs(value) < 1e-5) {
            break;
        }
        const double step = sdf_clamp(value / slope, -2.0, 2.0);
        p = coif_vec3d_mad(p, -step, p.x == 0.0 ? xyz(0, g.y, g.z) : g);
    }
    return p;
}
