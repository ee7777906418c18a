// reference_solutions: analytic and numerical solutions of rod and chain mechanics, in double
// precision and independent of the solvers.
//
// Closed forms where they exist, else small direct solutions; two tables of a boundary value
// solver are stored. A test compares all of them with tests/data/reference, row by row.
#ifndef COIF_SIM_VALIDATION_REFERENCE_SOLUTIONS_H
#define COIF_SIM_VALIDATION_REFERENCE_SOLUTIONS_H

#include "core/base/base.h"

#define COIF_REFERENCE_GRAVITY 9.81

// Drop and reach of the tip of a level cantilever under its own weight, in lengths of it.
typedef struct coif_reference_tip {
    double drop, reach;
} coif_reference_tip;

// Heavy elastica, Gamma = rho A g L^3 / B. With segments > 0: the equilibrium of a rod of as many
// stiff segments, joints of energy B angle^2 / 2 l and half a joint at the clamp.
coif_reference_tip coif_reference_cantilever(double gamma, int32_t segments, coif_arena *scratch);

// Its segments + 1 points, in lengths of it, y upwards.
void coif_reference_cantilever_line(double gamma, int32_t segments, double *x, double *y,
                                    coif_arena *scratch);

// Depth of a chain between two pins at the same height, in spans; of links > 0 links, or
// continuous.
double coif_reference_catenary(double length_over_span, int32_t links);

// Frequency of a mode (1, 2, ...) of a hanging chain over sqrt(g / L); of links > 0 links with half
// a mass at the tip, or continuous.
double coif_reference_chain(int32_t mode, int32_t links);

// Zero number index (1, 2, ...) of the Bessel function J0.
double coif_reference_bessel_zero(int32_t index);

// Period of a pendulum over that of small swings.
double coif_reference_pendulum(double amplitude_degrees);

// Fall from rest through air that slows by c v (linear), or to a final speed (quadratic).
typedef struct coif_reference_fall {
    double speed, drop;
} coif_reference_fall;
coif_reference_fall coif_reference_fall_linear(double per_second, double seconds);
coif_reference_fall coif_reference_fall_quadratic(double terminal, double seconds);

// Drop after steps of length h: semi-implicit Euler, g h^2 n (n + 1) / 2.
double coif_reference_fall_discrete(double h, int32_t steps);

// Downhill acceleration with Coulomb friction.
double coif_reference_incline(double friction, double degrees);

// Ratio of tensions at which a chain slips over a cylinder: exp(mu angle).
double coif_reference_capstan(double friction, double degrees);

// The same for half a turn, the legs hanging, with the weight of what lies on the cylinder: light
// is the length of the lighter leg in radii of it. Gives the ratio of the lengths of the legs.
double coif_reference_capstan_heavy(double friction, double light_over_radius);

// A helix of natural pitch pulled along its axis by F R^2 / B, ends free to turn: axial length over
// arc length. Ratio is C / B.
double coif_reference_helix_pull(double pitch_degrees, double ratio, double force);

// A many-turn helix hanging by its own weight W R^2 / B, likewise.
double coif_reference_helix_weight(double pitch_degrees, double ratio, double weight);

// Omega L^2 sqrt(rho A / B) of a clamped beam, modes 1, 2, ...: (the root of cos x cosh x = -1)^2.
double coif_reference_beam(int32_t mode);

// rho A g L^3 / B above which an upright rod droops (Greenhill 1881).
#define COIF_REFERENCE_GREENHILL 7.83734744

// A helix clamped at its top, hanging in full: the table of a boundary value solver.
typedef struct coif_reference_helix {
    double pitch_degrees, turns, ratio, weight, axial; // axial: drop of the tip over arc length
} coif_reference_helix;
extern const coif_reference_helix COIF_REFERENCE_HELICES[];
extern const int32_t COIF_REFERENCE_HELIX_COUNT;

// The drop of that helix, between the rows of the table by weight; NAN when the table has no such
// pitch, turns and ratio.
double coif_reference_helix_hang(double pitch_degrees, double turns, double ratio, double weight);

// A weightless rod clamped pointing down on a plane, its clamp lowered by eps lengths: friction the
// tip needs to stay where it is. Between rows; NAN outside them.
typedef struct coif_reference_stick {
    double eps, side, up, friction, tip_degrees, lateral; // forces in B / L^2
} coif_reference_stick;
extern const coif_reference_stick COIF_REFERENCE_STICKS[];
extern const int32_t COIF_REFERENCE_STICK_COUNT;
double coif_reference_stick_friction(double eps);

#endif
