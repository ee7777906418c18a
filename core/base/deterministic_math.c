// Deterministic elementary functions.
#include "core/base/deterministic_math.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// Taylor series on small ranges, evaluated in double and rounded once to float: the truncation
// error is far below half an ulp of a float, and + - * / are correctly rounded by IEEE 754.

static double sine_near_zero(double x) // |x| <= pi/4
{
    const double y = x * x;
    return x * (1.0 + y * (-1.0 / 6 + y * (1.0 / 120 + y * (-1.0 / 5040 + y * (1.0 / 362880)))));
}

static double cosine_near_zero(double x) // |x| <= pi/4
{
    const double y = x * x;
    return 1.0 + y * (-0.5 + y * (1.0 / 24 + y * (-1.0 / 720 + y * (1.0 / 40320 - y / 3628800))));
}

// Range reduction x = quarter * pi/2 + rest. pi/2 is split into two constants so that the product
// with quarter is exact.
static float sin_quadrants(float x, int shift)
{
    const double quarter = floor((double)x * 0.63661977236758134308 + 0.5);
    const double rest =
        ((double)x - quarter * 1.57079632673412561417) - quarter * 6.07710050650619224932e-11;
    const int quadrant = (int)(fmod(quarter, 4.0) + 4.0 + shift) & 3;
    const double value = (quadrant & 1) != 0 ? cosine_near_zero(rest) : sine_near_zero(rest);
    return (float)((quadrant & 2) != 0 ? -value : value);
}

float coif_det_sin(float x)
{
    return fabsf(x) < 1e9f ? sin_quadrants(x, 0) : 0.0f;
}

float coif_det_cos(float x)
{
    return fabsf(x) < 1e9f ? sin_quadrants(x, 1) : 1.0f;
}

// atan a = atan b + atan((a - b) / (1 + a b)), with b = 1/2 the rest is below 1/2 for a up to 1.
float coif_det_atan2_quadrant(float y, float x)
{
    const double low = (double)(y < x ? y : x);
    const double high = (double)(y < x ? x : y);
    if (!(high > 0.0)) {
        return 0.0f;
    }
    const double a = low / high;
    const double r = (a - 0.5) / (1.0 + 0.5 * a);
    const double square = r * r;
    double sum = 0.0;
    for (int k = 27; k >= 1; k -= 2) {
        sum = 1.0 / k - sum * square;
    }
    const double angle = 0.46364760900080611621 + r * sum;
    return (float)(y < x ? angle : 1.57079632679489661923 - angle);
}

static double power_of_two(int exponent)
{
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double exponential(double x) // |x| < 700
{
    const double whole = floor(x * 1.44269504088896340736 + 0.5);
    const double r = x - whole * 0.69314718055994530942;
    double term = 1.0;
    double sum = 1.0;
    for (int i = 1; i <= 13; ++i) {
        term *= r / i;
        sum += term;
    }
    return sum * power_of_two((int)whole);
}

float coif_det_exp(float x)
{
    if (!(x > -104.0f)) {
        return x != x ? x : 0.0f;
    }
    return x < 89.0f ? (float)exponential((double)x) : INFINITY;
}

// x = m 2^e with m in [sqrt(1/2), sqrt(2)); log m = 2 atanh((m - 1) / (m + 1)).
static double logarithm(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1023;
    bits = (bits & 0x000fffffffffffffu) | 0x3ff0000000000000u;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.41421356237309504880) {
        m *= 0.5;
        ++exponent;
    }
    const double s = (m - 1.0) / (m + 1.0);
    const double y = s * s;
    double sum = 0.0;
    for (int k = 19; k >= 1; k -= 2) {
        sum = sum * y + 1.0 / k;
    }
    return 2.0 * s * sum + exponent * 0.69314718055994530942;
}

float coif_det_log(float x)
{
    if (!(x > 0.0f)) {
        return x != x ? x : -INFINITY;
    }
    return x < INFINITY ? (float)logarithm((double)x) : x;
}

float coif_det_pow(float x, float y)
{
    if (y == 0.0f || x == 1.0f) {
        return 1.0f;
    }
    if (!(x > 0.0f)) {
        return y > 0.0f ? 0.0f : INFINITY;
    }
    const double exponent = (double)y * logarithm((double)x);
    if (!(exponent > -104.0)) {
        return 0.0f;
    }
    return exponent < 89.0 ? (float)exponential(exponent) : INFINITY;
}

// Taylor series within 45 degrees.
void coif_det_sincos_degrees(double degrees, double *sine, double *cosine)
{
    if (!isfinite(degrees)) {
        *sine = *cosine = NAN;
        return;
    }
    const double quarters = floor(degrees / 90.0 + 0.5);
    const double x = (degrees - 90.0 * quarters) * 0.017453292519943295;
    const double square = x * x;
    double s = 1.0, c = 1.0;
    for (int n = 20; n > 0; n -= 2) {
        c = 1.0 - square / ((n - 1) * n) * c;
        s = 1.0 - square / (n * (n + 1)) * s;
    }
    s *= x;
    const int quarter = (int)(quarters - 4.0 * floor(quarters / 4.0));
    const double sines[] = {s, c, -s, -c};
    *sine = sines[quarter];
    *cosine = sines[(quarter + 1) % 4];
}

// Newton's iteration for the root of a mantissa in [1/8, 1).
double coif_det_cbrt(double x)
{
    if (!(x > 0.0) || x == INFINITY) {
        return x > 0.0 ? x : 0.0;
    }
    int exponent;
    double mantissa = frexp(x, &exponent);
    while (exponent % 3 != 0) {
        mantissa *= 0.5;
        ++exponent;
    }
    double root = 0.4 + 0.6 * mantissa;
    for (int i = 0; i < 6; ++i) {
        root -= (root - mantissa / (root * root)) / 3.0;
    }
    return ldexp(root, exponent / 3);
}
