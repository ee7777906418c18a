#include "sim/run/body_playback.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/body/body_interpolate.h"

#include <math.h>

// Largest deviation of the intervals from the smooth curve, metres.
static const float TOLERANCE = 1e-4f;

void coif_body_playback_open(coif_body_playback *playback)
{
    *playback = (coif_body_playback){.interval = 0};
    for (int i = 0; i < 4; ++i) {
        playback->window[i] = &playback->store[i];
        coif_arena_init(&playback->store[i].arena, "pose");
    }
    coif_arena_init(&playback->interval_arenas[0], "pose");
    coif_arena_init(&playback->interval_arenas[1], "pose");
}

void coif_body_playback_close(coif_body_playback *playback)
{
    for (int i = 0; i < 4; ++i) {
        coif_arena_free(&playback->store[i].arena);
    }
    coif_arena_free(&playback->interval_arenas[0]);
    coif_arena_free(&playback->interval_arenas[1]);
}

static void reset_arena(coif_arena *arena)
{
    coif_arena_free(arena);
    coif_arena_init(arena, "pose");
}

static coif_status pose_bodies(coif_body_playback_pose *pose, const coif_sim_scene *sim_scene,
                               int frame, coif_error *error)
{
    reset_arena(&pose->arena);
    pose->frame = frame;
    pose->meshes = coif_arena_new(&pose->arena, sim_scene->body_count, coif_mesh);
    for (int32_t b = 0; b < sim_scene->body_count; ++b) {
        COIF_TRY(
            coif_body_pose(&pose->meshes[b], &sim_scene->bodies[b], frame, &pose->arena, error));
    }
    return COIF_OK;
}

coif_status coif_body_playback_hold_pose(coif_body_playback *playback, coif_sim_scene *sim_scene,
                                         int frame, coif_error *error)
{
    coif_body_playback_pose *pose = playback->window[2];
    COIF_TRY(pose_bodies(pose, sim_scene, frame, error));
    playback->begin = playback->end = pose->meshes;
    playback->interval_count = 0;
    coif_sim_scene_move_bodies(sim_scene, playback->begin, playback->end, true);
    const coif_posed_frame held = {frame, pose->meshes};
    coif_sim_scene_move_primitives(sim_scene, held, held);
    return COIF_OK;
}

// Whether poses before and after the frame are needed.
static bool needs_neighbours(const coif_sim_scene *sim_scene)
{
    for (int32_t b = 0;
         sim_scene->params.body_interpolation == COIF_MOTION_SMOOTH && b < sim_scene->body_count;
         ++b) {
        if (sim_scene->bodies[b].follows_sequence) {
            return true;
        }
    }
    return false;
}

// Loads the four poses around a frame; loaded ones are reused.
static coif_status fill_window(coif_body_playback *playback, const coif_sim_scene *sim_scene,
                               int frame, coif_error *error)
{
    const int first = sim_scene->static_before;
    const int frames[4] = {frame - 2 < first ? first : frame - 2, frame - 1, frame, frame + 1};
    const bool neighbours = needs_neighbours(sim_scene);
    for (int i = 0; i < 4; ++i) {
        for (int k = i; k < 4; ++k) {
            if (playback->window[k]->meshes != NULL && playback->window[k]->frame == frames[i]) {
                coif_body_playback_pose *found = playback->window[k];
                playback->window[k] = playback->window[i];
                playback->window[i] = found;
                break;
            }
        }
        if (playback->window[i]->meshes != NULL && playback->window[i]->frame == frames[i]) {
            continue;
        }
        if (i == 1 || i == 2 || neighbours) {
            COIF_TRY(pose_bodies(playback->window[i], sim_scene, frames[i], error));
        } else {
            playback->window[i]->meshes = NULL;
        }
    }
    return COIF_OK;
}

static coif_body_window window_of(const coif_body_playback *playback,
                                  const coif_sim_scene *sim_scene, int32_t body)
{
    coif_body_window window = {.begin = playback->window[1]->frame,
                               .first = sim_scene->static_before};
    for (int i = 0; i < 4; ++i) {
        const coif_mesh *meshes = playback->window[i]->meshes;
        window.poses[i] = meshes != NULL ? &meshes[body] : NULL;
    }
    return window;
}

// Deviation of the smooth curve from the straight line at a time of the frame.
static float curve_deviation(const coif_body_playback *playback, const coif_sim_scene *sim_scene,
                             int32_t body, float t, coif_arena *scratch)
{
    const coif_body_window window = window_of(playback, sim_scene, body);
    const coif_mesh *begin = window.poses[1];
    const coif_mesh *end = window.poses[2];
    coif_mesh mesh;
    coif_body positions_only = sim_scene->bodies[body];
    positions_only.needs_normals =
        coif_arena_new(scratch, positions_only.rest.triangle_count, bool);
    coif_body_interpolate(&mesh, &positions_only, &window, t, scratch);
    float largest = 0.0f;
    for (int32_t i = 0; i < mesh.vertex_count; ++i) {
        const coif_vec3 straight = coif_lerp(begin->positions[i], end->positions[i], t);
        largest = fmaxf(largest, coif_length(coif_sub(mesh.positions[i], straight)));
    }
    return largest;
}

// With n intervals the deviation is divided by n^2.
static int32_t count_intervals(const coif_body_playback *playback, const coif_sim_scene *sim_scene,
                               int32_t max_count)
{
    static const float times[] = {0.25f, 0.5f, 0.75f};
    float deviation = 0.0f;
    for (int32_t b = 0; b < sim_scene->body_count; ++b) {
        for (int i = 0; i < 3 && coif_body_is_animated(&sim_scene->bodies[b]); ++i) {
            COIF_SCOPED_ARENA(scratch, "detour");
            deviation =
                fmaxf(deviation, curve_deviation(playback, sim_scene, b, times[i], &scratch));
        }
    }
    const float count = ceilf(sqrtf(deviation / TOLERANCE));
    return count < 1.0f ? 1 : count < (float)max_count ? (int32_t)count : max_count;
}

coif_status coif_body_playback_begin_frame(coif_body_playback *playback, coif_sim_scene *sim_scene,
                                           int frame, int32_t substeps, coif_error *error)
{
    COIF_TRY(fill_window(playback, sim_scene, frame, error));
    playback->frame_substeps = substeps;
    playback->interval = 0;
    playback->substeps = 0;
    playback->interval_count = 1;
    if (sim_scene->params.body_interpolation == COIF_MOTION_SMOOTH && substeps > 1) {
        playback->interval_count = count_intervals(playback, sim_scene, substeps);
    }
    return COIF_OK;
}

// Poses at a substep; at both ends of the frame exactly those of the frames.
static coif_mesh *pose_at(coif_body_playback *playback, const coif_sim_scene *sim_scene,
                          int32_t substep, coif_arena *arena)
{
    if (substep == 0 || substep == playback->frame_substeps) {
        return playback->window[substep == 0 ? 1 : 2]->meshes;
    }
    const float t = (float)substep / (float)playback->frame_substeps;
    reset_arena(arena);
    coif_mesh *meshes = coif_arena_new(arena, sim_scene->body_count, coif_mesh);
    for (int32_t b = 0; b < sim_scene->body_count; ++b) {
        const coif_body_window window = window_of(playback, sim_scene, b);
        if (coif_body_is_animated(&sim_scene->bodies[b])) {
            coif_body_interpolate(&meshes[b], &sim_scene->bodies[b], &window, t, arena);
        } else {
            meshes[b] = *window.poses[1];
        }
    }
    return meshes;
}

bool coif_body_playback_next_interval(coif_body_playback *playback, coif_sim_scene *sim_scene)
{
    if (playback->interval == playback->interval_count) {
        return false;
    }
    const int64_t count = playback->interval_count;
    const int64_t substeps = playback->frame_substeps;
    const int32_t begin = (int32_t)(playback->interval * substeps / count);
    const int32_t end = (int32_t)((playback->interval + 1) * substeps / count);
    playback->begin = playback->interval == 0 ? playback->window[1]->meshes : playback->end;
    playback->end =
        pose_at(playback, sim_scene, end, &playback->interval_arenas[playback->interval % 2]);
    playback->substep = begin;
    playback->substeps = end - begin;
    ++playback->interval;
    coif_sim_scene_move_bodies(sim_scene, playback->begin, playback->end, false);
    const double first = playback->window[1]->frame;
    const coif_posed_frame from = {first + (double)begin / (double)substeps, playback->begin};
    const coif_posed_frame to = {first + (double)end / (double)substeps, playback->end};
    coif_sim_scene_move_primitives(sim_scene, from, to);
    return true;
}

coif_status coif_body_playback_ramp_from_rest(coif_body_playback *playback,
                                              coif_sim_scene *sim_scene, int frame, double fraction,
                                              coif_error *error)
{
    coif_arena *arena = &playback->interval_arenas[playback->interval % 2];
    playback->begin = playback->interval == 0 ? NULL : playback->end;
    reset_arena(arena);
    coif_mesh *meshes = coif_arena_new(arena, sim_scene->body_count, coif_mesh);
    for (int32_t b = 0; b < sim_scene->body_count; ++b) {
        COIF_TRY(coif_body_ramp(&meshes[b], &sim_scene->bodies[b], frame, (float)fraction, arena,
                                error));
    }
    playback->end = meshes;
    playback->begin = playback->begin == NULL ? meshes : playback->begin;
    ++playback->interval;
    playback->interval_count = 0;
    coif_sim_scene_move_bodies(sim_scene, playback->begin, playback->end, true);
    coif_sim_scene_move_primitives(sim_scene, (coif_posed_frame){frame, playback->begin},
                                   (coif_posed_frame){frame, playback->end});
    return COIF_OK;
}
