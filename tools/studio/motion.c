#include "tools/studio/motion.h"

#include "core/jobs.h"
#include "core/log.h"
#include "sim/live.h"
#include "tools/studio/pace.h"
#include "tools/studio/strand_colors.h"
#include "tools/studio/strands_view.h"
#include "tools/studio/thin.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// One scene that the thread works from, in an arena of its own.
typedef struct source {
    coif_arena arena;
    coif_scene scene;
    uint64_t text_revision;
    bool used;
} source;

// The one that it was opened with, which stays in use, or one of two where one goes on from the
// other; and the last two changes.
enum { OPENED = 2, CHANGES = 2, SOURCES = OPENED + CHANGES };

struct coif_motion {
    coif_studio *studio;
    pthread_t thread;
    pthread_mutex_t lock; // of all below up to the line
    pthread_cond_t wake;
    bool playing, quit, stop, reset;
    int32_t steps; // still to make
    int32_t groom, limit;
    float share;
    bool exact;
    float translate[3], rotate[3];
    coif_arena shown_arena;
    coif_text shown;      // the newest frame
    pthread_mutex_t busy; // of live, while it is worked on or looked at from outside
    // ---- the thread's own
    coif_live *live;
    coif_arena live_arenas[OPENED];
    int opened; // which source and which arena live has
    int32_t live_groom, live_limit;
    float live_share;
    uint8_t *colors; // of its strands; NULL: not there
    int32_t color_count;
    coif_arena color_arena;
    source sources[SOURCES];
    int turn; // the present one
    coif_arena jobs_arena;
    coif_jobs *jobs;
    coif_pace pace;
    double began, last_seconds; // of the last frame, until it can be seen
    coif_live_substeps substeps;
};

// Takes the scene as it is now, thinned out.
static coif_status take_scene(coif_motion *motion, source *into, coif_error *error)
{
    if (into->used) {
        coif_arena_free(&into->arena);
    }
    coif_arena_init(&into->arena, "live scene");
    into->used = true;
    const coif_sets thin = coif_sets_thin(motion->live_groom, motion->live_limit, &into->arena);
    const char *items[3] = {thin.items[0], thin.items[1], NULL};
    pthread_mutex_lock(&motion->studio->lock);
    const double fraction =
        coif_values_find(&coif_node_at(motion->studio->scene.root, "sim")->values, "fraction")
            ->numbers[0];
    pthread_mutex_unlock(&motion->studio->lock);
    items[2] = coif_arena_print(&into->arena, "sim/fraction=%.6g", motion->live_share * fraction);
    const coif_sets sets = {items, motion->live_share < 1.0f ? 3 : 2};
    return coif_studio_take(&into->scene, &into->text_revision, motion->studio, &sets, &into->arena,
                            error);
}

static void forget_colors(coif_motion *motion)
{
    if (motion->colors != NULL) {
        coif_arena_free(&motion->color_arena);
        motion->colors = NULL;
    }
}

// Once for all frames, until the scene says something else.
static coif_status paint(coif_motion *motion, coif_error *error)
{
    const source *from = &motion->sources[motion->turn];
    const coif_node *grooms = coif_node_at(from->scene.root, "grooms");
    const coif_strand_colors_desc desc = {.scene = &from->scene,
                                          .node = &grooms->children[motion->live_groom],
                                          .groom = coif_live_groom(motion->live),
                                          .body = coif_live_body_at_rest(motion->live),
                                          .frame = coif_live_frame(motion->live),
                                          .jobs = motion->jobs};
    forget_colors(motion);
    motion->color_count = desc.groom->rest.strand_count;
    coif_arena_init(&motion->color_arena, "live colours");
    return coif_strand_colors(&motion->colors, &desc, &motion->color_arena, error);
}

static void close_live(coif_motion *motion)
{
    forget_colors(motion);
    if (motion->live != NULL) {
        coif_live_close(motion->live);
        coif_arena_free(&motion->live_arenas[motion->opened]);
        motion->live = NULL;
    }
}

static coif_status open_live(coif_motion *motion, coif_error *error)
{
    close_live(motion);
    motion->turn = motion->opened;
    source *from = &motion->sources[motion->opened];
    COIF_TRY(take_scene(motion, from, error));
    coif_arena *arena = &motion->live_arenas[motion->opened];
    coif_arena_init(arena, "live");
    const coif_status status =
        coif_live_open(&motion->live, &from->scene, motion->live_groom, arena, motion->jobs, error);
    if (status != COIF_OK) {
        close_live(motion);
        return status;
    }
    return paint(motion, error);
}

// More or fewer strands than there are, which go on from where those are.
static coif_status change_strands(coif_motion *motion, coif_error *error)
{
    coif_live *before = motion->live;
    const int was = motion->opened;
    motion->live = NULL;
    motion->opened = !was;
    coif_status status = open_live(motion, error);
    if (status == COIF_OK) {
        status = coif_live_follow(motion->live, before, true, error);
    }
    coif_live_close(before);
    coif_arena_free(&motion->live_arenas[was]);
    return status;
}

// The text has changed: go on with it if that can be, else begin anew.
static coif_status follow_text(coif_motion *motion, coif_error *error)
{
    pthread_mutex_lock(&motion->studio->lock);
    const uint64_t revision = motion->studio->text_revision;
    pthread_mutex_unlock(&motion->studio->lock);
    if (motion->sources[motion->turn].text_revision == revision) {
        return COIF_OK;
    }
    const int turn = motion->turn == OPENED ? OPENED + 1 : OPENED;
    source *next = &motion->sources[turn];
    COIF_TRY(take_scene(motion, next, error));
    if (!coif_live_fits(motion->live, &next->scene)) {
        return open_live(motion, error);
    }
    COIF_TRY(coif_live_change(motion->live, &next->scene, error));
    motion->turn = turn;
    return paint(motion, error);
}

static void announce(coif_motion *motion, const coif_tally *tally, const coif_energy *energy)
{
    char text[512];
    char elastic[32] = "null";
    if (isfinite(energy->elastic)) {
        snprintf(elastic, sizeof elastic, "%.5g", energy->elastic);
    }
    snprintf(text, sizeof text,
             "{\"frame\": %d, \"ms\": %.2f, \"substeps\": %d, \"wanted\": %d, \"solved\": %d, "
             "\"stretch\": %.3g, "
             "\"contacts\": %lld, \"healed\": %d, "
             "\"kinetic\": %.5g, \"potential\": %.5g, \"elastic\": %s}",
             coif_live_frame(motion->live), 1e3 * motion->last_seconds, motion->substeps.held,
             motion->substeps.wanted, coif_live_groom(motion->live)->simulated_count,
             (double)tally->stretch, (long long)tally->contacts, tally->healed, energy->kinetic,
             energy->potential, elastic);
    coif_http_send(motion->studio->http, "frame", text);
}

// Packs what is to be seen, and tells of it.
static coif_status show(coif_motion *motion, const coif_tally *tally, coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "live frame");
    coif_strands strands;
    const coif_status status = coif_live_read(&strands, motion->live, &scratch, error);
    if (status == COIF_OK) {
        const coif_strands_view view = {.strands = &strands,
                                        .colors = motion->colors,
                                        .limit = motion->live_limit < motion->color_count
                                                     ? motion->live_limit
                                                     : motion->color_count,
                                        .frame = coif_live_frame(motion->live),
                                        .body = coif_live_body(motion->live),
                                        .rest = &coif_live_body_at_rest(motion->live)->rest};
        pthread_mutex_lock(&motion->lock);
        coif_arena_free(&motion->shown_arena);
        coif_arena_init(&motion->shown_arena, "live frame");
        coif_text_init(&motion->shown, &motion->shown_arena);
        coif_strands_pack(&motion->shown, &view);
        pthread_mutex_unlock(&motion->lock);
        motion->last_seconds = coif_clock_seconds() - motion->began;
        const coif_energy energy = coif_live_energy_of(motion->live, &strands);
        announce(motion, tally, &energy);
    }
    coif_arena_free(&scratch);
    return status;
}

// What the page wants, copied under the lock.
typedef struct wish {
    bool quit, stop, reset, step, playing, exact, other_strands, begins;
    float translate[3], rotate[3];
} wish;

static wish wait_for_wish(coif_motion *motion)
{
    pthread_mutex_lock(&motion->lock);
    while (!motion->quit && !motion->stop && !motion->reset && !motion->playing &&
           motion->steps == 0) {
        pthread_cond_wait(&motion->wake, &motion->lock);
    }
    wish now = {.quit = motion->quit,
                .stop = motion->stop,
                .reset = motion->reset,
                .playing = motion->playing,
                .exact = motion->exact,
                .step = motion->playing || motion->steps > 0};
    memcpy(now.translate, motion->translate, sizeof now.translate);
    memcpy(now.rotate, motion->rotate, sizeof now.rotate);
    motion->steps -= motion->steps > 0;
    motion->reset = motion->stop = false;
    if (motion->groom != motion->live_groom) {
        now.reset = now.begins = true;
    }
    if (motion->groom != motion->live_groom || motion->limit != motion->live_limit ||
        motion->share != motion->live_share) {
        now.other_strands = true;
        motion->live_groom = motion->groom;
        motion->live_limit = motion->limit;
        motion->live_share = motion->share;
        motion->pace = (coif_pace){0};
    }
    pthread_mutex_unlock(&motion->lock);
    return now;
}

// Fewer than the scene has, when frames would come too late. Single frames have time.
static void choose_substeps(coif_motion *motion, bool hurried)
{
    coif_live_hold(motion->live, 0);
    const int32_t wanted = coif_live_substeps_of(motion->live).wanted;
    coif_live_hold(motion->live, hurried ? coif_pace_substeps(&motion->pace, wanted) : 0);
    motion->substeps = coif_live_substeps_of(motion->live);
}

static coif_status fulfil(coif_motion *motion, const wish *now, coif_error *error)
{
    coif_tally tally = {0};
    motion->began = coif_clock_seconds();
    if (motion->live == NULL) {
        COIF_TRY(open_live(motion, error));
        COIF_TRY(show(motion, &tally, error));
    } else {
        COIF_TRY(now->other_strands ? change_strands(motion, error) : follow_text(motion, error));
        if (now->reset) {
            COIF_TRY(coif_live_reset(motion->live, error));
            COIF_TRY(show(motion, &tally, error));
        }
    }
    if (now->step) {
        motion->began = coif_clock_seconds();
        choose_substeps(motion, now->playing && !now->exact);
        coif_live_grab(motion->live, now->translate, now->rotate);
        COIF_TRY(coif_live_step(motion->live, &tally, error));
        COIF_TRY(show(motion, &tally, error));
        if (now->playing && !now->exact) {
            coif_pace_note(&motion->pace, motion->last_seconds, 1.0 / coif_live_fps(motion->live));
        }
    }
    return COIF_OK;
}

static void sleep_until(double moment)
{
    const double left = moment - coif_clock_seconds();
    if (left > 0.0) {
        const struct timespec time = {(time_t)left, (long)(1e9 * (left - (double)(time_t)left))};
        nanosleep(&time, NULL);
    }
}

static void *run(void *context)
{
    coif_motion *motion = context;
    double due = 0.0;
    for (;;) {
        const wish now = wait_for_wish(motion);
        if (now.quit) {
            break;
        }
        pthread_mutex_lock(&motion->busy);
        coif_error error = {0};
        coif_status status = COIF_OK;
        if (now.stop || now.begins) {
            close_live(motion);
        }
        if (!now.stop) {
            status = fulfil(motion, &now, &error);
        }
        pthread_mutex_unlock(&motion->busy);
        if (now.stop) {
            continue;
        }
        if (status != COIF_OK) {
            coif_studio_complain(motion->studio, &error);
            pthread_mutex_lock(&motion->lock);
            motion->playing = false;
            motion->steps = 0;
            pthread_mutex_unlock(&motion->lock);
            continue;
        }
        // As fast as the scene's clock at most.
        const double clock = coif_clock_seconds();
        if (now.playing) {
            due = due + 1.0 / coif_live_fps(motion->live) > clock
                      ? due + 1.0 / coif_live_fps(motion->live)
                      : clock;
            sleep_until(due);
        }
    }
    close_live(motion);
    return NULL;
}

coif_status coif_motion_open(coif_motion **opened, coif_studio *studio, coif_arena *arena,
                             coif_error *error)
{
    coif_motion *motion = coif_arena_new(arena, 1, coif_motion);
    motion->studio = studio;
    motion->live_groom = -1;
    motion->share = 1.0f;
    pthread_mutex_init(&motion->lock, NULL);
    pthread_mutex_init(&motion->busy, NULL);
    pthread_cond_init(&motion->wake, NULL);
    coif_arena_init(&motion->shown_arena, "live frame");
    coif_text_init(&motion->shown, &motion->shown_arena);
    coif_arena_init(&motion->jobs_arena, "live jobs");
    COIF_TRY(
        coif_jobs_open(&motion->jobs, coif_jobs_threads(studio->jobs), &motion->jobs_arena, error));
    if (pthread_create(&motion->thread, NULL, run, motion) != 0) {
        return coif_fail(error, COIF_ERR_IO, "no thread for live motion");
    }
    *opened = motion;
    return COIF_OK;
}

void coif_motion_close(coif_motion *motion)
{
    pthread_mutex_lock(&motion->lock);
    motion->quit = true;
    pthread_cond_signal(&motion->wake);
    pthread_mutex_unlock(&motion->lock);
    pthread_join(motion->thread, NULL);
    for (int i = 0; i < SOURCES; ++i) {
        if (motion->sources[i].used) {
            coif_arena_free(&motion->sources[i].arena);
        }
    }
    coif_arena_free(&motion->shown_arena);
    coif_jobs_close(motion->jobs);
    coif_arena_free(&motion->jobs_arena);
}

void coif_motion_do(coif_motion *motion, const coif_motion_command *command)
{
    pthread_mutex_lock(&motion->lock);
    motion->playing = command->order == COIF_MOTION_PLAY;
    motion->steps += command->order == COIF_MOTION_STEP;
    motion->reset |= command->order == COIF_MOTION_RESET;
    motion->stop |= command->order == COIF_MOTION_STOP;
    if (command->order != COIF_MOTION_PAUSE && command->order != COIF_MOTION_STOP) {
        motion->groom = command->groom;
        motion->limit = command->limit;
        motion->exact = command->exact;
        motion->share = command->share;
    }
    pthread_cond_signal(&motion->wake);
    pthread_mutex_unlock(&motion->lock);
}

void coif_motion_grab(coif_motion *motion, const float translate[3], const float rotate[3])
{
    pthread_mutex_lock(&motion->lock);
    memcpy(motion->translate, translate, sizeof motion->translate);
    memcpy(motion->rotate, rotate, sizeof motion->rotate);
    pthread_mutex_unlock(&motion->lock);
}

void coif_motion_read(coif_text *out, coif_motion *motion)
{
    pthread_mutex_lock(&motion->lock);
    coif_text_add_bytes(out, motion->shown.data, motion->shown.size);
    pthread_mutex_unlock(&motion->lock);
}

coif_status coif_motion_where(coif_motion *motion, int32_t *groom, int *frame, coif_error *error)
{
    pthread_mutex_lock(&motion->busy);
    const bool moves = motion->live != NULL;
    *groom = motion->live_groom;
    *frame = moves ? coif_live_frame(motion->live) : 0;
    pthread_mutex_unlock(&motion->busy);
    return moves ? COIF_OK
                 : coif_fail(error, COIF_ERR_ARGUMENT,
                             "no hair moves live: press Play or Step under Move first");
}

coif_status coif_motion_lend(coif_motion *motion, coif_live *live, coif_error *error)
{
    pthread_mutex_lock(&motion->busy);
    const coif_status status =
        motion->live != NULL ? coif_live_follow(live, motion->live, false, error) : COIF_OK;
    pthread_mutex_unlock(&motion->busy);
    return status;
}
