// paint: asks the brush at every texel that a face covers, and lets colours run over the edges.
#include "tools/assets/shared/sdf.h"
#include "tools/assets/shared/raster.h"

#include <stdlib.h>
#include <string.h>

typedef struct painting {
    head_picture *picture;
    unsigned char *known; // per texel: painted
    head_brush *brush;
    const void *subject;
} painting;

static void paint_triangle(const painting *own, double uv[3][2], const head_vec p[3], int group)
{
    head_picture *picture = own->picture;
    const int n = picture->size;
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
            const head_vec at =
                vec_along(vec_along(p[0], vec_sub(p[1], p[0]), b), vec_sub(p[2], p[0]), c);
            const size_t texel = (size_t)j * (size_t)n + (size_t)i;
            own->brush(own->subject, at, group, picture->bytes + texel * (size_t)picture->channels);
            own->known[texel] = 1;
        }
    }
}

// One texel further out from all that is known.
static void run_over(head_picture *picture, unsigned char *known)
{
    const int n = picture->size, channels = picture->channels;
    unsigned char *before = head_allocate((size_t)n * (size_t)n, 1);

    memcpy(before, known, (size_t)n * (size_t)n);
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            const size_t texel = (size_t)j * (size_t)n + (size_t)i;
            for (int d = 0; d < 9 && !known[texel]; ++d) {
                const int x = i + d % 3 - 1, y = j + d / 3 - 1;
                const size_t other = (size_t)y * (size_t)n + (size_t)x;
                if (x >= 0 && y >= 0 && x < n && y < n && before[other]) {
                    memcpy(picture->bytes + texel * (size_t)channels,
                           picture->bytes + other * (size_t)channels, (size_t)channels);
                    known[texel] = 1;
                }
            }
        }
    }
    free(before);
}

void head_picture_paint(head_picture *picture, const head_mesh *mesh, const double *uv,
                        head_brush *brush, const void *subject)
{
    const size_t texels = (size_t)picture->size * (size_t)picture->size;
    const painting own = {picture, head_allocate(texels, 1), brush, subject};

    picture->bytes = head_allocate(texels, (size_t)picture->channels);
    for (int f = 0; f < mesh->face_count; ++f) {
        const head_face *face = &mesh->face[f];
        for (int half = 0; half < head_face_size(face) - 2; ++half) {
            const int c[3] = {0, 1 + half, 2 + half};
            double corner[3][2];
            head_vec p[3];
            for (int k = 0; k < 3; ++k) {
                memcpy(corner[k], uv + 8 * (size_t)f + 2 * (size_t)c[k], sizeof corner[k]);
                p[k] = mesh->point[face->corner[c[k]]];
            }
            paint_triangle(&own, corner, p, face->group);
        }
    }
    for (int round = 0; round < 4; ++round) {
        run_over(picture, own.known);
    }
    free(own.known);
}

unsigned char head_byte(double value)
{
    return (unsigned char)(clay_clamp(value, 0, 1) * 255.0 + 0.5);
}

unsigned char head_byte_srgb(double light)
{
    return head_byte(light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1.0 / 2.4) - 0.055);
}
