#include "sim/solver/methods/xpbd/cosserat_rod.h"

// Segments shorter than this fraction of the mean of their strand have no direction of their own.
static const float MIN_LENGTH_FRACTION = 0.02f;

// Moment of inertia of a segment among n, in m l^2: the smaller of INERTIA n^2 and B T^2 / m l^3.
// The physical one, about the axis, is a ten-thousandth of m l^2 and would let quaternions take
// every correction. The larger it is the farther a sweep carries a moment, but the slower the
// strand rotates: as if it were heavier by three times this over n^2. Limp hair has no moments to
// carry.
static const float INERTIA = 0.03f;
static const float INERTIA_TIME = 1.0f / 240.0f;
static const float MIN_INERTIA = 0.02f;

// Lower limit: hair without bending stiffness is still inextensible.
static const float MIN_YOUNGS_MODULUS = 1e8f;

static float at_least(float a, float least)
{
    return a > least ? a : least;
}

// For a hair of radius r, round or an ellipse of the same area with axes in ratio e, the long one
// along the first axis of the frame, with m = rho pi r^2 l the mean mass of a point, l the mean
// length:
//
//   E A / m = E / (rho l)      B / m = E r^2 / (4 rho l)      C = B / (1 + nu)
//   B1 = B / e             B2 = e B                   C = 2 B / (1 + nu) (e + 1 / e)
//   k G A = E A 3 / (7 + 6 nu), as k = 6 (1 + nu) / (7 + 6 nu) for a round section (Cowper 1966)
//
// A joint's length is half of both its segments'; at the root, half of one.
void coif_cosserat_fill(coif_strand_block *block, int32_t lane,
                        const coif_strand_material *material)
{
    coif_method_rows *rod = coif_method_rows_of(block);
    const int32_t lanes = block->lanes;
    const int32_t segments = block->length - 1;
    const float mean = coif_strand_block_mean_length(block, lane);
    const float shortest = MIN_LENGTH_FRACTION * mean;
    const float r = material->radius;
    const float heavy = material->density * mean * block->mass_scale[lane];
    const float stretch = at_least(material->youngs_modulus, MIN_YOUNGS_MODULUS) / heavy;
    const float bend =
        at_least(0.25f * r * r * material->stiffness * material->youngs_modulus / heavy, 1e-12f);
    const float flat = at_least(material->ellipticity, 1.0f);
    // From the mean length, so that a short segment does not spin freely.
    const float carrying = INERTIA * (float)segments * (float)segments;
    const float moment = bend * INERTIA_TIME * INERTIA_TIME / (mean * mean * mean);
    const float inertia =
        at_least(moment < carrying ? moment : carrying, MIN_INERTIA) * mean * mean;
    rod->lane_rows[COIF_COSSERAT_MIN_LENGTH * lanes + lane] = shortest;
    rod->lane_rows[COIF_COSSERAT_CLAMPED * lanes + lane] = material->clamped ? 1.0f : 0.0f;
    float before = 0.0f;
    for (int32_t k = 0; k < segments; ++k) {
        const float here = at_least(block->rest_length[k * lanes + lane], shortest);
        const float joint = at_least(0.5f * (before + here), shortest);
        const float along = at_least(
            material->stiffness_along != NULL ? material->stiffness_along[k] : 1.0f, 1e-6f);
        float *rows = rod->rows + (int64_t)k * COIF_COSSERAT_ROWS * lanes + lane;
        const float round = 0.25f * joint / (bend * along);
        rows[COIF_COSSERAT_BEND * lanes] = round * flat;
        rows[COIF_COSSERAT_BEND_2 * lanes] = round / flat;
        rows[COIF_COSSERAT_TWIST * lanes] =
            round * (1.0f + material->poisson_ratio) * 0.5f * (flat + 1.0f / flat);
        rows[COIF_COSSERAT_STRETCH * lanes] = here / stretch;
        rows[COIF_COSSERAT_SHEAR * lanes] =
            here * (7.0f + 6.0f * material->poisson_ratio) / (3.0f * stretch);
        rows[COIF_COSSERAT_INV_INERTIA * lanes] = 1.0f / inertia;
        before = here;
    }
}
