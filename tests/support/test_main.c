// test_main: the program of a module's suites. A suite is the tests of a file; it is named as the
// file, without folder and "_test.c".
#include "tests/support/test.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static coif_test *tests; // those of a file one after another, by line

void coif_test_register(coif_test *test)
{
    coif_test **at = &tests;
    while (*at != NULL && strcmp((*at)->file, test->file) != 0) {
        at = &(*at)->next;
    }
    while (*at != NULL && strcmp((*at)->file, test->file) == 0 && (*at)->line < test->line) {
        at = &(*at)->next;
    }
    test->next = *at;
    *at = test;
}

static const char *suite_name(const char *file)
{
    static char name[256];
    const char *slash = strrchr(file, '/');
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : file);
    char *suffix = strstr(name, "_test.c");
    if (suffix != NULL) {
        *suffix = '\0';
    }
    return name;
}

// Whether no name is given or this is one of them.
static bool selected(const char *name, int count, char **names)
{
    for (int i = 0; i < count; ++i) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return count == 0;
}

// The exit code: 0 if at least one test was selected and none failed.
static int run_suite(const char *file, int count, char **names)
{
    int run = 0, failed = 0, skipped = 0;
    for (const coif_test *test = tests; test != NULL; test = test->next) {
        if (strcmp(test->file, file) != 0 || !selected(test->name, count, names)) {
            continue;
        }
        if (test->is_long && getenv("COIF_SKIP_LONG_TESTS") != NULL) {
            printf("skipped %s\n", test->name);
            ++skipped;
            continue;
        }
        const int before = coif_test_failures();
        test->run();
        const bool ok = coif_test_failures() == before;
        printf("%s %s\n", ok ? "ok    " : "FAILED", test->name);
        fflush(stdout);
        ++run;
        failed += !ok;
    }
    printf("%s: %d passed, %d failed\n", suite_name(file), run - failed, failed);
    return failed > 0 || run + skipped == 0;
}

static bool begins_suite(const coif_test *before, const coif_test *test)
{
    return before == NULL || strcmp(before->file, test->file) != 0;
}

// Each suite in a process of its own: some change the environment, limits or the locale.
static int run_all(void)
{
    int failed = 0;
    const coif_test *before = NULL;
    for (const coif_test *test = tests; test != NULL; before = test, test = test->next) {
        if (!begins_suite(before, test)) {
            continue;
        }
        pid_t child = fork();
        if (child == 0) {
            exit(run_suite(test->file, 0, NULL));
        }
        int status = 1;
        waitpid(child, &status, 0);
        if (status != 0) {
            printf("FAILED suite %s\n", suite_name(test->file));
            failed = 1;
        }
        fflush(stdout);
    }
    return failed;
}

// PROGRAM [SUITE [TEST...]] runs everything, one suite or single tests of it; --list names them.
int main(int argc, char **argv)
{
    if (argc < 2) {
        return run_all();
    }
    const bool list = strcmp(argv[1], "--list") == 0;
    for (const coif_test *test = tests; test != NULL; test = test->next) {
        if (list) {
            printf("%s %s\n", suite_name(test->file), test->name);
        } else if (strcmp(argv[1], suite_name(test->file)) == 0) {
            return run_suite(test->file, argc - 2, argv + 2);
        }
    }
    if (!list) {
        fprintf(stderr, "no suite %s; --list prints all\n", argv[1]);
    }
    return !list;
}
