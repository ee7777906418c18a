// file_diff: differences between two strand files or two images.
#ifndef COIF_TOOLS_CLI_FILE_DIFF_H
#define COIF_TOOLS_CLI_FILE_DIFF_H

#include "core/hair/strands.h"
#include "core/image/image.h"

// Distances between points of equal index; topology differs: only the first different strand.
typedef struct coif_strand_diff {
    int32_t strand_count[2], point_count[2];
    int32_t different_strand; // first with another number of points; -1: equal topology
    double largest, rms;      // distance of points, m
    int32_t strand, point;    // of the largest distance
    double largest_radius;    // difference of radii, m
} coif_strand_diff;

coif_strand_diff coif_diff_strands(const coif_strands *a, const coif_strands *b);

// b is the reference.
typedef struct coif_image_diff {
    double rmse, relative_mse; // mean of (a - b)^2 / (b^2 + 0.01) over pixels and channels
    double largest;
    int32_t x, y; // pixel of the largest difference
    int64_t different_pixels;
} coif_image_diff;

// Images of equal size and channels. Map, unless NULL: per pixel the largest absolute difference of
// its channels. Pixels that are not finite in one image only count as a difference of 1.
coif_image_diff coif_diff_images(const coif_image *a, const coif_image *b, float *map);

// False colours of a map: black for 0 over purple and orange to white for high and above.
void coif_diff_colors(float *rgb, const float *map, int64_t count, float high);

#endif
