#include "render/geometry/ribbon_orientation.h"

#include "core/base/arena.h"
#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "render/math/fast_math.h"

#include <string.h>

// Colours of a strand take other parts of its random word (hair_color.c).
enum { USE_TURN = 16, USE_TWIST = 17 };

typedef struct blades_job {
    const coif_strands *strands;
    const coif_ribbon_desc *desc;
    coif_vec3 *normals; // of the step to fill
} blades_job;

static coif_vec3 between(const coif_vec4 *points, int32_t from, int32_t to)
{
    return coif_normalize(coif_sub(coif_vec4_xyz(points[to]), coif_vec4_xyz(points[from])));
}

// What of a is square to the unit vector t, of unit length; any such vector where nothing is.
static coif_vec3 square_to(coif_vec3 t, coif_vec3 a)
{
    const coif_vec3 left = coif_mad(a, -coif_dot(a, t), t);
    if (coif_dot(left, left) > 1e-8f) {
        return coif_normalize(left);
    }
    coif_vec3 one, other;
    coif_frame_around(t, &one, &other);
    return one;
}

// The width of a blade at rest, at its root.
static coif_vec3 width_at_rest(const coif_groom *groom, int32_t strand)
{
    const coif_vec4 *points = groom->rest.points + groom->rest.first[strand];
    const int32_t n = coif_strands_length(&groom->rest, strand);
    const coif_vec3 along = between(points, 0, 1);
    const coif_vec3 across = coif_cross(along, between(points, 0, n - 1));
    if (coif_dot(across, across) > 1e-4f) {
        return coif_normalize(across);
    }
    const float *frame = groom->root_frame + 9 * (size_t)strand;
    return square_to(along, (coif_vec3){frame[0], frame[1], frame[2]});
}

// A direction at rest, turned as the root has turned since.
static coif_vec3 turn_with_root(const coif_ribbon_desc *desc, int32_t strand, coif_vec3 direction)
{
    if (desc->body == NULL) {
        return direction;
    }
    const coif_groom *groom = desc->groom;
    const float *place = groom->root_barycentric + 2 * (size_t)strand;
    coif_mat3 rest;
    memcpy(&rest, groom->root_frame + 9 * (size_t)strand, sizeof rest);
    const coif_mat3 posed =
        coif_mesh_frame(desc->body, groom->root_triangle[strand], place[0], place[1]);
    return coif_mat3_apply_transposed(&posed, coif_mat3_apply(&rest, direction));
}

// Both square to the unit vector t: a turned about it.
static coif_vec3 turn_about(coif_vec3 t, coif_vec3 a, float turns)
{
    float sine, cosine;
    coif_fast_sincos_turns(turns - floorf(turns), &sine, &cosine);
    return coif_mad(coif_scale(a, cosine), sine, coif_cross(t, a));
}

// The least rotation that brings s to t, both of unit length, applied to a, square to s.
static coif_vec3 carry(coif_vec3 a, coif_vec3 s, coif_vec3 t)
{
    const float c = 1.0f + coif_dot(s, t);
    if (!(c > 1e-4f)) {
        return square_to(t, a);
    }
    return square_to(t, coif_mad(a, -coif_dot(a, t) / c, coif_add(s, t)));
}

static float share_of(const coif_groom *groom, int32_t strand, uint32_t use)
{
    return 2.0f * coif_random_unit(groom->random[strand], 0, use) - 1.0f;
}

static float turns_of(float degrees)
{
    return degrees * (1.0f / 360.0f);
}

static void face_strand(coif_vec3 *normals, const coif_vec4 *points, int32_t n,
                        const coif_ribbon_desc *desc, int32_t strand)
{
    const float turn = turns_of(desc->turns != NULL ? desc->turns[strand] : desc->turn) *
                       share_of(desc->groom, strand, USE_TURN);
    const float twist = turns_of(desc->twists != NULL ? desc->twists[strand] : desc->twist) *
                        share_of(desc->groom, strand, USE_TWIST);
    coif_vec3 along = between(points, 0, 1);
    const coif_vec3 width = turn_with_root(desc, strand, width_at_rest(desc->groom, strand));
    coif_vec3 normal = turn_about(along, coif_cross(square_to(along, width), along), turn);
    for (int32_t k = 0; k < n; ++k) {
        const coif_vec3 next = between(points, k > 0 ? k - 1 : 0, k + 1 < n ? k + 1 : k);
        if (coif_dot(next, next) > 0.5f) { // two points in one place have no direction
            normal = carry(normal, along, next);
            along = next;
        }
        normals[k + 1] = turn_about(along, normal, twist * (float)k / (float)(n - 1));
    }
    normals[0] = normals[1];
    normals[n + 1] = normals[n];
}

static void face_strands(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const blades_job *job = context;
    for (int32_t s = (int32_t)begin; s < (int32_t)end; ++s) {
        const int32_t first = job->strands->first[s];
        face_strand(job->normals + first + 2 * s, job->strands->points + first,
                    coif_strands_length(job->strands, s), job->desc, s);
    }
}

void coif_ribbon_normals_fill(coif_bspline_curves *curves, int32_t step,
                              const coif_strands *strands, const coif_ribbon_desc *desc,
                              coif_arena *arena)
{
    const size_t count = (size_t)curves->control_count;
    if (curves->normals == NULL) {
        // One more: the ray tracer reads four numbers where there are three.
        curves->normals = coif_arena_new(arena, count * (size_t)curves->step_count + 1, coif_vec3);
    }
    blades_job job = {strands, desc, curves->normals + (size_t)step * count};
    coif_parallel_for(desc->jobs, strands->strand_count, 256, face_strands, &job);
}
