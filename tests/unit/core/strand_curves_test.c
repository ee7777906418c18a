// Strands as curves of archives.
#include "core/hair/formats/strand_curves.h"

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/hair/formats/strand_file.h"
#include "tests/support/test.h"

TEST(bspline_passes_through_the_points)
{
    coif_arena arena;
    coif_error error = {0};
    coif_strands strands;
    const int32_t lengths[] = {2, 6, 3};
    coif_arena_init(&arena, "strand curves test");
    CHECK_OK(coif_strands_init(&strands, lengths, 3, &arena, &error), error);
    for (int32_t i = 0; i < strands.point_count; ++i) {
        strands.points[i] =
            (coif_vec4){sinf((float)i), 0.1f * (float)i, cosf(3.0f * (float)i), 0.1f};
    }
    const coif_archive_curves curves = coif_strands_bspline(&strands, &arena);
    CHECK(curves.basis == COIF_BASIS_BSPLINE && curves.pinned && curves.point_count == 11);
    for (int32_t s = 0; s < 3; ++s) {
        const coif_vec3 *c = curves.points + strands.first[s];
        for (int32_t i = 0; i < lengths[s]; ++i) {
            // Knots of a uniform cubic B-spline; the ends are pinned to their control points.
            const bool end = i == 0 || i == lengths[s] - 1;
            const coif_vec3 p =
                end ? c[i]
                    : coif_scale(coif_add(coif_mad(c[i - 1], 4.0f, c[i]), c[i + 1]), 1.0f / 6.0f);
            const coif_vec3 q = coif_vec4_xyz(strands.points[strands.first[s] + i]);
            CHECK_NEAR((double)coif_length(coif_sub(p, q)), 0.0, 1e-6);
        }
    }
    coif_arena_free(&arena);
}

// Strands of a USD file with one curve of five control points on a line, at 0, 1, 2, 4 and 8.
static coif_strands load_spline(const char *basis, const char *wrap, coif_arena *arena)
{
    coif_error error = {0};
    const coif_hair_import import = {.scale = 1.0f};
    const char *path = coif_arena_copy_text(arena, coif_test_path("spline.usda"));
    const char *text = coif_arena_print(
        arena,
        "#usda 1.0\n( metersPerUnit = 1 )\ndef BasisCurves \"c\" { uniform token basis = \"%s\"\n"
        "uniform token wrap = \"%s\" int[] curveVertexCounts = [5]\n"
        "point3f[] points = [(0,0,0), (0,1,0), (0,2,0), (0,4,0), (0,8,0)]\n"
        "float[] widths = [1, 2, 3, 4, 5] ( interpolation = \"vertex\" ) }\n",
        basis, wrap);
    coif_strand_file file = {.groups = NULL};
    CHECK_OK(coif_file_save(path, text, strlen(text), &error), error);
    CHECK_OK(coif_strand_archive_load(&file, path, &import, arena, &error), error);
    return file.strands;
}

static void check_heights(const coif_strands *strands, const float *heights, int32_t count,
                          float radius)
{
    CHECK(strands->point_count == count && strands->points[0].w == radius);
    for (int32_t i = 0; i < count && i < strands->point_count; ++i) {
        CHECK_NEAR((double)strands->points[i].y, (double)heights[i], 1e-6);
    }
}

TEST(only_pinned_splines_reach_their_outer_control_points)
{
    const float through[] = {0, 1, 2, 4, 8}, inner[] = {1, 2, 4};
    const float pinned[] = {0, 1, 13.0f / 6.0f, 26.0f / 6.0f, 8};
    coif_arena arena;
    coif_arena_init(&arena, "strand curves test");
    coif_strands strands = load_spline("catmullRom", "pinned", &arena);
    check_heights(&strands, through, 5, 0.5f);
    strands = load_spline("catmullRom", "nonperiodic", &arena);
    check_heights(&strands, inner, 3, 1.0f);
    strands = load_spline("bspline", "pinned", &arena);
    check_heights(&strands, pinned, 5, 0.5f);
    strands = load_spline("bspline", "nonperiodic", &arena);
    check_heights(&strands, pinned + 1, 3, 1.0f);
    coif_arena_free(&arena);
}
