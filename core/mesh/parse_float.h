// decimal: numbers in text files, read to the nearest float whatever the locale.
//
// A foreign parser that adds up digits as it goes is off by an ulp now and then. So that the same
// file gives the same bits everywhere, text is read here, and handed on in a form that any honest
// parser turns into exactly that float.
#ifndef COIF_CORE_MESH_PARSE_FLOAT_H
#define COIF_CORE_MESH_PARSE_FLOAT_H

#include "core/base/base.h"

typedef struct coif_decimal_float {
    float value;       // correctly rounded; infinite when the text is too large for a float
    bool negative;     // also for -0
    uint64_t mantissa; // the leading digits as a whole number, below 2^53
    int exponent;      // of ten; mantissa and exponent give value again, see coif_print_exact_float
} coif_decimal_float;

// Reads [sign] digits [. digits] [e [sign] digits] at text, which must be followed by anything that
// is not part of a number (a zero byte will do). Returns where it ends, NULL when there is none.
const char *coif_parse_float(coif_decimal_float *decimal, const char *text);

enum { COIF_EXACT_FLOAT_CHARS = 40 };

// Writes the number as [-] digits [e [-] digits], so that
//
//   (float)(mantissa * 5^exponent * 2^exponent)
//
// computed in double precision, with reciprocals for a negative exponent, is bit for bit the value.
// Value must be finite. No zero byte is added. Returns the end; needs COIF_EXACT_FLOAT_CHARS bytes.
char *coif_print_exact_float(const coif_decimal_float *decimal, char *out);

// Writes digits of a whole number; returns the end.
char *coif_print_uint(uint64_t number, char *out);

#endif
