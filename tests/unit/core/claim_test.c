// claim: one process at a time holds the claim on a file, and a killed process loses it.
#include "core/base/claim.h"

#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/log.h"
#include "tests/support/test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

// A child process that holds the claim until it is killed; returns after it has taken it.
static pid_t child_with_claim(const char *file)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        coif_claim claim;
        const char taken = coif_claim_try(&claim, file) ? 'y' : 'n';
        if (write(ends[1], &taken, 1) == 1) {
            pause();
        }
        _exit(0);
    }
    char taken = 'n';
    CHECK(read(ends[0], &taken, 1) == 1 && taken == 'y');
    close(ends[0]);
    close(ends[1]);
    return child;
}

static void kill_child(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

TEST(a_claim_excludes_other_holders_until_it_is_released)
{
    const char *file = coif_test_path("frame.png");
    const char *lock = coif_test_path("frame.png.claim");
    coif_claim first, second;
    CHECK(coif_claim_try(&first, file));
    CHECK(coif_path_exists(lock));
    CHECK(!coif_claim_try(&second, file));
    coif_claim_release(&first);
    CHECK(!coif_path_exists(lock));
    CHECK(coif_claim_try(&second, file));
    coif_claim_release(&second);
}

TEST(a_killed_process_loses_its_claim)
{
    const char *file = coif_test_path("frame.png");
    const pid_t child = child_with_claim(file);
    coif_claim claim;
    CHECK(!coif_claim_try(&claim, file));
    kill_child(child);
    CHECK(coif_path_exists(coif_test_path("frame.png.claim")));
    CHECK(coif_claim_try(&claim, file));
    coif_claim_release(&claim);
}

TEST(the_claim_file_of_a_killed_process_is_removed)
{
    const char *file = coif_test_path("frame.png");
    const pid_t child = child_with_claim(file);
    coif_claim_clean(file);
    CHECK(coif_path_exists(coif_test_path("frame.png.claim")));
    kill_child(child);
    coif_claim_clean(file);
    CHECK(!coif_path_exists(coif_test_path("frame.png.claim")));
}

TEST(waiting_for_a_claim_can_be_cancelled)
{
    COIF_SCOPED_ARENA(arena, "test");
    const char *file = coif_test_path("frame.png");
    const pid_t child = child_with_claim(file);
    coif_progress *progress = coif_progress_open(&arena);
    coif_progress_cancel(progress);
    coif_claim claim;
    coif_error error = {0};
    CHECK(coif_claim_wait(&claim, file, progress, &error) == COIF_ERR_CANCELLED);
    kill_child(child);
    CHECK(coif_claim_wait(&claim, file, progress, &error) == COIF_OK);
    coif_claim_release(&claim);
}
