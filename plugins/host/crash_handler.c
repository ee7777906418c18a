// crash_handler: attributes crashes to the plugin that was running.
#include "plugins/host/crash_handler.h"

#include "core/base/fs.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static const char *const CAUSES[] = {
    "accessed invalid memory (SIGSEGV)", "accessed unmapped memory (SIGBUS)",
    "divided by zero (SIGFPE)", "executed an illegal instruction (SIGILL)",
    "called abort (SIGABRT)"};

static _Thread_local const char *volatile running;
static void (*finish)(void);
static struct sigaction previous[COIF_COUNT_OF(SIGNALS)];

// A stack overflow leaves no stack for the handler, so every thread that runs plugins has an
// alternate one. One that exists already (of a sanitizer) is kept.
static void use_alternate_stack(void)
{
    static _Thread_local _Alignas(16) char memory[1 << 16];
    static _Thread_local bool done;
    stack_t current;
    if (done) {
        return;
    }
    done = true;
    if (sigaltstack(NULL, &current) == 0 && (current.ss_flags & SS_DISABLE) != 0) {
        const stack_t alternate = {.ss_sp = memory, .ss_size = sizeof memory};
        sigaltstack(&alternate, NULL);
    }
}

void coif_crash_handler_enter(const char *name)
{
    use_alternate_stack();
    running = name;
}

const char *coif_crash_handler_pause(void)
{
    const char *name = running;
    running = NULL;
    return name;
}

void coif_crash_handler_leave(void)
{
    running = NULL;
}

// Async-signal-safe output.
static void print(const char *text)
{
    const ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

static void handle_signal(int number)
{
    for (size_t i = 0; i < COIF_COUNT_OF(SIGNALS); ++i) {
        if (SIGNALS[i] != number) {
            continue;
        }
        coif_files_discard();
        if (running == NULL) {
            // A library or the program itself, which also end so when memory is exhausted. The
            // instruction is repeated on return and raises the signal again.
            sigaction(number, &previous[i], NULL);
            return;
        }
        print("coif: error: ");
        print(running);
        print(": the plugin ");
        print(CAUSES[i]);
        print("\n");
        finish();
    }
}

void coif_crash_handler_install(void (*end)(void))
{
    finish = end;
    for (size_t i = 0; i < COIF_COUNT_OF(SIGNALS); ++i) {
        const struct sigaction action = {.sa_handler = handle_signal, .sa_flags = SA_ONSTACK};
        sigaction(SIGNALS[i], &action, &previous[i]);
    }
}
