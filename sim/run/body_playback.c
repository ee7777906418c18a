#include "sim/run/body_playback.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/body/body_interpolate.h"

#include <math.h>

// How far the straight pieces may be from the smooth way, metres.
static const float TOLERANCE = 1e-4f;

void coif_body_playback_open(coif_body_playback *poses)
{
    *poses = (coif_body_playback){.piece = 0};
    for (int i = 0; i < 4; ++i) {
        poses->whole[i] = &poses->store[i];
        coif_arena_init(&poses->store[i].arena, "pose");
    }
    coif_arena_init(&poses->pieces[0], "pose");
    coif_arena_init(&poses->pieces[1], "pose");
}

void coif_body_playback_close(coif_body_playback *poses)
{
    for (int i = 0; i < 4; ++i) {
        coif_arena_free(&poses->store[i].arena);
    }
    coif_arena_free(&poses->pieces[0]);
    coif_arena_free(&poses->pieces[1]);
}

static void renew(coif_arena *arena)
{
    coif_arena_free(arena);
    coif_arena_init(arena, "pose");
}

static coif_status pose_bodies(coif_body_playback_pose *pose, const coif_sim_scene *shot, int frame,
                               coif_error *error)
{
    renew(&pose->arena);
    pose->frame = frame;
    pose->meshes = coif_arena_new(&pose->arena, shot->body_count, coif_mesh);
    for (int32_t b = 0; b < shot->body_count; ++b) {
        COIF_TRY(coif_body_pose(&pose->meshes[b], &shot->bodies[b], frame, &pose->arena, error));
    }
    return COIF_OK;
}

static void move_colliders(const coif_body_playback *poses, coif_sim_scene *shot, bool all)
{
    for (int32_t c = 0; c < shot->collider_count; ++c) {
        const int32_t b = shot->collider_bodies[c];
        if (b < 0) {
            continue; // a formula
        }
        // One that never moves is where it stood.
        if (all || coif_body_is_animated(&shot->bodies[b])) {
            coif_collider_refit_posed(&shot->colliders[c], &poses->begin[b], &poses->end[b]);
        }
    }
}

coif_status coif_body_playback_hold_pose(coif_body_playback *poses, coif_sim_scene *shot, int frame,
                                         coif_error *error)
{
    coif_body_playback_pose *pose = poses->whole[2];
    COIF_TRY(pose_bodies(pose, shot, frame, error));
    poses->begin = poses->end = pose->meshes;
    poses->piece_count = 0;
    move_colliders(poses, shot, true);
    coif_sim_scene_move_primitives(shot, frame, frame);
    return COIF_OK;
}

// Whether the file of a frame beyond the way is looked at.
static bool needs_neighbours(const coif_sim_scene *shot)
{
    for (int32_t b = 0;
         shot->params.body_interpolation == COIF_MOTION_SMOOTH && b < shot->body_count; ++b) {
        if (shot->bodies[b].sequence) {
            return true;
        }
    }
    return false;
}

// The four poses around the way that ends at a frame; what is there already moves up.
static coif_status fill_window(coif_body_playback *poses, const coif_sim_scene *shot, int frame,
                               coif_error *error)
{
    const int first = shot->still_before;
    const int wanted[4] = {frame - 2 < first ? first : frame - 2, frame - 1, frame, frame + 1};
    const bool all = needs_neighbours(shot);
    for (int i = 0; i < 4; ++i) {
        for (int k = i; k < 4; ++k) {
            if (poses->whole[k]->meshes != NULL && poses->whole[k]->frame == wanted[i]) {
                coif_body_playback_pose *found = poses->whole[k];
                poses->whole[k] = poses->whole[i];
                poses->whole[i] = found;
                break;
            }
        }
        if (poses->whole[i]->meshes != NULL && poses->whole[i]->frame == wanted[i]) {
            continue;
        }
        if (i == 1 || i == 2 || all) {
            COIF_TRY(pose_bodies(poses->whole[i], shot, wanted[i], error));
        } else {
            poses->whole[i]->meshes = NULL;
        }
    }
    return COIF_OK;
}

static coif_body_window way_of(const coif_body_playback *poses, const coif_sim_scene *shot,
                               int32_t body)
{
    coif_body_window way = {.begin = poses->whole[1]->frame, .first = shot->still_before};
    for (int i = 0; i < 4; ++i) {
        const coif_mesh *meshes = poses->whole[i]->meshes;
        way.poses[i] = meshes != NULL ? &meshes[body] : NULL;
    }
    return way;
}

// How far the smooth way is from the straight one, at a moment of it.
static float detour(const coif_body_playback *poses, const coif_sim_scene *shot, int32_t body,
                    float t, coif_arena *scratch)
{
    const coif_body_window way = way_of(poses, shot, body);
    const coif_mesh *begin = way.poses[1];
    const coif_mesh *end = way.poses[2];
    coif_mesh mesh;
    coif_body places = shot->bodies[body];
    places.needs_normals = coif_arena_new(scratch, places.rest.triangle_count, bool);
    coif_body_interpolate(&mesh, &places, &way, t, scratch);
    float most = 0.0f;
    for (int32_t i = 0; i < mesh.vertex_count; ++i) {
        const coif_vec3 straight = coif_lerp(begin->positions[i], end->positions[i], t);
        most = fmaxf(most, coif_length(coif_sub(mesh.positions[i], straight)));
    }
    return most;
}

// A way cut into n pieces is off by its detour / n^2.
static int32_t count_pieces(const coif_body_playback *poses, const coif_sim_scene *shot,
                            int32_t most)
{
    static const float moments[] = {0.25f, 0.5f, 0.75f};
    float worst = 0.0f;
    for (int32_t b = 0; b < shot->body_count; ++b) {
        for (int i = 0; i < 3 && coif_body_is_animated(&shot->bodies[b]); ++i) {
            coif_arena scratch;
            coif_arena_init(&scratch, "detour");
            worst = fmaxf(worst, detour(poses, shot, b, moments[i], &scratch));
            coif_arena_free(&scratch);
        }
    }
    const float pieces = ceilf(sqrtf(worst / TOLERANCE));
    return pieces < 1.0f ? 1 : pieces < (float)most ? (int32_t)pieces : most;
}

coif_status coif_body_playback_begin_frame(coif_body_playback *poses, coif_sim_scene *shot,
                                           int frame, int32_t substeps, coif_error *error)
{
    COIF_TRY(fill_window(poses, shot, frame, error));
    poses->all_substeps = substeps;
    poses->piece = 0;
    poses->substeps = 0;
    poses->piece_count = 1;
    if (shot->params.body_interpolation == COIF_MOTION_SMOOTH && substeps > 1) {
        poses->piece_count = count_pieces(poses, shot, substeps);
    }
    return COIF_OK;
}

// Bodies at a substep of the frame: at its ends those of whole frames, to the bit.
static coif_mesh *pose_at(coif_body_playback *poses, const coif_sim_scene *shot, int32_t substep,
                          coif_arena *arena)
{
    if (substep == 0 || substep == poses->all_substeps) {
        return poses->whole[substep == 0 ? 1 : 2]->meshes;
    }
    const float t = (float)substep / (float)poses->all_substeps;
    renew(arena);
    coif_mesh *meshes = coif_arena_new(arena, shot->body_count, coif_mesh);
    for (int32_t b = 0; b < shot->body_count; ++b) {
        const coif_body_window way = way_of(poses, shot, b);
        if (coif_body_is_animated(&shot->bodies[b])) {
            coif_body_interpolate(&meshes[b], &shot->bodies[b], &way, t, arena);
        } else {
            meshes[b] = *way.poses[1];
        }
    }
    return meshes;
}

bool coif_body_playback_next_interval(coif_body_playback *poses, coif_sim_scene *shot)
{
    if (poses->piece == poses->piece_count) {
        return false;
    }
    const int64_t count = poses->piece_count;
    const int64_t all = poses->all_substeps;
    const int32_t begin = (int32_t)(poses->piece * all / count);
    const int32_t end = (int32_t)((poses->piece + 1) * all / count);
    poses->begin = poses->piece == 0 ? poses->whole[1]->meshes : poses->end;
    poses->end = pose_at(poses, shot, end, &poses->pieces[poses->piece % 2]);
    poses->substep = begin;
    poses->substeps = end - begin;
    ++poses->piece;
    move_colliders(poses, shot, false);
    coif_sim_scene_move_primitives(shot, poses->whole[1]->frame + (double)begin / (double)all,
                                   poses->whole[1]->frame + (double)end / (double)all);
    return true;
}

coif_status coif_body_playback_ramp_from_rest(coif_body_playback *poses, coif_sim_scene *shot,
                                              int frame, double share, coif_error *error)
{
    coif_arena *arena = &poses->pieces[poses->piece % 2];
    poses->begin = poses->piece == 0 ? NULL : poses->end;
    renew(arena);
    coif_mesh *meshes = coif_arena_new(arena, shot->body_count, coif_mesh);
    for (int32_t b = 0; b < shot->body_count; ++b) {
        COIF_TRY(coif_body_ramp(&meshes[b], &shot->bodies[b], frame, (float)share, arena, error));
    }
    poses->end = meshes;
    poses->begin = poses->begin == NULL ? meshes : poses->begin;
    ++poses->piece;
    poses->piece_count = 0;
    move_colliders(poses, shot, true);
    return COIF_OK;
}
