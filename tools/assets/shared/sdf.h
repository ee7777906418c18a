// clay: the few shapes and joins the sculpture is made of.
//
// A shape is a field: a number at every point, negative inside, positive outside, near the surface
// about the distance to it in millimetres. Joining two shapes is taking a minimum, carving one out
// of the other a maximum; the soft versions round the seam over a given width, as a thumb would.
#ifndef COIF_ASSETS_SDF_H
#define COIF_ASSETS_SDF_H

#include "tools/assets/shared/vec.h"

// A curved cord whose thickness changes along the way: helix, collarbone, neck muscle.
enum { HEAD_CORD_POINTS = 96 };

typedef struct head_cord {
    int count;
    head_vec point[HEAD_CORD_POINTS];
    double radius[HEAD_CORD_POINTS];
    head_vec low, high; // the box around it
} head_cord;

// One knot of a cord as the sculptor writes it down.
typedef struct head_knot {
    head_vec point;
    double radius;
} head_knot;

// Clay pressed on (height > 0) or thumbed away (height < 0) around a centre, fading to nothing at
// the given radii.
typedef struct head_dab {
    head_vec centre;
    head_vec radii;
    double height;
} head_dab;

double clay_clamp(double value, double low, double high);

// 0 below low, 1 above high, with a smooth way between.
double clay_fade(double low, double high, double value);

// |x| without the kink at zero, so that mirrored shapes meet smoothly on the middle plane.
double clay_fold(double x, double width);

double clay_join(double a, double b, double width);
double clay_carve(double body, double tool, double width);
double clay_meet(double a, double b, double width);

double clay_ellipsoid(head_vec p, head_vec centre, head_vec radii);
double clay_cone(head_vec p, head_vec a, head_vec b, double radius_a, double radius_b);

// A smooth curve through the knots.
void clay_cord_init(head_cord *cord, const head_knot *knots, int knot_count);

// Far from the cord the answer is only a lower bound: nothing is joined from that far.
double clay_cord(const head_cord *cord, head_vec p);

double clay_dabs(double field, head_vec p, const head_dab *dabs, int dab_count);

// A smooth curve through (x[i], y[i]), x rising; constant beyond the ends.
double clay_curve(const double *x, const double *y, int count, double at);

#endif
