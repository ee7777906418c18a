// Log and progress on stderr. On a terminal the progress bar is erased before each log line.
#include "core/base/log.h"

#include "core/base/arena.h"
#include "core/base/hash64.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Seconds between progress lines in a pipe, and between redraws of the bar on a terminal.
static const double PIPE_SECONDS = 5.0;
static const double TERMINAL_SECONDS = 0.1;

struct coif_progress {
    atomic_bool cancelled;
    atomic_llong done;
    long long total;
    char task[64];
    char unit[32];
    double started, printed;
    bool running;
};

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static coif_log_level log_level = COIF_LOG_INFO;
static bool log_json;
static bool bar_visible;

double coif_clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void coif_log_setup(coif_log_level level, bool json)
{
    log_level = level;
    log_json = json;
}

static void print_json_text(const char *text)
{
    fputc('"', stderr);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; ++c) {
        if (*c == '"' || *c == '\\') {
            fprintf(stderr, "\\%c", *c);
        } else if (*c < 0x20) {
            fprintf(stderr, "\\u%04x", *c);
        } else {
            fputc(*c, stderr);
        }
    }
    fputc('"', stderr);
}

static void erase_bar(void)
{
    if (bar_visible) {
        fputs("\r\033[K", stderr);
        bar_visible = false;
    }
}

// Whether a text is printed for the first time. The table is bounded; texts beyond it repeat.
static bool is_first(const char *text)
{
    enum { MAX_TEXTS = 1024 };
    static uint64_t seen[MAX_TEXTS];
    static int count;
    const uint64_t digest = coif_hash64(text, strlen(text));
    for (int i = 0; i < count; ++i) {
        if (seen[i] == digest) {
            return false;
        }
    }
    if (count < MAX_TEXTS) {
        seen[count++] = digest;
    }
    return true;
}

static void print_line(coif_log_level level, bool once, const char *format, va_list list)
{
    static const char *const names[] = {"error", "warning", "info", "detail"};
    if (level > log_level) {
        return;
    }
    char text[8192];
    vsnprintf(text, sizeof text, format, list);
    pthread_mutex_lock(&log_lock);
    if (!once || is_first(text)) {
        erase_bar();
        if (log_json) {
            fprintf(stderr, "{\"level\": \"%s\", \"text\": ", names[level]);
            print_json_text(text);
            fputs("}\n", stderr);
        } else if (level <= COIF_LOG_WARNING) {
            fprintf(stderr, "coif: %s: %s\n", names[level], text);
        } else {
            fprintf(stderr, "coif: %s\n", text);
        }
    }
    pthread_mutex_unlock(&log_lock);
}

void coif_log(coif_log_level level, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    print_line(level, level == COIF_LOG_WARNING, format, list);
    va_end(list);
}

void coif_log_once(coif_log_level level, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    print_line(level, true, format, list);
    va_end(list);
}

coif_progress *coif_progress_open(coif_arena *arena)
{
    return coif_arena_new(arena, 1, coif_progress);
}

void coif_progress_begin(coif_progress *progress, const char *task, int64_t total, const char *unit)
{
    if (progress == NULL) {
        return;
    }
    pthread_mutex_lock(&log_lock);
    snprintf(progress->task, sizeof progress->task, "%s", task);
    snprintf(progress->unit, sizeof progress->unit, "%s", unit);
    atomic_store(&progress->done, 0);
    progress->total = total;
    progress->started = progress->printed = coif_clock_seconds();
    progress->running = true;
    pthread_mutex_unlock(&log_lock);
}

// Formats 1234567 as 1.23 M.
static const char *format_count(double value, char *text, size_t size)
{
    static const char *const suffixes[] = {"", " k", " M", " G"};
    int power = 0;
    while (value >= 1000.0 && power < 3) {
        value /= 1000.0;
        ++power;
    }
    const int digits = value >= 100.0 || (power == 0 && value == (double)(long long)value) ? 0
                       : value >= 10.0                                                     ? 1
                                                                                           : 2;
    snprintf(text, size, "%.*f%s", digits, value, suffixes[power]);
    return text;
}

static const char *format_duration(double seconds, char *text, size_t size)
{
    const long whole = (long)(seconds + 0.5);
    if (whole >= 3600) {
        snprintf(text, size, "%ldh%02ldm", whole / 3600, whole / 60 % 60);
    } else if (whole >= 60) {
        snprintf(text, size, "%ldm%02lds", whole / 60, whole % 60);
    } else {
        snprintf(text, size, "%lds", whole);
    }
    return text;
}

static void print_json_progress(const coif_progress *progress, double done, double rate, double eta)
{
    fputs("{\"progress\": ", stderr);
    print_json_text(progress->task);
    fprintf(stderr, ", \"done\": %.0f, \"total\": %lld, \"unit\": ", done, progress->total);
    print_json_text(progress->unit);
    fprintf(stderr, ", \"per_second\": %.6g, \"eta_seconds\": %.1f}\n", rate, eta);
}

static void print_progress(const coif_progress *progress, double now, bool terminal)
{
    enum { BAR = 24 };
    const double done = (double)atomic_load(&progress->done);
    const double total = progress->total > 0 ? (double)progress->total : 1.0;
    const double fraction = done < total ? done / total : 1.0;
    const double elapsed = now - progress->started;
    const double rate = elapsed > 0.0 ? done / elapsed : 0.0;
    const double eta = rate > 0.0 ? (total - done) / rate : 0.0;
    char a[32], b[32], c[32], d[32];
    if (log_json) {
        print_json_progress(progress, done, rate, eta);
        return;
    }
    char bar[BAR + 1];
    for (int i = 0; i < BAR; ++i) {
        bar[i] = i < (int)(fraction * BAR) ? '#' : '.';
    }
    bar[BAR] = '\0';
    fprintf(stderr, terminal ? "\r\033[K%s [%s] " : "coif: %s%.0s ", progress->task, bar);
    fprintf(stderr, "%.0f%%  %s of %s %s, %s per second, ETA %s", 100.0 * fraction,
            format_count(done, a, sizeof a), format_count(total, b, sizeof b), progress->unit,
            format_count(rate, c, sizeof c), format_duration(eta, d, sizeof d));
    if (!terminal) {
        fputc('\n', stderr);
    }
    bar_visible = terminal;
    fflush(stderr);
}

bool coif_progress_step(coif_progress *progress, int64_t units)
{
    if (progress == NULL) {
        return true;
    }
    atomic_fetch_add(&progress->done, units);
    if (log_level >= COIF_LOG_INFO && pthread_mutex_trylock(&log_lock) == 0) {
        const bool terminal = isatty(STDERR_FILENO) && !log_json;
        const double now = coif_clock_seconds();
        if (progress->running &&
            now - progress->printed >= (terminal ? TERMINAL_SECONDS : PIPE_SECONDS)) {
            progress->printed = now;
            print_progress(progress, now, terminal);
        }
        pthread_mutex_unlock(&log_lock);
    }
    return !atomic_load(&progress->cancelled);
}

void coif_progress_end(coif_progress *progress)
{
    if (progress == NULL) {
        return;
    }
    pthread_mutex_lock(&log_lock);
    erase_bar();
    progress->running = false;
    pthread_mutex_unlock(&log_lock);
}

void coif_progress_cancel(coif_progress *progress)
{
    atomic_store(&progress->cancelled, true);
}

bool coif_progress_cancelled(const coif_progress *progress)
{
    return progress != NULL && atomic_load(&progress->cancelled);
}
