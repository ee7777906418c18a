// block: a few strands of equal length side by side, as the kernels want them.
//
// Lane i of row k is point k of strand i: x[k * lanes + i]. Strands do not touch each other inside
// the solver, so every lane does the same arithmetic on its own hair. Where a block is not full,
// the lanes left over repeat its last strand and are never read back.
//
// Everything a block keeps between frames and all it knows of its rest shape lies in one piece of
// memory; what is needed only within a substep is in a coif_solver_scratch, one per worker.
#ifndef COIF_SIM_SOLVER_STRAND_BLOCK_H
#define COIF_SIM_SOLVER_STRAND_BLOCK_H

#include "sim/solver/contact_query.h"

enum { COIF_LANES_MOST = 8, COIF_ROOT_ROWS = 12 };

// Settings of a substep that may differ from point to point, see vary.h.
enum {
    COIF_FIELD_DRAG,
    COIF_FIELD_DAMPING,
    COIF_FIELD_FRICTION,
    COIF_FIELD_RESTITUTION,
    COIF_FIELD_BEND_DAMPING,
    COIF_FIELD_DAMPING_FACTOR,
    COIF_FIELD_DRAG_SLIP,
    COIF_FIELD_DRAG_BLUNT,
    COIF_FIELD_HAIR_FRICTION,
    COIF_FIELD_HAIR_PRESSURE,
    COIF_FIELD_WIND_SHELTER,
    COIF_FIELD_STRETCH, // those of COIF_ITERATION_..., in their order
    COIF_FIELD_BEND,
    COIF_FIELD_ATTACH,
    COIF_FIELD_SHAPE,
    COIF_FIELD_LEADER_CORRECTION,
    COIF_FIELD_PUSH_OUT,
    COIF_FIELD_GRAVITY, // three rows, as gravity has three numbers
    COIF_FIELD_BLOCK_ROWS = COIF_FIELD_GRAVITY + 3
};

// Stiffnesses of which a round of projection takes a share.
enum {
    COIF_ITERATION_STRETCH,
    COIF_ITERATION_BEND,
    COIF_ITERATION_ATTACH,
    COIF_ITERATION_SHAPE,
    COIF_ITERATION_ROWS
};

typedef struct coif_strand_block {
    int32_t length; // points per strand
    int32_t lanes;
    int32_t strand_count; // real ones, at most lanes
    int32_t strands[COIF_LANES_MOST];

    float *x, *y, *z;
    float *vx, *vy, *vz;
    float *good_x, *good_y, *good_z; // where the points were when the frame began

    float *rest;          // length of the segment from k to k + 1
    float *w;             // inverse mass; 0 for points that follow the root exactly
    float *hold;          // pull towards the rest shape, per second squared
    float *reach;         // distance kept from bodies
    float *lx, *ly, *lz;  // rest shape in the frame of the root
    float *fx, *fy, *fz;  // acceleration that carries the weight at rest, in the frame of the root
    float *pull, *course; // what a strand hangs by, see support.h; NULL where its method needs none
    float *ox, *oy, *oz;  // waves: offset from the smoothed course, in the frames along it
    float *most_shape;    // one row: what a round takes at most of the way back to them
    float *mass;          // one row: how heavy each strand is, against the mean
    float *per_kilogram;  // one row: 1 / mean mass of a point of each strand
    float *sail;          // one row: area that each strand turns to the wind, m2/kg
    float *side;          // three rows: a direction across the first segment, in the root's frame
    float *root;          // COIF_ROOT_ROWS rows: place, tangent, bitangent, normal at the frame's
    float *root_end;      // begin; and at its end
    float *turn;          // four rows: axis and half the angle by which the root turns in between
    coif_bvh_distance_cache clearances;
    coif_sdf_distance_cache vicinity;
    float half; // of the longest segment, as it is when a frame begins

    // By what a setting is multiplied at each point; NULL where it is the same for all. What they
    // come to in a substep of this frame, NULL where they are: what damping leaves of the velocity,
    // what a round takes of the stiffnesses (of shape: as a share of the largest of its strand, and
    // those in one row), and how far contacts push a point out.
    float *vary[COIF_FIELD_BLOCK_ROWS];
    float *keep;
    float *round[COIF_ITERATION_ROWS];
    float *shape;
    float *most_out;
    float *fall;      // and how large gravity is
    float *weigh;     // the ramp of gravity alone; NULL: none
    float *tip_force; // three rows: by what the force on the tip is multiplied; NULL: as it is

    // What other strands do, see crowd.h; NULL where they do nothing.
    float *packing;                        // density around the point in the groom, kg/m3
    float *jostle_x, *jostle_y, *jostle_z; // acceleration
    float *shelter;                        // share of the wind that is left, see shelter.h

    // What the method keeps beside places and velocities: row r of point k in a lane is
    // state[(k * state_rows + r) * lanes + lane].
    int32_t state_rows;
    float *state, *good_state;
    struct coif_der *rod;               // what the method "rod" knows at rest
    struct coif_pbd *pbd;               // and what "pbd" does
    struct coif_cosserat *cosserat;     // and what "xpbd" does
    struct coif_spring *spring;         // and what "spring" does
    struct coif_rest_animation *sprout; // how the rest shape changes; NULL where it does not
} coif_strand_block;

typedef struct coif_solver_scratch {
    float *px, *py, *pz; // where points want to go, then where they may
    float *gx, *gy, *gz; // the rest shape, posed
    float *ux, *uy, *uz; // air
    float *ax, *ay, *az; // acceleration
    float *nx, *ny, *nz, *offset;
    float *sx, *sy, *sz;             // way of the surface at a contact
    float *depth;                    // distance to the surface of a contact
    float *push;                     // how far contacts moved a point, summed
    float *qx, *qy, *qz;             // velocities as predicted
    float *lost_x, *lost_y, *lost_z; // what rounding of p has taken from the velocity, if known
    float *air_across, *air_along;   // rates of drag, see air.h
    float *tx, *ty, *tz;             // directions of segments, or lines half smoothed
    float *diagonal, *side, *lambda;
    float *cx, *cy, *cz; // the smoothed course
    float *across;       // three rows: block->side, posed
    float *scratch;      // rows of the method, as many as it asked for
    float *again;        // rows of again.h
    float *free;         // how near bodies are at the most to where points want to go
    float *middle;       // rows of middle.h
    bool borne;          // the method itself bears points that lie on bodies
    bool touching;       // some point of the block has a contact
    int32_t touch_begin; // and those that have one are in the rows from here up to
    int32_t touch_end;   // before here
    bool middles;        // and some middle of a segment
    bool settling;       // lengths leave what lies on a body on it
} coif_solver_scratch;

// What one substep does to every point.
typedef struct coif_substep {
    float h;          // seconds
    float begin, end; // moments of the frame, 0 to 1
    double time;      // seconds, at its end
    coif_vec3 gravity;
    coif_vec3 tip_force; // N
    float keep;          // share of velocity that damping leaves
    float drag;          // per second
    float slip, blunt;   // see air.h; blunt is half the air's density times C_d, kg/m3
    float stretch;       // already per iteration: k' = 1 - (1 - k)^(1/n)
    float bend, shape, attach;
    float friction, restitution;
    float most_out;     // how far contacts push a point out that is inside a body, metres
    float bend_damping; // seconds
    float leader_correction;
    int32_t iterations, length_pass;
} coif_substep;

// Planes are made when a point is still this far from what it has to keep, because projections move
// it on: in a substep at least as far as it fell before they brought it back, with room to spare.
// By the usual gravity, so that what a map does to gravity changes nothing here.
static inline float coif_contact_margin(const coif_substep *step)
{
    const float fallen = 9.81f * step->h * step->h;
    return 2.4f * fallen > 0.002f ? 2.4f * fallen : 0.002f;
}

enum { COIF_LENGTH_NONE = 0, COIF_LENGTH_FTL = 1, COIF_LENGTH_DIRECT = 2 };

void coif_strand_block_init(coif_strand_block *block, int32_t length, int32_t lanes,
                            coif_arena *arena);
void coif_strand_block_add_state(coif_strand_block *block, int32_t rows, coif_arena *arena);

// Finds how the frames of the roots turn from begin to end, the shorter way round.
void coif_strand_block_rotate(coif_strand_block *block);

void coif_solver_scratch_init(coif_solver_scratch *work, int32_t length, int32_t lanes,
                              coif_arena *arena);

#endif
