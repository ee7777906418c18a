// draw_wind: a field of air as a picture: speed as colour, direction as streaks.
#ifndef COIF_TOOLS_DRAW_WIND_H
#define COIF_TOOLS_DRAW_WIND_H

#include "tools/coif/command.h"

// Which two axes lie on the page, to the right and upwards; the third is 0.
typedef enum coif_wind_plane { COIF_WIND_XZ, COIF_WIND_XY, COIF_WIND_ZY } coif_wind_plane;

typedef struct coif_draw_wind_desc {
    const char *plugin; // id of a force plugin; its parameters come from --set NAME=VALUE
    const char *path;   // of the PNG
    int32_t plane;
    double extent; // metres from the middle of the page to its edge
    double time;   // seconds
} coif_draw_wind_desc;

coif_status coif_draw_wind(coif_app *app, const coif_draw_wind_desc *desc, coif_error *error);

#endif
