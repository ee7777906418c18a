#include "tools/studio/server/document/temp_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char PREFIX[] = "coif_studio_";
enum { RANDOM = 6 }; // letters that mkdtemp puts behind it

static const char *place(void)
{
    const char *folder = getenv("TMPDIR");
    return folder != NULL && folder[0] != '\0' ? folder : P_tmpdir;
}

// What lies in it first, one folder deep; links are removed, not followed.
static void remove_folder(const char *folder, int depth)
{
    DIR *list = opendir(folder);
    struct dirent *entry;
    while (list != NULL && (entry = readdir(list)) != NULL) {
        char path[4096 + 300];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        struct stat status;
        if (depth > 0 && lstat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
            remove_folder(path, depth - 1);
        } else {
            unlink(path);
        }
    }
    if (list != NULL) {
        closedir(list);
    }
    rmdir(folder);
}

// The lock goes with its process, however that ends: who gets it has found a folder of nobody.
// -1: somebody has it, or it is none of ours.
static int take_over(const char *folder)
{
    struct stat status;
    if (lstat(folder, &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != geteuid()) {
        return -1;
    }
    char path[4096 + 300];
    snprintf(path, sizeof path, "%s/owner", folder);
    const int lock = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0) {
        close(lock);
        return -1;
    }
    return lock;
}

static void sweep(void)
{
    DIR *list = opendir(place());
    struct dirent *entry;
    while (list != NULL && (entry = readdir(list)) != NULL) {
        const size_t prefix = sizeof PREFIX - 1;
        if (strncmp(entry->d_name, PREFIX, prefix) == 0 &&
            strlen(entry->d_name) == prefix + RANDOM) {
            char folder[4096];
            snprintf(folder, sizeof folder, "%.3700s/%s", place(), entry->d_name);
            const int lock = take_over(folder);
            if (lock >= 0) {
                remove_folder(folder, 1);
                close(lock);
            }
        }
    }
    if (list != NULL) {
        closedir(list);
    }
}

// Locked before it has the name by which others find it.
static int lock_folder(const char *folder)
{
    char early[4096], path[4096];
    snprintf(early, sizeof early, "%s/owner.new", folder);
    snprintf(path, sizeof path, "%s/owner", folder);
    const int lock = open(early, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (lock >= 0 && (flock(lock, LOCK_EX | LOCK_NB) != 0 || rename(early, path) != 0)) {
        close(lock);
        return -1;
    }
    return lock;
}

coif_status coif_temp_dir_open(coif_temp_dir *scraps, coif_error *error)
{
    sweep();
    scraps->lock = -1;
    snprintf(scraps->folder, sizeof scraps->folder, "%.3700s/%sXXXXXX", place(), PREFIX);
    if (mkdtemp(scraps->folder) == NULL) {
        return coif_fail(error, COIF_ERR_IO, "%s: cannot be made: %s", scraps->folder,
                         strerror(errno));
    }
    scraps->lock = lock_folder(scraps->folder);
    if (scraps->lock < 0) {
        const int why = errno;
        remove_folder(scraps->folder, 1);
        return coif_fail(error, COIF_ERR_IO, "%s: cannot be locked: %s", scraps->folder,
                         strerror(why));
    }
    return COIF_OK;
}

void coif_temp_dir_close(coif_temp_dir *scraps)
{
    remove_folder(scraps->folder, 1);
    close(scraps->lock);
}
