// SIMD kernels: degenerate input is unchanged, lengths are exact, both widths agree bit for bit.
#include "tests/support/hair_volume_fixture.h"

static coif_arena arena = {.name = "test"};

// Everything a substep does, in its order.
static void run_all(pack *p)
{
    p->kernels->update_targets(&p->block, &p->work, &STEP);
    p->kernels->predict(&p->block, &p->work, &STEP);
    p->kernels->project_goal(&p->block, &p->work, &STEP);
    p->kernels->project_shape(&p->block, &p->work, &STEP);
    p->kernels->project_contact(&p->block, &p->work, 0.0f);
    p->kernels->project_friction(&p->block, &p->work, &STEP);
    p->kernels->project_lengths(&p->block, &p->work);
    p->kernels->ftl_project(&p->block, &p->work);
    p->kernels->project_contact(&p->block, &p->work, 0.75f);
    p->kernels->integrate_velocity(&p->block, &p->work, &STEP, false);
}

TEST(four_lanes_and_eight_give_the_same_bits)
{
    if (!has_wide8()) {
        printf("       this processor has no wide8 kernels\n");
        return;
    }
    pack narrow = random_pack("wide4", &arena);
    pack wide = random_pack("wide8", &arena);
    for (int step = 0; step < 20; ++step) {
        run_all(&narrow);
        run_all(&wide);
    }
    int32_t different = 0;
    for (int32_t k = 0; k < LENGTH; ++k) {
        const int32_t a = k * 4;
        const int32_t b = k * 8;
        different += memcmp(narrow.block.pos.x + a, wide.block.pos.x + b, 16) != 0;
        different += memcmp(narrow.block.pos.y + a, wide.block.pos.y + b, 16) != 0;
        different += memcmp(narrow.block.vel.z + a, wide.block.vel.z + b, 16) != 0;
        CHECK(isfinite(wide.block.pos.x[b]));
    }
    CHECK(different == 0);
}

// All points of a strand coincide, rest lengths zero or not, all masses infinite or not.
TEST(collapsed_and_pinned_strands_stay_finite)
{
    static const char *const names[] = {"wide4", "wide8"};
    for (int n = 0; n < (has_wide8() ? 2 : 1); ++n) {
        for (int variant = 0; variant < 4; ++variant) {
            pack p = random_pack(names[n], &arena);
            const int32_t count = LENGTH * p.kernels->lanes;
            for (int32_t i = 0; i < count; ++i) {
                p.block.pos.x[i] = p.block.pos.y[i] = p.block.pos.z[i] = 0.5f;
                p.work.predicted.x[i] = p.work.predicted.y[i] = p.work.predicted.z[i] = 0.5f;
                p.block.inv_mass[i] = variant & 1 ? 0.0f : 1.0f;
                p.block.rest_length[i] = variant & 2 ? 0.0f : 0.01f;
            }
            run_all(&p);
            int32_t bad = 0;
            for (int32_t i = 0; i < count; ++i) {
                bad += !isfinite(p.block.pos.x[i]) || !isfinite(p.block.pos.y[i]) ||
                       !isfinite(p.block.vel.z[i]);
            }
            CHECK(bad == 0);
        }
    }
}

static double worst_length(const pack *p)
{
    const int32_t lanes = p->kernels->lanes;
    double worst = 0.0;
    for (int32_t i = 0; i < (LENGTH - 1) * lanes; ++i) {
        const double dx = (double)p->work.predicted.x[i + lanes] - p->work.predicted.x[i];
        const double dy = (double)p->work.predicted.y[i + lanes] - p->work.predicted.y[i];
        const double dz = (double)p->work.predicted.z[i + lanes] - p->work.predicted.z[i];
        worst =
            fmax(worst, fabs(sqrt(dx * dx + dy * dy + dz * dz) / p->block.rest_length[i] - 1.0));
    }
    return worst;
}

// A strand with every segment 10 % off, crooked: two Newton steps leave a thousandth, two calls
// a millionth; sweeps are nowhere near.
TEST(the_direct_pass_makes_lengths_exact)
{
    pack p = random_pack("auto", &arena);
    const int32_t lanes = p.kernels->lanes;
    for (int32_t i = lanes; i < LENGTH * lanes; ++i) {
        const float step = p.block.rest_length[i - lanes];
        p.work.predicted.x[i] = p.work.predicted.x[i - lanes] + 0.9f * step;
        p.work.predicted.y[i] =
            p.work.predicted.y[i - lanes] + (i / lanes % 2 ? 0.5f : -0.5f) * step;
        p.work.predicted.z[i] =
            p.work.predicted.z[i - lanes] + (i / lanes % 3 ? 0.3f : -0.3f) * step;
    }
    CHECK(worst_length(&p) > 0.05);
    p.kernels->project_lengths(&p.block, &p.work);
    CHECK(worst_length(&p) < 2e-3);
    p.kernels->project_lengths(&p.block, &p.work);
    CHECK(worst_length(&p) < 2e-6);
    p.work.has_contacts = false;
    p.kernels->ftl_project(&p.block, &p.work);
    CHECK(worst_length(&p) < 5e-6);
}

// The shape constraint pulls at all points of a strand, and its impulses, displacements times mass,
// add up to nothing: no push, and no lever either.
TEST(the_shape_constraint_conserves_momentum)
{
    pack p = random_pack("auto", &arena);
    const int32_t lanes = p.kernels->lanes;
    fill(p.block.curl.offset.x, lanes, 50, -0.01f, 0.01f);
    fill(p.block.curl.offset.y, lanes, 51, -0.01f, 0.01f);
    fill(p.block.curl.offset.z, lanes, 52, -0.01f, 0.01f);
    p.block.curl.max_stiffness[0] = 0.5f;
    for (int32_t i = 0; i < 3 * lanes; ++i) {
        p.work.reference_axis_world[i] = i / lanes == 1 ? 1.0f : 0.2f;
    }
    p.block.inv_mass[0] = 1.0f;
    float before[FLOATS];
    memcpy(before, p.work.predicted.x, sizeof(float) * (size_t)(LENGTH * lanes));
    p.kernels->project_shape(&p.block, &p.work, &STEP);
    double push = 0.0;
    double lever = 0.0;
    double most = 0.0;
    for (int32_t k = 0; k < LENGTH; ++k) {
        const double displacement = (double)p.work.predicted.x[k * lanes] - before[k * lanes];
        push += displacement / p.block.inv_mass[k * lanes];
        lever += displacement / p.block.inv_mass[k * lanes] * k;
        most = fmax(most, fabs(displacement));
    }
    CHECK(most > 1e-3);
    CHECK_NEAR(push, 0.0, 1e-6);
    CHECK_NEAR(lever, 0.0, 1e-5);
}

// What was learned is kept wherever the strand goes: turned as a whole, it moves nothing.
TEST(a_turned_strand_has_its_shape_already)
{
    pack p = random_pack("auto", &arena);
    const int32_t lanes = p.kernels->lanes;
    const int32_t count = LENGTH * lanes;
    for (int32_t i = 0; i < count; ++i) {
        const float s = 0.01f * (float)(i / lanes);
        p.work.predicted.x[i] = s + 0.002f * sinf(150.0f * s);
        p.work.predicted.y[i] = 0.003f * sinf(200.0f * s) - 4.0f * s * s;
        p.work.predicted.z[i] = 0.003f * cosf(170.0f * s);
    }
    for (int32_t lane = 0; lane < lanes; ++lane) {
        p.work.reference_axis_world[lane] = 0.0f;
        p.work.reference_axis_world[lanes + lane] = 0.0f;
        p.work.reference_axis_world[2 * lanes + lane] = 1.0f;
    }
    p.kernels->precompute_shape(&p.block, &p.work);
    float turned[3][FLOATS];
    for (int32_t i = 0; i < count; ++i) { // (x, y, z) -> (z, x, y) and moved
        turned[0][i] = p.work.predicted.z[i] + 0.3f;
        turned[1][i] = p.work.predicted.x[i] - 0.1f;
        turned[2][i] = p.work.predicted.y[i];
    }
    memcpy(p.work.predicted.x, turned[0], sizeof(float) * (size_t)count);
    memcpy(p.work.predicted.y, turned[1], sizeof(float) * (size_t)count);
    memcpy(p.work.predicted.z, turned[2], sizeof(float) * (size_t)count);
    for (int32_t lane = 0; lane < lanes; ++lane) {
        p.work.reference_axis_world[lane] = 1.0f;
        p.work.reference_axis_world[2 * lanes + lane] = 0.0f;
    }
    p.kernels->project_shape(&p.block, &p.work, &STEP);
    for (int32_t i = 0; i < count; ++i) {
        CHECK_NEAR(p.work.predicted.x[i], turned[0][i], 1e-6);
        CHECK_NEAR(p.work.predicted.y[i], turned[1][i], 1e-6);
        CHECK_NEAR(p.work.predicted.z[i], turned[2][i], 1e-6);
    }
}

// The frame of axes turned about a line by an angle (Rodrigues), into the rows of a lane.
static void turn_rows(float *rows, int32_t lanes, int32_t lane, const double *line, double angle)
{
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < 3; ++i) {
            const int sign = (i - axis + 3) % 3 == 1 ? 1 : -1;
            const double across = i == axis ? 0.0 : sign * line[3 - i - axis];
            rows[(3 + 3 * axis + i) * lanes + lane] =
                (float)((i == axis) * cos(angle) + across * sin(angle) +
                        line[i] * line[axis] * (1.0 - cos(angle)));
        }
    }
}

// From key to key a root turns at one speed, by a quarter turn per frame as by any other angle; the
// rest shape goes with it, rigidly, and arrives.
TEST(roots_turn_at_one_speed)
{
    static const double degrees[4] = {90.0, 0.01, 35.0, 175.0};
    const double line[3] = {0.48, -0.6, 0.64};
    pack p = random_pack("wide4", &arena);
    double start[4][3];
    for (int32_t lane = 0; lane < 4; ++lane) {
        turn_rows(p.block.root_begin, 4, lane, line, 0.4);
        turn_rows(p.block.root_end, 4, lane, line, 0.4 + degrees[lane] * M_PI / 180.0);
        for (int i = 0; i < 3; ++i) {
            p.block.root_begin[i * 4 + lane] = p.block.root_end[i * 4 + lane] = 0.0f;
        }
    }
    coif_strand_block_rotate(&p.block);
    for (int32_t i = 0; i <= 10; ++i) {
        coif_substep step = STEP;
        step.end = 0.1f * (float)i;
        p.kernels->update_targets(&p.block, &p.work, &step);
        for (int32_t lane = 0; lane < 4; ++lane) {
            const double *from = start[lane];
            const double now[3] = {p.work.target.x[4 * 5 + lane], p.work.target.y[4 * 5 + lane],
                                   p.work.target.z[4 * 5 + lane]};
            if (i == 0) {
                memcpy(start[lane], now, sizeof now);
            }
            const double angle = 0.1 * i * degrees[lane] * M_PI / 180.0;
            const double along = line[0] * from[0] + line[1] * from[1] + line[2] * from[2];
            for (int a = 0; a < 3; ++a) {
                const int b = (a + 1) % 3;
                const int c = (a + 2) % 3;
                const double wanted = from[a] * cos(angle) +
                                      (line[b] * from[c] - line[c] * from[b]) * sin(angle) +
                                      line[a] * along * (1.0 - cos(angle));
                CHECK_NEAR(now[a], wanted, 1e-7);
            }
        }
    }
}

TEST(unknown_kernels_are_named)
{
    const coif_kernels *kernels;
    coif_error error = {0};
    CHECK(coif_kernels_find(&kernels, "wide16", &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "wide16");
    CHECK_CONTAINS(error.text, "wide4");
}
