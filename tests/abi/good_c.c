// stranger.vortex: a whole module in C that uses every service, built from the header alone.
#include <coif/plugin.h>

#include <math.h>

typedef struct vortex_params {
    float centre[3];
    float speed;
    int32_t turns;
    int32_t on;
    int32_t direction;
    const char *note;
} vortex_params;

typedef struct vortex_state {
    float *table; // from the host, freed by the host
    double time;
} vortex_state;

static const char *const DIRECTIONS[] = {"left", "right", NULL};

// clang-format off
#define ROW(field, kind, units, a, b, c) \
    .name = #field, .help = "of the vortex", .unit = units, .type = kind, .offset = offsetof(vortex_params, field), .fallback = {a, b, c}
static const coif_param PARAMS[] = {
    {ROW(centre, COIF_PARAM_VEC3, "m", 1, 2, 3)},
    {ROW(speed, COIF_PARAM_FLOAT, "m/s", 5, 0, 0), .low = 0, .high = 50},
    {ROW(turns, COIF_PARAM_INT, "", 2, 0, 0), .low = 1, .high = 9},
    {ROW(on, COIF_PARAM_BOOL, "", 1, 0, 0)},
    {ROW(direction, COIF_PARAM_CHOICE, "", 1, 0, 0), .choices = DIRECTIONS},
    {ROW(note, COIF_PARAM_STRING, "", 0, 0, 0)},
};
// clang-format on

static coif_status vortex_init(const coif_host *host, void *state, const void *params)
{
    const vortex_params *vortex = params;
    vortex_state *kept = state;
    if (vortex->turns == 9) {
        host->set_error(host, "%d turns make %s dizzy", (int)vortex->turns, "everybody");
        return COIF_ERR_SCENE;
    }
    kept->table = host->alloc(host, 1000 * sizeof(float));
    if (((uintptr_t)kept->table & 63) != 0 || kept->table[999] != 0.0f) {
        host->set_error(host, "the host gave memory that is not aligned or not zero");
        return COIF_ERR_PLUGIN;
    }
    return COIF_OK;
}

static coif_status vortex_frame(const coif_host *host, void *state, const void *params, double time)
{
    (void)host, (void)params;
    ((vortex_state *)state)->time = time;
    return COIF_OK;
}

static void vortex_force(const coif_host *host, const void *state, const void *params,
                         const coif_force_batch *batch)
{
    (void)host;
    const vortex_params *vortex = params;
    const vortex_state *kept = state;
    for (int32_t i = 0; vortex->on && i < batch->count; ++i) {
        batch->wind_x[i] += vortex->speed * (vortex->direction == 1 ? 1.0f : -1.0f);
        batch->wind_y[i] += (float)kept->time;
        batch->az[i] += (float)batch->time;
    }
}

static const coif_plugin VORTEX = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_FORCE,
    .id = "stranger.vortex",
    .version = "2.1.0",
    .help = "air that turns",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(vortex_params),
    .state_size = sizeof(vortex_state),
    .init = vortex_init,
    .frame = vortex_frame,
    .force = vortex_force,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&VORTEX};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
