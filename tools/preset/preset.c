#include "tools/preset/preset.h"

#include "core/base/arena.h"
#include "core/base/deterministic_math.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/strbuf.h"
#include "core/mesh/parse_float.h"
#include "sim/groom/groom_params.h"
#include "sim/run/constraint_params.h"

#include <math.h>
#include <string.h>

coif_bounds coif_group_bounds(const coif_mesh *mesh, const char *group)
{
    const bool all = group == NULL || group[0] == '\0';
    const int32_t wanted = all ? -1 : coif_mesh_find_group(mesh, group);
    coif_bounds box = coif_bounds_empty();
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        if (all || mesh->groups[c / 3] == wanted) {
            coif_bounds_add(&box, mesh->positions[mesh->indices[c]]);
        }
    }
    return box;
}

// Mapping between two boxes: x' = offset + ratio x per axis.
typedef struct fit {
    double ratio[3], offset[3];
    double scale; // of lengths
} fit;

static fit fit_of(const coif_bounds *from, const coif_bounds *to)
{
    const float *a = &from->low.x, *b = &from->high.x, *c = &to->low.x, *d = &to->high.x;
    fit map = {.scale = 1.0};
    for (int axis = 0; axis < 3; ++axis) {
        map.ratio[axis] = (double)(d[axis] - c[axis]) / (double)(b[axis] - a[axis]);
        map.offset[axis] = (double)c[axis] - map.ratio[axis] * (double)a[axis];
        map.scale *= map.ratio[axis];
    }
    map.scale = coif_det_cbrt(map.scale);
    return map;
}

static bool is_identity(const fit *map)
{
    bool same = true;
    for (int axis = 0; axis < 3; ++axis) {
        same &= fabs(map->ratio[axis] - 1.0) < 1e-6 && fabs(map->offset[axis]) < 1e-7;
    }
    return same;
}

// What a parameter is in space: COORDINATE + axis for a coordinate.
enum { PLAIN, LENGTH, PER_AREA, POSITION, EXTENT, POLYLINE, COORDINATE };

static int role_of(const coif_param *row)
{
    const char *unit = row->unit != NULL ? row->unit : "";
    const size_t size = strlen(row->name);
    if (strcmp(unit, "1/cm2") == 0) {
        return PER_AREA;
    }
    if (strcmp(unit, "m") != 0) {
        return PLAIN;
    }
    if (row->type == COIF_PARAM_VEC3) {
        return size > 5 && strcmp(row->name + size - 5, "_size") == 0 ? EXTENT : POSITION;
    }
    if (row->type == COIF_PARAM_STRING) {
        return POLYLINE;
    }
    const bool coordinate = size > 2 && row->name[size - 2] == '_' && row->name[size - 1] >= 'x' &&
                            row->name[size - 1] <= 'z';
    return coordinate ? COORDINATE + (row->name[size - 1] - 'x') : LENGTH;
}

// Text being written, with the source of raw values.
typedef struct writer {
    coif_strbuf *out;
    const char *source;
    const fit *map;
    const coif_plugin_lookup *plugins;
} writer;

static void put_raw(const writer *w, const coif_json *value)
{
    coif_strbuf_add_bytes(w->out, w->source + value->begin, value->end - value->begin);
}

static double mapped(const fit *map, double number, int role)
{
    switch (role) {
    case LENGTH:
        return map->scale * number;
    case PER_AREA:
        return number / (map->scale * map->scale);
    case PLAIN:
        return number;
    default:
        return map->offset[role - COORDINATE] + map->ratio[role - COORDINATE] * number;
    }
}

static void put_number(const writer *w, double number, int role)
{
    coif_strbuf_print(w->out, "%.6g", mapped(w->map, number, role));
}

// role: POSITION, or EXTENT of the edges of a box.
static void put_vector(const writer *w, const double *numbers, int role)
{
    for (int axis = 0; axis < 3; ++axis) {
        coif_strbuf_add(w->out, axis == 0 ? "[" : ", ");
        if (role == EXTENT) {
            put_number(w, w->map->ratio[axis] * numbers[axis], PLAIN);
        } else {
            put_number(w, numbers[axis], COORDINATE + axis);
        }
    }
    coif_strbuf_add(w->out, "]");
}

// "x y z, x y z, ..."; scenes are validated, so that every word is a number.
static void put_polyline(const writer *w, const char *text)
{
    coif_strbuf_add(w->out, "\"");
    for (int word = 0; *text != '\0'; ++word) {
        float number;
        const char *end = coif_parse_float(&number, text + strspn(text, " ,\t\n"));
        if (end == NULL) {
            break;
        }
        coif_strbuf_add(w->out, word == 0 ? "" : word % 3 == 0 ? ", " : " ");
        put_number(w, (double)number, COORDINATE + word % 3);
        text = end;
    }
    coif_strbuf_add(w->out, "\"");
}

static void put_value(const writer *w, const coif_json *value, int role);

// The forms of a value: {"keys": [[frame, value], ...]}, {"map": name, "range": [value, value]},
// {"value": value, "ramp": [...]}.
static void put_form(const writer *w, const coif_json *value, int role)
{
    coif_strbuf_add(w->out, "{");
    for (const coif_json *member = value->child; member != NULL; member = member->next) {
        const bool keys = strcmp(member->key, "keys") == 0,
                   range = strcmp(member->key, "range") == 0;
        coif_strbuf_print(w->out, "%s\"%s\": ", member == value->child ? "" : ", ", member->key);
        if (!keys && !range) {
            const bool own = strcmp(member->key, "value") == 0;
            put_value(w, member, own ? role : PLAIN);
            continue;
        }
        for (const coif_json *each = member->child; each != NULL; each = each->next) {
            coif_strbuf_add(w->out, each == member->child ? "[" : ", ");
            if (range) {
                put_value(w, each, role);
            } else {
                coif_strbuf_print(w->out, "[%.9g, ", each->child->number);
                put_value(w, each->child->next, role);
                coif_strbuf_add(w->out, "]");
            }
        }
        coif_strbuf_add(w->out, "]");
    }
    coif_strbuf_add(w->out, "}");
}

static void put_value(const writer *w, const coif_json *value, int role)
{
    if (role == PLAIN) {
        put_raw(w, value);
    } else if (value->kind == COIF_JSON_OBJECT) {
        put_form(w, value, role);
    } else if (value->kind == COIF_JSON_NUMBER && role != POSITION && role != EXTENT) {
        put_number(w, value->number, role);
    } else if (value->kind == COIF_JSON_STRING && role == POLYLINE) {
        put_polyline(w, value->text);
    } else if (value->kind == COIF_JSON_ARRAY && value->child_count == 3 &&
               (role == POSITION || role == EXTENT)) {
        const coif_json *x = value->child;
        put_vector(w, (double[]){x->number, x->next->number, x->next->next->number}, role);
    } else {
        put_raw(w, value);
    }
}

static const coif_param *find_row(const coif_param *rows, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(rows[i].name, name) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

// The members of an object whose keys are described by rows.
static void put_members(const writer *w, const coif_json *entry, const coif_param *rows,
                        uint32_t count)
{
    for (const coif_json *member = entry->child; member != NULL; member = member->next) {
        const coif_param *row = find_row(rows, count, member->key);
        coif_strbuf_print(w->out, "%s\"%s\": ", member == entry->child ? "" : ", ", member->key);
        put_value(w, member, row != NULL ? role_of(row) : PLAIN);
    }
}

static const coif_plugin *find_plugin(const coif_plugin_lookup *plugins, const char *id)
{
    const coif_plugin *plugin;
    for (int32_t i = 0; (plugin = plugins->at(plugins->data, i)) != NULL; ++i) {
        if (strcmp(plugin->id, id) == 0) {
            return plugin;
        }
    }
    return NULL;
}

// A map or a modifier; its defaults are written too where they are positions or lengths.
static coif_status put_plugin(const writer *w, const coif_preset *preset, const coif_json *entry,
                              coif_error *error)
{
    const coif_json *id = coif_json_find(entry, "plugin");
    const coif_plugin *plugin =
        id != NULL && id->kind == COIF_JSON_STRING ? find_plugin(w->plugins, id->text) : NULL;
    if (plugin == NULL) {
        return coif_fail(error, COIF_ERR_SCENE, "%s: unknown plugin \"%s\"; see coif plugins",
                         preset->path, id != NULL && id->text != NULL ? id->text : "");
    }
    coif_strbuf_add(w->out, "{");
    put_members(w, entry, plugin->params, plugin->param_count);
    for (uint32_t i = 0; i < plugin->param_count && !is_identity(w->map); ++i) {
        const coif_param *row = &plugin->params[i];
        const int role = role_of(row);
        if (coif_json_find(entry, row->name) != NULL || role == PLAIN || role == POLYLINE ||
            (role != POSITION && role != EXTENT && row->fallback[0] == 0.0 && role < COORDINATE)) {
            continue;
        }
        coif_strbuf_print(w->out, ", \"%s\": ", row->name);
        if (role == POSITION || role == EXTENT) {
            put_vector(w, row->fallback, role);
        } else {
            put_number(w, row->fallback[0], role);
        }
    }
    coif_strbuf_add(w->out, "}");
    return COIF_OK;
}

static coif_status put_groom(const writer *w, const coif_preset *preset, const coif_json *groom,
                             const coif_preset_head *head, coif_arena *arena, coif_error *error)
{
    coif_strbuf_print(w->out, "    {\n      \"body\": %s,\n      \"group\": %s",
                      coif_json_quote(head->body, arena), coif_json_quote(head->group, arena));
    for (const coif_json *member = groom->child; member != NULL; member = member->next) {
        coif_strbuf_print(w->out, ",\n      \"%s\": ", member->key);
        const bool constraints = strcmp(member->key, "constraints") == 0;
        if (constraints || strcmp(member->key, "maps") == 0 ||
            strcmp(member->key, "modifiers") == 0) {
            for (const coif_json *each = member->child; each != NULL; each = each->next) {
                coif_strbuf_add(w->out, each == member->child ? "[\n        " : ",\n        ");
                if (!constraints) {
                    COIF_TRY(put_plugin(w, preset, each, error));
                    continue;
                }
                coif_strbuf_add(w->out, "{");
                put_members(w, each, COIF_CONSTRAINTS_SECTION.params,
                            COIF_CONSTRAINTS_SECTION.param_count);
                coif_strbuf_add(w->out, "}");
            }
            coif_strbuf_add(w->out, member->child == NULL ? "[]" : "\n      ]");
            continue;
        }
        // The radius of a fibre does not depend on the size of the head.
        const coif_param *row = find_row(COIF_GROOM_PARAMS, COIF_GROOM_PARAM_COUNT, member->key);
        const bool fibre = strcmp(member->key, "radius") == 0;
        put_value(w, member, row != NULL && !fibre ? role_of(row) : PLAIN);
    }
    static const char *const defaults[] = {"length", "clearance"};
    for (int i = 0; i < 2 && !is_identity(w->map); ++i) {
        const coif_param *row = find_row(COIF_GROOM_PARAMS, COIF_GROOM_PARAM_COUNT, defaults[i]);
        if (coif_json_find(groom, row->name) == NULL) {
            coif_strbuf_print(w->out, ",\n      \"%s\": ", row->name);
            put_number(w, row->fallback[0], LENGTH);
        }
    }
    coif_strbuf_add(w->out, "\n    }");
    return COIF_OK;
}

static void put_position(coif_strbuf *out, coif_vec3 middle, float unit, float x, float y, float z)
{
    coif_strbuf_print(out, "[%.4g, %.4g, %.4g]", (double)(middle.x + unit * x),
                      (double)(middle.y + unit * y), (double)(middle.z + unit * z));
}

// A portrait of a head that faces z, in units of the height of its scalp.
static void put_view(coif_strbuf *out, const coif_bounds *box)
{
    static const struct {
        const char *name;
        float x, y, z, width, height, intensity;
        const char *color;
    } lights[] = {{"key", 3.6f, 2.8f, 4.2f, 2.3f, 2.3f, 22.0f, "[1, 0.96, 0.9]"},
                  {"top", -1.3f, 5.2f, 0.9f, 4.0f, 1.4f, 9.0f, "[1, 0.98, 0.95]"},
                  {"rim", -4.0f, 2.2f, -3.2f, 1.8f, 4.4f, 22.0f, "[0.92, 0.96, 1]"},
                  {"fill", -5.2f, 0.9f, 4.4f, 5.2f, 5.2f, 2.5f, "[0.85, 0.92, 1]"}};
    const float unit = box->high.y - box->low.y;
    const coif_vec3 middle = coif_scale(coif_add(box->low, box->high), 0.5f);
    coif_strbuf_add(out, "  \"camera\": {\"position\": ");
    put_position(out, middle, unit, 1.9f, 0.0f, 6.2f);
    coif_strbuf_add(out, ", \"look_at\": ");
    put_position(out, middle, unit, 0.0f, -0.4f, 0.0f);
    coif_strbuf_add(out, ", \"fov\": 24},\n  \"lights\": [\n");
    for (size_t i = 0; i < COIF_COUNT_OF(lights); ++i) {
        coif_strbuf_print(
            out, "    {\"name\": \"%s\", \"type\": \"rectangle\", \"position\": ", lights[i].name);
        put_position(out, middle, unit, lights[i].x, lights[i].y, lights[i].z);
        coif_strbuf_add(out, ", \"look_at\": ");
        put_position(out, middle, unit, 0.0f, -0.2f, 0.0f);
        coif_strbuf_print(
            out, ", \"width\": %.3g, \"height\": %.3g, \"intensity\": %g, \"color\": %s},\n",
            (double)(unit * lights[i].width), (double)(unit * lights[i].height),
            (double)lights[i].intensity, lights[i].color);
    }
    coif_strbuf_add(out,
                    "    {\"name\": \"sky\", \"type\": \"environment\", \"color\": [0.8, 0.88, "
                    "1], \"intensity\": 0.3}\n  ],\n"
                    "  \"image\": {\"width\": 720, \"height\": 720, \"samples\": 64, "
                    "\"denoise\": true, \"view_transform\": \"filmic\", \"background\": [0.07, "
                    "0.072, 0.078]}\n");
}

coif_status coif_preset_grooms(char **text, const coif_preset *preset, const coif_preset_head *head,
                               const coif_plugin_lookup *plugins, coif_arena *arena,
                               coif_error *error)
{
    coif_strbuf out;
    coif_strbuf_init(&out, arena);
    const fit map = fit_of(&preset->reference, &head->growth);
    const writer w = {&out, preset->source, &map, plugins};
    const coif_json *grooms = coif_json_find(preset->root, "grooms");
    for (const coif_json *groom = grooms->child; groom != NULL; groom = groom->next) {
        coif_strbuf_add(&out, groom == grooms->child ? "" : ",\n");
        COIF_TRY(put_groom(&w, preset, groom, head, arena, error));
    }
    *text = out.data;
    return COIF_OK;
}

coif_status coif_preset_scene(char **text, const coif_preset *preset, const coif_preset_head *head,
                              const coif_plugin_lookup *plugins, coif_arena *arena,
                              coif_error *error)
{
    coif_strbuf out;
    coif_strbuf_init(&out, arena);
    const fit map = fit_of(&preset->reference, &head->growth);
    const writer w = {&out, preset->source, &map, plugins};
    char *grooms;
    COIF_TRY(coif_preset_grooms(&grooms, preset, head, plugins, arena, error));
    coif_strbuf_print(&out,
                      "{\n  \"coif\": 1,\n  \"comment\": %s,\n  \"bodies\": [\n    {\"name\": %s, "
                      "\"mesh\": %s, \"scale\": %.7g%s, \"material\": {\"type\": \"skin\", "
                      "\"color\": [0.44, 0.3, "
                      "0.235], \"roughness\": 0.5}}\n  ],\n"
                      "  \"grooms\": [\n",
                      coif_json_quote(preset->help, arena), coif_json_quote(head->body, arena),
                      coif_json_quote(head->mesh, arena), (double)head->scale,
                      head->body_members != NULL ? head->body_members : "");
    coif_strbuf_add(&out, grooms);
    coif_strbuf_add(&out, "\n  ],\n");
    const coif_json *sim = coif_json_find(preset->root, "sim");
    if (sim != NULL) {
        coif_strbuf_add(&out, "  \"sim\": ");
        put_raw(&w, sim);
        coif_strbuf_add(&out, ",\n");
    }
    put_view(&out, &head->growth);
    coif_strbuf_add(&out, "}\n");
    *text = out.data;
    return COIF_OK;
}

// Whether a groom of the scene's text grows on that group of that body.
static bool grows_on(const coif_json *groom, const char *body, const char *group)
{
    const coif_json *own_body = coif_json_find(groom, "body");
    const coif_json *own_group = coif_json_find(groom, "group");
    return own_body != NULL && own_body->text != NULL && strcmp(own_body->text, body) == 0 &&
           strcmp(own_group != NULL && own_group->text != NULL ? own_group->text : "", group) == 0;
}

// Image of a map or of a {"texture": ...} value below a value; NULL without one.
static const char *find_image(const coif_json *value)
{
    const char *found = NULL;
    for (const coif_json *at = value->child; at != NULL && found == NULL; at = at->next) {
        const bool named = at->key != NULL && at->kind == COIF_JSON_STRING &&
                           (strcmp(at->key, "path") == 0 || strcmp(at->key, "texture") == 0);
        found = named ? at->text : find_image(at);
    }
    return found;
}

// Files belong to one mesh.
static coif_status check_portable(const coif_scene *scene, const coif_json *groom,
                                  coif_error *error)
{
    static const char *const files[] = {"file", "guides"};
    for (int i = 0; i < 2; ++i) {
        if (coif_json_find(groom, files[i]) != NULL) {
            return coif_fail(error, COIF_ERR_SCENE,
                             "%s: groom %s: \"%s\" names a file that belongs to one mesh; a preset "
                             "describes hair by parameters",
                             scene->path, coif_json_find(groom, "name")->text, files[i]);
        }
    }
    const char *image = find_image(groom);
    if (image != NULL) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: groom %s: \"%s\" is an image over the texture coordinates of one "
                         "mesh; use density.border, density.hairline or another map of positions",
                         scene->path, coif_json_find(groom, "name")->text, image);
    }
    return COIF_OK;
}

coif_status coif_preset_of_scene(char **text, const coif_scene *scene, const char *body,
                                 const char *group, const coif_mesh *mesh, coif_arena *arena,
                                 coif_error *error)
{
    coif_json *root;
    COIF_TRY(
        coif_json_parse(&root, scene->path, scene->source, strlen(scene->source), arena, error));
    const coif_bounds box = coif_group_bounds(mesh, group);
    const coif_json *comment = coif_json_find(root, "comment");
    coif_strbuf out;
    coif_strbuf_init(&out, arena);
    const writer w = {&out, scene->source, NULL, NULL};
    coif_strbuf_print(
        &out,
        "{\n  \"coif_preset\": 1,\n  \"help\": %s,\n  \"reference\": {\"min\": [%.6g, "
        "%.6g, %.6g], \"max\": [%.6g, %.6g, %.6g]},\n  \"grooms\": [",
        coif_json_quote(comment != NULL && comment->text != NULL ? comment->text : "", arena),
        (double)box.low.x, (double)box.low.y, (double)box.low.z, (double)box.high.x,
        (double)box.high.y, (double)box.high.z);
    int32_t count = 0;
    const coif_json *grooms = coif_json_find(root, "grooms");
    for (const coif_json *groom = grooms->child; groom != NULL; groom = groom->next) {
        if (!grows_on(groom, body, group)) {
            continue;
        }
        COIF_TRY(check_portable(scene, groom, error));
        coif_strbuf_add(&out, count++ == 0 ? "\n    {" : ",\n    {");
        const char *separator = "\n      ";
        for (const coif_json *member = groom->child; member != NULL; member = member->next) {
            if (strcmp(member->key, "body") != 0 && strcmp(member->key, "group") != 0) {
                coif_strbuf_print(&out, "%s\"%s\": ", separator, member->key);
                put_raw(&w, member);
                separator = ",\n      ";
            }
        }
        coif_strbuf_add(&out, "\n    }");
    }
    if (count == 0) {
        return coif_fail(error, COIF_ERR_SCENE, "%s: no groom grows on group \"%s\" of body \"%s\"",
                         scene->path, group, body);
    }
    coif_strbuf_add(&out, "\n  ]");
    const coif_json *sim = coif_json_find(root, "sim");
    if (sim != NULL) {
        coif_strbuf_add(&out, ",\n  \"sim\": ");
        put_raw(&w, sim);
    }
    coif_strbuf_add(&out, "\n}\n");
    *text = out.data;
    return COIF_OK;
}
