#include "sim/solver/energy.h"

#include "sim/solver/method.h"
#include "sim/solver/solver_internal.h"

#include <math.h>

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
