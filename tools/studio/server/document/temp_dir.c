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

static const char *parent_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder != NULL && folder[0] != '\0' ? folder : P_tmpdir;
}

// Removes a directory and, to a depth, its contents. Links are not followed.
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

// Locks an abandoned directory: the lock of a process ends with it. -1: in use, or not ours.
static int lock_abandoned(const char *folder)
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

static void remove_abandoned(void)
{
    DIR *list = opendir(parent_folder());
    struct dirent *entry;
    while (list != NULL && (entry = readdir(list)) != NULL) {
        const size_t prefix = sizeof PREFIX - 1;
        if (strncmp(entry->d_name, PREFIX, prefix) == 0 &&
            strlen(entry->d_name) == prefix + RANDOM) {
            char folder[4096];
            snprintf(folder, sizeof folder, "%.3700s/%s", parent_folder(), entry->d_name);
            const int lock = lock_abandoned(folder);
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

// Locked before it gets its final name: others never see it unlocked.
static int lock_folder(const char *folder)
{
    char temporary[4096], path[4096];
    snprintf(temporary, sizeof temporary, "%s/owner.new", folder);
    snprintf(path, sizeof path, "%s/owner", folder);
    const int lock = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (lock >= 0 && (flock(lock, LOCK_EX | LOCK_NB) != 0 || rename(temporary, path) != 0)) {
        close(lock);
        return -1;
    }
    return lock;
}

coif_status coif_temp_dir_open(coif_temp_dir *temp, coif_error *error)
{
    remove_abandoned();
    temp->lock = -1;
    snprintf(temp->folder, sizeof temp->folder, "%.3700s/%sXXXXXX", parent_folder(), PREFIX);
    if (mkdtemp(temp->folder) == NULL) {
        return coif_fail(error, COIF_ERR_IO, "%s: cannot be created: %s", temp->folder,
                         strerror(errno));
    }
    temp->lock = lock_folder(temp->folder);
    if (temp->lock < 0) {
        const int cause = errno;
        remove_folder(temp->folder, 1);
        return coif_fail(error, COIF_ERR_IO, "%s: cannot be locked: %s", temp->folder,
                         strerror(cause));
    }
    return COIF_OK;
}

void coif_temp_dir_close(coif_temp_dir *temp)
{
    remove_folder(temp->folder, 1);
    close(temp->lock);
}

void coif_temp_dir_remove(const char *folder)
{
    remove_folder(folder, 1);
}
