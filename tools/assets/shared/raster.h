// picture: what is painted onto a mesh and kept as PNG.
#ifndef COIF_ASSETS_RASTER_H
#define COIF_ASSETS_RASTER_H

#include "tools/assets/shared/poly_mesh.h"

typedef struct head_picture {
    int size, channels;
    unsigned char *bytes; // row 0 is the top
} head_picture;

// What paints: writes the bytes of one texel for a place of the mesh.
typedef void head_brush(const void *subject, head_vec p, int group, unsigned char *bytes);

// Asks the brush wherever a face lies; uv has two numbers for each of four corners of each face.
void head_picture_paint(head_picture *picture, const head_mesh *mesh, const double *uv,
                        head_brush *brush, const void *subject);

// A share of 1, and linear light, as bytes.
unsigned char head_byte(double value);
unsigned char head_byte_srgb(double light);

// Returns 0, after saying why, when it cannot.
int head_picture_save(const head_picture *picture, const char *path);

#endif
