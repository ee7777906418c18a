// groom.frizz: independent noise per strand, growing towards the tip.
//
// One-dimensional noise along the strand displaces it perpendicular to its axis. Amplitudes are
// skewed: a few strands deviate far and most of them little, which gives a halo. Segment lengths
// are preserved.
#include <coif/plugin.h>
#include <coif/strand.h>

typedef struct frizz_params {
    float amplitude;
    float wavelength;
    float unevenness;
    float fade_in;
} frizz_params;

// Rows of PARAMS.
enum { FRIZZ_AMPLITUDE, FRIZZ_WAVELENGTH, FRIZZ_UNEVENNESS, FRIZZ_FADE_IN };

#define ROW(...) COIF_PLUGIN_ROW(frizz_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(amplitude, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Displacement at the tip.", "m", 0.002, 0, 0, 0, 1),
    ROW(wavelength, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Feature size of the noise along the strand.", "m", 0.05, 0, 0, 0.001, 10),
    ROW(unevenness, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Distribution over strands: 0 displaces all alike, 1 displaces few strands far.", "", 0.7, 0, 0, 0, 1),
    ROW(fade_in, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Fraction of the length from the root over which the displacement rises to its full value.", "", 1, 0, 0, 0.01, 1),
};
// clang-format on

static void frizz_strand(const frizz_params *frizz, const coif_groom_batch *batch, int32_t strand)
{
    const uint32_t word = batch->random[strand];
    const int32_t segments = batch->first[strand + 1] - batch->first[strand] - 1;
    const float length = coif_kit_strand_length(batch, strand);
    const float finest = 4.0f * length / (float)(segments > 0 ? segments : 1);
    const float own = coif_kit_strand_param(batch, FRIZZ_WAVELENGTH, strand, frizz->wavelength);
    const float size = coif_kit_clamp(own, finest + 1e-6f, 1e6f);
    const float uneven = coif_kit_strand_param(batch, FRIZZ_UNEVENNESS, strand, frizz->unevenness);
    const float rise = coif_kit_strand_param(batch, FRIZZ_FADE_IN, strand, frizz->fade_in);
    const float full = coif_kit_clamp(rise * length, 1e-6f, 1e6f);
    const float u = coif_kit_random(word, 41);
    // Cube of a uniform number, scaled to mean 1.
    const float amplitude = 1.0f + uneven * (4.0f * u * u * u - 1.0f);
    const float reach = coif_kit_strand_param(batch, FRIZZ_AMPLITUDE, strand, frizz->amplitude);
    const float shift = coif_kit_random(word, 42);

    coif_kit_strand_walk walk =
        coif_kit_strand_walk_begin(batch, strand, coif_kit_vec_make(1.0f, 0.0f, 0.0f));
    coif_kit_vec at = walk.position, before = walk.position;
    float segment = walk.segment_length, phase = 0.0f;
    while (coif_kit_strand_walk_next(&walk)) {
        // A ramped wavelength is integrated along the strand.
        const float here = coif_kit_point_param(batch, FRIZZ_WAVELENGTH, walk.point, own);
        phase += segment / coif_kit_clamp(here, finest + 1e-6f, 1e6f);
        const float t =
            (batch->per_point[FRIZZ_WAVELENGTH] != NULL ? phase : walk.distance / size) + shift;
        const float swing = amplitude *
                            coif_kit_point_param(batch, FRIZZ_AMPLITUDE, walk.point, reach) *
                            coif_kit_smoothstep(walk.distance / full);
        coif_kit_vec swung = coif_kit_mad(
            walk.position, swing * coif_kit_noise1(t, coif_kit_hash(word, 43)), walk.side);
        swung = coif_kit_mad(swung, swing * coif_kit_noise1(t, coif_kit_hash(word, 44)), walk.up);
        at = coif_kit_mad(at, segment,
                          coif_kit_normalize(coif_kit_sub(swung, before), walk.tangent));
        coif_kit_set_point(batch, walk.point, at);
        before = swung;
        segment = walk.segment_length;
    }
}

COIF_KIT_EACH_STRAND(frizz_groom, frizz_strand)

static const coif_plugin FRIZZ = {
    COIF_PLUGIN_HEAD(COIF_KIND_GROOM, "groom.frizz", "1.0.0", "Displaces single strands by noise.",
                     PARAMS, frizz_params),
    .groom = frizz_groom,
};

COIF_PLUGIN_ENTRY(FRIZZ)
