// split_edges: inserts the borders of the regions into the mesh.
//
// A point close to a border moves onto it; an edge that still crosses is split there, and so are
// the faces on both sides. No face then belongs to two regions, and borders have no steps.
#include "tools/assets/mannequin/regions.h"

enum { UNASSIGNED = -1, MAX_CORNERS = 8 };

// Points within this fraction of an edge from its crossing snap to the border. Smaller values leave
// slivers.
static const double SNAP = 0.34;

typedef struct splitter {
    poly_mesh *mesh;
    const head_regions *regions;
    int group;
    int old_points;
    double *level; // per old point
    poly_edges edges;
    int *crossing; // per edge: the inserted point, -1 for none
} splitter;

static coif_vec3d level_gradient(const splitter *s, coif_vec3d p)
{
    const double h = 0.02;
    const head_regions *r = s->regions;
    const int g = s->group;
    return xyz((head_regions_level(r, g, xyz(p.x + h, p.y, p.z)) -
                head_regions_level(r, g, xyz(p.x - h, p.y, p.z))) /
                   (2 * h),
               (head_regions_level(r, g, xyz(p.x, p.y + h, p.z)) -
                head_regions_level(r, g, xyz(p.x, p.y - h, p.z))) /
                   (2 * h),
               (head_regions_level(r, g, xyz(p.x, p.y, p.z + h)) -
                head_regions_level(r, g, xyz(p.x, p.y, p.z - h))) /
                   (2 * h));
}

// Newton iterations along the surface to the zero of the level set.
static coif_vec3d slide_to_border(const splitter *s, coif_vec3d p)
{
    const head_sdf *sdf = s->regions->sdf;
    for (int iteration = 0; iteration < 6; ++iteration) {
        const double level = head_regions_level(s->regions, s->group, p);
        const coif_vec3d normal = head_sdf_normal(sdf, p);
        coif_vec3d gradient = level_gradient(s, p);
        if (p.x == 0.0) {
            gradient.x = 0.0;
        }
        gradient = coif_vec3d_mad(gradient, -coif_vec3d_dot(gradient, normal), normal);
        const double step = level / fmax(coif_vec3d_dot(gradient, gradient), 0.04);
        p = coif_vec3d_mad(p, -sdf_clamp(step, -0.8, 0.8), gradient);
        p = head_sdf_project(sdf, p);
    }
    return p;
}

static bool opposite_signs(double a, double b)
{
    return (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0);
}

static bool is_unassigned(const splitter *s, int f)
{
    return f >= 0 && s->mesh->face[f].group == UNASSIGNED;
}

static bool crosses_border(const splitter *s, const poly_edge *edge)
{
    return (is_unassigned(s, edge->face[0]) || is_unassigned(s, edge->face[1])) &&
           opposite_signs(s->level[edge->a], s->level[edge->b]);
}

static void snap_point(splitter *s, int i)
{
    poly_mesh *mesh = s->mesh;
    if (mesh->border[i] == 0) {
        mesh->point[i] = slide_to_border(s, mesh->point[i]);
        mesh->border[i] = s->group + 1;
    } else {
        mesh->border[i] = -1;
    }
    s->level[i] = 0.0;
}

static void snap_points(splitter *s)
{
    for (int e = 0; e < s->edges.count; ++e) {
        const poly_edge *edge = &s->edges.edge[e];
        if (!crosses_border(s, edge)) {
            continue;
        }
        const double a = s->level[edge->a], b = s->level[edge->b];
        const double t = a / (a - b);
        if (t < SNAP) {
            snap_point(s, edge->a);
        } else if (t > 1.0 - SNAP) {
            snap_point(s, edge->b);
        }
    }
}

static void split_crossing_edges(splitter *s)
{
    poly_mesh *mesh = s->mesh;
    for (int e = 0; e < s->edges.count; ++e) {
        const poly_edge *edge = &s->edges.edge[e];
        s->crossing[e] = -1;
        if (!crosses_border(s, edge)) {
            continue;
        }
        const double a = s->level[edge->a], b = s->level[edge->b];
        const coif_vec3d p =
            coif_vec3d_lerp(mesh->point[edge->a], mesh->point[edge->b], a / (a - b));
        const bool on_border = edge->face[1] >= 0 &&
                               mesh->face[edge->face[0]].group != mesh->face[edge->face[1]].group;
        s->crossing[e] = poly_mesh_add_point(mesh, on_border ? p : slide_to_border(s, p));
        mesh->border[s->crossing[e]] = on_border ? -1 : s->group + 1;
    }
}

// Adds a polygon as a fan of quads and triangles around its first corner; the first part replaces
// face *reuse unless that is -1.
static void add_polygon(poly_mesh *mesh, const int *corner, int size, int group, int *reuse)
{
    for (int k = 1; k + 1 < size; k += 2) {
        const int last = k + 2 < size ? corner[k + 2] : -1;
        const poly_face face = {{corner[0], corner[k], corner[k + 1], last}, group};
        if (*reuse >= 0) {
            mesh->face[*reuse] = face;
            *reuse = -1;
        } else {
            poly_mesh_add_face(mesh, face);
        }
    }
}

// The corners of a face and the points inserted on its edges. An inserted point comes first if
// there is one: a fan around it has no degenerate triangle.
static int polygon_of(const splitter *s, int f, int *corner)
{
    const poly_face *face = &s->mesh->face[f];
    const int size = poly_face_size(face);
    int all[MAX_CORNERS], count = 0, first = 0;
    for (int k = 0; k < size; ++k) {
        const poly_edge *edge =
            poly_edges_find(&s->edges, face->corner[k], face->corner[(k + 1) % size]);
        const int crossing = s->crossing[edge - s->edges.edge];
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

static double level_of(const splitter *s, int point)
{
    return point < s->old_points ? s->level[point] : 0.0;
}

// Whether the border crosses a polygon twice, where a region is as narrow as the mesh. Such a face
// is not split.
static bool crossed_twice(const splitter *s, const int *corner, int size)
{
    int changes = 0;
    double last = 0.0;
    for (int k = 0; k < 2 * size; ++k) {
        const double level = level_of(s, corner[k % size]);
        changes += k >= size && opposite_signs(last, level);
        last = level != 0.0 ? level : last;
    }
    return changes > 2;
}

static void split_polygon(splitter *s, const int *corner, int size, int f)
{
    for (int side = 1; side >= -1; side -= 2) {
        int part[MAX_CORNERS], count = 0;
        for (int k = 0; k < size; ++k) {
            if (side * level_of(s, corner[k]) >= 0.0) {
                part[count++] = corner[k];
            }
        }
        add_polygon(s->mesh, part, count, side > 0 ? s->group : UNASSIGNED, &f);
    }
}

// Splits a face into the parts inside and outside of the region.
static void split_face(splitter *s, int f)
{
    int corner[MAX_CORNERS], inside = 0, outside = 0;
    const int size = polygon_of(s, f, corner);
    for (int k = 0; k < size; ++k) {
        inside += level_of(s, corner[k]) > 0.0;
        outside += level_of(s, corner[k]) < 0.0;
    }
    poly_face *face = &s->mesh->face[f];
    const bool whole = inside == 0 || outside == 0 || crossed_twice(s, corner, size);
    if (is_unassigned(s, f) && !whole) {
        split_polygon(s, corner, size, f);
        return;
    }
    const int group = !is_unassigned(s, f) ? face->group : inside > outside ? s->group : UNASSIGNED;
    if (size > poly_face_size(face)) {
        add_polygon(s->mesh, corner, size, group, &f);
    } else {
        face->group = group;
    }
}

static void split_along(poly_mesh *mesh, const head_regions *regions, int group)
{
    const int face_count = mesh->face_count;
    splitter s = {.mesh = mesh,
                  .regions = regions,
                  .group = group,
                  .old_points = mesh->point_count,
                  .level = coif_arena_new(mesh->arena, mesh->point_count, double),
                  .edges = poly_edges_build(mesh)};
    for (int i = 0; i < s.old_points; ++i) {
        s.level[i] = head_regions_level(regions, group, mesh->point[i]);
    }
    s.crossing = coif_arena_new(mesh->arena, s.edges.count, int);
    snap_points(&s);
    split_crossing_edges(&s);
    for (int f = 0; f < face_count; ++f) {
        split_face(&s, f);
    }
}

static void clear_groups(poly_mesh *mesh)
{
    for (int f = 0; f < mesh->face_count; ++f) {
        mesh->face[f].group = UNASSIGNED;
    }
}

void head_regions_split_edges(poly_mesh *mesh, const head_regions *regions)
{
    clear_groups(mesh);
    for (int line = HEAD_GROUPS; line < HEAD_LINES; ++line) {
        split_along(mesh, regions, line);
        clear_groups(mesh);
    }
    split_along(mesh, regions, HEAD_EAR);
    split_along(mesh, regions, HEAD_SCALP);
    split_along(mesh, regions, HEAD_BUST);
    split_along(mesh, regions, HEAD_NECK);
    for (int f = 0; f < mesh->face_count; ++f) {
        if (mesh->face[f].group == UNASSIGNED) {
            mesh->face[f].group = HEAD_FACE;
        }
    }
}
