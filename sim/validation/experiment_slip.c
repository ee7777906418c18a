// experiment_slip: a strand pressed against a floor sticks with its tip until it slips (Sano,
// Yamaguchi and Wada 2017; Romero et al. 2021).
#include "core/base/arena.h"
#include "sim/collision/primitive_colliders.h"
#include "sim/validation/experiment.h"
#include "sim/validation/reference_solutions.h"
#include "sim/validation/test_shapes.h"

static const coif_vec3 DOWN = {0.0f, -1.0f, 0.0f};

// Speed of the floor in lengths per second: quasi-static.
static const double RATE = 0.02;

// Displacement of the tip, in lengths, that counts as slip.
static const double SLIP_DISTANCE = 0.005;

// End of the reference table.
static const double MAX_EPS = 0.5;

// Straight down from its root, unloaded.
static coif_status open_strand(coif_strand_rig *rig, const coif_experiment_result *result,
                               coif_arena *arena, coif_error *error)
{
    const int32_t points =
        (int32_t)coif_experiment_param_value(result, COIF_EXPERIMENT_PARAM_SEGMENTS) + 1;
    const double length = coif_experiment_param_value(result, COIF_EXPERIMENT_PARAM_LENGTH);
    const coif_strand_rig_desc desc = {.shape = coif_shape_straight(points, length, DOWN, arena),
                                       .point_count = points,
                                       .sim = "gravity=[0,0,0] damping=5 bending_damping_time=0.02 "
                                              "friction=10 root_boundary=clamped"};
    return coif_experiment_result_open(rig, result, desc, arena, error);
}

// Starts buckled, to choose a side: the mode of the Euler load of a clamped and a hinged end, w
// = sin q - Q cos q + Q - q with q from 0 to Q = tan Q.
static void buckle(coif_strand_rig *rig)
{
    static const double q_tip = 4.49340946;
    static const double slope = 0.06; // of dw / dq, in which the largest is 5.6
    const int32_t segments = rig->point_count - 1;
    const double segment = coif_strand_rig_length(rig) / segments;
    for (int32_t k = 0; k < segments; ++k) {
        const double q = q_tip * (k + 0.5) / segments;
        const double lateral = slope * (cos(q) + q_tip * sin(q) - 1.0);
        const coif_vec3 along = {(float)(segment * lateral),
                                 (float)(-segment * sqrt(1.0 - lateral * lateral)), 0.0f};
        rig->positions[k + 1] = coif_add(rig->positions[k], along);
    }
    coif_strand_rig_write(rig);
}

typedef struct press_ctx {
    coif_strand_rig *rig;
    coif_primitive floor;
    coif_collider body;
    double height; // of the floor below the root, in lengths
} press_ctx;

// One frame in which the floor rises by so many lengths.
static void press_frame(press_ctx *ctx, double by)
{
    coif_strand_rig *rig = ctx->rig;
    const double length = coif_strand_rig_length(rig);
    const float contact_distance = rig->params.contact_margin + rig->groom.rest.points[0].w;
    coif_primitive_pose pose[2];
    for (int e = 0; e < 2; ++e) {
        const float down = (float)(length * (ctx->height - e * by)) + contact_distance;
        const coif_vec3 at = {0.0f, rig->positions[0].y - down, 0.0f};
        pose[e] = (coif_primitive_pose){.ends = {at, {0.0f, 1.0f, 0.0f}}};
    }
    coif_primitive_move(&ctx->body, &ctx->floor, &pose[0], &pose[1]);
    rig->bodies = &ctx->body;
    rig->body_count = 1;
    coif_strand_rig_step(rig);
    ctx->height -= by;
}

// How far the clamp is lowered, in lengths, when the tip slips.
static double press_until_slip(coif_strand_rig *rig, double mu)
{
    const int32_t tip = rig->point_count - 1;
    const double length = coif_strand_rig_length(rig);
    press_ctx ctx = {.rig = rig, .floor = {.shape = COIF_PRIMITIVE_PLANE}};
    buckle(rig);
    ctx.height = (double)(rig->positions[0].y - rig->positions[tip].y) / length;
    while (rig->frame < (double)rig->params.fps) {
        press_frame(&ctx, 0.0);
    }
    const coif_vec3 start = rig->positions[tip];
    rig->params.friction = (float)mu;
    double lateral = 0.0;
    while (1.0 - ctx.height < MAX_EPS && lateral < SLIP_DISTANCE * length) {
        press_frame(&ctx, RATE / (double)rig->params.fps);
        const coif_vec3 displacement = coif_sub(rig->positions[tip], start);
        lateral = hypot((double)displacement.x, (double)displacement.z);
    }
    rig->bodies = NULL;
    rig->body_count = 0;
    return 1.0 - ctx.height;
}

static coif_status run_stick_slip(coif_experiment_result *result, coif_arena *arena,
                                  coif_error *error)
{
    const double mu = coif_experiment_param_value(result, COIF_EXPERIMENT_PARAM_MU);
    coif_strand_rig rig;
    COIF_TRY(open_strand(&rig, result, arena, error));
    const double eps = press_until_slip(&rig, mu);
    coif_experiment_result_close(result, &rig);
    coif_experiment_result_add(result, "mu_required", coif_reference_stick_friction(eps), mu);
    coif_experiment_result_add(result, "eps", eps, NAN);
    return COIF_OK;
}

static const coif_experiment_param_default STICK_SLIP_DEFAULTS[] = {
    {COIF_EXPERIMENT_PARAM_MU, 0.2},
    {COIF_EXPERIMENT_PARAM_LENGTH, 0.05},
    {COIF_EXPERIMENT_PARAM_SEGMENTS, 32},
    {COIF_EXPERIMENT_PARAM_SUBSTEPS, 10},
    {COIF_EXPERIMENT_PARAM_FPS, 24}};
const coif_experiment COIF_EXPERIMENT_STICK_SLIP = {
    .name = "stick_slip",
    .help = "a clamped strand is pressed against a floor until its tip slips",
    .defaults = STICK_SLIP_DEFAULTS,
    .default_count = COIF_COUNT_OF(STICK_SLIP_DEFAULTS),
    .run = run_stick_slip,
};
