// groom.flyaway: bends a random fraction of strands away from the groom.
//
// A selected strand keeps its shape up to a random arc length; beyond it the strand rotates about a
// perpendicular axis by an angle that grows towards the tip, plus noise. The rotation points away
// from the head. Segment lengths are preserved.
#include <coif/plugin.h>
#include <coif/strand.h>

typedef struct flyaway_params {
    float fraction;
    float angle;
    float start;
    float sway_angle;
} flyaway_params;

// Rows of PARAMS.
enum { FLYAWAY_FRACTION, FLYAWAY_ANGLE, FLYAWAY_START, FLYAWAY_SWAY_ANGLE };

#define ROW(...) COIF_PLUGIN_ROW(flyaway_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(fraction, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Fraction of the strands that are flyaways.", "", 0.03, 0, 0, 0, 1),
    ROW(angle, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Maximum angle by which their tips turn away.", "deg", 50, 0, 0, 0, 180),
    ROW(start, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Position along the strand, from 0 to 1, before which no flyaway departs.", "", 0.25, 0, 0, 0, 0.95),
    ROW(sway_angle, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Amplitude of the random bending along a flyaway.", "deg", 25, 0, 0, 0, 90),
};
// clang-format on

static void bend_strand(const flyaway_params *flyaway, const coif_groom_batch *batch,
                        int32_t strand)
{
    const uint32_t word = batch->random[strand];
    if (coif_kit_random(word, 61) >=
        coif_kit_strand_param(batch, FLYAWAY_FRACTION, strand, flyaway->fraction)) {
        return;
    }
    const float degree = COIF_KIT_PI / 180.0f;
    const float length = coif_kit_strand_length(batch, strand);
    const float earliest = coif_kit_strand_param(batch, FLYAWAY_START, strand, flyaway->start);
    const float begin = length * coif_kit_mix(earliest, 0.95f, coif_kit_random(word, 62));
    const float widest = coif_kit_strand_param(batch, FLYAWAY_ANGLE, strand, flyaway->angle);
    const float fraction = 0.3f + 0.7f * coif_kit_random(word, 63);
    const float sways =
        coif_kit_strand_param(batch, FLYAWAY_SWAY_ANGLE, strand, flyaway->sway_angle);
    const float rest = length > begin ? length - begin : 1e-6f;
    const float swing = 0.3f * rest + 1e-6f; // wavelength of the noise, m
    const coif_kit_vec normal = coif_kit_root_normal(batch, strand);

    coif_kit_strand_walk walk = coif_kit_strand_walk_begin(batch, strand, normal);
    coif_kit_vec at = walk.position, out = normal;
    for (int left = 0;;) {
        const coif_kit_vec ahead = walk.segment_direction;
        const float segment = walk.segment_length,
                    distance = walk.distance + 0.5f * walk.segment_length;
        if (!left && distance > begin) {
            // A random perpendicular direction, mirrored if it points into the head.
            left = 1;
            const float turn = COIF_KIT_TAU * coif_kit_random(word, 64);
            out = coif_kit_mad(coif_kit_scale(walk.side, coif_kit_cos(turn)), coif_kit_sin(turn),
                               walk.up);
            const float inwards = coif_kit_dot(out, normal);
            out = coif_kit_mad(out, inwards < 0.0f ? -2.0f * inwards : 0.0f, normal);
        }
        const float angle =
            degree * coif_kit_point_param(batch, FLYAWAY_ANGLE, walk.point, widest) * fraction;
        const float sway =
            degree * coif_kit_point_param(batch, FLYAWAY_SWAY_ANGLE, walk.point, sways);
        if (!coif_kit_strand_walk_next(&walk)) {
            break;
        }
        coif_kit_vec step = ahead;
        if (left) {
            const float progress = coif_kit_clamp((distance - begin) / rest, 0.0f, 1.0f);
            const float swayed = sway * coif_kit_smoothstep(4.0f * progress) *
                                 coif_kit_noise1(distance / swing, coif_kit_hash(word, 65));
            const coif_kit_vec axis =
                coif_kit_normalize(coif_kit_cross(ahead, out), coif_kit_any_perpendicular(ahead));
            const float turn = angle * progress * (2.0f - progress) + swayed;
            step = coif_kit_rotate(ahead, axis, coif_kit_cos(turn), coif_kit_sin(turn));
        }
        at = coif_kit_mad(at, segment, step);
        coif_kit_set_point(batch, walk.point, at);
    }
}

COIF_KIT_EACH_STRAND(flyaway_groom, bend_strand)

static const coif_plugin FLYAWAY = {
    COIF_PLUGIN_HEAD(COIF_KIND_GROOM, "groom.flyaway", "1.0.0",
                     "Bends a few strands away from the hairstyle.", PARAMS, flyaway_params),
    .groom = flyaway_groom,
};

COIF_PLUGIN_ENTRY(FLYAWAY)
