#include "tools/assets/mannequin/mannequin.h"

#include "tools/assets/mannequin/regions.h"
#include "tools/assets/mannequin/uv_layout.h"
#include "tools/assets/shared/smooth.h"
#include "tools/assets/shared/surface_nets.h"

// Grid coordinates from start on, with a spacing interpolated between knots.
static surface_nets_axis graded_axis(double start, const double *knot, const double *spacing,
                                     int count)
{
    surface_nets_axis axis = {0};
    double at = start;
    while (axis.count < SURFACE_NETS_AXIS) {
        axis.at[axis.count++] = at;
        if (at > knot[count - 1]) {
            break;
        }
        at += cubic_spline(knot, spacing, count, at);
    }
    return axis;
}

// Finer cells around face and ears.
static surface_nets_desc grid_desc(const head_sdf *sdf)
{
    static const double x[] = {0, 20, 46, 60, 68, 94, 104, 130, 182};
    static const double x_step[] = {4.8, 4.8, 4.8, 5.0, 2.9, 2.9, 6.5, 9.5, 9.5};
    static const double y[] = {-312, -240, -200, -120, -90, -36, 40, 60, 132};
    static const double y_step[] = {9.5, 9.0, 8.5, 7.0, 4.4, 3.2, 3.2, 5.2, 5.4};
    static const double z[] = {-126, -60, -40, -32, 12, 30, 60, 128};
    static const double z_step[] = {6.8, 6.0, 3.8, 3.0, 3.0, 4.8, 4.6, 4.6};
    return (surface_nets_desc){.field = {head_sdf_field, sdf},
                               .x = graded_axis(-0.5 * x_step[0], x, x_step, 9),
                               .y = graded_axis(y[0], y, y_step, 9),
                               .z = graded_axis(z[0], z, z_step, 8),
                               .half = true};
}

static coif_vec3d surface_normal(const void *sdf, coif_vec3d p)
{
    return head_sdf_normal(sdf, p);
}

static coif_vec3d surface_project(const void *sdf, coif_vec3d p)
{
    return head_sdf_project(sdf, p);
}

// To the six decimals of a metre that the file has: what is checked is what is written.
static void round_points(poly_mesh *mesh)
{
    for (int i = 0; i < mesh->point_count; ++i) {
        coif_vec3d *p = &mesh->point[i];
        *p = xyz(round(p->x * 1e3) / 1e3, round(p->y * 1e3) / 1e3, round(p->z * 1e3) / 1e3);
    }
}

static void build_half(poly_mesh *half, const head_sdf *sdf, coif_arena *arena)
{
    const smooth_surface surface = {surface_normal, surface_project, sdf, .half = true};
    const surface_nets_desc desc = grid_desc(sdf);
    head_regions regions;
    head_regions_init(&regions, sdf);
    surface_nets_build(half, &desc, arena);
    smooth_mesh(half, &surface, 6);
    for (int pass = 0; pass < 2; ++pass) {
        head_subdivide(half, sdf, pass);
        smooth_mesh(half, &surface, 3);
    }
    head_regions_split_edges(half, &regions);
    smooth_mesh(half, &surface, 3);
    round_points(half);
    poly_mesh_choose_diagonals(half);
}

static void add_normals(mannequin *model, const poly_mesh *half, const head_sdf *sdf)
{
    model->normal = coif_arena_new(half->arena, model->mesh.point_count, coif_vec3d);
    for (int i = 0; i < half->point_count; ++i) {
        const coif_vec3d n = head_sdf_normal(sdf, half->point[i]);
        model->normal[model->twin[i]] = xyz(-n.x, n.y, n.z);
        model->normal[i] = n;
    }
}

// The mirrored half has texture coordinates (1 - u, v); entries with u = 0.5 are shared.
static void mirror_uv(mannequin *model, const poly_mesh *half, const uv_layout *layout)
{
    int *twin = coif_arena_new(half->arena, layout->uv_count, int);
    model->uv = coif_arena_new(half->arena, 4 * (size_t)layout->uv_count, double);
    model->uv_corner = coif_arena_new(half->arena, 8 * (size_t)half->face_count, int);
    model->uv_count = layout->uv_count;
    for (int i = 0; i < layout->uv_count; ++i) {
        const double u = round(layout->uv[2 * i] * 1e6) / 1e6;
        const double v = round(layout->uv[2 * i + 1] * 1e6) / 1e6;
        twin[i] = u == 0.5 ? i : model->uv_count++;
        model->uv[2 * i] = u;
        model->uv[2 * i + 1] = v;
        if (twin[i] != i) {
            model->uv[2 * twin[i]] = 1.0 - u;
            model->uv[2 * twin[i] + 1] = v;
        }
    }
    for (int f = 0; f < half->face_count; ++f) {
        const int size = poly_face_size(&half->face[f]);
        for (int k = 0; k < size; ++k) {
            model->uv_corner[4 * f + k] = layout->corner[4 * f + k];
            model->uv_corner[4 * (half->face_count + f) + k] =
                twin[layout->corner[4 * f + (size - k) % size]];
        }
    }
}

coif_status mannequin_build(mannequin *model, const head_sdf *sdf, coif_arena *arena,
                            coif_error *error)
{
    poly_mesh half;
    uv_layout layout;
    *model = (mannequin){0};
    build_half(&half, sdf, arena);
    model->twin = coif_arena_new(arena, 2 * (size_t)half.point_count, int);
    poly_mesh_mirror(&model->mesh, &half, model->twin);
    add_normals(model, &half, sdf);
    COIF_TRY(uv_layout_build(&layout, &half, sdf, error));
    mirror_uv(model, &half, &layout);
    return COIF_OK;
}
