// Mesh of polylines and dots.
#include "render/build/wire.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "render/math/fast_math.h"

// Radii in pixels. Dots are smaller where points are dense.
static const float LINE_PIXELS = 0.4f, DOT_PIXELS = 1.7f, SMALLEST_DOT_PIXELS = 0.8f;
static const float DOT_SPACING = 0.3f; // largest radius of a dot relative to its shorter segment

enum { MAX_POINTS = 5000000 };

enum { SIMULATED, CHILD, SIMULATED_DOT, CHILD_DOT, ROOT_DOT, MATERIALS };
static const coif_vec3 COLORS[MATERIALS] = {
    {0.9f, 0.3f, 0.03f}, {0.08f, 0.3f, 0.9f},  {0.95f, 0.8f, 0.15f},
    {0.5f, 0.9f, 0.95f}, {0.9f, 0.02f, 0.02f},
};

enum { PRISM_SIDES = 4, DOT_VERTICES = 12, DOT_TRIANGLES = 20 };
enum { PRISM_VERTICES = 2 * PRISM_SIDES, PRISM_TRIANGLES = 2 * PRISM_SIDES };

// Icosahedron: vertices (0, +-1, +-g), (+-1, +-g, 0), (+-g, 0, +-1) with the golden ratio g, scaled
// to the unit sphere.
#define A 0.525731112f
#define B 0.850650808f
static const coif_vec3 DOT[DOT_VERTICES] = {
    {-A, B, 0},  {A, B, 0},  {-A, -B, 0}, {A, -B, 0}, {0, -A, B},  {0, A, B},
    {0, -A, -B}, {0, A, -B}, {B, 0, -A},  {B, 0, A},  {-B, 0, -A}, {-B, 0, A},
};
#undef A
#undef B
static const int8_t DOT_FACES[DOT_TRIANGLES][3] = {
    {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1},
};

static float pixel_at(const coif_camera *camera, coif_vec3 point)
{
    const float depth = coif_dot(coif_sub(point, camera->origin), camera->forward);
    return camera->projection == COIF_ORTHOGRAPHIC ? camera->pixel_angle
                                                   : camera->pixel_angle * coif_max(depth, 0.0f);
}

// A triangle of vertices whose normals are given by vertex.
static void add_triangle(coif_mesh *mesh, const int32_t corners[3], const coif_vec3 normals[3],
                         int32_t material)
{
    const size_t at = 3 * (size_t)mesh->triangle_count;
    for (int i = 0; i < 3; ++i) {
        mesh->indices[at + (size_t)i] = corners[i];
        mesh->normals[at + (size_t)i] = normals[i];
    }
    mesh->materials[mesh->triangle_count++] = material;
}

static void add_dot(coif_mesh *mesh, coif_vec3 center, float radius, int32_t material)
{
    const int32_t first = mesh->vertex_count;
    for (int i = 0; i < DOT_VERTICES; ++i) {
        mesh->positions[mesh->vertex_count++] = coif_mad(center, radius, DOT[i]);
    }
    for (int t = 0; t < DOT_TRIANGLES; ++t) {
        const int8_t *face = DOT_FACES[t];
        const int32_t corners[3] = {first + face[0], first + face[1], first + face[2]};
        const coif_vec3 normals[3] = {DOT[face[0]], DOT[face[1]], DOT[face[2]]};
        add_triangle(mesh, corners, normals, material);
    }
}

static void add_prism(coif_mesh *mesh, const coif_vec3 ends[2], const float radii[2],
                      int32_t material)
{
    const int32_t first = mesh->vertex_count;
    coif_vec3 directions[PRISM_SIDES], x, y;
    coif_frame_around(coif_normalize(coif_sub(ends[1], ends[0])), &x, &y);
    directions[0] = x;
    directions[1] = y;
    directions[2] = coif_scale(x, -1.0f);
    directions[3] = coif_scale(y, -1.0f);
    for (int i = 0; i < PRISM_VERTICES; ++i) {
        const int end = i / PRISM_SIDES;
        mesh->positions[mesh->vertex_count++] =
            coif_mad(ends[end], radii[end], directions[i % PRISM_SIDES]);
    }
    for (int i = 0; i < PRISM_SIDES; ++i) {
        const int next = (i + 1) % PRISM_SIDES;
        const int32_t near[3] = {first + i, first + next, first + PRISM_SIDES + i};
        const int32_t far[3] = {first + next, first + PRISM_SIDES + next, first + PRISM_SIDES + i};
        add_triangle(mesh, near, (coif_vec3[3]){directions[i], directions[next], directions[i]},
                     material);
        add_triangle(mesh, far, (coif_vec3[3]){directions[next], directions[next], directions[i]},
                     material);
    }
}

static void add_strand(coif_mesh *mesh, const coif_wire_desc *desc, int32_t strand, bool simulated)
{
    const coif_strands *all = desc->strands;
    const int32_t begin = all->first[strand], end = all->first[strand + 1];
    float before = INFINITY; // length of the segment before a point
    for (int32_t k = begin; k < end; ++k) {
        const coif_vec3 ends[2] = {coif_vec4_xyz(all->points[k]),
                                   coif_vec4_xyz(all->points[k + 1 < end ? k + 1 : k])};
        const float after = k + 1 < end ? coif_length(coif_sub(ends[1], ends[0])) : INFINITY;
        const float pixel = pixel_at(desc->camera, ends[0]);
        const float radii[2] = {LINE_PIXELS * pixel, LINE_PIXELS * pixel_at(desc->camera, ends[1])};
        const float dot = coif_min(DOT_PIXELS * pixel, DOT_SPACING * coif_min(before, after));
        add_dot(mesh, ends[0], coif_max(dot, SMALLEST_DOT_PIXELS * pixel),
                k == begin  ? ROOT_DOT
                : simulated ? SIMULATED_DOT
                            : CHILD_DOT);
        if (k + 1 < end && after > 0.0f) {
            add_prism(mesh, ends, radii, simulated ? SIMULATED : CHILD);
        }
        before = after;
    }
}

coif_status coif_wire_make(coif_mesh *mesh, const coif_wire_desc *desc, coif_arena *arena,
                           coif_error *error)
{
    const coif_strands *all = desc->strands;
    const int32_t total = all->strand_count, most = desc->max_strands;
    const int32_t count = most > 0 && most < total ? most : total;
    bool *simulated = coif_arena_new(arena, total, bool);
    for (int32_t i = 0; i < desc->groom->simulated_count; ++i) {
        simulated[desc->groom->simulated[i]] = true;
    }
    int32_t *order = coif_arena_new(arena, total, int32_t);
    coif_groom_low_discrepancy_order(order, desc->groom, arena);
    int64_t points = 0;
    for (int32_t i = 0; i < count; ++i) {
        points += coif_strands_length(all, order[i]);
    }
    if (points > MAX_POINTS) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "--wire-strands: %lld points, expected at most %d", (long long)points,
                         MAX_POINTS);
    }
    const int64_t triangles = points * (DOT_TRIANGLES + PRISM_TRIANGLES);
    *mesh = (coif_mesh){
        .positions = coif_arena_new(arena, points * (DOT_VERTICES + PRISM_VERTICES), coif_vec3),
        .indices = coif_arena_new(arena, 3 * triangles, int32_t),
        .normals = coif_arena_new(arena, 3 * triangles, coif_vec3),
        .materials = coif_arena_new(arena, triangles, int32_t),
        .material_count = MATERIALS,
    };
    for (int32_t i = 0; i < count; ++i) {
        add_strand(mesh, desc, order[i], simulated[order[i]]);
    }
    return COIF_OK;
}

const coif_surface_material *coif_wire_materials(coif_arena *arena)
{
    coif_surface_material *materials = coif_arena_new(arena, MATERIALS + 1, coif_surface_material);
    for (int i = 0; i < MATERIALS; ++i) {
        materials[i + 1].surface = (coif_surface){.color = COLORS[i], .roughness = 1.0f};
    }
    return materials;
}
