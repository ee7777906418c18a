// groom.smooth: smooths strands by averaging segment directions.
//
// Each pass blends the direction of a segment with the mean of its neighbours; the first segment is
// fixed. Segment lengths are preserved.
#include <coif/plugin.h>
#include <coif/strand.h>

typedef struct smooth_params {
    float strength;
    int32_t iterations;
} smooth_params;

// Rows of PARAMS.
enum { SMOOTH_STRENGTH, SMOOTH_ITERATIONS };

enum { SEGMENT_COUNT_MAX = 1024 };

#define ROW(...) COIF_PLUGIN_ROW(smooth_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(strength, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Fraction by which a segment turns to the mean direction of its neighbours in each iteration.", "", 0.5, 0, 0, 0, 1),
    ROW(iterations, COIF_PARAM_INT, 0, "Number of smoothing iterations.", "", 4, 0, 0, 0, 1000),
};
// clang-format on

static void smooth_strand(const smooth_params *smooth, const coif_groom_batch *batch,
                          int32_t strand)
{
    const int32_t root = batch->first[strand];
    const int32_t segments = batch->first[strand + 1] - root - 1;
    const float strength = coif_kit_strand_param(batch, SMOOTH_STRENGTH, strand, smooth->strength);
    coif_kit_vec steps[SEGMENT_COUNT_MAX];
    float lengths[SEGMENT_COUNT_MAX];
    if (segments < 2 || segments > SEGMENT_COUNT_MAX) {
        return; // nothing to average, or beyond the limit of points per strand
    }
    for (int32_t k = 0; k < segments; ++k) {
        const coif_kit_vec step =
            coif_kit_sub(coif_kit_point(batch, root + k + 1), coif_kit_point(batch, root + k));
        lengths[k] = coif_kit_length(step);
        steps[k] = coif_kit_normalize(step, coif_kit_root_normal(batch, strand));
    }
    for (int32_t pass = 0; pass < smooth->iterations; ++pass) {
        coif_kit_vec before = steps[0];
        for (int32_t k = 1; k < segments; ++k) {
            const coif_kit_vec after = steps[k + 1 < segments ? k + 1 : k];
            const coif_kit_vec mean = coif_kit_scale(coif_kit_mad(before, 1.0f, after), 0.5f);
            const float weight = coif_kit_point_param(batch, SMOOTH_STRENGTH, root + k, strength);
            before = steps[k];
            steps[k] = coif_kit_normalize(
                coif_kit_mad(coif_kit_scale(before, 1.0f - weight), weight, mean), before);
        }
    }
    coif_kit_vec at = coif_kit_point(batch, root);
    for (int32_t k = 0; k < segments; ++k) {
        at = coif_kit_mad(at, lengths[k], steps[k]);
        coif_kit_set_point(batch, root + k + 1, at);
    }
}

COIF_KIT_EACH_STRAND(smooth_groom, smooth_strand)

static const coif_plugin SMOOTH = {
    COIF_PLUGIN_HEAD(COIF_KIND_GROOM, "groom.smooth", "1.0.0", "Removes kinks from strands.",
                     PARAMS, smooth_params),
    .groom = smooth_groom,
};

COIF_PLUGIN_ENTRY(SMOOTH)
