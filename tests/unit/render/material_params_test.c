// Materials and hair colours from scene and MTL parameters.
#include "render/shading/material_params.h"

#include "core/mesh/mtl.h"
#include "render/shading/hair_params.h"
#include "tests/support/test.h"

static coif_arena arena;

// Two texels: the left one red, the right one mid grey in the sRGB curve.
static const char *make_texture(void)
{
    const float pixels[6] = {1.0f, 0.0f, 0.0f, 0.5f, 0.5f, 0.5f};
    const coif_image_desc desc = {.width = 2, .height = 1, .channel_count = 3, .pixels = pixels};
    const char *path = coif_arena_copy_text(&arena, coif_test_path("skin.png"));
    coif_error error = {0};
    CHECK_OK(coif_image_save(path, &desc, &error), error);
    return path;
}

// A triangle whose corners have the same texture coordinates.
static coif_mesh make_mesh(coif_mtl *material, float u)
{
    static int32_t materials[1] = {0};
    static coif_vec2 uvs[3];
    for (int i = 0; i < 3; ++i) {
        uvs[i] = (coif_vec2){u, 0.5f};
    }
    return (coif_mesh){.triangle_count = 1,
                       .uvs = uvs,
                       .materials = materials,
                       .material_count = 1,
                       .material_table = material};
}

static coif_mtl painted(coif_vec3 color, const char *map)
{
    coif_mtl material = coif_mtl_default("skin");
    material.diffuse = color;
    material.diffuse_map = map;
    return material;
}

static coif_node make_node(void)
{
    coif_node node = {0};
    coif_values_init(&node.values, COIF_MATERIAL_SECTION.params, COIF_MATERIAL_SECTION.param_count,
                     &arena);
    return node;
}

static coif_surface_material material_of(coif_mtl *material, const coif_node *node)
{
    coif_texture_cache textures = {.arena = &arena};
    const coif_param_source from = {node, 1.0, &textures, &arena};
    const coif_mesh mesh = make_mesh(material, 0.5f);
    coif_surface_material *materials;
    coif_error error = {0};
    CHECK_OK(coif_surface_materials_init(&materials, &from, &mesh, &error), error);
    return materials[1];
}

static coif_vec3 color_of(coif_mtl *material, const coif_node *node, float u)
{
    coif_texture_cache textures = {.arena = &arena};
    const coif_param_source from = {node, 1.0, &textures, &arena};
    const coif_mesh mesh = make_mesh(material, u);
    coif_surface_material *materials;
    coif_error error = {0};
    CHECK_OK(coif_surface_materials_init(&materials, &from, &mesh, &error), error);
    return coif_material_eval(materials, &mesh, &(coif_surface_coord){0, 0.3f, 0.3f, 0.0f}).color;
}

TEST(diffuse_maps_are_decoded_and_multiplied)
{
    coif_mtl material = painted((coif_vec3){0.5f, 0.5f, 0.5f}, make_texture());
    const coif_node node = make_node();
    const coif_vec3 left = color_of(&material, &node, 0.25f);
    CHECK_NEAR(left.x, 0.5, 1e-3);
    CHECK_NEAR(left.y, 0.0, 1e-3);
    // 128 of 255 is 0.216 of linear light; textures repeat.
    CHECK_NEAR(color_of(&material, &node, 0.75f).y, 0.5 * 0.2159, 1e-3);
    CHECK_NEAR(color_of(&material, &node, 1.75f).y, 0.5 * 0.2159, 1e-3);
    CHECK_NEAR(color_of(&material, &node, -0.25f).y, 0.5 * 0.2159, 1e-3);
}

TEST(black_kd_beside_a_map_means_the_map_alone)
{
    coif_mtl material = painted((coif_vec3){0.0f, 0.0f, 0.0f}, make_texture());
    const coif_node node = make_node();
    CHECK_NEAR(color_of(&material, &node, 0.75f).y, 0.2159, 1e-3);
}

TEST(missing_mtl_map_keeps_the_colour)
{
    coif_mtl material = painted((coif_vec3){0.3f, 0.2f, 0.1f}, "nowhere/at/all.png");
    const coif_node node = make_node();
    CHECK_NEAR(color_of(&material, &node, 0.5f).x, 0.3, 1e-6);
}

TEST(scene_parameters_override_the_mtl_file)
{
    coif_mtl material = painted((coif_vec3){0.3f, 0.2f, 0.1f}, NULL);
    coif_node node = make_node();
    const double numbers[3] = {0.9, 0.8, 0.7};
    const double frames[1] = {0.0};
    coif_value *value = (coif_value *)coif_values_find(&node.values, "color");
    value->given = true;
    value->key_count = 1;
    value->frames = frames;
    value->numbers = numbers;
    CHECK_NEAR(color_of(&material, &node, 0.5f).x, 0.9, 1e-6);
}

// The table in material.h.
TEST(mtl_statements_map_to_parameters_as_documented)
{
    const coif_node node = make_node();
    coif_mtl material = coif_mtl_default("skin");
    CHECK_NEAR(material_of(&material, &node).surface.specular, 0.03, 1e-6);
    CHECK_NEAR(material_of(&material, &node).surface.roughness, 0.5, 1e-6);
    material.specular = (coif_vec3){0.5f, 0.5f, 0.5f};
    material.shininess = 30.0f;
    CHECK_NEAR(material_of(&material, &node).surface.specular, 0.04, 1e-6);
    CHECK_NEAR(material_of(&material, &node).surface.roughness, 0.5, 1e-6);
    material.roughness = 0.2f;
    material.metallic = 0.7f;
    material.sheen = 0.1f;
    material.opacity = 0.25f;
    const coif_surface_material all = material_of(&material, &node);
    CHECK_NEAR(all.surface.roughness, 0.2, 1e-6);
    CHECK_NEAR(all.surface.metallic, 0.7, 1e-6);
    CHECK_NEAR(all.surface.sheen, 0.1, 1e-6);
    CHECK_NEAR(all.transparency, 0.75, 1e-6);
    material.illum = 7;
    material.ior = 1.33f;
    const coif_surface_material glass = material_of(&material, &node);
    CHECK(glass.surface.kind == COIF_SURFACE_DIELECTRIC && glass.transparency == 0.0f);
    CHECK_NEAR(glass.surface.eta, 1.33, 1e-6);
    // Kd does not tint glass set by the scene.
    coif_node glass_node = make_node();
    static const double kind[3] = {COIF_MATERIAL_DIELECTRIC}, frame[1] = {0.0};
    coif_value *type = (coif_value *)coif_values_find(&glass_node.values, "type");
    *type = (coif_value){.given = true, .key_count = 1, .frames = frame, .numbers = kind};
    material = painted((coif_vec3){0.3f, 0.2f, 0.1f}, NULL);
    CHECK_NEAR(material_of(&material, &glass_node).surface.color.x, 1.0, 1e-6);
    material = coif_mtl_default("skin");
    material.illum = 1;
    CHECK_NEAR(material_of(&material, &node).surface.specular, 0.0, 1e-6);
}

// A texture of one colour.
static const char *make_plain(const char *name, float r, float g, float b)
{
    const float pixels[3] = {r, g, b};
    const coif_image_desc desc = {.width = 1, .height = 1, .channel_count = 3, .pixels = pixels};
    const char *path = coif_arena_copy_text(&arena, coif_test_path(name));
    coif_error error = {0};
    CHECK_OK(coif_image_save(path, &desc, &error), error);
    return path;
}

TEST(bump_statement_accepts_normal_and_height_maps)
{
    const coif_node node = make_node();
    coif_mtl material = coif_mtl_default("skin");
    material.bump_map = make_plain("blue.png", 0.5f, 0.5f, 1.0f);
    const coif_surface_material normals = material_of(&material, &node);
    CHECK(normals.maps[COIF_MATERIAL_MAP_NORMAL] != NULL &&
          normals.maps[COIF_MATERIAL_MAP_BUMP] == NULL);
    material.bump_map = make_plain("grey.png", 0.5f, 0.5f, 0.5f);
    material.bump_scale = 2.0f;
    const coif_surface_material heights = material_of(&material, &node);
    CHECK(heights.maps[COIF_MATERIAL_MAP_NORMAL] == NULL &&
          heights.maps[COIF_MATERIAL_MAP_BUMP] != NULL);
    CHECK_NEAR(heights.bump_height, 0.002, 1e-6);
}

static coif_hair_material make_fibre(coif_hair_params params)
{
    params.ior = 1.55f;
    params.longitudinal_roughness = params.azimuthal_roughness = 0.3f;
    coif_hair_material material;
    coif_hair_material_init(&material, &params, COIF_WORKING_REC709);
    return material;
}

static coif_vec3 absorption_at(const coif_hair_material *material, uint32_t random, float position)
{
    const coif_strand_color strand =
        coif_hair_material_strand(material, &(coif_strand_variation){.random = random});
    return coif_hair_material_absorption(material, &strand, position);
}

TEST(albedo_inversion_round_trips)
{
    const coif_hair_material material = make_fibre((coif_hair_params){
        .color_model = COIF_HAIR_BY_REFLECTANCE, .reflectance = {0.7f, 0.3f, 0.05f}});
    const coif_vec3 back =
        coif_hair_material_color_of(&material, absorption_at(&material, 1, 0.5f));
    CHECK_NEAR(back.x, 0.7, 1e-5);
    CHECK_NEAR(back.y, 0.3, 1e-5);
    CHECK_NEAR(back.z, 0.05, 1e-5);
}

TEST(more_pigment_is_darker_and_tips_fade)
{
    const coif_hair_material blond =
        make_fibre((coif_hair_params){.eumelanin = 0.3f, .tip_lightening = 0.5f});
    const coif_hair_material black = make_fibre((coif_hair_params){.eumelanin = 8.0f});
    CHECK(absorption_at(&black, 1, 0.0f).y > 20.0f * absorption_at(&blond, 1, 0.0f).y);
    CHECK_NEAR(absorption_at(&blond, 1, 1.0f).y, 0.5 * absorption_at(&blond, 1, 0.0f).y, 1e-6);
    CHECK(absorption_at(&blond, 1, 0.0f).z > absorption_at(&blond, 1, 0.0f).x);
}

TEST(variation_spreads_strand_colours_as_requested)
{
    const coif_hair_material material = make_fibre(
        (coif_hair_params){.eumelanin = 1.0f, .variation = 0.2f, .grey_fraction = 0.25f});
    int grey = 0;
    float low = 1e9f, high = 0.0f;
    for (uint32_t i = 0; i < 4000; ++i) {
        const float y = absorption_at(&material, i * 2654435761u, 0.0f).y / 0.697f;
        if (y == 0.0f) {
            ++grey;
            continue;
        }
        low = y < low ? y : low;
        high = y > high ? y : high;
    }
    CHECK_NEAR(grey / 4000.0, 0.25, 0.03);
    CHECK_NEAR(low, 0.8, 0.01);
    CHECK_NEAR(high, 1.2, 0.01);
}
