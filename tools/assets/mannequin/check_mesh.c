// check: measures what the mesh promises, on the numbers that go into the file.
#include "tools/assets/mannequin/mannequin.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct stretch {
    double area, uv_area;     // of the scalp
    double roundest;          // the largest ratio of two singular values
    double longest, shortest; // singular values against the common scale
    double within;            // share of the area within the bound
    int turned;               // triangles that face the wrong way in the texture
} stretch;

typedef struct triangle {
    head_vec p[3];
    double uv[3][2];
    int group;
} triangle;

enum { OVERLAP_SIZE = 2048 };

static const double BOUND = 1.5;

static int triangle_total(const head_mesh *mesh)
{
    int count = 0;

    for (int f = 0; f < mesh->face_count; ++f) {
        count += head_face_size(&mesh->face[f]) - 2;
    }
    return count;
}

static triangle *triangles_of(const head_model *model)
{
    triangle *all = head_allocate((size_t)triangle_total(&model->mesh), sizeof *all);
    int count = 0;

    for (int f = 0; f < model->mesh.face_count; ++f) {
        const head_face *face = &model->mesh.face[f];
        for (int k = 1; k + 1 < head_face_size(face); ++k) {
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
    return 0.5 * vec_length(vec_cross(vec_sub(t->p[1], t->p[0]), vec_sub(t->p[2], t->p[0])));
}

static double uv_area_of(const triangle *t)
{
    return 0.5 * ((t->uv[1][0] - t->uv[0][0]) * (t->uv[2][1] - t->uv[0][1]) -
                  (t->uv[2][0] - t->uv[0][0]) * (t->uv[1][1] - t->uv[0][1]));
}

// Singular values of the map from texture to surface, from the lengths of its two columns and
// their angle.
static void singular_values(const triangle *t, double *large, double *small)
{
    const double twice = 2.0 * uv_area_of(t);
    const head_vec a = vec_sub(t->p[1], t->p[0]), b = vec_sub(t->p[2], t->p[0]);
    const double au = t->uv[1][0] - t->uv[0][0], av = t->uv[1][1] - t->uv[0][1];
    const double bu = t->uv[2][0] - t->uv[0][0], bv = t->uv[2][1] - t->uv[0][1];
    const head_vec du = vec_scale(vec_along(vec_scale(a, bv), b, -av), 1.0 / twice);
    const head_vec dv = vec_scale(vec_along(vec_scale(b, au), a, -bu), 1.0 / twice);
    const double uu = vec_dot(du, du), vv = vec_dot(dv, dv), uv = vec_dot(du, dv);
    const double root = sqrt(fmax((uu - vv) * (uu - vv) + 4.0 * uv * uv, 0.0));

    *large = sqrt(0.5 * (uu + vv + root));
    *small = sqrt(fmax(0.5 * (uu + vv - root), 0.0));
}

static stretch measure_stretch(const triangle *all, int count)
{
    stretch s = {.shortest = 1e9};

    for (int t = 0; t < count; ++t) {
        s.turned += uv_area_of(&all[t]) <= 0.0;
        if (all[t].group == HEAD_SCALP) {
            s.area += area_of(&all[t]);
            s.uv_area += uv_area_of(&all[t]);
        }
    }
    const double scale = sqrt(s.area / s.uv_area);
    for (int t = 0; t < count; ++t) {
        double large, small;
        if (all[t].group != HEAD_SCALP) {
            continue;
        }
        singular_values(&all[t], &large, &small);
        s.roundest = fmax(s.roundest, large / small);
        s.longest = fmax(s.longest, large / scale);
        s.shortest = fmin(s.shortest, small / scale);
        if (large < BOUND * scale && small > scale / BOUND && large < BOUND * small) {
            s.within += area_of(&all[t]) / s.area;
        }
    }
    return s;
}

// Counts the centres of a fine raster that lie strictly inside more than one triangle.
static int count_overlaps(const triangle *all, int count)
{
    unsigned char *cover = head_allocate((size_t)OVERLAP_SIZE * OVERLAP_SIZE, 1);
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
                int inside = 1;
                for (int k = 0; k < 3; ++k) {
                    const double *a = uv[k], *b = uv[(k + 1) % 3];
                    inside &= (b[0] - a[0]) * (v - a[1]) - (b[1] - a[1]) * (u - a[0]) > 1e-12;
                }
                overlaps += inside && cover[y * OVERLAP_SIZE + x]++ == 1;
            }
        }
    }
    free(cover);
    return overlaps;
}

static void count_edges(const head_mesh *mesh, int *open, int *crowded)
{
    head_edges edges;

    head_edges_build(&edges, mesh);
    *open = *crowded = 0;
    for (int e = 0; e < edges.count; ++e) {
        *open += edges.edge[e].uses == 1;
        *crowded += edges.edge[e].uses > 2;
    }
    head_edges_free(&edges);
}

// A triangle is degenerate when it has hardly any area for its longest side.
static int count_degenerate(const triangle *all, int count)
{
    int degenerate = 0;

    for (int t = 0; t < count; ++t) {
        double longest = 0.0;
        for (int k = 0; k < 3; ++k) {
            longest = fmax(longest, vec_length(vec_sub(all[t].p[(k + 1) % 3], all[t].p[k])));
        }
        degenerate += area_of(&all[t]) < 0.01 * longest * longest;
    }
    return degenerate;
}

static double symmetry_error(const head_model *model)
{
    double worst = 0.0;

    for (int i = 0; i < model->mesh.point_count; ++i) {
        const head_vec p = model->mesh.point[i], q = model->mesh.point[model->twin[i]];
        worst = fmax(worst, vec_length(vec_sub(p, vec(-q.x, q.y, q.z))));
    }
    return worst;
}

static int uv_outside(const head_model *model)
{
    int outside = 0;

    for (int i = 0; i < 2 * model->uv_count; ++i) {
        outside += !(model->uv[i] >= 0.0 && model->uv[i] <= 1.0);
    }
    return outside;
}

static int promise(const char *name, int kept)
{
    if (!kept) {
        fprintf(stderr, "coif_head: broken promise: %s\n", name);
    }
    return !kept;
}

int head_model_check(const head_model *model)
{
    const int count = triangle_total(&model->mesh);
    triangle *all = triangles_of(model);
    const stretch s = measure_stretch(all, count);
    const int overlaps = count_overlaps(all, count), degenerate = count_degenerate(all, count);
    const double symmetry = symmetry_error(model);
    const int crossings = head_mesh_crossings(&model->mesh);
    int open, crowded, broken = 0;

    count_edges(&model->mesh, &open, &crowded);
    free(all);
    printf("vertices            %d\n", model->mesh.point_count);
    printf("faces               %d\n", model->mesh.face_count);
    printf("triangles           %d\n", count);
    printf("open edges          %d\n", open);
    printf("non-manifold edges  %d\n", crowded);
    printf("degenerate faces    %d\n", degenerate);
    printf("self intersections  %d\n", crossings);
    printf("symmetry error      %g mm\n", symmetry);
    printf("scalp area          %.1f cm2\n", s.area / 100.0);
    printf("scalp s1/s2         %.3f at most\n", s.roundest);
    printf("scalp stretch       %.3f to %.3f of the common scale\n", s.shortest, s.longest);
    printf("scalp within 1.5    %.2f %% of its area\n", 100.0 * s.within);
    printf("uv turned over      %d triangles\n", s.turned);
    printf("uv overlap          %d of %d^2 pixels\n", overlaps, OVERLAP_SIZE);

    broken += promise("at least 30000 triangles", count >= 30000);
    broken += promise("closed", open == 0);
    broken += promise("manifold", crowded == 0);
    broken += promise("no degenerate faces", degenerate == 0);
    broken += promise("no self intersections", crossings == 0);
    broken += promise("exact mirror symmetry", symmetry == 0.0);
    broken += promise("scalp area between 600 and 700 cm2", s.area > 6e4 && s.area < 7e4);
    broken += promise("s1/s2 below 1.5 on all of the scalp", s.roundest < BOUND);
    broken += promise("stretch below 1.5 on 99 % of the scalp", s.within >= 0.99);
    broken += promise("uv within the unit square", uv_outside(model) == 0);
    broken += promise("no uv overlap", overlaps == 0 && s.turned == 0);
    return broken;
}
