// exact: sine, cosine, angle, exponential and power that give the same bits everywhere.
//
// The C library chooses among variants of these by processor (with and without fused multiply-add),
// and they differ in the last bit. Whatever ends in a cache uses these instead. Built only from
// + - * / and rounding, compiled with -ffp-contract=off.
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

// The angle from the first axis to (x, y), y and x not below 0; accurate to 2e-7, 0 for (0, 0).
float coif_det_atan2_quadrant(float y, float x);

// x to the power y for x >= 0; 0 to any positive power is 0.
float coif_det_pow(float x, float y);

#endif
