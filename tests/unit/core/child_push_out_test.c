// Children stay out of the body, keep their lengths, and are corrected continuously.
#include "core/hair/child_push_out.h"

#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "core/collision/sdf.h"
#include "core/hair/child_interpolation.h"
#include "tests/support/mesh_shapes.h"
#include "tests/support/test.h"

enum { STRANDS = 1000, POINTS = 20, GUIDES = STRANDS / 10 };

static coif_arena arena;

static const float RADIUS = 0.08f, LENGTH = 0.2f;

// Straight hair all over a ball.
static coif_groom make_groom(const coif_mesh *ball)
{
    int32_t lengths[STRANDS];
    for (int32_t s = 0; s < STRANDS; ++s) {
        lengths[s] = POINTS;
    }
    coif_groom groom;
    coif_error error = {0};
    CHECK_OK(coif_groom_init(&groom, lengths, STRANDS, &arena, &error), error);
    for (int32_t s = 0; s < STRANDS; ++s) {
        const float unit = coif_random_unit(1, (uint64_t)s, 0);
        const int32_t triangle = (int32_t)(unit * (float)ball->triangle_count);
        const coif_surface_point root = coif_mesh_at(ball, triangle, 0.3f, 0.3f);
        const coif_mat3 frame = coif_mesh_frame(ball, triangle, 0.3f, 0.3f);
        groom.root_triangle[s] = triangle;
        groom.root_barycentric[2 * s] = groom.root_barycentric[2 * s + 1] = 0.3f;
        memcpy(groom.root_frame + 9 * s, &frame, sizeof frame);
        for (int32_t k = 0; k < POINTS; ++k) {
            const coif_vec3 p =
                coif_mad(root.position, LENGTH * (float)k / (POINTS - 1), root.normal);
            groom.rest.points[groom.rest.first[s] + k] = (coif_vec4){p.x, p.y, p.z, 5e-5f};
        }
    }
    groom.mesh_digest = coif_mesh_topology_digest(ball);
    coif_groom_bind(&groom, (double)GUIDES / STRANDS, &arena);
    return groom;
}

// Guides after gravity and wind, at a time from 0 to 1: they bend over the ball, each by its own
// amount.
static coif_strands bent_guides(const coif_groom *groom, float time)
{
    coif_strands strands;
    coif_error error = {0};
    CHECK_OK(coif_groom_simulated(&strands, groom, &arena, &error), error);
    for (int32_t s = 0; s < strands.strand_count; ++s) {
        const float own = 0.7f + 0.6f * coif_random_unit(2, (uint64_t)s, 0);
        for (int32_t k = 1; k < POINTS; ++k) {
            const float along = LENGTH * (float)k / (POINTS - 1);
            coif_vec4 *p = &strands.points[strands.first[s] + k];
            p->y -= 1.4f * own * time * along;
            p->x += 0.8f * own * along;
        }
    }
    return strands;
}

typedef struct posed_hair {
    coif_strands before, after;
} posed_hair;

static posed_hair expand(const coif_groom *groom, const coif_collider *collider,
                         const coif_mesh *pose, const coif_strands *guides, coif_jobs *jobs)
{
    posed_hair hair;
    coif_error error = {0};
    CHECK_OK(coif_interpolate_children(&hair.before, guides, groom, pose, &arena, jobs, &error),
             error);
    hair.after = hair.before;
    hair.after.points = coif_arena_new(&arena, hair.before.point_count, coif_vec4);
    memcpy(hair.after.points, hair.before.points,
           sizeof(coif_vec4) * (size_t)hair.before.point_count);
    coif_push_children_out(&hair.after, groom, collider, 1.0f, jobs);
    return hair;
}

typedef struct depths {
    int32_t inside;
    float deepest;
} depths;

static depths measure(const coif_strands *strands)
{
    depths result = {0};
    for (int32_t s = GUIDES; s < STRANDS; ++s) {
        for (int32_t k = strands->first[s] + 1; k < strands->first[s + 1]; ++k) {
            const float depth = RADIUS - coif_length(coif_vec4_xyz(strands->points[k]));
            result.inside += depth > 1e-4f; // the ball has facets
            result.deepest = fmaxf(result.deepest, depth);
        }
    }
    return result;
}

static void check_lengths(const coif_strands *a, const coif_strands *b)
{
    for (int32_t s = 0; s < STRANDS; ++s) {
        for (int32_t k = a->first[s]; k + 1 < a->first[s + 1]; ++k) {
            const coif_vec3 old =
                coif_sub(coif_vec4_xyz(a->points[k + 1]), coif_vec4_xyz(a->points[k]));
            const coif_vec3 new =
                coif_sub(coif_vec4_xyz(b->points[k + 1]), coif_vec4_xyz(b->points[k]));
            CHECK_NEAR(coif_length(new), coif_length(old), 1e-6);
        }
    }
}

static coif_mesh open_ball(coif_collider *collider)
{
    const coif_mesh ball = shape_sphere(coif_vec3_of(0, 0, 0), RADIUS, 24, &arena);
    coif_mesh *kept = coif_arena_new(&arena, 1, coif_mesh);
    *kept = ball;
    coif_child_collider_build(collider, kept, &arena);
    return ball;
}

TEST(children_stay_out_of_the_body)
{
    coif_collider collider;
    const coif_mesh ball = open_ball(&collider);
    const coif_groom groom = make_groom(&ball);
    const coif_strands guides = bent_guides(&groom, 1.0f);
    const posed_hair hair = expand(&groom, &collider, &ball, &guides, NULL);
    CHECK(measure(&hair.before).inside > 100 && measure(&hair.before).deepest > 0.01f);
    const depths after = measure(&hair.after);
    CHECK(after.inside * 1000 <= STRANDS * POINTS && after.deepest < 5e-4f);
    check_lengths(&hair.before, &hair.after);
    const size_t simulated = sizeof(coif_vec4) * GUIDES * POINTS;
    CHECK(memcmp(hair.before.points, hair.after.points, simulated) == 0);
    // At rest nothing is corrected.
    const coif_strands rest = bent_guides(&groom, 0.0f);
    for (int32_t i = 0; i < rest.point_count; ++i) {
        rest.points[i] = groom.rest.points[i];
    }
    const posed_hair resting = expand(&groom, &collider, &ball, &rest, NULL);
    CHECK(coif_strands_digest(&resting.before) == coif_strands_digest(&resting.after));
}

TEST(corrections_have_the_same_bits_on_any_number_of_threads)
{
    coif_collider colliders[2];
    const coif_mesh ball = open_ball(&colliders[0]);
    open_ball(&colliders[1]);
    const coif_groom groom = make_groom(&ball);
    const coif_strands guides = bent_guides(&groom, 0.8f);
    coif_error error = {0};
    coif_jobs *jobs = NULL;
    CHECK_OK(coif_jobs_open(&jobs, 4, &arena, &error), error);
    const posed_hair one = expand(&groom, &colliders[0], &ball, &guides, NULL);
    const posed_hair many = expand(&groom, &colliders[1], &ball, &guides, jobs);
    CHECK(coif_strands_digest(&one.after) == coif_strands_digest(&many.after));
    coif_jobs_close(jobs);
}

// A deformed body has no valid SDF and is queried by its triangles.
TEST(children_stay_out_of_deforming_bodies)
{
    coif_collider collider;
    const coif_mesh ball = open_ball(&collider);
    const coif_groom groom = make_groom(&ball);
    coif_mesh egg = ball;
    egg.positions = coif_arena_new(&arena, ball.vertex_count, coif_vec3);
    for (int32_t v = 0; v < ball.vertex_count; ++v) {
        const coif_vec3 p = ball.positions[v];
        egg.positions[v] = coif_vec3_of(p.x, p.y < 0.0f ? 1.4f * p.y : p.y, p.z);
    }
    coif_collider_refit_posed(&collider, &egg, &egg);
    CHECK(!collider.sdf->valid);
    const coif_strands guides = bent_guides(&groom, 1.0f);
    const posed_hair hair = expand(&groom, &collider, &egg, &guides, NULL);
    int32_t inside[2] = {0};
    for (int32_t i = GUIDES * POINTS; i < hair.after.point_count; ++i) {
        for (int which = 0; which < 2; ++which) {
            coif_vec3 p = coif_vec4_xyz((which == 0 ? &hair.before : &hair.after)->points[i]);
            p.y = p.y < 0.0f ? p.y / 1.4f : p.y;
            inside[which] += coif_length(p) < RADIUS - 5e-4f;
        }
    }
    CHECK(inside[0] > 100 && inside[1] * 1000 <= STRANDS * POINTS);
}

// Between two close frames the correction changes no more than a small multiple of what the hair
// moves.
TEST(corrections_do_not_pop)
{
    enum { FRAMES = 60 };
    coif_collider collider;
    const coif_mesh ball = open_ball(&collider);
    const coif_groom groom = make_groom(&ball);
    posed_hair before = {0};
    float worst = 0.0f, largest = 0.0f;
    for (int32_t f = 0; f <= FRAMES; ++f) {
        const coif_strands guides = bent_guides(&groom, (float)f / FRAMES);
        const posed_hair hair = expand(&groom, &collider, &ball, &guides, NULL);
        for (int32_t i = 0; f > 0 && i < hair.after.point_count; ++i) {
            const coif_vec3 moved = coif_sub(coif_vec4_xyz(hair.after.points[i]),
                                             coif_vec4_xyz(before.after.points[i]));
            const coif_vec3 wanted = coif_sub(coif_vec4_xyz(hair.before.points[i]),
                                              coif_vec4_xyz(before.before.points[i]));
            worst = fmaxf(worst, coif_length(coif_sub(moved, wanted)));
            largest = fmaxf(largest, coif_length(wanted));
        }
        before = hair;
    }
    CHECK(worst > 0.0f && worst < largest);
}
