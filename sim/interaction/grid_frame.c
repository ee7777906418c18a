#include "sim/interaction/grid_frame.h"

#include "sim/solver/solver.h"

#include <string.h>

enum { MOST_ROOTS = 1024, ROUNDS = 16 };

// Transposed inverse; false where there is none to speak of.
static bool invert(double out[3][3], double m[3][3])
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

// The rotation nearest to m by Newton's method, m <- (m + m^-T) / 2 (Higham 1986). A body that has
// no common rotation leaves the grid as it stands.
static void make_rotation(double m[3][3])
{
    for (int round = 0; round < ROUNDS; ++round) {
        double inverse[3][3];
        if (!invert(inverse, m)) {
            memset(m, 0, 9 * sizeof(double));
            m[0][0] = m[1][1] = m[2][2] = 1.0;
            return;
        }
        for (int i = 0; i < 9; ++i) {
            m[i / 3][i % 3] = 0.5 * (m[i / 3][i % 3] + inverse[i / 3][i % 3]);
        }
    }
}

static coif_mat3 frame_between(const coif_mat3 *a, const coif_mat3 *b, float t)
{
    return (coif_mat3){{coif_lerp(a->row[0], b->row[0], t), coif_lerp(a->row[1], b->row[1], t),
                        coif_lerp(a->row[2], b->row[2], t)}};
}

void coif_grid_frame_fit(coif_grid_frame *pose, const coif_solver *solver,
                         const coif_interaction_interval *between, float moment)
{
    const coif_groom *groom = solver->groom;
    const int32_t count = groom->simulated_count;
    const int32_t stride = (count + MOST_ROOTS - 1) / MOST_ROOTS;
    int32_t used = 0;
    *pose = (coif_grid_frame){.origin = {0.0, 0.0, 0.0}};
    for (int32_t s = 0; s < count; s += stride, ++used) {
        const int32_t strand = groom->simulated[s];
        const int32_t triangle = groom->root_triangle[strand];
        const float *b = groom->root_barycentric + 2 * (int64_t)strand;
        const coif_vec3 place =
            coif_lerp(coif_mesh_at(between->begin, triangle, b[0], b[1]).position,
                      coif_mesh_at(between->end, triangle, b[0], b[1]).position, moment);
        const coif_mat3 first = coif_mesh_frame(between->begin, triangle, b[0], b[1]);
        const coif_mat3 last = coif_mesh_frame(between->end, triangle, b[0], b[1]);
        const coif_mat3 now = frame_between(&first, &last, moment);
        const coif_mat3 rest = coif_mesh_frame(solver->rest, triangle, b[0], b[1]);
        for (int r = 0; r < 3; ++r) {
            const float n[3] = {now.row[r].x, now.row[r].y, now.row[r].z};
            const float o[3] = {rest.row[r].x, rest.row[r].y, rest.row[r].z};
            for (int i = 0; i < 9; ++i) {
                pose->turn[i / 3][i % 3] += (double)n[i / 3] * (double)o[i % 3];
            }
        }
        pose->origin[0] += (double)place.x;
        pose->origin[1] += (double)place.y;
        pose->origin[2] += (double)place.z;
    }
    const double share = used > 0 ? 1.0 / used : 0.0;
    for (int i = 0; i < 9; ++i) {
        pose->turn[i / 3][i % 3] *= share;
    }
    for (int i = 0; i < 3; ++i) {
        pose->origin[i] *= share;
    }
    make_rotation(pose->turn);
}

void coif_grid_transform_make(coif_grid_transform *map, const coif_grid_frame *from,
                              const coif_grid_frame *to, double seconds, float cell)
{
    const double rate = seconds > 0.0 ? 1.0 / seconds : 0.0;
    *map = (coif_grid_transform){
        .origin = {(float)from->origin[0], (float)from->origin[1], (float)from->origin[2]},
        .cells_per_metre = 1.0f / cell};
    // Axis i of the grid is column i of the turn. Its own motion is seen along these axes too.
    for (int i = 0; i < 3; ++i) {
        double speed = 0.0;
        double whirl[3] = {0.0, 0.0, 0.0};
        for (int a = 0; a < 3; ++a) {
            const double axis = from->turn[a][i];
            map->axes[a][i] = (float)axis;
            speed += axis * (to->origin[a] - from->origin[a]) * rate;
            for (int j = 0; j < 3; ++j) {
                whirl[j] += axis * (to->turn[a][j] - from->turn[a][j]) * rate * (double)cell;
            }
        }
        map->speed[i] = (float)speed;
        for (int j = 0; j < 3; ++j) {
            map->whirl[j][i] = (float)whirl[j];
        }
        map->to_grid.row[i] =
            coif_vec3_of((float)from->turn[0][i], (float)from->turn[1][i], (float)from->turn[2][i]);
    }
}
