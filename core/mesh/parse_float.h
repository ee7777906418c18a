// Locale-independent parsing of decimal numbers, correctly rounded to float or double.
#ifndef COIF_CORE_MESH_PARSE_FLOAT_H
#define COIF_CORE_MESH_PARSE_FLOAT_H

#include "core/base/base.h"

// Parses [sign] digits [. digits] [e [sign] digits] in a zero-terminated text; the value is
// infinite when it is too large for a float. Returns the end, NULL when there is no number.
const char *coif_parse_float(float *value, const char *text);
const char *coif_parse_double(double *value, const char *text);

#endif
