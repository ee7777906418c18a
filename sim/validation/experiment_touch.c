// experiment_touch: strands that slide, stick and bounce. Stick-slip of a strand pressed against a
// floor: Sano, Yamaguchi and Wada 2017; Romero et al. 2021.
#include "core/base/arena.h"
#include "core/collision/primitive_colliders.h"
#include "sim/validation/experiment.h"
#include "sim/validation/reference_solutions.h"
#include "sim/validation/test_shapes.h"

static const coif_vec3 ACROSS = {0.0f, 0.0f, 1.0f};
static const coif_vec3 DOWN = {0.0f, -1.0f, 0.0f};

// A free strand across the slope, at a height above the middle of a horizontal floor.
static coif_status open_on_floor(coif_strand_rig *rig, const coif_experiment_result *result,
                                 const char *settings, double height, coif_arena *arena,
                                 coif_error *error)
{
    const int32_t points = coif_experiment_points(result);
    const coif_strand_rig_desc desc = {
        .shape = coif_shape_straight(points, 0.05, ACROSS, arena),
        .point_count = points,
        .sim = coif_arena_print(arena, "root_boundary=free %s", settings)};
    COIF_TRY(coif_experiment_open(rig, result, desc, arena, error));
    coif_mesh *mesh = coif_arena_new(arena, 1, coif_mesh);
    coif_collider *floor = coif_arena_new(arena, 1, coif_collider);
    *mesh = coif_shape_plane(40.0f, 8, arena);
    // The contact distance is radius plus margin.
    const float contact_distance = rig->params.contact_margin + rig->groom.rest.points[0].w;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        mesh->positions[v].y += rig->positions[0].y - (float)height - contact_distance;
    }
    coif_collider_build(floor, mesh, arena);
    rig->bodies = floor;
    rig->body_count = 1;
    return COIF_OK;
}

// The floor is horizontal and gravity is inclined.
static coif_status run_incline(coif_experiment_result *result, coif_arena *arena, coif_error *error)
{
    const double mu = COIF_EXPERIMENT_VALUE(MU);
    const double degrees = COIF_EXPERIMENT_VALUE(INCLINE);
    const double angle = degrees * M_PI / 180.0;
    const char *settings = coif_arena_print(arena, "friction=%.9g gravity=[%.9g,%.9g,0]", mu,
                                            9.81 * sin(angle), -9.81 * cos(angle));
    coif_strand_rig rig;
    COIF_TRY(open_on_floor(&rig, result, settings, 0.0, arena, error));
    const int32_t middle = rig.point_count / 2;
    const double start = (double)rig.positions[middle].x;
    const double half = round(0.5 * (double)rig.params.fps);
    double speed = 0.0;
    while (rig.frame < 2.0 * half) {
        speed = rig.frame == half ? (double)rig.velocities[middle].x : speed;
        coif_strand_rig_step(&rig);
    }
    coif_experiment_close(result, &rig);
    const double seconds = half / (double)rig.params.fps;
    coif_measure(result, "accel_m_s2", ((double)rig.velocities[middle].x - speed) / seconds,
                 coif_reference_incline(mu, degrees));
    coif_measure(result, "distance_m", (double)rig.positions[middle].x - start, NAN);
    coif_measure(result, "speed_m_s", (double)rig.velocities[middle].x, NAN);
    return COIF_OK;
}

COIF_EXPERIMENT(INCLINE, incline, "a strand lying across a slope slides or sticks (Coulomb)",
                COIF_EXPERIMENT_DEFAULT(MU, 0.3), COIF_EXPERIMENT_DEFAULT(INCLINE, 30),
                COIF_EXPERIMENT_DEFAULT(SEGMENTS, 5), COIF_EXPERIMENT_DEFAULT(SUBSTEPS, 10),
                COIF_EXPERIMENT_DEFAULT(FPS, 24));

static coif_status run_restitution(coif_experiment_result *result, coif_arena *arena,
                                   coif_error *error)
{
    static const double height = 0.3;
    const double e = COIF_EXPERIMENT_VALUE(BOUNCE);
    coif_strand_rig rig;
    COIF_TRY(open_on_floor(&rig, result, coif_arena_print(arena, "restitution=%.9g", e), height,
                           arena, error));
    const double floor = (double)rig.positions[0].y - height;
    const double falling = sqrt(2.0 * height / COIF_REFERENCE_GRAVITY);
    const int32_t middle = rig.point_count / 2;
    double highest = 0.0;
    // Until before the second bounce.
    while (rig.frame < falling * (1.1 + 1.9 * e) * (double)rig.params.fps) {
        coif_strand_rig_step(&rig);
        if (rig.frame > 1.05 * falling * (double)rig.params.fps) {
            highest = fmax(highest, (double)rig.positions[middle].y - floor);
        }
    }
    coif_experiment_close(result, &rig);
    coif_measure(result, "height_over_h0", highest / height, e * e);
    return COIF_OK;
}

COIF_EXPERIMENT(RESTITUTION, restitution, "a level strand falls on a floor and bounces once",
                COIF_EXPERIMENT_DEFAULT(BOUNCE, 0.5), COIF_EXPERIMENT_DEFAULT(SEGMENTS, 3),
                COIF_EXPERIMENT_DEFAULT(SUBSTEPS, 20), COIF_EXPERIMENT_DEFAULT(FPS, 100));

// A chain over a cylinder: up on the left, half around, down on the right. The legs have equal
// lengths, and an increasing force pulls at the right one.
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

static coif_status open_on_cylinder(coif_strand_rig *rig, const capstan *c,
                                    const coif_experiment_result *result, coif_arena *arena,
                                    coif_error *error)
{
    const double length = 2.0 * c->leg + M_PI * c->radius;
    const double segment = M_PI * c->radius / COIF_EXPERIMENT_VALUE(SEGMENTS);
    const int32_t points = (int32_t)(length / segment) + 1;
    coif_vec3 *shape = coif_arena_new(arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        shape[k] = capstan_at(c, length * k / (points - 1));
    }
    const char *settings = coif_arena_print(
        arena, "root_boundary=free friction=%.9g" COIF_STRAND_RIG_LIMP, COIF_EXPERIMENT_VALUE(MU));
    const coif_strand_rig_desc desc = {.shape = shape, .point_count = points, .sim = settings};
    COIF_TRY(coif_experiment_open(rig, result, desc, arena, error));
    const float contact_distance = rig->params.contact_margin + rig->groom.rest.points[0].w;
    const coif_vec3 axis = coif_sub(rig->positions[0], shape[0]);
    coif_mesh *mesh = coif_arena_new(arena, 1, coif_mesh);
    coif_collider *body = coif_arena_new(arena, 1, coif_collider);
    *mesh = coif_shape_cylinder((float)c->radius - contact_distance, 0.05f, 256, arena);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        mesh->positions[v] = coif_add(mesh->positions[v], axis);
    }
    coif_collider_build(body, mesh, arena);
    rig->bodies = body;
    rig->body_count = 1;
    return COIF_OK;
}

// The weight of the part on the cylinder is small, and included in the reference.
static const double LEG_OVER_RADIUS = 10.0;

// Increases the force until the chain slides; returns the ratio of the tensions at the cylinder.
static double pull_until_slip(coif_strand_rig *rig, const capstan *c, double most)
{
    static const double rate = 0.1;     // relative growth of the ratio, 1/s
    static const double running = 0.01; // m/s
    const double weight = coif_strand_rig_weight(&rig->params) * c->leg;
    const float damping = rig->params.damping;
    rig->params.damping = 10.0f;
    coif_strand_rig_settle(rig, 0.5, 0.5);
    rig->params.damping = damping;
    double ratio = 1.0;
    while (ratio < most && (double)rig->velocities[0].y < running) {
        ratio *= 1.0 + rate / (double)rig->params.fps;
        rig->params.tip_force[1] = (float)(-(ratio - 1.0) * weight);
        coif_strand_rig_step(rig);
    }
    return ratio;
}

static coif_status run_capstan(coif_experiment_result *result, coif_arena *arena, coif_error *error)
{
    const double mu = COIF_EXPERIMENT_VALUE(MU);
    const double leg = COIF_EXPERIMENT_VALUE(LENGTH);
    const double reference = coif_reference_capstan_heavy(mu, LEG_OVER_RADIUS);
    const capstan c = {.radius = leg / LEG_OVER_RADIUS, .leg = leg};
    coif_strand_rig rig;
    COIF_TRY(open_on_cylinder(&rig, &c, result, arena, error));
    const double ratio = pull_until_slip(&rig, &c, 3.0 * reference);
    coif_experiment_close(result, &rig);
    const double bare = coif_reference_capstan(mu, 180.0);
    coif_measure(result, "tension_ratio_at_slip", ratio * bare / reference, bare);
    coif_measure(result, "leg_ratio_at_slip", ratio, reference);
    return COIF_OK;
}

COIF_EXPERIMENT(CAPSTAN, capstan,
                "the ratio of tensions at which a chain slips over a cylinder, half a turn",
                COIF_EXPERIMENT_DEFAULT(MU, 0.2), COIF_EXPERIMENT_DEFAULT(LENGTH, 0.15),
                COIF_EXPERIMENT_DEFAULT(SEGMENTS, 16), COIF_EXPERIMENT_DEFAULT(SUBSTEPS, 10),
                COIF_EXPERIMENT_DEFAULT(FPS, 24));

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
    const int32_t points = coif_experiment_points(result);
    const double length = COIF_EXPERIMENT_VALUE(LENGTH);
    const coif_strand_rig_desc desc = {.shape = coif_shape_straight(points, length, DOWN, arena),
                                       .point_count = points,
                                       .sim = "gravity=[0,0,0] damping=5 bending_damping_time=0.02 "
                                              "friction=10 root_boundary=clamped"};
    return coif_experiment_open(rig, result, desc, arena, error);
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

// One frame in which the floor rises by a multiple of the strand length.
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
    const double mu = COIF_EXPERIMENT_VALUE(MU);
    coif_strand_rig rig;
    COIF_TRY(open_strand(&rig, result, arena, error));
    const double eps = press_until_slip(&rig, mu);
    coif_experiment_close(result, &rig);
    coif_measure(result, "mu_required", coif_reference_stick_friction(eps), mu);
    coif_measure(result, "eps", eps, NAN);
    return COIF_OK;
}

COIF_EXPERIMENT(STICK_SLIP, stick_slip,
                "a clamped strand is pressed against a floor until its tip slips",
                COIF_EXPERIMENT_DEFAULT(MU, 0.2), COIF_EXPERIMENT_DEFAULT(LENGTH, 0.05),
                COIF_EXPERIMENT_DEFAULT(SEGMENTS, 32), COIF_EXPERIMENT_DEFAULT(SUBSTEPS, 10),
                COIF_EXPERIMENT_DEFAULT(FPS, 24));
