// fault_shim: makes one system or library call of a program fail. Loaded by LD_PRELOAD.
//
//   COIF_FAULT=KIND:N         the N-th call of that kind fails, from 1; KIND+:N: that and all later
//                             ones; KIND!:N: the process is killed (SIGKILL) instead of the call
//   COIF_FAULT_COUNTS=FILE    writes "KIND COUNT" lines when the program returns from main
//
// Kinds: memory (malloc and its relatives), open (for writing, and new folders), read (open for
// reading), write (also truncation), sync, rename, remove, map, thread. Calls before the
// constructor are not counted.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MEMORY, OPEN, READ, WRITE, SYNC, RENAME, REMOVE, MAP, THREAD, KINDS };
static const char *const NAMES[KINDS] = {"memory", "open",   "read", "write", "sync",
                                         "rename", "remove", "map",  "thread"};

static atomic_long counts[KINDS];
static bool armed;
static int fault_kind = -1;
static long fault_at;
static bool fault_stays, fault_kills;
static char counts_file[4096];

// Of glibc; dlfcn.h belongs to the wrapper of dlopen.
extern void *dlsym(void *library, const char *symbol);
#define NEXT_LIBRARY ((void *)-1L)
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

__attribute__((constructor)) static void arm(void)
{
    const char *fault = getenv("COIF_FAULT");
    const char *file = getenv("COIF_FAULT_COUNTS");
    for (int i = 0; fault != NULL && i < KINDS; ++i) {
        const size_t length = strlen(NAMES[i]);
        if (strncmp(fault, NAMES[i], length) == 0) {
            fault_stays = fault[length] == '+';
            fault_kills = fault[length] == '!';
            fault_kind = i;
            fault_at = atol(strchr(fault, ':') + 1);
        }
    }
    if (file != NULL) {
        snprintf(counts_file, sizeof counts_file, "%s", file);
    }
    // Children are other programs.
    unsetenv("COIF_FAULT");
    unsetenv("COIF_FAULT_COUNTS");
    unsetenv("LD_PRELOAD");
    armed = true;
}

__attribute__((destructor)) static void report(void)
{
    armed = false;
    FILE *file = counts_file[0] != '\0' ? fopen(counts_file, "w") : NULL;
    for (int i = 0; file != NULL && i < KINDS; ++i) {
        fprintf(file, "%s %ld\n", NAMES[i], counts[i]);
    }
    if (file != NULL) {
        fclose(file);
    }
}

static bool fails(int kind)
{
    if (!armed) {
        return false;
    }
    const long number = atomic_fetch_add(&counts[kind], 1) + 1;
    const bool found =
        kind == fault_kind && (number == fault_at || (fault_stays && number > fault_at));
    if (found && fault_kills) {
        kill(getpid(), SIGKILL);
    }
    return found;
}

#define REAL(name)                                                                                 \
    static __typeof__(&name) real;                                                                 \
    if (real == NULL) {                                                                            \
        real = (__typeof__(&name))(intptr_t)dlsym(NEXT_LIBRARY, #name);                            \
    }

static bool memory_fails(void)
{
    if (fails(MEMORY)) {
        errno = ENOMEM;
        return true;
    }
    return false;
}

void *malloc(size_t size)
{
    return memory_fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return memory_fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return memory_fails() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memory_fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory = memory_fails() ? NULL : __libc_memalign(alignment, size);
    return *memory != NULL ? 0 : ENOMEM;
}

static bool open_fails(int flags)
{
    const bool writes = (flags & O_ACCMODE) != O_RDONLY;
    if (fails(writes ? OPEN : READ)) {
        errno = writes ? ENOSPC : EMFILE;
        return true;
    }
    return false;
}

static mode_t mode_of(int flags, va_list rest)
{
    return (flags & O_CREAT) != 0 ? (mode_t)va_arg(rest, unsigned) : 0;
}

int open(const char *path, int flags, ...)
{
    REAL(open)
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return open_fails(flags) ? -1 : real(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    REAL(open64)
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return open_fails(flags) ? -1 : real(path, flags, mode);
}

// Threads wake each other by writing to descriptors of the kernel, which does not fail.
static bool is_file(int descriptor)
{
    struct stat status;
    return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

ssize_t write(int to, const void *data, size_t size)
{
    REAL(write)
    if (to > STDERR_FILENO && is_file(to) && fails(WRITE)) {
        errno = ENOSPC;
        return -1;
    }
    return real(to, data, size);
}

ssize_t pwrite(int to, const void *data, size_t size, off_t at)
{
    REAL(pwrite)
    if (fails(WRITE)) {
        errno = ENOSPC;
        return -1;
    }
    return real(to, data, size, at);
}

int fsync(int file)
{
    REAL(fsync)
    if (fails(SYNC)) {
        errno = EIO;
        return -1;
    }
    return real(file);
}

int fdatasync(int file)
{
    REAL(fdatasync)
    if (fails(SYNC)) {
        errno = EIO;
        return -1;
    }
    return real(file);
}

int rename(const char *from, const char *to)
{
    REAL(rename)
    if (fails(RENAME)) {
        errno = EACCES;
        return -1;
    }
    return real(from, to);
}

int unlink(const char *path)
{
    REAL(unlink)
    if (fails(REMOVE)) {
        errno = EACCES;
        return -1;
    }
    return real(path);
}

int ftruncate(int file, off_t size)
{
    REAL(ftruncate)
    if (fails(WRITE)) {
        errno = EIO;
        return -1;
    }
    return real(file, size);
}

int mkdir(const char *path, mode_t mode)
{
    REAL(mkdir)
    if (fails(OPEN)) {
        errno = ENOSPC;
        return -1;
    }
    return real(path, mode);
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t at)
{
    REAL(mmap)
    if (fails(MAP)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return real(address, size, protection, flags, file, at);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    REAL(pthread_create)
    return fails(THREAD) ? EAGAIN : real(thread, attributes, start, argument);
}
