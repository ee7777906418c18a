#include "tools/studio/server/document/mesh_import.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/body/body_archive.h"
#include "core/json/json_writer.h"
#include "core/mesh/mesh_build.h"
#include "core/mesh/obj_write.h"
#include "core/mesh/unwrap.h"

#include <dirent.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

// ---- reading

coif_status coif_mesh_source_read(coif_mesh_source *source, const char *path, const char *object,
                                  coif_arena *arena, coif_error *error)
{
    *source = (coif_mesh_source){.path = path, .object = object != NULL ? object : ""};
    if (!coif_archive_is_archive(path)) {
        return coif_obj_load(&source->obj, path, arena, error);
    }
    coif_body_archive archive;
    COIF_TRY(coif_body_archive_open(&archive, path, source->object, NULL, 24.0, arena, error));
    int first, last;
    coif_body_archive_frames(&first, &last, &archive);
    source->animated = archive.archive->objects[archive.object].sample_count > 1;
    return coif_body_archive_read(&source->obj, &archive, first, arena, error);
}

static void write_names(coif_json_writer *out, const char *key, const char *const *names,
                        int32_t count)
{
    coif_write_open(out, key, "[");
    for (int32_t i = 0; i < count; ++i) {
        coif_write_text(out, NULL, names[i]);
    }
    coif_write_close(out, "]");
}

static void write_header(coif_strbuf *out, const coif_mesh *mesh, const coif_mesh_source *source,
                         coif_arena *arena)
{
    coif_json_writer json;
    coif_json_writer_init(&json, arena);
    coif_write_open(&json, NULL, "{");
    coif_write_text(&json, "name", coif_path_name(source->path));
    coif_write_number(&json, "vertices", mesh->vertex_count);
    coif_write_number(&json, "triangles", mesh->triangle_count);
    coif_write_raw(&json, "uvs", mesh->uvs != NULL ? "true" : "false");
    coif_write_raw(&json, "animated", source->animated ? "true" : "false");
    coif_write_raw(&json, "archive", coif_archive_is_archive(source->path) ? "true" : "false");
    write_names(&json, "groups", mesh->group_names, mesh->group_count);
    write_names(&json, "materials", source->obj.material_names.names,
                source->obj.material_names.count);
    coif_write_close(&json, "}");
    while (json.text.size % 4 != 0) {
        coif_strbuf_add(&json.text, " ");
    }
    const uint32_t size = (uint32_t)json.text.size;
    coif_strbuf_add_bytes(out, (const char *)&size, sizeof size);
    coif_strbuf_add_bytes(out, json.text.data, json.text.size);
}

coif_status coif_mesh_source_pack(coif_strbuf *out, const coif_mesh_source *source,
                                  coif_arena *arena, coif_error *error)
{
    coif_mesh mesh;
    COIF_TRY(coif_mesh_build(&mesh, &source->obj,
                             &(coif_mesh_file){source->path, &COIF_MESH_ALL_TRIANGLES}, arena,
                             error));
    if (mesh.triangle_count == 0) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: no faces", source->path);
    }
    const size_t triangles = (size_t)mesh.triangle_count;
    write_header(out, &mesh, source, arena);
    coif_strbuf_add_bytes(out, (const char *)mesh.positions,
                          sizeof(coif_vec3) * (size_t)mesh.vertex_count);
    coif_strbuf_add_bytes(out, (const char *)mesh.indices, 3 * sizeof(int32_t) * triangles);
    coif_strbuf_add_bytes(out, (const char *)mesh.normals, 3 * sizeof(coif_vec3) * triangles);
    if (mesh.uvs != NULL) {
        coif_strbuf_add_bytes(out, (const char *)mesh.uvs, 3 * sizeof(coif_vec2) * triangles);
    }
    coif_strbuf_add_bytes(out, (const char *)mesh.groups, sizeof(int32_t) * triangles);
    coif_strbuf_add_bytes(out, (const char *)mesh.materials, sizeof(int32_t) * triangles);
    return COIF_OK;
}

// ---- the parts of the body

enum { LEFT_OUT, BODY, SCALP };

typedef struct import_state {
    const coif_mesh_import *import;
    coif_mesh_source source;
    uint8_t *parts;      // per face
    int32_t count[3];    // of faces
    coif_bounds growth;  // of the scalp, m
    const char *mesh;    // as the scene names it
    const char *group;   // of the scalp
    const char *members; // of the body, see coif_preset_head
    coif_arena *arena;
} import_state;

// Per name of the table: whether the list has it. Unknown names are an error.
static coif_status select_names(bool **selected, const coif_string_table *names,
                                const coif_name_list *list, const import_state *state,
                                coif_error *error)
{
    *selected = coif_arena_new(state->arena, names->count + 1, bool);
    for (int32_t i = 0; i < list->count; ++i) {
        const char *name = list->names[i];
        const int32_t found = coif_string_table_find(names, name, strlen(name));
        if (found < 0) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "%s: no group or material \"%s\"",
                             coif_path_name(state->source.path), name);
        }
        (*selected)[found] = true;
    }
    return COIF_OK;
}

// Whether the centre of a face is above all planes.
static bool is_above(const coif_obj *obj, int32_t face, const coif_mesh_import *import)
{
    coif_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int32_t c = obj->first[face]; c < obj->first[face + 1]; ++c) {
        sum = coif_add(sum, obj->positions[obj->corners[c].position]);
    }
    const float corners = (float)(obj->first[face + 1] - obj->first[face]);
    for (int32_t i = 0; i < import->plane_count; ++i) {
        const float *plane = import->planes[i];
        const coif_vec3 normal = coif_vec3_of(plane[0], plane[1], plane[2]);
        if (!(coif_dot(sum, normal) > plane[3] * corners)) {
            return false;
        }
    }
    return true;
}

static coif_status divide(import_state *state, coif_error *error)
{
    const coif_mesh_import *import = state->import;
    coif_obj *obj = &state->source.obj;
    bool *left_out[2], *scalp[2];
    const coif_string_table *tables[2] = {&obj->group_names, &obj->material_names};
    for (int i = 0; i < 2; ++i) {
        COIF_TRY(select_names(&left_out[i], tables[i], &import->left_out[i], state, error));
        COIF_TRY(select_names(&scalp[i], tables[i], &import->scalp[i], state, error));
    }
    state->parts = coif_arena_new(state->arena, obj->face_count + 1, uint8_t);
    state->growth = coif_bounds_empty();
    for (int32_t f = 0; f < obj->face_count; ++f) {
        const int32_t group = obj->groups[f], material = obj->materials[f];
        const bool out = left_out[0][group] || (material >= 0 && left_out[1][material]);
        const bool chosen = scalp[0][group] || (material >= 0 && scalp[1][material]);
        const uint8_t part = out ? LEFT_OUT : chosen && is_above(obj, f, import) ? SCALP : BODY;
        state->parts[f] = part;
        ++state->count[part];
        for (int32_t c = obj->first[f]; part == SCALP && c < obj->first[f + 1]; ++c) {
            coif_bounds_add(&state->growth,
                            coif_scale(obj->positions[obj->corners[c].position], import->scale));
        }
    }
    const coif_vec3 size = coif_sub(state->growth.high, state->growth.low);
    if (state->count[SCALP] == 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "no face is chosen as scalp: tick a group or a material, or lower the "
                         "hairline");
    }
    return size.x > 0.0f && size.y > 0.0f && size.z > 0.0f
               ? COIF_OK
               : coif_fail(error, COIF_ERR_ARGUMENT, "the chosen scalp is flat");
}

// ---- the file as it is

// Names in the scene are separated by commas or tabs, and stand for groups and materials alike.
static bool can_be_listed(const coif_name_list *names, const coif_string_table *others)
{
    for (int32_t i = 0; i < names->count; ++i) {
        const char *name = names->names[i];
        if (strpbrk(name, ", \t") != NULL ||
            coif_string_table_find(others, name, strlen(name)) >= 0) {
            return false;
        }
    }
    return true;
}

// The group that the scalp is, "" for all of the body; NULL when it is neither.
static const char *single_group(const import_state *state)
{
    const coif_obj *obj = &state->source.obj;
    if (state->count[BODY] == 0) {
        return "";
    }
    int32_t group = -1;
    for (int32_t f = 0; f < obj->face_count; ++f) {
        if (state->parts[f] == SCALP && group != obj->groups[f]) {
            if (group >= 0) {
                return NULL;
            }
            group = obj->groups[f];
        }
    }
    for (int32_t f = 0; f < obj->face_count; ++f) {
        if (state->parts[f] == BODY && obj->groups[f] == group) {
            return NULL;
        }
    }
    return obj->group_names.names[group];
}

static bool is_usable(const import_state *state)
{
    const coif_mesh_import *import = state->import;
    const coif_obj *obj = &state->source.obj;
    return !import->unwrap && !import->z_up && state->group != NULL &&
           can_be_listed(&import->left_out[0], &obj->material_names) &&
           can_be_listed(&import->left_out[1], &obj->group_names);
}

static const char *join(const coif_name_list lists[2], coif_arena *arena)
{
    coif_strbuf text;
    coif_strbuf_init(&text, arena);
    for (int k = 0; k < 2; ++k) {
        for (int32_t i = 0; i < lists[k].count; ++i) {
            coif_strbuf_print(&text, "%s%s", text.size > 0 ? ", " : "", lists[k].names[i]);
        }
    }
    return text.data;
}

static void name_parts(import_state *state)
{
    const char *names = join(state->import->left_out, state->arena);
    const char *object = state->source.object;
    state->members = coif_arena_print(
        state->arena, "%s%s%s%s", names != NULL && names[0] != '\0' ? ", \"exclude_groups\": " : "",
        names != NULL && names[0] != '\0' ? coif_json_quote(names, state->arena) : "",
        object[0] != '\0' ? ", \"object\": " : "",
        object[0] != '\0' ? coif_json_quote(object, state->arena) : "");
}

// ---- a copy of the mesh

// Without the faces that are left out; those of the scalp are one group.
static void keep_parts(import_state *state)
{
    coif_obj *obj = &state->source.obj;
    const char *name = "scalp";
    for (int i = 2; coif_string_table_find(&obj->group_names, name, strlen(name)) >= 0; ++i) {
        name = coif_arena_print(state->arena, "scalp_%d", i);
    }
    const int32_t group =
        coif_string_table_intern(&obj->group_names, name, strlen(name), state->arena);
    int32_t faces = 0, corners = 0;
    for (int32_t f = 0; f < obj->face_count; ++f) {
        const uint8_t part = state->parts[f];
        if (part == LEFT_OUT) {
            continue;
        }
        const int32_t first = obj->first[f], size = obj->first[f + 1] - first;
        memmove(obj->corners + corners, obj->corners + first, (size_t)size * sizeof *obj->corners);
        state->parts[faces] = part;
        obj->groups[faces] = part == SCALP ? group : obj->groups[f];
        obj->materials[faces] = obj->materials[f];
        obj->first[faces++] = corners;
        corners += size;
    }
    obj->first[faces] = corners;
    obj->face_count = faces;
    obj->corner_count = corners;
    state->group = name;
}

// Vertices without faces would count in the bounds of other programs.
static void drop_unused_positions(coif_obj *obj, coif_arena *arena)
{
    int32_t *moved = coif_arena_new(arena, obj->position_count + 1, int32_t);
    int32_t count = 0;
    for (int32_t c = 0; c < obj->corner_count; ++c) {
        moved[obj->corners[c].position] = 1;
    }
    for (int32_t i = 0; i < obj->position_count; ++i) {
        if (moved[i] != 0) {
            obj->positions[count] = obj->positions[i];
            moved[i] = count++;
        }
    }
    for (int32_t c = 0; c < obj->corner_count; ++c) {
        obj->corners[c].position = moved[obj->corners[c].position];
    }
    obj->position_count = count;
}

static void label_scalp(import_state *state)
{
    for (int32_t f = 0; f < state->source.obj.face_count; ++f) {
        state->parts[f] = state->parts[f] == SCALP;
    }
}

static bool is_uploaded(const import_state *state)
{
    const char *folder = state->import->upload_folder;
    return folder != NULL &&
           strcmp(coif_path_folder(state->source.path, state->arena), folder) == 0;
}

static coif_status check_free(bool *exists, const char *path, bool overwrite, coif_error *error)
{
    struct stat status;
    if (lstat(path, &status) != 0) {
        return COIF_OK;
    }
    if (!S_ISREG(status.st_mode)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: not a file; choose another name", path);
    }
    *exists = !overwrite;
    return overwrite ? COIF_OK : coif_fail(error, COIF_ERR_ARGUMENT, "%s: exists already", path);
}

static coif_status write_copy(import_state *state, bool *exists, const char *path,
                              coif_error *error)
{
    coif_obj *obj = &state->source.obj;
    if (state->source.animated) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s is animated and can only be used as it is: choose one whole group as "
                         "scalp, keep its texture coordinates and its up axis",
                         coif_path_name(state->source.path));
    }
    const char *scene = coif_path_name(path);
    const char *dot = strrchr(scene, '.');
    const int stem = (int)(dot != NULL && dot > scene ? dot - scene : (ptrdiff_t)strlen(scene));
    const char *name = coif_arena_print(state->arena, "%.*s_body.obj", stem, scene);
    const char *copy = coif_path_join(coif_path_folder(path, state->arena), name, state->arena);
    COIF_TRY(check_free(exists, copy, state->import->overwrite, error));
    keep_parts(state);
    drop_unused_positions(obj, state->arena);
    if (state->import->unwrap) {
        label_scalp(state);
        // Four texels between the charts of a map of 1024.
        const coif_unwrap_desc desc = {.max_angle = 55.0f,
                                       .margin = 4.0f / 1024.0f,
                                       .labels = state->parts,
                                       .label_scale = 2.0f};
        coif_obj_unwrap(obj, &desc, state->arena);
    }
    const char *folder = coif_path_folder(state->source.path, state->arena);
    for (int32_t i = 0; i < obj->libraries.count && !is_uploaded(state); ++i) {
        obj->libraries.names[i] = coif_path_join(folder, obj->libraries.names[i], state->arena);
    }
    state->mesh = name;
    state->members = NULL;
    return coif_obj_save(obj, copy, error);
}

// Copies the uploaded files beside the scene: materials and their images, and the mesh unless a
// copy of it was written.
static coif_status copy_uploads(const import_state *state, bool *exists, const char *folder,
                                bool with_mesh, bool write, coif_error *error)
{
    const char *from = state->import->upload_folder;
    DIR *directory = opendir(from);
    coif_status status = COIF_OK;
    for (struct dirent *entry;
         directory != NULL && status == COIF_OK && (entry = readdir(directory)) != NULL;) {
        const char *name = entry->d_name;
        if (name[0] == '.' ||
            (!with_mesh && strcmp(name, coif_path_name(state->source.path)) == 0)) {
            continue;
        }
        const char *to =
            coif_path_join(folder, coif_arena_copy_text(state->arena, name), state->arena);
        status = check_free(exists, to, state->import->overwrite, error);
        if (status == COIF_OK && write) {
            char *data;
            size_t size;
            status = coif_file_load(&data, &size, coif_path_join(from, name, state->arena),
                                    state->arena, error);
            status = status == COIF_OK ? coif_file_save(to, data, size, error) : status;
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return status;
}

static coif_status place_mesh(import_state *state, bool *exists, const char *path,
                              coif_error *error)
{
    const char *folder = coif_path_folder(path, state->arena);
    const bool usable = is_usable(state), uploaded = is_uploaded(state);
    if (uploaded) { // nothing is written before all names are free
        COIF_TRY(copy_uploads(state, exists, folder, usable, false, error));
    }
    if (!usable) {
        COIF_TRY(write_copy(state, exists, path, error));
    } else {
        const char *real = coif_path_real(state->source.path, state->arena);
        const char *inside = coif_path_real(folder, state->arena);
        const bool beside = strcmp(coif_path_folder(real, state->arena), inside) == 0;
        state->mesh = uploaded || beside ? coif_path_name(state->source.path) : real;
        name_parts(state);
    }
    return uploaded ? copy_uploads(state, exists, folder, usable, true, error) : COIF_OK;
}

// Even, short hair that is combed down, for scenes without a hairstyle.
static const char PLAIN_STYLE[] =
    "{\"coif_preset\": 1, \"help\": \"Short, even hair to begin with.\",\n"
    " \"reference\": {\"min\": [-0.0776, -0.08, -0.0994], \"max\": [0.0776, 0.1201, 0.0796]},\n"
    " \"grooms\": [{\"name\": \"hair\", \"strands_per_cm2\": 100, \"points\": 12, \"length\": "
    "0.05, "
    "\"length_variation\": 0.1,\n"
    "  \"modifiers\": [{\"plugin\": \"groom.comb\", \"hang\": 0.8}, {\"plugin\": \"groom.noise\", "
    "\"angle\": 6}, {\"plugin\": \"groom.taper\"}],\n"
    "  \"hair\": {\"eumelanin\": 1.3}}],\n"
    " \"sim\": {\"last_frame\": 48, \"simulated_fraction\": 0.05}}\n";

coif_status coif_project_find_preset(coif_preset *preset, const coif_project *project,
                                     const char *name, coif_arena *arena, coif_error *error)
{
    if (name[0] == '\0') {
        return coif_preset_parse(preset, "plain", PLAIN_STYLE, sizeof PLAIN_STYLE - 1, arena,
                                 error);
    }
    coif_template found;
    COIF_TRY(coif_project_find_template(&found, project, COIF_TEMPLATE_PRESET, name, arena, error));
    return coif_preset_load(preset,
                            coif_arena_print(arena, "%s/presets/%s.preset", project->scenes, name),
                            arena, error);
}

// ---- the scene

void coif_mesh_import_guess(coif_mesh_import *import, coif_mesh_guess *guess,
                            const coif_mesh_source *source, const char *group, coif_arena *arena)
{
    const coif_obj *obj = &source->obj;
    const coif_string_table *tables[2] = {&obj->group_names, &obj->material_names};
    *guess = (coif_mesh_guess){0};
    bool *helper = coif_arena_new(arena, obj->group_names.count + 1, bool);
    int32_t *faces = coif_arena_new(arena, obj->group_names.count + 1, int32_t);
    bool *kept = coif_arena_new(arena, obj->face_count + 1, bool);
    for (int32_t i = 0; i < obj->group_names.count; ++i) {
        const char *name = obj->group_names.names[i];
        helper[i] = coif_is_helper_name(name) && (group == NULL || strcmp(name, group) != 0);
        guess->helpers += helper[i] ? 1 : 0;
    }
    if (guess->helpers == obj->group_names.count) { // names that mean something else here
        memset(helper, 0, (size_t)obj->group_names.count * sizeof *helper);
        guess->helpers = 0;
    }
    for (int32_t f = 0; f < obj->face_count; ++f) {
        kept[f] = !helper[obj->groups[f]];
        faces[obj->groups[f]] += kept[f] ? 1 : 0;
    }
    guess->body = coif_face_bounds(obj, kept);
    guess->unit = coif_guess_unit(coif_sub(guess->body.high, guess->body.low));
    if (!(import->scale > 0.0f)) {
        import->scale = guess->unit.metres_are_plausible ? 1.0f : guess->unit.best->scale;
    }
    int32_t found = 0, largest = 0;
    for (int k = 0; k < 2; ++k) {
        const int32_t count = tables[k]->count;
        import->left_out[k] = (coif_name_list){coif_arena_new(arena, count + 1, const char *), 0};
        import->scalp[k] = (coif_name_list){coif_arena_new(arena, count + 1, const char *), 0};
        for (int32_t i = 0; i < count; ++i) {
            const char *name = tables[k]->names[i];
            if (k == 0 && helper[i]) {
                import->left_out[k].names[import->left_out[k].count++] = name;
            } else if (group != NULL ? strcmp(name, group) == 0 : coif_is_scalp_name(name)) {
                import->scalp[k].names[import->scalp[k].count++] = name;
                ++found;
            }
        }
    }
    for (int32_t i = 0; found == 0 && i < obj->group_names.count; ++i) {
        largest = faces[i] > faces[largest] ? i : largest;
    }
    if (found == 0 && obj->group_names.count > 0) {
        import->scalp[0].names[import->scalp[0].count++] = obj->group_names.names[largest];
        for (int32_t f = 0; f < obj->face_count; ++f) {
            kept[f] = obj->groups[f] == largest;
        }
        coif_guess_hairline(import->planes, obj, kept, import->scale);
        import->plane_count = COIF_HAIRLINE_PLANES;
        guess->has_hairline = true;
    }
}

coif_status coif_mesh_import_styled(char **text, bool *exists, const coif_preset *preset,
                                    const coif_plugin_lookup *plugins,
                                    const coif_mesh_import *import, const char *path,
                                    coif_arena *arena, coif_error *error)
{
    import_state state = {.import = import, .arena = arena};
    *exists = false;
    COIF_TRY(coif_mesh_source_read(&state.source, import->path, import->object, arena, error));
    if (import->z_up) {
        coif_obj_turn_z_up(&state.source.obj);
    }
    COIF_TRY(divide(&state, error));
    state.group = single_group(&state);
    COIF_TRY(place_mesh(&state, exists, path, error));
    const coif_preset_head head = {.body = import->body,
                                   .group = state.group,
                                   .mesh = state.mesh,
                                   .scale = import->scale,
                                   .growth = state.growth,
                                   .body_members = state.members};
    return coif_preset_scene(text, preset, &head, plugins, arena, error);
}

coif_status coif_mesh_import_scene(char **text, bool *exists, const coif_project *project,
                                   const coif_mesh_import *import, const char *path,
                                   coif_arena *arena, coif_error *error)
{
    coif_preset preset;
    *exists = false;
    COIF_TRY(coif_project_find_preset(&preset, project, import->preset, arena, error));
    return coif_mesh_import_styled(text, exists, &preset, &project->plugins, import, path, arena,
                                   error);
}
