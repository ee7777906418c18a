// Thread pool: loops of any number of threads, nested and concurrent ones, cancelling.
#include "core/base/jobs.h"

#include "core/base/log.h"
#include "tests/support/child_process.h"
#include "tests/support/test.h"

#include <pthread.h>
#include <unistd.h>

static void count_visits(void *context, int64_t begin, int64_t end, int worker)
{
    unsigned char *visits = context;
    CHECK(worker >= 0 && worker < 8);
    for (int64_t i = begin; i < end; ++i) {
        ++visits[i];
    }
}

TEST(every_index_is_visited_once_by_any_number_of_threads)
{
    COIF_SCOPED_ARENA(arena, "test");
    const int threads[] = {1, 2, 3, 8};
    for (size_t t = 0; t < COIF_COUNT_OF(threads); ++t) {
        coif_error error = {0};
        coif_jobs *jobs = NULL;
        CHECK_OK(coif_jobs_open(&jobs, threads[t], &arena, &error), error);
        CHECK(coif_jobs_threads(jobs) == threads[t]);
        for (int round = 0; round < 200; ++round) {
            enum { COUNT = 1003 };
            unsigned char visits[COUNT] = {0};
            coif_parallel_for(jobs, COUNT, 1 + round % 17, count_visits, visits);
            for (int i = 0; i < COUNT; ++i) {
                CHECK(visits[i] == 1);
            }
        }
        coif_jobs_close(jobs);
    }
}

typedef struct nested_loops {
    coif_jobs *jobs;
    _Atomic int64_t inner, outer;
    _Atomic int foreign_workers; // inner ranges that ran with the worker index of another thread
    _Atomic int64_t thread_of_worker[4];
} nested_loops;

static void run_inner(void *context, int64_t begin, int64_t end, int worker)
{
    nested_loops *loops = context;
    const int64_t thread = (int64_t)(intptr_t)pthread_self();
    loops->foreign_workers += loops->thread_of_worker[worker] != thread;
    loops->inner += end - begin;
}

static void run_outer(void *context, int64_t begin, int64_t end, int worker)
{
    nested_loops *loops = context;
    loops->thread_of_worker[worker] = (int64_t)(intptr_t)pthread_self();
    loops->outer += end - begin;
    coif_parallel_for(loops->jobs, 64, 1, run_inner, loops);
}

static void nest_loops(void)
{
    coif_arena arena;
    coif_error error = {0};
    nested_loops loops = {.jobs = NULL};
    coif_arena_init(&arena, "test");
    coif_jobs_open(&loops.jobs, 4, &arena, &error);
    coif_parallel_for(loops.jobs, 100, 1, run_outer, &loops);
    coif_jobs_close(loops.jobs);
    _exit(loops.outer == 100 && loops.inner == 6400 && loops.foreign_workers == 0 ? 5 : 1);
}

// A nested loop is a bug: an assertion failure where assertions are on, else it runs serially on
// the thread that called it, with that thread's worker index.
TEST(a_nested_loop_corrupts_nothing)
{
#if defined(COIF_ASSERTIONS)
    CHECK(exit_code_of(nest_loops) == -1);
#else
    CHECK(exit_code_of(nest_loops) == 5);
#endif
}

typedef struct concurrent_caller {
    coif_jobs *jobs;
    unsigned char *visits;
} concurrent_caller;

static void *run_loops(void *context)
{
    const concurrent_caller *caller = context;
    for (int i = 0; i < 200; ++i) {
        coif_parallel_for(caller->jobs, 500, 3, count_visits, caller->visits);
    }
    return NULL;
}

TEST(concurrent_loops_do_not_interfere)
{
    coif_error error = {0};
    coif_jobs *jobs;
    COIF_SCOPED_ARENA(arena, "test");
    CHECK_OK(coif_jobs_open(&jobs, 4, &arena, &error), error);
    concurrent_caller callers[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) {
        callers[i] = (concurrent_caller){jobs, coif_arena_new(&arena, 500, unsigned char)};
    }
    for (int i = 0; i < 2; ++i) {
        CHECK(pthread_create(&threads[i], NULL, run_loops, &callers[i]) == 0);
    }
    for (int i = 0; i < 2; ++i) {
        pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < 1000; ++i) {
        CHECK(callers[i % 2].visits[i / 2] == 200);
    }
    coif_jobs_close(jobs);
}

static void allocate_in_own_arena(void *context, int64_t begin, int64_t end, int worker)
{
    (void)context, (void)worker;
    for (int64_t i = begin; i < end; ++i) {
        COIF_SCOPED_ARENA(arena, "worker");
        coif_arena_alloc(&arena, 100, 1);
    }
}

static void sum_sizes(void *context, const char *name, size_t used, size_t peak)
{
    (void)name;
    *(size_t *)context += used <= peak ? 1 : 0;
}

static void read_memory_table(void *context, int64_t begin, int64_t end, int worker)
{
    if (begin % 2 == 0) {
        size_t rows = 0;
        coif_memory_table(sum_sizes, &rows);
    } else {
        allocate_in_own_arena(context, begin, end, worker);
    }
}

// Finds data races when built with a thread sanitizer; else it checks that nothing blocks.
TEST(the_memory_table_can_be_read_while_others_allocate)
{
    coif_error error = {0};
    coif_jobs *jobs;
    COIF_SCOPED_ARENA(arena, "test");
    CHECK_OK(coif_jobs_open(&jobs, 4, &arena, &error), error);
    coif_parallel_for(jobs, 2000, 1, read_memory_table, NULL);
    coif_jobs_close(jobs);
    CHECK(arena.used > 0 && arena.peak >= arena.used);
}

TEST(cancelling_stops_the_worker)
{
    COIF_SCOPED_ARENA(arena, "test");
    coif_progress *progress = coif_progress_open(&arena);
    coif_log_setup(COIF_LOG_WARNING, false);
    coif_progress_begin(progress, "test", 10, "steps");
    CHECK(coif_progress_step(progress, 1));
    coif_progress_cancel(progress);
    CHECK(!coif_progress_step(progress, 1));
    CHECK(coif_progress_cancelled(progress));
    CHECK(coif_progress_step(NULL, 1) && !coif_progress_cancelled(NULL));
    coif_progress_end(progress);
}
