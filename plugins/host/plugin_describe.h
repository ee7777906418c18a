// plugin_describe: text description of a plugin and its parameter table.
#ifndef COIF_PLUGINS_HOST_PLUGIN_DESCRIBE_H
#define COIF_PLUGINS_HOST_PLUGIN_DESCRIBE_H

#include "core/base/base.h"

// "force", "map", "groom".
const char *coif_kind_name(int32_t kind);

// Id, version, kind and help, then a table with one line per parameter: name, type, unit, range,
// default, help with mappable and ramp flags. Every line ends with a newline.
char *coif_plugins_describe(const coif_plugin *plugin, coif_arena *arena);

#endif
