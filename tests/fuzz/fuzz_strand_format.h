// Fuzzing of a strand format that is read from memory. Accepted files must be valid, and memory
// bounded by the input.
#ifndef COIF_TESTS_FUZZ_STRAND_FORMAT_H
#define COIF_TESTS_FUZZ_STRAND_FORMAT_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/hair/formats/strand_file.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_strands.h"
#include "tests/support/test.h"

#include <string.h>

// Most memory for a file: the shortest strand of a text is a few bytes.
static inline void check_memory(const coif_arena *arena, size_t size)
{
    if (arena->peak > 400 * size + 1000000) {
        abort();
    }
}

static inline void read_strand_format(const char *extension, const coif_hair_import *import,
                                      const uint8_t *data, size_t size)
{
    COIF_SCOPED_ARENA(arena, "fuzz");
    const coif_strand_format *format = coif_strand_format_of(extension);
    char *text = coif_arena_new(&arena, size + 1, char); // the byte after the file is zero
    if (size > 0) {
        memcpy(text, data, size);
    }
    const coif_bytes bytes = {.name = "fuzz", .data = text, .size = size};
    coif_strand_file file = {0};
    coif_error error = {0};
    const coif_status status = format->read(&file, &bytes, import, &arena, &error);
    if (status == COIF_OK) {
        check_sound(&file.strands);
    } else if (status != COIF_ERR_FORMAT || error.text[0] == '\0') {
        abort();
    }
    check_memory(&arena, size);
}

// A file of the writer: three strands of four points, with colours and root UVs.
static inline size_t write_strand_seed(const char *extension, const coif_strand_export *desc,
                                       uint8_t *data, size_t capacity)
{
    COIF_SCOPED_ARENA(arena, "seed");
    coif_strand_file file = {.has_radius = true, .has_root_uv = true};
    coif_error error = {0};
    const char *path = coif_test_path(coif_arena_print(&arena, "seed%s", extension));
    const int32_t lengths[] = {4, 4, 4};
    char *bytes;
    size_t size;
    if (coif_strands_init(&file.strands, lengths, 3, &arena, &error) != COIF_OK) {
        abort();
    }
    file.strands.colors = coif_arena_new(&arena, 12, coif_vec3);
    for (int32_t i = 0; i < 12; ++i) {
        const float x = (float)i;
        file.strands.points[i] = (coif_vec4){0.1f * x, -0.3f * x, x * x, 1e-4f * (1.0f + x)};
        file.strands.colors[i] = (coif_vec3){0.5f, 0.01f * x, 1.0f};
    }
    if (coif_strand_file_save(&file, path, desc, &error) != COIF_OK ||
        coif_file_load(&bytes, &size, path, &arena, &error) != COIF_OK || size > capacity) {
        abort();
    }
    memcpy(data, bytes, size);
    return size;
}

// Seed 0 is of the writer, the others are texts.
static inline size_t strand_seed(const char *extension, int index, const char *const *texts,
                                 int text_count, uint8_t *data, size_t capacity)
{
    const coif_strand_export desc = {.name = "hair", .tfx_version = 4, .default_radius = 1e-4f};
    if (index == 0) {
        return write_strand_seed(extension, &desc, data, capacity);
    }
    if (index > text_count || strlen(texts[index - 1]) > capacity) {
        return 0;
    }
    memcpy(data, texts[index - 1], strlen(texts[index - 1]));
    return strlen(texts[index - 1]);
}

#endif
