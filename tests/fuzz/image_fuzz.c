// Fuzz target: image files through the wrapper of OpenImageIO. The first byte selects the
// extension; an image is an error or has the values that its header declares.
#include "core/base/error.h"
#include "core/image/image.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/input_file.h"

static const char *const ENDINGS[] = {".png", ".jpg", ".exr", ".tif", ".bmp", ".hdr"};
enum { FORMATS = COIF_COUNT_OF(ENDINGS), PIXELS_MAX = 1 << 20 };

// OpenImageIO loses a text of some bytes per malformed PNG: libpng jumps over its destructor.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    COIF_SCOPED_ARENA(arena, "fuzz");
    const char *path = input_file(data + 1, size - 1, ENDINGS[data[0] % FORMATS]);
    coif_image image;
    coif_error error = {0};
    // Decoding many pixels is slow, not wrong.
    if (coif_image_read_header(&image, path, 0, &arena, &error) != COIF_OK ||
        (int64_t)image.width * image.height * image.channel_count > PIXELS_MAX) {
        if (error.status != COIF_OK && error.text[0] == '\0') {
            abort();
        }
        return 0;
    }
    if (coif_image_load_full(&image, path, &arena, &error) == COIF_OK) {
        float sum = 0.0f;
        for (int32_t i = 0; i < image.width * image.height * image.channel_count; ++i) {
            sum += image.pixels[i];
        }
        coif_image_linearise(&image);
        sum += coif_image_sample(&image, 0, 0.3f, 0.7f);
        static volatile float used;
        used = sum;
        (void)used;
    } else if (error.text[0] == '\0') {
        abort();
    }
    return 0;
}

// A picture of each format with 1, 3 and 4 channels.
size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    static const int CHANNELS[] = {1, 3, 4};
    enum { SIDE = 9 };
    static float pixels[SIDE * SIDE * 4];
    if (index >= FORMATS * (int)COIF_COUNT_OF(CHANNELS)) {
        return 0;
    }
    for (int i = 0; i < SIDE * SIDE * 4; ++i) {
        pixels[i] = (float)(i * 37 % 101) / 100.0f;
    }
    COIF_SCOPED_ARENA(arena, "seed");
    const char *name = coif_arena_print(&arena, "seed%s", ENDINGS[index % FORMATS]);
    const int channels = CHANNELS[index / FORMATS];
    const coif_image_desc desc = {
        .width = SIDE, .height = SIDE, .channel_count = channels, .pixels = pixels};
    char *bytes;
    size_t size = 0;
    coif_error error = {0};
    if (coif_image_encode(&bytes, &size, name, &desc, &arena, &error) != COIF_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 0;
    }
    if (size >= capacity) {
        return 0;
    }
    data[0] = (uint8_t)(index % FORMATS);
    memcpy(data + 1, bytes, size);
    return size + 1;
}
