// rod: one hair bends, curls, buckles and swings as mechanics says, for any number of substeps.
#include "tests/sim_rod.h"

#include "core/digest.h"
#include "core/rng.h"

static coif_arena arena = {.name = "test"};

enum { STRANDS = 4 }; // that differ; lanes beyond repeat them

static coif_substep substep_of(int32_t per_frame, float drag)
{
    return (coif_substep){.h = 1.0f / (24.0f * (float)per_frame),
                          .end = 1.0f,
                          .gravity = {0.0f, -9.81f, 0.0f},
                          .keep = 1.0f,
                          .drag = drag};
}

static void settle(rods *r, double seconds)
{
    rods_step(r, (int32_t)(seconds / (double)r->step.h));
}

// Straight strands of four lengths.
typedef struct straight {
    double length[STRANDS];
    int32_t segments;
    coif_vec3 along;
} straight;

static coif_vec3 straight_shape(int32_t lane, int32_t k, const void *context)
{
    const straight *all = context;
    return coif_scale(all->along, (float)(all->length[lane % STRANDS] * k / all->segments));
}

// The length at which weight against stiffness, rho A g L^3 / B, is gamma.
static double length_of(double gamma, const coif_rod_material *material)
{
    return cbrt(gamma * bending_of(material) / weight_of(material));
}

static void open_straight(rods *r, const straight *shape, const coif_rod_material *material)
{
    const rods_desc desc = {.length = shape->segments + 1,
                            .shape = straight_shape,
                            .context = shape,
                            .materials = material,
                            .one_material = true};
    rods_open(r, &desc, &arena);
}

static void open_cantilever(rods *r, const double gammas[STRANDS], int32_t segments)
{
    straight *shape = coif_arena_new(&arena, 1, straight);
    shape->segments = segments;
    shape->along = coif_vec3_of(1.0f, 0.0f, 0.0f);
    for (int i = 0; i < STRANDS; ++i) {
        shape->length[i] = length_of(gammas[i], &HAIR);
    }
    open_straight(r, shape, &HAIR);
}

static double drop_over_reach(const rods *r, int32_t lane)
{
    const coif_vec3 tip = rods_tip(r, lane);
    return -(double)tip.y / (double)tip.x;
}

static void cantilevers_are_those_of_the_same_discrete_rod(void)
{
    static const double gammas[STRANDS] = {1.0, 10.0, 100.0, 1000.0};
    for (int32_t segments = 8; segments <= 64; segments *= 2) {
        rods r;
        open_cantilever(&r, gammas, segments);
        r.step = substep_of(5, 8.0f);
        settle(&r, 4.0);
        for (int32_t i = 0; i < STRANDS; ++i) {
            const double key[2] = {gammas[i], segments};
            const double wanted = rods_oracle("cantilever_discrete.csv", key, 2, 8);
            CHECK_NEAR(drop_over_reach(&r, i) / wanted, 1.0, 0.005);
        }
        CHECK(rods_speed(&r) < 1e-3);
    }
}

static void cantilevers_are_elasticas(void)
{
    static const double gammas[2][STRANDS] = {{1.0, 5.0, 20.0, 50.0},
                                              {100.0, 200.0, 500.0, 1000.0}};
    for (int part = 0; part < 2; ++part) {
        rods r;
        open_cantilever(&r, gammas[part], 64);
        r.step = substep_of(5, 8.0f);
        settle(&r, 4.0);
        for (int32_t i = 0; i < STRANDS; ++i) {
            const double wanted = rods_oracle("cantilever_elastica.csv", &gammas[part][i], 1, 3);
            CHECK_NEAR(drop_over_reach(&r, i) / wanted, 1.0, 0.02);
        }
    }
}

static void the_number_of_substeps_does_not_matter(void)
{
    static const double gammas[STRANDS] = {1.0, 10.0, 100.0, 1000.0};
    static const int32_t substeps[5] = {1, 5, 10, 20, 40};
    double low[STRANDS];
    double high[STRANDS] = {0.0};
    for (int s = 0; s < 5; ++s) {
        rods r;
        open_cantilever(&r, gammas, 24);
        r.step = substep_of(substeps[s], 10.0f);
        r.step.bend_damping = 0.01f;
        settle(&r, 2.5);
        for (int32_t i = 0; i < STRANDS; ++i) {
            const double found = drop_over_reach(&r, i);
            low[i] = s == 0 ? found : fmin(low[i], found);
            high[i] = fmax(high[i], found);
        }
    }
    for (int32_t i = 0; i < STRANDS; ++i) {
        CHECK(low[i] > 0.0);
        CHECK_NEAR(high[i] / low[i], 1.0, 0.005);
    }
}

// Helices hanging from their root, of radius so that the weight is what is wanted.
typedef struct helix {
    double pitch; // radians
    double turns;
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

static void open_helix(rods *r, helix *shape, const double weights[STRANDS],
                       const coif_rod_material *material)
{
    for (int i = 0; i < STRANDS; ++i) {
        const double arc = 2.0 * M_PI * shape->turns / cos(shape->pitch);
        shape->radius[i] = cbrt(weights[i] * bending_of(material) / weight_of(material) / arc);
        shape->length[i] = arc * shape->radius[i];
    }
    const rods_desc desc = {.length = shape->segments + 1,
                            .shape = helix_shape,
                            .context = shape,
                            .materials = material,
                            .one_material = true};
    rods_open(r, &desc, &arena);
}

static double arc_length(const rods *r, int32_t lane)
{
    double length = 0.0;
    for (int32_t k = 0; k + 1 < r->block.length; ++k) {
        length += (double)r->block.rest[k * r->block.lanes + lane];
    }
    return length;
}

static void check_hanging_helix(double pitch_deg, double turns, int32_t per_turn, double tolerance)
{
    static const double weights[STRANDS] = {0.05, 0.1, 0.3, 0.5};
    coif_rod_material material = HAIR;
    material.poisson = 0.5f; // C / B = 2 / 3, as in the table
    helix shape = {
        .pitch = pitch_deg * M_PI / 180.0, .turns = turns, .segments = (int32_t)turns * per_turn};
    rods r;
    open_helix(&r, &shape, weights, &material);
    r.step = substep_of(10, 6.0f);
    r.step.bend_damping = 0.01f;
    settle(&r, 2.0);
    for (int32_t i = 0; i < STRANDS; ++i) {
        const double key[4] = {pitch_deg, turns, 0.66666667, weights[i]};
        const double wanted = rods_oracle("helix_hang_kirchhoff.csv", key, 4, 5);
        CHECK_NEAR(-(double)rods_tip(&r, i).y / arc_length(&r, i) / wanted, 1.0, tolerance);
    }
    CHECK(rods_stretch(&r) < 1e-4);
}

static void hanging_curls_are_kirchhoff_rods(void)
{
    check_hanging_helix(10.0, 5.0, 16, 0.03);
    check_hanging_helix(20.0, 3.0, 16, 0.03);
    check_hanging_helix(20.0, 3.0, 32, 0.01);
}

static void rest_shapes_stay_without_gravity(void)
{
    static const double weights[STRANDS] = {0.05, 0.1, 0.3, 0.5};
    helix shape = {.pitch = 0.3, .turns = 3.0, .segments = 40};
    rods r;
    open_helix(&r, &shape, weights, &HAIR);
    r.step = substep_of(10, 0.0f);
    r.step.gravity = coif_vec3_of(0.0f, 0.0f, 0.0f);
    rods_step(&r, 200);
    for (int32_t i = 0; i < STRANDS; ++i) {
        const coif_vec3 rest = helix_shape(i, shape.segments, &shape);
        CHECK(coif_length(coif_sub(rods_tip(&r, i), rest)) < 1e-5f);
    }
    CHECK(rods_speed(&r) < 1e-4);
}

// Rotating root and gravity alike rotates everything: frames have no favourite direction.
static void a_turned_curl_hangs_as_the_same_curl(void)
{
    static const double weights[STRANDS] = {0.05, 0.1, 0.2, 0.3};
    helix shape = {.pitch = 0.3, .turns = 3.0, .segments = 36};
    rods upright;
    rods turned;
    open_helix(&upright, &shape, weights, &HAIR);
    open_helix(&turned, &shape, weights, &HAIR);
    coif_block *block = &turned.block;
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        // x, y, z of the strand become z, x, y of the world.
        for (int r = 3; r < COIF_ROOT_ROWS; ++r) {
            const float one = r == 5 || r == 6 || r == 10 ? 1.0f : 0.0f;
            block->root[r * block->lanes + lane] = one;
            block->root_end[r * block->lanes + lane] = one;
        }
        for (int32_t at = lane; at < block->length * block->lanes; at += block->lanes) {
            block->z[at] = block->lx[at];
            block->x[at] = block->ly[at];
            block->y[at] = block->lz[at];
        }
    }
    turned.rod_kernels->place(block);
    upright.step = turned.step = substep_of(10, 6.0f);
    turned.step.gravity = coif_vec3_of(-9.81f, 0.0f, 0.0f);
    settle(&upright, 1.0);
    settle(&turned, 1.0);
    for (int32_t i = 0; i < STRANDS; ++i) {
        const coif_vec3 a = rods_tip(&upright, i);
        const coif_vec3 b = rods_tip(&turned, i);
        CHECK(coif_length(coif_sub(a, coif_vec3_of(b.z, b.x, b.y))) < 2e-5f);
    }
}

static void upright_hair_buckles_at_greenhills_height(void)
{
    static const double threshold = 7.83734744; // rod_thresholds.csv
    straight shape = {.segments = 32, .along = {0.0f, 1.0f, 0.0f}};
    static const double share[STRANDS] = {0.5, 0.95, 1.05, 1.5};
    for (int i = 0; i < STRANDS; ++i) {
        shape.length[i] = length_of(share[i] * threshold, &HAIR);
    }
    rods r;
    open_straight(&r, &shape, &HAIR);
    r.step = substep_of(5, 2.0f);
    r.step.gravity.x = 0.001f; // a breath
    settle(&r, 6.0);
    for (int32_t i = 0; i < STRANDS; ++i) {
        const double lean = (double)rods_tip(&r, i).x / shape.length[i];
        CHECK(share[i] < 1.0 ? fabs(lean) < 0.02 : fabs(lean) > 0.2);
    }
}

// The lowest mode of a cantilever: omega = 3.516 sqrt(B / rho A L^4).
static void a_beam_rings_at_its_frequency(void)
{
    straight shape = {
        .segments = 32, .along = {1.0f, 0.0f, 0.0f}, .length = {0.06, 0.08, 0.1, 0.12}};
    rods r;
    open_straight(&r, &shape, &HAIR);
    r.step = substep_of(80, 0.0f);
    r.step.gravity = coif_vec3_of(0.0f, 0.0f, 0.0f);
    const int32_t lanes = r.block.lanes;
    for (int32_t at = lanes; at < r.block.length * lanes; ++at) {
        const float s = (float)(at / lanes) / (float)shape.segments;
        r.block.vy[at] = 0.05f * s * s * (1.5f - 0.5f * s);
    }
    double crossings[STRANDS][3] = {{0.0}};
    int seen[STRANDS] = {0};
    for (int32_t n = 1; n < 2200; ++n) {
        float before[STRANDS];
        for (int32_t i = 0; i < STRANDS; ++i) {
            before[i] = rods_tip(&r, i).y;
        }
        rods_step(&r, 1);
        for (int32_t i = 0; i < STRANDS; ++i) {
            const float now = rods_tip(&r, i).y;
            if (before[i] * now < 0.0f && seen[i] < 3) {
                crossings[i][seen[i]++] = n - (double)(now / (now - before[i]));
            }
        }
    }
    const double mass = weight_of(&HAIR) / 9.81;
    for (int32_t i = 0; i < STRANDS; ++i) {
        const double length = shape.length[i];
        const double wanted = 3.51601527 * sqrt(bending_of(&HAIR) / mass) / (length * length);
        const double period = crossings[i][2] - crossings[i][0];
        CHECK(seen[i] == 3);
        CHECK_NEAR(2.0 * M_PI / (period * (double)r.step.h) / wanted, 1.0, 0.03);
    }
}

static void throw_strands(rods *r, float spin)
{
    const coif_block *block = &r->block;
    for (int32_t at = 0; at < block->length * block->lanes; ++at) {
        const uint64_t lane = (uint64_t)(at % block->lanes);
        const coif_vec3 x = {block->x[at], block->y[at], block->z[at]};
        coif_vec3 v[2];
        for (uint32_t i = 0; i < 2; ++i) {
            v[i] = coif_vec3_of(coif_random_unit(i, lane, 0) - 0.5f,
                                coif_random_unit(i, lane, 1) - 0.5f,
                                coif_random_unit(i, lane, 2) - 0.5f);
        }
        const coif_vec3 fast = coif_mad(v[0], spin, coif_cross(coif_normalize(v[1]), x));
        block->vx[at] = fast.x;
        block->vy[at] = fast.y;
        block->vz[at] = fast.z;
    }
}

typedef struct momentum {
    double linear[3], angular[3]; // the latter about the centre of mass
} momentum;

static momentum momentum_of(const rods *r, int32_t lane)
{
    momentum sum = {{0.0}, {0.0}};
    double mass = 0.0;
    double centre[3] = {0.0};
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t k = 0; k < r->block.length; ++k) {
            const coif_vec3 x = rods_at(r, lane, k);
            const coif_vec3 v = rods_velocity(r, lane, k);
            const double m = 1.0 / (double)r->block.w[k * r->block.lanes + lane];
            const double place[3] = {(double)x.x, (double)x.y, (double)x.z};
            const double speed[3] = {(double)v.x, (double)v.y, (double)v.z};
            mass += pass == 0 ? m : 0.0;
            for (int a = 0; a < 3; ++a) {
                const int b = (a + 1) % 3;
                const int c = (a + 2) % 3;
                centre[a] += pass == 0 ? m * place[a] : 0.0;
                sum.linear[a] += pass == 0 ? m * speed[a] : 0.0;
                sum.angular[a] += pass == 0 ? 0.0
                                            : m * ((place[b] - centre[b] / mass) * speed[c] -
                                                   (place[c] - centre[c] / mass) * speed[b]);
            }
        }
    }
    return sum;
}

static double change_of(const double after[3], const double before[3])
{
    double change = 0.0;
    double size = 0.0;
    for (int a = 0; a < 3; ++a) {
        change += (after[a] - before[a]) * (after[a] - before[a]);
        size += before[a] * before[a];
    }
    return sqrt(change / size);
}

// An implicit step takes (omega h)^2 of the angular momentum of what rotates, and rounding of h
// some 1e-8 of all momentum; nothing else is lost.
static void a_free_strand_keeps_its_momentum(void)
{
    static const double weights[STRANDS] = {0.05, 0.1, 0.2, 0.3};
    static const double spins[2] = {0.2, 8.0};
    enum { STEPS = 60 };
    coif_rod_material material = HAIR;
    material.clamped = false;
    helix shape = {.pitch = 0.5, .turns = 2.0, .segments = 31};
    for (int s = 0; s < 2; ++s) {
        rods r;
        open_helix(&r, &shape, weights, &material);
        throw_strands(&r, (float)spins[s]);
        r.step = substep_of(10, 0.0f);
        r.step.gravity = coif_vec3_of(0.0f, 0.0f, 0.0f);
        momentum before[STRANDS];
        for (int32_t i = 0; i < STRANDS; ++i) {
            before[i] = momentum_of(&r, i);
        }
        rods_step(&r, STEPS);
        const double lost = STEPS * pow(spins[s] * (double)r.step.h, 2.0);
        for (int32_t i = 0; i < STRANDS; ++i) {
            const momentum after = momentum_of(&r, i);
            CHECK_NEAR(change_of(after.linear, before[i].linear), 0.0, 1e-6);
            CHECK_NEAR(change_of(after.angular, before[i].angular), 0.0, 1e-4 + lost);
        }
        CHECK(rods_stretch(&r) < 1e-4);
    }
}

static void make_sagfree(rods *r)
{
    float *gravity = coif_arena_new(&arena, 3 * COIF_LANES_MOST, float);
    for (int32_t lane = 0; lane < r->block.lanes; ++lane) {
        gravity[r->block.lanes + lane] = -9.81f;
    }
    r->rod_kernels->sagfree(&r->block, &r->work, gravity);
    r->rod_kernels->place(&r->block);
    r->step = substep_of(8, 3.0f);
}

// Far longer than hair can stand off or up by itself.
static void straight_hair_stays_where_it_is_groomed(void)
{
    static const coif_vec3 directions[4] = {
        {1.0f, 0.0f, 0.0f}, {0.6f, 0.8f, 0.0f}, {0.8f, -0.6f, 0.0f}, {0.28f, 0.96f, 0.0f}};
    for (int d = 0; d < 4; ++d) {
        straight shape = {.segments = 16, .along = directions[d]};
        for (int i = 0; i < STRANDS; ++i) {
            shape.length[i] = length_of(i == 0 ? 5.0 : 100.0 * i, &HAIR);
        }
        rods r;
        open_straight(&r, &shape, &HAIR);
        make_sagfree(&r);
        settle(&r, 3.0);
        for (int32_t i = 0; i < STRANDS; ++i) {
            const coif_vec3 rest = straight_shape(i, shape.segments, &shape);
            const double drift = coif_length(coif_sub(rods_tip(&r, i), rest));
            CHECK_NEAR(drift / shape.length[i], 0.0, 1e-3);
        }
    }
}

static void shapes_that_carry_their_weight_do_not_sag(void)
{
    static const double weights[STRANDS] = {0.02, 0.05, 0.1, 0.2};
    helix shapes[3] = {{.pitch = 0.3, .turns = 2.0, .segments = 32},
                       {.pitch = 1.2, .turns = 2.0, .segments = 24},
                       {.pitch = 0.8, .turns = 0.2, .segments = 12}};
    for (int s = 0; s < 3; ++s) {
        rods r;
        open_helix(&r, &shapes[s], weights, &HAIR);
        make_sagfree(&r);
        rods_step(&r, 1);
        CHECK(rods_speed(&r) < 1e-3 * 9.81 * (double)r.step.h);
        settle(&r, 5.0);
        for (int32_t i = 0; i < STRANDS; ++i) {
            const coif_vec3 rest = helix_shape(i, shapes[s].segments, &shapes[s]);
            const double drift = coif_length(coif_sub(rods_tip(&r, i), rest));
            CHECK_NEAR(drift / shapes[s].length[i], 0.0, 1e-3);
        }
    }
}

// Shakes the roots, a different way in each lane, then lets everything hang.
static void torture(rods *r, int32_t per_frame, float acceleration)
{
    static const double omega = 100.0;
    const int32_t lanes = r->block.lanes;
    r->step = substep_of(per_frame, 3.0f);
    r->step.bend_damping = 0.005f;
    double worst = 0.0;
    for (int32_t n = 0; n < 8 * per_frame; ++n) {
        for (int32_t lane = 0; lane < lanes; ++lane) {
            const int32_t row = lane % 3 * lanes + lane;
            const double amplitude = (double)acceleration / (omega * omega);
            r->block.root[row] = r->block.root_end[row];
            r->block.root_end[row] = (float)(amplitude * sin(omega * (double)r->step.h * (n + 1)));
        }
        rods_step(r, 1);
        worst = fmax(worst, rods_stretch(r));
    }
    CHECK_NEAR(worst, 0.0, 1.01e-4);
    memcpy(r->block.root, r->block.root_end, sizeof(float) * COIF_ROOT_ROWS * (size_t)lanes);
    settle(r, 1.0);
    CHECK(rods_speed(r) < 0.5);
}

static void nothing_explodes(void)
{
    static const double weights[STRANDS] = {0.1, 0.2, 0.5, 0.02};
    static const int32_t segments[4] = {1, 2, 32, 500};
    static const int32_t substeps[4] = {10, 1, 1, 2};
    for (int i = 0; i < 4; ++i) {
        helix shape = {.pitch = 0.4, .turns = 3.0, .segments = segments[i]};
        rods r;
        open_helix(&r, &shape, weights, &HAIR);
        torture(&r, substeps[i], 50.0f * 9.81f);
    }
}

// Every third point lies on the one before.
static coif_vec3 stuttering_shape(int32_t lane, int32_t k, const void *context)
{
    return helix_shape(lane, k - k % 3 / 2, context);
}

static void segments_without_length_are_borne(void)
{
    helix shape = {.pitch = 0.4,
                   .turns = 3.0,
                   .segments = 33,
                   .radius = {0.005, 0.006, 0.01, 0.02},
                   .length = {0.1, 0.12, 0.2, 0.3}};
    const rods_desc desc = {.length = 34,
                            .shape = stuttering_shape,
                            .context = &shape,
                            .materials = &HAIR,
                            .one_material = true};
    rods r;
    rods_open(&r, &desc, &arena);
    for (int32_t i = 0; i < 2; ++i) {
        r.step = substep_of(i == 0 ? 10 : 1, 3.0f);
        settle(&r, 2.0);
        CHECK(rods_speed(&r) < 0.2);
        for (int32_t lane = 0; lane < STRANDS; ++lane) {
            CHECK(-(double)rods_tip(&r, lane).y > 0.3 * shape.length[lane]);
        }
    }

    // All points in one place: nothing to bend, nothing to stretch.
    shape.radius[0] = shape.radius[1] = shape.radius[2] = shape.radius[3] = 1.0;
    memset(shape.length, 0, sizeof shape.length);
    rods_open(&r, &desc, &arena);
    rods_step(&r, 100);
    CHECK(isfinite(rods_speed(&r)));
}

// A digest of some frames of random strands, built without the C library's mathematics.
static coif_vec3 random_shape(int32_t lane, int32_t k, const void *context)
{
    (void)context;
    coif_vec3 p = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 1; i <= (uint32_t)k; ++i) {
        const uint64_t strand = (uint64_t)(lane % STRANDS);
        p.x += 0.004f * (coif_random_unit(3, strand, 3 * i) - 0.5f);
        p.y += 0.004f * (coif_random_unit(3, strand, 3 * i + 1) - 0.5f);
        p.z += 0.004f * coif_random_unit(3, strand, 3 * i + 2);
    }
    return p;
}

static uint64_t digest_of(const char *kernel)
{
    const rods_desc desc = {.length = 24,
                            .kernel = kernel,
                            .shape = random_shape,
                            .materials = &HAIR,
                            .one_material = true};
    rods r;
    rods_open(&r, &desc, &arena);
    r.step = substep_of(8, 3.0f);
    r.step.bend_damping = 0.005f;
    rods_step(&r, 60);
    uint64_t digest = 0;
    for (int32_t k = 0; k < desc.length; ++k) {
        for (int32_t i = 0; i < STRANDS; ++i) {
            const coif_vec3 p = rods_at(&r, i, k);
            digest = coif_digest_more(digest, &p, sizeof p);
        }
    }
    return digest;
}

static void both_widths_and_all_compilers_give_the_same_bits(void)
{
    const uint64_t narrow = digest_of("wide4");
    CHECK(digest_of("auto") == narrow);
    CHECK(narrow == 0x4f33fd2fc175d8aau); // a change of the method changes it, a compiler must not
}

TEST_MAIN(TEST(cantilevers_are_those_of_the_same_discrete_rod), TEST(cantilevers_are_elasticas),
          TEST(the_number_of_substeps_does_not_matter), TEST(hanging_curls_are_kirchhoff_rods),
          TEST(rest_shapes_stay_without_gravity), TEST(a_turned_curl_hangs_as_the_same_curl),
          TEST(upright_hair_buckles_at_greenhills_height), TEST(a_beam_rings_at_its_frequency),
          TEST(a_free_strand_keeps_its_momentum), TEST(straight_hair_stays_where_it_is_groomed),
          TEST(shapes_that_carry_their_weight_do_not_sag), TEST(nothing_explodes),
          TEST(segments_without_length_are_borne),
          TEST(both_widths_and_all_compilers_give_the_same_bits))
