// Geodesic distance to the border of a group.
#include "core/mesh/geodesic_border.h"

#include "tests/support/mesh_shapes.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

static const float *border_of(const coif_mesh *mesh, int32_t group)
{
    float *distances = coif_arena_new(&arena, mesh->vertex_count, float);
    CHECK(coif_geodesic_border(distances, mesh, group, &arena));
    return distances;
}

// A square, and the half of it that is a group: to the nearest of its four sides.
// Ridges between them are known to half a cell.
TEST(on_a_square_it_is_the_distance_to_the_nearest_side)
{
    const coif_mesh mesh = shape_plane(1.0f, 40, &arena);
    for (int half = 0; half < 2; ++half) {
        const int32_t group = half ? mesh.groups[mesh.triangle_count - 1] : -1;
        const float *distances = border_of(&mesh, group);
        for (int32_t t = 0; t < mesh.triangle_count; ++t) {
            const coif_vec3 p = coif_mesh_at(&mesh, t, 0.3f, 0.3f).position;
            const double side = fmin(0.5 - fabs((double)p.x), 0.5 - fabs((double)p.z));
            const bool inside = !half || mesh.groups[t] == group;
            const double wanted = half ? fmin(side, fabs((double)p.x)) : side;
            const float got = coif_geodesic_border_distance(distances, &mesh, t, 0.3f, 0.3f);
            CHECK(!inside || fabs((double)got - wanted) < 0.5 / 40.0);
        }
    }
}

enum { RINGS = 40, SLICES = 60 };

// A cap of a ball from its pole to an angle, by rings that are turned against each other.
static coif_mesh make_cap(float angle)
{
    coif_mesh mesh = {.positions = coif_arena_new(&arena, 1 + RINGS * SLICES, coif_vec3),
                      .indices = coif_arena_new(&arena, 6 * RINGS * SLICES, int32_t)};
    mesh.positions[mesh.vertex_count++] = coif_vec3_of(0.0f, 1.0f, 0.0f);
    for (int r = 1; r <= RINGS; ++r) {
        const float polar = angle * (float)r / RINGS;
        for (int s = 0; s < SLICES; ++s) {
            const float around = 6.2831853f * ((float)s + 0.37f * (float)r) / SLICES;
            mesh.positions[mesh.vertex_count++] =
                coif_vec3_of(sinf(polar) * cosf(around), cosf(polar), sinf(polar) * sinf(around));
        }
    }
    for (int r = 0; r < RINGS; ++r) {
        for (int s = 0; s < SLICES; ++s) {
            const int32_t a = r == 0 ? 0 : 1 + (r - 1) * SLICES + s;
            const int32_t b = r == 0 ? 0 : 1 + (r - 1) * SLICES + (s + 1) % SLICES;
            const int32_t c = 1 + r * SLICES + s, d = 1 + r * SLICES + (s + 1) % SLICES;
            const int32_t corners[6] = {a, c, d, a, d, b};
            memcpy(mesh.indices + 3 * mesh.triangle_count, corners, sizeof corners);
            mesh.triangle_count += r == 0 ? 1 : 2;
        }
    }
    return mesh;
}

TEST(on_a_sphere_it_is_the_arc_length)
{
    const coif_mesh mesh = make_cap(1.8f);
    const float *distances = border_of(&mesh, -1);
    CHECK_NEAR(distances[0], 1.8, 0.02);
    for (int r = 1; r <= RINGS; ++r) {
        for (int s = 0; s < SLICES; ++s) {
            const double wanted = 1.8 * (1.0 - (double)r / RINGS);
            CHECK_NEAR(distances[1 + (r - 1) * SLICES + s], wanted, 0.012 * 1.8);
        }
    }
}

// A sheet that is rolled up until its sides nearly touch: as far from them as when it was flat.
TEST(it_does_not_jump_across_a_gap)
{
    coif_mesh mesh = shape_plane(1.0f, 30, &arena);
    const float *flat = border_of(&mesh, -1);
    coif_vec3 *bent = coif_arena_new(&arena, mesh.vertex_count, coif_vec3);
    for (int32_t v = 0; v < mesh.vertex_count; ++v) {
        const coif_vec3 p = mesh.positions[v];
        const float angle = 6.2f * p.x;
        bent[v] = coif_vec3_of(sinf(angle) / 6.2f, cosf(angle) / 6.2f, p.z);
    }
    mesh.positions = bent;
    const float *rolled = border_of(&mesh, -1);
    for (int32_t v = 0; v < mesh.vertex_count; ++v) {
        CHECK_NEAR(rolled[v], flat[v], 0.004);
    }
}

TEST(a_closed_mesh_has_no_border)
{
    const coif_mesh mesh = shape_sphere(coif_vec3_of(0, 0, 0), 0.1f, 6, &arena);
    float *distances = coif_arena_new(&arena, mesh.vertex_count, float);
    CHECK(!coif_geodesic_border(distances, &mesh, -1, &arena));
    CHECK(isinf(distances[0]));
}
