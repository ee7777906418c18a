// contact_bounds_simd: bounds of all points of a query, and clearing of contacts. Compiled once per
// vector width.
#include "sim/solver/contact_simd.h"

// Smallest and largest lane.
static float min_lane(coif_simd a)
{
    float least = a[0];
    for (int lane = 1; lane < COIF_LANES; ++lane) {
        least = fminf(least, a[lane]);
    }
    return least;
}

static float max_lane(coif_simd a)
{
    return -min_lane(-a);
}

static contact_bounds point_bounds(const coif_contact_query *query)
{
    const float *const from[3] = {query->pos.x, query->pos.y, query->pos.z};
    const float *const to[3] = {query->predicted.x, query->predicted.y, query->predicted.z};
    const int32_t rows = query->count / COIF_LANES;
    float low[3];
    float high[3];
    float disp[3];
    for (int a = 0; a < 3; ++a) {
        coif_simd least = coif_simd_all(INFINITY);
        coif_simd most = coif_simd_all(-INFINITY);
        coif_simd gone = coif_simd_all(0.0f);
        for (int32_t k = 0; k < rows; ++k) {
            const coif_simd x = ((const coif_simd *)from[a])[k];
            const coif_simd p = ((const coif_simd *)to[a])[k];
            least = coif_simd_min(p, coif_simd_min(x, least));
            most = coif_simd_max(p, coif_simd_max(x, most));
            gone = coif_simd_max(p - x, coif_simd_max(x - p, gone));
        }
        low[a] = min_lane(least);
        high[a] = max_lane(most);
        disp[a] = max_lane(gone);
    }
    coif_simd reach = coif_simd_all(0.0f);
    for (int32_t k = 0; k < rows; ++k) {
        reach = coif_simd_max(((const coif_simd *)query->contact_distance)[k], reach);
    }
    return (contact_bounds){.low = {low[0], low[1], low[2]},
                            .high = {high[0], high[1], high[2]},
                            .max_displacement =
                                coif_length(coif_vec3_of(disp[0], disp[1], disp[2])),
                            .max_contact_distance = max_lane(reach)};
}

static void clear(const coif_contact_query *query)
{
    float *const zeros[6] = {query->normal.x,       query->normal.y,       query->normal.z,
                             query->surface_disp.x, query->surface_disp.y, query->surface_disp.z};
    for (int r = 0; r < 6; ++r) {
        for (int32_t k = 0; k < query->count / COIF_LANES; ++k) {
            ((coif_simd *)zeros[r])[k] = coif_simd_all(0.0f);
        }
    }
    for (int32_t k = 0; k < query->count / COIF_LANES; ++k) {
        ((coif_simd *)query->offset)[k] = coif_simd_all(-1.0f);
        ((coif_simd *)query->signed_distance)[k] = coif_simd_all(INFINITY);
    }
}

const coif_contact_kernels COIF_SIMD(coif_contact_kernels) = {
    .point_bounds = point_bounds,
    .clear = clear,
    .find_sdf = COIF_SIMD(coif_contact_query_sdf),
};
