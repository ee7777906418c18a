// Files with atomic replacement, paths and frame ranges.
#include "core/base/fs.h"

#include "tests/support/child_process.h"
#include "tests/support/test.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

TEST(an_uncommitted_file_keeps_the_old_one)
{
    coif_error error = {0};
    COIF_SCOPED_ARENA(arena, "test");
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
}

static void begin_and_end_at_once(void)
{
    coif_file file;
    coif_error error = {0};
    const bool open =
        coif_file_open(&file, coif_test_path("abandoned"), COIF_FILE_WRITE, &error) == COIF_OK &&
        coif_file_write(&file, "half", 4, &error) == COIF_OK;
    _exit(open ? 5 : 1);
}

TEST(the_temporary_of_a_writer_that_ended_is_removed_by_the_next)
{
    coif_error error = {0};
    coif_test_folder(); // made here, so that the child does not remove it
    CHECK(exit_code_of(begin_and_end_at_once) == 5);
    CHECK(coif_path_exists(coif_test_path("abandoned.tmp")));
    CHECK_OK(coif_file_save(coif_test_path("abandoned"), "whole", 5, &error), error);
    CHECK(!coif_path_exists(coif_test_path("abandoned.tmp")));
}

TEST(two_writers_of_one_file_do_not_share_a_temporary)
{
    COIF_SCOPED_ARENA(arena, "test");
    coif_error error = {0};
    coif_file first, second;
    const char *path = coif_arena_copy_text(&arena, coif_test_path("shared"));
    CHECK_OK(coif_file_open(&first, path, COIF_FILE_WRITE, &error), error);
    CHECK_OK(coif_file_open(&second, path, COIF_FILE_WRITE, &error), error);
    CHECK(strcmp(first.temporary, second.temporary) != 0);
    CHECK_OK(coif_file_write(&first, "one", 3, &error), error);
    CHECK_OK(coif_file_write(&second, "second", 6, &error), error);
    CHECK_OK(coif_file_commit(&first, &error), error);
    coif_file_close(&first);
    CHECK_OK(coif_file_commit(&second, &error), error);
    coif_file_close(&second);
    char *data = NULL;
    size_t size = 0;
    CHECK_OK(coif_file_load(&data, &size, path, &arena, &error), error);
    CHECK(size == 6 && memcmp(data, "second", 6) == 0);
}

// A link or a FIFO under the name of the temporary is neither followed nor opened.
TEST(a_temporary_does_not_follow_links)
{
    COIF_SCOPED_ARENA(arena, "test");
    coif_error error = {0};
    const char *victim = coif_arena_copy_text(&arena, coif_test_path("victim"));
    CHECK_OK(coif_file_save(victim, "mine", 4, &error), error);
    const char *path = coif_arena_copy_text(&arena, coif_test_path("linked"));
    const char *temporary = coif_arena_print(&arena, "%s.tmp", path);
    CHECK(symlink(victim, temporary) == 0);
    CHECK_OK(coif_file_save(path, "new", 3, &error), error);
    CHECK(unlink(temporary) == 0 && mkfifo(temporary, 0600) == 0);
    CHECK_OK(coif_file_save(path, "newer", 5, &error), error);
    CHECK(unlink(temporary) == 0 && link(victim, temporary) == 0);
    CHECK_OK(coif_file_save(path, "newest", 6, &error), error);
    char *data = NULL;
    size_t size = 0;
    CHECK_OK(coif_file_load(&data, &size, victim, &arena, &error), error);
    CHECK(size == 4 && memcmp(data, "mine", 4) == 0);
    unlink(temporary);
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

TEST(a_full_disk_is_an_error_and_leaves_no_file)
{
    coif_error error = {0};
    coif_test_folder(); // made here, so that the child does not remove it
    CHECK(exit_code_of(write_past_the_limit) == 5);
    CHECK(!coif_path_exists(coif_test_path("full")));
    CHECK(coif_file_save("/dev/null/no/such", "x", 1, &error) == COIF_ERR_IO);
}

TEST(reading_past_the_end_is_an_error)
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
TEST(only_regular_files_are_read)
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

TEST(paths_are_split_and_joined)
{
    COIF_SCOPED_ARENA(arena, "test");
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
}

TEST(an_empty_path_is_no_directory)
{
    coif_error error = {0};
    CHECK(coif_path_make_directory("", &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "cannot create directory: the path is empty");
}

TEST(frame_ranges_are_parsed_or_rejected)
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
