// Files with atomic replacement, paths and frame ranges, on POSIX calls.
#include "core/base/fs.h"

#include "core/base/arena.h"
#include "core/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Bytes per read or write call; the kernel has a limit of its own.
static const size_t MAX_IO_BYTES = (size_t)1 << 30;

static coif_status fail_with_errno(coif_error *error, const char *path, const char *what)
{
    const int number = errno;
    return coif_fail(error, number == ENOMEM ? COIF_ERR_MEMORY : COIF_ERR_IO, "%s: %s: %s", path,
                     what, strerror(number));
}

static coif_status open_for_reading(coif_file *file, coif_error *error)
{
    // O_NONBLOCK: opening a named pipe would block until a writer appears.
    file->descriptor = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file->descriptor < 0) {
        return fail_with_errno(error, file->path, "cannot open");
    }
    struct stat status;
    const bool has_status = fstat(file->descriptor, &status) == 0;
    if (!has_status || !S_ISREG(status.st_mode)) {
        close(file->descriptor);
        file->descriptor = -1;
        return coif_fail(error, COIF_ERR_IO, "%s: not a regular file", file->path);
    }
    file->size = (uint64_t)status.st_size;
    return COIF_OK;
}

// Names of unfinished temporaries, for coif_files_discard. More than these at a time are left to
// the next run.
enum { UNFINISHED = 64 };
static struct {
    atomic_bool used, named;
    char path[4096 + 32];
} unfinished[UNFINISHED];

static int note_unfinished(const char *temporary)
{
    for (int i = 0; i < UNFINISHED; ++i) {
        if (!atomic_exchange(&unfinished[i].used, true)) {
            strcpy(unfinished[i].path, temporary);
            atomic_store(&unfinished[i].named, true);
            return i;
        }
    }
    return -1;
}

static void forget_unfinished(coif_file *file)
{
    if (file->unfinished >= 0) {
        atomic_store(&unfinished[file->unfinished].named, false);
        atomic_store(&unfinished[file->unfinished].used, false);
        file->unfinished = -1;
    }
}

void coif_files_discard(void)
{
    for (int i = 0; i < UNFINISHED; ++i) {
        if (atomic_load(&unfinished[i].named)) {
            unlink(unfinished[i].path);
        }
    }
}

// Whether the path still names the open file.
static bool names_file(const char *path, int descriptor)
{
    struct stat by_path, by_descriptor;
    return lstat(path, &by_path) == 0 && fstat(descriptor, &by_descriptor) == 0 &&
           by_path.st_ino == by_descriptor.st_ino && by_path.st_dev == by_descriptor.st_dev;
}

// A writer holds a lock on its temporary until the descriptor is closed, also by a crash.
static bool lock_temporary(int descriptor)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_OFD_SETLK, &whole) == 0;
}

// Removes the temporary of a writer that was killed; false while a writer uses it.
static bool remove_abandoned(const char *path)
{
    const int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const bool abandoned = descriptor >= 0 && lock_temporary(descriptor) &&
                           names_file(path, descriptor) && unlink(path) == 0;
    if (descriptor >= 0) {
        close(descriptor);
    }
    return abandoned;
}

// A new file, locked where locks work; -1 with EEXIST while another writer uses the name.
static int open_temporary(const char *path)
{
    enum { TRIES = 4 };
    for (int i = 0; i < TRIES; ++i) {
        const int descriptor =
            open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (descriptor < 0 && errno != EEXIST) {
            return -1;
        }
        if (descriptor < 0) {
            if (!remove_abandoned(path)) {
                break;
            }
            continue;
        }
        // Another writer may have taken it for an abandoned one before it was locked.
        const bool taken = !lock_temporary(descriptor) && errno == EAGAIN;
        if (!taken && names_file(path, descriptor)) {
            return descriptor;
        }
        close(descriptor);
    }
    errno = EEXIST;
    return -1;
}

void coif_file_clean(const char *path)
{
    char temporary[sizeof((coif_file *)0)->temporary];
    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    remove_abandoned(temporary);
}

void coif_file_remove(const char *path)
{
    unlink(path);
    coif_file_clean(path);
}

static coif_status open_for_writing(coif_file *file, coif_error *error)
{
    snprintf(file->temporary, sizeof file->temporary, "%s.tmp", file->path);
    file->descriptor = open_temporary(file->temporary);
    if (file->descriptor < 0 && errno == EEXIST) {
        // Process id and counter make the name unique among concurrent writers.
        static atomic_uint counter;
        snprintf(file->temporary, sizeof file->temporary, "%s.%ld.%u.tmp", file->path,
                 (long)getpid(), atomic_fetch_add(&counter, 1));
        file->descriptor =
            open(file->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    }
    if (file->descriptor < 0) {
        const coif_status status = fail_with_errno(error, file->path, "cannot write");
        file->temporary[0] = '\0'; // not of this writer
        return status;
    }
    file->unfinished = note_unfinished(file->temporary);
    return COIF_OK;
}

coif_status coif_file_open(coif_file *file, const char *path, coif_file_mode mode,
                           coif_error *error)
{
    *file = (coif_file){.descriptor = -1, .mode = mode, .unfinished = -1};
    if (strlen(path) >= sizeof file->path) {
        return coif_fail(error, COIF_ERR_IO, "%.60s...: path is too long", path);
    }
    strcpy(file->path, path);
    return mode == COIF_FILE_READ ? open_for_reading(file, error) : open_for_writing(file, error);
}

coif_status coif_file_read(coif_file *file, void *data, size_t bytes, coif_error *error)
{
    size_t done = 0;
    while (done < bytes) {
        const size_t left = bytes - done;
        const ssize_t count =
            read(file->descriptor, (char *)data + done, left < MAX_IO_BYTES ? left : MAX_IO_BYTES);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return fail_with_errno(error, file->path, "cannot read");
        }
        if (count == 0) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: truncated: expected %zu more bytes",
                             file->path, left);
        }
        done += (size_t)count;
    }
    return COIF_OK;
}

coif_status coif_file_write(coif_file *file, const void *data, size_t bytes, coif_error *error)
{
    size_t done = 0;
    while (done < bytes) {
        const size_t left = bytes - done;
        const ssize_t count = write(file->descriptor, (const char *)data + done,
                                    left < MAX_IO_BYTES ? left : MAX_IO_BYTES);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return fail_with_errno(error, file->path, "cannot write");
        }
        done += (size_t)count;
    }
    return COIF_OK;
}

coif_status coif_file_seek(coif_file *file, uint64_t offset, coif_error *error)
{
    return lseek(file->descriptor, (off_t)offset, SEEK_SET) >= 0
               ? COIF_OK
               : fail_with_errno(error, file->path, "cannot seek");
}

// A rename is durable only once its directory is flushed.
static void flush_folder_of(const char *path)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash == NULL) {
        strcpy(folder, ".");
    } else {
        slash[slash == folder ? 1 : 0] = '\0';
    }
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
}

coif_status coif_file_commit(coif_file *file, coif_error *error)
{
    COIF_REQUIRE(file->mode == COIF_FILE_WRITE);
    if (fsync(file->descriptor) != 0) {
        return fail_with_errno(error, file->path, "cannot flush to disk");
    }
    if (rename(file->temporary, file->path) != 0) {
        return fail_with_errno(error, file->path, "cannot rename the temporary file");
    }
    file->temporary[0] = '\0';
    forget_unfinished(file);
    flush_folder_of(file->path);
    return COIF_OK;
}

void coif_file_close(coif_file *file)
{
    // The lock on the temporary ends with the descriptor: the name is removed before.
    if (file->mode == COIF_FILE_WRITE && file->temporary[0] != '\0') {
        unlink(file->temporary);
        file->temporary[0] = '\0';
        forget_unfinished(file);
    }
    if (file->descriptor >= 0) {
        close(file->descriptor);
        file->descriptor = -1;
    }
}

coif_status coif_file_load(char **data, size_t *size, const char *path, coif_arena *arena,
                           coif_error *error)
{
    coif_file file;
    COIF_TRY(coif_file_open(&file, path, COIF_FILE_READ, error));
    *size = (size_t)file.size;
    *data = coif_arena_alloc(arena, *size + 1, 1);
    const coif_status status = coif_file_read(&file, *data, *size, error);
    coif_file_close(&file);
    return status;
}

coif_status coif_file_save(const char *path, const void *data, size_t size, coif_error *error)
{
    coif_file file;
    COIF_TRY(coif_file_open(&file, path, COIF_FILE_WRITE, error));
    coif_status status = coif_file_write(&file, data, size, error);
    if (status == COIF_OK) {
        status = coif_file_commit(&file, error);
    }
    coif_file_close(&file);
    return status;
}

coif_status coif_file_map(coif_bytes *bytes, const char *path, coif_error *error)
{
    coif_file file;
    *bytes = (coif_bytes){.name = path};
    COIF_TRY(coif_file_open(&file, path, COIF_FILE_READ, error));
    coif_status status = COIF_OK;
    if (file.size > 0) { // an empty file cannot be mapped
        void *data = mmap(NULL, file.size, PROT_READ, MAP_PRIVATE, file.descriptor, 0);
        if (data == MAP_FAILED) {
            status = fail_with_errno(error, path, "cannot map");
        } else {
            bytes->data = data;
            bytes->size = file.size;
        }
    }
    coif_file_close(&file);
    return status;
}

void coif_file_unmap(coif_bytes *bytes)
{
    if (bytes->size > 0) {
        munmap((void *)(uintptr_t)bytes->data, bytes->size);
    }
    *bytes = (coif_bytes){.size = 0};
}

void coif_file_release(const void *from, const void *to)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = ((uintptr_t)from + page - 1) / page * page;
    const uintptr_t end = (uintptr_t)to / page * page;
    if (begin < end) {
        madvise((void *)begin, end - begin, MADV_DONTNEED); // a hint; may fail
    }
}

bool coif_path_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool coif_path_is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool coif_path_is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

coif_status coif_path_make_directory(const char *path, coif_error *error)
{
    char part[4096];
    if (path[0] == '\0') {
        return coif_fail(error, COIF_ERR_IO, "cannot create directory: the path is empty");
    }
    if (strlen(path) >= sizeof part) {
        return coif_fail(error, COIF_ERR_IO, "%.60s...: path is too long", path);
    }
    strcpy(part, path);
    for (char *c = part + 1;; ++c) {
        if (*c != '/' && *c != '\0') {
            continue;
        }
        const char separator = *c;
        *c = '\0';
        if (mkdir(part, 0777) != 0 && !coif_path_is_directory(part)) {
            return fail_with_errno(error, part, "cannot create directory");
        }
        if (separator == '\0') {
            return COIF_OK;
        }
        *c = separator;
    }
}

char *coif_path_folder(const char *path, coif_arena *arena)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return coif_arena_copy_text(arena, ".");
    }
    const int length = slash == path ? 1 : (int)(slash - path);
    return coif_arena_print(arena, "%.*s", length, path);
}

const char *coif_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

char *coif_path_real(const char *path, coif_arena *arena)
{
    char real[PATH_MAX];
    return coif_arena_copy_text(arena, realpath(path, real) != NULL ? real : path);
}

char *coif_path_join(const char *folder, const char *relative, coif_arena *arena)
{
    if (relative[0] == '/' || strcmp(folder, ".") == 0) {
        return coif_arena_copy_text(arena, relative);
    }
    const size_t length = strlen(folder);
    const char *separator = length > 0 && folder[length - 1] == '/' ? "" : "/";
    return coif_arena_print(arena, "%s%s%s", folder, separator, relative);
}

char *coif_path_frame(const char *pattern, int frame, coif_arena *arena)
{
    const char *run = strchr(pattern, '#');
    if (run == NULL) {
        return coif_arena_copy_text(arena, pattern);
    }
    const int width = (int)strspn(run, "#");
    return coif_arena_print(arena, "%.*s%0*d%s", (int)(run - pattern), pattern, width, frame,
                            run + width);
}

bool coif_path_has_extension(const char *path, const char *extension)
{
    const char *dot = strrchr(coif_path_name(path), '.');
    return dot != NULL && strcasecmp(dot + 1, extension) == 0;
}

static bool parse_number(const char **text, int *value)
{
    char *end;
    errno = 0;
    const long number = strtol(*text, &end, 10);
    if (end == *text || errno != 0 || number < 0 || number > 9999999) {
        return false;
    }
    *text = end;
    *value = (int)number;
    return true;
}

coif_status coif_frame_range_parse(coif_frame_range *range, const char *text, coif_error *error)
{
    const char *rest = text;
    coif_frame_range parsed = {.step = 1};
    bool valid = parse_number(&rest, &parsed.first);
    parsed.last = parsed.first;
    if (valid && *rest == '-') {
        ++rest;
        valid = parse_number(&rest, &parsed.last);
    }
    if (valid && *rest == 'x') {
        ++rest;
        valid = parse_number(&rest, &parsed.step) && parsed.step > 0;
    }
    if (strchr(text, '.') != NULL) {
        return coif_fail(
            error, COIF_ERR_ARGUMENT,
            "\"%s\": whole frames are expected, because the cache stores whole frames; "
            "'render' and 'export' interpolate between them",
            text);
    }
    if (!valid || *rest != '\0') {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "\"%s\" is not a frame range; expected 12, 1-48 or 1-48x2", text);
    }
    if (parsed.last < parsed.first) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "frame range %s: last frame is before the first",
                         text);
    }
    *range = parsed;
    return COIF_OK;
}
