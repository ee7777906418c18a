// test: the harness. TEST(a_statement) { ... } defines a test, which runs without being listed
// anywhere. The files of a module are linked into one program, whose arguments choose a suite and
// tests of it.
#ifndef COIF_TESTS_SUPPORT_TEST_H
#define COIF_TESTS_SUPPORT_TEST_H

#include "core/base/arena.h"
#include "core/base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct coif_test {
    const char *file, *name;
    int line; // tests of a file run in its order
    bool is_long;
    void (*run)(void);
    struct coif_test *next;
} coif_test;

// Called before main.
void coif_test_register(coif_test *test);

#define COIF_TEST(function_, is_long_)                                                             \
    static void function_(void);                                                                   \
    __attribute__((constructor)) static void register_##function_(void)                            \
    {                                                                                              \
        static coif_test test = {__FILE__, #function_, __LINE__, is_long_, function_, NULL};       \
        coif_test_register(&test);                                                                 \
    }                                                                                              \
    static void function_(void)

#define TEST(function_) COIF_TEST(function_, false)

// A test of numerical results that needs seconds and whose code is run by shorter tests as well.
// COIF_SKIP_LONG_TESTS in the environment skips it: sanitizers would find nothing new.
#define LONG_TEST(function_) COIF_TEST(function_, true)

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
