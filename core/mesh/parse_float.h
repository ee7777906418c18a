// Locale-independent parsing of decimal numbers, correctly rounded to float.
//
// tinyobj_loader_c accumulates digits in double precision and is sometimes off by one ulp. Numbers
// are parsed here and printed again in a form that it converts to exactly the same float.
#ifndef COIF_CORE_MESH_PARSE_FLOAT_H
#define COIF_CORE_MESH_PARSE_FLOAT_H

#include "core/base/base.h"

typedef struct coif_decimal_float {
    float value;       // correctly rounded; infinite when the text is too large for a float
    bool negative;     // also for -0
    uint64_t mantissa; // leading digits as an integer, below 2^53
    int exponent;      // power of ten, see coif_print_exact_float
} coif_decimal_float;

// Parses [sign] digits [. digits] [e [sign] digits] in a zero-terminated text. Returns the end,
// NULL when there is no number.
const char *coif_parse_float(coif_decimal_float *decimal, const char *text);

enum { COIF_EXACT_FLOAT_CHARS = 40 };

// Writes the number as [-] digits [e [-] digits], so that
//
//   (float)(mantissa * 5^exponent * 2^exponent)
//
// computed in double precision, with reciprocals for a negative exponent, is exactly the value,
// which must be finite. Not zero-terminated. Returns the end; needs COIF_EXACT_FLOAT_CHARS bytes.
char *coif_print_exact_float(const coif_decimal_float *decimal, char *out);

// Writes the digits of an integer; returns the end.
char *coif_print_uint(uint64_t number, char *out);

#endif
