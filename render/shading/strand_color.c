#include "render/shading/strand_color.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/hash64.h"
#include "core/base/jobs.h"
#include "core/scene/applies_to.h"
#include "render/shading/clump_id.h"

#include <string.h>

static const coif_surface_point *surface_roots(const coif_hair_maps_desc *desc, coif_arena *arena)
{
    const coif_groom *groom = desc->groom;
    const int32_t count = groom->rest.strand_count;
    coif_surface_point *roots = coif_arena_new(arena, count, coif_surface_point);
    for (int32_t s = 0; s < count; ++s) {
        const float *b = groom->root_barycentric + 2 * (size_t)s;
        roots[s] = coif_mesh_at(desc->mesh, groom->root_triangle[s], b[0], b[1]);
    }
    return roots;
}

static int32_t component_count(const coif_param *row)
{
    return row->type == COIF_PARAM_FLOAT ? 1 : 3;
}

// One parameter at all roots, from a map.
static coif_status eval_map(float *values, coif_map_callback callback, coif_map_query *query,
                            coif_arena *scratch, coif_error *error)
{
    const int32_t width = component_count(&query->node->values.rows[query->row]);
    float *numbers = coif_arena_new(scratch, query->count, float);
    for (query->axis = 0; query->axis < width; ++query->axis) {
        COIF_TRY(callback(query, numbers, error));
        for (int32_t s = 0; s < query->count; ++s) {
            values[width * s + query->axis] = numbers[s];
        }
    }
    query->axis = 0;
    return COIF_OK;
}

// The same from a texture; the parameter's default where it has no tile.
static coif_status eval_texture_param(float *values, const coif_hair_maps_desc *desc,
                                      const coif_map_query *query, coif_arena *scratch,
                                      coif_error *error)
{
    const coif_param *row = &query->node->values.rows[query->row];
    const coif_param_source from = {
        .node = query->node, .frame = 0.0, .textures = desc->textures, .arena = scratch};
    const coif_texture_param named = {coif_arena_print(scratch, "%s/texture", row->name),
                                      query->node->values.values[query->row].texture,
                                      COIF_MAP_COLOR};
    const coif_texture *atlas;
    COIF_TRY(coif_texture_load_param(&atlas, &from, &named, desc->mesh, error));
    for (int32_t s = 0; s < query->count; ++s) {
        const coif_vec2 uv = query->roots[s].uv;
        coif_vec3 color = {(float)row->fallback[0], (float)row->fallback[1],
                           (float)row->fallback[2]};
        coif_texture_at(atlas, uv, 0.0f, COIF_WRAP_REPEAT, &color);
        color = coif_working_to_rec709(atlas->space, color);
        memcpy(values + 3 * (size_t)s, &color, sizeof color);
    }
    return COIF_OK;
}

static void add_map(coif_hair_maps *maps, uint32_t offset, int32_t width, const float *values,
                    int32_t strands)
{
    maps->items[maps->count++] = (coif_hair_map){offset, width, values};
    maps->digest =
        coif_hash64_extend(maps->digest, values, sizeof *values * (size_t)width * (size_t)strands);
}

const coif_value *coif_sim_ellipticity(const coif_node **sim, uint32_t *row,
                                       const coif_scene *scene, const coif_node *groom)
{
    const coif_node *own = coif_node_find(groom, "sim");
    *sim = own != NULL ? own : scene != NULL ? coif_node_find(scene->root, "sim") : NULL;
    if (*sim == NULL ||
        coif_values_find(&coif_node_at(groom, "hair")->values, "ellipticity")->given ||
        !coif_param_has_effect(*sim, "ellipticity")) {
        return NULL;
    }
    const coif_value *value = coif_values_find(&(*sim)->values, "ellipticity");
    *row = (uint32_t)(value - (*sim)->values.values);
    return value;
}

// The ellipticity that the solver bends, as a map of that of "hair".
static coif_status eval_sim_ellipticity(coif_hair_maps *maps, const coif_hair_maps_desc *desc,
                                        coif_map_query *query, coif_arena *arena,
                                        coif_arena *scratch, coif_error *error)
{
    const coif_value *value =
        coif_sim_ellipticity(&query->node, &query->row, desc->scene, desc->node);
    if (value == NULL) {
        return COIF_OK;
    }
    coif_param row = query->node->values.rows[query->row];
    row.offset = 0;
    float constant;
    coif_values_at(&(coif_values){&row, 1, (coif_value *)value}, desc->frame, &constant);
    const bool mapped = value->map != NULL && desc->eval_map != NULL;
    if (!mapped && !(constant > 1.0f)) {
        return COIF_OK;
    }
    float *values = coif_arena_new(arena, query->count, float);
    for (int32_t s = 0; s < query->count; ++s) {
        values[s] = constant;
    }
    if (mapped) {
        query->roots = query->roots != NULL ? query->roots : surface_roots(desc, scratch);
        COIF_TRY(eval_map(values, desc->eval_map, query, scratch, error));
    }
    add_map(maps, offsetof(coif_hair_params, ellipticity), 1, values, query->count);
    return COIF_OK;
}

static coif_status eval_all(coif_hair_maps *maps, const coif_hair_maps_desc *desc,
                            coif_arena *arena, coif_arena *scratch, coif_error *error)
{
    coif_map_query query = {.scene = desc->scene,
                            .groom = desc->node,
                            .node = coif_node_at(desc->node, "hair"),
                            .frame = desc->frame,
                            .mesh = desc->mesh,
                            .count = desc->groom->rest.strand_count};
    const coif_values *rows = &query.node->values;
    maps->items = coif_arena_new(arena, rows->row_count, coif_hair_map);
    for (; query.row < rows->row_count; ++query.row) {
        const coif_value *value = &rows->values[query.row];
        const bool painted = value->texture != NULL && desc->textures != NULL;
        if (!painted && (value->map == NULL || desc->eval_map == NULL)) {
            continue;
        }
        query.roots = query.roots != NULL ? query.roots : surface_roots(desc, scratch);
        const coif_param *row = &rows->rows[query.row];
        const int32_t width = component_count(row);
        const size_t count = (size_t)query.count * (size_t)width;
        float *values = coif_arena_new(arena, count, float);
        COIF_TRY(painted ? eval_texture_param(values, desc, &query, scratch, error)
                         : eval_map(values, desc->eval_map, &query, scratch, error));
        for (size_t i = 0; i < count; ++i) {
            values[i] = coif_clamp(values[i], (float)row->low, (float)row->high);
        }
        add_map(maps, row->offset, width, values, query.count);
    }
    return eval_sim_ellipticity(maps, desc, &query, arena, scratch, error);
}

coif_status coif_hair_maps_evaluate(coif_hair_maps *maps, const coif_hair_maps_desc *desc,
                                    coif_arena *arena, coif_error *error)
{
    *maps = (coif_hair_maps){0};
    COIF_SCOPED_ARENA(scratch, "roots");
    return eval_all(maps, desc, arena, &scratch, error);
}

// The default count of groom.clump.
enum { DEFAULT_CLUMPS = 300 };

typedef struct color_job {
    const coif_hair_material *material;
    const coif_strand_color_desc *desc;
    bool stored_clumps; // streak_clump_count is not set
    int32_t clumps;
    coif_strand_color *colors; // NULL: compute variations instead
    coif_strand_variation *variations;
} color_job;

const coif_hair_map *coif_hair_maps_find(const coif_hair_maps *maps, uint32_t offset)
{
    for (int32_t i = 0; maps != NULL && i < maps->count; ++i) {
        if (maps->items[i].offset == offset) {
            return &maps->items[i];
        }
    }
    return NULL;
}

void coif_hair_maps_read(const coif_hair_maps *maps, int32_t strand, coif_hair_params *params)
{
    for (int32_t i = 0; maps != NULL && i < maps->count; ++i) {
        const coif_hair_map *map = &maps->items[i];
        memcpy((char *)params + map->offset, map->values + (size_t)map->width * (size_t)strand,
               sizeof(float) * (size_t)map->width);
    }
}

static void color_strand(const color_job *job, int32_t strand)
{
    const coif_strand_color_desc *desc = job->desc;
    const coif_groom *groom = desc->groom;
    coif_hair_params local;
    coif_strand_variation variation = {.random = groom->random[strand]};
    if (desc->maps != NULL && desc->maps->count > 0) {
        local = job->material->params;
        coif_hair_maps_read(desc->maps, strand, &local);
        variation.params = &local;
    }
    const coif_hair_params *params =
        variation.params != NULL ? variation.params : &job->material->params;
    if (params->streak_fraction > 0.0f) {
        const int32_t centre = job->stored_clumps ? coif_clump_of_strand(groom, strand, job->clumps)
                                                  : coif_nearest_clump(groom, strand, job->clumps);
        variation.clump_random = groom->random[centre];
    }
    if (params->color_model == COIF_HAIR_BY_SURFACE) {
        const float *b = groom->root_barycentric + 2 * (size_t)strand;
        const coif_surface_coord root = {groom->root_triangle[strand], b[0], b[1], 0.0f};
        variation.surface = coif_material_eval(desc->materials, desc->mesh, &root).color;
        if (desc->texture != NULL) {
            const float *uv = groom->rest.root_uv + 2 * (size_t)strand;
            coif_texture_at(desc->texture, (coif_vec2){uv[0], uv[1]}, 0.0f, COIF_WRAP_REPEAT,
                            &variation.surface);
        }
    }
    if (job->colors != NULL) {
        job->colors[strand] = coif_hair_material_strand(job->material, &variation);
    } else {
        variation.params = NULL;
        job->variations[strand] = variation;
    }
}

static void color_strands(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    for (int64_t strand = begin; strand < end; ++strand) {
        color_strand(context, (int32_t)strand);
    }
}

static void run_color_job(color_job *job)
{
    const int32_t requested = job->material->params.streak_clump_count;
    job->stored_clumps = requested <= 0;
    job->clumps = requested > 0 ? requested : coif_clump_count(job->desc->node, DEFAULT_CLUMPS);
    coif_parallel_for(job->desc->jobs, job->desc->groom->rest.strand_count, 256, color_strands,
                      job);
}

const coif_strand_variation *coif_strand_variations_compute(const coif_hair_material *material,
                                                            const coif_strand_color_desc *desc,
                                                            coif_arena *arena)
{
    const int32_t count = desc->groom->rest.strand_count;
    color_job job = {.material = material,
                     .desc = desc,
                     .variations = coif_arena_new(arena, count, coif_strand_variation)};
    run_color_job(&job);
    return job.variations;
}

const coif_strand_color *coif_strand_colors_compute(const coif_hair_material *material,
                                                    const coif_strand_color_desc *desc,
                                                    coif_arena *arena)
{
    const int32_t count = desc->groom->rest.strand_count;
    color_job job = {.material = material,
                     .desc = desc,
                     .colors = coif_arena_new(arena, count, coif_strand_color)};
    run_color_job(&job);
    return job.colors;
}
