// nose: bridge, side planes, tip, wings and the hint of nostrils.
#include "tools/head/sculpture.h"

double head_nose(double field, head_vec p)
{
    if (p.y > 45.0 || p.y < -65.0 || p.z < 55.0 || p.x > 50.0) {
        return field;
    }
    const head_vec q = vec(clay_fold(p.x, 1.5), p.y, p.z);
    const double bridge = clay_cone(p, vec(0, 20, 83.5), vec(0, -24, 104), 5.0, 6.0);
    const double flank = clay_cone(q, vec(5, 6, 79), vec(9, -28, 89), 6.0, 8.0);
    const double tip = clay_ellipsoid(p, vec(0, -26.0, 106.5), vec(8.4, 7.2, 8.0));
    const double wing = clay_ellipsoid(q, vec(11.5, -30.0, 96.5), vec(5.4, 6.2, 9.0));
    const double septum = clay_cone(p, vec(0, -30, 107), vec(0, -36.5, 96), 3.4, 4.4);
    const double nostril = clay_cone(q, vec(5.4, -36.5, 106.0), vec(8.0, -37.5, 99.0), 1.7, 2.4);

    double nose = clay_join(bridge, flank, 13.0);
    nose = clay_join(nose, tip, 7.0);
    nose = clay_join(nose, septum, 5.0);
    field = clay_join(field, nose, 12.0);
    field = clay_join(field, wing, 6.0);
    return clay_carve(field, nostril, 3.0);
}
