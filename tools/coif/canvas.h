// canvas: antialiased lines, discs and lettering on a white page, for plots.
//
// Strokes are gathered as coverage first and painted in one go, so that where parts of one line
// meet nothing gets darker. Coordinates are pixels from the top left corner; colours are as stored
// in a PNG.
#ifndef COIF_TOOLS_CANVAS_H
#define COIF_TOOLS_CANVAS_H

#include "core/arena.h"
#include "core/vec.h"

typedef struct coif_canvas {
    int32_t width, height;
    float *pixels;    // 3 per pixel
    float *mask;      // coverage of what is being drawn
    int32_t dirty[4]; // the part of the mask in use: left, top, right, bottom
    float clip[4];    // nothing is drawn outside
} coif_canvas;

void coif_canvas_init(coif_canvas *canvas, int32_t width, int32_t height, coif_arena *arena);

void coif_canvas_clip(coif_canvas *canvas, float left, float top, float right, float bottom);
void coif_canvas_clip_none(coif_canvas *canvas);

// Adds to what is being drawn.
void coif_canvas_segment(coif_canvas *canvas, coif_vec2 a, coif_vec2 b, float width);
// A regular polygon of sides corners, the first one at angle; sides 0 is a disc.
void coif_canvas_disc(coif_canvas *canvas, coif_vec2 centre, float radius, int32_t sides,
                      float angle);
void coif_canvas_box(coif_canvas *canvas, float left, float top, float right, float bottom);

// Paints it and begins anew.
void coif_canvas_paint(coif_canvas *canvas, coif_vec3 color, float opacity);

typedef struct coif_lettering {
    float size; // height of a capital
    coif_vec3 color;
    float align;  // 0: begins at the place, 0.5: centred, 1: ends there
    bool upwards; // turned by 90 degrees
    bool bold;
} coif_lettering;

// Text with its baseline at a place. Letters are strokes of a font of our own; what it has not is a
// box.
void coif_canvas_text(coif_canvas *canvas, coif_vec2 place, const char *text,
                      const coif_lettering *style);
float coif_canvas_text_width(const char *text, float size);

coif_status coif_canvas_save(const coif_canvas *canvas, const char *path, coif_error *error);

#endif
