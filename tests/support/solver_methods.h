// Fixtures of tests of several methods: a hair's material, curls, cantilevers.
#ifndef COIF_TESTS_SUPPORT_SOLVER_METHODS_H
#define COIF_TESTS_SUPPORT_SOLVER_METHODS_H

#include "core/base/jobs.h"
#include "tests/support/hair_fixture.h"

static inline int32_t method_of(const char *name)
{
    int32_t index = 0;
    while (COIF_METHOD_NAMES[index] != NULL && strcmp(COIF_METHOD_NAMES[index], name) != 0) {
        ++index;
    }
    CHECK(COIF_METHOD_NAMES[index] != NULL);
    return index;
}

// Hair as it is, moved by the method of that name: the defaults of a scene for what it is made of,
// and nothing else at work but gravity.
static inline coif_sim_params hair_params(const char *method)
{
    coif_sim_params params = bare_params();
    params.solver = method_of(method);
    params.youngs_modulus = 3.9e9f;
    params.poisson_ratio = 0.4f;
    params.hair_density = 1320.0f;
    params.hair_radius = 4e-5f;
    params.stiffness = 1.0f;
    params.bending_damping_time = 0.005f;
    params.substeps = 10;
    return params;
}

// A helix along x of the given turns.
static inline const coif_vec3 *helix(int32_t points, float length, float radius, float turns,
                                     coif_arena *arena)
{
    coif_vec3 *shape = coif_arena_new(arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        const float s = (float)k / (float)(points - 1);
        const float phi = 6.2831853f * turns * s;
        shape[k] = coif_vec3_of(length * s, radius * sinf(phi), radius * cosf(phi) - radius);
    }
    return shape;
}

// How far the strand has gone from a shape, at most.
static inline double strayed(const hair_fixture *hair, const coif_vec3 *shape, int32_t points)
{
    double most = 0.0;
    for (int32_t k = 0; k < points; ++k) {
        most = fmax(most, coif_length(coif_sub(hair->positions[k], shape[k])));
    }
    return most;
}

// H / W of a horizontal hair after some seconds, see cantilever_elastica.csv; and its stretch.
typedef struct cantilever {
    double gamma;
    int32_t segments, seconds;
    double ratio, stretch;
} cantilever;

static inline void hang_cantilever(cantilever *c, const coif_sim_params *params, coif_arena *arena)
{
    const int32_t points = c->segments + 1;
    const double length = cbrt(c->gamma * 3.9e9 * 1.6e-9 / (4.0 * 1320.0 * 9.81));
    coif_vec3 *shape = coif_arena_new(arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        shape[k] = coif_vec3_of((float)(length * k / c->segments), 0.0f, 0.0f);
    }
    const hair_fixture_desc desc = {
        .shape = shape, .length = points, .strand_count = 1, .params = *params, .pinned = 1};
    hair_fixture hair;
    fixture_open(&hair, &desc, arena, NULL);
    c->stretch = 0.0;
    for (int32_t f = 0; f < 24 * c->seconds; ++f) {
        fixture_step(&hair);
        c->stretch = fmax(c->stretch, fixture_stretch(&hair));
    }
    CHECK(hair.report.stats.reset_strands == 0);
    const coif_vec3 tip = hair.positions[points - 1];
    c->ratio = -(double)tip.y / (double)tip.x;
}

#endif
