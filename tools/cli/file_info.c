#include "tools/cli/file_info.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/strbuf.h"
#include "core/hair/formats/strand_file.h"
#include "core/hair/frame_cache.h"
#include "core/mesh/mesh.h"
#include "core/mesh/mesh_topology.h"
#include "core/mesh/obj_polylines.h"
#include "core/pack/pack.h"

#include <stdio.h>
#include <string.h>

static void print_bounds(coif_strbuf *text, coif_vec3 low, coif_vec3 high)
{
    coif_strbuf_print(text, "  bounds     %g %g %g to %g %g %g m\n", (double)low.x, (double)low.y,
                      (double)low.z, (double)high.x, (double)high.y, (double)high.z);
}

static void print_strands(coif_strbuf *text, const coif_strands *strands)
{
    const coif_strands_stats facts = coif_strands_measure(strands);
    int32_t fewest = INT32_MAX, most = 0;
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const int32_t length = coif_strands_length(strands, s);
        fewest = length < fewest ? length : fewest;
        most = length > most ? length : most;
    }
    coif_strbuf_print(text, "  points     %d", strands->point_count);
    if (strands->strand_count == 0) {
        coif_strbuf_add(text, "\n");
        return;
    }
    coif_strbuf_print(text, ", %d to %d per strand\n", fewest, most);
    print_bounds(text, facts.low, facts.high);
    coif_strbuf_print(text, "  length     %g to %g m, mean %g\n", (double)facts.shortest,
                      (double)facts.longest, (double)facts.mean_length);
    coif_strbuf_print(text, "  radius     %g to %g m\n", (double)facts.thinnest,
                      (double)facts.thickest);
    coif_strbuf_print(text, "  colours    %s\n", strands->colors != NULL ? "per point" : "none");
}

static coif_status explain_groom(coif_strbuf *text, const char *path, coif_arena *arena,
                                 coif_error *error)
{
    coif_groom groom;
    COIF_TRY(coif_groom_load(&groom, path, arena, error));
    coif_strbuf_print(text, "  strands    %d, %d of them simulated\n", groom.rest.strand_count,
                      groom.simulated_count);
    print_strands(text, &groom.rest);
    coif_strbuf_print(text, "  grown on   a mesh with topology %016llx\n",
                      (unsigned long long)groom.mesh_digest);
    return COIF_OK;
}

// The length of the longest of count vectors.
static float longest(const coif_vec3 *vectors, int64_t count)
{
    float most = 0.0f;
    for (int64_t i = 0; i < count; ++i) {
        most = fmaxf(most, coif_length(vectors[i]));
    }
    return most;
}

// A frame alone knows no strands, only their points: the offsets are in its groom.
static void explain_frame(coif_strbuf *text, const coif_pack *pack)
{
    const coif_pack_block *groom = coif_pack_find(pack, "groom", COIF_PACK_INT64, 2);
    const coif_pack_block *frame = coif_pack_find(pack, "frame", COIF_PACK_INT32, 2);
    const coif_pack_block *time = coif_pack_find(pack, "time", COIF_PACK_DOUBLE, 1);
    const coif_pack_block *places = coif_pack_find(pack, "positions", COIF_PACK_FLOAT, 3);
    const coif_pack_block *speeds = coif_pack_find(pack, "velocities", COIF_PACK_FLOAT, 3);
    if (frame != NULL && frame->count == 1 && time != NULL && time->count == 1) {
        const int32_t *numbers = frame->data;
        coif_strbuf_print(text, "  frame      %d, at %g s\n", numbers[0],
                          *(const double *)time->data);
        coif_strbuf_print(text, "  healed     %d strands\n", numbers[1]);
    }
    const coif_pack_block *figures = coif_pack_find(pack, "figures", COIF_PACK_DOUBLE, 3);
    if (figures != NULL && figures->count == 1) {
        const double *numbers = figures->data;
        coif_strbuf_print(text, "  stretch    at most %.3g %%\n", 100.0 * numbers[0]);
        coif_strbuf_print(text, "  contacts   %.0f points on bodies\n", numbers[1]);
        coif_strbuf_print(text, "  not finite %.0f strands\n", numbers[2]);
    }
    if (groom != NULL && groom->count == 1) {
        coif_strbuf_print(text, "  of groom   %016llx\n", *(const unsigned long long *)groom->data);
    }
    if (places != NULL && places->count > 0) {
        const coif_vec3 *p = places->data;
        coif_vec3 low = p[0], high = p[0];
        for (int64_t i = 1; i < places->count; ++i) {
            low = (coif_vec3){fminf(low.x, p[i].x), fminf(low.y, p[i].y), fminf(low.z, p[i].z)};
            high = (coif_vec3){fmaxf(high.x, p[i].x), fmaxf(high.y, p[i].y), fmaxf(high.z, p[i].z)};
        }
        coif_strbuf_print(text, "  points     %lld\n", (long long)places->count);
        print_bounds(text, low, high);
    }
    if (speeds != NULL) {
        coif_strbuf_print(text, "  speed      at most %g m/s\n",
                          (double)longest(speeds->data, speeds->count));
    }
}

// What others wrote into a file must not reach a terminal as anything but text.
static void print_saying(coif_strbuf *text, const char *line, size_t length)
{
    coif_strbuf_add(text, "  says       ");
    for (size_t i = 0; i < length; ++i) {
        const unsigned char c = (unsigned char)line[i];
        coif_strbuf_add_bytes(text, c < ' ' || c == 127 ? "?" : &line[i], 1);
    }
    coif_strbuf_add(text, "\n");
}

static void print_metadata(coif_strbuf *text, const coif_pack *pack, coif_arena *arena)
{
    const char *line = coif_pack_metadata(pack, "metadata", arena);
    while (*line != '\0') {
        const size_t length = strcspn(line, "\n");
        print_saying(text, line, length);
        line += length + (line[length] == '\n');
    }
}

static void print_blocks(coif_strbuf *text, const coif_pack *pack)
{
    coif_strbuf_print(text, "  %-15s %-12s %10s  %-9s %12s %12s %6s\n", "block", "values", "count",
                      "codec", "bytes", "packed", "ratio");
    for (int32_t i = 0; i < pack->block_count; ++i) {
        const coif_pack_block *block = &pack->blocks[i];
        const int64_t bytes =
            block->count * block->components * (int64_t)coif_pack_type_size(block->type);
        char values[32];
        snprintf(values, sizeof values, "%s x %d", coif_pack_type_name(block->type),
                 block->components);
        coif_strbuf_print(text, "  %-15s %-12s %10lld  %-9s %12lld %12lld", block->name, values,
                          (long long)block->count, coif_pack_codec_name(block->codec),
                          (long long)bytes, (long long)block->packed_bytes);
        if (bytes > 0) {
            coif_strbuf_print(text, " %6.3f", (double)block->packed_bytes / (double)bytes);
        }
        coif_strbuf_add(text, "\n");
    }
}

static coif_status explain_pack(coif_strbuf *text, const char *path, coif_arena *arena,
                                coif_error *error)
{
    coif_pack pack;
    COIF_TRY(coif_pack_load(&pack, path, 0, arena, error));
    coif_strbuf_print(text, "%s: %s, format version %d, %lld bytes, undamaged\n", path,
                      coif_pack_kind_name(pack.kind), pack.version, (long long)pack.file_bytes);
    coif_strbuf_print(text, "  digest     %016llx\n", (unsigned long long)pack.digest);
    if (pack.kind == COIF_PACK_GROOM) {
        COIF_TRY(explain_groom(text, path, arena, error));
    } else if (pack.kind == COIF_PACK_STRANDS) {
        explain_frame(text, &pack);
    }
    print_metadata(text, &pack, arena);
    print_blocks(text, &pack);
    return COIF_OK;
}

static coif_status explain_hair(coif_strbuf *text, const char *path, coif_arena *arena,
                                coif_error *error)
{
    coif_hair_file hair;
    COIF_TRY(coif_hair_file_load(&hair, path, NULL, arena, error));
    coif_strbuf_print(text, "%s: hair file (Cem Yuksel), no unit stated: taken as metres\n", path);
    coif_strbuf_print(text, "  strands    %d", hair.strands.strand_count);
    if (hair.skipped > 0) {
        coif_strbuf_print(text, ", %d more without a segment", hair.skipped);
    }
    coif_strbuf_add(text, "\n");
    print_strands(text, &hair.strands);
    coif_strbuf_print(text, "  default    thickness %g, transparency %g, colour %g %g %g\n",
                      (double)hair.default_thickness, (double)hair.default_transparency,
                      (double)hair.default_color[0], (double)hair.default_color[1],
                      (double)hair.default_color[2]);
    if (hair.information[0] != '\0') {
        print_saying(text, hair.information, strlen(hair.information));
    }
    return COIF_OK;
}

// Strands of other programs that say less of themselves.
static coif_status explain_strands(coif_strbuf *text, const char *path, coif_arena *arena,
                                   coif_error *error)
{
    coif_strand_file file;
    const coif_hair_import as_it_is = {.scale = 1.0f};
    COIF_TRY(coif_strand_file_load(&file, path, &as_it_is, arena, error));
    coif_strbuf_print(text, "%s: %s, no unit stated: taken as metres\n", path,
                      coif_path_has_extension(path, "tfx") ? "hair of TressFX" : "curves");
    coif_strbuf_print(text, "  strands    %d\n", file.strands.strand_count);
    print_strands(text, &file.strands);
    for (int32_t i = 0; i < file.group_names.count; ++i) {
        int32_t count = 0;
        for (int32_t k = 0; k < file.strands.strand_count; ++k) {
            count += file.groups[k] == i;
        }
        coif_strbuf_print(text, "  group      %s, %d curves\n", file.group_names.names[i], count);
    }
    return COIF_OK;
}

static coif_status explain_mesh(coif_strbuf *text, const char *path, coif_arena *arena,
                                coif_error *error)
{
    coif_mesh mesh;
    COIF_TRY(coif_mesh_load(&mesh, path, &COIF_MESH_ALL_TRIANGLES, arena, error));
    coif_vec3 low, high;
    coif_mesh_bounds(&mesh, &low, &high);
    const coif_mesh_edges edges = coif_mesh_count_edges(&mesh, arena);
    coif_strbuf_print(text, "%s: mesh\n  vertices   %d\n  triangles  %d\n  uv         %s\n", path,
                      mesh.vertex_count, mesh.triangle_count, mesh.uvs != NULL ? "yes" : "no");
    print_bounds(text, low, high);
    coif_strbuf_print(text, "  edges      %lld open, %lld crowded%s\n", (long long)edges.boundary,
                      (long long)edges.nonmanifold,
                      edges.boundary + edges.nonmanifold == 0 ? ": closed" : "");
    for (int32_t i = 0; i < mesh.group_count; ++i) {
        int32_t count = 0;
        for (int32_t k = 0; k < mesh.triangle_count; ++k) {
            count += mesh.groups[k] == i;
        }
        coif_strbuf_print(text, "  group      %s, %d triangles\n", mesh.group_names[i], count);
    }
    for (int32_t i = 0; i < mesh.material_count; ++i) {
        coif_strbuf_print(text, "  material   %s\n", mesh.material_table[i].name);
    }
    return COIF_OK;
}

bool coif_file_has_polylines(const char *path, coif_arena *arena)
{
    coif_error error = {0};
    coif_mesh mesh;
    coif_obj_polylines curves;
    return coif_path_has_extension(path, "obj") &&
           coif_mesh_load(&mesh, path, &COIF_MESH_ALL_TRIANGLES, arena, &error) ==
               COIF_ERR_FORMAT &&
           coif_obj_polylines_load(&curves, path, arena, &error) == COIF_OK;
}

coif_status coif_file_info(char **text, const char *path, coif_arena *arena, coif_error *error)
{
    coif_strbuf lines;
    coif_strbuf_init(&lines, arena);
    coif_status status;
    if (coif_path_has_extension(path, "tfx") || coif_file_has_polylines(path, arena)) {
        status = explain_strands(&lines, path, arena, error);
    } else if (coif_path_has_extension(path, "obj")) {
        status = explain_mesh(&lines, path, arena, error);
    } else if (coif_path_has_extension(path, "hair")) {
        status = explain_hair(&lines, path, arena, error);
    } else {
        status = explain_pack(&lines, path, arena, error);
    }
    *text = lines.data;
    return status;
}
