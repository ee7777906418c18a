// Ray intersection: the only wrapper of Embree.
//
// Geometries are curves and meshes, numbered in the order in which they were added; Embree reads
// their arrays in place, so these must live as long as the accel. Embree 3.13 and 4 are supported;
// their differences are confined to embree_internal.h.
//
// Precision: the distance t of a far hit has a relative error of about 1e-7, which is a large part
// of a fibre's radius. So positions on hair are evaluated on the curve and never computed from t
// (integrator/interaction.h).
#ifndef COIF_RENDER_EMBREE_ACCEL_H
#define COIF_RENDER_EMBREE_ACCEL_H

#include "core/mesh/mesh.h"
#include "render/geometry/bspline_curves.h"
#include "render/geometry/instance.h"
#include "render/math/ray.h"

typedef struct coif_accel coif_accel;

// The instruction set for a request: "avx2" or "sse4.2"; "auto" selects the wider one that this
// machine has. NULL for one that is unknown or unsupported here.
const char *coif_accel_select_isa(const char *requested);

typedef struct coif_accel_desc {
    const char *isa;     // a request, see above
    int threads;         // of the BVH build
    int32_t group_count; // above 0: geometries belong to groups and are seen as instances of them
    bool compact;        // less than half the memory, about 20 % fewer rays per second
} coif_accel_desc;

coif_status coif_accel_open(coif_accel **accel, const coif_accel_desc *desc, coif_arena *arena,
                            coif_error *error);
void coif_accel_close(coif_accel *accel);

coif_status coif_accel_add_curves(coif_accel *accel, const coif_bspline_curves *curves,
                                  coif_error *error);

// Steps meshes of one topology, evenly spaced over the shutter interval; 1 for a static mesh.
coif_status coif_accel_add_mesh(coif_accel *accel, const coif_mesh *meshes, int32_t steps,
                                coif_error *error);

// A mesh with opacity: a filter function evaluates it at every hit and accepts the hit
// stochastically, by the ray's alpha_seed.
typedef struct coif_opacity_callback {
    float (*opacity)(const void *context, int32_t triangle, float u, float v);
    const void *context;
} coif_opacity_callback;
coif_status coif_accel_add_mesh_with_opacity(coif_accel *accel, const coif_mesh *meshes,
                                             int32_t steps, const coif_opacity_callback *callback,
                                             coif_error *error);

// A mesh in a BVH of its own, for probe rays of subsurface scattering. To be visible the mesh is
// also added as a geometry. It lives as long as the accel.
typedef struct coif_sss_mesh coif_sss_mesh;
coif_status coif_accel_add_sss_mesh(const coif_sss_mesh **sss_mesh, coif_accel *accel,
                                    const coif_mesh *meshes, int32_t steps, coif_error *error);
bool coif_sss_mesh_intersect(const coif_sss_mesh *sss_mesh, const coif_ray *ray, coif_ray_hit *hit);

// The group that new geometries join; 0 at first.
void coif_accel_set_group(coif_accel *accel, int32_t group);

// An instance of a group: steps transforms over the shutter interval. Normals of hits on it are in
// the space of the group.
coif_status coif_accel_add_instance(coif_accel *accel, int32_t group,
                                    const coif_transform *transforms, int32_t steps,
                                    coif_error *error);

// Builds the BVH; stops soon after progress is cancelled.
coif_status coif_accel_build(coif_accel *accel, coif_progress *progress, coif_error *error);

// The nearest hit between near and far; false when there is none.
bool coif_accel_intersect(const coif_accel *accel, const coif_ray *ray, coif_ray_hit *hit);

// The same for a camera ray in a scene with transparent strands (transparent_curves.c). It collects
// all transparent layers and returns one hit, selected in proportion to its contribution; coverage
// is that of all layers with what lies behind, 1 where a hit is opaque.
bool coif_accel_intersect_transparent(const coif_accel *accel, const coif_ray *ray,
                                      coif_ray_hit *hit, float *coverage);

// Whether anything lies between near and far.
bool coif_accel_occluded(const coif_accel *accel, const coif_ray *ray);

// Ray counts and cost for benchmarks; one thread only.
typedef struct coif_accel_stats {
    int64_t intersect_rays, occluded_rays;
    uint64_t cycles; // time-stamp counter cycles inside Embree
} coif_accel_stats;
void coif_accel_set_stats(coif_accel *accel, coif_accel_stats *stats); // NULL: off

// The time-stamp counter; 0 where there is none.
uint64_t coif_accel_cycles(void);

#endif
