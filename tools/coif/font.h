// font: letters as strokes, for plots.
#ifndef COIF_TOOLS_FONT_H
#define COIF_TOOLS_FONT_H

#include "core/base.h"
#include "core/vec.h"

// Height of a capital in units of the font; the baseline is 0, y runs upwards.
#define COIF_FONT_CAPITAL 14.0f

// Width of a line of text, without the space behind its last letter.
float coif_font_width(const char *text);

// Calls stroke for every straight piece of the text.
void coif_font_draw(const char *text, void (*stroke)(void *context, coif_vec2 a, coif_vec2 b),
                    void *context);

#endif
