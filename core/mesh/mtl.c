// Parser of MTL material files.
#include "core/mesh/mtl.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/log.h"
#include "core/mesh/obj_lines.h"
#include "core/mesh/parse_float.h"

#include <string.h>
#include <strings.h>

// Parser state.
typedef struct mtl_reader {
    coif_mtl *materials;
    const coif_string_table *names;
    coif_mtl *current;  // NULL for materials that the mesh does not use
    bool opacity_given; // d overrides Tr: some programs write both and mean d
    const char *folder;
    coif_arena *arena;
    int32_t invalid_lines;
} mtl_reader;

static char *skip_token(char *at)
{
    while (*at != '\0' && !coif_obj_blank(*at)) {
        ++at;
    }
    return at;
}

// Removes leading and trailing blanks.
static char *trim(char *at)
{
    at = coif_obj_skip_blanks(at);
    at[coif_obj_trimmed_length(at)] = '\0';
    return at;
}

// Parses up to three numbers; returns their count and sets rest to the following text.
static int read_numbers(float numbers[3], char *at, char **rest)
{
    int count = 0;
    for (*rest = coif_obj_skip_blanks(at); count < 3; *rest = coif_obj_skip_blanks(at)) {
        at = *rest;
        float number;
        const char *end = coif_parse_float(&number, at);
        if (end == NULL || (*end != '\0' && !coif_obj_blank(*end)) || !isfinite(number)) {
            break;
        }
        numbers[count++] = number;
        at += end - at;
    }
    return count;
}

// A single number is a grey.
static void read_color(mtl_reader *reader, coif_vec3 *color, char *at)
{
    float numbers[3];
    char *rest;
    const int count = read_numbers(numbers, at, &rest);
    if (count == 3) {
        *color = (coif_vec3){numbers[0], numbers[1], numbers[2]};
    } else if (count == 1 && *rest == '\0') {
        *color = (coif_vec3){numbers[0], numbers[0], numbers[0]};
    } else {
        ++reader->invalid_lines;
    }
}

static bool read_value(mtl_reader *reader, float *value, char *at)
{
    float numbers[3];
    char *rest;
    if (read_numbers(numbers, at, &rest) == 0) {
        ++reader->invalid_lines;
        return false;
    }
    *value = numbers[0];
    return true;
}

// Number of arguments of a map option; -1: one to three numbers.
static int option_arguments(const char *option)
{
    static const struct {
        const char *name;
        int words;
    } OPTIONS[] = {
        {"-s", -1},     {"-o", -1},     {"-t", -1},      {"-mm", 2},      {"-bm", 1},
        {"-blendu", 1}, {"-blendv", 1}, {"-boost", 1},   {"-cc", 1},      {"-clamp", 1},
        {"-texres", 1}, {"-type", 1},   {"-imfchan", 1}, {"-channel", 1}, {"-colorspace", 1},
    };
    const size_t length = strcspn(option, " \t\r");
    for (size_t i = 0; i < COIF_COUNT_OF(OPTIONS); ++i) {
        if (strlen(OPTIONS[i].name) == length &&
            strncasecmp(option, OPTIONS[i].name, length) == 0) {
            return OPTIONS[i].words;
        }
    }
    return 0; // not an option: a file name that begins with a dash
}

// Applies the supported map options.
static void apply_option(coif_mtl *material, const char *option, char *at)
{
    float numbers[3];
    char *rest;
    if (strncasecmp(option, "-bm", 3) == 0 && read_numbers(numbers, at, &rest) > 0) {
        material->bump_scale = numbers[0];
    } else if (strncasecmp(option, "-clamp", 6) == 0 && strncasecmp(at, "on", 2) == 0) {
        material->clamp = true;
    }
}

static char *skip_options(coif_mtl *material, char *at)
{
    for (at = coif_obj_skip_blanks(at); *at == '-'; at = coif_obj_skip_blanks(at)) {
        const char *option = at;
        int words = option_arguments(at);
        if (words == 0) {
            break;
        }
        at = coif_obj_skip_blanks(skip_token(at));
        apply_option(material, option, at);
        if (words < 0) {
            float numbers[3];
            read_numbers(numbers, at, &at);
        }
        for (; words > 0; --words) {
            at = coif_obj_skip_blanks(skip_token(at));
        }
    }
    return at;
}

// Converts backslashes and removes quotes around file names.
static char *clean_path(char *at)
{
    at = trim(at);
    const size_t length = strlen(at);
    if (length >= 2 && at[0] == '"' && at[length - 1] == '"') {
        at[length - 1] = '\0';
        ++at;
    }
    for (char *slash = at; (slash = strchr(slash, '\\')) != NULL;) {
        *slash = '/';
    }
    return at;
}

static void read_map(mtl_reader *reader, const char **map, char *at)
{
    at = clean_path(skip_options(reader->current, at));
    if (*at == '\0') {
        ++reader->invalid_lines;
        return;
    }
    *map = coif_path_join(reader->folder, at, reader->arena);
}

static void read_opacity(mtl_reader *reader, bool transparency, char *at)
{
    at = coif_obj_skip_blanks(at);
    if (strncasecmp(at, "-halo", 5) == 0) {
        at += 5;
    }
    float value;
    if (!read_value(reader, &value, at) || (transparency && reader->opacity_given)) {
        return;
    }
    reader->current->opacity = coif_clamp(transparency ? 1.0f - value : value, 0.0f, 1.0f);
    reader->opacity_given = reader->opacity_given || !transparency;
}

static void begin_material(mtl_reader *reader, char *at)
{
    at = trim(at);
    const int32_t index = coif_string_table_find(reader->names, at, strlen(at));
    reader->current = index < 0 ? NULL : &reader->materials[index];
    reader->opacity_given = false;
}

// Parses a property line of the current material.
static void read_property(mtl_reader *reader, const char *keyword, char *at)
{
    coif_mtl *material = reader->current;
    const struct {
        const char *keyword;
        coif_vec3 *color;
        float *value;
        const char **map;
    } properties[] = {
        {"Kd", &material->diffuse, NULL, NULL},
        {"Ks", &material->specular, NULL, NULL},
        {"Ke", &material->emission, NULL, NULL},
        {"Ns", NULL, &material->shininess, NULL},
        {"Ni", NULL, &material->ior, NULL},
        {"map_Kd", NULL, NULL, &material->diffuse_map},
        {"map_Ks", NULL, NULL, &material->specular_map},
        {"map_Ke", NULL, NULL, &material->emission_map},
        {"map_d", NULL, NULL, &material->opacity_map},
        {"map_Bump", NULL, NULL, &material->bump_map},
        {"bump", NULL, NULL, &material->bump_map},
        {"norm", NULL, NULL, &material->normal_map},
        {"Pr", NULL, &material->roughness, NULL},
        {"Pm", NULL, &material->metallic, NULL},
        {"Ps", NULL, &material->sheen, NULL},
        {"map_Pr", NULL, NULL, &material->roughness_map},
        {"map_Pm", NULL, NULL, &material->metallic_map},
    };
    for (size_t i = 0; i < COIF_COUNT_OF(properties); ++i) {
        if (strcasecmp(keyword, properties[i].keyword) != 0) {
            continue;
        }
        if (properties[i].color != NULL) {
            read_color(reader, properties[i].color, at);
        } else if (properties[i].value != NULL) {
            read_value(reader, properties[i].value, at);
        } else {
            read_map(reader, properties[i].map, at);
        }
        return;
    }
    if (strcmp(keyword, "d") == 0 || strcmp(keyword, "Tr") == 0) {
        read_opacity(reader, *keyword == 'T', at);
    } else if (strcasecmp(keyword, "illum") == 0) {
        float value = -1.0f;
        material->illum =
            read_value(reader, &value, at) && value >= 0.0f && value < 100.0f ? (int32_t)value : -1;
    }
}

static void read_line(mtl_reader *reader, char *line)
{
    char *keyword = coif_obj_skip_blanks(line);
    if (*keyword == '\0' || *keyword == '#') {
        return;
    }
    char *at = skip_token(keyword);
    if (*at != '\0') {
        *at++ = '\0';
    }
    if (strcmp(keyword, "newmtl") == 0) {
        begin_material(reader, at);
    } else if (reader->current != NULL) {
        read_property(reader, keyword, at);
    }
}

coif_mtl coif_mtl_default(const char *name)
{
    return (coif_mtl){.name = name,
                      .diffuse = {0.8f, 0.8f, 0.8f},
                      .specular = {-1.0f, -1.0f, -1.0f},
                      .shininess = -1.0f,
                      .opacity = 1.0f,
                      .ior = 1.5f,
                      .roughness = -1.0f,
                      .metallic = -1.0f,
                      .sheen = -1.0f,
                      .illum = -1,
                      .bump_scale = 1.0f};
}

void coif_mtl_read(coif_mtl *materials, const coif_string_table *names, char *text,
                   const char *path, coif_arena *arena)
{
    mtl_reader reader = {.materials = materials,
                         .names = names,
                         .folder = coif_path_folder(path, arena),
                         .arena = arena};
    while (text != NULL && *text != '\0') {
        char *newline = strpbrk(text, "\r\n");
        if (newline != NULL) {
            *newline++ = '\0';
        }
        read_line(&reader, text);
        text = newline;
    }
    if (reader.invalid_lines > 0) {
        coif_log(COIF_LOG_WARNING, "%s: %d invalid lines ignored", path, reader.invalid_lines);
    }
}

// The text is freed after parsing; paths are allocated in arena.
static void load_file(coif_mtl *materials, const coif_string_table *names, const char *path,
                      coif_arena *arena)
{
    COIF_SCOPED_ARENA(scratch, "materials");
    coif_error error = {.status = COIF_OK};
    char *text;
    size_t size;
    if (coif_file_load(&text, &size, path, &scratch, &error) == COIF_OK) {
        coif_mtl_read(materials, names, text, path, arena);
    } else {
        coif_log(COIF_LOG_WARNING, "%s; using default materials", error.text);
    }
}

// Falls back to the directory of the OBJ file for paths of another machine.
static char *find_file(const char *name, const char *folder, coif_arena *arena)
{
    char *path = coif_path_join(folder, name, arena);
    if (!coif_path_exists(path)) {
        char *local = coif_path_join(folder, coif_path_name(name), arena);
        path = coif_path_exists(local) ? local : path;
    }
    return path;
}

// End of the first file name of a line with several: after the extension .mtl.
static char *end_of_name(char *at)
{
    for (char *dot = strchr(at, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
        if (strncasecmp(dot, ".mtl", 4) == 0 && (dot[4] == '\0' || coif_obj_blank(dot[4]))) {
            return dot + 4;
        }
    }
    return at + strlen(at);
}

void coif_mtl_load(coif_mtl *materials, const coif_string_table *names, const char *library,
                   const char *obj_path, coif_arena *arena)
{
    const char *folder = coif_path_folder(obj_path, arena);
    char *rest = clean_path(coif_arena_copy_text(arena, library));
    char *single = find_file(rest, folder, arena);
    if (coif_path_exists(single)) {
        load_file(materials, names, single, arena);
        return;
    }
    while (*rest != '\0') {
        char *end = end_of_name(rest);
        const bool last = *end == '\0';
        *end = '\0';
        load_file(materials, names, find_file(clean_path(rest), folder, arena), arena);
        rest = last ? end : coif_obj_skip_blanks(end + 1);
    }
}
