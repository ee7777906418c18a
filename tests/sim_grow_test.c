// grow: strands stand where they should, maps and ramps reach modifiers, and nothing is left inside
// the body.
#include "core/formats/hair_file.h"
#include "core/fs.h"
#include "core/jobs.h"
#include "core/log.h"
#include "sim/collide.h"
#include "sim/grow.h"
#include "tests/sim_scene.h"
#include "tests/test.h"

static coif_arena arena = {.name = "test"};

// A map of u, and one that says it reads a picture.
static void map_u(const coif_host *host, const void *state, const void *params,
                  const coif_map_batch *batch)
{
    (void)host, (void)state, (void)params;
    for (int32_t i = 0; i < batch->count; ++i) {
        batch->value[i] = batch->u[i];
    }
}

typedef struct picture_params {
    const char *file;
} picture_params;

static const coif_param PICTURE_ROWS[] = {
    {.name = "file", .help = "a picture", .unit = "", .type = COIF_PARAM_PATH}};

typedef struct push_params {
    float push;
} push_params;

static const coif_param PUSH_ROWS[] = {{.name = "push",
                                        .help = "how far along x",
                                        .unit = "m",
                                        .type = COIF_PARAM_FLOAT,
                                        .flags = COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP,
                                        .fallback = {0.01},
                                        .low = -1,
                                        .high = 1}};

static void push(const coif_host *host, const void *state, const void *params,
                 const coif_groom_batch *batch)
{
    (void)host, (void)state;
    for (int32_t s = 0; s < batch->strand_count; ++s) {
        for (int32_t i = batch->first[s]; i < batch->first[s + 1]; ++i) {
            const float strand = batch->per_strand[0] != NULL ? batch->per_strand[0][s]
                                                              : ((const push_params *)params)->push;
            batch->x[i] += batch->per_point[0] != NULL ? batch->per_point[0][i] : strand;
        }
        // What others look like does not depend on how far the workers are.
        const int32_t other = batch->strand_begin + s == 0 ? 1 : 0;
        batch->radius[batch->first[s]] = batch->all->radius[batch->all->first[other]];
    }
}

// Straight into the head.
static void fold(const coif_host *host, const void *state, const void *params,
                 const coif_groom_batch *batch)
{
    (void)host, (void)state, (void)params;
    for (int32_t s = 0; s < batch->strand_count; ++s) {
        const float *normal = batch->root_frame + 9 * s + 6;
        const int32_t first = batch->first[s];
        for (int32_t i = first + 1; i < batch->first[s + 1]; ++i) {
            const float step = 0.01f * (float)(i - first);
            batch->x[i] = batch->x[first] + step * (0.8f - 0.6f * normal[0]);
            batch->y[i] = batch->y[first] - step * 0.6f * normal[1];
            batch->z[i] = batch->z[first] - step * 0.6f * normal[2];
        }
    }
}

static void spoil(const coif_host *host, const void *state, const void *params,
                  const coif_groom_batch *batch)
{
    (void)host, (void)state, (void)params;
    batch->x[batch->first[0] + 1] = NAN;
}

static const coif_plugin PLUGINS[] = {
    {.struct_size = sizeof(coif_plugin),
     .kind = COIF_KIND_MAP,
     .id = "test.u",
     .version = "1.0.0",
     .help = "u",
     .param_stride = sizeof(coif_param),
     .map = map_u},
    {.struct_size = sizeof(coif_plugin),
     .kind = COIF_KIND_MAP,
     .id = "test.picture",
     .version = "1.0.0",
     .help = "a picture",
     .params = PICTURE_ROWS,
     .param_count = 1,
     .param_stride = sizeof(coif_param),
     .params_size = sizeof(picture_params),
     .map = map_u},
    {.struct_size = sizeof(coif_plugin),
     .kind = COIF_KIND_GROOM,
     .id = "test.push",
     .version = "1.2.3",
     .help = "pushes",
     .params = PUSH_ROWS,
     .param_count = 1,
     .param_stride = sizeof(coif_param),
     .params_size = sizeof(push_params),
     .groom = push},
    {.struct_size = sizeof(coif_plugin),
     .kind = COIF_KIND_GROOM,
     .id = "test.fold",
     .version = "1.0.0",
     .help = "folds",
     .param_stride = sizeof(coif_param),
     .groom = fold},
    {.struct_size = sizeof(coif_plugin),
     .kind = COIF_KIND_GROOM,
     .id = "test.spoil",
     .version = "1.0.0",
     .help = "spoils",
     .param_stride = sizeof(coif_param),
     .groom = spoil},
};

static const coif_plugin *plugin_at(void *data, int32_t index)
{
    (void)data;
    return (size_t)index < COIF_COUNT_OF(PLUGINS) ? &PLUGINS[index] : NULL;
}

typedef struct grown {
    coif_groom groom;
    coif_body *body;
    coif_status status;
    coif_error error;
} grown;

static coif_progress *progress; // that growth asks whether to stop

// Grows the groom whose rows are given, on the ball (or the one without texture coordinates).
static grown grow_on(const char *mesh, const char *rows, coif_jobs *jobs)
{
    static bool written;
    grown result = {.status = COIF_OK};
    coif_error error = {0};
    if (!written) {
        write_ball("ball.obj", true, &arena);
        write_ball("bare.obj", false, &arena);
        written = true;
    }
    const char *text = coif_arena_print(
        &arena,
        "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"%s\"}],\n"
        " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"length_variation\": 0, %s}]}",
        mesh, rows);
    CHECK_OK(coif_file_save(coif_test_path("g.json"), text, strlen(text), &error), error);
    const coif_plugin_lookup lookup = {.at = plugin_at};
    const coif_scene_desc desc = {.path = coif_arena_copy_text(&arena, coif_test_path("g.json")),
                                  .tree = scene_tree(),
                                  .plugins = &lookup};
    coif_scene *scene = coif_arena_new(&arena, 1, coif_scene);
    CHECK_OK(coif_scene_load(scene, &desc, &arena, &error), error);
    int32_t count;
    CHECK_OK(coif_bodies_load(&result.body, &count, scene, &arena, &error), error);
    if (error.status == COIF_OK) {
        const coif_grow_desc grow = {.scene = scene,
                                     .node = &coif_node_at(scene->root, "grooms")->children[0],
                                     .body = result.body,
                                     .frame = 1.0,
                                     .progress = progress};
        result.status = coif_groom_grow(&result.groom, &grow, &arena, jobs, &result.error);
    }
    return result;
}

static grown grow(const char *rows)
{
    const grown result = grow_on("ball.obj", rows, NULL);
    CHECK_OK(result.status, result.error);
    return result;
}

static void strands_stand_on_the_scalp(void)
{
    const grown hair = grow("\"group\": \"scalp\", \"count\": 300, \"points\": 6, \"length\": 0.1");
    const coif_strands *rest = &hair.groom.rest;
    CHECK(rest->strand_count == 300 && rest->point_count == 1800);
    CHECK(hair.groom.simulated_count == 300);
    CHECK(hair.groom.mesh_digest == coif_mesh_topology(&hair.body->rest));
    for (int32_t s = 0; s < 300; ++s) {
        const coif_vec4 *p = rest->points + rest->first[s];
        const coif_vec3 root = coif_vec4_xyz(p[0]);
        const float *frame = hair.groom.root_frame + 9 * s;
        CHECK(hair.body->rest.groups[hair.groom.root_triangle[s]] ==
              coif_mesh_find_group(&hair.body->rest, "scalp"));
        CHECK_NEAR(coif_length(root), 0.1, 0.001);
        CHECK_NEAR(rest->root_uv[2 * s], root.x * 5.0 + 0.5, 1e-5);
        for (int k = 1; k < 6; ++k) {
            const coif_vec3 step = coif_sub(coif_vec4_xyz(p[k]), coif_vec4_xyz(p[k - 1]));
            CHECK_NEAR(coif_length(step), 0.02, 1e-6);
            CHECK_NEAR(coif_dot(step, coif_vec3_of(frame[6], frame[7], frame[8])), 0.02, 1e-5);
            CHECK_NEAR(p[k].w, 4e-5, 1e-10);
        }
    }
    CHECK_CONTAINS(hair.groom.metadata, "groom=hair");
    CHECK_CONTAINS(hair.groom.metadata, "seed=1");
}

static void density_zero_is_a_groom_without_strands(void)
{
    grown hair = grow("\"count\": 500, \"density\": 0");
    CHECK(hair.groom.rest.strand_count == 0);
    coif_error error = {0};
    CHECK_OK(coif_groom_save(&hair.groom, coif_test_path("none.groom"), &error), error);
}

static float strand_length(const coif_strands *rest, int32_t s)
{
    float sum = 0.0f;
    for (int32_t i = rest->first[s]; i + 1 < rest->first[s + 1]; ++i) {
        sum += coif_length(
            coif_sub(coif_vec4_xyz(rest->points[i + 1]), coif_vec4_xyz(rest->points[i])));
    }
    return sum;
}

static void maps_vary_what_grows(void)
{
    const grown hair = grow("\"group\": \"scalp\", \"count\": 400, \"points\": 4,\n"
                            "\"density\": {\"map\": \"u\"},\n"
                            "\"length\": {\"map\": \"u\", \"range\": [0.1, 0.2]},\n"
                            "\"radius\": {\"value\": 1e-4, \"ramp\": [[0, 1], [1, 0]]},\n"
                            "\"maps\": [{\"name\": \"u\", \"plugin\": \"test.u\"}]");
    const coif_strands *rest = &hair.groom.rest;
    CHECK(rest->strand_count > 100 && rest->strand_count < 300);
    int32_t left = 0;
    for (int32_t s = 0; s < rest->strand_count; ++s) {
        const coif_vec4 *p = rest->points + rest->first[s];
        CHECK_NEAR(strand_length(rest, s), 0.1 + 0.1 * rest->root_uv[2 * s], 1e-5);
        CHECK_NEAR(p[0].w, 1e-4, 1e-9);
        CHECK_NEAR(p[1].w, 1e-4 * 2.0 / 3.0, 1e-9);
        CHECK_NEAR(p[3].w, 0.0, 1e-9);
        left += rest->root_uv[2 * s] < 0.5f;
    }
    CHECK(left < rest->strand_count / 2);
}

// The first strands of a hairstyle are the same strands, however roots are spread, and are spread
// over the scalp.
static void a_preview_is_a_beginning_of_the_whole(void)
{
    static const char *const ways[] = {"halton", "sobol", "blue"};
    for (int w = 0; w < 3; ++w) {
        static const char rows[] = "\"group\": \"scalp\", \"count\": 900, \"points\": 3,\n"
                                   "\"scatter\": \"%s\", \"density\": {\"map\": \"u\"},\n"
                                   "\"maps\": [{\"name\": \"u\", \"plugin\": \"test.u\"}]%s";
        const grown whole = grow(coif_arena_print(&arena, rows, ways[w], ""));
        const grown few = grow(coif_arena_print(&arena, rows, ways[w], ", \"strands_most\": 100"));
        const coif_strands *all = &whole.groom.rest, *first = &few.groom.rest;
        CHECK(all->strand_count > 300 && first->strand_count == 100);
        CHECK(memcmp(all->points, first->points, 300 * sizeof(coif_vec4)) == 0);
        CHECK(memcmp(whole.groom.random, few.groom.random, 100 * sizeof(uint32_t)) == 0);
        int32_t front = 0;
        for (int32_t s = 0; s < 100; ++s) {
            front += first->root_uv[2 * s + 1] > 0.5f;
        }
        CHECK(front > 35 && front < 65);
    }
}

// Without a modifier, with it whole, halved by amount, ramped and mapped.
static int32_t count_with_stack(const char *combine, double amount)
{
    char text[400];
    snprintf(
        text, sizeof text,
        "\"group\": \"scalp\", \"count\": 400, \"points\": 4, \"density\": {\"map\": \"both\"},\n"
        "\"maps\": [{\"name\": \"u\", \"plugin\": \"test.u\"},\n"
        "{\"name\": \"both\", \"plugin\": \"test.u\", \"over\": \"u\", \"combine\": \"%s\", "
        "\"amount\": %g}]",
        combine, amount);
    return grow(text).groom.rest.strand_count;
}

static void maps_stack(void)
{
    const int32_t alone = count_with_stack("max", 1.0);
    CHECK(alone > 100 && alone < 300);
    CHECK(count_with_stack("min", 1.0) == alone);
    CHECK(count_with_stack("subtract", 1.0) == 0);
    CHECK(count_with_stack("subtract", 0.0) == alone);
    CHECK(count_with_stack("add", 1.0) > alone + 50);
    // u squared has a mean of a third where u has a half.
    const int32_t squared = count_with_stack("multiply", 1.0);
    CHECK(squared > 90 && squared < alone - 30);
}

static void modifiers_get_amounts_maps_and_ramps(void)
{
    static const char BASE[] = "\"group\": \"scalp\", \"count\": 600, \"points\": 5, "
                               "\"maps\": [{\"name\": \"u\", \"plugin\": \"test.u\"}],"
                               "\"modifiers\": [{\"plugin\": \"test.push\", %s}]";
    static const char *const CASES[] = {
        "\"enabled\": false",
        "\"push\": 0.02",
        "\"push\": 0.02, \"amount\": 0.5",
        "\"push\": {\"value\": 0.02, \"ramp\": [[0, 0], [1, 1]]}",
        "\"push\": {\"map\": \"u\", \"range\": [0, 0.04], \"ramp\": [[0, 0], [1, 1]]}",
        "\"push\": 0.02, \"amount\": {\"map\": \"u\", \"range\": [0, 0.5]}"};
    grown cases[6];
    for (int c = 0; c < 6; ++c) {
        char rows[1024];
        snprintf(rows, sizeof rows, BASE, CASES[c]);
        cases[c] = grow(rows);
    }
    const coif_strands *before = &cases[0].groom.rest;
    for (int32_t i = 0; i < before->point_count; ++i) {
        const int32_t s = i / 5;
        const double place = (i % 5) / 4.0;
        const double u = before->root_uv[2 * s];
        const double wanted[6] = {0.0, 0.02, 0.01, 0.02 * place, 0.04 * u * place, 0.01 * u};
        for (int c = 1; c < 6; ++c) {
            // Strands near the edge may have been laid on the ball afterwards.
            const double moved =
                (double)cases[c].groom.rest.points[i].x - (double)before->points[i].x;
            if (before->points[i - i % 5].y > 0.08f && i % 5 > 1) {
                CHECK_NEAR(moved, wanted[c], 2e-4);
            }
        }
    }
    CHECK_CONTAINS(cases[1].groom.metadata, "plugin=test.push 1.2.3");
}

static double deepest(const grown *hair)
{
    coif_collider collider;
    coif_collider_build(&collider, &hair->body->rest, &arena);
    double least = 1.0;
    for (int32_t i = 0; i < hair->groom.rest.point_count; ++i) {
        coif_nearest nearest;
        coif_collider_find(&nearest, &collider,
                           &(coif_search){.place = coif_vec4_xyz(hair->groom.rest.points[i]),
                                          .reach = 0.2f,
                                          .hint = -1});
        least = fmin(least, (double)nearest.distance);
    }
    return least;
}

static void hair_combed_into_the_head_is_laid_on_it(void)
{
    const grown hair = grow("\"group\": \"scalp\", \"count\": 200, \"points\": 16,\n"
                            "\"clearance\": 0.002,\n"
                            "\"modifiers\": [{\"plugin\": \"test.fold\"}]");
    CHECK(deepest(&hair) > -1e-6); // roots are on the surface
    const coif_strands *rest = &hair.groom.rest;
    int32_t near = 0;
    for (int32_t s = 0; s < rest->strand_count; ++s) {
        const float *normal = hair.groom.root_frame + 9 * s + 6;
        const coif_vec3 step = {0.8f - 0.6f * normal[0], -0.6f * normal[1], -0.6f * normal[2]};
        CHECK_NEAR(strand_length(rest, s), 0.15 * coif_length(step), 1e-4);
        // The fourth point lies on the head, neither in it nor off it.
        const float up = coif_length(coif_vec4_xyz(rest->points[rest->first[s] + 4])) - 0.1f;
        near += up > 0.001f && up < 0.006f;
    }
    CHECK(near > 190);
}

// Where the map says more, hair lies farther from the head.
static void clearance_varies_over_the_scalp(void)
{
    const grown hair = grow("\"group\": \"scalp\", \"count\": 300, \"points\": 16,\n"
                            "\"clearance\": {\"map\": \"u\", \"range\": [0, 0.02]},\n"
                            "\"maps\": [{\"name\": \"u\", \"plugin\": \"test.u\"}],\n"
                            "\"modifiers\": [{\"plugin\": \"test.fold\"}]");
    const coif_strands *rest = &hair.groom.rest;
    int32_t right = 0;
    for (int32_t s = 0; s < rest->strand_count; ++s) {
        const double wanted = 0.02 * (double)rest->root_uv[2 * s];
        const double up =
            (double)coif_length(coif_vec4_xyz(rest->points[rest->first[s] + 8])) - 0.1;
        right += up > 0.9 * wanted - 0.001 && up < wanted + 0.006;
    }
    CHECK(right > 270);
}

// A ramp that begins at half the way: the root half lies as before, the tip half is raised.
static void clearance_varies_along_the_strand(void)
{
#define FOLDED(clearance)                                                                          \
    grow("\"group\": \"scalp\", \"count\": 300, \"points\": 16,\n\"clearance\": " clearance        \
         ",\n\"modifiers\": [{\"plugin\": \"test.fold\"}]")
    const grown even = FOLDED("0");
    const grown ramped = FOLDED("{\"value\": 0.02, \"ramp\": [[0, 0], [0.5, 0], [0.51, 1]]}");
    int32_t raised = 0;
    for (int32_t s = 0; s < even.groom.rest.strand_count; ++s) {
        const coif_vec4 *p = even.groom.rest.points + even.groom.rest.first[s];
        const coif_vec4 *q = ramped.groom.rest.points + ramped.groom.rest.first[s];
        CHECK(memcmp(p, q, 8 * sizeof *p) == 0);
        raised += coif_length(coif_vec4_xyz(q[14])) > coif_length(coif_vec4_xyz(p[14])) + 0.005f;
    }
    CHECK(raised > 270);
}

static void a_share_is_simulated(void)
{
    const grown hair = grow("\"count\": 101, \"points\": 3, \"simulated\": 0.25");
    CHECK(hair.groom.simulated_count == 26);
    CHECK(hair.groom.guides[3 * 100] >= 0);
}

static void threads_do_not_show(void)
{
    static const char ROWS[] = "\"count\": 900, \"points\": 7, \"simulated\": 0.5,\n"
                               "\"density\": {\"map\": \"u\"},\n"
                               "\"maps\": [{\"name\": \"u\", \"plugin\": \"test.u\"}],\n"
                               "\"modifiers\": [{\"plugin\": \"test.push\",\n"
                               "   \"push\": {\"map\": \"u\", \"range\": [0, 0.04]}},\n"
                               "  {\"plugin\": \"test.fold\", \"amount\": 0.3}]";
    const grown alone = grow(ROWS);
    uint64_t one;
    coif_error error = {0};
    CHECK_OK(coif_groom_digest(&one, &alone.groom, &error), error);
    for (int threads = 2; threads <= 8; threads += 3) {
        coif_jobs *jobs;
        CHECK_OK(coif_jobs_open(&jobs, threads, &arena, &error), error);
        const grown hair = grow_on("ball.obj", ROWS, jobs);
        coif_jobs_close(jobs);
        uint64_t digest;
        CHECK_OK(coif_groom_digest(&digest, &hair.groom, &error), error);
        CHECK(digest == one);
    }
}

// Strands of a file stay where they are and are bound to the triangle below their root.
static void strands_come_from_a_file(void)
{
    const int32_t lengths[2] = {4, 3};
    coif_hair_file file = {.default_thickness = 1e-4f};
    coif_error error = {0};
    CHECK_OK(coif_strands_init(&file.strands, lengths, 2, &arena, &error), error);
    for (int32_t i = 0; i < 7; ++i) {
        const float up = 10.0f + (float)(i < 4 ? i : i - 4); // centimetres
        file.strands.points[i] =
            i < 4 ? (coif_vec4){0.0f, up, 0.0f, 0.005f} : (coif_vec4){up, 0.0f, 0.5f, 0.005f};
    }
    CHECK_OK(coif_hair_file_save(&file, coif_test_path("two.hair"), &error), error);
    const grown hair = grow("\"file\": \"two.hair\", \"file_scale\": 0.01");
    const coif_groom *groom = &hair.groom;
    CHECK(groom->rest.strand_count == 2 && groom->rest.point_count == 7);
    CHECK_NEAR(groom->rest.points[3].y, 0.13, 1e-6);
    CHECK_NEAR(groom->rest.points[4].x, 0.1, 1e-6);
    for (int32_t s = 0; s < 2; ++s) {
        const float *b = groom->root_barycentric + 2 * s;
        const coif_vec3 root =
            coif_mesh_at(&hair.body->rest, groom->root_triangle[s], b[0], b[1]).position;
        const coif_vec3 first = coif_vec4_xyz(groom->rest.points[groom->rest.first[s]]);
        CHECK_NEAR(coif_length(coif_sub(root, first)), 0.0, 1e-3);
    }
}

// A file of curves says nothing of thickness: the groom does.
static void strands_of_curves_are_as_thick_as_the_groom_says(void)
{
    static const char CURVES[] = "v 0 10 0\nv 0 11 0\nv 0 12 0\nl 1 2 3\n";
    coif_error error = {0};
    CHECK_OK(coif_file_save(coif_test_path("one.obj"), CURVES, strlen(CURVES), &error), error);
    const grown hair = grow("\"file\": \"one.obj\", \"file_scale\": 0.01, \"radius\": "
                            "{\"value\": 3e-5, \"ramp\": [[0, 1], [1, 0.5]]}");
    const coif_vec4 *points = hair.groom.rest.points;
    CHECK(hair.groom.rest.strand_count == 1 && hair.groom.rest.point_count == 3);
    CHECK(points[0].w == 3e-5f);
    CHECK_NEAR(points[1].w, 2.25e-5, 1e-10);
    CHECK_NEAR(points[2].w, 1.5e-5, 1e-10);
}

static void expect_error(const char *mesh, const char *rows, coif_status status, const char *part)
{
    const grown hair = grow_on(mesh, rows, NULL);
    CHECK(hair.status == status);
    CHECK_CONTAINS(hair.error.text, part);
}

static void growth_can_be_stopped(void)
{
    progress = coif_progress_open(&arena);
    coif_progress_cancel(progress);
    expect_error("ball.obj", "\"count\": 10", COIF_ERR_CANCELLED, "hair: stopped while growing");
    progress = NULL;
}

static void mistakes_are_named(void)
{
    CHECK_OK(coif_file_save(coif_test_path("p.png"), "", 0, NULL), (coif_error){0});
    expect_error("bare.obj",
                 "\"density\": {\"map\": \"p\"}, \"maps\": [{\"name\": \"p\", \"plugin\": "
                 "\"test.picture\", \"file\": \"p.png\"}]",
                 COIF_ERR_SCENE,
                 "/grooms/0/density: map \"p\" reads an image, but the body's mesh "
                 "has no texture coordinates");
    expect_error("ball.obj", "\"group\": \"beard\"", COIF_ERR_SCENE,
                 "/grooms/0/group: body \"head\" has no group \"beard\" (known: ");
    expect_error("ball.obj", "\"group\": \"sclap\"", COIF_ERR_SCENE,
                 "has no group \"sclap\", did you mean \"scalp\"? (known: ");
    expect_error("ball.obj", "\"modifiers\": [{\"plugin\": \"test.spoil\"}]", COIF_ERR_PLUGIN,
                 "/grooms/0/modifiers/0: test.spoil gave points that are not numbers");
    // Maps that need no picture need no texture coordinates.
    const grown bare = grow_on("bare.obj",
                               "\"length\": {\"map\": \"u\", \"range\": [0.1, 0.2]},\n"
                               "\"count\": 10, \"maps\": [{\"name\": \"u\", \"plugin\": "
                               "\"test.u\"}]",
                               NULL);
    CHECK_OK(bare.status, bare.error);
}

TEST_MAIN(TEST(strands_stand_on_the_scalp), TEST(density_zero_is_a_groom_without_strands),
          TEST(maps_vary_what_grows), TEST(a_preview_is_a_beginning_of_the_whole), TEST(maps_stack),
          TEST(modifiers_get_amounts_maps_and_ramps), TEST(hair_combed_into_the_head_is_laid_on_it),
          TEST(clearance_varies_over_the_scalp), TEST(clearance_varies_along_the_strand),
          TEST(a_share_is_simulated), TEST(threads_do_not_show), TEST(strands_come_from_a_file),
          TEST(strands_of_curves_are_as_thick_as_the_groom_says), TEST(growth_can_be_stopped),
          TEST(mistakes_are_named))
