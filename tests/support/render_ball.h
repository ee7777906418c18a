// Dark curls on a ball, those of coif bench render.
#ifndef COIF_TESTS_SUPPORT_RENDER_BALL_H
#define COIF_TESTS_SUPPORT_RENDER_BALL_H

#include "core/base/arena.h"
#include "core/base/rng.h"
#include "render/bench/hairball_scene.h"

static inline void ball_mesh(coif_mesh *mesh, float radius, coif_arena *arena)
{
    coif_hairball_scalp(mesh, radius, arena);
}

// Strand s of count on the upper half of a unit ball: leaves along the normal, droops and curls.
static inline void ball_strand(coif_vec4 *points, int32_t length, int32_t s, int32_t count)
{
    coif_hairball_strand(points, s, &(coif_hairball_desc){.strands = count, .points = length});
}

static inline void ball_strands(coif_strands *strands, int32_t count, int32_t length,
                                coif_arena *arena)
{
    coif_hairball_strands(strands, &(coif_hairball_desc){.strands = count, .points = length},
                          arena);
}

#endif
