// groom_generate: the sequence of stages that makes a groom, and its metadata.
#include "sim/groom/groom_generate.h"

#include "core/base/arena.h"
#include "core/base/hash64.h"
#include "core/base/log.h"
#include "core/base/strbuf.h"
#include "core/body/input_digest.h"
#include "core/collision/collider.h"
#include "sim/groom/groom_generate_internal.h"
#include "sim/groom/guide_strands.h"
#include "sim/groom/lock_detect.h"
#include "sim/groom/resolve_penetration.h"
#include "sim/groom/strand_buffer.h"
#include "sim/groom/strand_resample.h"

#include <string.h>

// Number of keys at which points are counted.
enum { MAX_KEYS = 12 };

static coif_status check_group(const coif_generate_ctx *ctx, coif_error *error)
{
    const coif_mesh *mesh = &ctx->desc->body->rest;
    const char *group = ctx->params.group;
    if (group == NULL || group[0] == '\0' || coif_mesh_find_group(mesh, group) >= 0) {
        return COIF_OK;
    }
    const char *const *names = (const char *const *)mesh->group_names;
    const char *similar = coif_nearest_name(group, names, (size_t)mesh->group_count);
    coif_strbuf known;
    coif_strbuf_init(&known, ctx->scratch);
    coif_strbuf_add_names(&known, names, (size_t)mesh->group_count, 20);
    return coif_fail(error, COIF_ERR_SCENE,
                     "%s: %s/group: body \"%s\" has no group \"%s\"%s%s%s (known: %s)",
                     ctx->desc->scene->path, ctx->desc->node->path, ctx->params.body, group,
                     similar != NULL ? ", did you mean \"" : "", similar != NULL ? similar : "",
                     similar != NULL ? "\"?" : "", known.data);
}

// Metadata: program, settings and inputs. Must be reproducible: no clock, no path.
static const char *make_metadata(const coif_generate_ctx *ctx, coif_arena *arena)
{
    const coif_node *node = ctx->desc->node;
    const char *text = coif_arena_print(
        arena, "program=coif %s\ngroom=%s\nseed=%d\nsettings=%016llx\ninputs=%016llx\n",
        COIF_VERSION, ctx->params.name, ctx->params.seed,
        (unsigned long long)coif_groom_settings_digest(node),
        (unsigned long long)coif_groom_input_digest(node, &ctx->desc->body->rest));
    static const char *const lists[] = {"maps", "modifiers"};
    for (int l = 0; l < 2; ++l) {
        const coif_node *list = coif_node_at(node, lists[l]);
        for (int32_t i = 0; i < list->child_count; ++i) {
            const coif_plugin *plugin = list->children[i].plugin;
            text = coif_arena_print(arena, "%splugin=%s %s\n", text, plugin->id, plugin->version);
        }
    }
    return text;
}

static coif_status check_progress(const coif_generate_ctx *ctx, coif_error *error)
{
    if (coif_progress_cancelled(ctx->desc->progress)) {
        return coif_fail(error, COIF_ERR_CANCELLED, "%s: groom generation cancelled",
                         ctx->params.name);
    }
    return COIF_OK;
}

// Per-strand values of a mapped parameter; unchanged without a map. Drawn strands get 1.
static coif_status eval_map(const float **values, const coif_generate_ctx *ctx,
                            const coif_param_ref *param, const coif_strand_buffer *buffer,
                            const coif_generate_services *services, coif_error *error)
{
    if (param->values->values[param->row].map != NULL) {
        float *out;
        COIF_TRY(coif_maps_check(&ctx->maps, param, error));
        COIF_TRY(coif_param_values_strands(&out, param, buffer, services, error));
        const int32_t count = buffer->strand_count;
        float *all = coif_arena_new(ctx->scratch, count + ctx->drawn_count, float);
        memcpy(all, out, sizeof *all * (size_t)count);
        for (int32_t s = 0; s < ctx->drawn_count; ++s) {
            all[count + s] = 1.0f;
        }
        *values = all;
    }
    return COIF_OK;
}

// Scattered strands are in the order of the root sequence; strands of a file are in any order.
// Drawn strands come first, so that they are simulated.
static const int32_t *binding_order(const coif_groom *groom, const coif_generate_ctx *ctx)
{
    const bool any_order = coif_is_set(ctx->params.file);
    const int32_t count = groom->rest.strand_count, drawn = ctx->drawn_count;
    if (!any_order && drawn == 0) {
        return NULL;
    }
    int32_t *all = coif_arena_new(ctx->scratch, count, int32_t);
    if (any_order) {
        coif_groom_low_discrepancy_order(all, groom, ctx->scratch);
    } else {
        for (int32_t s = 0; s < count; ++s) {
            all[s] = s;
        }
    }
    int32_t *order = coif_arena_new(ctx->scratch, count, int32_t);
    for (int32_t i = 0, at = drawn; i < count; ++i) {
        const int32_t of_drawn = all[i] - (count - drawn);
        order[of_drawn >= 0 ? of_drawn : at++] = all[i];
    }
    return order;
}

static coif_status bind_children(coif_groom *groom, const coif_generate_ctx *ctx,
                                 const coif_strand_buffer *buffer,
                                 const coif_generate_services *services, coif_arena *arena,
                                 coif_error *error)
{
    const coif_child_params *children = ctx->desc->children;
    coif_guide_binding_desc binding = {.fraction = (double)ctx->params.simulated_fraction,
                                       .match_orientation = true,
                                       .mesh = &ctx->desc->body->rest,
                                       .region = groom->region,
                                       .order = binding_order(groom, ctx)};
    // Each strand has a fixed rank in the low-discrepancy order, so a strand simulated at a small
    // fraction is also simulated at a larger one.
    const coif_param_ref fraction = coif_generate_ctx_param(ctx, "simulated_fraction");
    COIF_TRY(eval_map(&binding.fractions, ctx, &fraction, buffer, services, error));
    binding.fraction = binding.fractions != NULL ? 1.0 : binding.fraction;
    if (children != NULL) {
        binding.fraction *= (double)children->simulated_fraction;
        binding.clump = children->clump;
        binding.variation = children->clump_variation;
    }
    if (binding.clump) {
        COIF_TRY(eval_map(&binding.variations, ctx, &children->clump_variation_param, buffer,
                          services, error));
    }
    coif_groom_bind_children(groom, &binding, arena, ctx->scratch);
    return COIF_OK;
}

// Copies the guide binding of an earlier frame.
static void copy_binding(coif_groom *groom, const coif_groom *source)
{
    groom->simulated_count = source->simulated_count;
    groom->simulated = source->simulated;
    groom->guides = source->guides;
    groom->guide_weights = source->guide_weights;
    groom->clump_scale = source->clump_scale;
    groom->region = source->region;
}

// Strands of a file are kept as they are; those inside the body are reported once.
static void tell_penetration(const coif_generate_ctx *ctx, const coif_strand_buffer *buffer,
                             const coif_collider *body, const coif_generate_services *services)
{
    if (services->quiet) {
        return;
    }
    const coif_penetration inside = coif_measure_penetration(buffer, body, 1e-3f, ctx->jobs);
    if (inside.count > 0) {
        coif_log(COIF_LOG_WARNING,
                 "%s: %d points of %s lie inside body \"%s\", the deepest by %.1f mm; "
                 "file_push_out moves them out",
                 coif_generate_ctx_path(ctx), inside.count, ctx->params.file,
                 ctx->desc->body->params.name, 1e3 * (double)inside.depth);
    }
}

static coif_status load_edits(coif_generate_ctx *ctx, coif_error *error)
{
    const char *path = ctx->params.edits;
    if (!coif_is_set(path)) {
        return COIF_OK;
    }
    const coif_guide_overrides *overrides = ctx->desc->scene->guide_overrides;
    const coif_guide_edits *edits =
        overrides != NULL ? overrides->find(overrides->data, path) : NULL;
    if (edits == NULL) {
        coif_guide_edits *loaded = coif_arena_new(ctx->scratch, 1, coif_guide_edits);
        COIF_TRY(coif_guide_edits_load(loaded, path, ctx->scratch, error));
        edits = loaded;
    }
    ctx->edits = coif_arena_new(ctx->scratch, 1, coif_guide_deform);
    coif_guide_deform_init(ctx->edits, edits, ctx->scratch);
    ctx->drawn = coif_guide_strands_list(&ctx->drawn_count, edits, ctx->scratch);
    return COIF_OK;
}

// Strands of a file keep no distance from the body, as before the edits.
static coif_status apply_edits(coif_groom *groom, const coif_generate_ctx *ctx,
                               const coif_collider *collider, coif_arena *arena, coif_error *error)
{
    if (ctx->edits == NULL) {
        return COIF_OK;
    }
    const bool exact = coif_is_set(ctx->params.file) && !ctx->params.file_push_out;
    const coif_brush_body body = {.collider = collider,
                                  .clearance = exact ? 0.0f : ctx->params.clearance};
    coif_guide_deform_groom(groom, ctx->edits, &body, ctx->scratch, ctx->jobs);
    if (ctx->drawn_count == 0) {
        return COIF_OK;
    }
    coif_groom drawn;
    COIF_TRY(coif_guide_strands_groom(&drawn, ctx->edits->edits, ctx->drawn, ctx->drawn_count,
                                      &ctx->scalp, ctx->params.seed, ctx->scratch, error));
    return coif_groom_append(groom, &drawn, arena, error);
}

static coif_status generate(coif_groom *groom, coif_generate_ctx *ctx, coif_arena *arena,
                            coif_error *error)
{
    const coif_groom_generate_desc *desc = ctx->desc;
    const coif_mesh *mesh = &desc->body->rest;
    const bool from_file = coif_is_set(ctx->params.file);
    ctx->maps = (coif_maps){
        .scene = desc->scene->path, .mesh = mesh, .body = desc->body, .arena = ctx->scratch};
    COIF_TRY(check_group(ctx, error));
    COIF_TRY(coif_maps_open(&ctx->maps, desc->node, desc->frame, error));
    COIF_TRY(load_edits(ctx, error));
    if (from_file || coif_is_set(ctx->params.guides) || ctx->drawn_count > 0) {
        coif_scalp_locator_open(&ctx->scalp, mesh, ctx->params.group, ctx->scratch);
    }
    COIF_TRY(coif_groom_load_guides(ctx, error));
    COIF_TRY(coif_groom_place_roots(groom, ctx, arena, error));

    coif_collider own_collider;
    const coif_collider *body = desc->body_collider;
    if (body == NULL) {
        coif_collider_build(&own_collider, mesh, ctx->scratch);
        body = &own_collider;
    }
    coif_strand_buffer buffer;
    const coif_generate_services services = {.node = desc->node,
                                             .maps = &ctx->maps,
                                             .frame = desc->frame,
                                             .arena = ctx->scratch,
                                             .jobs = ctx->jobs,
                                             .progress = desc->progress,
                                             .quiet = desc->reuse != NULL || ctx->count_only,
                                             .body = body};
    COIF_TRY(check_progress(ctx, error));
    const coif_strand_buffer_desc buffer_desc = {.groom = groom,
                                                 .mesh = mesh,
                                                 .points = from_file ? 0
                                                           : ctx->guides.count > 0
                                                               ? ctx->guides.points
                                                               : ctx->params.points,
                                                 .counts = ctx->counts,
                                                 .max_points = ctx->params.max_points};
    coif_error cause = {.status = COIF_OK};
    if (coif_strand_buffer_open(&buffer, &buffer_desc, ctx->scratch, &cause) != COIF_OK) {
        return coif_fail_within(error, coif_generate_ctx_path(ctx), &cause);
    }
    if (!from_file) {
        COIF_TRY(coif_grow_straight(&buffer, ctx, &services, error));
    } else if (ctx->needs_radius) {
        COIF_TRY(coif_groom_set_radii(&buffer, ctx, &services, error));
    }
    if (from_file && ctx->params.lock_distance > 0.0f) {
        coif_detect_locks(buffer.clump, &groom->rest, ctx->params.lock_distance, ctx->scratch);
    }
    COIF_TRY(coif_groom_apply_guides(&buffer, ctx, &services, error));
    COIF_TRY(coif_modifiers_apply(&buffer, &services, error));
    if (ctx->counts != NULL) {
        if (coif_strand_buffer_resample(&buffer, ctx->counts, ctx->jobs, &cause) != COIF_OK) {
            return coif_fail_within(error, coif_generate_ctx_path(ctx), &cause);
        }
    }

    COIF_TRY(check_progress(ctx, error));
    const coif_collider *collider =
        desc->body_collider != NULL ? desc->body_collider : &own_collider;
    if (from_file && !ctx->params.file_push_out) {
        tell_penetration(ctx, &buffer, collider, &services);
    } else {
        coif_param_values clearance;
        COIF_TRY(coif_generate_ctx_eval(&clearance, ctx, "clearance", ctx->params.clearance,
                                        &buffer, &services, error));
        coif_resolve_penetration(&buffer, collider, &clearance, ctx->jobs);
    }
    COIF_TRY(check_progress(ctx, error));
    COIF_TRY(coif_strand_buffer_store(groom, &buffer, arena, error));
    COIF_TRY(apply_edits(groom, ctx, collider, arena, error));
    groom->mesh_digest = coif_mesh_topology_digest(mesh);
    if (desc->reuse != NULL) {
        copy_binding(groom, desc->reuse);
    } else if (!ctx->count_only) {
        COIF_TRY(bind_children(groom, ctx, &buffer, &services, arena, error));
    }
    groom->metadata = make_metadata(ctx, arena);
    return COIF_OK;
}

// One generation: with roots, point counts and frame, or those of the desc.
typedef struct pass {
    const coif_groom *roots;
    const int32_t *counts;
    double frame;
    bool count_only;
} pass;

static coif_status generate_pass(coif_groom *groom, const coif_groom_generate_desc *desc,
                                 const pass *pass_desc, coif_arena *arena, coif_jobs *jobs,
                                 coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "groom");
    coif_groom_generate_desc at = *desc;
    at.frame = pass_desc->frame;
    coif_generate_ctx ctx = {.desc = &at,
                             .roots = pass_desc->roots,
                             .counts = pass_desc->counts,
                             .count_only = pass_desc->count_only,
                             .scratch = &scratch,
                             .jobs = jobs};
    coif_node_read(desc->node, pass_desc->frame, &ctx.params);
    return generate(groom, &ctx, arena, error);
}

static int32_t *point_counts(const coif_strands *strands, coif_arena *arena)
{
    int32_t *counts = coif_arena_new(arena, strands->strand_count, int32_t);
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        counts[s] = coif_strands_length(strands, s);
    }
    return counts;
}

// Hair colour does not change the shape.
static bool affects_shape(const coif_node *node)
{
    return strcmp(node->section->name, "hair") != 0;
}

// First key after a frame among those of a table.
static void next_key_of_values(double *next, const coif_values *values, double after)
{
    for (uint32_t r = 0; r < values->row_count; ++r) {
        const coif_value *value = &values->values[r];
        for (int32_t k = 0; value->key_count > 1 && k < value->key_count; ++k) {
            if (value->frames[k] > after && value->frames[k] < *next) {
                *next = value->frames[k];
            }
        }
    }
}

static void next_key(double *next, const coif_node *node, double after)
{
    next_key_of_values(next, &node->values, after);
    if (node->plugin != NULL) {
        next_key_of_values(next, &node->plugin_values, after);
    }
    for (int32_t i = 0; i < node->child_count; ++i) {
        if (node->list || affects_shape(&node->children[i])) {
            next_key(next, &node->children[i], after);
        }
    }
}

// Frames of the keys that change the shape of a groom, ascending. When there are more than
// max_count, an even subset is kept; the last key is always included.
static int32_t keyframe_times(double *frames, int32_t max_count, const coif_node *groom)
{
    const double none = 1e300;
    int32_t count = 0, seen = 0, stride = 1;
    double key = -none;
    for (double next = none; next_key(&next, groom, key), next < none; next = none) {
        key = next;
        if (count == max_count) { // keep every other one
            for (int32_t i = 0; 2 * i < max_count; ++i) {
                frames[i] = frames[2 * i];
            }
            count = (max_count + 1) / 2;
            stride *= 2;
        }
        if (seen++ % stride == 0) {
            frames[count++] = key;
        }
    }
    if (count > 0) {
        frames[count - 1] = key;
    }
    return count;
}

// Generates the groom at its keys and keeps the maximum point count of every strand.
static coif_status generate_animated(coif_groom *groom, const coif_groom_generate_desc *desc,
                                     coif_arena *arena, coif_arena *scratch, coif_jobs *jobs,
                                     coif_error *error)
{
    double keys[MAX_KEYS];
    const int32_t key_count = keyframe_times(keys, MAX_KEYS, desc->node);
    coif_groom first;
    pass pass_desc = {.frame = desc->frame, .count_only = true};
    COIF_TRY(generate_pass(&first, desc, &pass_desc, scratch, jobs, error));
    int32_t *counts = point_counts(&first.rest, scratch);
    pass_desc.roots = &first;
    for (int32_t k = 0; k < key_count; ++k) {
        const coif_arena_mark mark = coif_arena_mark_here(scratch);
        coif_groom at_key;
        pass_desc.frame = keys[k];
        COIF_TRY(generate_pass(&at_key, desc, &pass_desc, scratch, jobs, error));
        for (int32_t s = 0; s < first.rest.strand_count; ++s) {
            const int32_t count = coif_strands_length(&at_key.rest, s);
            counts[s] = count > counts[s] ? count : counts[s];
        }
        coif_arena_rewind(scratch, mark);
    }
    pass_desc = (pass){.roots = &first, .counts = counts, .frame = desc->frame};
    return generate_pass(groom, desc, &pass_desc, arena, jobs, error);
}

coif_status coif_groom_generate(coif_groom *groom, const coif_groom_generate_desc *desc,
                                coif_arena *arena, coif_jobs *jobs, coif_error *error)
{
    if (!coif_groom_is_animated(desc->node) && desc->reuse == NULL) {
        const pass plain = {.frame = desc->frame};
        return generate_pass(groom, desc, &plain, arena, jobs, error);
    }
    COIF_SCOPED_ARENA(scratch, "groom keys");
    coif_status status;
    if (desc->reuse != NULL) {
        const pass reuse = {.roots = desc->reuse,
                            .counts = point_counts(&desc->reuse->rest, &scratch),
                            .frame = desc->frame};
        status = generate_pass(groom, desc, &reuse, arena, jobs, error);
    } else {
        status = generate_animated(groom, desc, arena, &scratch, jobs, error);
    }
    return status;
}
