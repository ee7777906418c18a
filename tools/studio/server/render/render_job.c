#include "tools/studio/server/render/render_job.h"

#include "core/base/jobs.h"
#include "core/base/log.h"
#include "core/image/image_format.h"
#include "render/driver/render_frames.h"
#include "sim/run/simulate.h"
#include "tools/cli/map_callback.h"
#include "tools/studio/server/document/temp_dir.h"
#include "tools/studio/server/live/live_snapshot.h"
#include "tools/studio/server/render/groom_cache.h"
#include "tools/studio/server/render/render_history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Seconds without a change before hair is made ready again: whoever paints on is not disturbed.
static const double MOMENT = 0.4;

struct coif_render_job {
    coif_studio *studio;
    pthread_t thread;
    pthread_mutex_t lock; // of all below up to the line
    pthread_cond_t wake;
    bool asked, quit;
    bool known; // that somebody asks for pictures, and of which frame
    coif_render_job_request request;
    coif_arena request_arena;
    coif_progress *progress; // of what is under way, NULL when nothing is
    coif_progress *warming;  // of what is made ready before anybody asks, NULL when nothing is
    double stirred;          // when the scene changed last; 0: not since hair was made ready
    char newest[2][4096];    // PNG, EXR
    // ---- the thread's own
    coif_temp_dir scraps;
    coif_render_history *negatives; // with a lock of their own
    coif_groom_cache stages[COIF_STAGES];
    coif_arena jobs_arena;
    coif_jobs *jobs;
    double start, first_ray; // seconds; the latter 0 while hair grows
    int32_t samples;         // wanted
    bool sketching, sketched;
};

static void tell(coif_render_job *picture, const char *state, int32_t samples)
{
    char text[256];
    const double now = coif_clock_seconds();
    snprintf(text, sizeof text,
             "{\"state\": \"%s\", \"samples\": %d, \"of\": %d, \"seconds\": %.3f, "
             "\"rendering\": %.3f}",
             state, samples, picture->samples, now - picture->start,
             picture->first_ray > 0.0 ? now - picture->first_ray : 0.0);
    coif_http_send(picture->studio->http, "render", text);
}

static void keep_negative(void *context, const struct coif_hdr_snapshot_source *source)
{
    const coif_render_job *picture = context;
    coif_render_history_keep(picture->negatives, source);
}

static void shown(void *context, const char *path, int32_t samples)
{
    coif_render_job *picture = context;
    pthread_mutex_lock(&picture->lock);
    snprintf(picture->newest[coif_path_has_extension(path, "exr")], sizeof picture->newest[0], "%s",
             path);
    pthread_mutex_unlock(&picture->lock);
    if (samples > 0 || !picture->sketched) { // one of few pixels would be a step back
        tell(picture, picture->sketching ? "draft" : "rendering", samples);
    }
    picture->sketched |= picture->sketching;
}

// Hair of the cache, or at rest in the folder of its stage.
static coif_status render(coif_render_job *picture, const coif_scene *scene, const char *cache,
                          const coif_render_job_request *request, coif_progress *progress,
                          coif_error *error)
{
    coif_render_desc desc = {.source.scene = scene,
                             .source.cache = cache,
                             .folder = picture->scraps.folder,
                             .source.format = request->full ? "png,exr" : "png",
                             .frames = {request->frame, request->frame, 1},
                             .source.use_rest_pose = request->cache == NULL,
                             .overwrite = true,
                             .preview = !request->full,
                             .progressive = request->full,
                             .source.isa = "auto",
                             .source.eval_map = coif_hair_maps_answer,
                             .source.aovs = request->aovs,
                             .on_image = shown,
                             .on_snapshot = keep_negative,
                             .context = picture};
    memcpy(desc.source.crop, request->crop, sizeof desc.source.crop);
    return coif_render_frames(&desc, picture->jobs, progress, error);
}

// Live hair goes on while it is rendered: its shape is taken at the beginning.
static coif_status freeze_and_render(coif_render_job *picture, coif_groom_cache_kind kind,
                                     const coif_scene *scene, const coif_sets *sets,
                                     const coif_render_job_request *request, coif_arena *arena,
                                     coif_progress *progress, coif_error *error)
{
    coif_live_snapshot frozen = {0};
    const char *folder = picture->stages[kind].folder;
    picture->first_ray = 0.0;
    tell(picture, "generating", 0);
    COIF_TRY(coif_live_snapshot_make(&frozen, folder, picture->studio, sets, picture->jobs, arena,
                                     error));
    if (coif_progress_cancelled(progress)) {
        return coif_fail(error, COIF_ERR_CANCELLED, "stopped before it was rendered");
    }
    picture->first_ray = coif_clock_seconds();
    coif_scene held = *scene;
    held.drag = &frozen.hand;
    coif_render_job_request as_it_is = *request;
    as_it_is.cache = folder;
    as_it_is.frame = frozen.frame;
    return render(picture, &held, folder, &as_it_is, progress, error);
}

static coif_status grow_and_render(coif_render_job *picture, coif_groom_cache_kind kind,
                                   const coif_scene *scene, const coif_render_job_request *request,
                                   coif_progress *progress, coif_error *error)
{
    coif_groom_cache *stage = &picture->stages[kind];
    const uint64_t key = coif_groom_cache_key(scene, picture->studio, request->frame);
    // A full frame takes nothing for granted: files that the scene names may have changed.
    stage->key = request->full ? 0 : stage->key;
    picture->first_ray = 0.0;
    if (stage->key != key) {
        tell(picture, "generating", 0);
    }
    COIF_TRY(
        coif_groom_cache_grow(stage, scene, key, request->frame, picture->jobs, progress, error));
    picture->first_ray = coif_clock_seconds();
    return render(picture, scene, stage->folder, request, progress, error);
}

// Fewer hairs, in few samples: something to look at while the rest grows.
static coif_status sketch(coif_render_job *picture, const coif_scene *whole,
                          const coif_render_job_request *request, coif_arena *arena,
                          coif_progress *progress, coif_error *error)
{
    const coif_sets wanted = {request->sets, request->set_count};
    coif_sets sets;
    const bool any_size = request->crop[2] == 0;
    if (!coif_groom_cache_sketch(&sets, whole, &wanted, any_size, arena)) {
        return COIF_OK;
    }
    coif_scene scene;
    COIF_TRY(coif_studio_snapshot(&scene, NULL, picture->studio, &sets, arena, error));
    picture->sketching = true;
    const coif_status status =
        request->live
            ? freeze_and_render(picture, COIF_STAGE_LIVE_SKETCH, &scene, &sets, request, arena,
                                progress, error)
            : grow_and_render(picture, COIF_STAGE_SKETCH, &scene, request, progress, error);
    picture->sketching = false;
    return status;
}

static coif_status make(coif_render_job *picture, const coif_render_job_request *request,
                        coif_arena *arena, coif_progress *progress, coif_error *error)
{
    coif_scene scene;
    const coif_sets sets = {request->sets, request->set_count};
    COIF_TRY(coif_studio_snapshot(&scene, NULL, picture->studio, &sets, arena, error));
    const coif_values *image = &coif_node_at(scene.root, "image")->values;
    picture->samples = (int32_t)coif_values_find(image, "samples")->numbers[0];
    picture->first_ray = coif_clock_seconds();
    if (request->cache != NULL) {
        return render(picture, &scene, request->cache, request, progress, error);
    }
    if (request->sketch && !request->full) {
        COIF_TRY(sketch(picture, &scene, request, arena, progress, error));
    }
    return request->live
               ? freeze_and_render(picture, COIF_STAGE_LIVE, &scene, &sets, request, arena,
                                   progress, error)
               : grow_and_render(picture, COIF_STAGE_WHOLE, &scene, request, progress, error);
}

static void fulfil(coif_render_job *picture, const coif_render_job_request *request,
                   coif_progress *progress, coif_arena *arena)
{
    coif_error error = {0};
    picture->start = coif_clock_seconds();
    picture->samples = 0;
    picture->sketched = false;
    coif_render_history_begin(picture->negatives, request->crop[2] > 0);
    tell(picture, "started", 0);
    const coif_status status = make(picture, request, arena, progress, &error);
    if (status == COIF_OK || status == COIF_ERR_CANCELLED) {
        tell(picture, status == COIF_OK ? "done" : "cancelled", picture->samples);
        return;
    }
    tell(picture, "failed", 0);
    coif_studio_report_error(picture->studio, &error);
}

// Texts of a request as long as arena lives.
static void copy_request(coif_render_job_request *to, const coif_render_job_request *from,
                         coif_arena *arena)
{
    *to = *from;
    for (int32_t i = 0; i < from->set_count; ++i) {
        to->sets[i] = coif_arena_copy_text(arena, from->sets[i]);
    }
    to->aovs = from->aovs != NULL ? coif_arena_copy_text(arena, from->aovs) : NULL;
    to->cache = from->cache != NULL ? coif_arena_copy_text(arena, from->cache) : NULL;
}

// What the next picture will need, while nobody waits for it yet: the image library and a little
// hair. What goes wrong here is told when a picture is asked for.
static void make_ready(coif_render_job *picture)
{
    const struct coif_oiio_module *door;
    coif_arena arena;
    coif_error ignored = {0};
    coif_arena_init(&arena, "next picture");
    pthread_mutex_lock(&picture->lock);
    const bool quit = picture->quit, known = picture->known;
    const int frame = picture->request.frame;
    picture->stirred = 0.0;
    picture->warming = coif_progress_open(&arena);
    pthread_mutex_unlock(&picture->lock);
    if (!quit && coif_oiio_module_load(&door, &ignored) == COIF_OK) {
        coif_groom_cache_make_ready(picture->stages, picture->studio, known ? &frame : NULL,
                                    picture->jobs, picture->warming, &arena, &ignored);
    }
    pthread_mutex_lock(&picture->lock);
    picture->warming = NULL;
    pthread_mutex_unlock(&picture->lock);
    coif_arena_free(&arena);
}

static void wait_seconds(coif_render_job *picture, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    const double nanoseconds = 1e-9 * (double)until.tv_nsec + seconds;
    until.tv_sec += (time_t)nanoseconds;
    until.tv_nsec = (long)(1e9 * (nanoseconds - floor(nanoseconds)));
    pthread_cond_timedwait(&picture->wake, &picture->lock, &until);
}

// Until a picture is asked for, with the lock held. False when there is something else to do:
// nothing has changed for a moment, and hair is no longer that of the scene.
static bool wait_for_request(coif_render_job *picture)
{
    while (!picture->asked && !picture->quit) {
        const double left = picture->stirred + MOMENT - coif_clock_seconds();
        if (picture->stirred == 0.0) {
            pthread_cond_wait(&picture->wake, &picture->lock);
        } else if (left > 0.0) {
            wait_seconds(picture, left);
        } else {
            return false;
        }
    }
    return true;
}

// False when it was the last one.
static bool answer(coif_render_job *picture)
{
    coif_arena arena;
    coif_render_job_request request;
    coif_arena_init(&arena, "picture");
    pthread_mutex_lock(&picture->lock);
    const bool quit = picture->quit;
    picture->asked = false;
    copy_request(&request, &picture->request, &arena);
    picture->progress = coif_progress_open(&arena);
    pthread_mutex_unlock(&picture->lock);
    if (!quit) {
        fulfil(picture, &request, picture->progress, &arena);
    }
    pthread_mutex_lock(&picture->lock);
    picture->progress = NULL;
    pthread_mutex_unlock(&picture->lock);
    coif_arena_free(&arena);
    return !quit;
}

static void *run(void *context)
{
    coif_render_job *picture = context;
    make_ready(picture);
    for (bool more = true; more;) {
        pthread_mutex_lock(&picture->lock);
        const bool asked = wait_for_request(picture);
        pthread_mutex_unlock(&picture->lock);
        if (asked) {
            more = answer(picture);
        } else {
            make_ready(picture);
        }
    }
    return NULL;
}

void coif_render_job_invalidate(coif_render_job *picture)
{
    pthread_mutex_lock(&picture->lock);
    picture->stirred = coif_clock_seconds();
    if (picture->warming != NULL) {
        coif_progress_cancel(picture->warming);
    }
    pthread_cond_signal(&picture->wake);
    pthread_mutex_unlock(&picture->lock);
}

coif_status coif_render_job_open(coif_render_job **opened, coif_studio *studio, coif_arena *arena,
                                 coif_error *error)
{
    coif_render_job *picture = coif_arena_new(arena, 1, coif_render_job);
    picture->studio = studio;
    COIF_TRY(coif_temp_dir_open(&picture->scraps, error));
    for (int32_t i = 0; i < COIF_STAGES; ++i) {
        snprintf(picture->stages[i].folder, sizeof picture->stages[i].folder, "%s/stage%d",
                 picture->scraps.folder, i);
    }
    picture->negatives = coif_render_history_open(picture->scraps.folder, arena);
    pthread_mutex_init(&picture->lock, NULL);
    pthread_cond_init(&picture->wake, NULL);
    coif_arena_init(&picture->request_arena, "picture");
    coif_arena_init(&picture->jobs_arena, "picture jobs");
    COIF_TRY(coif_jobs_open(&picture->jobs, coif_jobs_threads(studio->jobs), &picture->jobs_arena,
                            error));
    if (pthread_create(&picture->thread, NULL, run, picture) != 0) {
        return coif_fail(error, COIF_ERR_IO, "no thread for pictures");
    }
    *opened = picture;
    return COIF_OK;
}

void coif_render_job_close(coif_render_job *picture)
{
    pthread_mutex_lock(&picture->lock);
    picture->quit = true;
    if (picture->progress != NULL) {
        coif_progress_cancel(picture->progress);
    }
    if (picture->warming != NULL) {
        coif_progress_cancel(picture->warming);
    }
    pthread_cond_signal(&picture->wake);
    pthread_mutex_unlock(&picture->lock);
    pthread_join(picture->thread, NULL);
    coif_arena_free(&picture->request_arena);
    coif_jobs_close(picture->jobs);
    coif_arena_free(&picture->jobs_arena);
    coif_render_history_close(picture->negatives);
    coif_temp_dir_close(&picture->scraps);
}

void coif_render_job_ask(coif_render_job *picture, const coif_render_job_request *request)
{
    pthread_mutex_lock(&picture->lock);
    coif_arena_free(&picture->request_arena);
    coif_arena_init(&picture->request_arena, "picture");
    copy_request(&picture->request, request, &picture->request_arena);
    picture->asked = picture->known = true;
    if (picture->progress != NULL) {
        coif_progress_cancel(picture->progress);
    }
    pthread_cond_signal(&picture->wake);
    pthread_mutex_unlock(&picture->lock);
}

void coif_render_job_cancel(coif_render_job *picture)
{
    pthread_mutex_lock(&picture->lock);
    if (picture->progress != NULL) {
        coif_progress_cancel(picture->progress);
    }
    pthread_mutex_unlock(&picture->lock);
}

coif_render_history *coif_render_job_negatives(coif_render_job *picture)
{
    return picture->negatives;
}

const char *coif_render_job_newest(coif_render_job *picture, const char *extension,
                                   coif_arena *arena)
{
    pthread_mutex_lock(&picture->lock);
    const char *path = picture->newest[strcmp(extension, "exr") == 0];
    const char *copy = path[0] != '\0' ? coif_arena_copy_text(arena, path) : NULL;
    pthread_mutex_unlock(&picture->lock);
    return copy;
}
