// Sampler: stratification, independence and determinism.
#include "render/math/sampler.h"

#include "tests/support/test.h"

// The first 2^k samples of a pixel have one point in every elementary interval of area 2^-k: a
// (0, 2)-sequence in base 2.
TEST(every_pair_is_a_0_2_sequence)
{
    enum { BITS = 6, COUNT = 1 << BITS };
    for (int pixel = 0; pixel < 20; ++pixel) {
        for (int dimension = 0; dimension < 12; ++dimension) {
            coif_vec2 points[COUNT];
            for (uint32_t i = 0; i < COUNT; ++i) {
                coif_sampler sampler = coif_sampler_at(3, pixel, 7, i);
                for (int d = 0; d <= dimension; ++d) {
                    points[i] = coif_sampler_next_2d(&sampler);
                }
            }
            for (int across = 0; across <= BITS; ++across) {
                int boxes[COUNT] = {0};
                const float columns = (float)(1 << across), rows = (float)(COUNT >> across);
                for (int i = 0; i < COUNT; ++i) {
                    ++boxes[(int)(points[i].x * columns) +
                            (int)(points[i].y * rows) * (1 << across)];
                }
                for (int i = 0; i < COUNT; ++i) {
                    CHECK(boxes[i] == 1);
                }
            }
        }
    }
}

// Dimensions and pixels are uncorrelated.
TEST(dimensions_and_pixels_are_independent)
{
    enum { PIXELS = 20000 };
    double between_pairs = 0.0, between_pixels = 0.0, mean = 0.0;
    float before = 0.5f;
    for (int32_t pixel = 0; pixel < PIXELS; ++pixel) {
        coif_sampler sampler = coif_sampler_at(0, pixel % 200, pixel / 200, 1);
        const coif_vec2 a = coif_sampler_next_2d(&sampler), b = coif_sampler_next_2d(&sampler);
        between_pairs += (a.x - 0.5) * (b.x - 0.5) + (a.y - 0.5) * (b.y - 0.5);
        between_pixels += (a.x - 0.5) * (before - 0.5);
        mean += a.x + a.y + b.x + b.y;
        before = a.x;
    }
    // The standard deviation of the sum is about 1 / (12 sqrt(n)).
    const double deviation = 1.0 / (12.0 * sqrt((double)PIXELS));
    CHECK_NEAR(between_pairs / PIXELS, 0.0, 6.0 * deviation);
    CHECK_NEAR(between_pixels / PIXELS, 0.0, 5.0 * deviation);
    CHECK_NEAR(mean / (4.0 * PIXELS), 0.5, 0.006);
}

TEST(samples_are_below_one_and_depend_on_the_seed)
{
    int same = 0;
    for (uint32_t i = 0; i < 4096; ++i) {
        coif_sampler a = coif_sampler_at(1, 5, 5, i), b = coif_sampler_at(2, 5, 5, i);
        const coif_vec2 x = coif_sampler_next_2d(&a), y = coif_sampler_next_2d(&b);
        CHECK(x.x >= 0.0f && x.x < 1.0f && x.y >= 0.0f && x.y < 1.0f);
        same += x.x == y.x;
    }
    CHECK(same < 16);
}

// Owen scrambling: a bit is flipped depending on the bits above it only.
static bool is_owen_scramble(const uint32_t *from, const uint32_t *to, int count)
{
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < i; ++k) {
            const uint32_t before = from[i] ^ from[k], after = to[i] ^ to[k];
            if (before == 0 ? after != 0 : __builtin_clz(before) != __builtin_clz(after | 1u)) {
                return false;
            }
        }
    }
    return true;
}

// Four dimensions are drawn at a time; each is a scrambled Sobol sequence.
TEST(every_simd_lane_is_scrambled)
{
    enum { COUNT = 64 };
    for (uint32_t lane = 0; lane < COIF_SAMPLER_LANES; ++lane) {
        coif_lanes_uint key = {11, 12, 13, 14};
        uint32_t from[COUNT], to[COUNT];
        for (uint32_t i = 0; i < COUNT; ++i) {
            from[i] = coif_reverse_bits(i);
            coif_lanes_uint word = {0, 0, 0, 0};
            word[lane] = i;
            to[i] = coif_lanes_reverse(coif_lanes_owen_hash(word, key))[lane];
            CHECK(coif_lanes_reverse(word)[lane] == coif_reverse_bits(i));
            CHECK(coif_lanes_hash(word)[lane] == coif_hash_word(i));
        }
        CHECK(is_owen_scramble(from, to, COUNT));
    }
}
