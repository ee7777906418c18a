// Fuzz target: wind field files give an error or finite winds everywhere.
#include "plugins/host/host.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/input_file.h"
#include "tests/support/plugin_node.h"

enum { COUNT = 64 };

static void blow(coif_plugin_instance *instance, double time)
{
    static float position[3][COUNT], wind[3][COUNT], push[3][COUNT];
    static const float still[COUNT];
    memset(wind, 0, sizeof wind);
    for (int i = 0; i < COUNT; ++i) {
        for (int a = 0; a < 3; ++a) {
            position[a][i] = (float)((i * (7 + a) % 23) - 11) * 0.3f;
        }
    }
    const coif_force_batch batch = {sizeof batch, COUNT,   time,    position[0], position[1],
                                    position[2],  still,   still,   still,       wind[0],
                                    wind[1],      wind[2], push[0], push[1],     push[2]};
    coif_plugin_eval_force(instance, &batch);
    for (int i = 0; i < COUNT; ++i) {
        if (!isfinite(wind[0][i]) || !isfinite(wind[1][i]) || !isfinite(wind[2][i])) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static coif_arena kept = {.name = "plugins"};
    static coif_plugins *plugins;
    if (plugins == NULL && coif_plugins_open(&plugins, NULL, &kept, NULL) != COIF_OK) {
        abort();
    }
    COIF_SCOPED_ARENA(arena, "fuzz");
    const coif_plugin *field = coif_plugins_find(plugins, "wind.field");
    const char *path = input_file(data, size, ".wind");
    for (int loop = 0; loop < 2; ++loop) {
        const plugin_value values[] = {
            {"path", {0}, path}, {"loop", {loop}, NULL}, {"outside", {loop}, NULL}, {0}};
        coif_plugin_instance *instance;
        coif_error error = {0};
        if (coif_plugin_instance_open(&instance, plugin_node(field, values, &arena), 1.0, &arena,
                                      &error) != COIF_OK) {
            if (error.text[0] == '\0') {
                abort();
            }
            return 0;
        }
        blow(instance, 0.0);
        blow(instance, 1e5);
    }
    return 0;
}

size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    static const char *const HEADERS[] = {
        "coif-wind 1\nsize 2 2 2\nlow -1 -1 -1\nhigh 1 1 1\nframes 2\nfps 24\n\n",
        "coif-wind 1\r\nfps 0.5\r\nframes 1\r\nhigh 1e3 2 3\r\nlow -.5 0 0\r\nsize 3 1 1\r\n\r\n",
        "coif-wind 1\nsize 1 1 1\nlow 0 0 0\nhigh 1 1 1\nframes 1\nfps 1\n\n"};
    static const int VELOCITIES[] = {16, 3, 1};
    if (index >= (int)COIF_COUNT_OF(HEADERS)) {
        return 0;
    }
    const size_t length = strlen(HEADERS[index]), size = length + 12 * (size_t)VELOCITIES[index];
    if (size > capacity) {
        return 0;
    }
    memset(data, 0, size);
    memcpy(data, HEADERS[index], length);
    const float gust = 2.5f;
    memcpy(data + length, &gust, sizeof gust);
    return size;
}
