// A module with a list that holds nothing.
#include <coif/plugin.h>

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    (void)host_abi;
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 3, NULL};
    return &list;
}
