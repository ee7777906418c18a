#include "sim/solver/methods/der/der.h"

#include <math.h>

// Segments shorter than this fraction of the mean of their strand have no direction of their own.
static const float MIN_LENGTH_FRACTION = 0.02f;

// For a hair of radius r, round or an ellipse of the same area with axes in ratio e, with m = rho
// pi r^2 L / n the mean mass of a point:
//
//   B = E pi r^4 / 4        C = G J = B / (1 + nu)        B / m = E r^2 n / (4 rho L)
//   B1 = e B                B2 = B / e                    C = 2 B / (1 + nu) (e + 1 / e)
//
// A joint's length is half of both its segments'; at the root, half of one.
void coif_der_fill(coif_strand_block *block, int32_t lane, const coif_strand_material *material)
{
    coif_method_rows *rod = coif_method_rows_of(block);
    const int32_t lanes = block->lanes;
    const int32_t segments = block->length - 1;
    const float mean = coif_strand_block_mean_length(block, lane);
    const float shortest = MIN_LENGTH_FRACTION * mean;
    const float r = material->radius;
    const float e = material->ellipticity > 1.0f ? material->ellipticity : 1.0f;
    const float bend =
        material->stiffness * material->youngs_modulus * r * r /
        (4.0f * material->density * shortest / MIN_LENGTH_FRACTION * block->mass_scale[lane]);
    rod->lane_rows[COIF_DER_MAX_INV_LENGTH * lanes + lane] = 1.0f / shortest;
    float before = 0.0f;
    for (int32_t k = 0; k < segments; ++k) {
        const float here = block->rest_length[k * lanes + lane];
        float joint = 0.5f * (before + here);
        joint = joint > shortest ? joint : shortest;
        float stiffness = k == 0 && !material->clamped ? 0.0f : bend / joint;
        stiffness *= material->stiffness_along != NULL ? material->stiffness_along[k] : 1.0f;
        float *rows = rod->rows + (int64_t)k * COIF_DER_ROWS * lanes + lane;
        rows[COIF_DER_SQRT_BEND_1 * lanes] = sqrtf(stiffness * e);
        rows[COIF_DER_SQRT_BEND_2 * lanes] = sqrtf(stiffness / e);
        rows[COIF_DER_SQRT_TWIST * lanes] =
            sqrtf(stiffness / (1.0f + material->poisson_ratio) * (2.0f / (e + 1.0f / e)));
        before = here;
    }
}
