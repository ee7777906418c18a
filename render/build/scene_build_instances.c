// shot_copies: the copies of bodies in a picture, their places and their names.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "render/build/frame_setup.h"

static const coif_node *list_of(const coif_render_assets *production)
{
    return coif_node_at(production->desc->scene->root, "instances");
}

static const char *text_of(const coif_node *instance, const char *row)
{
    return coif_values_find(&instance->values, row)->text;
}

// The entry of an instance; NULL for a body in its own place.
static const coif_node *entry_of(const coif_render_assets *production, int32_t instance)
{
    return instance < production->body_count
               ? NULL
               : &list_of(production)->children[instance - production->body_count];
}

static int32_t body_of(const coif_render_assets *production, int32_t instance)
{
    const coif_node *entry = entry_of(production, instance);
    if (entry == NULL) {
        return instance;
    }
    const coif_body *body =
        coif_bodies_find(production->bodies, production->body_count, text_of(entry, "body"));
    COIF_ASSERT(body != NULL); // the scene was checked
    return (int32_t)(body - production->bodies);
}

static coif_transform place_at(const coif_node *entry, double frame)
{
    return entry == NULL ? coif_transform_identity() : coif_instance_transform(entry, frame);
}

coif_status coif_scene_add_instances(coif_render_scene *stage, coif_instance_map *map,
                                     const coif_frame_setup *shot,
                                     const coif_render_assets *production, coif_arena *arena,
                                     coif_error *error)
{
    const int32_t copies = list_of(production)->child_count, steps = shot->shutter.steps;
    const int32_t count = copies > 0 ? production->body_count + copies : 0;
    const bool motion = coif_aovs_need_motion_frame(&shot->aovs, 0);
    coif_transform *all = coif_arena_new(arena, count * steps, coif_transform);
    coif_transform *frames =
        motion ? coif_arena_new(arena, COIF_MOTION_FRAMES * count, coif_transform) : NULL;
    int32_t *bodies = coif_arena_new(arena, count, int32_t);
    stage->instance_transforms = all;
    stage->instance_motion = frames;
    stage->instance_steps = steps;
    *map = (coif_instance_map){bodies, count};
    for (int32_t i = 0; i < count; ++i) {
        const coif_node *entry = entry_of(production, i);
        bodies[i] = body_of(production, i);
        for (int32_t step = 0; step < steps; ++step) {
            all[i * steps + step] = place_at(entry, coif_shutter_step(&shot->shutter, step));
        }
        for (int32_t k = 0; k < COIF_MOTION_FRAMES && motion; ++k) {
            frames[COIF_MOTION_FRAMES * i + k] = place_at(entry, coif_motion_frame(shot->frame, k));
        }
        stage->has_motion |= entry != NULL && steps > 1 && coif_params_are_animated(&entry->values);
        COIF_TRY(coif_accel_add_instance(stage->accel, bodies[i], &all[i * steps], steps, error));
    }
    return COIF_OK;
}

void coif_scene_name_instances(coif_render_scene *stage, const coif_instance_map *map,
                               const coif_render_assets *production, coif_manifest *names,
                               coif_arena *arena)
{
    const size_t shapes = (size_t)stage->geometry_count;
    float *ids = coif_arena_new(arena, (size_t)map->count * shapes, float);
    for (int32_t i = 0; i < map->count; ++i) {
        const coif_node *entry = entry_of(production, i);
        const char *name = entry != NULL ? text_of(entry, "name") : NULL;
        if (entry != NULL && (name == NULL || name[0] == '\0')) {
            name = coif_arena_print(arena, "copy%04d", (int)(i - production->body_count) + 1);
        }
        for (int32_t k = 0; k < stage->geometry_count; ++k) {
            const coif_geometry *shape = &stage->geometries[k];
            if (shape->body != map->bodies[i]) {
                continue; // it is never met there
            }
            ids[(size_t)i * shapes + (size_t)k] =
                entry == NULL
                    ? shape->object_id
                    : coif_manifest_add(names, coif_arena_print(arena, "%s/%s", name, shape->name));
        }
    }
    stage->instance_object_ids = ids;
}
