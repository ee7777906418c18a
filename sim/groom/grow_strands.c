// grow_strands: straight strands along the surface normal, or strands interpolated from guide
// curves, each region by itself.
#include "core/base/arena.h"
#include "core/base/log.h"
#include "core/base/rng.h"
#include "sim/groom/groom_generate_internal.h"

#include <math.h>

coif_status coif_groom_set_radii(coif_strand_buffer *buffer, const coif_generate_ctx *ctx,
                                 const coif_generate_services *services, coif_error *error)
{
    coif_param_values radius;
    COIF_TRY(coif_generate_ctx_eval(&radius, ctx, "radius", ctx->params.radius, buffer, services,
                                    error));
    for (int32_t s = 0; s < buffer->strand_count; ++s) {
        for (int32_t i = buffer->first[s]; i < buffer->first[s + 1]; ++i) {
            buffer->radius[i] = coif_param_value_at(&radius, s, i);
        }
    }
    return COIF_OK;
}

// Length parameter per strand, shortened by the random variation.
static coif_status eval_lengths(const float **lengths, const char *name, float constant,
                                const coif_strand_buffer *buffer, const coif_generate_ctx *ctx,
                                const coif_generate_services *services, coif_error *error)
{
    coif_param_values length, variation;
    COIF_TRY(coif_generate_ctx_eval(&length, ctx, name, constant, buffer, services, error));
    COIF_TRY(coif_generate_ctx_eval(&variation, ctx, "length_variation",
                                    ctx->params.length_variation, buffer, services, error));
    float *out = coif_arena_new(ctx->scratch, buffer->strand_count, float);
    for (int32_t s = 0; s < buffer->strand_count; ++s) {
        const int32_t first = buffer->first[s];
        const float random = coif_random_unit(buffer->random[s], 0, COIF_RANDOM_LENGTH);
        out[s] = coif_param_value_at(&length, s, first) *
                 (1.0f - coif_param_value_at(&variation, s, first) * random);
    }
    *lengths = out;
    return COIF_OK;
}

coif_status coif_grow_straight(coif_strand_buffer *buffer, const coif_generate_ctx *ctx,
                               const coif_generate_services *services, coif_error *error)
{
    const float *lengths;
    COIF_TRY(eval_lengths(&lengths, "length", ctx->params.length, buffer, ctx, services, error));
    for (int32_t s = 0; s < buffer->strand_count; ++s) {
        const int32_t first = buffer->first[s];
        const int32_t segments = buffer->first[s + 1] - first - 1;
        // Not zero: a segment needs a direction.
        const float step = (lengths[s] > 1e-5f ? lengths[s] : 1e-5f) / (float)segments;
        const coif_vec3 normal = buffer->roots[s].normal;
        for (int32_t k = 0; k <= segments; ++k) {
            const coif_vec3 p = coif_mad(buffer->roots[s].position, (float)k * step, normal);
            buffer->x[first + k] = p.x;
            buffer->y[first + k] = p.y;
            buffer->z[first + k] = p.z;
        }
    }
    return coif_groom_set_radii(buffer, ctx, services, error);
}

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
                                   .import = coif_generate_ctx_import(ctx, true),
                                   .points = ctx->params.points,
                                   .max_points = ctx->params.max_points,
                                   .own_regions =
                                       ctx->params.guide_regions == COIF_GUIDE_REGIONS_GUIDES,
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

coif_status coif_groom_apply_guides(coif_strand_buffer *buffer, const coif_generate_ctx *ctx,
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
    const float *length_scale;
    COIF_TRY(eval_lengths(&length_scale, "guide_length", ctx->params.guide_length, buffer, ctx,
                          services, error));
    coif_param_values spread;
    COIF_TRY(coif_generate_ctx_eval(&spread, ctx, "guide_spread", ctx->params.guide_spread, buffer,
                                    services, error));
    buffer->guide_direction =
        coif_arena_new(ctx->scratch, 3 * (int64_t)buffer->strand_count, float);
    const coif_guides_resample_request request = {.length_scale = length_scale,
                                                  .shape = ctx->params.guide_shape != 0,
                                                  .nearest =
                                                      ctx->params.guide_mode == COIF_GUIDE_NEAREST,
                                                  .spread = &spread,
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
