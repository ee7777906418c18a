// Strand topology, validation, digests and statistics.
#include "core/hair/strands.h"

#include "tests/support/test.h"

static coif_arena arena;

static coif_strands make(const int32_t *lengths, int32_t count)
{
    coif_strands strands = {0};
    coif_error error = {0};
    CHECK_OK(coif_strands_init(&strands, lengths, count, &arena, &error), error);
    return strands;
}

TEST(offsets_add_up_to_the_lengths)
{
    const int32_t lengths[] = {2, 7, 3};
    const coif_strands strands = make(lengths, 3);
    CHECK(strands.strand_count == 3 && strands.point_count == 12);
    CHECK(strands.first[0] == 0 && strands.first[1] == 2 && strands.first[2] == 9);
    CHECK(strands.first[3] == 12);
    CHECK(coif_strands_length(&strands, 1) == 7);
    CHECK(strands.points[11].w == 0.0f && strands.root_uv[5] == 0.0f);
    CHECK(strands.velocities == NULL && strands.colors == NULL);
}

TEST(zero_strands_are_valid)
{
    const coif_strands strands = make(NULL, 0);
    CHECK(strands.point_count == 0 && strands.first[0] == 0);
    CHECK(coif_strands_measure(&strands).mean_length == 0.0f);
    CHECK(coif_strands_find_invalid(&strands) == -1);
    CHECK(coif_strands_digest(&strands) != 0);
}

TEST(a_strand_of_one_point_is_rejected)
{
    const int32_t lengths[] = {2, 1};
    coif_strands strands;
    coif_error error = {0};
    CHECK(coif_strands_init(&strands, lengths, 2, &arena, &error) == COIF_ERR_ARGUMENT);
    CHECK_TEXT(error.text, "strand 1 has 1 points, expected 2 or more");
}

TEST(too_many_points_are_rejected)
{
    const int32_t lengths[] = {INT32_MAX, INT32_MAX, 2};
    coif_strands strands;
    coif_error error = {0};
    CHECK(coif_strands_init(&strands, lengths, 3, &arena, &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "more than");
    CHECK(coif_strands_init(&strands, lengths, -1, &arena, NULL) == COIF_ERR_ARGUMENT);
}

TEST(the_topology_digest_depends_on_lengths_only)
{
    const int32_t lengths[] = {4, 5}, others[] = {5, 4};
    const coif_strands a = make(lengths, 2), b = make(lengths, 2), c = make(others, 2);
    b.points[3].y = 1.0f;
    CHECK(coif_strands_topology_digest(&a) == coif_strands_topology_digest(&b));
    CHECK(coif_strands_topology_digest(&a) != coif_strands_topology_digest(&c));
}

TEST(the_digest_depends_on_every_array)
{
    const int32_t lengths[] = {4, 5};
    coif_strands strands = make(lengths, 2);
    const uint64_t empty = coif_strands_digest(&strands);
    strands.velocities = coif_arena_new(&arena, 9, coif_vec3);
    const uint64_t still = coif_strands_digest(&strands);
    strands.velocities[8].z = 1.0f;
    const uint64_t moving = coif_strands_digest(&strands);
    strands.colors = strands.velocities;
    strands.velocities = NULL;
    const uint64_t painted = coif_strands_digest(&strands);
    strands.points[0].w = 1e-4f;
    const uint64_t thicker = coif_strands_digest(&strands);
    CHECK(empty != still && still != moving && moving != painted && painted != thicker);
}

TEST(the_first_invalid_point_is_found)
{
    const int32_t lengths[] = {4, 5};
    coif_strands strands = make(lengths, 2);
    CHECK(coif_strands_find_invalid(&strands) == -1);
    strands.points[7].y = -INFINITY;
    CHECK(coif_strands_find_invalid(&strands) == 7);
    strands.points[6].w = -1.0f;
    CHECK(coif_strands_find_invalid(&strands) == 6);
    strands.velocities = coif_arena_new(&arena, 9, coif_vec3);
    strands.velocities[5].z = NAN;
    CHECK(coif_strands_find_invalid(&strands) == 5);
    strands.colors = coif_arena_new(&arena, 9, coif_vec3);
    strands.colors[4].x = INFINITY;
    CHECK(coif_strands_find_invalid(&strands) == 4);
}

TEST(statistics_are_measured_along_the_strand)
{
    const int32_t lengths[] = {3, 2};
    const coif_strands strands = make(lengths, 2);
    const coif_vec4 points[] = {
        {0, 0, 0, 2}, {1, 0, 0, 1}, {1, 2, 0, 0}, {-1, 0, 0, 1}, {-1, 0, 5, 1}};
    memcpy(strands.points, points, sizeof points);
    const coif_strands_stats facts = coif_strands_measure(&strands);
    CHECK_NEAR(facts.shortest, 3.0, 1e-6);
    CHECK_NEAR(facts.longest, 5.0, 1e-6);
    CHECK_NEAR(facts.mean_length, 4.0, 1e-6);
    CHECK_NEAR(facts.thinnest, 0.0, 0.0);
    CHECK_NEAR(facts.thickest, 2.0, 0.0);
    CHECK(facts.low.x == -1.0f && facts.high.z == 5.0f);
}
