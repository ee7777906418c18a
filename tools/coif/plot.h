// plot: curves and measured points over axes, as a picture.
#ifndef COIF_TOOLS_PLOT_H
#define COIF_TOOLS_PLOT_H

#include "tools/coif/canvas.h"

typedef enum coif_plot_mark {
    COIF_MARK_NONE, // a line through the points
    COIF_MARK_DISC,
    COIF_MARK_SQUARE,
    COIF_MARK_TRIANGLE,
    COIF_MARK_DIAMOND,
    COIF_MARK_PENTAGON
} coif_plot_mark;

typedef struct coif_curve {
    const char *label;   // NULL: not in the legend
    const double *x, *y; // places that are not finite are left out
    int32_t count;
    coif_plot_mark mark;
    bool joined; // a thin line through the marks
    bool dashed;
    int32_t color; // 0: black, then others that are told apart well
} coif_curve;

typedef struct coif_axis {
    const char *label;
    double low, high; // equal: from the curves
    bool logarithmic;
} coif_axis;

typedef struct coif_plot {
    const char *title, *note; // the note stands below the title, smaller; may be NULL
    coif_axis x, y;
    bool same_scale; // a unit is as long on both axes: for shapes
    const coif_curve *curves;
    int32_t curve_count;
} coif_plot;

enum { COIF_PLOT_WIDTH = 960, COIF_PLOT_HEIGHT = 640 };

// A page of COIF_PLOT_WIDTH x COIF_PLOT_HEIGHT.
void coif_plot_draw(coif_canvas *canvas, const coif_plot *plot, coif_arena *arena);

// Draws and saves as PNG.
coif_status coif_plot_save(const coif_plot *plot, const char *path, coif_error *error);

// The colour of a curve.
coif_vec3 coif_plot_color(int32_t index);

#endif
