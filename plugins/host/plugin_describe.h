// describe: a plugin in words, for people: what it is for and what it understands.
#ifndef COIF_PLUGINS_HOST_PLUGIN_DESCRIBE_H
#define COIF_PLUGINS_HOST_PLUGIN_DESCRIBE_H

#include "core/base/base.h"

// "force", "map", "groom".
const char *coif_kind_name(int32_t kind);

// Id, version, kind and help, then one line per parameter: name, type, unit, range, default, how it
// may vary, help. Lines end with a newline.
char *coif_plugins_describe(const coif_plugin *plugin, coif_arena *arena);

#endif
