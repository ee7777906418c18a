// Root scattering follows area and density; changed maps keep the other roots.
#include "sim/groom/root_scatter.h"

#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "tests/support/mesh_shapes.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

static coif_root_set scatter(const coif_roots_desc *desc, coif_jobs *jobs)
{
    coif_root_set roots = {0};
    coif_error error = {0};
    CHECK_OK(coif_roots_scatter(&roots, desc, &arena, jobs, &error), error);
    return roots;
}

static coif_surface_point position_of(const coif_mesh *mesh, const coif_root_set *roots,
                                      int32_t root)
{
    const float *b = roots->barycentrics + 2 * (int64_t)root;
    return coif_mesh_at(mesh, roots->triangles[root], b[0], b[1]);
}

static coif_status half_by_u(void *context, int32_t count, const coif_surface_point *points,
                             float *value, coif_error *error)
{
    (void)context, (void)error;
    for (int32_t i = 0; i < count; ++i) {
        value[i] = points[i].uv.x;
    }
    return COIF_OK;
}

static coif_status none(void *context, int32_t count, const coif_surface_point *points,
                        float *value, coif_error *error)
{
    (void)context, (void)points, (void)error;
    for (int32_t i = 0; i < count; ++i) {
        value[i] = 0.0f;
    }
    return COIF_OK;
}

static coif_status right_half(void *context, int32_t count, const coif_surface_point *points,
                              float *value, coif_error *error)
{
    (void)context, (void)error;
    for (int32_t i = 0; i < count; ++i) {
        value[i] = points[i].uv.x > 0.5f ? 1.0f : 0.0f;
    }
    return COIF_OK;
}

static coif_status broken(void *context, int32_t count, const coif_surface_point *points,
                          float *value, coif_error *error)
{
    (void)context, (void)count, (void)points, (void)value;
    return coif_fail(error, COIF_ERR_PLUGIN, "the map is torn");
}

// Counts in 8 x 8 squares of equal area, on a mesh whose triangles are not: chi-square of evenly
// spread points is far below its expectation for random ones, 63.
TEST(roots_are_spread_more_evenly_than_random_ones)
{
    const coif_mesh mesh = shape_plane(1.0f, 11, &arena);
    for (uint64_t seed = 1; seed <= 5; ++seed) {
        const coif_root_set roots =
            scatter(&(coif_roots_desc){.mesh = &mesh, .candidates = 6400, .seed = seed}, NULL);
        CHECK(roots.count == 6400);
        double counts[64] = {0};
        for (int32_t i = 0; i < roots.count; ++i) {
            const coif_vec2 uv = position_of(&mesh, &roots, i).uv;
            const int column = uv.x < 1.0f ? (int)(uv.x * 8.0f) : 7;
            const int row = uv.y < 1.0f ? (int)(uv.y * 8.0f) : 7;
            counts[8 * row + column] += 1.0;
        }
        double chi2 = 0.0;
        for (int i = 0; i < 64; ++i) {
            chi2 += (counts[i] - 100.0) * (counts[i] - 100.0) / 100.0;
        }
        CHECK(chi2 < 40.0); // a random set falls below this in 1 % of cases
    }
}

// Star discrepancy on a grid of corners: the error of the fraction of roots in a box from the
// origin is.
static double discrepancy(const float *u, const float *v, int32_t count)
{
    double worst = 0.0;
    for (int corner = 1; corner < 400; ++corner) {
        const float a = (float)(corner % 20) / 20.0f;
        const float b = (float)(corner / 20) / 20.0f;
        int32_t inside = 0;
        for (int32_t i = 0; i < count; ++i) {
            inside += u[i] < a && v[i] < b;
        }
        const double wrong = fabs((double)inside / count - (double)a * b);
        worst = wrong > worst ? wrong : worst;
    }
    return worst;
}

TEST(discrepancy_is_well_below_random)
{
    enum { COUNT = 2000 };
    static float u[COUNT], v[COUNT];
    const coif_mesh mesh = shape_plane(1.0f, 5, &arena);
    double ours = 0.0;
    double random = 0.0;
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        const coif_root_set roots =
            scatter(&(coif_roots_desc){.mesh = &mesh, .candidates = COUNT, .seed = seed}, NULL);
        for (int32_t i = 0; i < COUNT; ++i) {
            const coif_vec2 uv = position_of(&mesh, &roots, i).uv;
            u[i] = uv.x;
            v[i] = uv.y;
        }
        ours += discrepancy(u, v, COUNT);
        for (int32_t i = 0; i < COUNT; ++i) {
            u[i] = coif_random_unit(seed, (uint64_t)i, 0);
            v[i] = coif_random_unit(seed, (uint64_t)i, 1);
        }
        random += discrepancy(u, v, COUNT);
    }
    CHECK(ours < 0.6 * random);
}

// A triangle of three times the area gets three times the roots.
TEST(roots_follow_area)
{
    coif_mesh mesh = shape_plane(1.0f, 1, &arena);
    mesh.positions[3] = coif_vec3_of(1.5f, 0.0f, -0.5f); // of the second corner of both triangles
    const coif_root_set roots =
        scatter(&(coif_roots_desc){.mesh = &mesh, .candidates = 8000}, NULL);
    double area[2];
    for (int t = 0; t < 2; ++t) {
        const int32_t *c = mesh.indices + 3 * t;
        area[t] = coif_length(coif_cross(coif_sub(mesh.positions[c[1]], mesh.positions[c[0]]),
                                         coif_sub(mesh.positions[c[2]], mesh.positions[c[0]])));
    }
    int32_t first = 0;
    for (int32_t i = 0; i < roots.count; ++i) {
        first += roots.triangles[i] == 0;
    }
    CHECK_NEAR((double)first / roots.count, area[0] / (area[0] + area[1]), 0.002);
}

TEST(density_zero_gives_no_root_at_all)
{
    const coif_mesh mesh = shape_plane(1.0f, 4, &arena);
    const coif_root_set roots =
        scatter(&(coif_roots_desc){.mesh = &mesh, .candidates = 50000, .density = none}, NULL);
    CHECK(roots.count == 0);
}

// Density u: one half grows, and of ten stripes the k-th holds 2k + 1 hundredths.
TEST(a_gradient_thins_in_proportion)
{
    const coif_mesh mesh = shape_plane(1.0f, 7, &arena);
    const coif_root_set roots =
        scatter(&(coif_roots_desc){.mesh = &mesh, .candidates = 40000, .density = half_by_u}, NULL);
    CHECK_NEAR(roots.count, 20000.0, 150.0);
    double stripes[10] = {0};
    for (int32_t i = 0; i < roots.count; ++i) {
        const float u = position_of(&mesh, &roots, i).uv.x;
        stripes[u < 1.0f ? (int)(u * 10.0f) : 9] += 1.0;
    }
    for (int k = 0; k < 10; ++k) {
        CHECK_NEAR(stripes[k] / 40000.0, (2 * k + 1) / 200.0, 0.002);
    }
}

// Painting one half away leaves every root of the other half exactly where it was.
TEST(painting_only_removes)
{
    const coif_mesh mesh = shape_plane(1.0f, 6, &arena);
    const coif_root_set all =
        scatter(&(coif_roots_desc){.mesh = &mesh, .candidates = 5000, .seed = 3}, NULL);
    const coif_root_set some = scatter(
        &(coif_roots_desc){.mesh = &mesh, .candidates = 5000, .seed = 3, .density = right_half},
        NULL);
    CHECK(some.count > 2000 && some.count < 3000);
    int32_t strange = 0;
    for (int32_t i = 0; i < some.count; ++i) {
        const int32_t c = some.candidates[i];
        strange += i > 0 && some.candidates[i - 1] >= c;
        strange += all.candidates[c] != c || all.triangles[c] != some.triangles[i] ||
                   memcmp(all.barycentrics + 2 * c, some.barycentrics + 2 * i, 8) != 0;
        strange += position_of(&mesh, &some, i).uv.x <= 0.5f;
    }
    CHECK(strange == 0);
}

TEST(fewer_candidates_are_a_prefix)
{
    const coif_mesh mesh = shape_plane(1.0f, 6, &arena);
    const coif_root_set many =
        scatter(&(coif_roots_desc){.mesh = &mesh, .candidates = 5000, .density = half_by_u}, NULL);
    const coif_root_set few =
        scatter(&(coif_roots_desc){.mesh = &mesh, .candidates = 700, .density = half_by_u}, NULL);
    CHECK(few.count > 300 && few.count < many.count);
    CHECK(memcmp(few.triangles, many.triangles, 4 * (size_t)few.count) == 0);
    CHECK(memcmp(few.barycentrics, many.barycentrics, 8 * (size_t)few.count) == 0);
}

TEST(seeds_differ_and_repeat)
{
    const coif_mesh mesh = shape_plane(1.0f, 6, &arena);
    const coif_root_set a =
        scatter(&(coif_roots_desc){.mesh = &mesh, .candidates = 500, .seed = 1}, NULL);
    const coif_root_set b =
        scatter(&(coif_roots_desc){.mesh = &mesh, .candidates = 500, .seed = 1}, NULL);
    const coif_root_set c =
        scatter(&(coif_roots_desc){.mesh = &mesh, .candidates = 500, .seed = 2}, NULL);
    CHECK(memcmp(a.barycentrics, b.barycentrics, 8 * 500) == 0);
    CHECK(memcmp(a.barycentrics, c.barycentrics, 8 * 500) != 0);
}

TEST(a_group_keeps_roots_to_itself)
{
    const coif_mesh mesh = shape_plane(1.0f, 6, &arena);
    const coif_root_set roots =
        scatter(&(coif_roots_desc){.mesh = &mesh, .group = "right", .candidates = 1000}, NULL);
    CHECK(roots.count == 1000);
    int32_t outside = 0;
    for (int32_t i = 0; i < roots.count; ++i) {
        outside += mesh.groups[roots.triangles[i]] != 1;
    }
    CHECK(outside == 0);
}

TEST(ungenerable_grooms_are_errors)
{
    const coif_mesh mesh = shape_plane(1.0f, 2, &arena);
    const coif_mesh flat = shape_plane(0.0f, 2, &arena);
    coif_root_set roots;
    coif_error error = {0};
    CHECK(coif_roots_scatter(&roots,
                             &(coif_roots_desc){.mesh = &mesh, .group = "beard", .candidates = 9},
                             &arena, NULL, &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "beard");
    error = (coif_error){0};
    CHECK(coif_roots_scatter(&roots, &(coif_roots_desc){.mesh = &flat, .candidates = 9}, &arena,
                             NULL, &error) == COIF_ERR_SCENE);
    error = (coif_error){0};
    CHECK(coif_roots_scatter(&roots, &(coif_roots_desc){.mesh = &mesh, .candidates = -1}, &arena,
                             NULL, &error) == COIF_ERR_ARGUMENT);
    error = (coif_error){0};
    CHECK(coif_roots_scatter(&roots,
                             &(coif_roots_desc){.mesh = &mesh, .candidates = 9, .density = broken},
                             &arena, NULL, &error) == COIF_ERR_PLUGIN);
    CHECK_TEXT(error.text, "the map is torn");
}

TEST(threads_do_not_show)
{
    const coif_mesh mesh = shape_plane(1.0f, 50, &arena);
    for (int kind = COIF_SEQUENCE_HALTON; kind <= COIF_SEQUENCE_BLUE_NOISE; ++kind) {
        const coif_roots_desc desc = {.mesh = &mesh,
                                      .candidates = 30000,
                                      .sequence = (coif_sequence_kind)kind,
                                      .seed = 9,
                                      .density = half_by_u};
        const coif_root_set one = scatter(&desc, NULL);
        for (int threads = 2; threads <= 8; threads += 3) {
            coif_jobs *jobs;
            coif_error error = {0};
            CHECK_OK(coif_jobs_open(&jobs, threads, &arena, &error), error);
            const coif_root_set other = scatter(&desc, jobs);
            coif_jobs_close(jobs);
            CHECK(other.count == one.count);
            CHECK(memcmp(other.barycentrics, one.barycentrics, 8 * (size_t)one.count) == 0);
            CHECK(memcmp(other.candidates, one.candidates, 4 * (size_t)one.count) == 0);
        }
    }
}

TEST(a_full_head_has_all_its_roots)
{
    const coif_mesh mesh = shape_plane(1.0f, 224, &arena); // 100,352 triangles
    const coif_root_set roots =
        scatter(&(coif_roots_desc){.mesh = &mesh, .candidates = 150000}, NULL);
    CHECK(roots.count == 150000);
}
