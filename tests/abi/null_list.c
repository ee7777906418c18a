// A module that refuses every host.
#include <coif/plugin.h>

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    (void)host_abi;
    return NULL;
}
