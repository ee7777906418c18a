// guide_apply: interpolates strands from guide curves, each region by itself.
#include "core/base/arena.h"
#include "core/base/log.h"
#include "core/base/rng.h"
#include "sim/groom/groom_generate_internal.h"

#include <math.h>

static coif_status eval_regions(int32_t *regions, const coif_generate_ctx *ctx, int32_t count,
                                const coif_surface_point *points, coif_error *error)
{
    const coif_param_ref param = coif_generate_ctx_param(ctx, "region");
    float *values = coif_arena_new(ctx->scratch, count, float);
    if (coif_maps_eval(&ctx->maps, &param, count, points, values) != COIF_OK) {
        return coif_fail(error, COIF_ERR_PLUGIN,
                         "%s: %s/region: the map returned values that are not finite",
                         ctx->desc->scene->path, ctx->desc->node->path);
    }
    for (int32_t i = 0; i < count; ++i) {
        regions[i] = (int32_t)floorf(coif_clamp(values[i], 0.0f, 65535.0f) + 0.5f);
    }
    return COIF_OK;
}

coif_status coif_groom_load_guides(coif_generate_ctx *ctx, coif_error *error)
{
    if (!coif_is_set(ctx->params.guides)) {
        return COIF_OK;
    }
    if (coif_is_set(ctx->params.file)) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: %s/guides: strands from a file cannot follow guides; set either "
                         "file or guides",
                         ctx->desc->scene->path, ctx->desc->node->path);
    }
    const coif_guides_desc desc = {.path = ctx->params.guides,
                                   .scale = ctx->params.file_scale,
                                   .z_up = ctx->params.file_up_axis == 1,
                                   .points = ctx->params.points,
                                   .max_points = ctx->params.max_points,
                                   .scalp = &ctx->scalp};
    COIF_TRY(coif_guides_load(&ctx->guides, &desc, ctx->scratch, error));
    const coif_param_ref region = coif_generate_ctx_param(ctx, "region");
    if (region.values->values[region.row].map != NULL) {
        COIF_TRY(coif_maps_check(&ctx->maps, &region, error));
        COIF_TRY(
            eval_regions(ctx->guides.region, ctx, ctx->guides.count, ctx->guides.roots, error));
    }
    return COIF_OK;
}

coif_status coif_groom_apply_guides(coif_strand_buffer *buffer, coif_generate_ctx *ctx,
                                    const coif_generate_services *services, coif_error *error)
{
    const coif_param_ref region = coif_generate_ctx_param(ctx, "region");
    const bool mapped = region.values->values[region.row].map != NULL;
    const bool grouped = !mapped && ctx->guides.group_count > 1;
    if (mapped || grouped) {
        buffer->region = coif_arena_new(ctx->scratch, buffer->strand_count, int32_t);
    }
    if (mapped) {
        COIF_TRY(coif_maps_check(&ctx->maps, &region, error));
        COIF_TRY(eval_regions(buffer->region, ctx, buffer->strand_count, buffer->roots, error));
    }
    if (ctx->guides.count == 0) {
        return COIF_OK;
    }
    coif_param_values length = {.constant = ctx->params.guide_length};
    coif_param_values variation = {.constant = ctx->params.length_variation};
    const coif_param_ref rows[2] = {coif_generate_ctx_param(ctx, "guide_length"),
                                    coif_generate_ctx_param(ctx, "length_variation")};
    COIF_TRY(coif_param_values_eval(&length, &rows[0], buffer, services, error));
    COIF_TRY(coif_param_values_eval(&variation, &rows[1], buffer, services, error));
    float *length_scale = coif_arena_new(ctx->scratch, buffer->strand_count, float);
    for (int32_t s = 0; s < buffer->strand_count; ++s) {
        const float random = coif_random_unit(buffer->random[s], 0, COIF_RANDOM_LENGTH);
        length_scale[s] =
            coif_generate_ctx_value(&length, s, buffer->first[s]) *
            (1.0f - coif_generate_ctx_value(&variation, s, buffer->first[s]) * random);
    }
    buffer->guide_direction =
        coif_arena_new(ctx->scratch, 3 * (int64_t)buffer->strand_count, float);
    const coif_guides_resample_request request = {.length_scale = length_scale,
                                                  .shape = ctx->params.guide_shape != 0,
                                                  .regions = grouped,
                                                  .guide_direction = buffer->guide_direction,
                                                  .region = buffer->region};
    const int32_t without_guide = coif_guides_apply(buffer, &ctx->guides, &request, ctx->jobs);
    if (without_guide > 0 && !services->quiet) {
        coif_log(COIF_LOG_WARNING,
                 "%s: %s/guides: %d strands are in regions without a guide and stay straight",
                 ctx->desc->scene->path, ctx->desc->node->path, without_guide);
    }
    return COIF_OK;
}
