#include "tools/studio/server/document/root_preview.h"

#include "core/base/error.h"
#include "core/base/hash64.h"
#include "sim/groom/root_scatter.h"
#include "sim/groom/scalp_maps.h"

#include <string.h>

// Changed texels, in texture coordinates.
typedef struct region {
    float low_u, high_u, low_v, high_v;
    bool any;
} region;

enum { SELECTIONS = 8 };

struct coif_root_preview {
    int32_t groom_index;
    uint64_t key; // digest of the inputs of the candidates
    uint64_t scene_revision;
    int32_t candidates, count;
    coif_surface_point *points;
    double *thresholds;
    uint8_t *grows;
    double area;
    region changed;
    bool scattered;
    coif_root_selection selections[SELECTIONS];
    int next_selection;
    coif_arena arena;
};

coif_root_preview *coif_root_preview_new(coif_arena *arena)
{
    return coif_arena_new(arena, 1, coif_root_preview);
}

void coif_root_preview_reset(coif_root_preview *preview)
{
    if (preview->scattered) {
        coif_arena_free(&preview->arena);
        *preview = (coif_root_preview){0};
    }
}

void coif_root_preview_invalidate(coif_root_preview *preview, const coif_paint_map *map,
                                  const coif_tile_texels *tile)
{
    int32_t inside;
    const coif_udim_tile *udim = coif_paint_map_udim_at(map, tile->column, tile->row, &inside);
    if (udim == NULL) {
        return;
    }
    const int32_t offset = udim->number > 0 ? udim->number - COIF_UDIM_FIRST : 0;
    const float u = (float)(offset % 10), v = (float)(offset / 10);
    const int32_t column = inside % map->udim_columns, row = inside / map->udim_columns;
    // One more texel on each side: lookups interpolate.
    const float width = (float)map->width, height = (float)map->height;
    const float left = u + (float)(column * COIF_PAINT_TILE_SIZE - 1) / width;
    const float right = u + (float)((column + 1) * COIF_PAINT_TILE_SIZE + 1) / width;
    const float low = v + 1.0f - (float)((row + 1) * COIF_PAINT_TILE_SIZE + 1) / height;
    const float high = v + 1.0f - (float)(row * COIF_PAINT_TILE_SIZE - 1) / height;
    region *changed = &preview->changed;
    if (!changed->any) {
        *changed = (region){left, right, low, high, true};
        return;
    }
    changed->low_u = left < changed->low_u ? left : changed->low_u;
    changed->high_u = right > changed->high_u ? right : changed->high_u;
    changed->low_v = low < changed->low_v ? low : changed->low_v;
    changed->high_v = high > changed->high_v ? high : changed->high_v;
}

static float clamp(float value)
{
    return value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
}

static bool is_inside(const region *changed, float u, float v)
{
    return u >= changed->low_u && u <= changed->high_u && v >= changed->low_v &&
           v <= changed->high_v;
}

// A single image is clamped at its border; UDIM tiles continue there.
static bool is_changed(const region *changed, coif_vec2 uv)
{
    return is_inside(changed, clamp(uv.x), clamp(uv.y)) || is_inside(changed, uv.x, uv.y);
}

static coif_status scatter(coif_root_preview *preview, const coif_growth_surface *surface,
                           coif_jobs *jobs, coif_error *error)
{
    const coif_groom_params *params = &surface->params;
    coif_arena_init(&preview->arena, "root preview");
    preview->scattered = true;
    const coif_roots_desc desc = {.mesh = surface->mesh,
                                  .group = params->group,
                                  .candidates = params->count,
                                  .per_area = 1e4 * (double)params->strands_per_cm2,
                                  .sequence = (coif_sequence_kind)params->scatter,
                                  .seed = (uint64_t)params->seed};
    coif_root_set roots;
    COIF_TRY(coif_roots_scatter(&roots, &desc, &preview->arena, jobs, error));
    preview->candidates = roots.count;
    preview->points = coif_arena_new(&preview->arena, roots.count, coif_surface_point);
    for (int32_t i = 0; i < roots.count; ++i) {
        const float *b = roots.barycentrics + 2 * (int64_t)i;
        preview->points[i] = coif_mesh_at(surface->mesh, roots.triangles[i], b[0], b[1]);
    }
    preview->thresholds = coif_arena_new(&preview->arena, roots.count, double);
    coif_roots_thresholds(preview->thresholds, &desc, roots.count);
    preview->grows = coif_arena_new(&preview->arena, roots.count, uint8_t);
    preview->area = coif_growth_surface_area(surface);
    return COIF_OK;
}

// Evaluates the density of the candidates with the given indices.
static coif_status evaluate(coif_root_preview *preview, const coif_root_preview_query *query,
                            const int32_t *indices, int32_t count, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "root preview");
    coif_surface_point *points = coif_arena_new(&scratch, count, coif_surface_point);
    float *density = coif_arena_new(&scratch, count, float);
    for (int32_t i = 0; i < count; ++i) {
        points[i] = preview->points[indices[i]];
        density[i] = query->surface->params.density;
    }
    const coif_node *groom = query->groom;
    const coif_value *value = coif_values_find(&groom->values, "density");
    const coif_param_ref param = {groom, &groom->values, (uint32_t)(value - groom->values.values),
                                  0};
    coif_status status = COIF_OK;
    if (value->map != NULL) {
        const coif_maps_query maps = {.scene = query->scene_path,
                                      .groom = groom,
                                      .mesh = query->surface->mesh,
                                      .count = count,
                                      .roots = points};
        status = coif_maps_evaluate_query(density, &maps, &param, error);
    }
    for (int32_t i = 0; status == COIF_OK && i < count; ++i) {
        const uint8_t grows = preview->thresholds[indices[i]] < (double)density[i];
        preview->count += grows - preview->grows[indices[i]];
        preview->grows[indices[i]] = grows;
    }
    return status;
}

static uint64_t candidates_key(const coif_root_preview_query *query)
{
    const coif_groom_params *params = &query->surface->params;
    const double numbers[] = {query->groom_index, params->count, (double)params->strands_per_cm2,
                              params->scatter, params->seed};
    uint64_t key = coif_hash64(numbers, sizeof numbers);
    key = coif_hash64_extend(key, params->group, strlen(params->group));
    key = coif_hash64_extend(key, params->body, strlen(params->body));
    return coif_hash64_extend(key, &query->bodies_digest, sizeof query->bodies_digest);
}

static coif_status refresh(coif_root_preview *preview, const coif_root_preview_query *query,
                           int64_t *evaluated, coif_error *error)
{
    const bool all = preview->scene_revision != query->scene_revision;
    int32_t *indices = coif_arena_new(&preview->arena, preview->candidates, int32_t);
    int32_t count = 0;
    for (int32_t i = 0; i < preview->candidates; ++i) {
        if (all || is_changed(&preview->changed, preview->points[i].uv)) {
            indices[count++] = i;
        }
    }
    *evaluated = count;
    COIF_TRY(evaluate(preview, query, indices, count, error));
    preview->scene_revision = query->scene_revision;
    preview->changed.any = false;
    return COIF_OK;
}

coif_status coif_root_preview_update(coif_root_preview_state *state, coif_root_preview *preview,
                                     const coif_root_preview_query *query, coif_error *error)
{
    const uint64_t key = candidates_key(query);
    if (!preview->scattered || preview->key != key) {
        coif_root_preview_reset(preview);
        preview->key = key;
        preview->groom_index = query->groom_index;
        const coif_status status = scatter(preview, query->surface, query->jobs, error);
        if (status != COIF_OK) {
            coif_root_preview_reset(preview);
            return status;
        }
    }
    int64_t evaluated = 0;
    if (preview->changed.any || preview->scene_revision != query->scene_revision) {
        const coif_arena_mark mark = coif_arena_mark_here(&preview->arena);
        const coif_status status = refresh(preview, query, &evaluated, error);
        coif_arena_rewind(&preview->arena, mark);
        COIF_TRY(status);
    }
    *state = (coif_root_preview_state){preview->candidates, preview->points, preview->grows,
                                       preview->count,      preview->area,   evaluated};
    return COIF_OK;
}

const coif_root_selection *coif_root_preview_select(coif_root_preview *preview, uint32_t id,
                                                    int32_t limit)
{
    coif_root_selection *to = &preview->selections[preview->next_selection];
    preview->next_selection = (preview->next_selection + 1) % SELECTIONS;
    limit = limit < preview->candidates ? limit : preview->candidates;
    if (to->indices == NULL || to->limit < limit) {
        to->indices = coif_arena_new(&preview->arena, limit + 1, int32_t);
        to->limit = limit;
    }
    to->id = id;
    to->count = 0;
    // A quarter is for roots that are painted later; unused parts of a share go to the other one.
    const int32_t others = preview->candidates - preview->count;
    const int32_t share = limit - limit / 4;
    int32_t growing = preview->count < share ? preview->count : share;
    int32_t resting = others < limit - growing ? others : limit - growing;
    growing = limit - resting;
    for (int32_t i = 0; i < preview->candidates && growing + resting > 0; ++i) {
        int32_t *left = preview->grows[i] ? &growing : &resting;
        if (*left > 0) {
            to->indices[to->count++] = i;
            --*left;
        }
    }
    return to;
}

const coif_root_selection *coif_root_preview_selection(const coif_root_preview *preview,
                                                       uint32_t id)
{
    for (int i = 0; i < SELECTIONS && id > 0; ++i) {
        if (preview->selections[i].id == id) {
            return &preview->selections[i];
        }
    }
    return NULL;
}

double coif_root_preview_ratio(const coif_root_preview *preview, int32_t groom_index)
{
    return preview->scattered && preview->groom_index == groom_index && preview->count > 0
               ? (double)preview->candidates / preview->count
               : 1.0;
}
