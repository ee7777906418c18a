#include "render/material.h"

#include "core/arena.h"
#include "core/error.h"
#include "core/log.h"
#include "render/dielectric.h"

#include <string.h>

static const char *const TYPES[] = {"diffuse", "skin", "metal", "dielectric", NULL};

// clang-format off
#define ROW(field, kind, help, unit, fallback, low, high)                                          \
    COIF_ROW(coif_material_params, field, kind, help, unit, fallback, low, high)
static const coif_param ROWS[] = {
    {.name = "type", .help = "diffuse under a coat, skin with two lobes of gloss and fuzz, metal, or glass",
     .unit = "", .type = COIF_PARAM_CHOICE, .offset = offsetof(coif_material_params, type), .choices = TYPES},
    COIF_ROW3(coif_material_params, color, COIF_PARAM_COLOR,
              "of the ground or metal, linear; of light through glass (white if left out); multiplies the texture", "", 0.62, 0.45, 0.37, 0, 1),
    ROW(texture, COIF_PARAM_PATH, "image of the diffuse colour over uv", "", 0, 0, 0),
    ROW(roughness, COIF_PARAM_FLOAT, "of coat, metal or glass: 0 a mirror, 1 no gloss left", "", 0.5, 0, 1),
    ROW(specular, COIF_PARAM_FLOAT, "reflectance of the coat seen straight on; 0 for no coat", "", 0.03, 0, 1),
    ROW(second_roughness, COIF_PARAM_FLOAT, "skin: of its other, wetter lobe", "", 0.3, 0, 1),
    ROW(second_share, COIF_PARAM_FLOAT, "skin: how much of the coat is the second lobe", "", 0.25, 0, 1),
    ROW(sheen, COIF_PARAM_FLOAT, "skin: reflectance of its down, seen along the surface", "", 0.15, 0, 1),
    ROW(eta, COIF_PARAM_FLOAT, "glass: index of refraction of the inside; outside is where triangles face", "", 1.5, 1.01, 4),
};
// clang-format on

const coif_section COIF_MATERIAL_SECTION = {
    .name = "material",
    .help = "what a body looks like; rows left out come from its MTL file",
    .form = COIF_SECTION_OBJECT,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
};

// A texture the scene names must be there; one that an MTL file names may be missing.
static void load_mtl_texture(coif_look *look, const char *path, coif_textures *textures)
{
    coif_error ignored = {0};
    if (coif_textures_load(&look->texture, textures, path, &ignored) != COIF_OK) {
        coif_log(COIF_LOG_WARNING, "texture left out: %s", ignored.text);
        look->texture = NULL;
    }
}

static bool is_black(coif_vec3 c)
{
    return c.x == 0.0f && c.y == 0.0f && c.z == 0.0f;
}

static coif_look from_mtl(const coif_material *material, const coif_look *fallback,
                          const coif_reading *from)
{
    coif_look look = *fallback;
    const bool own_color = coif_reading_given(from, "color");
    const bool own_texture = coif_reading_given(from, "texture");
    if (!own_color) {
        look.surface.color = material->diffuse;
    }
    if (!own_texture && material->diffuse_map != NULL) {
        load_mtl_texture(&look, material->diffuse_map, from->textures);
        // Many programs write Kd 0 beside a texture and mean the texture alone.
        if (look.texture != NULL && !own_color && is_black(look.surface.color)) {
            look.surface.color = (coif_vec3){1.0f, 1.0f, 1.0f};
        }
    }
    return look;
}

static coif_surface surface_of(const coif_material_params *params, const coif_reading *from)
{
    coif_surface surface = {
        .color = {params->color[0], params->color[1], params->color[2]},
        .roughness = params->roughness,
        .specular = params->specular,
    };
    switch ((coif_material_type)params->type) {
    case COIF_MATERIAL_DIFFUSE:
        break;
    case COIF_MATERIAL_SKIN:
        surface.second_roughness = params->second_roughness;
        surface.second_share = params->second_share;
        surface.sheen = params->sheen;
        break;
    case COIF_MATERIAL_METAL:
        surface.metallic = 1.0f;
        break;
    case COIF_MATERIAL_DIELECTRIC: {
        float *energy = coif_arena_new(from->arena, COIF_DIELECTRIC_ENERGY, float);
        coif_dielectric_energy(energy, params->eta);
        surface.kind = COIF_SURFACE_DIELECTRIC;
        surface.eta = params->eta;
        surface.energy = energy;
        if (!coif_reading_given(from, "color")) {
            surface.color = (coif_vec3){1.0f, 1.0f, 1.0f};
        }
        break;
    }
    }
    return surface;
}

coif_status coif_looks_init(coif_look **looks, const coif_reading *from, const coif_mesh *mesh,
                            coif_error *error)
{
    coif_material_params params;
    coif_node_read(from->node, from->frame, &params);
    *looks = coif_arena_new(from->arena, mesh->material_count + 1, coif_look);
    coif_look *first = *looks;
    first->surface = surface_of(&params, from);
    if (params.texture != NULL && params.texture[0] != '\0') {
        COIF_TRY(coif_textures_load(&first->texture, from->textures, params.texture, error));
    }
    for (int32_t i = 0; i < mesh->material_count; ++i) {
        first[i + 1] = from_mtl(&mesh->material_table[i], first, from);
    }
    // A texture of its own shows its own colours unless the scene also gives one to multiply with.
    if (first->texture != NULL && !coif_reading_given(from, "color")) {
        for (int32_t i = 0; i <= mesh->material_count; ++i) {
            first[i].surface.color = (coif_vec3){1.0f, 1.0f, 1.0f};
        }
    }
    return COIF_OK;
}

coif_look *coif_looks_clay(const coif_mesh *mesh, coif_arena *arena)
{
    coif_look *looks = coif_arena_new(arena, mesh->material_count + 1, coif_look);
    for (int32_t i = 0; i <= mesh->material_count; ++i) {
        looks[i].surface =
            (coif_surface){.color = {0.5f, 0.5f, 0.5f}, .roughness = 0.6f, .specular = 0.02f};
    }
    return looks;
}

coif_surface coif_look_at(const coif_look *looks, const coif_mesh *mesh, int32_t triangle, float b1,
                          float b2)
{
    const int32_t material = mesh->materials != NULL ? mesh->materials[triangle] : -1;
    const coif_look *look = &looks[material < mesh->material_count ? material + 1 : 0];
    coif_surface surface = look->surface;
    if (look->texture != NULL && mesh->uvs != NULL) {
        const coif_vec2 *uv = mesh->uvs + 3 * (size_t)triangle;
        const float b0 = 1.0f - b1 - b2;
        surface.color =
            coif_mul(surface.color,
                     coif_texture_at(look->texture, b0 * uv[0].x + b1 * uv[1].x + b2 * uv[2].x,
                                     b0 * uv[0].y + b1 * uv[1].y + b2 * uv[2].y));
    }
    return surface;
}
