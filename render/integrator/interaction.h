// vertex: a place where a path scatters, hair or skin, behind one set of functions.
#ifndef COIF_RENDER_INTEGRATOR_INTERACTION_H
#define COIF_RENDER_INTEGRATOR_INTERACTION_H

#include "render/bsdf/hair_bsdf_x4.h"
#include "render/scene/render_scene.h"

typedef struct coif_interaction {
    bool hair;          // else a surface: skin, or a blade's
    bool strand;        // hair or blade
    float time;         // of the ray that met it, and of those that leave it
    coif_vec3 position; // hair: the centre line
    coif_vec3 normal;

    // Hair: x along the fibre, y towards wo across it, z = x cross y; the section's radius, and the
    // normal at the hit as (y, z).
    coif_vec3 x, y, z;
    float radius;
    float normal_y, normal_z;
    coif_vec3 absorption;
    float sin_o, h;
    bool crowded; // met from so near by that neighbours decide about h
    const coif_hair_material *groom;
    coif_hair_bsdf
        fibre; // points into the vertex where strands have lobes of their own: not for copying
    coif_hair_lobes own;

    coif_surface_bsdf skin;
    float offset;        // skin: how far rays start above it
    int32_t light_index; // skin: the light that it is itself, seen from its front; -1: none
} coif_interaction;

// Where the copy stands that was hit, at a time; NULL for the thing itself.
const coif_transform *coif_scene_hit_transform(coif_transform *mixed,
                                               const coif_render_scene *stage,
                                               const coif_ray_hit *hit, float time);

// What a ray met after so many scatterings.
void coif_interaction_init(coif_interaction *vertex, const coif_render_scene *stage,
                           const coif_ray *ray, const coif_ray_hit *hit, int32_t depth);

// The colour it would be painted with.
coif_vec3 coif_interaction_albedo(const coif_interaction *vertex);

// Value with cosine, and density; directions are in the world and leave the surface.
coif_vec3 coif_interaction_eval(const coif_interaction *vertex, coif_vec3 wi, float *pdf);
// The same for four directions at once, a lane each.
typedef struct coif_interaction_query_x4 {
    coif_lanes x, y, z; // directions
    bool apart;         // hair counts as met at these h across its width, unless it is crowded
    coif_lanes offset;
} coif_interaction_query_x4;
coif_bsdf_values_x4 coif_interaction_eval_x4(const coif_interaction *vertex,
                                             const coif_interaction_query_x4 *tries);
// How much of the value of hair each lobe has: R, TT, TRT, rest.
void coif_interaction_lobe_fractions(const coif_interaction *vertex, coif_vec3 wi,
                                     coif_vec3 shares[COIF_HAIR_LOBES]);
// A direction from three uniform numbers, with its value and density.
coif_vec3 coif_interaction_sample(const coif_interaction *vertex, float u, coif_vec2 v,
                                  coif_vec3 *f, float *pdf);

// A ray that leaves in a direction. Light that goes through a fibre leaves on its far side, in the
// section where it entered: the scattering model is that of the whole fibre, so its own far wall
// must not be met again. Offsets are small parts of the fibre's radius.
coif_ray coif_interaction_spawn_ray(const coif_interaction *vertex, coif_vec3 wi);

#endif
