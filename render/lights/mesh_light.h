// Mesh light: a mesh with an emissive material, sampled triangle by triangle.
//
// A mesh emits from the front of its triangles, where corners run counter-clockwise. Triangles are
// selected by area times luminance, points on them uniformly. The mesh is a geometry of the BVH as
// well: BSDF samples that hit it add its emission, weighted by MIS against light sampling.
#ifndef COIF_RENDER_LIGHTS_MESH_LIGHT_H
#define COIF_RENDER_LIGHTS_MESH_LIGHT_H

#include "render/geometry/triangle.h"
#include "render/shading/surface_material.h"

typedef struct coif_mesh_light {
    const coif_mesh *meshes; // time steps of one topology
    int32_t steps;
    const coif_surface_material *materials;
    const coif_transform *transforms; // of the instance, transform_steps; NULL: not instanced
    int32_t transform_steps;
    int32_t geometry, instance; // as in coif_ray_hit
    const float *cdf;           // triangle count + 1: cumulative selection probability
    float power;                // luminance times area
    coif_vec3 centroid;         // weighted by power
    float radius2;              // mean square distance from there
    coif_vec3 mean_normal;      // weighted by power, not of unit length: 0 for a closed mesh
} coif_mesh_light;

// Fills what follows from meshes, materials and transforms.
void coif_mesh_light_prepare(coif_mesh_light *mesh_light, coif_arena *arena);

// Estimate of the unoccluded light at a point.
float coif_mesh_light_importance(const coif_mesh_light *mesh_light, coif_vec3 point);

// A light sample as seen from point, pdf per solid angle; pdf 0 when the triangle faces away.
typedef struct coif_mesh_light_sample {
    coif_vec3 direction, radiance;
    float distance, pdf;
} coif_mesh_light_sample;
coif_mesh_light_sample coif_mesh_light_sample_from(const coif_mesh_light *mesh_light,
                                                   coif_vec3 point, float time, float choice,
                                                   coif_vec2 u);

// The pdf of that sample for a position on a triangle.
float coif_mesh_light_pdf(const coif_mesh_light *mesh_light, int32_t triangle, coif_vec3 position,
                          coif_vec3 point, float time);

#endif
