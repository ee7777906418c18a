// experiment, touch: strands that slide, stick and bounce.
#include "core/base/arena.h"
#include "sim/validation/experiment.h"
#include "sim/validation/reference_solutions.h"
#include "sim/validation/test_shapes.h"

static const coif_vec3 ACROSS = {0.0f, 0.0f, 1.0f};

// A free strand across the slope, at a height above a level floor in the middle of it.
static coif_status lay(coif_strand_rig *trial, const coif_experiment_result *answer,
                       const char *words, double height, coif_arena *arena, coif_error *error)
{
    const int32_t points =
        (int32_t)coif_experiment_param_value(answer, COIF_EXPERIMENT_PARAM_SEGMENTS) + 1;
    const coif_strand_rig_desc desc = {.shape = coif_shape_straight(points, 0.05, ACROSS, arena),
                                       .point_count = points,
                                       .sim =
                                           coif_arena_print(arena, "root_boundary=free %s", words)};
    COIF_TRY(coif_experiment_result_open(trial, answer, desc, arena, error));
    coif_mesh *mesh = coif_arena_new(arena, 1, coif_mesh);
    coif_collider *floor = coif_arena_new(arena, 1, coif_collider);
    *mesh = coif_shape_plane(40.0f, 8, arena);
    // The strand keeps its own radius and the margin.
    const float reach = trial->params.contact_margin + trial->groom.rest.points[0].w;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        mesh->positions[v].y += trial->places[0].y - (float)height - reach;
    }
    coif_collider_build(floor, mesh, arena);
    trial->bodies = floor;
    trial->body_count = 1;
    return COIF_OK;
}

// The floor stays level and gravity leans.
static coif_status run_incline(coif_experiment_result *answer, coif_arena *arena, coif_error *error)
{
    const double mu = coif_experiment_param_value(answer, COIF_EXPERIMENT_PARAM_MU);
    const double degrees = coif_experiment_param_value(answer, COIF_EXPERIMENT_PARAM_INCLINE);
    const double angle = degrees * M_PI / 180.0;
    const char *words = coif_arena_print(arena, "friction=%.9g gravity=[%.9g,%.9g,0]", mu,
                                         9.81 * sin(angle), -9.81 * cos(angle));
    coif_strand_rig trial;
    COIF_TRY(lay(&trial, answer, words, 0.0, arena, error));
    const int32_t middle = trial.point_count / 2;
    const double start = (double)trial.places[middle].x;
    const double half = round(0.5 * (double)trial.params.fps);
    double speed = 0.0;
    while (trial.frame < 2.0 * half) {
        speed = trial.frame == half ? (double)trial.velocities[middle].x : speed;
        coif_strand_rig_step(&trial);
    }
    coif_experiment_result_close(answer, &trial);
    const double seconds = half / (double)trial.params.fps;
    coif_experiment_result_add(answer, "accel_m_s2",
                               ((double)trial.velocities[middle].x - speed) / seconds,
                               coif_reference_incline(mu, degrees));
    coif_experiment_result_add(answer, "way_m", (double)trial.places[middle].x - start, NAN);
    coif_experiment_result_add(answer, "speed_m_s", (double)trial.velocities[middle].x, NAN);
    return COIF_OK;
}

static const coif_experiment_param_default INCLINE_ASKS[] = {{COIF_EXPERIMENT_PARAM_MU, 0.3},
                                                             {COIF_EXPERIMENT_PARAM_INCLINE, 30},
                                                             {COIF_EXPERIMENT_PARAM_SEGMENTS, 5},
                                                             {COIF_EXPERIMENT_PARAM_SUBSTEPS, 10},
                                                             {COIF_EXPERIMENT_PARAM_FPS, 24}};
const coif_experiment COIF_EXPERIMENT_INCLINE = {
    .name = "incline",
    .help = "a strand lying across a slope slides or sticks (Coulomb)",
    .asks = INCLINE_ASKS,
    .ask_count = COIF_COUNT_OF(INCLINE_ASKS),
    .run = run_incline,
};

static coif_status run_restitution(coif_experiment_result *answer, coif_arena *arena,
                                   coif_error *error)
{
    static const double height = 0.3;
    const double e = coif_experiment_param_value(answer, COIF_EXPERIMENT_PARAM_BOUNCE);
    coif_strand_rig trial;
    COIF_TRY(
        lay(&trial, answer, coif_arena_print(arena, "restitution=%.9g", e), height, arena, error));
    const double floor = (double)trial.places[0].y - height;
    const double falling = sqrt(2.0 * height / COIF_REFERENCE_GRAVITY);
    const int32_t middle = trial.point_count / 2;
    double highest = 0.0;
    // Up and down again, and not yet the second bounce.
    while (trial.frame < falling * (1.1 + 1.9 * e) * (double)trial.params.fps) {
        coif_strand_rig_step(&trial);
        if (trial.frame > 1.05 * falling * (double)trial.params.fps) {
            highest = fmax(highest, (double)trial.places[middle].y - floor);
        }
    }
    coif_experiment_result_close(answer, &trial);
    coif_experiment_result_add(answer, "height_over_h0", highest / height, e * e);
    return COIF_OK;
}

static const coif_experiment_param_default RESTITUTION_ASKS[] = {
    {COIF_EXPERIMENT_PARAM_BOUNCE, 0.5},
    {COIF_EXPERIMENT_PARAM_SEGMENTS, 3},
    {COIF_EXPERIMENT_PARAM_SUBSTEPS, 20},
    {COIF_EXPERIMENT_PARAM_FPS, 100}};
const coif_experiment COIF_EXPERIMENT_RESTITUTION = {
    .name = "restitution",
    .help = "a level strand falls on a floor and comes up again, once",
    .asks = RESTITUTION_ASKS,
    .ask_count = COIF_COUNT_OF(RESTITUTION_ASKS),
    .run = run_restitution,
};

// A chain over a cylinder: up on the left, half around, down on the right. The legs are of one
// length, and a force that grows pulls at the right one.
typedef struct capstan {
    double radius, leg;
} capstan;

static coif_vec3 capstan_at(const capstan *c, double s)
{
    if (s < c->leg) {
        return coif_vec3_of((float)-c->radius, (float)(s - c->leg), 0.0f);
    }
    const double turn = (s - c->leg) / c->radius;
    if (turn < M_PI) {
        return coif_vec3_of((float)(-c->radius * cos(turn)), (float)(c->radius * sin(turn)), 0.0f);
    }
    return coif_vec3_of((float)c->radius, (float)(c->leg + M_PI * c->radius - s), 0.0f);
}

static coif_status hang(coif_strand_rig *trial, const capstan *c,
                        const coif_experiment_result *answer, coif_arena *arena, coif_error *error)
{
    const double length = 2.0 * c->leg + M_PI * c->radius;
    const double segment =
        M_PI * c->radius / coif_experiment_param_value(answer, COIF_EXPERIMENT_PARAM_SEGMENTS);
    const int32_t points = (int32_t)(length / segment) + 1;
    coif_vec3 *shape = coif_arena_new(arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        shape[k] = capstan_at(c, length * k / (points - 1));
    }
    const char *words =
        coif_arena_print(arena, "root_boundary=free friction=%.9g" COIF_STRAND_RIG_LIMP,
                         coif_experiment_param_value(answer, COIF_EXPERIMENT_PARAM_MU));
    const coif_strand_rig_desc desc = {.shape = shape, .point_count = points, .sim = words};
    COIF_TRY(coif_experiment_result_open(trial, answer, desc, arena, error));
    const float reach = trial->params.contact_margin + trial->groom.rest.points[0].w;
    const coif_vec3 axis = coif_sub(trial->places[0], shape[0]);
    coif_mesh *mesh = coif_arena_new(arena, 1, coif_mesh);
    coif_collider *body = coif_arena_new(arena, 1, coif_collider);
    *mesh = coif_shape_cylinder((float)c->radius - reach, 0.05f, 256, arena);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        mesh->positions[v] = coif_add(mesh->positions[v], axis);
    }
    coif_collider_build(body, mesh, arena);
    trial->bodies = body;
    trial->body_count = 1;
    return COIF_OK;
}

// What lies on the cylinder weighs little, and the truth knows of it.
static const double LEG_OVER_RADIUS = 10.0;

// Pulls harder and harder, until the chain runs and does not only creep: gives the ratio of the
// tensions where it leaves the cylinder.
static double pull_until_slip(coif_strand_rig *trial, const capstan *c, double most)
{
    static const double rate = 0.1;     // the ratio grows by this share in a second
    static const double running = 0.01; // m/s
    const double weight = coif_strand_rig_weight(&trial->params) * c->leg;
    const float damping = trial->params.damping;
    trial->params.damping = 10.0f;
    coif_strand_rig_settle(trial, 0.5, 0.5);
    trial->params.damping = damping;
    double ratio = 1.0;
    while (ratio < most && (double)trial->velocities[0].y < running) {
        ratio *= 1.0 + rate / (double)trial->params.fps;
        trial->params.tip_force[1] = (float)(-(ratio - 1.0) * weight);
        coif_strand_rig_step(trial);
    }
    return ratio;
}

static coif_status run_capstan(coif_experiment_result *answer, coif_arena *arena, coif_error *error)
{
    const double mu = coif_experiment_param_value(answer, COIF_EXPERIMENT_PARAM_MU);
    const double leg = coif_experiment_param_value(answer, COIF_EXPERIMENT_PARAM_LENGTH);
    const double truth = coif_reference_capstan_heavy(mu, LEG_OVER_RADIUS);
    const capstan c = {.radius = leg / LEG_OVER_RADIUS, .leg = leg};
    coif_strand_rig trial;
    COIF_TRY(hang(&trial, &c, answer, arena, error));
    const double ratio = pull_until_slip(&trial, &c, 3.0 * truth);
    coif_experiment_result_close(answer, &trial);
    const double bare = coif_reference_capstan(mu, 180.0);
    coif_experiment_result_add(answer, "tension_ratio_at_slip", ratio * bare / truth, bare);
    coif_experiment_result_add(answer, "leg_ratio_at_slip", ratio, truth);
    return COIF_OK;
}

static const coif_experiment_param_default CAPSTAN_ASKS[] = {{COIF_EXPERIMENT_PARAM_MU, 0.2},
                                                             {COIF_EXPERIMENT_PARAM_LENGTH, 0.15},
                                                             {COIF_EXPERIMENT_PARAM_SEGMENTS, 16},
                                                             {COIF_EXPERIMENT_PARAM_SUBSTEPS, 10},
                                                             {COIF_EXPERIMENT_PARAM_FPS, 24}};
const coif_experiment COIF_EXPERIMENT_CAPSTAN = {
    .name = "capstan",
    .help = "the ratio of tensions at which a chain slips over a cylinder, half a turn",
    .asks = CAPSTAN_ASKS,
    .ask_count = COIF_COUNT_OF(CAPSTAN_ASKS),
    .run = run_capstan,
};
