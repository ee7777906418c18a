#include "sim/groom/modifiers.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "sim/groom/modifier_blend.h"
#include "sim/groom/strand_resample.h"

#include <string.h>

enum { BLOCK = 256 };

typedef struct modifier {
    coif_plugin_instance *instance;
    coif_strand_buffer *growth;
    coif_strand_view before; // the whole groom before this modifier
    coif_param_values amount, mask;
    uint32_t row_count;
    const coif_param_values *rows;
    const float *all_strand[COIF_MODIFIER_ROWS]; // of the rows, for the whole groom
    double time;
    bool *bad;      // per block
    float *longest; // per strand: what the modifier can be drawn with
} modifier;

// Tables of the batch: the rows' arrays, moved on to the strands of this block.
typedef struct batch_tables {
    int32_t first[BLOCK + 1];
    const float *per_strand[COIF_MODIFIER_ROWS];
    const float *per_point[COIF_MODIFIER_ROWS];
} batch_tables;

static void fill_tables(batch_tables *tables, const modifier *m, int32_t begin, int32_t end)
{
    const int32_t base = m->growth->first[begin];
    for (int32_t s = begin; s <= end; ++s) {
        tables->first[s - begin] = m->growth->first[s] - base;
    }
    for (uint32_t r = 0; r < m->row_count; ++r) {
        const coif_param_values *row = &m->rows[r];
        tables->per_strand[r] = row->per_strand != NULL ? row->per_strand + begin : NULL;
        tables->per_point[r] = row->per_point != NULL ? row->per_point + base : NULL;
    }
}

// The strands [begin, end) as a batch.
static coif_groom_batch batch_of(const modifier *m, batch_tables *tables, int32_t begin,
                                 int32_t end)
{
    const coif_strand_buffer *growth = m->growth;
    fill_tables(tables, m, begin, end);
    const int32_t base = growth->first[begin];
    return (coif_groom_batch){.struct_size = sizeof(coif_groom_batch),
                              .strand_count = end - begin,
                              .first = tables->first,
                              .x = growth->x + base,
                              .y = growth->y + base,
                              .z = growth->z + base,
                              .radius = growth->radius + base,
                              .root_frame = growth->root_frame + 9 * (int64_t)begin,
                              .root_uv = growth->root_uv + 2 * (int64_t)begin,
                              .random = growth->random + begin,
                              .per_strand = tables->per_strand,
                              .per_point = tables->per_point,
                              .time = m->time,
                              .input = &m->before,
                              .strand_begin = begin,
                              .clump = growth->lock + begin,
                              .region = growth->region != NULL ? growth->region + begin : NULL,
                              .input_per_strand = m->all_strand,
                              .guide_direction =
                                  growth->flow != NULL ? growth->flow + 3 * (int64_t)begin : NULL};
}

static void modify_block(void *context, int64_t begin, int64_t end, int worker)
{
    const modifier *m = context;
    (void)worker;
    batch_tables tables;
    const coif_groom_batch batch = batch_of(m, &tables, (int32_t)begin, (int32_t)end);
    m->bad[begin / BLOCK] = !coif_plugin_eval_groom(m->instance, &batch);
    const coif_blend blend = {m->growth, &m->before, &m->amount, &m->mask};
    for (int64_t s = begin; s < end; ++s) {
        coif_blend_strand(&blend, (int32_t)s);
    }
}

static void detail_block(void *context, int64_t begin, int64_t end, int worker)
{
    const modifier *m = context;
    (void)worker;
    batch_tables tables;
    const coif_groom_batch batch = batch_of(m, &tables, (int32_t)begin, (int32_t)end);
    coif_plugin_instance_max_segment_lengths(m->instance, &batch, m->longest + begin);
}

static const float *copy_floats(const float *from, int32_t count, coif_arena *arena)
{
    float *copy = coif_arena_new(arena, count, float);
    memcpy(copy, from, sizeof *copy * (size_t)count);
    return copy;
}

// A row that every modifier has.
static coif_param_ref own_row(const coif_node *node, const char *name)
{
    const coif_value *value = coif_values_find(&node->values, name);
    COIF_ASSERT(value != NULL);
    return (coif_param_ref){node, &node->values, (uint32_t)(value - node->values.values), 0};
}

// Everything that varies over strands or points is laid out before workers begin.
static coif_status prepare_rows(modifier *m, const coif_node *node,
                                const coif_generate_services *tools, coif_error *error)
{
    const coif_plugin *plugin = node->plugin;
    coif_modifier_params own;
    coif_node_read(node, tools->frame, &own);
    m->amount.constant = own.amount;
    m->mask.constant = own.mask;
    const coif_param_ref amount = own_row(node, "amount"), mask = own_row(node, "mask");
    COIF_TRY(coif_param_values_eval(&m->amount, &amount, m->growth, tools, error));
    COIF_TRY(coif_param_values_eval(&m->mask, &mask, m->growth, tools, error));

    m->row_count = node->plugin_values.row_count;
    if (m->row_count > COIF_MODIFIER_ROWS) {
        return coif_fail(error, COIF_ERR_PLUGIN, "%s has %u parameters, at most %d are possible",
                         plugin->id, m->row_count, COIF_MODIFIER_ROWS);
    }
    char *params = coif_arena_new(tools->arena, plugin->params_size + 1, char);
    coif_param_values *rows = coif_arena_new(tools->arena, m->row_count + 1, coif_param_values);
    coif_values_at(&node->plugin_values, tools->frame, params);
    for (uint32_t r = 0; r < m->row_count; ++r) {
        const coif_param *row = coif_values_param(&node->plugin_values, r);
        const coif_param_ref place = {node, &node->plugin_values, r, 0};
        if (row->type == COIF_PARAM_FLOAT) {
            memcpy(&rows[r].constant, params + row->offset, sizeof(float));
            COIF_TRY(coif_param_values_eval(&rows[r], &place, m->growth, tools, error));
        }
    }
    m->rows = rows;
    for (uint32_t r = 0; r < m->row_count; ++r) {
        m->all_strand[r] = rows[r].per_strand;
    }
    return COIF_OK;
}

// The groom as it is now, for those that look at neighbours.
static coif_strand_view view_of(const coif_strand_buffer *growth, coif_arena *arena)
{
    int32_t *lock = coif_arena_new(arena, growth->strand_count, int32_t);
    memcpy(lock, growth->lock, sizeof *lock * (size_t)growth->strand_count);
    return (coif_strand_view){.struct_size = sizeof(coif_strand_view),
                              .strand_count = growth->strand_count,
                              .first = growth->first,
                              .x = copy_floats(growth->x, growth->point_count, arena),
                              .y = copy_floats(growth->y, growth->point_count, arena),
                              .z = copy_floats(growth->z, growth->point_count, arena),
                              .radius = copy_floats(growth->radius, growth->point_count, arena),
                              .root_frame = growth->root_frame,
                              .random = growth->random,
                              .clump = lock,
                              .region = growth->region};
}

// Strands get the points that the modifier needs to be seen; what varies along them is laid out
// again. [main]
static coif_status refine(modifier *m, const coif_node *node, const coif_generate_services *tools,
                          coif_error *error)
{
    coif_strand_buffer *growth = m->growth;
    if (node->plugin->max_segment_length == NULL) {
        return COIF_OK;
    }
    m->longest = coif_arena_new(tools->arena, growth->strand_count, float);
    m->before = view_of(growth, tools->arena);
    coif_parallel_for(tools->jobs, growth->strand_count, BLOCK, detail_block, m);
    const int32_t points = growth->point_count;
    const coif_resample_request wish = {.longest = m->longest, .most = growth->points_most};
    const coif_resample_result granted = coif_strand_buffer_refine(growth, &wish, tools->jobs);
    if (granted.needed > granted.given && !tools->quiet) {
        coif_log(
            COIF_LOG_WARNING,
            "%s: %s: %s needs strands of %d points, points_most allows %d: it is drawn coarser",
            tools->maps->scene, node->path, node->plugin->id, granted.needed, granted.given);
    }
    return growth->point_count == points ? COIF_OK : prepare_rows(m, node, tools, error);
}

// Batches of workers are small; this one is the whole groom.
static coif_status show_all(modifier *m, const coif_generate_services *tools, coif_error *error)
{
    const coif_strand_buffer *growth = m->growth;
    const float *per_point[COIF_MODIFIER_ROWS] = {NULL};
    for (uint32_t r = 0; r < m->row_count; ++r) {
        per_point[r] = m->rows[r].per_point;
    }
    const coif_groom_batch whole = {.struct_size = sizeof whole,
                                    .strand_count = growth->strand_count,
                                    .first = growth->first,
                                    .x = growth->x,
                                    .y = growth->y,
                                    .z = growth->z,
                                    .radius = growth->radius,
                                    .root_frame = growth->root_frame,
                                    .root_uv = growth->root_uv,
                                    .random = growth->random,
                                    .per_strand = m->all_strand,
                                    .per_point = per_point,
                                    .time = m->time,
                                    .input = &m->before,
                                    .clump = growth->lock,
                                    .region = growth->region,
                                    .input_per_strand = m->all_strand,
                                    .guide_direction = growth->flow};
    coif_error cause = {.status = COIF_OK};
    if (coif_plugin_instance_prepare(m->instance, &whole, &cause) != COIF_OK) {
        return coif_fail_within(error, tools->maps->scene, &cause);
    }
    return COIF_OK;
}

static coif_status apply_modifier(modifier *m, const coif_node *node,
                                  const coif_generate_services *tools, coif_error *error)
{
    coif_strand_buffer *growth = m->growth;
    coif_arena *arena = tools->arena;
    m->time = tools->maps->time;
    COIF_TRY(prepare_rows(m, node, tools, error));
    coif_error cause = {.status = COIF_OK};
    if (coif_plugin_instance_open(&m->instance, node, tools->frame, arena, &cause) != COIF_OK ||
        coif_plugin_begin_frame(m->instance, tools->frame, m->time, &cause) != COIF_OK) {
        return coif_fail_within(error, tools->maps->scene, &cause);
    }
    if (coif_plugin_instance_reads_images(m->instance) && tools->maps->mesh->uvs == NULL) {
        return coif_fail(
            error, COIF_ERR_SCENE,
            "%s: %s: %s reads an image, but the body's mesh has no texture coordinates",
            tools->maps->scene, node->path, node->plugin->id);
    }
    COIF_TRY(refine(m, node, tools, error));
    m->before = view_of(growth, arena);
    COIF_TRY(show_all(m, tools, error));
    const int64_t blocks = growth->strand_count / BLOCK + 1;
    m->bad = coif_arena_new(arena, blocks, bool);
    coif_parallel_for(tools->jobs, growth->strand_count, BLOCK, modify_block, m);
    for (int64_t b = 0; b < blocks; ++b) {
        if (m->bad[b]) {
            return coif_fail(error, COIF_ERR_PLUGIN, "%s: %s: %s gave points that are not numbers",
                             tools->maps->scene, node->path, node->plugin->id);
        }
    }
    return COIF_OK;
}

coif_status coif_modifiers_apply(coif_strand_buffer *growth, const coif_generate_services *tools,
                                 coif_error *error)
{
    const coif_node *list = coif_node_at(tools->node, "modifiers");
    coif_status status = COIF_OK;
    for (int32_t i = 0; i < list->child_count && status == COIF_OK; ++i) {
        coif_modifier_params own;
        coif_node_read(&list->children[i], tools->frame, &own);
        if (!own.enabled || growth->strand_count == 0) {
            continue;
        }
        if (coif_progress_cancelled(tools->progress)) {
            return coif_fail(error, COIF_ERR_CANCELLED, "stopped before %s",
                             list->children[i].path);
        }
        // A modifier's arrays and its instance die with it.
        coif_arena scratch;
        coif_arena_init(&scratch, "modifier");
        coif_generate_services own_tools = *tools;
        own_tools.arena = &scratch;
        modifier m = {.growth = growth};
        status = apply_modifier(&m, &list->children[i], &own_tools, error);
        coif_arena_free(&scratch);
    }
    return status;
}
