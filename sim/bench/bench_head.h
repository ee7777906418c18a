// head: a whole head of hair made in memory, to measure how fast it moves.
//
// The head is an ellipsoid of 43,200 triangles; wavy strands grow on its scalp, fall over it and
// hang down. It turns about the vertical by 3 degrees per frame, which drags a point of the skin
// along at about 0.1 m/s and keeps contacts at work.
#ifndef COIF_SIM_BENCH_BENCH_HEAD_H
#define COIF_SIM_BENCH_BENCH_HEAD_H

#include "sim/run/solver_setup.h"

typedef struct coif_bench_head_desc {
    int32_t strands, points;
    const char *words; // settings, see trial.h: "solver=der substeps=10"
    bool touch;        // the head is a body hair bumps into, else it only carries the roots
    float turn;        // radians per frame; 0: 3 degrees
    const coif_kernels *kernels;
} coif_bench_head_desc;

typedef struct coif_bench_head {
    coif_sim_params params;
    coif_mesh rest, begin, end;
    coif_collider collider;
    bool touch;
    float turn;
    coif_groom groom;
    coif_groom_solver solver;
    int32_t frame;
    int32_t healed; // strands put back, of all frames
} coif_bench_head;

coif_status coif_bench_head_open(coif_bench_head *head, const coif_bench_head_desc *desc,
                                 coif_arena *arena, coif_jobs *jobs, coif_error *error);

// One frame further. Jobs as in open: scratch is there for its threads.
coif_status coif_bench_head_step(coif_bench_head *head, coif_jobs *jobs, coif_progress *progress);

#endif
