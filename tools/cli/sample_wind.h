// sample_wind: the air velocity of a force plugin on a planar grid, as JSON for plotting
// (docs/figures/winds.py).
#ifndef COIF_TOOLS_SAMPLE_WIND_H
#define COIF_TOOLS_SAMPLE_WIND_H

#include "tools/cli/command.h"

// The plane through the origin, named by its horizontal and vertical axis.
typedef enum coif_wind_plane { COIF_WIND_XZ, COIF_WIND_XY, COIF_WIND_ZY } coif_wind_plane;

typedef struct coif_sample_wind_desc {
    const char *plugin; // id of a force plugin; its parameters come from --set NAME=VALUE
    const char *path;   // of the JSON file
    int32_t plane;      // coif_wind_plane
    int32_t resolution; // samples per axis
    double extent;      // half the side of the square, in metres
    double time;        // seconds
} coif_sample_wind_desc;

coif_status coif_sample_wind(coif_app *app, const coif_sample_wind_desc *desc, coif_error *error);

#endif
