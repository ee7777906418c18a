// Bending and twist energy of rods equals that of beams.
#include "core/base/arena.h"
#include "sim/solver/methods/der/der.h"
#include "tests/support/test.h"

#include <math.h>

enum { LANES = 4, POINTS = 41, LANE = 2 };

static const coif_strand_material HAIR = {.youngs_modulus = 4e9f,
                                          .poisson_ratio = 0.4f,
                                          .ellipticity = 1.0f,
                                          .density = 1300.0f,
                                          .radius = 4e-5f,
                                          .stiffness = 1.0f,
                                          .clamped = true};
static const double LENGTH = 0.2;

static float *row(coif_arena *arena, int32_t count)
{
    return coif_arena_new(arena, count * LANES, float);
}

// A strand that bends evenly in a plane and twists evenly, straight at rest, of a round hair.
static coif_strand_block strand(double bend, double twist, coif_arena *arena)
{
    coif_strand_block block = {.length = POINTS, .lanes = LANES, .strand_count = LANES};
    block.pos.x = row(arena, POINTS);
    block.pos.y = row(arena, POINTS);
    block.pos.z = row(arena, POINTS);
    block.rest_length = row(arena, POINTS);
    block.mass_scale = row(arena, 1);
    block.root_end = row(arena, COIF_ROOT_ROWS);
    coif_strand_block_add_method_rows(&block, COIF_DER_STATE_ROWS, COIF_DER_ROWS,
                                      COIF_DER_LANE_ROWS, arena);
    const double each = LENGTH / (POINTS - 1);
    double x = 0.0, y = 0.0;
    for (int32_t k = 0; k < POINTS; ++k) {
        const int32_t i = k * LANES + LANE;
        const double angle = bend * each * (k + 0.5), turn = twist * each * (k + 0.5);
        block.pos.x[i] = (float)x;
        block.pos.y[i] = (float)y;
        block.rest_length[i] = (float)each;
        // Across: z turned about the segment.
        float *state = block.state + k * COIF_DER_STATE_ROWS * LANES + LANE;
        state[COIF_DER_UX * LANES] = (float)(sin(angle) * sin(turn));
        state[COIF_DER_UY * LANES] = (float)(-cos(angle) * sin(turn));
        state[COIF_DER_UZ * LANES] = (float)cos(turn);
        x += each * cos(angle);
        y += each * sin(angle);
    }
    block.mass_scale[LANE] = 1.0f;
    for (int32_t axis = 0; axis < 3; ++axis) {
        block.root_end[(3 + 4 * axis) * LANES + LANE] = 1.0f;
    }
    coif_method_rows_of(&block)->lane_rows[COIF_DER_CLAMP_T * LANES + LANE] = 1.0f;
    coif_method_rows_of(&block)->lane_rows[(COIF_DER_CLAMP_U + 2) * LANES + LANE] = 1.0f;
    coif_der_fill(&block, LANE, &HAIR);
    return block;
}

static double energy(double bend, double twist)
{
    COIF_SCOPED_ARENA(arena, "test");
    const coif_strand_block block = strand(bend, twist, &arena);
    return coif_der_energy(&block, LANE);
}

// Half E I k^2 for each metre that weighs rho A, and I / A is r^2 / 4; twist has G = E / 2 (1 + nu)
// and twice as much of r^2.
TEST(bending_and_twist_energy_is_that_of_beams)
{
    const double r2 = (double)HAIR.radius * (double)HAIR.radius;
    const double per = 0.5 * (double)HAIR.youngs_modulus * r2 / 4.0 / (double)HAIR.density;
    CHECK_NEAR(energy(0.0, 0.0), 0.0, 1e-9);
    CHECK_NEAR(energy(12.0, 0.0) / (per * 144.0), 1.0, 0.02);
    CHECK_NEAR(energy(-12.0, 0.0) / (per * 144.0), 1.0, 0.02);
    CHECK_NEAR(energy(0.0, 20.0) * (1.0 + (double)HAIR.poisson_ratio) / (per * 400.0), 1.0, 0.02);
    CHECK_NEAR(energy(12.0, 20.0) / (energy(12.0, 0.0) + energy(0.0, 20.0)), 1.0, 0.02);
}
