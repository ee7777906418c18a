// Straight strands and helices of given weight, for the tests of rods.
#ifndef COIF_TESTS_SUPPORT_ROD_SHAPES_H
#define COIF_TESTS_SUPPORT_ROD_SHAPES_H

#include "tests/support/der_fixture.h"

enum { STRANDS = 4 }; // that differ; lanes beyond repeat them

static inline coif_substep substep_of(int32_t per_frame, float drag)
{
    return (coif_substep){.h = 1.0f / (24.0f * (float)per_frame),
                          .end = 1.0f,
                          .gravity = {0.0f, -9.81f, 0.0f},
                          .velocity_retention = 1.0f,
                          .drag = drag};
}

static inline void settle(rods *r, double seconds)
{
    rods_step(r, (int32_t)(seconds / (double)r->step.h));
}

// Straight strands of four lengths.
typedef struct straight {
    double length[STRANDS];
    int32_t segments;
    coif_vec3 along;
} straight;

static inline coif_vec3 straight_shape(int32_t lane, int32_t k, const void *context)
{
    const straight *all = context;
    return coif_scale(all->along, (float)(all->length[lane % STRANDS] * k / all->segments));
}

// The length at which weight against stiffness, rho A g L^3 / B, is gamma.
static inline double length_of(double gamma, const coif_strand_material *material)
{
    return cbrt(gamma * bending_of(material) / weight_of(material));
}

static inline void open_straight(rods *r, const straight *shape,
                                 const coif_strand_material *material, coif_arena *arena)
{
    const rods_desc desc = {.length = shape->segments + 1,
                            .shape = straight_shape,
                            .context = shape,
                            .materials = material,
                            .one_material = true};
    rods_open(r, &desc, arena);
}

// Helices hanging from their root, of radius so that the weight is what is wanted.
typedef struct helix {
    double pitch; // radians
    double turns;
    double radius[STRANDS], length[STRANDS];
    int32_t segments;
} helix;

static inline coif_vec3 helix_shape(int32_t lane, int32_t k, const void *context)
{
    const helix *all = context;
    const double radius = all->radius[lane % STRANDS];
    const double s = all->length[lane % STRANDS] * k / all->segments;
    const double turn = s * cos(all->pitch) / radius;
    return coif_vec3_of((float)(radius * cos(turn) - radius), (float)(-s * sin(all->pitch)),
                        (float)(radius * sin(turn)));
}

static inline void open_helix(rods *r, helix *shape, const double weights[STRANDS],
                              const coif_strand_material *material, coif_arena *arena)
{
    for (int i = 0; i < STRANDS; ++i) {
        const double arc = 2.0 * M_PI * shape->turns / cos(shape->pitch);
        shape->radius[i] = cbrt(weights[i] * bending_of(material) / weight_of(material) / arc);
        shape->length[i] = arc * shape->radius[i];
    }
    const rods_desc desc = {.length = shape->segments + 1,
                            .shape = helix_shape,
                            .context = shape,
                            .materials = material,
                            .one_material = true};
    rods_open(r, &desc, arena);
}

#endif
