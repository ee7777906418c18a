// BSDF parameters that vary per strand and along the strand.
#include "render/shading/hair_varying_params.h"

#include "tests/support/render_cache.h"
#include "tests/support/test.h"

static coif_arena arena;

static const coif_node *hair_node(const char *set)
{
    return coif_node_at(&coif_node_at(ball_scene(&set, 1, &arena)->root, "grooms")->children[0],
                        "hair");
}

static coif_hair_material fibre_of(const coif_node *node)
{
    coif_hair_params params;
    coif_hair_material material;
    coif_node_read(node, 1.0, &params);
    coif_hair_material_init(&material, &params, COIF_WORKING_REC709);
    return material;
}

static bool same_lobes(const coif_hair_lobes *a, const coif_hair_lobes *b)
{
    return memcmp(a, b, offsetof(coif_hair_lobes, medulla)) == 0 &&
           a->medulla.radius == b->medulla.radius && a->medulla.blur == b->medulla.blur;
}

TEST(constant_parameters_have_no_varying_params)
{
    CHECK(coif_hair_varying_params_of(hair_node("grooms/0/hair/longitudinal_roughness=0.1"), NULL,
                                      &arena) == NULL);
    // Colour parameters are not fibre parameters.
    float grey[2] = {0.1f, 0.9f};
    coif_hair_map item = {offsetof(coif_hair_params, grey_fraction), 1, grey};
    const coif_hair_maps maps = {.count = 1, .items = &item};
    CHECK(coif_hair_varying_params_of(hair_node("grooms/0/hair/longitudinal_roughness=0.1"), &maps,
                                      &arena) == NULL);
}

TEST(map_value_at_the_root_sets_the_lobes)
{
    static const struct {
        const char *plain;
        uint32_t offset;
        float value;
    } rows[] = {
        {"grooms/0/hair={\"model\": \"fur\", \"ior\": 1.4}", offsetof(coif_hair_params, ior), 1.4f},
        {"grooms/0/hair={\"model\": \"fur\", \"longitudinal_roughness\": 0.5}",
         offsetof(coif_hair_params, longitudinal_roughness), 0.5f},
        {"grooms/0/hair={\"model\": \"fur\", \"azimuthal_roughness\": 0.5}",
         offsetof(coif_hair_params, azimuthal_roughness), 0.5f},
        {"grooms/0/hair={\"model\": \"fur\", \"cuticle_angle\": 4}",
         offsetof(coif_hair_params, cuticle_angle), 4.0f},
        {"grooms/0/hair={\"model\": \"fur\", \"medulla_radius\": 0}",
         offsetof(coif_hair_params, medulla_radius), 0.0f},
    };
    const coif_node *node = hair_node("grooms/0/hair={\"model\": \"fur\"}");
    const coif_hair_material material = fibre_of(node);
    for (size_t i = 0; i < COIF_COUNT_OF(rows); ++i) {
        const float values[2] = {-1e9f, rows[i].value};
        coif_hair_map item = {rows[i].offset, 1, values};
        const coif_hair_maps maps = {.count = 1, .items = &item};
        const coif_hair_varying_params *varying = coif_hair_varying_params_of(node, &maps, &arena);
        CHECK(varying != NULL && !varying->ramped);
        const coif_hair_lobes own = coif_hair_varying_lobes(varying, &material, 1, 0.0f);
        const coif_hair_material expected = fibre_of(hair_node(rows[i].plain));
        CHECK(same_lobes(&own, &expected.lobes));
        CHECK(!same_lobes(&own, &material.lobes));
    }
}

TEST(ramp_scales_along_the_strand_and_clamps_to_the_range)
{
    const coif_node *node = hair_node("grooms/0/hair/azimuthal_roughness={\"value\": 0.3, "
                                      "\"ramp\": [[0, 1], [0.5, 2], [1, 100]]}");
    const coif_hair_material material = fibre_of(node);
    const coif_hair_varying_params *varying = coif_hair_varying_params_of(node, NULL, &arena);
    CHECK(varying != NULL && varying->ramped);
    static const char *const expected[] = {"grooms/0/hair/azimuthal_roughness=0.3",
                                           "grooms/0/hair/azimuthal_roughness=0.6",
                                           "grooms/0/hair/azimuthal_roughness=1"};
    for (int i = 0; i < 3; ++i) {
        const coif_hair_lobes own = coif_hair_varying_lobes(varying, &material, 7, 0.5f * (float)i);
        const coif_hair_material plain = fibre_of(hair_node(expected[i]));
        CHECK(same_lobes(&own, &plain.lobes));
    }
}

// Rough hair is paler: the absorption that gives a reflectance depends on the roughness.
TEST(reflectance_is_independent_of_the_roughness)
{
    const coif_hair_material material =
        fibre_of(hair_node("grooms/0/hair={\"color_model\": \"reflectance\"}"));
    const coif_hair_material rough = fibre_of(hair_node(
        "grooms/0/hair={\"color_model\": \"reflectance\", \"azimuthal_roughness\": 0.8}"));
    coif_hair_params own = material.params;
    own.azimuthal_roughness = 0.8f;
    const coif_strand_variation variation = {.random = 0x80000000u, .params = &own};
    const coif_strand_color strand = coif_hair_material_strand(&material, &variation);
    CHECK_NEAR(strand.root.x / rough.default_color.root.x, 1.0, 1e-5);
    CHECK_NEAR(strand.tip.z / rough.default_color.tip.z, 1.0, 1e-5);
    CHECK(strand.root.x > 1.2f * material.default_color.root.x);
}

// Map values of even and odd strands.
static float map_values[2];

static coif_status eval_map(const coif_map_query *query, float *values, coif_error *error)
{
    (void)error;
    for (int32_t s = 0; s < query->count; ++s) {
        values[s] = map_values[s % 2];
    }
    return COIF_OK;
}

static const coif_image *render_image(const char *set, bool mapped)
{
    const char *const sets[] = {"image/write_aovs=false", "image/samples=4", set};
    coif_error error = {0};
    coif_image *image = coif_arena_new(&arena, 1, coif_image);
    const coif_scene *scene = ball_scene(sets, 3, &arena);
    const coif_node *hair = coif_node_at(&coif_node_at(scene->root, "grooms")->children[0], "hair");
    if (mapped) { // the test scene has no maps; the name is set directly
        coif_value *values = hair->values.values;
        values[coif_values_find(&hair->values, "longitudinal_roughness") - values].map = "any";
    }
    ball_cache(&arena);
    coif_render_desc desc = ball_render_desc(scene);
    desc.overwrite = true;
    desc.source.eval_map = eval_map;
    CHECK_OK(ball_render(&desc, 1, &arena, &error), error);
    CHECK_OK(coif_image_load(image, coif_test_path("render0001.exr"), &arena, &error), error);
    return image;
}

static bool same_images(const coif_image *a, const coif_image *b)
{
    const size_t count = (size_t)a->width * (size_t)a->height * (size_t)a->channel_count;
    return memcmp(a->pixels, b->pixels, count * sizeof *a->pixels) == 0;
}

// A constant map or ramp gives the image of the constant bit for bit; other values do not.
TEST(rendered_image_shows_varying_roughness)
{
    static const char PLAIN[] = "grooms/0/hair/longitudinal_roughness=0.4";
    const coif_image *plain = render_image(PLAIN, false);
    map_values[0] = map_values[1] = 0.4f;
    CHECK(same_images(plain, render_image(PLAIN, true)));
    map_values[1] = 0.1f;
    CHECK(!same_images(plain, render_image(PLAIN, true)));
    CHECK(same_images(
        plain,
        render_image(
            "grooms/0/hair/longitudinal_roughness={\"value\": 0.4, \"ramp\": [[0, 1], [1, 1]]}",
            false)));
    CHECK(!same_images(
        plain,
        render_image(
            "grooms/0/hair/longitudinal_roughness={\"value\": 0.4, \"ramp\": [[0, 1], [1, 0.2]]}",
            false)));
}

// A ramp of ones changes no bit, another one does, for every pigment parameter.
LONG_TEST(rendered_image_shows_pigment_ramps)
{
    static const char *const rows[] = {
        "eumelanin",  "pheomelanin", "variation",       "grey_fraction", "bleach",
        "dye_amount", "tip_amount",  "streak_fraction", "streak_amount", "tip_lightening"};
    for (size_t i = 0; i < COIF_COUNT_OF(rows); ++i) {
        const coif_image *images[3];
        for (int k = 0; k < 3; ++k) {
            static const char *const ramps[] = {"", ", \"ramp\": [[0, 1], [1, 1]]",
                                                ", \"ramp\": [[0, 1], [0.5, 0.1]]"};
            // All parameters are non-zero; one has the ramp.
            const char *set = "grooms/0/hair={";
            for (size_t other = 0; other < COIF_COUNT_OF(rows); ++other) {
                set = coif_arena_print(&arena, "%s\"%s\": {\"value\": 0.6%s}%s", set, rows[other],
                                       other == i ? ramps[k] : "",
                                       other + 1 < COIF_COUNT_OF(rows) ? ", " : "}");
            }
            images[k] = render_image(set, false);
        }
        CHECK(same_images(images[0], images[1]));
        CHECK(!same_images(images[0], images[2]));
    }
}

// The same for colour parameters.
TEST(rendered_image_shows_colour_ramps)
{
    static const char *const rows[][2] = {
        {"reflectance", "\"color_model\": \"reflectance\""},
        {"absorption", "\"color_model\": \"absorption\""},
        {"dye", "\"dye_amount\": 0.5"},
        {"streak_color", "\"streak_fraction\": 0.8"},
        {"tip_color", "\"tip_amount\": 0.8"},
        {"ribbon_tint", "\"curve_type\": \"ribbon\", \"ribbon_transmission\": 0.8"}};
    for (size_t i = 0; i < COIF_COUNT_OF(rows); ++i) {
        const coif_image *images[3];
        for (int k = 0; k < 3; ++k) {
            static const char *const ramps[] = {"", ", \"ramp\": [[0, 1], [1, 1]]",
                                                ", \"ramp\": [[0, 1], [0.5, 0.1]]"};
            images[k] = render_image(
                coif_arena_print(&arena,
                                 "grooms/0/hair={%s, \"%s\": {\"value\": [0.6, 0.5, 0.3]%s}}",
                                 rows[i][1], rows[i][0], ramps[k]),
                false);
        }
        CHECK(same_images(images[0], images[1]));
        CHECK(!same_images(images[0], images[2]));
    }
}

// Grey roots: white at the root and dark beyond a length that differs per strand.
TEST(grey_ramp_gives_grey_roots)
{
    static const float falling[] = {0.0f, 1.0f, 1.0f, 0.0f};
    const coif_value ramp = {.ramp_count = 2, .ramp = falling};
    coif_varying_param row = {
        offsetof(coif_hair_params, grey_fraction), 1, 0.0f, 1.0f, NULL, &ramp};
    coif_strand_variation variation[200];
    for (uint32_t s = 0; s < 200; ++s) {
        variation[s] = (coif_strand_variation){.random = 2654435761u * s};
    }
    const coif_strand_color_ramp pigment = {.count = 1, .rows = &row, .variations = variation};
    const coif_hair_material material =
        fibre_of(hair_node("grooms/0/hair={\"eumelanin\": 2, \"grey_fraction\": 1}"));
    for (int i = 0; i <= 4; ++i) {
        int white = 0;
        for (int32_t s = 0; s < 200; ++s) {
            white += coif_strand_color_ramp_at(&pigment, &material, s, 0.25f * (float)i).y == 0.0f;
        }
        CHECK_NEAR(white, 200.0 * (1.0 - 0.25 * i), 25.0);
    }
}
