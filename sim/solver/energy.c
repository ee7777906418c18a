#include "sim/solver/energy.h"

#include "sim/solver/method.h"
#include "sim/solver/solver_internal.h"

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

enum { SPREAD = 32 }; // blocks

double coif_energy_elastic(const coif_solver *solver, bool of_all)
{
    const int32_t every = of_all ? 1 : solver->block_count / SPREAD + 1;
    double sum = 0.0, mass = 0.0;
    if (solver->method->elastic_energy == NULL) {
        return NAN;
    }
    for (int32_t b = 0; b < solver->block_count; b += every) {
        const coif_strand_block *block = &solver->blocks[b];
        for (int32_t lane = 0; lane < block->strand_count; ++lane) {
            const double each = (double)block->inv_point_mass[lane];
            const double weight = each > 0.0 ? (block->length - 1) / each : 0.0;
            sum += weight > 0.0 ? weight * solver->method->elastic_energy(block, lane) : 0.0;
            mass += weight;
        }
    }
    return mass > 0.0 ? sum / mass : 0.0;
}
