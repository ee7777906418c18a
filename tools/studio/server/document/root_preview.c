#include "tools/studio/server/document/root_preview.h"

#include "core/base/hash64.h"
#include "plugins/host/plugin_images.h"
#include "sim/groom/root_scatter.h"
#include "sim/groom/scalp_maps.h"
#include "tools/studio/server/document/growth_surface.h"

#include <string.h>

// What is touched, in texture coordinates.
typedef struct region {
    float low_u, high_u, low_v, high_v;
    bool any;
} region;

struct coif_roots_view {
    int32_t groom;
    uint64_t key; // digest of what places the candidates
    uint64_t text_revision;
    int32_t candidates, count;
    coif_surface_point *points;
    double *thresholds;
    uint8_t *grows;
    double area;
    region touched;
    bool placed;
    coif_arena arena;
};

coif_roots_view *coif_roots_view_new(coif_arena *arena)
{
    return coif_arena_new(arena, 1, coif_roots_view);
}

void coif_roots_view_reset(coif_roots_view *view)
{
    if (view->placed) {
        coif_arena_free(&view->arena);
        *view = (coif_roots_view){0};
    }
}

void coif_roots_view_touch(coif_roots_view *view, const coif_paint_map *layer,
                           const coif_tile_texels *tile)
{
    int32_t inside;
    const coif_udim_tile *square = coif_paint_map_square(layer, tile->column, tile->row, &inside);
    if (square == NULL) {
        return;
    }
    const int32_t place = square->number > 0 ? square->number - COIF_UDIM_FIRST : 0;
    const float u = (float)(place % 10), v = (float)(place / 10);
    const int32_t column = inside % layer->square_columns, row = inside / layer->square_columns;
    // One texel more on each side: values between texels are blended.
    const float width = (float)layer->width, height = (float)layer->height;
    const float left = u + (float)(column * COIF_TILE_SIDE - 1) / width;
    const float right = u + (float)((column + 1) * COIF_TILE_SIDE + 1) / width;
    const float low = v + 1.0f - (float)((row + 1) * COIF_TILE_SIDE + 1) / height;
    const float high = v + 1.0f - (float)(row * COIF_TILE_SIDE - 1) / height;
    region *touched = &view->touched;
    if (!touched->any) {
        *touched = (region){left, right, low, high, true};
        return;
    }
    touched->low_u = left < touched->low_u ? left : touched->low_u;
    touched->high_u = right > touched->high_u ? right : touched->high_u;
    touched->low_v = low < touched->low_v ? low : touched->low_v;
    touched->high_v = high > touched->high_v ? high : touched->high_v;
}

static float clamp(float value)
{
    return value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
}

static bool is_inside(const region *touched, float u, float v)
{
    return u >= touched->low_u && u <= touched->high_u && v >= touched->low_v &&
           v <= touched->high_v;
}

// A map in one file goes on beyond its border; one in tiles has others there.
static bool is_touched(const region *touched, coif_vec2 uv)
{
    return is_inside(touched, clamp(uv.x), clamp(uv.y)) || is_inside(touched, uv.x, uv.y);
}

static coif_status place(coif_roots_view *view, const coif_studio *studio,
                         const coif_growth_surface *ground, coif_error *error)
{
    const coif_groom_params *params = &ground->params;
    coif_arena_init(&view->arena, "root preview");
    view->placed = true;
    const coif_roots_desc desc = {.mesh = ground->mesh,
                                  .group = params->group,
                                  .candidates = params->count,
                                  .per_area = 1e4 * (double)params->strands_per_cm2,
                                  .sequence = (coif_sequence_kind)params->scatter,
                                  .seed = (uint64_t)params->seed};
    coif_root_set roots;
    COIF_TRY(coif_roots_scatter(&roots, &desc, &view->arena, studio->jobs, error));
    view->candidates = roots.count;
    view->points = coif_arena_new(&view->arena, roots.count, coif_surface_point);
    for (int32_t i = 0; i < roots.count; ++i) {
        const float *b = roots.barycentrics + 2 * (int64_t)i;
        view->points[i] = coif_mesh_at(ground->mesh, roots.triangles[i], b[0], b[1]);
    }
    view->thresholds = coif_arena_new(&view->arena, roots.count, double);
    coif_roots_thresholds(view->thresholds, &desc, roots.count);
    view->grows = coif_arena_new(&view->arena, roots.count, uint8_t);
    view->area = coif_growth_surface_size(ground);
    return COIF_OK;
}

// Asks the density of some candidates.
static coif_status ask(coif_roots_view *view, coif_studio *studio, const coif_node *groom,
                       const coif_body *body, const int32_t *which, int32_t count,
                       coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "root preview");
    coif_surface_point *points = coif_arena_new(&scratch, count, coif_surface_point);
    float *density = coif_arena_new(&scratch, count, float);
    for (int32_t i = 0; i < count; ++i) {
        points[i] = view->points[which[i]];
    }
    const coif_value *value = coif_values_find(&groom->values, "density");
    const coif_param_ref row = {groom, &groom->values, (uint32_t)(value - groom->values.values), 0};
    coif_status status = COIF_OK;
    if (value->map != NULL) {
        const coif_maps_query question = {studio->path, groom, 0.0, &body->rest, count, points};
        status = coif_maps_evaluate_query(density, &question, &row, error);
    } else {
        coif_groom_params params;
        coif_node_read(groom, 0.0, &params);
        for (int32_t i = 0; i < count; ++i) {
            density[i] = params.density;
        }
    }
    for (int32_t i = 0; status == COIF_OK && i < count; ++i) {
        const uint8_t grows = view->thresholds[which[i]] < (double)density[i];
        view->count += grows - view->grows[which[i]];
        view->grows[which[i]] = grows;
    }
    coif_arena_free(&scratch);
    return status;
}

static uint64_t key_of(const coif_groom_params *params, const coif_studio *studio)
{
    const double numbers[] = {params->count, (double)params->strands_per_cm2, params->scatter,
                              params->seed};
    uint64_t key = coif_hash64(numbers, sizeof numbers);
    key = coif_hash64_extend(key, params->group, strlen(params->group));
    key = coif_hash64_extend(key, params->body, strlen(params->body));
    return coif_hash64_extend(key, &studio->bodies_digest, sizeof studio->bodies_digest);
}

static coif_status refresh(coif_roots_view *view, coif_studio *studio, const coif_node *groom,
                           const coif_body *body, int64_t *asked, coif_error *error)
{
    const bool all = view->text_revision != studio->text_revision;
    int32_t *which = coif_arena_new(&view->arena, view->candidates, int32_t);
    int32_t count = 0;
    for (int32_t i = 0; i < view->candidates; ++i) {
        if (all || is_touched(&view->touched, view->points[i].uv)) {
            which[count++] = i;
        }
    }
    *asked = count;
    COIF_TRY(ask(view, studio, groom, body, which, count, error));
    view->text_revision = studio->text_revision;
    view->touched.any = false;
    return COIF_OK;
}

coif_status coif_roots_view_update(coif_roots_state *state, coif_studio *studio, int32_t groom,
                                   coif_error *error)
{
    coif_roots_view *view = studio->roots;
    const coif_node *node;
    coif_growth_surface ground;
    COIF_TRY(coif_studio_groom(&node, studio, groom, error));
    COIF_TRY(coif_growth_surface_of(&ground, studio, node, error));
    const uint64_t key = key_of(&ground.params, studio);
    if (!view->placed || view->groom != groom || view->key != key) {
        coif_roots_view_reset(view);
        view->groom = groom;
        view->key = key;
        COIF_TRY(place(view, studio, &ground, error));
    }
    int64_t asked = 0;
    if (view->touched.any || view->text_revision != studio->text_revision) {
        const coif_arena_mark mark = coif_arena_mark_here(&view->arena);
        const coif_status status = refresh(view, studio, node, ground.body, &asked, error);
        coif_arena_rewind(&view->arena, mark);
        COIF_TRY(status);
    }
    *state = (coif_roots_state){view->candidates, view->points, view->grows,
                                view->count,      view->area,   asked};
    return COIF_OK;
}
