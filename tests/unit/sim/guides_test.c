// Guides: some strands are simulated, the others are interpolated from them.
#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "core/hair/child_interpolation.h"
#include "core/hair/frame_cache.h"
#include "plugins/host/host.h"
#include "sim/run/simulate.h"
#include "tests/support/sim_run.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

// Straight strands of three points on a square of 20 cm, each leaning in a direction of its own.
static coif_groom make_groom(int32_t count, bool sorted)
{
    coif_groom groom;
    coif_error error = {0};
    int32_t *lengths = coif_arena_new(&arena, count, int32_t);
    for (int32_t s = 0; s < count; ++s) {
        lengths[s] = 3;
    }
    CHECK_OK(coif_groom_init(&groom, lengths, count, &arena, &error), error);
    for (int32_t s = 0; s < count; ++s) {
        const float x = sorted ? (float)s / (float)count : coif_random_unit(1, (uint64_t)s, 0);
        const float z = coif_random_unit(1, (uint64_t)s, 1);
        const float lean = x < 0.5f ? -0.05f : 0.05f; // a parting in the middle
        for (int k = 0; k < 3; ++k) {
            groom.rest.points[3 * s + k] =
                (coif_vec4){0.2f * x + lean * (float)k, 0.02f * (float)k, 0.2f * z, 4e-5f};
        }
        groom.root_frame[9 * s + 7] = 1.0f;
        groom.random[s] = coif_random_word(7, (uint64_t)s, 0);
    }
    return groom;
}

// Every prefix of the order is spread evenly over the quarters, though strands are sorted.
TEST(every_beginning_of_the_order_is_spread)
{
    enum { COUNT = 1000 };
    const coif_groom groom = make_groom(COUNT, true);
    int32_t order[COUNT];
    bool seen[COUNT] = {false};
    coif_groom_low_discrepancy_order(order, &groom, &arena);
    int32_t quarter[4] = {0};
    for (int32_t i = 0; i < COUNT; ++i) {
        CHECK(order[i] >= 0 && order[i] < COUNT && !seen[order[i]]);
        seen[order[i]] = true;
        const coif_vec4 root = groom.rest.points[3 * order[i]];
        ++quarter[(root.x > 0.1f) + 2 * (root.z > 0.1f)];
        for (int q = 0; i >= 15 && q < 4; ++q) {
            CHECK(quarter[q] > 0.15 * (i + 1) && quarter[q] < 0.36 * (i + 1));
        }
    }
}

// Fewer guides are among more of them, and are stored in the order of strands.
TEST(guides_of_a_smaller_fraction_are_a_subset)
{
    coif_groom groom = make_groom(300, true);
    int32_t order[300];
    bool before[300] = {false};
    coif_groom_low_discrepancy_order(order, &groom, &arena);
    for (int i = 1; i <= 3; ++i) {
        const coif_guide_binding_desc binding = {.fraction = 0.1 * i, .order = order};
        coif_groom_bind_children(&groom, &binding, &arena, &arena);
        CHECK(groom.simulated_count == 30 * i);
        bool now[300] = {false};
        for (int32_t g = 0; g < groom.simulated_count; ++g) {
            now[groom.simulated[g]] = true;
            CHECK(g == 0 || groom.simulated[g] > groom.simulated[g - 1]);
        }
        for (int32_t s = 0; s < 300; ++s) {
            CHECK(now[s] || !before[s]);
            before[s] = now[s];
        }
    }
}

// Hair on one side of a parting does not follow hair on the other.
TEST(guides_are_of_the_same_side)
{
    int32_t across[2] = {0, 0};
    for (int alike = 0; alike < 2; ++alike) {
        coif_groom groom = make_groom(2000, false);
        const coif_guide_binding_desc binding = {.fraction = 0.1, .match_orientation = alike};
        coif_groom_bind_children(&groom, &binding, &arena, &arena);
        for (int32_t s = groom.simulated_count; s < 2000; ++s) {
            const bool left = groom.rest.points[3 * s].x < 0.1f;
            for (int i = 0; i < 3; ++i) {
                const int32_t guide = groom.simulated[groom.guides[3 * s + i]];
                across[alike] += (groom.rest.points[3 * guide].x < 0.1f) != left;
            }
        }
    }
    CHECK(across[0] > 50);
    CHECK(across[1] == 0);
}

// Regions stay separate, however near; a region too small for the fraction still has a guide, and
// a fraction of 0 has none.
TEST(guides_are_of_the_same_region)
{
    enum { COUNT = 2000 };
    static int32_t region[COUNT];
    coif_groom groom = make_groom(COUNT, false);
    for (int32_t s = 0; s < COUNT; ++s) {
        region[s] = (int32_t)(groom.rest.points[3 * s].x * 60.0f) * 7 - 3;
    }
    region[1500] = 1000;
    region[1700] = 1000;
    const coif_guide_binding_desc binding = {
        .fraction = 0.05, .match_orientation = true, .region = region};
    coif_groom_bind_children(&groom, &binding, &arena, &arena);
    CHECK(groom.simulated_count >= 101 && groom.simulated_count < 115);
    for (int32_t s = 0; s < COUNT; ++s) {
        float sum = 0.0f;
        for (int i = 0; i < 3; ++i) {
            const int32_t guide = groom.guides[3 * s + i];
            CHECK(guide == -1 || region[groom.simulated[guide]] == region[s]);
            sum += groom.guide_weights[3 * s + i];
        }
        CHECK_NEAR(sum, 1.0, 1e-6);
    }
    CHECK(groom.simulated[groom.guides[3 * 1700]] == 1500 && groom.guides[3 * 1700 + 1] == -1);
    const coif_guide_binding_desc none = {.fraction = 0.0, .region = region};
    coif_groom_bind_children(&groom, &none, &arena, &arena);
    CHECK(groom.simulated_count == 0);
}

// Two sheets of skin 2 mm apart that face away from each other, as front and back of an ear: the
// nearest root is behind, and no strand follows it.
TEST(the_other_side_of_an_ear_is_far_away)
{
    enum { COUNT = 1000 };
    coif_groom groom = make_groom(COUNT, false);
    for (int32_t s = 0; s < COUNT; ++s) {
        const float side = s % 2 == 0 ? 1.0f : -1.0f;
        groom.root_frame[9 * s + 6] = groom.root_frame[9 * s + 7] = 0.0f;
        groom.root_frame[9 * s + 8] = side;
        const coif_vec3 root = {0.06f * coif_random_unit(8, (uint64_t)s, 0),
                                0.06f * coif_random_unit(8, (uint64_t)s, 1), 0.001f * side};
        for (int32_t k = 0; k < 3; ++k) {
            groom.rest.points[3 * s + k] = (coif_vec4){root.x, root.y - 0.01f * (float)k,
                                                       root.z + side * 0.0005f * (float)k, 0};
        }
    }
    const coif_guide_binding_desc binding = {.fraction = 0.1, .match_orientation = true};
    coif_groom_bind_children(&groom, &binding, &arena, &arena);
    int32_t across = 0;
    for (int32_t s = 0; s < COUNT; ++s) {
        for (int i = 0; i < 3 && groom.guides[3 * s + i] >= 0; ++i) {
            across += (groom.simulated[groom.guides[3 * s + i]] - s) % 2 != 0;
        }
    }
    CHECK(across == 0);
}

TEST(clones_follow_one_strand_with_individual_offsets)
{
    coif_groom groom = make_groom(400, false), back;
    const coif_guide_binding_desc binding = {
        .fraction = 0.1, .match_orientation = true, .clump = true, .variation = 0.5f};
    coif_groom_bind_children(&groom, &binding, &arena, &arena);
    coif_error error = {0};
    CHECK_OK(coif_groom_save(&groom, coif_test_path("w.groom"), &error), error);
    CHECK_OK(coif_groom_load(&back, coif_test_path("w.groom"), &arena, &error), error);
    CHECK(memcmp(groom.clump_scale, back.clump_scale, 800 * sizeof(float)) == 0);
    float least = 2.0f, most = 0.0f;
    for (int32_t s = 0; s < 400; ++s) {
        CHECK(groom.guides[3 * s] >= 0 && groom.guides[3 * s + 1] == -1);
        CHECK(groom.guide_weights[3 * s] == 1.0f);
        CHECK(s >= 40 ||
              (groom.clump_scale[2 * s] == 1.0f && groom.clump_scale[2 * s + 1] == 1.0f));
        least = fminf(least, groom.clump_scale[2 * s]);
        most = fmaxf(most, groom.clump_scale[2 * s]);
    }
    CHECK(least > 0.74f && least < 0.8f && most > 1.2f && most < 1.26f);
    groom.clump_scale[77] = NAN;
    CHECK_OK(coif_groom_save(&groom, coif_test_path("w.groom"), &error), error);
    CHECK(coif_groom_load(&back, coif_test_path("w.groom"), &arena, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "strand 38: clump scale");
}

typedef struct outcome {
    coif_groom groom;
    coif_strands all; // of frame 10
} outcome;

// Frame 10 of a head that turns, every strand of it.
static outcome simulate(const char *folder, const char *sim, int threads)
{
    outcome result;
    coif_error error = {0};
    const char *text = coif_arena_print(
        &arena,
        "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\",\n"
        "   \"rotate\": {\"keys\": [[1, [0, 0, 0]], [10, [0, 60, 20]]]}}],\n"
        " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"group\": \"scalp\",\n"
        "   \"count\": 400, \"points\": 10, \"length\": 0.12,\n"
        "   \"maps\": [{\"name\": \"right\", \"plugin\": \"density.slope\",\n"
        "     \"direction\": [1, 0, 0], \"angle\": 90, \"softness\": 0}]}],\n"
        " \"sim\": {\"quantise\": false, \"solver\": \"der\", \"last_frame\": 10, \"warmup_time\": "
        "0.2,\n"
        "   \"gravity_compensation\": 0, \"stiffness\": 0.2%s}}\n",
        sim);
    const coif_scene scene = ball_scene(text, NULL, &arena);
    coif_jobs *jobs;
    CHECK_OK(coif_jobs_open(&jobs, threads, &arena, &error), error);
    const char *own = coif_arena_copy_text(&arena, coif_test_path(folder));
    const coif_simulate_desc run = {.scene = &scene, .folder = own};
    CHECK_OK(coif_simulate(&run, jobs, NULL, &error), error);
    const coif_strands simulated = load_strands(&result.groom, own, "hair", 10, &arena);
    coif_body body;
    coif_mesh posed;
    const coif_node *node = &coif_node_at(scene.root, "bodies")->children[0];
    CHECK_OK(coif_body_load(&body, node, &scene, &arena, &error), error);
    CHECK_OK(coif_body_pose(&posed, &body, 10, &arena, &error), error);
    CHECK_OK(coif_interpolate_children(&result.all, &simulated, &result.groom, &posed, &arena, jobs,
                                       &error),
             error);
    coif_jobs_close(jobs);
    return result;
}

static double distance_between(const outcome *a, const outcome *b)
{
    double sum = 0.0;
    CHECK(a->all.point_count == b->all.point_count);
    for (int32_t i = 0; i < a->all.point_count; ++i) {
        sum += (double)coif_length(
            coif_sub(coif_vec4_xyz(a->all.points[i]), coif_vec4_xyz(b->all.points[i])));
    }
    return sum / a->all.point_count;
}

static double stretch_of(const outcome *all)
{
    double worst = 0.0;
    for (int32_t s = 0; s < all->all.strand_count; ++s) {
        for (int32_t i = all->all.first[s]; i + 1 < all->all.first[s + 1]; ++i) {
            const coif_vec4 *p = all->all.points, *q = all->groom.rest.points;
            const double now = coif_length(coif_sub(coif_vec4_xyz(p[i + 1]), coif_vec4_xyz(p[i])));
            const double then = coif_length(coif_sub(coif_vec4_xyz(q[i + 1]), coif_vec4_xyz(q[i])));
            worst = fmax(worst, fabs(now / then - 1.0));
        }
    }
    return worst;
}

// A fifth of the strands moved carries the others to where they would have gone by themselves,
// more of them nearer; none at all leaves hair stiff. Lengths are kept.
TEST(children_go_where_they_would_have_gone)
{
    const outcome whole = simulate("whole", "", 2);
    const outcome fifth = simulate("fifth", ", \"simulated_fraction\": 0.2", 2);
    const outcome few = simulate("few", ", \"simulated_fraction\": 0.02", 2);
    const outcome stiff = simulate("stiff", ", \"simulated_fraction\": 0", 2);
    CHECK(whole.groom.simulated_count == 400 && fifth.groom.simulated_count == 80);
    CHECK(few.groom.simulated_count == 8 && stiff.groom.simulated_count == 0);
    const double none = distance_between(&stiff, &whole);
    CHECK(none > 0.01);
    CHECK(distance_between(&few, &whole) < 0.5 * none);
    CHECK(distance_between(&fifth, &whole) < 0.5 * distance_between(&few, &whole));
    CHECK(stretch_of(&fifth) < 1e-4);
    const outcome again = simulate("again", ", \"simulated_fraction\": 0.2", 3);
    CHECK(coif_strands_digest(&again.all) == coif_strands_digest(&fifth.all));
}

// Clones of a wisp keep their lengths and near their strand, but no two are the same.
TEST(wisps_stay_together_and_vary)
{
    static const char sim[] =
        ", \"simulated_fraction\": 0.05, \"child_mode\": \"clump\", \"clump_variation\": %s";
    const outcome whole = simulate("whole", "", 2);
    const outcome stiff = simulate("stiff", ", \"simulated_fraction\": 0", 2);
    const outcome wisps = simulate("wisps", coif_arena_print(&arena, sim, "0.5"), 2);
    const outcome clones = simulate("clones", coif_arena_print(&arena, sim, "0"), 2);
    CHECK(stretch_of(&wisps) < 1e-4);
    CHECK(distance_between(&wisps, &clones) > 1e-4);
    CHECK(distance_between(&wisps, &whole) < 0.5 * distance_between(&stiff, &whole));
}

// A map says where clones differ from their strand, and where they are all alike.
TEST(wisps_vary_where_a_map_says_so)
{
    const outcome hair = simulate("mapped",
                                  ", \"simulated_fraction\": 0.05, \"child_mode\": \"clump\", "
                                  "\"clump_variation\": {\"map\": \"right\", \"range\": [0, 0.8]}",
                                  2);
    int32_t right = 0, left = 0;
    for (int32_t s = hair.groom.simulated_count; s < hair.groom.rest.strand_count; ++s) {
        const float across = hair.groom.root_frame[9 * s + 6]; // of the normal
        const float *clone = hair.groom.clump_scale + 2 * (int64_t)s;
        right += across > 0.01f && fabsf(clone[0] - 1.0f) > 1e-3f;
        left += across < -0.01f;
        CHECK(across > -0.01f || (clone[0] == 1.0f && clone[1] == 1.0f));
        CHECK(fabsf(clone[0] - 1.0f) <= 0.4f);
    }
    CHECK(right > 150 && left > 150);
}
