#include "core/mesh/mesh_normals.h"

#include "core/base/arena.h"
#include "core/base/deterministic_math.h"
#include "core/base/vec3d.h"

// A sum of normals weighted by angles in radians that is shorter than this has cancelled out
// (angles are good to 2e-8).
static const double CANCELLED = 1e-6;

// A vector no longer than noise has no direction.
static coif_vec3 unit(coif_vec3d a, double noise, coif_vec3 otherwise)
{
    const double length = sqrt(coif_vec3d_dot(a, a));
    if (!(length > noise)) {
        return otherwise;
    }
    return (coif_vec3){(float)(a.x / length), (float)(a.y / length), (float)(a.z / length)};
}

// Angle whose cosine is x, to 2e-8 (Abramowitz and Stegun 4.4.46): only arithmetic and square
// roots, so that normals are the same bits everywhere.
static double arc_cosine(double x)
{
    const double a = fabs(x) < 1.0 ? fabs(x) : 1.0;
    const double series =
        1.5707963050 +
        a * (-0.2145988016 +
             a * (0.0889789874 +
                  a * (-0.0501743046 +
                       a * (0.0308918810 +
                            a * (-0.0170881256 + a * (0.0066700901 + a * -0.0012624911))))));
    const double angle = sqrt(1.0 - a) * series;
    return x < 0.0 ? 3.14159265358979324 - angle : angle;
}

static double angle_between(coif_vec3d a, coif_vec3d b)
{
    const double lengths = sqrt(coif_vec3d_dot(a, a) * coif_vec3d_dot(b, b));
    return lengths > 0.0 ? arc_cosine(coif_vec3d_dot(a, b) / lengths) : 0.0;
}

static void add_scaled(coif_vec3d *sum, coif_vec3d normal, double weight)
{
    *sum = (coif_vec3d){sum->x + weight * normal.x, sum->y + weight * normal.y,
                        sum->z + weight * normal.z};
}

// A triangle's normal, as long as twice its area, and how much it counts at its corners: the angle
// there, over that length. All zero for one without area.
typedef struct facet {
    coif_vec3d normal;
    double length, weight[3];
} facet;

static facet facet_of(const int32_t *index, const coif_vec3 *positions)
{
    const coif_vec3d ab = coif_vec3d_difference(positions[index[1]], positions[index[0]]);
    const coif_vec3d bc = coif_vec3d_difference(positions[index[2]], positions[index[1]]);
    const coif_vec3d ca = coif_vec3d_difference(positions[index[0]], positions[index[2]]);
    facet own = {.normal = coif_vec3d_cross(ab, bc)};
    own.length = sqrt(coif_vec3d_dot(own.normal, own.normal));
    if (!(own.length > 0.0)) {
        return (facet){.length = 0.0};
    }
    const double pi = 3.14159265358979324;
    const double at_a = pi - angle_between(ca, ab);
    const double at_b = pi - angle_between(ab, bc);
    own.weight[0] = at_a / own.length;
    own.weight[1] = at_b / own.length;
    own.weight[2] = (pi - at_a - at_b) / own.length;
    return own;
}

// The corners at each point, those of one after the other.
typedef struct corners_by_point {
    facet *facets; // per triangle
    size_t *first; // per point, and one behind the last: into corners
    int32_t *corners;
} corners_by_point;

static corners_by_point sort_corners(const coif_mesh *mesh, const coif_vec3 *positions,
                                     coif_arena *scratch)
{
    const size_t count = 3 * (size_t)mesh->triangle_count;
    corners_by_point all = {.facets = coif_arena_new(scratch, mesh->triangle_count, facet),
                            .first =
                                coif_arena_new(scratch, (size_t)mesh->vertex_count + 2, size_t),
                            .corners = coif_arena_new(scratch, count, int32_t)};
    for (size_t i = 0; i < count; ++i) {
        ++all.first[mesh->indices[i] + 2];
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        all.first[v + 2] += all.first[v + 1];
    }
    for (size_t i = 0; i < count; ++i) { // each start moves to the next one, where it belongs
        all.corners[all.first[mesh->indices[i] + 1]++] = (int32_t)i;
    }
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        all.facets[t] = facet_of(mesh->indices + 3 * (size_t)t, positions);
    }
    return all;
}

static bool has_normal(const coif_obj *obj, int32_t corner)
{
    if (obj == NULL || obj->corners[corner].normal < 0) {
        return false;
    }
    const coif_vec3 n = obj->normals[obj->corners[corner].normal];
    return n.x != 0.0f || n.y != 0.0f || n.z != 0.0f;
}

// The normals of the triangles at a corner's point that lean away from its own by less than the
// crease angle, weighted by the angle each has there (Thuermer and Wuethrich 1998): the result does
// not depend on how polygons were cut.
static coif_vec3 normal_at(const corners_by_point *all, const coif_mesh *mesh, size_t corner,
                           double least)
{
    const facet *own = &all->facets[corner / 3];
    const int32_t point = mesh->indices[corner];
    coif_vec3d sum = {0.0, 0.0, 0.0};
    for (size_t i = all->first[point]; i < all->first[point + 1]; ++i) {
        const int32_t other = all->corners[i];
        const facet *beside = &all->facets[other / 3];
        const double cosine = coif_vec3d_dot(own->normal, beside->normal);
        if (cosine >= least * own->length * beside->length) {
            add_scaled(&sum, beside->normal, beside->weight[other % 3]);
        }
    }
    return unit(sum, CANCELLED, unit(own->normal, 0.0, (coif_vec3){0.0f, 1.0f, 0.0f}));
}

// The cosine from which on two triangles are one surface. A little less than it is, so that the
// triangles of a flat polygon are together whatever the angle.
static double least_cosine(float crease)
{
    const float radians = 0.017453292519943295f; // per degree
    return crease >= 180.0f ? -2.0 : (double)coif_det_cos(crease * radians) - 1e-6;
}

void coif_mesh_make_normals(coif_vec3 *normals, const coif_mesh *mesh, const coif_vec3 *positions,
                            const coif_obj *obj, coif_arena *scratch)
{
    const size_t count = 3 * (size_t)mesh->triangle_count;
    const double least = least_cosine(mesh->crease);
    corners_by_point all = {0};
    for (size_t i = 0; i < count; ++i) {
        const int32_t corner = mesh->corners[i];
        if (has_normal(obj, corner)) {
            const coif_vec3 given = obj->normals[obj->corners[corner].normal];
            normals[i] = unit((coif_vec3d){given.x, given.y, given.z}, 0.0, given);
            continue;
        }
        if (all.corners == NULL) {
            all = sort_corners(mesh, positions, scratch);
        }
        normals[i] = normal_at(&all, mesh, i, least);
    }
}
