// Confinement: a scene folder with its journal, lock and links may come from a stranger. Nothing
// outside the folder is written, replaced or removed.
#include "core/base/hash64.h"
#include "tests/support/studio_scene.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

// A record of a new map of 64 x 64 texels with one value.
static coif_bytes new_map_record(const char *name, float low, float high)
{
    const int32_t sizes[] = {64, 64, 0, 0};
    const float range[] = {low, high};
    coif_strbuf record;
    coif_strbuf_init(&record, &arena);
    coif_strbuf_add_bytes(&record, name, strlen(name) + 1);
    coif_strbuf_add_bytes(&record, (const char *)sizes, sizeof sizes);
    coif_strbuf_add_bytes(&record, (const char *)range, sizeof range);
    return (coif_bytes){name, record.data, record.size};
}

// Opens the scene with a journal whose records create a map, reference and paint it; saves and
// ends.
static bool opened_quarantined(const char *scene, const char *map, float low, float high)
{
    const char *path = write_scene(scene);
    char *text;
    size_t size;
    coif_error error = {0};
    CHECK_OK(coif_file_load(&text, &size, path, &arena, &error), error);
    const coif_replay all = {.base = coif_hash64(text, size)};
    coif_journal journal;
    int32_t replayed;
    const char *journal_path = coif_arena_copy_text(
        &arena, coif_test_path(coif_arena_print(&arena, ".%s.journal", scene)));
    unlink(journal_path);
    CHECK_OK(coif_journal_open(&journal, journal_path, &all, &replayed, &error), error);
    const coif_bytes made = new_map_record(map, low, high);
    CHECK_OK(coif_journal_add(&journal, COIF_OP_NEW_MAP, made.data, made.size, &error), error);
    const char *edit = coif_arena_print(&arena,
                                        "{\"coif\": 1, \"bodies\": [{\"name\": \"ball\", \"mesh\": "
                                        "\"ball.obj\"}], \"grooms\": [{\"name\": \"hair\", "
                                        "\"body\": \"ball\", \"count\": 9, \"maps\": [{\"name\": "
                                        "\"d\", \"plugin\": \"density.texture\", \"path\": "
                                        "\"%s\"}], \"density\": {\"map\": \"d\"}}]}",
                                        map);
    CHECK_OK(coif_journal_add(&journal, COIF_OP_SCENE, edit, strlen(edit), &error), error);
    coif_journal_close(&journal, false);

    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, path);
    bool modified;
    coif_error ignored = {0};
    coif_studio_save(studio, true, &modified, &ignored);
    const bool quarantined = studio->journal.quarantined && studio->replayed == 0;
    coif_studio_close(studio);
    return quarantined;
}

static const char *victim;

static void place_victim(void)
{
    coif_error error = {0};
    CHECK_OK(coif_path_make_directory(coif_test_path("elsewhere"), &error), error);
    victim = coif_arena_copy_text(&arena, coif_test_path("elsewhere/picture.png"));
    CHECK_OK(coif_file_save(victim, "mine", 4, &error), error);
}

static bool victim_is_whole(void)
{
    char *text = "";
    size_t size = 0;
    coif_error error = {0};
    CHECK_OK(coif_file_load(&text, &size, victim, &arena, &error), error);
    return size == 4 && memcmp(text, "mine", 4) == 0;
}

TEST(a_journal_creates_images_below_the_folder_of_the_scene_only)
{
    place_victim();
    CHECK(opened_quarantined("absolute.json", victim, 0.0f, 1.0f));
    CHECK(opened_quarantined(
        "parent.json",
        coif_arena_print(&arena, "../%s/elsewhere/picture.png", coif_path_name(coif_test_folder())),
        0.0f, 1.0f));
    CHECK(opened_quarantined("dots.json", "maps/../../picture.png", 0.0f, 1.0f));
    CHECK(opened_quarantined("text.json", "maps/notes.txt", 0.0f, 1.0f));
    CHECK(opened_quarantined("itself.json", "itself.json", 0.0f, 1.0f));
    CHECK(victim_is_whole());
    CHECK(!coif_path_exists(coif_test_path("maps/notes.txt")));
}

TEST(a_journal_with_an_invalid_range_is_quarantined)
{
    CHECK(opened_quarantined("nan.json", "maps/nan.png", NAN, 1.0f));
    CHECK(opened_quarantined("infinite.json", "maps/infinite.png", 0.0f, INFINITY));
    CHECK(opened_quarantined("empty.json", "maps/empty.png", 1.0f, 1.0f));
}

TEST(a_linked_folder_of_maps_is_not_written)
{
    place_victim();
    coif_error error = {0};
    const char *folder = coif_arena_copy_text(&arena, coif_test_path("shot"));
    CHECK_OK(coif_path_make_directory(folder, &error), error);
    const char *link = coif_arena_print(&arena, "%s/maps", folder);
    unlink(link);
    CHECK(symlink(coif_test_path("elsewhere"), link) == 0);
    write_scene("shot/ball.json"); // and ball.obj
    rename(coif_test_path("ball.obj"), coif_arena_print(&arena, "%s/ball.obj", folder));
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, coif_arena_print(&arena, "%s/ball.json", folder));
    const coif_new_paint_map desc = {.groom = 0, .name = "density", .size = 256, .value = 65535};
    CHECK(coif_studio_add_map(studio, &desc, &error) != COIF_OK);
    CHECK_CONTAINS(error.text, "shot/maps: leads out of the folder of the scene");
    CHECK(!coif_path_exists(coif_test_path("elsewhere/ball_density.png")));
    coif_studio_close(studio);
    CHECK(coif_path_leads_out(folder, coif_arena_print(&arena, "%s/new.png", link)));
    CHECK(!coif_path_leads_out(folder, coif_arena_print(&arena, "%s/other/new.png", folder)));
    CHECK(victim_is_whole());
}

TEST(a_linked_journal_is_an_error)
{
    place_victim();
    const char *path = write_scene("linked.json");
    const char *journal = coif_arena_copy_text(&arena, coif_test_path(".linked.json.journal"));
    unlink(journal);
    CHECK(symlink(coif_test_path("elsewhere/new.txt"), journal) == 0);
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    coif_error error = {0};
    const coif_studio_desc desc = {
        .path = path, .tree = coif_scene_tree(&arena), .plugins = coif_plugins_lookup(plugins)};
    CHECK(coif_studio_open(studio, &desc, &arena, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, ".linked.json.journal: cannot be opened");
    CHECK(!coif_path_exists(coif_test_path("elsewhere/new.txt")));
}

// A record of a map that replaces an image of several channels would free tiles that its other
// channels share.
TEST(a_journal_does_not_replace_an_image_of_several_channels)
{
    enum { SIDE = 64 };
    const coif_image_desc desc = {.width = SIDE,
                                  .height = SIDE,
                                  .channel_count = 3,
                                  .pixels = coif_arena_new(&arena, 3 * SIDE * SIDE, float)};
    coif_error error = {0};
    CHECK_OK(coif_image_save(coif_test_path("rgb.png"), &desc, &error), error);
    const char *path = write_scene("channels.json");
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, path);
    const coif_edit edit = {"/grooms/0/maps",
                            "[{\"name\": \"r\", \"plugin\": \"density.texture\", \"path\": "
                            "\"rgb.png\"}, {\"name\": \"g\", \"plugin\": "
                            "\"density.texture\", \"path\": \"rgb.png\", \"channel\": \"green\"}]"};
    CHECK_OK(coif_studio_edit(studio, &edit, 1, "", &error), error);
    const coif_bytes made = new_map_record("rgb.png", 0.0f, 1.0f);
    CHECK(coif_paint_maps_replay_new(&studio->maps, &made, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "rgb.png exists with several channels");
    CHECK(studio->maps.count == 2 && studio->maps.items[0].channel_count == 3);
    coif_studio_close(studio);
}
