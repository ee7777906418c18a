// sRGB transfer function (IEC 61966-2-1).
#ifndef COIF_CORE_IMAGE_SRGB_H
#define COIF_CORE_IMAGE_SRGB_H

#include <stdint.h>

float coif_srgb_encode(float linear);
float coif_srgb_decode(float encoded);

// Encodes and rounds to a byte, clamped; NaN is 0. Equal to encoding and rounding, but by table.
uint8_t coif_srgb_byte(float linear);

#endif
