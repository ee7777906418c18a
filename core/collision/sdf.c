#include "core/collision/sdf.h"

// Largest deviation of a vertex from the rigid fit, in metres and relative to the distance from
// the origin.
static const float RIGID_TOLERANCE = 2e-5f;

static bool fit_rigid(coif_affine *transform, const coif_sdf *sdf, const coif_vec3 *positions)
{
    const coif_vec3 to[3] = {positions[sdf->fit_vertex[0]], positions[sdf->fit_vertex[1]],
                             positions[sdf->fit_vertex[2]]};
    *transform = coif_affine_fit(sdf->fit_rest, to);
    const coif_vec3 *rest = sdf->mesh->positions;
    for (int32_t v = 0; v < sdf->mesh->vertex_count; ++v) {
        const coif_vec3 error = coif_sub(coif_affine_apply(transform, rest[v]), positions[v]);
        // Also false for NaN.
        if (!(coif_dot(error, error) <=
              RIGID_TOLERANCE * RIGID_TOLERANCE * (1.0f + coif_dot(rest[v], rest[v])))) {
            return false;
        }
    }
    return true;
}

// The deformation must not fold the body over between its levels.
static bool fit_height_deform(coif_sdf *sdf, const coif_height_deform *begin,
                              const coif_height_deform *end)
{
    if (!coif_body_motion_height_deform(sdf->motion, begin, end, sdf->centre)) {
        return false;
    }
    const coif_vec3 *rest = sdf->mesh->positions;
    for (int32_t v = 0; v < sdf->mesh->vertex_count; ++v) {
        for (int e = 0; rest[v].y > begin->low && rest[v].y < begin->high && e < 2; ++e) {
            if (!(coif_body_motion_vertical_compression(sdf->motion, e, rest[v]) >
                  COIF_BODY_MOTION_MIN_COMPRESSION)) {
                return false;
            }
        }
    }
    return true;
}

void coif_sdf_update_transform(coif_sdf *sdf, const coif_mesh *begin, const coif_mesh *end)
{
    if (begin->height_deform != NULL && end->height_deform != NULL) {
        sdf->valid = fit_height_deform(sdf, begin->height_deform, end->height_deform);
        return;
    }
    coif_affine fits[2];
    sdf->valid = fit_rigid(&fits[0], sdf, begin->positions) &&
                 (begin->positions == end->positions || fit_rigid(&fits[1], sdf, end->positions));
    if (sdf->valid) {
        coif_body_motion_rigid(sdf->motion, &fits[0],
                               &fits[begin->positions == end->positions ? 0 : 1]);
    }
}

// Lower bound outside the body: the distance is 1-Lipschitz, so it is at least that of a cell
// corner minus the distance to it. Zero when a corner is inside.
static float corner_lower_bound(const float *d, const float f[3], float cell)
{
    float best = 0.0f;
    for (int i = 0; i < 8; ++i) {
        const float corner = d[(i & 1) + 5 * (i >> 1 & 1) + 25 * (i >> 2)];
        const float x = (i & 1) != 0 ? 1.0f - f[0] : f[0];
        const float y = (i & 2) != 0 ? 1.0f - f[1] : f[1];
        const float z = (i & 4) != 0 ? 1.0f - f[2] : f[2];
        const float bound = corner - cell * sqrtf(x * x + y * y + z * z);
        if (!(corner > 0.0f)) {
            return 0.0f;
        }
        best = bound > best ? bound : best;
    }
    return 0.9999f * best;
}

// The cell of its brick that contains a position, and the position in it as fractions.
static void locate_cell(int32_t cell[3], float f[3], const coif_sdf *sdf, coif_vec3 position)
{
    const float offset[3] = {position.x - sdf->low.x, position.y - sdf->low.y,
                             position.z - sdf->low.z};
    const float scale = 1.0f / (COIF_SDF_BRICK_CELLS * sdf->cell);
    for (int a = 0; a < 3; ++a) {
        // The coordinate of the brick, as in coif_sdf_brick_at.
        const int32_t brick = (int32_t)(offset[a] * scale);
        const float c = offset[a] / sdf->cell - (float)(COIF_SDF_BRICK_CELLS * brick);
        cell[a] = c <= 0.0f                       ? 0
                  : c >= COIF_SDF_BRICK_CELLS - 1 ? COIF_SDF_BRICK_CELLS - 1
                                                  : (int32_t)c;
        f[a] = coif_clamp(c - (float)cell[a], 0.0f, 1.0f);
    }
}

float coif_sdf_outside_bound(const coif_sdf *sdf, coif_vec3 position)
{
    const int32_t index = coif_sdf_brick_at(sdf, position);
    if (index < 0) {
        return sdf->outside_bound;
    }
    // From the centre of the brick, to its farthest corner.
    const float center = coif_sdf_center_distance(sdf, index);
    const float half_diagonal = 0.8661f * COIF_SDF_BRICK_CELLS * sdf->cell;
    if (center > 2.0f * half_diagonal || !(center > -half_diagonal)) {
        return center > 0.0f ? 0.9999f * (center - half_diagonal) : 0.0f;
    }
    const coif_sdf_brick *values = coif_sdf_brick_of(sdf, index);
    if (values == NULL) {
        return center > half_diagonal ? 0.9999f * (center - half_diagonal) : 0.0f;
    }
    int32_t cell[3];
    float f[3];
    locate_cell(cell, f, sdf, position);
    return corner_lower_bound(&values->distance[cell[0] + 5 * cell[1] + 25 * cell[2]], f,
                              sdf->cell);
}

bool coif_sdf_eval(coif_sdf_sample *sample, const coif_sdf *sdf, coif_vec3 position)
{
    const int32_t index = coif_sdf_brick_at(sdf, position);
    const coif_sdf_brick *values = index < 0 ? NULL : coif_sdf_brick_of(sdf, index);
    sample->hint = -1;
    sample->distance = 0.0f;
    if (values == NULL) {
        return false;
    }
    sample->hint = values->hint;
    int32_t cell[3];
    float f[3];
    locate_cell(cell, f, sdf, position);
    const float *d = &values->distance[cell[0] + 5 * cell[1] + 25 * cell[2]];
    if (!(values->reliable_cells >> (cell[0] + 4 * cell[1] + 16 * cell[2]) & 1)) {
        sample->distance = corner_lower_bound(d, f, sdf->cell);
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
    sample->distance = y0 + f[2] * (y1 - y0);
    sample->gradient.x = low + f[2] * (high - low);
    sample->gradient.y = x10 - x00 + f[2] * ((x11 - x01) - (x10 - x00));
    sample->gradient.z = y1 - y0;
    return true;
}
