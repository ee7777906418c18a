// explain, as JSON: the same facts for programs.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/hair/formats/strand_file.h"
#include "core/hair/frame_cache.h"
#include "core/mesh/mesh.h"
#include "core/mesh/mesh_topology.h"
#include "core/pack/pack.h"
#include "tools/cli/file_info.h"

#include <inttypes.h>
#include <string.h>

// A number that is not finite has no place in JSON.
static void write_number(coif_json_writer *writer, const char *key, double number)
{
    if (isfinite(number)) {
        coif_write_number(writer, key, number);
    } else {
        coif_write_raw(writer, key, "null");
    }
}

// 64 bits do not fit into the numbers of JSON.
static void write_digest(coif_json_writer *writer, const char *key, uint64_t digest)
{
    coif_write_text(writer, key, coif_arena_print(writer->text.arena, "%016" PRIx64, digest));
}

static void write_vector(coif_json_writer *writer, const char *key, coif_vec3 v)
{
    coif_write_open(writer, key, "[");
    write_number(writer, NULL, (double)v.x);
    write_number(writer, NULL, (double)v.y);
    write_number(writer, NULL, (double)v.z);
    coif_write_close(writer, "]");
}

static void write_strands(coif_json_writer *writer, const coif_strands *strands)
{
    const coif_strands_stats facts = coif_strands_measure(strands);
    write_number(writer, "strands", strands->strand_count);
    write_number(writer, "points", strands->point_count);
    write_vector(writer, "low", facts.low);
    write_vector(writer, "high", facts.high);
    write_number(writer, "shortest", (double)facts.shortest);
    write_number(writer, "longest", (double)facts.longest);
    write_number(writer, "mean_length", (double)facts.mean_length);
    write_number(writer, "thinnest", (double)facts.thinnest);
    write_number(writer, "thickest", (double)facts.thickest);
    coif_write_raw(writer, "colours", strands->colors != NULL ? "true" : "false");
}

static coif_status write_groom(coif_json_writer *writer, const char *path, coif_arena *arena,
                               coif_error *error)
{
    coif_groom groom;
    COIF_TRY(coif_groom_load(&groom, path, arena, error));
    write_strands(writer, &groom.rest);
    write_number(writer, "simulated", groom.simulated_count);
    write_digest(writer, "mesh", groom.mesh_digest);
    return COIF_OK;
}

static void write_places(coif_json_writer *writer, const coif_pack_block *places)
{
    const coif_vec3 *p = places->data;
    coif_vec3 low = p[0], high = p[0];
    for (int64_t i = 1; i < places->count; ++i) {
        low = (coif_vec3){fminf(low.x, p[i].x), fminf(low.y, p[i].y), fminf(low.z, p[i].z)};
        high = (coif_vec3){fmaxf(high.x, p[i].x), fmaxf(high.y, p[i].y), fmaxf(high.z, p[i].z)};
    }
    write_number(writer, "points", (double)places->count);
    write_vector(writer, "low", low);
    write_vector(writer, "high", high);
}

static void write_figures(coif_json_writer *writer, const coif_pack *pack)
{
    const coif_pack_block *block = coif_pack_find(pack, "figures", COIF_PACK_DOUBLE, 3);
    if (block != NULL && block->count == 1) {
        const double *numbers = block->data;
        write_number(writer, "max_stretch", numbers[0]);
        write_number(writer, "contacts", numbers[1]);
        write_number(writer, "strands_not_finite", numbers[2]);
    }
}

// Frames and states hold much the same, under names of their own.
static void write_moment(coif_json_writer *writer, const coif_pack *pack)
{
    const bool state = pack->kind == COIF_PACK_STATE;
    const coif_pack_block *frame = coif_pack_find(pack, "frame", COIF_PACK_INT32, state ? 1 : 2);
    const coif_pack_block *time = coif_pack_find(pack, "time", COIF_PACK_DOUBLE, 1);
    const coif_pack_block *groom = coif_pack_find(pack, "groom", COIF_PACK_INT64, 2);
    const coif_pack_block *places =
        coif_pack_find(pack, state ? "places" : "positions", COIF_PACK_FLOAT, 3);
    const coif_pack_block *speeds = coif_pack_find(pack, "velocities", COIF_PACK_FLOAT, 3);
    if (frame != NULL && frame->count == 1) {
        const int32_t *numbers = frame->data;
        write_number(writer, "frame", numbers[0]);
        if (!state) {
            write_number(writer, "strands_put_back", numbers[1]);
        }
    }
    if (time != NULL && time->count == 1) {
        write_number(writer, "time", *(const double *)time->data);
    }
    write_figures(writer, pack);
    if (groom != NULL && groom->count == 1) {
        write_digest(writer, "groom", *(const uint64_t *)groom->data);
    }
    if (places != NULL && places->count > 0) {
        write_places(writer, places);
    }
    if (speeds != NULL) {
        const coif_vec3 *v = speeds->data;
        float most = 0.0f;
        for (int64_t i = 0; i < speeds->count; ++i) {
            most = fmaxf(most, coif_length(v[i]));
        }
        write_number(writer, "max_speed", (double)most);
    }
}

// Lines of key=value; a key may stand there more than once, so each line is a pair.
static void write_metadata(coif_json_writer *writer, const coif_pack *pack, coif_arena *arena)
{
    const char *line = coif_pack_metadata(pack, "metadata", arena);
    coif_write_open(writer, "metadata", "[");
    while (*line != '\0') {
        const size_t length = strcspn(line, "\n");
        coif_write_text(writer, NULL, coif_arena_print(arena, "%.*s", (int)length, line));
        line += length + (line[length] == '\n');
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
        write_number(writer, "components", block->components);
        write_number(writer, "count", (double)block->count);
        coif_write_text(writer, "codec", coif_pack_codec_name(block->codec));
        write_number(writer, "packed_bytes", (double)block->packed_bytes);
        coif_write_close(writer, "}");
    }
    coif_write_close(writer, "]");
}

static coif_status write_pack(coif_json_writer *writer, const char *path, coif_arena *arena,
                              coif_error *error)
{
    static const char *const kinds[] = {"", "groom", "frame", "state", "checkpoint"};
    coif_pack pack;
    COIF_TRY(coif_pack_load(&pack, path, 0, arena, error));
    const bool known = pack.kind >= 1 && (size_t)pack.kind < COIF_COUNT_OF(kinds);
    coif_write_text(writer, "kind", known ? kinds[pack.kind] : "pack");
    write_number(writer, "version", pack.version);
    write_number(writer, "bytes", (double)pack.file_bytes);
    write_digest(writer, "digest", pack.digest);
    if (pack.kind == COIF_PACK_GROOM) {
        COIF_TRY(write_groom(writer, path, arena, error));
    } else if (pack.kind == COIF_PACK_STRANDS || pack.kind == COIF_PACK_STATE) {
        write_moment(writer, &pack);
    }
    write_metadata(writer, &pack, arena);
    write_blocks(writer, &pack);
    return COIF_OK;
}

static coif_status write_hair(coif_json_writer *writer, const char *path, coif_arena *arena,
                              coif_error *error)
{
    coif_hair_file hair;
    COIF_TRY(coif_hair_file_load(&hair, path, NULL, arena, error));
    coif_write_text(writer, "kind", "hair");
    write_strands(writer, &hair.strands);
    write_number(writer, "left_out", hair.skipped);
    coif_write_text(writer, "information", hair.information);
    return COIF_OK;
}

static coif_status write_curves(coif_json_writer *writer, const char *path, coif_arena *arena,
                                coif_error *error)
{
    coif_strand_file file;
    const coif_hair_import as_it_is = {.scale = 1.0f};
    COIF_TRY(coif_strand_file_load(&file, path, &as_it_is, arena, error));
    coif_write_text(writer, "kind", coif_path_has_extension(path, "tfx") ? "tfx" : "curves");
    write_strands(writer, &file.strands);
    coif_write_open(writer, "groups", "[");
    for (int32_t i = 0; i < file.group_names.count; ++i) {
        coif_write_text(writer, NULL, file.group_names.names[i]);
    }
    coif_write_close(writer, "]");
    return COIF_OK;
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
    write_number(writer, "vertices", mesh.vertex_count);
    write_number(writer, "triangles", mesh.triangle_count);
    coif_write_raw(writer, "uv", mesh.uvs != NULL ? "true" : "false");
    write_vector(writer, "low", low);
    write_vector(writer, "high", high);
    write_number(writer, "open_edges", (double)edges.boundary);
    write_number(writer, "crowded_edges", (double)edges.nonmanifold);
    coif_write_open(writer, "groups", "[");
    for (int32_t i = 0; i < mesh.group_count; ++i) {
        coif_write_text(writer, NULL, mesh.group_names[i]);
    }
    coif_write_close(writer, "]");
    coif_write_open(writer, "materials", "[");
    for (int32_t i = 0; i < mesh.material_count; ++i) {
        coif_write_text(writer, NULL, mesh.material_table[i].name);
    }
    coif_write_close(writer, "]");
    return COIF_OK;
}

coif_status coif_file_info_json(coif_json_writer *writer, const char *path, coif_arena *arena,
                                coif_error *error)
{
    if (coif_path_has_extension(path, "tfx") || coif_file_has_polylines(path, arena)) {
        return write_curves(writer, path, arena, error);
    }
    if (coif_path_has_extension(path, "obj")) {
        return write_mesh(writer, path, arena, error);
    }
    if (coif_path_has_extension(path, "hair")) {
        return write_hair(writer, path, arena, error);
    }
    return write_pack(writer, path, arena, error);
}
