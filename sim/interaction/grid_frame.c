#include "sim/interaction/grid_frame.h"

#include <string.h>

enum { MAX_ROOTS = 1024, ITERATIONS = 16 };

// Inverse transpose; false for a singular matrix.
static bool inverse_transpose(double out[3][3], double m[3][3])
{
    for (int i = 0; i < 3; ++i) {
        const int a = (i + 1) % 3;
        const int b = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int c = (j + 1) % 3;
            const int d = (j + 2) % 3;
            out[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
        }
    }
    const double det = m[0][0] * out[0][0] + m[0][1] * out[0][1] + m[0][2] * out[0][2];
    if (!(det > 1e-3)) {
        return false;
    }
    for (int i = 0; i < 9; ++i) {
        out[i / 3][i % 3] /= det;
    }
    return true;
}

// Nearest rotation by Newton iteration, m <- (m + m^-T) / 2 (Higham 1986). When the roots have
// no common rotation the grid is not rotated.
static void make_rotation(double m[3][3])
{
    for (int iteration = 0; iteration < ITERATIONS; ++iteration) {
        double inverse[3][3];
        if (!inverse_transpose(inverse, m)) {
            memset(m, 0, 9 * sizeof(double));
            m[0][0] = m[1][1] = m[2][2] = 1.0;
            return;
        }
        for (int i = 0; i < 9; ++i) {
            m[i / 3][i % 3] = 0.5 * (m[i / 3][i % 3] + inverse[i / 3][i % 3]);
        }
    }
}

void coif_grid_frame_fit(coif_grid_frame *frame, const coif_root_motion *roots, float time)
{
    const int32_t count = roots->count;
    const int32_t stride = (count + MAX_ROOTS - 1) / MAX_ROOTS;
    int32_t used = 0;
    *frame = (coif_grid_frame){.origin = {0.0, 0.0, 0.0}};
    for (int32_t s = 0; s < count; s += stride, ++used) {
        const coif_root_pose *begin = &roots->begin[s];
        const coif_root_pose *end = &roots->end[s];
        const coif_root_pose *rest = &roots->rest[s];
        const coif_vec3 position = coif_lerp(begin->position, end->position, time);
        const coif_vec3 current_axes[3] = {coif_lerp(begin->tangent, end->tangent, time),
                                           coif_lerp(begin->bitangent, end->bitangent, time),
                                           coif_lerp(begin->normal, end->normal, time)};
        const coif_vec3 rest_axes[3] = {rest->tangent, rest->bitangent, rest->normal};
        for (int r = 0; r < 3; ++r) {
            const float n[3] = {current_axes[r].x, current_axes[r].y, current_axes[r].z};
            const float o[3] = {rest_axes[r].x, rest_axes[r].y, rest_axes[r].z};
            for (int i = 0; i < 9; ++i) {
                frame->rotation[i / 3][i % 3] += (double)n[i / 3] * (double)o[i % 3];
            }
        }
        frame->origin[0] += (double)position.x;
        frame->origin[1] += (double)position.y;
        frame->origin[2] += (double)position.z;
    }
    const double weight = used > 0 ? 1.0 / used : 0.0;
    for (int i = 0; i < 9; ++i) {
        frame->rotation[i / 3][i % 3] *= weight;
    }
    for (int i = 0; i < 3; ++i) {
        frame->origin[i] *= weight;
    }
    make_rotation(frame->rotation);
}

void coif_grid_transform_make(coif_grid_transform *transform, const coif_grid_frame *from,
                              const coif_grid_frame *to, double seconds, float cell)
{
    const double rate = seconds > 0.0 ? 1.0 / seconds : 0.0;
    *transform = (coif_grid_transform){
        .origin = {(float)from->origin[0], (float)from->origin[1], (float)from->origin[2]},
        .cells_per_metre = 1.0f / cell};
    // Axis i of the grid is column i of the rotation.
    for (int i = 0; i < 3; ++i) {
        double velocity = 0.0;
        double gradient[3] = {0.0, 0.0, 0.0};
        for (int a = 0; a < 3; ++a) {
            const double axis = from->rotation[a][i];
            transform->axes[a][i] = (float)axis;
            velocity += axis * (to->origin[a] - from->origin[a]) * rate;
            for (int j = 0; j < 3; ++j) {
                gradient[j] +=
                    axis * (to->rotation[a][j] - from->rotation[a][j]) * rate * (double)cell;
            }
        }
        transform->velocity[i] = (float)velocity;
        for (int j = 0; j < 3; ++j) {
            transform->velocity_gradient[j][i] = (float)gradient[j];
        }
        transform->to_grid.row[i] = coif_vec3_of(
            (float)from->rotation[0][i], (float)from->rotation[1][i], (float)from->rotation[2][i]);
    }
}

static coif_vec3 to_world(const coif_grid_transform *transform, simd_float4 v)
{
    return coif_mat3_apply_transposed(&transform->to_grid, coif_vec3_of(v[0], v[1], v[2]));
}

coif_rigid_velocity coif_grid_transform_rigid_velocity(const coif_grid_transform *transform)
{
    coif_rigid_velocity rigid = {.origin = transform->origin,
                                 .linear = to_world(transform, transform->velocity)};
    for (int a = 0; a < 3; ++a) {
        const simd_float4 axis = transform->axes[a] * transform->cells_per_metre;
        rigid.gradient[a] = to_world(transform, transform->velocity_gradient[0] * axis[0] +
                                                    transform->velocity_gradient[1] * axis[1] +
                                                    transform->velocity_gradient[2] * axis[2]);
    }
    return rigid;
}
