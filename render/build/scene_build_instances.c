// scene_build_instances: instances of bodies with their hair, and their Cryptomatte names.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "render/build/scene_build.h"
#include "render/scene/render_scene.h"

static const coif_node *list_of(const coif_render_assets *assets)
{
    return coif_node_at(assets->source->scene->root, "instances");
}

static const char *text_of(const coif_node *instance, const char *name)
{
    return coif_values_find(&instance->values, name)->text;
}

// The entry of an instance; NULL for the identity instance of a body.
static const coif_node *entry_of(const coif_render_assets *assets, int32_t instance)
{
    return instance < assets->body_count
               ? NULL
               : &list_of(assets)->children[instance - assets->body_count];
}

static int32_t body_of(const coif_render_assets *assets, int32_t instance)
{
    const coif_node *entry = entry_of(assets, instance);
    if (entry == NULL) {
        return instance;
    }
    const coif_body *body =
        coif_bodies_find(assets->bodies, assets->body_count, text_of(entry, "body"));
    COIF_ASSERT(body != NULL); // the scene was validated
    return (int32_t)(body - assets->bodies);
}

static coif_transform transform_at(const coif_node *entry, double frame)
{
    return entry == NULL ? coif_transform_identity() : coif_instance_transform(entry, frame);
}

coif_status coif_scene_add_instances(coif_render_scene *scene, const coif_frame_setup *setup,
                                     const coif_render_assets *assets, coif_arena *arena,
                                     coif_error *error)
{
    const int32_t entries = list_of(assets)->child_count, steps = setup->shutter.steps;
    const int32_t count = entries > 0 ? assets->body_count + entries : 0;
    const bool motion = coif_aovs_need_motion_frame(&setup->aovs, 0);
    coif_transform *frames =
        motion ? coif_arena_new(arena, COIF_MOTION_FRAMES * count, coif_transform) : NULL;
    coif_transform *path = coif_arena_new(arena, steps, coif_transform);
    for (int32_t i = 0; i < count; ++i) {
        const coif_node *entry = entry_of(assets, i);
        for (int32_t step = 0; step < steps; ++step) {
            path[step] = transform_at(entry, coif_shutter_step(&setup->shutter, step));
        }
        for (int32_t k = 0; k < COIF_MOTION_FRAMES && motion; ++k) {
            frames[COIF_MOTION_FRAMES * i + k] =
                transform_at(entry, coif_motion_frame(setup->frame, k));
        }
        scene->has_motion |= entry != NULL && steps > 1 && coif_params_are_animated(&entry->values);
        COIF_TRY(coif_render_scene_add_instance(scene, body_of(assets, i), path, steps, error));
    }
    scene->instance_motion = frames;
    return COIF_OK;
}

void coif_scene_name_instances(coif_render_scene *scene, const coif_render_assets *assets,
                               coif_manifest *names, coif_arena *arena)
{
    const size_t geometries = (size_t)scene->geometry_count;
    float *ids = coif_arena_new(arena, (size_t)scene->instance_count * geometries, float);
    for (int32_t i = 0; i < scene->instance_count; ++i) {
        const coif_node *entry = entry_of(assets, i);
        const char *name = entry != NULL ? text_of(entry, "name") : NULL;
        if (entry != NULL && (name == NULL || name[0] == '\0')) {
            name = coif_arena_print(arena, "copy%04d", (int)(i - assets->body_count) + 1);
        }
        for (int32_t k = 0; k < scene->geometry_count; ++k) {
            const coif_geometry *geometry = &scene->geometries[k];
            if (geometry->body != scene->instance_groups[i]) {
                continue; // not in this instance
            }
            ids[(size_t)i * geometries + (size_t)k] =
                entry == NULL ? geometry->object_id
                              : coif_manifest_add(
                                    names, coif_arena_print(arena, "%s/%s", name, geometry->name));
        }
    }
    scene->instance_object_ids = ids;
}
