// Tiles of an image: every pixel is in one of them, and borders lie on sampling blocks.
#include "render/film/render_tile.h"

#include "tests/support/test.h"

TEST(every_pixel_is_in_one_tile)
{
    static const int32_t sizes[][2] = {{8, 8}, {59, 37}, {640, 360}, {2048, 858}, {8192, 4320}};
    for (size_t s = 0; s < COIF_COUNT_OF(sizes); ++s) {
        const int32_t width = sizes[s][0], height = sizes[s][1];
        for (int32_t count = 1; count * COIF_BLOCK_SIZE <= height && count < 40; ++count) {
            coif_render_tile tile = {.columns = count, .rows = count};
            int64_t pixels = 0;
            for (tile.index = 1; tile.index <= count * count; ++tile.index) {
                const coif_rect rect = coif_render_tile_pixels(tile, width, height);
                CHECK(rect.x1 > rect.x0 && rect.y1 > rect.y0);
                CHECK(rect.x0 % COIF_BLOCK_SIZE == 0 && rect.y0 % COIF_BLOCK_SIZE == 0);
                CHECK(rect.x1 % COIF_BLOCK_SIZE == 0 || rect.x1 == width);
                CHECK(rect.y1 % COIF_BLOCK_SIZE == 0 || rect.y1 == height);
                if (tile.index > 1 && (tile.index - 1) % count > 0) {
                    const coif_render_tile left = {tile.index - 1, count, count};
                    CHECK(coif_render_tile_pixels(left, width, height).x1 == rect.x0);
                }
                pixels += (int64_t)(rect.x1 - rect.x0) * (rect.y1 - rect.y0);
            }
            CHECK(pixels == (int64_t)width * height);
        }
    }
}
