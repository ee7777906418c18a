// hair_interaction: hair-hair forces through a grid of density and momentum.
//
// Samples of every segment are scattered into a grid that moves with the scalp; from it come
// friction towards the mean motion of the surrounding hair, and pressure where hair is denser
// than in the groom. Both act as a constant acceleration until the grid is rebuilt. Hair in its
// rest shape on a rigidly moving body gets exactly zero (Petrovic et al. 2005; McAdams et al.
// 2009).
#ifndef COIF_SIM_INTERACTION_HAIR_INTERACTION_H
#define COIF_SIM_INTERACTION_HAIR_INTERACTION_H

#include "sim/interaction/grid_frame.h"

// Rows of a block of strands, one value per point and lane.
typedef struct coif_interaction_rows {
    float *rest_density;  // density around the point in the groom, kg/m3
    float *wind_fraction; // fraction of the wind that reaches the point
} coif_interaction_rows;

typedef struct coif_hair_interaction {
    bool rest_measured;
    float cell;                      // metres
    const coif_strand_block *blocks; // that were measured
    coif_interaction_rows *rows;     // per block
    int32_t *first_strand;           // per block, and one more: strands in the blocks before it
    bool two_samples;                // per segment, not one
    int32_t groups; // of strands, each with its own scatter; depends on the groom alone
    coif_rigid_velocity grid_velocity; // since the last update
    bool dropped_warned;               // about samples beyond the tile limit
} coif_hair_interaction;

typedef struct coif_interaction_params {
    float friction;         // 1/s
    float stiffness;        // m/s
    float wind_attenuation; // m2/kg
    float cell_size;        // m; 0: automatic
} coif_interaction_params;

// The strands that interact.
typedef struct coif_interaction_strands {
    const coif_kernels *kernels;
    coif_strand_block *blocks;
    int32_t block_count;
    coif_solver_scratch *scratch; // one per worker
    int32_t strand_count, point_count;
    const coif_root_pose *rest_roots; // per strand
    float hairs_per_strand;
    coif_arena *arena; // of the blocks
} coif_interaction_strands;

// Whether friction, pressure or wind occlusion is enabled.
bool coif_hair_interaction_enabled(const coif_interaction_params *params);

// Measures rest density, once.
void coif_hair_interaction_measure_rest(coif_hair_interaction *interaction,
                                        coif_interaction_strands *strands,
                                        const coif_interaction_params *params, coif_jobs *jobs);

typedef struct coif_interaction_interval {
    const coif_root_pose *root_begin, *root_end; // per strand, at both ends of the frame
    float from, to;                              // interval of the frame, 0 to 1
    double seconds;                              // duration of the interval
    double time;                                 // at which wind is evaluated, see wind_occlusion.h
    const coif_solver_forces *forces;
} coif_interaction_interval;

// Updates interaction_accel of the blocks, and the fractions of wind.
void coif_hair_interaction_update(coif_hair_interaction *interaction,
                                  coif_interaction_strands *strands,
                                  const coif_interaction_params *params,
                                  const coif_interaction_interval *interval, coif_jobs *jobs);

// Attenuates the wind of a block in the scratch. [worker]
void coif_hair_interaction_attenuate_wind(const coif_hair_interaction *interaction,
                                          const coif_strand_block *block,
                                          coif_solver_scratch *scratch);

#endif
