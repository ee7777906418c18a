// strand_repair: strands of a file become usable on a body; strands without a fault are left alone.
#include "sim/cache/strand_repair.h"

#include "core/base/rng.h"
#include "core/hair/strand_edit.h"
#include "tests/support/mesh_shapes.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

enum { LENGTH = 8 };

// Radial strands of 0.2 m on the unit sphere; strand s ends inside it where `inside` says so.
static coif_strand_file radial(int32_t count)
{
    coif_strand_file file = {.has_radius = true};
    coif_error error = {0};
    int32_t *lengths = coif_arena_new(&arena, count, int32_t);
    for (int32_t s = 0; s < count; ++s) {
        lengths[s] = LENGTH;
    }
    CHECK_OK(coif_strands_init(&file.strands, lengths, count, &arena, &error), error);
    for (int32_t s = 0; s < count; ++s) {
        const coif_vec3 d = coif_normalize((coif_vec3){coif_random_unit(1, (uint64_t)s, 0) - 0.5f,
                                                       coif_random_unit(1, (uint64_t)s, 1) - 0.5f,
                                                       coif_random_unit(1, (uint64_t)s, 2) - 0.5f});
        for (int32_t k = 0; k < LENGTH; ++k) {
            const coif_vec3 p = coif_scale(d, 1.0f + 0.2f * (float)k / (LENGTH - 1));
            file.strands.points[s * LENGTH + k] = (coif_vec4){p.x, p.y, p.z, 1e-4f};
        }
    }
    return file;
}

static coif_strand_repair_report repair(coif_strand_file *file, const coif_mesh *mesh)
{
    const coif_strand_repair_desc desc = {
        .mesh = mesh, .max_root_distance = 0.05f, .clearance = 0.002f};
    coif_strand_repair_report report;
    coif_error error = {0};
    CHECK_OK(coif_strand_repair(file, &desc, &report, &arena, &error), error);
    return report;
}

static void translate(coif_strand_file *file, int32_t strand, coif_vec3 by)
{
    for (int32_t k = 0; k < LENGTH; ++k) {
        coif_vec4 *p = &file->strands.points[strand * LENGTH + k];
        *p = (coif_vec4){p->x + by.x, p->y + by.y, p->z + by.z, p->w};
    }
}

TEST(every_fault_is_repaired_and_counted)
{
    const coif_mesh sphere = shape_sphere((coif_vec3){0.0f, 0.0f, 0.0f}, 1.0f, 24, &arena);
    coif_strand_file file = radial(40);
    coif_vec4 *points = file.strands.points;
    for (int32_t k = 0; k < LENGTH / 2; ++k) { // strand 0 begins at its tip
        const coif_vec4 p = points[k];
        points[k] = points[LENGTH - 1 - k];
        points[LENGTH - 1 - k] = p;
    }
    translate(&file, 1, (coif_vec3){3.0f, 0.0f, 0.0f});                        // a stray
    memcpy(points + 2 * LENGTH, points + 3 * LENGTH, LENGTH * sizeof *points); // a duplicate
    translate(&file, 4, coif_scale(coif_vec4_xyz(points[4 * LENGTH]), 0.02f)); // a loose root
    points[5 * LENGTH + 3] = points[5 * LENGTH + 2];                           // a repeated point
    for (int32_t k = 4; k < LENGTH; ++k) {                                     // a tip in the body
        coif_vec4 *p = &points[6 * LENGTH + k];
        const float inside = 0.9f / (1.0f + 0.2f * (float)k / (LENGTH - 1));
        *p = (coif_vec4){inside * p->x, inside * p->y, inside * p->z, p->w};
    }
    const coif_strand_repair_report report = repair(&file, &sphere);
    CHECK(report.reversed == 1 && report.strays == 1 && report.duplicates == 1);
    CHECK(report.merged_points == 1 && report.bound > 0 && report.pushed_strands > 0);
    CHECK_NEAR((double)report.largest_translation, 0.02, 0.01);
    CHECK(report.pushed.largest > 0.1);
    CHECK(file.strands.strand_count == 38);
    for (int32_t i = 0; i < file.strands.point_count; ++i) {
        CHECK(coif_length(coif_vec4_xyz(file.strands.points[i])) > 0.99f);
    }
    // A second repair finds no fault and moves nothing that can be seen.
    const coif_strand_repair_report again = repair(&file, &sphere);
    CHECK(again.reversed == 0 && again.strays == 0 && again.duplicates == 0);
    CHECK(again.merged_points == 0 && again.largest_translation < 2e-6f);
    CHECK(again.pushed.largest < 1e-4);
}

TEST(resampling_keeps_ends_and_arc_length)
{
    coif_strand_file file = radial(5);
    const coif_strand_file before = file;
    coif_error error = {0};
    CHECK_OK(coif_strand_file_resample(&file, 29, &arena, &error), error);
    CHECK(file.strands.point_count == 5 * 29);
    for (int32_t s = 0; s < 5; ++s) {
        const coif_vec4 *a = before.strands.points + s * LENGTH, *b = file.strands.points + s * 29;
        CHECK(memcmp(a, b, sizeof *a) == 0 && memcmp(a + LENGTH - 1, b + 28, sizeof *a) == 0);
        CHECK_NEAR((double)coif_length(coif_sub(coif_vec4_xyz(b[15]), coif_vec4_xyz(b[14]))),
                   0.2 / 28, 1e-6);
    }
}

TEST(guides_are_spread)
{
    const coif_strand_file file = radial(400);
    int32_t chosen[12];
    CHECK(coif_strands_spread(chosen, 12, &file.strands, &arena) == 12);
    for (int32_t i = 0; i < 12; ++i) {
        for (int32_t k = 0; k < i; ++k) {
            const coif_vec4 *points = file.strands.points;
            const coif_vec3 d = coif_sub(coif_vec4_xyz(points[chosen[i] * LENGTH]),
                                         coif_vec4_xyz(points[chosen[k] * LENGTH]));
            CHECK(coif_length(d) > 0.7f); // 12 points on the unit sphere: at most 1.05
        }
    }
}
