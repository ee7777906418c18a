// nose: bridge, side planes, tip, wings and the hint of nostrils.
#include "tools/head/sculpture.h"

double head_nose(double field, head_vec p)
{
    if (p.y > 60.0 || p.y < -65.0 || p.z < 55.0 || p.x > 50.0) {
        return field;
    }
    const head_vec q = vec(clay_fold(p.x, 1.5), p.y, p.z);
    const double bridge = clay_cone(p, vec(0, 16, 84.5), vec(0, -24, 104), 5.2, 6.0);
    const double root = clay_cone(p, vec(0, 40, 82), vec(0, 16, 84.5), 8.0, 5.2);
    const double flank = clay_cone(q, vec(5, 6, 79), vec(9, -27, 89), 6.0, 8.0);
    const double tip = clay_ellipsoid(p, vec(0, -26.0, 106.8), vec(7.8, 6.6, 7.4));
    const double base = clay_ellipsoid(p, vec(0, -30.0, 97.5), vec(11.0, 6.2, 12.0));
    const double wing = clay_ellipsoid(q, vec(10.1, -30.4, 96.0), vec(5.2, 6.2, 8.4));
    const double nostril = clay_cone(q, vec(4.0, -35.0, 105.5), vec(7.0, -35.6, 98.5), 1.7, 2.8);

    double nose = clay_join(clay_join(fmin(root, bridge), flank, 13.0), tip, 7.0);
    nose = clay_join(clay_join(nose, base, 6.0), wing, 6.5);
    field = clay_join(field, nose, 9.0);
    return clay_carve(field, nostril, 2.0);
}
