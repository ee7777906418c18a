// The wire view: lines and dots of strands, of a width in pixels.
#include "render/build/wire.h"

#include "tests/support/test.h"

static coif_arena arena;

// Eight straight strands of three points on a row, the first half of them simulated.
static coif_groom make_groom(void)
{
    const int32_t lengths[] = {3, 3, 3, 3, 3, 3, 3, 3};
    coif_groom groom;
    coif_error error = {0};
    CHECK_OK(coif_groom_init(&groom, lengths, 8, &arena, &error), error);
    for (int32_t i = 0; i < groom.rest.point_count; ++i) {
        groom.rest.points[i] = (coif_vec4){0.1f * (float)(i / 3), 0.1f * (float)(i % 3), 0, 1e-5f};
    }
    coif_groom_bind(&groom, 0.5, &arena);
    return groom;
}

static coif_camera camera_at(float distance)
{
    const coif_camera_params params = {
        .position = {0, 0, distance}, .up = {0, 1, 0}, .fov = 90, .film_height = 24};
    const coif_bounds bounds = {{-1, -1, -1}, {1, 1, 1}};
    return coif_camera_of(&params, 100, 100, &bounds);
}

static coif_mesh wire_of(const coif_groom *groom, const coif_camera *camera, int32_t strands)
{
    coif_mesh mesh = {0};
    coif_error error = {0};
    const coif_wire_desc desc = {&groom->rest, groom, camera, strands};
    CHECK_OK(coif_wire_make(&mesh, &desc, &arena, &error), error);
    return mesh;
}

// Largest distance of the vertices of the first dot from the first point drawn.
static double dot_radius(const coif_mesh *mesh)
{
    coif_vec3 center = {0, 0, 0};
    for (int i = 0; i < 12; ++i) {
        center = coif_mad(center, 1.0f / 12.0f, mesh->positions[i]);
    }
    return (double)coif_length(coif_sub(mesh->positions[0], center));
}

TEST(every_point_has_a_dot_and_every_segment_a_line)
{
    const coif_groom groom = make_groom();
    const coif_camera camera = camera_at(2);
    const coif_mesh mesh = wire_of(&groom, &camera, 0);
    CHECK(mesh.triangle_count == 24 * 20 + 16 * 8 && mesh.vertex_count == 24 * 12 + 16 * 8);
    int32_t counts[5] = {0};
    for (int32_t t = 0; t < mesh.triangle_count; ++t) {
        ++counts[mesh.materials[t]];
        // Faces and normals point outwards.
        const int32_t *c = mesh.indices + 3 * (size_t)t;
        const coif_vec3 face = coif_cross(coif_sub(mesh.positions[c[1]], mesh.positions[c[0]]),
                                          coif_sub(mesh.positions[c[2]], mesh.positions[c[0]]));
        CHECK(coif_dot(face, mesh.normals[3 * (size_t)t]) > 0.0f);
    }
    // Lines of simulated and other strands, their dots, dots of roots.
    CHECK(counts[0] == 64 && counts[1] == 64 && counts[2] == 160 && counts[3] == 160);
    CHECK(counts[4] == 160);
    CHECK(coif_wire_materials(&arena)[5].surface.color.x > 0.5f);
}

TEST(widths_are_in_pixels)
{
    const coif_groom groom = make_groom();
    const coif_camera near = camera_at(0.1f), far = camera_at(0.2f), away = camera_at(20);
    const coif_mesh small = wire_of(&groom, &near, 1), large = wire_of(&groom, &far, 1);
    CHECK_NEAR(dot_radius(&large) / dot_radius(&small), 2.0, 1e-4);
    // Dots of dense points do not grow into each other before they are a pixel.
    const coif_mesh dense = wire_of(&groom, &away, 1);
    CHECK(dot_radius(&dense) < 0.5 * (20.0 / 0.1) * dot_radius(&small));
}

TEST(few_strands_are_selected_evenly)
{
    const coif_groom groom = make_groom();
    const coif_camera camera = camera_at(2);
    const coif_mesh mesh = wire_of(&groom, &camera, 2);
    CHECK(mesh.triangle_count == 2 * (3 * 20 + 2 * 8));
    coif_vec3 low, high;
    coif_mesh_bounds(&mesh, &low, &high);
    CHECK(high.x - low.x > 0.35f);
    coif_groom none = groom;
    none.rest.strand_count = none.rest.point_count = none.simulated_count = 0;
    CHECK(wire_of(&none, &camera, 2).triangle_count == 0);
}
