// main: parses the command line, runs a command and returns its status as the exit code. The only
// file that exits.
#include "core/base/dynlib.h"
#include "core/base/fs.h"
#include "core/base/jobs.h"
#include "plugins/host/crash_handler.h"
#include "tools/cli/command.h"

#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

const coif_command *const COIF_COMMANDS[] = {
    &COIF_COMMAND_RUN,     &COIF_COMMAND_LINT,       &COIF_COMMAND_GROOM,  &COIF_COMMAND_SIM,
    &COIF_COMMAND_CACHE,   &COIF_COMMAND_RENDER,     &COIF_COMMAND_VIDEO,  &COIF_COMMAND_DENOISE,
    &COIF_COMMAND_FARM,    &COIF_COMMAND_STUDIO,     &COIF_COMMAND_INFO,   &COIF_COMMAND_EXPORT,
    &COIF_COMMAND_CONVERT, &COIF_COMMAND_DIFF,       &COIF_COMMAND_PACK,   &COIF_COMMAND_UNPACK,
    &COIF_COMMAND_PRESET,  &COIF_COMMAND_VALIDATE,   &COIF_COMMAND_BENCH,  &COIF_COMMAND_PLUGINS,
    &COIF_COMMAND_SCHEMA,  &COIF_COMMAND_COMPLETION, &COIF_COMMAND_MANUAL, NULL,
};

// Read by the signal handler and by the out-of-memory message.
static coif_progress *running;
static bool log_json;

static void cancel(int signal_number)
{
    (void)signal_number;
    coif_progress_cancel(running);
}

// An exception that a C++ library does not catch: it could not allocate memory or start a thread.
COIF_NORETURN static void end_after_exception(void)
{
    static const char text[] =
        "coif: error: a library could not continue: out of memory, or no more threads\n";
    coif_files_discard();
    const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(COIF_ERR_MEMORY);
}

// std::set_terminate, by its name in the C++ ABI of GCC and Clang.
static void handle_exceptions(void)
{
    typedef void (*handler)(void);
    typedef handler setter(handler);
    setter *set_terminate = (setter *)(intptr_t)coif_dynlib_find_linked("_ZSt13set_terminatePFvvE");
    if (set_terminate != NULL) {
        set_terminate(end_after_exception);
    }
}

static void exit_after_plugin_crash(void)
{
    _exit(COIF_ERR_PLUGIN);
}

// The first signal cancels at the next consistent state; SA_RESETHAND makes the second one
// terminate the program.
static void install_signals(coif_progress *progress)
{
    running = progress;
    struct sigaction action = {.sa_handler = cancel, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    // Closing the terminal cancels, except under nohup.
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        sigaction(SIGHUP, &action, NULL);
    }
    // A closed pipe and a file size limit are reported by the failing call.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    coif_crash_handler_install(exit_after_plugin_crash);
}

static void print_memory_row(void *json, const char *name, size_t used, size_t peak)
{
    if (*(const bool *)json) {
        fprintf(stderr, "{\"memory\": \"%s\", \"bytes\": %zu, \"peak_bytes\": %zu}\n", name, used,
                peak);
    } else {
        fprintf(stderr, "  %-20s %12.3f %12.3f\n", name, (double)used / 1e6, (double)peak / 1e6);
    }
}

// Memory per arena, as text or as one JSON object per line.
static void print_memory(bool json)
{
    if (!json) {
        fprintf(stderr, "  %-20s %12s %12s\n", "memory", "now (MB)", "peak (MB)");
    }
    coif_memory_table(print_memory_row, &json);
}

// Called by any thread. Nothing is unwound: files under their final names are always complete.
static void exhausted(size_t bytes)
{
    coif_files_discard();
    coif_log(COIF_LOG_ERROR, "out of memory: allocation of %zu bytes failed", bytes);
    print_memory(log_json);
    _exit(COIF_ERR_MEMORY);
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static void print_stats(double started)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    const double wall = coif_clock_seconds() - started;
    const double cpu = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    const double resident = (double)usage.ru_maxrss * 1024.0;
    if (log_json) {
        fprintf(stderr, "{\"wall_seconds\": %.3f, \"cpu_seconds\": %.3f, ", wall, cpu);
        fprintf(stderr, "\"peak_resident_bytes\": %.0f}\n", resident);
    } else {
        fprintf(stderr, "  %-20s %12.3f s wall, %.3f s CPU\n", "time", wall, cpu);
        fprintf(stderr, "  %-20s %12.3f MB peak resident\n", "process", resident / 1e6);
    }
    print_memory(log_json);
}

// One log line per line of the message: a scene may have many errors.
static void print_error(coif_error *error)
{
    char *rest = error->text;
    char *line;
    while ((line = strsep(&rest, "\n")) != NULL) {
        if (line[0] != '\0') {
            coif_log(COIF_LOG_ERROR, "%s", line);
        }
    }
}

// Whether a flag is anywhere on the line: --help works on incomplete commands.
static bool has_flag(const coif_words *words, const char *long_name, const char *short_name)
{
    for (int32_t i = words->next; i < words->count && strcmp(words->items[i], "--") != 0; ++i) {
        if (strcmp(words->items[i], long_name) == 0 || strcmp(words->items[i], short_name) == 0) {
            return true;
        }
    }
    return false;
}

static void set_log(const coif_globals *globals)
{
    coif_log_setup(globals->quiet     ? COIF_LOG_ERROR
                   : globals->verbose ? COIF_LOG_DETAIL
                                      : COIF_LOG_INFO,
                   globals->log == 1);
    log_json = globals->log == 1;
}

static coif_status run_command(const coif_command *command, coif_app *app, const void *options,
                               coif_error *error)
{
    const double started = coif_clock_seconds();
    set_log(&app->globals);
    coif_memory_setup(exhausted, (size_t)app->globals.max_memory);
    app->progress = coif_progress_open(&app->arena);
    install_signals(app->progress);
    COIF_TRY(coif_jobs_open(&app->jobs, app->globals.threads, &app->arena, error));
    const coif_status status = command->run(app, options, error);
    if (app->globals.stats) {
        print_stats(started);
    }
    return status;
}

// Prints the help of the first command on the line, or of the program.
static coif_status print_help(coif_words *words, coif_error *error)
{
    while (words->next < words->count && (words->items[words->next][0] == '-' ||
                                          strcmp(words->items[words->next], "help") == 0)) {
        ++words->next;
    }
    if (words->next >= words->count) {
        coif_program_explain(stdout);
        return COIF_OK;
    }
    const coif_command *command;
    COIF_TRY(coif_command_find(&command, words->items[words->next], error));
    coif_command_explain(command, stdout);
    return COIF_OK;
}

// Parses the options of a command and runs it.
static coif_status parse_command(const coif_command *command, const coif_args *globals,
                                 coif_words *words, coif_app *app, coif_error *error)
{
    void *values = coif_arena_alloc(&app->arena, 1, command->options_size);
    const coif_args tables[] = {{command->options, command->option_count, values}, *globals};
    coif_args_init(&tables[0]);
    coif_error parse_error = {0};
    if (coif_args_read(tables, 2, words, false, &app->arena, &parse_error) != COIF_OK) {
        return coif_fail(error, parse_error.status, "%.7800s\ntry 'coif %s --help'",
                         parse_error.text, command->name);
    }
    return run_command(command, app, values, error);
}

static coif_status parse_line(coif_words *words, coif_app *app, coif_error *error)
{
    const coif_args globals = {COIF_GLOBAL_OPTIONS, COIF_GLOBAL_OPTION_COUNT, &app->globals};
    coif_args_init(&globals);
    if (has_flag(words, "--help", "-h") ||
        (words->count > 1 && strcmp(words->items[1], "help") == 0)) {
        return print_help(words, error);
    }
    if (has_flag(words, "--version", "-V")) {
        return coif_app_print("coif " COIF_VERSION "\n", NULL, error);
    }
    COIF_TRY(coif_args_read(&globals, 1, words, true, &app->arena, error));
    if (words->next >= words->count) {
        coif_program_explain(stderr);
        return coif_fail(error, COIF_ERR_ARGUMENT, "a command is missing");
    }
    const coif_command *command;
    COIF_TRY(coif_command_find(&command, words->items[words->next++], error));
    return parse_command(command, &globals, words, app, error);
}

// Whether --log json is on a line whose parsing failed.
static bool requests_json(const coif_words *words)
{
    for (int32_t i = 1; i < words->count && strcmp(words->items[i], "--") != 0; ++i) {
        if (strcmp(words->items[i], "--log=json") == 0 ||
            (strcmp(words->items[i], "--log") == 0 && i + 1 < words->count &&
             strcmp(words->items[i + 1], "json") == 0)) {
            return true;
        }
    }
    return false;
}

// Raises a small stack limit as far as the hard limit allows, for this thread and those to come. A
// stack that is too small would end the program by a signal.
static coif_status provide_stack(coif_error *error)
{
    static const rlim_t WANTED = 8 << 20, SMALLEST = 512 << 10;
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= WANTED) {
        return COIF_OK;
    }
    limit.rlim_cur = limit.rlim_max < WANTED ? limit.rlim_max : WANTED;
    if (limit.rlim_cur < SMALLEST) {
        return coif_fail(
            error, COIF_ERR_MEMORY,
            "the stack is limited to %llu KB, expected %llu KB or more: ulimit -s 8192",
            (unsigned long long)(limit.rlim_cur >> 10), (unsigned long long)(SMALLEST >> 10));
    }
    pthread_attr_t threads;
    if (setrlimit(RLIMIT_STACK, &limit) == 0 && pthread_attr_init(&threads) == 0) {
        pthread_attr_setstacksize(&threads, limit.rlim_cur);
        pthread_setattr_default_np(&threads);
        pthread_attr_destroy(&threads);
    }
    return COIF_OK;
}

int main(int argc, char **argv)
{
    coif_app app = {0};
    coif_error error = {0};
    coif_words words = {argv, argc, 1};
    // A library may have set the locale of the environment; numbers in files have decimal points.
    setlocale(LC_ALL, "C");
    coif_memory_setup(exhausted, 0);
    handle_exceptions();
    coif_arena_init(&app.arena, "program");

    coif_status status = provide_stack(&error);
    if (status == COIF_OK) {
        status = parse_line(&words, &app, &error);
    }
    if (status != COIF_OK) {
        app.globals.log = app.globals.log == 1 || requests_json(&words);
        set_log(&app.globals);
        print_error(&error);
    }
    coif_app_close(&app);
    return (int)status;
}
