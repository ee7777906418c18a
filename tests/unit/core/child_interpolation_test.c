// Children follow scalp and guides and keep their lengths.
#include "core/hair/child_interpolation.h"

#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "tests/support/test.h"

static coif_arena arena;

// A flat square of two triangles, one metre wide, in the plane y = 0, seen from above.
static coif_mesh make_body(void)
{
    static coif_vec3 positions[] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 0, 1}};
    static int32_t indices[] = {0, 1, 2, 2, 1, 3};
    coif_mesh body = {.vertex_count = 4, .triangle_count = 2, .indices = indices};
    body.positions = coif_arena_new(&arena, 4, coif_vec3);
    memcpy(body.positions, positions, sizeof positions);
    body.normals = coif_arena_new(&arena, 6, coif_vec3);
    for (int i = 0; i < 6; ++i) {
        body.normals[i] = (coif_vec3){0, 1, 0};
    }
    return body;
}

// A quarter turn about z and a step: (x, y, z) -> (3 - y, x, z + 2).
static coif_vec3 moved(coif_vec3 p)
{
    return (coif_vec3){3.0f - p.y, p.x, p.z + 2.0f};
}

static coif_mesh pose(const coif_mesh *body)
{
    coif_mesh posed = *body;
    posed.positions = coif_arena_new(&arena, 4, coif_vec3);
    posed.normals = coif_arena_new(&arena, 6, coif_vec3);
    for (int i = 0; i < 4; ++i) {
        posed.positions[i] = moved(body->positions[i]);
    }
    for (int i = 0; i < 6; ++i) {
        posed.normals[i] = (coif_vec3){-1, 0, 0};
    }
    return posed;
}

// Curly strands on the square; point counts differ where uneven is set.
static coif_groom make_groom(const coif_mesh *body, int32_t count, double fraction, bool uneven)
{
    int32_t *lengths = coif_arena_new(&arena, count, int32_t);
    for (int32_t s = 0; s < count; ++s) {
        lengths[s] = uneven ? 4 + s % 7 : 8;
    }
    coif_groom groom;
    coif_error error = {0};
    CHECK_OK(coif_groom_init(&groom, lengths, count, &arena, &error), error);
    for (int32_t s = 0; s < count; ++s) {
        const float b1 = 0.5f * coif_random_unit(1, (uint64_t)s, 0);
        const float b2 = 0.5f * coif_random_unit(1, (uint64_t)s, 1);
        const coif_vec3 root = coif_mesh_at(body, s % 2, b1, b2).position;
        const coif_mat3 frame = coif_mesh_frame(body, s % 2, b1, b2);
        groom.root_triangle[s] = s % 2;
        groom.root_barycentric[2 * s] = b1;
        groom.root_barycentric[2 * s + 1] = b2;
        memcpy(groom.root_frame + 9 * s, &frame, sizeof frame);
        for (int32_t k = 0; k < lengths[s]; ++k) {
            const float curl = 0.02f * coif_random_unit(2, (uint64_t)s, (uint32_t)k);
            const float high = 0.3f * (float)k / (float)(lengths[s] - 1);
            groom.rest.points[groom.rest.first[s] + k] =
                (coif_vec4){root.x + (k > 0 ? curl : 0.0f), root.y + high, root.z, 1e-4f};
        }
    }
    groom.mesh_digest = coif_mesh_topology_digest(body);
    coif_groom_bind(&groom, fraction, &arena);
    return groom;
}

static coif_strands simulated_of(const coif_groom *groom)
{
    coif_strands strands;
    coif_error error = {0};
    CHECK_OK(coif_groom_simulated(&strands, groom, &arena, &error), error);
    return strands;
}

static coif_strands expand(const coif_strands *simulated, const coif_groom *groom,
                           const coif_mesh *body)
{
    coif_strands all = {0};
    coif_error error = {0};
    CHECK_OK(coif_interpolate_children(&all, simulated, groom, body, &arena, NULL, &error), error);
    return all;
}

static double farthest(const coif_strands *a, const coif_strands *b)
{
    double worst = 0.0;
    for (int32_t i = 0; i < a->point_count; ++i) {
        const coif_vec3 gap = coif_sub(coif_vec4_xyz(a->points[i]), coif_vec4_xyz(b->points[i]));
        worst = fmax(worst, (double)coif_length(gap));
    }
    return worst;
}

TEST(a_rest_groom_follows_its_body)
{
    const coif_mesh body = make_body();
    const coif_mesh posed = pose(&body);
    coif_groom groom = make_groom(&body, 300, 0.3, true);
    groom.rest.colors = coif_arena_new(&arena, groom.rest.point_count, coif_vec3);
    groom.rest.colors[5] = (coif_vec3){1, 2, 3};
    coif_strands all = {0};
    coif_error error = {0};
    CHECK_OK(coif_pose_rest_strands(&all, &groom, &posed, &arena, NULL, &error), error);
    double worst = 0.0;
    for (int32_t i = 0; i < all.point_count; ++i) {
        const coif_vec3 expected = moved(coif_vec4_xyz(groom.rest.points[i]));
        worst = fmax(worst, (double)coif_length(coif_sub(coif_vec4_xyz(all.points[i]), expected)));
    }
    CHECK(worst < 1e-6 && all.points[9].w == 1e-4f && all.colors[5].z == 3.0f);
    // On the bind pose it stays.
    CHECK_OK(coif_pose_rest_strands(&all, &groom, &body, &arena, NULL, &error), error);
    CHECK(farthest(&all, &groom.rest) < 1e-6);
    // Another mesh is an error.
    groom.mesh_digest ^= 1;
    CHECK(coif_pose_rest_strands(&all, &groom, &body, &arena, NULL, &error) == COIF_ERR_SCENE);
}

TEST(all_simulated_is_a_copy)
{
    const coif_mesh body = make_body();
    const coif_groom groom = make_groom(&body, 50, 1.0, true);
    coif_strands simulated = simulated_of(&groom);
    simulated.velocities = coif_arena_new(&arena, simulated.point_count, coif_vec3);
    simulated.velocities[7].x = 2.0f;
    const coif_strands all = expand(&simulated, &groom, NULL);
    CHECK(coif_strands_digest(&all) == coif_strands_digest(&simulated));
    CHECK(all.points != simulated.points);
    CHECK(memcmp(all.root_uv, simulated.root_uv, 100 * sizeof(float)) == 0);
}

TEST(at_rest_every_strand_is_at_rest)
{
    const coif_mesh body = make_body();
    const coif_groom groom = make_groom(&body, 60, 0.2, true);
    const coif_strands simulated = simulated_of(&groom);
    const coif_strands all = expand(&simulated, &groom, &body);
    CHECK_NEAR(farthest(&all, &groom.rest), 0.0, 1e-6);
    CHECK(coif_strands_topology_digest(&all) == coif_strands_topology_digest(&groom.rest));
    CHECK(all.points[all.point_count - 1].w == 1e-4f);
}

TEST(children_move_rigidly_with_body_and_guides)
{
    const coif_mesh body = make_body();
    const coif_mesh posed = pose(&body);
    const coif_groom groom = make_groom(&body, 60, 0.2, true);
    const coif_strands simulated = simulated_of(&groom);
    coif_strands wanted = groom.rest;
    wanted.points = coif_arena_new(&arena, wanted.point_count, coif_vec4);
    for (int32_t i = 0; i < simulated.point_count; ++i) {
        const coif_vec3 p = moved(coif_vec4_xyz(simulated.points[i]));
        simulated.points[i] = (coif_vec4){p.x, p.y, p.z, 1e-4f};
    }
    for (int32_t i = 0; i < wanted.point_count; ++i) {
        const coif_vec3 p = moved(coif_vec4_xyz(groom.rest.points[i]));
        wanted.points[i] = (coif_vec4){p.x, p.y, p.z, 1e-4f};
    }
    const coif_strands all = expand(&simulated, &groom, &posed);
    CHECK_NEAR(farthest(&all, &wanted), 0.0, 2e-6);
}

TEST(without_guides_strands_are_stiff)
{
    const coif_mesh body = make_body();
    const coif_mesh posed = pose(&body);
    const coif_groom groom = make_groom(&body, 10, 0.0, false);
    const coif_strands simulated = simulated_of(&groom);
    const coif_strands all = expand(&simulated, &groom, &posed);
    for (int32_t i = 0; i < all.point_count; ++i) {
        const coif_vec3 p = moved(coif_vec4_xyz(groom.rest.points[i]));
        CHECK_NEAR(coif_length(coif_sub(coif_vec4_xyz(all.points[i]), p)), 0.0, 1e-6);
    }
}

// Bends guides far and unevenly, as wind would.
static void bend(const coif_strands *strands)
{
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        for (int32_t k = 1; k < coif_strands_length(strands, s); ++k) {
            coif_vec4 *p = &strands->points[strands->first[s] + k];
            const float offset = p->y + 0.1f * coif_random_unit(7, (uint64_t)s, (uint32_t)k);
            p->x += offset;
            p->y -= 0.7f * offset;
        }
    }
}

static double distance(coif_vec4 a, coif_vec4 b)
{
    const double x = (double)b.x - (double)a.x;
    const double y = (double)b.y - (double)a.y;
    const double z = (double)b.z - (double)a.z;
    return sqrt(x * x + y * y + z * z);
}

TEST(children_keep_their_lengths_and_roots)
{
    const coif_mesh body = make_body();
    const coif_groom groom = make_groom(&body, 80, 0.1, true);
    const coif_strands simulated = simulated_of(&groom);
    bend(&simulated);
    const coif_strands all = expand(&simulated, &groom, &body);
    double moved_by = 0.0;
    for (int32_t s = groom.simulated_count; s < 80; ++s) {
        const int32_t first = all.first[s];
        const coif_vec3 root = coif_vec4_xyz(groom.rest.points[first]);
        CHECK_NEAR(coif_length(coif_sub(coif_vec4_xyz(all.points[first]), root)), 0.0, 1e-7);
        double length = 0.0, wanted = 0.0;
        for (int32_t k = first; k + 1 < all.first[s + 1]; ++k) {
            const double now = distance(all.points[k], all.points[k + 1]);
            const double rest = distance(groom.rest.points[k], groom.rest.points[k + 1]);
            // Rounding error of a position at a metre.
            CHECK_NEAR(now, rest, 1e-6 * rest + 6e-8);
            length += now;
            wanted += rest;
        }
        CHECK_NEAR(length / wanted, 1.0, 1e-6);
        moved_by = fmax(moved_by, (double)coif_length(coif_sub(
                                      coif_vec4_xyz(all.points[all.first[s + 1] - 1]),
                                      coif_vec4_xyz(groom.rest.points[all.first[s + 1] - 1]))));
    }
    CHECK(moved_by > 0.1);
}

// A straight child beside one straight guide leans exactly as the guide does, even with other
// points along the same length.
TEST(a_child_follows_its_guide)
{
    const coif_mesh body = make_body();
    const int32_t lengths[] = {5, 5, 9};
    coif_groom groom;
    coif_error error = {0};
    CHECK_OK(coif_groom_init(&groom, lengths, 3, &arena, &error), error);
    for (int32_t s = 0; s < 3; ++s) {
        const coif_mat3 frame = coif_mesh_frame(&body, 0, 0.0f, 0.1f * (float)s);
        groom.root_barycentric[2 * s + 1] = 0.1f * (float)s;
        memcpy(groom.root_frame + 9 * s, &frame, sizeof frame);
        for (int32_t k = 0; k < lengths[s]; ++k) {
            const float high = 0.4f * (float)k / (float)(lengths[s] - 1);
            groom.rest.points[groom.rest.first[s] + k] =
                (coif_vec4){0.1f * (float)s, high, 0.0f, 0.0f};
        }
    }
    groom.mesh_digest = coif_mesh_topology_digest(&body);
    coif_groom_bind(&groom, 0.3, &arena);
    coif_strands simulated = simulated_of(&groom);
    simulated.velocities = coif_arena_new(&arena, simulated.point_count, coif_vec3);
    for (int32_t k = 0; k < 5; ++k) {
        const float along = 0.1f * (float)k;
        simulated.points[k] = (coif_vec4){0.8f * along, 0.6f * along, 0.0f, 0.0f};
        simulated.velocities[k].z = along;
    }
    const coif_strands all = expand(&simulated, &groom, &body);
    for (int32_t s = 0; s < 3; ++s) {
        for (int32_t k = 0; k < lengths[s]; ++k) {
            const float along = 0.4f * (float)k / (float)(lengths[s] - 1);
            const int32_t i = all.first[s] + k;
            CHECK_NEAR(all.points[i].x, 0.1f * (float)s + 0.8f * along, 1e-6);
            CHECK_NEAR(all.points[i].y, 0.6f * along, 1e-6);
            CHECK_NEAR(all.velocities[i].z, along, 1e-6);
        }
    }
}

TEST(colors_come_from_the_groom_or_the_guides)
{
    const coif_mesh body = make_body();
    coif_groom groom = make_groom(&body, 20, 0.5, false);
    coif_strands simulated = simulated_of(&groom);
    simulated.colors = coif_arena_new(&arena, simulated.point_count, coif_vec3);
    for (int32_t i = 0; i < simulated.point_count; ++i) {
        simulated.colors[i].y = 0.5f;
    }
    coif_strands all = expand(&simulated, &groom, &body);
    CHECK_NEAR(all.colors[all.point_count - 1].y, 0.5, 1e-6);
    groom.rest.colors = coif_arena_new(&arena, groom.rest.point_count, coif_vec3);
    groom.rest.colors[groom.rest.point_count - 1].y = 0.75f;
    all = expand(&simulated, &groom, &body);
    CHECK_NEAR(all.colors[all.point_count - 1].y, 0.75, 0.0);
    CHECK_NEAR(all.colors[0].y, 0.5, 0.0);
    simulated.colors = NULL;
    all = expand(&simulated, &groom, &body);
    CHECK_NEAR(all.colors[0].y, 0.0, 0.0);
}

TEST(collapsed_guides_give_no_nan)
{
    const coif_mesh body = make_body();
    const coif_groom groom = make_groom(&body, 30, 0.1, true);
    const coif_strands simulated = simulated_of(&groom);
    for (int32_t i = 0; i < simulated.point_count; ++i) {
        simulated.points[i] = simulated.points[0];
    }
    // And a child whose own points coincide.
    for (int32_t i = groom.rest.first[29]; i < groom.rest.first[30]; ++i) {
        groom.rest.points[i] = groom.rest.points[groom.rest.first[29]];
    }
    const coif_strands all = expand(&simulated, &groom, &body);
    CHECK(coif_strands_find_invalid(&all) == -1);
}

TEST(results_do_not_depend_on_threads)
{
    const coif_mesh body = make_body();
    const coif_groom groom = make_groom(&body, 3000, 0.1, true);
    const coif_strands simulated = simulated_of(&groom);
    bend(&simulated);
    const coif_strands alone = expand(&simulated, &groom, &body);
    coif_jobs *jobs;
    coif_error error = {0};
    CHECK_OK(coif_jobs_open(&jobs, 3, &arena, &error), error);
    coif_strands all;
    CHECK_OK(coif_interpolate_children(&all, &simulated, &groom, &body, &arena, jobs, &error),
             error);
    coif_jobs_close(jobs);
    CHECK(coif_strands_digest(&all) == coif_strands_digest(&alone));
}

TEST(the_wrong_body_or_frame_is_rejected)
{
    const coif_mesh body = make_body();
    const coif_groom groom = make_groom(&body, 30, 0.5, true);
    const coif_strands simulated = simulated_of(&groom);
    coif_mesh other = body;
    other.triangle_count = 1;
    coif_strands all;
    coif_error error = {0};
    CHECK(coif_interpolate_children(&all, &simulated, &groom, &other, &arena, NULL, &error) ==
          COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "is not the scalp of the groom");
    CHECK(coif_interpolate_children(&all, &simulated, &groom, NULL, &arena, NULL, NULL) ==
          COIF_ERR_SCENE);
    error = (coif_error){0};
    CHECK(coif_interpolate_children(&all, &groom.rest, &groom, &body, &arena, NULL, &error) ==
          COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "30 strands, expected the 15 simulated ones of the groom");
    groom.root_triangle[29] = 2;
    error = (coif_error){0};
    CHECK(coif_interpolate_children(&all, &simulated, &groom, &body, &arena, NULL, &error) ==
          COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "the root of strand 29 is on triangle 2 of a mesh of 2");
}
