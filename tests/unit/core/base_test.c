// Memory, threads, files and deterministic math of core/base.
#include "core/base/deterministic_math.h"
#include "core/base/fs.h"
#include "core/base/hash64.h"
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "core/base/rng.h"
#include "tests/support/test.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void memory_is_zeroed_aligned_and_counted(void)
{
    coif_arena arena;
    coif_arena_init(&arena, "test");
    for (size_t size = 1; size < 3000; size += 97) {
        unsigned char *data = coif_arena_alloc(&arena, size, 1);
        CHECK((uintptr_t)data % 64 == 0);
        for (size_t i = 0; i < size + 16; ++i) { // 16 bytes behind are readable
            CHECK(data[i] == 0);
        }
        memset(data, 0xff, size);
    }
    CHECK(arena.used > 0 && arena.peak == arena.used);
    coif_arena_free(&arena);
    CHECK(arena.used == 0);
}

static void count_name(void *context, const char *name, size_t used, size_t peak)
{
    (void)peak;
    *(size_t *)context += strcmp(name, "moved") == 0 ? used : 0;
}

// Between two others, so that both neighbours have to learn of it.
// Pages that the process has in memory.
static long resident_pages(void)
{
    long all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%ld %ld", &all, &resident) == 2);
    fclose(file);
    return resident;
}

// The C library keeps freed memory below a block that is still in use.
static void large_chunks_are_returned_to_the_system(void)
{
    enum { SIZE = 12 << 20 };
    coif_arena first, below, above;
    coif_arena_init(&first, "first");
    coif_arena_init(&below, "below");
    coif_arena_init(&above, "above");
    memset(coif_arena_alloc(&first, 2 * SIZE, 1), 1, 2 * SIZE);
    coif_arena_free(&first); // from now on it keeps pieces of that size
    memset(coif_arena_alloc(&below, SIZE, 1), 1, SIZE);
    memset(coif_arena_alloc(&above, SIZE, 1), 1, SIZE);
    const long before = resident_pages();
    coif_arena_free(&below);
    CHECK(before - resident_pages() > SIZE / 2 / sysconf(_SC_PAGESIZE));
    coif_arena_free(&above);
}

static void an_arena_can_be_moved(void)
{
    coif_arena older, position, newer;
    coif_arena_init(&older, "older");
    coif_arena_init(&position, "moved");
    coif_arena_init(&newer, "newer");
    const char *text = coif_arena_copy_text(&position, "kept");
    const size_t used = position.used;
    coif_arena other;
    coif_arena_move(&other, &position);
    memset(&position, 0xa5, sizeof position);
    CHECK(strcmp(text, "kept") == 0 && other.used == used);
    size_t counted = 0;
    coif_memory_table(count_name, &counted);
    CHECK(counted == used);
    coif_arena_free(&older);
    coif_arena_free(&newer);
    coif_arena_free(&other);
    counted = 0;
    coif_memory_table(count_name, &counted);
    CHECK(counted == 0);
}

static void rewinding_frees_allocations_after_the_mark(void)
{
    coif_arena arena;
    coif_arena_init(&arena, "test");
    char *kept = coif_arena_copy_text(&arena, "kept");
    const coif_arena_mark mark = coif_arena_mark_here(&arena);
    const size_t used = arena.used;
    coif_arena_new(&arena, 1000000, double);
    coif_arena_rewind(&arena, mark);
    CHECK(arena.used == used);
    CHECK_TEXT(kept, "kept");
    coif_arena_free(&arena);
}

static void stop_with_seven(size_t wanted)
{
    (void)wanted;
    _exit(7);
}

static int exit_code_of(void (*child)(void))
{
    const pid_t process = fork();
    if (process == 0) {
        child();
        _exit(0);
    }
    int status = 0;
    waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void ask_for_more_than_exists(void)
{
    coif_arena arena;
    coif_memory_setup(stop_with_seven, 0);
    coif_arena_init(&arena, "test");
    coif_arena_alloc(&arena, SIZE_MAX / 2, 16);
}

static void ask_for_more_than_allowed(void)
{
    coif_arena arena;
    coif_memory_setup(stop_with_seven, 1 << 20);
    coif_arena_init(&arena, "test");
    coif_arena_alloc(&arena, 2 << 20, 1);
}

static void exhausted_memory_reaches_the_handler(void)
{
    CHECK(exit_code_of(ask_for_more_than_exists) == 7);
    CHECK(exit_code_of(ask_for_more_than_allowed) == 7);
}

static void the_first_error_is_kept(void)
{
    coif_error error = {0};
    CHECK(coif_fail(&error, COIF_ERR_IO, "first %d", 1) == COIF_ERR_IO);
    CHECK(coif_fail(&error, COIF_ERR_SCENE, "second") == COIF_ERR_SCENE);
    CHECK(error.status == COIF_ERR_IO);
    CHECK_TEXT(error.text, "first 1");
}

static void count_visits(void *context, int64_t begin, int64_t end, int worker)
{
    unsigned char *visits = context;
    CHECK(worker >= 0 && worker < 8);
    for (int64_t i = begin; i < end; ++i) {
        ++visits[i];
    }
}

static void every_index_is_visited_once_by_any_number_of_threads(void)
{
    coif_arena arena;
    coif_arena_init(&arena, "test");
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
    coif_arena_free(&arena);
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
static void a_nested_loop_corrupts_nothing(void)
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

static void concurrent_loops_do_not_interfere(void)
{
    coif_arena arena;
    coif_error error = {0};
    coif_jobs *jobs;
    coif_arena_init(&arena, "test");
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
    coif_arena_free(&arena);
}

static void allocate_in_own_arena(void *context, int64_t begin, int64_t end, int worker)
{
    (void)context, (void)worker;
    for (int64_t i = begin; i < end; ++i) {
        coif_arena arena;
        coif_arena_init(&arena, "worker");
        coif_arena_alloc(&arena, 100, 1);
        coif_arena_free(&arena);
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
static void the_memory_table_can_be_read_while_others_allocate(void)
{
    coif_arena arena;
    coif_error error = {0};
    coif_jobs *jobs;
    coif_arena_init(&arena, "test");
    CHECK_OK(coif_jobs_open(&jobs, 4, &arena, &error), error);
    coif_parallel_for(jobs, 2000, 1, read_memory_table, NULL);
    coif_jobs_close(jobs);
    CHECK(arena.used > 0 && arena.peak >= arena.used);
    coif_arena_free(&arena);
}

static void an_uncommitted_file_keeps_the_old_one(void)
{
    coif_error error = {0};
    coif_arena arena;
    coif_arena_init(&arena, "test");
    const char *path = coif_test_path("whole");
    CHECK_OK(coif_file_save(path, "old", 3, &error), error);

    coif_file file;
    CHECK_OK(coif_file_open(&file, path, COIF_FILE_WRITE, &error), error);
    CHECK_OK(coif_file_write(&file, "half of the new", 15, &error), error);
    CHECK(coif_path_exists(file.temporary));
    char temporary[5000];
    strcpy(temporary, file.temporary);
    coif_file_close(&file);
    CHECK(!coif_path_exists(temporary));

    char *data = NULL;
    size_t size = 0;
    CHECK_OK(coif_file_load(&data, &size, path, &arena, &error), error);
    CHECK(size == 3);
    CHECK_TEXT(data, "old");
    coif_arena_free(&arena);
}

static void write_past_the_limit(void)
{
    const struct rlimit limit = {4096, 4096};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    static char data[100000];
    coif_error error = {0};
    const coif_status status = coif_file_save(coif_test_path("full"), data, sizeof data, &error);
    _exit(status == COIF_ERR_IO && strstr(error.text, "full: cannot write") != NULL ? 5 : 1);
}

static void a_full_disk_is_an_error_and_leaves_no_file(void)
{
    coif_error error = {0};
    coif_test_folder(); // made here, so that the child does not remove it
    CHECK(exit_code_of(write_past_the_limit) == 5);
    CHECK(!coif_path_exists(coif_test_path("full")));
    CHECK(coif_file_save("/dev/null/no/such", "x", 1, &error) == COIF_ERR_IO);
}

static void reading_past_the_end_is_an_error(void)
{
    coif_error error = {0};
    const char *path = coif_test_path("short");
    CHECK_OK(coif_file_save(path, "abc", 3, &error), error);
    coif_file file;
    char data[8];
    CHECK_OK(coif_file_open(&file, path, COIF_FILE_READ, &error), error);
    CHECK(coif_file_read(&file, data, 8, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "truncated");
    coif_file_close(&file);
}

// A test that waits for a writer would hang here.
static void only_regular_files_are_read(void)
{
    coif_file file;
    coif_error error = {0};
    const char *pipe = coif_test_path("pipe");
    unlink(pipe);
    CHECK(mkfifo(pipe, 0600) == 0);
    CHECK(coif_file_open(&file, pipe, COIF_FILE_READ, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "not a regular file");
    error = (coif_error){0};
    CHECK(coif_file_open(&file, coif_test_folder(), COIF_FILE_READ, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "not a regular file");
}

static void paths_are_split_and_joined(void)
{
    coif_arena arena;
    coif_arena_init(&arena, "test");
    CHECK_TEXT(coif_path_folder("a/b/c.obj", &arena), "a/b");
    CHECK_TEXT(coif_path_folder("c.obj", &arena), ".");
    CHECK_TEXT(coif_path_folder("/c.obj", &arena), "/");
    CHECK_TEXT(coif_path_name("a/b/c.obj"), "c.obj");
    CHECK_TEXT(coif_path_join("a/", "b", &arena), "a/b");
    CHECK_TEXT(coif_path_join("a", "/b", &arena), "/b");
    CHECK_TEXT(coif_path_join(".", "b", &arena), "b");
    CHECK_TEXT(coif_path_frame("head.####.obj", 42, &arena), "head.0042.obj");
    CHECK_TEXT(coif_path_frame("head.#.obj", 12345, &arena), "head.12345.obj");
    CHECK(coif_path_has_extension("a.b/C.PnG", "png"));
    CHECK(!coif_path_has_extension("a.png/c", "png"));
    coif_error error = {0};
    CHECK_OK(coif_path_make_directory(coif_test_path("x"), &error), error);
    CHECK(coif_path_is_directory(coif_test_path("x")));
    rmdir(coif_test_path("x"));
    coif_arena_free(&arena);
}

static void an_empty_path_is_no_directory(void)
{
    coif_error error = {0};
    CHECK(coif_path_make_directory("", &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "cannot create directory: the path is empty");
}

static void break_a_contract(void)
{
    COIF_REQUIRE(exit_code_of == NULL);
}

static void required_contracts_are_checked_in_every_build(void)
{
    CHECK(exit_code_of(break_a_contract) == -1);
}

static void frame_ranges_are_parsed_or_rejected(void)
{
    coif_frame_range range;
    coif_error error = {0};
    CHECK_OK(coif_frame_range_parse(&range, "1-48x2", &error), error);
    CHECK(range.first == 1 && range.last == 48 && range.step == 2);
    CHECK_OK(coif_frame_range_parse(&range, "7", &error), error);
    CHECK(range.first == 7 && range.last == 7 && range.step == 1);
    CHECK_OK(coif_frame_range_parse(&range, "0", &error), error);
    CHECK(range.last == 0 && coif_frame_range_given(range));
    CHECK(!coif_frame_range_given((coif_frame_range){0}));
    const char *const bad[] = {"", "x", "1-", "1-2x0", "1-2x", "5-1", "1-2-3", "-4", "1 2"};
    for (size_t i = 0; i < COIF_COUNT_OF(bad); ++i) {
        error = (coif_error){0};
        CHECK(coif_frame_range_parse(&range, bad[i], &error) == COIF_ERR_ARGUMENT);
    }
}

static void deterministic_functions_are_accurate(void)
{
    for (int i = -200000; i <= 200000; ++i) {
        const float x = (float)i * 0.37f;
        CHECK_NEAR(coif_det_sin(x), sin((double)x), 2e-7);
        CHECK_NEAR(coif_det_cos(x), cos((double)x), 2e-7);
    }
    for (float x = -80.0f; x < 80.0f; x += 0.0137f) {
        CHECK_NEAR(coif_det_exp(x) / exp((double)x), 1.0, 2e-7);
        CHECK_NEAR(coif_det_log(coif_det_exp(x)), (double)x, 2e-7 * (1.0 + fabs(x)));
    }
    for (double a = 0.0; a <= 1.5707963; a += 0.0007) {
        CHECK_NEAR(coif_det_atan2_quadrant((float)(3.0 * sin(a)), (float)(3.0 * cos(a))), a,
                   2.5e-7);
    }
    CHECK(coif_det_atan2_quadrant(0.0f, 0.0f) == 0.0f);
    CHECK_NEAR(coif_det_atan2_quadrant(2.0f, 0.0f), M_PI_2, 2e-7);
    CHECK_NEAR(coif_det_pow(2.0f, 10.0f), 1024.0, 1e-3);
    CHECK_NEAR(coif_det_pow(0.5f, 2.2f), pow(0.5, 2.2), 1e-7);
    CHECK(coif_det_pow(0.0f, 0.3f) == 0.0f && coif_det_pow(0.0f, 0.0f) == 1.0f);
    CHECK(coif_det_exp(1000.0f) == INFINITY && coif_det_exp(-1000.0f) == 0.0f);
}

// The bits themselves: any compiler, any build type must find this digest.
static void deterministic_functions_have_fixed_bits(void)
{
    uint64_t digest = 0;
    for (int i = 0; i < 20000; ++i) {
        const float x = (coif_random_unit(7, (uint64_t)i, 0) - 0.5f) * 100.0f;
        const float values[] = {coif_det_sin(x), coif_det_cos(x), coif_det_exp(x * 0.5f),
                                coif_det_log(fabsf(x)), coif_det_pow(fabsf(x), 0.37f)};
        digest = coif_hash64_extend(digest, values, sizeof values);
    }
    if (digest != 0x7b28a8c078bb4e3fu) {
        coif_test_failed(__FILE__, __LINE__, "digest is %016llx", (unsigned long long)digest);
    }
}

static void random_numbers_are_uniform_and_repeatable(void)
{
    int bins[16] = {0};
    enum { COUNT = 160000 };
    for (int i = 0; i < COUNT; ++i) {
        const float u = coif_random_unit(3, (uint64_t)i, 5);
        CHECK(u >= 0.0f && u < 1.0f);
        ++bins[(int)(u * 16.0f)];
    }
    double chi = 0.0;
    for (int i = 0; i < 16; ++i) {
        const double off = bins[i] - COUNT / 16;
        chi += off * off / (COUNT / 16);
    }
    CHECK(chi < 37.7); // 15 degrees of freedom, p = 0.001
    CHECK(coif_random_word(1, 2, 3) == coif_random_word(1, 2, 3));
    CHECK(coif_random_word(1, 2, 3) != coif_random_word(1, 2, 4));
}

static void hashes_depend_on_order_and_boundaries(void)
{
    const uint64_t one = coif_hash64_extend(coif_hash64_extend(0, "ab", 2), "c", 1);
    const uint64_t two = coif_hash64_extend(coif_hash64_extend(0, "a", 1), "bc", 2);
    CHECK(one != two);
    CHECK(coif_hash64("abc", 3) == coif_hash64("abc", 3));
}

static void cancelling_stops_the_worker(void)
{
    coif_arena arena;
    coif_arena_init(&arena, "test");
    coif_progress *progress = coif_progress_open(&arena);
    coif_log_setup(COIF_LOG_WARNING, false);
    coif_progress_begin(progress, "test", 10, "steps");
    CHECK(coif_progress_step(progress, 1));
    coif_progress_cancel(progress);
    CHECK(!coif_progress_step(progress, 1));
    CHECK(coif_progress_cancelled(progress));
    CHECK(coif_progress_step(NULL, 1) && !coif_progress_cancelled(NULL));
    coif_progress_end(progress);
    coif_arena_free(&arena);
}

TEST_LIST(TEST(memory_is_zeroed_aligned_and_counted), TEST(large_chunks_are_returned_to_the_system),
          TEST(an_arena_can_be_moved), TEST(rewinding_frees_allocations_after_the_mark),
          TEST(exhausted_memory_reaches_the_handler), TEST(the_first_error_is_kept),
          TEST(every_index_is_visited_once_by_any_number_of_threads),
          TEST(a_nested_loop_corrupts_nothing), TEST(concurrent_loops_do_not_interfere),
          TEST(the_memory_table_can_be_read_while_others_allocate),
          TEST(an_uncommitted_file_keeps_the_old_one),
          TEST(a_full_disk_is_an_error_and_leaves_no_file), TEST(reading_past_the_end_is_an_error),
          TEST(only_regular_files_are_read), TEST(paths_are_split_and_joined),
          TEST(an_empty_path_is_no_directory), TEST(required_contracts_are_checked_in_every_build),
          TEST(frame_ranges_are_parsed_or_rejected), TEST(deterministic_functions_are_accurate),
          TEST(deterministic_functions_have_fixed_bits),
          TEST(random_numbers_are_uniform_and_repeatable),
          TEST(hashes_depend_on_order_and_boundaries), TEST(cancelling_stops_the_worker))
