// A map that writes where it may not.
#include <coif/plugin.h>

static void crash(const coif_host *host, const void *state, const void *params,
                  const coif_map_batch *batch)
{
    (void)host, (void)state, (void)params;
    volatile float *volatile nowhere = 0;
    for (int32_t i = 0; i < batch->count; ++i) {
        nowhere[i] = 1.0f;
    }
}

static const coif_plugin CRASH = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_MAP,
    .id = "crash.map",
    .version = "1.0.0",
    .help = "crashes",
    .map = crash,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&CRASH};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : 0;
}
