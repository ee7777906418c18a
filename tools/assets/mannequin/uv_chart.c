// chart: collects a piece and gives it a first flat map without folds.
//
// Tutte's theorem: with the border on a convex curve and every inner point at the mean of its
// neighbours, no triangle turns over.
#include "tools/assets/mannequin/uv_chart.h"

#include <stdlib.h>

static void collect(head_chart *chart, const head_mesh *mesh, const int *piece, int which)
{
    int *local = head_allocate((size_t)mesh->point_count, sizeof *local);

    chart->point = head_allocate((size_t)mesh->point_count, sizeof *chart->point);
    chart->triangle = head_allocate((size_t)mesh->face_count * 6, sizeof *chart->triangle);
    for (int f = 0; f < mesh->face_count; ++f) {
        const int size = head_face_size(&mesh->face[f]);
        if (piece[f] != which) {
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
    free(local);
}

// Follows the border once around; next[p] is the point after p, or -1 inside. A half edge without
// its opposite is border. Returns the length of the loop, 0 when there is not exactly one.
static int border_loop(const head_chart *chart, int *loop)
{
    head_mesh flat = {0};
    head_edges edges;
    int *next = head_allocate((size_t)chart->point_count, sizeof *next);
    int border = 0, length = 0, start = -1;

    for (int i = 0; i < chart->point_count; ++i) {
        next[i] = -1;
    }
    for (int t = 0; t < chart->triangle_count; ++t) {
        const int *c = &chart->triangle[3 * t];
        head_mesh_add_face(&flat, (head_face){{c[0], c[1], c[2], -1}, 0});
    }
    head_edges_build(&edges, &flat);
    for (int t = 0; t < chart->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            const int a = chart->triangle[3 * t + k], b = chart->triangle[3 * t + (k + 1) % 3];
            if (head_edges_find(&edges, a, b)->uses == 1) {
                border += 1;
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
    head_edges_free(&edges);
    head_mesh_free(&flat);
    free(next);
    return length == border ? length : 0;
}

// Turns the loop so that a pinned chart starts where the seam begins; returns the number of seam
// edges at its start.
static int start_at_seam(const head_chart *chart, int *loop, int length)
{
    int *turned = head_allocate((size_t)length, sizeof *turned);
    int start = 0, seam = 0;

    for (int i = 0; i < length; ++i) {
        const int before = loop[(i + length - 1) % length];
        if (chart->on_seam[loop[i]] && !chart->on_seam[before]) {
            start = i;
        }
    }
    for (int i = 0; i < length; ++i) {
        turned[i] = loop[(start + i) % length];
    }
    for (int i = 0; i < length; ++i) {
        loop[i] = turned[i];
    }
    while (seam + 1 < length && chart->on_seam[loop[seam + 1]]) {
        ++seam;
    }
    free(turned);
    return seam;
}

static double loop_length(const head_chart *chart, const head_mesh *mesh, const int *loop,
                          int length, double *along)
{
    double sum = 0.0;

    for (int i = 0; i < length; ++i) {
        const head_vec a = mesh->point[chart->point[loop[i]]];
        const head_vec b = mesh->point[chart->point[loop[(i + 1) % length]]];
        along[i] = sum;
        sum += vec_length(vec_sub(b, a));
    }
    return sum;
}

// The seam becomes the straight side of a half disc, the rest of the border its arc; a chart
// without seam becomes a whole disc.
static void place_border(head_chart *chart, const head_mesh *mesh, int *loop, int length,
                         int pinned)
{
    const double pi = 3.14159265358979323846, radius = 100.0;
    const int seam = pinned ? start_at_seam(chart, loop, length) : 0;
    double *along = head_allocate((size_t)length, sizeof *along);
    const double total = loop_length(chart, mesh, loop, length, along);
    const double straight = along[seam];

    for (int i = 0; i < length; ++i) {
        double *uv = &chart->uv[2 * loop[i]];
        if (pinned && i <= seam) {
            uv[0] = 0.0;
            uv[1] = radius * (1.0 - 2.0 * along[i] / straight);
        } else {
            const double share = (along[i] - straight) / (total - straight);
            const double angle = pinned ? pi * (share - 0.5) : 2.0 * pi * share;
            uv[0] = radius * cos(angle);
            uv[1] = radius * sin(angle);
        }
    }
    free(along);
}

// Plain averaging. It need not converge: the flattening that follows only needs no folds.
static void spread(head_chart *chart, const char *fixed)
{
    double *sum = head_allocate((size_t)chart->point_count * 3, sizeof *sum);

    for (int sweep = 0; sweep < 3000; ++sweep) {
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
    free(sum);
}

int head_chart_build(head_chart *chart, const head_mesh *mesh, const int *piece, int which,
                     int pinned)
{
    *chart = (head_chart){0};
    collect(chart, mesh, piece, which);
    chart->uv = head_allocate((size_t)chart->point_count * 2, sizeof *chart->uv);
    chart->on_seam = head_allocate((size_t)chart->point_count, sizeof *chart->on_seam);
    for (int i = 0; pinned && i < chart->point_count; ++i) {
        chart->on_seam[i] = mesh->point[chart->point[i]].x == 0.0;
    }

    int *loop = head_allocate((size_t)chart->point_count, sizeof *loop);
    char *fixed = head_allocate((size_t)chart->point_count, sizeof *fixed);
    const int length = border_loop(chart, loop);
    for (int i = 0; i < length; ++i) {
        fixed[loop[i]] = 1;
    }
    if (length > 0) {
        place_border(chart, mesh, loop, length, pinned);
        spread(chart, fixed);
    }
    free(loop);
    free(fixed);
    return length > 0;
}

void head_chart_free(head_chart *chart)
{
    free(chart->point);
    free(chart->triangle);
    free(chart->uv);
    free(chart->on_seam);
    *chart = (head_chart){0};
}
