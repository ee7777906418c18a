// file_diff: differences between two strand files or two images.
#include "tools/cli/file_diff.h"

#include <math.h>

coif_strand_diff coif_diff_strands(const coif_strands *a, const coif_strands *b)
{
    coif_strand_diff diff = {.strand_count = {a->strand_count, b->strand_count},
                             .point_count = {a->point_count, b->point_count},
                             .different_strand = -1};
    const int32_t strands = a->strand_count < b->strand_count ? a->strand_count : b->strand_count;
    for (int32_t s = 0; s < strands && diff.different_strand < 0; ++s) {
        diff.different_strand = coif_strands_length(a, s) != coif_strands_length(b, s) ? s : -1;
    }
    if (diff.different_strand < 0 && a->strand_count != b->strand_count) {
        diff.different_strand = strands;
    }
    double sum = 0.0;
    for (int32_t s = 0; s < strands && diff.different_strand < 0; ++s) {
        for (int32_t i = a->first[s]; i < a->first[s + 1]; ++i) {
            const coif_vec4 p = a->points[i], q = b->points[i];
            const double x = (double)p.x - (double)q.x, y = (double)p.y - (double)q.y,
                         z = (double)p.z - (double)q.z;
            const double squared = x * x + y * y + z * z;
            sum += squared;
            diff.largest_radius = fmax(diff.largest_radius, fabs((double)p.w - (double)q.w));
            if (squared > diff.largest * diff.largest) {
                diff.largest = sqrt(squared);
                diff.strand = s;
                diff.point = i - a->first[s];
            }
        }
    }
    diff.rms = a->point_count > 0 ? sqrt(sum / a->point_count) : 0.0;
    return diff;
}

coif_image_diff coif_diff_images(const coif_image *a, const coif_image *b, float *map)
{
    coif_image_diff diff = {0};
    const int64_t pixels = (int64_t)a->width * a->height;
    double squares = 0.0, relative = 0.0;
    for (int64_t i = 0; i < pixels; ++i) {
        double pixel = 0.0;
        for (int32_t c = 0; c < a->channel_count; ++c) {
            const float p = a->pixels[i * a->channel_count + c];
            const float q = b->pixels[i * a->channel_count + c];
            const bool both = isfinite(p) && isfinite(q);
            const bool same = both || (isnan(p) && isnan(q)) || p == q;
            const double d = both ? fabs((double)p - (double)q) : same ? 0.0 : 1.0;
            const double reference = both ? (double)q : 0.0;
            squares += d * d;
            relative += d * d / (reference * reference + 0.01);
            pixel = fmax(pixel, d);
        }
        if (pixel > diff.largest) {
            diff.largest = pixel;
            diff.x = (int32_t)(i % a->width);
            diff.y = (int32_t)(i / a->width);
        }
        diff.different_pixels += pixel > 0.0;
        if (map != NULL) {
            map[i] = (float)pixel;
        }
    }
    const double samples = fmax(1.0, (double)pixels * a->channel_count);
    diff.rmse = sqrt(squares / samples);
    diff.relative_mse = relative / samples;
    return diff;
}

void coif_diff_colors(float *rgb, const float *map, int64_t count, float high)
{
    static const float COLORS[][3] = {
        {0.0f, 0.0f, 0.0f}, {0.35f, 0.05f, 0.45f}, {0.85f, 0.3f, 0.15f}, {1.0f, 1.0f, 0.85f}};
    for (int64_t i = 0; i < count; ++i) {
        const float at = high > 0.0f ? 3.0f * fminf(map[i] / high, 1.0f) : 0.0f;
        const int low = at < 2.0f ? (int)at : 2;
        for (int c = 0; c < 3; ++c) {
            rgb[3 * i + c] =
                COLORS[low][c] + (at - (float)low) * (COLORS[low + 1][c] - COLORS[low][c]);
        }
    }
}
