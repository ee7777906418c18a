// render_ball: a hairy ball to try the renderer on. Used by its tests and its bench.
#ifndef COIF_TESTS_RENDER_BALL_H
#define COIF_TESTS_RENDER_BALL_H

#include "core/arena.h"
#include "core/mesh.h"
#include "core/rng.h"
#include "core/strands.h"

// A ball as a grid over longitude and latitude, with smooth normals.
static inline void ball_mesh(coif_mesh *mesh, float radius, coif_arena *arena)
{
    enum { ACROSS = 128, DOWN = 64 };
    *mesh = (coif_mesh){.vertex_count = ACROSS * (DOWN + 1), .triangle_count = 2 * ACROSS * DOWN};
    mesh->positions = coif_arena_new(arena, mesh->vertex_count, coif_vec3);
    mesh->indices = coif_arena_new(arena, 3 * mesh->triangle_count, int32_t);
    mesh->normals = coif_arena_new(arena, 3 * mesh->triangle_count, coif_vec3);
    for (int i = 0; i < mesh->vertex_count; ++i) {
        const float theta = 3.14159265f * (float)(i / ACROSS) / DOWN;
        const float phi = 6.2831853f * (float)(i % ACROSS) / ACROSS;
        mesh->positions[i] = coif_scale(
            (coif_vec3){sinf(theta) * cosf(phi), cosf(theta), sinf(theta) * sinf(phi)}, radius);
    }
    for (int i = 0; i < ACROSS * DOWN; ++i) {
        const int a = i, b = i / ACROSS * ACROSS + (i + 1) % ACROSS;
        const int corners[6] = {a, b, a + ACROSS, b, b + ACROSS, a + ACROSS};
        for (int k = 0; k < 6; ++k) {
            mesh->indices[6 * i + k] = corners[k];
            mesh->normals[6 * i + k] = coif_normalize(mesh->positions[corners[k]]);
        }
    }
}

// Strand s of count on the upper half of a unit ball: leaves along the normal, droops and curls.
static inline void ball_strand(coif_vec4 *points, int32_t length, int32_t s, int32_t count)
{
    const float up = ((float)s + 0.5f) / (float)count;
    const float phi = 2.39996323f * (float)s;
    const float r = sqrtf(1.0f - up * up);
    const coif_vec3 n = {r * cosf(phi), up, r * sinf(phi)};
    const coif_vec3 u = coif_normalize((coif_vec3){-n.z, 0.0f, n.x});
    const float stretch = 0.85f + 0.3f * coif_random_unit(1, (uint64_t)s, 0);
    const float step = 1.1f * stretch / (float)(length - 1);
    const float swing = 0.035f * (0.7f + 0.6f * coif_random_unit(1, (uint64_t)s, 1));
    const float phase =
        5.0f * n.x + 4.0f * n.z + 3.0f * n.y + 1.2f * coif_random_unit(1, (uint64_t)s, 2);
    const float turns = 3.5f * (0.9f + 0.2f * coif_random_unit(1, (uint64_t)s, 3));
    coif_vec3 p = n;
    for (int32_t j = 0; j < length; ++j) {
        const float t = (float)j / (float)(length - 1), droop = fminf(1.0f, 1.6f * t);
        const coif_vec3 d = coif_normalize(
            (coif_vec3){n.x * (1.0f - droop), n.y * (1.0f - droop) - droop, n.z * (1.0f - droop)});
        p = j > 0 ? coif_mad(p, step, d) : p;
        const float away = coif_length(p);
        if (j > 0 && away < 1.02f) {
            p = coif_scale(p, 1.0f + (1.02f - away) * fminf(1.0f, 4.0f * t));
        }
        const float g = swing * fminf(1.0f, 3.0f * t), angle = 6.2831853f * turns * t + phase;
        const coif_vec3 v = coif_cross(d, u);
        const coif_vec3 q = coif_mad(coif_mad(p, g * cosf(angle), u), g * sinf(angle), v);
        points[j] = (coif_vec4){q.x, q.y, q.z, 0.0015f - 0.0011f * t};
    }
}

static inline void ball_strands(coif_strands *strands, int32_t count, int32_t length,
                                coif_arena *arena)
{
    *strands = (coif_strands){.strand_count = count, .point_count = count * length};
    strands->first = coif_arena_new(arena, count + 1, int32_t);
    strands->points = coif_arena_new(arena, strands->point_count, coif_vec4);
    for (int32_t s = 0; s <= count; ++s) {
        strands->first[s] = s * length;
    }
    for (int32_t s = 0; s < count; ++s) {
        ball_strand(strands->points + s * length, length, s, count);
    }
}

#endif
