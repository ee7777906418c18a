// builtin: entry functions of the built-in plugins. Their sources are the same as those of loadable
// modules; the build renames coif_plugin_entry per file.
#ifndef COIF_PLUGINS_HOST_BUILTIN_H
#define COIF_PLUGINS_HOST_BUILTIN_H

#include "core/base/base.h"

typedef const coif_plugin_list *(*coif_plugin_entry_function)(uint32_t host_abi);

// NULL-terminated.
extern const coif_plugin_entry_function COIF_BUILTIN_ENTRIES[];

#endif
