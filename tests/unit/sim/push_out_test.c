// Points inside a body are moved out of it; lengths and hair outside stay.
#include "sim/cache/push_out.h"

#include "core/base/jobs.h"
#include "core/collision/primitive_colliders.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

enum { STRANDS = 40, POINTS = 20 };

static const coif_primitive_pose BALLS[2] = {
    {.ends = {{0, 0, 0}, {0, 0, 0}}, .radius = 0.05f},
    {.ends = {{0.07f, 0, 0}, {0.07f, 0, 0}}, .radius = 0.04f},
};

// Horizontal strands of 20 cm from left to right, at growing heights.
static coif_strands make_strands(void)
{
    int32_t lengths[STRANDS];
    for (int32_t s = 0; s < STRANDS; ++s) {
        lengths[s] = POINTS;
    }
    coif_strands strands;
    coif_error error = {0};
    CHECK_OK(coif_strands_init(&strands, lengths, STRANDS, &arena, &error), error);
    for (int32_t i = 0; i < strands.point_count; ++i) {
        strands.points[i] = (coif_vec4){-0.08f + 0.2f * (float)(i % POINTS) / (POINTS - 1),
                                        0.002f * (float)(i / POINTS), 0.001f, 5e-5f};
    }
    return strands;
}

static double height_above(const coif_primitive_pose *ball, coif_vec4 p)
{
    return (double)coif_length(coif_sub(coif_vec4_xyz(p), ball->ends[0])) - (double)ball->radius;
}

static coif_push_out_stats push(coif_strands *strands, float distance, coif_jobs *jobs)
{
    static coif_primitive primitives[2];
    static coif_collider colliders[2];
    for (int c = 0; c < 2; ++c) {
        primitives[c].shape = COIF_PRIMITIVE_SPHERE;
        coif_primitive_move(&colliders[c], &primitives[c], &BALLS[c], &BALLS[c]);
    }
    const coif_push_out_desc desc = {colliders, 2, distance, jobs};
    return coif_push_out(strands, &desc);
}

TEST(no_point_stays_inside_and_lengths_stay)
{
    const coif_strands before = make_strands();
    coif_strands strands = make_strands();
    const coif_push_out_stats stats = push(&strands, 0.002f, NULL);
    CHECK(stats.points == STRANDS * POINTS && stats.moved > 200);
    CHECK(stats.largest > 0.02 && stats.largest < 0.12 && stats.average < stats.largest);
    int64_t moved = 0;
    for (int32_t i = 0; i < strands.point_count; ++i) {
        for (int c = 0; c < 2; ++c) {
            CHECK(height_above(&BALLS[c], strands.points[i]) > 0.97 * 0.00205);
        }
        moved += memcmp(&strands.points[i], &before.points[i], sizeof(coif_vec4)) != 0;
        if (i % POINTS > 0) {
            const coif_vec3 edge =
                coif_sub(coif_vec4_xyz(strands.points[i]), coif_vec4_xyz(strands.points[i - 1]));
            CHECK_NEAR(coif_length(edge), 0.2 / (POINTS - 1), 1e-6);
        }
    }
    CHECK(moved == stats.moved);
}

TEST(hair_outside_keeps_its_bits)
{
    const coif_strands before = make_strands();
    coif_strands strands = make_strands();
    push(&strands, 0.0f, NULL);
    const int32_t clear = 26 * POINTS; // 52 mm and higher
    CHECK(memcmp(strands.points + clear, before.points + clear,
                 (size_t)(strands.point_count - clear) * sizeof(coif_vec4)) == 0);
    CHECK(memcmp(strands.points, before.points, POINTS * sizeof(coif_vec4)) != 0);
}

TEST(results_do_not_depend_on_threads)
{
    coif_strands one = make_strands(), three = make_strands();
    coif_jobs *jobs;
    coif_error error = {0};
    CHECK_OK(coif_jobs_open(&jobs, 3, &arena, &error), error);
    push(&one, 0.002f, NULL);
    push(&three, 0.002f, jobs);
    coif_jobs_close(jobs);
    CHECK(memcmp(one.points, three.points, (size_t)one.point_count * sizeof(coif_vec4)) == 0);
}
