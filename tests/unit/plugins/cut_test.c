// groom.cut: hair ends at a modelled surface; invalid surfaces are errors.
#include "core/base/fs.h"
#include "tests/support/head_groom_fixture.h"

static const char *write_text(const char *name, const char *text)
{
    coif_error error = {0};
    CHECK_OK(coif_file_save(coif_test_path(name), text, strlen(text), &error), error);
    return coif_arena_copy_text(&arena, coif_test_path(name));
}

// A wavy sheet at y = 0.2 + x / 4, of 2 x 40 x 40 triangles and quads.
static const char *write_sheet(void)
{
    FILE *file = fopen(coif_test_path("sheet.obj"), "w");
    for (int z = 0; z <= 40; ++z) {
        for (int x = 0; x <= 40; ++x) {
            const double at = 0.02 * (x - 20);
            fprintf(file, "v %g %g %g\n", at, 0.2 + at / 4.0, 0.02 * (z - 20));
        }
    }
    fprintf(file, "vt 0 0\n");
    for (int z = 0; z < 40; ++z) {
        for (int x = 0; x < 40; ++x) {
            const int a = 41 * z + x + 1;
            if (x % 2 == 0) {
                fprintf(file, "f %d/1 %d/1 %d/1 %d/1\n", a, a + 1, a + 42, a + 41);
            } else {
                fprintf(file, "f %d %d %d\nf %d %d %d\n", a, a + 1, a + 42, a, a + 42, a + 41);
            }
        }
    }
    fclose(file);
    return coif_arena_copy_text(&arena, coif_test_path("sheet.obj"));
}

TEST(hair_ends_at_the_surface)
{
    plant_all();
    const plugin_value values[] = {{"mesh", {0}, write_sheet()}, {"randomness", {0}, NULL}, {0}};
    apply("groom.cut", values);
    int32_t cut = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        const coif_vec3 was = before_at(s, POINTS - 1), tip = point_at(s, POINTS - 1);
        if (was.y > 0.2f + was.x / 4.0f + 1e-4f) {
            ++cut;
            CHECK_NEAR(tip.y, 0.2 + tip.x / 4.0, 6e-4); // positions between points lie on a curve
            // The same line, shorter.
            CHECK(coif_dot(coif_normalize(tip), head.normals[s]) > 0.99999f);
        } else {
            CHECK(coif_length(coif_sub(was, tip)) == 0.0f);
        }
    }
    CHECK(cut > 100 && cut < 350);
}

TEST(a_ragged_cut_is_shorter_only)
{
    plant_all();
    const plugin_value values[] = {{"mesh", {0}, write_sheet()}, {"randomness", {0.02}, NULL}, {0}};
    apply("groom.cut", values);
    float shortest = 0.0f;
    for (int32_t s = 0; s < STRANDS; ++s) {
        const coif_vec3 was = before_at(s, POINTS - 1), tip = point_at(s, POINTS - 1);
        CHECK(tip.y < 0.2f + tip.x / 4.0f + 6e-4f);
        if (was.y > 0.2f + was.x / 4.0f + 1e-4f) {
            shortest = fmaxf(shortest, 0.2f + tip.x / 4.0f - tip.y);
        }
    }
    CHECK(shortest > 0.01f && shortest < 0.021f);
}

// 9,000 triangles whose boxes fill the whole grid: with 64 cells per axis there would be more than
// 2^31 pairs of triangle and cell.
TEST(large_triangles_use_a_coarser_grid)
{
    plant_all();
    FILE *file = fopen(coif_test_path("large.obj"), "w");
    fprintf(file, "v -1 0.2 -1\nv 1 0.2 -1\nv 1 0.2 1\nv -1 0.2 1\nv -1 -1 -1\nv 1 1 1\n");
    fprintf(file, "v 1.001 1 1\n");
    for (int i = 0; i < 9000; ++i) {
        fprintf(file, "f 5 6 7\n"); // along an edge of the box, far from the hair
    }
    fprintf(file, "f 1 2 3 4\n");
    fclose(file);
    const plugin_value values[] = {
        {"mesh", {0}, coif_arena_copy_text(&arena, coif_test_path("large.obj"))},
        {"randomness", {0}, NULL},
        {0}};
    apply("groom.cut", values);
    int32_t cut = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        if (before_at(s, POINTS - 1).y > 0.2001f) {
            ++cut;
            CHECK_NEAR(point_at(s, POINTS - 1).y, 0.2, 6e-4);
        }
    }
    CHECK(cut > 100);
}

static void expect(const char *text, coif_status status, const char *part)
{
    const plugin_value values[] = {{"mesh", {0}, write_text("bad.obj", text)}, {0}};
    coif_plugin_instance *instance;
    coif_error error = {0};
    const coif_plugin *cut = coif_plugins_find(head.plugins, "groom.cut");
    CHECK(coif_plugin_instance_open(&instance, plugin_node(cut, values, &arena), 1.0, &arena,
                                    &error) == status);
    CHECK_CONTAINS(error.text, part);
}

TEST(errors_name_file_and_line)
{
    plant_all();
    expect("v 0 0 0\n", COIF_ERR_FORMAT, "bad.obj");
    expect("v 0 0\n", COIF_ERR_FORMAT, "bad.obj: line 1: 2 numbers");
    expect("v 0 0 0\nv 1 0 0\nf 1 2\n", COIF_ERR_FORMAT, "bad.obj");
    expect("v 0 0 0\nf 1 1 9\n", COIF_ERR_FORMAT, "bad.obj: line 2: vertex 9");
    expect("v 0 0 0\nf 1 1 0\n", COIF_ERR_FORMAT, "bad.obj: line 2:");
    const plugin_value nowhere[] = {{"mesh", {0}, "nowhere.obj"}, {0}};
    coif_plugin_instance *instance;
    coif_error error = {0};
    const coif_plugin *cut = coif_plugins_find(head.plugins, "groom.cut");
    CHECK(coif_plugin_instance_open(&instance, plugin_node(cut, nowhere, &arena), 1.0, &arena,
                                    &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "nowhere.obj");
}
