// Displays and views of an OpenColorIO configuration against closed forms.
#include "core/image/display_transform.h"

#include "core/base/fs.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Two linear spaces that differ by a matrix, and displays with a CDL, a logarithm and a table.
static const char CONFIG[] =
    "ocio_profile_version: 2\n"
    "search_path: \"\"\n"
    "strictparsing: true\n"
    "roles: {scene_linear: plain, default: plain}\n"
    "file_rules:\n"
    "  - !<Rule> {name: Default, colorspace: default}\n"
    "displays:\n"
    "  monitor:\n"
    "    - !<View> {name: Graded, colorspace: graded}\n"
    "    - !<View> {name: Log, colorspace: log}\n"
    "    - !<View> {name: Table, colorspace: table}\n"
    "  projector:\n"
    "    - !<View> {name: Raw, colorspace: plain}\n"
    "active_displays: []\n"
    "active_views: []\n"
    "looks:\n"
    "  - !<Look>\n"
    "    name: dim\n"
    "    process_space: plain\n"
    "    transform: !<CDLTransform> {slope: [0.5, 0.5, 0.5]}\n"
    "colorspaces:\n"
    "  - !<ColorSpace>\n"
    "    name: plain\n"
    "    aliases: [lin_rec709]\n"
    "  - !<ColorSpace>\n"
    "    name: mixed\n"
    "    to_scene_reference: !<MatrixTransform>\n"
    "      matrix: [0.5, 0.25, 0.25, 0, 0, 1, 0, 0, 0.125, 0, 0.875, 0, 0, 0, 0, 1]\n"
    "  - !<ColorSpace>\n"
    "    name: graded\n"
    "    from_scene_reference: !<CDLTransform>\n"
    "      {slope: [1.5, 1, 0.5], offset: [0, 0.1, 0.2], power: [2, 1, 0.5]}\n"
    "  - !<ColorSpace>\n"
    "    name: log\n"
    "    from_scene_reference: !<LogAffineTransform>\n"
    "      {base: 2, lin_side_slope: [1, 1, 1], lin_side_offset: [1, 1, 1]}\n"
    "  - !<ColorSpace>\n"
    "    name: table\n"
    "    from_scene_reference: !<FileTransform> {src: ramp.spi1d, interpolation: linear}\n";

// The curve x^2 by linear interpolation between 0, 1/4, 1/2, 3/4 and 1.
static const char TABLE[] = "Version 1\n"
                            "From 0.0 1.0\n"
                            "Length 5\n"
                            "Components 1\n"
                            "{\n 0.0\n 0.0625\n 0.25\n 0.5625\n 1.0\n}\n";

static const char *write_config(const char *name, const char *config)
{
    coif_error error = {0};
    const char *path = coif_test_path(name), *table = coif_test_path("ramp.spi1d");
    CHECK_OK(coif_file_save(path, config, strlen(config), &error), error);
    CHECK_OK(coif_file_save(table, TABLE, sizeof TABLE - 1, &error), error);
    return path;
}

static void check_view(const char *view, const char *look, const char *space, const float in[3],
                       const double expected[3])
{
    coif_error error = {0};
    const coif_display_desc desc = {.config = write_config("view.ocio", CONFIG),
                                    .display = "monitor",
                                    .view = view,
                                    .look = look,
                                    .color_space = space,
                                    .known_spaces = {"lin_rec709_scene", "lin_rec709"}};
    const coif_display_transform *transform = NULL;
    CHECK_OK(coif_display_transform_open(&transform, &desc, &error), error);
    float pixels[2][4] = {{in[0], in[1], in[2], 0.25f}, {0.0f, 0.0f, 0.0f, 1.0f}};
    if (transform != NULL) {
        CHECK_OK(coif_display_transform_apply(transform, pixels[0], 2, 4, &error), error);
        for (int c = 0; c < 3; ++c) {
            CHECK_NEAR(pixels[0][c], expected[c], 2e-4);
        }
        CHECK(pixels[0][3] == 0.25f && pixels[1][3] == 1.0f);
    }
}

TEST(views_have_the_values_of_their_formulas)
{
    const float in[3] = {0.4f, 0.2f, 0.6f};
    check_view("Graded", NULL, NULL, in, (double[]){0.6 * 0.6, 0.3, sqrt(0.5)});
    check_view("Log", "", "", in, (double[]){log2(1.4), log2(1.2), log2(1.6)});
    // Between two points of the table: 0.4 = 1/4 + 0.6 / 4.
    check_view("Table", NULL, "plain", in,
               (double[]){0.0625 + 0.6 * 0.1875, 0.8 * 0.0625, 0.25 + 0.4 * 0.3125});
    // The default view is the first.
    check_view(NULL, NULL, NULL, in, (double[]){0.6 * 0.6, 0.3, sqrt(0.5)});
}

TEST(the_colour_space_of_the_pixels_is_converted_by_its_matrix)
{
    const float in[3] = {0.4f, 0.2f, 0.6f};
    const double plain[3] = {0.5 * 0.4 + 0.25 * 0.2 + 0.25 * 0.6, 0.2, 0.125 * 0.4 + 0.875 * 0.6};
    check_view("Log", NULL, "mixed", in,
               (double[]){log2(1.0 + plain[0]), log2(1.0 + plain[1]), log2(1.0 + plain[2])});
}

TEST(a_look_acts_before_the_view)
{
    const float in[3] = {0.4f, 0.2f, 0.6f};
    check_view("Log", "dim", NULL, in, (double[]){log2(1.2), log2(1.1), log2(1.3)});
    check_view("Log", "-dim", NULL, in, (double[]){log2(1.8), log2(1.4), log2(2.2)});
}

static void check_fails(coif_display_desc desc, const char *expected)
{
    coif_error error = {0};
    const coif_display_transform *transform = NULL;
    CHECK(coif_display_transform_open(&transform, &desc, &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, expected);
}

TEST(names_that_do_not_exist_list_those_that_do)
{
    coif_display_desc desc = {.config = write_config("names.ocio", CONFIG), .display = "cinema"};
    check_fails(desc, "no display \"cinema\"; expected \"monitor\", \"projector\"");
    desc.display = "monitor";
    desc.view = "Film";
    check_fails(desc, "no view \"Film\"; expected \"Graded\", \"Log\", \"Table\"");
    desc.view = "Log";
    desc.look = "+dim, -warm";
    check_fails(desc, "no look \"warm\"; expected \"dim\"");
    desc.look = NULL;
    desc.color_space = "lin_ap1";
    check_fails(desc, "no colour space \"lin_ap1\"; expected \"plain\", \"mixed\"");
    desc.color_space = NULL;
    desc.known_spaces[0] = "lin_ap1";
    check_fails(desc, "which colour space is the working space? expected one of \"plain\"");
}

TEST(broken_configurations_are_errors)
{
    check_fails(
        (coif_display_desc){.config = write_config("broken.ocio", "ocio_profile_version: [")},
        "broken.ocio: ");
    char missing[sizeof CONFIG];
    memcpy(missing, CONFIG, sizeof CONFIG);
    memcpy(strstr(missing, "ramp.spi1d"), "none", 4);
    check_fails((coif_display_desc){.config = write_config("missing.ocio", missing),
                                    .view = "Table",
                                    .known_spaces = {"plain"}},
                "missing.ocio: ");
    coif_error error = {0};
    const coif_display_transform *transform = NULL;
    CHECK(coif_display_transform_open(&transform, &(coif_display_desc){.config = "/none.ocio"},
                                      &error) == COIF_ERR_IO);
}

TEST(without_a_file_the_environment_names_the_configuration)
{
    coif_error error = {0};
    const coif_display_transform *transform = NULL;
    const coif_display_desc desc = {.known_spaces = {"plain"}};
    unsetenv("OCIO");
    check_fails(desc, "environment variable OCIO");
    setenv("OCIO", write_config("environment.ocio", CONFIG), 1);
    CHECK_OK(coif_display_transform_open(&transform, &desc, &error), error);
    unsetenv("OCIO");
}

TEST(the_digest_follows_the_tables_of_a_configuration)
{
    coif_error error = {0};
    const coif_display_transform *first = NULL, *again = NULL, *other = NULL;
    coif_display_desc desc = {
        .config = write_config("digest.ocio", CONFIG), .view = "Table", .known_spaces = {"plain"}};
    CHECK_OK(coif_display_transform_open(&first, &desc, &error), error);
    CHECK_OK(coif_display_transform_open(&again, &desc, &error), error);
    CHECK(first == again);
    desc.view = "Log";
    CHECK_OK(coif_display_transform_open(&other, &desc, &error), error);
    CHECK(coif_display_transform_digest(first) != coif_display_transform_digest(other));
}
