// Correctly rounded parsing of decimal numbers.
#include "core/mesh/parse_float.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_POWERS = 22 }; // 10^22 is the largest power of ten that is exact in a double

static const double POWER_OF_TEN[EXACT_POWERS + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static const double POWER_OF_FIVE[EXACT_POWERS + 1] = {1,
                                                       5,
                                                       25,
                                                       125,
                                                       625,
                                                       3125,
                                                       15625,
                                                       78125,
                                                       390625,
                                                       1953125,
                                                       9765625,
                                                       48828125,
                                                       244140625,
                                                       1220703125,
                                                       6103515625,
                                                       30517578125,
                                                       152587890625,
                                                       762939453125,
                                                       3814697265625,
                                                       19073486328125,
                                                       95367431640625,
                                                       476837158203125,
                                                       2384185791015625};

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

static double eval_as_tinyobj(uint64_t mantissa, int64_t exponent)
{
    if (exponent < 0) {
        const double five = 1.0 / POWER_OF_FIVE[-exponent];
        const double two = 1.0 / (double)(UINT64_C(1) << -exponent);
        return (double)mantissa * five * two;
    }
    return (double)mantissa * POWER_OF_FIVE[exponent] * (double)(UINT64_C(1) << exponent);
}

// Nine digits identify a float with a margin larger than the rounding errors of eval_as_tinyobj.
static void use_nine_digits(coif_decimal_float *decimal)
{
    char text[64];
    snprintf(text, sizeof text, "%.8e", (double)fabsf(decimal->value));
    decimal->mantissa = 0;
    const char *at = text;
    for (; *at != 'e'; ++at) { // skips the decimal point of any locale
        if (*at >= '0' && *at <= '9') {
            decimal->mantissa = 10 * decimal->mantissa + (uint64_t)(*at - '0');
        }
    }
    decimal->exponent = atoi(at + 1) - 8;
}

static void choose_form(coif_decimal_float *decimal, digits read)
{
    while (read.mantissa >= UINT64_C(1) << 53) {
        read.mantissa /= 10;
        ++read.exponent;
    }
    decimal->mantissa = read.mantissa;
    decimal->exponent = read.mantissa == 0 ? 0 : (int)read.exponent;
    if (read.mantissa == 0 || isinf(decimal->value)) {
        return;
    }
    if (read.exponent < -EXACT_POWERS || read.exponent > EXACT_POWERS ||
        (float)eval_as_tinyobj(read.mantissa, read.exponent) != fabsf(decimal->value)) {
        use_nine_digits(decimal);
    }
}

const char *coif_parse_float(coif_decimal_float *decimal, const char *text)
{
    const char *begin = text;
    digits read = {0, 0, false};
    decimal->negative = *text == '-';
    text += *text == '-' || *text == '+';

    text = parse_digits(&read, text, false);
    if (*text == '.') {
        text = parse_digits(&read, text + 1, true);
    }
    if (!read.any || (text = parse_exponent(&read, text)) == NULL) {
        return NULL;
    }
    decimal->value = round_digits(&read, begin);
    choose_form(decimal, read);
    decimal->value = decimal->negative ? -decimal->value : decimal->value;
    return text;
}

// Two digits at a time halves the divisions; millions of indices are printed.
char *coif_print_uint(uint64_t number, char *out)
{
    static const char PAIRS[] = "0001020304050607080910111213141516171819"
                                "2021222324252627282930313233343536373839"
                                "4041424344454647484950515253545556575859"
                                "6061626364656667686970717273747576777879"
                                "8081828384858687888990919293949596979899";
    char text[24];
    char *at = text + sizeof text;
    while (number >= 100) {
        at -= 2;
        memcpy(at, PAIRS + 2 * (number % 100), 2);
        number /= 100;
    }
    if (number >= 10) {
        at -= 2;
        memcpy(at, PAIRS + 2 * number, 2);
    } else {
        *--at = (char)('0' + number);
    }
    const size_t length = (size_t)(text + sizeof text - at);
    memcpy(out, at, length);
    return out + length;
}

char *coif_print_exact_float(const coif_decimal_float *decimal, char *out)
{
    if (decimal->negative) {
        *out++ = '-';
    }
    out = coif_print_uint(decimal->mantissa, out);
    if (decimal->exponent != 0) {
        *out++ = 'e';
        if (decimal->exponent < 0) {
            *out++ = '-';
        }
        out = coif_print_uint(
            (uint64_t)(decimal->exponent < 0 ? -decimal->exponent : decimal->exponent), out);
    }
    return out;
}
