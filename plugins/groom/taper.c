// groom.taper: scales the radius of strands towards the tip and at the root.
//
// A cut tip has the full radius, an uncut one ends in a point.
#include <coif/plugin.h>
#include <coif/strand.h>

typedef struct taper_params {
    float tip_scale;
    float start;
    float root_scale;
    float variation;
} taper_params;

enum { TIP, FROM, ROOT, VARIATION };

#define ROW(field, kind, vary, text, units, a, b, c, lowest, highest)                              \
    {                                                                                              \
        .name = #field, .help = text, .unit = units, .type = kind, .flags = vary,                  \
        .offset = offsetof(taper_params, field), .fallback = {a, b, c}, .low = lowest,             \
        .high = highest                                                                            \
    }

#define MAP  COIF_PARAM_MAPPABLE
#define BOTH COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP

// clang-format off
static const coif_param PARAMS[] = {
    ROW(tip_scale,       COIF_PARAM_FLOAT, MAP,  "Fraction of the radius at the tip.",       "", 0.2, 0, 0, 0, 1),
    ROW(start,      COIF_PARAM_FLOAT, MAP,  "Position along the strand, from 0 to 1, at which tapering begins.",  "", 0.6, 0, 0, 0, 0.99),
    ROW(root_scale,      COIF_PARAM_FLOAT, MAP,  "Fraction of the radius at the root.",                   "", 1, 0, 0, 0.05, 1),
    ROW(variation, COIF_PARAM_FLOAT, BOTH, "Maximum random relative reduction of the radius.", "", 0, 0, 0, 0, 0.95),
};
// clang-format on

static void taper_strand(const taper_params *taper, const coif_groom_batch *batch, int32_t strand)
{
    const float tip = coif_kit_strand_param(batch, TIP, strand, taper->tip_scale);
    const float from = coif_kit_strand_param(batch, FROM, strand, taper->start);
    const float root = coif_kit_strand_param(batch, ROOT, strand, taper->root_scale);
    const float variation = coif_kit_strand_param(batch, VARIATION, strand, taper->variation);
    const float chance = coif_kit_random(batch->random[strand], 71);
    const float length = coif_kit_strand_length(batch, strand);
    coif_kit_strand_walk walk =
        coif_kit_strand_walk_begin(batch, strand, coif_kit_root_normal(batch, strand));
    do {
        const float t = length > 0.0f ? walk.distance / length : 0.0f;
        const float end = coif_kit_clamp((t - from) / (1.0f - from), 0.0f, 1.0f);
        // The full radius is reached at a tenth of the length.
        const float begin = coif_kit_mix(root, 1.0f, coif_kit_smoothstep(10.0f * t));
        const float own =
            1.0f - coif_kit_point_param(batch, VARIATION, walk.point, variation) * chance;
        batch->radius[walk.point] *= own * begin * coif_kit_mix(1.0f, tip, end);
    } while (coif_kit_strand_walk_next(&walk));
}

static void taper_groom(const coif_host *host, const void *state, const void *params,
                        const coif_groom_batch *batch)
{
    (void)host, (void)state;
    for (int32_t strand = 0; strand < batch->strand_count; ++strand) {
        taper_strand(params, batch, strand);
    }
}

static const coif_plugin TAPER = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_GROOM,
    .id = "groom.taper",
    .version = "1.0.0",
    .help = "Tapers the radius of strands.",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(taper_params),
    .groom = taper_groom,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&TAPER};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
