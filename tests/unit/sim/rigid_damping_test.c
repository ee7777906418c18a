// Rigid damping: deformation decays, and linear and angular momentum of a strand stay.
#include "tests/support/hair_fixture.h"
#include "tests/support/hair_volume_fixture.h"

static coif_arena arena = {.name = "test"};

typedef struct motion {
    double mass, centre[3], linear[3], angular[3]; // the last about the centre of mass
    double energy;                                 // kinetic, of motion about the centre of mass
} motion;

static motion motion_of(const coif_vec3 *x, const coif_vec3 *v, const double *mass, int32_t count)
{
    motion sum = {0};
    for (int32_t k = 0; k < count; ++k) {
        sum.mass += mass[k];
        for (int a = 0; a < 3; ++a) {
            sum.centre[a] += mass[k] * (double)(&x[k].x)[a];
            sum.linear[a] += mass[k] * (double)(&v[k].x)[a];
        }
    }
    for (int32_t k = 0; k < count; ++k) {
        double r[3], u[3];
        for (int a = 0; a < 3; ++a) {
            r[a] = (double)(&x[k].x)[a] - sum.centre[a] / sum.mass;
            u[a] = (double)(&v[k].x)[a] - sum.linear[a] / sum.mass;
            sum.energy += 0.5 * mass[k] * u[a] * u[a];
        }
        for (int a = 0; a < 3; ++a) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            sum.angular[a] += mass[k] * (r[b] * u[c] - r[c] * u[b]);
        }
    }
    return sum;
}

static double size_of(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static double change_of(const double after[3], const double before[3])
{
    const double d[3] = {after[0] - before[0], after[1] - before[1], after[2] - before[2]};
    return size_of(d) / size_of(before);
}

static motion pack_motion(const pack *p, int32_t lane)
{
    coif_vec3 x[LENGTH], v[LENGTH];
    double mass[LENGTH];
    int32_t count = 0;
    for (int32_t k = 0; k < LENGTH; ++k) {
        const int64_t at = k * p->kernels->lanes + lane;
        if (p->block.inv_mass[at] > 0.0f) {
            x[count] = coif_soa3_get(&p->block.pos, at);
            v[count] = coif_soa3_get(&p->block.vel, at);
            mass[count++] = 1.0 / (double)p->block.inv_mass[at];
        }
    }
    return motion_of(x, v, mass, count);
}

static void free_roots(pack *p)
{
    for (int32_t lane = 0; lane < p->kernels->lanes; ++lane) {
        p->block.inv_mass[lane] = 2.0f;
    }
}

// Straight in the first lane, a plane in the second, a slender helix in the others; all of them
// move at 5 m/s and rotate at up to 10 rad/s.
static void move_rigidly(pack *p)
{
    for (int32_t lane = 0; lane < p->kernels->lanes; ++lane) {
        const coif_vec3 omega = coif_vec3_of(1.0f + (float)lane, 3.0f, lane == 0 ? 0.0f : 5.0f);
        for (int32_t k = 0; k < LENGTH; ++k) {
            const float curl = lane == 0 ? 0.0f : 0.004f;
            const coif_vec3 x = coif_vec3_of(
                curl * cosf((float)k), lane == 1 ? 0.0f : curl * sinf((float)k), 0.015f * (float)k);
            const int64_t at = k * p->kernels->lanes + lane;
            coif_soa3_set(&p->block.pos, at, x);
            coif_soa3_set(&p->block.vel, at,
                          coif_add(coif_vec3_of(5.0f, -1.0f, 0.5f), coif_cross(omega, x)));
        }
    }
}

TEST(rigid_motion_is_kept)
{
    pack p = random_pack("auto", &arena);
    free_roots(&p);
    move_rigidly(&p);
    coif_substep step = STEP;
    step.rigid_damping = 1.0f;
    coif_vec3 before[FLOATS];
    for (int32_t i = 0; i < LENGTH * p.kernels->lanes; ++i) {
        before[i] = coif_soa3_get(&p.block.vel, i);
    }
    for (int n = 0; n < 200; ++n) {
        p.kernels->damp_deformation(&p.block, &step);
    }
    for (int32_t i = 0; i < LENGTH * p.kernels->lanes; ++i) {
        CHECK_NEAR(coif_length(coif_sub(coif_soa3_get(&p.block.vel, i), before[i])), 0.0,
                   5e-5); // 1e-5 of 5 m/s
    }
}

// Random velocities: both momenta stay, and the energy beside rigid motion decays by (1 - k)^2.
TEST(momentum_is_kept_and_the_rest_decays)
{
    pack p = random_pack("auto", &arena);
    free_roots(&p);
    coif_substep step = STEP;
    step.rigid_damping = 0.25f;
    pack rigid = random_pack("auto", &arena);
    free_roots(&rigid);
    coif_substep all = STEP;
    all.rigid_damping = 1.0f;
    rigid.kernels->damp_deformation(&rigid.block, &all);
    for (int32_t lane = 0; lane < p.kernels->lanes; ++lane) {
        CHECK(pack_motion(&rigid, lane).energy < 0.9 * pack_motion(&p, lane).energy);
    }
    for (int n = 0; n < 40; ++n) {
        motion before[COIF_MAX_LANES];
        for (int32_t lane = 0; lane < p.kernels->lanes; ++lane) {
            before[lane] = pack_motion(&p, lane);
        }
        p.kernels->damp_deformation(&p.block, &step);
        for (int32_t lane = 0; lane < p.kernels->lanes; ++lane) {
            const motion after = pack_motion(&p, lane);
            const double least = pack_motion(&rigid, lane).energy;
            CHECK_NEAR(change_of(after.linear, before[lane].linear), 0.0, 2e-6);
            CHECK_NEAR(change_of(after.angular, before[lane].angular), 0.0, 2e-6);
            CHECK_NEAR(after.energy - least, 0.75 * 0.75 * (before[lane].energy - least),
                       1e-5 * before[lane].energy);
        }
    }
}

// Points pinned to a body keep their velocity and do not count.
TEST(pinned_points_do_not_change)
{
    pack p = random_pack("auto", &arena);
    const int32_t lanes = p.kernels->lanes;
    for (int32_t lane = 0; lane < lanes; ++lane) {
        p.block.inv_mass[lanes + lane] = 0.0f;
        coif_soa3_set(&p.block.vel, lane, coif_vec3_of(100.0f, 0.0f, 0.0f));
    }
    const coif_vec3 pinned = coif_soa3_get(&p.block.vel, lanes);
    const motion before = pack_motion(&p, 0);
    coif_substep step = STEP;
    step.rigid_damping = 1.0f;
    p.kernels->damp_deformation(&p.block, &step);
    const motion after = pack_motion(&p, 0);
    CHECK(p.block.vel.x[0] == 100.0f && p.block.vel.x[lanes] == pinned.x);
    CHECK_NEAR(change_of(after.linear, before.linear), 0.0, 1e-6);
    CHECK_NEAR(change_of(after.angular, before.angular), 0.0, 1e-6);
    CHECK(after.energy < 0.9 * before.energy);
}

TEST(strands_of_few_free_points_stay_finite)
{
    for (int32_t free = 0; free <= 2; ++free) {
        pack p = random_pack("auto", &arena);
        for (int32_t i = 0; i < (LENGTH - free) * p.kernels->lanes; ++i) {
            p.block.inv_mass[i] = 0.0f;
        }
        const motion before = pack_motion(&p, 1);
        coif_substep step = STEP;
        step.rigid_damping = 1.0f;
        p.kernels->damp_deformation(&p.block, &step);
        for (int32_t i = 0; i < LENGTH * p.kernels->lanes; ++i) {
            CHECK(isfinite(coif_length(coif_soa3_get(&p.block.vel, i))));
        }
        if (free > 0) {
            CHECK_NEAR(change_of(pack_motion(&p, 1).linear, before.linear), 0.0, 1e-6);
        }
    }
}

TEST(four_lanes_and_eight_give_the_same_bits)
{
    if (!has_wide8()) {
        printf("       this processor has no wide8 kernels\n");
        return;
    }
    pack narrow = random_pack("wide4", &arena);
    pack wide = random_pack("wide8", &arena);
    coif_substep step = STEP;
    step.rigid_damping = 0.3f;
    narrow.kernels->damp_deformation(&narrow.block, &step);
    wide.kernels->damp_deformation(&wide.block, &step);
    for (int32_t k = 0; k < LENGTH; ++k) {
        CHECK(memcmp(narrow.block.vel.x + 4 * k, wide.block.vel.x + 8 * k, 16) == 0);
        CHECK(memcmp(narrow.block.vel.y + 4 * k, wide.block.vel.y + 8 * k, 16) == 0);
        CHECK(memcmp(narrow.block.vel.z + 4 * k, wide.block.vel.z + 8 * k, 16) == 0);
    }
}

// What a second leaves: exp(-rate) for any number of substeps, (1 - k)^n for the fraction.
TEST(the_rate_does_not_depend_on_substeps)
{
    for (int32_t substeps = 1; substeps <= 64; substeps *= 4) {
        coif_sim_params params = bare_params();
        params.substeps = substeps;
        params.rigid_damping_rate = 3.0f;
        coif_solver_params solver = coif_solver_params_of(&params);
        const coif_substep rated = coif_substep_of(&solver, 0, 1.0 / 24.0, 0.0);
        CHECK_NEAR(pow(1.0 - (double)rated.rigid_damping, 24.0 * substeps) / exp(-3.0), 1.0, 1e-3);
        solver.rigid_damping_rate = 0.0f;
        solver.rigid_damping = 0.2f;
        CHECK(coif_substep_of(&solver, 0, 1.0 / 24.0, 0.0).rigid_damping == 0.2f);
    }
}

enum { POINTS = 25 };

// A free helix of 20 cm without gravity that rotates at 1 rad/s; deformation: added velocity.
static void open_spinning(hair_fixture *hair, const char *method, float damping, float deformation)
{
    coif_sim_params params = bare_params();
    while (strcmp(COIF_METHOD_NAMES[params.solver], method) != 0) {
        ++params.solver;
    }
    params.root_boundary = COIF_ROOT_FREE;
    params.gravity[1] = 0.0f;
    params.hair_density = 1320.0f;
    params.hair_radius = 4e-5f;
    params.youngs_modulus = 3.9e6f; // slow vibration
    params.poisson_ratio = 0.4f;
    params.stiffness = 1.0f;
    params.bend_stiffness = 0.6f;
    params.rigid_damping = damping;
    coif_vec3 shape[POINTS], velocity[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        const float angle = 0.4f * (float)k;
        shape[k] = coif_vec3_of(0.01f * cosf(angle), 0.01f * sinf(angle), 0.008f * (float)k);
    }
    const hair_fixture_desc desc = {
        .shape = shape, .length = POINTS, .strand_count = 1, .params = params};
    fixture_open(hair, &desc, &arena, NULL);
    for (int k = 0; k < POINTS; ++k) {
        velocity[k] = coif_cross(coif_vec3_of(0.6f, 0.8f, 0.1f), hair->positions[k]);
        velocity[k].x += deformation * cosf(0.5f * (float)k);
    }
    coif_solver_set_points(hair->solver.core, hair->positions, velocity);
    coif_solver_get_points(hair->solver.core, hair->positions, hair->velocities);
}

static motion hair_motion(const hair_fixture *hair)
{
    double mass[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        mass[k] = k == 0 || k == POINTS - 1 ? 0.5 : 1.0;
    }
    return motion_of(hair->positions, hair->velocities, mass, POINTS);
}

TEST(a_rotating_free_strand_keeps_its_angular_momentum)
{
    hair_fixture hair;
    open_spinning(&hair, "der", 0.5f, 0.0f);
    const motion before = hair_motion(&hair);
    fixture_run(&hair, 24);
    const motion after = hair_motion(&hair);
    CHECK_NEAR(change_of(after.angular, before.angular), 0.0, 1e-5);
    CHECK_NEAR(after.energy / before.energy, 1.0, 0.02); // rotation stretches the soft helix
}

// Kinetic energy beside rigid motion: less that of the angular momentum, L . I^-1 L / 2.
static double deformation_energy(const hair_fixture *hair)
{
    const motion now = hair_motion(hair);
    const double *l = now.angular;
    double i[3][3] = {{0}};
    for (int k = 0; k < POINTS; ++k) {
        const double mass = k == 0 || k == POINTS - 1 ? 0.5 : 1.0;
        double r[3], rr = 0.0;
        for (int a = 0; a < 3; ++a) {
            r[a] = (double)(&hair->positions[k].x)[a] - now.centre[a] / now.mass;
            rr += r[a] * r[a];
        }
        for (int a = 0; a < 9; ++a) {
            i[a / 3][a % 3] += mass * ((a % 4 == 0 ? rr : 0.0) - r[a / 3] * r[a % 3]);
        }
    }
    double determinant = 0.0, product = 0.0;
    for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        for (int d = 0; d < 3; ++d) {
            const int e = (d + 1) % 3, f = (d + 2) % 3;
            const double cofactor = i[b][e] * i[c][f] - i[b][f] * i[c][e];
            product += l[a] * cofactor * l[d];
            determinant += d == 0 ? i[a][d] * cofactor : 0.0;
        }
    }
    return now.energy - 0.5 * product / determinant;
}

// Mean over a second of what vibration leaves of its energy, for a soft strand.
static double vibration(const char *method, float damping)
{
    hair_fixture hair;
    open_spinning(&hair, method, damping, 0.1f);
    const double begin = deformation_energy(&hair);
    double sum = 0.0;
    for (int frame = 0; frame < 12; ++frame) {
        fixture_step(&hair);
        sum += deformation_energy(&hair) / begin;
    }
    return sum / 12.0;
}

TEST(vibration_decays_under_every_method)
{
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        const char *name = COIF_METHOD_NAMES[method];
        const double plain = vibration(name, 0.0f);
        const double damped = vibration(name, 0.2f);
        printf("       %s: %g without, %g with rigid damping\n", name, plain, damped);
        CHECK(damped >= -1e-6 && damped < 0.5 * plain);
    }
}
