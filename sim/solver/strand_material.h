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

enum { COIF_BEND_SPANS_MAX = 32 };

// Pairs of points that a bending constraint of PBD acts on: (i, i + segments) along the whole
// strand, or one pair.
typedef struct coif_bend_span {
    int32_t segments;    // 0: the pair (first, last)
    int32_t first, last; // point indices; negative ones count from the tip, which is -1
    float scale;         // of the distance or angle in the rest shape
    float stiffness;     // factor on the bending stiffness
} coif_bend_span;

typedef struct coif_bend_spans {
    int32_t count;
    coif_bend_span spans[COIF_BEND_SPANS_MAX];
} coif_bend_spans;

// "2": every second point.
#define COIF_BEND_SPANS_DEFAULT                                                                    \
    {                                                                                              \
        .count = 1, .spans = { {.segments = 2, .scale = 1.0f, .stiffness = 1.0f} }                 \
    }

// Pairs (i, i + span) for i from begin to before end; none where a strand is too short.
typedef struct coif_bend_pairs {
    int32_t begin, end, span;
} coif_bend_pairs;

static inline coif_bend_pairs coif_bend_pairs_of(const coif_bend_span *span, int32_t points)
{
    const int32_t a = span->first < 0 ? points + span->first : span->first;
    const int32_t b = span->last < 0 ? points + span->last : span->last;
    const int32_t low = a < b ? a : b;
    const int32_t high = a < b ? b : a;
    const coif_bend_pairs all = {0, points - span->segments, span->segments};
    const coif_bend_pairs one = {low, low + 1, high - low};
    const coif_bend_pairs pairs = span->segments > 0 ? all : one;
    const bool fits =
        pairs.span >= 2 && pairs.begin >= 0 && pairs.begin < pairs.end && high < points;
    return fits ? pairs : (coif_bend_pairs){0, 0, 0};
}

enum {
    COIF_BEND_DISTANCE,
    COIF_BEND_ANGLE,
    COIF_BEND_DIHEDRAL,
    COIF_BEND_BOTH // angles and dihedrals
};

#endif
