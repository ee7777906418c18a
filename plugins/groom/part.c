// groom.part: combs hair away from a parting, to both sides.
//
// The parting is that of density.parting. Segments are rotated about the scalp normal towards the
// direction away from the line:
//
//   phi(d, s) = strength (1 - smoothstep(d / reach)) theta exp(-s / length)
//
// d: distance of the root from the line, s: arc length, theta: angle from the heading of the strand
// to the direction away from the line. Segment lengths are preserved.
#include <coif/polyline.h>

typedef struct part_params {
    float start[3];
    float end[3];
    const char *line;
    int32_t spline;
    float up[3];
    float strength;
    float radius;
    float falloff_length;
    float edge_noise;
    float edge_noise_scale;
    int32_t seed;
} part_params;

// Rows of PARAMS.
enum {
    PART_START,
    PART_END,
    PART_LINE,
    PART_SPLINE,
    PART_UP,
    PART_STRENGTH,
    PART_RADIUS,
    PART_FALLOFF_LENGTH,
    PART_EDGE_NOISE
};

#define ROW(...) COIF_PLUGIN_ROW(part_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(start, COIF_PARAM_VEC3, 0, "First point of the parting line.", "m", 0.03, 0.1, 0.08, -1000, 1000),
    ROW(end, COIF_PARAM_VEC3, 0, "Last point of the parting line.", "m", 0.03, 0.1, -0.06, -1000, 1000),
    ROW(line, COIF_PARAM_STRING, 0, "Points of a polyline used instead of start and end, as \"x y z, x y z, ...\".", "m", 0, 0, 0, 0, 0),
    ROW(spline, COIF_PARAM_BOOL, 0, "Interpolate the points of the polyline with a smooth spline.", "", 0, 0, 0, 0, 0),
    ROW(up, COIF_PARAM_VEC3, 0, "Projection direction; distances are measured perpendicular to it.", "", 0, 1, 0, -1, 1),
    ROW(strength, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Rotation at the line; 1 points straight away from it.", "", 0.8, 0, 0, 0, 1),
    ROW(radius, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Distance from the line at which the effect ends.", "m", 0.05, 0, 0, 0.0001, 100),
    ROW(falloff_length, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Length along the strand over which the effect falls to 1/e.", "m", 0.15, 0, 0, 0.0005, 100),
    ROW(edge_noise, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Amplitude of the noise that displaces the line.", "m", 0.0015, 0, 0, 0, 1),
    ROW(edge_noise_scale, COIF_PARAM_FLOAT, 0, "Feature size of the edge noise.", "m", 0.02, 0, 0, 1e-4, 10),
    ROW(seed, COIF_PARAM_INT, 0, "Seed of the edge noise.", "", 1, 0, 0, 0, 1000000),
};
// clang-format on

// Heading of a strand in the tangent plane, from its first quarter.
static coif_kit_vec heading_of(const coif_groom_batch *batch, int32_t strand, coif_kit_vec normal,
                               coif_kit_vec fallback)
{
    const int32_t root = batch->first[strand], segments = batch->first[strand + 1] - root - 1;
    const int32_t quarter = segments > 4 ? segments / 4 : 1;
    const coif_kit_vec chord =
        coif_kit_sub(coif_kit_point(batch, root + quarter), coif_kit_point(batch, root));
    const coif_kit_vec along = coif_kit_perpendicular(chord, normal);
    // Hair along the normal has no heading.
    return coif_kit_length(along) > 1e-3f * coif_kit_length(chord)
               ? coif_kit_normalize(along, fallback)
               : fallback;
}

static void part_strand(const part_params *part, const coif_kit_parting_desc *line,
                        const coif_groom_batch *batch, int32_t strand)
{
    coif_kit_parting_desc parting = *line;
    parting.amplitude = coif_kit_strand_param(batch, PART_EDGE_NOISE, strand, part->edge_noise);
    const coif_kit_vec normal = coif_kit_root_normal(batch, strand);
    const coif_kit_parting_sample sample =
        coif_kit_parting_query(&parting, coif_kit_point(batch, batch->first[strand]));
    const float distance = sqrtf(sample.side * sample.side + sample.past * sample.past);
    const float reach = coif_kit_strand_param(batch, PART_RADIUS, strand, part->radius);
    const float near = 1.0f - coif_kit_smoothstep(distance / coif_kit_clamp(reach, 1e-4f, 1e3f));
    const float weight = near * coif_kit_strand_param(batch, PART_STRENGTH, strand, part->strength);
    const float length = coif_kit_clamp(
        coif_kit_strand_param(batch, PART_FALLOFF_LENGTH, strand, part->falloff_length), 1e-4f,
        1e3f);
    if (weight <= 0.0f) {
        return;
    }
    const coif_kit_vec away = coif_kit_normalize(
        coif_kit_perpendicular(coif_kit_scale(sample.left, sample.side < 0.0f ? -1.0f : 1.0f),
                               normal),
        coif_kit_any_perpendicular(normal));
    const coif_kit_vec heading = heading_of(batch, strand, normal, away);
    const float c = coif_kit_clamp(coif_kit_dot(heading, away), -1.0f, 1.0f);
    const float sign = coif_kit_dot(coif_kit_cross(heading, away), normal) < 0.0f ? -1.0f : 1.0f;
    const float theta = sign * weight * coif_kit_acos(c);

    coif_kit_strand_walk walk = coif_kit_strand_walk_begin(batch, strand, normal);
    coif_kit_vec at = walk.position;
    for (;;) {
        const coif_kit_vec ahead = walk.segment_direction;
        const float segment = walk.segment_length;
        const float turn =
            theta * coif_kit_exp(-(walk.distance + 0.5f * walk.segment_length) / length);
        if (!coif_kit_strand_walk_next(&walk)) {
            break;
        }
        at = coif_kit_mad(at, segment,
                          coif_kit_rotate(ahead, normal, coif_kit_cos(turn), coif_kit_sin(turn)));
        coif_kit_set_point(batch, walk.point, at);
    }
}

static coif_status part_init(const coif_host *host, void *state, const void *params)
{
    const part_params *part = params;
    return coif_kit_polyline_init(state, host, "line", part->line, part->spline);
}

static void part_groom(const coif_host *host, const void *state, const void *params,
                       const coif_groom_batch *batch)
{
    (void)host;
    const part_params *part = params;
    coif_kit_polyline line = *(const coif_kit_polyline *)state;
    coif_kit_parting_desc parting = {.wavelength = part->edge_noise_scale,
                                     .seed = (uint32_t)part->seed};
    coif_kit_parting_init(&parting, &line, part->start, part->end, part->up);
    for (int32_t strand = 0; strand < batch->strand_count; ++strand) {
        part_strand(part, &parting, batch, strand);
    }
}

static const coif_plugin PART = {
    COIF_PLUGIN_HEAD(COIF_KIND_GROOM, "groom.part", "1.0.0",
                     "Combs strands away from a line to both sides.", PARAMS, part_params),
    .state_size = sizeof(coif_kit_polyline),
    .init = part_init,
    .groom = part_groom,
};

COIF_PLUGIN_ENTRY(PART)
