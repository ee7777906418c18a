// Scene nodes without a scene file, for tests of plugins.
#ifndef COIF_TESTS_SUPPORT_PLUGIN_NODE_H
#define COIF_TESTS_SUPPORT_PLUGIN_NODE_H

#include "plugins/host/host.h"
#include "tests/support/test.h"

// One value that differs from its default; vectors use all three numbers, paths and strings text.
typedef struct plugin_value {
    const char *name;
    double numbers[3];
    const char *text;
} plugin_value;

// Values end with one whose name is NULL; values itself may be NULL.
static inline coif_node *plugin_node(const coif_plugin *plugin, const plugin_value *values,
                                     coif_arena *arena)
{
    coif_node *node = coif_arena_new(arena, 1, coif_node);
    node->path = "/test/0";
    node->plugin = plugin;
    coif_values_init(&node->plugin_values, plugin->params, plugin->param_count, arena);
    for (; values != NULL && values->name != NULL; ++values) {
        bool found = false;
        for (uint32_t row = 0; row < plugin->param_count; ++row) {
            if (strcmp(node->plugin_values.rows[row].name, values->name) == 0) {
                coif_value *value = &node->plugin_values.values[row];
                double *numbers = coif_arena_new(arena, 3, double);
                memcpy(numbers, values->numbers, sizeof values->numbers);
                value->given = true;
                value->numbers = numbers;
                value->text = values->text;
                found = true;
            }
        }
        if (!found) {
            coif_test_failed(__FILE__, __LINE__, "%s has no parameter %s", plugin->id,
                             values->name);
        }
    }
    return node;
}

// An instance of a plugin that must be there and must open.
static inline coif_plugin_instance *plugin_instance(const coif_plugins *plugins, const char *id,
                                                    const plugin_value *values, coif_arena *arena)
{
    coif_error error = {0};
    coif_plugin_instance *instance = NULL;
    const coif_plugin *plugin = coif_plugins_find(plugins, id);
    if (plugin == NULL) {
        coif_test_failed(__FILE__, __LINE__, "no plugin %s", id);
        return NULL;
    }
    CHECK_OK(coif_plugin_instance_open(&instance, plugin_node(plugin, values, arena), 1.0, arena,
                                       &error),
             error);
    return instance;
}

#endif
