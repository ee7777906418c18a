// Frame files: exact and quantised round trips, validation.
#include "core/hair/frame_cache.h"

#include "core/base/fs.h"
#include "core/base/rng.h"
#include "core/pack/pack.h"
#include "tests/support/test.h"

static coif_arena arena;

static coif_groom make_groom(int32_t strand_count, double fraction)
{
    int32_t *lengths = coif_arena_new(&arena, strand_count, int32_t);
    for (int32_t s = 0; s < strand_count; ++s) {
        lengths[s] = 3 + s % 4;
    }
    coif_groom groom;
    coif_error error = {0};
    CHECK_OK(coif_groom_init(&groom, lengths, strand_count, &arena, &error), error);
    for (int32_t i = 0; i < groom.rest.point_count; ++i) {
        groom.rest.points[i] = (coif_vec4){coif_random_unit(1, (uint64_t)i, 0),
                                           coif_random_unit(1, (uint64_t)i, 1), 0.5f, 4e-5f};
    }
    coif_groom_bind(&groom, fraction, &arena);
    CHECK_OK(coif_groom_save(&groom, coif_test_path("head.groom"), &error), error);
    return groom;
}

static coif_strands make_frame(const coif_groom *groom)
{
    coif_strands strands;
    coif_error error = {0};
    CHECK_OK(coif_groom_simulated(&strands, groom, &arena, &error), error);
    strands.velocities = coif_arena_new(&arena, strands.point_count, coif_vec3);
    for (int32_t i = 0; i < strands.point_count; ++i) {
        strands.points[i].z += 0.1f * coif_random_unit(2, (uint64_t)i, 0);
        strands.velocities[i].y = coif_random_unit(2, (uint64_t)i, 1) - 0.5f;
    }
    return strands;
}

static bool has_block(const char *path, const char *name)
{
    coif_pack pack;
    coif_error error = {0};
    CHECK_OK(coif_pack_peek(&pack, path, &arena, &error), error);
    for (int32_t i = 0; i < pack.block_count; ++i) {
        if (strcmp(pack.blocks[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_valid_frame(const coif_groom *groom, const char *path, coif_arena *scratch)
{
    const coif_arena_mark mark = coif_arena_mark_here(scratch);
    coif_strands strands;
    const bool valid = coif_frame_cache_load(&strands, NULL, groom, path, scratch, NULL) == COIF_OK;
    coif_arena_rewind(scratch, mark);
    return valid;
}

TEST(a_frame_is_loaded_exactly)
{
    const coif_groom groom = make_groom(300, 0.5);
    const coif_strands frame = make_frame(&groom);
    const coif_frame_cache_desc desc = {.frame = 42,
                                        .time = 1.75,
                                        .reset_count = 3,
                                        .stats = {0.25, 7, 2},
                                        .metadata = "scene=abc\n"};
    const char *path = coif_test_path("head.0042.strands");
    coif_strands back;
    coif_frame_cache_desc said;
    coif_error error = {0};
    CHECK_OK(coif_frame_cache_save(&frame, &groom, &desc, path, &error), error);
    CHECK_OK(coif_frame_cache_load(&back, &said, &groom, path, &arena, &error), error);
    CHECK(coif_strands_digest(&frame) == coif_strands_digest(&back));
    CHECK(said.stats.stretch == 0.25 && said.stats.contacts == 7.0);
    CHECK(said.stats.not_finite == 2.0);
    CHECK(said.frame == 42 && said.time == 1.75 && said.reset_count == 3 && !said.quantise);
    CHECK_TEXT(said.metadata, "scene=abc\n");
    CHECK(is_valid_frame(&groom, path, &arena));
    CHECK(!has_block(path, "radius") && !has_block(path, "colors"));
}

TEST(radius_and_colors_are_stored_where_they_differ)
{
    coif_groom groom = make_groom(20, 1.0);
    groom.rest.colors = coif_arena_new(&arena, groom.rest.point_count, coif_vec3);
    groom.rest.colors[7].x = 0.25f;
    coif_error error = {0};
    CHECK_OK(coif_groom_save(&groom, coif_test_path("head.groom"), &error), error);
    const coif_strands frame = make_frame(&groom);
    const coif_frame_cache_desc desc = {.frame = 1};
    const char *path = coif_test_path("painted.0001.strands");
    coif_strands back;
    CHECK_OK(coif_frame_cache_save(&frame, &groom, &desc, path, &error), error);
    CHECK(!has_block(path, "radius") && !has_block(path, "colors"));
    CHECK_OK(coif_frame_cache_load(&back, NULL, &groom, path, &arena, &error), error);
    CHECK(coif_strands_digest(&frame) == coif_strands_digest(&back));

    frame.points[9].w *= 2.0f;
    frame.colors[9].y = 1.0f;
    CHECK_OK(coif_frame_cache_save(&frame, &groom, &desc, path, &error), error);
    CHECK(has_block(path, "radius") && has_block(path, "colors"));
    CHECK_OK(coif_frame_cache_load(&back, NULL, &groom, path, &arena, &error), error);
    CHECK(coif_strands_digest(&frame) == coif_strands_digest(&back));
}

TEST(velocities_may_be_unknown)
{
    const coif_groom groom = make_groom(20, 1.0);
    coif_strands frame = make_frame(&groom), back;
    frame.velocities = NULL;
    const coif_frame_cache_desc desc = {.frame = 1};
    const char *path = coif_test_path("still.0001.strands");
    coif_error error = {0};
    CHECK_OK(coif_frame_cache_save(&frame, &groom, &desc, path, &error), error);
    CHECK_OK(coif_frame_cache_load(&back, NULL, &groom, path, &arena, &error), error);
    CHECK(back.velocities == NULL);
}

TEST(a_quantised_frame_is_within_its_error_bound)
{
    const coif_groom groom = make_groom(2000, 1.0);
    const coif_strands frame = make_frame(&groom);
    const coif_frame_cache_desc desc = {.frame = 1, .quantise = true};
    const char *path = coif_test_path("steps.0001.strands");
    const coif_strands_stats facts = coif_strands_measure(&frame);
    const double step_x = (facts.high.x - facts.low.x) / 65535.0;
    coif_strands back;
    coif_frame_cache_desc said;
    coif_error error = {0};
    CHECK_OK(coif_frame_cache_save(&frame, &groom, &desc, path, &error), error);
    CHECK_OK(coif_frame_cache_load(&back, &said, &groom, path, &arena, &error), error);
    CHECK(said.quantise);
    double worst = 0.0, worst_velocity = 0.0;
    for (int32_t i = 0; i < frame.point_count; ++i) {
        worst = fmax(worst, fabs((double)frame.points[i].x - (double)back.points[i].x));
        worst_velocity = fmax(worst_velocity,
                              fabs((double)frame.velocities[i].y - (double)back.velocities[i].y));
        CHECK(frame.points[i].w == back.points[i].w);
    }
    CHECK(worst <= step_x / 2 + 6e-8 && worst > step_x / 4);
    CHECK(worst_velocity <= 1.0 / 131070 + 6e-8);
}

TEST(a_frame_of_another_groom_is_rejected)
{
    const coif_groom groom = make_groom(30, 0.5);
    const coif_strands frame = make_frame(&groom);
    const coif_frame_cache_desc desc = {.frame = 1};
    const char *path = coif_test_path("other.0001.strands");
    coif_error error = {0};
    CHECK_OK(coif_frame_cache_save(&frame, &groom, &desc, path, &error), error);

    coif_groom other = groom;
    other.rest.points[0].x += 1.0f;
    CHECK_OK(coif_groom_save(&other, coif_test_path("other.groom"), &error), error);
    coif_strands back;
    CHECK(coif_frame_cache_load(&back, NULL, &other, path, &arena, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "other.0001.strands: is a frame of groom ");
    char digests[80];
    snprintf(digests, sizeof digests, "%016llx, expected %016llx", (unsigned long long)groom.digest,
             (unsigned long long)other.digest);
    CHECK_CONTAINS(error.text, digests);
    CHECK(!is_valid_frame(&other, path, &arena));
}

TEST(strands_of_another_topology_are_not_saved)
{
    const coif_groom groom = make_groom(30, 0.5), larger = make_groom(40, 0.5);
    const coif_strands frame = make_frame(&larger);
    const coif_frame_cache_desc desc = {.frame = 1};
    const char *path = coif_test_path("wrong.0001.strands");
    coif_error error = {0};
    CHECK(coif_frame_cache_save(&frame, &groom, &desc, path, &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "strands do not match the simulated strands of the groom");
    const coif_strands poisoned = make_frame(&groom);
    poisoned.points[7].y = NAN;
    error = (coif_error){0};
    CHECK(coif_frame_cache_save(&poisoned, &groom, &desc, path, &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "strand 2: point 0 is not finite");
    CHECK(!coif_path_exists(path));
}

TEST(non_finite_numbers_are_not_loaded)
{
    const coif_groom groom = make_groom(4, 1.0);
    const coif_strands frame = make_frame(&groom);
    const coif_frame_cache_desc desc = {.frame = 1};
    const char *path = coif_test_path("nan.0001.strands");
    coif_error error = {0};
    coif_pack pack;
    CHECK_OK(coif_frame_cache_save(&frame, &groom, &desc, path, &error), error);
    CHECK_OK(coif_pack_load(&pack, path, 0, &arena, &error), error);
    ((float *)coif_pack_find(&pack, "positions", COIF_PACK_FLOAT, 3)->data)[4] = INFINITY;
    CHECK_OK(coif_pack_save(&pack, path, &error), error);
    coif_strands back;
    CHECK(coif_frame_cache_load(&back, NULL, &groom, path, &arena, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "strand 0: point 1 is not finite");
}

TEST(damaged_and_missing_frames_are_not_valid)
{
    const coif_groom groom = make_groom(30, 0.5);
    const coif_strands frame = make_frame(&groom);
    const coif_frame_cache_desc desc = {.frame = 1};
    const char *path = coif_test_path("damaged.0001.strands");
    coif_error error = {0};
    CHECK(!is_valid_frame(&groom, path, &arena));
    CHECK_OK(coif_frame_cache_save(&frame, &groom, &desc, path, &error), error);
    char *data;
    size_t size;
    CHECK_OK(coif_file_load(&data, &size, path, &arena, &error), error);
    const size_t used = arena.used;
    CHECK(is_valid_frame(&groom, path, &arena));
    CHECK(arena.used == used);
    data[size / 2] ^= 4;
    CHECK_OK(coif_file_save(path, data, size, &error), error);
    CHECK(!is_valid_frame(&groom, path, &arena));
    CHECK_OK(coif_file_save(path, data, size - 7, &error), error);
    CHECK(!is_valid_frame(&groom, path, &arena));
    CHECK(!is_valid_frame(&groom, coif_test_path("head.groom"), &arena));
}

TEST(frames_refer_to_an_unsaved_groom)
{
    coif_groom groom = make_groom(30, 0.5);
    groom.digest = 0;
    const coif_strands frame = make_frame(&groom);
    const coif_frame_cache_desc desc = {.frame = 1};
    const char *path = coif_test_path("unsaved.0001.strands");
    coif_error error = {0};
    CHECK_OK(coif_frame_cache_save(&frame, &groom, &desc, path, &error), error);
    CHECK(is_valid_frame(&groom, path, &arena));
    CHECK_OK(coif_groom_save(&groom, coif_test_path("late.groom"), &error), error);
    CHECK(is_valid_frame(&groom, path, &arena));
}

TEST(the_same_frame_is_the_same_bytes)
{
    const coif_groom groom = make_groom(30, 0.5);
    const coif_strands frame = make_frame(&groom);
    const coif_frame_cache_desc desc = {.frame = 1, .metadata = "a=b"};
    coif_error error = {0};
    char *data[2];
    size_t size[2];
    for (int i = 0; i < 2; ++i) {
        const char *path = coif_test_path(i == 0 ? "one.strands" : "two.strands");
        CHECK_OK(coif_frame_cache_save(&frame, &groom, &desc, path, &error), error);
        CHECK_OK(coif_file_load(&data[i], &size[i], path, &arena, &error), error);
    }
    CHECK(size[0] == size[1] && memcmp(data[0], data[1], size[0]) == 0);
}

TEST(paths_are_numbered_with_four_digits)
{
    CHECK_TEXT(coif_groom_file_path("out", "head", &arena), "out/head.groom");
    CHECK_TEXT(coif_frame_file_path("out", "head", 42, &arena), "out/head.0042.strands");
    CHECK_TEXT(coif_frame_file_path("out", "head", 12345, &arena), "out/head.12345.strands");
    CHECK_TEXT(coif_state_file_path("out", "head", 40, &arena), "out/head.0040.state");
}
