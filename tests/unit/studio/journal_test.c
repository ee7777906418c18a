// Journal and save: recovery after a crash, full disks, externally modified files.
#include "core/base/hash64.h"
#include "tests/support/studio_scene.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

static bool modified; // by another program

TEST(unsaved_changes_are_restored_after_a_crash)
{
    const char *path = write_scene("crash.json");
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, path);
    new_density(studio);
    paint(studio, "a", uniform_tile(0, 0, 100));
    paint(studio, "b", uniform_tile(0, 0, 200));
    coif_error error = {0};
    bool done;
    CHECK_OK(coif_studio_undo(studio, &done, &error), error);
    // Killed: the journal stays, with an incomplete record at its end.
    const char *journal = coif_test_path(".crash.json.journal");
    close(studio->journal.descriptor);
    FILE *file = fopen(journal, "ab");
    CHECK(file != NULL && fwrite("csj1rubbish", 1, 11, file) == 11);
    fclose(file);

    coif_studio *again = coif_arena_new(&arena, 1, coif_studio);
    open_studio(again, path);
    CHECK(again->replayed == 6);
    CHECK(texel(again, 0, 0) == 100.0f / 65535.0f);
    CHECK(coif_studio_dirty(again));
    CHECK_OK(coif_studio_redo(again, &done, &error), error);
    CHECK(done && texel(again, 0, 0) == 200.0f / 65535.0f);
    CHECK_OK(coif_studio_save(again, false, &modified, &error), error);
    CHECK(!coif_studio_dirty(again));
    coif_studio_close(again);
    CHECK(!coif_path_exists(journal));

    coif_studio *third = coif_arena_new(&arena, 1, coif_studio);
    open_studio(third, path);
    CHECK(third->replayed == 0 && texel(third, 0, 0) == 200.0f / 65535.0f);
    coif_studio_close(third);
}

TEST(saving_keeps_the_previous_version_and_modified_scene_files)
{
    const char *path = write_scene("save.json");
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, path);
    const coif_edit edit = {"/grooms/0/count", "5"};
    coif_error error = {0};
    CHECK_OK(coif_studio_edit(studio, &edit, 1, "", &error), error);
    CHECK_OK(coif_studio_save(studio, false, &modified, &error), error);
    char *text;
    size_t size;
    CHECK_OK(coif_file_load(&text, &size, coif_test_path("save.previous.json"), &arena, &error),
             error);
    CHECK_CONTAINS(text, "\"count\": 4000");
    CHECK_OK(coif_file_load(&text, &size, path, &arena, &error), error);
    CHECK_CONTAINS(text, "\"body\": \"ball\", \"count\": 5}]\n}\n");

    CHECK_OK(coif_file_save(path, "{}", 2, &error), error);
    const coif_edit other = {"/grooms/0/count", "6"};
    CHECK_OK(coif_studio_edit(studio, &other, 1, "", &error), error);
    CHECK(coif_studio_save(studio, false, &modified, &error) != COIF_OK);
    CHECK_CONTAINS(error.text, "was modified by another program");
    error = (coif_error){0};
    CHECK_OK(coif_studio_save(studio, true, &modified, &error), error);
    coif_studio_close(studio);
}

TEST(externally_modified_files_are_overwritten_only_with_force)
{
    const char *path = write_scene("foreign.json");
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, path);
    new_density(studio);
    coif_error error = {0};
    CHECK_OK(coif_studio_save(studio, false, &modified, &error), error);
    CHECK(!modified);
    paint(studio, "a", uniform_tile(0, 0, 0));
    const char *map = coif_test_path("maps/foreign_density.png");
    CHECK_OK(coif_file_save(map, "theirs", 6, &error), error);
    CHECK(coif_studio_save(studio, false, &modified, &error) != COIF_OK && modified);
    CHECK_CONTAINS(error.text, "foreign_density.png was modified by another program");
    char *text;
    size_t size;
    error = (coif_error){0};
    CHECK_OK(coif_file_load(&text, &size, map, &arena, &error), error);
    CHECK(size == 6);
    CHECK_OK(coif_studio_save(studio, true, &modified, &error), error);
    CHECK_OK(coif_file_load(&text, &size, coif_test_path("maps/foreign_density.previous.png"),
                            &arena, &error),
             error);
    CHECK(size == 6);
    // Files written by the studio do not count as modified.
    paint(studio, "b", uniform_tile(1, 0, 0));
    CHECK_OK(coif_studio_save(studio, false, &modified, &error), error);

    // A deleted scene file: nothing is written without force.
    paint(studio, "c", uniform_tile(2, 0, 0));
    CHECK(unlink(path) == 0);
    CHECK_OK(coif_file_load(&text, &size, map, &arena, &error), error);
    const uint64_t before = coif_hash64(text, size);
    CHECK(coif_studio_save(studio, false, &modified, &error) != COIF_OK && modified);
    CHECK_CONTAINS(error.text, "was deleted since it was opened");
    error = (coif_error){0};
    CHECK_OK(coif_file_load(&text, &size, map, &arena, &error), error);
    CHECK(coif_hash64(text, size) == before);
    CHECK_OK(coif_studio_save(studio, true, &modified, &error), error);
    CHECK(coif_path_exists(path) && !coif_studio_dirty(studio));
    coif_studio_close(studio);

    // A symbolic link is kept and its target written.
    const char *link = coif_arena_copy_text(&arena, coif_test_path("link.json"));
    unlink(link);
    CHECK(symlink(path, link) == 0);
    coif_studio *linked = coif_arena_new(&arena, 1, coif_studio);
    open_studio(linked, link);
    const coif_edit edit = {"/grooms/0/count", "17"};
    CHECK_OK(coif_studio_edit(linked, &edit, 1, "", &error), error);
    CHECK_OK(coif_studio_save(linked, false, &modified, &error), error);
    char target[4096];
    CHECK(readlink(link, target, sizeof target) > 0);
    CHECK_OK(coif_file_load(&text, &size, path, &arena, &error), error);
    CHECK_CONTAINS(text, "\"count\": 17");
    coif_studio_close(linked);
}

// Limits the file size of the process to 0, in place of a full disk.
static void set_full(bool full)
{
    static struct rlimit original;
    if (full) {
        signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &original);
    }
    const struct rlimit none = {.rlim_cur = 0, .rlim_max = original.rlim_max};
    setrlimit(RLIMIT_FSIZE, full ? &none : &original);
}

TEST(failed_operations_on_a_full_disk_change_nothing)
{
    const char *path = write_scene("full.json");
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, path);
    new_density(studio);
    paint(studio, "a", uniform_tile(0, 0, 100));
    const char *text = coif_arena_copy_text(&arena, studio->text);
    const int64_t steps = studio->history.done;
    const int32_t maps = studio->maps.count;

    set_full(true);
    bool done;
    const coif_edit edit = {"/grooms/0/count", "5"};
    const coif_bytes tile = uniform_tile(0, 0, 200);
    const coif_new_paint_map more = {.groom = 0, .name = "more", .size = 256, .value = 65535};
    const coif_status results[] = {
        coif_studio_edit(studio, &edit, 1, "", NULL),
        coif_studio_undo(studio, &done, NULL),
        coif_studio_paint(studio, &studio->maps.items[0], "b", &tile, NULL),
        coif_studio_add_map(studio, &more, NULL),
        coif_studio_save(studio, false, &modified, NULL),
    };
    set_full(false);
    for (size_t i = 0; i < COIF_COUNT_OF(results); ++i) {
        CHECK(results[i] == COIF_ERR_IO);
    }
    CHECK_TEXT(studio->text, text);
    CHECK(studio->history.done == steps && studio->history.end == steps);
    CHECK(texel(studio, 0, 0) == 100.0f / 65535.0f && studio->maps.count == maps);

    // With free space strokes are journalled again.
    paint(studio, "c", uniform_tile(0, 0, 300));
    close(studio->journal.descriptor);
    coif_studio *again = coif_arena_new(&arena, 1, coif_studio);
    open_studio(again, path);
    CHECK(texel(again, 0, 0) == 300.0f / 65535.0f && !again->journal.quarantined);
    CHECK_TEXT(again->text, text);
    coif_studio_close(again);
}

// The last record is not a valid scene.
TEST(a_journal_that_cannot_be_replayed_is_quarantined)
{
    const char *path = write_scene("invalid.json");
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, path);
    new_density(studio);
    paint(studio, "a", uniform_tile(0, 0, 100));
    coif_error error = {0};
    CHECK_OK(coif_journal_add(&studio->journal, COIF_OP_SCENE, "{", 1, &error), error);
    close(studio->journal.descriptor);
    coif_studio *again = coif_arena_new(&arena, 1, coif_studio);
    open_studio(again, path);
    CHECK(texel(again, 0, 0) == 100.0f / 65535.0f && again->journal.quarantined);
    CHECK(coif_path_exists(coif_test_path(".invalid.json.journal.old")));
    coif_studio_close(again);
}

// The scene file is the saved one, the journal still that of the one before.
TEST(the_journal_of_a_save_that_was_killed_at_its_end_is_emptied)
{
    const char *path = write_scene("ended.json");
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, path);
    const coif_edit edit = {"/grooms/0/count", "5"};
    coif_error error = {0};
    CHECK_OK(coif_studio_edit(studio, &edit, 1, "", &error), error);
    const char *journal = coif_arena_copy_text(&arena, coif_test_path(".ended.json.journal"));
    const uint64_t saved = coif_hash64(studio->text, strlen(studio->text));
    CHECK_OK(coif_journal_add(&studio->journal, COIF_OP_BASE, (const char *)&saved, sizeof saved,
                              &error),
             error);
    char *text;
    size_t size;
    CHECK_OK(coif_file_load(&text, &size, journal, &arena, &error), error);
    CHECK_OK(coif_studio_save(studio, false, &modified, &error), error);
    close(studio->journal.descriptor); // killed
    CHECK_OK(coif_file_save(journal, text, size, &error), error);

    coif_studio *again = coif_arena_new(&arena, 1, coif_studio);
    open_studio(again, path);
    CHECK(!again->journal.quarantined && again->replayed == 0 && !coif_studio_dirty(again));
    CHECK_CONTAINS(again->text, "\"count\": 5");
    CHECK(!coif_path_exists(coif_arena_print(&arena, "%s.old", journal)));
    coif_studio_close(again);

    // Before the scene file is replaced, the same journal restores the change.
    write_scene("ended.json");
    CHECK_OK(coif_file_save(journal, text, size, &error), error);
    coif_studio *before = coif_arena_new(&arena, 1, coif_studio);
    open_studio(before, path);
    CHECK(before->replayed == 1 && coif_studio_dirty(before));
    CHECK_CONTAINS(before->text, "\"count\": 5");
    coif_studio_close(before);
}

TEST(the_journal_is_replayed_after_the_folder_has_moved)
{
    const char *path = write_scene("moved.json");
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, path);
    new_density(studio);
    paint(studio, "a", uniform_tile(1, 0, 300));
    close(studio->journal.descriptor); // killed
    coif_studio *again = coif_arena_new(&arena, 1, coif_studio);
    open_studio(again, coif_arena_print(&arena, "%s/./moved.json", coif_path_folder(path, &arena)));
    CHECK(again->replayed == 4 && texel(again, 64, 0) == 300.0f / 65535.0f);
    coif_studio_close(again);
}
