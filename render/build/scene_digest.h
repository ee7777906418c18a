// scene_digest: digests of what a scene file only names: meshes, materials of MTL files, textures.
#ifndef COIF_RENDER_BUILD_SCENE_DIGEST_H
#define COIF_RENDER_BUILD_SCENE_DIGEST_H

#include "core/mesh/mesh.h"
#include "render/shading/surface_material.h"

// Each extends digest.
uint64_t coif_digest_mesh(uint64_t digest, const coif_mesh *mesh);
uint64_t coif_digest_materials(uint64_t digest, const coif_surface_material *materials,
                               int32_t count);
uint64_t coif_digest_textures(uint64_t digest, const coif_texture_cache *textures);

#endif
