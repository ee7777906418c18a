// test: the harness. A test is a static function named as a statement; TEST_LIST lists the tests
// of a file, and one left out is an unused function, which breaks the build. The files of a module
// are linked into one program, whose arguments choose a suite and tests of it.
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
    bool is_long;
} coif_test;

// A test of numerical results that needs seconds and whose code is run by shorter tests as well.
// COIF_SKIP_LONG_TESTS in the environment skips it: sanitizers would find nothing new.
#define LONG_TEST(function)                                                                        \
    {                                                                                              \
#function, function, true                                                                  \
    }
#define TEST(function)                                                                             \
    {                                                                                              \
#function, function, false                                                                 \
    }

// The tests of one file. The suite is named as the file, without folder and "_test.c".
typedef struct coif_test_suite {
    const char *file;
    const coif_test *tests;
    size_t count;
    struct coif_test_suite *next;
} coif_test_suite;

void coif_test_register(coif_test_suite *suite);

#define TEST_LIST(...)                                                                             \
    __attribute__((constructor)) static void register_suite(void)                                  \
    {                                                                                              \
        static const coif_test tests[] = {__VA_ARGS__};                                            \
        static coif_test_suite suite = {__FILE__, tests, sizeof tests / sizeof tests[0], NULL};    \
        coif_test_register(&suite);                                                                \
    }

// Counts a failure and prints where; the test continues.
int coif_test_failures(void);
void coif_test_failed(const char *file, int line, const char *format, ...) COIF_PRINTF(3, 4);

#define CHECK(condition)                                                                           \
    ((condition) ? (void)0 : coif_test_failed(__FILE__, __LINE__, "%s failed", #condition))

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
