// Hair colour: pigment, bleach, dye, streaks, tips, surface colour and maps.
#include "core/base/arena.h"
#include "core/base/rng.h"
#include "render/shading/clump_id.h"
#include "render/shading/strand_color.h"
#include "tests/support/plugin_node.h"
#include "tests/support/test.h"

static coif_arena arena;

static coif_hair_material make_fibre(coif_hair_params params)
{
    params.ior = 1.55f;
    params.longitudinal_roughness = params.azimuthal_roughness = 0.3f;
    coif_hair_material material;
    coif_hair_material_init(&material, &params, COIF_WORKING_REC709);
    return material;
}

static coif_vec3 color_at(const coif_hair_material *material, float position)
{
    return coif_hair_material_color_of(
        material, coif_hair_material_absorption(material, &material->default_color, position));
}

TEST(dye_on_bleached_hair_has_the_dye_colour)
{
    coif_hair_params params = {
        .eumelanin = 4.0f, .bleach = 1.0f, .dye = {0.1f, 0.5f, 0.7f}, .dye_amount = 1.0f};
    const coif_hair_material bleached = make_fibre(params);
    CHECK_NEAR(color_at(&bleached, 0.5f).x, 0.1, 1e-5);
    CHECK_NEAR(color_at(&bleached, 0.5f).y, 0.5, 1e-5);
    CHECK_NEAR(color_at(&bleached, 0.5f).z, 0.7, 1e-5);

    // On dark hair the same dye is barely visible: it only adds absorption.
    params.bleach = 0.0f;
    const coif_hair_material dyed = make_fibre(params);
    params.dye_amount = 0.0f;
    const coif_hair_material plain = make_fibre(params);
    CHECK(color_at(&dyed, 0.5f).z < color_at(&plain, 0.5f).z);
    CHECK(color_at(&plain, 0.5f).z < 0.01f);
}

TEST(bleach_scales_the_pigment)
{
    const coif_hair_material dark = make_fibre((coif_hair_params){.eumelanin = 2.0f});
    const coif_hair_material half =
        make_fibre((coif_hair_params){.eumelanin = 2.0f, .bleach = 0.5f});
    CHECK_NEAR(half.default_color.root.y, 0.5 * dark.default_color.root.y, 1e-6);
}

TEST(dye_colours_grey_hair)
{
    const coif_hair_material material = make_fibre((coif_hair_params){
        .eumelanin = 2.0f, .grey_fraction = 1.0f, .dye = {0.3f, 0.3f, 0.3f}, .dye_amount = 1.0f});
    CHECK_NEAR(color_at(&material, 0.0f).y, 0.3, 1e-5);
}

TEST(tip_colour_starts_at_its_position_with_its_softness)
{
    const coif_hair_material material =
        make_fibre((coif_hair_params){.eumelanin = 3.0f,
                                      .tip_color = {0.8f, 0.3f, 0.3f},
                                      .tip_amount = 1.0f,
                                      .tip_position = 0.6f,
                                      .tip_softness = 0.2f});
    const coif_vec3 root = coif_hair_material_absorption(&material, &material.default_color, 0.0f);
    const coif_vec3 tip = coif_hair_material_absorption(&material, &material.default_color, 1.0f);
    CHECK_NEAR(root.y, 3.0 * 0.697, 1e-5);
    CHECK_NEAR(color_at(&material, 1.0f).x, 0.8, 1e-5);
    CHECK_NEAR(coif_hair_material_absorption(&material, &material.default_color, 0.49f).y, root.y,
               1e-6);
    CHECK_NEAR(coif_hair_material_absorption(&material, &material.default_color, 0.71f).y, tip.y,
               1e-6);
    CHECK_NEAR(coif_hair_material_absorption(&material, &material.default_color, 0.6f).y,
               0.5 * (root.y + tip.y), 1e-4);

    // Per-strand softness: a quarter of it before the middle, smoothstep gives 5/32.
    coif_hair_params own = material.params;
    own.tip_softness = 0.8f;
    const coif_strand_variation variation = {.random = 0x80000000u, .params = &own};
    const coif_strand_color soft = coif_hair_material_strand(&material, &variation);
    CHECK_NEAR(coif_hair_material_absorption(&material, &soft, 0.4f).y,
               root.y + 0.15625 * (tip.y - root.y), 1e-4);

    // Zero softness is a step, not a division by zero.
    const coif_hair_material hard = make_fibre((coif_hair_params){.eumelanin = 3.0f,
                                                                  .tip_color = {1.0f, 1.0f, 1.0f},
                                                                  .tip_amount = 1.0f,
                                                                  .tip_position = 0.5f});
    CHECK_NEAR(coif_hair_material_absorption(&hard, &hard.default_color, 0.499f).y, 3.0 * 0.697,
               1e-5);
    CHECK_NEAR(coif_hair_material_absorption(&hard, &hard.default_color, 0.501f).y, 0.0, 1e-6);
}

// Strands on a square whose halves have different colours.
enum { COUNT = 4000, LENGTH = 3 };

typedef struct field {
    coif_groom groom;
    coif_mesh mesh;
    coif_surface_material materials[3];
} field;

static field *make_field(void)
{
    field *made = coif_arena_new(&arena, 1, field);
    static coif_vec3 corners[4] = {
        {0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 1.0f}};
    static int32_t indices[6] = {0, 1, 2, 0, 2, 3};
    static coif_vec3 normals[6] = {{0, 1, 0}, {0, 1, 0}, {0, 1, 0},
                                   {0, 1, 0}, {0, 1, 0}, {0, 1, 0}};
    static int32_t materials[2] = {0, 1};
    made->mesh = (coif_mesh){.vertex_count = 4,
                             .positions = corners,
                             .triangle_count = 2,
                             .indices = indices,
                             .normals = normals,
                             .materials = materials,
                             .material_count = 2};
    made->materials[1].surface.color = (coif_vec3){0.8f, 0.6f, 0.4f};
    made->materials[2].surface.color = (coif_vec3){0.1f, 0.1f, 0.1f};

    static int32_t lengths[COUNT];
    for (int32_t s = 0; s < COUNT; ++s) {
        lengths[s] = LENGTH;
    }
    coif_error error = {0};
    CHECK_OK(coif_groom_init(&made->groom, lengths, COUNT, &arena, &error), error);
    for (int32_t s = 0; s < COUNT; ++s) {
        const float x = coif_random_unit(1, (uint64_t)s, 0);
        const float z = coif_random_unit(1, (uint64_t)s, 1);
        const bool first = z <= x;
        made->groom.root_triangle[s] = first ? 0 : 1;
        made->groom.root_barycentric[2 * s] = first ? x - z : x;
        made->groom.root_barycentric[2 * s + 1] = first ? z : z - x;
        made->groom.random[s] = coif_random_word(2, (uint64_t)s, 0);
        for (int32_t k = 0; k < LENGTH; ++k) {
            made->groom.rest.points[LENGTH * s + k] = (coif_vec4){x, 0.1f * (float)k, z, 1e-3f};
        }
    }
    return made;
}

static const coif_section PARTS[] = {{.name = "modifiers"}, {.name = "grooms"}};

static const coif_node *groom_node(void)
{
    static coif_node list = {.section = &PARTS[0]};
    static coif_node node = {.section = &PARTS[1], .children = &list, .child_count = 1};
    return &node;
}

static const coif_strand_color *paint(const field *all, const coif_hair_material *material,
                                      const coif_hair_maps *maps)
{
    const coif_strand_color_desc desc = {.groom = &all->groom,
                                         .node = groom_node(),
                                         .mesh = &all->mesh,
                                         .materials = all->materials,
                                         .maps = maps};
    return coif_strand_colors_compute(material, &desc, &arena);
}

TEST(surface_colour_model_uses_the_body_colour_at_the_root)
{
    const field *all = make_field();
    const coif_hair_material material =
        make_fibre((coif_hair_params){.color_model = COIF_HAIR_BY_SURFACE});
    const coif_strand_color *colors = paint(all, &material, NULL);
    for (int32_t s = 0; s < COUNT; ++s) {
        const coif_vec3 color = coif_hair_material_color_of(&material, colors[s].root);
        CHECK_NEAR(color.y, all->groom.root_triangle[s] == 0 ? 0.6 : 0.1, 1e-4);
    }
}

TEST(streaks_are_whole_clumps_in_the_requested_fraction)
{
    const field *all = make_field();
    const coif_hair_material material =
        make_fibre((coif_hair_params){.eumelanin = 3.0f,
                                      .streak_color = {0.9f, 0.9f, 0.9f},
                                      .streak_fraction = 0.3f,
                                      .streak_amount = 1.0f,
                                      .streak_clump_count = 400});
    const coif_strand_color *colors = paint(all, &material, NULL);
    int32_t locks = 0, strands = 0, mixed = 0;
    for (int32_t s = 0; s < COUNT; ++s) {
        const bool streak = colors[s].root.y < 1.0f;
        const int32_t lock = coif_nearest_clump(&all->groom, s, 400);
        CHECK(lock < 400);
        mixed += streak != (colors[lock].root.y < 1.0f);
        strands += streak;
        locks += s < 400 && streak;
    }
    CHECK(mixed == 0);
    CHECK_NEAR(locks / 400.0, 0.3, 0.07);
    CHECK_NEAR(strands / (double)COUNT, 0.3, 0.08);
    CHECK(coif_clump_count(groom_node(), 300) == 300);
    coif_groom stored = all->groom;
    stored.clump = coif_arena_new(&arena, COUNT, int32_t);
    for (int32_t s = 0; s < COUNT; ++s) {
        stored.clump[s] = s == 9 ? -1 : 7;
    }
    CHECK(coif_clump_of_strand(&stored, 8, 400) == 7);
    CHECK(coif_clump_of_strand(&stored, 9, 400) == coif_nearest_clump(&stored, 9, 400));
}

// Streaks follow the clumps of the last enabled clump modifier.
TEST(streak_clumps_are_those_of_the_last_clump_modifier)
{
    static const coif_param rows[] = {
        {.name = "enabled", .help = "", .unit = "", .type = COIF_PARAM_BOOL, .fallback = {1}}};
    static const plugin_value counts[2][2] = {{{"count", {77}, NULL}, {0}},
                                              {{"count", {55}, NULL}, {0}}};
    coif_plugins *plugins;
    coif_error error = {0};
    CHECK_OK(coif_plugins_open(&plugins, NULL, &arena, &error), error);
    coif_node clumps[2];
    for (int i = 0; i < 2; ++i) {
        clumps[i] = *plugin_node(coif_plugins_find(plugins, "groom.clump"), counts[i], &arena);
        coif_values_init(&clumps[i].values, rows, 1, &arena);
    }
    coif_node list = {.section = &PARTS[0], .children = clumps, .child_count = 2, .list = true};
    const coif_node groom = {.section = &PARTS[1], .children = &list, .child_count = 1};
    CHECK(coif_clump_count(&groom, 300) == 55);
    static const double off[3] = {0, 0, 0};
    clumps[1].values.values[0].given = true;
    clumps[1].values.values[0].numbers = off;
    CHECK(coif_clump_count(&groom, 300) == 77);
    coif_plugins_close(plugins);
}

TEST(maps_give_per_strand_parameters)
{
    const field *all = make_field();
    const coif_hair_material material =
        make_fibre((coif_hair_params){.eumelanin = 0.5f, .bleach = 0.0f});
    static float melanin[COUNT];
    for (int32_t s = 0; s < COUNT; ++s) {
        melanin[s] = (float)(s % 7);
    }
    coif_hair_map item = {offsetof(coif_hair_params, eumelanin), 1, melanin};
    const coif_hair_maps maps = {.count = 1, .items = &item};
    const coif_strand_color *colors = paint(all, &material, &maps);
    for (int32_t s = 0; s < COUNT; ++s) {
        CHECK_NEAR(colors[s].root.y, 0.697 * (s % 7), 1e-5);
    }
}
