// body parents: children follow the rigid motion of their parent.
#include "core/base/fs.h"
#include "core/body/body_interpolate.h"
#include "core/mesh/surface_patch.h"
#include "tests/support/mesh_shapes.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

static coif_section bodies_section = {
    .name = "bodies", .form = COIF_SECTION_ARRAY, .params = COIF_BODY_PARAMS, .unique = "name"};
static const coif_section *const ROOT_CHILDREN[] = {&bodies_section, NULL};
static const coif_section ROOT = {.name = "", .children = ROOT_CHILDREN};

// A ball, as seen through a map of its points.
static void save_ball(const char *name, coif_vec3 centre, float radius,
                      coif_vec3 (*moved)(coif_vec3))
{
    const coif_mesh ball = shape_sphere(centre, radius, 12, &arena);
    FILE *file = fopen(coif_test_path(name), "w");
    for (int32_t v = 0; v < ball.vertex_count; ++v) {
        const coif_vec3 p = moved != NULL ? moved(ball.positions[v]) : ball.positions[v];
        fprintf(file, "v %.9g %.9g %.9g\n", p.x, p.y, p.z);
    }
    for (int32_t t = 0; t < ball.triangle_count; ++t) {
        const int32_t *c = ball.indices + 3 * t;
        fprintf(file, "f %d %d %d\n", c[0] + 1, c[1] + 1, c[2] + 1);
    }
    fclose(file);
}

static const coif_vec3 HEAD = {0.1f, 1.6f, 0.0f};
static const coif_vec3 EYE = {0.13f, 1.65f, 0.08f};

static coif_scene scene;

static coif_status try_load(coif_body **bodies, int32_t *count, const char *text, coif_error *error)
{
    bodies_section.param_count = COIF_BODY_PARAM_COUNT;
    save_ball("head.obj", HEAD, 0.1f, NULL);
    save_ball("eye.obj", EYE, 0.012f, NULL);
    const char *source = coif_arena_print(&arena, "{\"bodies\": [%s]}", text);
    CHECK_OK(coif_file_save(coif_test_path("scene.json"), source, strlen(source), error), *error);
    const coif_scene_desc desc = {
        .path = coif_arena_copy_text(&arena, coif_test_path("scene.json")), .tree = &ROOT};
    COIF_TRY(coif_scene_load(&scene, &desc, &arena, error));
    return coif_bodies_load(bodies, count, &scene, &arena, error);
}

static coif_body *load(const char *text)
{
    coif_body *bodies = NULL;
    int32_t count;
    coif_error error = {.status = COIF_OK};
    CHECK_OK(try_load(&bodies, &count, text, &error), error);
    return bodies;
}

static coif_mesh pose(const coif_body *body, double frame)
{
    coif_mesh mesh;
    coif_error error = {.status = COIF_OK};
    CHECK_OK(coif_body_pose(&mesh, body, frame, &arena, &error), error);
    return mesh;
}

static double largest_distance(const coif_mesh *a, const coif_mesh *b)
{
    double largest = 0.0;
    for (int32_t i = 0; i < a->vertex_count; ++i) {
        largest = fmax(largest, (double)coif_length(coif_sub(a->positions[i], b->positions[i])));
    }
    return largest;
}

#define EYE_BODY  "{\"name\": \"eye\", \"mesh\": \"eye.obj\", \"parent\": \"head\"}"
#define TURN_KEYS "\"rotate\": {\"keys\": [[1, [0, 0, 0]], [5, [10, 80, -20]]]}"
#define MOVE_KEYS "\"translate\": {\"keys\": [[1, [0, 0, 0]], [5, [0.1, -0.2, 0.3]]]}"
#define PIVOT     "\"pivot\": [0.1, 1.5, 0]"

// The eye with the keys of the head is the reference: it moves rigidly about the same pivot.
TEST(eyes_follow_a_turning_head_rigidly)
{
    const coif_body *bodies =
        load("{\"name\": \"head\", \"mesh\": \"head.obj\", " TURN_KEYS ", " MOVE_KEYS ", " PIVOT
             "}, " EYE_BODY ", {\"name\": \"same\", \"mesh\": \"eye.obj\", " TURN_KEYS
             ", " MOVE_KEYS ", " PIVOT "}");
    CHECK(coif_body_is_animated(&bodies[1]));
    for (double frame = 1.0; frame < 6.0; frame += 0.75) {
        const coif_mesh eye = pose(&bodies[1], frame);
        const coif_mesh same = pose(&bodies[2], frame);
        CHECK(largest_distance(&eye, &same) < 1e-6);
        for (int32_t i = 0; i < 3 * eye.triangle_count; ++i) {
            CHECK(coif_length(coif_sub(eye.normals[i], same.normals[i])) < 1e-5f);
        }
    }
}

TEST(smooth_interpolation_and_ramps_carry_children_along)
{
    const coif_body *bodies =
        load("{\"name\": \"head\", \"mesh\": \"head.obj\", " TURN_KEYS ", " PIVOT "}, " EYE_BODY
             ", {\"name\": \"same\", \"mesh\": \"eye.obj\", " TURN_KEYS ", " PIVOT "}");
    const coif_body_interpolation smooth = {.smooth = true, .first = 1};
    coif_error error = {.status = COIF_OK};
    coif_mesh at[2];
    coif_mesh ramped[2];
    for (int b = 0; b < 2; ++b) {
        CHECK_OK(coif_body_pose_interpolated(&at[b], &bodies[1 + b], &smooth, 3.4, &arena, &error),
                 error);
        CHECK_OK(coif_body_ramp(&ramped[b], &bodies[1 + b], 5.0, 0.3f, &arena, &error), error);
    }
    CHECK(largest_distance(&at[0], &at[1]) < 1e-6);
    CHECK(largest_distance(&ramped[0], &ramped[1]) < 1e-6);
    CHECK(largest_distance(&at[0], &bodies[1].rest) > 0.05);
}

// On a neck that bends by height the eye moves as the head at the height of its centre.
TEST(a_child_of_a_bending_body_moves_as_its_height)
{
    const coif_body *bodies = load("{\"name\": \"head\", \"mesh\": \"head.obj\", " TURN_KEYS
                                   ", \"deform_y_min\": 1.55, \"deform_y_max\": 1.75}, " EYE_BODY
                                   ", {\"name\": \"half\", \"mesh\": \"eye.obj\","
                                   "\"rotate\": [5, 40, -10]}");
    const coif_mesh eye = pose(&bodies[1], 5.0); // its centre is half way between the heights
    CHECK(largest_distance(&eye, &bodies[2].rest) > 0.01);
    const coif_mesh half = pose(&bodies[2], 5.0);
    CHECK(largest_distance(&eye, &half) < 1e-6);
}

// A child has motion of its own in the rest space of the parent, and may be a parent itself.
TEST(motions_of_a_chain_are_composed)
{
    const coif_body *bodies =
        load("{\"name\": \"iris\", \"mesh\": \"eye.obj\", \"parent\": \"eye\"},"
             "{\"name\": \"eye\", \"mesh\": \"eye.obj\", \"parent\": \"head\","
             "  \"translate\": [0.01, 0, 0]},"
             "{\"name\": \"head\", \"mesh\": \"head.obj\", \"rotate\": [0, 90, 0],"
             "  \"pivot\": [0.1, 1.6, 0]}");
    const coif_mesh eye = pose(&bodies[1], 1.0);
    const coif_mesh iris = pose(&bodies[0], 1.0);
    CHECK(largest_distance(&eye, &iris) < 1e-6);
    // Rotation by 90 degrees about y takes (x, z) to (z, -x).
    const coif_vec3 p = bodies[1].rest.positions[0];
    const coif_vec3 wanted = {0.1f + p.z, p.y, -(p.x + 0.01f - 0.1f)};
    CHECK(coif_length(coif_sub(eye.positions[0], wanted)) < 1e-6f);
}

// 60 degrees about z at the origin, and a translation.
static coif_vec3 turned(coif_vec3 p)
{
    return coif_vec3_of(0.5f * p.x - 0.8660254f * p.y + 0.2f, 0.8660254f * p.x + 0.5f * p.y,
                        p.z - 0.1f);
}

// The same, and the lower half of the head is stretched, far from the eye.
static coif_vec3 turned_and_talking(coif_vec3 p)
{
    p.y -= p.y < 1.6f ? 0.5f * (1.6f - p.y) : 0.0f;
    return turned(p);
}

TEST(a_child_of_a_sequence_follows_the_surface_beside_it)
{
    save_ball("shot.0001.obj", HEAD, 0.1f, NULL);
    save_ball("shot.0002.obj", HEAD, 0.1f, turned_and_talking);
    const coif_body *bodies = load("{\"name\": \"head\", \"mesh\": \"shot.####.obj\"}, " EYE_BODY);
    CHECK(bodies[1].follows_sequence && !bodies[1].sequence);
    const coif_mesh first = pose(&bodies[1], 1.0);
    CHECK(largest_distance(&first, &bodies[1].rest) < 1e-6);
    const coif_mesh second = pose(&bodies[1], 2.0);
    double error = 0.0;
    for (int32_t i = 0; i < second.vertex_count; ++i) {
        const coif_vec3 wanted = turned(bodies[1].rest.positions[i]);
        error = fmax(error, (double)coif_length(coif_sub(second.positions[i], wanted)));
    }
    CHECK(error < 2e-6);
    const coif_body_interpolation smooth = {.smooth = true, .first = 1};
    coif_error cause = {.status = COIF_OK};
    coif_mesh between;
    CHECK_OK(coif_body_pose_interpolated(&between, &bodies[1], &smooth, 1.5, &arena, &cause),
             cause);
    CHECK(largest_distance(&between, &first) > 0.1 && largest_distance(&between, &second) > 0.1);
}

// A rotation of more than a right angle with noise has a best fit close to the rotation.
TEST(a_patch_fits_large_rotations_through_noise)
{
    const coif_mesh ball = shape_sphere(HEAD, 0.1f, 12, &arena);
    coif_surface_patch patch;
    coif_surface_patch_init(&patch, &ball, HEAD, INFINITY, &arena);
    coif_vec3 *posed = coif_arena_new(&arena, ball.vertex_count, coif_vec3);
    for (int32_t i = 0; i < ball.vertex_count; ++i) {
        const coif_vec3 p = ball.positions[i];
        const float noise = i % 2 == 0 ? 0.004f : -0.004f;
        posed[i] = coif_vec3_of(-p.x + noise, p.z, p.y - noise);
    }
    const coif_affine fit = coif_surface_patch_fit(&patch, posed);
    CHECK_NEAR(fit.linear.row[0].x, -1.0, 0.01);
    CHECK_NEAR(fit.linear.row[1].z, 1.0, 0.01);
    CHECK_NEAR(fit.linear.row[2].y, 1.0, 0.01);
    for (int r = 0; r < 3; ++r) {
        CHECK_NEAR(coif_length(fit.linear.row[r]), 1.0, 1e-6);
    }
    const coif_vec3 centre = coif_affine_apply(&fit, patch.centre);
    CHECK(coif_length(coif_sub(centre, coif_vec3_of(-0.1f, 0.0f, 1.6f))) < 0.002f);
}

TEST(unknown_parents_and_cycles_are_errors)
{
    const struct {
        const char *bodies, *message;
    } cases[] = {
        {EYE_BODY, "/bodies/0/parent: \"head\" is not the name of a body"},
        {"{\"name\": \"a\", \"mesh\": \"eye.obj\", \"parent\": \"a\"}",
         "/bodies/0/parent: \"a\" is this body itself"},
        {"{\"name\": \"a\", \"mesh\": \"eye.obj\", \"parent\": \"c\"},"
         "{\"name\": \"b\", \"mesh\": \"eye.obj\", \"parent\": \"a\"},"
         "{\"name\": \"c\", \"mesh\": \"eye.obj\", \"parent\": \"b\"}",
         "/bodies/2/parent: \"b\" follows this body: parents form a cycle"},
    };
    for (size_t i = 0; i < COIF_COUNT_OF(cases); ++i) {
        coif_body *bodies;
        int32_t count;
        coif_error error = {.status = COIF_OK};
        CHECK(try_load(&bodies, &count, cases[i].bodies, &error) == COIF_ERR_SCENE);
        CHECK_CONTAINS(error.text, cases[i].message);
    }
}

// The drag reaches the eye through its parent, although the eye is not inside the head.
TEST(a_drag_of_the_parent_carries_the_child)
{
    coif_body *bodies;
    int32_t count;
    coif_error error = {.status = COIF_OK};
    load("{\"name\": \"head\", \"mesh\": \"head.obj\"},"
         "{\"name\": \"hat\", \"mesh\": \"eye.obj\", \"translate\": [0, 0.2, 0],"
         "  \"parent\": \"head\"}");
    const coif_body_drag hand = {"head", {0.1f, 0.2f, -0.3f}, {5.0f, 20.0f, -10.0f}};
    scene.drag = &hand;
    CHECK_OK(coif_bodies_load(&bodies, &count, &scene, &arena, &error), error);
    const coif_mesh head = pose(&bodies[0], 1.0);
    const coif_mesh hat = pose(&bodies[1], 1.0);
    const int32_t *c = head.indices;
    const coif_affine moved = coif_affine_fit(
        (coif_vec3[]){bodies[0].rest.positions[c[0]], bodies[0].rest.positions[c[1]],
                      bodies[0].rest.positions[c[2]]},
        (coif_vec3[]){head.positions[c[0]], head.positions[c[1]], head.positions[c[2]]});
    for (int32_t i = 0; i < hat.vertex_count; ++i) {
        const coif_vec3 above = coif_add(bodies[1].rest.positions[i], coif_vec3_of(0, 0.2f, 0));
        CHECK(coif_length(coif_sub(hat.positions[i], coif_affine_apply(&moved, above))) < 5e-6f);
    }
}
