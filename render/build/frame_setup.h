// shot: one picture of a production: what it is made from, posed, loaded and ready for rays.
#ifndef COIF_RENDER_BUILD_FRAME_SETUP_H
#define COIF_RENDER_BUILD_FRAME_SETUP_H

#include "render/build/cryptomatte_manifest.h"
#include "render/build/render_assets.h"

typedef struct coif_frame_setup {
    int frame;
    coif_image_params image;
    coif_shutter shutter;
    int32_t steps;                     // of bodies and hair: those of the shutter, 1 at rest
    coif_mesh *meshes;                 // steps per body, posed
    coif_surface_material **materials; // one list per body
    coif_lights lights;
    int32_t *mesh_light_groups; // of lights, per body
    coif_aovs aovs;
    coif_rect window;     // what of the picture is wanted
    coif_rect region;     // what is gathered for that
    bool splat;           // samples among pixels
    coif_mesh *poses;     // COIF_MOTION_FRAMES per body; NULL: no motion vectors are asked for
    uint64_t film_digest; // digest of everything that what is gathered depends on
    uint64_t settings;    // digest of everything its pixels depend on
} coif_frame_setup;

// Poses bodies, loads textures, reads settings; strands are only asked for their digest, so that
// pictures which are there already cost little.
coif_status coif_frame_setup_init(coif_frame_setup *shot, coif_render_assets *production, int frame,
                                  coif_arena *arena, coif_error *error);

// Bodies that shine (shot_emitters.c): whether there are any, their groups of lights, and the
// lights themselves once the shapes stand. Instances: the body of each, none when there are no
// copies.
typedef struct coif_instance_map {
    const int32_t *bodies;
    int32_t count;
} coif_instance_map;
bool coif_frame_has_mesh_lights(const coif_frame_setup *shot, const coif_render_assets *production);
coif_status coif_frame_assign_light_groups(coif_frame_setup *shot,
                                           const coif_render_assets *production, coif_arena *arena,
                                           coif_error *error);
void coif_scene_add_mesh_lights(coif_render_scene *stage, const coif_frame_setup *shot,
                                const coif_instance_map *instances, coif_arena *arena);

// Copies of bodies (shot_copies.c), once the shapes stand. Where there are some, every body is a
// group and stands in its own place as the first of them. For Cryptomatte each copy has names of
// its own: NAME/BODY and NAME/GROOM.
coif_status coif_scene_add_instances(coif_render_scene *stage, coif_instance_map *map,
                                     const coif_frame_setup *shot,
                                     const coif_render_assets *production, coif_arena *arena,
                                     coif_error *error);
void coif_scene_name_instances(coif_render_scene *stage, const coif_instance_map *map,
                               const coif_render_assets *production, coif_manifest *names,
                               coif_arena *arena);

// For a picture that got other than the samples it should have.
void coif_frame_setup_set_samples(coif_frame_setup *shot, int32_t samples);

// Sets the stage: strands expanded, curves and hierarchy built. The caller closes stage->accel,
// also after a failure.
coif_status coif_scene_build(coif_render_scene *stage, const coif_frame_setup *shot,
                             coif_render_assets *production, coif_arena *arena, coif_error *error);

#endif
