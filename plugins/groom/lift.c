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

// Rows of PARAMS.
enum { LIFT_ANGLE, LIFT_FALLOFF_LENGTH };

#define ROW(...) COIF_PLUGIN_ROW(lift_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(angle, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Rotation of the strand at the root away from the skin.", "deg", 25, 0, 0, 0, 180),
    ROW(falloff_length, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Length along the strand over which the rotation falls to 1/e.", "m", 0.02, 0, 0, 0.0005, 10),
};
// clang-format on

static void lift_strand(const lift_params *lift, const coif_groom_batch *batch, int32_t strand)
{
    const float own = coif_kit_strand_param(batch, LIFT_ANGLE, strand, lift->angle);
    const float length = coif_kit_clamp(
        coif_kit_strand_param(batch, LIFT_FALLOFF_LENGTH, strand, lift->falloff_length), 1e-4f,
        1e3f);
    const coif_kit_vec normal = coif_kit_root_normal(batch, strand);
    coif_kit_strand_walk walk = coif_kit_strand_walk_begin(batch, strand, normal);
    coif_kit_vec at = walk.position;
    for (;;) {
        const coif_kit_vec ahead = walk.segment_direction;
        const float segment = walk.segment_length,
                    distance = walk.distance + 0.5f * walk.segment_length;
        const float angle =
            coif_kit_point_param(batch, LIFT_ANGLE, walk.point, own) * (COIF_KIT_PI / 180.0f);
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

COIF_KIT_EACH_STRAND(lift_groom, lift_strand)

static const coif_plugin LIFT = {
    COIF_PLUGIN_HEAD(COIF_KIND_GROOM, "groom.lift", "1.0.0", "Raises strands at the root.", PARAMS,
                     lift_params),
    .groom = lift_groom,
};

COIF_PLUGIN_ENTRY(LIFT)
