// Grooms of the document: their growth surfaces, roots and groups.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "tools/studio/server/document/studio.h"

#include <string.h>

coif_status coif_studio_groom(const coif_node **groom, const coif_studio *studio, int64_t index,
                              coif_error *error)
{
    const coif_node *grooms = coif_node_at(studio->scene.root, "grooms");
    if (grooms->child_count == 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "the scene has no groom yet: add a body and a groom");
    }
    if (index < 0 || index >= grooms->child_count) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "groom=%lld: the scene has %d grooms",
                         (long long)index, grooms->child_count);
    }
    *groom = &grooms->children[index];
    return COIF_OK;
}

coif_status coif_studio_growth_surface(coif_growth_surface *surface, const coif_studio *studio,
                                       const coif_node *groom, coif_error *error)
{
    return coif_growth_surface_init(surface, studio->bodies, studio->body_count, groom, error);
}

coif_status coif_studio_update_roots(coif_root_preview_state *state, coif_studio *studio,
                                     int32_t groom, coif_error *error)
{
    const coif_node *node;
    coif_growth_surface surface;
    COIF_TRY(coif_studio_groom(&node, studio, groom, error));
    COIF_TRY(coif_studio_growth_surface(&surface, studio, node, error));
    const coif_root_preview_query query = {.surface = &surface,
                                           .groom = node,
                                           .groom_index = groom,
                                           .scene_path = studio->path,
                                           .bodies_digest = studio->bodies_digest,
                                           .scene_revision = studio->text_revision,
                                           .jobs = studio->jobs};
    return coif_root_preview_update(state, studio->roots, &query, error);
}

// Whether a groom of the current scene has that group on that body.
static bool has_group(const coif_studio *studio, const char *body, const char *group)
{
    const coif_node *grooms = coif_node_at(studio->scene.root, "grooms");
    for (int32_t i = 0; i < grooms->child_count; ++i) {
        coif_groom_params params;
        coif_node_read(&grooms->children[i], 0.0, &params);
        if (strcmp(params.body, body) == 0 && strcmp(params.group, group) == 0) {
            return true;
        }
    }
    return false;
}

coif_status coif_studio_check_groups(const coif_studio *studio, const char *text, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "groups");
    coif_scene scene;
    const coif_scene_desc desc = {.path = studio->path,
                                  .tree = studio->tree,
                                  .plugins = &studio->plugins,
                                  .source = text,
                                  .source_size = strlen(text),
                                  .image_overrides = &studio->images,
                                  .guide_overrides = &studio->guides};
    COIF_TRY(coif_scene_load(&scene, &desc, &scratch, error));
    if (coif_node_digest(coif_node_at(scene.root, "bodies"), NULL) != studio->bodies_digest) {
        return COIF_OK;
    }
    const coif_node *grooms = coif_node_at(scene.root, "grooms");
    for (int32_t i = 0; i < grooms->child_count; ++i) {
        coif_growth_surface surface;
        if (coif_studio_growth_surface(&surface, studio, &grooms->children[i], NULL) == COIF_OK &&
            !has_group(studio, surface.params.body, surface.params.group)) {
            COIF_TRY(coif_growth_surface_check(&surface, error));
        }
    }
    return COIF_OK;
}
