// Triangulation of polygons in space.
#include "core/mesh/triangulate.h"

#include "core/base/arena.h"
#include "core/mesh/ear_clip.h"

typedef coif_point2d point;

static coif_vec3 corner(const coif_vec3 *points, int32_t i, int32_t count)
{
    return points[i < count ? i : 0];
}

// Newell's normal: projected areas along the axes.
static void polygon_normal(double normal[3], const coif_vec3 *points, int32_t count)
{
    const coif_vec3 o = points[0];
    normal[0] = normal[1] = normal[2] = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        const coif_vec3 p = points[i];
        const coif_vec3 q = corner(points, i + 1, count);
        const double px = (double)p.x - o.x, py = (double)p.y - o.y, pz = (double)p.z - o.z;
        const double qx = (double)q.x - o.x, qy = (double)q.y - o.y, qz = (double)q.z - o.z;
        normal[0] += py * qz - pz * qy;
        normal[1] += pz * qx - px * qz;
        normal[2] += px * qy - py * qx;
    }
}

// Projects along the dominant axis of the normal, which is exact, to a counter-clockwise polygon.
static point project(coif_vec3 p, const double normal[3])
{
    const double x = fabs(normal[0]), y = fabs(normal[1]), z = fabs(normal[2]);
    if (x > y && x > z) {
        return normal[0] > 0.0 ? (point){p.y, p.z} : (point){p.z, p.y};
    }
    if (y > z) {
        return normal[1] > 0.0 ? (point){p.z, p.x} : (point){p.x, p.z};
    }
    return normal[2] >= 0.0 ? (point){p.x, p.y} : (point){p.y, p.x};
}

// Area of the triangle projected on the polygon normal; not positive when inverted.
static double projected_area(coif_vec3 a, coif_vec3 b, coif_vec3 c, const double normal[3])
{
    const double ux = (double)b.x - a.x, uy = (double)b.y - a.y, uz = (double)b.z - a.z;
    const double vx = (double)c.x - a.x, vy = (double)c.y - a.y, vz = (double)c.z - a.z;
    return (uy * vz - uz * vy) * normal[0] + (uz * vx - ux * vz) * normal[1] +
           (ux * vy - uy * vx) * normal[2];
}

static double distance2(coif_vec3 a, coif_vec3 b)
{
    const double x = (double)b.x - a.x, y = (double)b.y - a.y, z = (double)b.z - a.z;
    return x * x + y * y + z * z;
}

// Splits a quad along the shorter interior diagonal; 0 when it has none.
static int32_t split_quad(int32_t *triangles, const coif_vec3 *p)
{
    static const int32_t ALONG_02[6] = {0, 1, 2, 0, 2, 3};
    static const int32_t ALONG_13[6] = {1, 2, 3, 1, 3, 0};
    double normal[3];
    polygon_normal(normal, p, 4);
    const bool inside_02 = projected_area(p[0], p[1], p[2], normal) > 0.0 &&
                           projected_area(p[0], p[2], p[3], normal) > 0.0;
    const bool inside_13 = projected_area(p[1], p[2], p[3], normal) > 0.0 &&
                           projected_area(p[1], p[3], p[0], normal) > 0.0;
    if (!inside_02 && !inside_13) {
        return 0;
    }
    const bool along_13 =
        inside_13 && (!inside_02 || distance2(p[1], p[3]) < distance2(p[0], p[2]));
    for (int i = 0; i < 6; ++i) {
        triangles[i] = along_13 ? ALONG_13[i] : ALONG_02[i];
    }
    return 2;
}

int32_t coif_triangulate(int32_t *triangles, const coif_vec3 *points, int32_t count,
                         coif_arena *scratch)
{
    if (count == 4 && split_quad(triangles, points) == 2) {
        return 2;
    }
    double normal[3];
    polygon_normal(normal, points, count);
    const coif_arena_mark mark = coif_arena_mark_here(scratch);
    point *projected = coif_arena_new(scratch, count, point);
    for (int32_t i = 0; i < count; ++i) {
        projected[i] = project(points[i], normal);
    }
    const int32_t found = coif_ear_clip(triangles, projected, count, scratch);
    coif_arena_rewind(scratch, mark);
    return found;
}
