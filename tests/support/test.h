// test: the harness. A test is a static function named as a statement; TEST_MAIN lists them, and
// one left out is an unused function, which breaks the build.
#ifndef COIF_TESTS_SUPPORT_TEST_H
#define COIF_TESTS_SUPPORT_TEST_H

#include "core/base/arena.h"
#include "core/base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct coif_test {
    const char *name;
    void (*run)(void);
} coif_test;

#define TEST(function)                                                                             \
    {                                                                                              \
#function, function                                                                        \
    }

#define TEST_MAIN(...)                                                                             \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        static const coif_test tests[] = {__VA_ARGS__};                                            \
        return coif_test_run(tests, sizeof tests / sizeof tests[0], argc, argv);                   \
    }

// Runs all tests, or those whose names are given as arguments.
int coif_test_run(const coif_test *tests, size_t count, int argc, char **argv);

// Counts a failure and says where; the test goes on.
void coif_test_failed(const char *file, int line, const char *format, ...) COIF_PRINTF(3, 4);

#define CHECK(condition)                                                                           \
    ((condition) ? (void)0 : coif_test_failed(__FILE__, __LINE__, "%s is not so", #condition))

#define CHECK_NEAR(value, wanted, tolerance)                                                       \
    coif_test_near(__FILE__, __LINE__, #value, (value), (wanted), (tolerance))
void coif_test_near(const char *file, int line, const char *what, double value, double wanted,
                    double tolerance);

#define CHECK_TEXT(value, wanted) coif_test_text(__FILE__, __LINE__, #value, (value), (wanted))
void coif_test_text(const char *file, int line, const char *what, const char *value,
                    const char *wanted);

// Whether text contains part; says both when not.
#define CHECK_CONTAINS(text, part) coif_test_contains(__FILE__, __LINE__, (text), (part))
void coif_test_contains(const char *file, int line, const char *text, const char *part);

// Expects COIF_OK and prints the message otherwise.
#define CHECK_OK(call, error) coif_test_ok(__FILE__, __LINE__, #call, (call), &(error))
void coif_test_ok(const char *file, int line, const char *what, coif_status status,
                  const coif_error *error);

// A fresh private folder for files of one test; removed when the program ends.
const char *coif_test_folder(void);

// FOLDER/name, in static memory that the next few calls reuse.
const char *coif_test_path(const char *name);

// The folder of the source tree, for data under tests/ and scenes/.
const char *coif_test_source(const char *relative);

#endif
