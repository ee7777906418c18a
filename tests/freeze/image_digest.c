// image_digest: one line per channel of an image file, a digest of its pixels.
//
// Names, parts and metadata do not count, so that a channel may be renamed; lines are sorted by the
// caller, so that it may be stored in another order.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/image/image.h"

#include <stdio.h>
#include <string.h>

// FNV-1a over the bits of every float.
static uint64_t channel_digest(const coif_image *image, int32_t channel)
{
    uint64_t digest = 14695981039346656037u;
    const int64_t count = (int64_t)image->width * image->height;
    for (int64_t i = 0; i < count; ++i) {
        uint32_t bits;
        memcpy(&bits, &image->pixels[i * image->channel_count + channel], sizeof bits);
        for (int32_t byte = 0; byte < 4; ++byte) {
            digest = (digest ^ (bits >> (8 * byte) & 255u)) * 1099511628211u;
        }
    }
    return digest;
}

static int digest_file(const char *path, coif_arena *arena)
{
    coif_error error = {0};
    for (int32_t part = 0;; ++part) {
        coif_image image;
        const coif_status status = coif_image_load_part(&image, path, part, arena, &error);
        if (status == COIF_ERR_ARGUMENT && part > 0) {
            return 0;
        }
        if (status != COIF_OK) {
            fprintf(stderr, "image_digest: %s\n", error.text);
            return 1;
        }
        for (int32_t channel = 0; channel < image.channel_count; ++channel) {
            printf("%016llx %dx%d\n", (unsigned long long)channel_digest(&image, channel),
                   image.width, image.height);
        }
    }
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; ++i) {
        COIF_SCOPED_ARENA(arena, "image digest");
        failed |= digest_file(argv[i], &arena);
    }
    return failed;
}
