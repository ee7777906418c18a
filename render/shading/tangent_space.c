#include "render/shading/tangent_space.h"

#include "core/base/arena.h"
#include "core/base/hash64.h"
#include "render/geometry/bspline_curves.h"
#include "render/math/fast_math.h"

#include <float.h>
#include <string.h>

bool coif_triangle_uv_derivatives(const coif_mesh *mesh, int32_t triangle, const coif_vec3 p[3],
                                  coif_vec3 *u, coif_vec3 *v)
{
    const coif_vec2 *uv = mesh->uvs + 3 * (size_t)triangle;
    const float u1 = uv[1].x - uv[0].x, v1 = uv[1].y - uv[0].y;
    const float u2 = uv[2].x - uv[0].x, v2 = uv[2].y - uv[0].y;
    const float determinant = u1 * v2 - u2 * v1;
    if (!(fabsf(determinant) > 1e-20f)) {
        return false;
    }
    const coif_vec3 a = coif_sub(p[1], p[0]), b = coif_sub(p[2], p[0]);
    *u = coif_scale(coif_mad(coif_scale(a, v2), -v1, b), 1.0f / determinant);
    *v = coif_scale(coif_mad(coif_scale(b, u1), -u2, a), 1.0f / determinant);
    return true;
}

// Projected into the plane of a normal, of unit length.
static coif_vec3 project(coif_vec3 direction, coif_vec3 normal)
{
    return coif_normalize(coif_mad(direction, -coif_dot(direction, normal), normal));
}

// The flags of the reference: a degenerate triangle has two corners in one position and is left
// out; one without a uv area joins the groups of its neighbours and adds nothing to them.
enum { RIGHT_HANDED = 1, NO_UV_AREA = 2, DEGENERATE = 4 };

// One mesh at one time step. Corner 3 t + i is corner i of triangle t.
typedef struct tangent_mesh {
    const coif_mesh *mesh;
    int32_t corner_count;
    int32_t *vertex;    // per corner: welded by equal position, normal and uv
    int32_t *neighbour; // per corner: triangle across the edge to the next corner; -1: none
    int32_t *group;     // per corner; -1: none
    uint8_t *flags;     // per triangle
    coif_vec3 *along_u; // per triangle: unit direction of u
    int32_t *stack;     // of triangles to visit
    int32_t *members;   // corners of the current group
} tangent_mesh;

static coif_vec3 position_of(const tangent_mesh *in, int32_t corner)
{
    return in->mesh->positions[in->mesh->indices[corner]];
}

static int32_t next_corner(int32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

static int32_t previous_corner(int32_t corner)
{
    return corner % 3 == 0 ? corner + 2 : corner - 1;
}

static bool same_point(coif_vec3 a, coif_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void classify(const tangent_mesh *in, int32_t triangle)
{
    const int32_t c = 3 * triangle;
    const coif_vec3 p[3] = {position_of(in, c), position_of(in, c + 1), position_of(in, c + 2)};
    const coif_vec2 *uv = in->mesh->uvs + c;
    const float u1 = uv[1].x - uv[0].x, v1 = uv[1].y - uv[0].y;
    const float u2 = uv[2].x - uv[0].x, v2 = uv[2].y - uv[0].y;
    const float area = u1 * v2 - v1 * u2;
    const coif_vec3 a = coif_sub(p[1], p[0]), b = coif_sub(p[2], p[0]);
    const coif_vec3 s = coif_mad(coif_scale(a, v2), -v1, b);
    const coif_vec3 t = coif_mad(coif_scale(b, u1), -u2, a);
    const float size = coif_length(s), size_v = coif_length(t);
    uint8_t flags = area > 0.0f ? RIGHT_HANDED : 0;
    if (fabsf(area) > FLT_MIN && size > FLT_MIN && size_v > FLT_MIN) {
        in->along_u[triangle] = coif_scale(s, (area > 0.0f ? 1.0f : -1.0f) / size);
    } else {
        flags |= NO_UV_AREA;
    }
    if (same_point(p[0], p[1]) || same_point(p[1], p[2]) || same_point(p[2], p[0])) {
        flags |= DEGENERATE;
    }
    in->flags[triangle] = flags;
}

// Corner attributes; adding 0 makes -0 and 0 equal.
static void corner_key(const tangent_mesh *in, int32_t corner, float key[8])
{
    const coif_vec3 p = position_of(in, corner), n = in->mesh->normals[corner];
    const coif_vec2 uv = in->mesh->uvs[corner];
    const float values[8] = {p.x, p.y, p.z, n.x, n.y, n.z, uv.x, uv.y};
    for (int i = 0; i < 8; ++i) {
        key[i] = values[i] + 0.0f;
    }
}

// A vertex is named by its first corner.
static void weld(const tangent_mesh *in, coif_arena *scratch)
{
    size_t slots = 16;
    while (slots < 2 * (size_t)in->corner_count) {
        slots *= 2;
    }
    int32_t *table = coif_arena_new(scratch, slots, int32_t); // corner + 1; 0: empty
    for (int32_t corner = 0; corner < in->corner_count; ++corner) {
        float key[8], other[8];
        corner_key(in, corner, key);
        size_t slot = (size_t)coif_hash64(key, sizeof key) & (slots - 1);
        in->vertex[corner] = corner;
        while (table[slot] != 0) {
            corner_key(in, table[slot] - 1, other);
            if (memcmp(key, other, sizeof key) == 0) {
                in->vertex[corner] = table[slot] - 1;
                break;
            }
            slot = (slot + 1) & (slots - 1);
        }
        if (in->vertex[corner] == corner) {
            table[slot] = corner + 1;
        }
    }
}

// The edge from a corner to the next one is listed at the smaller of its two vertices.
static int32_t edge_vertex(const tangent_mesh *in, int32_t corner)
{
    const int32_t a = in->vertex[corner], b = in->vertex[next_corner(corner)];
    return a < b ? a : b;
}

// Pairs each edge with the first later one of the same vertices in opposite direction.
static void find_neighbours(const tangent_mesh *in, coif_arena *scratch)
{
    int32_t *head = coif_arena_new(scratch, in->corner_count, int32_t); // corner + 1
    int32_t *next = coif_arena_new(scratch, in->corner_count, int32_t);
    for (int32_t corner = in->corner_count; corner-- > 0;) {
        in->neighbour[corner] = -1;
        if (!(in->flags[corner / 3] & DEGENERATE)) {
            int32_t *first = &head[edge_vertex(in, corner)];
            next[corner] = *first;
            *first = corner + 1;
        }
    }
    for (int32_t v = 0; v < in->corner_count; ++v) {
        for (int32_t a = head[v] - 1; a >= 0; a = next[a] - 1) {
            for (int32_t b = next[a] - 1; b >= 0 && in->neighbour[a] < 0; b = next[b] - 1) {
                if (in->neighbour[b] < 0 && in->vertex[a] == in->vertex[next_corner(b)] &&
                    in->vertex[b] == in->vertex[next_corner(a)]) {
                    in->neighbour[a] = b / 3;
                    in->neighbour[b] = a / 3;
                }
            }
        }
    }
}

// Adds a triangle's corner at a vertex to a group; -1 where it belongs to another one.
static int32_t join_group(const tangent_mesh *in, int32_t triangle, int32_t seed)
{
    int32_t corner = 3 * triangle;
    while (in->vertex[corner] != in->vertex[seed]) {
        ++corner;
    }
    const uint8_t hand = in->flags[seed / 3] & RIGHT_HANDED;
    if (in->group[corner] >= 0) {
        return -1;
    }
    const int32_t *groups = in->group + 3 * (size_t)triangle;
    if ((in->flags[triangle] & NO_UV_AREA) && groups[0] < 0 && groups[1] < 0 && groups[2] < 0) {
        in->flags[triangle] = (uint8_t)((in->flags[triangle] & ~RIGHT_HANDED) | hand);
    }
    if ((in->flags[triangle] & RIGHT_HANDED) != hand) {
        return -1;
    }
    in->group[corner] = seed;
    return corner;
}

// All corners at the seed's vertex that are reached across edges, with the same handedness.
static int32_t grow_group(const tangent_mesh *in, int32_t seed)
{
    int32_t depth = 0, count = 0;
    in->stack[depth++] = seed / 3;
    while (depth > 0) {
        const int32_t corner = join_group(in, in->stack[--depth], seed);
        if (corner < 0) {
            continue;
        }
        in->members[count++] = corner;
        const int32_t left = in->neighbour[corner];
        const int32_t right = in->neighbour[previous_corner(corner)];
        if (right >= 0) {
            in->stack[depth++] = right;
        }
        if (left >= 0) {
            in->stack[depth++] = left;
        }
    }
    return count;
}

// The direction of u at a corner, weighted by the corner's angle in the plane of its normal.
static coif_vec3 weighted_tangent(const tangent_mesh *in, int32_t corner)
{
    if (in->flags[corner / 3] & NO_UV_AREA) {
        return (coif_vec3){0.0f, 0.0f, 0.0f};
    }
    const coif_vec3 normal = in->mesh->normals[corner], p = position_of(in, corner);
    const coif_vec3 a = project(coif_sub(position_of(in, next_corner(corner)), p), normal);
    const coif_vec3 b = project(coif_sub(position_of(in, previous_corner(corner)), p), normal);
    const float angle = coif_fast_atan2(coif_length(coif_cross(a, b)), coif_dot(a, b));
    return coif_scale(project(in->along_u[corner / 3], normal), angle);
}

// Sums in the order of the corners.
static coif_vec3 group_tangent(const tangent_mesh *in, int32_t count)
{
    for (int32_t i = 1; i < count; ++i) {
        const int32_t moved = in->members[i];
        int32_t to = i;
        for (; to > 0 && in->members[to - 1] > moved; --to) {
            in->members[to] = in->members[to - 1];
        }
        in->members[to] = moved;
    }
    coif_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int32_t i = 0; i < count; ++i) {
        sum = coif_add(sum, weighted_tangent(in, in->members[i]));
    }
    return coif_normalize(sum);
}

static void compute(coif_vec3 *tangents, const coif_mesh *mesh, coif_arena *scratch)
{
    const int32_t triangles = mesh->triangle_count;
    tangent_mesh in = {.mesh = mesh, .corner_count = 3 * triangles};
    in.vertex = coif_arena_new(scratch, in.corner_count, int32_t);
    in.neighbour = coif_arena_new(scratch, in.corner_count, int32_t);
    in.group = coif_arena_new(scratch, in.corner_count, int32_t);
    in.flags = coif_arena_new(scratch, triangles, uint8_t);
    in.along_u = coif_arena_new(scratch, triangles, coif_vec3);
    in.stack = coif_arena_new(scratch, 2 * (size_t)in.corner_count + 1, int32_t);
    in.members = coif_arena_new(scratch, in.corner_count, int32_t);
    for (int32_t t = 0; t < triangles; ++t) {
        classify(&in, t);
    }
    weld(&in, scratch);
    find_neighbours(&in, scratch);
    memset(in.group, -1, sizeof *in.group * (size_t)in.corner_count);
    for (int32_t corner = 0; corner < in.corner_count; ++corner) {
        if ((in.flags[corner / 3] & (NO_UV_AREA | DEGENERATE)) || in.group[corner] >= 0) {
            continue;
        }
        const int32_t count = grow_group(&in, corner);
        const coif_vec3 tangent = group_tangent(&in, count);
        for (int32_t i = 0; i < count; ++i) {
            tangents[in.members[i]] = tangent;
        }
    }
}

coif_vec3 *coif_tangents_init(const coif_mesh *meshes, int32_t steps, coif_arena *arena)
{
    const size_t count = 3 * (size_t)meshes->triangle_count;
    coif_vec3 *all = coif_arena_new(arena, count * (size_t)steps, coif_vec3);
    for (int32_t step = 0; step < steps; ++step) {
        COIF_SCOPED_ARENA(scratch, "tangents");
        compute(all + count * (size_t)step, &meshes[step], &scratch);
    }
    return all;
}

void coif_tangents_at(coif_vec3 t[3], const coif_vec3 *tangents, const coif_mesh *meshes,
                      int32_t steps, int32_t triangle, float time, const coif_transform *transform)
{
    const size_t count = 3 * (size_t)meshes->triangle_count;
    float fraction = 0.0f;
    const int32_t step = steps > 1 ? coif_motion_step_at(steps, time, &fraction) : 0;
    const coif_vec3 *here = tangents + count * (size_t)step + 3 * (size_t)triangle;
    for (int i = 0; i < 3; ++i) {
        t[i] = steps > 1 ? coif_lerp(here[i], here[count + (size_t)i], fraction) : here[i];
        if (transform != NULL) {
            t[i] = coif_scale(coif_mat3_apply(&transform->linear, t[i]), 1.0f / transform->scale);
        }
    }
}
