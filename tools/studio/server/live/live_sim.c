#include "tools/studio/server/live/live_sim.h"

#include "core/base/jobs.h"
#include "core/base/log.h"
#include "core/json/json.h"
#include "tools/studio/server/live/live_recording.h"
#include "tools/studio/server/live/live_sim_stream.h"
#include "tools/studio/server/live/realtime_budget.h"
#include "tools/studio/server/live/strand_colors.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MIN_STRANDS = 300 }; // however slow the machine is

// Seconds without a frame client after which the simulation pauses until the next one connects.
static const double UNWATCHED_SECONDS = 3.0;
static const double RECORDING_EVENT_SECONDS = 0.24; // between events

// A scene snapshot in its own arena. The one a session was opened with stays in use; two, because a
// session is opened from another. Later changes of the text alternate between two more.
typedef struct scene_source {
    coif_arena arena;
    coif_scene scene;
    coif_revisions revisions;
    bool used;
} scene_source;
enum { SESSIONS = 2, SOURCES = SESSIONS + 2 };

typedef struct live_params {
    int32_t groom, strand_limit;
    float solve_fraction;
    bool exact;
} live_params;

struct coif_live_sim {
    coif_studio *studio;
    pthread_t thread;

    pthread_mutex_t lock; // of the requests:
    pthread_cond_t wake, served;
    bool playing, quit, stop, reset, frame_requested;
    double watched_at;              // last time of a command, a request or a connected client, s
    uint64_t request_id, served_id; // of coif_live_sim_read
    int32_t steps;                  // still to simulate
    int32_t holds;                  // not playing while above 0
    coif_live_sim_action record;    // requested change of the recording; COIF_LIVE_PAUSE: none
    live_params requested;
    int32_t loop_first, loop_last; // frames that playing repeats; 0: those of the scene
    float translate[3], rotate[3];
    coif_arena packet_arenas[2];
    coif_strbuf packets[2]; // the current one, and memory for the next
    int packet_index;

    // Of the simulation. The thread holds it for a frame and lets waiting threads go first.
    pthread_mutex_t busy;
    atomic_int waiting;
    coif_live *live;
    coif_arena live_arenas[SESSIONS];
    int session; // arena and source of live
    live_params params;
    uint8_t *colors; // of the strands, NULL: none
    int32_t color_count;
    coif_arena color_arena;
    scene_source sources[SOURCES];
    int source; // the current one
    coif_arena jobs_arena;
    coif_jobs *jobs;
    coif_realtime_budget budget;
    bool strands_changed;           // by the budget
    coif_live_recording *recording; // NULL: none
    double recording_event;         // time of the last event about it, s
    coif_live_sim_stream stream;
    bool frame_unsent;
    coif_live_substeps substeps;
};

// ---- session

static int32_t strand_count(const coif_live_sim *sim)
{
    const int32_t strands =
        (int32_t)((float)sim->params.strand_limit * sim->budget.strand_fraction + 0.5f);
    return strands > 1 ? strands : 1;
}

static float solve_fraction(const coif_live_sim *sim)
{
    return sim->params.solve_fraction * sim->budget.solve_fraction;
}

// Simulated fraction of the groom in the scene; a groom that is gone is reported by the snapshot.
static double scene_fraction(const coif_live_sim *sim)
{
    double fraction = 1.0;
    pthread_mutex_lock(&sim->studio->lock);
    const coif_node *grooms = coif_node_at(sim->studio->scene.root, "grooms");
    if (sim->params.groom < grooms->child_count) {
        const coif_node *settings = coif_node_at(&grooms->children[sim->params.groom], "sim");
        fraction = coif_values_find(&settings->values, "simulated_fraction")->numbers[0];
    }
    pthread_mutex_unlock(&sim->studio->lock);
    return fraction;
}

// Candidates of which about that many strands grow, but not more than the groom has. The ratio is a
// power of two, so that strokes seldom change the number.
static int32_t candidate_count(const coif_live_sim *sim, int32_t strands)
{
    const coif_node *groom;
    coif_growth_surface surface;
    coif_studio *studio = sim->studio;
    int32_t count = strands;
    pthread_mutex_lock(&studio->lock);
    if (coif_studio_groom(&groom, studio, sim->params.groom, NULL) == COIF_OK &&
        coif_studio_growth_surface(&surface, studio, groom, NULL) == COIF_OK) {
        const int32_t most = coif_growth_surface_max_roots(&surface);
        const double ratio = coif_root_preview_ratio(studio->roots, sim->params.groom);
        for (double power = 2.0; power <= ratio && count <= most / 2; power *= 2.0) {
            count *= 2;
        }
    }
    pthread_mutex_unlock(&studio->lock);
    return count;
}

// Takes a snapshot of the scene with the current number of strands.
static coif_status take_snapshot(coif_live_sim *sim, scene_source *to, coif_error *error)
{
    if (to->used) {
        coif_arena_free(&to->arena);
    }
    coif_arena_init(&to->arena, "live scene");
    to->used = true;
    const coif_overrides limit = coif_strand_limit_overrides(
        sim->params.groom, candidate_count(sim, strand_count(sim)), &to->arena);
    const double fraction = scene_fraction(sim);
    const float solved = solve_fraction(sim);
    const char *items[3] = {limit.items[0], limit.items[1],
                            coif_arena_print(&to->arena, "grooms/%d/sim/simulated_fraction=%.6g",
                                             sim->params.groom, (double)solved * fraction)};
    const coif_overrides overrides = {items, solved < 1.0f ? 3 : 2};
    return coif_studio_snapshot(&to->scene, &to->revisions, sim->studio, &overrides, &to->arena,
                                error);
}

static void free_colors(coif_live_sim *sim)
{
    if (sim->colors != NULL) {
        coif_arena_free(&sim->color_arena);
        sim->colors = NULL;
    }
}

static coif_status update_colors(coif_live_sim *sim, coif_error *error)
{
    const coif_scene *scene = &sim->sources[sim->source].scene;
    const coif_strand_colors_desc desc = {
        .scene = scene,
        .node = &coif_node_at(scene->root, "grooms")->children[sim->params.groom],
        .groom = coif_live_groom(sim->live),
        .body = coif_live_body_at_rest(sim->live),
        .eval_map = sim->studio->eval_map,
        .frame = coif_live_frame(sim->live),
        .jobs = sim->jobs};
    free_colors(sim);
    coif_live_sim_stream_invalidate_colors(&sim->stream);
    sim->color_count = desc.groom->rest.strand_count;
    coif_arena_init(&sim->color_arena, "live colours");
    return coif_strand_colors(&sim->colors, &desc, &sim->color_arena, error);
}

// Name: as JSON.
static void send_recording(const coif_live_sim *sim, const char *state, const char *name,
                           int32_t frames)
{
    char text[4200];
    snprintf(text, sizeof text, "{\"state\": \"%s\", \"name\": %s, \"frames\": %d}", state, name,
             frames);
    coif_broadcast_event(&sim->studio->broadcast, "recording", text);
}

static void cancel_recording(coif_live_sim *sim, const char *state)
{
    if (sim->recording != NULL) {
        coif_live_recording_cancel(sim->recording);
        sim->recording = NULL;
        send_recording(sim, state, "null", 0);
    }
}

static void finish_recording(coif_live_sim *sim)
{
    if (sim->recording == NULL) {
        return;
    }
    COIF_SCOPED_ARENA(scratch, "recording");
    const char *name = coif_json_quote(coif_live_recording_name(sim->recording), &scratch);
    const int32_t frames = coif_live_recording_frames(sim->recording);
    coif_error error = {0};
    const coif_status status = coif_live_recording_finish(sim->recording, &error);
    sim->recording = NULL;
    send_recording(sim, status == COIF_OK ? "saved" : "failed", name, frames);
    if (status != COIF_OK) {
        coif_studio_report_error(sim->studio, &error);
    }
}

static void close_session(coif_live_sim *sim)
{
    free_colors(sim);
    if (sim->live != NULL) {
        finish_recording(sim);
        coif_live_close(sim->live);
        coif_arena_free(&sim->live_arenas[sim->session]);
        sim->live = NULL;
    }
    sim->frame_unsent = false;
}

// Like: NULL, or a session whose equal bodies are reused.
static coif_status open_session(coif_live_sim *sim, const coif_live *like, coif_error *error)
{
    close_session(sim);
    sim->source = sim->session;
    scene_source *source = &sim->sources[sim->session];
    COIF_TRY(take_snapshot(sim, source, error));
    coif_arena *arena = &sim->live_arenas[sim->session];
    coif_arena_init(arena, "live");
    const coif_status status = coif_live_open(&sim->live, &source->scene, sim->params.groom, like,
                                              arena, sim->jobs, error);
    if (status != COIF_OK) {
        close_session(sim);
        return status;
    }
    return update_colors(sim, error);
}

// Opens a session with another number of strands and transfers the state.
static coif_status change_strands(coif_live_sim *sim, coif_error *error)
{
    coif_live *before = sim->live;
    const int session = sim->session;
    sim->live = NULL;
    sim->session = !session;
    coif_status status = open_session(sim, before, error);
    if (status == COIF_OK) {
        status = coif_live_transfer_from(sim->live, before, true, error);
    }
    coif_live_close(before);
    coif_arena_free(&sim->live_arenas[session]);
    return status;
}

// Applies a changed scene text to the session if possible, else opens a new one.
static coif_status follow_text(coif_live_sim *sim, coif_error *error)
{
    pthread_mutex_lock(&sim->studio->lock);
    const uint64_t revision = sim->studio->text_revision;
    const uint64_t hair = coif_studio_hair_revision(sim->studio);
    pthread_mutex_unlock(&sim->studio->lock);
    const coif_revisions *before = &sim->sources[sim->source].revisions;
    if (before->hair != hair) {
        return open_session(sim, NULL, error);
    }
    if (before->text == revision) {
        return COIF_OK;
    }
    const int next = sim->source == SESSIONS ? SESSIONS + 1 : SESSIONS;
    scene_source *source = &sim->sources[next];
    COIF_TRY(take_snapshot(sim, source, error));
    if (!coif_live_can_reuse(sim->live, &source->scene)) {
        return open_session(sim, NULL, error);
    }
    COIF_TRY(coif_live_apply_scene(sim->live, &source->scene, error));
    sim->source = next;
    return update_colors(sim, error);
}

// ---- frames

// Sends the current frame; keep: also for coif_live_sim_read.
static coif_status send_frame(coif_live_sim *sim, bool keep, coif_error *error)
{
    const int32_t strands = strand_count(sim);
    coif_live_frame_desc desc = {.broadcast = &sim->studio->broadcast,
                                 .live = sim->live,
                                 .colors = sim->colors,
                                 .strand_limit =
                                     strands < sim->color_count ? strands : sim->color_count,
                                 .pause = keep ? 0.0 : coif_realtime_budget_pause(&sim->budget)};
    sim->frame_unsent = false;
    if (!keep) {
        return coif_live_sim_stream_send(&sim->stream, &desc, error);
    }
    const int next = !sim->packet_index;
    coif_arena_free(&sim->packet_arenas[next]);
    coif_arena_init(&sim->packet_arenas[next], "live frame");
    coif_strbuf_init(&sim->packets[next], &sim->packet_arenas[next]);
    desc.packet = &sim->packets[next];
    COIF_TRY(coif_live_sim_stream_send(&sim->stream, &desc, error));
    pthread_mutex_lock(&sim->lock);
    sim->packet_index = next;
    pthread_mutex_unlock(&sim->lock);
    return COIF_OK;
}

static void send_stats(coif_live_sim *sim, bool at_once)
{
    const coif_live_sim_stats stats = {.substeps = sim->substeps,
                                       .strands_requested = sim->params.strand_limit,
                                       .strands = strand_count(sim),
                                       .solve_fraction = solve_fraction(sim)};
    coif_live_sim_stream_send_stats(&sim->stream, &sim->studio->broadcast, sim->live, &stats,
                                    at_once);
}

// Requests, copied under the lock.
typedef struct requests {
    bool quit, stop, reset, step, playing, send_frame;
    coif_live_sim_action record;
    uint64_t request_id;
    live_params params;
    int32_t loop_first, loop_last;
    float translate[3], rotate[3];
} requests;

// The caller holds the lock.
static bool is_playing(const coif_live_sim *sim)
{
    return sim->playing && sim->holds == 0 &&
           coif_clock_seconds() - sim->watched_at < UNWATCHED_SECONDS;
}

static requests wait_for_requests(coif_live_sim *sim)
{
    pthread_mutex_lock(&sim->lock);
    if (sim->playing && coif_broadcast_has_frame_clients(&sim->studio->broadcast)) {
        sim->watched_at = coif_clock_seconds();
    }
    while (!sim->quit && !sim->stop && !sim->reset && !is_playing(sim) && sim->steps == 0 &&
           sim->record == COIF_LIVE_PAUSE && !sim->frame_requested && !sim->frame_unsent) {
        pthread_cond_wait(&sim->wake, &sim->lock);
    }
    const bool playing = is_playing(sim);
    requests now = {.quit = sim->quit,
                    .stop = sim->stop,
                    .reset = sim->reset,
                    .playing = playing,
                    .send_frame = sim->frame_requested,
                    .request_id = sim->request_id,
                    .record = COIF_LIVE_PAUSE,
                    .step = playing || sim->steps > 0,
                    .params = sim->requested,
                    .loop_first = sim->loop_first,
                    .loop_last = sim->loop_last};
    memcpy(now.translate, sim->translate, sizeof now.translate);
    memcpy(now.rotate, sim->rotate, sizeof now.rotate);
    if (sim->record != COIF_LIVE_RECORD_STOP || sim->steps == 0) {
        now.record = sim->record;
        sim->record = COIF_LIVE_PAUSE;
    }
    sim->steps -= sim->steps > 0;
    sim->reset = sim->stop = sim->frame_requested = false;
    pthread_mutex_unlock(&sim->lock);
    return now;
}

static bool needs_session(const requests *now)
{
    return now->step || now->reset || now->record == COIF_LIVE_RECORD;
}

// Takes over changed parameters; true when the number of strands changes. Another groom closes the
// session. A request for a frame alone does not start one: the parameters are not known yet.
static bool apply_params(coif_live_sim *sim, requests *now)
{
    const live_params *next = &now->params;
    bool changed = sim->strands_changed;
    sim->strands_changed = false;
    if (sim->live == NULL && !needs_session(now)) {
        return false;
    }
    if (next->groom != sim->params.groom) {
        close_session(sim);
        now->reset = true;
    }
    if (next->groom != sim->params.groom || next->strand_limit != sim->params.strand_limit ||
        next->solve_fraction != sim->params.solve_fraction || next->exact != sim->params.exact) {
        const int32_t strands = strand_count(sim);
        const float solved = solve_fraction(sim);
        sim->params = *next;
        coif_realtime_budget_begin(&sim->budget, (float)MIN_STRANDS / (float)next->strand_limit);
        changed |= strands != strand_count(sim) || solved != solve_fraction(sim);
    }
    return changed;
}

// Fewer substeps than the scene has while frames would be late; single frames are exact.
static void choose_substeps(coif_live_sim *sim, bool realtime)
{
    coif_live_limit_substeps(sim->live, 0);
    const int32_t requested = coif_live_substeps_of(sim->live).requested;
    coif_live_limit_substeps(sim->live,
                             realtime ? coif_realtime_budget_substeps(&sim->budget, requested) : 0);
    sim->substeps = coif_live_substeps_of(sim->live);
}

static coif_status change_recording(coif_live_sim *sim, const requests *now, coif_error *error)
{
    if (now->record == COIF_LIVE_RECORD_STOP) {
        finish_recording(sim);
    } else if (now->record == COIF_LIVE_RECORD_CANCEL) {
        cancel_recording(sim, "cancelled");
    } else if (now->record == COIF_LIVE_RECORD && sim->recording == NULL) {
        send_recording(sim, "preparing", "null", 0);
        const coif_status status = coif_live_recording_begin(
            &sim->recording, sim->studio, sim->live, sim->params.groom, sim->jobs, error);
        send_recording(sim, status == COIF_OK ? "recording" : "failed", "null", 1);
        return status;
    }
    return COIF_OK;
}

// Adds the current frame to the take, if there is one.
static coif_status record_frame(coif_live_sim *sim, bool at_once, coif_error *error)
{
    if (sim->recording == NULL) {
        return COIF_OK;
    }
    const coif_status status = coif_live_recording_add(sim->recording, sim->live, error);
    if (status != COIF_OK) {
        cancel_recording(sim, "failed");
        return status;
    }
    if (at_once || coif_clock_seconds() - sim->recording_event > RECORDING_EVENT_SECONDS) {
        sim->recording_event = coif_clock_seconds();
        send_recording(sim, "recording", "null", coif_live_recording_frames(sim->recording));
    }
    return COIF_OK;
}

static coif_status step(coif_live_sim *sim, const requests *now, coif_error *error)
{
    coif_step_stats stats = {0};
    const double budget = 1.0 / coif_live_fps(sim->live);
    const bool realtime = now->playing && !sim->params.exact;
    const bool keep = !now->playing || now->send_frame;
    const double start = coif_clock_seconds();
    const int32_t scene_last = coif_live_last_frame(sim->live);
    const bool shorter = now->loop_last > 0 && now->loop_last < scene_last;
    const int32_t last = shorter ? now->loop_last : scene_last;
    // A take may be longer than the frames of the scene.
    if (now->playing && sim->recording == NULL && coif_live_frame(sim->live) >= last) {
        COIF_TRY(coif_live_loop(sim->live, now->loop_first < last ? now->loop_first : 0, error));
    }
    choose_substeps(sim, realtime);
    coif_live_set_body_drag(sim->live, now->translate, now->rotate);
    COIF_TRY(coif_live_step(sim->live, &stats, error));
    sim->frame_unsent = true;
    if (keep || coif_broadcast_frame_wanted(&sim->studio->broadcast,
                                            coif_realtime_budget_pause(&sim->budget))) {
        COIF_TRY(send_frame(sim, keep, error));
    }
    const double seconds = coif_clock_seconds() - start;
    coif_live_sim_stream_add_frame(&sim->stream, &stats, seconds);
    send_stats(sim, !now->playing);
    sim->strands_changed = realtime && coif_realtime_budget_note(&sim->budget, seconds, budget);
    return record_frame(sim, !now->playing, error);
}

static coif_status serve(coif_live_sim *sim, const requests *now, bool strands_changed,
                         coif_error *error)
{
    bool started = now->reset;
    if (sim->live == NULL) {
        if (!needs_session(now)) {
            return COIF_OK; // a frame was requested, and nothing is simulated
        }
        COIF_TRY(open_session(sim, NULL, error));
        started = true;
    } else {
        COIF_TRY(strands_changed ? change_strands(sim, error) : follow_text(sim, error));
        if (now->reset) {
            finish_recording(sim);
            COIF_TRY(coif_live_reset(sim->live, error));
        }
    }
    if (started || (!now->step && (now->send_frame || sim->frame_unsent))) {
        choose_substeps(sim, false);
        COIF_TRY(send_frame(sim, true, error));
        send_stats(sim, true);
    }
    COIF_TRY(change_recording(sim, now, error));
    return now->step ? step(sim, now, error) : COIF_OK;
}

static void sleep_until(double time)
{
    const double left = time - coif_clock_seconds();
    if (left > 0.0) {
        const struct timespec duration = {(time_t)left,
                                          (long)(1e9 * (left - (double)(time_t)left))};
        nanosleep(&duration, NULL);
    }
}

static coif_status serve_requests(coif_live_sim *sim, requests *now, coif_error *error)
{
    while (atomic_load(&sim->waiting) > 0) {
        sleep_until(coif_clock_seconds() + 2e-4);
    }
    pthread_mutex_lock(&sim->busy);
    coif_status status = COIF_OK;
    if (now->stop) {
        close_session(sim);
    } else {
        const bool strands_changed = apply_params(sim, now);
        status = serve(sim, now, strands_changed, error);
    }
    pthread_mutex_unlock(&sim->busy);
    return status;
}

static void finish_request(coif_live_sim *sim, uint64_t id)
{
    pthread_mutex_lock(&sim->lock);
    sim->served_id = id;
    pthread_cond_broadcast(&sim->served);
    pthread_mutex_unlock(&sim->lock);
}

static void pause_after_error(coif_live_sim *sim, const coif_error *error)
{
    coif_studio_report_error(sim->studio, error);
    pthread_mutex_lock(&sim->lock);
    sim->playing = sim->frame_unsent = false;
    sim->steps = 0;
    pthread_mutex_unlock(&sim->lock);
}

static void *run(void *context)
{
    coif_live_sim *sim = context;
    double due = 0.0;
    for (;;) {
        requests now = wait_for_requests(sim);
        if (now.quit) {
            break;
        }
        coif_error error = {0};
        const coif_status status = serve_requests(sim, &now, &error);
        if (now.send_frame) {
            finish_request(sim, now.request_id);
        }
        if (status != COIF_OK) {
            pause_after_error(sim, &error);
        } else if (now.playing && !now.stop) {
            due =
                coif_realtime_budget_due(due, coif_clock_seconds(), 1.0 / coif_live_fps(sim->live));
            sleep_until(due);
        }
    }
    pthread_mutex_lock(&sim->busy);
    close_session(sim);
    pthread_mutex_unlock(&sim->busy);
    finish_request(sim, UINT64_MAX);
    return NULL;
}

// ---- calls from other threads

// The caller holds the lock.
static void wake(coif_live_sim *sim)
{
    sim->watched_at = coif_clock_seconds();
    pthread_cond_signal(&sim->wake);
}

void coif_live_sim_command_send(coif_live_sim *sim, const coif_live_sim_command *command)
{
    pthread_mutex_lock(&sim->lock);
    if (command->action >= COIF_LIVE_RECORD) {
        sim->record = command->action;
    } else {
        sim->playing = command->action == COIF_LIVE_PLAY;
    }
    sim->steps += command->action == COIF_LIVE_STEP;
    sim->reset |= command->action == COIF_LIVE_RESET;
    sim->stop |= command->action == COIF_LIVE_STOP;
    const bool parameters = command->action != COIF_LIVE_PAUSE &&
                            command->action != COIF_LIVE_STOP &&
                            command->action <= COIF_LIVE_RECORD;
    if (parameters) {
        sim->requested = (live_params){command->groom, command->strand_limit,
                                       command->solve_fraction, command->exact};
        sim->loop_first = command->loop_first;
        sim->loop_last = command->loop_last;
    }
    wake(sim);
    pthread_mutex_unlock(&sim->lock);
}

void coif_live_sim_set_body_drag(coif_live_sim *sim, const float translate[3],
                                 const float rotate[3])
{
    pthread_mutex_lock(&sim->lock);
    memcpy(sim->translate, translate, sizeof sim->translate);
    memcpy(sim->rotate, rotate, sizeof sim->rotate);
    pthread_mutex_unlock(&sim->lock);
}

void coif_live_sim_hold(coif_live_sim *sim, bool hold)
{
    pthread_mutex_lock(&sim->lock);
    sim->holds += hold ? 1 : -1;
    wake(sim);
    pthread_mutex_unlock(&sim->lock);
}

void coif_live_sim_request_frame(coif_live_sim *sim)
{
    pthread_mutex_lock(&sim->lock);
    sim->frame_requested = true;
    wake(sim);
    pthread_mutex_unlock(&sim->lock);
}

void coif_live_sim_read(coif_strbuf *out, coif_live_sim *sim)
{
    pthread_mutex_lock(&sim->lock);
    sim->frame_requested = true;
    const uint64_t id = ++sim->request_id;
    wake(sim);
    while (sim->served_id < id) {
        pthread_cond_wait(&sim->served, &sim->lock);
    }
    const coif_strbuf *packet = &sim->packets[sim->packet_index];
    coif_strbuf_add_bytes(out, packet->data, packet->size);
    pthread_mutex_unlock(&sim->lock);
}

// Locks the simulation between two frames.
static void lock_between_frames(coif_live_sim *sim)
{
    atomic_fetch_add(&sim->waiting, 1);
    pthread_mutex_lock(&sim->busy);
    atomic_fetch_sub(&sim->waiting, 1);
}

coif_status coif_live_sim_current(coif_live_sim *sim, int32_t *groom, int *frame, coif_error *error)
{
    lock_between_frames(sim);
    const bool running = sim->live != NULL;
    *groom = sim->params.groom;
    *frame = running ? coif_live_frame(sim->live) : 0;
    pthread_mutex_unlock(&sim->busy);
    return running ? COIF_OK
                   : coif_fail(error, COIF_ERR_ARGUMENT,
                               "the live simulation is not running: press Play or Step in the "
                               "Simulate tab first");
}

coif_status coif_live_sim_transfer_to(coif_live_sim *sim, coif_live *live, coif_error *error)
{
    lock_between_frames(sim);
    const coif_status status =
        sim->live != NULL ? coif_live_transfer_from(live, sim->live, true, error) : COIF_OK;
    pthread_mutex_unlock(&sim->busy);
    return status;
}

coif_status coif_live_sim_open(coif_live_sim **opened, coif_studio *studio, coif_arena *arena,
                               coif_error *error)
{
    coif_live_sim *sim = coif_arena_new(arena, 1, coif_live_sim);
    sim->studio = studio;
    sim->params.groom = -1;
    sim->requested.solve_fraction = 1.0f;
    sim->record = COIF_LIVE_PAUSE;
    pthread_mutex_init(&sim->lock, NULL);
    pthread_mutex_init(&sim->busy, NULL);
    pthread_cond_init(&sim->wake, NULL);
    pthread_cond_init(&sim->served, NULL);
    coif_live_sim_stream_open(&sim->stream);
    coif_realtime_budget_begin(&sim->budget, 0.0f);
    for (int i = 0; i < 2; ++i) {
        coif_arena_init(&sim->packet_arenas[i], "live frame");
        coif_strbuf_init(&sim->packets[i], &sim->packet_arenas[i]);
    }
    coif_arena_init(&sim->jobs_arena, "live jobs");
    COIF_TRY(coif_jobs_open(&sim->jobs, coif_jobs_threads(studio->jobs), &sim->jobs_arena, error));
    if (pthread_create(&sim->thread, NULL, run, sim) != 0) {
        return coif_fail(error, COIF_ERR_IO, "the simulation thread cannot be created");
    }
    *opened = sim;
    return COIF_OK;
}

void coif_live_sim_close(coif_live_sim *sim)
{
    pthread_mutex_lock(&sim->lock);
    sim->quit = true;
    pthread_cond_signal(&sim->wake);
    pthread_mutex_unlock(&sim->lock);
    pthread_join(sim->thread, NULL);
    for (int i = 0; i < SOURCES; ++i) {
        if (sim->sources[i].used) {
            coif_arena_free(&sim->sources[i].arena);
        }
    }
    coif_arena_free(&sim->packet_arenas[0]);
    coif_arena_free(&sim->packet_arenas[1]);
    coif_live_sim_stream_close(&sim->stream);
    coif_jobs_close(sim->jobs);
    coif_arena_free(&sim->jobs_arena);
}
