#include "tools/studio/server/render/render_job.h"

#include "core/base/jobs.h"
#include "core/base/log.h"
#include "core/image/image_format.h"
#include "render/driver/render_frames.h"
#include "tools/studio/server/live/live_snapshot.h"
#include "tools/studio/server/render/groom_cache.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// Seconds without a change before hair is generated in advance: painting is not disturbed.
static const double PREFETCH_DELAY = 0.4;

struct coif_render_job {
    coif_studio *studio;
    coif_live_sim *live;
    const char *folder;
    coif_render_history *history; // has its own lock
    pthread_t thread;

    pthread_mutex_t lock; // of the requests:
    pthread_cond_t wake;
    bool requested, quit;
    bool has_frame; // request.frame is valid
    coif_render_request request;
    coif_arena request_arena;
    coif_progress *progress, *prefetch_progress; // of running work, NULL: none
    double changed_at;                           // time of the last scene change, 0: prefetched
    char paths[COIF_RENDER_FILES][4096];         // of final renders, or ""
    int frame;                                   // of the last render

    // Render thread only:
    coif_groom_cache caches[COIF_CACHES];
    coif_arena jobs_arena;
    coif_jobs *jobs;
    double start, first_ray; // times, s; first_ray 0 while hair is generated
    int32_t samples;         // requested
    bool is_draft, draft_shown, is_region;
};

// ---- progress and images

static void send_progress(coif_render_job *job, const char *state, int32_t samples)
{
    char text[256];
    const double now = coif_clock_seconds();
    snprintf(text, sizeof text,
             "{\"state\": \"%s\", \"samples\": %d, \"of\": %d, \"seconds\": %.3f, "
             "\"rendering\": %.3f}",
             state, samples, job->samples, now - job->start,
             job->first_ray > 0.0 ? now - job->first_ray : 0.0);
    coif_broadcast_event(&job->studio->broadcast, "render", text);
}

static void on_snapshot(void *context, const struct coif_hdr_snapshot_source *source)
{
    const coif_render_job *job = context;
    coif_render_history_store(job->history, source);
}

// Path: NULL for previews; passes of final renders have FOLDER/preview0001.png.
static void on_image(void *context, const char *path, int32_t samples)
{
    coif_render_job *job = context;
    if (path != NULL && strncmp(coif_path_name(path), "render", 6) == 0) {
        const coif_render_file file = !coif_path_has_extension(path, "exr") ? COIF_RENDER_PNG
                                      : job->is_region                      ? COIF_RENDER_REGION_EXR
                                                                            : COIF_RENDER_EXR;
        pthread_mutex_lock(&job->lock);
        snprintf(job->paths[file], sizeof job->paths[file], "%s", path);
        pthread_mutex_unlock(&job->lock);
    }
    // Coarse passes have less detail than a draft.
    if (samples > 0 || !job->draft_shown) {
        send_progress(job, job->is_draft ? "draft" : "rendering", samples);
    }
    job->draft_shown |= job->is_draft;
}

// ---- rendering

static coif_status render(coif_render_job *job, const coif_scene *scene, const char *cache,
                          const coif_render_request *request, coif_progress *progress,
                          coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "render folder");
    // Files of a region do not replace those of the full image.
    const char *folder =
        job->is_region ? coif_path_join(job->folder, "region", &scratch) : job->folder;
    if (request->final) {
        COIF_TRY(coif_path_make_directory(folder, error));
    }
    pthread_mutex_lock(&job->lock);
    job->frame = request->frame;
    pthread_mutex_unlock(&job->lock);
    coif_render_desc desc = {.source.scene = scene,
                             .source.cache = cache,
                             .source.format = request->final ? "png,exr" : "png",
                             .source.use_rest_pose = request->cache == NULL,
                             .source.isa = "auto",
                             .source.eval_map = job->studio->eval_map,
                             .source.aovs = request->aovs,
                             .folder = request->final ? folder : NULL,
                             .frames = {request->frame, request->frame, 1, NULL},
                             .overwrite = true,
                             .preview = !request->final,
                             .progressive = request->final,
                             .on_image = on_image,
                             .on_snapshot = on_snapshot,
                             .context = job};
    memcpy(desc.source.crop, request->crop, sizeof desc.source.crop);
    return coif_render_frames(&desc, job->jobs, progress, error);
}

// Renders the state that the live simulation has now.
static coif_status render_live(coif_render_job *job, coif_groom_cache_kind kind,
                               const coif_scene *scene, const coif_overrides *overrides,
                               const coif_render_request *request, coif_arena *arena,
                               coif_progress *progress, coif_error *error)
{
    coif_live_snapshot snapshot = {0};
    const char *folder = job->caches[kind].folder;
    job->first_ray = 0.0;
    send_progress(job, "generating", 0);
    COIF_TRY(coif_live_snapshot_make(&snapshot, folder, job->live, job->studio, overrides,
                                     job->jobs, arena, error));
    if (coif_progress_cancelled(progress)) {
        return coif_fail(error, COIF_ERR_CANCELLED, "cancelled before the first ray");
    }
    job->first_ray = coif_clock_seconds();
    coif_scene dragged = *scene;
    dragged.drag = &snapshot.drag;
    coif_render_request live_request = *request;
    live_request.cache = folder;
    live_request.frame = snapshot.frame;
    return render(job, &dragged, folder, &live_request, progress, error);
}

static coif_status render_rest_pose(coif_render_job *job, coif_groom_cache_kind kind,
                                    const coif_scene *scene, const coif_revisions *revisions,
                                    const coif_render_request *request, coif_progress *progress,
                                    coif_error *error)
{
    coif_groom_cache *cache = &job->caches[kind];
    const uint64_t key = coif_groom_cache_key(scene, revisions, request->frame);
    // Files that the scene references may have changed: a final render generates the hair again.
    cache->key = request->final ? 0 : cache->key;
    job->first_ray = 0.0;
    if (cache->key != key) {
        send_progress(job, "generating", 0);
    }
    COIF_TRY(
        coif_groom_cache_update(cache, scene, key, request->frame, job->jobs, progress, error));
    job->first_ray = coif_clock_seconds();
    return render(job, scene, cache->folder, request, progress, error);
}

// Fewer strands and samples, shown while the full groom is generated.
static coif_status render_draft(coif_render_job *job, const coif_scene *full,
                                const coif_render_request *request, coif_arena *arena,
                                coif_progress *progress, coif_error *error)
{
    const coif_overrides requested = {request->overrides, request->override_count};
    const bool resize = request->crop[2] == 0; // a crop is in pixels
    coif_overrides overrides;
    pthread_mutex_lock(&job->studio->lock);
    const bool worthwhile =
        coif_groom_cache_draft(&overrides, job->studio, full, &requested, resize, arena);
    pthread_mutex_unlock(&job->studio->lock);
    if (!worthwhile) {
        return COIF_OK;
    }
    coif_scene scene;
    coif_revisions revisions;
    COIF_TRY(coif_studio_snapshot(&scene, &revisions, job->studio, &overrides, arena, error));
    job->is_draft = true;
    const coif_status status =
        request->live
            ? render_live(job, COIF_CACHE_LIVE_DRAFT, &scene, &overrides, request, arena, progress,
                          error)
            : render_rest_pose(job, COIF_CACHE_DRAFT, &scene, &revisions, request, progress, error);
    job->is_draft = false;
    return status;
}

static coif_status render_request(coif_render_job *job, const coif_render_request *request,
                                  coif_arena *arena, coif_progress *progress, coif_error *error)
{
    coif_scene scene;
    coif_revisions revisions;
    const coif_overrides overrides = {request->overrides, request->override_count};
    COIF_TRY(coif_studio_snapshot(&scene, &revisions, job->studio, &overrides, arena, error));
    const coif_values *image = &coif_node_at(scene.root, "image")->values;
    job->samples = (int32_t)coif_values_find(image, "samples")->numbers[0];
    job->first_ray = coif_clock_seconds();
    if (request->cache != NULL) {
        return render(job, &scene, request->cache, request, progress, error);
    }
    if (request->draft && !request->final) {
        COIF_TRY(render_draft(job, &scene, request, arena, progress, error));
    }
    return request->live ? render_live(job, COIF_CACHE_LIVE, &scene, &overrides, request, arena,
                                       progress, error)
                         : render_rest_pose(job, COIF_CACHE_FULL, &scene, &revisions, request,
                                            progress, error);
}

// ---- thread

static void copy_request(coif_render_request *to, const coif_render_request *from,
                         coif_arena *arena)
{
    *to = *from;
    for (int32_t i = 0; i < from->override_count; ++i) {
        to->overrides[i] = coif_arena_copy_text(arena, from->overrides[i]);
    }
    to->aovs = from->aovs != NULL ? coif_arena_copy_text(arena, from->aovs) : NULL;
    to->cache = from->cache != NULL ? coif_arena_copy_text(arena, from->cache) : NULL;
}

// Loads the image library and generates hair before the next request. Errors are reported when an
// image is requested.
static void prefetch(coif_render_job *job)
{
    const struct coif_oiio_module *module;
    coif_error ignored = {0};
    COIF_SCOPED_ARENA(arena, "prefetch");
    pthread_mutex_lock(&job->lock);
    const bool quit = job->quit, has_frame = job->has_frame;
    const int frame = job->request.frame;
    coif_progress *progress = coif_progress_open(&arena);
    job->changed_at = 0.0;
    job->prefetch_progress = progress;
    pthread_mutex_unlock(&job->lock);
    if (!quit && coif_oiio_module_load(&module, &ignored) == COIF_OK) {
        coif_groom_cache_prefetch(job->caches, job->studio, has_frame ? &frame : NULL, job->jobs,
                                  progress, &arena, &ignored);
    }
    pthread_mutex_lock(&job->lock);
    job->prefetch_progress = NULL;
    pthread_mutex_unlock(&job->lock);
}

static void wait_seconds(coif_render_job *job, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    const double sum = 1e-9 * (double)until.tv_nsec + seconds;
    until.tv_sec += (time_t)sum;
    until.tv_nsec = (long)(1e9 * (sum - floor(sum)));
    pthread_cond_timedwait(&job->wake, &job->lock, &until);
}

// Waits for a request or for quit; false when it is time to prefetch. The caller holds the lock.
static bool wait_for_request(coif_render_job *job)
{
    while (!job->requested && !job->quit) {
        const double left = job->changed_at + PREFETCH_DELAY - coif_clock_seconds();
        if (job->changed_at == 0.0) {
            pthread_cond_wait(&job->wake, &job->lock);
        } else if (left > 0.0) {
            wait_seconds(job, left);
        } else {
            return false;
        }
    }
    return true;
}

static void serve_request(coif_render_job *job, const coif_render_request *request,
                          coif_progress *progress, coif_arena *arena)
{
    coif_error error = {0};
    job->start = coif_clock_seconds();
    job->samples = 0;
    job->draft_shown = false;
    job->is_region = request->crop[2] > 0;
    coif_render_history_begin(job->history, request->crop);
    send_progress(job, "started", 0);
    const coif_status status = render_request(job, request, arena, progress, &error);
    if (status == COIF_OK || status == COIF_ERR_CANCELLED) {
        send_progress(job, status == COIF_OK ? "done" : "cancelled", job->samples);
        return;
    }
    send_progress(job, "failed", 0);
    coif_studio_report_error(job->studio, &error);
}

// False after quit.
static bool take_request(coif_render_job *job)
{
    coif_render_request request;
    COIF_SCOPED_ARENA(arena, "render job");
    pthread_mutex_lock(&job->lock);
    const bool quit = job->quit;
    coif_progress *progress = coif_progress_open(&arena);
    job->requested = false;
    job->paths[COIF_RENDER_PNG][0] = '\0';
    job->paths[COIF_RENDER_REGION_EXR][0] = '\0';
    job->progress = progress;
    copy_request(&request, &job->request, &arena);
    pthread_mutex_unlock(&job->lock);
    if (!quit) {
        coif_live_sim_hold(job->live, true);
        serve_request(job, &request, progress, &arena);
        coif_live_sim_hold(job->live, false);
    }
    pthread_mutex_lock(&job->lock);
    job->progress = NULL;
    pthread_mutex_unlock(&job->lock);
    return !quit;
}

static void *run(void *context)
{
    coif_render_job *job = context;
    prefetch(job);
    for (bool more = true; more;) {
        pthread_mutex_lock(&job->lock);
        const bool requested = wait_for_request(job);
        pthread_mutex_unlock(&job->lock);
        if (requested) {
            more = take_request(job);
        } else {
            prefetch(job);
        }
    }
    return NULL;
}

// ---- calls from other threads

// The caller holds the lock.
static void cancel(coif_progress *progress)
{
    if (progress != NULL) {
        coif_progress_cancel(progress);
    }
}

void coif_render_job_invalidate(coif_render_job *job)
{
    pthread_mutex_lock(&job->lock);
    job->changed_at = coif_clock_seconds();
    cancel(job->prefetch_progress);
    pthread_cond_signal(&job->wake);
    pthread_mutex_unlock(&job->lock);
}

coif_status coif_render_job_open(coif_render_job **opened, coif_studio *studio, coif_live_sim *live,
                                 const char *folder, coif_arena *arena, coif_error *error)
{
    coif_render_job *job = coif_arena_new(arena, 1, coif_render_job);
    job->studio = studio;
    job->live = live;
    job->folder = folder;
    for (int32_t i = 0; i < COIF_CACHES; ++i) {
        snprintf(job->caches[i].folder, sizeof job->caches[i].folder, "%s/cache%d", folder, i);
    }
    job->history = coif_render_history_open(arena);
    pthread_mutex_init(&job->lock, NULL);
    pthread_cond_init(&job->wake, NULL);
    coif_arena_init(&job->request_arena, "render request");
    coif_arena_init(&job->jobs_arena, "render jobs");
    COIF_TRY(coif_jobs_open(&job->jobs, coif_jobs_threads(studio->jobs), &job->jobs_arena, error));
    if (pthread_create(&job->thread, NULL, run, job) != 0) {
        return coif_fail(error, COIF_ERR_IO, "the render thread cannot be created");
    }
    *opened = job;
    return COIF_OK;
}

void coif_render_job_close(coif_render_job *job)
{
    pthread_mutex_lock(&job->lock);
    job->quit = true;
    cancel(job->progress);
    cancel(job->prefetch_progress);
    pthread_cond_signal(&job->wake);
    pthread_mutex_unlock(&job->lock);
    pthread_join(job->thread, NULL);
    coif_arena_free(&job->request_arena);
    coif_jobs_close(job->jobs);
    coif_arena_free(&job->jobs_arena);
    coif_render_history_close(job->history);
}

void coif_render_job_start(coif_render_job *job, const coif_render_request *request)
{
    pthread_mutex_lock(&job->lock);
    coif_arena_free(&job->request_arena);
    coif_arena_init(&job->request_arena, "render request");
    copy_request(&job->request, request, &job->request_arena);
    job->requested = job->has_frame = true;
    cancel(job->progress);
    pthread_cond_signal(&job->wake);
    pthread_mutex_unlock(&job->lock);
}

void coif_render_job_cancel(coif_render_job *job)
{
    pthread_mutex_lock(&job->lock);
    cancel(job->progress);
    pthread_mutex_unlock(&job->lock);
}

coif_render_history *coif_render_job_history(coif_render_job *job)
{
    return job->history;
}

const char *coif_render_job_file(coif_render_job *job, coif_render_file file, coif_arena *arena)
{
    pthread_mutex_lock(&job->lock);
    const char *path = job->paths[file];
    const char *copy = path[0] != '\0' ? coif_arena_copy_text(arena, path) : NULL;
    pthread_mutex_unlock(&job->lock);
    return copy;
}

int coif_render_job_frame(coif_render_job *job)
{
    pthread_mutex_lock(&job->lock);
    const int frame = job->frame;
    pthread_mutex_unlock(&job->lock);
    return frame;
}
