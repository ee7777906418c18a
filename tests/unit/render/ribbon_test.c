// Ribbons: orientation, twist, motion with the root, energy conservation.
#include "core/base/error.h"
#include "render/geometry/ribbon_orientation.h"
#include "render/integrator/path.h"
#include "render/session/tile_scheduler.h"
#include "tests/support/furnace_scene.h"
#include "tests/support/render_ball.h"
#include "tests/support/test.h"

#include <float.h>

static coif_arena arena;

// A groom whose roots lie on a horizontal triangle.
static coif_groom groom_of(const coif_strands *strands)
{
    static const float frame[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
    const size_t count = (size_t)strands->strand_count;
    coif_groom groom = {.rest = *strands};
    groom.random = coif_arena_new(&arena, count, uint32_t);
    groom.root_frame = coif_arena_new(&arena, 9 * count, float);
    groom.root_triangle = coif_arena_new(&arena, count, int32_t);
    groom.root_barycentric = coif_arena_new(&arena, 2 * count, float);
    for (size_t s = 0; s < count; ++s) {
        groom.random[s] = coif_hash_word((uint32_t)s + 1);
        memcpy(groom.root_frame + 9 * s, frame, sizeof frame);
    }
    return groom;
}

static void blades_of(coif_bspline_curves *curves, const coif_strands *strands,
                      const coif_ribbon_desc *desc)
{
    coif_error error = {0};
    CHECK_OK(coif_bspline_curves_init(curves, strands, COIF_CURVE_RIBBON, &arena, NULL, &error),
             error);
    coif_ribbon_normals_fill(curves, 0, strands, desc, &arena);
}

enum { POINTS = 9 };

// Upright strands that bend over; 0 is straight.
static coif_strands lean(int32_t count, coif_vec3 towards, float bend)
{
    int32_t *lengths = coif_arena_new(&arena, count, int32_t);
    coif_error error = {0};
    coif_strands strands;
    for (int32_t s = 0; s < count; ++s) {
        lengths[s] = POINTS;
    }
    CHECK_OK(coif_strands_init(&strands, lengths, count, &arena, &error), error);
    for (int32_t i = 0; i < count * POINTS; ++i) {
        const float t = (float)(i % POINTS) / (float)(POINTS - 1), aside = bend * t * t;
        strands.points[i] = (coif_vec4){aside * towards.x, t, aside * towards.z, 0.02f};
    }
    return strands;
}

static bool hits_ribbon(const coif_accel *accel, coif_vec3 origin, coif_vec3 direction,
                        coif_vec3 *normal)
{
    const coif_ray ray = {origin, direction, 0.0f, FLT_MAX, 0.0f, 0};
    coif_ray_hit hit;
    if (!coif_accel_intersect(accel, &ray, &hit)) {
        return false;
    }
    *normal = coif_normalize(hit.normal);
    return true;
}

// Bent towards +x, it is twice its radius wide along z and has no thickness.
TEST(ribbon_bends_over_its_flat_side)
{
    const coif_strands strands = lean(1, (coif_vec3){1.0f, 0.0f, 0.0f}, 0.5f);
    const coif_groom groom = groom_of(&strands);
    coif_bspline_curves curves;
    coif_error error = {0};
    blades_of(&curves, &strands, &(coif_ribbon_desc){.groom = &groom});
    for (int32_t i = 0; i < curves.control_count; ++i) {
        CHECK_NEAR(curves.normals[i].z, 0.0, 1e-5);
        CHECK_NEAR(coif_length(curves.normals[i]), 1.0, 1e-5);
    }
    coif_accel *accel;
    const coif_accel_desc desc = {.isa = "auto", .threads = 1};
    CHECK_OK(coif_accel_open(&accel, &desc, &arena, &error), error);
    CHECK_OK(coif_accel_add_curves(accel, &curves, &error), error);
    CHECK_OK(coif_accel_build(accel, NULL, &error), error);
    for (int k = 1; k < 8; ++k) {
        const float t = 0.12f * (float)k, x = 0.5f * t * t;
        const coif_vec3 across = {1.0f, 0.0f, 0.0f}, along_z = {0.0f, 0.0f, 1.0f};
        const coif_vec3 square = coif_normalize((coif_vec3){1.0f, -t, 0.0f});
        coif_vec3 normal = {0};
        for (int side = -1; side < 2; side += 2) {
            CHECK(hits_ribbon(accel, (coif_vec3){-1.0f, t, 0.019f * (float)side}, across, &normal));
            CHECK(fabsf(coif_dot(normal, square)) > 0.999f);
            CHECK(
                !hits_ribbon(accel, (coif_vec3){-1.0f, t, 0.021f * (float)side}, across, &normal));
            // Edge-on, beside the centre line.
            const coif_vec3 beside = {x + 0.005f * (float)side, t, -1.0f};
            CHECK(!hits_ribbon(accel, beside, along_z, &normal));
        }
    }
    coif_accel_close(accel);
}

// Angle between two normals about the vertical, in turns from -0.5 to 0.5.
static float turns_between(coif_vec3 a, coif_vec3 b)
{
    return atan2f(a.z * b.x - a.x * b.z, coif_dot(a, b)) / 6.2831853f;
}

TEST(ribbons_twist_linearly_and_tilt_randomly)
{
    const coif_strands strands = lean(500, (coif_vec3){1.0f, 0.0f, 0.0f}, 0.0f);
    const coif_groom groom = groom_of(&strands);
    const coif_ribbon_desc desc = {.groom = &groom, .tilt = 90.0f, .twist = 144.0f};
    coif_bspline_curves curves;
    blades_of(&curves, &strands, &desc);
    float most_turn = 0.0f, most_twist = 0.0f, mean_turn = 0.0f, mean_twist = 0.0f;
    for (int32_t s = 0; s < 500; ++s) {
        const coif_vec3 *n = curves.normals + s * (POINTS + 2) + 1;
        const float twist = turns_between(n[0], n[POINTS - 1]);
        for (int k = 0; k < POINTS; ++k) {
            CHECK_NEAR(n[k].y, 0.0, 1e-5);
            CHECK_NEAR(turns_between(n[0], n[k]), twist * (float)k / (float)(POINTS - 1), 1e-4);
        }
        // Straight strands have their width along the tangent of the root frame, x.
        const float turn = turns_between((coif_vec3){0.0f, 0.0f, 1.0f}, n[0]);
        most_turn = fmaxf(most_turn, fabsf(turn));
        most_twist = fmaxf(most_twist, fabsf(twist));
        mean_turn += turn / 500.0f;
        mean_twist += twist / 500.0f;
    }
    CHECK(most_turn < 0.2501f && most_turn > 0.24f);
    CHECK(most_twist < 0.4001f && most_twist > 0.38f);
    CHECK_NEAR(mean_turn, 0.0, 0.03);
    CHECK_NEAR(mean_twist, 0.0, 0.04);
}

// The body is rotated by a quarter turn about the vertical.
TEST(ribbons_rotate_with_their_root)
{
    const coif_strands before = lean(40, (coif_vec3){1.0f, 0.0f, 0.0f}, 0.3f);
    const coif_strands after = lean(40, (coif_vec3){0.0f, 0.0f, -1.0f}, 0.3f);
    const coif_groom groom = groom_of(&before);
    coif_vec3 corners[3] = {{0.0f, 0.0f, -9.0f}, {-9.0f, 0.0f, 9.0f}, {9.0f, 0.0f, 9.0f}};
    coif_vec3 normals[3] = {{0.0f, 1.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 1.0f, 0.0f}};
    coif_vec2 uvs[3] = {{9.0f, 0.0f}, {-9.0f, -9.0f}, {-9.0f, 9.0f}}; // u grows along -z
    int32_t indices[3] = {0, 1, 2};
    const coif_mesh ground = {.vertex_count = 3,
                              .triangle_count = 1,
                              .positions = corners,
                              .indices = indices,
                              .normals = normals,
                              .uvs = uvs};
    coif_bspline_curves rest, posed;
    coif_ribbon_desc desc = {.groom = &groom, .tilt = 180.0f, .twist = 108.0f};
    blades_of(&rest, &before, &desc);
    desc.body = &ground;
    blades_of(&posed, &after, &desc);
    for (int32_t i = 0; i < rest.control_count; ++i) {
        const coif_vec3 n = rest.normals[i], turned = {n.z, n.y, -n.x};
        CHECK(coif_length(coif_sub(posed.normals[i], turned)) < 1e-4f);
    }
}

// Per-strand values give the result of the same constants.
TEST(per_strand_tilt_and_twist_are_used)
{
    const coif_strands strands = lean(40, (coif_vec3){1.0f, 0.0f, 0.0f}, 0.3f);
    const coif_groom groom = groom_of(&strands);
    float turns[40], twists[40];
    for (int i = 0; i < 40; ++i) {
        turns[i] = i % 2 == 0 ? 40.0f : 20.0f;
        twists[i] = i % 4 < 2 ? 100.0f : 50.0f;
    }
    coif_bspline_curves own, plain;
    blades_of(&own, &strands,
              &(coif_ribbon_desc){.groom = &groom, .tilts = turns, .twists = twists});
    for (int which = 0; which < 4; ++which) {
        blades_of(
            &plain, &strands,
            &(coif_ribbon_desc){.groom = &groom, .tilt = turns[which], .twist = twists[which]});
        for (int s = 0; s < 40; ++s) {
            const size_t first = (size_t)(strands.first[s] + 2 * s);
            const bool same = memcmp(own.normals + first, plain.normals + first,
                                     sizeof(coif_vec3) * (POINTS + 2)) == 0;
            CHECK(same == (s % 4 == which));
        }
    }
}

TEST(only_ribbons_have_normals)
{
    const coif_strands strands = lean(3, (coif_vec3){1.0f, 0.0f, 0.0f}, 0.3f);
    coif_error error = {0};
    for (int kind = 0; kind < COIF_CURVE_RIBBON; ++kind) {
        coif_bspline_curves curves;
        CHECK_OK(coif_bspline_curves_init(&curves, &strands, (coif_curve_kind)kind, &arena, NULL,
                                          &error),
                 error);
        CHECK(curves.normals == NULL);
    }
}

// Ribbons on a ball in a uniform environment of radiance 1.
static double ribbon_radiance(const coif_hair_params *leaf)
{
    coif_strands strands;
    coif_bspline_curves curves;
    coif_hair_material fibre;
    coif_mesh ball;
    coif_error error = {0};
    ball_strands(&strands, 600, 8, &arena);
    for (int32_t i = 0; i < strands.point_count; ++i) {
        strands.points[i].w = 0.02f * (1.0f - 0.9f * (float)(i % 8) / 7.0f);
    }
    const coif_groom groom = groom_of(&strands);
    blades_of(&curves, &strands,
              &(coif_ribbon_desc){.groom = &groom, .tilt = 72.0f, .twist = 108.0f});
    coif_hair_material_init(&fibre, leaf, COIF_WORKING_REC709);
    ball_mesh(&ball, 0.99f, &arena);
    const coif_surface_material material = {
        .surface = {.color = {1.0f, 1.0f, 1.0f}, .roughness = 1.0f}};
    const coif_geometry shapes[] = {
        {.curves = &curves, .strands = &strands, .hair_material = &fibre},
        {.mesh = &ball, .materials = &material}};
    furnace_scene furnace;
    furnace_scene_init(&furnace, shapes, 2, &arena);

    coif_film film;
    coif_aovs aovs;
    CHECK_OK(coif_aovs_select(&aovs, &(coif_aovs_desc){.names = "mask"}, &arena, &error), error);
    coif_film_init(&film, &(coif_film_desc){.width = 16, .height = 16, .aovs = &aovs}, &arena);
    const coif_sampling_params sampling = {.samples = 256, .filter = COIF_FILTER_BOX};
    const coif_tile_pass tiles = {.scene = &furnace.scene, .sampling = &sampling};
    CHECK_OK(coif_tiles_render_pass(&film, &tiles, NULL, NULL, &error), error);
    double light = 0.0, strand = 0.0;
    for (int i = 0; i < 256; ++i) {
        const double *sums = coif_film_sums(&film, (size_t)i);
        light += sums[1] / film.counts[i] / 256.0;
        strand += sums[aovs.offset[COIF_AOV_MASK]] / film.counts[i] / 256.0;
    }
    CHECK(strand > 0.15); // the AOV counts ribbons as hair
    coif_accel_close(furnace.scene.accel);
    return light;
}

TEST(white_leaves_in_a_white_environment_are_invisible)
{
    for (int k = 0; k < 3; ++k) {
        const coif_hair_params leaf = {.ior = 1.55f,
                                       .longitudinal_roughness = 0.3f,
                                       .azimuthal_roughness = 0.3f,
                                       .ribbon_transmission = 0.5f * (float)k,
                                       .ribbon_tint = {1.0f, 1.0f, 1.0f},
                                       .ribbon_roughness = 0.2f + 0.3f * (float)k,
                                       .ribbon_specular = 0.04f,
                                       COIF_HAIR_OPAQUE};
        CHECK_NEAR(ribbon_radiance(&leaf), 1.0, 5e-3);
    }
}
