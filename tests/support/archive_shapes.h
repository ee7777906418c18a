// Curves, a mesh and a camera for tests of archives, and reading without statuses.
#ifndef COIF_TESTS_SUPPORT_ARCHIVE_SHAPES_H
#define COIF_TESTS_SUPPORT_ARCHIVE_SHAPES_H

#include "core/archive/archive.h"
#include "tests/support/test.h"

// Strands of `points` points that wave with phase, with all attributes.
static inline coif_archive_curves archive_curves(int32_t strands, int32_t points, float phase,
                                                 coif_arena *arena)
{
    coif_archive_curves curves = {.curve_count = strands, .point_count = strands * points};
    curves.counts = coif_arena_new(arena, strands, int32_t);
    curves.points = coif_arena_new(arena, curves.point_count, coif_vec3);
    curves.velocities = coif_arena_new(arena, curves.point_count, coif_vec3);
    curves.widths = coif_arena_new(arena, curves.point_count, float);
    curves.colors = coif_arena_new(arena, curves.point_count, coif_vec3);
    curves.uv = coif_arena_new(arena, 2 * (size_t)strands, float);
    curves.ids = coif_arena_new(arena, strands, int32_t);
    curves.group_ids = coif_arena_new(arena, strands, int32_t);
    curves.guide = coif_arena_new(arena, strands, int32_t);
    curves.closest_guides = coif_arena_new(arena, 3 * (size_t)strands, int32_t);
    curves.guide_weights = coif_arena_new(arena, 3 * (size_t)strands, float);
    for (int32_t s = 0; s < strands; ++s) {
        curves.counts[s] = points;
        curves.uv[2 * s] = 0.125f * (float)s;
        curves.uv[2 * s + 1] = 0.5f;
        curves.ids[s] = 100 + s;
        curves.group_ids[s] = s % 3;
        curves.guide[s] = s % 4 == 0;
        for (int k = 0; k < 3; ++k) {
            curves.closest_guides[3 * s + k] = 100 + 4 * k;
            curves.guide_weights[3 * s + k] = 0.25f * (float)(k + 1);
        }
        for (int32_t i = 0; i < points; ++i) {
            const int32_t at = s * points + i;
            curves.points[at] = (coif_vec3){0.01f * (float)s + 0.002f * sinf((float)i + phase),
                                            1.0f - 0.01f * (float)i, 0.1f * (float)(s % 7)};
            curves.velocities[at] = (coif_vec3){0.1f * phase, -0.2f, 0.3f * (float)i};
            curves.widths[at] = 1e-4f / (float)(1 + i);
            curves.colors[at] = (coif_vec3){0.1f, 0.2f, 0.3f + 0.01f * (float)i};
        }
    }
    return curves;
}

// A pyramid with a quadrangle below and four triangles, uv, normals and two groups.
static inline coif_archive_mesh archive_mesh(float height, coif_arena *arena)
{
    static const coif_vec3 base[] = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
    static const int32_t sizes[] = {4, 3, 3, 3, 3}, groups[] = {0, 1, 1, 1, 1};
    static const int32_t corners[] = {0, 1, 2, 3, 4, 1, 0, 4, 2, 1, 4, 3, 2, 4, 0, 3};
    static const char *const names[] = {"base", "sides"};
    coif_archive_mesh mesh = {
        .vertex_count = 5, .face_count = 5, .corner_count = 16, .group_count = 2};
    mesh.face_sizes = coif_arena_new(arena, 5, int32_t);
    mesh.face_group = coif_arena_new(arena, 5, int32_t);
    mesh.corners = coif_arena_new(arena, 16, int32_t);
    mesh.positions = coif_arena_new(arena, 5, coif_vec3);
    mesh.velocities = coif_arena_new(arena, 5, coif_vec3);
    mesh.normals = coif_arena_new(arena, 16, coif_vec3);
    mesh.uv = coif_arena_new(arena, 32, float);
    mesh.group_names = coif_arena_new(arena, 2, const char *);
    memcpy(mesh.face_sizes, sizes, sizeof sizes);
    memcpy(mesh.face_group, groups, sizeof groups);
    memcpy(mesh.corners, corners, sizeof corners);
    memcpy(mesh.positions, base, sizeof base);
    memcpy(mesh.group_names, names, sizeof names);
    mesh.positions[4] = (coif_vec3){0, height, 0};
    for (int32_t i = 0; i < 16; ++i) {
        mesh.normals[i] = i < 4 ? (coif_vec3){0, -1, 0} : (coif_vec3){0.6f, 0.0f, 0.8f};
        mesh.uv[2 * i] = (float)i / 16.0f;
        mesh.uv[2 * i + 1] = 1.0f - (float)i / 32.0f;
    }
    for (int32_t v = 0; v < 5; ++v) {
        mesh.velocities[v] = (coif_vec3){0.0f, v == 4 ? 24.0f * height : 0.0f, 0.0f};
    }
    return mesh;
}

static inline coif_archive_camera archive_camera(float x)
{
    return (coif_archive_camera){.to_world = {0, 0, 1, x, 0, 1, 0, 1.5f, -1, 0, 0, 3},
                                 .focal_length = 50.0f + x,
                                 .film_width = 36.0f,
                                 .film_height = 20.25f,
                                 .film_offset = {1.5f, -0.5f},
                                 .focus_distance = 2.5f,
                                 .f_stop = 2.8f,
                                 .shutter_close = 0.0208333f};
}

// Opened and read objects; a failure is one of the test.
static inline coif_archive *archive_open(const char *path, const coif_archive_import *import,
                                         coif_arena *arena)
{
    coif_archive *archive = NULL;
    coif_error error = {0};
    CHECK_OK(coif_archive_open(&archive, path, import, arena, &error), error);
    return archive;
}

#define ARCHIVE_READER(kind_)                                                                      \
    static inline coif_archive_##kind_ archive_read_##kind_(                                       \
        const coif_archive *archive, int32_t object, int32_t sample, coif_arena *arena)            \
    {                                                                                              \
        coif_archive_##kind_ result = {0};                                                         \
        coif_error error = {0};                                                                    \
        CHECK_OK(coif_archive_read_##kind_(archive, object, sample, &result, arena, &error),       \
                 error);                                                                           \
        return result;                                                                             \
    }
ARCHIVE_READER(curves)
ARCHIVE_READER(mesh)
ARCHIVE_READER(camera)

#endif
