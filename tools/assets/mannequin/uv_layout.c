// atlas: divides the half mannequin into pieces, flattens each and packs them.
#include "tools/assets/mannequin/uv_layout.h"

#include "tools/assets/mannequin/uv_chart.h"

#include <stdio.h>
#include <stdlib.h>

enum { SCALP, FACE, EAR_FRONT, EAR_BACK, NECK, BUST, UNDERSIDE, PIECES };

// Where each piece goes on the side u >= 0.5; it keeps its shape and touches the box in one
// direction. A pinned piece leans on u = 0.5.
typedef struct place {
    const char *name;
    int pinned;
    double low_u, high_u, low_v, high_v;
    head_vec up; // the direction on the mannequin that becomes v
} place;

static const place PLACES[PIECES] = {
    [SCALP] = {"scalp", 1, 0.50, 0.98, 0.35, 0.98, {0, 0, -1}},
    [FACE] = {"face", 1, 0.50, 0.76, 0.02, 0.33, {0, 1, 0}},
    [EAR_FRONT] = {"front of the ear", 0, 0.88, 0.98, 0.82, 0.98, {0, 1, 0}},
    [EAR_BACK] = {"back of the ear", 0, 0.88, 0.98, 0.64, 0.80, {0, 1, 0}},
    [NECK] = {"neck", 0, 0.77, 0.98, 0.34, 0.49, {0, 1, 0}},
    [BUST] = {"bust", 0, 0.725, 0.98, 0.02, 0.32, {0, 1, 0}},
    [UNDERSIDE] = {"underside", 0, 0.87, 0.98, 0.51, 0.62, {0, 0, 1}},
};

static head_vec face_normal(const head_mesh *mesh, int f)
{
    const int *c = mesh->face[f].corner;
    const int last = c[3] < 0 ? c[2] : c[3];
    const head_vec a = vec_sub(mesh->point[c[2]], mesh->point[c[0]]);
    const head_vec b = vec_sub(mesh->point[last], mesh->point[c[1]]);

    return vec_unit(vec_cross(a, b));
}

static int first_guess(const head_mesh *mesh, const head_sculpture *sculpture, int f)
{
    const head_vec normal = face_normal(mesh, f);

    switch (mesh->face[f].group) {
    case HEAD_SCALP:
        return SCALP;
    case HEAD_FACE:
        return FACE;
    case HEAD_NECK:
        return NECK;
    case HEAD_EAR:
        return vec_dot(normal, sculpture->ear.out) > 0.0 ? EAR_FRONT : EAR_BACK;
    default:
        return normal.y < -0.7 ? UNDERSIDE : BUST;
    }
}

// Gives every face of a piece outside its largest connected part to the neighbour piece.
static void keep_largest(const head_mesh *mesh, const head_edges *edges, int *piece, int which,
                         int other)
{
    int *part = head_allocate((size_t)mesh->face_count, sizeof *part);
    int *size = head_allocate((size_t)mesh->face_count, sizeof *size);
    int best = 0, changed = 1;

    for (int f = 0; f < mesh->face_count; ++f) {
        part[f] = f;
    }
    while (changed) { // the least face number of a part spreads to all of it
        changed = 0;
        for (int e = 0; e < edges->count; ++e) {
            const int a = edges->edge[e].face[0], b = edges->edge[e].face[1];
            if (b >= 0 && piece[a] == which && piece[b] == which && part[a] != part[b]) {
                part[a] = part[b] = part[a] < part[b] ? part[a] : part[b];
                changed = 1;
            }
        }
    }
    for (int f = 0; f < mesh->face_count; ++f) {
        if (piece[f] == which && ++size[part[f]] > size[best]) {
            best = part[f];
        }
    }
    for (int f = 0; f < mesh->face_count; ++f) {
        if (piece[f] == which && part[f] != best) {
            piece[f] = other;
        }
    }
    free(part);
    free(size);
}

static void choose_pieces(const head_mesh *mesh, const head_sculpture *sculpture, int *piece)
{
    head_edges edges;

    for (int f = 0; f < mesh->face_count; ++f) {
        piece[f] = first_guess(mesh, sculpture, f);
    }
    head_edges_build(&edges, mesh);
    keep_largest(mesh, &edges, piece, EAR_BACK, EAR_FRONT);
    keep_largest(mesh, &edges, piece, EAR_FRONT, EAR_BACK);
    keep_largest(mesh, &edges, piece, UNDERSIDE, BUST);
    keep_largest(mesh, &edges, piece, BUST, UNDERSIDE);
    head_edges_free(&edges);
}

// Turns a free chart so that `up` on the mannequin runs along v as well as it can.
static void turn_upright(head_chart *chart, const head_mesh *mesh, head_vec up)
{
    double mean_u = 0.0, mean_v = 0.0, along_u = 0.0, along_v = 0.0;
    const int count = chart->point_count;

    for (int i = 0; i < count; ++i) {
        mean_u += chart->uv[2 * i] / count;
        mean_v += chart->uv[2 * i + 1] / count;
    }
    for (int i = 0; i < count; ++i) {
        const double height = vec_dot(mesh->point[chart->point[i]], up);
        along_u += height * (chart->uv[2 * i] - mean_u);
        along_v += height * (chart->uv[2 * i + 1] - mean_v);
    }
    const double length = hypot(along_u, along_v);
    const double c = along_v / length, s = along_u / length;
    for (int i = 0; i < count; ++i) {
        double *uv = &chart->uv[2 * i];
        const double u = c * uv[0] - s * uv[1], v = s * uv[0] + c * uv[1];
        uv[0] = u;
        uv[1] = v;
    }
}

static void pack(head_chart *chart, const place *box)
{
    double low_u = 1e9, high_u = -1e9, low_v = 1e9, high_v = -1e9;

    for (int i = 0; i < chart->point_count; ++i) {
        low_u = fmin(low_u, chart->uv[2 * i]);
        high_u = fmax(high_u, chart->uv[2 * i]);
        low_v = fmin(low_v, chart->uv[2 * i + 1]);
        high_v = fmax(high_v, chart->uv[2 * i + 1]);
    }
    if (box->pinned) {
        low_u = 0.0;
    }
    const double scale = fmin((box->high_u - box->low_u) / (high_u - low_u),
                              (box->high_v - box->low_v) / (high_v - low_v));
    for (int i = 0; i < chart->point_count; ++i) {
        chart->uv[2 * i] = box->low_u + scale * (chart->uv[2 * i] - low_u);
        chart->uv[2 * i + 1] = box->low_v + scale * (chart->uv[2 * i + 1] - low_v);
    }
}

static void append(head_atlas *atlas, const head_chart *chart, const head_mesh *mesh,
                   const int *piece, int which)
{
    int *index = head_allocate((size_t)mesh->point_count, sizeof *index);

    for (int i = 0; i < chart->point_count; ++i) {
        index[chart->point[i]] = atlas->uv_count;
        atlas->uv[2 * atlas->uv_count] = chart->uv[2 * i];
        atlas->uv[2 * atlas->uv_count + 1] = chart->uv[2 * i + 1];
        ++atlas->uv_count;
    }
    for (int f = 0; f < mesh->face_count; ++f) {
        for (int k = 0; piece[f] == which && k < head_face_size(&mesh->face[f]); ++k) {
            atlas->corner[4 * f + k] = index[mesh->face[f].corner[k]];
        }
    }
    free(index);
}

static int add_piece(head_atlas *atlas, const head_mesh *half, const int *piece, int which)
{
    const place *box = &PLACES[which];
    head_chart chart;
    const int disc = head_chart_build(&chart, half, piece, which, box->pinned);

    if (disc) {
        head_chart_flatten(&chart, half);
        if (!box->pinned) {
            turn_upright(&chart, half, box->up);
        }
        pack(&chart, box);
        append(atlas, &chart, half, piece, which);
    } else {
        fprintf(stderr, "coif_head: the %s is not one disc, it cannot be laid flat\n", box->name);
    }
    head_chart_free(&chart);
    return disc;
}

int head_atlas_build(head_atlas *atlas, const head_mesh *half, const head_sculpture *sculpture)
{
    int *piece = head_allocate((size_t)half->face_count, sizeof *piece);
    int good = 1;

    // A point has at most one place in each piece it touches, and rarely touches more than three.
    atlas->uv_count = 0;
    atlas->uv = head_allocate((size_t)half->point_count * 2 * PIECES, sizeof *atlas->uv);
    atlas->corner = head_allocate((size_t)half->face_count * 4, sizeof *atlas->corner);
    choose_pieces(half, sculpture, piece);
    for (int which = 0; which < PIECES; ++which) {
        good = add_piece(atlas, half, piece, which) && good;
    }
    free(piece);
    return good;
}

void head_atlas_free(head_atlas *atlas)
{
    free(atlas->uv);
    free(atlas->corner);
    *atlas = (head_atlas){0};
}
