#include "plugins/host/crash_handler.h"

#include "core/base/base.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static const char *const SAYINGS[] = {"touched memory that is not its own",
                                      "touched memory that is not there", "divided by zero",
                                      "ran into what is no code", "gave up (abort)"};

static _Thread_local const char *volatile inside;
static void (*finish)(void);
static struct sigaction before[COIF_COUNT_OF(SIGNALS)];

void coif_crash_handler_enter(const char *what)
{
    inside = what;
}

void coif_crash_handler_leave(void)
{
    inside = NULL;
}

// Only what is allowed while everything else may be broken.
static void say(const char *text)
{
    const ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

static void broken(int number)
{
    for (size_t i = 0; i < COIF_COUNT_OF(SIGNALS); ++i) {
        if (SIGNALS[i] != number) {
            continue;
        }
        if (inside == NULL) {
            // It happens again as soon as this returns, and goes where it would have gone.
            sigaction(number, &before[i], NULL);
            return;
        }
        say("coif: error: ");
        say(inside);
        say(": the plugin ");
        say(SAYINGS[i]);
        say("\n");
        finish();
    }
}

void coif_crash_handler_install(void (*end)(void))
{
    finish = end;
    for (size_t i = 0; i < COIF_COUNT_OF(SIGNALS); ++i) {
        const struct sigaction action = {.sa_handler = broken};
        sigaction(SIGNALS[i], &action, &before[i]);
    }
}
