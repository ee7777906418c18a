// Energy: falling hair converts potential into kinetic energy.
#include "sim/solver/energy.h"

#include "sim/run/strand_energy.h"
#include "tests/support/test.h"

static coif_strands one_strand(coif_vec4 *points, coif_vec3 *velocities, int32_t *first)
{
    return (coif_strands){.strand_count = 1,
                          .point_count = first[1],
                          .first = first,
                          .points = points,
                          .velocities = velocities};
}

// A rod of 2 m that turns about its upper end at 3 rad/s: v^2 / 2 on the mean is w^2 L^2 / 6, which
// segments reach as the trapezoid rule does; its middle hangs 1 m below the end.
TEST(a_rod_that_turns_has_the_energy_of_a_pendulum)
{
    enum { POINTS = 201 };
    coif_vec4 points[POINTS];
    coif_vec3 velocities[POINTS];
    for (int i = 0; i < POINTS; ++i) {
        const float along = 2.0f * (float)i / (POINTS - 1);
        points[i] = (coif_vec4){0.0f, -along, 0.0f, 0.001f};
        velocities[i] = (coif_vec3){3.0f * along, 0.0f, 0.0f};
    }
    int32_t first[2] = {0, POINTS};
    const coif_strands strands = one_strand(points, velocities, first);
    const float gravity[3] = {0.0f, -9.81f, 0.0f};
    const coif_energy energy = coif_energy_of(&strands, gravity);
    CHECK_NEAR(energy.kinetic, 9.0 * 4.0 / 6.0, 1e-3);
    CHECK_NEAR(energy.potential, -9.81, 1e-4);
}

// Thin ends weigh little: two segments of radius 2 and 1, of equal length.
TEST(thick_hair_counts_more)
{
    coif_vec4 points[4] = {{0, 0, 0, 2}, {1, 0, 0, 2}, {0, 4, 0, 1}, {1, 4, 0, 1}};
    coif_vec3 velocities[4] = {{0}};
    int32_t first[3] = {0, 2, 4};
    coif_strands strands = one_strand(points, velocities, first);
    strands.strand_count = 2;
    strands.point_count = 4;
    const float gravity[3] = {0.0f, -10.0f, 0.0f};
    CHECK_NEAR(coif_energy_of(&strands, gravity).potential, 40.0 / 5.0, 1e-6);
    strands.strand_count = 0;
    CHECK_NEAR(coif_energy_of(&strands, gravity).potential, 0.0, 0.0);
}
