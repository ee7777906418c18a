// Statistics of each root distribution: spacing, spectrum, density.
#include "core/base/arena.h"
#include "core/base/rng.h"
#include "sim/groom/root_blue_noise.h"
#include "sim/groom/root_scatter.h"
#include "tests/support/mesh_shapes.h"
#include "tests/support/test.h"

enum { GRID = 160 };

static coif_arena arena = {.name = "test"};

static coif_root_set scatter(const coif_roots_desc *desc)
{
    coif_root_set roots = {0};
    coif_error error = {0};
    CHECK_OK(coif_roots_scatter(&roots, desc, &arena, NULL, &error), error);
    return roots;
}

// Positions in uv, which is the plane of one square metre itself.
static coif_vec2 *positions_of(const coif_mesh *mesh, const coif_root_set *roots)
{
    coif_vec2 *positions = coif_arena_new(&arena, roots->count, coif_vec2);
    for (int32_t i = 0; i < roots->count; ++i) {
        const float *b = roots->barycentrics + 2 * (int64_t)i;
        positions[i] = coif_mesh_at(mesh, roots->triangles[i], b[0], b[1]).uv;
    }
    return positions;
}

typedef struct nearness {
    double mean, least; // distance to the nearest neighbour
} nearness;

static int cell_at(float x)
{
    const int cell = (int)(x * GRID);
    return cell < 0 ? 0 : cell >= GRID ? GRID - 1 : cell;
}

// Neighbours are looked for within two cells: far enough for thousands of points.
static nearness nearness_of(const coif_vec2 *positions, int32_t count)
{
    static int32_t first[GRID][GRID];
    memset(first, 0xff, sizeof first);
    int32_t *next = coif_arena_new(&arena, count, int32_t);
    for (int32_t i = 0; i < count; ++i) {
        int32_t *cell = &first[cell_at(positions[i].y)][cell_at(positions[i].x)];
        next[i] = *cell;
        *cell = i;
    }
    nearness all = {0.0, 1.0};
    for (int32_t i = 0; i < count; ++i) {
        double nearest = 2.0 / GRID;
        const int cx = cell_at(positions[i].x), cy = cell_at(positions[i].y);
        for (int y = cy < 2 ? 0 : cy - 2; y <= cy + 2 && y < GRID; ++y) {
            for (int x = cx < 2 ? 0 : cx - 2; x <= cx + 2 && x < GRID; ++x) {
                for (int32_t j = first[y][x]; j >= 0; j = next[j]) {
                    const double dx = (double)positions[i].x - positions[j].x;
                    const double dy = (double)positions[i].y - positions[j].y;
                    nearest = i != j ? fmin(nearest, sqrt(dx * dx + dy * dy)) : nearest;
                }
            }
        }
        all.mean += nearest / count;
        all.least = fmin(all.least, nearest);
    }
    return all;
}

// Mean distance to the nearest neighbour against that of random points, 1 / (2 sqrt(density)).
static double evenness(coif_sequence_kind kind, int side, int32_t count)
{
    const coif_mesh mesh = shape_plane(1.0f, side, &arena);
    const coif_root_set roots = scatter(
        &(coif_roots_desc){.mesh = &mesh, .candidates = count, .sequence = kind, .seed = 3});
    return nearness_of(positions_of(&mesh, &roots), count).mean * 2.0 * sqrt((double)count);
}

// Also where triangles are much smaller than the distance between roots, as on a real scalp: there
// only the order of the triangles can spread them.
TEST(roots_keep_apart_on_coarse_and_on_fine_meshes)
{
    static const double least[] = {1.12, 1.15, 1.55};
    for (int kind = COIF_SEQUENCE_HALTON; kind <= COIF_SEQUENCE_BLUE_NOISE; ++kind) {
        CHECK(evenness((coif_sequence_kind)kind, 4, 8000) > least[kind]);
        CHECK(evenness((coif_sequence_kind)kind, 200, 8000) > least[kind]);
    }
}

TEST(blue_noise_keeps_its_distance)
{
    enum { COUNT = 10000 };
    const coif_mesh mesh = shape_plane(1.0f, 30, &arena);
    const coif_root_set roots = scatter(&(coif_roots_desc){
        .mesh = &mesh, .candidates = COUNT, .sequence = COIF_SEQUENCE_BLUE_NOISE});
    const coif_vec2 *positions = positions_of(&mesh, &roots);
    // All of them, half, a quarter: about as even as the whole. Between two halvings less.
    static const int32_t counts[] = {COUNT, COUNT / 2, COUNT / 4, COUNT / 10};
    static const double least[] = {0.6, 0.6, 0.5, 0.3};
    for (int i = 0; i < 4; ++i) {
        const double densest = 2.0 * coif_blue_noise_radius(1.0, counts[i]);
        CHECK(nearness_of(positions, counts[i]).least > least[i] * densest);
    }
}

// How bright a wave of so many periods along and across shines out of the points; 1 for random.
static double power_at(const coif_vec2 *positions, int32_t count, int along, int across)
{
    double a = 0.0, b = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        const double turn = 6.283185307179586 * (along * positions[i].x + across * positions[i].y);
        a += cos(turn);
        b += sin(turn);
    }
    return (a * a + b * b) / count;
}

// Waves that are longer than points are apart are hardly there, and of those that are as long no
// direction is preferred: powers are spread around their mean as chance spreads them (variance over
// squared mean 1), where a lattice has few that are high. On triangles with a thousand roots each
// and on some with less than one.
TEST(blue_noise_has_no_long_waves_and_no_lattice)
{
    enum { COUNT = 2000, RINGS = 4 };
    for (int side = 1; side <= 64; side *= 8) {
        const coif_mesh mesh = shape_plane(1.0f, side, &arena);
        const coif_root_set roots = scatter(&(coif_roots_desc){
            .mesh = &mesh, .candidates = COUNT, .sequence = COIF_SEQUENCE_BLUE_NOISE, .seed = 5});
        const coif_vec2 *positions = positions_of(&mesh, &roots);
        double sum[RINGS] = {0}, squares[RINGS] = {0}, waves[RINGS] = {0};
        for (int along = -64; along <= 64; along += 2) {
            for (int across = 1; across <= 64; across += 2) {
                const double length = sqrt((double)(along * along + across * across));
                const int ring = (int)(RINGS / 1.4 * length / sqrt((double)COUNT));
                if (ring < RINGS) {
                    const double power = power_at(positions, COUNT, along, across);
                    sum[ring] += power;
                    squares[ring] += power * power;
                    waves[ring] += 1.0;
                }
            }
        }
        CHECK(sum[0] / waves[0] < 0.25);
        CHECK(sum[RINGS - 1] / waves[RINGS - 1] > 1.0);
        for (int ring = 0; ring < RINGS; ++ring) {
            const double mean = sum[ring] / waves[ring];
            CHECK(squares[ring] / waves[ring] / (mean * mean) - 1.0 < 1.8);
        }
    }
}

static coif_status stripes(void *context, int32_t count, const coif_surface_point *points,
                           float *value, coif_error *error)
{
    (void)context, (void)error;
    for (int32_t i = 0; i < count; ++i) {
        value[i] = 0.1f * floorf(10.0f * points[i].uv.x);
    }
    return COIF_OK;
}

// Counts in ten stripes of density 0, 0.1 .. 0.9, ten squares each. Chi-square of a random set with
// the right density has 90 degrees of freedom and is below 124 in 99 % of cases; ours must not be
// above, and the empty stripe must be empty.
TEST(counts_follow_the_density)
{
    const coif_mesh mesh = shape_plane(1.0f, 100, &arena);
    for (int kind = COIF_SEQUENCE_HALTON; kind <= COIF_SEQUENCE_BLUE_NOISE; ++kind) {
        const coif_root_set roots = scatter(&(coif_roots_desc){.mesh = &mesh,
                                                               .candidates = 20000,
                                                               .sequence = (coif_sequence_kind)kind,
                                                               .seed = 7,
                                                               .density = stripes});
        const coif_vec2 *positions = positions_of(&mesh, &roots);
        int32_t counts[10][10] = {{0}};
        for (int32_t i = 0; i < roots.count; ++i) {
            ++counts[(int)(9.9999f * positions[i].x)][(int)(9.9999f * positions[i].y)];
        }
        double chi2 = 0.0;
        for (int x = 0; x < 10; ++x) {
            for (int y = 0; y < 10; ++y) {
                const double wanted = 20000.0 * 0.01 * 0.1 * x;
                const double off = counts[x][y] - wanted;
                chi2 += x > 0 ? off * off / wanted : 0.0;
                CHECK(x > 0 || counts[x][y] == 0);
            }
        }
        CHECK(chi2 < 124.0);
    }
}

TEST(a_shorter_sequence_is_a_prefix)
{
    const coif_mesh mesh = shape_plane(1.0f, 20, &arena);
    for (int kind = COIF_SEQUENCE_HALTON; kind <= COIF_SEQUENCE_SOBOL; ++kind) {
        coif_roots_desc desc = {
            .mesh = &mesh, .candidates = 500, .sequence = (coif_sequence_kind)kind, .seed = 2};
        const coif_root_set few = scatter(&desc);
        desc.candidates = 2000;
        const coif_root_set many = scatter(&desc);
        CHECK(memcmp(few.barycentrics, many.barycentrics, 8 * 500) == 0);
    }
}

// The first 2^n numbers of each dimension of a scrambled Sobol sequence fall one into each 2^-n,
// and pairs of dimensions fill every elementary box.
TEST(sobol_fills_every_box)
{
    coif_low_discrepancy sequence;
    coif_low_discrepancy_init(&sequence, COIF_SEQUENCE_SOBOL, 11);
    for (int d = 0; d < COIF_SEQUENCE_DIMENSIONS; ++d) {
        int seen[256] = {0};
        for (int i = 0; i < 256; ++i) {
            ++seen[(int)(256.0 * coif_low_discrepancy_at(&sequence, i, d))];
        }
        for (int i = 0; i < 256; ++i) {
            CHECK(seen[i] == 1);
        }
    }
    for (int split = 0; split <= 8; ++split) {
        int seen[256] = {0};
        for (int i = 0; i < 256; ++i) {
            const int x = (int)((1 << split) * coif_low_discrepancy_at(&sequence, i, 0));
            const int y = (int)((256 >> split) * coif_low_discrepancy_at(&sequence, i, 1));
            ++seen[x * (256 >> split) + y];
        }
        for (int i = 0; i < 256; ++i) {
            CHECK(seen[i] == 1);
        }
    }
}

TEST(roots_may_be_counted_per_area)
{
    const coif_mesh mesh = shape_plane(0.1f, 20, &arena); // 100 square centimetres
    const coif_root_set roots = scatter(&(coif_roots_desc){.mesh = &mesh, .per_area = 1e4 * 150.0});
    CHECK_NEAR(roots.count, 15000.0, 1.0);
    coif_root_set none;
    coif_error error = {0};
    CHECK(coif_roots_scatter(&none, &(coif_roots_desc){.mesh = &mesh, .per_area = 1e12}, &arena,
                             NULL, &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "more than 10000000");
}
