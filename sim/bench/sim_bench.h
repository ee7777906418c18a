// sim_bench: speed of the simulation on the real solver path.
//
// Throughput per thread is in CPU time; seconds per frame are wall-clock and need an idle
// machine.
#ifndef COIF_SIM_BENCH_SIM_BENCH_H
#define COIF_SIM_BENCH_SIM_BENCH_H

#include "sim/bench/bench_head.h"

// Settings that turn on hair-hair interaction.
#define COIF_BENCH_INTERACTION " interaction_friction=5 interaction_stiffness=0.3"

typedef struct coif_bench_desc {
    int32_t strands, points, substeps;
    const char *solver;
    const char *settings; // additional, or NULL
    bool collide;         // with the head
    bool interaction;     // hair-hair forces
    int32_t frames;       // measured, after one warm-up frame
    double max_seconds;   // of measuring; 0: no limit
    int32_t threads;
    const coif_kernels *kernels;
} coif_bench_desc;

typedef struct coif_bench_result {
    double seconds;      // wall-clock per frame: median
    double best_seconds; // wall-clock per frame: minimum
    double cpu_seconds;  // of all threads, per frame, mean
    double per_second;   // point-substeps per second and thread, by processor time: the best frame
    double bytes_per_point; // peak memory: mesh, groom, strands and scratch
    int32_t reset_count;
} coif_bench_result;

// Generates a head of hair and steps it.
coif_status coif_bench_full_sim(coif_bench_result *bench, const coif_bench_desc *desc,
                                coif_progress *progress, coif_error *error);

#endif
