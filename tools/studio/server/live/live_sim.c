#include "core/base/jobs.h"
#include "core/base/log.h"
#include "tools/studio/server/document/scene_snapshot.h"
#include "tools/studio/server/live/live_sim_internal.h"
#include "tools/studio/server/live/strand_colors.h"

#include <string.h>
#include <time.h>

enum { FEWEST = 300 }; // strands, however slow the machine is

// Strands that there is time for, and how many of those that the scene would solve are solved.
static int32_t strands_now(const coif_live_sim *motion)
{
    const int32_t strands = (int32_t)((float)motion->live_limit * motion->pace.strands + 0.5f);
    return strands > 1 ? strands : 1;
}

static float share_now(const coif_live_sim *motion)
{
    return motion->live_share * motion->pace.solve;
}

// Takes the scene as it is now, thinned out.
static coif_status take_scene(coif_live_sim *motion, coif_live_sim_source *into, coif_error *error)
{
    if (into->used) {
        coif_arena_free(&into->arena);
    }
    coif_arena_init(&into->arena, "live scene");
    into->used = true;
    const coif_sets thin =
        coif_strand_limit_overrides(motion->live_groom, strands_now(motion), &into->arena);
    const char *items[3] = {thin.items[0], thin.items[1], NULL};
    pthread_mutex_lock(&motion->studio->lock);
    const double fraction =
        coif_values_find(&coif_node_at(motion->studio->scene.root, "sim")->values,
                         "simulated_fraction")
            ->numbers[0];
    pthread_mutex_unlock(&motion->studio->lock);
    const float share = share_now(motion);
    items[2] =
        coif_arena_print(&into->arena, "sim/simulated_fraction=%.6g", (double)share * fraction);
    const coif_sets sets = {items, share < 1.0f ? 3 : 2};
    return coif_studio_snapshot(&into->scene, &into->text_revision, motion->studio, &sets,
                                &into->arena, error);
}

static void forget_colors(coif_live_sim *motion)
{
    if (motion->colors != NULL) {
        coif_arena_free(&motion->color_arena);
        motion->colors = NULL;
    }
}

// Once for all frames, until the scene says something else.
static coif_status paint(coif_live_sim *motion, coif_error *error)
{
    const coif_live_sim_source *from = &motion->sources[motion->turn];
    const coif_node *grooms = coif_node_at(from->scene.root, "grooms");
    const coif_strand_colors_desc desc = {.scene = &from->scene,
                                          .node = &grooms->children[motion->live_groom],
                                          .groom = coif_live_groom(motion->live),
                                          .body = coif_live_body_at_rest(motion->live),
                                          .frame = coif_live_frame(motion->live),
                                          .jobs = motion->jobs};
    forget_colors(motion);
    coif_live_sim_stream_renew(&motion->sight);
    motion->color_count = desc.groom->rest.strand_count;
    coif_arena_init(&motion->color_arena, "live colours");
    return coif_strand_colors(&motion->colors, &desc, &motion->color_arena, error);
}

static void close_live(coif_live_sim *motion)
{
    forget_colors(motion);
    if (motion->live != NULL) {
        coif_live_close(motion->live);
        coif_arena_free(&motion->live_arenas[motion->opened]);
        motion->live = NULL;
    }
    motion->unseen = false;
}

// Like: NULL, or what is live already, of which bodies are taken over that are the same.
static coif_status open_live(coif_live_sim *motion, const coif_live *like, coif_error *error)
{
    close_live(motion);
    motion->turn = motion->opened;
    coif_live_sim_source *from = &motion->sources[motion->opened];
    COIF_TRY(take_scene(motion, from, error));
    coif_arena *arena = &motion->live_arenas[motion->opened];
    coif_arena_init(arena, "live");
    const coif_status status = coif_live_open(&motion->live, &from->scene, motion->live_groom, like,
                                              arena, motion->jobs, error);
    if (status != COIF_OK) {
        close_live(motion);
        return status;
    }
    return paint(motion, error);
}

// More or fewer strands than there are, which go on from where those are.
static coif_status change_strands(coif_live_sim *motion, coif_error *error)
{
    coif_live *before = motion->live;
    const int was = motion->opened;
    motion->live = NULL;
    motion->opened = !was;
    coif_status status = open_live(motion, before, error);
    if (status == COIF_OK) {
        status = coif_live_transfer_from(motion->live, before, true, error);
    }
    coif_live_close(before);
    coif_arena_free(&motion->live_arenas[was]);
    return status;
}

// The text has changed: go on with it if that can be, else begin anew.
static coif_status follow_text(coif_live_sim *motion, coif_error *error)
{
    pthread_mutex_lock(&motion->studio->lock);
    const uint64_t revision = motion->studio->text_revision;
    pthread_mutex_unlock(&motion->studio->lock);
    if (motion->sources[motion->turn].text_revision == revision) {
        return COIF_OK;
    }
    const int turn =
        motion->turn == COIF_MOTION_OPENED ? COIF_MOTION_OPENED + 1 : COIF_MOTION_OPENED;
    coif_live_sim_source *next = &motion->sources[turn];
    COIF_TRY(take_scene(motion, next, error));
    if (!coif_live_can_reuse(motion->live, &next->scene)) {
        return open_live(motion, NULL, error);
    }
    COIF_TRY(coif_live_apply_scene(motion->live, &next->scene, error));
    motion->turn = turn;
    return paint(motion, error);
}

// What is to be seen, to whoever looks on; whole: to whoever asked for it as well.
static coif_status show(coif_live_sim *motion, bool whole, coif_error *error)
{
    const int32_t strands = strands_now(motion);
    coif_live_sim_stream_desc desc = {
        .http = motion->studio->http,
        .live = motion->live,
        .colors = motion->colors,
        .limit = strands < motion->color_count ? strands : motion->color_count,
        .pause = whole ? 0.0 : coif_realtime_budget_pause(&motion->pace)};
    motion->unseen = false;
    if (!whole) {
        return coif_live_sim_stream_show(&motion->sight, &desc, error);
    }
    const int next = !motion->shown_turn;
    coif_arena_free(&motion->shown_arenas[next]);
    coif_arena_init(&motion->shown_arenas[next], "live frame");
    coif_strbuf_init(&motion->shown[next], &motion->shown_arenas[next]);
    desc.whole = &motion->shown[next];
    COIF_TRY(coif_live_sim_stream_show(&motion->sight, &desc, error));
    pthread_mutex_lock(&motion->lock);
    motion->shown_turn = next;
    pthread_mutex_unlock(&motion->lock);
    return COIF_OK;
}

static void announce(coif_live_sim *motion, bool at_once)
{
    const coif_live_sim_stream_figures figures = {.substeps = motion->substeps,
                                                  .wish = motion->live_limit,
                                                  .strands = strands_now(motion),
                                                  .share = share_now(motion)};
    coif_live_sim_stream_tell(&motion->sight, motion->studio->http, motion->live, &figures,
                              at_once);
}

// What the page wants, copied under the lock.
typedef struct wish {
    bool quit, stop, reset, step, playing, exact, look, other_strands, begins;
    uint64_t asked;
    float translate[3], rotate[3];
} wish;

static wish wait_for_wish(coif_live_sim *motion)
{
    pthread_mutex_lock(&motion->lock);
    while (!motion->quit && !motion->stop && !motion->reset && !motion->playing &&
           motion->steps == 0 && !motion->look && !motion->unseen) {
        pthread_cond_wait(&motion->wake, &motion->lock);
    }
    wish now = {.quit = motion->quit,
                .stop = motion->stop,
                .reset = motion->reset,
                .playing = motion->playing,
                .exact = motion->exact,
                .look = motion->look,
                .asked = motion->asked,
                .step = motion->playing || motion->steps > 0};
    memcpy(now.translate, motion->translate, sizeof now.translate);
    memcpy(now.rotate, motion->rotate, sizeof now.rotate);
    motion->steps -= motion->steps > 0;
    motion->reset = motion->stop = motion->look = false;
    // A request for strands alone does not start the simulation: the limit of the first command is
    // not known yet, and changing it later resamples the strands.
    const bool runs = motion->live != NULL || now.step || now.reset;
    if (runs && motion->groom != motion->live_groom) {
        now.reset = now.begins = true;
    }
    if (runs && (motion->groom != motion->live_groom || motion->limit != motion->live_limit ||
                 motion->share != motion->live_share || motion->exact != motion->live_exact)) {
        const int32_t strands = strands_now(motion);
        const float share = share_now(motion);
        motion->live_groom = motion->groom;
        motion->live_limit = motion->limit;
        motion->live_share = motion->share;
        motion->live_exact = motion->exact;
        coif_realtime_budget_begin(&motion->pace, (float)FEWEST / (float)motion->limit);
        now.other_strands = strands != strands_now(motion) || share != share_now(motion);
    }
    now.other_strands |= motion->thins;
    motion->thins = false;
    pthread_mutex_unlock(&motion->lock);
    return now;
}

// Fewer than the scene has, when frames would come too late. Single frames have time.
static void choose_substeps(coif_live_sim *motion, bool hurried)
{
    coif_live_limit_substeps(motion->live, 0);
    const int32_t wanted = coif_live_substeps_of(motion->live).requested;
    coif_live_limit_substeps(motion->live,
                             hurried ? coif_realtime_budget_substeps(&motion->pace, wanted) : 0);
    motion->substeps = coif_live_substeps_of(motion->live);
}

// One frame, in the time there is.
static coif_status step(coif_live_sim *motion, const wish *now, coif_error *error)
{
    coif_step_stats stats = {0};
    const double budget = 1.0 / coif_live_fps(motion->live);
    const bool hurried = now->playing && !now->exact;
    const double began = coif_clock_seconds();
    choose_substeps(motion, hurried);
    coif_live_set_body_drag(motion->live, now->translate, now->rotate);
    COIF_TRY(coif_live_step(motion->live, &stats, error));
    motion->unseen = true;
    // A frame that nobody would see is not made ready to be seen.
    if (!now->playing || now->look ||
        coif_http_waits(motion->studio->http, coif_realtime_budget_pause(&motion->pace))) {
        COIF_TRY(show(motion, !now->playing || now->look, error));
    }
    const double seconds = coif_clock_seconds() - began;
    coif_live_sim_stream_note(&motion->sight, &stats, seconds);
    announce(motion, !now->playing);
    motion->thins = hurried && coif_realtime_budget_note(&motion->pace, seconds, budget);
    return COIF_OK;
}

static coif_status fulfil(coif_live_sim *motion, const wish *now, coif_error *error)
{
    bool begun = now->reset;
    if (motion->live == NULL) {
        if (!now->step && !now->reset) {
            return COIF_OK; // somebody looked, and there is nothing
        }
        COIF_TRY(open_live(motion, NULL, error));
        begun = true;
    } else {
        COIF_TRY(now->other_strands ? change_strands(motion, error) : follow_text(motion, error));
        if (now->reset) {
            COIF_TRY(coif_live_reset(motion->live, error));
        }
    }
    if (begun || (!now->step && (now->look || motion->unseen))) {
        choose_substeps(motion, false);
        COIF_TRY(show(motion, true, error));
        announce(motion, true);
    }
    return now->step ? step(motion, now, error) : COIF_OK;
}

static void answer(coif_live_sim *motion, uint64_t asked)
{
    pthread_mutex_lock(&motion->lock);
    motion->answered = asked;
    pthread_cond_broadcast(&motion->seen);
    pthread_mutex_unlock(&motion->lock);
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
    coif_live_sim *motion = context;
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
        if (now.look) {
            answer(motion, now.asked);
        }
        if (now.stop) {
            continue;
        }
        if (status != COIF_OK) {
            coif_studio_report_error(motion->studio, &error);
            pthread_mutex_lock(&motion->lock);
            motion->playing = motion->unseen = false;
            motion->steps = 0;
            pthread_mutex_unlock(&motion->lock);
            continue;
        }
        if (now.playing) {
            due = coif_realtime_budget_due(due, coif_clock_seconds(),
                                           1.0 / coif_live_fps(motion->live));
            sleep_until(due);
        }
    }
    close_live(motion);
    answer(motion, UINT64_MAX);
    return NULL;
}

coif_status coif_live_sim_open(coif_live_sim **opened, coif_studio *studio, coif_arena *arena,
                               coif_error *error)
{
    coif_live_sim *motion = coif_arena_new(arena, 1, coif_live_sim);
    motion->studio = studio;
    motion->live_groom = -1;
    motion->share = 1.0f;
    pthread_mutex_init(&motion->lock, NULL);
    pthread_mutex_init(&motion->busy, NULL);
    pthread_cond_init(&motion->wake, NULL);
    pthread_cond_init(&motion->seen, NULL);
    coif_live_sim_stream_open(&motion->sight);
    coif_realtime_budget_begin(&motion->pace, 0.0f);
    for (int i = 0; i < 2; ++i) {
        coif_arena_init(&motion->shown_arenas[i], "live frame");
        coif_strbuf_init(&motion->shown[i], &motion->shown_arenas[i]);
    }
    coif_arena_init(&motion->jobs_arena, "live jobs");
    COIF_TRY(
        coif_jobs_open(&motion->jobs, coif_jobs_threads(studio->jobs), &motion->jobs_arena, error));
    if (pthread_create(&motion->thread, NULL, run, motion) != 0) {
        return coif_fail(error, COIF_ERR_IO, "no thread for live motion");
    }
    *opened = motion;
    return COIF_OK;
}

void coif_live_sim_close(coif_live_sim *motion)
{
    pthread_mutex_lock(&motion->lock);
    motion->quit = true;
    pthread_cond_signal(&motion->wake);
    pthread_mutex_unlock(&motion->lock);
    pthread_join(motion->thread, NULL);
    for (int i = 0; i < COIF_MOTION_SOURCES; ++i) {
        if (motion->sources[i].used) {
            coif_arena_free(&motion->sources[i].arena);
        }
    }
    coif_arena_free(&motion->shown_arenas[0]);
    coif_arena_free(&motion->shown_arenas[1]);
    coif_live_sim_stream_close(&motion->sight);
    coif_jobs_close(motion->jobs);
    coif_arena_free(&motion->jobs_arena);
}
