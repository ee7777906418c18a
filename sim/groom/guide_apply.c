// grow, follow: strands lie between guide curves, each region by itself.
#include "core/base/arena.h"
#include "core/base/log.h"
#include "core/base/rng.h"
#include "sim/groom/groom_generate_internal.h"

#include <math.h>

static coif_status regions_of(int32_t *regions, const coif_generate_ctx *all, int32_t count,
                              const coif_surface_point *points, coif_error *error)
{
    const coif_param_ref place = coif_generate_ctx_param(all, "region");
    float *values = coif_arena_new(all->scratch, count, float);
    if (coif_maps_eval(&all->maps, &place, count, points, values) != COIF_OK) {
        return coif_fail(error, COIF_ERR_PLUGIN,
                         "%s: %s/region: the map gave values that are not numbers",
                         all->desc->scene->path, all->desc->node->path);
    }
    for (int32_t i = 0; i < count; ++i) {
        regions[i] = (int32_t)floorf(coif_clamp(values[i], 0.0f, 65535.0f) + 0.5f);
    }
    return COIF_OK;
}

coif_status coif_groom_load_guides(coif_generate_ctx *all, coif_error *error)
{
    if (!coif_generate_ctx_named(all->params.guides)) {
        return COIF_OK;
    }
    if (coif_generate_ctx_named(all->params.file)) {
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
    const coif_param_ref region = coif_generate_ctx_param(all, "region");
    if (region.values->values[region.row].map != NULL) {
        COIF_TRY(coif_maps_check(&all->maps, &region, error));
        COIF_TRY(regions_of(all->guides.region, all, all->guides.count, all->guides.roots, error));
    }
    return COIF_OK;
}

coif_status coif_groom_apply_guides(coif_strand_buffer *growth, coif_generate_ctx *all,
                                    const coif_generate_services *tools, coif_error *error)
{
    const coif_param_ref region = coif_generate_ctx_param(all, "region");
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
    coif_param_values length = {.constant = all->params.guide_length};
    coif_param_values variation = {.constant = all->params.length_variation};
    const coif_param_ref rows[2] = {coif_generate_ctx_param(all, "guide_length"),
                                    coif_generate_ctx_param(all, "length_variation")};
    COIF_TRY(coif_param_values_eval(&length, &rows[0], growth, tools, error));
    COIF_TRY(coif_param_values_eval(&variation, &rows[1], growth, tools, error));
    float *share = coif_arena_new(all->scratch, growth->strand_count, float);
    for (int32_t s = 0; s < growth->strand_count; ++s) {
        const float chance = coif_random_unit(growth->random[s], 0, COIF_RANDOM_LENGTH);
        share[s] = coif_generate_ctx_value(&length, s, growth->first[s]) *
                   (1.0f - coif_generate_ctx_value(&variation, s, growth->first[s]) * chance);
    }
    growth->flow = coif_arena_new(all->scratch, 3 * (int64_t)growth->strand_count, float);
    const coif_guides_resample_request wish = {.share = share,
                                               .shape = all->params.guide_shape != 0,
                                               .regions = grouped,
                                               .flow = growth->flow,
                                               .region = growth->region};
    const int32_t lonely = coif_guides_apply(growth, &all->guides, &wish, all->jobs);
    if (lonely > 0 && !tools->quiet) {
        coif_log(COIF_LOG_WARNING,
                 "%s: %s/guides: %d strands are in regions without a guide; they grow straight",
                 all->desc->scene->path, all->desc->node->path, lonely);
    }
    return COIF_OK;
}
