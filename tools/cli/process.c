#include "tools/cli/process.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { KEPT_BYTES = 4096, POLL_MILLISECONDS = 50 };

// A pipe from the child; its first (stdout) or last (stderr) bytes are kept.
typedef struct child_stream {
    int reader, writer;
    bool keep_end;
    size_t used;
    char text[KEPT_BYTES + 1];
} child_stream;

static void keep(child_stream *stream, const char *data, size_t bytes)
{
    if (stream->keep_end && stream->used + bytes > KEPT_BYTES) {
        const size_t excess = stream->used + bytes - KEPT_BYTES;
        const size_t dropped = excess < stream->used ? excess : stream->used;
        memmove(stream->text, stream->text + dropped, stream->used - dropped);
        stream->used -= dropped;
    }
    const size_t space = KEPT_BYTES - stream->used;
    const size_t taken = bytes < space ? bytes : space;
    memcpy(stream->text + stream->used, data, taken);
    stream->used += taken;
}

// Closes the reader at end of file.
static void drain(child_stream *stream)
{
    char data[1024];
    const ssize_t bytes = read(stream->reader, data, sizeof data);
    if (bytes > 0) {
        keep(stream, data, (size_t)bytes);
    } else if (bytes == 0 || errno != EINTR) {
        close(stream->reader);
        stream->reader = -1;
    }
}

static void watch(child_stream *streams, pid_t child, coif_progress *progress)
{
    bool terminated = false;
    while (streams[0].reader >= 0 || streams[1].reader >= 0) {
        struct pollfd watched[2];
        for (int i = 0; i < 2; ++i) {
            watched[i] = (struct pollfd){.fd = streams[i].reader, .events = POLLIN};
        }
        poll(watched, 2, POLL_MILLISECONDS);
        for (int i = 0; i < 2; ++i) {
            if (streams[i].reader >= 0 && watched[i].revents != 0) {
                drain(&streams[i]);
            }
        }
        if (!terminated && progress != NULL && coif_progress_cancelled(progress)) {
            kill(child, SIGTERM);
            terminated = true;
        }
    }
}

// Signals this program ignores or handles are reset to their default in the child.
static int spawn(pid_t *child, const char *const *argv, int output, int messages)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t reset;
    sigemptyset(&reset);
    sigaddset(&reset, SIGPIPE);
    sigaddset(&reset, SIGINT);
    sigaddset(&reset, SIGTERM);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &reset);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output, 1);
    posix_spawn_file_actions_adddup2(&files, messages, 2);
    const int result =
        posix_spawnp(child, argv[0], &files, &attributes, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return result;
}

static void close_stream(child_stream *stream)
{
    if (stream->reader >= 0) {
        close(stream->reader);
    }
    if (stream->writer >= 0) {
        close(stream->writer);
    }
}

static coif_status open_streams(child_stream *streams, coif_error *error)
{
    for (int i = 0; i < 2; ++i) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) {
            return coif_fail(error, COIF_ERR_IO, "cannot create a pipe: %s", strerror(errno));
        }
        streams[i].reader = ends[0];
        streams[i].writer = ends[1];
    }
    return COIF_OK;
}

static coif_status check_exit(const char *name, int state, const char *output, coif_error *error)
{
    if (WIFSIGNALED(state)) {
        return coif_fail(error, COIF_ERR_IO, "%s was killed by signal %d%s%s", name,
                         WTERMSIG(state), output[0] != '\0' ? ":\n" : "", output);
    }
    if (WEXITSTATUS(state) != 0) {
        return coif_fail(error, COIF_ERR_IO, "%s failed with exit code %d%s%s", name,
                         WEXITSTATUS(state), output[0] != '\0' ? ":\n" : "", output);
    }
    return COIF_OK;
}

static coif_status check_start(int result, const char *name, coif_error *error)
{
    if (result == 0) {
        return COIF_OK;
    }
    return result == ENOENT
               ? coif_fail(error, COIF_ERR_IO, "%s is not installed or not on the PATH", name)
               : coif_fail(error, COIF_ERR_IO, "%s cannot be started: %s", name, strerror(result));
}

static coif_status run_with(child_stream *streams, const char *const *argv, coif_progress *progress,
                            coif_error *error)
{
    COIF_TRY(open_streams(streams, error));
    pid_t child;
    const int result = spawn(&child, argv, streams[0].writer, streams[1].writer);
    COIF_TRY(check_start(result, argv[0], error));
    for (int i = 0; i < 2; ++i) {
        close(streams[i].writer);
        streams[i].writer = -1;
    }
    watch(streams, child, progress);
    int state = 0;
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    if (progress != NULL && coif_progress_cancelled(progress)) {
        return coif_fail(error, COIF_ERR_CANCELLED, "cancelled while %s was running", argv[0]);
    }
    return check_exit(argv[0], state, streams[1].text, error);
}

coif_status coif_process_run(char **output, const char *const *argv, coif_arena *arena,
                             coif_progress *progress, coif_error *error)
{
    child_stream streams[2] = {{.reader = -1, .writer = -1},
                               {.reader = -1, .writer = -1, .keep_end = true}};
    const coif_status status = run_with(streams, argv, progress, error);
    close_stream(&streams[0]);
    close_stream(&streams[1]);
    *output = coif_arena_copy_text(arena, streams[0].text);
    return status;
}

coif_status coif_process_spawn_logged(pid_t *child, const char *const *argv, const char *log,
                                      coif_error *error)
{
    const int output = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (output < 0) {
        return coif_fail(error, COIF_ERR_IO, "%s: cannot write: %s", log, strerror(errno));
    }
    dprintf(output, "$");
    for (const char *const *word = argv; *word != NULL; ++word) {
        dprintf(output, " %s", *word);
    }
    dprintf(output, "\n");
    const int result = spawn(child, argv, output, output);
    close(output);
    return check_start(result, argv[0], error);
}

bool coif_process_start(const char *const *argv)
{
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    for (int i = 0; i < 3; ++i) {
        posix_spawn_file_actions_addopen(&files, i, "/dev/null", O_RDWR, 0);
    }
    pid_t child;
    const int code = posix_spawnp(&child, argv[0], &files, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    return code == 0;
}
