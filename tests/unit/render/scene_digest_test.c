// Scene digests do not depend on struct padding.
#include "render/build/scene_digest.h"

#include "tests/support/test.h"

#include <string.h>

// A material in memory prefilled with a byte.
static uint64_t digest_over(int byte, float roughness)
{
    coif_surface_material material;
    memset(&material, byte, sizeof material);
    material.surface.color = (coif_vec3){0.1f, 0.2f, 0.3f};
    material.surface.roughness = roughness;
    material.surface.specular = material.surface.metallic = 0.25f;
    material.surface.coat2_roughness = material.surface.coat2_weight = 0.5f;
    material.surface.sheen = material.surface.subsurface = 0.0f;
    material.surface.subsurface_radius = (coif_vec3){0.01f, 0.02f, 0.03f};
    material.surface.translucency = 0.0f;
    material.surface.transmission_tint = (coif_vec3){1.0f, 1.0f, 1.0f};
    material.surface.kind = COIF_SURFACE_LAYERED;
    material.surface.eta = 1.5f;
    material.surface.dielectric_albedo = NULL;
    for (int i = 0; i < COIF_MATERIAL_MAP_COUNT; ++i) {
        material.maps[i] = NULL;
    }
    material.wrap = COIF_WRAP_REPEAT;
    material.normal_strength = material.bump_height = material.transparency = 0.0f;
    material.flip_green = material.is_shadow_catcher = false;
    material.emission = (coif_vec3){0.0f, 0.0f, 0.0f};
    material.emission_map = NULL;
    return coif_digest_materials(7, &material, 1);
}

TEST(padding_is_not_part_of_a_material)
{
    CHECK(digest_over(0x00, 0.5f) == digest_over(0xff, 0.5f));
    CHECK(digest_over(0x00, 0.5f) != digest_over(0x00, 0.25f));
}
