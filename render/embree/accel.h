// accel: what does a ray meet first? The one door to Embree.
//
// Shapes are curves and meshes, numbered in the order in which they were added; their arrays are
// read in place and must live as long as the accel. Written for Embree 3.13; what version 4 changed
// (arguments of the two queries) is in one place of accel_rays.c.
//
// Thin curves: t of a distant hit is known to about one part in 10^7 of the distance, which is a
// good part of a fibre. So places on hair are never taken from t but from the curve itself (see
// hit.h).
#ifndef COIF_RENDER_EMBREE_ACCEL_H
#define COIF_RENDER_EMBREE_ACCEL_H

#include "core/mesh/mesh.h"
#include "render/geometry/bspline_curves.h"
#include "render/geometry/instance.h"
#include "render/math/ray.h"

typedef struct coif_accel coif_accel;

typedef struct coif_ray_hit {
    float distance;
    float u, v;
    coif_vec3 normal; // as the ray tracer gives it: outwards, not of unit length
    int32_t geometry, primitive;
    int32_t instance; // in the order they were added; -1 where there are none
} coif_ray_hit;

// The instruction set a wish comes down to: "avx2" or "sse4.2"; "auto" is the wider one that this
// machine has. NULL for one that is not known or not here.
const char *coif_accel_select_isa(const char *wanted);

typedef struct coif_accel_desc {
    const char *isa;     // a wish, see above
    int threads;         // how many the build may use
    int32_t group_count; // above 0: shapes lie in groups, and are seen where instances of those are
    bool compact;        // less than half the memory, a fifth fewer rays per second
} coif_accel_desc;

coif_status coif_accel_open(coif_accel **accel, const coif_accel_desc *desc, coif_arena *arena,
                            coif_error *error);
void coif_accel_close(coif_accel *accel);

// The instruction set in use: "avx2" or "sse4.2".
const char *coif_accel_isa(const coif_accel *accel);

coif_status coif_accel_add_curves(coif_accel *accel, const coif_bspline_curves *curves,
                                  coif_error *error);

// Steps meshes of one topology, evenly spread over the time that the shutter is open; 1 for one
// that does not move.
coif_status coif_accel_add_mesh(coif_accel *accel, const coif_mesh *meshes, int32_t steps,
                                coif_error *error);

// The same for one that lets a share of rays through: how much it stops is asked at every hit.
// Which rays those are is decided by their chance.
typedef struct coif_opacity_callback {
    float (*opacity)(const void *context, int32_t triangle, float u, float v);
    const void *context;
} coif_opacity_callback;
coif_status coif_accel_add_mesh_with_opacity(coif_accel *accel, const coif_mesh *meshes,
                                             int32_t steps, const coif_opacity_callback *sheer,
                                             coif_error *error);

// A mesh apart from all else, for rays that look for it alone. The mesh is also to be added as a
// shape where it is to be seen. It lives as long as the accel.
typedef struct coif_sss_mesh coif_sss_mesh;
coif_status coif_accel_add_sss_mesh(const coif_sss_mesh **probe, coif_accel *accel,
                                    const coif_mesh *meshes, int32_t steps, coif_error *error);
bool coif_sss_mesh_intersect(const coif_sss_mesh *probe, const coif_ray *ray, coif_ray_hit *hit);

// The group into which shapes go from now on; the first when nothing is said.
void coif_accel_set_group(coif_accel *accel, int32_t group);

// A copy of all shapes of a group: steps placements over the time that the shutter is open. Normals
// of hits on it are as the group itself has them.
coif_status coif_accel_add_instance(coif_accel *accel, int32_t group,
                                    const coif_transform *placements, int32_t steps,
                                    coif_error *error);

// Builds the hierarchy; stops within a moment when progress is cancelled.
coif_status coif_accel_build(coif_accel *accel, coif_progress *progress, coif_error *error);

// The nearest hit between near and far; false when there is none.
bool coif_accel_intersect(const coif_accel *accel, const coif_ray *ray, coif_ray_hit *hit);

// The same for a ray from the camera where strands were widened (widen.h). It gathers all of them
// that it goes through, and gives one hit, chosen by what each adds to the picture; covered is how
// much all of them and what lies behind take of the view, 1 where something is opaque.
bool coif_accel_intersect_transparent(const coif_accel *accel, const coif_ray *ray,
                                      coif_ray_hit *hit, float *covered);

// What rays cost, for figures of speed: counted while a meter is set, on one thread only.
typedef struct coif_accel_stats {
    int64_t intersect_rays, occluded_rays;
    uint64_t cycles; // time-stamp counter cycles inside Embree
} coif_accel_stats;
void coif_accel_set_stats(coif_accel *accel, coif_accel_stats *stats); // NULL: off

// That clock; 0 where there is none.
uint64_t coif_accel_cycles(void);

// Whether anything lies between near and far.
bool coif_accel_occluded(const coif_accel *accel, const coif_ray *ray);

#endif
