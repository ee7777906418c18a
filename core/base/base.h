// base: what every file of coif may lean on: sizes, assertions, status codes.
//
// Status codes live in the plugin header, because they cross that border; everything else there is
// for plugins and their host.
#ifndef COIF_CORE_BASE_BASE_H
#define COIF_CORE_BASE_BASE_H

#include <coif/plugin.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COIF_VERSION "0.1.0"

#define COIF_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

// A broken promise of our own code: stops at once in Debug and RelWithDebInfo, costs nothing in
// Release. Never for what a file, a scene or a plugin can cause.
#if defined(COIF_ASSERTIONS)
#define COIF_ASSERT(condition)                                                                     \
    ((condition) ? (void)0 : coif_assert_failed(#condition, __FILE__, __LINE__))
#else
#define COIF_ASSERT(condition) ((void)0)
#endif

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
