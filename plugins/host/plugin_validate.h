// plugin_validate: checks of the tables of a module before its plugins are registered.
//
// Modules are untrusted: every number is checked before it is used. Invalid pointers cannot be
// detected, invalid sizes can.
#ifndef COIF_PLUGINS_HOST_PLUGIN_VALIDATE_H
#define COIF_PLUGINS_HOST_PLUGIN_VALIDATE_H

#include "core/base/base.h"

typedef struct coif_reject_reason {
    char text[512];
} coif_reject_reason;

// Checks ABI number, count and pointers of a list.
bool coif_plugin_list_validate(const coif_plugin_list *list, coif_reject_reason *why);

// Checks one plugin and copies it to *plugin; fields beyond its struct_size are 0. Its parameter
// rows have our size afterwards, in the arena where those of the module have another.
bool coif_plugin_validate(coif_plugin *plugin, const coif_plugin *offered, coif_arena *arena,
                          coif_reject_reason *why);

#endif
