// Fuzz target: scenes and overrides with the sections and plugins of the program. Texts after the
// first zero byte are --set options. A scene is an error with a message, or its parameters can be
// read at any frame.
#include "core/base/error.h"
#include "core/scene/scene.h"
#include "plugins/host/host.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/test.h"
#include "tools/cli/command.h"

#include <stdlib.h>

enum { SETS = 4, PARAMS_BYTES = 1 << 16 };

static void read_params(const coif_node *node, void *params)
{
    if (!node->list) {
        coif_node_read(node, 1.0, params);
        coif_node_read(node, 7.5, params);
    }
    for (int32_t i = 0; i < node->child_count; ++i) {
        read_params(&node->children[i], params);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static coif_arena kept = {.name = "plugins"};
    static coif_plugins *plugins;
    static const coif_section *tree;
    static coif_plugin_lookup lookup;
    if (plugins == NULL) {
        if (coif_plugins_open(&plugins, NULL, &kept, NULL) != COIF_OK) {
            abort();
        }
        lookup = coif_plugins_lookup(plugins);
        tree = coif_scene_tree(&kept);
    }
    COIF_SCOPED_ARENA(arena, "fuzz");
    char *text = coif_arena_new(&arena, size + 1, char);
    memcpy(text, data, size);
    const char *sets[SETS];
    int count = 0;
    for (size_t at = strlen(text); at < size && count < SETS; at += 1 + strlen(text + at + 1)) {
        sets[count++] = text + at + 1;
    }
    const coif_scene_desc desc = {.path = coif_test_source("scenes/fuzz.json"),
                                  .sets = sets,
                                  .set_count = count,
                                  .tree = tree,
                                  .plugins = &lookup,
                                  .source = text,
                                  .source_size = strlen(text)};
    coif_scene scene;
    coif_error error = {0};
    if (coif_scene_load(&scene, &desc, &arena, &error) == COIF_OK) {
        static double params[PARAMS_BYTES / sizeof(double)];
        read_params(scene.root, params);
        coif_node_digest(scene.root, NULL);
        coif_scene_fps(&scene);
    } else if (error.text[0] == '\0') {
        abort();
    }
    return 0;
}

// Scenes of the project, with overrides.
size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    static const char *const files[] = {"scenes/tiny.json", "scenes/styles.json", "scenes/bob.json",
                                        "scenes/curls.json", "scenes/crop.json"};
    static const char sets[] = "\0grooms/0/count=7\0sim/gravity=[0, 1, 2]\0"
                               "forces=[{\"plugin\": \"wind.gust\"}]\0"
                               "camera/fov={\"keys\": [[1, 20], [5, 40]]}";
    if (index >= (int)COIF_COUNT_OF(files)) {
        return 0;
    }
    FILE *file = fopen(coif_test_source(files[index]), "rb");
    if (file == NULL) {
        fprintf(stderr, "%s is missing\n", files[index]);
        abort();
    }
    const size_t size = fread(data, 1, capacity - sizeof sets, file);
    fclose(file);
    memcpy(data + size, sets, sizeof sets - 1);
    return size + sizeof sets - 1;
}
