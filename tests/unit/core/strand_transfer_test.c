// strand_transfer: strands keep their shape relative to the scalp, and come back.
#include "core/hair/strand_transfer.h"

#include "core/base/arena.h"
#include "core/base/rng.h"
#include "tests/support/mesh_shapes.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

enum { STRANDS = 200, POINTS = 8 };

static coif_mesh sphere_of(float radius, int32_t cells)
{
    return coif_shape_ellipsoid((coif_vec3){0.0f, 0.0f, 0.0f}, (coif_vec3){radius, radius, radius},
                                cells, &arena);
}

static coif_mesh load_head(void)
{
    coif_mesh mesh;
    coif_error error = {0};
    CHECK_OK(coif_mesh_load(&mesh, coif_test_source("scenes/assets/mannequin.obj"),
                            &COIF_MESH_ALL_TRIANGLES, &arena, &error),
             error);
    return mesh;
}

// Curved strands on triangles of the group, 10 cm long.
static coif_strands strands_on(const coif_mesh *mesh, int32_t group)
{
    int32_t lengths[STRANDS];
    coif_strands strands;
    coif_error error = {0};
    for (int s = 0; s < STRANDS; ++s) {
        lengths[s] = POINTS;
    }
    CHECK_OK(coif_strands_init(&strands, lengths, STRANDS, &arena, &error), error);
    uint64_t word = 0;
    for (int s = 0; s < STRANDS;) {
        const int32_t t = (int32_t)(coif_random_unit(1, word++, 0) * (float)mesh->triangle_count) %
                          mesh->triangle_count;
        if (mesh->groups[t] != group) {
            continue;
        }
        const coif_surface_point root = coif_mesh_at(mesh, t, 0.3f, 0.3f);
        for (int k = 0; k < POINTS; ++k) {
            coif_vec3 p = coif_mad(root.position, 0.014f * (float)k, root.normal);
            p.y -= 0.001f * (float)(k * k);
            strands.points[s * POINTS + k] = (coif_vec4){p.x, p.y, p.z, 4e-5f};
        }
        ++s;
    }
    return strands;
}

static coif_strands transfer(const coif_strands *strands, const coif_scalp *from,
                             const coif_scalp *to, int32_t *beyond)
{
    coif_strands moved;
    coif_transfer_report report;
    coif_error error = {0};
    CHECK_OK(coif_strands_transfer(&moved, strands, from, to, &report, &arena, NULL, &error),
             error);
    *beyond = report.beyond;
    return moved;
}

static float largest_distance(const coif_strands *a, const coif_strands *b)
{
    float largest = 0.0f;
    for (int32_t i = 0; i < a->point_count; ++i) {
        const coif_vec3 d = coif_sub(coif_vec4_xyz(a->points[i]), coif_vec4_xyz(b->points[i]));
        largest = fmaxf(largest, coif_length(d));
    }
    return largest;
}

// The other head is larger, wider at the top and leans forward.
static coif_mesh deform(const coif_mesh *mesh)
{
    coif_mesh other = *mesh;
    other.positions = coif_arena_new(&arena, mesh->vertex_count, coif_vec3);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        const coif_vec3 p = mesh->positions[v];
        other.positions[v] =
            coif_vec3_of(p.x * (1.15f + 0.4f * p.y), 1.2f * p.y + 0.3f, 1.1f * p.z + 0.08f * p.y);
    }
    return other;
}

TEST(hair_comes_back_from_another_head_within_a_millimetre)
{
    const coif_mesh head = load_head(), other = deform(&head);
    const int32_t group = coif_mesh_find_group(&head, "scalp");
    const coif_strands strands = strands_on(&head, group);
    const coif_scalp here = {&head, "scalp"}, there = {&other, "scalp"};
    int32_t beyond_there, beyond_back;
    const coif_strands moved = transfer(&strands, &here, &there, &beyond_there);
    const coif_strands back = transfer(&moved, &there, &here, &beyond_back);
    CHECK(largest_distance(&strands, &moved) > 0.1f);
    CHECK(beyond_there + beyond_back == 0);
    CHECK(largest_distance(&strands, &back) < 1e-3f);
}

TEST(the_same_head_changes_nothing)
{
    const coif_mesh head = load_head();
    const coif_strands strands = strands_on(&head, coif_mesh_find_group(&head, "scalp"));
    const coif_scalp here = {&head, "scalp"};
    int32_t beyond;
    const coif_strands same = transfer(&strands, &here, &here, &beyond);
    CHECK(beyond == 0);
    CHECK(largest_distance(&strands, &same) < 1e-6f);
}

// A sphere of twice the size and another tessellation: roots lie on it, lengths double.
TEST(roots_lie_on_the_other_scalp)
{
    const coif_mesh small = sphere_of(0.1f, 8);
    const coif_mesh large = sphere_of(0.2f, 21);
    const coif_strands strands = strands_on(&small, 0);
    const coif_scalp here = {&small, ""}, there = {&large, ""};
    int32_t beyond;
    const coif_strands moved = transfer(&strands, &here, &there, &beyond);
    CHECK(beyond == 0);
    for (int s = 0; s < STRANDS; ++s) {
        const coif_vec4 *p = &strands.points[s * POINTS], *q = &moved.points[s * POINTS];
        CHECK_NEAR(coif_length(coif_vec4_xyz(q[0])), 0.2, 0.001);
        const float before =
            coif_length(coif_sub(coif_vec4_xyz(p[POINTS - 1]), coif_vec4_xyz(p[0])));
        const float after =
            coif_length(coif_sub(coif_vec4_xyz(q[POINTS - 1]), coif_vec4_xyz(q[0])));
        CHECK_NEAR(after / before, 2.0, 0.02);
    }
}

// An egg of a head whose scalp reaches down to a plane that falls towards the nape, with teeth.
static coif_mesh head_with_hairline(coif_vec3 size, float height, float slope, int teeth)
{
    static const char *names[] = {"face", "scalp"};
    coif_mesh mesh = coif_shape_ellipsoid((coif_vec3){0.0f, 0.0f, 0.0f}, size, 40, &arena);
    mesh.groups = coif_arena_new(&arena, mesh.triangle_count, int32_t);
    mesh.group_names = names;
    mesh.group_count = 2;
    for (int32_t t = 0; t < mesh.triangle_count; ++t) {
        const coif_vec3 p = coif_mesh_at(&mesh, t, 0.33f, 0.33f).position;
        const float tooth = 0.15f * size.y * sinf((float)teeth * atan2f(p.x, p.z));
        mesh.groups[t] = p.y > height * size.y + slope * p.z + tooth;
    }
    return mesh;
}

// Roots at one hairline come to the other one, and nothing is lost on the way back.
TEST(hairlines_meet_and_all_hair_comes_back)
{
    const coif_mesh low = head_with_hairline((coif_vec3){0.075f, 0.11f, 0.095f}, 0.0f, 0.7f, 0);
    const coif_mesh high = head_with_hairline((coif_vec3){0.09f, 0.12f, 0.1f}, 0.4f, 0.5f, 0);
    const coif_strands strands = strands_on(&low, 1);
    const coif_scalp here = {&low, "scalp"}, there = {&high, "scalp"};
    int32_t beyond_there, beyond_back;
    const coif_strands moved = transfer(&strands, &here, &there, &beyond_there);
    const coif_strands back = transfer(&moved, &there, &here, &beyond_back);
    CHECK(beyond_there + beyond_back == 0);
    CHECK(largest_distance(&strands, &back) < 1e-3f);
    int32_t at_hairline = 0;
    for (int s = 0; s < STRANDS; ++s) {
        const coif_vec4 *p = &strands.points[s * POINTS], *q = &moved.points[s * POINTS];
        // Height above the hairlines: near one means near the other.
        if (p->y - 0.7f * p->z < 0.01f) {
            ++at_hairline;
            CHECK_NEAR(q->y - 0.5f * q->z, 0.4f * 0.12f, 0.02f);
        }
    }
    CHECK(at_hairline > 5);
}

// Teeth of one border lie over bays of the other.
TEST(all_hair_comes_back_over_jagged_borders)
{
    const coif_mesh first = head_with_hairline((coif_vec3){0.075f, 0.11f, 0.095f}, 0.0f, 0.7f, 23);
    const coif_mesh second = head_with_hairline((coif_vec3){0.09f, 0.12f, 0.1f}, 0.3f, 0.5f, 17);
    const coif_scalp scalps[] = {{&first, "scalp"}, {&second, "scalp"}};
    for (int i = 0; i < 2; ++i) {
        const coif_strands strands = strands_on(scalps[i].mesh, 1);
        int32_t beyond_there, beyond_back;
        const coif_strands moved = transfer(&strands, &scalps[i], &scalps[1 - i], &beyond_there);
        const coif_strands back = transfer(&moved, &scalps[1 - i], &scalps[i], &beyond_back);
        CHECK(beyond_there + beyond_back == 0);
        CHECK(largest_distance(&strands, &back) < 1e-3f);
    }
}

TEST(a_group_without_triangles_is_an_error)
{
    const coif_mesh sphere = sphere_of(0.1f, 8);
    const coif_strands strands = strands_on(&sphere, 0);
    const coif_scalp here = {&sphere, ""}, there = {&sphere, "scalp"};
    coif_strands moved;
    coif_transfer_report report;
    coif_error error = {0};
    CHECK(coif_strands_transfer(&moved, &strands, &here, &there, &report, &arena, NULL, &error) ==
          COIF_ERR_SCENE);
}
