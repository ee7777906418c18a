// An even wind as a plugin, for solvers without a scene.
#ifndef COIF_TESTS_SUPPORT_TEST_WIND_H
#define COIF_TESTS_SUPPORT_TEST_WIND_H

#include "core/base/arena.h"
#include "plugins/host/host.h"
#include "tests/support/test.h"

static coif_vec3 wind_now; // m/s

static inline void wind_blow(const coif_host *host, const void *state, const void *params,
                             const coif_force_batch *batch)
{
    (void)host, (void)state, (void)params;
    for (int32_t i = 0; i < batch->count; ++i) {
        batch->wind_x[i] += wind_now.x;
        batch->wind_y[i] += wind_now.y;
        batch->wind_z[i] += wind_now.z;
    }
}

// At first along x.
static inline coif_plugin_instance *open_wind(float speed, coif_arena *arena)
{
    static const coif_plugin plugin = {.struct_size = sizeof(coif_plugin),
                                       .kind = COIF_KIND_FORCE,
                                       .id = "test.wind",
                                       .version = "1.0.0",
                                       .help = "",
                                       .param_stride = sizeof(coif_param),
                                       .force = wind_blow};
    static const coif_section section = {.name = "forces", .plugin_kind = COIF_KIND_FORCE};
    coif_node *node = coif_arena_new(arena, 1, coif_node);
    *node = (coif_node){.section = &section, .path = "/forces/0", .plugin = &plugin};
    coif_plugin_instance *wind = NULL;
    coif_error error = {0};
    wind_now = coif_vec3_of(speed, 0.0f, 0.0f);
    CHECK_OK(coif_plugin_instance_open(&wind, node, 1.0, arena, &error), error);
    return wind;
}

#endif
