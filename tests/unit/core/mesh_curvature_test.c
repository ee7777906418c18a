// mesh_curvature: known curvatures of simple shapes.
#include "core/mesh/mesh_curvature.h"

#include "core/base/arena.h"
#include "tests/support/mesh_shapes.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

static const float *curvature_of(const coif_mesh *mesh)
{
    float *curvature = coif_arena_new(&arena, mesh->vertex_count, float);
    coif_mesh_curvature(curvature, mesh, &arena);
    return curvature;
}

// Faces of the test shape share no vertices, so the values at their borders are one-sided.
TEST(a_sphere_has_about_one_over_its_radius)
{
    const coif_vec3 centre = {0.3f, -0.1f, 0.2f}, radii = {0.05f, 0.05f, 0.05f};
    const coif_mesh sphere = coif_shape_ellipsoid(centre, radii, 16, &arena);
    const float *curvature = curvature_of(&sphere);
    int32_t near = 0, above = 0;
    for (int32_t v = 0; v < sphere.vertex_count; ++v) {
        near += curvature[v] > 16.5f;
        above += curvature[v] > 22.0f;
    }
    CHECK(above == 0);
    CHECK(near > sphere.vertex_count / 3);
}

TEST(a_plane_has_none)
{
    const coif_mesh plane = coif_shape_plane(1.0f, 8, &arena);
    const float *curvature = curvature_of(&plane);
    for (int32_t v = 0; v < plane.vertex_count; ++v) {
        CHECK(curvature[v] == 0.0f);
    }
}

// A plane rolled up by 1 / 0.2 m: about half the curvature of the circle, as the axis is straight.
TEST(a_rolled_plane_is_curved_across_its_axis)
{
    coif_mesh plane = coif_shape_plane(0.4f, 32, &arena);
    for (int32_t v = 0; v < plane.vertex_count; ++v) {
        const float angle = plane.positions[v].x / 0.2f;
        plane.positions[v].x = 0.2f * sinf(angle);
        plane.positions[v].y = 0.2f * cosf(angle) - 0.2f;
    }
    const float *curvature = curvature_of(&plane);
    for (int32_t v = 0; v < plane.vertex_count; ++v) {
        const coif_vec3 p = plane.positions[v];
        if (fabsf(p.x) < 0.1f && fabsf(p.z) < 0.18f) {
            CHECK(curvature[v] > 1.6f && curvature[v] < 3.4f);
        }
    }
}
