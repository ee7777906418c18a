// Deterministic sine, cosine, angle, exponential, logarithm, power and cube root: same bits on
// every machine.
//
// The C library selects variants by processor (with and without fused multiply-add) that differ in
// the last bit, so everything that ends in a cache uses these instead. Only + - * / and rounding
// are used, compiled with -ffp-contract=off. The functions of <coif/deterministic_math.h> have
// other series and other last bits; both are kept because results of existing scenes depend on
// them.
#ifndef COIF_CORE_BASE_DETERMINISTIC_MATH_H
#define COIF_CORE_BASE_DETERMINISTIC_MATH_H

// Radians; accurate to 2e-7 for |x| up to 1e5.
float coif_det_sin(float x);
float coif_det_cos(float x);

// Relative error below 2e-7 where the result is a normal float; 0 and infinity outside.
float coif_det_exp(float x);

// Natural logarithm for x > 0; relative error below 2e-7 away from 1. Zero and below give
// -infinity.
float coif_det_log(float x);

// Angle of (x, y) in the first quadrant; accurate to 2e-7, 0 for (0, 0).
float coif_det_atan2_quadrant(float y, float x);

// x to the power y for x >= 0; 0 to any positive power is 0.
float coif_det_pow(float x, float y);

// Degrees; double precision, exact for multiples of 90 degrees.
void coif_det_sincos_degrees(double degrees, double *sine, double *cosine);

// Cube root of x >= 0 in double precision; 0 below.
double coif_det_cbrt(double x);

#endif
