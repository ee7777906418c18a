// strand_material: mechanical properties of a strand, in SI units.
#ifndef COIF_SIM_SOLVER_STRAND_MATERIAL_H
#define COIF_SIM_SOLVER_STRAND_MATERIAL_H

#include "core/base/vec.h"

#include <stdbool.h>

typedef struct coif_strand_material {
    float youngs_modulus;         // Pa
    float poisson_ratio;          // G = E / 2 (1 + nu)
    float ellipticity;            // long over short axis of the section; up to 1: round
    float density;                // kg/m3
    float radius;                 // m
    float stiffness;              // multiplies Young's modulus
    float mass_scale;             // mass relative to the mean strand
    coif_vec3 gravity;            // at the time the rest shape is in equilibrium, m/s2
    float gravity_compensation;   // fraction of that gravity that the rest shape carries
    const float *stiffness_along; // per point: multiplies the stiffness; NULL: 1
    bool clamped;                 // false: the root is as free as the tip
} coif_strand_material;

// Additional properties of the mass-spring method.
typedef struct coif_spring_material {
    float stretch;          // N: force that stretches a strand to twice its length
    float core;             // N: force that stretches the centreline of a curl to twice its length
    float damping_time;     // s: damping over stiffness
    float smoothing_length; // m: of the centreline that carries frames
    float core_smoothing_length;             // m: of the centreline of core springs
    const float *stretch_along, *core_along; // per point multipliers; NULL: 1
} coif_spring_material;

enum { COIF_BEND_SPANS_MAX = 8 };

// Pairs of points (i, i + segments) that bending constraints of PBD act on. A scale other than 1
// asks for another distance or angle than that of the rest shape.
typedef struct coif_bend_spans {
    int32_t count;
    int32_t segments[COIF_BEND_SPANS_MAX]; // 0: the first point and the last
    float scales[COIF_BEND_SPANS_MAX];
} coif_bend_spans;

enum {
    COIF_BEND_DISTANCE,
    COIF_BEND_ANGLE,
    COIF_BEND_DIHEDRAL,
    COIF_BEND_BOTH // angles and dihedrals
};

#endif
