// kernel_bench: throughput of the kernels in CPU time of the calling thread, so that other load
// does not count.
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

// Particle-iterations per second of plain position based dynamics: horizontal strands of 30 cm
// fall, pinned at the root. A substep predicts, projects segments and pairs two apart per
// iteration, and updates velocities; all of it is counted.
double coif_kernel_bench_pbd(const coif_kernel_bench_desc *desc, coif_arena *arena);

// Vertex-substeps per second of the implicit step of the rod alone: wavy strands of 10 cm fall
// from their rest shape, clamped at the root, with isotropic drag. Prediction and velocity
// update are included; forces, contacts and hair interaction are not. Iterations do not count.
double coif_kernel_bench_der(const coif_kernel_bench_desc *desc, coif_arena *arena);

#endif
