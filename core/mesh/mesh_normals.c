// Corner normals: angle-weighted average within the crease angle.
#include "core/mesh/mesh_normals.h"

#include "core/base/arena.h"
#include "core/base/deterministic_math.h"
#include "core/base/vec3d.h"

// A shorter sum of angle-weighted normals has cancelled out (angles are accurate to 2e-8).
static const double CANCELLED = 1e-6;

// Corners at a vertex of which each has a normal of its own crease: their work is its square.
// Corners of a vertex with more triangles have the normal of their triangle.
static const size_t MAX_VALENCE = 1024;

// Normalizes; a vector not longer than epsilon gives the fallback.
static coif_vec3 normalize_or(coif_vec3d a, double epsilon, coif_vec3 fallback)
{
    const double length = sqrt(coif_vec3d_dot(a, a));
    if (!(length > epsilon)) {
        return fallback;
    }
    return (coif_vec3){(float)(a.x / length), (float)(a.y / length), (float)(a.z / length)};
}

// Arc cosine to 2e-8 (Abramowitz and Stegun 4.4.46), from exactly rounded operations only, so that
// normals have the same bits on every machine.
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

// Area-weighted normal of a triangle (length: twice the area) and its weight at each corner: the
// angle divided by that length. Zero for degenerate triangles.
typedef struct facet {
    coif_vec3d normal;
    double length, weight[3];
} facet;

static facet facet_of(const int32_t *index, const coif_vec3 *positions)
{
    const coif_vec3d ab = coif_vec3d_difference(positions[index[1]], positions[index[0]]);
    const coif_vec3d bc = coif_vec3d_difference(positions[index[2]], positions[index[1]]);
    const coif_vec3d ca = coif_vec3d_difference(positions[index[0]], positions[index[2]]);
    facet result = {.normal = coif_vec3d_cross(ab, bc)};
    result.length = sqrt(coif_vec3d_dot(result.normal, result.normal));
    if (!(result.length > 0.0)) {
        return (facet){.length = 0.0};
    }
    const double pi = 3.14159265358979324;
    const double at_a = pi - angle_between(ca, ab);
    const double at_b = pi - angle_between(ab, bc);
    result.weight[0] = at_a / result.length;
    result.weight[1] = at_b / result.length;
    result.weight[2] = (pi - at_a - at_b) / result.length;
    return result;
}

// Corners grouped by vertex.
typedef struct vertex_corners {
    facet *facets; // per triangle
    size_t *first; // per vertex and one more: range in corners
    int32_t *corners;
} vertex_corners;

static vertex_corners sort_corners(const coif_mesh *mesh, const coif_vec3 *positions,
                                   coif_arena *scratch)
{
    const size_t count = 3 * (size_t)mesh->triangle_count;
    vertex_corners all = {.facets = coif_arena_new(scratch, mesh->triangle_count, facet),
                          .first = coif_arena_new(scratch, (size_t)mesh->vertex_count + 2, size_t),
                          .corners = coif_arena_new(scratch, count, int32_t)};
    for (size_t i = 0; i < count; ++i) {
        ++all.first[mesh->indices[i] + 2];
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        all.first[v + 2] += all.first[v + 1];
    }
    for (size_t i = 0; i < count; ++i) { // moves each start to the end of its range
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

// Average normal of the triangles at the vertex within the crease angle of this corner's triangle,
// weighted by corner angle (Thuermer and Wuethrich 1998); independent of the triangulation.
static coif_vec3 normal_at(const vertex_corners *all, const coif_mesh *mesh, size_t corner,
                           double min_cosine)
{
    const facet *own = &all->facets[corner / 3];
    const int32_t vertex = mesh->indices[corner];
    coif_vec3d sum = {0.0, 0.0, 0.0};
    const size_t first = all->first[vertex];
    const size_t last =
        all->first[vertex + 1] - first > MAX_VALENCE ? first : all->first[vertex + 1];
    for (size_t i = first; i < last; ++i) {
        const int32_t other = all->corners[i];
        const facet *neighbour = &all->facets[other / 3];
        const double cosine = coif_vec3d_dot(own->normal, neighbour->normal);
        if (cosine >= min_cosine * own->length * neighbour->length) {
            add_scaled(&sum, neighbour->normal, neighbour->weight[other % 3]);
        }
    }
    return normalize_or(sum, CANCELLED,
                        normalize_or(own->normal, 0.0, (coif_vec3){0.0f, 1.0f, 0.0f}));
}

// Cosine of the crease angle, reduced by a tolerance so that the triangles of a planar polygon are
// always smooth.
static double crease_cosine(float crease)
{
    const float radians = 0.017453292519943295f; // per degree
    return crease >= 180.0f ? -2.0 : (double)coif_det_cos(crease * radians) - 1e-6;
}

void coif_mesh_make_normals(coif_vec3 *normals, const coif_mesh *mesh, const coif_vec3 *positions,
                            const coif_obj *obj, coif_arena *scratch)
{
    const size_t count = 3 * (size_t)mesh->triangle_count;
    const double min_cosine = crease_cosine(mesh->crease);
    vertex_corners all = {0};
    for (size_t i = 0; i < count; ++i) {
        const int32_t corner = mesh->corners[i];
        if (has_normal(obj, corner)) {
            const coif_vec3 given = obj->normals[obj->corners[corner].normal];
            normals[i] = normalize_or((coif_vec3d){given.x, given.y, given.z}, 0.0, given);
            continue;
        }
        if (all.corners == NULL) {
            all = sort_corners(mesh, positions, scratch);
        }
        normals[i] = normal_at(&all, mesh, i, min_cosine);
    }
}
