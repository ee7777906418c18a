#include "render/geometry/ribbon_orientation.h"

#include "core/base/arena.h"
#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "render/math/fast_math.h"

#include <string.h>

// Dimensions of the strand's random word; those below are used by hair_params.c.
enum { USE_TURN = 16, USE_TWIST = 17 };

typedef struct ribbon_job {
    const coif_strands *strands;
    const coif_ribbon_desc *desc;
    coif_vec3 *normals; // of the time step
} ribbon_job;

static coif_vec3 between(const coif_vec4 *points, int32_t from, int32_t to)
{
    return coif_normalize(coif_sub(coif_vec4_xyz(points[to]), coif_vec4_xyz(points[from])));
}

// The part of a orthogonal to the unit vector t, normalised; any such vector where it vanishes.
static coif_vec3 orthonormalise(coif_vec3 t, coif_vec3 a)
{
    const coif_vec3 left = coif_mad(a, -coif_dot(a, t), t);
    if (coif_dot(left, left) > 1e-8f) {
        return coif_normalize(left);
    }
    coif_vec3 one, other;
    coif_frame_around(t, &one, &other);
    return one;
}

// Axis of the width at the root, at rest.
static coif_vec3 rest_width_axis(const coif_groom *groom, int32_t strand, bool along_tangent)
{
    const coif_vec4 *points = groom->rest.points + groom->rest.first[strand];
    const int32_t n = coif_strands_length(&groom->rest, strand);
    const coif_vec3 along = between(points, 0, 1);
    const coif_vec3 across = coif_cross(along, between(points, 0, n - 1));
    if (!along_tangent && coif_dot(across, across) > 1e-4f) {
        return coif_normalize(across);
    }
    const float *frame = groom->root_frame + 9 * (size_t)strand;
    return orthonormalise(along, (coif_vec3){frame[0], frame[1], frame[2]});
}

// Rotates a direction from the rest frame of the root to its posed frame.
static coif_vec3 rotate_with_root(const coif_ribbon_desc *desc, int32_t strand, coif_vec3 direction)
{
    if (desc->body == NULL) {
        return direction;
    }
    const coif_groom *groom = desc->groom;
    const float *barycentric = groom->root_barycentric + 2 * (size_t)strand;
    coif_mat3 rest;
    memcpy(&rest, groom->root_frame + 9 * (size_t)strand, sizeof rest);
    const coif_mat3 posed =
        coif_mesh_frame(desc->body, groom->root_triangle[strand], barycentric[0], barycentric[1]);
    return coif_mat3_apply_transposed(&posed, coif_mat3_apply(&rest, direction));
}

// Rotates a, orthogonal to the unit vector t, about t.
static coif_vec3 rotate_about(coif_vec3 t, coif_vec3 a, float turns)
{
    float sine, cosine;
    coif_fast_sincos_turns(turns - floorf(turns), &sine, &cosine);
    return coif_mad(coif_scale(a, cosine), sine, coif_cross(t, a));
}

// The minimal rotation from s to t, both unit, applied to a, orthogonal to s.
static coif_vec3 parallel_transport(coif_vec3 a, coif_vec3 s, coif_vec3 t)
{
    const float c = 1.0f + coif_dot(s, t);
    if (!(c > 1e-4f)) {
        return orthonormalise(t, a);
    }
    return orthonormalise(t, coif_mad(a, -coif_dot(a, t) / c, coif_add(s, t)));
}

static float signed_random(const coif_groom *groom, int32_t strand, uint32_t use)
{
    return 2.0f * coif_random_unit(groom->random[strand], 0, use) - 1.0f;
}

static float degrees_to_turns(float degrees)
{
    return degrees * (1.0f / 360.0f);
}

static void fill_strand(coif_vec3 *normals, const coif_vec4 *points, int32_t n,
                        const coif_ribbon_desc *desc, int32_t strand)
{
    const float tilt = degrees_to_turns(desc->tilts != NULL ? desc->tilts[strand] : desc->tilt) *
                       signed_random(desc->groom, strand, USE_TURN);
    const float twist =
        degrees_to_turns(desc->twists != NULL ? desc->twists[strand] : desc->twist) *
        signed_random(desc->groom, strand, USE_TWIST);
    coif_vec3 along = between(points, 0, 1);
    const coif_vec3 width =
        rotate_with_root(desc, strand, rest_width_axis(desc->groom, strand, desc->along_tangent));
    coif_vec3 normal = rotate_about(along, coif_cross(orthonormalise(along, width), along), tilt);
    for (int32_t k = 0; k < n; ++k) {
        const coif_vec3 next = between(points, k > 0 ? k - 1 : 0, k + 1 < n ? k + 1 : k);
        if (coif_dot(next, next) > 0.5f) { // coincident points have no direction
            normal = parallel_transport(normal, along, next);
            along = next;
        }
        normals[k + 1] = rotate_about(along, normal, twist * (float)k / (float)(n - 1));
    }
    normals[0] = normals[1];
    normals[n + 1] = normals[n];
}

static void fill_strands(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const ribbon_job *job = context;
    for (int32_t s = (int32_t)begin; s < (int32_t)end; ++s) {
        const int32_t first = job->strands->first[s];
        fill_strand(job->normals + first + 2 * s, job->strands->points + first,
                    coif_strands_length(job->strands, s), job->desc, s);
    }
}

void coif_ribbon_normals_fill(coif_bspline_curves *curves, int32_t step,
                              const coif_strands *strands, const coif_ribbon_desc *desc,
                              coif_arena *arena)
{
    const size_t count = (size_t)curves->control_count;
    if (curves->normals == NULL) {
        // One more: Embree reads 16 bytes per normal.
        curves->normals = coif_arena_new(arena, count * (size_t)curves->step_count + 1, coif_vec3);
    }
    ribbon_job job = {strands, desc, curves->normals + (size_t)step * count};
    coif_parallel_for(desc->jobs, strands->strand_count, 256, fill_strands, &job);
}
