// measure: how fast the kernels are, on the thread that asks and in its own time, so that a busy
// machine does not count.
#ifndef COIF_SIM_BENCH_KERNEL_BENCH_H
#define COIF_SIM_BENCH_KERNEL_BENCH_H

#include "sim/solver/simd_dispatch.h"

typedef struct coif_kernel_bench_desc {
    const coif_kernels *kernels;
    int32_t strands; // rounded down to whole blocks
    int32_t points;  // per strand, at least 3
    int32_t substeps, iterations;
    int32_t rounds; // the best one counts
} coif_kernel_bench_desc;

// Particle-iterations per second of plain Position Based Dynamics: level strands of 30 cm fall,
// held at the root. A substep predicts, projects segments and pairs two apart as often as there are
// iterations, and takes velocities from positions; all of it is counted.
double coif_kernel_bench_pbd(const coif_kernel_bench_desc *desc, coif_arena *arena);

// Vertex-substeps per second of the rod's implicit step alone: wavy strands of 10 cm fall from
// their rest shape, clamped at the root, with drag that is the same in all directions. Prediction
// and velocities are counted; forces, contacts and the grid of the solver are not there.
// Iterations count for nothing.
double coif_kernel_bench_der(const coif_kernel_bench_desc *desc, coif_arena *arena);

#endif
