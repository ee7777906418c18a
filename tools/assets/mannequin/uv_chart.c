// uv_chart: collects an island and computes an initial parameterisation without flipped triangles.
//
// Tutte's embedding: with the border on a convex curve and every interior point at the mean of its
// neighbours no triangle flips.
#include "tools/assets/mannequin/uv_chart.h"

static void collect(uv_chart *chart, const poly_mesh *mesh, const int *label, int which)
{
    int *local = coif_arena_new(mesh->arena, mesh->point_count, int);
    chart->point = coif_arena_new(mesh->arena, mesh->point_count, int);
    chart->triangle = coif_arena_new(mesh->arena, 6 * (size_t)mesh->face_count, int);
    for (int f = 0; f < mesh->face_count; ++f) {
        const int size = poly_face_size(&mesh->face[f]);
        if (label[f] != which) {
            continue;
        }
        for (int k = 0; k < size; ++k) {
            const int p = mesh->face[f].corner[k];
            if (local[p] == 0) {
                chart->point[chart->point_count++] = p;
                local[p] = chart->point_count;
            }
        }
        for (int k = 1; k + 1 < size; ++k) {
            int *t = &chart->triangle[3 * chart->triangle_count++];
            t[0] = local[mesh->face[f].corner[0]] - 1;
            t[1] = local[mesh->face[f].corner[k]] - 1;
            t[2] = local[mesh->face[f].corner[k + 1]] - 1;
        }
    }
}

// The points of the border in order. Returns their number, 0 unless the border is a single loop.
static int border_loop(const uv_chart *chart, int *loop)
{
    poly_mesh flat;
    int *next = coif_arena_new(chart->arena, chart->point_count, int);
    int border = 0, length = 0, start = -1;
    poly_mesh_init(&flat, chart->arena);
    for (int i = 0; i < chart->point_count; ++i) {
        next[i] = -1;
    }
    for (int t = 0; t < chart->triangle_count; ++t) {
        const int *c = &chart->triangle[3 * t];
        poly_mesh_add_face(&flat, (poly_face){{c[0], c[1], c[2], -1}, 0});
    }
    const poly_edges edges = poly_edges_build(&flat);
    for (int t = 0; t < chart->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            const int a = chart->triangle[3 * t + k], b = chart->triangle[3 * t + (k + 1) % 3];
            if (poly_edges_find(&edges, a, b)->uses == 1) {
                ++border;
                next[a] = b;
                start = a;
            }
        }
    }
    for (int p = start; p >= 0 && length < border; p = next[p]) {
        loop[length++] = p;
        if (next[p] == start) {
            break;
        }
    }
    return length == border ? length : 0;
}

// Rotates the loop so that it starts with the seam; returns the number of seam edges.
static int start_at_seam(const uv_chart *chart, int *loop, int length)
{
    int *rotated = coif_arena_new(chart->arena, length, int);
    int start = 0, seam = 0;
    for (int i = 0; i < length; ++i) {
        const int before = loop[(i + length - 1) % length];
        if (chart->on_seam[loop[i]] && !chart->on_seam[before]) {
            start = i;
        }
    }
    for (int i = 0; i < length; ++i) {
        rotated[i] = loop[(start + i) % length];
    }
    for (int i = 0; i < length; ++i) {
        loop[i] = rotated[i];
    }
    while (seam + 1 < length && chart->on_seam[loop[seam + 1]]) {
        ++seam;
    }
    return seam;
}

// Arc length of the loop up to each point; returns the total.
static double loop_length(const uv_chart *chart, const poly_mesh *mesh, const int *loop, int length,
                          double *along)
{
    double sum = 0.0;
    for (int i = 0; i < length; ++i) {
        const coif_vec3d a = mesh->point[chart->point[loop[i]]];
        const coif_vec3d b = mesh->point[chart->point[loop[(i + 1) % length]]];
        along[i] = sum;
        sum += coif_vec3d_length(coif_vec3d_sub(b, a));
    }
    return sum;
}

// The border of a pinned island becomes a half disc with the seam as diameter, that of others a
// disc.
static void place_border(uv_chart *chart, const poly_mesh *mesh, int *loop, int length, bool pinned)
{
    const double pi = 3.14159265358979323846, radius = 100.0;
    const int seam = pinned ? start_at_seam(chart, loop, length) : 0;
    double *along = coif_arena_new(chart->arena, length, double);
    const double total = loop_length(chart, mesh, loop, length, along);
    const double straight = along[seam];
    for (int i = 0; i < length; ++i) {
        double *uv = &chart->uv[2 * loop[i]];
        if (pinned && i <= seam) {
            uv[0] = 0.0;
            uv[1] = radius * (1.0 - 2.0 * along[i] / straight);
        } else {
            const double t = (along[i] - straight) / (total - straight);
            const double angle = pinned ? pi * (t - 0.5) : 2.0 * pi * t;
            uv[0] = radius * cos(angle);
            uv[1] = radius * sin(angle);
        }
    }
}

// Jacobi iterations. They need not converge: the solver that follows only needs an embedding
// without flips.
static void solve_interior(uv_chart *chart, const bool *fixed)
{
    double *sum = coif_arena_new(chart->arena, 3 * (size_t)chart->point_count, double);
    for (int iteration = 0; iteration < 3000; ++iteration) {
        for (int i = 0; i < 3 * chart->point_count; ++i) {
            sum[i] = 0.0;
        }
        for (int t = 0; t < 3 * chart->triangle_count; ++t) {
            const int a = chart->triangle[t];
            const int b = chart->triangle[t % 3 == 2 ? t - 2 : t + 1];
            sum[3 * a] += chart->uv[2 * b];
            sum[3 * a + 1] += chart->uv[2 * b + 1];
            sum[3 * a + 2] += 1.0;
        }
        for (int i = 0; i < chart->point_count; ++i) {
            if (!fixed[i]) {
                chart->uv[2 * i] = sum[3 * i] / sum[3 * i + 2];
                chart->uv[2 * i + 1] = sum[3 * i + 1] / sum[3 * i + 2];
            }
        }
    }
}

bool uv_chart_build(uv_chart *chart, const poly_mesh *mesh, const int *label, int which,
                    bool pinned)
{
    *chart = (uv_chart){.arena = mesh->arena};
    collect(chart, mesh, label, which);
    chart->uv = coif_arena_new(mesh->arena, 2 * (size_t)chart->point_count, double);
    chart->on_seam = coif_arena_new(mesh->arena, chart->point_count, bool);
    for (int i = 0; pinned && i < chart->point_count; ++i) {
        chart->on_seam[i] = mesh->point[chart->point[i]].x == 0.0;
    }
    int *loop = coif_arena_new(mesh->arena, chart->point_count, int);
    bool *fixed = coif_arena_new(mesh->arena, chart->point_count, bool);
    const int length = border_loop(chart, loop);
    for (int i = 0; i < length; ++i) {
        fixed[loop[i]] = true;
    }
    if (length > 0) {
        place_border(chart, mesh, loop, length, pinned);
        solve_interior(chart, fixed);
    }
    return length > 0;
}
