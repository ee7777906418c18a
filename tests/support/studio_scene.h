// studio_scene: a document of a small scene with a map to paint.
#ifndef COIF_TESTS_SUPPORT_STUDIO_SCENE_H
#define COIF_TESTS_SUPPORT_STUDIO_SCENE_H

#include "tests/support/test.h"
#include "tools/cli/command.h"
#include "tools/studio/server/document/paint_map_create.h"

static coif_arena arena = {.name = "test"};

// A scene with one groom on a square of 2 m.
static inline const char *write_scene(const char *name)
{
    static const char scene[] =
        "{\n  \"coif\": 1,\n  \"bodies\": [{\"name\": \"ball\", \"mesh\": \"ball.obj\"}],\n"
        "  \"grooms\": [{\"name\": \"hair\", \"body\": \"ball\", \"count\": 4000}]\n}\n";
    static const char ball[] = "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nvt 0 0\nvt 1 0\nvt 1 1\n"
                               "vt 0 1\nf 1/1 4/4 3/3 2/2\n";
    coif_error error = {0};
    CHECK_OK(coif_file_save(coif_test_path("ball.obj"), ball, strlen(ball), &error), error);
    const char *path = coif_arena_copy_text(&arena, coif_test_path(name));
    CHECK_OK(coif_file_save(path, scene, strlen(scene), &error), error);
    return path;
}

static coif_plugins *plugins;

static inline void open_studio(coif_studio *studio, const char *path)
{
    coif_error error = {0};
    if (plugins == NULL) {
        CHECK_OK(coif_plugins_open(&plugins, NULL, &arena, &error), error);
    }
    const coif_studio_desc desc = {
        .path = path, .tree = coif_scene_tree(&arena), .plugins = coif_plugins_lookup(plugins)};
    CHECK_OK(coif_studio_open(studio, &desc, &arena, &error), error);
}

static inline coif_paint_map *new_density(coif_studio *studio)
{
    coif_error error = {0};
    const coif_new_paint_map desc = {.groom = 0, .name = "density", .size = 256, .value = 65535};
    CHECK_OK(coif_studio_add_map(studio, &desc, &error), error);
    const coif_edit edit = {"/grooms/0/density", "{\"map\": \"density\"}"};
    CHECK_OK(coif_studio_edit(studio, &edit, 1, "", &error), error);
    return &studio->maps.items[0];
}

// Record of a tile of one value.
static inline coif_bytes uniform_tile(uint16_t column, uint16_t row, uint16_t value)
{
    static uint16_t record[4];
    record[0] = column;
    record[1] = row;
    record[2] = 1;
    record[3] = value;
    return (coif_bytes){"tiles", record, sizeof record};
}

static inline void paint(coif_studio *studio, const char *stroke, coif_bytes tiles)
{
    coif_error error = {0};
    CHECK_OK(coif_studio_paint(studio, &studio->maps.items[0], stroke, &tiles, &error), error);
}

static inline float texel(const coif_studio *studio, int x, int y)
{
    const coif_paint_map *map = &studio->maps.items[0];
    return coif_image_texel(&map->udims[0].image, map->channel,
                            ((float)x + 0.5f) / (float)map->width,
                            1.0f - ((float)y + 0.5f) / (float)map->height);
}

#endif
