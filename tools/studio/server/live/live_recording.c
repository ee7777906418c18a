#include "tools/studio/server/live/live_recording.h"

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/hair/frame_cache.h"
#include "core/json/json_edit.h"
#include "tools/studio/server/document/temp_dir.h"
#include "tools/studio/server/live/live_cache.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const float DEGREES = 57.29577951308232f; // per radian

// Pose of the dragged body in a frame.
typedef struct drag_key {
    int frame;
    float translate[3], rotate[3];
} drag_key;

typedef struct rest_groom {
    coif_groom groom;
    const char *name;
} rest_groom;

struct coif_live_recording {
    coif_studio *studio;
    coif_jobs *jobs;
    coif_arena arena;
    coif_scene scene; // with all strands of the groom
    int32_t groom;
    coif_live *full; // a session of that scene, which gets the state of each frame
    rest_groom *others;
    int32_t other_count;
    const char *name;                // "bob.take1"
    const char *folder, *scene_path; // of the finished take
    const char *partial;             // folder until then
    drag_key *keys;
    int32_t key_count, key_capacity;
};

// ---- recording

// bob.take1, or the first number for which there is neither file nor folder.
static void choose_name(coif_live_recording *rec)
{
    const char *scene = coif_path_name(rec->studio->path);
    coif_arena *arena = &rec->arena;
    for (int number = 1;; ++number) {
        rec->name = coif_arena_print(arena, "%.*s.take%d", (int)strcspn(scene, "."), scene, number);
        rec->folder = coif_path_join(rec->studio->folder, rec->name, arena);
        rec->scene_path = coif_arena_print(arena, "%s.json", rec->folder);
        if (!coif_path_exists(rec->folder) && !coif_path_exists(rec->scene_path)) {
            break;
        }
    }
    rec->partial = coif_path_join(rec->studio->folder,
                                  coif_arena_print(arena, ".%s.partial", rec->name), arena);
}

static coif_status generate_others(coif_live_recording *rec, int frame, coif_error *error)
{
    coif_body *bodies;
    int32_t body_count;
    COIF_TRY(coif_bodies_load(&bodies, &body_count, &rec->scene, &rec->arena, error));
    const coif_node *grooms = coif_node_at(rec->scene.root, "grooms");
    rec->others = coif_arena_new(&rec->arena, grooms->child_count, rest_groom);
    for (int32_t g = 0; g < grooms->child_count; ++g) {
        coif_groom_params params;
        coif_node_read(&grooms->children[g], frame, &params);
        const coif_body *body = coif_bodies_find(bodies, body_count, params.body);
        if (g != rec->groom && body != NULL) {
            rest_groom *other = &rec->others[rec->other_count++];
            other->name = params.name;
            COIF_TRY(coif_live_rest_groom(&other->groom, &rec->scene, &grooms->children[g], body,
                                          frame, &rec->arena, rec->jobs, error));
            COIF_TRY(coif_groom_save(&other->groom,
                                     coif_groom_file_path(rec->partial, other->name, &rec->arena),
                                     error));
        }
    }
    return COIF_OK;
}

static void free_recording(coif_live_recording *rec)
{
    if (rec->full != NULL) {
        coif_live_close(rec->full);
    }
    coif_arena arena;
    coif_arena_move(&arena, &rec->arena); // rec is in it
    coif_arena_free(&arena);
}

static coif_status begin(coif_live_recording *rec, const coif_live *live, coif_error *error)
{
    choose_name(rec);
    coif_temp_dir_remove(rec->partial);
    COIF_TRY(coif_path_make_directory(rec->partial, error));
    const coif_overrides none = {NULL, 0};
    COIF_TRY(coif_live_full_scene(&rec->scene, rec->studio, &none, rec->groom, &rec->arena, error));
    COIF_TRY(
        coif_live_open(&rec->full, &rec->scene, rec->groom, live, &rec->arena, rec->jobs, error));
    COIF_TRY(generate_others(rec, coif_live_frame(live), error));
    return coif_live_recording_add(rec, live, error);
}

coif_status coif_live_recording_begin(coif_live_recording **recording, coif_studio *studio,
                                      const coif_live *live, int32_t groom, coif_jobs *jobs,
                                      coif_error *error)
{
    coif_arena arena;
    coif_arena_init(&arena, "recording");
    coif_live_recording *rec = coif_arena_new(&arena, 1, coif_live_recording);
    *rec = (coif_live_recording){.studio = studio, .jobs = jobs, .groom = groom};
    coif_arena_move(&rec->arena, &arena);
    const coif_status status = begin(rec, live, error);
    if (status != COIF_OK) {
        coif_live_recording_cancel(rec);
        return status;
    }
    *recording = rec;
    return COIF_OK;
}

static void add_key(coif_live_recording *rec, const coif_live *live)
{
    if (rec->key_count == rec->key_capacity) {
        rec->key_capacity = rec->key_capacity > 0 ? 2 * rec->key_capacity : 256;
        drag_key *keys = coif_arena_new(&rec->arena, rec->key_capacity, drag_key);
        if (rec->key_count > 0) {
            memcpy(keys, rec->keys, sizeof *keys * (size_t)rec->key_count);
        }
        rec->keys = keys;
    }
    drag_key *key = &rec->keys[rec->key_count++];
    key->frame = coif_live_frame(live);
    coif_live_get_body_drag(live, key->translate, key->rotate);
}

coif_status coif_live_recording_add(coif_live_recording *rec, const coif_live *live,
                                    coif_error *error)
{
    const int frame = coif_live_frame(live);
    if (rec->key_count > 0 && frame <= rec->keys[rec->key_count - 1].frame) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "the simulation was reset to frame %d; the recording ends before", frame);
    }
    COIF_TRY(coif_live_transfer_from(rec->full, live, true, error));
    COIF_TRY(rec->key_count == 0 ? coif_live_export(rec->full, rec->partial, error)
                                 : coif_live_export_frame(rec->full, rec->partial, error));
    for (int32_t i = 0; i < rec->other_count; ++i) {
        COIF_TRY(coif_live_rest_frame_save(&rec->others[i].groom, rec->others[i].name, frame,
                                           rec->partial, rec->jobs, error));
    }
    add_key(rec, live);
    return COIF_OK;
}

int32_t coif_live_recording_frames(const coif_live_recording *recording)
{
    return recording->key_count;
}

const char *coif_live_recording_name(const coif_live_recording *recording)
{
    return recording->name;
}

// ---- the scene of a take

static coif_vec3 column(const coif_mat3 *m, int c)
{
    const float *rows[3] = {&m->row[0].x, &m->row[1].x, &m->row[2].x};
    return coif_vec3_of(rows[0][c], rows[1][c], rows[2][c]);
}

// Degrees about x, then y, then z.
static coif_vec3 euler_angles(const coif_mat3 *m)
{
    const coif_vec3 x = column(m, 0), y = column(m, 1), z = column(m, 2);
    const float sine = fminf(1.0f, fmaxf(-1.0f, -x.z));
    if (fabsf(sine) > 0.99999f) { // gimbal lock: no rotation about z
        return coif_vec3_of(DEGREES * atan2f(-z.y, y.y), DEGREES * asinf(sine), 0.0f);
    }
    return coif_vec3_of(DEGREES * atan2f(y.z, z.z), DEGREES * asinf(sine),
                        DEGREES * atan2f(x.y, x.x));
}

// The drag of a frame on top of the offset that the body has, as an offset of another body in its
// bounding box or of the dragged body itself.
static drag_key offset_of(const drag_key *key, const coif_body *body, const coif_body *dragged)
{
    coif_body_params params;
    coif_node_read(dragged->node, key->frame, &params);
    memcpy(params.translate, key->translate, sizeof params.translate);
    memcpy(params.rotate, key->rotate, sizeof params.rotate);
    coif_body_params own;
    coif_node_read(body->node, key->frame, &own);
    const coif_body_params before = coif_body_offset(&own);
    const bool same_form = memcmp(own.pivot, params.pivot, sizeof own.pivot) == 0 &&
                           own.deform_y_min == params.deform_y_min &&
                           own.deform_y_max == params.deform_y_max;
    if (same_form && !coif_body_moves(&before)) {
        return *key;
    }
    // Both as rigid motions: x -> R x + t, which is an offset of t - (I - R) pivot about the pivot.
    coif_body_params rigid = before;
    rigid.deform_y_min = rigid.deform_y_max = 0.0f;
    const coif_affine first = coif_body_rigid_motion(&rigid, 0.0f);
    const coif_affine second = coif_body_rigid_motion(&params, body->rest.positions[0].y);
    const coif_affine both = coif_affine_compose(&second, &first);
    const coif_vec3 pivot = coif_vec3_of(own.pivot[0], own.pivot[1], own.pivot[2]);
    const coif_vec3 shift = coif_sub(coif_affine_apply(&both, pivot), pivot);
    const coif_vec3 angles = euler_angles(&both.linear);
    return (drag_key){key->frame, {shift.x, shift.y, shift.z}, {angles.x, angles.y, angles.z}};
}

static bool same_pose(const drag_key *a, const drag_key *b)
{
    return memcmp(a->translate, b->translate, sizeof a->translate) == 0 &&
           memcmp(a->rotate, b->rotate, sizeof a->rotate) == 0;
}

static void write_keys(coif_strbuf *out, const drag_key *keys, int32_t count, bool rotate)
{
    coif_strbuf_print(out, "{\"keys\": [");
    bool first = true;
    for (int32_t i = 0; i < count; ++i) {
        // Keys between two of the same pose say nothing.
        if (i > 0 && i + 1 < count && same_pose(&keys[i - 1], &keys[i]) &&
            same_pose(&keys[i], &keys[i + 1])) {
            continue;
        }
        const float *v = rotate ? keys[i].rotate : keys[i].translate;
        coif_strbuf_print(out, "%s[%d, [%.7g, %.7g, %.7g]]", first ? "" : ", ", keys[i].frame,
                          (double)v[0], (double)v[1], (double)v[2]);
        first = false;
    }
    coif_strbuf_print(out, "]}");
}

static coif_status set_value(char **text, const char *pointer, const char *value,
                             const coif_live_recording *rec, coif_arena *arena, coif_error *error)
{
    const coif_json_text before = {coif_path_name(rec->scene_path), *text, strlen(*text)};
    return coif_json_set(text, &before, pointer, value, arena, error);
}

static coif_status set_offset(char **text, int32_t body, const drag_key *keys,
                              const coif_live_recording *rec, coif_arena *arena, coif_error *error)
{
    for (int rotate = 0; rotate < 2; ++rotate) {
        coif_strbuf value;
        coif_strbuf_init(&value, arena);
        write_keys(&value, keys, rec->key_count, rotate != 0);
        const char *pointer = coif_arena_print(arena, "/bodies/%d/offset_%s", body,
                                               rotate != 0 ? "rotate" : "translate");
        COIF_TRY(set_value(text, pointer, value.data, rec, arena, error));
    }
    return COIF_OK;
}

static bool is_dragged(const coif_live_recording *rec)
{
    const drag_key still = {0};
    bool moved = false;
    for (int32_t i = 0; i < rec->key_count; ++i) {
        moved |= !same_pose(&rec->keys[i], &still);
    }
    return moved;
}

// The current text with the recorded range and motion.
static coif_status make_scene(char **text, const coif_live_recording *rec, coif_arena *arena,
                              coif_error *error)
{
    pthread_mutex_lock(&rec->studio->lock);
    *text = coif_arena_copy_text(arena, rec->studio->text);
    pthread_mutex_unlock(&rec->studio->lock);
    const int frames[2] = {rec->keys[0].frame, rec->keys[rec->key_count - 1].frame};
    COIF_TRY(set_value(text, "/sim/first_frame", coif_arena_print(arena, "%d", frames[0]), rec,
                       arena, error));
    COIF_TRY(set_value(text, "/sim/last_frame", coif_arena_print(arena, "%d", frames[1]), rec,
                       arena, error));
    if (!is_dragged(rec)) {
        return COIF_OK;
    }
    coif_body *bodies;
    int32_t count;
    COIF_TRY(coif_bodies_load(&bodies, &count, &rec->scene, arena, error));
    coif_groom_params params;
    coif_node_read(&coif_node_at(rec->scene.root, "grooms")->children[rec->groom],
                   rec->keys[0].frame, &params);
    const coif_body *dragged = coif_bodies_find(bodies, count, params.body);
    drag_key *keys = coif_arena_new(arena, rec->key_count, drag_key);
    for (int32_t b = 0; b < count; ++b) {
        if (coif_body_takes_drag(&bodies[b], dragged)) {
            for (int32_t i = 0; i < rec->key_count; ++i) {
                keys[i] = offset_of(&rec->keys[i], &bodies[b], dragged);
            }
            COIF_TRY(set_offset(text, b, keys, rec, arena, error));
        }
    }
    return COIF_OK;
}

static coif_status finish(const coif_live_recording *rec, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "take");
    char *text;
    COIF_TRY(make_scene(&text, rec, &scratch, error));
    if (rename(rec->partial, rec->folder) != 0) {
        return coif_fail(error, COIF_ERR_IO, "%s: cannot be created: %s", rec->folder,
                         strerror(errno));
    }
    return coif_file_save(rec->scene_path, text, strlen(text), error);
}

coif_status coif_live_recording_finish(coif_live_recording *rec, coif_error *error)
{
    const coif_status status = finish(rec, error);
    if (status != COIF_OK) {
        coif_temp_dir_remove(rec->folder);
        coif_live_recording_cancel(rec);
        return status;
    }
    free_recording(rec);
    return COIF_OK;
}

void coif_live_recording_cancel(coif_live_recording *rec)
{
    coif_temp_dir_remove(rec->partial);
    free_recording(rec);
}
