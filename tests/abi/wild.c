// wild.*: plugins that are well described and behave badly: they divide by zero, fail without a
// word, or return a status that does not exist.
#include <coif/plugin.h>

#include <math.h>

// Every third point gets something that is not a number.
static void wild_force(const coif_host *host, const void *state, const void *params,
                       const coif_force_batch *batch)
{
    (void)host, (void)state, (void)params;
    for (int32_t i = 0; i < batch->count; ++i) {
        batch->wind_x[i] += 1.0f;
        batch->ay[i] = fabsf(batch->x[i] - 3.0f * floorf(batch->x[i] / 3.0f)) < 0.5f ? NAN : 2.0f;
    }
}

static void wild_map(const coif_host *host, const void *state, const void *params,
                     const coif_map_batch *batch)
{
    (void)host, (void)state, (void)params;
    for (int32_t i = 0; i < batch->count; ++i) {
        batch->value[i] = i % 2 == 0 ? INFINITY : 0.25f;
    }
}

static void wild_groom(const coif_host *host, const void *state, const void *params,
                       const coif_groom_batch *batch)
{
    (void)host, (void)state, (void)params;
    for (int32_t s = 0; s < batch->strand_count; ++s) {
        for (int32_t i = batch->first[s]; i < batch->first[s + 1]; ++i) {
            batch->y[i] += 1.0f;
        }
        if ((batch->strand_begin + s) % 2 == 1) {
            batch->radius[batch->first[s + 1] - 1] = -INFINITY;
        }
    }
}

static coif_status fail_silently(const coif_host *host, void *state, const void *params)
{
    (void)host, (void)state, (void)params;
    return COIF_ERR_IO;
}

static coif_status fail_strangely(const coif_host *host, void *state, const void *params)
{
    (void)state, (void)params;
    host->set_error(host, "first reason");
    host->set_error(host, "second reason");
    return (coif_status)4711;
}

static coif_status fail_later(const coif_host *host, void *state, const void *params, double time)
{
    (void)state, (void)params;
    host->set_error(host, "no more at %g s", time);
    return time > 1.0 ? COIF_ERR_PLUGIN : COIF_OK;
}

#define WILD(name, sort, ...)                                                                      \
    {                                                                                              \
        .struct_size = sizeof(coif_plugin), .kind = sort, .id = name, .version = "1", .help = "",  \
        __VA_ARGS__                                                                                \
    }

static const coif_plugin FORCE = WILD("wild.force", COIF_KIND_FORCE, .force = wild_force);
static const coif_plugin MAP = WILD("wild.map", COIF_KIND_MAP, .map = wild_map);
static const coif_plugin GROOM = WILD("wild.groom", COIF_KIND_GROOM, .groom = wild_groom);
static const coif_plugin SILENT =
    WILD("wild.silent", COIF_KIND_MAP, .map = wild_map, .init = fail_silently);
static const coif_plugin STRANGE =
    WILD("wild.strange", COIF_KIND_MAP, .map = wild_map, .init = fail_strangely);
static const coif_plugin LATER =
    WILD("wild.later", COIF_KIND_MAP, .map = wild_map, .frame = fail_later);

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&FORCE, &MAP, &GROOM, &SILENT, &STRANGE, &LATER};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 6, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
