// Fuzz target: JSON parser and scene loader; the text after the first zero byte is a --set.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/json/json.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/fake_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The promises of a span: inside the parent's, in order, and the text in it parses alone.
static void check_spans(const coif_json *value, const char *text, size_t size)
{
    size_t at = value->begin;
    if (value->begin >= value->end || value->end > size) {
        abort();
    }
    for (const coif_json *child = value->child; child != NULL; child = child->next) {
        if (child->begin < at || child->end > value->end) {
            abort();
        }
        at = child->end;
        check_spans(child, text, size);
    }
}

static void parse(const char *text, size_t size, coif_arena *arena)
{
    coif_error error = {0};
    coif_json *root = NULL;
    const coif_status status = coif_json_parse(&root, "fuzz", text, size, arena, &error);
    if (status == COIF_OK) {
        check_spans(root, text, size);
    } else if (error.text[0] == '\0') {
        abort();
    }
}

static void load(const char *text, size_t size, coif_arena *arena)
{
    const char *zero = memchr(text, '\0', size);
    const size_t length = zero != NULL ? (size_t)(zero - text) : size;
    char *set = coif_arena_new(arena, size - length + 1, char);
    if (zero != NULL) {
        memcpy(set, zero + 1, size - length - 1);
    }
    const char *const sets[] = {set};
    const coif_scene_desc desc = {
        .path = "fuzz.json",
        .sets = sets,
        .set_count = zero != NULL,
        .tree = &FAKE_TREE,
        .plugins = &FAKE_LOOKUP,
        .source = text,
        .source_size = length,
    };
    coif_scene scene;
    coif_error error = {0};
    if (coif_scene_load(&scene, &desc, arena, &error) != COIF_OK && error.text[0] == '\0') {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    COIF_SCOPED_ARENA(arena, "fuzz");
    parse((const char *)data, size, &arena);
    load((const char *)data, size, &arena);
    return 0;
}

size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    static const char *const seeds[] = {
        "{\"coif\": 1, \"bodies\": [{\"name\": \"head\", \"mesh\": \"head.####.obj\", \"rotate\": "
        "{\"keys\": [[1, [0, 0, 0]], [25, [0, 90, 0]]]}}], \"grooms\": [{\"name\": \"hair\", "
        "\"body\": \"head\", \"count\": 500, \"length\": {\"map\": \"long\", \"range\": [0.1, "
        "0.3]}, \"radius\": {\"value\": 4e-5, \"ramp\": [[0, 1], [1, 0.2]]}, \"maps\": [{\"name\": "
        "\"long\", \"plugin\": \"density.image\"}], \"modifiers\": [{\"plugin\": \"groom.curl\", "
        "\"radius\": {\"map\": \"long\", \"range\": [0, 0.02]}}], \"hair\": {\"eumelanin\": "
        "1.3}}], \"sim\": {\"substeps\": 8, \"method\": \"rod\"}, \"forces\": [{\"plugin\": "
        "\"wind.gust\", \"strength\": 0.75}]}|grooms/hair/count=7",
        "\xef\xbb\xbf[\"\\u00e9\\ud83d\\ude00\\n\", -1.5e-3, true, false, null, {}, [[[]]]]",
        "{}|forces=[{\"plugin\": \"wind.calm\", \"comment\": \"\"}]",
        "{\"sim\": {\"gravity_on\": {\"keys\": [[1, true], [2, false]]}}}|sim/gravity=[0, 1, 2]",
    };
    const size_t count = sizeof seeds / sizeof seeds[0];
    if (index < 0 || (size_t)index >= count || strlen(seeds[index]) > capacity) {
        return 0;
    }
    const size_t size = strlen(seeds[index]);
    memcpy(data, seeds[index], size);
    uint8_t *bar = memchr(data, '|', size);
    if (bar != NULL) {
        *bar = 0;
    }
    return size;
}
