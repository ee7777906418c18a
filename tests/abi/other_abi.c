// A module of another ABI version that ignores the host's number.
#include <coif/plugin.h>

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    (void)host_abi;
    static const coif_plugin_list list = {77, 1, NULL};
    return &list;
}
