#include "sim/groom/modifiers.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "core/collision/collider.h"
#include "plugins/host/plugin_validate.h"
#include "sim/groom/modifier_blend.h"
#include "sim/groom/strand_resample.h"

#include <string.h>

enum { BLOCK = 256 };

typedef struct modifier {
    coif_plugin_instance *instance;
    coif_strand_buffer *buffer;
    coif_strand_view before; // all strands before this modifier
    coif_surface_view body;
    coif_param_values amount, mask;
    uint32_t row_count;
    const coif_param_values *rows;
    const float *input_per_strand[COIF_PLUGIN_MAX_PARAMS]; // of all strands
    double time;
    bool *bad;          // per block
    float *max_segment; // per strand: longest segment that the modifier can be sampled with
} modifier;

// Parameter tables of a batch: arrays offset to its strands.
typedef struct batch_tables {
    int32_t first[BLOCK + 1];
    const float *per_strand[COIF_PLUGIN_MAX_PARAMS];
    const float *per_point[COIF_PLUGIN_MAX_PARAMS];
} batch_tables;

static void fill_tables(batch_tables *tables, const modifier *m, int32_t begin)
{
    const int32_t base = m->buffer->first[begin];
    for (uint32_t r = 0; r < m->row_count; ++r) {
        const coif_param_values *row = &m->rows[r];
        tables->per_strand[r] = row->per_strand != NULL ? row->per_strand + begin : NULL;
        tables->per_point[r] = row->per_point != NULL ? row->per_point + base : NULL;
    }
}

// The strands [begin, end) as a batch; first: offsets from the first of their points.
static coif_groom_batch batch_of(const modifier *m, const batch_tables *tables,
                                 const int32_t *first, int32_t begin, int32_t end)
{
    const coif_strand_buffer *buffer = m->buffer;
    const int32_t base = buffer->first[begin];
    return (coif_groom_batch){.struct_size = sizeof(coif_groom_batch),
                              .strand_count = end - begin,
                              .first = first,
                              .x = buffer->x + base,
                              .y = buffer->y + base,
                              .z = buffer->z + base,
                              .radius = buffer->radius + base,
                              .root_frame = buffer->root_frame + 9 * (int64_t)begin,
                              .root_uv = buffer->root_uv + 2 * (int64_t)begin,
                              .random = buffer->random + begin,
                              .per_strand = tables->per_strand,
                              .per_point = tables->per_point,
                              .time = m->time,
                              .input = &m->before,
                              .strand_begin = begin,
                              .clump = buffer->clump + begin,
                              .region = buffer->region != NULL ? buffer->region + begin : NULL,
                              .input_per_strand = m->input_per_strand,
                              .guide_direction = buffer->guide_direction != NULL
                                                     ? buffer->guide_direction + 3 * (int64_t)begin
                                                     : NULL,
                              .body = m->body.data != NULL ? &m->body : NULL};
}

// coif_surface_view.query of a collider.
static void query_body(const coif_surface_view *surface, int32_t count, const float *positions,
                       float max_distance, float *distance, float *normal)
{
    int32_t hint = -1;
    for (int32_t i = 0; i < count; ++i, positions += 3, normal += 3) {
        const coif_closest_point_query query = {
            .position = coif_vec3_of(positions[0], positions[1], positions[2]),
            .max_distance = max_distance,
            .hint = hint};
        coif_closest_point nearest;
        const bool found = coif_collider_closest_point(&nearest, surface->data, &query);
        hint = nearest.triangle;
        distance[i] = nearest.distance;
        normal[0] = found ? nearest.normal.x : 0.0f;
        normal[1] = found ? nearest.normal.y : 0.0f;
        normal[2] = found ? nearest.normal.z : 0.0f;
    }
}

static coif_groom_batch block_of(const modifier *m, batch_tables *tables, int64_t begin,
                                 int64_t end)
{
    const int32_t base = m->buffer->first[begin];
    for (int64_t s = begin; s <= end; ++s) {
        tables->first[s - begin] = m->buffer->first[s] - base;
    }
    fill_tables(tables, m, (int32_t)begin);
    return batch_of(m, tables, tables->first, (int32_t)begin, (int32_t)end);
}

static void modify_block(void *context, int64_t begin, int64_t end, int worker)
{
    const modifier *m = context;
    (void)worker;
    batch_tables tables;
    const coif_groom_batch batch = block_of(m, &tables, begin, end);
    m->bad[begin / BLOCK] = !coif_plugin_eval_groom(m->instance, &batch);
    const coif_blend blend = {m->buffer, &m->before, &m->amount, &m->mask};
    for (int64_t s = begin; s < end; ++s) {
        coif_blend_strand(&blend, (int32_t)s);
    }
}

static void segment_length_block(void *context, int64_t begin, int64_t end, int worker)
{
    const modifier *m = context;
    (void)worker;
    batch_tables tables;
    const coif_groom_batch batch = block_of(m, &tables, begin, end);
    coif_plugin_instance_max_segment_lengths(m->instance, &batch, m->max_segment + begin);
}

static const float *copy_floats(const float *from, int32_t count, coif_arena *arena)
{
    float *out = coif_arena_new(arena, count, float);
    memcpy(out, from, sizeof *out * (size_t)count);
    return out;
}

// A parameter that every modifier has.
static coif_param_ref common_param(const coif_node *node, const char *name)
{
    const coif_value *value = coif_values_find(&node->values, name);
    COIF_ASSERT(value != NULL);
    return (coif_param_ref){node, &node->values, (uint32_t)(value - node->values.values), 0};
}

// Evaluates all maps and ramps before workers start.
static coif_status prepare_rows(modifier *m, const coif_node *node,
                                const coif_generate_services *services, coif_error *error)
{
    const coif_plugin *plugin = node->plugin;
    coif_modifier_params common;
    coif_node_read(node, services->frame, &common);
    m->amount.constant = common.amount;
    m->mask.constant = common.mask;
    const coif_param_ref amount = common_param(node, "amount"), mask = common_param(node, "mask");
    COIF_TRY(coif_param_values_eval(&m->amount, &amount, m->buffer, services, error));
    COIF_TRY(coif_param_values_eval(&m->mask, &mask, m->buffer, services, error));

    m->row_count = node->plugin_values.row_count;
    COIF_ASSERT(m->row_count <= COIF_PLUGIN_MAX_PARAMS);
    char *params = coif_arena_new(services->arena, plugin->params_size + 1, char);
    coif_param_values *rows = coif_arena_new(services->arena, m->row_count + 1, coif_param_values);
    coif_values_at(&node->plugin_values, services->frame, params);
    for (uint32_t r = 0; r < m->row_count; ++r) {
        const coif_param *row = &node->plugin_values.rows[r];
        const coif_param_ref param = {node, &node->plugin_values, r, 0};
        if (row->type == COIF_PARAM_FLOAT) {
            memcpy(&rows[r].constant, params + row->offset, sizeof(float));
            COIF_TRY(coif_param_values_eval(&rows[r], &param, m->buffer, services, error));
        }
    }
    m->rows = rows;
    for (uint32_t r = 0; r < m->row_count; ++r) {
        m->input_per_strand[r] = rows[r].per_strand;
    }
    return COIF_OK;
}

// Copy of the groom before the modifier, for plugins that read neighbours.
static coif_strand_view copy_view(const coif_strand_buffer *buffer, coif_arena *arena)
{
    int32_t *clump = coif_arena_new(arena, buffer->strand_count, int32_t);
    memcpy(clump, buffer->clump, sizeof *clump * (size_t)buffer->strand_count);
    return (coif_strand_view){.struct_size = sizeof(coif_strand_view),
                              .strand_count = buffer->strand_count,
                              .first = buffer->first,
                              .x = copy_floats(buffer->x, buffer->point_count, arena),
                              .y = copy_floats(buffer->y, buffer->point_count, arena),
                              .z = copy_floats(buffer->z, buffer->point_count, arena),
                              .radius = copy_floats(buffer->radius, buffer->point_count, arena),
                              .root_frame = buffer->root_frame,
                              .random = buffer->random,
                              .clump = clump,
                              .region = buffer->region};
}

// Refines strands to the segment length that the modifier needs; maps and ramps are then
// evaluated again. [main]
static coif_status refine(modifier *m, const coif_node *node,
                          const coif_generate_services *services, coif_error *error)
{
    coif_strand_buffer *buffer = m->buffer;
    if (node->plugin->max_segment_length == NULL) {
        return COIF_OK;
    }
    m->max_segment = coif_arena_new(services->arena, buffer->strand_count, float);
    m->before = copy_view(buffer, services->arena);
    coif_parallel_for(services->jobs, buffer->strand_count, BLOCK, segment_length_block, m);
    const int32_t points = buffer->point_count;
    const coif_resample_request request = {.max_segment = m->max_segment,
                                           .max_points = buffer->max_points};
    const coif_resample_result result = coif_strand_buffer_refine(buffer, &request, services->jobs);
    if (result.needed > result.given && !services->quiet) {
        coif_log(COIF_LOG_WARNING,
                 "%s: %s: %s needs strands of %d points but max_points is %d: the result is "
                 "undersampled",
                 services->maps->scene, node->path, node->plugin->id, result.needed, result.given);
    }
    return buffer->point_count == points ? COIF_OK : prepare_rows(m, node, services, error);
}

// Calls prepare with the whole groom as one batch.
static coif_status prepare_instance(modifier *m, const coif_generate_services *services,
                                    coif_error *error)
{
    batch_tables tables;
    fill_tables(&tables, m, 0);
    const coif_groom_batch whole =
        batch_of(m, &tables, m->buffer->first, 0, m->buffer->strand_count);
    coif_error cause = {.status = COIF_OK};
    if (coif_plugin_instance_prepare(m->instance, &whole, &cause) != COIF_OK) {
        return coif_fail_within(error, services->maps->scene, &cause);
    }
    return COIF_OK;
}

static coif_status apply_modifier(modifier *m, const coif_node *node,
                                  const coif_generate_services *services, coif_error *error)
{
    coif_strand_buffer *buffer = m->buffer;
    coif_arena *arena = services->arena;
    m->time = services->maps->time;
    m->body = (coif_surface_view){sizeof m->body, services->body, query_body};
    COIF_TRY(prepare_rows(m, node, services, error));
    coif_error cause = {.status = COIF_OK};
    if (coif_plugin_instance_open(&m->instance, node, services->frame, arena, &cause) != COIF_OK ||
        coif_plugin_begin_frame(m->instance, services->frame, m->time, &cause) != COIF_OK) {
        return coif_fail_within(error, services->maps->scene, &cause);
    }
    if (coif_plugin_instance_reads_images(m->instance) && services->maps->mesh->uvs == NULL) {
        return coif_fail(
            error, COIF_ERR_SCENE,
            "%s: %s: %s reads an image, but the body's mesh has no texture coordinates",
            services->maps->scene, node->path, node->plugin->id);
    }
    COIF_TRY(refine(m, node, services, error));
    m->before = copy_view(buffer, arena);
    COIF_TRY(prepare_instance(m, services, error));
    const int64_t blocks = buffer->strand_count / BLOCK + 1;
    m->bad = coif_arena_new(arena, blocks, bool);
    coif_parallel_for(services->jobs, buffer->strand_count, BLOCK, modify_block, m);
    for (int64_t b = 0; b < blocks; ++b) {
        if (m->bad[b]) {
            return coif_fail(error, COIF_ERR_PLUGIN,
                             "%s: %s: %s returned points that are not finite",
                             services->maps->scene, node->path, node->plugin->id);
        }
    }
    return COIF_OK;
}

coif_status coif_modifiers_apply(coif_strand_buffer *buffer, const coif_generate_services *services,
                                 coif_error *error)
{
    const coif_node *list = coif_node_at(services->node, "modifiers");
    coif_status status = COIF_OK;
    for (int32_t i = 0; i < list->child_count && status == COIF_OK; ++i) {
        coif_modifier_params common;
        coif_node_read(&list->children[i], services->frame, &common);
        if (!common.enabled || buffer->strand_count == 0) {
            continue;
        }
        if (coif_progress_cancelled(services->progress)) {
            return coif_fail(error, COIF_ERR_CANCELLED, "cancelled before %s",
                             list->children[i].path);
        }
        // Arrays and instance of a modifier live in its own arena.
        COIF_SCOPED_ARENA(scratch, "modifier");
        coif_generate_services modifier_services = *services;
        modifier_services.arena = &scratch;
        modifier m = {.buffer = buffer};
        status = apply_modifier(&m, &list->children[i], &modifier_services, error);
    }
    return status;
}
