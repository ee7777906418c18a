#include "sim/groom/groom_generate.h"

#include "core/base/arena.h"
#include "core/base/hash64.h"
#include "core/base/log.h"
#include "core/base/strbuf.h"
#include "core/scene/input_digest.h"
#include "sim/collision/collider.h"
#include "sim/groom/groom_generate_internal.h"
#include "sim/groom/resolve_penetration.h"
#include "sim/groom/strand_buffer.h"
#include "sim/groom/strand_resample.h"

// Keys at which points are counted, at the most.
enum { MOST_KEYS = 12 };

static coif_status check_group(const coif_generate_ctx *all, coif_error *error)
{
    const coif_mesh *mesh = &all->desc->body->rest;
    const char *group = all->params.group;
    if (group == NULL || group[0] == '\0' || coif_mesh_find_group(mesh, group) >= 0) {
        return COIF_OK;
    }
    const char *const *names = (const char *const *)mesh->group_names;
    const char *near = coif_nearest_name(group, names, (size_t)mesh->group_count);
    coif_strbuf known;
    coif_strbuf_init(&known, all->scratch);
    coif_strbuf_add_names(&known, names, (size_t)mesh->group_count, 20);
    return coif_fail(error, COIF_ERR_SCENE,
                     "%s: %s/group: body \"%s\" has no group \"%s\"%s%s%s (known: %s)",
                     all->desc->scene->path, all->desc->node->path, all->params.body, group,
                     near != NULL ? ", did you mean \"" : "", near != NULL ? near : "",
                     near != NULL ? "\"?" : "", known.data);
}

// Who made this and from what. Nothing of it may change while the strands stay the same, except on
// purpose: no clock, no path.
static const char *describe(const coif_generate_ctx *all, coif_arena *arena)
{
    const coif_node *node = all->desc->node;
    const char *text = coif_arena_print(
        arena, "program=coif %s\ngroom=%s\nseed=%d\nsettings=%016llx\ninputs=%016llx\n",
        COIF_VERSION, all->params.name, all->params.seed,
        (unsigned long long)coif_groom_settings_digest(node),
        (unsigned long long)coif_groom_input_digest(node, &all->desc->body->rest));
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

static coif_status check_progress(const coif_generate_ctx *all, coif_error *error)
{
    if (coif_progress_cancelled(all->desc->progress)) {
        return coif_fail(error, COIF_ERR_CANCELLED, "%s: stopped while growing", all->params.name);
    }
    return COIF_OK;
}

// Clones may differ from their strand by more here and less there.
static coif_status vary_wisps(coif_guide_binding_desc *binding, const coif_generate_ctx *all,
                              const coif_strand_buffer *growth, const coif_generate_services *tools,
                              coif_error *error)
{
    const coif_node *sim = coif_node_at(all->desc->scene->root, "sim");
    const coif_value *value = coif_values_find(&sim->values, "wisp_variation");
    const coif_param_ref row = {sim, &sim->values, (uint32_t)(value - sim->values.values), 0};
    if (value->map != NULL) {
        float *variations;
        COIF_TRY(coif_maps_check(&all->maps, &row, error));
        COIF_TRY(coif_param_values_strands(&variations, &row, growth, tools, error));
        for (int32_t s = 0; s < growth->strand_count; ++s) {
            variations[s] = coif_clamp(variations[s], 0.0f, 1.0f);
        }
        binding->variations = variations;
    }
    return COIF_OK;
}

// More may be simulated here and fewer there. A strand that is where the share is small is where it
// is large, too: each has its place in the order of all.
static coif_status vary_simulated(coif_guide_binding_desc *binding, const coif_generate_ctx *all,
                                  const coif_strand_buffer *growth,
                                  const coif_generate_services *tools, coif_error *error)
{
    const coif_param_ref row = coif_generate_ctx_param(all, "simulated");
    if (row.values->values[row.row].map != NULL) {
        float *shares;
        COIF_TRY(coif_maps_check(&all->maps, &row, error));
        COIF_TRY(coif_param_values_strands(&shares, &row, growth, tools, error));
        binding->shares = shares;
        binding->share = 1.0;
    }
    return COIF_OK;
}

// Strands that grew are in the order of the root sequence; those of a file in any order.
static coif_status bind(coif_groom *groom, const coif_generate_ctx *all,
                        const coif_strand_buffer *growth, const coif_generate_services *tools,
                        coif_arena *arena, coif_error *error)
{
    const coif_sim_params *sim = all->desc->sim;
    coif_guide_binding_desc binding = {.share = (double)all->params.simulated,
                                       .alike = true,
                                       .mesh = &all->desc->body->rest,
                                       .region = growth->region};
    COIF_TRY(vary_simulated(&binding, all, growth, tools, error));
    if (sim != NULL) {
        binding.share *= (double)sim->fraction;
        binding.wisps = sim->children == COIF_CHILDREN_WISP;
        binding.variation = sim->wisp_variation;
    }
    if (binding.wisps) {
        COIF_TRY(vary_wisps(&binding, all, growth, tools, error));
    }
    if (coif_generate_ctx_named(all->params.file)) {
        int32_t *order = coif_arena_new(all->scratch, groom->rest.strand_count, int32_t);
        coif_groom_low_discrepancy_order(order, groom, all->scratch);
        binding.order = order;
    }
    coif_groom_bind_children(groom, &binding, arena, all->scratch);
    return COIF_OK;
}

// The strands of an earlier groom follow whom they followed.
static void bind_again(coif_groom *groom, const coif_groom *before)
{
    groom->simulated_count = before->simulated_count;
    groom->simulated = before->simulated;
    groom->guides = before->guides;
    groom->guide_weights = before->guide_weights;
    groom->clones = before->clones;
    groom->region = before->region;
}

static coif_status grow(coif_groom *groom, coif_generate_ctx *all, coif_arena *arena,
                        coif_error *error)
{
    const coif_groom_generate_desc *desc = all->desc;
    const coif_mesh *mesh = &desc->body->rest;
    const bool from_file = coif_generate_ctx_named(all->params.file);
    all->maps = (coif_maps){.scene = desc->scene->path, .mesh = mesh, .arena = all->scratch};
    COIF_TRY(check_group(all, error));
    COIF_TRY(coif_maps_open(&all->maps, desc->node, desc->frame, error));
    if (from_file || coif_generate_ctx_named(all->params.guides)) {
        coif_scalp_locator_open(&all->scalp, mesh, all->params.group, all->scratch);
    }
    COIF_TRY(coif_groom_load_guides(all, error));
    COIF_TRY(coif_groom_place_roots(groom, all, arena, error));

    coif_strand_buffer growth;
    const coif_generate_services tools = {.node = desc->node,
                                          .maps = &all->maps,
                                          .frame = desc->frame,
                                          .arena = all->scratch,
                                          .jobs = all->jobs,
                                          .progress = desc->progress,
                                          .quiet = desc->again != NULL || all->counting};
    COIF_TRY(check_progress(all, error));
    const coif_strand_buffer_desc opening = {.groom = groom,
                                             .mesh = mesh,
                                             .points = from_file               ? 0
                                                       : all->guides.count > 0 ? all->guides.points
                                                                               : all->params.points,
                                             .counts = all->counts,
                                             .points_most = all->params.points_most};
    coif_error cause = {.status = COIF_OK};
    if (coif_strand_buffer_open(&growth, &opening, all->scratch, &cause) != COIF_OK) {
        return coif_fail_within(error, coif_generate_ctx_param_ref(all), &cause);
    }
    if (!from_file) {
        COIF_TRY(coif_grow_straight(&growth, all, &tools, error));
    } else if (all->thin) {
        COIF_TRY(coif_groom_set_radii(&growth, all, &tools, error));
    }
    COIF_TRY(coif_groom_apply_guides(&growth, all, &tools, error));
    COIF_TRY(coif_modifiers_apply(&growth, &tools, error));
    if (all->counts != NULL) {
        coif_strand_buffer_resample(&growth, all->counts, all->jobs);
    }

    COIF_TRY(check_progress(all, error));
    coif_collider own;
    if (desc->skin == NULL) {
        coif_collider_build(&own, mesh, all->scratch);
    }
    coif_param_values clearance = {.constant = all->params.clearance};
    const coif_param_ref clearance_row = coif_generate_ctx_param(all, "clearance");
    COIF_TRY(coif_param_values_eval(&clearance, &clearance_row, &growth, &tools, error));
    coif_resolve_penetration(&growth, desc->skin != NULL ? desc->skin : &own, &clearance,
                             all->jobs);
    COIF_TRY(check_progress(all, error));
    COIF_TRY(coif_strand_buffer_store(groom, &growth, arena, error));
    groom->mesh_digest = coif_mesh_topology(mesh);
    if (desc->again != NULL) {
        bind_again(groom, desc->again);
    } else if (!all->counting) {
        COIF_TRY(bind(groom, all, &growth, &tools, arena, error));
    }
    groom->metadata = describe(all, arena);
    return COIF_OK;
}

// A groom with these roots, numbers of points and at this frame, or what the desc says.
typedef struct pass {
    const coif_groom *roots;
    const int32_t *counts;
    double frame;
    bool counting; // nobody is to see it
} pass;

static coif_status grow_pass(coif_groom *groom, const coif_groom_generate_desc *desc,
                             const pass *own, coif_arena *arena, coif_jobs *jobs, coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "growing");
    coif_groom_generate_desc at = *desc;
    at.frame = own->frame;
    coif_generate_ctx all = {.desc = &at,
                             .roots = own->roots,
                             .counts = own->counts,
                             .counting = own->counting,
                             .scratch = &scratch,
                             .jobs = jobs};
    coif_node_read(desc->node, own->frame, &all.params);
    const coif_status status = grow(groom, &all, arena, error);
    coif_arena_free(&scratch);
    return status;
}

static int32_t *counts_of(const coif_strands *strands, coif_arena *arena)
{
    int32_t *counts = coif_arena_new(arena, strands->strand_count, int32_t);
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        counts[s] = coif_strands_length(strands, s);
    }
    return counts;
}

// As many points for each strand as it has at whatever key it has most.
static coif_status grow_moving(coif_groom *groom, const coif_groom_generate_desc *desc,
                               coif_arena *arena, coif_arena *scratch, coif_jobs *jobs,
                               coif_error *error)
{
    double keys[MOST_KEYS];
    const int32_t key_count = coif_groom_keyframe_times(keys, MOST_KEYS, desc->node);
    coif_groom first;
    pass own = {.frame = desc->frame, .counting = true};
    COIF_TRY(grow_pass(&first, desc, &own, scratch, jobs, error));
    int32_t *counts = counts_of(&first.rest, scratch);
    own.roots = &first;
    for (int32_t k = 0; k < key_count; ++k) {
        const coif_arena_mark mark = coif_arena_mark_here(scratch);
        coif_groom other;
        own.frame = keys[k];
        COIF_TRY(grow_pass(&other, desc, &own, scratch, jobs, error));
        for (int32_t s = 0; s < first.rest.strand_count; ++s) {
            const int32_t count = coif_strands_length(&other.rest, s);
            counts[s] = count > counts[s] ? count : counts[s];
        }
        coif_arena_rewind(scratch, mark);
    }
    own = (pass){.roots = &first, .counts = counts, .frame = desc->frame};
    return grow_pass(groom, desc, &own, arena, jobs, error);
}

coif_status coif_groom_generate(coif_groom *groom, const coif_groom_generate_desc *desc,
                                coif_arena *arena, coif_jobs *jobs, coif_error *error)
{
    if (!coif_groom_is_animated(desc->node) && desc->again == NULL) {
        const pass plain = {.frame = desc->frame};
        return grow_pass(groom, desc, &plain, arena, jobs, error);
    }
    coif_arena scratch;
    coif_arena_init(&scratch, "growing at keys");
    coif_status status;
    if (desc->again != NULL) {
        const pass again = {.roots = desc->again,
                            .counts = counts_of(&desc->again->rest, &scratch),
                            .frame = desc->frame};
        status = grow_pass(groom, desc, &again, arena, jobs, error);
    } else {
        status = grow_moving(groom, desc, arena, &scratch, jobs, error);
    }
    coif_arena_free(&scratch);
    return status;
}
