// A groom generated on a ball, with plugins of its own.
#ifndef COIF_TESTS_SUPPORT_GROOM_FIXTURE_H
#define COIF_TESTS_SUPPORT_GROOM_FIXTURE_H

#include "core/base/fs.h"
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "sim/groom/groom_generate.h"
#include "tests/support/sim_scene.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

// A map of u, one that opens an image, and one that has a path but opens none.
static inline void map_u(const coif_host *host, const void *state, const void *params,
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

static inline coif_status open_picture(const coif_host *host, void *state, const void *params)
{
    (void)state;
    return host->image_open(host, ((const picture_params *)params)->file) < 0 ? COIF_ERR_IO
                                                                              : COIF_OK;
}

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

static inline void push(const coif_host *host, const void *state, const void *params,
                        const coif_groom_batch *batch)
{
    (void)host, (void)state;
    for (int32_t s = 0; s < batch->strand_count; ++s) {
        for (int32_t i = batch->first[s]; i < batch->first[s + 1]; ++i) {
            const float strand = batch->per_strand[0] != NULL ? batch->per_strand[0][s]
                                                              : ((const push_params *)params)->push;
            batch->x[i] += batch->per_point[0] != NULL ? batch->per_point[0][i] : strand;
        }
        // The shape of other strands does not depend on the order of the workers.
        const int32_t other = batch->strand_begin + s == 0 ? 1 : 0;
        batch->radius[batch->first[s]] = batch->input->radius[batch->input->first[other]];
    }
}

// Straight into the head.
static inline void fold(const coif_host *host, const void *state, const void *params,
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

static inline void spoil(const coif_host *host, const void *state, const void *params,
                         const coif_groom_batch *batch)
{
    (void)host, (void)state, (void)params;
    batch->x[batch->first[0] + 1] = NAN;
}

// Moves points nearer than 15 mm to the body to 8 mm from it.
static inline void project(const coif_host *host, const void *state, const void *params,
                           const coif_groom_batch *batch)
{
    (void)host, (void)state, (void)params;
    for (int32_t s = 0; s < batch->strand_count; ++s) {
        for (int32_t i = batch->first[s] + 1; i < batch->first[s + 1]; ++i) {
            const float p[3] = {batch->x[i], batch->y[i], batch->z[i]};
            float distance, normal[3];
            batch->body->query(batch->body, 1, p, 0.015f, &distance, normal);
            batch->x[i] += (0.008f - distance) * normal[0];
            batch->y[i] += (0.008f - distance) * normal[1];
            batch->z[i] += (0.008f - distance) * normal[2];
        }
    }
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
     .init = open_picture,
     .map = map_u},
    {.struct_size = sizeof(coif_plugin),
     .kind = COIF_KIND_MAP,
     .id = "test.table",
     .version = "1.0.0",
     .help = "a map that reads a table of numbers",
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
     .id = "test.project",
     .version = "1.0.0",
     .help = "projects onto a layer over the body",
     .param_stride = sizeof(coif_param),
     .groom = project},
    {.struct_size = sizeof(coif_plugin),
     .kind = COIF_KIND_GROOM,
     .id = "test.spoil",
     .version = "1.0.0",
     .help = "spoils",
     .param_stride = sizeof(coif_param),
     .groom = spoil},
};

// A modifier with as many parameters as a plugin may have; it does nothing.
static inline void no_change(const coif_host *host, const void *state, const void *params,
                             const coif_groom_batch *batch)
{
    (void)host, (void)state, (void)params, (void)batch;
}

enum { MANY_PARAMS = 256 };

static inline const coif_plugin *plugin_with_many_params(void)
{
    static char names[MANY_PARAMS][8];
    static coif_param rows[MANY_PARAMS];
    static const coif_plugin plugin = {.struct_size = sizeof(coif_plugin),
                                       .kind = COIF_KIND_GROOM,
                                       .id = "test.many",
                                       .version = "1.0.0",
                                       .help = "many parameters",
                                       .params = rows,
                                       .param_count = MANY_PARAMS,
                                       .param_stride = sizeof(coif_param),
                                       .params_size = MANY_PARAMS * sizeof(float),
                                       .groom = no_change};
    for (uint32_t i = 0; i < MANY_PARAMS; ++i) {
        snprintf(names[i], sizeof names[i], "p%u", i);
        rows[i] = (coif_param){.name = names[i],
                               .help = "one of many",
                               .unit = "",
                               .type = COIF_PARAM_FLOAT,
                               .offset = i * (uint32_t)sizeof(float)};
    }
    return &plugin;
}

static inline const coif_plugin *plugin_at(void *data, int32_t index)
{
    (void)data;
    if (index == COIF_COUNT_OF(PLUGINS)) {
        return plugin_with_many_params();
    }
    return (size_t)index < COIF_COUNT_OF(PLUGINS) ? &PLUGINS[index] : NULL;
}

typedef struct grown {
    coif_groom groom;
    coif_groom_generate_desc desc; // it was generated with
    coif_body *body;
    coif_status status;
    coif_error error;
} grown;

static coif_progress *progress; // that growth asks whether to stop

// Grows the groom whose rows are given, on the ball (or the one without texture coordinates).
static inline grown grow_on(const char *mesh, const char *rows, coif_jobs *jobs)
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
        result.desc =
            (coif_groom_generate_desc){.scene = scene,
                                       .node = &coif_node_at(scene->root, "grooms")->children[0],
                                       .body = result.body,
                                       .frame = 1.0,
                                       .progress = progress};
        result.status =
            coif_groom_generate(&result.groom, &result.desc, &arena, jobs, &result.error);
    }
    return result;
}

static inline grown grow(const char *rows)
{
    const grown result = grow_on("ball.obj", rows, NULL);
    CHECK_OK(result.status, result.error);
    return result;
}

static inline float strand_length(const coif_strands *rest, int32_t s)
{
    float sum = 0.0f;
    for (int32_t i = rest->first[s]; i + 1 < rest->first[s + 1]; ++i) {
        sum += coif_length(
            coif_sub(coif_vec4_xyz(rest->points[i + 1]), coif_vec4_xyz(rest->points[i])));
    }
    return sum;
}

#endif
