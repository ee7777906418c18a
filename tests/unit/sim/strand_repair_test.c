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

static coif_strand_repair_report repair_steps(coif_strand_file *file, const coif_mesh *mesh,
                                              uint32_t steps)
{
    const coif_strand_repair_desc desc = {.mesh = mesh,
                                          .steps = steps,
                                          .max_root_distance = 0.05f,
                                          .clearance = 0.002f,
                                          .resample_tolerance = 0.25f};
    coif_strand_repair_report report;
    coif_error error = {0};
    CHECK_OK(coif_strand_repair(file, &desc, &report, &arena, &error), error);
    return report;
}

static coif_strand_repair_report repair(coif_strand_file *file, const coif_mesh *mesh)
{
    return repair_steps(file, mesh, COIF_REPAIR_ALL);
}

static void translate(coif_strand_file *file, int32_t strand, coif_vec3 by)
{
    for (int32_t k = 0; k < LENGTH; ++k) {
        coif_vec4 *p = &file->strands.points[strand * LENGTH + k];
        *p = (coif_vec4){p->x + by.x, p->y + by.y, p->z + by.z, p->w};
    }
}

static coif_mesh unit_sphere(void)
{
    return shape_sphere((coif_vec3){0.0f, 0.0f, 0.0f}, 1.0f, 24, &arena);
}

// 40 strands, of which 0 to 7 have one fault each.
static coif_strand_file faulty(void)
{
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
    for (int32_t k = 1; k < LENGTH - 1; ++k) { // long and short segments
        points[7 * LENGTH + k] = points[7 * LENGTH + (k < 3 ? 0 : LENGTH - 1)];
        points[7 * LENGTH + k].x += 1e-3f * (float)k;
    }
    return file;
}

TEST(every_fault_is_repaired_and_counted)
{
    const coif_mesh sphere = unit_sphere();
    coif_strand_file file = faulty();
    const coif_strand_repair_report report = repair(&file, &sphere);
    CHECK(report.reversed == 1 && report.strays == 1 && report.duplicates == 1);
    CHECK(report.merged_points == 1 && report.bound.strands > 0 && report.pushed.strands > 0);
    CHECK_NEAR(report.bound.largest, 0.02, 0.01);
    CHECK(report.pushed.largest > 0.1);
    CHECK(report.resampled.strands == 3 && report.resampled.largest > 0.01); // 5, 6, 7
    CHECK(report.uneven == 0 && report.stuck == 0);
    CHECK(file.strands.strand_count == 38 && file.strands.point_count == 38 * LENGTH);
    for (int32_t i = 0; i < file.strands.point_count; ++i) {
        CHECK(coif_length(coif_vec4_xyz(file.strands.points[i])) > 0.99f);
    }
    for (int32_t s = 0; s < file.strands.strand_count; ++s) {
        CHECK(coif_strand_unevenness(&file.strands, s) <= 0.25f);
    }
}

TEST(a_second_repair_changes_no_bit)
{
    const coif_mesh sphere = unit_sphere();
    coif_strand_file file = faulty();
    repair(&file, &sphere);
    coif_strand_file again = file;
    again.strands.points = coif_arena_new(&arena, file.strands.point_count, coif_vec4);
    const size_t size = sizeof(coif_vec4) * (size_t)file.strands.point_count;
    memcpy(again.strands.points, file.strands.points, size);
    const coif_strand_repair_report report = repair(&again, &sphere);
    CHECK(again.strands.point_count == file.strands.point_count);
    CHECK(memcmp(again.strands.points, file.strands.points, size) == 0);
    CHECK(report.reversed + report.strays + report.duplicates + report.merged_points == 0);
    CHECK(report.bound.strands + report.resampled.strands + report.pushed.strands == 0);
}

TEST(steps_that_are_left_out_change_nothing)
{
    const coif_mesh sphere = unit_sphere();
    coif_strand_file file = faulty(), before = faulty();
    coif_strand_repair_report report = repair_steps(&file, &sphere, 0);
    CHECK(memcmp(file.strands.points, before.strands.points,
                 sizeof(coif_vec4) * (size_t)before.strands.point_count) == 0);
    CHECK(file.strands.strand_count == 40 && report.stuck == 0);
    report = repair_steps(&file, &sphere, COIF_REPAIR_DUPLICATES | COIF_REPAIR_STRAYS);
    CHECK(report.duplicates == 1 && report.strays == 1);
    CHECK(report.bound.strands + report.resampled.strands + report.pushed.strands == 0);
    file = faulty();
    report = repair_steps(&file, &sphere, COIF_REPAIR_RESAMPLE);
    CHECK(report.resampled.strands == 2 && report.uneven == 1 && report.pushed.strands == 0);
}

// A hairpin has no third point at equal distances from its ends that keeps its length.
TEST(strands_that_would_lose_their_bends_stay_uneven)
{
    const coif_mesh sphere = unit_sphere();
    coif_strand_file file = {.has_radius = true};
    coif_error error = {0};
    const int32_t length = 3;
    CHECK_OK(coif_strands_init(&file.strands, &length, 1, &arena, &error), error);
    const coif_vec4 hairpin[] = {
        {0.0f, 2.0f, 0.0f, 1e-4f}, {0.0f, 2.5f, 0.0f, 1e-4f}, {0.0f, 2.1f, 0.0f, 1e-4f}};
    memcpy(file.strands.points, hairpin, sizeof hairpin);
    const coif_strand_repair_desc desc = {.mesh = &sphere,
                                          .steps = COIF_REPAIR_RESAMPLE | COIF_REPAIR_PUSH,
                                          .resample_tolerance = 0.05f};
    coif_strand_repair_report report;
    CHECK_OK(coif_strand_repair(&file, &desc, &report, &arena, &error), error);
    CHECK(report.uneven == 1 && report.resampled.strands == 0);
    CHECK(memcmp(file.strands.points, hairpin, sizeof hairpin) == 0);
}

// Between two walls that are nearer to each other than the clearance.
TEST(strands_that_do_not_come_to_rest_stay)
{
    coif_mesh walls = shape_alloc(8, 4, &arena);
    for (int v = 0; v < 8; ++v) {
        walls.positions[v] = (coif_vec3){(v & 1) != 0 ? 1.0f : -1.0f, v < 4 ? 0.0f : 0.011f,
                                         (v & 2) != 0 ? 1.0f : -1.0f};
    }
    static const int32_t indices[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 6, 5, 7};
    memcpy(walls.indices, indices, sizeof indices);
    coif_strand_file file = radial(200);
    for (int32_t i = 0; i < 200 * LENGTH; ++i) {
        coif_vec4 *p = &file.strands.points[i];
        const float x = coif_random_unit(2, (uint64_t)i, 0) - 0.5f;
        const float z = coif_random_unit(2, (uint64_t)i, 1) - 0.5f;
        *p = i % LENGTH == 0 ? (coif_vec4){x, 0.0f, z, 1e-4f}
                             : (coif_vec4){p[-1].x + 0.1f * x, 0.005f, p[-1].z + 0.1f * z, 1e-4f};
    }
    const coif_strand_repair_desc desc = {
        .mesh = &walls, .steps = COIF_REPAIR_PUSH, .clearance = 0.02f};
    coif_strand_repair_report report;
    coif_error error = {0};
    CHECK_OK(coif_strand_repair(&file, &desc, &report, &arena, &error), error);
    CHECK(report.stuck > 0 && report.stuck + report.pushed.strands <= 200);
    const coif_strand_repair_report again = report;
    const uint64_t digest = coif_strands_digest(&file.strands);
    CHECK_OK(coif_strand_repair(&file, &desc, &report, &arena, &error), error);
    CHECK(coif_strands_digest(&file.strands) == digest && report.stuck == again.stuck);
    CHECK(report.pushed.strands == 0);
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

TEST(chosen_guides_are_marked_copies)
{
    coif_strand_file file = radial(30);
    const int32_t chosen[] = {7, 21};
    coif_error error = {0};
    CHECK(!coif_strand_file_has_guides(&file));
    CHECK_OK(coif_strand_file_add_guides(&file, chosen, 2, &arena, &error), error);
    CHECK(coif_strand_file_has_guides(&file) && file.strands.strand_count == 32);
    for (int32_t s = 0; s < 32; ++s) {
        CHECK(file.guide[s] == (s >= 30) && file.ids[s] == (s < 30 ? s : chosen[s - 30]));
    }
    CHECK(memcmp(&file.strands.points[31 * LENGTH], &file.strands.points[21 * LENGTH],
                 LENGTH * sizeof *file.strands.points) == 0);
}
