#include "tools/cli/sample_wind.h"

#include "core/json/json_writer.h"

#include <string.h>

static const char *const AXES[3] = {"x", "y", "z"};

// A scene of this force alone; --set NAME=VALUE applies to its parameters.
static coif_status open_force(coif_plugin_instance **instance, coif_app *app,
                              const coif_sample_wind_desc *desc, coif_error *error)
{
    COIF_TRY(coif_app_open_plugins(app, error));
    const coif_plugin *plugin = coif_plugins_find(app->plugins, desc->plugin);
    if (plugin->kind != COIF_KIND_FORCE) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "--sample: %s is not a force plugin; only forces have an air velocity",
                         plugin->id);
    }
    const char *text = coif_arena_print(
        &app->arena, "{\"coif\": 1, \"forces\": [{\"plugin\": \"%s\"}]}", plugin->id);
    const coif_text_list *given = &app->globals.set;
    const char **sets = coif_arena_new(&app->arena, given->count, const char *);
    for (int32_t i = 0; i < given->count; ++i) {
        sets[i] = coif_arena_print(&app->arena, "forces/0/%s", given->items[i]);
    }
    const coif_plugin_lookup lookup = coif_plugins_lookup(app->plugins);
    const coif_scene_desc scene_desc = {.path = plugin->id,
                                        .sets = sets,
                                        .set_count = given->count,
                                        .tree = coif_scene_tree(&app->arena),
                                        .plugins = &lookup,
                                        .source = text,
                                        .source_size = strlen(text)};
    coif_scene scene;
    COIF_TRY(coif_scene_load(&scene, &scene_desc, &app->arena, error));
    const coif_node *force = &coif_node_at(scene.root, "forces")->children[0];
    COIF_TRY(coif_plugin_instance_open(instance, force, 1.0, &app->arena, error));
    return coif_plugin_begin_frame(*instance, 1.0, desc->time, error);
}

// Evaluates one row of the grid; the returned arrays are in arena.
static coif_force_batch sample_row(coif_plugin_instance *instance,
                                   const coif_sample_wind_desc *desc, int across, int up,
                                   int32_t row, coif_arena *arena)
{
    const int32_t n = desc->resolution;
    float *position[3], *zero = coif_arena_new(arena, n, float);
    for (int a = 0; a < 3; ++a) {
        position[a] = coif_arena_new(arena, n, float);
    }
    for (int32_t i = 0; i < n; ++i) {
        position[across][i] = (float)(desc->extent * ((2.0 * i + 1.0) / n - 1.0));
        position[up][i] = (float)(desc->extent * ((2.0 * row + 1.0) / n - 1.0));
    }
    const coif_force_batch batch = {.struct_size = sizeof batch,
                                    .count = n,
                                    .time = desc->time,
                                    .x = position[0],
                                    .y = position[1],
                                    .z = position[2],
                                    .vx = zero,
                                    .vy = zero,
                                    .vz = zero,
                                    .wind_x = coif_arena_new(arena, n, float),
                                    .wind_y = coif_arena_new(arena, n, float),
                                    .wind_z = coif_arena_new(arena, n, float),
                                    .ax = coif_arena_new(arena, n, float),
                                    .ay = coif_arena_new(arena, n, float),
                                    .az = coif_arena_new(arena, n, float)};
    coif_plugin_eval_force(instance, &batch);
    return batch;
}

static void write_row(coif_json_writer *writer, const coif_force_batch *batch)
{
    coif_strbuf text;
    coif_strbuf_init(&text, writer->text.arena);
    for (int32_t i = 0; i < batch->count; ++i) {
        coif_strbuf_print(&text, "%s[%.6g, %.6g, %.6g]", i > 0 ? ", " : "[",
                          (double)batch->wind_x[i], (double)batch->wind_y[i],
                          (double)batch->wind_z[i]);
    }
    coif_strbuf_add(&text, "]");
    coif_write_raw(writer, NULL, text.data);
}

coif_status coif_sample_wind(coif_app *app, const coif_sample_wind_desc *desc, coif_error *error)
{
    coif_plugin_instance *instance;
    COIF_TRY(open_force(&instance, app, desc, error));
    const int across = desc->plane == COIF_WIND_ZY ? 2 : 0;
    const int up = desc->plane == COIF_WIND_XZ ? 2 : 1;
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    coif_write_open(&writer, NULL, "{");
    coif_write_text(&writer, "plugin", desc->plugin);
    coif_write_text(&writer, "help", coif_plugins_find(app->plugins, desc->plugin)->help);
    coif_write_number(&writer, "time", desc->time);
    coif_write_number(&writer, "extent", desc->extent);
    coif_write_text(&writer, "right", AXES[across]);
    coif_write_text(&writer, "up", AXES[up]);
    // Samples at cell centres, rows from the lower edge to the upper one.
    coif_write_open(&writer, "velocity", "[");
    for (int32_t row = 0; row < desc->resolution; ++row) {
        const coif_force_batch batch = sample_row(instance, desc, across, up, row, &app->arena);
        write_row(&writer, &batch);
    }
    coif_write_close(&writer, "]");
    coif_write_close(&writer, "}");
    coif_strbuf_add(&writer.text, "\n");
    return coif_app_print(writer.text.data, desc->path, error);
}
