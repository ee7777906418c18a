// builtin: the plugins that come with coif, linked in. Each is the same source as a loadable
// module; only its entry function has a name of its own.
#ifndef COIF_PLUGINS_HOST_BUILTIN_H
#define COIF_PLUGINS_HOST_BUILTIN_H

#include "core/base/base.h"

typedef const coif_plugin_list *(*coif_plugin_entry_function)(uint32_t host_abi);

// NULL-terminated.
extern const coif_plugin_entry_function COIF_BUILTIN_ENTRIES[];

#endif
