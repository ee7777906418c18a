#include "tools/cli/file_info.h"

#include "core/archive/archive.h"
#include "core/base/arena.h"
#include "core/base/bounds.h"
#include "core/base/error.h"
#include "core/hair/formats/strand_file.h"
#include "core/hair/frame_cache.h"
#include "core/image/image.h"
#include "core/json/json.h"
#include "core/mesh/mesh.h"
#include "core/mesh/mesh_topology.h"
#include "core/mesh/obj_polylines.h"
#include "core/pack/pack.h"
#include "tools/preset/head_detect.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// As text: JSON numbers do not hold 64 bits.
static void write_digest(coif_json_writer *writer, const char *key, uint64_t digest)
{
    coif_write_text(writer, key, coif_arena_print(writer->text.arena, "%016" PRIx64, digest));
}

static void write_bool(coif_json_writer *writer, const char *key, bool value)
{
    coif_write_raw(writer, key, value ? "true" : "false");
}

static void write_vector(coif_json_writer *writer, const char *key, coif_vec3 v)
{
    coif_write_open(writer, key, "[");
    coif_write_number(writer, NULL, (double)v.x);
    coif_write_number(writer, NULL, (double)v.y);
    coif_write_number(writer, NULL, (double)v.z);
    coif_write_close(writer, "]");
}

// Files of other programs do not tell their unit. Hair and its bodies are between 5 cm and 5 m; a
// larger or smaller mesh is taken for a person by its proportions. Key: the scene key that converts
// to metres.
static void write_likely_unit(coif_json_writer *writer, coif_vec3 low, coif_vec3 high,
                              const char *key, bool is_mesh)
{
    static const struct {
        float size; // of 5 m
        const char *name, *scale;
    } units[] = {{5.0f, "m", "1"}, {500.0f, "cm", "0.01"}, {5000.0f, "mm", "0.001"}};
    const coif_vec3 size = coif_sub(high, low);
    const float largest = fmaxf(size.x, fmaxf(size.y, size.z));
    const char *likely = "unknown";
    for (size_t i = COIF_COUNT_OF(units); i-- > 0;) {
        if (largest >= 0.05f && largest < units[i].size) {
            likely = coif_arena_print(writer->text.arena, "%s (%s %s)", units[i].name, key,
                                      units[i].scale);
        }
    }
    const bool is_person = is_mesh && size.y > 0.0f && !(largest >= 0.05f && largest < 5.0f);
    if (is_person) {
        const coif_length_unit *unit = coif_guess_unit(size).best;
        likely = coif_arena_print(writer->text.arena, "%s (%s %.7g)", unit->symbol, key,
                                  (double)unit->scale);
    }
    coif_write_text(writer, "length_unit", "not given by the file");
    coif_write_number(writer, "size", isfinite(largest) ? (double)largest : 0.0);
    coif_write_text(writer, "likely_unit", likely);
}

static void write_strands(coif_json_writer *writer, const coif_strands *strands)
{
    const coif_strands_stats stats = coif_strands_measure(strands);
    int32_t fewest = strands->strand_count > 0 ? INT32_MAX : 0, most = 0;
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const int32_t length = coif_strands_length(strands, s);
        fewest = length < fewest ? length : fewest;
        most = length > most ? length : most;
    }
    coif_write_number(writer, "strands", strands->strand_count);
    coif_write_number(writer, "points", strands->point_count);
    coif_write_number(writer, "min_strand_points", fewest);
    coif_write_number(writer, "max_strand_points", most);
    write_vector(writer, "bounds_min", stats.low);
    write_vector(writer, "bounds_max", stats.high);
    coif_write_number(writer, "min_length", (double)stats.shortest);
    coif_write_number(writer, "max_length", (double)stats.longest);
    coif_write_number(writer, "mean_length", (double)stats.mean_length);
    coif_write_number(writer, "min_radius", (double)stats.thinnest);
    coif_write_number(writer, "max_radius", (double)stats.thickest);
    write_bool(writer, "colors", strands->colors != NULL);
}

// Names with the number of elements whose index is that of the name.
static void write_groups(coif_json_writer *writer, const char *const *names, int32_t name_count,
                         const int32_t *indices, int32_t index_count)
{
    coif_write_open(writer, "groups", "[");
    for (int32_t i = 0; i < name_count; ++i) {
        int32_t count = 0;
        for (int32_t k = 0; k < index_count; ++k) {
            count += indices[k] == i;
        }
        coif_write_open(writer, NULL, "{");
        coif_write_text(writer, "name", names[i]);
        coif_write_number(writer, "count", count);
        coif_write_close(writer, "}");
    }
    coif_write_close(writer, "]");
}

static coif_status write_groom(coif_json_writer *writer, const char *path, coif_arena *arena,
                               coif_error *error)
{
    coif_groom groom;
    COIF_TRY(coif_groom_load(&groom, path, arena, error));
    coif_write_text(writer, "length_unit", "m");
    write_strands(writer, &groom.rest);
    coif_write_number(writer, "simulated_strands", groom.simulated_count);
    write_digest(writer, "mesh_digest", groom.mesh_digest);
    return COIF_OK;
}

static void write_positions(coif_json_writer *writer, const coif_pack_block *positions)
{
    const coif_vec3 *p = positions->data;
    coif_bounds bounds = coif_bounds_empty();
    for (int64_t i = 0; i < positions->count; ++i) {
        coif_bounds_add(&bounds, p[i]);
    }
    coif_write_number(writer, "points", (double)positions->count);
    write_vector(writer, "bounds_min", bounds.low);
    write_vector(writer, "bounds_max", bounds.high);
}

static void write_speed(coif_json_writer *writer, const coif_pack_block *velocities)
{
    const coif_vec3 *v = velocities->data;
    float most = 0.0f;
    for (int64_t i = 0; i < velocities->count; ++i) {
        most = fmaxf(most, coif_length(v[i]));
    }
    coif_write_number(writer, "max_speed", (double)most);
}

// The data of a block with one element, NULL when the file has none.
static const void *single(const coif_pack *pack, const char *name, coif_pack_type type,
                          int32_t components)
{
    const coif_pack_block *block = coif_pack_find(pack, name, type, components);
    return block != NULL && block->count == 1 ? block->data : NULL;
}

// A frame or a solver state: points without strand offsets, which are in the groom file.
static void write_frame(coif_json_writer *writer, const coif_pack *pack)
{
    const bool state = pack->kind == COIF_PACK_STATE;
    const int32_t *frame = single(pack, "frame", COIF_PACK_INT32, state ? 1 : 2);
    const double *time = single(pack, "time", COIF_PACK_DOUBLE, 1);
    const double *stats = single(pack, "statistics", COIF_PACK_DOUBLE, 3);
    const uint64_t *groom = single(pack, "groom", COIF_PACK_INT64, 2);
    const coif_pack_block *positions = coif_pack_find(pack, "positions", COIF_PACK_FLOAT, 3);
    const coif_pack_block *velocities = coif_pack_find(pack, "velocities", COIF_PACK_FLOAT, 3);
    coif_write_text(writer, "length_unit", "m");
    if (frame != NULL) {
        coif_write_number(writer, "frame", frame[0]);
    }
    if (frame != NULL && !state) {
        coif_write_number(writer, "strands_reset", frame[1]);
    }
    if (time != NULL) {
        coif_write_number(writer, "time", *time);
    }
    if (stats != NULL) {
        coif_write_number(writer, "max_stretch", stats[0]);
        coif_write_number(writer, "contacts", stats[1]);
        coif_write_number(writer, "strands_not_finite", stats[2]);
    }
    if (groom != NULL) {
        write_digest(writer, "groom_digest", *groom);
    }
    if (positions != NULL && positions->count > 0) {
        write_positions(writer, positions);
    }
    if (velocities != NULL) {
        write_speed(writer, velocities);
    }
}

// Lines of key=value; keys may repeat, so that this is an array.
static void write_metadata(coif_json_writer *writer, const coif_pack *pack, coif_arena *arena)
{
    const char *name = pack->kind == COIF_PACK_DENOISE ? "settings" : "metadata";
    char *text = coif_arena_copy_text(arena, coif_pack_metadata(pack, name, arena));
    coif_write_open(writer, "metadata", "[");
    for (char *line = strsep(&text, "\n"); line != NULL; line = strsep(&text, "\n")) {
        if (line[0] != '\0') {
            coif_write_text(writer, NULL, line);
        }
    }
    coif_write_close(writer, "]");
}

static void write_blocks(coif_json_writer *writer, const coif_pack *pack)
{
    coif_write_open(writer, "blocks", "[");
    for (int32_t i = 0; i < pack->block_count; ++i) {
        const coif_pack_block *block = &pack->blocks[i];
        coif_write_open(writer, NULL, "{");
        coif_write_text(writer, "name", block->name);
        coif_write_text(writer, "type", coif_pack_type_name(block->type));
        coif_write_number(writer, "components", block->components);
        coif_write_number(writer, "count", (double)block->count);
        coif_write_text(writer, "codec", coif_pack_codec_name(block->codec));
        coif_write_number(
            writer, "bytes",
            (double)(block->count * block->components * (int64_t)coif_pack_type_size(block->type)));
        coif_write_number(writer, "packed_bytes", (double)block->packed_bytes);
        coif_write_close(writer, "}");
    }
    coif_write_close(writer, "]");
}

static coif_status write_pack(coif_json_writer *writer, const char *path, coif_arena *arena,
                              coif_error *error)
{
    static const char *const kinds[] = {"pack",       "groom",  "frame",  "state",
                                        "checkpoint", "guides", "denoise"};
    coif_pack pack;
    COIF_TRY(coif_pack_load(&pack, path, 0, arena, error));
    const bool known = pack.kind >= 1 && (size_t)pack.kind < COIF_COUNT_OF(kinds);
    coif_write_text(writer, "kind", kinds[known ? pack.kind : 0]);
    coif_write_number(writer, "version", pack.version);
    coif_write_number(writer, "bytes", (double)pack.file_bytes);
    write_digest(writer, "digest", pack.digest);
    if (pack.kind == COIF_PACK_GROOM) {
        COIF_TRY(write_groom(writer, path, arena, error));
    } else if (pack.kind == COIF_PACK_STRANDS || pack.kind == COIF_PACK_STATE) {
        write_frame(writer, &pack);
    }
    write_metadata(writer, &pack, arena);
    write_blocks(writer, &pack);
    return COIF_OK;
}

static void write_strand_unit(coif_json_writer *writer, const coif_strands *strands)
{
    const coif_strands_stats stats = coif_strands_measure(strands);
    write_likely_unit(writer, stats.low, stats.high, "file_scale", false);
}

static coif_status write_hair(coif_json_writer *writer, const char *path, coif_arena *arena,
                              coif_error *error)
{
    coif_hair_file hair;
    COIF_TRY(coif_hair_file_load(&hair, path, NULL, arena, error));
    const float *color = hair.default_color;
    coif_write_text(writer, "kind", "hair");
    write_strands(writer, &hair.strands);
    write_strand_unit(writer, &hair.strands);
    coif_write_number(writer, "skipped_strands", hair.skipped);
    coif_write_number(writer, "default_thickness", (double)hair.default_thickness);
    coif_write_number(writer, "default_transparency", (double)hair.default_transparency);
    write_vector(writer, "default_color", (coif_vec3){color[0], color[1], color[2]});
    coif_write_text(writer, "information", hair.information);
    return COIF_OK;
}

static coif_status write_curves(coif_json_writer *writer, const char *path, coif_arena *arena,
                                coif_error *error)
{
    coif_strand_file file;
    const coif_hair_import unscaled = {.scale = 1.0f};
    COIF_TRY(coif_strand_file_load(&file, path, &unscaled, arena, error));
    const char *extension = coif_strand_format_of(path)->extension;
    coif_write_text(writer, "kind", strcmp(extension, "obj") == 0 ? "curves" : extension);
    write_strands(writer, &file.strands);
    write_strand_unit(writer, &file.strands);
    write_groups(writer, file.group_names.names, file.group_names.count, file.groups,
                 file.strands.strand_count);
    return COIF_OK;
}

// Names of the arrays that exist, separated by spaces.
typedef struct optional_array {
    const char *name;
    const void *values;
} optional_array;

static const char *present(const optional_array *arrays, size_t count, coif_arena *arena)
{
    const char *list = "";
    for (size_t i = 0; i < count; ++i) {
        if (arrays[i].values != NULL) {
            list =
                coif_arena_print(arena, "%s%s%s", list, *list != '\0' ? " " : "", arrays[i].name);
        }
    }
    return list;
}

static void write_curve_attributes(coif_json_writer *writer, const coif_archive_curves *curves,
                                   coif_arena *arena)
{
    static const char *const bases[] = {"linear", "bspline", "catmull-rom", "bezier"};
    const optional_array arrays[] = {{"widths", curves->widths},
                                     {"velocities", curves->velocities},
                                     {"colors", curves->colors},
                                     {"root_uv", curves->uv},
                                     {"ids", curves->ids},
                                     {"group_ids", curves->group_ids},
                                     {"group_names", curves->group_names},
                                     {"guide", curves->guide},
                                     {"closest_guides", curves->closest_guides}};
    coif_write_text(writer, "basis", bases[curves->basis]);
    coif_write_text(writer, "attributes", present(arrays, COIF_COUNT_OF(arrays), arena));
}

static void write_mesh_attributes(coif_json_writer *writer, const coif_archive_mesh *mesh,
                                  coif_arena *arena)
{
    const optional_array arrays[] = {{"normals", mesh->normals},
                                     {"velocities", mesh->velocities},
                                     {"uv", mesh->uv},
                                     {"groups", mesh->face_group}};
    coif_write_text(writer, "basis", "");
    coif_write_text(writer, "attributes", present(arrays, COIF_COUNT_OF(arrays), arena));
}

// Size and attributes of the first sample of an object; elements are curves or faces.
static coif_status write_object_size(coif_json_writer *writer, const coif_archive *archive,
                                     int32_t object, coif_arena *arena, coif_error *error)
{
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    if (archive->objects[object].kind == COIF_ARCHIVE_CURVES) {
        coif_archive_curves curves;
        COIF_TRY(coif_archive_read_curves(archive, object, 0, &curves, arena, error));
        coif_write_number(writer, "elements", curves.curve_count);
        coif_write_number(writer, "points", curves.point_count);
        write_curve_attributes(writer, &curves, arena);
    } else if (archive->objects[object].kind == COIF_ARCHIVE_MESH) {
        coif_archive_mesh mesh;
        COIF_TRY(coif_archive_read_mesh(archive, object, 0, &mesh, arena, error));
        coif_write_number(writer, "elements", mesh.face_count);
        coif_write_number(writer, "points", mesh.vertex_count);
        write_mesh_attributes(writer, &mesh, arena);
    }
    coif_arena_rewind(arena, mark);
    return COIF_OK;
}

static coif_status write_archive(coif_json_writer *writer, const char *path, coif_arena *arena,
                                 coif_error *error)
{
    static const char *const kinds[] = {"curves", "mesh", "camera"};
    coif_archive *archive;
    coif_arena scratch;
    COIF_TRY(coif_archive_open(&archive, path, NULL, arena, error));
    coif_write_text(writer, "kind", "archive");
    coif_write_text(writer, "format", archive->format);
    coif_write_text(writer, "application", archive->application);
    coif_write_number(writer, "meters_per_unit", archive->meters_per_unit);
    write_bool(writer, "states_units", archive->states_units);
    coif_write_text(writer, "up_axis", archive->up_axis == 'z' ? "z" : "y");
    coif_write_number(writer, "fps", archive->fps);
    coif_write_open(writer, "objects", "[");
    coif_arena_init(&scratch, "archive");
    coif_status status = COIF_OK;
    for (int32_t i = 0; status == COIF_OK && i < archive->object_count; ++i) {
        const coif_archive_object *object = &archive->objects[i];
        coif_write_open(writer, NULL, "{");
        coif_write_text(writer, "path", object->path);
        coif_write_text(writer, "kind", kinds[object->kind]);
        write_bool(writer, "guides", object->is_guide);
        coif_write_number(writer, "samples", object->sample_count);
        coif_write_number(writer, "first_time", object->times[0]);
        coif_write_number(writer, "last_time", object->times[object->sample_count - 1]);
        write_bool(writer, "constant_topology", object->constant_topology);
        status = write_object_size(writer, archive, i, &scratch, error);
        coif_write_close(writer, "}");
    }
    coif_arena_free(&scratch);
    coif_write_close(writer, "]");
    return status;
}

static coif_status write_mesh(coif_json_writer *writer, const char *path, coif_arena *arena,
                              coif_error *error)
{
    coif_mesh mesh;
    COIF_TRY(coif_mesh_load(&mesh, path, &COIF_MESH_ALL_TRIANGLES, arena, error));
    const coif_mesh_edges edges = coif_mesh_count_edges(&mesh, arena);
    coif_vec3 low, high;
    coif_mesh_bounds(&mesh, &low, &high);
    coif_write_text(writer, "kind", "mesh");
    coif_write_number(writer, "vertices", mesh.vertex_count);
    coif_write_number(writer, "triangles", mesh.triangle_count);
    write_bool(writer, "uv", mesh.uvs != NULL);
    write_vector(writer, "bounds_min", low);
    write_vector(writer, "bounds_max", high);
    write_likely_unit(writer, low, high, "scale", true);
    coif_write_number(writer, "boundary_edges", (double)edges.boundary);
    coif_write_number(writer, "nonmanifold_edges", (double)edges.nonmanifold);
    write_bool(writer, "closed", edges.boundary + edges.nonmanifold == 0);
    write_groups(writer, (const char *const *)mesh.group_names, mesh.group_count, mesh.groups,
                 mesh.triangle_count);
    coif_write_open(writer, "materials", "[");
    for (int32_t i = 0; i < mesh.material_count; ++i) {
        coif_write_text(writer, NULL, mesh.material_table[i].name);
    }
    coif_write_close(writer, "]");
    return COIF_OK;
}

static void write_channels(coif_json_writer *writer, const coif_image *image)
{
    coif_write_open(writer, "channels", "[");
    for (int32_t i = 0; i < image->channel_count; ++i) {
        coif_write_text(writer, NULL, image->channel_names[i]);
    }
    coif_write_close(writer, "]");
}

// Parts of a multi-part EXR file with their data windows.
static void write_parts(coif_json_writer *writer, const char *path, coif_arena *arena)
{
    enum { MAX_PARTS = 1000 };
    coif_image part;
    coif_error end = {0};
    if (coif_image_read_header(&part, path, 1, arena, &end) != COIF_OK) {
        return;
    }
    coif_write_open(writer, "parts", "[");
    for (int32_t i = 0; i < MAX_PARTS; ++i) {
        if (coif_image_read_header(&part, path, i, arena, &end) != COIF_OK) {
            break;
        }
        coif_write_open(writer, NULL, "{");
        coif_write_text(writer, "name", part.part);
        coif_write_number(writer, "x", part.x);
        coif_write_number(writer, "y", part.y);
        coif_write_number(writer, "width", part.width);
        coif_write_number(writer, "height", part.height);
        write_channels(writer, &part);
        coif_write_close(writer, "}");
    }
    coif_write_close(writer, "]");
}

static coif_status write_image(coif_json_writer *writer, const char *path, coif_arena *arena,
                               coif_error *error)
{
    static const char *const attributes[] = {"coif:version", "coif:scene",   "coif:grooms",
                                             "coif:frame",   "coif:samples", "coif:seed",
                                             "coif:isa"};
    coif_image image;
    COIF_TRY(coif_image_load(&image, path, arena, error));
    coif_write_text(writer, "kind", "image");
    coif_write_number(writer, "width", image.width);
    coif_write_number(writer, "height", image.height);
    coif_write_number(writer, "integer_bits", image.integer_bits);
    write_channels(writer, &image);
    if (coif_path_has_extension(path, "exr")) {
        write_parts(writer, path, arena);
    }
    for (size_t i = 0; i < COIF_COUNT_OF(attributes); ++i) {
        char *value = NULL;
        COIF_TRY(coif_image_read_attribute(&value, path, attributes[i], arena, error));
        if (value != NULL) {
            coif_write_text(writer, attributes[i] + strlen("coif:"), value);
        }
    }
    return COIF_OK;
}

// Whether path is an OBJ file of polylines without faces.
static bool has_polylines(const char *path, coif_arena *arena)
{
    coif_error error = {0};
    coif_mesh mesh;
    coif_obj_polylines curves;
    return coif_path_has_extension(path, "obj") &&
           coif_mesh_load(&mesh, path, &COIF_MESH_ALL_TRIANGLES, arena, &error) ==
               COIF_ERR_FORMAT &&
           coif_obj_polylines_load(&curves, path, arena, &error) == COIF_OK;
}

// Whether path is a PLY file without faces.
static bool has_strands_only(const char *path, coif_arena *arena)
{
    coif_error error = {0};
    coif_archive *archive;
    return coif_path_has_extension(path, "ply") &&
           coif_archive_open(&archive, path, NULL, arena, &error) != COIF_OK;
}

coif_status coif_file_info(coif_json_writer *writer, const char *path, coif_arena *arena,
                           coif_error *error)
{
    if (coif_archive_is_archive(path) && !has_strands_only(path, arena)) {
        return write_archive(writer, path, arena, error);
    }
    if (coif_path_has_extension(path, "obj") && !has_polylines(path, arena)) {
        return write_mesh(writer, path, arena, error);
    }
    if (coif_path_has_extension(path, "hair")) {
        return write_hair(writer, path, arena, error);
    }
    const coif_strand_format *format = coif_strand_format_of(path);
    if (format != NULL && (format->read != NULL || format->load != NULL)) {
        return write_curves(writer, path, arena, error);
    }
    return coif_image_has_extension(path) ? write_image(writer, path, arena, error)
                                          : write_pack(writer, path, arena, error);
}
