// force regions: forces act within their region, on the grooms they name, and by their amount.
#include "core/base/log.h"
#include "core/body/attachment.h"
#include "tests/support/sim_run.h"

static coif_arena arena = {.name = "test"};

enum { LAST = 4 };

// Two grooms in weak gravity, so that hair stands; forces are inserted.
static const char SCENE[] =
    "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\", \"collide\": false}],\n"
    " \"forces\": [%s],\n"
    " \"grooms\": [{\"name\": \"crown\", \"body\": \"head\", \"count\": 150, \"points\": 8,\n"
    "     \"length\": 0.05, \"tags\": [\"short\", \"top\"],\n"
    "     \"maps\": [{\"name\": \"none\", \"plugin\": \"density.constant\", \"value\": 0},\n"
    "       {\"name\": \"half\", \"plugin\": \"density.constant\", \"value\": 0.5}]},\n"
    "   {\"name\": \"fringe\", \"body\": \"head\", \"count\": 10, \"points\": 8,\n"
    "     \"length\": 0.05}],\n"
    " \"sim\": {\"last_frame\": 4, \"warmup_time\": 0, \"quantise\": false, \"substeps\": 3,\n"
    "   \"gravity\": [0, 0, 0], \"solver\": \"der\", \"drag\": 20}}\n";

#define WIND "{\"plugin\": \"wind.uniform\", \"velocity\": [4, 0, 2]"

static sim_run run_with(const char *forces)
{
    coif_log_setup(COIF_LOG_ERROR, false);
    return (sim_run){.scene = coif_arena_print(&arena, SCENE, forces)};
}

static coif_strands blown(const char *forces, const char *groom)
{
    const sim_run run = run_with(forces);
    return simulate_scene(&run, groom, LAST, &arena);
}

static bool all_equal(const coif_strands *a, const coif_strands *b)
{
    return coif_strands_digest(a) == coif_strands_digest(b);
}

TEST(a_force_in_a_ball_moves_hair_inside_of_the_ball_alone)
{
    const coif_strands still = blown("", "crown");
    const coif_strands wind = blown(WIND ", \"region\": \"ball\", \"region_center\": [0.1, 0, 0],"
                                         "\"region_radius\": 0.05, \"region_falloff\": 0.02}",
                                    "crown");
    int inside = 0;
    int outside = 0;
    for (int32_t s = 0; s < still.strand_count; ++s) {
        float nearest = INFINITY;
        for (int32_t i = still.first[s]; i < still.first[s + 1]; ++i) {
            const coif_vec3 at = coif_vec4_xyz(still.points[i]);
            nearest = fminf(nearest, coif_length(coif_sub(at, coif_vec3_of(0.1f, 0, 0))));
        }
        if (nearest > 0.07f) {
            ++outside;
            CHECK(strands_are_equal(&still, &wind, s));
        } else if (nearest < 0.05f) {
            ++inside;
            CHECK(!strands_are_equal(&still, &wind, s));
        }
    }
    CHECK(inside > 3 && outside > 20);
}

TEST(a_region_around_all_hair_gives_the_bits_of_a_force_without_one)
{
    const coif_strands everywhere = blown(WIND "}", "crown");
    const coif_strands ball = blown(WIND ", \"region\": \"ball\", \"region_radius\": 9}", "crown");
    const coif_strands box =
        blown(WIND ", \"region\": \"box\", \"region_size\": [9, 9, 9]}", "crown");
    CHECK(all_equal(&everywhere, &ball));
    CHECK(all_equal(&everywhere, &box));
}

TEST(a_force_acts_on_the_grooms_that_it_names)
{
    const coif_strands still[2] = {blown("", "crown"), blown("", "fringe")};
    const coif_strands wind[2] = {blown(WIND "}", "crown"), blown(WIND "}", "fringe")};
    const struct {
        const char *affects;
        bool crown, fringe;
    } cases[] = {{"\"fringe\"", false, true},
                 {"[\"top\"]", true, false},
                 {"\"top fringe\"", true, true},
                 {"[]", true, true}};
    for (size_t i = 0; i < COIF_COUNT_OF(cases); ++i) {
        const char *force = coif_arena_print(&arena, WIND ", \"affects\": %s}", cases[i].affects);
        const coif_strands crown = blown(force, "crown");
        const coif_strands fringe = strands_of("fringe", LAST, &arena);
        CHECK(all_equal(&crown, cases[i].crown ? &wind[0] : &still[0]));
        CHECK(all_equal(&fringe, cases[i].fringe ? &wind[1] : &still[1]));
    }
}

TEST(an_unknown_tag_is_an_error_that_names_the_grooms)
{
    coif_error error = {0};
    const sim_run run = run_with(WIND ", \"affects\": [\"crown\", \"fring\"]}");
    CHECK(try_simulate(&run, &arena, &error) == COIF_ERR_SCENE);
    CHECK(strstr(error.text, "/forces/0/affects: \"fring\" is not the name or a tag of one of "
                             "the grooms, did you mean \"fringe\"?") != NULL);
}

// Frame 1 is the rest shape, so keys from frame 2 on have the effect of constants.
TEST(amount_scales_the_wind_and_follows_its_keys)
{
    const coif_strands half =
        blown("{\"plugin\": \"wind.uniform\", \"velocity\": [2, 0, 1]}", "crown");
    const coif_strands scaled = blown(WIND ", \"amount\": 0.5}", "crown");
    const coif_strands keyed =
        blown(WIND ", \"amount\": {\"keys\": [[1, 0], [1.25, 0.5]]}}", "crown");
    const coif_strands still = blown("", "crown");
    const coif_strands off =
        blown(WIND ", \"enabled\": {\"keys\": [[1, false], [9, true]]}}", "crown");
    CHECK(all_equal(&half, &scaled));
    CHECK(all_equal(&half, &keyed));
    CHECK(!all_equal(&half, &still));
    CHECK(all_equal(&off, &still));
}

TEST(a_mask_scales_the_force_by_a_map_of_the_roots_and_along_the_strand)
{
    const coif_strands still[2] = {blown("", "crown"), blown("", "fringe")};
    const coif_strands half = blown(WIND ", \"amount\": 0.5}", "crown");
    const coif_strands none = blown(WIND ", \"mask\": {\"map\": \"none\"}}", "crown");
    const coif_strands other = strands_of("fringe", LAST, &arena); // without that map
    const coif_strands mapped = blown(WIND ", \"mask\": {\"map\": \"half\"}}", "crown");
    const coif_strands tip =
        blown(WIND ", \"mask\": {\"value\": 1, \"ramp\": [[0, 0], [1, 0]]}}", "crown");
    CHECK(all_equal(&none, &still[0]));
    CHECK(!all_equal(&other, &still[1]));
    CHECK(all_equal(&mapped, &half));
    CHECK(all_equal(&tip, &still[0]));
}

static coif_strands masked_by(float first, float second)
{
    sim_run run = run_with(WIND ", \"mask\": {\"map\": \"half\"}}");
    run.set = coif_arena_print(
        &arena, "grooms/crown/maps/half/value={\"keys\": [[1, %g], [2, %g]]}", first, second);
    return simulate_scene(&run, "crown", LAST, &arena);
}

TEST(a_mask_follows_the_keys_of_its_map)
{
    const coif_strands before = masked_by(0.5f, 0.5f);
    const coif_strands after = masked_by(0.2f, 0.2f);
    const coif_strands keyed = masked_by(0.5f, 0.2f);
    CHECK(all_equal(&keyed, &after));
    CHECK(!all_equal(&before, &after));
}

TEST(scaled_forces_have_the_same_bits_for_all_threads_and_kernels)
{
    sim_run run = run_with(
        WIND ", \"region\": \"ball\", \"region_radius\": 0.08, \"region_center\": [0.1, 0, 0],"
             "\"amount\": {\"keys\": [[1, 0], [4, 3]]},"
             "\"parent\": \"head\", \"mask\": {\"map\": \"half\", \"ramp\": [[0, 0.1], [1, 1]]}}");
    const coif_strands first = simulate_scene(&run, "crown", LAST, &arena);
    for (int threads = 1; threads <= 3; threads += 2) {
        run.threads = threads;
        run.kernel = threads == 1 ? "wide4" : "auto";
        const coif_strands again = simulate_scene(&run, "crown", LAST, &arena);
        CHECK(all_equal(&first, &again));
    }
}

// The head is turned by 90 degrees about y.
static const char TURNED[] =
    "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\", \"collide\": false,\n"
    "     \"rotate\": [0, 90, 0], \"translate\": [0, 0.3, 0]}],\n"
    " \"forces\": [%s],\n"
    " \"grooms\": [{\"name\": \"crown\", \"body\": \"head\", \"count\": 150, \"points\": 8,\n"
    "     \"length\": 0.05}],\n"
    " \"sim\": {\"last_frame\": 3, \"warmup_time\": 0, \"quantise\": false, \"substeps\": 3,\n"
    "   \"gravity\": [0, 0, 0], \"solver\": \"der\", \"drag\": 20}}\n";

static double largest_difference(const char *first, const char *second)
{
    coif_strands strands[2];
    const char *const forces[2] = {first, second};
    for (int i = 0; i < 2; ++i) {
        const sim_run run = {.scene = coif_arena_print(&arena, TURNED, forces[i])};
        strands[i] = simulate_scene(&run, "crown", 3, &arena);
    }
    double largest = 0.0;
    for (int32_t i = 0; i < strands[0].point_count; ++i) {
        const coif_vec3 a = coif_vec4_xyz(strands[0].points[i]);
        const coif_vec3 b = coif_vec4_xyz(strands[1].points[i]);
        largest = fmax(largest, (double)coif_length(coif_sub(a, b)));
    }
    return largest;
}

// A rotation by 90 degrees about y takes x to -z and z to x.
TEST(a_force_rides_on_its_parent)
{
    coif_log_setup(COIF_LOG_ERROR, false);
    const char *fixed = "{\"plugin\": \"wind.fan\", \"position\": [0, 0.4, -0.3],"
                        "\"target\": [0, 0.3, 0], \"region\": \"box\","
                        "\"region_center\": [0, 0.36, -0.08], \"region_size\": [0.3, 0.2, 0.1],"
                        "\"region_falloff\": 0.03}";
    const char *riding = "{\"plugin\": \"wind.fan\", \"position\": [0.3, 0.1, 0],"
                         "\"target\": [0, 0, 0], \"region\": \"box\", \"parent\": \"head\","
                         "\"region_center\": [0.08, 0.06, 0], \"region_size\": [0.1, 0.2, 0.3],"
                         "\"region_falloff\": 0.03}";
    CHECK(largest_difference(fixed, "") > 0.005);
    CHECK(largest_difference(fixed, riding) < 2e-5);
    CHECK(largest_difference("{\"plugin\": \"wind.uniform\", \"velocity\": [0, 1, -2]}",
                             "{\"plugin\": \"wind.uniform\", \"velocity\": [2, 1, 0],"
                             "\"parent\": \"head\"}") < 2e-5);
}

TEST(a_force_turns_with_its_parent_within_a_frame)
{
    const coif_affine begin = COIF_AFFINE_IDENTITY;
    const coif_affine end = {.linear = {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}},
                             .translation = {1, 2, 3}};
    const coif_affine half = coif_rigid_mix(&begin, &end, 0.5f);
    CHECK_NEAR(half.linear.row[0].x, 0.70710678, 1e-6);
    CHECK_NEAR(half.linear.row[2].x, -0.70710678, 1e-6);
    CHECK_NEAR(half.translation.y, 1.0, 0.0);
}

TEST(an_unknown_parent_is_an_error)
{
    coif_error error = {0};
    const sim_run run = run_with(WIND ", \"parent\": \"haed\"}");
    CHECK(try_simulate(&run, &arena, &error) == COIF_ERR_SCENE);
    CHECK(strstr(error.text, "/forces/0/parent: \"haed\" is not the name of one of the bodies, "
                             "did you mean \"head\"?") != NULL);
}
