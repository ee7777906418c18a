// groom.lift: rotates hair towards the scalp normal near the root: volume, a quiff, hackles.
//
// Segments are rotated towards the normal by an angle that decays with arc length,
//
//   phi(s) = angle exp(-s / length)
//
// and never past the normal. Segment lengths are preserved.
#include <coif/plugin.h>
#include <coif/strand.h>

typedef struct lift_params {
    float angle;
    float falloff_length;
} lift_params;

enum { ANGLE, LENGTH };

#define ROW(field, kind, vary, text, units, a, b, c, lowest, highest)                              \
    {                                                                                              \
        .name = #field, .help = text, .unit = units, .type = kind, .flags = vary,                  \
        .offset = offsetof(lift_params, field), .fallback = {a, b, c}, .low = lowest,              \
        .high = highest                                                                            \
    }

#define MAP  COIF_PARAM_MAPPABLE
#define BOTH COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP

// clang-format off
static const coif_param PARAMS[] = {
    ROW(angle,  COIF_PARAM_FLOAT, BOTH,"Rotation of the strand at the root away from the skin.",                    "deg", 25, 0, 0, 0, 180),
    ROW(falloff_length, COIF_PARAM_FLOAT, MAP,  "Length along the strand over which the rotation falls to 1/e.",   "m",   0.02, 0, 0, 0.0005, 10),
};
// clang-format on

static void lift_strand(const lift_params *lift, const coif_groom_batch *batch, int32_t strand)
{
    const float own = coif_kit_strand_param(batch, ANGLE, strand, lift->angle);
    const float length = coif_kit_clamp(
        coif_kit_strand_param(batch, LENGTH, strand, lift->falloff_length), 1e-4f, 1e3f);
    const coif_kit_vec normal = coif_kit_root_normal(batch, strand);
    coif_kit_strand_walk walk = coif_kit_strand_walk_begin(batch, strand, normal);
    coif_kit_vec at = walk.position;
    for (;;) {
        const coif_kit_vec ahead = walk.segment_direction;
        const float segment = walk.segment_length,
                    distance = walk.distance + 0.5f * walk.segment_length;
        const float angle =
            coif_kit_point_param(batch, ANGLE, walk.point, own) * (COIF_KIT_PI / 180.0f);
        if (!coif_kit_strand_walk_next(&walk)) {
            break;
        }
        const float to_normal =
            coif_kit_acos(coif_kit_clamp(coif_kit_dot(ahead, normal), -1.0f, 1.0f));
        const float limit = angle * coif_kit_exp(-distance / length);
        const float turn = limit < to_normal ? limit : to_normal;
        const coif_kit_vec axis =
            coif_kit_normalize(coif_kit_cross(ahead, normal), coif_kit_any_perpendicular(normal));
        at = coif_kit_mad(at, segment,
                          coif_kit_rotate(ahead, axis, coif_kit_cos(turn), coif_kit_sin(turn)));
        coif_kit_set_point(batch, walk.point, at);
    }
}

static void lift_groom(const coif_host *host, const void *state, const void *params,
                       const coif_groom_batch *batch)
{
    (void)host, (void)state;
    for (int32_t strand = 0; strand < batch->strand_count; ++strand) {
        lift_strand(params, batch, strand);
    }
}

static const coif_plugin LIFT = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_GROOM,
    .id = "groom.lift",
    .version = "1.0.0",
    .help = "Raises strands at the root.",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(lift_params),
    .groom = lift_groom,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&LIFT};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
