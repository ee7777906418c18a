// bend_spans: the text form of the point pairs of PBD bending constraints.
#ifndef COIF_SIM_RUN_BEND_SPANS_H
#define COIF_SIM_RUN_BEND_SPANS_H

#include "core/base/error.h"
#include "sim/solver/strand_material.h"

// Parses "2 4:0.9 last": segments between the points and scales. Empty or NULL is "2". Anything
// else is COIF_ERR_SCENE.
coif_status coif_bend_spans_parse(coif_bend_spans *spans, const char *text, coif_error *error);

#endif
