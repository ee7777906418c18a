// Partitions: every strand is in one of them, and moves in it as in the whole groom.
#include "sim/run/partition.h"

#include "tests/support/hair_fixture.h"
#include "tests/support/test.h"
#include "tests/support/test_wind.h"

static coif_arena arena = {.name = "test"};

TEST(every_strand_is_in_one_partition)
{
    for (int32_t strands = 1; strands < 50; ++strands) {
        for (int32_t count = 1; count <= strands; ++count) {
            int32_t next = 0;
            for (int32_t index = 1; index <= count; ++index) {
                const coif_strand_range range =
                    coif_partition_strands((coif_partition){index, count}, strands);
                CHECK(range.begin == next && range.end > range.begin);
                next = range.end;
            }
            CHECK(next == strands);
        }
    }
    const coif_strand_range all = coif_partition_strands((coif_partition){0, 0}, 7);
    CHECK(all.begin == 0 && all.end == 7);
    const coif_strand_range last =
        coif_partition_strands((coif_partition){10000, 10000}, 2000000000);
    CHECK(last.end == 2000000000);
}

static void open_hair(hair_fixture *hair, coif_plugin_instance **wind, int32_t method,
                      coif_partition partition)
{
    enum { STRANDS = 23 };
    static int32_t lengths[STRANDS];
    for (int32_t s = 0; s < STRANDS; ++s) {
        lengths[s] = 6 + s % 4; // blocks hold strands of one length: partitions group others
    }
    coif_sim_params params = bare_params();
    params.solver = method;
    params.substeps = 4;
    params.drag = 2.0f;
    params.mass_variation = 0.3f;
    const hair_fixture_desc desc = {.shape = fixture_hanging(9, 0.1f, &arena),
                                    .length = 9,
                                    .lengths = lengths,
                                    .strand_count = STRANDS,
                                    .spread = 0.01f,
                                    .params = params,
                                    .pinned = 2,
                                    .partition = partition};
    fixture_open(hair, &desc, &arena, NULL);
    hair->forces = wind;
    hair->force_count = 1;
    fixture_run(hair, 3);
}

TEST(strands_of_a_partition_move_as_in_the_whole_groom)
{
    coif_plugin_instance *wind = open_wind(3.0f, &arena);
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        hair_fixture whole;
        open_hair(&whole, &wind, method, (coif_partition){0, 0});
        for (int32_t index = 1; index <= 3; ++index) {
            const coif_partition partition = {index, 3};
            hair_fixture part;
            open_hair(&part, &wind, method, partition);
            const coif_strand_range range =
                coif_partition_strands(partition, whole.groom.simulated_count);
            const int32_t *first = coif_solver_first_point(whole.solver.core);
            for (int32_t i = 0; i < first[whole.groom.simulated_count]; ++i) {
                const bool own = i >= first[range.begin] && i < first[range.end];
                const coif_vec3 position = own ? whole.positions[i] : coif_vec3_of(0, 0, 0);
                const coif_vec3 velocity = own ? whole.velocities[i] : coif_vec3_of(0, 0, 0);
                CHECK(memcmp(&part.positions[i], &position, sizeof position) == 0);
                CHECK(memcmp(&part.velocities[i], &velocity, sizeof velocity) == 0);
            }
        }
    }
}
