// Surface paths, and guide binding across gaps.
#include "core/mesh/surface_path.h"

#include "core/base/rng.h"
#include "core/hair/groom.h"
#include "tests/support/mesh_shapes.h"
#include "tests/support/test.h"

#include <stdlib.h>

static coif_arena arena = {.name = "test"};

enum { ACROSS = 90, ALONG = 30, COUNT = 3000 };

// A sheet 10 cm deep whose profile is given: where it is, how far along, 0 to 1.
typedef coif_vec3 profile(float along);

static coif_vec3 flat(float along)
{
    return coif_vec3_of(0.18f * along, 0.0f, 0.0f);
}

// Three layers of 6 cm over each other, 3 mm apart: the first and the third have the same normal.
static coif_vec3 folded(float along)
{
    const float position = 3.0f * along;
    const int layer = position < 1.0f ? 0 : position < 2.0f ? 1 : 2;
    const float there = position - (float)layer;
    const float rise = coif_clamp(5.0f * (there - 0.8f), 0.0f, 1.0f);
    return coif_vec3_of(0.06f * (layer == 1 ? 1.0f - there : there),
                        0.003f * ((float)layer + (layer < 2 ? rise : 0.0f)), 0.0f);
}

// Rows of quads; none where a row is left out. Pieces have vertices of their own.
static coif_mesh make_sheet(profile *at, int left_out, bool pieces)
{
    const int32_t rows = ACROSS, columns = ALONG;
    coif_mesh mesh = {.positions = coif_arena_new(&arena, 4 * rows * columns, coif_vec3),
                      .indices = coif_arena_new(&arena, 6 * rows * columns, int32_t)};
    for (int32_t i = 0; i < rows; ++i) {
        for (int32_t j = 0; j < columns && i != left_out; ++j) {
            const int32_t v = mesh.vertex_count;
            for (int32_t c = 0; c < 4; ++c) {
                coif_vec3 p = at((float)(i + (c & 1)) / (float)rows);
                p.z = 0.1f * (float)(j + (c >> 1)) / (float)columns;
                mesh.positions[mesh.vertex_count++] = p;
            }
            const int32_t corners[6] = {v, v + 2, v + 1, v + 1, v + 2, v + 3};
            memcpy(mesh.indices + 3 * mesh.triangle_count, corners, sizeof corners);
            mesh.triangle_count += 2;
        }
    }
    for (int32_t v = 0; v < mesh.vertex_count && pieces; ++v) {
        mesh.positions[v].y += 1e-5f * (float)(v / 4 % 2); // nothing to sew
    }
    mesh.normals = coif_arena_new(&arena, 3 * mesh.triangle_count, coif_vec3);
    for (int32_t t = 0; t < mesh.triangle_count; ++t) {
        const int32_t *c = mesh.indices + 3 * t;
        const coif_vec3 a = mesh.positions[c[0]];
        const coif_vec3 normal = coif_normalize(
            coif_cross(coif_sub(mesh.positions[c[1]], a), coif_sub(mesh.positions[c[2]], a)));
        for (int i = 0; i < 3; ++i) {
            mesh.normals[3 * t + i] = normal;
        }
    }
    return mesh;
}

// Short strands along the normal, anywhere.
static coif_groom plant(const coif_mesh *mesh)
{
    static int32_t lengths[COUNT];
    coif_groom groom;
    coif_error error = {0};
    for (int32_t s = 0; s < COUNT; ++s) {
        lengths[s] = 2;
    }
    CHECK_OK(coif_groom_init(&groom, lengths, COUNT, &arena, &error), error);
    for (int32_t s = 0; s < COUNT; ++s) {
        const uint64_t own = (uint64_t)s;
        const float where = coif_random_unit(3, own, 0);
        groom.root_triangle[s] = (int32_t)(where * (float)mesh->triangle_count);
        float *b = groom.root_barycentric + 2 * s;
        b[0] = coif_random_unit(3, own, 1);
        b[1] = (1.0f - b[0]) * coif_random_unit(3, own, 2);
        const coif_surface_point root = coif_mesh_at(mesh, groom.root_triangle[s], b[0], b[1]);
        const coif_vec3 tip = coif_mad(root.position, 0.001f, root.normal);
        groom.rest.points[2 * s] =
            (coif_vec4){root.position.x, root.position.y, root.position.z, 4e-5f};
        groom.rest.points[2 * s + 1] = (coif_vec4){tip.x, tip.y, tip.z, 4e-5f};
        memcpy(groom.root_frame + 9 * s + 6, &root.normal, sizeof root.normal);
    }
    return groom;
}

// How many strands have guides more than so many rows away, and how many have fewer than three.
typedef struct tally {
    int32_t across, fewer;
} tally;

static tally bind(coif_groom *groom, const coif_mesh *mesh, int32_t rows)
{
    const coif_guide_binding_desc binding = {
        .fraction = 0.1, .match_orientation = true, .mesh = mesh};
    coif_groom_bind_children(groom, &binding, &arena, &arena);
    tally all = {0, 0};
    for (int32_t s = groom->simulated_count; s < COUNT; ++s) {
        const int32_t *guides = groom->guides + 3 * s;
        bool across = false;
        for (int i = 0; i < 3 && guides[i] >= 0; ++i) {
            const int32_t own = groom->root_triangle[s] / (2 * ALONG);
            const int32_t other = groom->root_triangle[groom->simulated[guides[i]]] / (2 * ALONG);
            across = across || abs(own - other) > rows;
        }
        all.across += across;
        all.fewer += guides[2] < 0;
    }
    return all;
}

TEST(no_strand_follows_a_guide_of_another_layer)
{
    const coif_mesh mesh = make_sheet(folded, -1, false);
    coif_groom groom = plant(&mesh);
    const tally straight = bind(&groom, NULL, ACROSS / 3);
    const tally along = bind(&groom, &mesh, ACROSS / 3);
    CHECK(straight.across > COUNT / 4);
    CHECK(along.across == 0);
    CHECK(along.fewer < COUNT / 50);
}

// As between two lips: the skin on both sides is coplanar.
TEST(no_strand_follows_a_guide_across_a_slit)
{
    const coif_mesh mesh = make_sheet(flat, ACROSS / 2, false);
    coif_groom groom = plant(&mesh);
    int32_t across[2] = {0, 0};
    for (int own = 0; own < 2; ++own) {
        bind(&groom, own ? &mesh : NULL, ACROSS);
        for (int32_t s = groom.simulated_count; s < COUNT; ++s) {
            for (int i = 0; i < 3 && groom.guides[3 * s + i] >= 0; ++i) {
                const int32_t guide = groom.simulated[groom.guides[3 * s + i]];
                across[own] += (groom.rest.points[2 * s].x < 0.09f) !=
                               (groom.rest.points[2 * guide].x < 0.09f);
            }
        }
    }
    CHECK(across[0] > 20);
    CHECK(across[1] == 0);
}

// A surface without gaps binds as without a mesh: flat or round, whole or with vertices that every
// face has for itself, and even where nothing holds together at all every strand has a guide.
TEST(on_a_connected_surface_binding_uses_straight_distances)
{
    const coif_mesh meshes[2] = {make_sheet(flat, -1, false),
                                 shape_sphere(coif_vec3_of(0, 0, 0), 0.1f, 12, &arena)};
    for (int m = 0; m < 2; ++m) {
        for (int sparse = 0; sparse < 2; ++sparse) {
            coif_groom straight = plant(&meshes[m]), along = plant(&meshes[m]);
            coif_guide_binding_desc binding = {.fraction = sparse ? 0.002 : 0.1,
                                               .match_orientation = true};
            coif_groom_bind_children(&straight, &binding, &arena, &arena);
            binding.mesh = &meshes[m];
            coif_groom_bind_children(&along, &binding, &arena, &arena);
            CHECK(memcmp(straight.guides, along.guides, 3 * COUNT * sizeof(int32_t)) == 0);
            CHECK(memcmp(straight.guide_weights, along.guide_weights, 3 * COUNT * sizeof(float)) ==
                  0);
        }
    }
    const coif_mesh loose = make_sheet(flat, -1, true);
    coif_groom groom = plant(&loose);
    bind(&groom, &loose, ACROSS);
    for (int32_t s = 0; s < COUNT; ++s) {
        CHECK(groom.guides[3 * s] >= 0);
    }
}

// On a flat sheet the path is the straight line; around a fold it is longer, and there is none over
// an open edge.
TEST(a_path_has_the_length_of_the_surface)
{
    const coif_mesh sheets[3] = {make_sheet(flat, -1, false), make_sheet(folded, -1, false),
                                 make_sheet(flat, 40, false)};
    coif_surface_paths paths[3];
    for (int i = 0; i < 3; ++i) {
        coif_surface_paths_open(&paths[i], &sheets[i], &arena);
    }
    const coif_surface_location from = {2 * (20 * ALONG + 15), 0.3f, 0.3f};
    const coif_surface_location to = {2 * (45 * ALONG + 9) + 1, 0.2f, 0.5f};
    CHECK(coif_surface_paths_within(&paths[0], from, from, 1.0f));
    CHECK(coif_surface_paths_within(&paths[0], from, to, 1.0001f));
    CHECK(coif_surface_paths_within(&paths[0], to, from, 1.0001f));
    CHECK(!coif_surface_paths_within(&paths[0], from, to, 0.999f));
    CHECK(!coif_surface_paths_within(&paths[1], from, to, 1.6f));
    CHECK(!coif_surface_paths_within(&paths[2], from,
                                     (coif_surface_location){2 * 44 * ALONG, 0.3f, 0.3f}, 9.0f));
    CHECK(coif_surface_paths_within(&paths[2], from,
                                    (coif_surface_location){2 * 30 * ALONG, 0.3f, 0.3f}, 1.01f));
}
