#include "sim/grow.h"

#include "core/arena.h"
#include "core/digest.h"
#include "core/error.h"
#include "core/formats/hair_file.h"
#include "core/inputs.h"
#include "core/log.h"
#include "core/rng.h"
#include "sim/collide.h"
#include "sim/grow_guides.h"
#include "sim/grow_lay.h"
#include "sim/grow_modifiers.h"
#include "sim/grow_strands.h"
#include "sim/roots.h"

#include <string.h>

// Dimensions of the random words of a strand.
enum { RANDOM_STRAND = 100, RANDOM_LENGTH = 101 };

typedef struct growing {
    const coif_grow_desc *desc;
    coif_groom_params params;
    coif_maps maps;
    coif_scalp scalp;   // with a file or guides
    coif_guides guides; // count 0: none
    coif_arena *scratch;
    coif_jobs *jobs;
} growing;

static coif_row_place row_of(const growing *all, const char *name)
{
    const coif_values *values = &all->desc->node->values;
    const coif_value *value = coif_values_find(values, name);
    COIF_ASSERT(value != NULL);
    return (coif_row_place){all->desc->node, values, (uint32_t)(value - values->values)};
}

static coif_status check_group(const growing *all, coif_error *error)
{
    const coif_mesh *mesh = &all->desc->body->rest;
    const char *group = all->params.group;
    if (group == NULL || group[0] == '\0' || coif_mesh_find_group(mesh, group) >= 0) {
        return COIF_OK;
    }
    const char *known = mesh->group_count > 0 ? mesh->group_names[0] : "none";
    for (int32_t i = 1; i < mesh->group_count; ++i) {
        known = coif_arena_print(all->scratch, "%s, %s", known, mesh->group_names[i]);
    }
    return coif_fail(error, COIF_ERR_SCENE,
                     "%s: %s/group: body \"%s\" has no group \"%s\"; its groups: %s",
                     all->desc->scene->path, all->desc->node->path, all->params.body, group, known);
}

static coif_status mapped_density(void *context, int32_t count, const coif_surface_point *points,
                                  float *value, coif_error *error)
{
    const growing *all = context;
    const coif_row_place place = row_of(all, "density");
    if (coif_maps_eval(&all->maps, &place.values->values[place.row], count, points, value) !=
        COIF_OK) {
        return coif_fail(error, COIF_ERR_PLUGIN,
                         "%s: %s/density: the map gave values that are not numbers",
                         all->desc->scene->path, all->desc->node->path);
    }
    return COIF_OK;
}

static coif_status constant_density(void *context, int32_t count, const coif_surface_point *points,
                                    float *value, coif_error *error)
{
    const growing *all = context;
    (void)points, (void)error;
    for (int32_t i = 0; i < count; ++i) {
        value[i] = all->params.density;
    }
    return COIF_OK;
}

static coif_status scatter_roots(coif_roots *roots, growing *all, coif_error *error)
{
    const coif_row_place density = row_of(all, "density");
    COIF_TRY(coif_maps_check(&all->maps, &density, error));
    const bool mapped = density.values->values[density.row].map != NULL;
    coif_sequence_kind sequence = (coif_sequence_kind)all->params.scatter;
    // Who wants a sample does not wait for blue noise, where as many roots grow without it.
    if (all->desc->most > 0 && sequence == COIF_SEQUENCE_BLUE && !mapped &&
        all->params.density >= 1.0f) {
        sequence = COIF_SEQUENCE_SOBOL;
    }
    const coif_roots_desc desc = {.mesh = &all->desc->body->rest,
                                  .group = all->params.group,
                                  .candidates = all->params.count,
                                  .per_area = 1e4 * (double)all->params.per_cm2,
                                  .sequence = sequence,
                                  .seed = (uint64_t)all->params.seed,
                                  .density = mapped ? mapped_density : constant_density,
                                  .density_context = all};
    return coif_roots_scatter(roots, &desc, all->scratch, all->jobs, error);
}

static coif_status init_groom(coif_groom *groom, const growing *all, const coif_roots *roots,
                              coif_arena *arena, coif_error *error)
{
    // How many points a strand has is known when the last modifier is done.
    int32_t *lengths = coif_arena_new(all->scratch, roots->count, int32_t);
    for (int32_t s = 0; s < roots->count; ++s) {
        lengths[s] = 2;
    }
    return coif_groom_init(groom, lengths, roots->count, arena, error);
}

// Everything a strand knows of its root.
static void set_root(coif_groom *groom, int32_t strand, const coif_mesh *mesh, int32_t triangle,
                     const float *weights)
{
    const coif_surface_point at = coif_mesh_at(mesh, triangle, weights[0], weights[1]);
    const coif_mat3 frame = coif_mesh_frame(mesh, triangle, weights[0], weights[1]);
    groom->root_triangle[strand] = triangle;
    memcpy(groom->root_barycentric + 2 * (int64_t)strand, weights, 2 * sizeof(float));
    memcpy(groom->root_frame + 9 * (int64_t)strand, &frame, 9 * sizeof(float));
    groom->rest.root_uv[2 * (int64_t)strand] = at.uv.x;
    groom->rest.root_uv[2 * (int64_t)strand + 1] = at.uv.y;
}

static float value_at(const coif_varying *varying, int32_t strand, int32_t point)
{
    return varying->per_point != NULL    ? varying->per_point[point]
           : varying->per_strand != NULL ? varying->per_strand[strand]
                                         : varying->constant;
}

static coif_status regions_of(int32_t *regions, const growing *all, int32_t count,
                              const coif_surface_point *points, coif_error *error)
{
    const coif_row_place place = row_of(all, "region");
    float *values = coif_arena_new(all->scratch, count, float);
    if (coif_maps_eval(&all->maps, &place.values->values[place.row], count, points, values) !=
        COIF_OK) {
        return coif_fail(error, COIF_ERR_PLUGIN,
                         "%s: %s/region: the map gave values that are not numbers",
                         all->desc->scene->path, all->desc->node->path);
    }
    for (int32_t i = 0; i < count; ++i) {
        regions[i] = (int32_t)floorf(coif_clamp(values[i], 0.0f, 65535.0f) + 0.5f);
    }
    return COIF_OK;
}

// Straight along the normal, points evenly spaced.
static coif_status grow_straight(coif_growth *growth, const growing *all,
                                 const coif_grow_tools *tools, coif_error *error)
{
    coif_varying length = {.constant = all->params.length};
    coif_varying variation = {.constant = all->params.length_variation};
    coif_varying radius = {.constant = all->params.radius};
    const coif_row_place rows[3] = {row_of(all, "length"), row_of(all, "length_variation"),
                                    row_of(all, "radius")};
    COIF_TRY(coif_varying_eval(&length, &rows[0], growth, tools, error));
    COIF_TRY(coif_varying_eval(&variation, &rows[1], growth, tools, error));
    COIF_TRY(coif_varying_eval(&radius, &rows[2], growth, tools, error));

    for (int32_t s = 0; s < growth->strand_count; ++s) {
        const int32_t first = growth->first[s];
        const int32_t segments = growth->first[s + 1] - first - 1;
        const float chance = coif_random_unit(growth->random[s], 0, RANDOM_LENGTH);
        // Never quite zero: a segment needs a direction.
        const float whole =
            value_at(&length, s, first) * (1.0f - value_at(&variation, s, first) * chance);
        const float step = (whole > 1e-5f ? whole : 1e-5f) / (float)segments;
        const coif_vec3 normal = growth->roots[s].normal;
        for (int32_t k = 0; k <= segments; ++k) {
            const coif_vec3 p = coif_mad(growth->roots[s].position, (float)k * step, normal);
            growth->x[first + k] = p.x;
            growth->y[first + k] = p.y;
            growth->z[first + k] = p.z;
            growth->radius[first + k] = value_at(&radius, s, first + k);
        }
    }
    return COIF_OK;
}

// The sequence of roots is even in every beginning of it, so that a few are a sample of all.
static coif_status take_first(coif_roots *roots, const growing *all, coif_error *error)
{
    const coif_grow_desc *desc = all->desc;
    if (desc->whole != NULL) {
        *desc->whole = roots->count;
    }
    if (desc->most > 0 && roots->count > desc->most) {
        COIF_TRY(coif_growth_check_count(roots->count, all->params.points, error));
        roots->count = desc->most;
    }
    return COIF_OK;
}

static coif_status grow_new(coif_groom *groom, growing *all, coif_arena *arena, coif_error *error)
{
    coif_roots roots;
    COIF_TRY(scatter_roots(&roots, all, error));
    COIF_TRY(take_first(&roots, all, error));
    COIF_TRY(init_groom(groom, all, &roots, arena, error));
    for (int32_t s = 0; s < roots.count; ++s) {
        set_root(groom, s, &all->desc->body->rest, roots.triangles[s],
                 roots.barycentrics + 2 * (int64_t)s);
        // By candidate, not by strand: painting a map leaves every other strand as it was.
        groom->random[s] = coif_random_word((uint64_t)all->params.seed,
                                            (uint64_t)roots.candidates[s], RANDOM_STRAND);
    }
    return COIF_OK;
}

// Strands of a file grow where the body is nearest to their first point, and stay where they are.
static coif_status grow_from_file(coif_groom *groom, growing *all, coif_arena *arena,
                                  coif_error *error)
{
    coif_hair_file file;
    const coif_hair_import import = {.scale = all->params.file_scale,
                                     .z_up = all->params.file_up == 1};
    COIF_TRY(coif_hair_file_load(&file, all->params.file, &import, all->scratch, error));
    const coif_strands *from = &file.strands;
    int32_t *lengths = coif_arena_new(all->scratch, from->strand_count, int32_t);
    for (int32_t s = 0; s < from->strand_count; ++s) {
        lengths[s] = coif_strands_length(from, s);
    }
    if (all->desc->whole != NULL) {
        *all->desc->whole = from->strand_count;
    }
    COIF_TRY(coif_groom_init(groom, lengths, from->strand_count, arena, error));
    memcpy(groom->rest.points, from->points, sizeof(coif_vec4) * (size_t)from->point_count);
    if (from->colors != NULL) {
        groom->rest.colors = coif_arena_new(arena, from->point_count, coif_vec3);
        memcpy(groom->rest.colors, from->colors, sizeof(coif_vec3) * (size_t)from->point_count);
    }

    for (int32_t s = 0; s < from->strand_count; ++s) {
        coif_scalp_place place;
        if (!coif_scalp_find(&place, &all->scalp, coif_vec4_xyz(from->points[from->first[s]]))) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: strand %d is nowhere near the body",
                             all->params.file, s);
        }
        set_root(groom, s, &all->desc->body->rest, place.triangle, place.weights);
        groom->random[s] = coif_random_word((uint64_t)all->params.seed, (uint64_t)s, RANDOM_STRAND);
    }
    return COIF_OK;
}

// Who made this and from what. Nothing of it may change while the strands stay the same, except on
// purpose: no clock, no path.
static const char *describe(const growing *all, coif_arena *arena)
{
    const coif_node *node = all->desc->node;
    const char *text = coif_arena_print(
        arena, "program=coif %s\ngroom=%s\nseed=%d\nsettings=%016llx\ninputs=%016llx\n",
        COIF_VERSION, all->params.name, all->params.seed,
        (unsigned long long)coif_node_growth(node),
        (unsigned long long)coif_growth_inputs(node, &all->desc->body->rest));
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

static bool is_named(const char *path)
{
    return path != NULL && path[0] != '\0';
}

// Guides of the file, with the regions of the scalp they are on where those are painted.
static coif_status load_guides(growing *all, coif_error *error)
{
    if (!is_named(all->params.guides)) {
        return COIF_OK;
    }
    if (is_named(all->params.file)) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: %s/guides: the strands of a file do not follow guides; wanted either "
                         "file or guides",
                         all->desc->scene->path, all->desc->node->path);
    }
    const coif_guides_desc desc = {.path = all->params.guides,
                                   .scale = all->params.file_scale,
                                   .z_up = all->params.file_up == 1,
                                   .points = all->params.points,
                                   .points_most = all->params.points_most,
                                   .scalp = &all->scalp};
    COIF_TRY(coif_guides_load(&all->guides, &desc, all->scratch, error));
    const coif_row_place region = row_of(all, "region");
    if (region.values->values[region.row].map != NULL) {
        COIF_TRY(coif_maps_check(&all->maps, &region, error));
        COIF_TRY(regions_of(all->guides.region, all, all->guides.count, all->guides.roots, error));
    }
    return COIF_OK;
}

// Which strands belong together, and what guides make of them.
static coif_status follow_guides(coif_growth *growth, growing *all, const coif_grow_tools *tools,
                                 coif_error *error)
{
    const coif_row_place region = row_of(all, "region");
    const bool painted = region.values->values[region.row].map != NULL;
    const bool grouped = !painted && all->guides.group_count > 1;
    if (painted || grouped) {
        growth->region = coif_arena_new(all->scratch, growth->strand_count, int32_t);
    }
    if (painted) {
        COIF_TRY(coif_maps_check(&all->maps, &region, error));
        COIF_TRY(regions_of(growth->region, all, growth->strand_count, growth->roots, error));
    }
    if (all->guides.count == 0) {
        return COIF_OK;
    }
    coif_varying length = {.constant = all->params.guide_length};
    coif_varying variation = {.constant = all->params.length_variation};
    const coif_row_place rows[2] = {row_of(all, "guide_length"), row_of(all, "length_variation")};
    COIF_TRY(coif_varying_eval(&length, &rows[0], growth, tools, error));
    COIF_TRY(coif_varying_eval(&variation, &rows[1], growth, tools, error));
    float *share = coif_arena_new(all->scratch, growth->strand_count, float);
    for (int32_t s = 0; s < growth->strand_count; ++s) {
        const float chance = coif_random_unit(growth->random[s], 0, RANDOM_LENGTH);
        share[s] = value_at(&length, s, growth->first[s]) *
                   (1.0f - value_at(&variation, s, growth->first[s]) * chance);
    }
    growth->flow = coif_arena_new(all->scratch, 3 * (int64_t)growth->strand_count, float);
    const coif_guides_wish wish = {.share = share,
                                   .shape = all->params.guide_shape != 0,
                                   .regions = grouped,
                                   .flow = growth->flow,
                                   .region = growth->region};
    const int32_t lonely = coif_guides_apply(growth, &all->guides, &wish, all->jobs);
    if (lonely > 0) {
        coif_log(COIF_LOG_WARNING,
                 "%s: %s/guides: %d strands are in regions without a guide; they grow straight",
                 all->desc->scene->path, all->desc->node->path, lonely);
    }
    return COIF_OK;
}

static coif_status check_progress(const growing *all, coif_error *error)
{
    if (coif_progress_cancelled(all->desc->progress)) {
        return coif_fail(error, COIF_ERR_CANCELLED, "%s: stopped while growing", all->params.name);
    }
    return COIF_OK;
}

// Strands that grew are in the order of the root sequence; those of a file in any order.
static void bind(coif_groom *groom, const growing *all, bool from_file, const int32_t *region,
                 coif_arena *arena)
{
    const coif_sim_params *sim = all->desc->sim;
    coif_binding binding = {
        .share = (double)all->params.simulated, .alike = true, .region = region};
    if (sim != NULL) {
        binding.share *= (double)sim->fraction;
        binding.wisps = sim->children == COIF_CHILDREN_WISP;
        binding.variation = sim->wisp_variation;
    }
    if (from_file) {
        int32_t *order = coif_arena_new(all->scratch, groom->rest.strand_count, int32_t);
        coif_groom_spread(order, groom, all->scratch);
        binding.order = order;
    }
    coif_groom_bind_as(groom, &binding, arena, all->scratch);
}

static coif_status grow(coif_groom *groom, growing *all, coif_arena *arena, coif_error *error)
{
    const coif_grow_desc *desc = all->desc;
    const coif_mesh *mesh = &desc->body->rest;
    const bool from_file = is_named(all->params.file);
    all->maps = (coif_maps){
        .scene = desc->scene->path, .has_uvs = mesh->uvs != NULL, .arena = all->scratch};
    COIF_TRY(check_group(all, error));
    COIF_TRY(coif_maps_open(&all->maps, desc->node, desc->frame, error));
    if (from_file || is_named(all->params.guides)) {
        coif_scalp_open(&all->scalp, mesh, all->params.group, all->scratch);
    }
    COIF_TRY(load_guides(all, error));
    COIF_TRY(from_file ? grow_from_file(groom, all, arena, error)
                       : grow_new(groom, all, arena, error));

    coif_growth growth;
    const coif_grow_tools tools = {.node = desc->node,
                                   .maps = &all->maps,
                                   .frame = desc->frame,
                                   .arena = all->scratch,
                                   .jobs = all->jobs,
                                   .progress = desc->progress};
    COIF_TRY(check_progress(all, error));
    const coif_growth_desc opening = {.groom = groom,
                                      .mesh = mesh,
                                      .points = from_file               ? 0
                                                : all->guides.count > 0 ? all->guides.points
                                                                        : all->params.points,
                                      .points_most = all->params.points_most};
    COIF_TRY(coif_growth_open(&growth, &opening, all->scratch, error));
    if (!from_file) {
        COIF_TRY(grow_straight(&growth, all, &tools, error));
    }
    COIF_TRY(follow_guides(&growth, all, &tools, error));
    COIF_TRY(coif_modifiers_apply(&growth, &tools, error));

    COIF_TRY(check_progress(all, error));
    coif_collider collider;
    coif_collider_build(&collider, mesh, all->scratch);
    coif_varying clearance = {.constant = all->params.clearance};
    const coif_row_place clearance_row = row_of(all, "clearance");
    COIF_TRY(coif_varying_eval(&clearance, &clearance_row, &growth, &tools, error));
    coif_growth_lay(&growth, &collider, &clearance, all->jobs);
    COIF_TRY(check_progress(all, error));
    COIF_TRY(coif_growth_keep(groom, &growth, arena, error));
    groom->mesh_digest = coif_mesh_topology(mesh);
    bind(groom, all, from_file, growth.region, arena);
    groom->metadata = describe(all, arena);
    return COIF_OK;
}

coif_status coif_groom_grow(coif_groom *groom, const coif_grow_desc *desc, coif_arena *arena,
                            coif_jobs *jobs, coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "growing");
    growing all = {.desc = desc, .scratch = &scratch, .jobs = jobs};
    coif_node_read(desc->node, desc->frame, &all.params);
    const coif_status status = grow(groom, &all, arena, error);
    coif_arena_free(&scratch);
    return status;
}
