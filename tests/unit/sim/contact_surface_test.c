// contact surfaces: friction, margin and softness of a collider, and boundaries that keep hair in.
#include "core/base/log.h"
#include "core/collision/primitive_colliders.h"
#include "tests/support/sim_run.h"
#include "tests/support/solver_methods.h"

static coif_arena arena = {.name = "test"};

static const float PI = 3.14159265f;

// The three representations of a collider.
enum { BY_BVH, BY_SDF, BY_SHAPE, KINDS };

static coif_collider *collider_of(const coif_mesh *mesh, int kind, const coif_primitive_pose *pose,
                                  int32_t shape)
{
    coif_collider *collider = coif_arena_new(&arena, 1, coif_collider);
    if (kind == BY_SHAPE) {
        coif_primitive *primitive = coif_arena_new(&arena, 1, coif_primitive);
        primitive->shape = shape;
        coif_primitive_move(collider, primitive, pose, pose);
        return collider;
    }
    coif_mesh *kept = coif_arena_new(&arena, 1, coif_mesh);
    *kept = *mesh;
    coif_collider_build(collider, kept, &arena);
    if (kind == BY_SDF) {
        coif_collider_build_sdf(collider, kept, &arena);
        coif_collider_refit(collider, kept->positions, kept->positions);
        CHECK(collider->sdf != NULL);
    }
    return collider;
}

static coif_collider *floor_of(int kind)
{
    const coif_mesh plane = shape_plane(0.5f, 8, &arena);
    const coif_primitive_pose pose = {.ends = {{0, 0, 0}, {0, 1, 0}}};
    return collider_of(&plane, kind, &pose, COIF_PRIMITIVE_PLANE);
}

static coif_collider *ball_of(int kind)
{
    const coif_mesh ball = shape_sphere(coif_vec3_of(0, 0, 0), 0.1f, 24, &arena);
    const coif_primitive_pose pose = {.radius = 0.1f};
    return collider_of(&ball, kind, &pose, COIF_PRIMITIVE_SPHERE);
}

static coif_sim_params free_params(int32_t method)
{
    coif_sim_params params = hair_params(COIF_METHOD_NAMES[method]);
    params.root_boundary = COIF_ROOT_FREE;
    params.friction = 0.3f;
    params.max_depenetration_speed = 1.0f;
    return params;
}

// Level, at a height, along z.
static void open_level(hair_fixture *hair, const coif_sim_params *params, float height,
                       const coif_collider *bodies, int32_t body_count)
{
    enum { POINTS = 6 };
    coif_vec3 *shape = coif_arena_new(&arena, POINTS, coif_vec3);
    for (int32_t k = 0; k < POINTS; ++k) {
        shape[k] = coif_vec3_of(0.0f, height, 0.01f * (float)k - 0.025f);
    }
    const hair_fixture_desc desc = {
        .shape = shape, .length = POINTS, .strand_count = 2, .params = *params};
    fixture_open(hair, &desc, &arena, NULL);
    hair->bodies = bodies;
    hair->body_count = body_count;
}

TEST(friction_of_a_collider_is_that_of_the_reference)
{
    double rows[64][10];
    const int count = read_oracle("friction_incline.csv", rows, 64);
    CHECK(count > 20);
    coif_collider *floor = floor_of(BY_BVH);
    for (int i = 0; i < count; i += 3) {
        const float angle = (float)rows[i][1] * PI / 180.0f;
        coif_sim_params params = bare_params();
        params.root_boundary = COIF_ROOT_FREE;
        params.friction = i % 2 == 0 ? 0.0f : 3.0f; // of hair, which does not count
        params.gravity[0] = 9.81f * sinf(angle);
        params.gravity[1] = -9.81f * cosf(angle);
        floor->surface =
            (coif_contact_surface){.has_friction = true, .friction = (float)rows[i][0]};
        hair_fixture hair;
        open_level(&hair, &params, 0.00104f, floor, 1);
        fixture_run(&hair, 6);
        const double wanted = 0.25 * rows[i][2];
        CHECK_NEAR(hair.velocities[0].x, wanted, wanted == 0.0 ? 1e-5 : 0.05 * wanted);
    }
}

// A collider with the friction of hair gives the bits of one without its own.
TEST(friction_of_a_collider_replaces_that_of_hair_under_every_solver)
{
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        for (int kind = 0; kind < KINDS; ++kind) {
            coif_sim_params params = free_params(method);
            params.gravity[0] = 4.0f;
            coif_collider *floor = floor_of(kind);
            hair_fixture hair[3];
            for (int i = 0; i < 3; ++i) {
                params.friction = i == 0 ? 0.3f : 1.5f;
                floor->surface = (coif_contact_surface){.has_friction = i == 1, .friction = 0.3f};
                open_level(&hair[i], &params, 0.0015f, floor, 1);
                fixture_run(&hair[i], 6);
            }
            const size_t bytes = 12 * sizeof(coif_vec3);
            CHECK(memcmp(hair[0].positions, hair[1].positions, bytes) == 0);
            CHECK(memcmp(hair[0].positions, hair[2].positions, bytes) != 0);
        }
    }
}

static double resting_height(int32_t method, int kind, coif_contact_surface surface)
{
    const coif_sim_params params = free_params(method);
    coif_collider *floor = floor_of(kind);
    floor->surface = surface;
    hair_fixture hair;
    open_level(&hair, &params, 0.02f, floor, 1);
    fixture_run(&hair, 48);
    double sum = 0.0;
    for (int k = 0; k < 6; ++k) {
        sum += (double)hair.positions[k].y / 6.0;
    }
    return sum;
}

TEST(hair_rests_on_the_margin_of_a_collider)
{
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        for (int kind = 0; kind < KINDS; ++kind) {
            const double plain = resting_height(method, kind, (coif_contact_surface){0});
            const double lifted =
                resting_height(method, kind, (coif_contact_surface){.margin = 0.007f});
            CHECK_NEAR(lifted - plain, 0.007, 2e-4);
        }
    }
}

TEST(hair_sinks_into_a_soft_collider_by_its_softness)
{
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        for (int kind = 0; kind < KINDS; ++kind) {
            const double plain = resting_height(method, kind, (coif_contact_surface){0});
            const double sunk =
                resting_height(method, kind, (coif_contact_surface){.softness = 0.002f});
            CHECK_NEAR(plain - sunk, 0.002, 4e-4);
        }
    }
}

// Distance of the outermost point from a centre.
static double farthest(const hair_fixture *hair, coif_vec3 centre)
{
    double largest = 0.0;
    for (int32_t i = 0; i < hair->groom.rest.point_count; ++i) {
        largest = fmax(largest, (double)coif_length(coif_sub(hair->positions[i], centre)));
    }
    return largest;
}

TEST(strands_in_a_boundary_stay_inside_under_every_solver)
{
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        for (int kind = 0; kind < KINDS; ++kind) {
            coif_sim_params params = free_params(method);
            params.gravity[0] = 3.0f;
            coif_collider *ball = ball_of(kind);
            ball->surface.inner = true;
            hair_fixture hair;
            open_level(&hair, &params, 0.02f, ball, 1);
            double largest = 0.0;
            for (int f = 0; f < 30; ++f) {
                fixture_step(&hair);
                largest = fmax(largest, farthest(&hair, coif_vec3_of(0, 0, 0)));
            }
            CHECK(largest < 0.1 && largest > 0.09);
            CHECK(hair.positions[3].y < -0.07f);
            CHECK(hair.report.stats.reset_strands == 0);
        }
    }
}

// A helmet that jerks by 3 cm per frame takes the hair in it along.
TEST(a_moving_boundary_carries_strands_along)
{
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        for (int kind = 0; kind < KINDS; ++kind) {
            const coif_sim_params params = free_params(method);
            coif_collider *ball = ball_of(kind);
            ball->surface.inner = true;
            hair_fixture hair;
            open_level(&hair, &params, 0.0f, ball, 1);
            const coif_mesh rest = shape_sphere(coif_vec3_of(0, 0, 0), 0.1f, 24, &arena);
            coif_vec3 *moved[2] = {coif_arena_new(&arena, rest.vertex_count, coif_vec3),
                                   coif_arena_new(&arena, rest.vertex_count, coif_vec3)};
            for (int f = 0; f < 12; ++f) {
                coif_primitive_pose pose[2];
                for (int e = 0; e < 2; ++e) {
                    const coif_vec3 at = {0.03f * (float)(f + e), 0.0f, 0.0f};
                    pose[e] = (coif_primitive_pose){{at, at}, 0.1f};
                    for (int32_t v = 0; v < rest.vertex_count; ++v) {
                        moved[e][v] = coif_add(rest.positions[v], at);
                    }
                }
                if (kind == BY_SHAPE) {
                    coif_primitive primitive = *ball->primitive;
                    coif_primitive *kept = coif_arena_new(&arena, 1, coif_primitive);
                    *kept = primitive;
                    coif_primitive_move(ball, kept, &pose[0], &pose[1]);
                    ball->surface.inner = true;
                } else {
                    coif_collider_refit(ball, moved[0], moved[1]);
                }
                fixture_step(&hair);
                CHECK(farthest(&hair, pose[1].ends[0]) < 0.1002);
            }
            CHECK(hair.positions[0].x > 0.25f);
        }
    }
}

// Strands that begin up to several centimetres outside are brought in.
TEST(strands_outside_of_a_boundary_are_brought_in)
{
    for (int kind = 0; kind < KINDS; ++kind) {
        coif_sim_params params = free_params(0);
        params.gravity[1] = 0.0f;
        coif_collider *ball = ball_of(kind);
        ball->surface.inner = true;
        hair_fixture hair;
        open_level(&hair, &params, 0.16f, ball, 1);
        fixture_run(&hair, 24);
        CHECK(farthest(&hair, coif_vec3_of(0, 0, 0)) < 0.1);
    }
}

static const char SCENE[] =
    "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\", \"margin\": 0.004},\n"
    "   {\"name\": \"hat\", \"mesh\": \"ball.obj\", \"scale\": 1.25, \"collide\": %s,\n"
    "    \"boundary\": \"inner\", \"friction\": 0.8, \"softness\": 0.001, \"parent\": "
    "\"head\"%s}],\n"
    " \"colliders\": [{\"name\": \"rod\", \"shape\": \"capsule\", \"position\": [-0.2, 0, 0.14],\n"
    "    \"end\": [0.2, 0, 0.14], \"radius\": 0.03, \"margin\": 0.01, \"parent\": \"head\",\n"
    "    \"affects\": \"back\"}],\n"
    " \"forces\": [{\"plugin\": \"wind.uniform\", \"velocity\": [8, 3, 0]}],\n"
    " \"grooms\": [{\"name\": \"top\", \"body\": \"head\", \"count\": 60, \"points\": 10,\n"
    "     \"length\": 0.06, \"tags\": \"worn\"},\n"
    "   {\"name\": \"under\", \"body\": \"head\", \"count\": 10, \"points\": 6, \"length\": 0.02,\n"
    "     \"tags\": [\"worn\", \"back\"]}],\n"
    " \"sim\": {\"last_frame\": 12, \"warmup_time\": 0, \"quantise\": false, \"substeps\": 4}}\n";

static sim_run hat_run(const char *collide, const char *more)
{
    coif_log_setup(COIF_LOG_ERROR, false);
    return (sim_run){.scene = coif_arena_print(&arena, SCENE, collide, more)};
}

static double reach_of(const coif_strands *strands)
{
    double largest = 0.0;
    for (int32_t i = 0; i < strands->point_count; ++i) {
        largest = fmax(largest, (double)coif_length(coif_vec4_xyz(strands->points[i])));
    }
    return largest;
}

// Hair of 6 cm on a ball of 10 cm under a hat of 12.5 cm: the rest shape sticks out.
TEST(a_hat_keeps_hair_inside_and_only_that_of_its_grooms)
{
    sim_run run = hat_run("true", "");
    const coif_strands worn = simulate_scene(&run, "top", 12, &arena);
    CHECK(reach_of(&worn) < 0.1255);
    run = hat_run("false", "");
    const coif_strands bare = simulate_scene(&run, "top", 12, &arena);
    CHECK(reach_of(&bare) > 0.14);
    run = hat_run("true", ", \"affects\": [\"under\"]");
    const coif_strands other = simulate_scene(&run, "top", 12, &arena);
    CHECK(coif_strands_digest(&other) == coif_strands_digest(&bare));
}

TEST(contact_surfaces_have_the_same_bits_for_all_threads_and_kernels)
{
    sim_run run = hat_run("true", ", \"affects\": \"worn\"");
    const coif_strands first = simulate_scene(&run, "top", 12, &arena);
    for (int threads = 1; threads <= 3; threads += 2) {
        run.threads = threads;
        run.kernel = threads == 1 ? "wide4" : "auto";
        const coif_strands again = simulate_scene(&run, "top", 12, &arena);
        CHECK(coif_strands_digest(&first) == coif_strands_digest(&again));
    }
}

TEST(contact_parameters_without_effect_are_counted)
{
    coif_log_setup(COIF_LOG_ERROR, false);
    static const char *const bodies[] = {
        "{\"name\": \"head\", \"mesh\": \"ball.obj\", \"margin\": 0.01}",
        "{\"name\": \"head\", \"mesh\": \"ball.obj\", \"collide\": false, \"friction\": 1,"
        " \"boundary\": \"inner\"}",
        "{\"name\": \"head\", \"mesh\": \"ball.obj\"},"
        "{\"name\": \"hand\", \"mesh\": \"ball.obj\", \"margin\": 0.01, \"softness\": 0.001}"};
    static const int32_t wanted[] = {1, 2, 0};
    for (size_t i = 0; i < COIF_COUNT_OF(bodies); ++i) {
        const coif_scene scene =
            ball_scene(coif_arena_print(&arena,
                                        "{\"bodies\": [%s], \"grooms\": [{\"name\": \"hair\","
                                        "\"body\": \"head\"}]}",
                                        bodies[i]),
                       NULL, &arena);
        CHECK(coif_sim_warn_contact_without_effect(&scene) == wanted[i]);
    }
}

// A rod that rides on the head pushes hair as one that is keyed alike.
TEST(colliders_ride_on_their_parent)
{
    coif_log_setup(COIF_LOG_ERROR, false);
    static const char *const rods[] = {
        "\"parent\": \"head\", \"position\": [-0.2, 0, 0.13], \"end\": [0.2, 0, 0.13]",
        ("\"position\": {\"keys\": [[1, [-0.2, 0, 0.13]], [6, [-0.2, 0.04, 0.13]]]},"
         "\"end\": {\"keys\": [[1, [0.2, 0, 0.13]], [6, [0.2, 0.04, 0.13]]]}"),
        "\"position\": [-0.2, 0, 0.13], \"end\": [0.2, 0, 0.13]"};
    coif_strands strands[3];
    for (int i = 0; i < 3; ++i) {
        const sim_run run = {
            .scene = coif_arena_print(
                &arena,
                "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\", \"collide\": false,"
                "  \"translate\": {\"keys\": [[1, [0, 0, 0]], [6, [0, 0.04, 0]]]}}],"
                " \"colliders\": [{\"name\": \"rod\", \"shape\": \"capsule\", \"radius\": 0.02, "
                "%s}],"
                " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"count\": 200,"
                "  \"points\": 8, \"length\": 0.05}],"
                " \"sim\": {\"last_frame\": 6, \"warmup_time\": 0, \"quantise\": false,"
                "  \"substeps\": 4, \"body_interpolation\": \"linear\"}}",
                rods[i])};
        strands[i] = simulate_scene(&run, "hair", 6, &arena);
    }
    double differ[2] = {0.0, 0.0};
    for (int32_t i = 0; i < strands[0].point_count; ++i) {
        for (int k = 0; k < 2; ++k) {
            const coif_vec3 away = coif_sub(coif_vec4_xyz(strands[0].points[i]),
                                            coif_vec4_xyz(strands[1 + k].points[i]));
            differ[k] = fmax(differ[k], (double)coif_length(away));
        }
    }
    CHECK(differ[0] < 2e-4 && differ[1] > 0.005);
}
