// Small images for tests.
#ifndef COIF_TESTS_SUPPORT_TEST_IMAGES_H
#define COIF_TESTS_SUPPORT_TEST_IMAGES_H

#include "core/base/fs.h"
#include "core/image/image.h"
#include "tests/support/test.h"

enum { WIDTH = 13, HEIGHT = 7 };

static const char *const KNOWN[] = {"a.exr",  "a.png", "a.jpg", "a.jpeg", "a.tif",
                                    "a.tiff", "a.bmp", "a.hdr", "A.PNG"};

// Smooth, so that JPEG keeps it; the corner is black and the far corner white.
static inline void fill(float *pixels, int32_t channels)
{
    for (int32_t y = 0; y < HEIGHT; ++y) {
        for (int32_t x = 0; x < WIDTH; ++x) {
            const float value = 0.5f * ((float)x / (WIDTH - 1) + (float)y / (HEIGHT - 1));
            for (int32_t c = 0; c < channels; ++c) {
                pixels[(y * WIDTH + x) * channels + c] = value;
            }
        }
    }
}

static inline coif_image_desc plain(const float *pixels, int32_t channels)
{
    return (coif_image_desc){
        .width = WIDTH, .height = HEIGHT, .channel_count = channels, .pixels = pixels};
}

#endif
