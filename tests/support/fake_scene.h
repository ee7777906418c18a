// A small section tree and plugins without effect, for tests of the scene loader.
#ifndef COIF_TESTS_SUPPORT_FAKE_SCENE_H
#define COIF_TESTS_SUPPORT_FAKE_SCENE_H

#include "core/scene/scene.h"

typedef struct fake_body {
    const char *name, *mesh;
    float rotate[3];
} fake_body;

typedef struct fake_groom {
    const char *name, *body;
    int32_t count;
    float length, radius;
} fake_groom;

typedef struct fake_hair {
    float eumelanin, tint[3];
} fake_hair;

typedef struct fake_sim {
    int32_t substeps, method, gravity_on;
    float gravity[3];
} fake_sim;

typedef struct fake_wind {
    float velocity[3];
    float strength;
} fake_wind;

typedef struct fake_curl {
    float radius;
} fake_curl;

typedef struct fake_image_map {
    const char *file;
} fake_image_map;

static const char *const FAKE_METHODS[] = {"pbd", "xpbd", "rod", NULL};

// clang-format off
static const coif_param FAKE_BODY_ROWS[] = {
    COIF_PARAM_ROW(fake_body, name, COIF_PARAM_STRING, "name of the body", "", 0, 0, 0),
    COIF_PARAM_ROW(fake_body, mesh, COIF_PARAM_PATH, "mesh file", "", 0, 0, 0),
    COIF_PARAM_ROW(fake_body, rotate, COIF_PARAM_VEC3, "turn about x, y, z", "deg", 0, 0, 0),
};
static const coif_param FAKE_MAP_ROWS[] = {
    {.name = "name", .help = "name of the map", .unit = "", .type = COIF_PARAM_STRING},
};
static const coif_param FAKE_GROOM_ROWS[] = {
    COIF_PARAM_ROW(fake_groom, name, COIF_PARAM_STRING, "name of the groom", "", 0, 0, 0),
    COIF_PARAM_ROW(fake_groom, body, COIF_PARAM_STRING, "body it grows on", "", 0, 0, 0),
    COIF_PARAM_ROW(fake_groom, count, COIF_PARAM_INT, "roots at density 1", "", 1000, 0, 1e7),
    {.name = "length", .help = "of a strand", .unit = "m", .type = COIF_PARAM_FLOAT,
     .flags = COIF_PARAM_MAPPABLE, .offset = offsetof(fake_groom, length), .fallback = {0.2},
     .low = 0, .high = 2},
    {.name = "radius", .help = "of a fibre", .unit = "m", .type = COIF_PARAM_FLOAT,
     .flags = COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, .offset = offsetof(fake_groom, radius),
     .fallback = {5e-5}, .low = 0, .high = 0.01},
};
static const coif_param FAKE_HAIR_ROWS[] = {
    COIF_PARAM_ROW(fake_hair, eumelanin, COIF_PARAM_FLOAT, "dark pigment", "", 0.3, 0, 10),
    COIF_PARAM_ROW3(fake_hair, tint, COIF_PARAM_COLOR, "dye", "", 1, 1, 1, 0, 1),
};
static const coif_param FAKE_SIM_ROWS[] = {
    COIF_PARAM_ROW(fake_sim, substeps, COIF_PARAM_INT, "steps per frame", "", 4, 1, 1000),
    {.name = "method", .help = "solver", .unit = "", .type = COIF_PARAM_CHOICE,
     .offset = offsetof(fake_sim, method), .choices = FAKE_METHODS},
    COIF_PARAM_ROW(fake_sim, gravity_on, COIF_PARAM_BOOL, "whether things fall", "", 1, 0, 1),
    COIF_PARAM_ROW3(fake_sim, gravity, COIF_PARAM_VEC3, "pull", "m/s^2", 0, -9.81, 0, -100, 100),
};
static const coif_param FAKE_WIND_ROWS[] = {
    COIF_PARAM_ROW3(fake_wind, velocity, COIF_PARAM_VEC3, "mean wind", "m/s", 2, 0, 0, -60, 60),
    COIF_PARAM_ROW(fake_wind, strength, COIF_PARAM_FLOAT, "swell", "", 0.5, 0, 1),
};
static const coif_param FAKE_CURL_ROWS[] = {
    {.name = "radius", .help = "of a curl", .unit = "m", .type = COIF_PARAM_FLOAT,
     .flags = COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, .offset = offsetof(fake_curl, radius),
     .fallback = {0.01}, .low = 0, .high = 0.5},
};
static const coif_param FAKE_IMAGE_ROWS[] = {
    COIF_PARAM_ROW(fake_image_map, file, COIF_PARAM_PATH, "picture", "", 0, 0, 0),
};
// clang-format on

static const char *const FAKE_NAME_REQUIRED[] = {"name", NULL};
static const char *const FAKE_BODY_REQUIRED[] = {"name", "mesh", NULL};
static const char *const FAKE_GROOM_REQUIRED[] = {"name", "body", NULL};
static const coif_reference FAKE_GROOM_REFERENCES[] = {{"body", "bodies"}, {NULL, NULL}};

#define FAKE_ROWS(table) .params = table, .param_count = COIF_COUNT_OF(table)

static const coif_section FAKE_MAPS = {
    .name = "maps",
    .help = "named scalp maps",
    .form = COIF_SECTION_ARRAY,
    FAKE_ROWS(FAKE_MAP_ROWS),
    .plugin_kind = COIF_KIND_MAP,
    .required = FAKE_NAME_REQUIRED,
    .unique = "name",
};
static const coif_section FAKE_MODIFIERS = {
    .name = "modifiers",
    .help = "what bends the strands, in order",
    .form = COIF_SECTION_ARRAY,
    .plugin_kind = COIF_KIND_GROOM,
};
static const coif_section FAKE_HAIR = {
    .name = "hair", .help = "colour and fibre", FAKE_ROWS(FAKE_HAIR_ROWS)};
static const coif_section *const FAKE_GROOM_CHILDREN[] = {&FAKE_MAPS, &FAKE_MODIFIERS, &FAKE_HAIR,
                                                          NULL};
static const coif_section FAKE_GROOMS = {
    .name = "grooms",
    .help = "hair",
    .form = COIF_SECTION_ARRAY,
    FAKE_ROWS(FAKE_GROOM_ROWS),
    .children = FAKE_GROOM_CHILDREN,
    .required = FAKE_GROOM_REQUIRED,
    .unique = "name",
    .references = FAKE_GROOM_REFERENCES,
};
static const coif_section FAKE_BODIES = {
    .name = "bodies",
    .help = "meshes",
    .form = COIF_SECTION_ARRAY,
    FAKE_ROWS(FAKE_BODY_ROWS),
    .required = FAKE_BODY_REQUIRED,
    .unique = "name",
};
static const coif_section FAKE_SIM = {
    .name = "sim", .help = "how hair moves", FAKE_ROWS(FAKE_SIM_ROWS)};
static const coif_section FAKE_FORCES = {
    .name = "forces",
    .help = "winds and pushes",
    .form = COIF_SECTION_ARRAY,
    .plugin_kind = COIF_KIND_FORCE,
};
static const coif_section *const FAKE_CHILDREN[] = {&FAKE_BODIES, &FAKE_GROOMS, &FAKE_SIM,
                                                    &FAKE_FORCES, NULL};
static const coif_section FAKE_TREE = {
    .name = "", .help = "a scene for tests", .children = FAKE_CHILDREN};

#define FAKE_PLUGIN(kind_, id_, table_, struct_)                                                   \
    {                                                                                              \
        .struct_size = sizeof(coif_plugin), .kind = kind_, .id = id_, .version = "1.0.0",          \
        .help = "does nothing", .params = table_, .param_count = COIF_COUNT_OF(table_),            \
        .param_stride = sizeof(coif_param), .params_size = sizeof(struct_)                         \
    }

static const coif_plugin FAKE_PLUGINS[] = {
    FAKE_PLUGIN(COIF_KIND_FORCE, "wind.gust", FAKE_WIND_ROWS, fake_wind),
    FAKE_PLUGIN(COIF_KIND_FORCE, "wind.calm", FAKE_WIND_ROWS, fake_wind),
    FAKE_PLUGIN(COIF_KIND_GROOM, "groom.curl", FAKE_CURL_ROWS, fake_curl),
    FAKE_PLUGIN(COIF_KIND_MAP, "density.image", FAKE_IMAGE_ROWS, fake_image_map),
};

static const coif_plugin *fake_plugin_at(void *data, int32_t index)
{
    (void)data;
    return index >= 0 && (size_t)index < COIF_COUNT_OF(FAKE_PLUGINS) ? &FAKE_PLUGINS[index] : NULL;
}

static const coif_plugin_lookup FAKE_LOOKUP = {.at = fake_plugin_at};

#endif
