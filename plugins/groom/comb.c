// groom.comb: bends strands from the scalp normal towards a direction, around a spherical head.
//
// The heading h is the target direction g projected onto the tangent plane of the scalp. A strand
// rotates in the plane of the normal n and h by an angle that grows with arc length s until it is
// as close to g as that plane allows:
//
//   phi(s) = min( atan2(g.h, g.n), (90 deg - lift)(1 - exp(-s / bend)) + s / over )
//
// The first term of the sum lays the strand down within the bend length; the second follows a
// sphere of radius `over`, so hair combed to the other side goes around the skull. The minimum is
// smoothed, but never below the first term: on flat skin hair lies at angle `lift`. The remaining
// difference to g is removed by the end of the rotation. Segment lengths and existing bends are
// preserved.
//
// With `hang` the heading is still taken from `direction`, and g is blended towards down.
//
// The heading can also follow guide curves (`guides`) or a flow map (`flow`), an image of tangent
// vectors: 2 red - 1 along u and 2 green - 1 along v; the length is the confidence, grey 0.5 means
// none. `follow` is the weight of either relative to the direction.
//
// `part` adds a sideways component to the heading on both sides of the plane x = part_x. It decides
// on which side of the head hair falls, not where it hangs in the end.
//
// Where the skin faces away from the direction the heading is singular, and hair would leave a bare
// spot as in a star. `whorl` rotates headings around that point, as on a crown.
#include <coif/plugin.h>
#include <coif/strand.h>

typedef struct comb_params {
    float direction[3];
    float strength;
    float bend_length;
    float lift_angle;
    float head_radius;
    float part_strength;
    float part_x;
    float part_width;
    float spread_angle;
    float hang;
    int32_t guides;
    const char *flow_map;
    float flow_weight;
    float whorl_angle;
    float whorl_radius;
} comb_params;

// Rows of PARAMS.
enum {
    COMB_DIRECTION,
    COMB_STRENGTH,
    COMB_BEND_LENGTH,
    COMB_LIFT_ANGLE,
    COMB_HEAD_RADIUS,
    COMB_PART_STRENGTH,
    COMB_PART_X,
    COMB_PART_WIDTH,
    COMB_SPREAD_ANGLE,
    COMB_HANG,
    COMB_GUIDES,
    COMB_FLOW_MAP,
    COMB_FLOW_WEIGHT,
    COMB_WHORL_ANGLE,
    COMB_WHORL_RADIUS
};

typedef struct comb_state {
    int32_t image; // of the flow, from 1; 0: none
} comb_state;

#define ROW(...) COIF_PLUGIN_ROW(comb_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(direction, COIF_PARAM_VEC3, 0, "Comb direction in the space of the body.", "", 0, -1, -0.3, -1, 1),
    ROW(strength, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Blend from the original direction (0) to the comb direction (1).", "", 1, 0, 0, 0, 1),
    ROW(bend_length, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Length at the root over which a strand bends over.", "m", 0.012, 0, 0, 0.0005, 1),
    ROW(lift_angle, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Angle between strand and skin that remains: volume at the root.", "deg", 3, 0, 0, 0, 90),
    ROW(head_radius, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Radius of the sphere on which the combed hair lies.", "m", 0.1, 0, 0, 0.005, 100),
    ROW(part_strength, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Weight of the sideways direction away from the parting plane.", "", 0, 0, 0, 0, 4),
    ROW(part_x, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Position of the parting plane on the x axis.", "m", 0, 0, 0, -10, 10),
    ROW(part_width, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Distance over which strands change sides of the parting.", "m", 0.004, 0, 0, 0.0001, 1),
    ROW(spread_angle, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Random deviation of strands from the comb direction.", "deg", 6, 0, 0, 0, 90),
    ROW(hang, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Blend of the tip direction towards gravity.", "", 0, 0, 0, 0, 1),
    ROW(guides, COIF_PARAM_BOOL, 0, "Comb along the guide curves of the groom.", "", 0, 0, 0, 0, 0),
    ROW(flow_map, COIF_PARAM_PATH, 0, "Flow map over the UVs: red and green are the direction along u and v, from -1 (black) to 1 (white).", "", 0, 0, 0, 0, 0),
    ROW(flow_weight, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Weight of guides and flow map relative to the direction.", "", 1, 0, 0, 0, 1),
    ROW(whorl_angle, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Rotation of the comb direction around the pole of the whorl; clockwise seen from outside.", "deg", 0, 0, 0, -90, 90),
    ROW(whorl_radius, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Distance from the pole over which the rotation fades.", "m", 0.05, 0, 0, 0.001, 10),
};
// clang-format on

// Smooth minimum of two angles; exactly a where a is well below b.
static float smooth_min(float a, float b)
{
    const float reach = 0.5f * b;
    const float near = coif_kit_clamp(reach - fabsf(a - b), 0.0f, reach);
    return (a < b ? a : b) - (reach > 0.0f ? near * near / (4.0f * reach) : 0.0f);
}

// Rotation phi(s); `lay` is the limit of the bend term.
static float rotation_at(float s, float lay, float bend, float over, float whole)
{
    const float down = 1.0f - coif_kit_exp(-s / bend);
    const float rounded = smooth_min(lay * down + s / over, whole);
    const float laid = (lay < whole ? lay : whole) * down;
    return rounded > laid ? rounded : laid;
}

// Combing plan of one strand: unit vectors from the normal over the heading to the goal.
typedef struct comb_plan {
    coif_kit_vec normal, heading, goal;
    coif_kit_vec axis;     // of rotation: normal x heading
    float whole;           // angle at which the rotation ends
    coif_kit_vec residual; // from the direction there to the goal
} comb_plan;

// Blends the direction with that of guide curves or the flow map.
static coif_kit_vec follow_guides(const coif_host *host, const comb_state *state,
                                  const comb_params *comb, const coif_groom_batch *batch,
                                  int32_t strand, coif_kit_vec wanted)
{
    const float follow = coif_kit_strand_param(batch, COMB_FLOW_WEIGHT, strand, comb->flow_weight);
    const int has_guides = batch->struct_size > offsetof(coif_groom_batch, guide_direction);
    if (comb->guides && has_guides && batch->guide_direction != NULL) {
        const float *flow = batch->guide_direction + 3 * (ptrdiff_t)strand;
        const coif_kit_vec flow_axis = coif_kit_vec_make(flow[0], flow[1], flow[2]);
        wanted = coif_kit_normalize(
            coif_kit_mad(coif_kit_scale(wanted, 1.0f - follow), follow, flow_axis), flow_axis);
    }
    if (state->image > 0) {
        const float *frame = batch->root_frame + 9 * (ptrdiff_t)strand;
        const float *uv = batch->root_uv + 2 * (ptrdiff_t)strand;
        float red, green;
        host->image_sample(host, state->image - 1, 0, 1, &uv[0], &uv[1], &red);
        host->image_sample(host, state->image - 1, 1, 1, &uv[0], &uv[1], &green);
        const float a = 2.0f * red - 1.0f, b = 2.0f * green - 1.0f;
        const float confidence = coif_kit_clamp(sqrtf(a * a + b * b), 0.0f, 1.0f);
        // Below the quantisation of 8-bit images.
        if (confidence > 0.01f) {
            const coif_kit_vec flow_axis = coif_kit_normalize(
                coif_kit_mad(coif_kit_scale(coif_kit_vec_make(frame[0], frame[1], frame[2]), a), b,
                             coif_kit_vec_make(frame[3], frame[4], frame[5])),
                wanted);
            const float fraction = follow * confidence;
            wanted = coif_kit_normalize(
                coif_kit_mad(coif_kit_scale(wanted, 1.0f - fraction), fraction, flow_axis),
                flow_axis);
        }
    }
    return wanted;
}

// Rotates the heading around the singular point by the whorl angle, fading with distance from it.
// The distance is estimated from the normal on a sphere of radius `over`.
static coif_kit_vec rotate_whorl(const comb_params *comb, const coif_groom_batch *batch,
                                 int32_t strand, coif_kit_vec heading, coif_kit_vec normal)
{
    const float whorl = coif_kit_strand_param(batch, COMB_WHORL_ANGLE, strand, comb->whorl_angle);
    const coif_kit_vec direction = coif_kit_normalize(
        coif_kit_vec_make(comb->direction[0], comb->direction[1], comb->direction[2]),
        coif_kit_vec_make(0.0f, -1.0f, 0.0f));
    const float away = coif_kit_acos(coif_kit_clamp(-coif_kit_dot(direction, normal), -1.0f, 1.0f));
    const float size = coif_kit_strand_param(batch, COMB_WHORL_RADIUS, strand, comb->whorl_radius);
    const float fraction =
        1.0f -
        away * coif_kit_strand_param(batch, COMB_HEAD_RADIUS, strand, comb->head_radius) / size;
    const float angle = -whorl * (COIF_KIT_PI / 180.0f) * coif_kit_smoothstep(fraction);
    return coif_kit_rotate(heading, normal, coif_kit_cos(angle), coif_kit_sin(angle));
}

static comb_plan plan_strand(const coif_host *host, const comb_state *state,
                             const comb_params *comb, const coif_groom_batch *batch, int32_t strand)
{
    const float *frame = batch->root_frame + 9 * (ptrdiff_t)strand;
    const float degree = COIF_KIT_PI / 180.0f;
    comb_plan plan;
    plan.normal = coif_kit_root_normal(batch, strand);
    plan.goal = coif_kit_normalize(
        coif_kit_vec_make(comb->direction[0], comb->direction[1], comb->direction[2]),
        coif_kit_vec_make(0.0f, -1.0f, 0.0f));
    plan.goal = follow_guides(host, state, comb, batch, strand, plan.goal);

    const float width = coif_kit_strand_param(batch, COMB_PART_WIDTH, strand, comb->part_width);
    const float away = batch->x[batch->first[strand]] -
                       coif_kit_strand_param(batch, COMB_PART_X, strand, comb->part_x);
    const float side = 2.0f * coif_kit_smoothstep(0.5f + 0.5f * away / width) - 1.0f;
    coif_kit_vec heading = plan.goal;
    const float hang = coif_kit_strand_param(batch, COMB_HANG, strand, comb->hang);
    if (hang > 0.0f) {
        const coif_kit_vec down = coif_kit_vec_make(0.0f, -1.0f, 0.0f);
        const coif_kit_vec mixed = coif_kit_mad(coif_kit_scale(plan.goal, 1.0f - hang), hang, down);
        plan.goal = coif_kit_normalize(mixed, down);
    }
    heading.x +=
        side * coif_kit_strand_param(batch, COMB_PART_STRENGTH, strand, comb->part_strength);
    // Antiparallel to the normal no heading is defined: use the tangent of the scalp.
    const coif_kit_vec tangent = coif_kit_vec_make(frame[0], frame[1], frame[2]);
    heading = coif_kit_normalize(coif_kit_perpendicular(heading, plan.normal),
                                 coif_kit_normalize(coif_kit_perpendicular(tangent, plan.normal),
                                                    coif_kit_any_perpendicular(plan.normal)));
    heading = rotate_whorl(comb, batch, strand, heading, plan.normal);

    // Triangular distribution: large deviations are rare.
    const uint32_t word = batch->random[strand];
    const float stray = coif_kit_random(word, 11) + coif_kit_random(word, 12) - 1.0f;
    const float angle = stray * degree *
                        coif_kit_strand_param(batch, COMB_SPREAD_ANGLE, strand, comb->spread_angle);
    plan.heading = coif_kit_rotate(heading, plan.normal, coif_kit_cos(angle), coif_kit_sin(angle));

    plan.axis = coif_kit_cross(plan.normal, plan.heading);
    // Clamp a goal behind the heading: hair is not combed backwards.
    const float along = coif_kit_dot(plan.goal, plan.heading);
    const float up = coif_kit_dot(plan.goal, plan.normal);
    const float level = along > 0.0f ? along : 0.0f;
    const float length = sqrtf(level * level + up * up);
    plan.whole = length > 1e-6f ? coif_kit_acos(up / length) : 0.5f * COIF_KIT_PI;
    const coif_kit_vec end =
        coif_kit_rotate(plan.normal, plan.axis, coif_kit_cos(plan.whole), coif_kit_sin(plan.whole));
    plan.residual = coif_kit_sub(plan.goal, end);
    return plan;
}

// Direction of a segment that pointed along `ahead`, rotated by the given fraction of an angle.
static coif_kit_vec comb_segment(const comb_plan *plan, coif_kit_vec ahead, float angle,
                                 float fraction)
{
    const float turn = fraction * angle;
    const float c = coif_kit_cos(turn), s = coif_kit_sin(turn);
    const float done = plan->whole > 1e-6f ? coif_kit_clamp(angle / plan->whole, 0.0f, 1.0f) : 1.0f;
    // Image of the normal under the rotation, and with the residual applied.
    const coif_kit_vec reached = coif_kit_rotate(plan->normal, plan->axis, c, s);
    const coif_kit_vec wanted =
        coif_kit_normalize(coif_kit_mad(reached, fraction * done * done, plan->residual), reached);
    return coif_kit_parallel_transport(coif_kit_rotate(ahead, plan->axis, c, s), reached, wanted);
}

static void comb_strand(const coif_host *host, const comb_state *state, const comb_params *comb,
                        const coif_groom_batch *batch, int32_t strand)
{
    const comb_plan plan = plan_strand(host, state, comb, batch, strand);
    const float lift = coif_kit_strand_param(batch, COMB_LIFT_ANGLE, strand, comb->lift_angle);
    const float bend = coif_kit_clamp(
        coif_kit_strand_param(batch, COMB_BEND_LENGTH, strand, comb->bend_length), 1e-4f, 1e3f);
    const float over = coif_kit_clamp(
        coif_kit_strand_param(batch, COMB_HEAD_RADIUS, strand, comb->head_radius), 1e-3f, 1e3f);
    const float strength = coif_kit_strand_param(batch, COMB_STRENGTH, strand, comb->strength);

    coif_kit_strand_walk walk = coif_kit_strand_walk_begin(batch, strand, plan.axis);
    coif_kit_vec at = walk.position;
    for (;;) {
        const float fraction = coif_kit_point_param(batch, COMB_STRENGTH, walk.point, strength);
        const float lay = (90.0f - coif_kit_point_param(batch, COMB_LIFT_ANGLE, walk.point, lift)) *
                          (COIF_KIT_PI / 180.0f);
        const coif_kit_vec ahead = walk.segment_direction;
        const float segment = walk.segment_length;
        const float s = walk.distance + 0.5f * segment;
        if (!coif_kit_strand_walk_next(&walk)) {
            break;
        }
        const float angle = rotation_at(s, lay, bend, over, plan.whole);
        at = coif_kit_mad(at, segment, comb_segment(&plan, ahead, angle, fraction));
        coif_kit_set_point(batch, walk.point, at);
    }
}

static coif_status comb_init(const coif_host *host, void *state, const void *params)
{
    const char *path = ((const comb_params *)params)->flow_map;
    comb_state *opened = state;
    if (path == NULL || path[0] == '\0') {
        return COIF_OK;
    }
    const int32_t image = host->image_open(host, path);
    if (image < 0) {
        return COIF_ERR_IO;
    }
    if (host->image_channels(host, image) < 3) {
        host->set_error(host, "flow: %s: expected an image with red and green channels", path);
        return COIF_ERR_SCENE;
    }
    opened->image = image + 1;
    return COIF_OK;
}

static void comb_groom(const coif_host *host, const void *state, const void *params,
                       const coif_groom_batch *batch)
{
    for (int32_t strand = 0; strand < batch->strand_count; ++strand) {
        comb_strand(host, state, params, batch, strand);
    }
}

static const coif_plugin COMB = {
    COIF_PLUGIN_HEAD(COIF_KIND_GROOM, "groom.comb", "1.2.0",
                     "Combs strands in a direction, optionally with a parting.", PARAMS,
                     comb_params),
    .state_size = sizeof(comb_state),
    .init = comb_init,
    .groom = comb_groom,
};

COIF_PLUGIN_ENTRY(COMB)
