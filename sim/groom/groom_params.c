// grow, settings: the tables of one entry of "grooms", its maps and its modifiers.
#include "sim/groom/groom_generate.h"
#include "sim/groom/low_discrepancy.h"
#include "sim/groom/modifiers.h"
#include "sim/groom/scalp_maps.h"

#include <stddef.h>

static const char *const UP_AXES[] = {"y", "z", NULL};

#define ROW(field_, kind_, help_, unit_, fallback_, low_, high_)                                   \
    COIF_PARAM_ROW(coif_groom_params, field_, kind_, help_, unit_, fallback_, low_, high_)

#define VARYING(field_, flags_, help_, unit_, fallback_, low_, high_)                              \
    {                                                                                              \
        .name = #field_, .help = help_, .unit = unit_, .type = COIF_PARAM_FLOAT, .flags = flags_,  \
        .offset = offsetof(coif_groom_params, field_), .fallback = {fallback_}, .low = low_,       \
        .high = high_                                                                              \
    }

// clang-format off
const coif_param COIF_GROOM_PARAMS[] = {
    ROW(name,  COIF_PARAM_STRING, "name of its files", "", 0, 0, 0),
    ROW(body,  COIF_PARAM_STRING, "the body it grows on", "", 0, 0, 0),
    ROW(group, COIF_PARAM_STRING, "only this group of the body's mesh; empty for all of it", "", 0, 0, 0),
    ROW(file,  COIF_PARAM_PATH, "a file to take strands from instead of growing them: .hair, .tfx, or OBJ with polylines (l lines)", "", 0, 0, 0),
    ROW(file_scale, COIF_PARAM_FLOAT, "metres per unit of that file, or of the guides", "m", 1, 1e-6, 1000),
    {.name = "file_up", .help = "which axis of that file, or of the guides, points up", .unit = "",
     .type = COIF_PARAM_CHOICE, .offset = offsetof(coif_groom_params, file_up), .choices = UP_AXES},
    ROW(guides, COIF_PARAM_PATH, "curves that strands lie between: polylines (l lines) of an OBJ file, or a .hair or .tfx file", "", 0, 0, 0),
    VARYING(guide_length, COIF_PARAM_MAPPABLE, "times the length of the guides", "", 1, 0.001, 100),
    {.name = "guide_shape", .help = "strands take length and shape of the guides; off: only modifiers follow them", .unit = "",
     .type = COIF_PARAM_BOOL, .offset = offsetof(coif_groom_params, guide_shape), .fallback = {1}},
    VARYING(region, COIF_PARAM_MAPPABLE, "number of the region, rounded: locks and guides do not reach across; a map with its range", "", 0, 0, 65535),
    ROW(count,  COIF_PARAM_INT, "strands where the density is 1 everywhere", "", 15000, 0, 10000000),
    ROW(strands_most, COIF_PARAM_INT, "strands that are grown at most, the first of all, which are spread evenly: the same hair, thinner, to look at; 0: all", "", 0, 0, 10000000),
    ROW(per_cm2, COIF_PARAM_FLOAT, "instead of count: strands per square centimetre where the density is 1; 0: not so", "1/cm2", 0, 0, 100000),
    {.name = "scatter", .help = "how roots are spread: halton and sobol grow evenly with count, blue keeps them apart", .unit = "",
     .type = COIF_PARAM_CHOICE, .offset = offsetof(coif_groom_params, scatter), .choices = COIF_SEQUENCE_NAMES},
    ROW(points, COIF_PARAM_INT, "points of each strand, root and tip included; curls put in what they need", "", 24, 2, 1000),
    ROW(points_most, COIF_PARAM_INT, "points that no strand is given more of", "", 256, 2, 1000),
    ROW(seed,   COIF_PARAM_INT, "another seed gives other roots and other random words", "", 1, 0, 2147483647),
    VARYING(density, COIF_PARAM_MAPPABLE, "share of the candidates that grow", "", 1, 0, 1),
    VARYING(length, COIF_PARAM_MAPPABLE, "length of a strand", "m", 0.2, 0.0001, 10),
    VARYING(length_variation, COIF_PARAM_MAPPABLE, "by how much strands are randomly shorter, at most", "", 0.1, 0, 1),
    VARYING(radius, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "radius of a strand", "m", 4e-5, 1e-7, 0.01),
    VARYING(clearance, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "distance that strands keep from the body", "m", 0.0015, 0, 0.1),
    VARYING(simulated, COIF_PARAM_MAPPABLE, "share of the strands that is simulated; the others follow", "", 1, 0, 1),
};

static const char *const COMBINES[] = {"multiply", "max", "min", "add", "subtract", NULL};

static const coif_param MAP_ROWS[] = {
    {.name = "name", .help = "what rows call this map", .unit = "", .type = COIF_PARAM_STRING,
     .offset = offsetof(coif_map_params, name)},
    {.name = "over", .help = "an earlier map that this one is combined with", .unit = "",
     .type = COIF_PARAM_STRING, .offset = offsetof(coif_map_params, over)},
    {.name = "combine", .help = "how; results stay between 0 and 1", .unit = "", .type = COIF_PARAM_CHOICE,
     .offset = offsetof(coif_map_params, combine), .choices = COMBINES},
    {.name = "amount", .help = "share of this map in the combination: 0 leaves the earlier one as it is",
     .unit = "", .type = COIF_PARAM_FLOAT, .offset = offsetof(coif_map_params, amount), .fallback = {1},
     .low = 0, .high = 1},
};

static const coif_param MODIFIER_ROWS[] = {
    {.name = "name", .help = "what --set calls it, if anything", .unit = "", .type = COIF_PARAM_STRING,
     .offset = offsetof(coif_modifier_params, name)},
    {.name = "amount", .help = "0 leaves strands as they are, 1 does all the modifier does",
     .unit = "", .type = COIF_PARAM_FLOAT, .flags = COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP,
     .offset = offsetof(coif_modifier_params, amount), .fallback = {1}, .low = 0, .high = 1},
    {.name = "mask", .help = "where it does it, times amount: a map", .unit = "", .type = COIF_PARAM_FLOAT,
     .flags = COIF_PARAM_MAPPABLE, .offset = offsetof(coif_modifier_params, mask), .fallback = {1}, .low = 0, .high = 1},
    {.name = "enabled", .help = "off leaves the modifier out", .unit = "", .type = COIF_PARAM_BOOL,
     .offset = offsetof(coif_modifier_params, enabled), .fallback = {1}},
};
// clang-format on

const uint32_t COIF_GROOM_PARAM_COUNT = COIF_COUNT_OF(COIF_GROOM_PARAMS);

static const char *const MAP_REQUIRED[] = {"name", NULL};
static const coif_reference MAP_REFERENCES[] = {{"over", NULL}, {NULL, NULL}};

const coif_section COIF_MAPS_SECTION = {
    .name = "maps",
    .help = "named scalp maps: rows that may vary over the scalp take one by its name",
    .form = COIF_SECTION_ARRAY,
    .params = MAP_ROWS,
    .param_count = COIF_COUNT_OF(MAP_ROWS),
    .plugin_kind = COIF_KIND_MAP,
    .required = MAP_REQUIRED,
    .unique = "name",
    .references = MAP_REFERENCES,
};

const coif_section COIF_MODIFIERS_SECTION = {
    .name = "modifiers",
    .help = "what bends the strands after they have grown, in this order",
    .form = COIF_SECTION_ARRAY,
    .params = MODIFIER_ROWS,
    .param_count = COIF_COUNT_OF(MODIFIER_ROWS),
    .plugin_kind = COIF_KIND_GROOM,
    .unique = "name",
};
