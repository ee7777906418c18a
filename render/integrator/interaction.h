// A path vertex on hair, ribbon or surface: geometry, BSDF and outgoing rays behind one interface.
#ifndef COIF_RENDER_INTEGRATOR_INTERACTION_H
#define COIF_RENDER_INTEGRATOR_INTERACTION_H

#include "render/bsdf/hair_bsdf_x4.h"
#include "render/geometry/triangle.h"
#include "render/scene/render_scene.h"

typedef enum coif_interaction_kind {
    COIF_INTERACTION_SURFACE, // triangle, surface BSDF
    COIF_INTERACTION_RIBBON,  // strand drawn as an oriented ribbon, surface BSDF
    COIF_INTERACTION_FIBRE    // strand, hair BSDF
} coif_interaction_kind;

typedef struct coif_interaction {
    coif_interaction_kind kind;
    float time;         // of the incoming ray and of spawned rays
    coif_vec3 position; // FIBRE: on the centre line
    coif_vec3 normal;

    // FIBRE: x along the fibre, y towards wo across it, z = x cross y; the radius there, and the
    // normal at the hit as (y, z). RIBBON has x and radius.
    coif_vec3 x, y, z;
    float radius;
    float normal_y, normal_z;
    coif_vec3 absorption;
    float sin_o, h;
    coif_ellipse section;
    // Direct light is averaged over this range of h around the hit; 2: over the whole width. 0:
    // none, because touching fibres make h non-uniform, or strands are not filtered.
    float h_window;
    const coif_hair_material *hair_material;
    coif_hair_bsdf hair_bsdf; // may point to local_lobes: do not copy the interaction
    coif_hair_lobes local_lobes;

    // SURFACE and RIBBON.
    coif_surface_bsdf surface_bsdf;
    float ray_offset;    // of spawned rays along the geometric normal
    coif_vec3 lift;      // from the triangle to the smooth surface, for reflected light
    int32_t light_index; // of the mesh light the surface is, seen from its front; -1: none
} coif_interaction;

static inline bool coif_interaction_is_fibre(const coif_interaction *isect)
{
    return isect->kind == COIF_INTERACTION_FIBRE;
}

// Transform of the hit instance at a time; NULL for geometry that is not transformed.
const coif_transform *coif_scene_hit_transform(coif_transform *mixed,
                                               const coif_render_scene *scene,
                                               const coif_ray_hit *hit, float time);

// Depth is the number of scattering events before the hit.
void coif_interaction_init(coif_interaction *isect, const coif_render_scene *scene,
                           const coif_ray *ray, const coif_ray_hit *hit, int32_t depth);

// Shadow terminator on coarse meshes: reflected rays that graze the triangle start on the smooth
// surface that the corner normals describe, where it lies above the triangle, and its tangent plane
// is their horizon. The offset is that of Hanika 2021 ("Hacking the Shadow Terminator"): the mean
// of the projections onto the tangent planes of the corners. Smooth: the interpolated normal at
// that point.
void coif_interaction_lift(coif_interaction *isect, const coif_triangle *triangle, float b1,
                           float b2, coif_vec3 smooth);

// Diffuse colour or hair colour, for the albedo AOV.
coif_vec3 coif_interaction_albedo(const coif_interaction *isect);

// The same for four directions, one per SIMD lane.
typedef struct coif_interaction_query_x4 {
    coif_lanes x, y, z; // directions
    coif_lanes h;       // fibres whose h_window is above 0 are evaluated at these h
} coif_interaction_query_x4;

// A fibre without medulla and of round section, of which four directions are evaluated at once.
bool coif_interaction_is_round_hair(const coif_interaction *isect);

// Four offsets h from uniform numbers, within the window around the offset of the hit.
coif_lanes coif_interaction_window_h(const coif_interaction *isect, coif_lanes u);
coif_bsdf_values_x4 coif_interaction_eval_x4(const coif_interaction *isect,
                                             const coif_interaction_query_x4 *query);

// Fraction of each hair lobe in the BSDF value, R, TT, TRT and residual, averaged over offsets h.
void coif_interaction_lobe_fractions(const coif_interaction *isect, coif_vec3 wi, const float *h,
                                     int count, coif_vec3 fractions[COIF_HAIR_LOBES]);

// BSDF sampling from three uniform numbers, with value and pdf.
coif_vec3 coif_interaction_sample(const coif_interaction *isect, float u, coif_vec2 v, coif_vec3 *f,
                                  float *pdf);

// A ray that leaves in a direction. A ray transmitted through a fibre starts on its far side, in
// the cross section that was hit: the BSDF covers the whole fibre, so its far wall must not be hit
// again. Offsets are small fractions of the fibre's radius.
coif_ray coif_interaction_spawn_ray(const coif_interaction *isect, coif_vec3 wi);

#endif
