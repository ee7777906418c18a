// Rods against reference solutions: loaded curls, twisted rings and rods, swinging chains.
#include "tests/support/der_fixture.h"

static coif_arena arena = {.name = "test"};

enum { STRANDS = 4 }; // that differ; lanes beyond repeat them

static coif_substep substep_of(int32_t per_frame, float drag)
{
    return (coif_substep){.h = 1.0f / (24.0f * (float)per_frame),
                          .end = 1.0f,
                          .velocity_retention = 1.0f,
                          .drag = drag};
}

static void settle(rods *r, double seconds)
{
    rods_step(r, (int32_t)(seconds / (double)r->step.h));
}

// Round hair with C / B = 2 / 3, as in the tables.
static coif_strand_material table_hair(bool clamped)
{
    coif_strand_material material = HAIR;
    material.poisson_ratio = 0.5f;
    material.clamped = clamped;
    return material;
}

typedef struct helix {
    double pitch; // radians
    double radius[STRANDS], length[STRANDS];
    int32_t segments;
} helix;

static coif_vec3 helix_shape(int32_t lane, int32_t k, const void *context)
{
    const helix *all = context;
    const double radius = all->radius[lane % STRANDS];
    const double s = all->length[lane % STRANDS] * k / all->segments;
    const double turn = s * cos(all->pitch) / radius;
    return coif_vec3_of((float)(radius * cos(turn) - radius), (float)(-s * sin(all->pitch)),
                        (float)(radius * sin(turn)));
}

static void open_rods(rods *r, int32_t segments, rods_shape shape, const void *context,
                      const coif_strand_material *material)
{
    const rods_desc desc = {.length = segments + 1,
                            .shape = shape,
                            .context = context,
                            .materials = material,
                            .one_material = true};
    rods_open(r, &desc, &arena);
}

// Pinned at the root and pulled at the tip, without weight. Measured over the middle turns: the
// table neglects the ends.
static void check_pulled_helix(double pitch_deg, int32_t per_turn, double tolerance)
{
    enum { TURNS = 20, FIRST = 6, LAST = 14 };
    static const double forces[STRANDS] = {0.01, 0.05, 0.1, 0.5};
    const coif_strand_material material = table_hair(false);
    const double bending = bending_of(&material);
    helix shape = {.pitch = pitch_deg * M_PI / 180.0, .segments = TURNS * per_turn};
    for (int i = 0; i < STRANDS; ++i) {
        shape.radius[i] = 0.008;
        shape.length[i] = 2.0 * M_PI * TURNS * shape.radius[i] / cos(shape.pitch);
    }
    rods r;
    open_rods(&r, shape.segments, helix_shape, &shape, &material);
    r.step = substep_of(5, 8.0f);
    r.step.bending_damping_time = 0.005f;
    r.step.tip_force.y = -1.0f;
    const double mass = weight_of(&material) / 9.81 * shape.length[0] / shape.segments;
    for (int32_t lane = 0; lane < r.block.lanes; ++lane) {
        r.block.inv_mass[lane] = 0.0f;
        const double force = forces[lane % STRANDS] * bending / pow(shape.radius[0], 2.0);
        r.block.inv_point_mass[lane] = (float)(force / mass);
    }
    settle(&r, 4.0);
    for (int32_t i = 0; i < STRANDS; ++i) {
        const double key[3] = {pitch_deg, 0.666666667, forces[i]};
        const double wanted = rods_oracle("helix_pull.csv", key, 3, 4);
        const double high = (double)rods_at(&r, i, FIRST * per_turn).y;
        const double low = (double)rods_at(&r, i, LAST * per_turn).y;
        const double found = (high - low) / (shape.length[i] * (LAST - FIRST) / TURNS);
        CHECK_NEAR(found / wanted, 1.0, tolerance);
    }
}

TEST(pulled_curls_are_springs)
{
    check_pulled_helix(10.0, 16, 0.03);
    check_pulled_helix(20.0, 32, 0.01);
}

static void check_hanging_helix(double pitch_deg, int32_t per_turn, double tolerance)
{
    enum { TURNS = 20 };
    static const double weights[STRANDS] = {0.05, 0.1, 0.2, 0.5};
    const coif_strand_material material = table_hair(true);
    helix shape = {.pitch = pitch_deg * M_PI / 180.0, .segments = TURNS * per_turn};
    for (int i = 0; i < STRANDS; ++i) {
        const double arc = 2.0 * M_PI * TURNS / cos(shape.pitch);
        shape.radius[i] = cbrt(weights[i] * bending_of(&material) / weight_of(&material) / arc);
        shape.length[i] = arc * shape.radius[i];
    }
    rods r;
    open_rods(&r, shape.segments, helix_shape, &shape, &material);
    r.step = substep_of(5, 8.0f);
    r.step.bending_damping_time = 0.005f;
    r.step.gravity.y = -9.81f;
    settle(&r, 4.0);
    for (int32_t i = 0; i < STRANDS; ++i) {
        const double key[3] = {pitch_deg, 0.666666667, weights[i]};
        const double wanted = rods_oracle("helix_selfweight.csv", key, 3, 3);
        const double found = -(double)rods_tip(&r, i).y / shape.length[i];
        CHECK_NEAR(found / wanted, 1.0, tolerance);
    }
}

TEST(long_curls_hang_as_springs_do)
{
    check_hanging_helix(10.0, 16, 0.03);
    check_hanging_helix(20.0, 32, 0.01);
}

// A number of rod_thresholds.csv.
static double threshold_of(const char *name)
{
    char line[512];
    double value = NAN;
    FILE *file = fopen(coif_test_source("tests/data/reference/rod_thresholds.csv"), "r");
    CHECK(file != NULL);
    while (file != NULL && isnan(value) && fgets(line, sizeof line, file) != NULL) {
        const char *last = strrchr(line, ',');
        if (last != NULL && strncmp(line, name, strlen(name)) == 0) {
            sscanf(last + 1, "%lf", &value);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    CHECK(!isnan(value));
    return value;
}

static void put_row(float *rows, int32_t row, const rods *r, int32_t lane, coif_vec3 value)
{
    const int32_t lanes = r->block.lanes;
    rows[row * lanes + lane] = value.x;
    rows[(row + 1) * lanes + lane] = value.y;
    rows[(row + 2) * lanes + lane] = value.z;
}

// Naturally straight rods, both ends clamped to face along x. The root is held by half a joint, the
// tip by its last segment, so they are half a segment shorter than their points.
static void open_clamped(rods *r, int32_t segments, rods_shape shape)
{
    const coif_strand_material material = table_hair(true);
    open_rods(r, segments, shape, &segments, &material);
    const coif_vec3 z = {0.0f, 0.0f, 1.0f};
    const int32_t lanes = r->block.lanes;
    for (int32_t lane = 0; lane < lanes; ++lane) {
        put_row(coif_method_rows_of(&r->block)->lane_rows, COIF_DER_CLAMP_T, r, lane,
                coif_vec3_of(1, 0, 0));
        put_row(coif_method_rows_of(&r->block)->lane_rows, COIF_DER_CLAMP_U, r, lane, z);
        for (int32_t k = 0; k < segments; ++k) {
            put_row(coif_method_rows_of(&r->block)->rows, k * COIF_DER_ROWS + COIF_DER_KAPPA_1, r,
                    lane, coif_vec3_of(0, 0, 0)); // and CURVE_2 and TWIST
            put_row(r->block.state, k * COIF_DER_STATE_ROWS + COIF_DER_UX, r, lane, z);
        }
        r->block.inv_mass[segments * lanes + lane] =
            r->block.inv_mass[(segments - 1) * lanes + lane] = 0.0f;
    }
    r->step = substep_of(10, 4.0f);
    r->step.bending_damping_time = 0.002f;
}

// Rotates the tips; a small initial perturbation lets an unstable equilibrium buckle.
static void twist_tips(rods *r, const double angles[STRANDS], double fraction)
{
    const int32_t lanes = r->block.lanes;
    for (int32_t lane = 0; lane < lanes; ++lane) {
        const double a = fraction * angles[lane % STRANDS];
        put_row(coif_method_rows_of(&r->block)->lane_rows, COIF_DER_TIP_U, r, lane,
                coif_vec3_of(0.0f, (float)-sin(a), (float)cos(a)));
    }
}

static void breathe(rods *r, int32_t segments, double speed)
{
    for (int32_t at = r->block.lanes; at < (segments - 1) * r->block.lanes; ++at) {
        const double s = (double)(at / r->block.lanes) / segments;
        r->block.vel.z[at] = (float)(speed * sin(4.0 * M_PI * s));
    }
}

static const double FRACTIONS[STRANDS] = {0.8, 0.95, 1.05, 1.2};

static const double RING = 0.02; // its radius, m

static coif_vec3 ring_shape(int32_t lane, int32_t k, const void *context)
{
    (void)lane;
    const int32_t segments = *(const int32_t *)context;
    const double angle = M_PI / (segments - 0.5); // half of a segment's
    if (k >= segments - 1) {
        return coif_vec3_of((float)((k - segments + 0.5) * 2.0 * RING * sin(angle)), (float)RING,
                            0);
    }
    return coif_vec3_of((float)(RING * sin(2.0 * angle * k)), (float)(RING * cos(2.0 * angle * k)),
                        0);
}

// How far the ring leaves its plane, which may turn about the clamp.
static double out_of_plane(const rods *r, int32_t lane)
{
    double y = 0.0;
    double z = 0.0;
    double most = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t k = 0; k < r->block.length; ++k) {
            const coif_vec3 p = rods_at(r, lane, k);
            const double up = (double)p.y - RING;
            y += pass == 0 ? up : 0.0;
            z += pass == 0 ? (double)p.z : 0.0;
            most = fmax(most, pass == 0 ? 0.0 : fabs(up * z - (double)p.z * y) / hypot(y, z));
        }
    }
    return most / RING;
}

TEST(a_twisted_ring_leaves_its_plane_as_michell_says)
{
    enum { SEGMENTS = 48, STEPS = 800 };
    double angles[STRANDS];
    double most[STRANDS] = {0.0};
    for (int i = 0; i < STRANDS; ++i) {
        angles[i] = FRACTIONS[i] * threshold_of("michell_ring_twist") * 1.5;
    }
    rods r;
    open_clamped(&r, SEGMENTS, ring_shape);
    breathe(&r, SEGMENTS, 1e-4);
    for (int n = 0; n < STEPS; ++n) {
        twist_tips(&r, angles, fmin(2.0 * n / STEPS, 1.0));
        rods_step(&r, 1);
        for (int32_t i = 0; i < STRANDS; ++i) {
            most[i] = fmax(most[i], out_of_plane(&r, i));
        }
    }
    for (int32_t i = 0; i < STRANDS; ++i) {
        CHECK(FRACTIONS[i] < 1.0 ? most[i] < 0.06 : most[i] > 0.3);
    }
}

static coif_vec3 straight_shape(int32_t lane, int32_t k, const void *context)
{
    (void)lane;
    return coif_vec3_of((float)(0.1 * k / *(const int32_t *)context), 0.0f, 0.0f);
}

// The tips slide along the rod, so that there is no tension.
TEST(twisted_rods_buckle_as_greenhill_says)
{
    enum { SEGMENTS = 32, STEPS = 1440 };
    double angles[STRANDS];
    for (int i = 0; i < STRANDS; ++i) {
        angles[i] = FRACTIONS[i] * threshold_of("greenhill_twist_buckling") * 1.5;
    }
    rods r;
    open_clamped(&r, SEGMENTS, straight_shape);
    breathe(&r, SEGMENTS, 1e-2);
    const int32_t lanes = r.block.lanes;
    for (int n = 0; n < STEPS; ++n) {
        twist_tips(&r, angles, fmin(2.0 * n / STEPS, 1.0));
        for (int32_t lane = 0; lane < lanes; ++lane) {
            const int32_t row = SEGMENTS / 2 * COIF_DER_STATE_ROWS + COIF_DER_TENSION;
            const float step =
                coif_clamp(-1e-8f * r.block.state[row * lanes + lane], -1e-5f, 1e-5f);
            r.block.rest_local.x[SEGMENTS * lanes + lane] += step;
            r.block.rest_local.x[(SEGMENTS - 1) * lanes + lane] += step;
        }
        rods_step(&r, 1);
    }
    for (int32_t i = 0; i < STRANDS; ++i) {
        double most = 0.0;
        for (int32_t k = 0; k <= SEGMENTS; ++k) {
            const coif_vec3 p = rods_at(&r, i, k);
            most = fmax(most, hypot((double)p.y, (double)p.z) / 0.1);
        }
        CHECK(FRACTIONS[i] < 1.0 ? most < 0.003 : most > 0.01);
    }
}

// Flat hair on edge, pulled down at its tip: it buckles laterally at P L^2 / sqrt(B2 C) = 4.01,
// and a little later for B2 / B1 = 1 / 36.
TEST(flat_hair_on_edge_buckles_laterally)
{
    enum { SEGMENTS = 32 };
    const double flat = 6.0;
    coif_strand_material material = table_hair(true);
    material.ellipticity = (float)flat;
    int32_t segments = SEGMENTS;
    rods r;
    open_rods(&r, SEGMENTS, straight_shape, &segments, &material);
    const double b = bending_of(&material);
    const double weak = b / flat;
    const double twist = b * (2.0 / 3.0) * 2.0 / (flat + 1.0 / flat);
    const double late = 1.0 / sqrt(1.0 - 1.0 / (flat * flat));
    const double threshold =
        late * threshold_of("lateral_buckling_tip_load") * sqrt(weak * twist) / 0.01;
    const double mass = weight_of(&material) / 9.81 * 0.1 / SEGMENTS;
    r.step = substep_of(10, 4.0f);
    r.step.bending_damping_time = 0.002f;
    r.step.gravity.z = 0.001f;
    r.step.tip_force.y = -1.0f;
    for (int32_t lane = 0; lane < r.block.lanes; ++lane) {
        put_row(coif_method_rows_of(&r.block)->lane_rows, COIF_DER_CLAMP_U, &r, lane,
                coif_vec3_of(0, 1, 0));
        for (int32_t k = 0; k < SEGMENTS; ++k) {
            put_row(r.block.state, k * COIF_DER_STATE_ROWS + COIF_DER_UX, &r, lane,
                    coif_vec3_of(0, 1, 0));
        }
        r.block.inv_point_mass[lane] = (float)(FRACTIONS[lane % STRANDS] * threshold / mass);
    }
    settle(&r, 6.0);
    for (int32_t i = 0; i < STRANDS; ++i) {
        const double aside = fabs((double)rods_tip(&r, i).z) / 0.1;
        CHECK(FRACTIONS[i] < 1.0 ? aside < 0.02 : aside > 0.05);
    }
}

// Swings of limp chains, from falls of the tip through the vertical.
typedef struct swings {
    double first, last; // seconds
    int count;
} swings;

static void count_swings(swings *all, double before, double now, double time, double h)
{
    if (before > 0.0 && now <= 0.0) {
        all->last = time + h * before / (before - now);
        all->first = all->count == 0 ? all->last : all->first;
        all->count += 1;
    }
}

typedef struct chain {
    double zero; // of Bessel's function J0
    int32_t segments;
} chain;

// Modes of a hanging chain: J0(j sqrt(z / L)), z measured from the tip.
static coif_vec3 chain_shape(int32_t lane, int32_t k, const void *context)
{
    const chain *all = context;
    (void)lane;
    const double s = (double)k / all->segments;
    return coif_vec3_of((float)(5e-4 * j0(all->zero * sqrt(1.0 - s))), (float)(-0.2 * s), 0.0f);
}

TEST(hanging_chains_swing_in_their_modes)
{
    static const double zeros[3] = {2.40482556, 5.52007811, 8.65372791};
    coif_strand_material material = HAIR;
    material.stiffness = 0.0f;
    for (int mode = 0; mode < 3; ++mode) {
        const double key[2] = {0.2, mode + 1};
        const double wanted = rods_oracle("hanging_chain_modes.csv", key, 2, 3);
        const chain shape = {zeros[mode], 64};
        rods r;
        open_rods(&r, shape.segments, chain_shape, &shape, &material);
        r.step = substep_of(160, 0.0f);
        r.step.gravity.y = -9.81f;
        swings tip = {0};
        double time = 0.0;
        for (double before = 1.0; tip.count < 3 && time < 3.0; time += (double)r.step.h) {
            rods_step(&r, 1);
            const double now = (double)rods_tip(&r, 0).x;
            count_swings(&tip, before, now, time, (double)r.step.h);
            before = now;
        }
        CHECK_NEAR((tip.last - tip.first) / (tip.count - 1) / wanted, 1.0, 0.01);
    }
}

static coif_vec3 pendulum_shape(int32_t lane, int32_t k, const void *context)
{
    const double angle = ((const double *)context)[lane % STRANDS] * M_PI / 180.0;
    return coif_vec3_of((float)(0.25 * k * sin(angle)), (float)(-0.25 * k * cos(angle)), 0.0f);
}

TEST(a_pendulum_never_swings_higher)
{
    static const double angles[STRANDS] = {30.0, 60.0, 90.0, 120.0};
    coif_strand_material material = HAIR;
    material.stiffness = 0.0f;
    rods r;
    open_rods(&r, 1, pendulum_shape, angles, &material);
    r.step = substep_of(320, 0.0f);
    r.step.gravity.y = -9.81f;
    swings all[STRANDS] = {{0}};
    double before[STRANDS] = {1.0, 1.0, 1.0, 1.0};
    double highest[STRANDS] = {-1.0, -1.0, -1.0, -1.0};
    for (int n = 0; n < 16000; ++n) {
        rods_step(&r, 1);
        for (int32_t i = 0; i < STRANDS; ++i) {
            const coif_vec3 tip = rods_tip(&r, i);
            count_swings(&all[i], before[i], (double)tip.x, n * (double)r.step.h, (double)r.step.h);
            before[i] = (double)tip.x;
            highest[i] = fmax(highest[i], (double)tip.y);
            if (all[i].count == 2 && all[i].last > 0.0) {
                const double wanted = rods_oracle("pendulum_large_amplitude.csv", &angles[i], 1, 1);
                const double period =
                    (all[i].last - all[i].first) / (2.0 * M_PI * sqrt(0.25 / 9.81));
                CHECK_NEAR(period / wanted, 1.0, 0.01);
                all[i].count = 3;
            }
        }
    }
    for (int32_t i = 0; i < STRANDS; ++i) {
        CHECK(all[i].count >= 3);
        CHECK(highest[i] <= -0.25 * cos(angles[i] * M_PI / 180.0) + 1e-5);
    }
}
