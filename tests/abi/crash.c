// Maps that crash: one writes to invalid memory, one overflows the stack.
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

static volatile int depth;

static int recurse(volatile char *caller)
{
    volatile char frame[4096];
    frame[0] = caller[0];
    ++depth;
    return recurse(frame) + frame[0];
}

static void overflow(const coif_host *host, const void *state, const void *params,
                     const coif_map_batch *batch)
{
    (void)host, (void)state, (void)params;
    volatile char first = 1;
    batch->value[0] = (float)recurse(&first);
}

static const coif_plugin OVERFLOW = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_MAP,
    .id = "crash.overflow",
    .version = "1.0.0",
    .help = "overflows the stack",
    .map = overflow,
};

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
    static const coif_plugin *const plugins[] = {&CRASH, &OVERFLOW};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 2, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : 0;
}
