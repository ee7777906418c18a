// bend_spans: the text form of the point pairs of PBD bending constraints.
//
//   2              all pairs (i, i + 2)
//   3-17           points 3 and 17; 0 is the root, -1 the tip: 0--1, 5--2
//   last           root and tip, as 0-last
//   4:0.9          at 0.9 of their rest distance
//   4*0.5 4:0.9*2  at 0.5 of, or twice, bend_stiffness
#ifndef COIF_SIM_RUN_BEND_SPANS_H
#define COIF_SIM_RUN_BEND_SPANS_H

#include "core/base/error.h"
#include "core/hair/groom.h"
#include "sim/solver/strand_material.h"

// Parses words separated by spaces or commas. Empty or NULL is "2". Anything else is
// COIF_ERR_SCENE, with the position of the word.
coif_status coif_bend_spans_parse(coif_bend_spans *spans, const char *text, coif_error *error);

// Logs a warning for each span that is too long for some strands of the groom.
void coif_bend_spans_warn_too_short(const char *text, const coif_groom *groom);

#endif
