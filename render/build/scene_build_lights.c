// shot_emitters: bodies of a shot that shine become lights.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "render/build/frame_setup.h"
#include "render/lights/mesh_light.h"

// Groups of lights must be known before the layers of a picture are chosen.
coif_status coif_frame_assign_light_groups(coif_frame_setup *shot,
                                           const coif_render_assets *production, coif_arena *arena,
                                           coif_error *error)
{
    shot->mesh_light_groups = coif_arena_new(arena, production->body_count, int32_t);
    for (int32_t i = 0; i < production->body_count; ++i) {
        if (!coif_materials_are_emissive(shot->materials[i], &shot->meshes[i * shot->steps])) {
            continue;
        }
        coif_material_params params;
        coif_node_read(coif_node_at(production->bodies[i].node, "material"), shot->frame, &params);
        COIF_TRY(coif_lights_group_index(&shot->mesh_light_groups[i], &shot->lights,
                                         params.emission_group, error));
    }
    return COIF_OK;
}

bool coif_frame_has_mesh_lights(const coif_frame_setup *shot, const coif_render_assets *production)
{
    for (int32_t i = 0; i < production->body_count; ++i) {
        if (production->bodies[i].params.visible &&
            coif_materials_are_emissive(shot->materials[i], &shot->meshes[i * shot->steps])) {
            return true;
        }
    }
    return false;
}

// One light, of a shape where an instance shows it (-1: where it is). Its number plus 1, or 0 when
// nothing of it shines.
static int32_t add_emitter(coif_render_scene *stage, int32_t shape, int32_t instance, int32_t group,
                           coif_arena *arena)
{
    coif_mesh_light *emitter = coif_arena_new(arena, 1, coif_mesh_light);
    const coif_geometry *from = &stage->geometries[shape];
    *emitter = (coif_mesh_light){
        .meshes = from->mesh,
        .steps = from->mesh_steps,
        .materials = from->materials,
        .geometry = shape,
        .instance = instance,
    };
    if (instance >= 0 &&
        stage->instance_transforms[instance * stage->instance_steps].is_transformed) {
        emitter->path = &stage->instance_transforms[instance * stage->instance_steps];
        emitter->path_steps = stage->instance_steps;
    }
    coif_mesh_light_prepare(emitter, arena);
    if (!(emitter->power > 0.0f)) {
        return 0;
    }
    stage->lights.lights[stage->lights.count++] =
        (coif_light){.type = COIF_LIGHT_MESH, .group = group, .mesh_light = emitter};
    stage->lights.has_mesh_lights = true;
    return stage->lights.count;
}

void coif_scene_add_mesh_lights(coif_render_scene *stage, const coif_frame_setup *shot,
                                const coif_instance_map *instances, coif_arena *arena)
{
    const int32_t most = stage->geometry_count + instances->count;
    coif_light *lights = coif_arena_new(arena, stage->lights.count + most, coif_light);
    for (int32_t i = 0; i < stage->lights.count; ++i) {
        lights[i] = stage->lights.lights[i];
    }
    stage->lights.lights = lights;
    int32_t *lamps = instances->count > 0 ? coif_arena_new(arena, instances->count, int32_t) : NULL;
    for (int32_t i = 0; i < stage->geometry_count; ++i) {
        coif_geometry *shape = &stage->geometries[i];
        if (shape->mesh == NULL || !coif_materials_are_emissive(shape->materials, shape->mesh)) {
            continue;
        }
        const int32_t body = (int32_t)(shape->mesh - shot->meshes) / shot->steps;
        if (instances->count == 0) {
            shape->light_index = add_emitter(stage, i, -1, shot->mesh_light_groups[body], arena);
        }
        for (int32_t k = 0; k < instances->count; ++k) {
            if (instances->bodies[k] == body) {
                lamps[k] = add_emitter(stage, i, k, shot->mesh_light_groups[body], arena);
            }
        }
    }
    stage->instance_lights = lamps;
}
