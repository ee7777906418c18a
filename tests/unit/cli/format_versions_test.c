// format_versions: files of every format version, kept in tests/data/golden/formats, are read with
// the values they were written with; versions that are not read are named by the error.
#include "core/base/strbuf.h"
#include "core/hair/frame_cache.h"
#include "core/hair/guide_edits.h"
#include "core/json/json.h"
#include "core/pack/pack.h"
#include "render/camera/camera.h"
#include "render/output/denoise_file.h"
#include "render/output/film_checkpoint.h"
#include "sim/groom/groom_params.h"
#include "sim/run/solver_checkpoint.h"
#include "tests/support/test.h"
#include "tools/cli/command.h"
#include "tools/preset/preset.h"
#include "tools/studio/server/document/journal.h"

enum { SHOWN = 12 }; // values of a block

static coif_arena arena = {.name = "test"};
static coif_error error;
static coif_strbuf text; // what was read

static const char *golden(const char *name)
{
    char relative[200];
    snprintf(relative, sizeof relative, "tests/data/golden/formats/%s", name);
    return coif_arena_copy_text(&arena, coif_test_source(relative));
}

#define add(...) coif_strbuf_print(&text, __VA_ARGS__)

static void add_value(const coif_pack_block *block, int64_t i)
{
    switch (block->type) {
    case COIF_PACK_BYTE:
        add(" %d", ((const uint8_t *)block->data)[i]);
        break;
    case COIF_PACK_INT32:
        add(" %d", ((const int32_t *)block->data)[i]);
        break;
    case COIF_PACK_FLOAT:
        add(" %.9g", (double)((const float *)block->data)[i]);
        break;
    case COIF_PACK_DOUBLE:
        add(" %.17g", ((const double *)block->data)[i]);
        break;
    case COIF_PACK_INT64:
        add(" %016llx", (unsigned long long)((const int64_t *)block->data)[i]);
        break;
    }
}

// Every block with its first values; the digest is that of all values.
static void add_pack(const char *name)
{
    coif_pack pack;
    CHECK_OK(coif_pack_load(&pack, golden(name), 0, &arena, &error), error);
    add("%s: pack %d, %s, %016llx\n", name, pack.version, coif_pack_kind_name(pack.kind),
        (unsigned long long)pack.digest);
    for (int b = 0; error.status == COIF_OK && b < pack.block_count; ++b) {
        const coif_pack_block *block = &pack.blocks[b];
        const int64_t values = block->count * block->components;
        add("  %s %s x %d x %lld:", block->name, coif_pack_type_name(block->type),
            block->components, (long long)block->count);
        for (int64_t i = 0; i < values && i < SHOWN; ++i) {
            add_value(block, i);
        }
        add("\n");
    }
}

static void add_last_point(const char *what, const coif_strands *strands)
{
    const coif_vec4 p = strands->points[strands->point_count - 1];
    add("  %s: %d strands, last point %.9g %.9g %.9g %.9g\n", what, strands->strand_count,
        (double)p.x, (double)p.y, (double)p.z, (double)p.w);
}

static void add_hair(void)
{
    coif_groom groom;
    coif_strands strands;
    coif_frame_cache_desc frame;
    coif_solver_checkpoint state;
    add_pack("hair.groom");
    CHECK_OK(coif_groom_load(&groom, golden("hair.groom"), &arena, &error), error);
    add_last_point("rest", &groom.rest);
    add_pack("hair.0002.strands");
    CHECK_OK(coif_frame_cache_load(&strands, &frame, &groom, golden("hair.0002.strands"), &arena,
                                   &error),
             error);
    add_last_point("strands", &strands);
    add("  frame %d at %.9g s, stretch %.9g\n", frame.frame, frame.time, frame.stats.stretch);
    add_pack("hair.0002.state");
    CHECK_OK(coif_groom_simulated(&strands, &groom, &arena, &error), error);
    CHECK_OK(coif_solver_checkpoint_init_from_file(&state, &strands, golden("hair.0002.state"),
                                                   &arena, &error),
             error);
    CHECK_OK(
        coif_solver_checkpoint_restore(&state, golden("hair.0002.state"), "der", &arena, &error),
        error);
    const coif_vec3 p = state.positions[state.point_count - 1];
    add("  state of %d points, last point %.9g %.9g %.9g\n", state.point_count, (double)p.x,
        (double)p.y, (double)p.z);
}

static void add_guides(void)
{
    coif_guide_edits edits;
    add_pack("hair.guides");
    CHECK_OK(coif_guide_edits_load(&edits, golden("hair.guides"), &arena, &error), error);
    add_last_point("edited", &edits.edited);
    add("  kept %g, flags %d, normal %g, uv %g\n", (double)edits.kept[1], edits.flags[1],
        (double)edits.normals[1].x, (double)edits.edited.root_uv[2]);
}

static void add_film(void)
{
    const char *path = golden("render0002.checkpoint");
    coif_pack pack;
    coif_film film;
    add_pack("render0002.checkpoint");
    CHECK_OK(coif_pack_load(&pack, path, COIF_PACK_CHECKPOINT, &arena, &error), error);
    const coif_film_desc desc = {.width = 8, .height = 8, .splat = true};
    coif_film_init(&film, &desc, &arena);
    const int64_t settings = *(const int64_t *)pack.blocks[0].data;
    CHECK_OK(coif_film_checkpoint_read(&film, (uint64_t)settings, path, &error), error);
    add("  film: pixel 9 has %d samples, sum %.17g\n", film.counts[9],
        film.sums[9 * film.aovs.stride]);
}

static void add_denoise(void)
{
    coif_denoise_file file;
    add_pack("render0002.denoise");
    CHECK_OK(coif_denoise_file_load(&file, golden("render0002.denoise"), &arena, &error), error);
    add("  frame of %d x %d, radius %d, %s, channels %.9g %.9g\n", file.frame.width,
        file.frame.height, file.radius, file.formats, (double)file.frame.channels[0],
        (double)file.frame.channels[30]);
}

static coif_status add_record(void *context, coif_journal_op op, const char *data, size_t size,
                              coif_error *cause)
{
    (void)context;
    (void)cause;
    add("  %d:", (int)op);
    for (size_t i = 0; i < size; ++i) {
        if (data[i] > ' ' && data[i] < 127) {
            add("%c", data[i]);
        } else {
            add("\\%d", data[i]);
        }
    }
    add("\n");
    return COIF_OK;
}

// Opening writes, so a copy is opened.
static void add_journal(void)
{
    const coif_replay replay = {.base = 0x0123456789abcdefull, .apply = add_record};
    coif_journal journal;
    char *content;
    size_t size;
    int32_t replayed;
    const char *copy = coif_test_path("formats.journal");
    CHECK_OK(coif_file_load(&content, &size, golden("scene.journal"), &arena, &error), error);
    CHECK_OK(coif_file_save(copy, content, size, &error), error);
    add("scene.journal:\n");
    CHECK_OK(coif_journal_open(&journal, copy, &replay, &replayed, &error), error);
    coif_journal_close(&journal, false);
    add("  %d records\n", replayed);
}

static void add_preset(void)
{
    coif_preset preset;
    CHECK_OK(coif_preset_load(&preset, golden("bob.preset"), &arena, &error), error);
    const coif_json *groom = coif_json_find(preset.root, "grooms")->child;
    add("bob.preset: %s, y to %g, %g strands of %g m\n", preset.help,
        (double)preset.reference.high.y, coif_json_find(groom, "count")->number,
        coif_json_find(groom, "length")->number);
}

static void add_scene(void)
{
    coif_scene scene;
    coif_camera_params camera;
    coif_groom_params groom;
    const coif_scene_desc desc = {.path = golden("scene.json"), .tree = coif_scene_tree(&arena)};
    CHECK_OK(coif_scene_load(&scene, &desc, &arena, &error), error);
    if (error.status != COIF_OK) {
        return;
    }
    coif_values_at(&coif_node_at(scene.root, "camera")->values, 1.0, &camera);
    coif_values_at(&coif_node_at(scene.root, "grooms")->children[0].values, 1.0, &groom);
    add("scene.json: %d strands of %g m, field of view %g, position x %g\n", groom.count,
        (double)groom.length, (double)camera.fov, (double)camera.position[0]);
}

TEST(files_of_every_version_are_read_with_their_values)
{
    coif_strbuf_init(&text, &arena);
    add_hair();
    add_guides();
    add_film();
    add_denoise();
    add_journal();
    add_preset();
    add_scene();
    char *wanted = "";
    size_t size;
    const char *values = coif_test_path("values.txt");
    CHECK_OK(coif_file_load(&wanted, &size, golden("values.txt"), &arena, &error), error);
    CHECK_OK(coif_file_save(values, text.data, text.size, &error), error);
    if (strcmp(text.data, wanted) != 0) {
        printf("%s", text.data);
        coif_test_failed(__FILE__, __LINE__,
                         "values differ from values.txt; found are those above");
    }
}

TEST(packs_and_presets_of_other_versions_are_named)
{
    char *content;
    size_t size;
    coif_error fault = {0};
    coif_pack pack;
    coif_preset preset;
    CHECK_OK(coif_file_load(&content, &size, golden("hair.groom"), &arena, &fault), fault);
    content[16] = 2;
    CHECK_OK(coif_file_save(coif_test_path("new.groom"), content, size, &fault), fault);
    CHECK(coif_pack_load(&pack, coif_test_path("new.groom"), 0, &arena, &fault) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(fault.text, "format version 2, expected at most 1");
    fault = (coif_error){0};
    static const char NEW[] = "{\"coif_preset\": 2}";
    CHECK(coif_preset_parse(&preset, "new.preset", NEW, sizeof NEW - 1, &arena, &fault) ==
          COIF_ERR_FORMAT);
    CHECK_CONTAINS(fault.text, "preset version 2, this build reads 1");
}
