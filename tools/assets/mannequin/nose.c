// nose: bridge, flanks, tip, alar wings around the nostrils, and the columella.
#include "tools/assets/mannequin/head_sdf.h"

// Three capsules from the tip around the nostril to the cheek.
static double wing(coif_vec3d q)
{
    const coif_vec3d tip = xyz(4.0, -27.5, 105.0), side = xyz(11.0, -28.8, 100.0);
    const coif_vec3d back = xyz(13.4, -31.2, 94.0), foot = xyz(11.0, -34.6, 90.0);
    const double front = sdf_capsule(q, tip, side, 4.6, 4.4);
    const double flare = sdf_capsule(q, side, back, 4.4, 4.4);
    const double end = sdf_capsule(q, back, foot, 4.4, 3.4);

    return sdf_union(sdf_union(front, flare, 3.0), end, 3.0);
}

// Two blended domes, and the columella down to the lip.
static double tip(coif_vec3d p, coif_vec3d q)
{
    const double ball = sdf_ellipsoid(p, xyz(0, -25.6, 104.6), xyz(7.0, 7.2, 8.2));
    const double dome = sdf_ellipsoid(q, xyz(2.7, -27.6, 106.0), xyz(5.0, 5.2, 5.6));
    const double column = sdf_capsule(p, xyz(0, -32.6, 105.0), xyz(0, -37.0, 93.5), 3.2, 3.6);

    return sdf_union(sdf_union(ball, dome, 5.0), column, 6.0);
}

double nose_sdf(double field, coif_vec3d p)
{
    if (p.y > 60.0 || p.y < -65.0 || p.z < 55.0 || p.x > 50.0) {
        return field;
    }
    const coif_vec3d q = xyz(smooth_abs(p.x, 1.5), p.y, p.z);
    const double root = sdf_capsule(p, xyz(0, 40, 80.5), xyz(0, 13, 82.5), 8.0, 6.4);
    const double bone = sdf_capsule(p, xyz(0, 13, 82.5), xyz(0, -5, 92.6), 6.4, 5.6);
    const double ridge = sdf_capsule(p, xyz(0, -5, 92.6), xyz(0, -23, 101.8), 5.6, 6.2);
    const double flank = sdf_capsule(q, xyz(5, 8, 77), xyz(9.5, -25, 87), 6.5, 8.5);
    const double nostril = sdf_capsule(q, xyz(4.6, -36.4, 102.6), xyz(7.6, -36.6, 95.0), 1.9, 2.7);
    const double hollow = sdf_capsule(q, xyz(5.0, -33.0, 101.0), xyz(7.4, -33.0, 96.0), 1.2, 1.8);

    double nose = sdf_union(sdf_union(root, bone, 8.0), ridge, 8.0);
    nose = sdf_union(nose, flank, 16.0);
    nose = sdf_union(nose, tip(p, q), 9.0);
    nose = sdf_union(nose, wing(q), 3.4);
    field = sdf_union(field, nose, 6.0);
    return sdf_subtract(field, sdf_union(nostril, hollow, 4.0), 1.6);
}
