// bench: how fast strands move, measured on the real solver path.
//
// What is stated per thread is the time of that thread alone; what is stated per frame is what the
// clock on the wall says, so it wants a quiet machine.
#ifndef COIF_SIM_BENCH_SIM_BENCH_H
#define COIF_SIM_BENCH_SIM_BENCH_H

#include "sim/bench/bench_head.h"

// Settings with which strands feel each other.
#define COIF_BENCH_CROWD " interaction_friction=5 interaction_stiffness=0.3"

typedef struct coif_bench_desc {
    int32_t strands, points, substeps;
    const char *solver;
    const char *words;   // more settings, or NULL
    bool touch;          // contact with the head
    bool crowd;          // strands feel each other
    int32_t frames;      // that are measured, after one to get going
    double most_seconds; // of measuring, if that is less than all frames; 0: as long as it takes
    int32_t threads;
    const coif_kernels *kernels;
} coif_bench_desc;

typedef struct coif_bench_result {
    double seconds;     // per frame on the wall: the middle one
    double least;       // and the best
    double cpu_seconds; // of all threads, per frame, mean
    double per_second;  // point-substeps per second and thread, by processor time: the best frame
    double bytes;       // the most memory at once, per point: mesh, groom, strands and scratch
    int32_t healed;
} coif_bench_result;

// A head of hair, from nothing.
coif_status coif_bench_full_sim(coif_bench_result *bench, const coif_bench_desc *desc,
                                coif_progress *progress, coif_error *error);

#endif
