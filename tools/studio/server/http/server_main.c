#include "tools/studio/server/http/server_main.h"

#include "core/base/fs.h"
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "tools/studio/server/http/static_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

// Bytes of all request bodies in memory: one large import and a few others.
static const size_t UPLOAD_LIMIT = (size_t)1280 << 20;

static coif_status make_token(char token[2 * COIF_TOKEN_BYTES + 1], coif_error *error)
{
    unsigned char bytes[COIF_TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return coif_fail(error, COIF_ERR_IO, "no random numbers: %s", strerror(errno));
    }
    for (int i = 0; i < COIF_TOKEN_BYTES; ++i) {
        snprintf(token + 2 * (size_t)i, 3, "%02x", bytes[i]);
    }
    return COIF_OK;
}

// Locks .NAME.lock beside the scene. The lock ends with the process, even after a crash.
static coif_status lock_scene(coif_server *server, const char *scene, coif_error *error)
{
    coif_arena *arena = &server->scene_arena;
    // Links to one scene file share one lock.
    const char *path = coif_path_real(scene, arena);
    server->lock_path =
        coif_arena_print(arena, "%s/.%s.lock", coif_path_folder(path, arena), coif_path_name(path));
    const int descriptor = open(server->lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor < 0) {
        return coif_fail(error, COIF_ERR_IO,
                         "%s: %s; the studio writes beside the scene: copy it to a folder of your "
                         "own",
                         server->lock_path, strerror(errno));
    }
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        char owner[256] = {0};
        const ssize_t length = read(descriptor, owner, sizeof owner - 1);
        close(descriptor);
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "a studio is open on this scene already%s%s; close it first (%s)",
                         length > 0 ? ": " : "", owner, server->lock_path);
    }
    server->lock = descriptor;
    return COIF_OK;
}

static void label_lock(const coif_server *server)
{
    char text[64];
    const int length = snprintf(text, sizeof text, "process %d, port %d", (int)getpid(),
                                coif_http_port(server->http));
    if (ftruncate(server->lock, 0) != 0 || write(server->lock, text, (size_t)length) != length) {
        coif_log(COIF_LOG_DETAIL, "%s: %s", server->lock_path, strerror(errno));
    }
}

// A request to switch the scene may hold the lock for long: the frame is requested again by the
// page that opens the new one.
static void on_stream(void *context)
{
    const coif_services *services = context;
    if (pthread_rwlock_tryrdlock(services->scene_lock) == 0) {
        if (services->studio != NULL) {
            coif_live_sim_request_frame(services->live);
        }
        pthread_rwlock_unlock(services->scene_lock);
    }
}

// The fields before `connected`: threads of the studio send from then on.
static void connect_broadcast(coif_broadcast *to, const coif_broadcast *from)
{
    to->context = from->context;
    to->event = from->event;
    to->frame_wanted = from->frame_wanted;
    to->has_frame_clients = from->has_frame_clients;
    to->frame = from->frame;
    to->connected = from->connected;
}

static coif_status open_scene(coif_server *server, const char *path, coif_error *error)
{
    coif_arena *arena = &server->scene_arena;
    coif_studio *studio = &server->studio;
    coif_services *services = &server->services;
    coif_studio_desc desc = *server->desc;
    desc.path = path;
    COIF_TRY(lock_scene(server, path, error));
    services->playback = coif_cache_playback_new(arena);
    COIF_TRY(
        coif_brush_session_open(&services->brush, coif_jobs_threads(studio->jobs), arena, error));
    server->has_studio = true;
    COIF_TRY(coif_studio_open(studio, &desc, arena, error));
    connect_broadcast(&studio->broadcast, &server->broadcast);
    COIF_TRY(coif_live_sim_open(&services->live, studio, arena, error));
    COIF_TRY(coif_render_job_open(&services->render, studio, services->live, server->temp.folder,
                                  arena, error));
    services->studio = studio;
    label_lock(server);
    return COIF_OK;
}

coif_status coif_server_open_scene(coif_server *server, const char *path, coif_error *error)
{
    coif_arena_init(&server->scene_arena, "studio");
    server->has_scene = true;
    const coif_status status = open_scene(server, path, error);
    if (status != COIF_OK) {
        coif_server_close_scene(server);
    } else if (server->services.project->recent != NULL) {
        coif_recent_scenes_add(server->services.project->recent, path);
    }
    return status;
}

// The threads send through the HTTP server and use the document: they end first.
void coif_server_close_scene(coif_server *server)
{
    coif_services *services = &server->services;
    if (!server->has_scene) {
        return;
    }
    if (services->render != NULL) {
        coif_render_job_close(services->render);
    }
    if (services->live != NULL) {
        coif_live_sim_close(services->live);
    }
    if (services->brush != NULL) {
        coif_brush_session_close(services->brush);
    }
    if (server->has_studio) {
        coif_cache_playback_free(services->playback);
        coif_studio_close(&server->studio);
    }
    if (server->lock >= 0) {
        unlink(server->lock_path);
        close(server->lock);
    }
    server->lock = -1;
    services->studio = NULL;
    services->render = NULL;
    services->live = NULL;
    services->playback = NULL;
    services->brush = NULL;
    server->has_studio = server->has_scene = false;
    coif_arena_free(&server->scene_arena);
}

coif_status coif_server_open(coif_server *server, const coif_server_desc *desc, coif_arena *arena,
                             coif_error *error)
{
    *server = (coif_server){.lock = -1, .desc = &desc->studio};
    coif_services *services = &server->services;
    pthread_rwlock_init(&server->scene_lock, NULL);
    services->scene_lock = &server->scene_lock;
    services->server = server;
    services->project = &desc->project;
    COIF_TRY(make_token(server->token, error));
    COIF_TRY(coif_temp_dir_open(&server->temp, error));
    server->has_temp = true;
    services->upload_folder = coif_path_join(server->temp.folder, "upload", arena);
    const coif_http_desc http = {.port = desc->port,
                                 .token = server->token,
                                 .body_limit = coif_routes_body_limit,
                                 .upload_limit = UPLOAD_LIMIT,
                                 .handle = coif_routes_handle,
                                 .on_stream = on_stream,
                                 .context = services,
                                 .broadcast = &server->broadcast};
    COIF_TRY(coif_http_open(&server->http, &http, arena, error));
    return desc->studio.path != NULL ? coif_server_open_scene(server, desc->studio.path, error)
                                     : COIF_OK;
}

void coif_server_close(coif_server *server)
{
    // Requests use the threads and the threads send through the server: first requests end, then
    // the threads, then the server.
    if (server->http != NULL) {
        coif_http_stop_requests(server->http);
    }
    coif_server_close_scene(server);
    if (server->http != NULL) {
        coif_http_close(server->http);
    }
    if (server->has_temp) {
        coif_temp_dir_close(&server->temp);
    }
}

// An HTML file that only this user can read, as its directory.
static coif_status write_redirect(const char *path, const char *url, coif_arena *arena,
                                  coif_error *error)
{
    const char *html = coif_arena_print(
        arena,
        "<!doctype html><meta charset=\"utf-8\"><title>coif studio</title>"
        "<meta http-equiv=\"refresh\" content=\"0; url=%s\"><a href=\"%s\">Open the studio</a>\n",
        url, url);
    const size_t size = strlen(html);
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const bool written = descriptor >= 0 && write(descriptor, html, size) == (ssize_t)size;
    if (descriptor >= 0) {
        close(descriptor);
    }
    return written ? COIF_OK : coif_fail(error, COIF_ERR_IO, "%s: %s", path, strerror(errno));
}

static coif_status run(const coif_server *server, const coif_server_desc *desc, coif_arena *arena,
                       coif_error *error)
{
    const char *url = coif_arena_print(arena, "http://127.0.0.1:%d/?token=%s",
                                       coif_http_port(server->http), server->token);
    printf("%s\n", url);
    fflush(stdout);
    if (server->has_scene && server->studio.replayed > 0) {
        coif_log(COIF_LOG_INFO, "restored %d unsaved changes from the journal",
                 server->studio.replayed);
    }
    if (desc->open_browser != NULL) {
        const char *path = coif_path_join(server->temp.folder, "open.html", arena);
        COIF_TRY(write_redirect(path, url, arena, error));
        desc->open_browser(path);
    }
    coif_log(COIF_LOG_INFO, "the studio is running; press Ctrl-C to stop it");
    while (!coif_progress_cancelled(desc->progress)) {
        usleep(50000);
    }
    return COIF_OK;
}

coif_status coif_serve(const coif_server_desc *desc, coif_arena *arena, coif_error *error)
{
    COIF_TRY(coif_static_files_check(error));
    coif_server *server = coif_arena_new(arena, 1, coif_server);
    coif_status status = coif_server_open(server, desc, arena, error);
    if (status == COIF_OK) {
        status = run(server, desc, arena, error);
    }
    coif_server_close(server);
    return status;
}
