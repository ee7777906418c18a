// cut: draws the borders of the regions into the mesh.
//
// A point close to a border is moved onto it; an edge that still crosses gets a new point there,
// and the faces on both sides are divided. So no face belongs to two regions and no border has
// steps.
#include "tools/assets/mannequin/regions.h"

#include <stdlib.h>

enum { UNKNOWN = -1, POLYGON_ROOM = 8 };

// A point nearer to a border than this share of an edge moves; smaller values leave slivers.
static const double SNAP = 0.34;

typedef struct cutter {
    head_mesh *mesh;
    const head_regions *regions;
    int group;
    double *level; // per point
    head_edges edges;
    int *crossing; // per edge: the new point, -1 for none
} cutter;

static head_vec level_slope(const cutter *cut, head_vec p)
{
    const double h = 0.02;
    const head_regions *r = cut->regions;
    const int g = cut->group;

    return vec((head_regions_level(r, g, vec(p.x + h, p.y, p.z)) -
                head_regions_level(r, g, vec(p.x - h, p.y, p.z))) /
                   (2 * h),
               (head_regions_level(r, g, vec(p.x, p.y + h, p.z)) -
                head_regions_level(r, g, vec(p.x, p.y - h, p.z))) /
                   (2 * h),
               (head_regions_level(r, g, vec(p.x, p.y, p.z + h)) -
                head_regions_level(r, g, vec(p.x, p.y, p.z - h))) /
                   (2 * h));
}

// Slides a point along the surface to where the level is zero.
static head_vec slide_to_border(const cutter *cut, head_vec p)
{
    const head_sculpture *sculpture = cut->regions->sculpture;

    for (int round = 0; round < 6; ++round) {
        const double level = head_regions_level(cut->regions, cut->group, p);
        const head_vec normal = head_sculpture_normal(sculpture, p);
        head_vec slope = level_slope(cut, p);
        if (p.x == 0.0) {
            slope.x = 0.0;
        }
        slope = vec_along(slope, normal, -vec_dot(slope, normal));
        const double step = level / fmax(vec_dot(slope, slope), 0.04);
        p = vec_along(p, slope, -clay_clamp(step, -0.8, 0.8));
        p = head_sculpture_project(sculpture, p);
    }
    return p;
}

static int opposite(double a, double b)
{
    return (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0);
}

static int eligible(const cutter *cut, int f)
{
    return f >= 0 && cut->mesh->face[f].group == UNKNOWN;
}

static int edge_eligible(const cutter *cut, const head_edge *edge)
{
    return eligible(cut, edge->face[0]) || eligible(cut, edge->face[1]);
}

static void snap_point(cutter *cut, int i)
{
    head_mesh *mesh = cut->mesh;

    if (mesh->border[i] == 0) {
        mesh->point[i] = slide_to_border(cut, mesh->point[i]);
        mesh->border[i] = cut->group + 1;
    } else {
        mesh->border[i] = -1;
    }
    cut->level[i] = 0.0;
}

static void snap_points(cutter *cut)
{
    for (int e = 0; e < cut->edges.count; ++e) {
        const head_edge *edge = &cut->edges.edge[e];
        const double a = cut->level[edge->a], b = cut->level[edge->b];
        if (!edge_eligible(cut, edge) || !opposite(a, b)) {
            continue;
        }
        const double t = a / (a - b);
        if (t < SNAP) {
            snap_point(cut, edge->a);
        } else if (t > 1.0 - SNAP) {
            snap_point(cut, edge->b);
        }
    }
}

static void split_crossed_edges(cutter *cut)
{
    head_mesh *mesh = cut->mesh;

    for (int e = 0; e < cut->edges.count; ++e) {
        const head_edge *edge = &cut->edges.edge[e];
        const double a = cut->level[edge->a], b = cut->level[edge->b];

        cut->crossing[e] = -1;
        if (!edge_eligible(cut, edge) || !opposite(a, b)) {
            continue;
        }
        const head_vec p = vec_mix(mesh->point[edge->a], mesh->point[edge->b], a / (a - b));
        const int on_border = edge->face[1] >= 0 &&
                              mesh->face[edge->face[0]].group != mesh->face[edge->face[1]].group;
        cut->crossing[e] = head_mesh_add_point(mesh, on_border ? p : slide_to_border(cut, p));
        mesh->border[cut->crossing[e]] = on_border ? -1 : cut->group + 1;
    }
}

// Gives a polygon back to the mesh as quads and triangles, fanned around its first corner.
static void add_polygon(head_mesh *mesh, const int *corner, int size, int group, int *reuse)
{
    for (int k = 1; k + 1 < size; k += 2) {
        const int last = k + 2 < size ? corner[k + 2] : -1;
        const head_face face = {{corner[0], corner[k], corner[k + 1], last}, group};
        if (*reuse >= 0) {
            mesh->face[*reuse] = face;
            *reuse = -1;
        } else {
            head_mesh_add_face(mesh, face);
        }
    }
}

// The corners of a face with the new points on its edges. The first corner is a new point if there
// is one, because a fan around it has no flat triangle.
static int collect(const cutter *cut, int f, int *corner)
{
    const head_face *face = &cut->mesh->face[f];
    const int size = head_face_size(face);
    int all[POLYGON_ROOM], count = 0, first = 0;

    for (int k = 0; k < size; ++k) {
        const head_edge *edge =
            head_edges_find(&cut->edges, face->corner[k], face->corner[(k + 1) % size]);
        const int crossing = cut->crossing[edge - cut->edges.edge];
        all[count++] = face->corner[k];
        if (crossing >= 0) {
            first = count;
            all[count++] = crossing;
        }
    }
    for (int k = 0; k < count; ++k) {
        corner[k] = all[(first + k) % count];
    }
    return count;
}

static double level_of(const cutter *cut, int point, int old_points)
{
    return point < old_points ? cut->level[point] : 0.0;
}

// A border can pass through a face twice only where it is as narrow as the mesh. Such a face stays
// whole.
static int cut_twice(const cutter *cut, const int *corner, int size, int old_points)
{
    int changes = 0;
    double last = 0.0;

    for (int k = 0; k < 2 * size; ++k) {
        const double level = level_of(cut, corner[k % size], old_points);
        changes += k >= size && opposite(last, level);
        last = level != 0.0 ? level : last;
    }
    return changes > 2;
}

// Divides one face into the part inside the region and the part outside.
static void divide(cutter *cut, int f, int old_points)
{
    int corner[POLYGON_ROOM], part[POLYGON_ROOM], reuse = f;
    const int size = collect(cut, f, corner);
    int inside = 0, outside = 0;

    for (int k = 0; k < size; ++k) {
        inside += level_of(cut, corner[k], old_points) > 0.0;
        outside += level_of(cut, corner[k], old_points) < 0.0;
    }
    const int whole = inside == 0 || outside == 0 || cut_twice(cut, corner, size, old_points);
    if (!eligible(cut, f) || whole) {
        const int group = !eligible(cut, f)  ? cut->mesh->face[f].group
                          : inside > outside ? cut->group
                                             : UNKNOWN;
        if (size > head_face_size(&cut->mesh->face[f])) {
            add_polygon(cut->mesh, corner, size, group, &reuse);
        } else {
            cut->mesh->face[f].group = group;
        }
        return;
    }
    for (int side = 1; side >= -1; side -= 2) {
        int count = 0;
        for (int k = 0; k < size; ++k) {
            if (side * level_of(cut, corner[k], old_points) >= 0.0) {
                part[count++] = corner[k];
            }
        }
        add_polygon(cut->mesh, part, count, side > 0 ? cut->group : UNKNOWN, &reuse);
    }
}

static void cut_along(head_mesh *mesh, const head_regions *regions, int group)
{
    const int point_count = mesh->point_count, face_count = mesh->face_count;
    cutter cut = {.mesh = mesh, .regions = regions, .group = group};

    cut.level = head_allocate((size_t)point_count, sizeof *cut.level);
    for (int i = 0; i < point_count; ++i) {
        cut.level[i] = head_regions_level(regions, group, mesh->point[i]);
    }
    head_edges_build(&cut.edges, mesh);
    cut.crossing = head_allocate((size_t)cut.edges.count, sizeof *cut.crossing);
    snap_points(&cut);
    split_crossed_edges(&cut);
    for (int f = 0; f < face_count; ++f) {
        divide(&cut, f, point_count);
    }
    free(cut.level);
    free(cut.crossing);
    head_edges_free(&cut.edges);
}

static void forget_groups(head_mesh *mesh)
{
    for (int f = 0; f < mesh->face_count; ++f) {
        mesh->face[f].group = UNKNOWN;
    }
}

void head_regions_cut(head_mesh *mesh, const head_regions *regions)
{
    forget_groups(mesh);
    for (int line = HEAD_GROUPS; line < HEAD_LINES; ++line) {
        cut_along(mesh, regions, line);
        forget_groups(mesh);
    }
    cut_along(mesh, regions, HEAD_EAR);
    cut_along(mesh, regions, HEAD_SCALP);
    cut_along(mesh, regions, HEAD_BUST);
    cut_along(mesh, regions, HEAD_NECK);
    for (int f = 0; f < mesh->face_count; ++f) {
        if (mesh->face[f].group == UNKNOWN) {
            mesh->face[f].group = HEAD_FACE;
        }
    }
}
