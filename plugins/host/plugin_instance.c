// instance: one use of a plugin in a scene, and the watch over what it returns.
//
// Worker calls go out in pieces small enough that what was there before fits on the stack: when a
// plugin returns something that is not a number, the old values are put back and the plugin is
// named once in the log.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "plugins/host/crash_handler.h"
#include "plugins/host/host.h"
#include "plugins/host/plugin_images.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { MOST_IMAGES = 64, FORCE_PIECE = 512, GROOM_PIECE = 4096, MOST_ROWS = 256 };

struct coif_plugin_instance {
    coif_host host;
    const coif_node *node;
    const coif_plugin *plugin;
    coif_arena *arena;
    void *params, *state;
    coif_udim_image images[MOST_IMAGES];
    int32_t image_count;
    char reason[1024]; // what the plugin explained
    atomic_flag *named;
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
    if (instance->reason[0] != '\0') {
        return; // what went wrong first is what has to be mended first
    }
    va_list list;
    va_start(list, format);
    vsnprintf(instance->reason, sizeof instance->reason, format, list);
    va_end(list);
}

// Pictures in memory that stand for files, NULL when there are none.
static const coif_image_overrides *pictures_of(const coif_node *node)
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
        service_set_error(host, "no image is named");
        return -1;
    }
    if (instance->image_count == MOST_IMAGES) {
        service_set_error(host, "%s: more than %d images", path, MOST_IMAGES);
        return -1;
    }
    coif_error error = {0};
    coif_udim_image *tiles = &instance->images[instance->image_count];
    if (coif_udim_image_load(tiles, path, pictures_of(instance->node), instance->arena, &error) !=
        COIF_OK) {
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

// Turns a plugin's status into an error that names it and its place in the scene. What was
// explained without a failure is forgotten.
static coif_status report(coif_plugin_instance *instance, coif_status status, coif_error *error)
{
    if (status != COIF_OK) {
        const bool known = status > COIF_OK && status <= COIF_ERR_MEMORY;
        status =
            coif_fail(error, known ? status : COIF_ERR_PLUGIN, "%s: %s: %s", instance->node->path,
                      instance->plugin->id,
                      instance->reason[0] != '\0' ? instance->reason : "failed without saying why");
    }
    instance->reason[0] = '\0';
    return status;
}

coif_status coif_plugin_instance_open(coif_plugin_instance **opened, const coif_node *node,
                                      double frame, coif_arena *arena, coif_error *error)
{
    const coif_plugin *plugin = node->plugin;
    if (plugin == NULL) {
        return coif_fail(error, COIF_ERR_PLUGIN, "%s: no plugin is named", node->path);
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
                 .image_texel = service_image_texel},
        .node = node,
        .plugin = plugin,
        .arena = arena,
        .params = coif_arena_alloc(arena, 1, plugin->params_size + 1),
        .state = coif_arena_alloc(arena, 1, plugin->state_size + 1),
        .named = coif_arena_new(arena, 1, atomic_flag),
    };
    atomic_flag_clear(instance->named);
    coif_values_at(&node->plugin_values, frame, instance->params);
    *opened = instance;
    if (plugin->init == NULL) {
        return COIF_OK;
    }
    coif_crash_handler_enter(plugin->id);
    const coif_status status = plugin->init(&instance->host, instance->state, instance->params);
    coif_crash_handler_leave();
    return report(instance, status, error);
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
    return report(instance, status, error);
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

static bool name_once(const coif_plugin_instance *instance, const char *what)
{
    if (!atomic_flag_test_and_set(instance->named)) {
        coif_log(COIF_LOG_WARNING,
                 "%s: %s gave numbers that are not finite%s (said once per instance)",
                 instance->node->path, instance->plugin->id, what);
    }
    return false;
}

static bool force_piece(const coif_plugin_instance *instance, const coif_force_batch *batch)
{
    float *const outputs[6] = {batch->wind_x, batch->wind_y, batch->wind_z,
                               batch->ax,     batch->ay,     batch->az};
    float before[6][FORCE_PIECE];
    for (int k = 0; k < 6; ++k) {
        memcpy(before[k], outputs[k], sizeof(float) * (size_t)batch->count);
    }
    coif_crash_handler_enter(instance->plugin->id);
    instance->plugin->force(&instance->host, instance->state, instance->params, batch);
    coif_crash_handler_leave();

    bool finite = true;
    for (int32_t i = 0; i < batch->count; ++i) {
        // Zero unless one of them is infinite or NaN.
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
    for (int32_t begin = 0; begin < batch->count; begin += FORCE_PIECE) {
        const int32_t left = batch->count - begin;
        const coif_force_batch piece = {
            .struct_size = sizeof piece,
            .count = left < FORCE_PIECE ? left : FORCE_PIECE,
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
        finite = force_piece(instance, &piece) && finite;
    }
    return finite || name_once(instance, "; those points keep the air they had");
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
    return finite || name_once(instance, "");
}

// Checks the strands of a piece and puts back those that came out wrong. Before holds x, y, z and
// radius of the points from begin on, one after another.
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

static bool groom_piece(const coif_plugin_instance *instance, const coif_groom_batch *batch,
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

// The strands [begin, begin + count) of a batch as a batch of their own. Points keep their numbers;
// only what is counted by strand moves on.
static coif_groom_batch slice(const coif_groom_batch *batch, int32_t begin, int32_t count,
                              const float **per_strand, uint32_t row_count)
{
    coif_groom_batch piece = *batch;
    piece.struct_size = sizeof piece;
    piece.strand_count = count;
    piece.first = batch->first + begin;
    piece.root_frame = batch->root_frame + 9 * (ptrdiff_t)begin;
    piece.root_uv = batch->root_uv + 2 * (ptrdiff_t)begin;
    piece.random = batch->random + begin;
    piece.clump = batch->clump != NULL ? batch->clump + begin : NULL;
    piece.region = batch->region != NULL ? batch->region + begin : NULL;
    piece.guide_direction =
        batch->guide_direction != NULL ? batch->guide_direction + 3 * (ptrdiff_t)begin : NULL;
    piece.strand_begin = batch->strand_begin + begin;
    for (uint32_t row = 0; row < row_count; ++row) {
        per_strand[row] = batch->per_strand[row] ? batch->per_strand[row] + begin : NULL;
    }
    piece.per_strand = per_strand;
    return piece;
}

bool coif_plugin_eval_groom(const coif_plugin_instance *instance, const coif_groom_batch *batch)
{
    COIF_ASSERT(instance->plugin->kind == COIF_KIND_GROOM);
    const float *per_strand[MOST_ROWS];
    float before[4 * GROOM_PIECE];
    bool finite = true;
    for (int32_t begin = 0, end; begin < batch->strand_count; begin = end) {
        end = begin + 1;
        while (end < batch->strand_count &&
               batch->first[end + 1] - batch->first[begin] <= GROOM_PIECE) {
            ++end;
        }
        const coif_groom_batch piece =
            slice(batch, begin, end - begin, per_strand, instance->plugin->param_count);
        const int32_t points = batch->first[end] - batch->first[begin];
        if (points <= GROOM_PIECE) {
            finite = groom_piece(instance, &piece, before) && finite;
            continue;
        }
        // One strand longer than any hair: rare enough for memory of its own.
        coif_arena scratch;
        coif_arena_init(&scratch, "long strand");
        finite =
            groom_piece(instance, &piece, coif_arena_new(&scratch, 4 * (size_t)points, float)) &&
            finite;
        coif_arena_free(&scratch);
    }
    return finite || name_once(instance, "");
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
    return report(instance, status, error);
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
        // Not a number, or less than nothing: no wish.
        longest[s] = longest[s] > 0.0f && isfinite(longest[s]) ? longest[s] : 0.0f;
    }
}
