// Reference for elliptical fibres: ray tracing of a smooth dielectric cylinder in three dimensions,
// in double precision, with Snell's law and the Fresnel equations alone. Shares no code with the
// BSDF.
#ifndef COIF_RENDER_BENCH_CYLINDER_TRACE_H
#define COIF_RENDER_BENCH_CYLINDER_TRACE_H

#include <stdbool.h>

enum { COIF_CYLINDER_EXITS = 200 };

typedef struct coif_cylinder {
    double ratio;      // of the major to the minor axis; the product of the semi-axes is 1
    double eta;        // index of refraction
    double absorption; // per unit of length
} coif_cylinder;

// A ray that leaves the cylinder: reflected (0), transmitted (1), after k - 1 internal reflections
// (k).
typedef struct coif_cylinder_exit {
    double energy;
    double direction[3]; // zero after total internal reflection
} coif_cylinder_exit;

// Wo: towards the observer, along the fibre and the major and minor axis, unit. H: offset across
// the width seen from there, as in hair_bsdf.h.
void coif_cylinder_trace(coif_cylinder_exit exits[COIF_CYLINDER_EXITS],
                         const coif_cylinder *cylinder, const double wo[3], double h);

// The hair BSDF of an elliptical section against the traced cylinder and the white furnace, over
// random ratios, indices, directions and offsets.
typedef struct coif_ellipse_errors {
    double energy;    // largest error of a lobe's energy: R, TT, TRT
    double azimuth;   // largest error of their azimuth, radians
    double residual;  // largest error of the energy of all further exits
    double azimuthal; // mean over directions of half the difference of azimuthal distributions
    double furnace;   // largest deviation of the albedo of a white fibre from 1
} coif_ellipse_errors;
coif_ellipse_errors coif_ellipse_validate(double max_ratio);

#endif
