// srgb: the curve of pictures on a screen. Light between 0 and 1 to numbers between 0 and 1 and
// back.
#ifndef COIF_CORE_IMAGE_SRGB_H
#define COIF_CORE_IMAGE_SRGB_H

#include <stdint.h>

float coif_srgb_encode(float linear);
float coif_srgb_decode(float encoded);

// The byte nearest to 255 times the encoded value, 0 and 255 beyond; what is not a number is 0. The
// same as to encode and round, without a power for every value.
uint8_t coif_srgb_byte(float linear);

#endif
