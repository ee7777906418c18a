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

// Rows of PARAMS.
enum { TAPER_TIP_SCALE, TAPER_START, TAPER_ROOT_SCALE, TAPER_VARIATION };

#define ROW(...) COIF_PLUGIN_ROW(taper_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(tip_scale, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Fraction of the radius at the tip.", "", 0.2, 0, 0, 0, 1),
    ROW(start, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Position along the strand, from 0 to 1, at which tapering begins.", "", 0.6, 0, 0, 0, 0.99),
    ROW(root_scale, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Fraction of the radius at the root.", "", 1, 0, 0, 0.05, 1),
    ROW(variation, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Maximum random relative reduction of the radius.", "", 0, 0, 0, 0, 0.95),
};
// clang-format on

static void taper_strand(const taper_params *taper, const coif_groom_batch *batch, int32_t strand)
{
    const float tip = coif_kit_strand_param(batch, TAPER_TIP_SCALE, strand, taper->tip_scale);
    const float from = coif_kit_strand_param(batch, TAPER_START, strand, taper->start);
    const float root = coif_kit_strand_param(batch, TAPER_ROOT_SCALE, strand, taper->root_scale);
    const float variation = coif_kit_strand_param(batch, TAPER_VARIATION, strand, taper->variation);
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
            1.0f - coif_kit_point_param(batch, TAPER_VARIATION, walk.point, variation) * chance;
        batch->radius[walk.point] *= own * begin * coif_kit_mix(1.0f, tip, end);
    } while (coif_kit_strand_walk_next(&walk));
}

COIF_KIT_EACH_STRAND(taper_groom, taper_strand)

static const coif_plugin TAPER = {
    COIF_PLUGIN_HEAD(COIF_KIND_GROOM, "groom.taper", "1.0.0", "Tapers the radius of strands.",
                     PARAMS, taper_params),
    .groom = taper_groom,
};

COIF_PLUGIN_ENTRY(TAPER)
