// What a mesh of a head is taken for: unit, scalp, helpers, hairline. The page of the studio has
// the same proportions (mesh_packet.test.mjs).
#include "tools/preset/head_detect.h"

#include "core/base/arena.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

static coif_arena arena = {.name = "test"};

static float unit_of(float x, float y, float z)
{
    return coif_guess_unit((coif_vec3){x, y, z}).best->scale;
}

TEST(the_unit_is_found_by_the_size_of_a_body_or_of_a_head)
{
    CHECK(unit_of(10.0f, 17.0f, 3.0f) == 0.1f);
    CHECK(unit_of(100.0f, 172.0f, 30.0f) == 0.01f);
    CHECK(unit_of(1000.0f, 1700.0f, 300.0f) == 1e-3f);
    CHECK(unit_of(1e-3f, 1.7e-3f, 3e-4f) == 1e3f);
    CHECK(unit_of(1.0f, 1.8f, 0.3f) == 1.0f);
    CHECK(unit_of(18.0f, 28.0f, 22.0f) == 0.01f);
    CHECK(unit_of(7.0f, 11.0f, 9.0f) == 0.0254f);
    CHECK(!coif_guess_unit((coif_vec3){10.0f, 17.0f, 3.0f}).metres_are_plausible);
    const coif_unit_guess bust = coif_guess_unit((coif_vec3){0.5f, 0.45f, 0.25f});
    CHECK(bust.metres_are_plausible && !bust.is_body);
}

TEST(names_tell_scalps_and_helpers)
{
    CHECK(coif_is_scalp_name("scalp") && coif_is_scalp_name("Head_Scalp") &&
          coif_is_scalp_name("hairCap"));
    CHECK(!coif_is_scalp_name("body") && !coif_is_scalp_name("scal") && !coif_is_scalp_name(""));
    CHECK(coif_is_helper_name("helper-skirt") && coif_is_helper_name("joint-ground"));
    CHECK(!coif_is_helper_name("body") && !coif_is_helper_name("join"));
}

// An ellipsoid of a head, 15 x 22 x 19 cm, of small triangles, with ears around its middle.
static coif_obj head_of(float scale)
{
    enum { FACES = 4000 };
    coif_obj obj = {.position_count = FACES, .face_count = FACES, .corner_count = 3 * FACES};
    obj.positions = coif_arena_new(&arena, FACES, coif_vec3);
    obj.first = coif_arena_new(&arena, FACES + 1, int32_t);
    obj.corners = coif_arena_new(&arena, 3 * FACES, coif_obj_corner);
    for (int32_t i = 0; i < FACES; ++i) {
        const float y = 1.0f - 2.0f * (float)i / (float)(FACES - 1), a = 2.399963f * (float)i;
        const float r = sqrtf(1.0f - y * y), ear = fabsf(y) < 0.2f ? 1.2f : 1.0f;
        obj.positions[i] = (coif_vec3){ear * 0.075f * r * cosf(a) / scale, 0.11f * y / scale,
                                       0.095f * r * sinf(a) / scale};
        obj.first[i + 1] = 3 * (i + 1);
        for (int c = 0; c < 3; ++c) {
            obj.corners[3 * i + c].position = i;
        }
    }
    return obj;
}

TEST(the_hairline_falls_from_the_forehead_to_the_nape_whatever_the_unit)
{
    static const float scales[] = {1.0f, 0.1f, 1000.0f};
    for (int i = 0; i < 3; ++i) {
        const float scale = scales[i];
        const coif_obj obj = head_of(scale);
        float planes[COIF_HAIRLINE_PLANES][4];
        coif_guess_hairline(planes, &obj, NULL, scale);
        const float slope = -planes[0][2], offset = planes[0][3] * scale;
        CHECK(offset + slope * 0.095f > 0.05f && offset + slope * 0.095f < 0.1f);
        CHECK(offset - slope * 0.08f < -0.06f);
        // Ears do not count: the planes at the height of the ears are at the sides of the head.
        for (int side = 1; side <= 2; ++side) {
            const float x = (planes[side][1] * (0.11f - 0.1f) - planes[side][3] * scale);
            CHECK(x > 0.07f && x < 0.08f);
        }
    }
}

TEST(only_the_chosen_faces_count)
{
    coif_obj obj = head_of(1.0f);
    bool *faces = coif_arena_new(&arena, obj.face_count, bool);
    for (int32_t f = 0; f < obj.face_count; ++f) {
        faces[f] = obj.positions[f].y > 0.0f;
    }
    CHECK(coif_face_bounds(&obj, NULL).low.y < -0.1f);
    CHECK(coif_face_bounds(&obj, faces).low.y > 0.0f);
}
