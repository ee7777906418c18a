// shot_emitters: bodies of a shot that shine become lights.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "render/lights/mesh_light.h"
#include "render/build/frame_setup.h"

// Groups of lights must be known before the layers of a picture are chosen.
coif_status coif_shot_join_emitters(coif_shot *shot, const coif_production *production,
                                    coif_arena *arena, coif_error *error)
{
    shot->emitter_groups = coif_arena_new(arena, production->body_count, int32_t);
    for (int32_t i = 0; i < production->body_count; ++i) {
        if (!coif_looks_shine(shot->looks[i], &shot->meshes[i * shot->steps])) {
            continue;
        }
        coif_material_params params;
        coif_node_read(coif_node_at(production->bodies[i].node, "material"), shot->frame, &params);
        COIF_TRY(coif_lights_join(&shot->emitter_groups[i], &shot->lights, params.emission_group,
                                  error));
    }
    return COIF_OK;
}

bool coif_shot_shines(const coif_shot *shot, const coif_production *production)
{
    for (int32_t i = 0; i < production->body_count; ++i) {
        if (production->bodies[i].params.visible &&
            coif_looks_shine(shot->looks[i], &shot->meshes[i * shot->steps])) {
            return true;
        }
    }
    return false;
}

// One light, of a shape where an instance shows it (-1: where it is). Its number plus 1, or 0 when
// nothing of it shines.
static int32_t add_emitter(coif_stage *stage, int32_t shape, int32_t instance, int32_t group,
                           coif_arena *arena)
{
    coif_emitter *emitter = coif_arena_new(arena, 1, coif_emitter);
    const coif_shape *from = &stage->shapes[shape];
    *emitter = (coif_emitter){
        .meshes = from->mesh,
        .steps = from->mesh_steps,
        .looks = from->looks,
        .shape = shape,
        .instance = instance,
    };
    if (instance >= 0 && stage->placements[instance * stage->placement_steps].moved) {
        emitter->path = &stage->placements[instance * stage->placement_steps];
        emitter->path_steps = stage->placement_steps;
    }
    coif_emitter_prepare(emitter, arena);
    if (!(emitter->power > 0.0f)) {
        return 0;
    }
    stage->lights.lights[stage->lights.count++] =
        (coif_light){.type = COIF_LIGHT_MESH, .group = group, .emitter = emitter};
    stage->lights.emitters = true;
    return stage->lights.count;
}

void coif_shot_light_bodies(coif_stage *stage, const coif_shot *shot,
                            const coif_instance_map *instances, coif_arena *arena)
{
    const int32_t most = stage->shape_count + instances->count;
    coif_light *lights = coif_arena_new(arena, stage->lights.count + most, coif_light);
    for (int32_t i = 0; i < stage->lights.count; ++i) {
        lights[i] = stage->lights.lights[i];
    }
    stage->lights.lights = lights;
    int32_t *lamps = instances->count > 0 ? coif_arena_new(arena, instances->count, int32_t) : NULL;
    for (int32_t i = 0; i < stage->shape_count; ++i) {
        coif_shape *shape = &stage->shapes[i];
        if (shape->mesh == NULL || !coif_looks_shine(shape->looks, shape->mesh)) {
            continue;
        }
        const int32_t body = (int32_t)(shape->mesh - shot->meshes) / shot->steps;
        if (instances->count == 0) {
            shape->lamp = add_emitter(stage, i, -1, shot->emitter_groups[body], arena);
        }
        for (int32_t k = 0; k < instances->count; ++k) {
            if (instances->bodies[k] == body) {
                lamps[k] = add_emitter(stage, i, k, shot->emitter_groups[body], arena);
            }
        }
    }
    stage->lamps = lamps;
}
