// groom_params: tables of an entry of "grooms", its maps and its modifiers.
#include "sim/groom/groom_params.h"

#include "sim/groom/low_discrepancy.h"
#include "sim/groom/modifiers.h"
#include "sim/groom/scalp_maps.h"

#include <stddef.h>

static const char *const UP_AXES[] = {"y", "z", NULL};
static const char *const GUIDE_MODES[] = {"interpolate", "nearest", NULL};
static const char *const GUIDE_REGIONS[] = {"groups", "guides", NULL};

#define ROW(field_, kind_, help_, unit_, fallback_, low_, high_)                                   \
    COIF_PARAM_ROW(coif_groom_params, field_, kind_, help_, unit_, fallback_, low_, high_)

#define CONSTANT(field_, kind_, help_, unit_, fallback_, low_, high_)                              \
    COIF_CONSTANT_ROW(coif_groom_params, field_, kind_, help_, unit_, fallback_, low_, high_)

#define VARYING(field_, flags_, help_, unit_, fallback_, low_, high_)                              \
    {                                                                                              \
        .name = #field_, .help = help_, .unit = unit_, .type = COIF_PARAM_FLOAT, .flags = flags_,  \
        .offset = offsetof(coif_groom_params, field_), .fallback = {fallback_}, .low = low_,       \
        .high = high_                                                                              \
    }

// clang-format off
const coif_param COIF_GROOM_PARAMS[] = {
    ROW(name,  COIF_PARAM_STRING, "Name of the groom and of its files.", "", 0, 0, 0),
    COIF_PLUGIN_ROW(coif_groom_params, tags, COIF_PARAM_STRING, COIF_PARAM_WORDS, "Tags, as an array or as words of a string, by which affects of forces, bodies and colliders names this groom, beside its name.", "", 0, 0, 0, 0, 0),
    ROW(body,  COIF_PARAM_STRING, "Body on which the hair grows.", "", 0, 0, 0),
    ROW(group, COIF_PARAM_STRING, "OBJ group of the body on which the hair grows; an empty string means the whole mesh.", "", 0, 0, 0),
    ROW(file,  COIF_PARAM_PATH, "Strand file to load instead of generating strands: .hair, .tfx, OBJ with polylines, or curves of an archive (Alembic, USD).", "", 0, 0, 0),
    ROW(file_scale, COIF_PARAM_FLOAT, "Metres per unit of the strand file or guide file; a factor on top of the unit that an archive states.", "m", 1, 1e-6, 1000),
    {.name = "file_up_axis", .help = "Up axis of the strand file or guide file.", .unit = "",
     .type = COIF_PARAM_CHOICE, .flags = COIF_PARAM_CONSTANT, .offset = offsetof(coif_groom_params, file_up_axis), .choices = UP_AXES},
    ROW(file_object, COIF_PARAM_STRING, "Curves of an archive by their path or name; an empty string takes all of its curves: those marked as guides for guides, the others for file.", "", 0, 0, 0),
    ROW(file_frame, COIF_PARAM_INT, "Frame of an animated archive whose curves are taken, at file_frame / fps seconds; -1 takes its first samples.", "", -1, -1, 99999999),
    CONSTANT(root_tolerance, COIF_PARAM_FLOAT, "Largest distance of the first points of a strand file from the rest mesh of the body; farther ones are an error.", "m", 0.005, 0, 1000),
    ROW(file_push_out, COIF_PARAM_BOOL, "Pushes strands of a strand file, with what modifiers made of them, out of the body to the distance clearance; if false they stay as they are.", "", 0, 0, 0),
    CONSTANT(lock_distance, COIF_PARAM_FLOAT, "Strands of a strand file that are on average at most this far apart form a lock, which is a clump to sim/cohesion and to AOVs; 0 means that only sim/cohesion finds locks, of a twentieth of the mean length and at most 1 cm.", "m", 0, 0, 1),
    ROW(guides, COIF_PARAM_PATH, "Guide curves between which strands are interpolated: OBJ with polylines, .hair, .tfx, or curves of an archive (Alembic, USD).", "", 0, 0, 0),
    ROW(edits, COIF_PARAM_PATH, "Guides edited by brushes in the studio (.guides): strands of any origin follow the difference between the guides before and after the brushes, after all modifiers.", "", 0, 0, 0),
    VARYING(guide_length, COIF_PARAM_MAPPABLE, "Factor on the length of the guide curves.", "", 1, 0.001, 100),
    {.name = "guide_shape", .help = "Strands take length and shape from the guides; if false, only modifiers use the guides.", .unit = "",
     .type = COIF_PARAM_BOOL, .offset = offsetof(coif_groom_params, guide_shape), .fallback = {1}},
    {.name = "guide_mode", .help = "Shape of a strand: interpolate blends the four nearest guides, nearest follows the nearest guide at the strand's own offset from it, as braids and modelled locks need.", .unit = "",
     .type = COIF_PARAM_CHOICE, .offset = offsetof(coif_groom_params, guide_mode), .choices = GUIDE_MODES},
    VARYING(guide_spread, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Factor on the offset of a strand from the guide that it follows; the root keeps its position.", "", 1, 0, 100),
    CONSTANT(guide_radius, COIF_PARAM_FLOAT, "Strands grow only within this distance of the root of a guide, so that guides need no density map; 0 means on the whole scalp.", "m", 0, 0, 10),
    {.name = "guide_regions", .help = "Regions of a guide file where region has no map: its groups, or every guide is a region of its own.", .unit = "",
     .type = COIF_PARAM_CHOICE, .offset = offsetof(coif_groom_params, guide_regions), .choices = GUIDE_REGIONS},
    VARYING(region, COIF_PARAM_MAPPABLE | COIF_PARAM_CONSTANT, "Region number, rounded to an integer; clumps and guides do not reach across regions. Usually a map with a range.", "", 0, 0, 65535),
    CONSTANT(count,  COIF_PARAM_INT, "Number of strands if the density is 1 on the whole scalp.", "", 15000, 0, 10000000),
    CONSTANT(max_strands, COIF_PARAM_INT, "Upper limit on the number of strands for previews; the strands kept are the same and evenly distributed. 0 keeps all.", "", 0, 0, 10000000),
    CONSTANT(strands_per_cm2, COIF_PARAM_FLOAT, "Strands per square centimetre where the density is 1, instead of count; 0 uses count.", "1/cm2", 0, 0, 100000),
    {.name = "scatter", .help = "Distribution of the roots: the low-discrepancy sequences halton and sobol, or blue_noise with a minimum distance.", .unit = "",
     .type = COIF_PARAM_CHOICE, .flags = COIF_PARAM_CONSTANT, .offset = offsetof(coif_groom_params, scatter), .choices = COIF_SEQUENCE_NAMES},
    ROW(points, COIF_PARAM_INT, "Points per strand, root and tip included; modifiers such as groom.curl add the points they need.", "", 24, 2, 1000),
    CONSTANT(max_points, COIF_PARAM_INT, "Upper limit on the points per strand.", "", 256, 2, 1000),
    CONSTANT(seed,   COIF_PARAM_INT, "Seed of the random numbers of this groom.", "", 1, 0, 2147483647),
    VARYING(density, COIF_PARAM_MAPPABLE | COIF_PARAM_CONSTANT, "Fraction of the root candidates that grow.", "", 1, 0, 1),
    VARYING(length, COIF_PARAM_MAPPABLE, "Length of a strand.", "m", 0.2, 0.0001, 10),
    VARYING(length_variation, COIF_PARAM_MAPPABLE, "Maximum random relative shortening of strands.", "", 0.1, 0, 1),
    VARYING(radius, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Radius of a strand.", "m", 4e-5, 1e-7, 0.01),
    VARYING(clearance, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Distance that rest strands keep from the body.", "m", 0.0015, 0, 0.1),
    VARYING(simulated_fraction, COIF_PARAM_MAPPABLE | COIF_PARAM_CONSTANT, "Fraction of this groom's strands that are simulated; it multiplies sim/simulated_fraction.", "", 1, 0, 1),
};

static const char *const COMBINES[] = {"multiply", "max", "min", "add", "subtract", NULL};

static const coif_param MAP_ROWS[] = {
    {.name = "name", .help = "Name by which parameters refer to this map.", .unit = "", .type = COIF_PARAM_STRING,
     .offset = offsetof(coif_map_params, name)},
    {.name = "base", .help = "Name of an earlier map that this map is blended with.", .unit = "",
     .type = COIF_PARAM_STRING, .offset = offsetof(coif_map_params, base)},
    {.name = "blend_mode", .help = "Blend mode; the result is clamped to 0 to 1.", .unit = "", .type = COIF_PARAM_CHOICE,
     .offset = offsetof(coif_map_params, blend_mode), .choices = COMBINES},
    {.name = "amount", .help = "Opacity of this map in the blend; 0 leaves the base unchanged.",
     .unit = "", .type = COIF_PARAM_FLOAT, .offset = offsetof(coif_map_params, amount), .fallback = {1},
     .low = 0, .high = 1},
};

static const char *const LAYER_BLEND_MODES[] = {"normal", "multiply", "max", "min", "add", "subtract", NULL};

static const coif_param LAYER_ROWS[] = {
    {.name = "name", .help = "Name of the layer.", .unit = "", .type = COIF_PARAM_STRING,
     .offset = offsetof(coif_layer_params, name)},
    {.name = "path", .help = "Image of the layer, of the size of the map's image; <UDIM> stands for the tile number.", .unit = "",
     .type = COIF_PARAM_PATH, .offset = offsetof(coif_layer_params, path)},
    {.name = "mask", .help = "Image of the layer's coverage; without it the layer covers everything.", .unit = "",
     .type = COIF_PARAM_PATH, .offset = offsetof(coif_layer_params, mask)},
    {.name = "opacity", .help = "Opacity of the layer.", .unit = "", .type = COIF_PARAM_FLOAT, .flags = COIF_PARAM_CONSTANT,
     .offset = offsetof(coif_layer_params, opacity), .fallback = {1}, .low = 0, .high = 1},
    {.name = "blend_mode", .help = "Blend with the layers below.", .unit = "", .type = COIF_PARAM_CHOICE, .flags = COIF_PARAM_CONSTANT,
     .offset = offsetof(coif_layer_params, blend_mode), .choices = LAYER_BLEND_MODES},
    {.name = "visible", .help = "The layer is part of the composition.", .unit = "", .type = COIF_PARAM_BOOL, .flags = COIF_PARAM_CONSTANT,
     .offset = offsetof(coif_layer_params, visible), .fallback = {1}},
};

static const coif_param MODIFIER_ROWS[] = {
    {.name = "name", .help = "Optional name by which --set refers to this modifier.", .unit = "", .type = COIF_PARAM_STRING,
     .offset = offsetof(coif_modifier_params, name)},
    {.name = "amount", .help = "Blend between the unmodified (0) and the modified (1) strand.",
     .unit = "", .type = COIF_PARAM_FLOAT, .flags = COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP,
     .offset = offsetof(coif_modifier_params, amount), .fallback = {1}, .low = 0, .high = 1},
    {.name = "mask", .help = "Map that multiplies amount.", .unit = "", .type = COIF_PARAM_FLOAT,
     .flags = COIF_PARAM_MAPPABLE, .offset = offsetof(coif_modifier_params, mask), .fallback = {1}, .low = 0, .high = 1},
    {.name = "enabled", .help = "The modifier is applied.", .unit = "", .type = COIF_PARAM_BOOL,
     .offset = offsetof(coif_modifier_params, enabled), .fallback = {1}},
};
// clang-format on

const coif_applies_to COIF_GROOM_APPLIES_TO[] = {
    {"file_scale file_up_axis file_object file_frame", "file guides", ""},
    {"root_tolerance lock_distance file_push_out", "file", ""},
    {"guide_length guide_shape guide_mode guide_radius guide_regions", "guides", ""},
    {"guide_spread", "guide_mode", "nearest"},
    {NULL, NULL, NULL},
};

const uint32_t COIF_GROOM_PARAM_COUNT = COIF_COUNT_OF(COIF_GROOM_PARAMS);

static const char *const MAP_REQUIRED[] = {"name", NULL};
static const coif_reference MAP_REFERENCES[] = {{"base", NULL}, {NULL, NULL}};

static const char *const LAYER_REQUIRED[] = {"name", "path", NULL};

static const coif_section LAYERS_SECTION = {
    .name = "layers",
    .help = "Layers of a painted map from the bottom. The studio composes them into the image of "
            "the map, which is what "
            "grooms use",
    .form = COIF_SECTION_ARRAY,
    .params = LAYER_ROWS,
    .param_count = COIF_COUNT_OF(LAYER_ROWS),
    .required = LAYER_REQUIRED,
    .unique = "name",
};

static const coif_section *const MAP_CHILDREN[] = {&LAYERS_SECTION, NULL};

const coif_section COIF_MAPS_SECTION = {
    .name = "maps",
    .basic = "name amount",
    .help = "Named scalp maps that drive parameters",
    .form = COIF_SECTION_ARRAY,
    .params = MAP_ROWS,
    .param_count = COIF_COUNT_OF(MAP_ROWS),
    .children = MAP_CHILDREN,
    .plugin_kind = COIF_KIND_MAP,
    .required = MAP_REQUIRED,
    .unique = "name",
    .references = MAP_REFERENCES,
};

const coif_section COIF_MODIFIERS_SECTION = {
    .name = "modifiers",
    .basic = "name enabled amount mask",
    .help = "Groom modifiers, applied in this order",
    .form = COIF_SECTION_ARRAY,
    .params = MODIFIER_ROWS,
    .param_count = COIF_COUNT_OF(MODIFIER_ROWS),
    .plugin_kind = COIF_KIND_GROOM,
    .unique = "name",
};
