// grow, straight: strands before anything bends them, along the normal.
#include "core/base/rng.h"
#include "sim/groom/groom_generate_internal.h"

coif_status coif_grow_thicken(coif_growth *growth, const coif_growing *all,
                              const coif_grow_tools *tools, coif_error *error)
{
    coif_varying radius = {.constant = all->params.radius};
    const coif_row_place row = coif_growing_row(all, "radius");
    COIF_TRY(coif_varying_eval(&radius, &row, growth, tools, error));
    for (int32_t s = 0; s < growth->strand_count; ++s) {
        for (int32_t i = growth->first[s]; i < growth->first[s + 1]; ++i) {
            growth->radius[i] = coif_growing_value(&radius, s, i);
        }
    }
    return COIF_OK;
}

coif_status coif_grow_straight(coif_growth *growth, const coif_growing *all,
                               const coif_grow_tools *tools, coif_error *error)
{
    coif_varying length = {.constant = all->params.length};
    coif_varying variation = {.constant = all->params.length_variation};
    const coif_row_place rows[2] = {coif_growing_row(all, "length"),
                                    coif_growing_row(all, "length_variation")};
    COIF_TRY(coif_varying_eval(&length, &rows[0], growth, tools, error));
    COIF_TRY(coif_varying_eval(&variation, &rows[1], growth, tools, error));

    for (int32_t s = 0; s < growth->strand_count; ++s) {
        const int32_t first = growth->first[s];
        const int32_t segments = growth->first[s + 1] - first - 1;
        const float chance = coif_random_unit(growth->random[s], 0, COIF_RANDOM_LENGTH);
        // Never quite zero: a segment needs a direction.
        const float whole = coif_growing_value(&length, s, first) *
                            (1.0f - coif_growing_value(&variation, s, first) * chance);
        const float step = (whole > 1e-5f ? whole : 1e-5f) / (float)segments;
        const coif_vec3 normal = growth->roots[s].normal;
        for (int32_t k = 0; k <= segments; ++k) {
            const coif_vec3 p = coif_mad(growth->roots[s].position, (float)k * step, normal);
            growth->x[first + k] = p.x;
            growth->y[first + k] = p.y;
            growth->z[first + k] = p.z;
        }
    }
    return coif_grow_thicken(growth, all, tools, error);
}
