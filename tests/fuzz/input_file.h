// input_file: the input of a fuzz target as a file in memory, for readers that take a path.
#ifndef COIF_TESTS_FUZZ_INPUT_FILE_H
#define COIF_TESTS_FUZZ_INPUT_FILE_H

#include "tests/support/test.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// A link to the only file; ending is that of its name.
static inline const char *input_file_link(int descriptor, const char *ending)
{
    static char path[4096];
    char target[64], name[64];
    snprintf(target, sizeof target, "/proc/self/fd/%d", descriptor);
    snprintf(name, sizeof name, "input%s", ending);
    snprintf(path, sizeof path, "%s", coif_test_path(name));
    if (access(path, F_OK) != 0 && symlink(target, path) != 0) {
        abort();
    }
    return path;
}

// The path of a file that holds the bytes until the next call.
static inline const char *input_file(const void *data, size_t size, const char *ending)
{
    static int descriptor = -1;
    if (descriptor < 0) {
        descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    }
    if (descriptor < 0 || ftruncate(descriptor, 0) != 0 ||
        pwrite(descriptor, data, size, 0) != (ssize_t)size) {
        abort();
    }
    return input_file_link(descriptor, ending);
}

#endif
