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

// A corrected cache is named once. A stale cache is rendered anyway; warn once.
static void report_origin(const coif_strand_time_desc *desc, const char *metadata, const char *path,
                          coif_arena *arena)
{
    const char *stored = coif_metadata_value(metadata, "inputs", arena);
    const char *corrected = coif_metadata_value(metadata, "corrected", arena);
    const char *current = coif_arena_print(arena, "%016" PRIx64, desc->inputs);
    if (desc->reported == NULL) {
        return;
    }
    if (corrected != NULL && !desc->reported->corrected) {
        desc->reported->corrected = true;
        coif_log(COIF_LOG_INFO, "%s: corrected by 'coif cache %s'", path, corrected);
    }
    if (!desc->reported->stale && stored != NULL && strcmp(stored, current) != 0) {
        desc->reported->stale = true;
        coif_log(COIF_LOG_WARNING,
                 "%s: the scene, a mesh or a texture has changed since this frame was simulated; "
                 "run 'coif sim'%s to update it",
                 path, corrected != NULL ? " and 'coif cache'" : "");
    }
}

static coif_status load_frame(coif_strands *strands, const coif_strand_time_desc *desc, int frame,
                              coif_arena *arena, coif_error *error)
{
    coif_frame_cache_desc info;
    const char *path = path_of(desc, frame, arena);
    COIF_TRY(coif_frame_cache_load(strands, &info, desc->groom, path, arena, error));
    report_origin(desc, info.metadata, path, arena);
    return COIF_OK;
}

// Offset of roots from the linear interpolation of the poses at whole frames.
typedef struct root_motion {
    coif_mesh now, before, after; // after is not used when fraction is 0
    float fraction;
    bool is_static;
} root_motion;

static coif_status find_root_motion(root_motion *motion, const coif_strand_time_desc *desc,
                                    int before, float fraction, coif_arena *arena,
                                    coif_error *error)
{
    *motion = (root_motion){.fraction = fraction, .is_static = !coif_body_is_animated(desc->body)};
    if (motion->is_static) {
        return COIF_OK;
    }
    COIF_TRY(
        coif_groom_check_roots(desc->groom, desc->body->rest.triangle_count, desc->name, error));
    COIF_TRY(coif_body_pose_interpolated(&motion->now, desc->body, &desc->interpolation, desc->time,
                                         arena, error));
    COIF_TRY(coif_body_pose(&motion->before, desc->body, before, arena, error));
    return fraction > 0.0f ? coif_body_pose(&motion->after, desc->body, before + 1, arena, error)
                           : COIF_OK;
}

static coif_vec3 root_on(const coif_mesh *mesh, const coif_groom *groom, int32_t strand)
{
    const float *b = groom->root_barycentric + 2 * (size_t)strand;
    return coif_mesh_at(mesh, groom->root_triangle[strand], b[0], b[1]).position;
}

static coif_vec3 root_offset(const root_motion *motion, const coif_groom *groom, int32_t strand)
{
    if (motion->is_static) {
        return (coif_vec3){0.0f, 0.0f, 0.0f};
    }
    coif_vec3 straight = root_on(&motion->before, groom, strand);
    if (motion->fraction > 0.0f) {
        straight = coif_lerp(straight, root_on(&motion->after, groom, strand), motion->fraction);
    }
    return coif_sub(root_on(&motion->now, groom, strand), straight);
}

static coif_vec4 with_position(coif_vec4 point, coif_vec3 position)
{
    return (coif_vec4){position.x, position.y, position.z, point.w};
}

// The rest shape of a keyed groom is interpolated as well.
static void interpolate_rest(coif_strands *a, const coif_strands *b, float fraction,
                             const coif_groom *groom)
{
    for (int32_t i = 0; a->rest != NULL && b->rest != NULL && i < groom->rest.point_count; ++i) {
        const coif_vec3 position =
            coif_lerp(coif_vec4_xyz(a->rest[i]), coif_vec4_xyz(b->rest[i]), fraction);
        const float radius = a->rest[i].w + fraction * (b->rest[i].w - a->rest[i].w);
        a->rest[i] = (coif_vec4){position.x, position.y, position.z, radius};
    }
}

// On return a, the frame before, holds the interpolated strands.
static void interpolate(coif_strands *a, const coif_strands *b, const root_motion *motion,
                        const coif_groom *groom)
{
    interpolate_rest(a, b, motion->fraction, groom);
    for (int32_t i = 0; i < a->strand_count; ++i) {
        const coif_vec3 offset = root_offset(motion, groom, groom->simulated[i]);
        for (int32_t k = a->first[i]; k < a->first[i + 1]; ++k) {
            const coif_vec3 straight = coif_lerp(coif_vec4_xyz(a->points[k]),
                                                 coif_vec4_xyz(b->points[k]), motion->fraction);
            a->points[k] = with_position(a->points[k], coif_add(straight, offset));
        }
    }
}

// On return a, the frame of the image, is extrapolated.
static void extrapolate(coif_strands *a, float seconds, const root_motion *motion,
                        const coif_groom *groom)
{
    for (int32_t i = 0; i < a->strand_count; ++i) {
        const int32_t root = a->first[i];
        coif_vec3 offset = root_offset(motion, groom, groom->simulated[i]);
        if (a->velocities != NULL && !motion->is_static) {
            offset = coif_mad(offset, -seconds, a->velocities[root]);
        }
        for (int32_t k = root; k < a->first[i + 1]; ++k) {
            coif_vec3 position = coif_add(coif_vec4_xyz(a->points[k]), offset);
            if (a->velocities != NULL) {
                position = coif_mad(position, seconds, a->velocities[k]);
            }
            a->points[k] = with_position(a->points[k], position);
        }
    }
}

// The cached frame to extrapolate from: the one of the image, or the one around it that is nearer.
static int anchor_of(const coif_strand_time_desc *desc)
{
    int frames[2];
    const int count = coif_strand_time_frames(frames, desc->frame);
    return desc->time > desc->frame ? frames[count - 1] : frames[0];
}

static coif_status from_one_frame(coif_strands *strands, const coif_strand_time_desc *desc,
                                  coif_arena *scratch, coif_arena *arena, coif_error *error)
{
    root_motion motion;
    const int frame = anchor_of(desc);
    COIF_TRY(load_frame(strands, desc, frame, arena, error));
    COIF_TRY(find_root_motion(&motion, desc, frame, 0.0f, scratch, error));
    extrapolate(strands, (float)((desc->time - frame) * desc->frame_seconds), &motion, desc->groom);
    return COIF_OK;
}

static coif_status from_two_frames(coif_strands *strands, const coif_strand_time_desc *desc,
                                   const int *frames, coif_arena *scratch, coif_error *error)
{
    coif_strands after;
    root_motion motion;
    const float fraction = (float)(desc->time - frames[0]);
    COIF_TRY(load_frame(&after, desc, frames[1], scratch, error));
    COIF_TRY(find_root_motion(&motion, desc, frames[0], fraction, scratch, error));
    interpolate(strands, &after, &motion, desc->groom);
    return COIF_OK;
}

coif_status coif_strands_at_time(coif_strands *strands, const coif_strand_time_desc *desc,
                                 coif_arena *arena, coif_error *error)
{
    int frames[2];
    const int count = coif_strand_time_frames(frames, desc->time);
    bool complete = true;
    for (int i = 0; i < count; ++i) {
        complete = complete && (frames[i] == anchor_of(desc) ||
                                coif_path_exists(path_of(desc, frames[i], arena)));
    }
    if (complete && count == 1) {
        return load_frame(strands, desc, frames[0], arena, error);
    }
    if (complete) {
        COIF_TRY(load_frame(strands, desc, frames[0], arena, error));
    }
    COIF_SCOPED_ARENA(scratch, "strand interpolation");
    return complete ? from_two_frames(strands, desc, frames, &scratch, error)
                    : from_one_frame(strands, desc, &scratch, arena, error);
}
