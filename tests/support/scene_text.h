// Loads scenes from text and checks their error messages.
#ifndef COIF_TESTS_SUPPORT_SCENE_TEXT_H
#define COIF_TESTS_SUPPORT_SCENE_TEXT_H

#include "core/base/fs.h"
#include "core/scene/scene.h"
#include "tests/support/fake_scene.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

// A scene that uses everything; written beside the two files it names.
static const char GOOD[] =
    "{\n"
    "  \"$schema\": \"scene.schema.json\", \"coif\": 1, \"comment\": \"for tests\",\n"
    "  \"bodies\": [{\"name\": \"head\", \"mesh\": \"head.obj\",\n"
    "              \"rotate\": {\"keys\": [[1, [0, 0, 0]], [25, [0, 90, 0]]]}}],\n"
    "  \"grooms\": [\n"
    "    {\"name\": \"hair\", \"body\": \"head\", \"count\": 500, \"comment\": \"\",\n"
    "     \"length\": {\"map\": \"long\", \"range\": [0.1, 0.3]},\n"
    "     \"radius\": {\"value\": 4e-5, \"ramp\": [[0, 1], [1, 0.2]]},\n"
    "     \"maps\": [{\"name\": \"long\", \"plugin\": \"density.image\", \"file\": "
    "\"long.png\"}],\n"
    "     \"modifiers\": [{\"plugin\": \"groom.curl\",\n"
    "                    \"radius\": {\"map\": \"long\", \"range\": [0, 0.02]}}],\n"
    "     \"hair\": {\"eumelanin\": 1.3}},\n"
    "    {\"name\": \"beard\", \"body\": \"head\"}],\n"
    "  \"sim\": {\"substeps\": 8, \"method\": \"rod\"},\n"
    "  \"forces\": [{\"plugin\": \"wind.gust\", \"strength\": 0.75}, {\"plugin\": \"wind.calm\"}]\n"
    "}\n";

static inline void write_file(const char *name, const char *text)
{
    coif_error error = {0};
    CHECK_OK(coif_file_save(coif_test_path(name), text, strlen(text), &error), error);
}

typedef struct loaded {
    coif_scene scene;
    coif_status status;
    coif_error error;
} loaded;

// Loads text as FOLDER/s.json with up to three --set.
static inline loaded load(const char *text, const char *a, const char *b, const char *c)
{
    write_file("s.json", text);
    write_file("head.obj", "");
    write_file("long.png", "");
    const char *const sets[] = {a, b, c};
    const coif_scene_desc desc = {
        .path = coif_arena_copy_text(&arena, coif_test_path("s.json")),
        .sets = sets,
        .set_count = (a != NULL) + (b != NULL) + (c != NULL),
        .tree = &FAKE_TREE,
        .plugins = &FAKE_LOOKUP,
    };
    loaded result = {.status = COIF_OK};
    result.status = coif_scene_load(&result.scene, &desc, &arena, &result.error);
    return result;
}

static inline coif_scene good(const char *text, const char *set)
{
    const loaded result = load(text, set, NULL, NULL);
    if (result.status != COIF_OK) {
        coif_test_failed(__FILE__, __LINE__, "%s", result.error.text);
    }
    return result.scene;
}

// The message with FOLDER/ left out of every line.
static const char *without_folder(const char *text)
{
    const char *prefix = coif_test_path("");
    const size_t length = strlen(prefix);
    char *result = coif_arena_new(&arena, strlen(text) + 1, char), *end = result;
    while (*text != '\0') {
        if (strncmp(text, prefix, length) == 0) {
            text += length;
        } else {
            *end++ = *text++;
        }
    }
    return result;
}

static inline void bad_set(const char *text, const char *set, const char *wanted)
{
    const loaded result = load(text, set, NULL, NULL);
    CHECK(result.status == COIF_ERR_SCENE && result.error.status == COIF_ERR_SCENE);
    CHECK_TEXT(without_folder(result.error.text), wanted);
}

static inline void bad(const char *text, const char *wanted)
{
    bad_set(text, NULL, wanted);
}

#endif
