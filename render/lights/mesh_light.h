// emitter: a body that shines, aimed at triangle by triangle.
//
// A body whose material has "emission" shines from the side of its triangles from which their
// corners run round to the left, the one its normals point to. Triangles are chosen by area and
// brightness, places on them evenly. It is a shape of the ray tracer as well: paths that run into
// it by chance collect its light too, weighed against the chance of having aimed there.
#ifndef COIF_RENDER_LIGHTS_MESH_LIGHT_H
#define COIF_RENDER_LIGHTS_MESH_LIGHT_H

#include "render/geometry/triangle.h"
#include "render/shading/material_params.h"

typedef struct coif_mesh_light {
    const coif_mesh *meshes; // steps of one topology
    int32_t steps;
    const coif_surface_material *materials;
    const coif_transform *path; // of the copy, path_steps; NULL: the body itself
    int32_t path_steps;
    int32_t geometry, instance; // as in coif_ray_hit
    const float *shares;        // triangles + 1: cumulative chance
    float power;                // brightness times area
    coif_vec3 middle;           // of what shines
    float radius2;              // mean square distance from there
    coif_vec3 front;            // mean normal: shorter the more round it is
} coif_mesh_light;

// Reads emission from a body's material into its looks, or from its MTL file (Ke, map_Ke) where the
// scene does not say.
coif_status coif_materials_read_emission(coif_surface_material *looks,
                                         const coif_param_source *from, const coif_mesh *mesh,
                                         coif_error *error);

// Whether any of a body's looks shines.
bool coif_materials_are_emissive(const coif_surface_material *looks, const coif_mesh *mesh);

// What the front of a triangle gives off at weights of its second and third corner.
coif_vec3 coif_material_emission(const coif_surface_material *looks, const coif_mesh *mesh,
                                 int32_t triangle, float b1, float b2);

// Fills what follows from meshes, looks and path.
void coif_mesh_light_prepare(coif_mesh_light *emitter, coif_arena *arena);

// Light that may come from it to a point, roughly.
float coif_mesh_light_importance(const coif_mesh_light *emitter, coif_vec3 point);

// A place that shines towards point, density per solid angle there; 0 when it faces away.
typedef struct coif_mesh_light_sample {
    coif_vec3 direction, radiance;
    float distance, pdf;
} coif_mesh_light_sample;
coif_mesh_light_sample coif_mesh_light_sample_from(const coif_mesh_light *emitter, coif_vec3 point,
                                                   float time, float choice, coif_vec2 u);

// The density with which that finds a place on a triangle from a point.
float coif_mesh_light_pdf(const coif_mesh_light *emitter, int32_t triangle, coif_vec3 place,
                          coif_vec3 point, float time);

#endif
