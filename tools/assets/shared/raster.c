#include "tools/assets/shared/raster.h"

#include "core/image/image.h"
#include "tools/assets/shared/sdf.h"

#include <string.h>

enum { DILATION = 4 };

typedef struct baking {
    raster *image;
    unsigned char *covered; // per texel
    raster_shader *shader;
    const void *object;
} baking;

void raster_init(raster *image, int size, int channels, bool srgb, coif_arena *arena)
{
    const size_t count = (size_t)size * (size_t)size * (size_t)channels;
    *image = (raster){size, channels, srgb, coif_arena_new(arena, count, float)};
}

// In double precision: core/image/srgb works in single precision and may round to another byte.
static double srgb_encode(double light)
{
    return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1.0 / 2.4) - 0.055;
}

void raster_put(raster *image, size_t index, const double texel[RASTER_CHANNELS])
{
    for (int c = 0; c < image->channels; ++c) {
        const double value = image->srgb ? srgb_encode(texel[c]) : texel[c];
        const int byte = (int)(sdf_clamp(value, 0, 1) * 255.0 + 0.5);
        image->pixels[index * (size_t)image->channels + (size_t)c] = (float)byte / 255.0f;
    }
}

// Barycentric coordinates may exceed the triangle by 1 %, so that no texel between two triangles is
// missed.
static void bake_triangle(const baking *bake, double uv[3][2], const coif_vec3d p[3], int group)
{
    const int n = bake->image->size;
    double x[3], y[3];
    for (int i = 0; i < 3; ++i) {
        x[i] = uv[i][0] * n - 0.5;
        y[i] = (1.0 - uv[i][1]) * n - 0.5;
    }
    const double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    if (fabs(area) < 1e-9) {
        return;
    }
    const int x0 = (int)ceil(fmin(x[0], fmin(x[1], x[2])) - 0.01),
              x1 = (int)floor(fmax(x[0], fmax(x[1], x[2])) + 0.01),
              y0 = (int)ceil(fmin(y[0], fmin(y[1], y[2])) - 0.01),
              y1 = (int)floor(fmax(y[0], fmax(y[1], y[2])) + 0.01);
    for (int j = y0; j <= y1; ++j) {
        for (int i = x0; i <= x1; ++i) {
            const double b = ((i - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (j - y[0])) / area;
            const double c = ((x[1] - x[0]) * (j - y[0]) - (i - x[0]) * (y[1] - y[0])) / area;
            if (b < -0.01 || c < -0.01 || b + c > 1.01 || i < 0 || j < 0 || i >= n || j >= n) {
                continue;
            }
            const coif_vec3d along = coif_vec3d_mad(p[0], b, coif_vec3d_sub(p[1], p[0]));
            const size_t index = (size_t)j * (size_t)n + (size_t)i;
            double texel[RASTER_CHANNELS] = {0};
            bake->shader(bake->object, coif_vec3d_mad(along, c, coif_vec3d_sub(p[2], p[0])), group,
                         texel);
            raster_put(bake->image, index, texel);
            bake->covered[index] = 1;
        }
    }
}

// Copies covered texels to their uncovered neighbours, so that filtering finds no gap at the
// border of an island.
static void dilate(raster *image, unsigned char *covered, unsigned char *before)
{
    const int n = image->size;
    const size_t channels = (size_t)image->channels;
    memcpy(before, covered, (size_t)n * (size_t)n);
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            const size_t index = (size_t)j * (size_t)n + (size_t)i;
            for (int d = 0; d < 9 && !covered[index]; ++d) {
                const int x = i + d % 3 - 1, y = j + d / 3 - 1;
                const size_t other = (size_t)y * (size_t)n + (size_t)x;
                if (x >= 0 && y >= 0 && x < n && y < n && before[other]) {
                    memcpy(image->pixels + index * channels, image->pixels + other * channels,
                           channels * sizeof *image->pixels);
                    covered[index] = 1;
                }
            }
        }
    }
}

void raster_bake(raster *image, const poly_mesh *mesh, const double *uv, raster_shader *shader,
                 const void *object)
{
    const size_t texels = (size_t)image->size * (size_t)image->size;
    const baking bake = {image, coif_arena_new(mesh->arena, texels, unsigned char), shader, object};
    for (int f = 0; f < mesh->face_count; ++f) {
        const poly_face *face = &mesh->face[f];
        for (int k = 1; k + 1 < poly_face_size(face); ++k) {
            const int c[3] = {0, k, k + 1};
            double corner[3][2];
            coif_vec3d p[3];
            for (int n = 0; n < 3; ++n) {
                memcpy(corner[n], uv + 8 * (size_t)f + 2 * (size_t)c[n], sizeof corner[n]);
                p[n] = mesh->point[face->corner[c[n]]];
            }
            bake_triangle(&bake, corner, p, face->group);
        }
    }
    unsigned char *before = coif_arena_new(mesh->arena, texels, unsigned char);
    for (int i = 0; i < DILATION; ++i) {
        dilate(image, bake.covered, before);
    }
}

coif_status raster_save(const raster *image, const char *path, coif_error *error)
{
    const coif_image_desc desc = {.width = image->size,
                                  .height = image->size,
                                  .channel_count = image->channels,
                                  .pixels = image->pixels};
    return coif_image_save(path, &desc, error);
}
