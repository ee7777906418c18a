// plugin_instance: host services, calls into plugins and checks of their results.
//
// Worker calls are split into chunks whose previous values fit on the stack. Where a plugin returns
// values that are not finite, the previous values are restored and the plugin is logged once.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/mesh/mesh.h"
#include "core/mesh/parse_float.h"
#include "plugins/host/crash_handler.h"
#include "plugins/host/host.h"
#include "plugins/host/plugin_images.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { IMAGE_COUNT_MAX = 64, FORCE_CHUNK = 512, GROOM_CHUNK = 4096 };

struct coif_plugin_instance {
    coif_host host;
    const coif_node *node;
    const coif_plugin *plugin;
    coif_arena *arena;
    void *params, *state;
    coif_udim_image images[IMAGE_COUNT_MAX];
    int32_t image_count;
    char message[1024]; // first set_error of the current call
    atomic_flag *warned;
};

static coif_plugin_instance *instance_of(const coif_host *host)
{
    return host->data;
}

static void *service_alloc(const coif_host *host, size_t bytes)
{
    return coif_arena_alloc(instance_of(host)->arena, 1, bytes > 0 ? bytes : 1);
}

COIF_PRINTF(2, 3) static void service_set_error(const coif_host *host, const char *format, ...)
{
    coif_plugin_instance *instance = instance_of(host);
    if (instance->message[0] != '\0') {
        return; // later errors are usually consequences of the first
    }
    va_list list;
    va_start(list, format);
    vsnprintf(instance->message, sizeof instance->message, format, list);
    va_end(list);
}

// In-memory images that replace files, or NULL.
static const coif_image_overrides *image_overrides(const coif_node *node)
{
    while (node->parent != NULL) {
        node = node->parent;
    }
    return node->image_overrides;
}

static int32_t service_image_open(const coif_host *host, const char *path)
{
    coif_plugin_instance *instance = instance_of(host);
    if (path == NULL || path[0] == '\0') {
        service_set_error(host, "no image given");
        return -1;
    }
    if (instance->image_count == IMAGE_COUNT_MAX) {
        service_set_error(host, "%s: more than %d images", path, IMAGE_COUNT_MAX);
        return -1;
    }
    coif_error error = {0};
    coif_udim_image *tiles = &instance->images[instance->image_count];
    const char *plugin = coif_crash_handler_pause();
    const coif_status status =
        coif_udim_image_load(tiles, path, image_overrides(instance->node), instance->arena, &error);
    coif_crash_handler_enter(plugin);
    if (status != COIF_OK) {
        service_set_error(host, "%s", error.text);
        return -1;
    }
    return instance->image_count++;
}

static const coif_udim_image *find_image(const coif_plugin_instance *instance, int32_t image)
{
    return image >= 0 && image < instance->image_count ? &instance->images[image] : NULL;
}

static void service_image_sample(const coif_host *host, int32_t image, int32_t channel,
                                 int32_t count, const float *u, const float *v, float *value)
{
    const coif_udim_image *tiles = find_image(instance_of(host), image);
    for (int32_t i = 0; i < count; ++i) {
        value[i] = tiles != NULL ? coif_udim_image_sample(tiles, channel, u[i], v[i]) : 0.0f;
    }
}

static void service_image_texel(const coif_host *host, int32_t image, int32_t channel,
                                int32_t count, const float *u, const float *v, float *value)
{
    const coif_udim_image *tiles = find_image(instance_of(host), image);
    for (int32_t i = 0; i < count; ++i) {
        value[i] = tiles != NULL ? coif_udim_image_texel(tiles, channel, u[i], v[i]) : 0.0f;
    }
}

static int32_t service_image_channels(const coif_host *host, int32_t image)
{
    const coif_udim_image *tiles = find_image(instance_of(host), image);
    return tiles != NULL ? tiles->channel_count : 0;
}

// Copies what mesh_open returns out of the mesh, whose normals, groups and materials are freed.
static void copy_mesh(coif_mesh_view *view, const coif_mesh *mesh, coif_arena *arena)
{
    _Static_assert(sizeof(coif_vec3) == 3 * sizeof(float), "positions are copied as floats");
    const size_t positions = 3 * (size_t)mesh->vertex_count;
    const size_t indices = 3 * (size_t)mesh->triangle_count;
    float *position = coif_arena_new(arena, positions, float);
    int32_t *index = coif_arena_new(arena, indices, int32_t);
    memcpy(position, mesh->positions, sizeof(float) * positions);
    memcpy(index, mesh->indices, sizeof(int32_t) * indices);
    view->vertex_count = mesh->vertex_count;
    view->triangle_count = mesh->triangle_count;
    view->positions = position;
    view->indices = index;
}

static coif_status service_mesh_open(const coif_host *host, const char *path, coif_mesh_view *view)
{
    if (path == NULL || path[0] == '\0') {
        service_set_error(host, "no mesh given");
        return COIF_ERR_SCENE;
    }
    if (view->struct_size < sizeof(coif_mesh_view)) {
        service_set_error(host, "mesh_open: struct_size %u", view->struct_size);
        return COIF_ERR_PLUGIN;
    }
    COIF_SCOPED_ARENA(scratch, "plugin mesh");
    coif_mesh mesh;
    coif_error error = {0};
    const char *plugin = coif_crash_handler_pause();
    const coif_status status =
        coif_mesh_load(&mesh, path, &COIF_MESH_ALL_TRIANGLES, &scratch, &error);
    coif_crash_handler_enter(plugin);
    if (status == COIF_OK) {
        copy_mesh(view, &mesh, instance_of(host)->arena);
    } else {
        service_set_error(host, "%s", error.text);
    }
    return status;
}

static int32_t service_parse_float(const coif_host *host, const char **text, float *number)
{
    (void)host;
    float value;
    const char *end = coif_parse_float(&value, *text + strspn(*text, " \t\r\n"));
    if (end == NULL) {
        return 0;
    }
    *number = value;
    *text = end;
    return 1;
}

// Converts a plugin's status into an error with its id and JSON path. Messages set without a
// failure are dropped.
static coif_status finish_call(coif_plugin_instance *instance, coif_status status,
                               coif_error *error)
{
    if (status != COIF_OK) {
        const bool valid = status > COIF_OK && status <= COIF_ERR_MEMORY;
        status = coif_fail(error, valid ? status : COIF_ERR_PLUGIN, "%s: %s: %s",
                           instance->node->path, instance->plugin->id,
                           instance->message[0] != '\0' ? instance->message
                                                        : "failed without an error message");
    }
    instance->message[0] = '\0';
    return status;
}

coif_status coif_plugin_instance_open(coif_plugin_instance **opened, const coif_node *node,
                                      double frame, coif_arena *arena, coif_error *error)
{
    const coif_plugin *plugin = node->plugin;
    if (plugin == NULL) {
        return coif_fail(error, COIF_ERR_PLUGIN, "%s: no plugin given", node->path);
    }
    coif_plugin_instance *instance = coif_arena_new(arena, 1, coif_plugin_instance);
    *instance = (coif_plugin_instance){
        .host = {.struct_size = sizeof(coif_host),
                 .data = instance,
                 .alloc = service_alloc,
                 .set_error = service_set_error,
                 .image_open = service_image_open,
                 .image_sample = service_image_sample,
                 .image_channels = service_image_channels,
                 .image_texel = service_image_texel,
                 .mesh_open = service_mesh_open,
                 .parse_float = service_parse_float},
        .node = node,
        .plugin = plugin,
        .arena = arena,
        .params = coif_arena_alloc(arena, 1, plugin->params_size + 1),
        .state = coif_arena_alloc(arena, 1, plugin->state_size + 1),
        .warned = coif_arena_new(arena, 1, atomic_flag),
    };
    atomic_flag_clear(instance->warned);
    coif_values_at(&node->plugin_values, frame, instance->params);
    *opened = instance;
    if (plugin->init == NULL) {
        return COIF_OK;
    }
    coif_crash_handler_enter(plugin->id);
    const coif_status status = plugin->init(&instance->host, instance->state, instance->params);
    coif_crash_handler_leave();
    return finish_call(instance, status, error);
}

coif_status coif_plugin_begin_frame(coif_plugin_instance *instance, double frame, double time,
                                    coif_error *error)
{
    coif_plugin_set_time(instance, frame);
    if (instance->plugin->frame == NULL) {
        return COIF_OK;
    }
    coif_crash_handler_enter(instance->plugin->id);
    const coif_status status =
        instance->plugin->frame(&instance->host, instance->state, instance->params, time);
    coif_crash_handler_leave();
    return finish_call(instance, status, error);
}

void coif_plugin_set_time(coif_plugin_instance *instance, double frame)
{
    if (coif_params_are_animated(&instance->node->plugin_values)) {
        coif_values_at(&instance->node->plugin_values, frame, instance->params);
    }
}

const coif_plugin *coif_plugin_instance_plugin(const coif_plugin_instance *instance)
{
    return instance->plugin;
}

bool coif_plugin_instance_reads_images(const coif_plugin_instance *instance)
{
    return instance->image_count > 0;
}

const coif_node *coif_plugin_instance_node(const coif_plugin_instance *instance)
{
    return instance->node;
}

static bool warn_once(const coif_plugin_instance *instance, const char *consequence)
{
    if (!atomic_flag_test_and_set(instance->warned)) {
        coif_log(COIF_LOG_WARNING,
                 "%s: %s returned values that are not finite%s (reported once per instance)",
                 instance->node->path, instance->plugin->id, consequence);
    }
    return false;
}

static bool eval_force_chunk(const coif_plugin_instance *instance, const coif_force_batch *batch)
{
    float *const outputs[6] = {batch->wind_x, batch->wind_y, batch->wind_z,
                               batch->ax,     batch->ay,     batch->az};
    float before[6][FORCE_CHUNK];
    for (int k = 0; k < 6; ++k) {
        memcpy(before[k], outputs[k], sizeof(float) * (size_t)batch->count);
    }
    coif_crash_handler_enter(instance->plugin->id);
    instance->plugin->force(&instance->host, instance->state, instance->params, batch);
    coif_crash_handler_leave();

    bool finite = true;
    for (int32_t i = 0; i < batch->count; ++i) {
        // x * 0 is 0 unless x is infinite or NaN.
        float sum = 0.0f;
        for (int k = 0; k < 6; ++k) {
            sum += outputs[k][i] * 0.0f;
        }
        if (sum != 0.0f) {
            for (int k = 0; k < 6; ++k) {
                outputs[k][i] = before[k][i];
            }
            finite = false;
        }
    }
    return finite;
}

bool coif_plugin_eval_force(const coif_plugin_instance *instance, const coif_force_batch *batch)
{
    COIF_ASSERT(instance->plugin->kind == COIF_KIND_FORCE);
    bool finite = true;
    for (int32_t begin = 0; begin < batch->count; begin += FORCE_CHUNK) {
        const int32_t left = batch->count - begin;
        const coif_force_batch chunk = {
            .struct_size = sizeof chunk,
            .count = left < FORCE_CHUNK ? left : FORCE_CHUNK,
            .time = batch->time,
            .x = batch->x + begin,
            .y = batch->y + begin,
            .z = batch->z + begin,
            .vx = batch->vx + begin,
            .vy = batch->vy + begin,
            .vz = batch->vz + begin,
            .wind_x = batch->wind_x + begin,
            .wind_y = batch->wind_y + begin,
            .wind_z = batch->wind_z + begin,
            .ax = batch->ax + begin,
            .ay = batch->ay + begin,
            .az = batch->az + begin,
        };
        finite = eval_force_chunk(instance, &chunk) && finite;
    }
    return finite || warn_once(instance, "; those points are not affected by it");
}

bool coif_plugin_eval_map(const coif_plugin_instance *instance, const coif_map_batch *batch)
{
    COIF_ASSERT(instance->plugin->kind == COIF_KIND_MAP);
    coif_map_batch whole = *batch;
    whole.struct_size = sizeof whole;
    coif_crash_handler_enter(instance->plugin->id);
    instance->plugin->map(&instance->host, instance->state, instance->params, &whole);
    coif_crash_handler_leave();
    bool finite = true;
    for (int32_t i = 0; i < batch->count; ++i) {
        if (!isfinite(batch->value[i])) {
            batch->value[i] = 0.0f;
            finite = false;
        }
    }
    return finite || warn_once(instance, "");
}

// Restores the strands of a chunk that are not finite. `before` holds x, y, z and radius of the
// points from begin on, one array after another.
static bool check_strands(const coif_groom_batch *batch, const float *before, int32_t begin,
                          int32_t count)
{
    float *const arrays[4] = {batch->x, batch->y, batch->z, batch->radius};
    bool finite = true;
    for (int32_t s = 0; s < batch->strand_count; ++s) {
        float sum = 0.0f;
        for (int32_t i = batch->first[s]; i < batch->first[s + 1]; ++i) {
            for (int k = 0; k < 4; ++k) {
                sum += arrays[k][i] * 0.0f;
            }
        }
        if (sum != 0.0f) {
            const int32_t offset = batch->first[s] - begin;
            const size_t bytes = sizeof(float) * (size_t)(batch->first[s + 1] - batch->first[s]);
            for (int k = 0; k < 4; ++k) {
                memcpy(arrays[k] + batch->first[s], before + (size_t)k * (size_t)count + offset,
                       bytes);
            }
            finite = false;
        }
    }
    return finite;
}

static bool eval_groom_chunk(const coif_plugin_instance *instance, const coif_groom_batch *batch,
                             float *before)
{
    float *const arrays[4] = {batch->x, batch->y, batch->z, batch->radius};
    const int32_t begin = batch->first[0];
    const int32_t count = batch->first[batch->strand_count] - begin;
    for (int k = 0; k < 4; ++k) {
        memcpy(before + (size_t)k * (size_t)count, arrays[k] + begin,
               sizeof(float) * (size_t)count);
    }
    coif_crash_handler_enter(instance->plugin->id);
    instance->plugin->groom(&instance->host, instance->state, instance->params, batch);
    coif_crash_handler_leave();
    return check_strands(batch, before, begin, count);
}

// The strands [begin, begin + count) of a batch as a batch of their own. Point indices are
// unchanged; per-strand arrays are offset.
static coif_groom_batch slice(const coif_groom_batch *batch, int32_t begin, int32_t count,
                              const float **per_strand, uint32_t row_count)
{
    coif_groom_batch chunk = *batch;
    chunk.struct_size = sizeof chunk;
    chunk.strand_count = count;
    chunk.first = batch->first + begin;
    chunk.root_frame = batch->root_frame + 9 * (ptrdiff_t)begin;
    chunk.root_uv = batch->root_uv + 2 * (ptrdiff_t)begin;
    chunk.random = batch->random + begin;
    chunk.clump = batch->clump != NULL ? batch->clump + begin : NULL;
    chunk.region = batch->region != NULL ? batch->region + begin : NULL;
    chunk.guide_direction =
        batch->guide_direction != NULL ? batch->guide_direction + 3 * (ptrdiff_t)begin : NULL;
    chunk.strand_begin = batch->strand_begin + begin;
    for (uint32_t row = 0; row < row_count; ++row) {
        per_strand[row] = batch->per_strand[row] ? batch->per_strand[row] + begin : NULL;
    }
    chunk.per_strand = per_strand;
    return chunk;
}

bool coif_plugin_eval_groom(const coif_plugin_instance *instance, const coif_groom_batch *batch)
{
    COIF_ASSERT(instance->plugin->kind == COIF_KIND_GROOM);
    const float *per_strand[COIF_PLUGIN_MAX_PARAMS];
    float before[4 * GROOM_CHUNK];
    bool finite = true;
    for (int32_t begin = 0, end; begin < batch->strand_count; begin = end) {
        end = begin + 1;
        while (end < batch->strand_count &&
               batch->first[end + 1] - batch->first[begin] <= GROOM_CHUNK) {
            ++end;
        }
        const coif_groom_batch chunk =
            slice(batch, begin, end - begin, per_strand, instance->plugin->param_count);
        const int32_t points = batch->first[end] - batch->first[begin];
        if (points <= GROOM_CHUNK) {
            finite = eval_groom_chunk(instance, &chunk, before) && finite;
            continue;
        }
        // A single strand larger than a chunk: rare, so it gets heap memory.
        COIF_SCOPED_ARENA(scratch, "long strand");
        finite = eval_groom_chunk(instance, &chunk,
                                  coif_arena_new(&scratch, 4 * (size_t)points, float)) &&
                 finite;
    }
    return finite || warn_once(instance, "");
}

coif_status coif_plugin_instance_prepare(coif_plugin_instance *instance,
                                         const coif_groom_batch *whole, coif_error *error)
{
    const coif_plugin *plugin = instance->plugin;
    COIF_ASSERT(plugin->kind == COIF_KIND_GROOM);
    if (plugin->prepare == NULL) {
        return COIF_OK;
    }
    coif_crash_handler_enter(plugin->id);
    const coif_status status =
        plugin->prepare(&instance->host, instance->state, instance->params, whole);
    coif_crash_handler_leave();
    return finish_call(instance, status, error);
}

void coif_plugin_instance_max_segment_lengths(const coif_plugin_instance *instance,
                                              const coif_groom_batch *batch, float *longest)
{
    const coif_plugin *plugin = instance->plugin;
    COIF_ASSERT(plugin->kind == COIF_KIND_GROOM);
    memset(longest, 0, sizeof *longest * (size_t)batch->strand_count);
    if (plugin->max_segment_length != NULL) {
        coif_crash_handler_enter(plugin->id);
        plugin->max_segment_length(&instance->host, instance->state, instance->params, batch,
                                   longest);
        coif_crash_handler_leave();
    }
    for (int32_t s = 0; s < batch->strand_count; ++s) {
        // NaN, infinite and negative values mean no limit.
        longest[s] = longest[s] > 0.0f && isfinite(longest[s]) ? longest[s] : 0.0f;
    }
}
