// Closest points and signs of a mesh collider; tree and hint do not change the result.
#include "core/collision/collider.h"

#include "core/base/log.h"
#include "core/base/rng.h"
#include "tests/support/mesh_shapes.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

static coif_vec3 random_position(uint32_t index, float size)
{
    return coif_vec3_of((coif_random_unit(5, index, 0) - 0.5f) * size,
                        (coif_random_unit(5, index, 1) - 0.5f) * size,
                        (coif_random_unit(5, index, 2) - 0.5f) * size);
}

// A box of the sharpest kind of edges and corners: 12 triangles.
static coif_mesh box(coif_vec3 half)
{
    static const int32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    coif_mesh mesh = shape_alloc(8, 12, &arena);
    int32_t at = 0;
    for (int32_t i = 0; i < 8; ++i) {
        mesh.positions[i] = coif_vec3_of(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                                         i & 4 ? half.z : -half.z);
    }
    for (int i = 0; i < 6; ++i) {
        shape_quad(&mesh, &at, quads[i]);
    }
    return mesh;
}

// Signed distance of a box around the origin.
static float box_distance(coif_vec3 p, coif_vec3 half)
{
    const coif_vec3 q = {fabsf(p.x) - half.x, fabsf(p.y) - half.y, fabsf(p.z) - half.z};
    const coif_vec3 out = {fmaxf(q.x, 0.0f), fmaxf(q.y, 0.0f), fmaxf(q.z, 0.0f)};
    return coif_length(out) + fminf(fmaxf(q.x, fmaxf(q.y, q.z)), 0.0f);
}

TEST(distance_and_side_of_a_box_are_exact)
{
    const coif_vec3 half = {0.3f, 0.2f, 0.1f};
    const coif_mesh mesh = box(half);
    coif_collider collider;
    coif_collider_build(&collider, &mesh, &arena);
    int32_t wrong = 0;
    for (uint32_t i = 0; i < 20000; ++i) {
        const coif_vec3 p = random_position(i, 1.0f);
        coif_closest_point nearest;
        coif_collider_closest_point(
            &nearest, &collider,
            &(coif_closest_point_query){.position = p, .max_distance = 10.0f, .hint = -1});
        wrong += !(fabsf(nearest.distance - box_distance(p, half)) < 1e-6f);
        // The distance along the normal leads to the surface.
        const coif_vec3 there = coif_mad(p, -nearest.distance, nearest.normal);
        wrong += !(coif_length(coif_sub(there, nearest.point)) < 1e-5f);
    }
    CHECK(wrong == 0);
}

static float brute_distance(const coif_mesh *mesh, coif_vec3 p)
{
    float least = INFINITY;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const int32_t *corner = mesh->indices + 3 * t;
        const coif_vec3 c[3] = {mesh->positions[corner[0]], mesh->positions[corner[1]],
                                mesh->positions[corner[2]]};
        for (int sample = 0; sample < 66; ++sample) {
            const float u = (float)(sample % 11) / 10.0f;
            const float v = (float)(sample / 11) / 5.0f;
            const coif_vec3 q = coif_lerp(c[0], coif_lerp(c[1], c[2], v), u);
            least = fminf(least, coif_length(coif_sub(p, q)));
        }
    }
    return least;
}

TEST(no_triangle_is_nearer_than_the_one_found)
{
    coif_mesh mesh = shape_sphere(coif_vec3_of(0, 0, 0), 0.1f, 5, &arena);
    for (int32_t v = 0; v < mesh.vertex_count; ++v) { // bumpy
        const coif_vec3 p = mesh.positions[v];
        mesh.positions[v] = coif_scale(p, 1.0f + 3.0f * fabsf(p.x * p.y) / 0.01f);
    }
    coif_collider collider;
    coif_collider_build(&collider, &mesh, &arena);
    for (uint32_t i = 0; i < 300; ++i) {
        const coif_vec3 p = random_position(i, 0.5f);
        coif_closest_point nearest;
        coif_collider_closest_point(
            &nearest, &collider,
            &(coif_closest_point_query){.position = p, .max_distance = 10.0f, .hint = -1});
        const float brute = brute_distance(&mesh, p);
        CHECK(fabsf(nearest.distance) <= brute + 1e-6f);
        CHECK(fabsf(nearest.distance) >= brute - 0.02f);
    }
}

TEST(a_sphere_knows_its_inside_everywhere)
{
    const coif_vec3 centre = {0.1f, -0.2f, 0.3f};
    const coif_mesh mesh = shape_sphere(centre, 0.1f, 24, &arena);
    coif_collider collider;
    coif_collider_build(&collider, &mesh, &arena);
    int32_t wrong = 0;
    for (uint32_t i = 0; i < 20000; ++i) {
        const coif_vec3 p = coif_add(centre, random_position(i, 0.3f));
        const float exact = coif_length(coif_sub(p, centre)) - 0.1f;
        coif_closest_point nearest;
        const bool found = coif_collider_closest_point(
            &nearest, &collider,
            &(coif_closest_point_query){.position = p, .max_distance = 1.0f, .hint = -1});
        // Faces are flat: they lie up to 0.4 mm inside the sphere.
        wrong += !found || nearest.distance - exact < -1e-5f || nearest.distance - exact > 5e-4f;
    }
    CHECK(wrong == 0);
}

TEST(hints_and_range_do_not_change_the_nearest_point)
{
    const coif_mesh mesh = shape_sphere(coif_vec3_of(0, 0, 0), 0.1f, 10, &arena);
    coif_collider collider;
    coif_collider_build(&collider, &mesh, &arena);
    int32_t wrong = 0;
    for (uint32_t i = 0; i < 5000; ++i) {
        // Also vertices themselves and points above them, where many triangles tie.
        const coif_vec3 p = i % 2 ? random_position(i, 0.3f)
                                  : coif_scale(mesh.positions[i % (uint32_t)mesh.vertex_count],
                                               1.0f + (float)(i % 3) * 0.2f);
        coif_closest_point plain;
        coif_closest_point other;
        coif_collider_closest_point(
            &plain, &collider,
            &(coif_closest_point_query){.position = p, .max_distance = 1.0f, .hint = -1});
        const float reach = fabsf(plain.distance) * 1.01f + 1e-6f;
        coif_collider_closest_point(
            &other, &collider,
            &(coif_closest_point_query){.position = p,
                                        .max_distance = reach,
                                        .hint = (int32_t)i % collider.triangle_count});
        wrong += memcmp(&plain, &other, sizeof plain) != 0;
        wrong +=
            coif_collider_closest_point(
                &other, &collider,
                &(coif_closest_point_query){.position = p,
                                            .max_distance = fabsf(plain.distance) * 0.99f - 1e-6f,
                                            .hint = -1}) &&
            plain.distance > 1e-3f;
    }
    CHECK(wrong == 0);
}

// A sphere that moves by its own diameter during the frame is where it should be at any moment.
TEST(moving_bodies_are_where_they_are_at_the_moment)
{
    const coif_mesh mesh = shape_sphere(coif_vec3_of(0, 0, 0), 0.1f, 12, &arena);
    coif_collider collider;
    coif_collider_build(&collider, &mesh, &arena);
    coif_vec3 *moved = coif_arena_new(&arena, mesh.vertex_count, coif_vec3);
    for (int32_t v = 0; v < mesh.vertex_count; ++v) {
        moved[v] = coif_add(mesh.positions[v], coif_vec3_of(0.2f, 0.0f, 0.0f));
    }
    coif_collider_refit(&collider, mesh.positions, moved);
    CHECK_NEAR(collider.max_displacement, 0.2, 1e-6);
    for (int m = 0; m <= 4; ++m) {
        const float moment = (float)m / 4.0f;
        const coif_closest_point_query search = {.position = {0.2f * moment, 0.15f, 0.0f},
                                                 .time = moment,
                                                 .max_distance = 1.0f,
                                                 .hint = -1};
        coif_closest_point nearest;
        CHECK(coif_collider_closest_point(&nearest, &collider, &search));
        CHECK_NEAR(nearest.distance, 0.05, 1e-4);
        CHECK_NEAR(nearest.motion.x, 0.2, 1e-6);
        CHECK_NEAR(nearest.motion.y, 0.0, 1e-6);
    }
}

TEST(points_on_the_surface_have_an_outward_normal)
{
    const coif_mesh mesh = box(coif_vec3_of(0.1f, 0.1f, 0.1f));
    coif_collider collider;
    coif_collider_build(&collider, &mesh, &arena);
    const coif_vec3 positions[] = {{0.1f, 0.1f, 0.1f}, {0.1f, 0.1f, 0.0f}, {0.1f, 0.02f, 0.01f}};
    for (int i = 0; i < 3; ++i) {
        coif_closest_point nearest;
        CHECK(coif_collider_closest_point(&nearest, &collider,
                                          &(coif_closest_point_query){.position = positions[i],
                                                                      .max_distance = 0.01f,
                                                                      .hint = -1}));
        CHECK_NEAR(nearest.distance, 0.0, 1e-7);
        CHECK_NEAR(coif_length(nearest.normal), 1.0, 1e-5);
        CHECK(coif_dot(nearest.normal, positions[i]) > 0.0f);
    }
}

// No triangles, triangles without area, NaN positions: nothing found, no crash.
TEST(degenerate_input_is_harmless)
{
    const coif_mesh empty = shape_alloc(0, 0, &arena);
    coif_mesh flat = shape_alloc(3, 5, &arena);
    for (int i = 0; i < 15; ++i) {
        flat.indices[i] = i % 2;
    }
    flat.positions[1] = coif_vec3_of(1.0f, 0.0f, 0.0f);
    coif_collider collider;
    coif_closest_point nearest;
    const coif_closest_point_query search = {
        .position = {0.5f, 0.1f, 0.0f}, .max_distance = 1.0f, .hint = -1};
    coif_collider_build(&collider, &empty, &arena);
    CHECK(!coif_collider_closest_point(&nearest, &collider, &search));
    CHECK(nearest.triangle == -1);

    coif_collider_build(&collider, &flat, &arena);
    CHECK(coif_collider_closest_point(&nearest, &collider, &search));
    CHECK(isfinite(nearest.distance) && isfinite(nearest.normal.x));
    const coif_closest_point_query nowhere = {
        .position = {NAN, 0.0f, 0.0f}, .max_distance = 1.0f, .hint = -1};
    CHECK(!coif_collider_closest_point(&nearest, &collider, &nowhere));
}

TEST(searches_are_quick)
{
    const coif_mesh mesh = shape_sphere(coif_vec3_of(0, 0, 0), 0.1f, 58, &arena); // 40,368
    coif_collider collider;
    double begin = coif_clock_seconds();
    coif_collider_build(&collider, &mesh, &arena);
    const double built = coif_clock_seconds() - begin;
    begin = coif_clock_seconds();
    coif_collider_refit(&collider, mesh.positions, mesh.positions);
    const double moved = coif_clock_seconds() - begin;

    enum { COUNT = 100000 };
    begin = coif_clock_seconds();
    double sum = 0.0;
    for (uint32_t i = 0; i < COUNT; ++i) {
        const coif_vec3 p = coif_scale(coif_normalize(random_position(i, 1.0f)), 0.105f);
        coif_closest_point nearest;
        coif_collider_closest_point(
            &nearest, &collider,
            &(coif_closest_point_query){.position = p, .max_distance = 0.03f, .hint = -1});
        sum += nearest.distance;
    }
    const double searched = coif_clock_seconds() - begin;
    printf("       40,368 triangles: built in %.0f ms, moved in %.1f ms, %.0f ns per search\n",
           built * 1e3, moved * 1e3, searched * 1e9 / COUNT);
    CHECK_NEAR(sum / COUNT, 0.005, 1e-4);
}
