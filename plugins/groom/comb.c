// groom.comb: lays hair over: it leaves the skin along the normal, bends, follows the head and
// falls.
//
// A strand heads for h, the part of the wanted direction that lies along the scalp. It turns in the
// plane of the scalp's normal n and h by an angle that grows along the strand, until it points as
// near to the wanted direction g as that plane allows:
//
//   phi(s) = smaller of  atan2(g.h, g.n)  and  (90 deg - lift)(1 - exp(-s / bend)) + s / over
//
// The first part of the sum lays the strand down within the bend length; the second follows a round
// head of radius `over`, so hair that must go to the other side goes around the skull and not
// through it. Where the two angles meet the turn is rounded, but not by so much that hair stands
// off further than `lift` says: along flat skin it lies flat. What is left between that and g goes
// away by the end of the turn. Segment lengths stay as they are, and so does whatever bend the
// strand had.
//
// Hair that is combed one way and then hangs has its heading from `direction` and its g from
// `hang`.
//
// The heading may also come from curves or from a picture: with `guides` from the guide curves of
// the groom around the root, with `flow` from a picture whose red and green say where hair lies in
// the scalp's tangent space: (2 red - 1) along u and (2 green - 1) along v, its length how surely;
// grey 0.5 says nothing. `follow` is how much of either counts beside the direction.
//
// A parting is a plane x = part_x: to both sides of it the heading gets a share of sideways. It
// decides on which way around the head the hair falls, and not where it hangs in the end.
//
// Where skin faces straight away from the direction, all ways around the head are as good, and hair
// springs from there like a star, which leaves the middle bare. `whorl` turns the heading there, so
// that hair goes around the middle and over it, as on a crown.
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

enum {
    DIRECTION,
    STRENGTH,
    BEND,
    LIFT,
    OVER,
    PART,
    PART_X,
    PART_WIDTH,
    SPREAD,
    HANG,
    GUIDES,
    FLOW,
    FOLLOW,
    WHORL,
    WHORL_SIZE
};

typedef struct comb_state {
    int32_t image; // of the flow, from 1; 0: none
} comb_state;

#define ROW(field, kind, vary, text, units, a, b, c, lowest, highest)                              \
    {                                                                                              \
        .name = #field, .help = text, .unit = units, .type = kind, .flags = vary,                  \
        .offset = offsetof(comb_params, field), .fallback = {a, b, c}, .low = lowest,              \
        .high = highest                                                                            \
    }

#define MAP  COIF_PARAM_MAPPABLE
#define BOTH COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP

// clang-format off
static const coif_param PARAMS[] = {
    ROW(direction,  COIF_PARAM_VEC3,  0,    "Comb direction in the space of the body.",      "",    0, -1, -0.3, -1, 1),
    ROW(strength,     COIF_PARAM_FLOAT, BOTH, "Blend from the original direction (0) to the comb direction (1).",                          "",    1, 0, 0, 0, 1),
    ROW(bend_length,       COIF_PARAM_FLOAT, MAP,  "Length at the root over which a strand bends over.",                     "m",   0.012, 0, 0, 0.0005, 1),
    ROW(lift_angle,       COIF_PARAM_FLOAT, BOTH, "Angle between strand and skin that remains: volume at the root.", "deg", 3, 0, 0, 0, 90),
    ROW(head_radius,       COIF_PARAM_FLOAT, MAP,  "Radius of the sphere on which the combed hair lies.",                   "m",   0.1, 0, 0, 0.005, 100),
    ROW(part_strength,       COIF_PARAM_FLOAT, MAP,  "Weight of the sideways direction away from the parting plane.",           "",    0, 0, 0, 0, 4),
    ROW(part_x,     COIF_PARAM_FLOAT, MAP,  "Position of the parting plane on the x axis.",                      "m",   0, 0, 0, -10, 10),
    ROW(part_width, COIF_PARAM_FLOAT, MAP,  "Distance over which strands change sides of the parting.",                     "m",   0.004, 0, 0, 0.0001, 1),
    ROW(spread_angle,     COIF_PARAM_FLOAT, MAP,  "Random deviation of strands from the comb direction.",            "deg", 6, 0, 0, 0, 90),
    ROW(hang,       COIF_PARAM_FLOAT, MAP,  "Blend of the tip direction towards gravity.",         "",    0, 0, 0, 0, 1),
    ROW(guides,     COIF_PARAM_BOOL,  0,    "Comb along the guide curves of the groom.",                 "",    0, 0, 0, 0, 0),
    {.name = "flow_map", .help = "Flow map over the UVs: red and green are the direction along u and v, from -1 (black) to 1 (white).", .unit = "",
     .type = COIF_PARAM_PATH, .offset = offsetof(comb_params, flow_map)},
    ROW(flow_weight,     COIF_PARAM_FLOAT, MAP,  "Weight of guides and flow map relative to the direction.",        "",    1, 0, 0, 0, 1),
    ROW(whorl_angle,      COIF_PARAM_FLOAT, MAP,  "Rotation of the comb direction around the pole of the whorl; clockwise seen from outside.", "deg", 0, 0, 0, -90, 90),
    ROW(whorl_radius, COIF_PARAM_FLOAT, MAP,  "Distance from the pole over which the rotation fades.",              "m",   0.05, 0, 0, 0.001, 10),
};
// clang-format on

// The smaller of two angles, rounded where they meet; exactly the first one as long as it is small.
static float smaller(float a, float b)
{
    const float reach = 0.5f * b;
    const float near = coif_kit_clamp(reach - fabsf(a - b), 0.0f, reach);
    return (a < b ? a : b) - (reach > 0.0f ? near * near / (4.0f * reach) : 0.0f);
}

// How far a strand has turned after a length s of it; lay is where the bend alone takes it.
static float turn_at(float s, float lay, float bend, float over, float whole)
{
    const float down = 1.0f - coif_kit_exp(-s / bend);
    const float rounded = smaller(lay * down + s / over, whole);
    const float laid = (lay < whole ? lay : whole) * down;
    return rounded > laid ? rounded : laid;
}

// How one strand goes: from the normal over the heading to the goal. All unit vectors.
typedef struct strand_way {
    coif_kit_vec normal, heading, goal;
    coif_kit_vec axis; // across normal and heading
    float whole;       // the angle at which the turn ends
    coif_kit_vec left; // from where it ends to the goal
} strand_way;

// Where curves or a picture send the hair; nowhere: what was wanted otherwise.
static coif_kit_vec followed(const coif_host *host, const comb_state *state,
                             const comb_params *comb, const coif_groom_batch *batch, int32_t strand,
                             coif_kit_vec wanted)
{
    const float follow = coif_kit_strand_param(batch, FOLLOW, strand, comb->flow_weight);
    const int known = batch->struct_size > offsetof(coif_groom_batch, guide_direction);
    if (comb->guides && known && batch->guide_direction != NULL) {
        const float *flow = batch->guide_direction + 3 * (ptrdiff_t)strand;
        const coif_kit_vec way = coif_kit_vec_make(flow[0], flow[1], flow[2]);
        wanted = coif_kit_normalize(
            coif_kit_mad(coif_kit_scale(wanted, 1.0f - follow), follow, way), way);
    }
    if (state->image > 0) {
        const float *frame = batch->root_frame + 9 * (ptrdiff_t)strand;
        const float *uv = batch->root_uv + 2 * (ptrdiff_t)strand;
        float red, green;
        host->image_sample(host, state->image - 1, 0, 1, &uv[0], &uv[1], &red);
        host->image_sample(host, state->image - 1, 1, 1, &uv[0], &uv[1], &green);
        const float a = 2.0f * red - 1.0f, b = 2.0f * green - 1.0f;
        const float sure = coif_kit_clamp(sqrtf(a * a + b * b), 0.0f, 1.0f);
        // Half a grey of eight bits is no direction.
        if (sure > 0.01f) {
            const coif_kit_vec way = coif_kit_normalize(
                coif_kit_mad(coif_kit_scale(coif_kit_vec_make(frame[0], frame[1], frame[2]), a), b,
                             coif_kit_vec_make(frame[3], frame[4], frame[5])),
                wanted);
            const float share = follow * sure;
            wanted = coif_kit_normalize(
                coif_kit_mad(coif_kit_scale(wanted, 1.0f - share), share, way), way);
        }
    }
    return wanted;
}

// A heading turned around the place where skin faces away from the direction: by all of the whorl
// in its middle, by nothing from its size on. How far that is follows from how the skin is turned.
static coif_kit_vec whorled(const comb_params *comb, const coif_groom_batch *batch, int32_t strand,
                            coif_kit_vec heading, coif_kit_vec normal)
{
    const float whorl = coif_kit_strand_param(batch, WHORL, strand, comb->whorl_angle);
    const coif_kit_vec direction = coif_kit_normalize(
        coif_kit_vec_make(comb->direction[0], comb->direction[1], comb->direction[2]),
        coif_kit_vec_make(0.0f, -1.0f, 0.0f));
    const float away = coif_kit_acos(coif_kit_clamp(-coif_kit_dot(direction, normal), -1.0f, 1.0f));
    const float size = coif_kit_strand_param(batch, WHORL_SIZE, strand, comb->whorl_radius);
    const float share =
        1.0f - away * coif_kit_strand_param(batch, OVER, strand, comb->head_radius) / size;
    const float angle = -whorl * (COIF_KIT_PI / 180.0f) * coif_kit_smoothstep(share);
    return coif_kit_rotate(heading, normal, coif_kit_cos(angle), coif_kit_sin(angle));
}

static strand_way way_of(const coif_host *host, const comb_state *state, const comb_params *comb,
                         const coif_groom_batch *batch, int32_t strand)
{
    const float *frame = batch->root_frame + 9 * (ptrdiff_t)strand;
    const float degree = COIF_KIT_PI / 180.0f;
    strand_way way;
    way.normal = coif_kit_root_normal(batch, strand);
    way.goal = coif_kit_normalize(
        coif_kit_vec_make(comb->direction[0], comb->direction[1], comb->direction[2]),
        coif_kit_vec_make(0.0f, -1.0f, 0.0f));
    way.goal = followed(host, state, comb, batch, strand, way.goal);

    const float width = coif_kit_strand_param(batch, PART_WIDTH, strand, comb->part_width);
    const float away =
        batch->x[batch->first[strand]] - coif_kit_strand_param(batch, PART_X, strand, comb->part_x);
    const float side = 2.0f * coif_kit_smoothstep(0.5f + 0.5f * away / width) - 1.0f;
    coif_kit_vec heading = way.goal;
    const float hang = coif_kit_strand_param(batch, HANG, strand, comb->hang);
    if (hang > 0.0f) {
        const coif_kit_vec down = coif_kit_vec_make(0.0f, -1.0f, 0.0f);
        const coif_kit_vec mixed = coif_kit_mad(coif_kit_scale(way.goal, 1.0f - hang), hang, down);
        way.goal = coif_kit_normalize(mixed, down);
    }
    heading.x += side * coif_kit_strand_param(batch, PART, strand, comb->part_strength);
    // Straight against the normal every way around is as good: along the scalp's tangent, then.
    const coif_kit_vec tangent = coif_kit_vec_make(frame[0], frame[1], frame[2]);
    heading = coif_kit_normalize(coif_kit_perpendicular(heading, way.normal),
                                 coif_kit_normalize(coif_kit_perpendicular(tangent, way.normal),
                                                    coif_kit_any_perpendicular(way.normal)));
    heading = whorled(comb, batch, strand, heading, way.normal);

    // Two words make strays rarer than strands that keep to the way.
    const uint32_t word = batch->random[strand];
    const float stray = coif_kit_random(word, 11) + coif_kit_random(word, 12) - 1.0f;
    const float angle =
        stray * degree * coif_kit_strand_param(batch, SPREAD, strand, comb->spread_angle);
    way.heading = coif_kit_rotate(heading, way.normal, coif_kit_cos(angle), coif_kit_sin(angle));

    way.axis = coif_kit_cross(way.normal, way.heading);
    // A goal on the far side of the heading still lies ahead: hair is not combed backwards.
    const float along = coif_kit_dot(way.goal, way.heading);
    const float up = coif_kit_dot(way.goal, way.normal);
    const float level = along > 0.0f ? along : 0.0f;
    const float length = sqrtf(level * level + up * up);
    way.whole = length > 1e-6f ? coif_kit_acos(up / length) : 0.5f * COIF_KIT_PI;
    const coif_kit_vec end =
        coif_kit_rotate(way.normal, way.axis, coif_kit_cos(way.whole), coif_kit_sin(way.whole));
    way.left = coif_kit_sub(way.goal, end);
    return way;
}

// A segment that pointed along `ahead`, after the given share of the way at an angle.
static coif_kit_vec comb_segment(const strand_way *way, coif_kit_vec ahead, float angle,
                                 float share)
{
    const float turn = share * angle;
    const float c = coif_kit_cos(turn), s = coif_kit_sin(turn);
    const float done = way->whole > 1e-6f ? coif_kit_clamp(angle / way->whole, 0.0f, 1.0f) : 1.0f;
    // Where a segment along the normal is now, and where it should be.
    const coif_kit_vec reached = coif_kit_rotate(way->normal, way->axis, c, s);
    const coif_kit_vec wanted =
        coif_kit_normalize(coif_kit_mad(reached, share * done * done, way->left), reached);
    return coif_kit_parallel_transport(coif_kit_rotate(ahead, way->axis, c, s), reached, wanted);
}

static void comb_strand(const coif_host *host, const comb_state *state, const comb_params *comb,
                        const coif_groom_batch *batch, int32_t strand)
{
    const strand_way way = way_of(host, state, comb, batch, strand);
    const float lift = coif_kit_strand_param(batch, LIFT, strand, comb->lift_angle);
    const float bend =
        coif_kit_clamp(coif_kit_strand_param(batch, BEND, strand, comb->bend_length), 1e-4f, 1e3f);
    const float over =
        coif_kit_clamp(coif_kit_strand_param(batch, OVER, strand, comb->head_radius), 1e-3f, 1e3f);
    const float strength = coif_kit_strand_param(batch, STRENGTH, strand, comb->strength);

    coif_kit_strand_walk walk = coif_kit_strand_walk_begin(batch, strand, way.axis);
    coif_kit_vec at = walk.at;
    for (;;) {
        const float share = coif_kit_point_param(batch, STRENGTH, walk.point, strength);
        const float lay =
            (90.0f - coif_kit_point_param(batch, LIFT, walk.point, lift)) * (COIF_KIT_PI / 180.0f);
        const coif_kit_vec ahead = walk.ahead;
        const float segment = walk.segment;
        const float s = walk.distance + 0.5f * segment;
        if (!coif_kit_strand_walk_next(&walk)) {
            break;
        }
        const float angle = turn_at(s, lay, bend, over, way.whole);
        at = coif_kit_mad(at, segment, comb_segment(&way, ahead, angle, share));
        coif_kit_set_point(batch, walk.point, at);
    }
}

static coif_status comb_init(const coif_host *host, void *state, const void *params)
{
    const char *path = ((const comb_params *)params)->flow_map;
    comb_state *kept = state;
    if (path == NULL || path[0] == '\0') {
        return COIF_OK;
    }
    const int32_t image = host->image_open(host, path);
    if (image < 0) {
        return COIF_ERR_IO;
    }
    if (host->image_channels(host, image) < 3) {
        host->set_error(host, "flow: %s: wanted red and green, the image is grey", path);
        return COIF_ERR_SCENE;
    }
    kept->image = image + 1;
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
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_GROOM,
    .id = "groom.comb",
    .version = "1.2.0",
    .help = "Combs strands in a direction, optionally with a parting.",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(comb_params),
    .state_size = sizeof(comb_state),
    .init = comb_init,
    .groom = comb_groom,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&COMB};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
