// grow_straight: straight strands along the surface normal.
#include "core/base/rng.h"
#include "sim/groom/groom_generate_internal.h"

coif_status coif_groom_set_radii(coif_strand_buffer *buffer, const coif_generate_ctx *ctx,
                                 const coif_generate_services *services, coif_error *error)
{
    coif_param_values radius = {.constant = ctx->params.radius};
    const coif_param_ref row = coif_generate_ctx_param(ctx, "radius");
    COIF_TRY(coif_param_values_eval(&radius, &row, buffer, services, error));
    for (int32_t s = 0; s < buffer->strand_count; ++s) {
        for (int32_t i = buffer->first[s]; i < buffer->first[s + 1]; ++i) {
            buffer->radius[i] = coif_generate_ctx_value(&radius, s, i);
        }
    }
    return COIF_OK;
}

coif_status coif_grow_straight(coif_strand_buffer *buffer, const coif_generate_ctx *ctx,
                               const coif_generate_services *services, coif_error *error)
{
    coif_param_values length = {.constant = ctx->params.length};
    coif_param_values variation = {.constant = ctx->params.length_variation};
    const coif_param_ref rows[2] = {coif_generate_ctx_param(ctx, "length"),
                                    coif_generate_ctx_param(ctx, "length_variation")};
    COIF_TRY(coif_param_values_eval(&length, &rows[0], buffer, services, error));
    COIF_TRY(coif_param_values_eval(&variation, &rows[1], buffer, services, error));

    for (int32_t s = 0; s < buffer->strand_count; ++s) {
        const int32_t first = buffer->first[s];
        const int32_t segments = buffer->first[s + 1] - first - 1;
        const float random = coif_random_unit(buffer->random[s], 0, COIF_RANDOM_LENGTH);
        // Not zero: a segment needs a direction.
        const float strand_length = coif_generate_ctx_value(&length, s, first) *
                                    (1.0f - coif_generate_ctx_value(&variation, s, first) * random);
        const float step = (strand_length > 1e-5f ? strand_length : 1e-5f) / (float)segments;
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
