// SDF samples equal distances to the triangles, also on a rotated body.
#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "sim/solver/contact_query.h"
#define COIF_LANES 4
#include "core/collision/sdf_simd.h"
#include "tests/support/hair_fixture.h"
#include "tests/support/mesh_shapes.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

static coif_vec3 random_position(uint32_t i, float size)
{
    return coif_vec3_of((coif_random_unit(7, i, 0) - 0.5f) * size,
                        (coif_random_unit(7, i, 1) - 0.5f) * size,
                        (coif_random_unit(7, i, 2) - 0.5f) * size);
}

// A ball with a thin fin like an ear on its right.
static coif_mesh ball_with_fin(void)
{
    coif_mesh mesh = shape_sphere(coif_vec3_of(0, 0, 0), 0.05f, 10, &arena);
    for (int32_t v = 0; v < mesh.vertex_count; ++v) {
        coif_vec3 *p = &mesh.positions[v];
        if (fabsf(p->z) < 0.006f && p->x > 0.03f) {
            *p = coif_vec3_of(p->x * 1.3f, p->y, p->z * 0.3f);
        }
    }
    return mesh;
}

// Turned about y by degrees and shifted: heads and necks. Fraction scales the rotation of a point.
static coif_vec3 turned(coif_vec3 p, float degrees, float fraction)
{
    const double angle = (double)(degrees * fraction) * M_PI / 180.0;
    const float s = (float)sin(angle);
    const float c = (float)cos(angle);
    return coif_vec3_of(c * p.x + s * p.z + 0.005f * fraction, p.y, c * p.z - s * p.x);
}

static coif_vec3 *turned_mesh(const coif_mesh *mesh, float degrees, const float *fractions)
{
    coif_vec3 *out = coif_arena_new(&arena, mesh->vertex_count, coif_vec3);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        out[v] = turned(mesh->positions[v], degrees, fractions != NULL ? fractions[v] : 1.0f);
    }
    return out;
}

TEST(sure_cells_know_the_distance)
{
    const coif_mesh mesh = ball_with_fin();
    coif_collider collider;
    coif_collider_build(&collider, &mesh, &arena);
    coif_collider_build_sdf(&collider, &mesh, &arena);
    CHECK(collider.sdf != NULL && collider.sdf->valid);
    int32_t near = 0;
    int32_t sure = 0;
    int32_t wrong = 0;
    for (uint32_t i = 0; i < 20000; ++i) {
        const coif_vec3 p = random_position(i, 0.15f);
        coif_closest_point nearest;
        coif_collider_closest_point(
            &nearest, &collider,
            &(coif_closest_point_query){.position = p, .max_distance = 1.0f, .hint = -1});
        const float bound = sdf_lower_bound_at(collider.sdf, p);
        wrong += fabsf(bound) > fabsf(nearest.distance) + 1e-6f;
        wrong += bound < 0.0f && nearest.distance > 0.0f;
        if (nearest.distance > 0.005f || nearest.distance < -0.002f) {
            continue;
        }
        ++near;
        coif_sdf_sample answer;
        if (coif_sdf_eval(&answer, collider.sdf, p)) {
            ++sure;
            wrong += fabsf(answer.distance - nearest.distance) > 6e-4f;
        }
    }
    CHECK(near > 500);
    CHECK(sure > 0.6 * near);
    CHECK(wrong == 0);
}

static void query_random_positions(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const coif_collider *collider = context;
    for (int64_t i = begin; i < end; ++i) {
        coif_sdf_sample sample;
        coif_sdf_eval(&sample, collider->sdf, random_position((uint32_t)i % 5000, 0.15f));
    }
}

// Bricks are sampled where queries come, once each, with the same values from any thread.
TEST(bricks_are_sampled_on_demand)
{
    const coif_mesh mesh = ball_with_fin();
    coif_error error = {0};
    coif_jobs *jobs = NULL;
    CHECK_OK(coif_jobs_open(&jobs, 4, &arena, &error), error);
    coif_collider colliders[2];
    for (int i = 0; i < 2; ++i) {
        coif_collider_build(&colliders[i], &mesh, &arena);
        coif_collider_build_sdf(&colliders[i], &mesh, &arena);
    }
    const coif_sdf *one = colliders[0].sdf;
    const coif_sdf *many = colliders[1].sdf;
    CHECK(coif_sdf_brick_count(one) == 0);
    coif_sdf_sample sample;
    coif_sdf_eval(&sample, one, coif_vec3_of(0.0f, 0.05f, 0.0f));
    CHECK(coif_sdf_brick_count(one) == 1);
    query_random_positions(&colliders[0], 0, 5000, 0);
    coif_parallel_for(jobs, 20000, 16, query_random_positions, &colliders[1]);
    CHECK(coif_sdf_brick_count(one) > 20);
    CHECK(coif_sdf_brick_count(one) == coif_sdf_brick_count(many));
    coif_collider copied;
    coif_collider_copy(&copied, &colliders[1], &mesh, &arena);
    for (int32_t b = 0; b < one->size[0] * one->size[1] * one->size[2]; ++b) {
        const coif_sdf_brick *a = coif_sdf_brick_of(one, b);
        const coif_sdf_brick *others[2] = {coif_sdf_brick_of(many, b),
                                           coif_sdf_brick_of(copied.sdf, b)};
        for (int i = 0; i < 2; ++i) {
            CHECK((a == NULL) == (others[i] == NULL));
            CHECK(a == NULL || memcmp(a, others[i], sizeof *a) == 0);
        }
    }
    coif_jobs_close(jobs);
}

// Tolerance of distances: metres, and a fraction.
typedef struct allowance {
    float metres, fraction;
} allowance;

// Between the ends of a frame a turning body is a little smaller than itself.
static const allowance TURNED = {1e-5f, 2e-3f};

// What is sheared by a third is not as far away as at rest, and large triangles of it are flat.
static const allowance TWISTED = {1.5e-4f, 0.06f};

// Whether sampled and searched colliders agree on a moved body.
static int32_t disagreements(const coif_collider *sampled, const coif_collider *searched,
                             allowance off)
{
    int32_t wrong = 0;
    for (uint32_t i = 0; i < 3000; ++i) {
        const coif_closest_point_query search = {.position = random_position(i, 0.25f),
                                                 .time = (float)(i % 5) * 0.25f,
                                                 .max_distance = 0.03f,
                                                 .hint = -1};
        coif_closest_point a;
        coif_closest_point b;
        const bool found[2] = {coif_collider_closest_point(&a, sampled, &search),
                               coif_collider_closest_point(&b, searched, &search)};
        const bool on_the_edge = fabsf(b.distance) > 0.0299f - off.fraction * 0.03f;
        wrong += found[0] != found[1] && !on_the_edge;
        if (found[0] && found[1]) {
            wrong += fabsf(a.distance - b.distance) > off.metres + off.fraction * fabsf(b.distance);
            wrong += coif_length(coif_sub(a.motion, b.motion)) >
                     1e-3f + 0.2f * coif_length(coif_sub(a.point, b.point));
        }
    }
    return wrong;
}

TEST(turned_bodies_are_found_where_their_triangles_are)
{
    const coif_mesh mesh = ball_with_fin();
    coif_collider sampled;
    coif_collider searched;
    coif_collider_build(&sampled, &mesh, &arena);
    coif_collider_build_sdf(&sampled, &mesh, &arena);
    coif_collider_build(&searched, &mesh, &arena);
    const coif_vec3 *begin = turned_mesh(&mesh, 20.0f, NULL);
    const coif_vec3 *end = turned_mesh(&mesh, 26.0f, NULL);
    coif_collider_refit(&sampled, begin, end);
    coif_collider_refit(&searched, begin, end);
    CHECK(sampled.sdf->valid && sampled.bvh_at_rest);
    CHECK(disagreements(&sampled, &searched, TURNED) == 0);
}

static const float NECK_LOW = -0.015f, NECK_HIGH = 0.015f;

static float fraction_at(float height)
{
    const float x = coif_clamp((height - NECK_LOW) / (NECK_HIGH - NECK_LOW), 0.0f, 1.0f);
    return x * x * (3.0f - 2.0f * x);
}

// The upper part turns, the lower one stays, and what is between them is twisted.
static coif_mesh twisted_mesh(const coif_mesh *mesh, float degrees)
{
    float *fractions = coif_arena_new(&arena, mesh->vertex_count, float);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        fractions[v] = fraction_at(mesh->positions[v].y);
    }
    coif_mesh posed = *mesh;
    posed.positions = turned_mesh(mesh, degrees, fractions);
    posed.height_deform = coif_arena_new(&arena, 1, coif_height_deform);
    posed.height_deform->low = NECK_LOW;
    posed.height_deform->high = NECK_HIGH;
    for (int32_t i = 0; i <= COIF_HEIGHT_DEFORM_LEVELS; ++i) {
        const float height =
            NECK_LOW + (float)i / COIF_HEIGHT_DEFORM_LEVELS * (NECK_HIGH - NECK_LOW);
        const coif_vec3 corner[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
        coif_vec3 to[3];
        for (int c = 0; c < 3; ++c) {
            to[c] = turned(corner[c], degrees, fraction_at(height));
        }
        posed.height_deform->level[i] = coif_affine_fit(corner, to);
    }
    return posed;
}

TEST(necks_are_found_where_their_triangles_are)
{
    const coif_mesh mesh = shape_sphere(coif_vec3_of(0, 0, 0), 0.05f, 10, &arena);
    coif_collider sampled;
    coif_collider searched;
    coif_collider_build(&sampled, &mesh, &arena);
    coif_collider_build_sdf(&sampled, &mesh, &arena);
    coif_collider_build(&searched, &mesh, &arena);
    const coif_mesh begin = twisted_mesh(&mesh, 4.0f);
    const coif_mesh end = twisted_mesh(&mesh, 8.0f);
    coif_collider_refit_posed(&sampled, &begin, &end);
    coif_collider_refit(&searched, begin.positions, end.positions);
    CHECK(sampled.sdf->valid && sampled.sdf->motion->deforms);
    CHECK(disagreements(&sampled, &searched, TWISTED) == 0);
}

// What bends is searched as a whole, and sampled again when it is itself.
TEST(bodies_that_bend_are_searched)
{
    const coif_mesh mesh = ball_with_fin();
    coif_collider sampled;
    coif_collider searched;
    coif_collider_build(&sampled, &mesh, &arena);
    coif_collider_build_sdf(&sampled, &mesh, &arena);
    coif_collider_build(&searched, &mesh, &arena);
    coif_vec3 *bent = turned_mesh(&mesh, 10.0f, NULL);
    bent[5].y += 0.001f;
    coif_collider_refit(&sampled, mesh.positions, bent);
    coif_collider_refit(&searched, mesh.positions, bent);
    CHECK(!sampled.sdf->valid && !sampled.bvh_at_rest);
    CHECK(disagreements(&sampled, &searched, TURNED) == 0);
    coif_collider_refit(&sampled, mesh.positions, mesh.positions);
    CHECK(sampled.sdf->valid && sampled.bvh_at_rest);
}

TEST(flat_and_broken_meshes_are_searched_too)
{
    coif_mesh flat = shape_alloc(3, 2, &arena);
    for (int i = 0; i < 6; ++i) {
        flat.indices[i] = i % 2;
    }
    coif_collider collider;
    coif_collider_build(&collider, &flat, &arena);
    coif_collider_build_sdf(&collider, &flat, &arena);
    CHECK(collider.sdf == NULL); // all in one line
    flat.positions[1] = coif_vec3_of(NAN, 0.0f, 0.0f);
    coif_collider_build_sdf(&collider, &flat, &arena);
    CHECK(collider.sdf == NULL);
}
