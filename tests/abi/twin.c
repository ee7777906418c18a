// A module that wants to be wind.uniform, and brings one plugin twice.
#include <coif/plugin.h>

static void blow(const coif_host *host, const void *state, const void *params,
                 const coif_force_batch *batch)
{
    (void)host, (void)state, (void)params, (void)batch;
}

#define PLUGIN(name)                                                                               \
    {                                                                                              \
        .struct_size = sizeof(coif_plugin), .kind = COIF_KIND_FORCE, .id = name,                   \
        .version = "9.9.9", .help = "a twin", .force = blow                                        \
    }

static const coif_plugin UNIFORM = PLUGIN("wind.uniform");
static const coif_plugin TWIN = PLUGIN("twin.once");

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    (void)host_abi;
    static const coif_plugin *const plugins[] = {&UNIFORM, &TWIN, &TWIN};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 3, plugins};
    return &list;
}
