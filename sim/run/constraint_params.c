#include "sim/run/constraint_params.h"

#include <stddef.h>

static const char *const TYPES[] = {"pin", "tie", "attach", NULL};
static const char *const TARGETS[] = {"body", "locator", "free", NULL};
static const char *const CATCHES[] = {"rest", "current", NULL};
static const char *const POINTS[] = {"automatic", "all", "nearest", "plane", NULL};
static const char *const REGIONS[] = {"everywhere", "box", "ball", NULL};

#define ROW(field_, kind_, help_, unit_, fallback_, low_, high_)                                   \
    COIF_PARAM_ROW(coif_constraint_params, field_, kind_, help_, unit_, fallback_, low_, high_)

// A parameter that is read once and cannot have keys.
#define CONSTANT(field_, kind_, help_, unit_, fallback_, low_, high_)                              \
    COIF_CONSTANT_ROW(coif_constraint_params, field_, kind_, help_, unit_, fallback_, low_, high_)

#define CHOICE(field_, choices_, help_)                                                            \
    {                                                                                              \
        .name = #field_, .help = help_, .unit = "", .type = COIF_PARAM_CHOICE,                     \
        .flags = COIF_PARAM_CONSTANT, .offset = offsetof(coif_constraint_params, field_),          \
        .choices = choices_                                                                        \
    }

// clang-format off
static const coif_param ROWS[] = {
    ROW(name, COIF_PARAM_STRING, "Name by which messages and --set refer to this constraint.", "", 0, 0, 0),
    ROW(enabled, COIF_PARAM_BOOL, "The constraint acts; keys release and catch the points.", "", 1, 0, 0),
    CHOICE(type, TYPES, "Kind of constraint: pin holds every point by itself, tie keeps points within a ring, attach holds all points as one rigid piece."),
    CHOICE(target, TARGETS, "What the points follow: the surface of body, a locator at position, or, for a tie, a ring that moves freely with its points."),
    ROW(body, COIF_PARAM_STRING, "Body that the points follow; empty means that of the groom, and for a locator none.", "", 0, 0, 0),
    ROW(position, COIF_PARAM_VEC3, "Centre of a ring, or the locator: in the rest space of body, in the world where a locator has none.", "m", 0, 0, 0),
    COIF_PARAM_ROW3(coif_constraint_params, axis, COIF_PARAM_VEC3, "Axis of a ring.", "", 0, 1, 0, 0, 0),
    CONSTANT(radius, COIF_PARAM_FLOAT, "Radius of a ring; 0 takes the largest distance of a chosen point from the axis at rest.", "m", 0, 0, 10),
    CONSTANT(slide, COIF_PARAM_BOOL, "Points slide through the ring along its axis; if false, they stay at their position along it, within a ball of the ring's radius.", "", 0, 0, 0),
    ROW(strength, COIF_PARAM_FLOAT, "Fraction of the distance from its target that a point loses per frame; 1 is exactly the target, 0 releases the points.", "", 1, 0, 1),
    ROW(slack, COIF_PARAM_FLOAT, "Distance from its target within which a point is free, added to the radius of a ring.", "m", 0, 0, 10),
    {.name = "catch", .help = "Position of the points relative to their target from when the constraint begins to act: that of the groom at rest, or the current one.", .unit = "",
     .type = COIF_PARAM_CHOICE, .flags = COIF_PARAM_CONSTANT, .offset = offsetof(coif_constraint_params, catch_mode), .choices = CATCHES},
    {.name = "mask", .help = "Strands are chosen where this is at least mask_threshold; usually a map.", .unit = "", .type = COIF_PARAM_FLOAT,
     .flags = COIF_PARAM_MAPPABLE | COIF_PARAM_CONSTANT, .offset = offsetof(coif_constraint_params, mask), .fallback = {1}, .low = 0, .high = 1},
    CONSTANT(mask_threshold, COIF_PARAM_FLOAT, "Smallest mask value of chosen strands.", "", 0.5, 0, 1),
    CONSTANT(groom_region, COIF_PARAM_INT, "Region of the groom whose strands are chosen; -1 means all.", "", -1, -1, 65535),
    CONSTANT(from, COIF_PARAM_FLOAT, "Begin of the chosen part of a strand, as a fraction from root to tip.", "", 0, 0, 1),
    CONSTANT(to, COIF_PARAM_FLOAT, "End of the chosen part of a strand, as a fraction from root to tip; of a part between two points the nearest point is chosen.", "", 1, 0, 1),
    CHOICE(points, POINTS, "Points of a chosen strand: all, the one nearest to position, or the two of the segment that crosses the plane of the ring nearest to its centre; automatic is plane for a ring with a position, else all."),
    CHOICE(region, REGIONS, "Region in the rest space of the groom's body in which points are chosen."),
    CONSTANT(region_center, COIF_PARAM_VEC3, "Centre of the region.", "m", 0, 0, 0),
    CONSTANT(region_size, COIF_PARAM_VEC3, "Edge lengths of the box.", "m", 0.1, 0, 1000),
    CONSTANT(region_radius, COIF_PARAM_FLOAT, "Radius of the ball.", "m", 0.05, 0, 1000),
    {.name = "points_file", .help = "Text file of chosen strands: per line the index of a strand and, for a part of it, indices of its points; negative ones count from the tip.", .unit = "", .type = COIF_PARAM_PATH,
     .offset = offsetof(coif_constraint_params, points_file)},
};
// clang-format on

static const coif_reference REFERENCES[] = {{"body", "bodies"}, {NULL, NULL}};

static const coif_applies_to APPLIES_TO[] = {
    {"axis radius slide", "type", "tie"},
    {"axis body", "target", "body locator"},
    {"catch", "type", "pin attach"},
    {"region_center", "region", "box ball"},
    {"region_size", "region", "box"},
    {"region_radius", "region", "ball"},
    {NULL, NULL, NULL},
};

const coif_section COIF_CONSTRAINTS_SECTION = {
    .name = "constraints",
    .basic =
        "name enabled type target body position radius strength points region_center region_radius",
    .help = "Pins, ties and attachments of chosen points",
    .form = COIF_SECTION_ARRAY,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
    .unique = "name",
    .references = REFERENCES,
    .applies_to = APPLIES_TO,
};
