#include "render/shading/strand_color.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/hash64.h"
#include "core/base/jobs.h"
#include "render/shading/clump_id.h"

#include <string.h>

static const coif_surface_point *roots_of(const coif_hair_maps_desc *desc, coif_arena *arena)
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

static int32_t width_of(const coif_param *row)
{
    return row->type == COIF_PARAM_FLOAT ? 1 : 3;
}

// The values of one row for all roots, as a map has them.
static coif_status eval_map(float *values, coif_map_callback callback, coif_map_query *question,
                            coif_arena *scratch, coif_error *error)
{
    const int32_t width = width_of(coif_values_param(&question->node->values, question->row));
    float *numbers = coif_arena_new(scratch, question->count, float);
    for (question->axis = 0; question->axis < width; ++question->axis) {
        COIF_TRY(callback(question, numbers, error));
        for (int32_t s = 0; s < question->count; ++s) {
            values[width * s + question->axis] = numbers[s];
        }
    }
    question->axis = 0;
    return COIF_OK;
}

// The same from a picture; where nothing is painted, the default of the row.
static coif_status look_up(float *values, const coif_hair_maps_desc *desc,
                           const coif_map_query *question, coif_arena *scratch, coif_error *error)
{
    const coif_param *row = coif_values_param(&question->node->values, question->row);
    const coif_param_source from = {
        .node = question->node, .frame = 0.0, .textures = desc->textures, .arena = scratch};
    const coif_texture_param named = {coif_arena_print(scratch, "%s/texture", row->name),
                                      question->node->values.values[question->row].texture,
                                      COIF_MAP_COLOR};
    const coif_texture *atlas;
    COIF_TRY(coif_texture_load_param(&atlas, &from, &named, desc->mesh, error));
    for (int32_t s = 0; s < question->count; ++s) {
        const coif_vec2 uv = question->roots[s].uv;
        coif_vec3 color = {(float)row->fallback[0], (float)row->fallback[1],
                           (float)row->fallback[2]};
        coif_texture_at(atlas, uv, 0.0f, COIF_WRAP_REPEAT, &color);
        memcpy(values + 3 * (size_t)s, &color, sizeof color);
    }
    return COIF_OK;
}

static coif_status ask_all(coif_hair_maps *maps, const coif_hair_maps_desc *desc, coif_arena *arena,
                           coif_arena *scratch, coif_error *error)
{
    coif_map_query question = {.scene = desc->scene,
                               .groom = desc->node,
                               .node = coif_node_at(desc->node, "hair"),
                               .frame = desc->frame,
                               .mesh = desc->mesh,
                               .count = desc->groom->rest.strand_count};
    const coif_values *rows = &question.node->values;
    for (; question.row < rows->row_count; ++question.row) {
        const coif_value *value = &rows->values[question.row];
        const bool painted = value->texture != NULL && desc->textures != NULL;
        if (!painted && (value->map == NULL || desc->eval_map == NULL)) {
            continue;
        }
        if (maps->items == NULL) {
            maps->items = coif_arena_new(arena, rows->row_count, coif_hair_map);
            question.roots = roots_of(desc, scratch);
        }
        const coif_param *row = coif_values_param(rows, question.row);
        const int32_t width = width_of(row);
        const size_t count = (size_t)question.count * (size_t)width;
        float *values = coif_arena_new(arena, count, float);
        COIF_TRY(painted ? look_up(values, desc, &question, scratch, error)
                         : eval_map(values, desc->eval_map, &question, scratch, error));
        for (size_t i = 0; i < count; ++i) {
            values[i] = coif_clamp(values[i], (float)row->low, (float)row->high);
        }
        maps->items[maps->count++] = (coif_hair_map){row->offset, width, values};
        maps->digest = coif_hash64_extend(maps->digest, values, sizeof *values * count);
    }
    return COIF_OK;
}

coif_status coif_hair_maps_evaluate(coif_hair_maps *maps, const coif_hair_maps_desc *desc,
                                    coif_arena *arena, coif_error *error)
{
    *maps = (coif_hair_maps){0};
    coif_arena scratch;
    coif_arena_init(&scratch, "roots");
    const coif_status status = ask_all(maps, desc, arena, &scratch, error);
    coif_arena_free(&scratch);
    return status;
}

// As many as groom.clump makes unless told.
enum { USUAL_LOCKS = 300 };

typedef struct painting {
    const coif_hair_material *fibre;
    const coif_strand_color_desc *desc;
    int32_t locks;
    coif_strand_color *colors; // NULL: not wanted
    coif_strand_variation *traits;
} painting;

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

static void paint_strand(const painting *all, int32_t strand)
{
    const coif_strand_color_desc *desc = all->desc;
    const coif_groom *groom = desc->groom;
    coif_hair_params own;
    coif_strand_variation traits = {.random = groom->random[strand]};
    if (desc->maps != NULL && desc->maps->count > 0) {
        own = all->fibre->params;
        coif_hair_maps_read(desc->maps, strand, &own);
        traits.params = &own;
    }
    const coif_hair_params *params = traits.params != NULL ? traits.params : &all->fibre->params;
    if (params->streak_fraction > 0.0f) {
        traits.lock = groom->random[coif_clump_of_strand(&groom->rest, strand, all->locks)];
    }
    if (params->color_model == COIF_HAIR_BY_SURFACE) {
        const float *b = groom->root_barycentric + 2 * (size_t)strand;
        const coif_surface_coord root = {groom->root_triangle[strand], b[0], b[1], 0.0f};
        traits.surface = coif_material_eval(desc->materials, desc->mesh, &root).color;
        if (desc->texture != NULL) {
            const float *uv = groom->rest.root_uv + 2 * (size_t)strand;
            coif_texture_at(desc->texture, (coif_vec2){uv[0], uv[1]}, 0.0f, COIF_WRAP_REPEAT,
                            &traits.surface);
        }
    }
    if (all->colors != NULL) {
        all->colors[strand] = coif_hair_material_strand(all->fibre, &traits);
    } else {
        traits.params = NULL;
        all->traits[strand] = traits;
    }
}

static void paint_strands(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    for (int64_t strand = begin; strand < end; ++strand) {
        paint_strand(context, (int32_t)strand);
    }
}

static void paint(painting *all)
{
    const int32_t asked = all->fibre->params.streak_clump_count;
    all->locks = asked > 0 ? asked : coif_clump_count(all->desc->node, USUAL_LOCKS);
    coif_parallel_for(all->desc->jobs, all->desc->groom->rest.strand_count, 256, paint_strands,
                      all);
}

const coif_strand_variation *coif_strand_variations_compute(const coif_hair_material *fibre,
                                                            const coif_strand_color_desc *desc,
                                                            coif_arena *arena)
{
    const int32_t count = desc->groom->rest.strand_count;
    painting all = {.fibre = fibre,
                    .desc = desc,
                    .traits = coif_arena_new(arena, count, coif_strand_variation)};
    paint(&all);
    return all.traits;
}

const coif_strand_color *coif_strand_colors_compute(const coif_hair_material *fibre,
                                                    const coif_strand_color_desc *desc,
                                                    coif_arena *arena)
{
    const int32_t count = desc->groom->rest.strand_count;
    painting all = {
        .fibre = fibre, .desc = desc, .colors = coif_arena_new(arena, count, coif_strand_color)};
    paint(&all);
    return all.colors;
}
