// stranger.lift: a module in C++ that lifts strands by a mapped amount, and uses the kit.
// All headers of the kit are C++ as well.
#include <coif/deterministic_math.h>
#include <coif/nearest_strand.h>
#include <coif/noise.h>
#include <coif/plugin.h>
#include <coif/shorten.h>
#include <coif/strand.h>
#include <coif/strand_cursor.h>

namespace
{

struct lift_params {
    float height;
};

coif_param height_row()
{
    coif_param row = {};
    row.name = "height";
    row.help = "how far the tip goes up";
    row.unit = "m";
    row.type = COIF_PARAM_FLOAT;
    row.flags = COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP;
    row.offset = offsetof(lift_params, height);
    row.fallback[0] = 0.5;
    row.high = 10;
    return row;
}

void lift(const coif_host *, const void *, const void *params, const coif_groom_batch *batch)
{
    const float height = static_cast<const lift_params *>(params)->height;
    for (int32_t strand = 0; strand < batch->strand_count; ++strand) {
        const float own = coif_kit_strand_param(batch, 0, strand, height);
        for (int32_t point = batch->first[strand] + 1; point < batch->first[strand + 1]; ++point) {
            batch->y[point] += coif_kit_point_param(batch, 0, point, own);
        }
    }
}

coif_plugin describe(const coif_param *rows)
{
    coif_plugin plugin = {};
    plugin.struct_size = sizeof plugin;
    plugin.kind = COIF_KIND_GROOM;
    plugin.id = "stranger.lift";
    plugin.version = "1.0.0";
    plugin.help = "lifts strands";
    plugin.params = rows;
    plugin.param_count = 1;
    plugin.param_stride = sizeof *rows;
    plugin.params_size = sizeof(lift_params);
    plugin.groom = lift;
    return plugin;
}

coif_param row;
coif_plugin plugin;

} // namespace

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&plugin};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    row = height_row();
    plugin = describe(&row);
    return host_abi == COIF_PLUGIN_ABI ? &list : nullptr;
}
