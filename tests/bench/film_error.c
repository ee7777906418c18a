// film_error: errors of a film against two converged films of the same frames with other seeds.
//
//   film_error FIRST LAST REFERENCE_A REFERENCE_B FILM...
//
// Films are patterns as out/render####.exr. The noise of both references is independent, so that
// products of their errors have none of it on average. With I a film, A and B the references, R
// their mean and d the difference of two successive frames or of two adjacent pixels:
//
//   relMSE    = mean((I - A) (I - B) / (R^2 + 0.01))
//   frames    = sqrt(sum dI^2 / sum dA dB) over time: 1 is a film without flicker
//   flicker   = sqrt(sum (dI - dA) (dI - dB) / sum dA dB) over time: error of the difference itself
//   contrast  = sqrt(sum dI^2 / sum dA dB) over adjacent pixels: above 1 is grain, below 1 blur
//
// All sums have the weight 1 / (R^2 + 0.01) and go over the pixels of the references, which may be
// cropped.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/frame_list.h"
#include "core/image/image.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct sums {
    double error, pixels;
    double frames, frames_reference, flicker;
    double contrast, contrast_reference;
} sums;

static coif_image load(const char *pattern, int frame, coif_arena *arena)
{
    coif_image image;
    coif_error error = {0};
    const char *path = coif_path_frame_time(pattern, frame, arena);
    if (coif_image_load(&image, path, arena, &error) != COIF_OK) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    return image;
}

// A channel at a pixel of the full image.
static double value(const coif_image *image, int32_t x, int32_t y, int c)
{
    const size_t pixel = (size_t)(y - image->y) * (size_t)image->width + (size_t)(x - image->x);
    return (double)image->pixels[pixel * (size_t)image->channel_count + (size_t)c];
}

typedef struct frame {
    coif_image a, b, film;
} frame;

static double weight_at(const frame *at, int32_t x, int32_t y, int c)
{
    const double r = 0.5 * (value(&at->a, x, y, c) + value(&at->b, x, y, c));
    return 1.0 / (r * r + 0.01);
}

static void add_steps(sums *to, const frame *at, int32_t x, int32_t y, int32_t dx, int32_t dy,
                      int c)
{
    const double w = weight_at(at, x, y, c);
    const double i = value(&at->film, x + dx, y + dy, c) - value(&at->film, x, y, c);
    const double a = value(&at->a, x + dx, y + dy, c) - value(&at->a, x, y, c);
    const double b = value(&at->b, x + dx, y + dy, c) - value(&at->b, x, y, c);
    to->contrast += w * i * i;
    to->contrast_reference += w * a * b;
}

static void add_frame(sums *to, const frame *now, const frame *before)
{
    const coif_image *a = &now->a;
    for (int32_t y = a->y; y + 1 < a->y + a->height; ++y) {
        for (int32_t x = a->x; x + 1 < a->x + a->width; ++x) {
            for (int c = 0; c < 3; ++c) {
                const double w = weight_at(now, x, y, c), i = value(&now->film, x, y, c);
                const double va = value(a, x, y, c), vb = value(&now->b, x, y, c);
                to->error += w * (i - va) * (i - vb);
                to->pixels += 1.0;
                add_steps(to, now, x, y, 1, 0, c);
                add_steps(to, now, x, y, 0, 1, c);
                if (before == NULL) {
                    continue;
                }
                const double di = i - value(&before->film, x, y, c);
                const double da = va - value(&before->a, x, y, c);
                const double db = vb - value(&before->b, x, y, c);
                to->frames += w * di * di;
                to->frames_reference += w * da * db;
                to->flicker += w * (di - da) * (di - db);
            }
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: film_error FIRST LAST REFERENCE_A REFERENCE_B FILM...\n");
        return 2;
    }
    const int first = atoi(argv[1]), last = atoi(argv[2]);
    printf("%-44s %9s %8s %8s %9s\n", "film", "relMSE", "frames", "flicker", "contrast");
    for (int k = 5; k < argc; ++k) {
        sums total = {0};
        coif_arena arenas[2];
        coif_arena_init(&arenas[0], "frames");
        coif_arena_init(&arenas[1], "frames");
        frame frames[2] = {0};
        for (int f = first; f <= last; ++f) {
            coif_arena *arena = &arenas[f & 1];
            coif_arena_free(arena);
            coif_arena_init(arena, "frames");
            frames[f & 1] =
                (frame){load(argv[3], f, arena), load(argv[4], f, arena), load(argv[k], f, arena)};
            add_frame(&total, &frames[f & 1], f > first ? &frames[~f & 1] : NULL);
        }
        printf("%-44s %9.5f %8.3f %8.3f %9.3f\n", argv[k], total.error / total.pixels,
               sqrt(total.frames / total.frames_reference),
               sqrt(total.flicker / total.frames_reference),
               sqrt(total.contrast / total.contrast_reference));
    }
    return 0;
}
