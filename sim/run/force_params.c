#include "sim/run/force_params.h"

#include <stddef.h>

static const char *const REGIONS[] = {"everywhere", "box", "ball", NULL};

#define ROW(field_, kind_, help_, unit_, fallback_, low_, high_)                                   \
    COIF_PARAM_ROW(coif_force_params, field_, kind_, help_, unit_, fallback_, low_, high_)

// clang-format off
static const coif_param ROWS[] = {
    ROW(name, COIF_PARAM_STRING, "Optional name by which --set refers to this force.", "", 0, 0, 0),
    ROW(enabled, COIF_PARAM_BOOL, "The force is active.", "", 1, 0, 0),
    COIF_PLUGIN_ROW(coif_force_params, affects, COIF_PARAM_STRING, COIF_PARAM_WORDS, "Names and tags of the grooms on which the force acts, as an array or as words of a string; without any it acts on all grooms.", "", 0, 0, 0, 0, 0),
    ROW(amount, COIF_PARAM_FLOAT, "Factor on the air velocity and the acceleration of the force.", "", 1, 0, 100),
    COIF_PLUGIN_ROW(coif_force_params, mask, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Factor that multiplies amount: a map over the roots, a ramp along the strand, or both.", "", 1, 0, 0, 0, 1),
    ROW(parent, COIF_PARAM_STRING, "Body that the force rides on: positions and directions of the force and its region are given at rest and move with the body.", "", 0, 0, 0),
    {.name = "region", .help = "Region in which the force acts.", .unit = "", .type = COIF_PARAM_CHOICE,
     .offset = offsetof(coif_force_params, region), .choices = REGIONS},
    ROW(region_center, COIF_PARAM_VEC3, "Centre of the region.", "m", 0, -1000, 1000),
    ROW(region_size, COIF_PARAM_VEC3, "Edge lengths of the box.", "m", 0.2, 0, 1000),
    ROW(region_radius, COIF_PARAM_FLOAT, "Radius of the ball.", "m", 0.1, 0, 1000),
    ROW(region_falloff, COIF_PARAM_FLOAT, "Distance outside of the region over which the force fades to zero.", "m", 0.02, 0, 1000),
};
// clang-format on

static const coif_applies_to APPLIES_TO[] = {
    {"region_center region_falloff", "region", "box ball"},
    {"region_size", "region", "box"},
    {"region_radius", "region", "ball"},
    {NULL, NULL, NULL},
};

static const coif_reference REFERENCES[] = {
    {"affects", "grooms"}, {"parent", "bodies"}, {NULL, NULL}};

const coif_section COIF_FORCES_SECTION = {
    .name = "forces",
    .basic = "name enabled affects amount",
    .help = "Wind fields and other forces",
    .form = COIF_SECTION_ARRAY,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
    .plugin_kind = COIF_KIND_FORCE,
    .unique = "name",
    .references = REFERENCES,
    .applies_to = APPLIES_TO,
};
