#include "render/build/scene_digest.h"

#include "core/base/hash64.h"

uint64_t coif_digest_mesh(uint64_t digest, const coif_mesh *mesh)
{
    const size_t corners = 3 * (size_t)mesh->triangle_count;
    digest =
        coif_hash64_extend(digest, mesh->positions, sizeof(coif_vec3) * (size_t)mesh->vertex_count);
    digest = coif_hash64_extend(digest, mesh->indices, sizeof(int32_t) * corners);
    digest = coif_hash64_extend(digest, mesh->normals, sizeof(coif_vec3) * corners);
    if (mesh->uvs != NULL) {
        digest = coif_hash64_extend(digest, mesh->uvs, sizeof(coif_vec2) * corners);
    }
    if (mesh->materials != NULL) {
        digest = coif_hash64_extend(digest, mesh->materials, sizeof(int32_t) * (corners / 3));
    }
    return digest;
}

// Without the padding after its last number, whose bytes are indeterminate.
enum { SURFACE_BYTES = offsetof(coif_surface, eta) + sizeof(float) };
_Static_assert(SURFACE_BYTES == 12 * sizeof(float) + 2 * sizeof(coif_vec3) + sizeof(int32_t),
               "surfaces have no padding between their numbers");

uint64_t coif_digest_materials(uint64_t digest, const coif_surface_material *materials,
                               int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        const coif_surface_material *material = &materials[i];
        const int32_t integers[] = {(int32_t)material->wrap, material->flip_green,
                                    material->is_shadow_catcher};
        const float floats[] = {material->normal_strength, material->bump_height,
                                material->transparency,    material->emission.x,
                                material->emission.y,      material->emission.z};
        const uint64_t emission =
            material->emission_map != NULL ? material->emission_map->digest : 0;
        digest = coif_hash64_extend(digest, &emission, sizeof emission);
        digest = coif_hash64_extend(digest, &material->surface, SURFACE_BYTES);
        digest = coif_hash64_extend(digest, integers, sizeof integers);
        digest = coif_hash64_extend(digest, floats, sizeof floats);
        for (int map = 0; map < COIF_MATERIAL_MAP_COUNT; ++map) {
            const uint64_t texture = material->maps[map] != NULL ? material->maps[map]->digest : 0;
            digest = coif_hash64_extend(digest, &texture, sizeof texture);
        }
    }
    return digest;
}

// Textures are loaded with the materials, so that changed image files are noticed.
uint64_t coif_digest_textures(uint64_t digest, const coif_texture_cache *textures)
{
    for (const coif_image_texture *texture = textures->first; texture != NULL;
         texture = texture->next) {
        digest = coif_hash64_extend(digest, &texture->digest, sizeof texture->digest);
    }
    return digest;
}
