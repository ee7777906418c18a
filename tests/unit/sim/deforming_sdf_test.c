// The SDF of a deforming body equals distances to its triangles, and hair on it stays outside as
// well as by closest points.
#include "core/collision/deforming_sdf.h"

#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "tests/support/hair_fixture.h"
#include "tests/support/mesh_shapes.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

static coif_vec3 random_position(uint32_t i, float size)
{
    return coif_vec3_of((coif_random_unit(11, i, 0) - 0.5f) * size,
                        (coif_random_unit(11, i, 1) - 0.5f) * size,
                        (coif_random_unit(11, i, 2) - 0.5f) * size);
}

// A ball that swells and shrinks in waves and rises; amount: of the frame.
static coif_vec3 pulsed(coif_vec3 p, float amount)
{
    const float swell = 1.0f + 0.03f * amount * sinf(12.0f * p.y + 3.0f * amount);
    return coif_vec3_of(p.x * swell, p.y + 0.004f * amount, p.z * swell);
}

// A finger that bends about x.
static coif_vec3 bent(coif_vec3 p, float amount)
{
    const float angle = 3.0f * amount * (p.y > 0.0f ? p.y : 0.0f);
    return coif_vec3_of(p.x, cosf(angle) * p.y - sinf(angle) * p.z,
                        sinf(angle) * p.y + cosf(angle) * p.z);
}

typedef coif_vec3 deformation(coif_vec3 p, float amount);

static const coif_vec3 *deformed(const coif_mesh *mesh, deformation *deform, float amount)
{
    coif_vec3 *out = coif_arena_new(&arena, mesh->vertex_count, coif_vec3);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        out[v] = deform(mesh->positions[v], amount);
    }
    return out;
}

static coif_mesh ball(void)
{
    return shape_sphere(coif_vec3_of(0, 0, 0), 0.08f, 20, &arena);
}

static coif_mesh finger(void)
{
    return coif_shape_ellipsoid(coif_vec3_of(0, 0, 0), coif_vec3_of(0.02f, 0.09f, 0.02f), 20,
                                &arena);
}

static coif_collider *collider_of(const coif_mesh *mesh, bool sampled)
{
    coif_collider *collider = coif_arena_new(&arena, 1, coif_collider);
    coif_mesh *kept = coif_arena_new(&arena, 1, coif_mesh);
    *kept = *mesh;
    coif_collider_build(collider, kept, &arena);
    if (sampled) {
        coif_collider_build_sdf(collider, kept, &arena);
    }
    return collider;
}

// Queries that were answered, by result, and wrong answers.
typedef struct answers {
    int32_t count[3], wrong;
    int32_t unknown_near; // within 5 mm
} answers;

static answers compare(const coif_mesh *mesh, deformation *deform, float from, float to)
{
    coif_collider *sampled = collider_of(mesh, true);
    coif_collider *searched = collider_of(mesh, false);
    const coif_vec3 *begin = deformed(mesh, deform, from), *end = deformed(mesh, deform, to);
    coif_collider_refit(sampled, begin, end);
    coif_collider_refit(searched, begin, end);
    CHECK(!sampled->sdf->valid);
    answers got = {{0}, 0, 0};
    for (uint32_t i = 0; i < 20000; ++i) {
        const coif_closest_point_query query = {.position = random_position(i, 0.24f),
                                                .time = (float)(i % 11) / 10.0f,
                                                .max_distance = 1.0f,
                                                .hint = -1};
        coif_closest_point a, b;
        CHECK(coif_collider_closest_point(&b, searched, &query));
        const coif_deforming_sdf_result result =
            coif_deforming_sdf_query(&a, sampled->deforming, query.position, query.time);
        ++got.count[result];
        if (result == COIF_DEFORMING_SDF_UNKNOWN) {
            got.unknown_near += fabsf(b.distance) < 0.005f;
        } else if (result == COIF_DEFORMING_SDF_FAR) {
            got.wrong += !(a.distance > 0.0f) || a.distance > fabsf(b.distance);
        } else {
            got.wrong += !(fabsf(a.distance - b.distance) < 4e-4f + 0.02f * fabsf(b.distance));
            got.wrong += fabsf(b.distance) < 0.005f && b.distance > 0.0f &&
                         coif_dot(a.normal, b.normal) < 0.97f;
            got.wrong += !(coif_length(coif_sub(a.motion, b.motion)) < 5e-4f);
        }
    }
    return got;
}

TEST(distances_are_those_of_the_triangles)
{
    const coif_mesh shapes[2] = {ball(), finger()};
    deformation *const deform[2] = {pulsed, bent};
    for (int i = 0; i < 2; ++i) {
        const answers got = compare(&shapes[i], deform[i], 0.6f, 0.8f);
        CHECK(got.wrong == 0);
        CHECK(got.count[COIF_DEFORMING_SDF_NEAR] > 300);
        CHECK(got.count[COIF_DEFORMING_SDF_FAR] > 5000);
        CHECK(got.unknown_near < got.count[COIF_DEFORMING_SDF_NEAR] / 10);
    }
}

static coif_vec3 torn(coif_vec3 p, float amount)
{
    return coif_vec3_of(p.x + (p.y > 0.0f ? 0.01f * amount : 0.0f), p.y, p.z);
}

static coif_vec3 thrown(coif_vec3 p, float amount)
{
    return coif_vec3_of(p.x * (1.0f + 0.1f * amount), p.y + 0.5f * amount, p.z);
}

static coif_vec3 infinite(coif_vec3 p, float amount)
{
    return p.y > 0.07f && amount > 0.7f ? coif_vec3_of(INFINITY, NAN, 0.0f) : pulsed(p, amount);
}

// Where no affine map fits, and where the body moves too far, the BVH has to be queried.
TEST(what_is_not_smooth_is_searched)
{
    const coif_mesh mesh = ball();
    const answers cut = compare(&mesh, torn, 0.6f, 0.8f);
    CHECK(cut.wrong == 0);
    CHECK(cut.unknown_near > 20);
    CHECK(compare(&mesh, thrown, 0.0f, 1.0f).count[COIF_DEFORMING_SDF_UNKNOWN] == 20000);
    coif_collider *broken = collider_of(&mesh, true);
    coif_collider_refit(broken, deformed(&mesh, infinite, 0.6f), deformed(&mesh, infinite, 0.8f));
    coif_closest_point nearest;
    CHECK(coif_deforming_sdf_query(&nearest, broken->deforming, coif_vec3_of(0.0f, 0.05f, 0.0f),
                                   0.5f) == COIF_DEFORMING_SDF_UNKNOWN);
}

// A body that becomes rigid again is queried by its SDF alone.
TEST(rest_poses_need_no_maps)
{
    const coif_mesh mesh = ball();
    coif_collider *collider = collider_of(&mesh, true);
    coif_collider_refit(collider, mesh.positions, deformed(&mesh, pulsed, 0.5f));
    CHECK(!collider->sdf->valid);
    coif_collider_refit(collider, mesh.positions, mesh.positions);
    CHECK(collider->sdf->valid && collider->bvh_at_rest);
}

enum { QUERIES = 8000 };

typedef struct query_ctx {
    coif_deforming_sdf *deforming;
    coif_closest_point *nearest;
    bool backwards;
} query_ctx;

static void query_positions(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const query_ctx *ctx = context;
    for (int64_t i = begin; i < end; ++i) {
        const int64_t k = ctx->backwards ? QUERIES - 1 - i : i;
        ctx->nearest[k] = (coif_closest_point){0};
        coif_deforming_sdf_query(&ctx->nearest[k], ctx->deforming,
                                 random_position((uint32_t)k, 0.2f), (float)(k % 7) / 6.0f);
    }
}

TEST(order_and_threads_change_no_bit)
{
    coif_error error = {0};
    coif_jobs *jobs = NULL;
    CHECK_OK(coif_jobs_open(&jobs, 4, &arena, &error), error);
    const coif_mesh mesh = ball();
    query_ctx ctx[2];
    for (int i = 0; i < 2; ++i) {
        coif_collider *collider = collider_of(&mesh, true);
        ctx[i] = (query_ctx){collider->deforming,
                             coif_arena_new(&arena, QUERIES, coif_closest_point), i == 1};
        for (int frame = 0; frame < 3; ++frame) {
            const float amount = 0.1f * (float)frame;
            coif_collider_refit(collider, deformed(&mesh, pulsed, amount),
                                deformed(&mesh, pulsed, amount + 0.1f));
            coif_parallel_for(i == 1 ? jobs : NULL, QUERIES, 16, query_positions, &ctx[i]);
        }
    }
    CHECK(memcmp(ctx[0].nearest, ctx[1].nearest, QUERIES * sizeof(coif_closest_point)) == 0);
    coif_jobs_close(jobs);
}

// Deepest point of hair that lies on a pulsing ball, over all frames, and the mean distance.
typedef struct depths {
    float deepest, mean;
} depths;

static depths drape(bool sampled)
{
    enum { POINTS = 24, STRANDS = 24 };
    const coif_mesh mesh = ball();
    coif_vec3 shape[POINTS];
    for (int32_t k = 0; k < POINTS; ++k) {
        shape[k] = coif_vec3_of(0.008f * (float)k - 0.09f, 0.095f, -0.04f);
    }
    coif_sim_params params = bare_params();
    params.friction = 0.3f;
    params.max_depenetration_speed = 1.0f;
    params.root_boundary = COIF_ROOT_FREE;
    const hair_fixture_desc desc = {.shape = shape,
                                    .length = POINTS,
                                    .strand_count = STRANDS,
                                    .spread = 0.003f,
                                    .params = params};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    coif_collider *collider = collider_of(&mesh, sampled);
    coif_collider *exact = collider_of(&mesh, false);
    hair.bodies = collider;
    hair.body_count = 1;
    depths got = {0.0f, 0.0f};
    int32_t near = 0;
    for (int frame = 0; frame < 24; ++frame) {
        const float from = sinf(0.4f * (float)frame), to = sinf(0.4f * (float)(frame + 1));
        const coif_vec3 *begin = deformed(&mesh, pulsed, from), *end = deformed(&mesh, pulsed, to);
        coif_collider_refit(collider, begin, end);
        coif_collider_refit(exact, end, end);
        fixture_run(&hair, 1);
        for (int32_t i = 0; i < POINTS * STRANDS; ++i) {
            const coif_closest_point_query query = {
                .position = hair.positions[i], .max_distance = 0.01f, .hint = -1};
            coif_closest_point nearest;
            if (coif_collider_closest_point(&nearest, exact, &query)) {
                got.deepest = fminf(got.deepest, nearest.distance);
                got.mean += nearest.distance;
                ++near;
            }
        }
    }
    CHECK(near > 1000);
    got.mean /= (float)near;
    return got;
}

TEST(hair_enters_no_deeper_than_by_closest_points)
{
    const depths searched = drape(false), sampled = drape(true);
    printf("deepest %.3f mm by closest points, %.3f mm by maps; mean %.3f and %.3f mm\n",
           -1e3 * (double)searched.deepest, -1e3 * (double)sampled.deepest,
           1e3 * (double)searched.mean, 1e3 * (double)sampled.mean);
    CHECK(sampled.deepest > searched.deepest - 2e-4f);
    CHECK_NEAR(sampled.mean, searched.mean, 3e-4);
}
