#include "tools/studio/server/http/server_main.h"

#include "core/base/fs.h"
#include "core/base/log.h"
#include "tools/cli/process.h"
#include "tools/studio/server/http/routes.h"
#include "tools/studio/server/http/static_files.h"
#include "tools/studio/server/live/live_sim.h"
#include "tools/studio/server/render/render_job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

enum { TOKEN_BYTES = 16 };

// A layer of 8192 x 8192 as a float picture with three channels, and some.
static const size_t LARGEST_BODY = (size_t)1 << 30;

static coif_status make_token(char token[2 * TOKEN_BYTES + 1], coif_error *error)
{
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return coif_fail(error, COIF_ERR_IO, "no random numbers: %s", strerror(errno));
    }
    for (int i = 0; i < TOKEN_BYTES; ++i) {
        snprintf(token + 2 * (size_t)i, 3, "%02x", bytes[i]);
    }
    return COIF_OK;
}

// The lock is the file's, not its name's: it goes with the process, however that ends.
static coif_status take_lock(int *descriptor, const char *path, coif_error *error)
{
    *descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*descriptor < 0) {
        return coif_fail(error, COIF_ERR_IO,
                         "%s: %s; the studio writes beside the scene: copy it to a folder of your "
                         "own",
                         path, strerror(errno));
    }
    if (flock(*descriptor, LOCK_EX | LOCK_NB) != 0) {
        char where[256] = {0};
        const ssize_t length = read(*descriptor, where, sizeof where - 1);
        close(*descriptor);
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "a studio is open on this scene already%s%s; close it first (%s)",
                         length > 0 ? ": " : "", where, path);
    }
    return COIF_OK;
}

static void tell_lock(int descriptor, int port)
{
    char text[64];
    const int length = snprintf(text, sizeof text, "process %d, port %d", (int)getpid(), port);
    if (ftruncate(descriptor, 0) != 0 || write(descriptor, text, (size_t)length) != length) {
        coif_log(COIF_LOG_DETAIL, "the lock could not be labelled: %s", strerror(errno));
    }
}

static void show_live(void *context)
{
    const coif_studio *studio = context;
    coif_live_sim_look(studio->motion);
}

static coif_status serve_open(const coif_serve_desc *desc, coif_studio *studio, int lock,
                              coif_arena *arena, coif_error *error)
{
    // Requests may come until the server is closed, which is later than this returns.
    char *token = coif_arena_new(arena, 2 * TOKEN_BYTES + 1, char);
    COIF_TRY(make_token(token, error));
    const coif_http_desc http = {.port = desc->port,
                                 .token = token,
                                 .largest_body = LARGEST_BODY,
                                 .answer = coif_routes_answer,
                                 .stream = show_live,
                                 .context = studio};
    COIF_TRY(coif_live_sim_open(&studio->motion, studio, arena, error));
    COIF_TRY(coif_render_job_open(&studio->picture, studio, arena, error));
    COIF_TRY(coif_http_open(&studio->http, &http, arena, error));
    tell_lock(lock, coif_http_port(studio->http));
    const char *address = coif_arena_print(arena, "http://127.0.0.1:%d/?token=%s",
                                           coif_http_port(studio->http), token);
    printf("%s\n", address);
    fflush(stdout);
    if (studio->replayed > 0) {
        coif_log(COIF_LOG_INFO, "%d changes that were not saved are back", studio->replayed);
    }
    if (desc->open) {
        const char *const words[] = {"xdg-open", address, NULL};
        coif_process_start(words);
    }
    coif_log(COIF_LOG_INFO, "the studio is open; Ctrl-C ends it");
    while (!coif_progress_cancelled(desc->progress)) {
        usleep(50000);
    }
    return COIF_OK;
}

coif_status coif_serve(const coif_serve_desc *desc, coif_arena *arena, coif_error *error)
{
    COIF_TRY(coif_static_files_find(error));
    // One scene is one file, whatever names and links lead to it.
    const char *path = coif_path_real(desc->studio.path, arena);
    const char *lock_path =
        coif_arena_print(arena, "%s/.%s.lock", coif_path_folder(path, arena), coif_path_name(path));
    int lock;
    COIF_TRY(take_lock(&lock, lock_path, error));
    coif_studio *studio = coif_arena_new(arena, 1, coif_studio);
    coif_status status = coif_studio_open(studio, &desc->studio, arena, error);
    if (status == COIF_OK) {
        status = serve_open(desc, studio, lock, arena, error);
    }
    // Requests speak to the threads and the threads through the server: it hears nobody any more,
    // then they end, then it does.
    if (studio->http != NULL) {
        coif_http_refuse(studio->http);
    }
    if (studio->picture != NULL) {
        coif_render_job_close(studio->picture);
    }
    if (studio->motion != NULL) {
        coif_live_sim_close(studio->motion);
    }
    if (studio->http != NULL) {
        coif_http_close(studio->http);
    }
    coif_studio_close(studio);
    unlink(lock_path);
    close(lock);
    return status;
}
