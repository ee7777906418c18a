#include "sim/run/strand_energy.h"

#include <math.h>

coif_energy coif_energy_of(const coif_strands *strands, const float gravity[3])
{
    const coif_vec3 down = {gravity[0], gravity[1], gravity[2]};
    coif_energy sum = {0};
    double mass = 0.0;
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        for (int32_t i = strands->first[s]; i + 1 < strands->first[s + 1]; ++i) {
            const coif_vec4 *a = &strands->points[i], *b = &strands->points[i + 1];
            const coif_vec3 p = {a->x, a->y, a->z}, q = {b->x, b->y, b->z};
            const coif_vec3 *v = &strands->velocities[i];
            const double section = 0.5 * (double)(a->w * a->w + b->w * b->w);
            const double weight = section * (double)coif_length(coif_sub(q, p));
            sum.kinetic += 0.25 * weight * (double)(coif_dot(v[0], v[0]) + coif_dot(v[1], v[1]));
            sum.potential -= 0.5 * weight * (double)(coif_dot(down, p) + coif_dot(down, q));
            mass += weight;
        }
    }
    const double inv_mass = mass > 0.0 ? 1.0 / mass : 0.0;
    return (coif_energy){sum.kinetic * inv_mass, sum.potential * inv_mass, NAN};
}
