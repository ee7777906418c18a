// check_mesh: measures the mesh and its parameterisation, on the numbers that are written.
#include "tools/assets/mannequin/mannequin.h"
#include "tools/assets/shared/generator.h"

#include <stdio.h>

// Distortion of the parameterisation of the scalp.
typedef struct distortion {
    double area, uv_area;
    double largest_ratio;     // of two singular values
    double largest, smallest; // singular values relative to the mean scale
    double within;            // fraction of the area within the bound
    int flipped;              // triangles of any group
} distortion;

typedef struct triangle {
    coif_vec3d p[3];
    double uv[3][2];
    int group;
} triangle;

enum { OVERLAP_SIZE = 2048 };

static const double BOUND = 1.5;

static int triangle_total(const poly_mesh *mesh)
{
    int count = 0;
    for (int f = 0; f < mesh->face_count; ++f) {
        count += poly_face_size(&mesh->face[f]) - 2;
    }
    return count;
}

static triangle *triangulate(const mannequin *model)
{
    triangle *all = coif_arena_new(model->mesh.arena, triangle_total(&model->mesh), triangle);
    int count = 0;
    for (int f = 0; f < model->mesh.face_count; ++f) {
        const poly_face *face = &model->mesh.face[f];
        for (int k = 1; k + 1 < poly_face_size(face); ++k) {
            const int corner[3] = {0, k, k + 1};
            triangle *t = &all[count++];
            t->group = face->group;
            for (int n = 0; n < 3; ++n) {
                const int uv = model->uv_corner[4 * f + corner[n]];
                t->p[n] = model->mesh.point[face->corner[corner[n]]];
                t->uv[n][0] = model->uv[2 * uv];
                t->uv[n][1] = model->uv[2 * uv + 1];
            }
        }
    }
    return all;
}

static double area_of(const triangle *t)
{
    return 0.5 * coif_vec3d_length(coif_vec3d_cross(coif_vec3d_sub(t->p[1], t->p[0]),
                                                    coif_vec3d_sub(t->p[2], t->p[0])));
}

static double uv_area_of(const triangle *t)
{
    return 0.5 * ((t->uv[1][0] - t->uv[0][0]) * (t->uv[2][1] - t->uv[0][1]) -
                  (t->uv[2][0] - t->uv[0][0]) * (t->uv[1][1] - t->uv[0][1]));
}

// Singular values of the Jacobian from texture space to the surface.
static void singular_values(const triangle *t, double *large, double *small)
{
    const double twice = 2.0 * uv_area_of(t);
    const coif_vec3d a = coif_vec3d_sub(t->p[1], t->p[0]), b = coif_vec3d_sub(t->p[2], t->p[0]);
    const double au = t->uv[1][0] - t->uv[0][0], av = t->uv[1][1] - t->uv[0][1];
    const double bu = t->uv[2][0] - t->uv[0][0], bv = t->uv[2][1] - t->uv[0][1];
    const coif_vec3d du =
        coif_vec3d_scale(coif_vec3d_mad(coif_vec3d_scale(a, bv), -av, b), 1.0 / twice);
    const coif_vec3d dv =
        coif_vec3d_scale(coif_vec3d_mad(coif_vec3d_scale(b, au), -bu, a), 1.0 / twice);
    const double uu = coif_vec3d_dot(du, du), vv = coif_vec3d_dot(dv, dv),
                 uv = coif_vec3d_dot(du, dv);
    const double root = sqrt(fmax((uu - vv) * (uu - vv) + 4.0 * uv * uv, 0.0));
    *large = sqrt(0.5 * (uu + vv + root));
    *small = sqrt(fmax(0.5 * (uu + vv - root), 0.0));
}

static distortion measure_distortion(const triangle *all, int count)
{
    distortion d = {.smallest = 1e9};
    for (int t = 0; t < count; ++t) {
        d.flipped += uv_area_of(&all[t]) <= 0.0;
        if (all[t].group == HEAD_SCALP) {
            d.area += area_of(&all[t]);
            d.uv_area += uv_area_of(&all[t]);
        }
    }
    const double scale = sqrt(d.area / d.uv_area);
    for (int t = 0; t < count; ++t) {
        double large, small;
        if (all[t].group != HEAD_SCALP) {
            continue;
        }
        singular_values(&all[t], &large, &small);
        d.largest_ratio = fmax(d.largest_ratio, large / small);
        d.largest = fmax(d.largest, large / scale);
        d.smallest = fmin(d.smallest, small / scale);
        if (large < BOUND * scale && small > scale / BOUND && large < BOUND * small) {
            d.within += area_of(&all[t]) / d.area;
        }
    }
    return d;
}

// Number of texel centres of a fine raster strictly inside more than one triangle.
static int count_overlaps(const triangle *all, int count, coif_arena *arena)
{
    unsigned char *cover =
        coif_arena_new(arena, (size_t)OVERLAP_SIZE * OVERLAP_SIZE, unsigned char);
    int overlaps = 0;
    for (int n = 0; n < count; ++n) {
        const double(*uv)[2] = all[n].uv;
        const double low_u = fmin(uv[0][0], fmin(uv[1][0], uv[2][0])) * OVERLAP_SIZE;
        const double high_u = fmax(uv[0][0], fmax(uv[1][0], uv[2][0])) * OVERLAP_SIZE;
        const double low_v = fmin(uv[0][1], fmin(uv[1][1], uv[2][1])) * OVERLAP_SIZE;
        const double high_v = fmax(uv[0][1], fmax(uv[1][1], uv[2][1])) * OVERLAP_SIZE;
        for (int y = (int)fmax(low_v, 0.0); y < OVERLAP_SIZE && y <= high_v; ++y) {
            for (int x = (int)fmax(low_u, 0.0); x < OVERLAP_SIZE && x <= high_u; ++x) {
                const double u = (x + 0.5) / OVERLAP_SIZE, v = (y + 0.5) / OVERLAP_SIZE;
                bool inside = true;
                for (int k = 0; k < 3; ++k) {
                    const double *a = uv[k], *b = uv[(k + 1) % 3];
                    inside &= (b[0] - a[0]) * (v - a[1]) - (b[1] - a[1]) * (u - a[0]) > 1e-12;
                }
                overlaps += inside && cover[y * OVERLAP_SIZE + x]++ == 1;
            }
        }
    }
    return overlaps;
}

static void count_edges(const poly_mesh *mesh, int *open, int *nonmanifold)
{
    const poly_edges edges = poly_edges_build(mesh);
    *open = *nonmanifold = 0;
    for (int e = 0; e < edges.count; ++e) {
        *open += edges.edge[e].uses == 1;
        *nonmanifold += edges.edge[e].uses > 2;
    }
}

// Triangles whose area is below 1 % of the square of their longest edge.
static int count_degenerate(const triangle *all, int count)
{
    int degenerate = 0;
    for (int t = 0; t < count; ++t) {
        double longest = 0.0;
        for (int k = 0; k < 3; ++k) {
            const coif_vec3d edge = coif_vec3d_sub(all[t].p[(k + 1) % 3], all[t].p[k]);
            longest = fmax(longest, coif_vec3d_length(edge));
        }
        degenerate += area_of(&all[t]) < 0.01 * longest * longest;
    }
    return degenerate;
}

static double symmetry_error(const mannequin *model)
{
    double worst = 0.0;
    for (int i = 0; i < model->mesh.point_count; ++i) {
        const coif_vec3d p = model->mesh.point[i], q = model->mesh.point[model->twin[i]];
        worst = fmax(worst, coif_vec3d_length(coif_vec3d_sub(p, xyz(-q.x, q.y, q.z))));
    }
    return worst;
}

static int count_uv_outside(const mannequin *model)
{
    int outside = 0;
    for (int i = 0; i < 2 * model->uv_count; ++i) {
        outside += !(model->uv[i] >= 0.0 && model->uv[i] <= 1.0);
    }
    return outside;
}

int mannequin_check_mesh(const mannequin *model)
{
    const int count = triangle_total(&model->mesh);
    const triangle *all = triangulate(model);
    const distortion d = measure_distortion(all, count);
    const int overlaps = count_overlaps(all, count, model->mesh.arena);
    const int degenerate = count_degenerate(all, count);
    const double symmetry = symmetry_error(model);
    const int intersections = count_self_intersections(&model->mesh);
    int open, nonmanifold, bad = 0;
    count_edges(&model->mesh, &open, &nonmanifold);
    printf("vertices            %d\n", model->mesh.point_count);
    printf("faces               %d\n", model->mesh.face_count);
    printf("triangles           %d\n", count);
    printf("open edges          %d\n", open);
    printf("non-manifold edges  %d\n", nonmanifold);
    printf("degenerate faces    %d\n", degenerate);
    printf("self intersections  %d\n", intersections);
    printf("symmetry error      %g mm\n", symmetry);
    printf("scalp area          %.1f cm2\n", d.area / 100.0);
    printf("scalp s1/s2         %.3f at most\n", d.largest_ratio);
    printf("scalp stretch       %.3f to %.3f of the mean scale\n", d.smallest, d.largest);
    printf("scalp within 1.5    %.2f %% of its area\n", 100.0 * d.within);
    printf("uv flipped          %d triangles\n", d.flipped);
    printf("uv overlap          %d of %d^2 texels\n", overlaps, OVERLAP_SIZE);

    asset_expect(&bad, "at least 30000 triangles", count >= 30000);
    asset_expect(&bad, "closed", open == 0);
    asset_expect(&bad, "manifold", nonmanifold == 0);
    asset_expect(&bad, "no degenerate faces", degenerate == 0);
    asset_expect(&bad, "no self intersections", intersections == 0);
    asset_expect(&bad, "exact mirror symmetry", symmetry == 0.0);
    asset_expect(&bad, "scalp area between 600 and 700 cm2", d.area > 6e4 && d.area < 7e4);
    asset_expect(&bad, "s1/s2 below 1.5 on all of the scalp", d.largest_ratio < BOUND);
    asset_expect(&bad, "stretch below 1.5 on 99 % of the scalp", d.within >= 0.99);
    asset_expect(&bad, "uv within the unit square", count_uv_outside(model) == 0);
    asset_expect(&bad, "no uv overlap", overlaps == 0 && d.flipped == 0);
    return bad;
}
