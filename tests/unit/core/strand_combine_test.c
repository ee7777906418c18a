// Weighted sums of strands keep rigid motion, roots and lengths.
#include "core/hair/strand_combine.h"

#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

enum { STRANDS = 700, POINTS = 9 };

// Curly strands of 10 to 20 cm with roots on the unit sphere.
static coif_strands make_strands(uint32_t seed)
{
    int32_t lengths[STRANDS];
    for (int32_t s = 0; s < STRANDS; ++s) {
        lengths[s] = POINTS - s % 3;
    }
    coif_strands strands;
    coif_error error = {0};
    CHECK_OK(coif_strands_init(&strands, lengths, STRANDS, &arena, &error), error);
    for (int32_t s = 0; s < STRANDS; ++s) {
        const coif_vec3 root =
            coif_normalize(coif_vec3_of(coif_random_unit(1, (uint64_t)s, 0) - 0.5f,
                                        coif_random_unit(1, (uint64_t)s, 1) - 0.5f, 0.3f));
        for (int32_t k = 0; k < lengths[s]; ++k) {
            const coif_vec3 curl = {coif_random_unit(seed, (uint64_t)s, (uint32_t)(2 * k)),
                                    coif_random_unit(seed, (uint64_t)s, (uint32_t)(2 * k + 1)), 0};
            const coif_vec3 p =
                coif_mad(coif_scale(root, 1.0f + 0.015f * (float)k), k > 0 ? 0.02f : 0.0f, curl);
            strands.points[strands.first[s] + k] = (coif_vec4){p.x, p.y, p.z, 1e-4f};
        }
    }
    return strands;
}

static coif_strands empty_like(const coif_strands *strands)
{
    coif_strands result = *strands;
    result.points = coif_arena_new(&arena, strands->point_count, coif_vec4);
    return result;
}

// The head at an angle: a turn about y and a step.
static coif_mat3 turn(double angle)
{
    const float c = (float)cos(angle), s = (float)sin(angle);
    return (coif_mat3){{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
}

static coif_vec3 moved(coif_vec3 p, double angle)
{
    const coif_mat3 rotation = turn(angle);
    return coif_add(coif_mat3_apply(&rotation, p), coif_vec3_of((float)angle, 0.1f, 0));
}

static coif_strands pose(const coif_strands *strands, double angle)
{
    coif_strands posed = empty_like(strands);
    for (int32_t i = 0; i < strands->point_count; ++i) {
        const coif_vec3 p = moved(coif_vec4_xyz(strands->points[i]), angle);
        posed.points[i] = (coif_vec4){p.x, p.y, p.z, strands->points[i].w};
    }
    return posed;
}

// Rows of axes are the images of the unit vectors: columns of the rotation.
static coif_root_frame *roots_at(const coif_strands *strands, double angle)
{
    coif_root_frame *roots = coif_arena_new(&arena, STRANDS, coif_root_frame);
    const coif_mat3 rotation = turn(angle);
    for (int32_t s = 0; s < STRANDS; ++s) {
        roots[s].origin = moved(coif_vec4_xyz(strands->points[strands->first[s]]), angle);
        for (int a = 0; a < 3; ++a) {
            const coif_vec3 unit = {a == 0, a == 1, a == 2};
            roots[s].axes.row[a] = coif_mat3_apply(&rotation, unit);
        }
    }
    return roots;
}

static double segment(const coif_strands *strands, int32_t i)
{
    const coif_vec4 a = strands->points[i - 1], b = strands->points[i];
    return sqrt(pow((double)b.x - (double)a.x, 2) + pow((double)b.y - (double)a.y, 2) +
                pow((double)b.z - (double)a.z, 2));
}

static double largest_distance(const coif_strands *a, const coif_strands *b)
{
    double largest = 0.0;
    for (int32_t i = 0; i < a->point_count; ++i) {
        largest = fmax(largest, (double)coif_length(coif_sub(coif_vec4_xyz(a->points[i]),
                                                             coif_vec4_xyz(b->points[i]))));
    }
    return largest;
}

static bool same_bits(const coif_strands *a, const coif_strands *b)
{
    return memcmp(a->points, b->points, (size_t)a->point_count * sizeof *a->points) == 0;
}

TEST(a_single_weight_gives_the_bits_of_its_term)
{
    const coif_strands a = make_strands(2), b = make_strands(3);
    coif_strands result = empty_like(&a);
    for (int which = 0; which < 2; ++which) {
        const coif_combine_term terms[] = {{&a, NULL, which == 0 ? 1.0f : 0.0f},
                                           {&b, NULL, which == 1 ? 1.0f : 0.0f}};
        coif_strands_combine(&result, &(coif_combine_desc){.terms = terms, .term_count = 2});
        CHECK(same_bits(&result, which == 0 ? &a : &b));
    }
}

TEST(blended_strands_have_blended_lengths_and_the_same_roots)
{
    const coif_strands a = make_strands(2), b = make_strands(3);
    coif_strands result = empty_like(&a);
    const coif_combine_term terms[] = {{&a, NULL, 0.3f}, {&b, NULL, 0.7f}};
    coif_strands_combine(&result, &(coif_combine_desc){.terms = terms, .term_count = 2});
    CHECK(largest_distance(&result, &a) > 0.005 && largest_distance(&result, &b) > 0.002);
    double error = 0.0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        const int32_t root = a.first[s];
        CHECK(memcmp(&result.points[root], &a.points[root], 3 * sizeof(float)) == 0);
        for (int32_t i = root + 1; i < a.first[s + 1]; ++i) {
            const double wanted = 0.3 * segment(&a, i) + 0.7 * segment(&b, i);
            error = fmax(error, fabs(segment(&result, i) - wanted));
        }
    }
    CHECK(error < 1e-6);
}

// Weights of a cubic sample, one of them negative: strands that turn with the head are reproduced,
// although the mean of their positions is not on the arc.
TEST(rigid_motion_is_reproduced)
{
    static const float weights[] = {0.5625f, 0.5625f, -0.0625f, -0.0625f};
    static const double angles[] = {0.0, 0.6, -0.6, 1.2};
    const coif_strands still = make_strands(2);
    coif_strands posed[4], result = empty_like(&still);
    coif_combine_term terms[4];
    for (int i = 0; i < 4; ++i) {
        posed[i] = pose(&still, angles[i]);
        terms[i] = (coif_combine_term){&posed[i], roots_at(&still, angles[i]), weights[i]};
    }
    const coif_combine_desc desc = {
        .terms = terms, .term_count = 4, .roots = roots_at(&still, 0.3)};
    coif_strands_combine(&result, &desc);
    const coif_strands wanted = pose(&still, 0.3);
    CHECK(largest_distance(&result, &wanted) < 1e-6);
}

TEST(the_root_of_a_term_in_the_pose_is_exact)
{
    const coif_strands still = make_strands(2), now = pose(&still, 0.4), later = pose(&still, 0.7);
    coif_strands result = empty_like(&still);
    const coif_combine_term terms[] = {{&now, NULL, 0.5f}, {&later, roots_at(&still, 0.7), 0.5f}};
    const coif_combine_desc desc = {
        .terms = terms, .term_count = 2, .roots = roots_at(&still, 0.4)};
    coif_strands_combine(&result, &desc);
    CHECK(largest_distance(&result, &now) < 1e-6);
    for (int32_t s = 0; s < STRANDS; ++s) {
        CHECK(memcmp(&result.points[now.first[s]], &now.points[now.first[s]], 12) == 0);
    }
}

TEST(a_mask_leads_from_the_first_term_to_the_sum)
{
    const coif_strands a = make_strands(2), b = make_strands(3);
    coif_strands whole = empty_like(&a), result = empty_like(&a);
    const coif_combine_term terms[] = {{&a, NULL, 0.5f}, {&b, NULL, 0.5f}};
    const coif_combine_term quarter[] = {{&a, NULL, 0.75f}, {&b, NULL, 0.25f}};
    float mask[STRANDS];
    for (int32_t s = 0; s < STRANDS; ++s) {
        mask[s] = 0.5f * (float)(s % 3);
    }
    coif_strands_combine(&result,
                         &(coif_combine_desc){.terms = terms, .term_count = 2, .mask = mask});
    for (int step = 0; step < 3; ++step) {
        const coif_combine_desc desc = {.terms = step == 1 ? quarter : terms,
                                        .term_count = step == 0 ? 1 : 2};
        coif_combine_term only = {&a, NULL, 1.0f};
        const coif_combine_desc first = {.terms = &only, .term_count = 1};
        coif_strands_combine(&whole, step == 0 ? &first : &desc);
        for (int32_t s = step; s < STRANDS; s += 3) {
            CHECK(memcmp(&result.points[a.first[s]], &whole.points[a.first[s]],
                         (size_t)coif_strands_length(&a, s) * sizeof(coif_vec4)) == 0);
        }
    }
}

TEST(opposite_strands_keep_their_lengths)
{
    coif_strands a = make_strands(2), b = empty_like(&a), result = empty_like(&a);
    for (int32_t s = 0; s < STRANDS; ++s) {
        const coif_vec3 root = coif_vec4_xyz(a.points[a.first[s]]);
        for (int32_t i = a.first[s]; i < a.first[s + 1]; ++i) {
            const coif_vec3 p = coif_sub(coif_scale(root, 2.0f), coif_vec4_xyz(a.points[i]));
            b.points[i] = (coif_vec4){p.x, p.y, p.z, 1e-4f};
        }
    }
    const coif_combine_term terms[] = {{&a, NULL, 0.5f}, {&b, NULL, 0.5f}};
    coif_strands_combine(&result, &(coif_combine_desc){.terms = terms, .term_count = 2});
    CHECK(coif_strands_find_invalid(&result) < 0);
    for (int32_t i = 1; i < POINTS; ++i) {
        CHECK_NEAR(segment(&result, i), segment(&a, i), 1e-6);
    }
}

TEST(results_do_not_depend_on_threads)
{
    const coif_strands a = make_strands(2), b = make_strands(3);
    const coif_combine_term terms[] = {{&a, NULL, 0.3f}, {&b, NULL, 0.7f}};
    coif_combine_desc desc = {.terms = terms, .term_count = 2};
    coif_strands one = empty_like(&a), three = empty_like(&a);
    coif_strands_combine(&one, &desc);
    coif_error error = {0};
    CHECK_OK(coif_jobs_open(&desc.jobs, 3, &arena, &error), error);
    coif_strands_combine(&three, &desc);
    coif_jobs_close(desc.jobs);
    CHECK(same_bits(&one, &three));
}

// On a body at rest the posed root frames are those stored in the groom.
TEST(root_frames_are_those_of_the_groom)
{
    static coif_vec3 positions[] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}};
    static coif_vec3 normals[] = {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}};
    static int32_t indices[] = {0, 1, 2};
    const coif_mesh body = {.vertex_count = 3,
                            .triangle_count = 1,
                            .positions = positions,
                            .normals = normals,
                            .indices = indices};
    const int32_t length = 3;
    coif_groom groom;
    coif_error error = {0};
    CHECK_OK(coif_groom_init(&groom, &length, 1, &arena, &error), error);
    groom.root_barycentric[0] = groom.root_barycentric[1] = 0.25f;
    const coif_mat3 frame = coif_mesh_frame(&body, 0, 0.25f, 0.25f);
    memcpy(groom.root_frame, &frame, sizeof frame);
    groom.rest.points[0] = (coif_vec4){0.25f, 0, 0.25f, 1e-4f};
    coif_root_frame posed, rest;
    coif_root_frames_posed(&posed, &groom, &body);
    coif_root_frames_rest(&rest, &groom, groom.rest.points);
    CHECK(memcmp(&posed, &rest, sizeof posed) == 0);
}

TEST(velocities_of_changed_strands_are_differences)
{
    coif_strands now = make_strands(2);
    const coif_strands before = pose(&now, 0.0);
    coif_strands after = empty_like(&now);
    for (int32_t i = 0; i < now.point_count; ++i) {
        after.points[i] = before.points[i];
        after.points[i].y += 0.125f;
    }
    now.velocities = coif_arena_new(&arena, now.point_count, coif_vec3);
    bool changed[STRANDS];
    coif_strands other = empty_like(&now);
    memcpy(other.points, now.points, (size_t)now.point_count * sizeof *now.points);
    other.points[now.first[1]].x += 0.5f;
    coif_strands_compare(changed, &now, &other);
    CHECK(!changed[0] && changed[1] && !changed[2]);
    coif_strands_difference(&now, changed, &before, &after, 0.25);
    CHECK_NEAR(now.velocities[now.first[1]].y, 0.5, 1e-6);
    CHECK(now.velocities[0].y == 0.0f && now.velocities[now.first[2]].y == 0.0f);
}
