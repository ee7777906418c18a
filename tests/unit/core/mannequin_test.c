// scenes/assets/mannequin.obj has the properties documented in tools/assets/README.md.
#include "core/base/vec3d.h"
#include "core/mesh/mesh.h"
#include "core/mesh/mesh_topology.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>

static coif_arena arena = {.name = "mannequin test"};
static coif_mesh mesh;

static void load(void)
{
    coif_error error = {0};
    if (mesh.vertex_count == 0) {
        CHECK_OK(coif_mesh_load(&mesh, coif_test_source("scenes/assets/mannequin.obj"),
                                &COIF_MESH_ALL_TRIANGLES, &arena, &error),
                 error);
    }
}

// Corner k of triangle t, in millimetres.
static coif_vec3d corner(int32_t t, int k)
{
    const coif_vec3 p = mesh.positions[mesh.indices[3 * t + k]];
    return coif_vec3d_scale((coif_vec3d){(double)p.x, (double)p.y, (double)p.z}, 1000.0);
}

static double triangle_area(int32_t t)
{
    return 0.5 * coif_vec3d_length(coif_vec3d_cross(coif_vec3d_sub(corner(t, 1), corner(t, 0)),
                                                    coif_vec3d_sub(corner(t, 2), corner(t, 0))));
}

static double triangle_uv_area(int32_t t)
{
    const coif_vec2 *uv = &mesh.uvs[3 * t];
    return 0.5 * ((double)(uv[1].x - uv[0].x) * (double)(uv[2].y - uv[0].y) -
                  (double)(uv[2].x - uv[0].x) * (double)(uv[1].y - uv[0].y));
}

TEST(the_mesh_is_closed_and_manifold)
{
    load();
    const coif_mesh_edges edges = coif_mesh_count_edges(&mesh, &arena);
    CHECK(edges.boundary == 0 && edges.nonmanifold == 0);
    CHECK(mesh.triangle_count >= 30000);
    int degenerate = 0; // area below 1 % of the square of the longest edge
    for (int32_t t = 0; t < mesh.triangle_count; ++t) {
        double longest = 0.0;
        for (int k = 0; k < 3; ++k) {
            const coif_vec3d edge = coif_vec3d_sub(corner(t, (k + 1) % 3), corner(t, k));
            longest = fmax(longest, coif_vec3d_length(edge));
        }
        // The coordinates of the file have six decimals: a tenth below the bound of the generator.
        degenerate += triangle_area(t) < 0.009 * longest * longest;
    }
    CHECK(degenerate == 0);
}

static int compare_positions(const void *a, const void *b)
{
    const coif_vec3 *p = a, *q = b;
    const float difference = p->x != q->x ? p->x - q->x : p->y != q->y ? p->y - q->y : p->z - q->z;
    return (difference > 0.0f) - (difference < 0.0f);
}

TEST(the_mesh_is_symmetric)
{
    load();
    const size_t count = (size_t)mesh.vertex_count;
    coif_vec3 *sorted = coif_arena_new(&arena, count, coif_vec3);
    memcpy(sorted, mesh.positions, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_positions);
    int unmatched = 0;
    for (size_t i = 0; i < count; ++i) {
        const coif_vec3 p = mesh.positions[i], mirrored = {-p.x, p.y, p.z};
        unmatched += bsearch(&mirrored, sorted, count, sizeof mirrored, compare_positions) == NULL;
    }
    CHECK(unmatched == 0);
}

// Singular values of the Jacobian from texture space to the surface.
static void singular_values(int32_t t, double *large, double *small)
{
    const coif_vec2 *uv = &mesh.uvs[3 * t];
    const coif_vec3d a = coif_vec3d_sub(corner(t, 1), corner(t, 0));
    const coif_vec3d b = coif_vec3d_sub(corner(t, 2), corner(t, 0));
    const double au = (double)(uv[1].x - uv[0].x), av = (double)(uv[1].y - uv[0].y);
    const double bu = (double)(uv[2].x - uv[0].x), bv = (double)(uv[2].y - uv[0].y);
    const double scale = 0.5 / triangle_uv_area(t);
    const coif_vec3d du = coif_vec3d_scale(coif_vec3d_mad(coif_vec3d_scale(a, bv), -av, b), scale);
    const coif_vec3d dv = coif_vec3d_scale(coif_vec3d_mad(coif_vec3d_scale(b, au), -bu, a), scale);
    const double uu = coif_vec3d_dot(du, du), vv = coif_vec3d_dot(dv, dv);
    const double mixed = coif_vec3d_dot(du, dv);
    const double root = sqrt((uu - vv) * (uu - vv) + 4.0 * mixed * mixed);
    *large = sqrt(0.5 * (uu + vv + root));
    *small = sqrt(fmax(0.5 * (uu + vv - root), 0.0));
}

TEST(the_scalp_is_mapped_with_bounded_distortion)
{
    load();
    const int32_t scalp = coif_mesh_find_group(&mesh, "scalp");
    double area = 0.0, uv_area = 0.0, within = 0.0, worst = 0.0;
    for (int32_t t = 0; t < mesh.triangle_count; ++t) {
        area += mesh.groups[t] == scalp ? triangle_area(t) : 0.0;
        uv_area += mesh.groups[t] == scalp ? triangle_uv_area(t) : 0.0;
    }
    const double scale = sqrt(area / uv_area);
    for (int32_t t = 0; t < mesh.triangle_count; ++t) {
        double large, small;
        if (mesh.groups[t] == scalp) {
            singular_values(t, &large, &small);
            worst = fmax(worst, large / small);
            within += large < 1.5 * scale && small > scale / 1.5 ? triangle_area(t) : 0.0;
        }
    }
    CHECK(area > 6e4 && area < 7e4); // mm^2
    CHECK(worst < 1.5 && within >= 0.99 * area);
}

// Whether (u, v) is strictly inside the texture triangle.
static bool covers(const coif_vec2 *uv, double u, double v)
{
    for (int k = 0; k < 3; ++k) {
        const coif_vec2 a = uv[k], b = uv[(k + 1) % 3];
        if ((double)(b.x - a.x) * (v - (double)a.y) - (double)(b.y - a.y) * (u - (double)a.x) <=
            1e-9) {
            return false;
        }
    }
    return true;
}

TEST(texture_coordinates_do_not_overlap)
{
    enum { SIZE = 2048 };
    load();
    unsigned char *cover = coif_arena_new(&arena, SIZE * SIZE, unsigned char);
    int flipped = 0, outside = 0, overlaps = 0;
    for (int32_t t = 0; t < mesh.triangle_count; ++t) {
        const coif_vec2 *uv = &mesh.uvs[3 * t];
        const float u0 = fminf(uv[0].x, fminf(uv[1].x, uv[2].x));
        const float u1 = fmaxf(uv[0].x, fmaxf(uv[1].x, uv[2].x));
        const float v0 = fminf(uv[0].y, fminf(uv[1].y, uv[2].y));
        const float v1 = fmaxf(uv[0].y, fmaxf(uv[1].y, uv[2].y));
        flipped += !(triangle_uv_area(t) > 0.0);
        if (!(u0 >= 0.0f && v0 >= 0.0f && u1 <= 1.0f && v1 <= 1.0f)) {
            ++outside;
            continue;
        }
        for (int y = (int)(v0 * SIZE); y < SIZE && (float)y <= v1 * SIZE; ++y) {
            for (int x = (int)(u0 * SIZE); x < SIZE && (float)x <= u1 * SIZE; ++x) {
                overlaps +=
                    covers(uv, (x + 0.5) / SIZE, (y + 0.5) / SIZE) && cover[y * SIZE + x]++ == 1;
            }
        }
    }
    CHECK(flipped == 0 && outside == 0 && overlaps == 0);
}

typedef struct bounded_triangle {
    int32_t index;
    coif_vec3d low, high;
} bounded_triangle;

static bounded_triangle bound(int32_t t)
{
    bounded_triangle box = {t, corner(t, 0), corner(t, 0)};
    for (int k = 1; k < 3; ++k) {
        const coif_vec3d p = corner(t, k);
        box.low = (coif_vec3d){fmin(box.low.x, p.x), fmin(box.low.y, p.y), fmin(box.low.z, p.z)};
        box.high =
            (coif_vec3d){fmax(box.high.x, p.x), fmax(box.high.y, p.y), fmax(box.high.z, p.z)};
    }
    return box;
}

static int compare_bounds(const void *a, const void *b)
{
    const bounded_triangle *p = a, *q = b;
    return (p->low.y > q->low.y) - (p->low.y < q->low.y);
}

// Sign of the volume of a tetrahedron, 0 where the points are nearly coplanar.
static int side(coif_vec3d a, coif_vec3d b, coif_vec3d c, coif_vec3d d)
{
    const double volume = coif_vec3d_dot(
        coif_vec3d_cross(coif_vec3d_sub(b, a), coif_vec3d_sub(c, a)), coif_vec3d_sub(d, a));
    return volume > 1e-9 ? 1 : volume < -1e-9 ? -1 : 0;
}

// Whether an edge of triangle s pierces triangle t.
static bool pierces(int32_t s, int32_t t)
{
    const coif_vec3d a = corner(t, 0), b = corner(t, 1), c = corner(t, 2);
    for (int k = 0; k < 3; ++k) {
        const coif_vec3d p = corner(s, k), q = corner(s, (k + 1) % 3);
        const int first = side(p, q, a, b);
        if (side(a, b, c, p) * side(a, b, c, q) < 0 && first != 0 && first == side(p, q, b, c) &&
            first == side(p, q, c, a)) {
            return true;
        }
    }
    return false;
}

static bool share_vertex(int32_t s, int32_t t)
{
    for (int i = 0; i < 9; ++i) {
        if (mesh.indices[3 * s + i / 3] == mesh.indices[3 * t + i % 3]) {
            return true;
        }
    }
    return false;
}

// Sweep along y over the bounding boxes.
TEST(the_mesh_does_not_intersect_itself)
{
    load();
    const int32_t count = mesh.triangle_count;
    bounded_triangle *all = coif_arena_new(&arena, count, bounded_triangle);
    for (int32_t t = 0; t < count; ++t) {
        all[t] = bound(t);
    }
    qsort(all, (size_t)count, sizeof *all, compare_bounds);
    int intersections = 0;
    for (int32_t i = 0; i < count; ++i) {
        for (int32_t j = i + 1; j < count && all[j].low.y <= all[i].high.y; ++j) {
            const bounded_triangle *a = &all[i], *b = &all[j];
            if (a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.z <= b->high.z &&
                b->low.z <= a->high.z && !share_vertex(a->index, b->index)) {
                intersections += pierces(a->index, b->index) || pierces(b->index, a->index);
            }
        }
    }
    CHECK(intersections == 0);
}
