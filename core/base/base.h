// Definitions used by every file: fixed-size types, assertions, status codes.
//
// Status codes are defined in the plugin header because they are part of the plugin ABI.
#ifndef COIF_CORE_BASE_BASE_H
#define COIF_CORE_BASE_BASE_H

#include <coif/plugin.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COIF_VERSION "0.1.0"

#define COIF_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

// Checks an invariant of our own code: aborts in Debug and RelWithDebInfo, compiled out in Release.
// Never use it for conditions that a file, a scene or a plugin can cause.
#if defined(COIF_ASSERTIONS)
#define COIF_ASSERT(condition)                                                                     \
    ((condition) ? (void)0 : coif_assert_failed(#condition, __FILE__, __LINE__))
#else
#define COIF_ASSERT(condition) ((void)0)
#endif

// Checks a cheap contract of an interface in every build: aborts with the condition instead of
// reading or writing invalid memory. Not for inner loops.
#define COIF_REQUIRE(condition)                                                                    \
    ((condition) ? (void)0 : coif_assert_failed(#condition, __FILE__, __LINE__))

#if defined(__GNUC__)
#define COIF_PRINTF(format_index, first_index)                                                     \
    __attribute__((format(printf, format_index, first_index)))
#define COIF_NORETURN __attribute__((noreturn))
#else
#define COIF_PRINTF(format_index, first_index)
#define COIF_NORETURN
#endif

COIF_NORETURN void coif_assert_failed(const char *condition, const char *file, int line);

typedef struct coif_arena coif_arena;
typedef struct coif_error coif_error;
typedef struct coif_jobs coif_jobs;
typedef struct coif_progress coif_progress;

#endif
