#include "core/base/claim.h"

#include "core/base/error.h"
#include "core/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { POLL_MILLISECONDS = 100, OWNER_BYTES = 128 };

// Whether the path still names the open file: its last owner may have removed it meanwhile.
static bool names_file(const char *path, int descriptor)
{
    struct stat by_path, by_descriptor;
    return lstat(path, &by_path) == 0 && fstat(descriptor, &by_descriptor) == 0 &&
           by_path.st_ino == by_descriptor.st_ino && by_path.st_dev == by_descriptor.st_dev;
}

// 0 or errno: EAGAIN when another process holds the lock. Locks of open file descriptions also
// exclude other threads of this process.
static int lock(int descriptor)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(descriptor, F_OFD_SETLK, &whole) == 0) {
        return 0;
    }
    return errno == EACCES ? EAGAIN : errno;
}

static void write_owner(int descriptor)
{
    char host[64] = "", owner[OWNER_BYTES];
    gethostname(host, sizeof host - 1);
    const int size = snprintf(owner, sizeof owner, "process %ld on %s", (long)getpid(), host);
    // A full disk leaves the claim without an owner's name.
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, owner, (size_t)size, 0) != size) {
        coif_log(COIF_LOG_DETAIL, "the owner of a claim is not written: %s", strerror(errno));
    }
}

bool coif_claim_try(coif_claim *claim, const char *file)
{
    claim->descriptor = -1;
    snprintf(claim->path, sizeof claim->path, "%s.claim", file);
    for (;;) {
        const int descriptor = open(claim->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (descriptor < 0) {
            return true; // writing the file itself reports what is wrong with the folder
        }
        const int failure = lock(descriptor);
        if (failure == 0 && names_file(claim->path, descriptor)) {
            claim->descriptor = descriptor;
            write_owner(descriptor);
            return true;
        }
        close(descriptor);
        if (failure == EAGAIN) {
            return false;
        }
        if (failure != 0) {
            unlink(claim->path);
            coif_log_once(COIF_LOG_WARNING,
                          "%s: no lock: %s; do not start several processes on this folder",
                          claim->path, strerror(failure));
            return true;
        }
    }
}

static void log_owner(const coif_claim *claim, const char *file)
{
    char owner[OWNER_BYTES] = "";
    const int descriptor = open(claim->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    const ssize_t size = descriptor >= 0 ? read(descriptor, owner, sizeof owner - 1) : 0;
    if (descriptor >= 0) {
        close(descriptor);
    }
    coif_log(COIF_LOG_INFO, "%s: waiting for %s", file, size > 0 ? owner : "another process");
}

coif_status coif_claim_wait(coif_claim *claim, const char *file, coif_progress *progress,
                            coif_error *error)
{
    for (bool waits = false; !coif_claim_try(claim, file); waits = true) {
        if (!waits) {
            log_owner(claim, file);
        }
        if (coif_progress_cancelled(progress)) {
            return coif_fail(error, COIF_ERR_CANCELLED,
                             "%s: cancelled while another process makes it", file);
        }
        nanosleep(&(struct timespec){.tv_nsec = POLL_MILLISECONDS * 1000000L}, NULL);
    }
    return COIF_OK;
}

void coif_claim_release(coif_claim *claim)
{
    if (claim->descriptor >= 0) {
        unlink(claim->path);
        close(claim->descriptor);
        claim->descriptor = -1;
    }
}

void coif_claim_clean(const char *file)
{
    coif_claim claim;
    snprintf(claim.path, sizeof claim.path, "%s.claim", file);
    if (access(claim.path, F_OK) == 0 && coif_claim_try(&claim, file)) {
        coif_claim_release(&claim);
    }
}
