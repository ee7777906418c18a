#include "render/shading/material_params.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "render/bsdf/dielectric.h"
#include "render/film/aov.h"

#include <string.h>

static const char *const TYPES[] = {"standard", "skin", "metal", "dielectric", NULL};
static const char *const WRAPS[] = {"repeat", "clamp", "mirror", NULL};

// clang-format off
#define ROW(...) COIF_PARAM_ROW(coif_material_params, __VA_ARGS__)
#define ROW3(...) COIF_PARAM_ROW3(coif_material_params, __VA_ARGS__)
#define CHOICE(...) COIF_PLUGIN_CHOICE(coif_material_params, __VA_ARGS__)
#define MAP(field, help) ROW(field, COIF_PARAM_PATH, help, "", 0, 0, 0)
static const coif_param ROWS[] = {
    CHOICE(type, "Material model: standard (diffuse base with specular coat), skin (dual-lobe specular, sheen and subsurface scattering), metal, or dielectric (glass).", TYPES, 0),
    ROW3(color, COIF_PARAM_COLOR, "Base colour or metal reflectance, linear; transmission colour of a dielectric; multiplies texture.", "", 0.62, 0.45, 0.37, 0, 1),
    MAP(texture, "Image of the base colour over the UVs; <UDIM> stands for the tile numbers 1001 to 1100, as in all maps."),
    ROW(roughness, COIF_PARAM_FLOAT, "Roughness of the specular reflection; 0 is a mirror.", "", 0.5, 0, 1),
    MAP(roughness_map, "Image that multiplies roughness; read as raw data."),
    ROW(specular, COIF_PARAM_FLOAT, "Specular reflectance at normal incidence; 0 disables the coat.", "", 0.03, 0, 1),
    MAP(specular_map, "Image that multiplies specular; read as raw data."),
    ROW(metallic, COIF_PARAM_FLOAT, "Blend from dielectric base (0) to metal (1).", "", 0, 0, 1),
    MAP(metallic_map, "Image that multiplies metallic; read as raw data."),
    ROW(coat2_roughness, COIF_PARAM_FLOAT, "Roughness of the second specular lobe.", "", 0.3, 0, 1),
    ROW(coat2_weight, COIF_PARAM_FLOAT, "Weight of the second specular lobe.", "", 0.25, 0, 1),
    ROW(sheen, COIF_PARAM_FLOAT, "Reflectance of the sheen lobe at grazing incidence.", "", 0.15, 0, 1),
    MAP(sheen_map, "Image that multiplies sheen; read as raw data."),
    ROW(subsurface, COIF_PARAM_FLOAT, "Fraction of the diffuse light that is scattered below the surface.", "", 1, 0, 1),
    MAP(subsurface_map, "Image that multiplies subsurface; read as raw data."),
    ROW3(subsurface_radius, COIF_PARAM_VEC3, "Mean free path of subsurface scattering for red, green and blue.", "m", 0.0026, 0.001, 0.00046, 0, 10),
    ROW(ior, COIF_PARAM_FLOAT, "Index of refraction of the inside; the outside is where triangles face.", "", 1.5, 1.01, 4),
    ROW(opacity, COIF_PARAM_FLOAT, "Fraction of light that the surface stops; the rest passes straight through.", "", 1, 0, 1),
    MAP(opacity_map, "Image that multiplies opacity: the alpha channel if there is one, else the first channel."),
    MAP(normal_map, "Tangent-space normal map."),
    ROW(normal_strength, COIF_PARAM_FLOAT, "Strength of the normal map.", "", 1, 0, 10),
    ROW(normal_map_flip_green, COIF_PARAM_BOOL, "Flip the green channel of the normal map (DirectX convention).", "", 0, 0, 1),
    MAP(bump_map, "Height map that perturbs the normal."),
    ROW(bump_height, COIF_PARAM_FLOAT, "Height of white above black in the bump map.", "m", 0.001, -1, 1),
    CHOICE(wrap, "Wrap mode of all maps outside 0 to 1; UDIM images do not wrap.", WRAPS, 0),
    ROW3(emission, COIF_PARAM_COLOR, "Emitted radiance of the front side, W/(m^2 sr).", "", 0, 0, 0, 0, 1e9),
    MAP(emission_map, "Image that multiplies emission."),
    ROW(light_group, COIF_PARAM_STRING, "Light group of the emitted light; its AOV is light_NAME.", "", 0, 0, 0),
    ROW(shadow_catcher, COIF_PARAM_BOOL, "The camera sees only the shadows on this body, as alpha, for compositing over a photograph.", "", 0, 0, 1),
};
// clang-format on

static const coif_applies_to APPLIES_TO[] = {
    {"specular specular_map", "type", "standard skin"},
    {"metallic metallic_map", "type", "standard skin metal"},
    {"coat2_roughness coat2_weight sheen sheen_map subsurface subsurface_map subsurface_radius",
     "type", "skin"},
    {"ior", "type", "dielectric"},
    {NULL, NULL, NULL},
};

const coif_section COIF_MATERIAL_SECTION = {
    .name = "material",
    .basic = "color texture roughness specular subsurface",
    .help = "Surface material of a body; keys that are left out come from its MTL file",
    .form = COIF_SECTION_OBJECT,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
    .applies_to = APPLIES_TO,
    .check_text = coif_aov_check_light_group,
};

static bool is_named(const char *path)
{
    return path != NULL && path[0] != '\0';
}

// A texture map: scene keys of the scalar that it multiplies and of its path, and its channels.
typedef struct map_param {
    const char *scalar_key, *map_key;
    size_t path; // offset in coif_material_params
    coif_map_kind kind;
    size_t scalar;    // offset in coif_surface
    int scalar_count; // floats; 0: not a field of the surface
} map_param;

// clang-format off
#define PATH(field) #field, offsetof(coif_material_params, field)
#define SCALAR(field) offsetof(coif_surface, field), sizeof(((coif_surface *)0)->field) / sizeof(float)
static const map_param MAPS[COIF_MATERIAL_MAP_COUNT] = {
    [COIF_MATERIAL_MAP_COLOR] = {"color", PATH(texture), COIF_MAP_COLOR, SCALAR(color)},
    [COIF_MATERIAL_MAP_ROUGHNESS] = {"roughness", PATH(roughness_map), COIF_MAP_SCALAR, SCALAR(roughness)},
    [COIF_MATERIAL_MAP_SPECULAR] = {"specular", PATH(specular_map), COIF_MAP_SCALAR, SCALAR(specular)},
    [COIF_MATERIAL_MAP_METALLIC] = {"metallic", PATH(metallic_map), COIF_MAP_SCALAR, SCALAR(metallic)},
    [COIF_MATERIAL_MAP_SHEEN] = {"sheen", PATH(sheen_map), COIF_MAP_SCALAR, SCALAR(sheen)},
    [COIF_MATERIAL_MAP_SUBSURFACE] = {"subsurface", PATH(subsurface_map), COIF_MAP_SCALAR, SCALAR(subsurface)},
    [COIF_MATERIAL_MAP_OPACITY] = {"opacity", PATH(opacity_map), COIF_MAP_ALPHA, 0, 0},
    [COIF_MATERIAL_MAP_NORMAL] = {"normal_strength", PATH(normal_map), COIF_MAP_VECTOR, 0, 0},
    [COIF_MATERIAL_MAP_BUMP] = {"bump_height", PATH(bump_map), COIF_MAP_SCALAR, 0, 0},
};
// clang-format on

static bool is_set(const coif_param_source *from, const char *row)
{
    return coif_param_is_set(from, row);
}

// A map that the scene names must exist; one that an MTL file names may be missing.
static const coif_texture *load_mtl_map(const char *path, coif_map_kind kind,
                                        const coif_param_source *from)
{
    const coif_texture *atlas = NULL;
    coif_error ignored = {0};
    if (coif_texture_load(&atlas, from->textures, path, kind, &ignored) != COIF_OK) {
        coif_log(COIF_LOG_WARNING, "texture left out: %s", ignored.text);
        return NULL;
    }
    return atlas;
}

static bool is_black(coif_vec3 c)
{
    return c.x == 0.0f && c.y == 0.0f && c.z == 0.0f;
}

static float mean(coif_vec3 c)
{
    return (c.x + c.y + c.z) * (1.0f / 3.0f);
}

static void take_mtl_map(coif_surface_material *material, coif_material_map map, const char *path,
                         const coif_param_source *from)
{
    if (path != NULL && !is_set(from, MAPS[map].map_key)) {
        material->maps[map] = load_mtl_map(path, MAPS[map].kind, from);
    }
}

static void set_dielectric(coif_surface *surface, float eta, coif_arena *arena)
{
    float *albedo = coif_arena_new(arena, COIF_DIELECTRIC_ALBEDO_COUNT, float);
    coif_dielectric_albedo_init(albedo, eta);
    surface->kind = COIF_SURFACE_DIELECTRIC;
    surface->eta = eta;
    surface->dielectric_albedo = albedo;
}

static void take_mtl_color(coif_surface_material *material, const coif_mtl *mtl,
                           const coif_param_source *from)
{
    // Kd is the diffuse colour, which glass that the scene sets does not have.
    const bool scene_maps =
        is_set(from, "color") || material->surface.kind == COIF_SURFACE_DIELECTRIC;
    if (!scene_maps) {
        material->surface.color = mtl->diffuse;
    }
    take_mtl_map(material, COIF_MATERIAL_MAP_COLOR, mtl->diffuse_map, from);
    // Many exporters write Kd 0 beside a texture and mean the texture alone.
    if (material->maps[COIF_MATERIAL_MAP_COLOR] != NULL && !scene_maps &&
        is_black(material->surface.color)) {
        material->surface.color = (coif_vec3){1.0f, 1.0f, 1.0f};
    }
}

static void take_mtl_specular(coif_surface_material *material, const coif_mtl *mtl,
                              const coif_param_source *from)
{
    coif_surface *surface = &material->surface;
    if (!is_set(from, "specular")) {
        if (mtl->specular.x >= 0.0f) {
            surface->specular = 0.08f * coif_clamp(mean(mtl->specular), 0.0f, 1.0f);
        }
        const bool no_coat = mtl->illum == 0 || mtl->illum == 1;
        if (no_coat && mtl->roughness < 0.0f && mtl->metallic < 0.0f) {
            surface->specular = 0.0f;
        }
    }
    if (!is_set(from, "roughness")) {
        if (mtl->roughness >= 0.0f) {
            surface->roughness = coif_clamp(mtl->roughness, 0.0f, 1.0f);
        } else if (mtl->shininess >= 0.0f) {
            surface->roughness = sqrtf(sqrtf(2.0f / (mtl->shininess + 2.0f)));
        }
    }
    if (!is_set(from, "metallic") && !is_set(from, "type") && mtl->metallic >= 0.0f) {
        surface->metallic = coif_clamp(mtl->metallic, 0.0f, 1.0f);
    }
    if (!is_set(from, "sheen") && mtl->sheen >= 0.0f) {
        surface->sheen = coif_clamp(mtl->sheen, 0.0f, 1.0f);
    }
    take_mtl_map(material, COIF_MATERIAL_MAP_SPECULAR, mtl->specular_map, from);
    take_mtl_map(material, COIF_MATERIAL_MAP_ROUGHNESS, mtl->roughness_map, from);
    take_mtl_map(material, COIF_MATERIAL_MAP_METALLIC, mtl->metallic_map, from);
    if (mtl->roughness_map != NULL && mtl->roughness < 0.0f && !is_set(from, "roughness")) {
        surface->roughness = 1.0f;
    }
    if (mtl->metallic_map != NULL && mtl->metallic < 0.0f && !is_set(from, "metallic")) {
        surface->metallic = 1.0f;
    }
}

static void take_mtl_opacity(coif_surface_material *material, const coif_mtl *mtl,
                             const coif_param_source *from)
{
    const bool refracts = mtl->illum == 4 || mtl->illum == 6 || mtl->illum == 7 || mtl->illum == 9;
    if (refracts && mtl->opacity < 1.0f && !is_set(from, "type") && mtl->ior > 1.01f) {
        set_dielectric(&material->surface, coif_clamp(mtl->ior, 1.01f, 4.0f), from->arena);
        if (!is_set(from, "color")) {
            material->surface.color = (coif_vec3){1.0f, 1.0f, 1.0f};
        }
        return;
    }
    if (!is_set(from, "opacity")) {
        material->transparency = 1.0f - mtl->opacity;
    }
    take_mtl_map(material, COIF_MATERIAL_MAP_OPACITY, mtl->opacity_map, from);
}

// Normal maps are mostly blue, with red and green around a half.
static bool is_normal_map(const coif_texture *atlas)
{
    const float *m = atlas->mean;
    return m[2] > 0.7f && fabsf(m[0] - 0.5f) < 0.15f && fabsf(m[1] - 0.5f) < 0.15f;
}

static void take_mtl_bumps(coif_surface_material *material, const coif_mtl *mtl,
                           const coif_param_source *from)
{
    take_mtl_map(material, COIF_MATERIAL_MAP_NORMAL, mtl->normal_map, from);
    if (mtl->bump_map == NULL || is_set(from, "normal_map") || is_set(from, "bump_map")) {
        return;
    }
    const coif_texture *image = load_mtl_map(mtl->bump_map, COIF_MAP_VECTOR, from);
    if (image != NULL && is_normal_map(image)) {
        material->maps[COIF_MATERIAL_MAP_NORMAL] = image;
    } else if (image != NULL) {
        take_mtl_map(material, COIF_MATERIAL_MAP_BUMP, mtl->bump_map, from);
        if (!is_set(from, "bump_height")) {
            material->bump_height = 0.001f * mtl->bump_scale;
        }
    }
}

static coif_surface_material from_mtl(const coif_mtl *mtl, const coif_surface_material *fallback,
                                      const coif_param_source *from)
{
    coif_surface_material material = *fallback;
    take_mtl_color(&material, mtl, from);
    take_mtl_specular(&material, mtl, from);
    take_mtl_opacity(&material, mtl, from);
    take_mtl_bumps(&material, mtl, from);
    if (mtl->clamp && !is_set(from, "wrap")) {
        material.wrap = COIF_WRAP_CLAMP;
    }
    return material;
}

static coif_surface_material material_of(const coif_material_params *params,
                                         const coif_param_source *from)
{
    coif_surface_material material = {
        .surface = {.color = {params->color[0], params->color[1], params->color[2]},
                    .roughness = params->roughness,
                    .specular = params->specular,
                    .metallic = params->metallic},
        .wrap = (coif_wrap)params->wrap,
        .normal_strength = params->normal_strength,
        .flip_green = params->normal_map_flip_green != 0,
        .bump_height = params->bump_height,
        .transparency = 1.0f - params->opacity,
        .is_shadow_catcher = params->shadow_catcher != 0,
    };
    switch ((coif_material_type)params->type) {
    case COIF_MATERIAL_DIFFUSE:
        break;
    case COIF_MATERIAL_SKIN:
        material.surface.coat2_roughness = params->coat2_roughness;
        material.surface.coat2_weight = params->coat2_weight;
        material.surface.sheen = params->sheen;
        material.surface.subsurface = params->subsurface;
        material.surface.subsurface_radius =
            (coif_vec3){params->subsurface_radius[0], params->subsurface_radius[1],
                        params->subsurface_radius[2]};
        break;
    case COIF_MATERIAL_METAL:
        material.surface.metallic = is_set(from, "metallic") ? params->metallic : 1.0f;
        break;
    case COIF_MATERIAL_DIELECTRIC:
        set_dielectric(&material.surface, params->ior, from->arena);
        if (!is_set(from, "color")) {
            material.surface.color = (coif_vec3){1.0f, 1.0f, 1.0f};
        }
        break;
    }
    return material;
}

// A map of the scene replaces the default scalar; it multiplies one that the scene sets.
static void reset_scalar(coif_surface *surface, const map_param *map)
{
    float *scalar = (float *)((char *)surface + map->scalar);
    for (int i = 0; i < map->scalar_count; ++i) {
        scalar[i] = 1.0f;
    }
}

static coif_status load_scene_maps(const coif_texture *scene_maps[COIF_MATERIAL_MAP_COUNT],
                                   const coif_material_params *params,
                                   const coif_param_source *from, const coif_mesh *mesh,
                                   coif_error *error)
{
    for (int i = 0; i < COIF_MATERIAL_MAP_COUNT; ++i) {
        const char *path;
        memcpy(&path, (const char *)params + MAPS[i].path, sizeof path);
        if (is_named(path)) {
            const coif_texture_param row = {MAPS[i].map_key, path, MAPS[i].kind};
            COIF_TRY(coif_texture_load_param(&scene_maps[i], from, &row, mesh, error));
        }
    }
    return COIF_OK;
}

coif_status coif_surface_materials_init(coif_surface_material **materials,
                                        const coif_param_source *from, const coif_mesh *mesh,
                                        coif_error *error)
{
    coif_material_params params;
    coif_node_read(from->node, from->frame, &params);
    *materials = coif_arena_new(from->arena, mesh->material_count + 1, coif_surface_material);
    coif_surface_material *first = *materials;
    *first = material_of(&params, from);
    for (int32_t i = 0; i < mesh->material_count; ++i) {
        first[i + 1] = from_mtl(&mesh->material_table[i], first, from);
    }
    const coif_texture *scene_maps[COIF_MATERIAL_MAP_COUNT] = {NULL};
    COIF_TRY(load_scene_maps(scene_maps, &params, from, mesh, error));
    for (int32_t i = 0; i <= mesh->material_count; ++i) {
        for (int map = 0; map < COIF_MATERIAL_MAP_COUNT; ++map) {
            if (scene_maps[map] != NULL) {
                first[i].maps[map] = scene_maps[map];
                if (!is_set(from, MAPS[map].scalar_key)) {
                    reset_scalar(&first[i].surface, &MAPS[map]);
                }
            }
            first[i].has_maps |= first[i].maps[map] != NULL;
        }
        first[i].surface.color =
            coif_working_from_rec709(from->textures->space, first[i].surface.color);
    }
    return COIF_OK;
}

static bool is_emissive(coif_vec3 c)
{
    return c.x + c.y + c.z > 0.0f;
}

static void take_mtl_emission(coif_surface_material *material, const coif_mtl *mtl,
                              const coif_param_source *from)
{
    material->emission = mtl->emission;
    if (is_emissive(mtl->emission) && mtl->emission_map != NULL) {
        material->emission_map = load_mtl_map(mtl->emission_map, COIF_MAP_COLOR, from);
    }
}

static coif_status read_emission(coif_surface_material *materials, const coif_param_source *from,
                                 const coif_mesh *mesh, coif_error *error)
{
    coif_material_params params;
    coif_node_read(from->node, from->frame, &params);
    if (!coif_param_is_set(from, "emission")) {
        for (int32_t i = 0; i < mesh->material_count; ++i) {
            take_mtl_emission(&materials[i + 1], &mesh->material_table[i], from);
        }
        return COIF_OK;
    }
    const coif_texture *map = NULL;
    const coif_vec3 emission = {params.emission[0], params.emission[1], params.emission[2]};
    if (is_emissive(emission) && is_named(params.emission_map)) {
        const coif_texture_param param = {"emission_map", params.emission_map, COIF_MAP_COLOR};
        COIF_TRY(coif_texture_load_param(&map, from, &param, mesh, error));
    }
    for (int32_t i = 0; i <= mesh->material_count; ++i) {
        materials[i].emission = emission;
        materials[i].emission_map = map;
    }
    return COIF_OK;
}

coif_status coif_materials_read_emission(coif_surface_material *materials,
                                         const coif_param_source *from, const coif_mesh *mesh,
                                         coif_error *error)
{
    COIF_TRY(read_emission(materials, from, mesh, error));
    for (int32_t i = 0; i <= mesh->material_count; ++i) {
        materials[i].emission =
            coif_working_from_rec709(from->textures->space, materials[i].emission);
    }
    return COIF_OK;
}

coif_surface_material *coif_surface_materials_clay(const coif_mesh *mesh, float albedo,
                                                   coif_arena *arena)
{
    coif_surface_material *materials =
        coif_arena_new(arena, mesh->material_count + 1, coif_surface_material);
    for (int32_t i = 0; i <= mesh->material_count; ++i) {
        materials[i].surface =
            (coif_surface){.color = {albedo, albedo, albedo}, .roughness = 0.6f, .specular = 0.02f};
    }
    return materials;
}
