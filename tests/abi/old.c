// old.wind: as if built with a header that ended after `force`. What lies behind must not be read.
#include <coif/plugin.h>

static void blow(const coif_host *host, const void *state, const void *params,
                 const coif_force_batch *batch)
{
    (void)host, (void)state, (void)params;
    for (int32_t i = 0; i < batch->count; ++i) {
        batch->wind_x[i] += 1.0f;
    }
}

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static coif_plugin old;
    static const coif_plugin *const plugins[] = {&old};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    old.struct_size = offsetof(coif_plugin, map);
    old.kind = COIF_KIND_FORCE;
    old.id = "old.wind";
    old.version = "0.1.0";
    old.help = "an old wind";
    old.force = blow;
    // Memory of the old module behind its smaller struct.
    old.map = (void (*)(const coif_host *, const void *, const void *, const coif_map_batch *))8;
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
