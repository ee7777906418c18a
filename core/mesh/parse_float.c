// Correctly rounded parsing of decimal numbers.
#include "core/mesh/parse_float.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_POWERS = 22 }; // 10^22 is the largest power of ten that is exact in a double

static const double POWER_OF_TEN[EXACT_POWERS + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// mantissa * 10^exponent, truncated to 19 digits.
typedef struct digits {
    uint64_t mantissa;
    int64_t exponent;
    bool any;
} digits;

static const uint64_t MANTISSA_FULL = 1000000000000000000u; // one more digit still fits

static const char *parse_digits(digits *read, const char *text, bool fraction)
{
    for (; *text >= '0' && *text <= '9'; ++text) {
        read->any = true;
        if (read->mantissa < MANTISSA_FULL) {
            read->mantissa = 10 * read->mantissa + (uint64_t)(*text - '0');
            read->exponent -= fraction;
        } else {
            read->exponent += !fraction;
        }
    }
    return text;
}

// NULL for an e without digits.
static const char *parse_exponent(digits *read, const char *text)
{
    if (*text != 'e' && *text != 'E') {
        return text;
    }
    ++text;
    const bool negative = *text == '-';
    text += *text == '-' || *text == '+';
    if (*text < '0' || *text > '9') {
        return NULL;
    }
    int64_t exponent = 0;
    for (; *text >= '0' && *text <= '9'; ++text) {
        exponent = exponent < 1000000000000 ? 10 * exponent + (*text - '0') : exponent;
    }
    read->exponent += negative ? -exponent : exponent;
    return text;
}

// Whether a double with an error of a few ulps rounds to the correct float: not near the midpoint
// of two floats, and not below normal floats.
static bool rounds_safely(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int64_t tail = (int64_t)(bits & 0x1fffffffu) - 0x10000000;
    return (tail < -16 || tail > 16) && value > 1.2e-38 && value < 3.4e38;
}

// Slow path, in the C locale: the decimal point of other locales may be a comma.
static float parse_with_strtof(const char *text)
{
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const float value = strtof_l(text, NULL, c_locale);
    freelocale(c_locale);
    return value;
}

static double parse_with_strtod(const char *text)
{
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const double value = strtod_l(text, NULL, c_locale);
    freelocale(c_locale);
    return value;
}

// Exact when both factors are: a mantissa of at most 53 bits and a power of ten up to 10^22.
static double round_digits_double(const digits *read, const char *text)
{
    if (read->mantissa == 0) {
        return 0.0;
    }
    if (read->mantissa > (uint64_t)1 << 53 || read->exponent < -EXACT_POWERS ||
        read->exponent > EXACT_POWERS) {
        return fabs(parse_with_strtod(text));
    }
    const double whole = (double)read->mantissa;
    return read->exponent < 0 ? whole / POWER_OF_TEN[-read->exponent]
                              : whole * POWER_OF_TEN[read->exponent];
}

static float round_digits(const digits *read, const char *text)
{
    if (read->mantissa == 0) {
        return 0.0f;
    }
    if (read->exponent >= -EXACT_POWERS && read->exponent <= EXACT_POWERS) {
        const double whole = (double)read->mantissa;
        const double value = read->exponent < 0 ? whole / POWER_OF_TEN[-read->exponent]
                                                : whole * POWER_OF_TEN[read->exponent];
        if (rounds_safely(value)) {
            return (float)value;
        }
    }
    return fabsf(parse_with_strtof(text));
}

// Sign, mantissa and exponent; NULL when there is no number.
static const char *parse_number(digits *read, bool *negative, const char *text)
{
    *negative = *text == '-';
    text += *text == '-' || *text == '+';
    text = parse_digits(read, text, false);
    if (*text == '.') {
        text = parse_digits(read, text + 1, true);
    }
    return read->any ? parse_exponent(read, text) : NULL;
}

const char *coif_parse_float(float *value, const char *text)
{
    digits read = {0, 0, false};
    bool negative;
    const char *end = parse_number(&read, &negative, text);
    if (end != NULL) {
        const float rounded = round_digits(&read, text);
        *value = negative ? -rounded : rounded;
    }
    return end;
}

const char *coif_parse_double(double *value, const char *text)
{
    digits read = {0, 0, false};
    bool negative;
    const char *end = parse_number(&read, &negative, text);
    if (end != NULL) {
        const double rounded = round_digits_double(&read, text);
        *value = negative ? -rounded : rounded;
    }
    return end;
}
