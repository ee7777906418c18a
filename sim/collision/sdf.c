#include "sim/collision/sdf.h"

// Vertices may be off by this much for a body still to count as one piece, in metres and as a share
// of its size.
static const float LOOSE = 2e-5f;

static bool fit(coif_affine *fit, const coif_sdf *shell, const coif_vec3 *positions)
{
    const coif_vec3 to[3] = {positions[shell->corner[0]], positions[shell->corner[1]],
                             positions[shell->corner[2]]};
    *fit = coif_affine_fit(shell->rest, to);
    const coif_vec3 *rest = shell->mesh->positions;
    for (int32_t v = 0; v < shell->mesh->vertex_count; ++v) {
        const coif_vec3 off = coif_sub(coif_affine_apply(fit, rest[v]), positions[v]);
        // Also false for what is not a number.
        if (!(coif_dot(off, off) <= LOOSE * LOOSE * (1.0f + coif_dot(rest[v], rest[v])))) {
            return false;
        }
    }
    return true;
}

// Nothing between the levels may be folded over.
static bool follow_flex(coif_sdf *shell, const coif_height_deform *begin,
                        const coif_height_deform *end)
{
    if (!coif_body_motion_height_deform(shell->passage, begin, end, shell->centre)) {
        return false;
    }
    const coif_vec3 *rest = shell->mesh->positions;
    for (int32_t v = 0; v < shell->mesh->vertex_count; ++v) {
        for (int e = 0; rest[v].y > begin->low && rest[v].y < begin->high && e < 2; ++e) {
            if (!(coif_body_motion_vertical_compression(shell->passage, e, rest[v]) >
                  COIF_BODY_MOTION_COMPRESSED)) {
                return false;
            }
        }
    }
    return true;
}

void coif_sdf_update_transform(coif_sdf *shell, const coif_mesh *begin, const coif_mesh *end)
{
    if (begin->flex != NULL && end->flex != NULL) {
        shell->holds = follow_flex(shell, begin->flex, end->flex);
        return;
    }
    coif_affine fits[2];
    shell->holds = fit(&fits[0], shell, begin->positions) &&
                   (begin->positions == end->positions || fit(&fits[1], shell, end->positions));
    if (shell->holds) {
        coif_body_motion_rigid(shell->passage, &fits[0],
                               &fits[begin->positions == end->positions ? 0 : 1]);
    }
}

// Nothing is nearer to a place outside than to a corner of its cell, less the way from there. Zero
// where that says nothing.
static float least_distance(const float *d, const float f[3], float cell)
{
    float least = 0.0f;
    for (int i = 0; i < 8; ++i) {
        const float corner = d[(i & 1) + 5 * (i >> 1 & 1) + 25 * (i >> 2)];
        const float x = (i & 1) != 0 ? 1.0f - f[0] : f[0];
        const float y = (i & 2) != 0 ? 1.0f - f[1] : f[1];
        const float z = (i & 4) != 0 ? 1.0f - f[2] : f[2];
        const float from = corner - cell * sqrtf(x * x + y * y + z * z);
        if (!(corner > 0.0f)) {
            return 0.0f;
        }
        least = from > least ? from : least;
    }
    return 0.9999f * least;
}

bool coif_sdf_eval(coif_sdf_sample *answer, const coif_sdf *shell, coif_vec3 place)
{
    const int32_t at = coif_sdf_brick_at(shell, place);
    const int32_t which = at < 0 ? -1 : shell->index[at];
    answer->hint = -1;
    answer->distance = 0.0f;
    if (which < 0) {
        return false;
    }
    const coif_sdf_brick *block = &shell->blocks[which];
    answer->hint = block->hint;
    const float offset[3] = {place.x - shell->low.x, place.y - shell->low.y,
                             place.z - shell->low.z};
    const int32_t first[3] = {at % shell->size[0], at / shell->size[0] % shell->size[1],
                              at / shell->size[0] / shell->size[1]};
    int32_t cell[3];
    float f[3];
    for (int a = 0; a < 3; ++a) {
        const float c = offset[a] / shell->cell - (float)(COIF_SDF_BRICK_CELLS * first[a]);
        cell[a] = c <= 0.0f                       ? 0
                  : c >= COIF_SDF_BRICK_CELLS - 1 ? COIF_SDF_BRICK_CELLS - 1
                                                  : (int32_t)c;
        f[a] = coif_clamp(c - (float)cell[a], 0.0f, 1.0f);
    }
    const float *d = &block->distance[cell[0] + 5 * cell[1] + 25 * cell[2]];
    if (!(block->sure >> (cell[0] + 4 * cell[1] + 16 * cell[2]) & 1)) {
        answer->distance = least_distance(d, f, shell->cell);
        return false;
    }
    const float x00 = d[0] + f[0] * (d[1] - d[0]);
    const float x10 = d[5] + f[0] * (d[6] - d[5]);
    const float x01 = d[25] + f[0] * (d[26] - d[25]);
    const float x11 = d[30] + f[0] * (d[31] - d[30]);
    const float y0 = x00 + f[1] * (x10 - x00);
    const float y1 = x01 + f[1] * (x11 - x01);
    const float low = d[1] - d[0] + f[1] * ((d[6] - d[5]) - (d[1] - d[0]));
    const float high = d[26] - d[25] + f[1] * ((d[31] - d[30]) - (d[26] - d[25]));
    answer->distance = y0 + f[2] * (y1 - y0);
    answer->slope.x = low + f[2] * (high - low);
    answer->slope.y = x10 - x00 + f[2] * ((x11 - x01) - (x10 - x00));
    answer->slope.z = y1 - y0;
    return true;
}
