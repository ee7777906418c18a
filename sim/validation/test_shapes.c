#include "sim/validation/test_shapes.h"

#include "core/base/arena.h"

const coif_vec3 *coif_shape_straight(int32_t points, double length, coif_vec3 along,
                                     coif_arena *arena)
{
    coif_vec3 *shape = coif_arena_new(arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        const double s = length * k / (points - 1);
        shape[k] = coif_vec3_of((float)(s * (double)along.x), (float)(s * (double)along.y),
                                (float)(s * (double)along.z));
    }
    return shape;
}

double coif_helix_length(const coif_helix *helix)
{
    return 2.0 * M_PI * helix->turns * helix->radius / cos(helix->pitch);
}

const coif_vec3 *coif_shape_helix(int32_t points, const coif_helix *helix, coif_arena *arena)
{
    coif_vec3 *shape = coif_arena_new(arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        const double s = coif_helix_length(helix) * k / (points - 1);
        const double turn = s * cos(helix->pitch) / helix->radius;
        shape[k] =
            coif_vec3_of((float)(helix->radius * (cos(turn) - 1.0)),
                         (float)(-s * sin(helix->pitch)), (float)(helix->radius * sin(turn)));
    }
    return shape;
}

static coif_mesh new_mesh(int32_t vertices, int32_t triangles, coif_arena *arena)
{
    coif_mesh mesh = {.vertex_count = vertices, .triangle_count = triangles, .group_count = 1};
    mesh.positions = coif_arena_new(arena, vertices, coif_vec3);
    mesh.indices = coif_arena_new(arena, 3 * (int64_t)triangles, int32_t);
    mesh.normals = coif_arena_new(arena, 3 * (int64_t)triangles, coif_vec3);
    mesh.groups = coif_arena_new(arena, triangles, int32_t);
    mesh.materials = coif_arena_new(arena, triangles, int32_t);
    mesh.group_names = coif_arena_new(arena, 1, const char *);
    mesh.group_names[0] = "all";
    for (int32_t t = 0; t < triangles; ++t) {
        mesh.materials[t] = -1;
    }
    return mesh;
}

// Quads of a square of cells whose vertices begin at first.
static int32_t add_square(coif_mesh *mesh, int32_t at, int32_t first, int32_t cells)
{
    static const int order[6] = {0, 1, 2, 0, 2, 3};
    const int32_t row = cells + 1;
    for (int32_t i = 0; i < cells * cells; ++i) {
        const int32_t a = first + i / cells * row + i % cells;
        const int32_t corner[4] = {a, a + 1, a + row + 1, a + row};
        for (int c = 0; c < 6; ++c) {
            mesh->indices[at++] = corner[order[c]];
        }
    }
    return at;
}

coif_mesh coif_shape_plane(float side, int32_t cells, coif_arena *arena)
{
    const int32_t row = cells + 1;
    coif_mesh mesh = new_mesh(row * row, 2 * cells * cells, arena);
    for (int32_t i = 0; i < row * row; ++i) {
        const float u = (float)(i % row) / (float)cells;
        const float v = (float)(i / row) / (float)cells;
        mesh.positions[i] = coif_vec3_of((u - 0.5f) * side, 0.0f, (0.5f - v) * side);
    }
    add_square(&mesh, 0, 0, cells);
    mesh.uvs = coif_arena_new(arena, 3 * (int64_t)mesh.triangle_count, coif_vec2);
    for (int32_t c = 0; c < 3 * mesh.triangle_count; ++c) {
        const coif_vec3 p = mesh.positions[mesh.indices[c]];
        mesh.normals[c] = coif_vec3_of(0.0f, 1.0f, 0.0f);
        mesh.uvs[c] = (coif_vec2){p.x / side + 0.5f, 0.5f - p.z / side};
    }
    return mesh;
}

coif_mesh coif_shape_cylinder(float radius, float half, int32_t sides, coif_arena *arena)
{
    coif_mesh mesh = new_mesh(2 * sides, 2 * sides, arena);
    for (int32_t i = 0; i < sides; ++i) {
        const double turn = 2.0 * M_PI * i / sides;
        const float x = (float)((double)radius * cos(turn));
        const float y = (float)((double)radius * sin(turn));
        const int32_t next = (i + 1) % sides;
        const int32_t corners[6] = {2 * i, 2 * next, 2 * next + 1, 2 * i, 2 * next + 1, 2 * i + 1};
        mesh.positions[2 * i] = coif_vec3_of(x, y, -half);
        mesh.positions[2 * i + 1] = coif_vec3_of(x, y, half);
        for (int c = 0; c < 6; ++c) {
            mesh.indices[6 * i + c] = corners[c];
        }
    }
    for (int32_t c = 0; c < 3 * mesh.triangle_count; ++c) {
        const coif_vec3 p = mesh.positions[mesh.indices[c]];
        mesh.normals[c] = coif_normalize(coif_vec3_of(p.x, p.y, 0.0f));
    }
    return mesh;
}

coif_mesh coif_shape_ellipsoid(coif_vec3 centre, coif_vec3 radii, int32_t cells, coif_arena *arena)
{
    static const float axes[6][9] = {{1, 0, 0, 0, 0, -1, 0, 1, 0}, {-1, 0, 0, 0, 0, 1, 0, 1, 0},
                                     {0, 1, 0, 1, 0, 0, 0, 0, -1}, {0, -1, 0, 1, 0, 0, 0, 0, 1},
                                     {0, 0, 1, 1, 0, 0, 0, 1, 0},  {0, 0, -1, -1, 0, 0, 0, 1, 0}};
    const int32_t row = cells + 1;
    coif_mesh mesh = new_mesh(6 * row * row, 12 * cells * cells, arena);
    int32_t at = 0;
    for (int32_t face = 0; face < 6; ++face) {
        const float *axis = axes[face];
        for (int32_t i = 0; i < row * row; ++i) {
            const float s = 2.0f * (float)(i % row) / (float)cells - 1.0f;
            const float t = 2.0f * (float)(i / row) / (float)cells - 1.0f;
            const coif_vec3 p = {axis[0] + s * axis[3] + t * axis[6],
                                 axis[1] + s * axis[4] + t * axis[7],
                                 axis[2] + s * axis[5] + t * axis[8]};
            mesh.positions[face * row * row + i] =
                coif_add(centre, coif_mul(radii, coif_normalize(p)));
        }
        at = add_square(&mesh, at, face * row * row, cells);
    }
    for (int32_t c = 0; c < at; ++c) {
        const coif_vec3 p = coif_sub(mesh.positions[mesh.indices[c]], centre);
        mesh.normals[c] = coif_normalize(coif_vec3_of(
            p.x / (radii.x * radii.x), p.y / (radii.y * radii.y), p.z / (radii.z * radii.z)));
    }
    return mesh;
}
