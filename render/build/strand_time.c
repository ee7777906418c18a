#include "render/build/strand_time.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/hair/frame_cache.h"
#include "core/pack/pack.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

int coif_strand_time_frames(int frames[2], double time)
{
    const double before = floor(time);
    frames[0] = (int)before;
    frames[1] = frames[0] + 1;
    return time > before ? 2 : 1;
}

static const char *path_of(const coif_strand_time_desc *desc, int frame, coif_arena *arena)
{
    return coif_frame_file_path(desc->cache, desc->name, frame, arena);
}

// Rendering what is there is what was asked for, but nobody should wonder about it. Once is enough.
static void warn_if_stale(const coif_strand_time_desc *desc, const char *metadata, const char *path,
                          coif_arena *arena)
{
    const char *then = coif_metadata_value(metadata, "inputs", arena);
    const char *now = coif_arena_print(arena, "%016" PRIx64, desc->inputs);
    if (desc->told != NULL && !*desc->told && then != NULL && strcmp(then, now) != 0) {
        *desc->told = true;
        coif_log(COIF_LOG_WARNING,
                 "%s: the scene, or a mesh or picture of it, has changed since this was simulated; "
                 "'coif sim' does it again",
                 path);
    }
}

static coif_status load(coif_strands *strands, const coif_strand_time_desc *desc, int frame,
                        coif_arena *arena, coif_error *error)
{
    coif_frame_cache_desc said;
    const char *path = path_of(desc, frame, arena);
    COIF_TRY(coif_frame_cache_load(strands, &said, desc->groom, path, arena, error));
    warn_if_stale(desc, said.metadata, path, arena);
    return COIF_OK;
}

// How far the roots are from where a straight way between known poses would have them.
typedef struct root_course {
    coif_mesh now, before, after; // after is not used when share is 0
    float share;
    bool still; // the body does not move, or its motion is of no use here
} root_course;

static coif_status find_course(root_course *course, const coif_strand_time_desc *desc, int before,
                               float share, coif_arena *arena, coif_error *error)
{
    *course = (root_course){.share = share, .still = !coif_body_is_animated(desc->body)};
    if (course->still) {
        return COIF_OK;
    }
    const coif_groom *groom = desc->groom;
    for (int32_t s = 0; s < groom->rest.strand_count; ++s) {
        if (groom->root_triangle[s] >= desc->body->rest.triangle_count) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: strand %d grows on triangle %d of %d",
                             desc->name, s, groom->root_triangle[s],
                             desc->body->rest.triangle_count);
        }
    }
    COIF_TRY(coif_body_pose_interpolated(&course->now, desc->body, &desc->course, desc->time, arena,
                                         error));
    COIF_TRY(coif_body_pose(&course->before, desc->body, before, arena, error));
    return share > 0.0f ? coif_body_pose(&course->after, desc->body, before + 1, arena, error)
                        : COIF_OK;
}

static coif_vec3 root_on(const coif_mesh *mesh, const coif_groom *groom, int32_t strand)
{
    const float *b = groom->root_barycentric + 2 * (size_t)strand;
    return coif_mesh_at(mesh, groom->root_triangle[strand], b[0], b[1]).position;
}

static coif_vec3 root_lead(const root_course *course, const coif_groom *groom, int32_t strand)
{
    if (course->still) {
        return (coif_vec3){0.0f, 0.0f, 0.0f};
    }
    coif_vec3 straight = root_on(&course->before, groom, strand);
    if (course->share > 0.0f) {
        straight = coif_lerp(straight, root_on(&course->after, groom, strand), course->share);
    }
    return coif_sub(root_on(&course->now, groom, strand), straight);
}

static coif_vec4 moved(coif_vec4 point, coif_vec3 place)
{
    return (coif_vec4){place.x, place.y, place.z, point.w};
}

// Hair that grows is at rest somewhere between as well.
static void rest_between(coif_strands *a, const coif_strands *b, float share,
                         const coif_groom *groom)
{
    for (int32_t i = 0; a->rest != NULL && b->rest != NULL && i < groom->rest.point_count; ++i) {
        const coif_vec3 place =
            coif_lerp(coif_vec4_xyz(a->rest[i]), coif_vec4_xyz(b->rest[i]), share);
        const float radius = a->rest[i].w + share * (b->rest[i].w - a->rest[i].w);
        a->rest[i] = (coif_vec4){place.x, place.y, place.z, radius};
    }
}

// A is the frame before and becomes the strands of the time.
static void go_between(coif_strands *a, const coif_strands *b, const root_course *course,
                       const coif_groom *groom)
{
    rest_between(a, b, course->share, groom);
    for (int32_t i = 0; i < a->strand_count; ++i) {
        const coif_vec3 lead = root_lead(course, groom, groom->simulated[i]);
        for (int32_t k = a->first[i]; k < a->first[i + 1]; ++k) {
            const coif_vec3 straight =
                coif_lerp(coif_vec4_xyz(a->points[k]), coif_vec4_xyz(b->points[k]), course->share);
            a->points[k] = moved(a->points[k], coif_add(straight, lead));
        }
    }
}

// A is the picture's own frame.
static void carry_on(coif_strands *a, float seconds, const root_course *course,
                     const coif_groom *groom)
{
    for (int32_t i = 0; i < a->strand_count; ++i) {
        const int32_t root = a->first[i];
        coif_vec3 lead = root_lead(course, groom, groom->simulated[i]);
        if (a->velocities != NULL && !course->still) {
            lead = coif_mad(lead, -seconds, a->velocities[root]);
        }
        for (int32_t k = root; k < a->first[i + 1]; ++k) {
            coif_vec3 place = coif_add(coif_vec4_xyz(a->points[k]), lead);
            if (a->velocities != NULL) {
                place = coif_mad(place, seconds, a->velocities[k]);
            }
            a->points[k] = moved(a->points[k], place);
        }
    }
}

static coif_status from_one(coif_strands *strands, const coif_strand_time_desc *desc,
                            coif_arena *scratch, coif_arena *arena, coif_error *error)
{
    root_course course;
    COIF_TRY(load(strands, desc, desc->frame, arena, error));
    COIF_TRY(find_course(&course, desc, desc->frame, 0.0f, scratch, error));
    carry_on(strands, (float)((desc->time - desc->frame) * desc->frame_seconds), &course,
             desc->groom);
    return COIF_OK;
}

static coif_status from_two(coif_strands *strands, const coif_strand_time_desc *desc,
                            const int *frames, coif_arena *scratch, coif_error *error)
{
    coif_strands after;
    root_course course;
    const float share = (float)(desc->time - frames[0]);
    COIF_TRY(load(&after, desc, frames[1], scratch, error));
    COIF_TRY(find_course(&course, desc, frames[0], share, scratch, error));
    go_between(strands, &after, &course, desc->groom);
    return COIF_OK;
}

coif_status coif_strands_at_time(coif_strands *strands, const coif_strand_time_desc *desc,
                                 coif_arena *arena, coif_error *error)
{
    int frames[2];
    const int count = coif_strand_time_frames(frames, desc->time);
    bool all = true;
    for (int i = 0; i < count; ++i) {
        all =
            all && (frames[i] == desc->frame || coif_path_exists(path_of(desc, frames[i], arena)));
    }
    if (all && count == 1) {
        return load(strands, desc, frames[0], arena, error);
    }
    if (all) {
        COIF_TRY(load(strands, desc, frames[0], arena, error));
    }
    coif_arena scratch;
    coif_arena_init(&scratch, "moment");
    const coif_status status = all ? from_two(strands, desc, frames, &scratch, error)
                                   : from_one(strands, desc, &scratch, arena, error);
    coif_arena_free(&scratch);
    return status;
}
