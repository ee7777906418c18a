// Image lookup, tiles and the sRGB curve.
#include "core/image/image.h"
#include "core/image/srgb.h"
#include "tests/support/test.h"

#include <math.h>

TEST(samples_are_bilinear_clamped_and_v_points_up)
{
    float pixels[] = {0.0f, 1.0f, 2.0f, 3.0f}; // top row 0 1, bottom row 2 3
    const coif_image image = {.width = 2, .height = 2, .channel_count = 1, .pixels = pixels};
    CHECK_NEAR(coif_image_sample(&image, 0, 0.25f, 0.75f), 0.0, 0.0);
    CHECK_NEAR(coif_image_sample(&image, 0, 0.75f, 0.25f), 3.0, 0.0);
    CHECK_NEAR(coif_image_sample(&image, 0, 0.5f, 0.5f), 1.5, 1e-6);
    CHECK_NEAR(coif_image_sample(&image, 0, -9.0f, 9.0f), 0.0, 0.0);
    CHECK_NEAR(coif_image_sample(&image, 0, 1e30f, -1e30f), 3.0, 0.0);
    CHECK_NEAR(coif_image_sample(&image, 0, INFINITY, -INFINITY), 3.0, 0.0);
    CHECK_NEAR(coif_image_sample(&image, 0, NAN, NAN), 2.0, 0.0);
    CHECK_NEAR(coif_image_sample(&image, 1, 0.5f, 0.5f), 0.0, 0.0);
    CHECK_NEAR(coif_image_sample(&image, -1, 0.5f, 0.5f), 0.0, 0.0);
    const coif_image dot = {.width = 1, .height = 1, .channel_count = 1, .pixels = pixels + 3};
    CHECK_NEAR(coif_image_sample(&dot, 0, 0.3f, 0.9f), 3.0, 0.0);
}

TEST(nearest_lookup_does_not_interpolate)
{
    float pixels[] = {0.0f, 1.0f, 2.0f, 3.0f}; // top row 0 1, bottom row 2 3
    const coif_image image = {.width = 2, .height = 2, .channel_count = 1, .pixels = pixels};
    CHECK_NEAR(coif_image_texel(&image, 0, 0.49f, 0.51f), 0.0, 0.0);
    CHECK_NEAR(coif_image_texel(&image, 0, 0.51f, 0.51f), 1.0, 0.0);
    CHECK_NEAR(coif_image_texel(&image, 0, 0.49f, 0.49f), 2.0, 0.0);
    CHECK_NEAR(coif_image_texel(&image, 0, 1.0f, 0.0f), 3.0, 0.0);
    CHECK_NEAR(coif_image_texel(&image, 0, INFINITY, -INFINITY), 3.0, 0.0);
    CHECK_NEAR(coif_image_texel(&image, 0, NAN, NAN), 2.0, 0.0);
    CHECK_NEAR(coif_image_texel(&image, 1, 0.5f, 0.5f), 0.0, 0.0);
}

// Tiles, some of a single value, give the same lookup as a plain image.
TEST(a_tiled_image_equals_a_plain_one)
{
    enum { ACROSS = 130, DOWN = 70, COLUMNS = 3, TILES = 6 };
    COIF_SCOPED_ARENA(arena, "test");
    float *pixels = coif_arena_new(&arena, 2 * ACROSS * DOWN, float);
    coif_image_tile tiles[TILES] = {{0}};
    for (int i = 1; i < TILES; ++i) { // the first is even
        tiles[i].texels = coif_arena_new(&arena, 2 * COIF_IMAGE_TILE * COIF_IMAGE_TILE, float);
    }
    tiles[0].value = 0.3f;
    for (int i = 0; i < ACROSS * DOWN; ++i) {
        const int x = i % ACROSS, y = i / ACROSS;
        const int at = y % COIF_IMAGE_TILE * COIF_IMAGE_TILE + x % COIF_IMAGE_TILE;
        coif_image_tile *tile = &tiles[y / COIF_IMAGE_TILE * COLUMNS + x / COIF_IMAGE_TILE];
        for (int c = 0; c < 2; ++c) {
            const float value = tile->texels == NULL ? 0.3f : (float)((7 * i + c) % 11) / 11.0f;
            pixels[2 * i + c] = value;
            if (tile->texels != NULL) {
                tile->texels[2 * at + c] = value;
            }
        }
    }
    const coif_image rows = {.width = ACROSS, .height = DOWN, .channel_count = 2, .pixels = pixels};
    const coif_image squares = {
        .width = ACROSS, .height = DOWN, .channel_count = 2, .tiles = tiles};
    int wrong = 0;
    for (int i = 0; i < 5000; ++i) {
        const float u = -0.1f + 1.2f * (float)(i % 71) / 70.0f;
        const float v = -0.1f + 1.2f * (float)(i % 67) / 66.0f;
        wrong += coif_image_sample(&rows, i % 2, u, v) != coif_image_sample(&squares, i % 2, u, v);
        wrong += coif_image_texel(&rows, i % 2, u, v) != coif_image_texel(&squares, i % 2, u, v);
    }
    CHECK(wrong == 0);
    CHECK_NEAR(coif_image_sample(&squares, 2, 0.5f, 0.5f), 0.0, 0.0);
}

TEST(the_srgb_curve_is_the_standard_one)
{
    CHECK_NEAR(coif_srgb_encode(0.0f), 0.0, 0.0);
    CHECK_NEAR(coif_srgb_encode(1.0f), 1.0, 1e-6);
    CHECK_NEAR(coif_srgb_encode(0.18f), 0.461356, 1e-5);
    CHECK_NEAR(coif_srgb_encode(0.0031308f), 0.04045, 1e-5);
    for (int i = 0; i <= 255; ++i) {
        const float encoded = (float)i / 255.0f;
        CHECK_NEAR(coif_srgb_encode(coif_srgb_decode(encoded)), encoded, 2e-6);
    }
    float pixels[] = {0.461356f, 0.461356f, 0.461356f, 0.461356f};
    coif_image image = {
        .width = 1, .height = 1, .channel_count = 4, .pixels = pixels, .integer_bits = 8};
    coif_image_linearise(&image);
    CHECK_NEAR(pixels[0], 0.18, 1e-5);
    CHECK_NEAR(pixels[3], 0.461356f, 0.0);
    // Twice is once: what is linear is left alone.
    coif_image_linearise(&image);
    CHECK_NEAR(pixels[0], 0.18, 1e-5);
}
