// process: other programs, run without a shell.
#include "tools/cli/process.h"

#include "core/base/log.h"
#include "tests/support/test.h"

#include <pthread.h>
#include <unistd.h>

static coif_status run(char *output, size_t size, const char *const *argv, coif_progress *progress,
                       coif_error *error)
{
    char *text;
    COIF_SCOPED_ARENA(arena, "process test");
    *error = (coif_error){0};
    const coif_status status = coif_process_run(&text, argv, &arena, progress, error);
    snprintf(output, size, "%s", text);
    return status;
}

TEST(stdout_is_returned)
{
    char output[8192];
    coif_error error;
    const char *const argv[] = {"printf", "%s;", "a b", "$HOME", "*", NULL};
    CHECK_OK(run(output, sizeof output, argv, NULL, &error), error);
    CHECK_TEXT(output, "a b;$HOME;*;");
}

// More than a pipe holds on both streams at once must neither hang nor overflow.
TEST(much_output_is_drained)
{
    char output[8192];
    coif_error error;
    const char *const argv[] = {
        "sh", "-c",
        "head -c 300000 /dev/zero | tr '\\0' a; head -c 300000 /dev/zero | tr '\\0' b >&2", NULL};
    CHECK_OK(run(output, sizeof output, argv, NULL, &error), error);
    CHECK(strlen(output) == 4096 && output[4095] == 'a');
}

TEST(failure_reports_the_end_of_stderr)
{
    char output[64];
    coif_error error;
    const char *const argv[] = {"sh", "-c", "echo the disk is full >&2; exit 3", NULL};
    CHECK(run(output, sizeof output, argv, NULL, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "sh failed with exit code 3:\nthe disk is full");
    const char *const dying[] = {"sh", "-c", "kill -9 $$", NULL};
    CHECK(run(output, sizeof output, dying, NULL, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "signal 9");
}

TEST(a_missing_program_is_reported)
{
    char output[64];
    coif_error error;
    const char *const argv[] = {"no-such-program-anywhere", NULL};
    CHECK(run(output, sizeof output, argv, NULL, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "no-such-program-anywhere is not installed");
}

static void *cancel_soon(void *progress)
{
    usleep(100000);
    coif_progress_cancel(progress);
    return NULL;
}

TEST(cancelling_terminates_the_child)
{
    char output[64];
    coif_error error;
    COIF_SCOPED_ARENA(arena, "process test");
    coif_progress *progress = coif_progress_open(&arena);
    pthread_t thread;
    pthread_create(&thread, NULL, cancel_soon, progress);
    const char *const argv[] = {"sleep", "300", NULL};
    CHECK(run(output, sizeof output, argv, progress, &error) == COIF_ERR_CANCELLED);
    pthread_join(thread, NULL);
}
