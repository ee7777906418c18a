// unwrap: texture coordinates for meshes without them, and the OBJ files they are saved in.
#include "core/mesh/unwrap.h"

#include "core/base/strbuf.h"
#include "core/mesh/obj_write.h"
#include "tests/support/test.h"

static coif_arena arena;

enum { AROUND = 48, ALONG = 24, SIDE = 1024 };

// A torus whose tube is thick enough to hide itself in every projection, as quads without texture
// coordinates; "inner" faces are those near the axis.
static coif_obj torus(void)
{
    coif_arena_free(&arena);
    coif_arena_init(&arena, "test");
    coif_strbuf text;
    coif_strbuf_init(&text, &arena);
    for (int i = 0; i < AROUND * ALONG; ++i) {
        const double a = 2.0 * M_PI * (i / ALONG) / AROUND, b = 2.0 * M_PI * (i % ALONG) / ALONG;
        const double r = 1.0 + 0.5 * cos(b);
        coif_strbuf_print(&text, "v %.7f %.7f %.7f\n", r * cos(a), 0.5 * sin(b), r * sin(a));
    }
    for (int i = 0; i < AROUND * ALONG; ++i) {
        const int a = i / ALONG, b = i % ALONG, c = (a + 1) % AROUND, d = (b + 1) % ALONG;
        coif_strbuf_print(&text, "g %s\nf %d %d %d %d\n", b >= 6 && b < 18 ? "inner" : "outer",
                          a * ALONG + b + 1, a * ALONG + d + 1, c * ALONG + d + 1,
                          c * ALONG + b + 1);
    }
    coif_obj obj;
    coif_error error = {0};
    CHECK_OK(coif_obj_read(&obj, "torus.obj", text.data, text.size, &arena, &error), error);
    return obj;
}

static double cross2(coif_vec2 a, coif_vec2 b, double x, double y)
{
    return ((double)b.x - (double)a.x) * (y - (double)a.y) -
           ((double)b.y - (double)a.y) * (x - (double)a.x);
}

// Whether a convex face contains a texel's centre with a distance to its edges.
static bool contains(const coif_obj *obj, int32_t face, double x, double y, double distance)
{
    int inside = 0, outside = 0;
    const int32_t first = obj->first[face], end = obj->first[face + 1];
    for (int32_t c = first; c < end; ++c) {
        const coif_vec2 a = obj->uvs[obj->corners[c].uv];
        const coif_vec2 b = obj->uvs[obj->corners[c + 1 < end ? c + 1 : first].uv];
        const double length = hypot((double)(b.x - a.x), (double)(b.y - a.y));
        const double side = cross2(a, b, x, y);
        inside += side > distance * length;
        outside += side < -distance * length;
    }
    return inside == end - first || outside == end - first;
}

static const double TEXEL = 1.0 / SIDE;

// Covers texels by the faces, whose number is stored; returns the number of texels claimed twice.
static int cover(int32_t *owner, const coif_obj *obj)
{
    int twice = 0;
    for (int32_t f = 0; f < obj->face_count; ++f) {
        double low_u = 1.0, high_u = 0.0, low_v = 1.0, high_v = 0.0;
        for (int32_t c = obj->first[f]; c < obj->first[f + 1]; ++c) {
            const coif_vec2 uv = obj->uvs[obj->corners[c].uv];
            low_u = fmin(low_u, (double)uv.x), high_u = fmax(high_u, (double)uv.x);
            low_v = fmin(low_v, (double)uv.y), high_v = fmax(high_v, (double)uv.y);
        }
        CHECK(low_u > 0.0 && high_u < 1.0 && low_v > 0.0 && high_v < 1.0);
        for (int y = (int)(low_v * SIDE); y <= (int)(high_v * SIDE); ++y) {
            for (int x = (int)(low_u * SIDE); x <= (int)(high_u * SIDE); ++x) {
                if (contains(obj, f, (x + 0.5) * TEXEL, (y + 0.5) * TEXEL, 0.2 * TEXEL)) {
                    twice += owner[y * SIDE + x] != 0;
                    owner[y * SIDE + x] = f + 1;
                }
            }
        }
    }
    return twice;
}

TEST(faces_do_not_overlap_and_charts_keep_their_distance)
{
    coif_obj obj = torus();
    const coif_unwrap_desc desc = {.max_angle = 55.0f, .margin = 4.0f / SIDE};
    const coif_unwrap_stats stats = coif_obj_unwrap(&obj, &desc, &arena);
    int32_t *owner = coif_arena_new(&arena, SIDE * SIDE, int32_t);
    CHECK(cover(owner, &obj) == 0);
    CHECK(stats.charts > 4 && stats.charts < 80);
    CHECK(stats.coverage > 0.3 && stats.coverage < 1.0);
    // The margin at the border of the image.
    for (int i = 0; i < SIDE; ++i) {
        CHECK(owner[i] == 0 && owner[SIDE * i] == 0 && owner[SIDE * (SIDE - 1) + i] == 0);
    }
}

TEST(labelled_faces_get_charts_of_their_own_and_more_texels)
{
    coif_obj obj = torus();
    uint8_t *labels = coif_arena_new(&arena, obj.face_count, uint8_t);
    for (int32_t f = 0; f < obj.face_count; ++f) {
        labels[f] = obj.groups[f] == 0;
    }
    const coif_unwrap_desc desc = {
        .max_angle = 55.0f, .margin = 4.0f / SIDE, .labels = labels, .label_scale = 3.0f};
    coif_obj_unwrap(&obj, &desc, &arena);
    int32_t *owner = coif_arena_new(&arena, SIDE * SIDE, int32_t);
    CHECK(cover(owner, &obj) == 0);
    int64_t texels[2] = {0, 0};
    for (int32_t i = 0; i < SIDE * SIDE; ++i) {
        if (owner[i] > 0) {
            ++texels[labels[owner[i] - 1]];
        }
    }
    // The outer half of the torus has more area; enlarged three times it has about 13 times the
    // texels.
    CHECK(texels[0] > 0 && texels[1] > 6 * texels[0]);
}

TEST(an_unwrapped_mesh_is_saved_and_read_again_without_loss)
{
    coif_obj obj = torus();
    const coif_unwrap_desc desc = {.max_angle = 55.0f, .margin = 4.0f / SIDE};
    coif_obj_unwrap(&obj, &desc, &arena);
    const char *path = coif_test_path("torus.obj");
    coif_error error = {0};
    CHECK_OK(coif_obj_save(&obj, path, &error), error);
    coif_obj again;
    CHECK_OK(coif_obj_load(&again, path, &arena, &error), error);
    CHECK(again.face_count == obj.face_count && again.uv_count == obj.uv_count);
    CHECK(memcmp(again.positions, obj.positions,
                 (size_t)obj.position_count * sizeof *obj.positions) == 0);
    CHECK(memcmp(again.uvs, obj.uvs, (size_t)obj.uv_count * sizeof *obj.uvs) == 0);
    CHECK(memcmp(again.corners, obj.corners, (size_t)obj.corner_count * sizeof *obj.corners) == 0);
    for (int32_t f = 0; f < obj.face_count; ++f) {
        CHECK_TEXT(again.group_names.names[again.groups[f]], obj.group_names.names[obj.groups[f]]);
    }
}
