// experiment, slip: a strand pressed against a floor sticks with its tip, until it slips (after
// Sano, Yamaguchi and Wada 2017; Romero et al. 2021).
#include "core/base/arena.h"
#include "sim/collision/primitive_colliders.h"
#include "sim/validation/experiment.h"
#include "sim/validation/reference_solutions.h"
#include "sim/validation/test_shapes.h"

static const coif_vec3 DOWN = {0.0f, -1.0f, 0.0f};

// Lengths per second at which the floor rises: as slow as if everything were at rest.
static const double RATE = 0.02;

// A tip that has gone this far, in lengths, has slipped.
static const double SLIPPED = 0.005;

// The table ends there.
static const double MOST = 0.5;

// From its root straight down, when nothing presses it.
static coif_status open_strand(coif_strand_rig *trial, const coif_experiment_result *answer,
                               coif_arena *arena, coif_error *error)
{
    const int32_t points =
        (int32_t)coif_experiment_param_value(answer, COIF_EXPERIMENT_PARAM_SEGMENTS) + 1;
    const double length = coif_experiment_param_value(answer, COIF_EXPERIMENT_PARAM_LENGTH);
    const coif_strand_rig_desc desc = {.shape = coif_shape_straight(points, length, DOWN, arena),
                                       .point_count = points,
                                       .sim = "gravity=[0,0,0] damping=5 bending_damping_time=0.02 "
                                              "friction=10 root_boundary=clamped"};
    return coif_experiment_result_open(trial, answer, desc, arena, error);
}

// Begins buckled, as nothing else says to which side: in the mode of Euler's load for a clamped and
// a hinged end, w = sin q - Q cos q + Q - q with q from 0 to Q = tan Q.
static void buckle(coif_strand_rig *trial)
{
    static const double q_tip = 4.49340946;
    static const double slope = 0.06; // of dw / dq, in which the largest is 5.6
    const int32_t segments = trial->point_count - 1;
    const double segment = coif_strand_rig_length(trial) / segments;
    for (int32_t k = 0; k < segments; ++k) {
        const double q = q_tip * (k + 0.5) / segments;
        const double aside = slope * (cos(q) + q_tip * sin(q) - 1.0);
        const coif_vec3 along = {(float)(segment * aside),
                                 (float)(-segment * sqrt(1.0 - aside * aside)), 0.0f};
        trial->places[k + 1] = coif_add(trial->places[k], along);
    }
    coif_strand_rig_write(trial);
}

typedef struct pressing {
    coif_strand_rig *trial;
    coif_primitive floor;
    coif_collider body;
    double height; // of the floor below the root, in lengths
} pressing;

// A frame in which the floor rises by so many lengths.
static void press(pressing *all, double by)
{
    coif_strand_rig *trial = all->trial;
    const double length = coif_strand_rig_length(trial);
    const float reach = trial->params.contact_margin + trial->groom.rest.points[0].w;
    coif_primitive_pose pose[2];
    for (int e = 0; e < 2; ++e) {
        const float down = (float)(length * (all->height - e * by)) + reach;
        const coif_vec3 at = {0.0f, trial->places[0].y - down, 0.0f};
        pose[e] = (coif_primitive_pose){.ends = {at, {0.0f, 1.0f, 0.0f}}};
    }
    coif_primitive_move(&all->body, &all->floor, &pose[0], &pose[1]);
    trial->bodies = &all->body;
    trial->body_count = 1;
    coif_strand_rig_step(trial);
    all->height -= by;
}

// How far the clamp is lowered, in lengths, when the tip slips.
static double press_until_slip(coif_strand_rig *trial, double mu)
{
    const int32_t tip = trial->point_count - 1;
    const double length = coif_strand_rig_length(trial);
    pressing all = {.trial = trial, .floor = {.shape = COIF_PRIMITIVE_PLANE}};
    buckle(trial);
    all.height = (double)(trial->places[0].y - trial->places[tip].y) / length;
    while (trial->frame < (double)trial->params.fps) {
        press(&all, 0.0);
    }
    const coif_vec3 start = trial->places[tip];
    trial->params.friction = (float)mu;
    double aside = 0.0;
    while (1.0 - all.height < MOST && aside < SLIPPED * length) {
        press(&all, RATE / (double)trial->params.fps);
        const coif_vec3 way = coif_sub(trial->places[tip], start);
        aside = hypot((double)way.x, (double)way.z);
    }
    trial->bodies = NULL;
    trial->body_count = 0;
    return 1.0 - all.height;
}

static coif_status run_stick_slip(coif_experiment_result *answer, coif_arena *arena,
                                  coif_error *error)
{
    const double mu = coif_experiment_param_value(answer, COIF_EXPERIMENT_PARAM_MU);
    coif_strand_rig trial;
    COIF_TRY(open_strand(&trial, answer, arena, error));
    const double eps = press_until_slip(&trial, mu);
    coif_experiment_result_close(answer, &trial);
    coif_experiment_result_add(answer, "mu_required", coif_reference_stick_friction(eps), mu);
    coif_experiment_result_add(answer, "eps", eps, NAN);
    return COIF_OK;
}

static const coif_experiment_param_default STICK_SLIP_ASKS[] = {
    {COIF_EXPERIMENT_PARAM_MU, 0.2},
    {COIF_EXPERIMENT_PARAM_LENGTH, 0.05},
    {COIF_EXPERIMENT_PARAM_SEGMENTS, 32},
    {COIF_EXPERIMENT_PARAM_SUBSTEPS, 10},
    {COIF_EXPERIMENT_PARAM_FPS, 24}};
const coif_experiment COIF_EXPERIMENT_STICK_SLIP = {
    .name = "stick_slip",
    .help = "a clamped strand is pressed against a floor until its tip slips",
    .asks = STICK_SLIP_ASKS,
    .ask_count = COIF_COUNT_OF(STICK_SLIP_ASKS),
    .run = run_stick_slip,
};
