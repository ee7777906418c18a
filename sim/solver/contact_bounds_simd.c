// contact, points: what holds for all points together, and points without planes. Compiled once per
// vector width.
#include "sim/solver/constraints_common.h"
#include "sim/solver/contact_plane.h"

// The smallest or the largest lane.
static float least_of(coif_simd a)
{
    float least = a[0];
    for (int lane = 1; lane < COIF_LANES; ++lane) {
        least = fminf(least, a[lane]);
    }
    return least;
}

static float most_of(coif_simd a)
{
    return -least_of(-a);
}

contact_bounds COIF_SIMD(coif_contact_query_bound)(const coif_contact_query *contacts)
{
    const float *const from[3] = {contacts->x, contacts->y, contacts->z};
    const float *const to[3] = {contacts->px, contacts->py, contacts->pz};
    const int32_t rows = contacts->count / COIF_LANES;
    float low[3];
    float high[3];
    float way[3];
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
        low[a] = least_of(least);
        high[a] = most_of(most);
        way[a] = most_of(gone);
    }
    coif_simd reach = coif_simd_all(0.0f);
    for (int32_t k = 0; k < rows; ++k) {
        reach = coif_simd_max(((const coif_simd *)contacts->reach)[k], reach);
    }
    return (contact_bounds){.low = {low[0], low[1], low[2]},
                            .high = {high[0], high[1], high[2]},
                            .way = coif_length(coif_vec3_of(way[0], way[1], way[2])),
                            .reach = most_of(reach)};
}

void COIF_SIMD(coif_contact_query_clear)(const coif_contact_query *contacts)
{
    float *const zeros[6] = {contacts->nx, contacts->ny, contacts->nz,
                             contacts->sx, contacts->sy, contacts->sz};
    for (int r = 0; r < 6; ++r) {
        for (int32_t k = 0; k < contacts->count / COIF_LANES; ++k) {
            ((coif_simd *)zeros[r])[k] = coif_simd_all(0.0f);
        }
    }
    for (int32_t k = 0; k < contacts->count / COIF_LANES; ++k) {
        ((coif_simd *)contacts->offset)[k] = coif_simd_all(-1.0f);
        ((coif_simd *)contacts->depth)[k] = coif_simd_all(INFINITY);
    }
}
