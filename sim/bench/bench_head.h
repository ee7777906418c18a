// bench_head: a synthetic head of hair for benchmarks.
//
// The head is an ellipsoid of 43,200 triangles; wavy strands grow on its scalp and hang down. It
// rotates about the vertical by 3 degrees per frame, about 0.1 m/s at the skin, so that contacts
// are active.
#ifndef COIF_SIM_BENCH_BENCH_HEAD_H
#define COIF_SIM_BENCH_BENCH_HEAD_H

#include "sim/run/solver_setup.h"

typedef struct coif_bench_head_desc {
    int32_t strands, points;
    const char *settings; // settings, see trial.h: "solver=der substeps=10"
    bool collide;         // contact with the head, else it only moves the roots
    float turn;           // radians per frame; 0: 3 degrees
    const coif_kernels *kernels;
} coif_bench_head_desc;

typedef struct coif_bench_head {
    coif_sim_params params;
    coif_mesh rest, begin, end;
    coif_collider collider;
    bool collide;
    float turn;
    coif_groom groom;
    coif_groom_solver solver;
    int32_t frame;
    int32_t reset_count; // diverged strands, all frames
} coif_bench_head;

coif_status coif_bench_head_open(coif_bench_head *head, const coif_bench_head_desc *desc,
                                 coif_arena *arena, coif_jobs *jobs, coif_error *error);

// Steps one frame. jobs as in open: scratch is allocated for its threads.
coif_status coif_bench_head_step(coif_bench_head *head, coif_jobs *jobs, coif_progress *progress);

#endif
