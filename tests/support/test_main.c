// test_main: the program of a module's suites.
#include "tests/support/test.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static coif_test_suite *suites;

void coif_test_register(coif_test_suite *suite)
{
    coif_test_suite **end = &suites;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = suite;
}

static const char *suite_name(const coif_test_suite *suite)
{
    static char name[256];
    const char *slash = strrchr(suite->file, '/');
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : suite->file);
    char *suffix = strstr(name, "_test.c");
    if (suffix != NULL) {
        *suffix = '\0';
    }
    return name;
}

static void list_tests(void)
{
    for (const coif_test_suite *suite = suites; suite != NULL; suite = suite->next) {
        for (size_t i = 0; i < suite->count; ++i) {
            printf("%s %s\n", suite_name(suite), suite->tests[i].name);
        }
    }
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
static int run_suite(const coif_test_suite *suite, int count, char **names)
{
    int run = 0;
    int failed = 0;
    int skipped = 0;
    for (size_t i = 0; i < suite->count; ++i) {
        const coif_test *test = &suite->tests[i];
        if (test->is_long && getenv("COIF_SKIP_LONG_TESTS") != NULL) {
            printf("skipped %s\n", test->name);
            ++skipped;
        } else if (selected(test->name, count, names)) {
            int before = coif_test_failures();
            test->run();
            int ok = coif_test_failures() == before;
            printf("%s %s\n", ok ? "ok    " : "FAILED", test->name);
            fflush(stdout);
            ++run;
            failed += !ok;
        }
    }
    printf("%s: %d passed, %d failed\n", suite_name(suite), run - failed, failed);
    return failed > 0 || run + skipped == 0;
}

// Each suite in a process of its own: some change the environment, limits or the locale.
static int run_all(void)
{
    int failed = 0;
    for (const coif_test_suite *suite = suites; suite != NULL; suite = suite->next) {
        pid_t child = fork();
        if (child == 0) {
            exit(run_suite(suite, 0, NULL));
        }
        int status = 1;
        waitpid(child, &status, 0);
        if (status != 0) {
            printf("FAILED suite %s\n", suite_name(suite));
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
    if (strcmp(argv[1], "--list") == 0) {
        list_tests();
        return 0;
    }
    for (const coif_test_suite *suite = suites; suite != NULL; suite = suite->next) {
        if (strcmp(argv[1], suite_name(suite)) == 0) {
            return run_suite(suite, argc - 2, argv + 2);
        }
    }
    fprintf(stderr, "no suite %s; --list prints all\n", argv[1]);
    return 1;
}
