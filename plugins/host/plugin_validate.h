// check: whether what a module offers is fit to be used, and if not, why.
//
// A module is somebody else's code: every number it states is looked at before it is believed. A
// wrong pointer cannot be caught, a wrong size can.
#ifndef COIF_PLUGINS_HOST_PLUGIN_VALIDATE_H
#define COIF_PLUGINS_HOST_PLUGIN_VALIDATE_H

#include "core/base/base.h"

typedef struct coif_reject_reason {
    char text[512];
} coif_reject_reason;

// The list itself: its ABI number, its count, its pointers.
bool coif_plugin_list_validate(const coif_plugin_list *list, coif_reject_reason *why);

// One plugin. Fields past struct_size are taken as absent: *plugin is the whole struct of this
// version, filled as far as the module knows it.
bool coif_plugin_validate(coif_plugin *plugin, const coif_plugin *offered, coif_reject_reason *why);

// Bytes of a field of that type inside a params struct; 0 for an unknown type.
uint32_t coif_param_bytes(int32_t type);

#endif
