// contact_params: parameters of the contact of hair, shared by bodies and analytic colliders.
#ifndef COIF_CORE_BODY_CONTACT_PARAMS_H
#define COIF_CORE_BODY_CONTACT_PARAMS_H

#include "core/scene/params.h"

#include <stddef.h>

enum { COIF_BOUNDARY_OUTER, COIF_BOUNDARY_INNER };

typedef struct coif_contact_params {
    const char *affects; // names and tags of grooms; NULL or "": all
    float friction;      // Coulomb coefficient; negative: that of sim
    float margin;        // distance of the contact surface from the shape, m
    float softness;      // depth to which hair sinks in under its own weight, m
    int32_t boundary;
} coif_contact_params;

extern const char *const COIF_BOUNDARIES[];

// Rows of a table whose struct has a coif_contact_params named contact.
#define COIF_CONTACT_ROW(params_, field_, type_, flags_, help_, unit_, fallback_, low_, high_)     \
    {                                                                                              \
        .name = #field_, .help = help_, .unit = unit_, .type = type_,                              \
        .flags = COIF_PARAM_CONSTANT | (flags_), .offset = offsetof(params_, contact.field_),      \
        .fallback = {fallback_}, .low = low_, .high = high_                                        \
    }
// clang-format off
#define COIF_CONTACT_ROWS(params_) \
    COIF_CONTACT_ROW(params_, affects, COIF_PARAM_STRING, COIF_PARAM_WORDS, "Names and tags of the grooms that touch it, as an array or as words of a string; without any it touches all grooms.", "", 0, 0, 0), \
    COIF_CONTACT_ROW(params_, friction, COIF_PARAM_FLOAT, 0, "Coulomb friction coefficient of hair on it; -1 is the friction of sim.", "", -1, -1, 10), \
    COIF_CONTACT_ROW(params_, margin, COIF_PARAM_FLOAT, 0, "Distance by which the surface that hair touches lies in front of it; grooms that grow on it do not count the margin.", "m", 0, 0, 1), \
    COIF_CONTACT_ROW(params_, softness, COIF_PARAM_FLOAT, 0, "Depth to which hair sinks into it under its own weight; 0 is rigid.", "m", 0, 0, 0.1), \
    {.name = "boundary", .help = "Side on which hair is kept: outer pushes hair out, inner keeps it inside, as a hat or a helmet does.", .unit = "", \
     .type = COIF_PARAM_CHOICE, .flags = COIF_PARAM_CONSTANT, .offset = offsetof(params_, contact.boundary), .choices = COIF_BOUNDARIES}
// clang-format on

#endif
