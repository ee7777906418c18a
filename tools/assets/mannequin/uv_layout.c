// uv_layout: segments the half mannequin into islands, parameterises and packs them.
#include "tools/assets/mannequin/uv_layout.h"

#include "tools/assets/mannequin/uv_chart.h"
#include "tools/assets/shared/uv_pack.h"

enum { SCALP, FACE, EAR_FRONT, EAR_BACK, NECK, BUST, UNDERSIDE, ISLANDS };

// The box of an island on the side u >= 0.5. A pinned island is attached to u = 0.5.
typedef struct uv_island {
    const char *name;
    bool pinned;
    uv_bounds box;
    coif_vec3d up; // direction in space that v is aligned with
} uv_island;

static const uv_island LAYOUT[ISLANDS] = {
    [SCALP] = {"scalp", true, {{0.50, 0.35}, {0.98, 0.98}}, {0, 0, -1}},
    [FACE] = {"face", true, {{0.50, 0.02}, {0.76, 0.33}}, {0, 1, 0}},
    [EAR_FRONT] = {"front of the ear", false, {{0.88, 0.82}, {0.98, 0.98}}, {0, 1, 0}},
    [EAR_BACK] = {"back of the ear", false, {{0.88, 0.64}, {0.98, 0.80}}, {0, 1, 0}},
    [NECK] = {"neck", false, {{0.77, 0.34}, {0.98, 0.49}}, {0, 1, 0}},
    [BUST] = {"bust", false, {{0.725, 0.02}, {0.98, 0.32}}, {0, 1, 0}},
    [UNDERSIDE] = {"underside", false, {{0.87, 0.51}, {0.98, 0.62}}, {0, 0, 1}},
};

static int initial_island(const poly_mesh *mesh, const head_sdf *sdf, int f)
{
    const coif_vec3d normal = poly_face_normal(mesh, f);
    switch (mesh->face[f].group) {
    case HEAD_SCALP:
        return SCALP;
    case HEAD_FACE:
        return FACE;
    case HEAD_NECK:
        return NECK;
    case HEAD_EAR:
        return coif_vec3d_dot(normal, sdf->ear.out) > 0.0 ? EAR_FRONT : EAR_BACK;
    default:
        return normal.y < -0.7 ? UNDERSIDE : BUST;
    }
}

// Moves all but the largest connected component of an island to another island.
static void keep_largest(const poly_mesh *mesh, const poly_edges *edges, int *label, int which,
                         int other)
{
    int *component = coif_arena_new(mesh->arena, mesh->face_count, int);
    int *size = coif_arena_new(mesh->arena, mesh->face_count, int);
    int best = 0;
    poly_mesh_components(mesh, edges, label, component);
    for (int f = 0; f < mesh->face_count; ++f) {
        if (label[f] == which && ++size[component[f]] > size[best]) {
            best = component[f];
        }
    }
    for (int f = 0; f < mesh->face_count; ++f) {
        if (label[f] == which && component[f] != best) {
            label[f] = other;
        }
    }
}

static void segment(const poly_mesh *mesh, const head_sdf *sdf, int *label)
{
    for (int f = 0; f < mesh->face_count; ++f) {
        label[f] = initial_island(mesh, sdf, f);
    }
    const poly_edges edges = poly_edges_build(mesh);
    keep_largest(mesh, &edges, label, EAR_BACK, EAR_FRONT);
    keep_largest(mesh, &edges, label, EAR_FRONT, EAR_BACK);
    keep_largest(mesh, &edges, label, UNDERSIDE, BUST);
    keep_largest(mesh, &edges, label, BUST, UNDERSIDE);
}

// Rotates a chart so that the covariance of v with the height along `up` is greatest.
static void align(uv_chart *chart, const poly_mesh *mesh, coif_vec3d up)
{
    const int count = chart->point_count;
    double mean_u = 0.0, mean_v = 0.0, along_u = 0.0, along_v = 0.0;
    for (int i = 0; i < count; ++i) {
        mean_u += chart->uv[2 * i] / count;
        mean_v += chart->uv[2 * i + 1] / count;
    }
    for (int i = 0; i < count; ++i) {
        const double height = coif_vec3d_dot(mesh->point[chart->point[i]], up);
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

static void pack(uv_chart *chart, const uv_island *island)
{
    uv_bounds bounds = uv_bounds_empty();
    for (int i = 0; i < chart->point_count; ++i) {
        uv_bounds_add(&bounds, &chart->uv[2 * i]);
    }
    if (island->pinned) {
        bounds.low[0] = 0.0;
    }
    const uv_placement placement = uv_pack_box(&bounds, &island->box);
    for (int i = 0; i < 2 * chart->point_count; ++i) {
        chart->uv[i] = uv_place(&placement, i % 2, chart->uv[i]);
    }
}

static void append(uv_layout *layout, const uv_chart *chart, const poly_mesh *mesh,
                   const int *label, int which)
{
    int *index = coif_arena_new(mesh->arena, mesh->point_count, int);
    for (int i = 0; i < chart->point_count; ++i) {
        index[chart->point[i]] = layout->uv_count;
        layout->uv[2 * layout->uv_count] = chart->uv[2 * i];
        layout->uv[2 * layout->uv_count + 1] = chart->uv[2 * i + 1];
        ++layout->uv_count;
    }
    for (int f = 0; f < mesh->face_count; ++f) {
        for (int k = 0; label[f] == which && k < poly_face_size(&mesh->face[f]); ++k) {
            layout->corner[4 * f + k] = index[mesh->face[f].corner[k]];
        }
    }
}

static coif_status add_island(uv_layout *layout, const poly_mesh *half, const int *label, int which,
                              coif_error *error)
{
    const uv_island *island = &LAYOUT[which];
    uv_chart chart;
    if (!uv_chart_build(&chart, half, label, which, island->pinned)) {
        return coif_fail(error, COIF_ERR_FORMAT, "UV island '%s' is not a topological disc",
                         island->name);
    }
    uv_chart_solve_arap(&chart, half);
    if (!island->pinned) {
        align(&chart, half, island->up);
    }
    pack(&chart, island);
    append(layout, &chart, half, label, which);
    return COIF_OK;
}

coif_status uv_layout_build(uv_layout *layout, const poly_mesh *half, const head_sdf *sdf,
                            coif_error *error)
{
    int *label = coif_arena_new(half->arena, half->face_count, int);
    // A point has at most one texture coordinate per island.
    *layout = (uv_layout){
        .uv = coif_arena_new(half->arena, 2 * ISLANDS * (size_t)half->point_count, double),
        .corner = coif_arena_new(half->arena, 4 * (size_t)half->face_count, int)};
    segment(half, sdf, label);
    for (int which = 0; which < ISLANDS; ++which) {
        COIF_TRY(add_island(layout, half, label, which, error));
    }
    return COIF_OK;
}
