#include "tests/support/test.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

static int failures;
static char folder[256];

int coif_test_failures(void)
{
    return failures;
}

void coif_test_failed(const char *file, int line, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    ++failures;
}

void coif_test_near(const char *file, int line, const char *what, double value, double wanted,
                    double tolerance)
{
    // Written so that NaN fails.
    if (!(fabs(value - wanted) <= tolerance)) {
        coif_test_failed(file, line, "%s is %.9g, expected %.9g within %.3g", what, value, wanted,
                         tolerance);
    }
}

void coif_test_text(const char *file, int line, const char *what, const char *value,
                    const char *wanted)
{
    if (value == NULL || strcmp(value, wanted) != 0) {
        coif_test_failed(file, line, "%s is \"%s\", expected \"%s\"", what,
                         value ? value : "(null)", wanted);
    }
}

void coif_test_contains(const char *file, int line, const char *text, const char *part)
{
    if (text == NULL || strstr(text, part) == NULL) {
        coif_test_failed(file, line, "\"%s\" does not contain \"%s\"", text ? text : "(null)",
                         part);
    }
}

void coif_test_ok(const char *file, int line, const char *what, coif_status status,
                  const coif_error *error)
{
    if (status != COIF_OK) {
        coif_test_failed(file, line, "%s failed with %d: %s", what, (int)status, error->text);
    }
}

// Tests keep their files flat, so one level is enough.
static void remove_folder(void)
{
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        return;
    }
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.') {
            unlink(path);
        }
    }
    closedir(directory);
    rmdir(folder);
}

const char *coif_test_folder(void)
{
    if (folder[0] == '\0') {
        const char *base = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/coif_test_XXXXXX", base ? base : "/tmp");
        if (mkdtemp(folder) == NULL) {
            perror(folder);
            exit(1);
        }
        atexit(remove_folder);
    }
    return folder;
}

const char *coif_test_path(const char *name)
{
    static char paths[8][1024];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", coif_test_folder(), name);
    return path;
}

const char *coif_test_source(const char *relative)
{
    static char paths[8][1024];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", COIF_SOURCE_FOLDER, relative);
    return path;
}
