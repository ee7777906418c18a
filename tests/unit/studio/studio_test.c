// Document: access control, tiles, undo, root preview, drafts.
#include "core/base/hash64.h"
#include "tests/support/studio_scene.h"
#include "tools/studio/server/document/root_preview.h"
#include "tools/studio/server/http/compression.h"
#include "tools/studio/server/http/request_auth.h"
#include "tools/studio/server/render/groom_cache.h"

#include <unistd.h>

TEST(only_the_loopback_address_is_a_valid_host)
{
    CHECK(coif_auth_host("127.0.0.1:8080", 8080) && coif_auth_host("localhost:8080", 8080));
    CHECK(!coif_auth_host("127.0.0.1:8081", 8080) && !coif_auth_host("127.0.0.1", 8080));
    CHECK(!coif_auth_host("evil.example:8080", 8080) && !coif_auth_host(NULL, 8080));
    CHECK(!coif_auth_host("127.0.0.1:8080.evil.example", 8080));
    CHECK(coif_auth_origin(NULL, 8080) && coif_auth_origin("http://localhost:8080", 8080));
    CHECK(!coif_auth_origin("null", 8080) && !coif_auth_origin("https://localhost:8080", 8080));
    CHECK(!coif_auth_origin("http://evil.example", 8080));
}

TEST(only_clients_that_accept_gzip_get_it)
{
    CHECK(coif_accepts_gzip("gzip") && coif_accepts_gzip("deflate, gzip, br"));
    CHECK(coif_accepts_gzip("gzip;q=0.5") && coif_accepts_gzip("br, gzip ; q=1"));
    CHECK(!coif_accepts_gzip(NULL) && !coif_accepts_gzip("br, deflate"));
    CHECK(!coif_accepts_gzip("gzip;q=0") && !coif_accepts_gzip("br, gzip; q=0.0"));
    CHECK(coif_is_compressible("text/javascript", 100000));
    CHECK(!coif_is_compressible("image/png", 100000) && !coif_is_compressible("text/html", 100));
}

TEST(what_does_not_become_smaller_is_sent_as_it_is)
{
    enum { SIZE = 4096 };
    unsigned char *noise = coif_arena_new(&arena, SIZE, unsigned char);
    uint32_t state = 1;
    for (int i = 0; i < SIZE; ++i) {
        state = state * 1664525u + 1013904223u;
        noise[i] = (unsigned char)(state >> 24);
    }
    size_t size = 0;
    CHECK(coif_gzip(noise, SIZE, &size, &arena) == NULL);
    memset(noise, 7, SIZE);
    const unsigned char *packed = coif_gzip(noise, SIZE, &size, &arena);
    CHECK(packed != NULL && size < 100 && packed[0] == 0x1f && packed[1] == 0x8b);
}

TEST(tokens_are_compared_completely)
{
    CHECK(coif_auth_token("abcd", "abcd"));
    CHECK(!coif_auth_token("abce", "abcd") && !coif_auth_token("abc", "abcd"));
    CHECK(!coif_auth_token("", "abcd") && !coif_auth_token(NULL, "abcd"));
}

TEST(paths_out_of_the_folder_are_rejected)
{
    CHECK(coif_path_escapes("/etc/passwd") && coif_path_escapes("..") && coif_path_escapes(""));
    CHECK(coif_path_escapes("maps/../../x") && coif_path_escapes("../x"));
    CHECK(!coif_path_escapes("maps/density.png") && !coif_path_escapes("a..b/..c"));
}

static int32_t count_roots(coif_studio *studio, int64_t *evaluated)
{
    coif_error error = {0};
    coif_root_preview_state state = {0};
    CHECK_OK(coif_studio_update_roots(&state, studio, 0, &error), error);
    *evaluated = state.evaluated;
    return state.count;
}

TEST(black_tiles_remove_roots_and_only_those_are_evaluated)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, write_scene("roots.json"));
    new_density(studio);
    int64_t evaluated;
    CHECK(count_roots(studio, &evaluated) == 4000 && evaluated == 4000);
    paint(studio, "a", uniform_tile(0, 0, 0));
    // A sixteenth of the surface, and one texel around it.
    const int32_t left = count_roots(studio, &evaluated);
    CHECK_NEAR(left, 3750, 12);
    CHECK(evaluated >= 250 && evaluated < 300);
    coif_root_preview_state state = {0};
    coif_error error = {0};
    CHECK_OK(coif_studio_update_roots(&state, studio, 0, &error), error);
    CHECK(state.evaluated == 0);
    for (int32_t i = 0; i < state.candidates; ++i) {
        const coif_vec2 uv = state.points[i].uv;
        if (uv.x < 0.25f && uv.y > 0.75f) {
            CHECK(!state.grows[i]);
        }
    }
    coif_studio_close(studio);
}

TEST(strokes_are_undone_and_redone)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, write_scene("undo.json"));
    new_density(studio);
    const int64_t before = studio->history.done;
    for (int i = 0; i < 120; ++i) {
        char stroke[16];
        snprintf(stroke, sizeof stroke, "s%d", i);
        paint(studio, stroke, uniform_tile(1, 2, (uint16_t)i));
        paint(studio, stroke, uniform_tile(2, 2, (uint16_t)(1000 + i))); // the same stroke
    }
    CHECK(studio->history.done - before == 120);
    coif_error error = {0};
    bool done = true;
    for (int i = 0; i < 120; ++i) {
        CHECK_OK(coif_studio_undo(studio, &done, &error), error);
    }
    CHECK(texel(studio, 64, 128) == 1.0f && texel(studio, 128, 128) == 1.0f);
    for (int i = 0; i < 120; ++i) {
        CHECK_OK(coif_studio_redo(studio, &done, &error), error);
    }
    CHECK(texel(studio, 64, 128) == 119.0f / 65535.0f);
    CHECK(texel(studio, 128, 128) == 1119.0f / 65535.0f);
    CHECK_OK(coif_studio_redo(studio, &done, &error), error);
    CHECK(!done);
    coif_studio_close(studio);
}

// Record of single texels of tile 0, 0, by their indices.
static coif_bytes some_texels(const int *indices, int count, uint16_t value)
{
    static unsigned char record[8 + COIF_TILE_TEXELS / 8 + 2 * 16];
    memset(record, 0, sizeof record);
    record[4] = 2;
    record[6] = (unsigned char)count;
    for (int i = 0; i < count; ++i) {
        record[8 + indices[i] / 8] |= (unsigned char)(1 << indices[i] % 8);
        memcpy(record + 8 + COIF_TILE_TEXELS / 8 + 2 * i, &value, 2);
    }
    return (coif_bytes){"tiles", record, 8 + COIF_TILE_TEXELS / 8 + 2 * (size_t)count};
}

TEST(concurrent_strokes_in_one_tile_merge)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, write_scene("both.json"));
    new_density(studio);
    paint(studio, "one", some_texels((const int[]){0, 1, 65}, 3, 7));
    paint(studio, "two", some_texels((const int[]){1, 64, 4095}, 3, 9));
    CHECK(texel(studio, 0, 0) == 7.0f / 65535.0f && texel(studio, 1, 0) == 9.0f / 65535.0f);
    CHECK(texel(studio, 1, 1) == 7.0f / 65535.0f && texel(studio, 0, 1) == 9.0f / 65535.0f);
    CHECK(texel(studio, 63, 63) == 9.0f / 65535.0f && texel(studio, 2, 0) == 1.0f);
    coif_error error = {0};
    bool done;
    CHECK_OK(coif_studio_undo(studio, &done, &error), error);
    CHECK(texel(studio, 1, 0) == 7.0f / 65535.0f && texel(studio, 63, 63) == 1.0f);
    coif_bytes wrong = some_texels((const int[]){0, 1, 2}, 3, 7);
    ((unsigned char *)wrong.data)[6] = 2;
    CHECK(coif_studio_paint(studio, &studio->maps.items[0], "x", &wrong, &error) ==
          COIF_ERR_FORMAT);
    coif_studio_close(studio);
}

TEST(invalid_edits_and_tiles_change_nothing)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, write_scene("wrong.json"));
    new_density(studio);
    const char *before = coif_arena_copy_text(&arena, studio->text);
    const uint64_t revision = studio->revision;
    const coif_edit edits[] = {{"/grooms/0/count", "7"}, {"/grooms/0/cuont", "7"}};
    coif_error error = {0};
    CHECK(coif_studio_edit(studio, edits, 2, "", &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "did you mean \"count\"");
    CHECK_TEXT(studio->text, before);
    error = (coif_error){0};
    const coif_bytes beyond = uniform_tile(4, 0, 1);
    CHECK(coif_studio_paint(studio, &studio->maps.items[0], "", &beyond, &error) ==
          COIF_ERR_FORMAT);
    error = (coif_error){0};
    const coif_bytes cut = {"tiles", "abc", 3};
    CHECK(coif_studio_paint(studio, &studio->maps.items[0], "", &cut, &error) == COIF_ERR_FORMAT);
    error = (coif_error){0};
    const coif_new_paint_map bad = {.groom = 0, .name = "../x", .size = 256};
    CHECK(coif_studio_add_map(studio, &bad, &error) == COIF_ERR_ARGUMENT);
    // The message names the imported file, not its copy.
    const coif_bytes files[] = {{"my skin.png", "not an image", 12},
                                {"my skin.jpg", "not an image", 12}};
    const char *const said[] = {"my skin.png: not a valid PNG file",
                                "my skin.jpg: PNG, EXR and TIFF"};
    for (int i = 0; i < 2; ++i) {
        error = (coif_error){0};
        const coif_new_paint_map brought = {.name = "skin", .images = &files[i], .image_count = 1};
        CHECK(coif_studio_add_map(studio, &brought, &error) != COIF_OK);
        CHECK(strncmp(error.text, said[i], strlen(said[i])) == 0);
    }
    CHECK(studio->revision == revision);
    coif_studio_close(studio);
}

// Values outside 0..1 that are not exact in 16 bits.
TEST(unpainted_floats_keep_their_bits)
{
    enum { SIDE = 128 };
    float *pixels = coif_arena_new(&arena, SIDE * SIDE, float);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        pixels[i] = -0.7f + 0.1f * (float)(i % 37) + 1e-6f * (float)i;
    }
    const coif_image_desc desc = {.width = SIDE,
                                  .height = SIDE,
                                  .channel_count = 1,
                                  .channel_types = (coif_image_type[]){COIF_IMAGE_FLOAT},
                                  .pixels = pixels};
    coif_error error = {0};
    const char *path = coif_arena_copy_text(&arena, coif_test_path("floats.exr"));
    CHECK_OK(coif_image_save(path, &desc, &error), error);
    coif_paint_map map;
    CHECK_OK(coif_paint_map_load(&map, path, NULL, 0, &error), error);
    CHECK(map.low == pixels[0] && map.high > 2.9f && map.is_float);
    coif_tile_texels tile = {.column = 1, .row = 0};
    coif_paint_map_read(&map, &tile);
    tile.texels[0] = 65535;
    coif_paint_map_write(&map, &tile, 2);
    CHECK_OK(coif_paint_map_save(&map, &error), error);
    CHECK(coif_path_exists(coif_test_path("floats.previous.exr")));
    coif_image after;
    CHECK_OK(coif_image_load(&after, path, &arena, &error), error);
    int wrong = 0;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        wrong += after.pixels[i] != (i == COIF_PAINT_TILE_SIZE ? map.high : pixels[i]);
    }
    CHECK(wrong == 0);
    coif_paint_map_free(&map);
}

// Two UDIM tiles, the second without a file.
TEST(a_udim_tile_gets_its_file_when_it_is_painted)
{
    const char *path = coif_arena_copy_text(&arena, coif_test_path("skin.<UDIM>.png"));
    const int32_t numbers[2] = {1001, 1012};
    const coif_paint_map_shape shape = {
        .width = 100, .height = 70, .numbers = numbers, .number_count = 1, .high = 1.0f};
    coif_error error = {0};
    coif_paint_map made;
    coif_paint_map_make(&made, path, &shape, 65535);
    CHECK_OK(coif_paint_map_save(&made, &error), error);
    coif_paint_map_free(&made);

    coif_paint_map map;
    CHECK_OK(coif_paint_map_load(&map, path, numbers, 2, &error), error);
    CHECK(map.udim_count == 2 && map.columns == 4 && map.rows == 2);
    CHECK(!coif_paint_map_dirty(&map) && !map.udims[1].exists);
    const char *second = coif_test_path("skin.1012.png");
    CHECK(coif_paint_maps_image(&map, 1, second) == NULL);
    coif_tile_texels tile = {.column = 2, .row = 1};
    tile.texels[0] = 65535;
    coif_paint_map_write(&map, &tile, 2);
    const coif_image *image = coif_paint_maps_image(&map, 1, second);
    CHECK(image != NULL && image->width == 100);
    CHECK_OK(coif_paint_map_save(&map, &error), error);
    coif_image file_digest;
    CHECK_OK(coif_image_load(&file_digest, second, &arena, &error), error);
    CHECK(file_digest.width == 100 && file_digest.height == 70);
    CHECK(file_digest.pixels[64 * 100] == 1.0f && file_digest.pixels[64 * 100 + 1] == 0.0f);
    // No tile outside the UDIM tiles.
    const coif_bytes beyond = uniform_tile(4, 0, 1);
    coif_tile_reader reader = {.data = beyond.data, .size = beyond.size};
    CHECK(!coif_tile_next(&reader, &map, &tile, &error) && error.status == COIF_ERR_FORMAT);
    coif_paint_map_free(&map);
}

// Three maps of one image, two of them of one channel: the file is written once, with all channels.
TEST(maps_of_one_image_paint_their_own_channels)
{
    enum { SIDE = 64 };
    float *pixels = coif_arena_new(&arena, 3 * SIDE * SIDE, float);
    for (int i = 0; i < 3 * SIDE * SIDE; ++i) {
        pixels[i] = 0.2f * (float)(1 + i % 3);
    }
    const coif_image_desc desc = {
        .width = SIDE,
        .height = SIDE,
        .channel_count = 3,
        .channel_types =
            (coif_image_type[]){COIF_IMAGE_UINT16, COIF_IMAGE_UINT16, COIF_IMAGE_UINT16},
        .pixels = pixels};
    coif_error error = {0};
    const char *image = coif_arena_copy_text(&arena, coif_test_path("three.png"));
    CHECK_OK(coif_image_save(image, &desc, &error), error);
    const char *path = write_scene("channels.json");
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, path);
    const coif_edit edit = {
        "/grooms/0/maps",
        "[{\"name\": \"a\", \"plugin\": \"density.texture\", \"path\": \"three.png\", "
        "\"channel\": \"blue\"}, {\"name\": \"b\", \"plugin\": \"density.texture\", \"path\": "
        "\"three.png\"}, {\"name\": \"c\", \"plugin\": \"density.texture\", \"path\": "
        "\"three.png\", \"channel\": \"blue\", \"invert\": true}]"};
    CHECK_OK(coif_studio_edit(studio, &edit, 1, "", &error), error);
    const coif_node *maps =
        coif_node_at(&coif_node_at(studio->scene.root, "grooms")->children[0], "maps");
    coif_paint_map *blue = coif_paint_maps_of_node(&studio->maps, &maps->children[0]);
    coif_paint_map *red = coif_paint_maps_of_node(&studio->maps, &maps->children[1]);
    CHECK(blue != NULL && red != NULL && blue != red && blue->channel == 2 && red->channel == 0);
    CHECK(coif_paint_maps_of_node(&studio->maps, &maps->children[2]) == blue &&
          studio->maps.count == 2);
    const coif_bytes dark = uniform_tile(0, 0, 0);
    CHECK_OK(coif_studio_paint(studio, blue, "s", &dark, &error), error);
    const coif_bytes light = uniform_tile(0, 0, 65535);
    CHECK_OK(coif_studio_paint(studio, red, "t", &light, &error), error);
    // After a crash the journal has the channels.
    coif_studio *again = coif_arena_new(&arena, 1, coif_studio);
    open_studio(again, path);
    CHECK(again->replayed == 3);
    coif_tile_texels tile = {0};
    coif_paint_map_read(coif_paint_maps_find(&again->maps, image, 2), &tile);
    CHECK(tile.texels[77] == 0);
    coif_paint_map_read(coif_paint_maps_find(&again->maps, image, 0), &tile);
    CHECK(tile.texels[77] == 65535);
    coif_studio_close(again);

    bool modified;
    CHECK_OK(coif_studio_save(studio, false, &modified, &error), error);
    CHECK(!coif_studio_dirty(studio));
    coif_image after, before;
    CHECK_OK(coif_image_load(&after, image, &arena, &error), error);
    CHECK(after.channel_count == 3 && after.pixels[0] == 1.0f && after.pixels[2] == 0.0f);
    CHECK_NEAR(after.pixels[1], 0.4, 1e-4);
    CHECK_OK(coif_image_load(&before, coif_test_path("three.previous.png"), &arena, &error), error);
    CHECK_NEAR(before.pixels[0], 0.2, 1e-4);
    // An export has the channel alone.
    char *data;
    size_t size;
    CHECK_OK(coif_paint_map_encode(&data, &size, blue, &blue->udims[0], "blue.png", &arena, &error),
             error);
    CHECK_OK(coif_file_save(coif_test_path("blue.png"), data, size, &error), error);
    CHECK_OK(coif_image_load(&after, coif_test_path("blue.png"), &arena, &error), error);
    CHECK(after.channel_count == 1 && after.pixels[0] == 0.0f);
    coif_studio_close(studio);
}

// The second edit references a file that does not exist.
TEST(a_failed_edit_keeps_maps_and_bodies)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, write_scene("failed.json"));
    new_density(studio);
    paint(studio, "s", uniform_tile(0, 0, 7));
    const int32_t triangles = studio->bodies[0].rest.triangle_count;
    const coif_edit edits[] = {
        {"/bodies/0/mesh", "\"triangle.obj\""},
        {"/grooms/0/maps",
         "[{\"name\": \"a\", \"plugin\": \"density.texture\", \"path\": \"missing.png\"}]"},
        {"/grooms/0/density", NULL}};
    coif_error error = {0};
    static const char triangle[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    CHECK_OK(coif_file_save(coif_test_path("triangle.obj"), triangle, strlen(triangle), &error),
             error);
    CHECK(coif_studio_edit(studio, edits, 3, "", &error) != COIF_OK);
    CHECK_CONTAINS(error.text, "missing.png");
    CHECK(studio->maps.items[0].referenced && coif_studio_dirty(studio));
    CHECK(studio->bodies[0].rest.triangle_count == triangles);
    coif_studio_close(studio);
}

static double number_at(const coif_scene *scene, const char *section, const char *param)
{
    const coif_node *node = coif_node_at(scene->root, section);
    const coif_node *first = node->child_count > 0 ? &node->children[0] : node;
    return coif_values_find(&first->values, param)->numbers[0];
}

TEST(a_draft_has_few_strands_and_a_small_image)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    coif_error error = {0};
    open_studio(studio, write_scene("draft.json"));
    const char *items[] = {"grooms/0/count=50000", "image/width=1280", "image/height=960"};
    const coif_overrides wanted = {items, 3};
    coif_scene whole, draft;
    coif_overrides sets;
    CHECK_OK(coif_studio_snapshot(&whole, NULL, studio, &wanted, &arena, &error), error);
    CHECK(coif_groom_cache_draft(&sets, studio, &whole, &wanted, true, &arena));
    CHECK_OK(coif_studio_snapshot(&draft, NULL, studio, &sets, &arena, &error), error);
    CHECK(number_at(&draft, "grooms", "count") == 2500.0);
    CHECK(number_at(&draft, "image", "width") == 512.0);
    CHECK(number_at(&draft, "image", "height") == 384.0);
    // A region is in pixels: no other size.
    CHECK(coif_groom_cache_draft(&sets, studio, &whole, &wanted, false, &arena));
    CHECK_OK(coif_studio_snapshot(&draft, NULL, studio, &sets, &arena, &error), error);
    CHECK(number_at(&draft, "image", "width") == 1280.0);
    // Strands per area count on the real surface: a square of 4 m2.
    const char *density[] = {"grooms/0/strands_per_cm2=1"};
    const coif_overrides per_area = {density, 1};
    CHECK_OK(coif_studio_snapshot(&whole, NULL, studio, &per_area, &arena, &error), error);
    CHECK(coif_groom_cache_draft(&sets, studio, &whole, &per_area, true, &arena));
    // No draft for few strands.
    const coif_overrides none = {NULL, 0};
    CHECK_OK(coif_studio_snapshot(&whole, NULL, studio, &none, &arena, &error), error);
    CHECK(!coif_groom_cache_draft(&sets, studio, &whole, &none, true, &arena));
    coif_studio_close(studio);
}
