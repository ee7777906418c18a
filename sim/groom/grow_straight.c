// grow, straight: strands before anything bends them, along the normal.
#include "core/base/rng.h"
#include "sim/groom/groom_generate_internal.h"

coif_status coif_groom_set_radii(coif_strand_buffer *growth, const coif_generate_ctx *all,
                                 const coif_generate_services *tools, coif_error *error)
{
    coif_param_values radius = {.constant = all->params.radius};
    const coif_param_ref row = coif_generate_ctx_param(all, "radius");
    COIF_TRY(coif_param_values_eval(&radius, &row, growth, tools, error));
    for (int32_t s = 0; s < growth->strand_count; ++s) {
        for (int32_t i = growth->first[s]; i < growth->first[s + 1]; ++i) {
            growth->radius[i] = coif_generate_ctx_value(&radius, s, i);
        }
    }
    return COIF_OK;
}

coif_status coif_grow_straight(coif_strand_buffer *growth, const coif_generate_ctx *all,
                               const coif_generate_services *tools, coif_error *error)
{
    coif_param_values length = {.constant = all->params.length};
    coif_param_values variation = {.constant = all->params.length_variation};
    const coif_param_ref rows[2] = {coif_generate_ctx_param(all, "length"),
                                    coif_generate_ctx_param(all, "length_variation")};
    COIF_TRY(coif_param_values_eval(&length, &rows[0], growth, tools, error));
    COIF_TRY(coif_param_values_eval(&variation, &rows[1], growth, tools, error));

    for (int32_t s = 0; s < growth->strand_count; ++s) {
        const int32_t first = growth->first[s];
        const int32_t segments = growth->first[s + 1] - first - 1;
        const float chance = coif_random_unit(growth->random[s], 0, COIF_RANDOM_LENGTH);
        // Never quite zero: a segment needs a direction.
        const float whole = coif_generate_ctx_value(&length, s, first) *
                            (1.0f - coif_generate_ctx_value(&variation, s, first) * chance);
        const float step = (whole > 1e-5f ? whole : 1e-5f) / (float)segments;
        const coif_vec3 normal = growth->roots[s].normal;
        for (int32_t k = 0; k <= segments; ++k) {
            const coif_vec3 p = coif_mad(growth->roots[s].position, (float)k * step, normal);
            growth->x[first + k] = p.x;
            growth->y[first + k] = p.y;
            growth->z[first + k] = p.z;
        }
    }
    return coif_groom_set_radii(growth, all, tools, error);
}
