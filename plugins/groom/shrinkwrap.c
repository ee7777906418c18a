// groom.shrinkwrap: lays hair on the body, as combed.
//
// From root to tip each segment keeps its length and takes the direction it was combed to,
// projected onto the tangent plane of the body, and a slope towards its height above it. Where the
// combed direction is normal to the body, the segment keeps the direction of its predecessor. The
// body is that of the host; without one, the head reconstructed from the roots (coif/gather.h).
#include <coif/gather.h>
#include <coif/plugin.h>

typedef struct shrinkwrap_params {
    float strength;
    float offset;
    float thickness;
    float rise_length;
} shrinkwrap_params;

// Rows of PARAMS.
enum { SHRINKWRAP_STRENGTH, SHRINKWRAP_OFFSET, SHRINKWRAP_THICKNESS, SHRINKWRAP_RISE_LENGTH };

#define ROW(...) COIF_PLUGIN_ROW(shrinkwrap_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(strength, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Fraction by which the hair follows the body; a ramp frees the tips.", "", 1, 0, 0, 0, 1),
    ROW(offset, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Distance of the lowest strands from the body.", "m", 0.0015, 0, 0, 0, 1),
    ROW(thickness, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Thickness of the layer of hair above the offset.", "m", 0.004, 0, 0, 0, 1),
    ROW(rise_length, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Length over which strands rise to their height.", "m", 0.02, 0, 0, 0.0001, 10),
};
// clang-format on

static coif_status shrinkwrap_prepare(const coif_host *host, void *state, const void *params,
                                      const coif_groom_batch *whole)
{
    (void)host, (void)params;
    coif_kit_gather *head = state;
    memset(head, 0, sizeof *head);
    if (whole->strand_count > 0) {
        coif_kit_gather_build(head, whole, coif_kit_vec_make(0.0f, 0.0f, 0.0f), 0.0f, -1);
    }
    return COIF_OK;
}

static void wrap_strand(const shrinkwrap_params *wrap, const coif_kit_gather *head,
                        const coif_groom_batch *batch, int32_t strand)
{
    const float strength =
        coif_kit_strand_param(batch, SHRINKWRAP_STRENGTH, strand, wrap->strength);
    const float offset = coif_kit_strand_param(batch, SHRINKWRAP_OFFSET, strand, wrap->offset);
    const float thickness =
        coif_kit_strand_param(batch, SHRINKWRAP_THICKNESS, strand, wrap->thickness);
    const float rise =
        coif_kit_strand_param(batch, SHRINKWRAP_RISE_LENGTH, strand, wrap->rise_length);
    const float layer = coif_kit_random(batch->random[strand], 91);
    coif_kit_vec at = coif_kit_point(batch, batch->first[strand]), before = at;
    coif_kit_vec tangent = coif_kit_root_normal(batch, strand), normal;
    float length = 0.0f;
    for (int32_t point = batch->first[strand] + 1; point < batch->first[strand + 1]; ++point) {
        const coif_kit_vec old = coif_kit_point(batch, point);
        const coif_kit_vec step = coif_kit_sub(old, before);
        const float segment = coif_kit_length(step);
        const coif_kit_vec combed = coif_kit_normalize(step, tangent);
        before = old;
        length += segment;
        const float distance = coif_kit_gather_distance(head, at, &normal);
        const float high =
            coif_kit_point_param(batch, SHRINKWRAP_OFFSET, point, offset) +
            layer * coif_kit_point_param(batch, SHRINKWRAP_THICKNESS, point, thickness);
        const float height = high * coif_kit_smoothstep(length / rise);
        const coif_kit_vec along = coif_kit_perpendicular(combed, normal);
        const coif_kit_vec kept = coif_kit_perpendicular(tangent, normal);
        coif_kit_vec on = coif_kit_mad(along, 1.0f - coif_kit_length(along), kept);
        on = coif_kit_normalize(on, coif_kit_any_perpendicular(normal));
        // The slope that reaches the height within two segments, at most 45 degrees.
        const float slope = segment > 0.0f
                                ? coif_kit_clamp(0.5f * (height - distance) / segment, -1.0f, 1.0f)
                                : 0.0f;
        on = coif_kit_normalize(coif_kit_mad(on, slope, normal), on);
        const float follow = coif_kit_point_param(batch, SHRINKWRAP_STRENGTH, point, strength);
        const coif_kit_vec heading =
            coif_kit_mad(coif_kit_scale(combed, 1.0f - follow), follow, on);
        tangent = coif_kit_normalize(heading, on);
        at = coif_kit_mad(at, segment, tangent);
        coif_kit_set_point(batch, point, at);
    }
}

static void shrinkwrap_groom(const coif_host *host, const void *state, const void *params,
                             const coif_groom_batch *batch)
{
    (void)host;
    for (int32_t strand = 0; strand < batch->strand_count; ++strand) {
        wrap_strand(params, state, batch, strand);
    }
}

static const coif_plugin SHRINKWRAP = {
    COIF_PLUGIN_HEAD(COIF_KIND_GROOM, "groom.shrinkwrap", "1.0.0", "Lays hair on the body.", PARAMS,
                     shrinkwrap_params),
    .state_size = sizeof(coif_kit_gather),
    .groom = shrinkwrap_groom,
    .prepare = shrinkwrap_prepare,
};

COIF_PLUGIN_ENTRY(SHRINKWRAP)
