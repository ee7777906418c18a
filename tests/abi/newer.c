// newer.wind: as if built with a later header of the same ABI: longer structs, a longer stride.
#include <coif/plugin.h>

typedef struct newer_param {
    coif_param known;
    const char *colour_of_the_knob;
} newer_param;

typedef struct newer_plugin {
    coif_plugin known;
    void (*sing)(void);
} newer_plugin;

typedef struct newer_params {
    float a, b;
} newer_params;

static void blow(const coif_host *host, const void *state, const void *params,
                 const coif_force_batch *batch)
{
    (void)host, (void)state;
    const newer_params *newer = params;
    for (int32_t i = 0; i < batch->count; ++i) {
        batch->wind_x[i] += newer->a;
        batch->wind_y[i] += newer->b;
    }
}

// clang-format off
static const newer_param ROWS[] = {
    {.known = {.name = "a", .help = "", .unit = "", .type = COIF_PARAM_FLOAT, .flags = 1u << 20, .offset = 0, .fallback = {3}}, "red"},
    {.known = {.name = "b", .help = "", .unit = "", .type = COIF_PARAM_FLOAT, .offset = 4, .fallback = {4}}, "blue"},
};
// clang-format on

static const newer_plugin NEWER = {
    .known = {.struct_size = sizeof(newer_plugin),
              .kind = COIF_KIND_FORCE,
              .id = "newer.wind",
              .version = "7.0.0",
              .help = "a wind of tomorrow",
              .params = &ROWS[0].known,
              .param_count = 2,
              .param_stride = sizeof ROWS[0],
              .params_size = sizeof(newer_params),
              .force = blow},
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&NEWER.known};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
