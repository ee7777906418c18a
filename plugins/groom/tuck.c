// groom.tuck: bends tips towards the head, or away from it.
//
// Segments near the tip are rotated about the axis normal x (tip - root) by an angle that grows
// towards the tip:
//
//   phi = angle smoothstep(t),  t = 1 - (distance to the tip) / length
//
// Continuing the rotation from the normal to the chord turns the tip back to the head. Segment
// lengths are preserved. A strand along its normal has no such axis and is left unchanged.
#include <coif/plugin.h>
#include <coif/strand.h>

typedef struct tuck_params {
    float angle;
    float length;
} tuck_params;

// Rows of PARAMS.
enum { TUCK_ANGLE, TUCK_LENGTH };

#define ROW(...) COIF_PLUGIN_ROW(tuck_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(angle, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Rotation of the tip towards the head; negative values turn it outwards.", "deg", 40, 0, 0, -360, 360),
    ROW(length, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Length before the tip over which the strand turns.", "m", 0.05, 0, 0, 0.0005, 10),
};
// clang-format on

static void tuck_strand(const tuck_params *tuck, const coif_groom_batch *batch, int32_t strand)
{
    const float degrees = coif_kit_strand_param(batch, TUCK_ANGLE, strand, tuck->angle);
    const float reach = coif_kit_clamp(
        coif_kit_strand_param(batch, TUCK_LENGTH, strand, tuck->length), 1e-4f, 1e3f);
    const coif_kit_vec normal = coif_kit_root_normal(batch, strand);
    const int32_t root = batch->first[strand], tip = batch->first[strand + 1] - 1;
    const coif_kit_vec chord =
        coif_kit_vec_make(batch->x[tip] - batch->x[root], batch->y[tip] - batch->y[root],
                          batch->z[tip] - batch->z[root]);
    const coif_kit_vec across = coif_kit_cross(normal, chord);
    if (!(coif_kit_dot(across, across) > 1e-6f * coif_kit_dot(chord, chord))) {
        return;
    }
    const coif_kit_vec axis = coif_kit_normalize(across, normal);
    const float whole = coif_kit_strand_length(batch, strand);

    coif_kit_strand_walk walk = coif_kit_strand_walk_begin(batch, strand, normal);
    coif_kit_vec at = walk.position;
    for (;;) {
        const coif_kit_vec ahead = walk.segment_direction;
        const float segment = walk.segment_length,
                    left = whole - walk.distance - 0.5f * walk.segment_length;
        if (!coif_kit_strand_walk_next(&walk)) {
            break;
        }
        const float turn =
            degrees * (COIF_KIT_PI / 180.0f) * coif_kit_smoothstep(1.0f - left / reach);
        at = coif_kit_mad(at, segment,
                          coif_kit_rotate(ahead, axis, coif_kit_cos(turn), coif_kit_sin(turn)));
        coif_kit_set_point(batch, walk.point, at);
    }
}

COIF_KIT_EACH_STRAND(tuck_groom, tuck_strand)

static const coif_plugin TUCK = {
    COIF_PLUGIN_HEAD(COIF_KIND_GROOM, "groom.tuck", "1.0.0", "Turns the ends of strands in or out.",
                     PARAMS, tuck_params),
    .groom = tuck_groom,
};

COIF_PLUGIN_ENTRY(TUCK)
