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

enum { SHARE, ANGLE, FROM, SWAY };

#define ROW(field, kind, vary, text, units, a, b, c, lowest, highest)                              \
    {                                                                                              \
        .name = #field, .help = text, .unit = units, .type = kind, .flags = vary,                  \
        .offset = offsetof(flyaway_params, field), .fallback = {a, b, c}, .low = lowest,           \
        .high = highest                                                                            \
    }

#define MAP  COIF_PARAM_MAPPABLE
#define BOTH COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP

// clang-format off
static const coif_param PARAMS[] = {
    ROW(fraction, COIF_PARAM_FLOAT, MAP,  "Fraction of the strands that are flyaways.",                      "",    0.03, 0, 0, 0, 1),
    ROW(angle, COIF_PARAM_FLOAT, BOTH, "Maximum angle by which their tips turn away.",                "deg", 50, 0, 0, 0, 180),
    ROW(start,  COIF_PARAM_FLOAT, MAP,  "Position along the strand, from 0 to 1, before which no flyaway departs.", "",    0.25, 0, 0, 0, 0.95),
    ROW(sway_angle,  COIF_PARAM_FLOAT, BOTH, "Amplitude of the random bending along a flyaway.",                       "deg", 25, 0, 0, 0, 90),
};
// clang-format on

static void bend_strand(const flyaway_params *flyaway, const coif_groom_batch *batch,
                        int32_t strand)
{
    const uint32_t word = batch->random[strand];
    if (coif_kit_random(word, 61) >=
        coif_kit_strand_param(batch, SHARE, strand, flyaway->fraction)) {
        return;
    }
    const float degree = COIF_KIT_PI / 180.0f;
    const float length = coif_kit_strand_length(batch, strand);
    const float earliest = coif_kit_strand_param(batch, FROM, strand, flyaway->start);
    const float begin = length * coif_kit_mix(earliest, 0.95f, coif_kit_random(word, 62));
    const float widest = coif_kit_strand_param(batch, ANGLE, strand, flyaway->angle);
    const float share = 0.3f + 0.7f * coif_kit_random(word, 63);
    const float sways = coif_kit_strand_param(batch, SWAY, strand, flyaway->sway_angle);
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
        const float angle = degree * coif_kit_point_param(batch, ANGLE, walk.point, widest) * share;
        const float sway = degree * coif_kit_point_param(batch, SWAY, walk.point, sways);
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

static void flyaway_groom(const coif_host *host, const void *state, const void *params,
                          const coif_groom_batch *batch)
{
    (void)host, (void)state;
    for (int32_t strand = 0; strand < batch->strand_count; ++strand) {
        bend_strand(params, batch, strand);
    }
}

static const coif_plugin FLYAWAY = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_GROOM,
    .id = "groom.flyaway",
    .version = "1.0.0",
    .help = "Bends a few strands away from the hairstyle.",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(flyaway_params),
    .groom = flyaway_groom,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&FLYAWAY};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
