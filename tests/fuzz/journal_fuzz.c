// Fuzz target: journals of the studio. The input is a list of records, operation, size and data,
// which get their digests here, so that every operation is reached. A document opens with any
// journal, its undo history works, and nothing is written outside the folder of the scene.
#include "core/base/hash64.h"
#include "tests/fuzz/studio_fuzz.h"

enum { RECORD = 3 }; // bytes before the data: operation, size as a 16-bit number

static const char *journal_path(void)
{
    return coif_arena_copy_text(&arena, coif_test_path(".fuzz.json.journal"));
}

// A journal of the scene with the records of the input.
static void write_journal(const char *scene, const uint8_t *data, size_t size)
{
    char *text;
    size_t length;
    coif_error error = {0};
    CHECK_OK(coif_file_load(&text, &length, scene, &arena, &error), error);
    const coif_replay all = {.base = coif_hash64(text, length)};
    coif_journal journal;
    int32_t replayed;
    CHECK_OK(coif_journal_open(&journal, journal_path(), &all, &replayed, &error), error);
    for (size_t at = 0; size - at >= RECORD;) {
        const size_t wanted = data[at + 1] | (size_t)data[at + 2] << 8;
        const size_t left = size - at - RECORD, count = wanted < left ? wanted : left;
        coif_journal_add(&journal, (coif_journal_op)(data[at] % (COIF_OP_GUIDES + 1)),
                         (const char *)data + at + RECORD, count, NULL);
        at += RECORD + count;
    }
    coif_journal_close(&journal, false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const coif_section *tree;
    static coif_arena kept = {.name = "kept"};
    coif_error error = {0};
    if (tree == NULL) {
        tree = coif_scene_tree(&kept);
        CHECK_OK(coif_plugins_open(&plugins, NULL, &kept, &error), error);
    }
    const char *scene = fresh_scene();
    write_journal(scene, data, size);
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    const coif_studio_desc desc = {
        .path = scene, .tree = tree, .plugins = coif_plugins_lookup(plugins)};
    if (coif_studio_open(studio, &desc, &arena, &error) == COIF_OK) {
        bool done = true;
        for (int i = 0; i < 8 && done; ++i) {
            done = false;
            coif_studio_undo(studio, &done, NULL);
        }
        coif_studio_redo(studio, &done, NULL);
    } else if (error.text[0] == '\0') {
        abort();
    }
    coif_studio_close(studio);
    if (coif_test_failures() > 0) {
        abort();
    }
    coif_arena_free(&arena);
    coif_arena_init(&arena, "test");
    return 0;
}

// The records of a session: a new map, its use, strokes, undo and redo, an edit, a comb, guides.
size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    if (index > 0) {
        return 0;
    }
    LLVMFuzzerTestOneInput(NULL, 0); // opens the plugins
    const char *scene = fresh_scene();
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, scene);
    new_density(studio);
    bool done;
    paint(studio, "a", uniform_tile(0, 0, 100));
    paint(studio, "b", uniform_tile(1, 0, 200));
    coif_studio_undo(studio, &done, NULL);
    coif_studio_redo(studio, &done, NULL);
    const coif_edit edit = {"/grooms/0/count", "5"};
    coif_studio_edit(studio, &edit, 1, "c", NULL);
    const coif_bytes dab = comb_dab();
    const coif_hair_stroke comb = {dab.data, dab.size, NULL};
    coif_error error = {0};
    CHECK_OK(coif_studio_brush(studio, 0, "d", &comb, &error), error);
    CHECK_OK(coif_studio_journal_guides(studio, &studio->hair.items[0], "e", 0, &error), error);
    char *text;
    size_t length, written = 0;
    if (coif_file_load(&text, &length, journal_path(), &arena, NULL) != COIF_OK) {
        return 0;
    }
    struct {
        uint32_t magic, op;
        uint64_t size, digest;
    } header;
    for (size_t at = 0; length - at >= sizeof header; at += sizeof header + header.size) {
        memcpy(&header, text + at, sizeof header);
        if (written + RECORD + header.size > capacity) {
            break;
        }
        data[written] = (uint8_t)header.op;
        data[written + 1] = (uint8_t)header.size;
        data[written + 2] = (uint8_t)(header.size >> 8);
        memcpy(data + written + RECORD, text + at + sizeof header, header.size);
        written += RECORD + header.size;
    }
    coif_studio_close(studio);
    return written;
}
