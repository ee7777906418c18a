// check: whether what a module offers is fit to be used, and if not, why.
//
// A module is somebody else's code: every number it states is looked at before it is believed. A
// wrong pointer cannot be caught, a wrong size can.
#ifndef COIF_PLUGINS_HOST_PLUGIN_VALIDATE_H
#define COIF_PLUGINS_HOST_PLUGIN_VALIDATE_H

#include "core/base/base.h"

typedef struct coif_why {
    char text[512];
} coif_why;

// The list itself: its ABI number, its count, its pointers.
bool coif_check_list(const coif_plugin_list *list, coif_why *why);

// One plugin. Fields past struct_size are taken as absent: *plugin is the whole struct of this
// version, filled as far as the module knows it.
bool coif_check_plugin(coif_plugin *plugin, const coif_plugin *offered, coif_why *why);

// Bytes of a field of that type inside a params struct; 0 for an unknown type.
uint32_t coif_param_bytes(int32_t type);

#endif
