// Strands follow edited guides: unchanged guides change nothing, lengths stay, a strand at a guide
// gets its shape, and files of guides are exact and validated.
#include "sim/groom/guide_deform.h"

#include "core/base/jobs.h"
#include "tests/support/test.h"

#include <string.h>

static coif_arena arena = {.name = "test"};

enum { SIDE = 6, GUIDES = SIDE * SIDE, POINTS = 12, STRANDS = 400 };

static const float SPACING = 0.01f, LENGTH = 0.12f;
static const coif_brush_body NO_BODY = {.collider = NULL};

// Guides on a grid in the plane y = 0, straight up.
static coif_guide_edits *grid_of_guides(void)
{
    coif_guide_edits *edits = coif_arena_new(&arena, 1, coif_guide_edits);
    int32_t lengths[GUIDES];
    for (int32_t g = 0; g < GUIDES; ++g) {
        lengths[g] = POINTS;
    }
    coif_error error = {0};
    CHECK_OK(coif_guide_edits_init(edits, lengths, GUIDES, &arena, &error), error);
    for (int32_t g = 0; g < GUIDES; ++g) {
        edits->normals[g] = coif_vec3_of(0.0f, 1.0f, 0.0f);
        for (int32_t k = 0; k < POINTS; ++k) {
            edits->rest[g * POINTS + k] =
                (coif_vec4){SPACING * (float)(g % SIDE), LENGTH * (float)k / (POINTS - 1),
                            SPACING * (float)(g / SIDE), 4e-5f};
        }
    }
    memcpy(edits->edited.points, edits->rest, sizeof *edits->rest * GUIDES * POINTS);
    return edits;
}

// Wavy strands with other point counts than the guides; the first GUIDES are at their roots.
static coif_groom *wavy_strands(void)
{
    coif_groom *groom = coif_arena_new(&arena, 1, coif_groom);
    int32_t lengths[STRANDS];
    for (int32_t s = 0; s < STRANDS; ++s) {
        lengths[s] = s < GUIDES ? POINTS : 5 + s % 20;
    }
    coif_error error = {0};
    CHECK_OK(coif_groom_init(groom, lengths, STRANDS, &arena, &error), error);
    for (int32_t s = 0; s < STRANDS; ++s) {
        groom->root_frame[9 * s + 7] = 1.0f;
        const bool at_guide = s < GUIDES;
        const float x = at_guide ? (float)(s % SIDE) : (float)(s * 7 % 101) / 101.0f * (SIDE - 1);
        const float z = at_guide ? (float)(s / SIDE) : (float)(s * 13 % 97) / 97.0f * (SIDE - 1);
        for (int32_t k = 0; k < lengths[s]; ++k) {
            const float t = (float)k / (float)(lengths[s] - 1);
            const float wave = at_guide ? 0.0f : 0.004f * sinf(20.0f * t) * t;
            groom->rest.points[groom->rest.first[s] + k] =
                (coif_vec4){SPACING * x + wave, LENGTH * t, SPACING * z - wave, 4e-5f * (1.0f - t)};
        }
    }
    return groom;
}

static coif_vec4 *copy_points(const coif_groom *groom)
{
    coif_vec4 *points = coif_arena_new(&arena, groom->rest.point_count, coif_vec4);
    memcpy(points, groom->rest.points, sizeof *points * (size_t)groom->rest.point_count);
    return points;
}

static void deform(coif_groom *groom, const coif_guide_edits *edits, coif_jobs *jobs)
{
    coif_guide_deform deformation;
    coif_guide_deform_init(&deformation, edits, &arena);
    coif_guide_deform_groom(groom, &deformation, &NO_BODY, &arena, jobs);
}

static float segment(const coif_vec4 *points, int32_t k)
{
    return coif_length(coif_sub(coif_vec4_xyz(points[k]), coif_vec4_xyz(points[k - 1])));
}

static float length_of(const coif_vec4 *points, int32_t count)
{
    float length = 0.0f;
    for (int32_t k = 1; k < count; ++k) {
        length += segment(points, k);
    }
    return length;
}

// Bends the guides of half of the grid towards +x, keeping lengths.
static void comb(coif_guide_edits *edits, float turn)
{
    for (int32_t g = 0; g < GUIDES; ++g) {
        coif_vec4 *points = edits->edited.points + g * POINTS;
        for (int32_t k = 1; k < POINTS && g % SIDE >= SIDE / 2; ++k) {
            const float angle = turn * (float)k / POINTS, step = LENGTH / (POINTS - 1);
            points[k] = (coif_vec4){points[k - 1].x + step * sinf(angle),
                                    points[k - 1].y + step * cosf(angle), points[k - 1].z, 4e-5f};
        }
    }
}

TEST(unchanged_guides_change_no_bit)
{
    coif_groom *groom = wavy_strands();
    const coif_vec4 *before = copy_points(groom);
    deform(groom, grid_of_guides(), NULL);
    CHECK(memcmp(before, groom->rest.points, sizeof *before * (size_t)groom->rest.point_count) ==
          0);
}

TEST(combed_strands_keep_roots_radii_and_segment_lengths)
{
    coif_guide_edits *edits = grid_of_guides();
    comb(edits, 4.0f); // more than half a turn
    coif_groom *groom = wavy_strands();
    const coif_vec4 *before = copy_points(groom);
    deform(groom, edits, NULL);
    int32_t moved = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        const int32_t first = groom->rest.first[s], count = coif_strands_length(&groom->rest, s);
        const coif_vec4 *was = before + first, *is = groom->rest.points + first;
        CHECK(memcmp(was, is, sizeof *is) == 0);
        moved += memcmp(was, is, sizeof *is * (size_t)count) != 0;
        for (int32_t k = 1; k < count; ++k) {
            CHECK(is[k].w == was[k].w);
            CHECK_NEAR(segment(is, k) / segment(was, k), 1.0, 1e-4);
        }
    }
    CHECK(moved > STRANDS / 3 && moved < STRANDS);
}

TEST(a_strand_at_the_root_of_a_guide_gets_its_shape)
{
    coif_guide_edits *edits = grid_of_guides();
    comb(edits, 2.5f);
    coif_groom *groom = wavy_strands();
    deform(groom, edits, NULL);
    for (int32_t s = 0; s < GUIDES; ++s) {
        for (int32_t k = 0; k < POINTS; ++k) {
            const coif_vec4 is = groom->rest.points[groom->rest.first[s] + k];
            const coif_vec4 wanted = edits->edited.points[s * POINTS + k];
            CHECK_NEAR(coif_length(coif_sub(coif_vec4_xyz(is), coif_vec4_xyz(wanted))), 0.0, 2e-5);
        }
    }
}

TEST(strands_of_cut_guides_end_earlier_and_of_long_ones_later)
{
    coif_guide_edits *edits = grid_of_guides();
    coif_vec4 scratch[POINTS];
    for (int32_t g = 0; g < GUIDES; ++g) {
        edits->kept[g] = 0.5f;
        coif_strand_cut(edits->edited.points + g * POINTS, POINTS, 0.5f, scratch);
        coif_strand_cut(edits->rest + g * POINTS, POINTS, 0.5f, scratch);
    }
    coif_groom *groom = wavy_strands();
    const coif_vec4 *before = copy_points(groom);
    deform(groom, edits, NULL);
    for (int32_t s = 0; s < STRANDS; ++s) {
        const int32_t first = groom->rest.first[s], count = coif_strands_length(&groom->rest, s);
        const float ratio =
            length_of(groom->rest.points + first, count) / length_of(before + first, count);
        CHECK(ratio > 0.44f && ratio < 0.505f); // chords of a wave are shorter
    }
    for (int32_t g = 0; g < GUIDES; ++g) {
        for (int32_t k = 0; k < POINTS; ++k) {
            edits->edited.points[g * POINTS + k].y *= 3.0f;
        }
    }
    groom = wavy_strands();
    deform(groom, edits, NULL);
    CHECK_NEAR(length_of(groom->rest.points, POINTS) / LENGTH, 1.5, 1e-4);
}

TEST(strands_nearest_to_a_deleted_guide_do_not_grow)
{
    coif_guide_edits *edits = grid_of_guides();
    edits->flags[7] = COIF_GUIDE_DELETED;
    coif_guide_deform deformation;
    coif_guide_deform_init(&deformation, edits, &arena);
    const coif_vec3 up = {0.0f, 1.0f, 0.0f};
    coif_guide_weights weights;
    coif_guide_deform_bind(&weights, &deformation, coif_vec3_of(0.011f, 0.0f, 0.012f), up);
    CHECK(coif_guide_deform_deletes(&deformation, &weights));
    coif_guide_deform_bind(&weights, &deformation, coif_vec3_of(0.018f, 0.0f, 0.012f), up);
    CHECK(!coif_guide_deform_deletes(&deformation, &weights));
}

TEST(the_result_does_not_depend_on_threads)
{
    coif_guide_edits *edits = grid_of_guides();
    comb(edits, 1.7f);
    coif_groom *one = wavy_strands(), *many = wavy_strands();
    coif_jobs *jobs;
    coif_error error = {0};
    CHECK_OK(coif_jobs_open(&jobs, 4, &arena, &error), error);
    deform(one, edits, NULL);
    deform(many, edits, jobs);
    coif_jobs_close(jobs);
    CHECK(memcmp(one->rest.points, many->rest.points,
                 sizeof(coif_vec4) * (size_t)one->rest.point_count) == 0);
}

TEST(a_file_of_guides_is_exact)
{
    coif_guide_edits *edits = grid_of_guides(), loaded;
    comb(edits, 1.3f);
    edits->kept[3] = 0.25f;
    edits->flags[4] = COIF_GUIDE_PINNED;
    edits->flags[5] = COIF_GUIDE_DELETED;
    const char *path = coif_test_path("exact.guides");
    coif_error error = {0};
    CHECK_OK(coif_guide_edits_save(edits, path, &error), error);
    CHECK_OK(coif_guide_edits_load(&loaded, path, &arena, &error), error);
    const size_t points = sizeof(coif_vec4) * GUIDES * POINTS;
    CHECK(memcmp(loaded.edited.points, edits->edited.points, points) == 0);
    CHECK(memcmp(loaded.rest, edits->rest, points) == 0);
    CHECK(memcmp(loaded.normals, edits->normals, sizeof(coif_vec3) * GUIDES) == 0);
    CHECK(loaded.kept[3] == 0.25f && loaded.kept[4] == 1.0f);
    CHECK(memcmp(loaded.flags, edits->flags, GUIDES) == 0);
    // As strands: the edited guides without deleted ones.
    coif_strand_file file;
    const coif_hair_import import = {.scale = 1.0f};
    CHECK_OK(coif_strand_file_load(&file, path, &import, &arena, &error), error);
    CHECK(file.strands.strand_count == GUIDES - 1);
    CHECK(memcmp(file.strands.points + 5 * POINTS, edits->edited.points + 6 * POINTS,
                 sizeof(coif_vec4) * POINTS) == 0);
}

TEST(invalid_guides_are_refused)
{
    coif_guide_edits *edits = grid_of_guides(), loaded;
    const char *path = coif_test_path("invalid.guides");
    edits->kept[2] = 0.0f;
    coif_error error = {0};
    CHECK_OK(coif_guide_edits_save(edits, path, &error), error);
    CHECK(coif_guide_edits_load(&loaded, path, &arena, &error) == COIF_ERR_FORMAT);
    CHECK(strstr(error.text, "guide 2") != NULL);
    edits->kept[2] = 1.0f;
    edits->rest[40].x = NAN;
    error = (coif_error){0};
    CHECK_OK(coif_guide_edits_save(edits, path, &error), error);
    CHECK(coif_guide_edits_load(&loaded, path, &arena, &error) == COIF_ERR_FORMAT);
}
