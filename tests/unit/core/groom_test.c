// Groom files and guide binding.
#include "core/hair/groom.h"

#include "core/base/fs.h"
#include "core/base/rng.h"
#include "core/pack/pack.h"
#include "tests/support/test.h"

static coif_arena arena;

// Strands of differing lengths with random roots in a box and every array filled.
static coif_groom make(int32_t strand_count)
{
    int32_t *lengths = coif_arena_new(&arena, strand_count, int32_t);
    for (int32_t s = 0; s < strand_count; ++s) {
        lengths[s] = 2 + s % 5;
    }
    coif_groom groom;
    coif_error error = {0};
    CHECK_OK(coif_groom_init(&groom, lengths, strand_count, &arena, &error), error);
    for (int32_t s = 0; s < strand_count; ++s) {
        const coif_vec3 root = {coif_random_unit(1, (uint64_t)s, 0),
                                coif_random_unit(1, (uint64_t)s, 1),
                                coif_random_unit(1, (uint64_t)s, 2)};
        for (int32_t k = 0; k < lengths[s]; ++k) {
            groom.rest.points[groom.rest.first[s] + k] =
                (coif_vec4){root.x, root.y + 0.01f * (float)k, root.z, 4e-5f};
        }
        groom.root_triangle[s] = s / 3;
        groom.root_barycentric[2 * s] = 0.25f;
        groom.root_frame[9 * s + 4] = 1.0f;
        groom.random[s] = coif_random_word(2, (uint64_t)s, 0);
        groom.rest.root_uv[2 * s + 1] = root.y;
    }
    groom.mesh_digest = 0xfedcba9876543210u;
    groom.metadata = "coif=0.1.0\nseed=7\n";
    return groom;
}

static void expect_same(const coif_groom *a, const coif_groom *b)
{
    const size_t strands = (size_t)a->rest.strand_count;
    CHECK(coif_strands_digest(&a->rest) == coif_strands_digest(&b->rest));
    CHECK(memcmp(a->rest.root_uv, b->rest.root_uv, 8 * strands) == 0);
    CHECK(memcmp(a->root_triangle, b->root_triangle, 4 * strands) == 0);
    CHECK(memcmp(a->root_barycentric, b->root_barycentric, 8 * strands) == 0);
    CHECK(memcmp(a->root_frame, b->root_frame, 36 * strands) == 0);
    CHECK(memcmp(a->random, b->random, 4 * strands) == 0);
    CHECK(a->simulated_count == b->simulated_count);
    CHECK(memcmp(a->simulated, b->simulated, 4 * (size_t)a->simulated_count) == 0);
    CHECK(memcmp(a->guides, b->guides, 12 * strands) == 0);
    CHECK(memcmp(a->guide_weights, b->guide_weights, 12 * strands) == 0);
    CHECK(a->mesh_digest == b->mesh_digest && a->digest == b->digest);
    CHECK_TEXT(b->metadata, a->metadata);
}

TEST(a_groom_is_loaded_as_saved)
{
    const char *path = coif_test_path("head.groom");
    coif_groom groom = make(700), back;
    coif_error error = {0};
    coif_groom_bind(&groom, 0.3, &arena);
    CHECK_OK(coif_groom_save(&groom, path, &error), error);
    CHECK_OK(coif_groom_load(&back, path, &arena, &error), error);
    CHECK(back.digest != 0 && back.rest.colors == NULL);
    expect_same(&groom, &back);

    groom.rest.colors = coif_arena_new(&arena, groom.rest.point_count, coif_vec3);
    groom.rest.colors[5].y = 0.5f;
    CHECK_OK(coif_groom_save(&groom, path, &error), error);
    CHECK_OK(coif_groom_load(&back, path, &arena, &error), error);
    expect_same(&groom, &back);
    CHECK(back.clump == NULL);

    groom.clump = coif_arena_new(&arena, groom.rest.strand_count, int32_t);
    for (int32_t s = 0; s < groom.rest.strand_count; ++s) {
        groom.clump[s] = s % 7 - 1;
    }
    CHECK_OK(coif_groom_save(&groom, path, &error), error);
    CHECK_OK(coif_groom_load(&back, path, &arena, &error), error);
    expect_same(&groom, &back);
    CHECK(memcmp(groom.clump, back.clump, 4 * (size_t)groom.rest.strand_count) == 0);
}

TEST(the_digest_is_known_without_saving_and_ignores_metadata)
{
    coif_groom groom = make(50);
    coif_error error = {0};
    uint64_t digest = 0, other = 0;
    CHECK_OK(coif_groom_save(&groom, coif_test_path("digest.groom"), &error), error);
    groom.metadata = "camera=moved";
    CHECK_OK(coif_groom_digest(&digest, &groom, &error), error);
    CHECK(digest == groom.digest);
    groom.root_triangle[49] ^= 1;
    CHECK_OK(coif_groom_digest(&other, &groom, &error), error);
    CHECK(digest != other);
}

TEST(a_groom_without_strands_is_valid)
{
    const char *path = coif_test_path("bald.groom");
    coif_groom groom = make(0), back;
    coif_error error = {0};
    coif_groom_bind(&groom, 0.5, &arena);
    CHECK_OK(coif_groom_save(&groom, path, &error), error);
    CHECK_OK(coif_groom_load(&back, path, &arena, &error), error);
    CHECK(back.rest.strand_count == 0 && back.simulated_count == 0);
}

// Written by our own writer, so that digests are correct and only the content is invalid.
static void expect_refused(coif_groom *groom, const char *words)
{
    const char *path = coif_test_path("invalid.groom");
    coif_groom back;
    coif_error error = {0};
    CHECK_OK(coif_groom_save(groom, path, &error), error);
    CHECK(coif_groom_load(&back, path, &arena, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, words);
    CHECK_CONTAINS(error.text, "invalid.groom: ");
}

TEST(an_inconsistent_groom_is_rejected)
{
    coif_groom groom = make(9);
    groom.simulated[4] = 9;
    expect_refused(&groom, "simulated strand 4 has invalid index 9 of 9");
    groom = make(9);
    groom.simulated[4] = 3;
    expect_refused(&groom, "simulated strand 4 has invalid index 3 of 9");
    groom = make(9);
    groom.guides[3 * 8 + 1] = 9;
    expect_refused(&groom, "strand 8: invalid guide 9 of 9");
    groom = make(9);
    groom.guide_weights[2] = NAN;
    expect_refused(&groom, "strand 0: invalid guide -1 of 9 with weight");
    groom = make(9);
    groom.root_triangle[1] = -1;
    expect_refused(&groom, "strand 1: root triangle -1 is negative");
    groom = make(9);
    groom.root_frame[9 * 7 + 8] = INFINITY;
    expect_refused(&groom, "strand 7: root is not finite");
    groom = make(9);
    groom.rest.points[3].z = NAN;
    expect_refused(&groom, "point 3 is not finite");
    groom = make(9);
    groom.clump = (int32_t[9]){0, 0, -1, 9};
    expect_refused(&groom, "strand 3: invalid clump centre 9");
}

TEST(lengths_in_a_file_are_checked)
{
    const struct {
        int32_t lengths[2];
        const char *words;
    } cases[] = {
        {{2, 1}, "strand 1 has 1 points"},
        {{2000000000, 2000000000}, "more than 1000000000 points"},
        {{2, 900000000}, "block positions has 4 elements, expected 900000002"},
    };
    const char *path = coif_test_path("lengths.groom");
    const float positions[12] = {0};
    for (size_t i = 0; i < COIF_COUNT_OF(cases); ++i) {
        coif_pack_block blocks[] = {
            {"lengths", COIF_PACK_INT32, 1, COIF_CODEC_RAW, 2, cases[i].lengths, 0, 0},
            {"positions", COIF_PACK_FLOAT, 3, COIF_CODEC_RAW, 4, positions, 0, 0},
        };
        coif_pack pack = {.kind = COIF_PACK_GROOM, .blocks = blocks, .block_count = 2};
        coif_groom groom;
        coif_error error = {0};
        CHECK_OK(coif_pack_save(&pack, path, &error), error);
        const size_t used = arena.used;
        CHECK(coif_groom_load(&groom, path, &arena, &error) == COIF_ERR_FORMAT);
        CHECK_CONTAINS(error.text, cases[i].words);
        CHECK(arena.used == used);
    }
}

static float root_distance(const coif_groom *groom, int32_t a, int32_t b)
{
    const coif_vec3 to = coif_sub(coif_vec4_xyz(groom->rest.points[groom->rest.first[a]]),
                                  coif_vec4_xyz(groom->rest.points[groom->rest.first[b]]));
    return coif_dot(to, to);
}

// The three nearest by looking at all of them, lower index first among equals.
static void nearest_by_force(const coif_groom *groom, int32_t strand, int32_t nearest[3])
{
    for (int rank = 0; rank < 3; ++rank) {
        nearest[rank] = -1;
        for (int32_t i = 0; i < groom->simulated_count; ++i) {
            const bool taken = (rank > 0 && nearest[0] == i) || (rank > 1 && nearest[1] == i);
            const bool nearer =
                nearest[rank] < 0 ||
                root_distance(groom, strand, i) < root_distance(groom, strand, nearest[rank]);
            if (!taken && nearer) {
                nearest[rank] = i;
            }
        }
    }
}

static void expect_nearest(const coif_groom *groom)
{
    for (int32_t s = groom->simulated_count; s < groom->rest.strand_count; ++s) {
        int32_t nearest[3];
        nearest_by_force(groom, s, nearest);
        CHECK(memcmp(nearest, groom->guides + 3 * s, sizeof nearest) == 0);
        const float *w = groom->guide_weights + 3 * s;
        CHECK_NEAR(w[0] + w[1] + w[2], 1.0, 1e-6);
        CHECK(w[0] >= w[1] && w[1] >= w[2] && w[2] >= 0.0f);
    }
}

TEST(children_follow_the_nearest_guides)
{
    const double fractions[] = {0.001, 0.002, 0.003, 0.02, 0.3, 0.99};
    for (size_t i = 0; i < COIF_COUNT_OF(fractions); ++i) {
        coif_groom groom = make(1000);
        coif_groom_bind(&groom, fractions[i], &arena);
        CHECK(groom.simulated_count == (int32_t)(fractions[i] * 1000 + 0.5));
        expect_nearest(&groom);
    }
}

TEST(equal_distances_go_to_the_lower_index)
{
    coif_groom groom = make(400);
    for (int32_t s = 0; s < 400; ++s) {
        groom.rest.points[groom.rest.first[s]] =
            (coif_vec4){(float)(s % 5), (float)(s / 5 % 5), 0.0f, 0.0f};
    }
    coif_groom_bind(&groom, 0.25, &arena);
    expect_nearest(&groom);
    // All at one position.
    for (int32_t s = 0; s < 400; ++s) {
        groom.rest.points[groom.rest.first[s]] = (coif_vec4){1.0f, 2.0f, 3.0f, 0.0f};
    }
    coif_groom_bind(&groom, 0.25, &arena);
    expect_nearest(&groom);
}

TEST(fractions_0_and_1_simulate_none_or_all)
{
    coif_groom groom = make(10);
    coif_groom_bind(&groom, 1.0, &arena);
    CHECK(groom.simulated_count == 10 && groom.guides[27] == 9 && groom.guides[28] == -1);
    CHECK(groom.guide_weights[27] == 1.0f && groom.guide_weights[28] == 0.0f);
    coif_groom_bind(&groom, 0.11, &arena);
    CHECK(groom.simulated_count == 2);
    coif_groom_bind(&groom, 0.0, &arena);
    CHECK(groom.simulated_count == 0 && groom.guides[0] == -1);
    CHECK(groom.guide_weights[0] == 0.0f);
}

TEST(simulated_strands_are_those_of_the_rest)
{
    coif_groom groom = make(10);
    groom.simulated_count = 2;
    groom.simulated[0] = 3;
    groom.simulated[1] = 9;
    coif_strands strands;
    coif_error error = {0};
    CHECK_OK(coif_groom_simulated(&strands, &groom, &arena, &error), error);
    CHECK(strands.strand_count == 2 && strands.point_count == 5 + 6);
    CHECK(strands.points[5].y == groom.rest.points[groom.rest.first[9]].y);
    CHECK(strands.root_uv[3] == groom.rest.root_uv[19] && strands.colors == NULL);
}
