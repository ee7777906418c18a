// sculpture: puts the parts together and finds its surface.
#include "tools/assets/mannequin/head_sdf.h"

void head_sculpture_init(head_sculpture *sculpture)
{
    head_ear_init(&sculpture->ear);
    head_bust_init(&sculpture->bust);
}

double head_sculpture_earless(const head_sculpture *sculpture, head_vec p)
{
    p.x = fabs(p.x);

    double field = head_bust_eval(&sculpture->bust, head_skull(p), p);
    field = head_nose(field, p);
    field = head_mouth(field, p);
    return head_eye(field, p);
}

double head_sculpture_eval(const head_sculpture *sculpture, head_vec p)
{
    p.x = fabs(p.x);
    return head_ear_eval(&sculpture->ear, head_sculpture_earless(sculpture, p), p);
}

// Four samples at the corners of a tetrahedron cost less than six along the axes and have no
// preferred direction.
static head_vec gradient(const head_sculpture *sculpture, head_vec p)
{
    static const head_vec corner[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    const double step = 0.04;
    head_vec sum = {0};

    for (int i = 0; i < 4; ++i) {
        const double value = head_sculpture_eval(sculpture, vec_along(p, corner[i], step));
        sum = vec_along(sum, corner[i], value);
    }
    return vec_scale(sum, 0.25 / step);
}

head_vec head_sculpture_normal(const head_sculpture *sculpture, head_vec p)
{
    const head_vec g = gradient(sculpture, p);
    return vec_unit(p.x == 0.0 ? vec(0, g.y, g.z) : g);
}

head_vec head_sculpture_project(const head_sculpture *sculpture, head_vec p)
{
    for (int round = 0; round < 4; ++round) {
        const double value = head_sculpture_eval(sculpture, p);
        const head_vec g = gradient(sculpture, p);
        const double slope = fmax(vec_dot(g, g), 0.05);

        if (fabs(value) < 1e-5) {
            break;
        }
        const double step = clay_clamp(value / slope, -2.0, 2.0);
        p = p.x == 0.0 ? vec_along(p, vec(0, g.y, g.z), -step) : vec_along(p, g, -step);
    }
    return p;
}
