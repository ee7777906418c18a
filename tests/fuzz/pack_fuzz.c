// Fuzz target: packs, grooms and edited guides, as they are and with corrected digests.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/hair/groom.h"
#include "core/hair/guide_edits.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/sealed_pack.h"
#include "tests/support/test.h"

#include <stdlib.h>

static void read_once(const void *data, size_t size)
{
    COIF_SCOPED_ARENA(arena, "fuzz");
    const coif_bytes bytes = {.name = "fuzz", .data = data, .size = size};
    coif_error error = {0};
    coif_pack pack;
    coif_groom groom;
    const coif_status status = coif_pack_read(&pack, &bytes, 0, &arena, &error);
    if (status != COIF_OK && (status != COIF_ERR_FORMAT || error.text[0] == '\0')) {
        abort();
    }
    if (coif_groom_read(&groom, &bytes, &arena, NULL) == COIF_OK &&
        coif_strands_find_invalid(&groom.rest) >= 0) {
        abort();
    }
    coif_guide_edits edits;
    if (coif_guide_edits_read(&edits, &bytes, &arena, NULL) == COIF_OK &&
        coif_strands_find_invalid(&edits.edited) >= 0) {
        abort();
    }
    // A chunk has at least some bytes in the file, so memory is bounded by the input.
    if (arena.peak > 200000 * size + 1000000) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_once(data, size);
    COIF_SCOPED_ARENA(arena, "fuzz");
    const char *sealed = sealed_pack(data, size, &arena);
    if (sealed != NULL) {
        read_once(sealed, size);
    }
    return 0;
}

static size_t take_file(const char *path, uint8_t *data, size_t capacity)
{
    COIF_SCOPED_ARENA(arena, "seed");
    char *bytes;
    size_t size;
    const bool loaded = coif_file_load(&bytes, &size, path, &arena, NULL) == COIF_OK;
    size = loaded && size <= capacity ? size : 0;
    memcpy(data, bytes, size);
    return size;
}

// A groom as it is saved, one with every block raw, a pack with one block of each codec, and
// guides.
size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    static const float values[30] = {0.0f, 0.5f, 1.0f, 1.5f};
    const int32_t lengths[] = {2, 3, 4, 3};
    const int guides = 3 + COIF_CODEC_QUANTISED;
    if (index > guides) {
        return 0;
    }
    const char *path = coif_test_path("seed");
    COIF_SCOPED_ARENA(arena, "seed");
    coif_groom groom;
    coif_pack pack;
    coif_groom_init(&groom, lengths, 4, &arena, NULL);
    coif_groom_bind(&groom, 0.5, &arena);
    coif_groom_save(&groom, path, NULL);
    if (index == 1) {
        coif_pack_load(&pack, path, 0, &arena, NULL);
        for (int32_t i = 0; i < pack.block_count; ++i) {
            pack.blocks[i].codec = COIF_CODEC_RAW;
        }
        coif_pack_save(&pack, path, NULL);
    } else if (index == guides) {
        coif_guide_edits edits;
        coif_guide_edits_init(&edits, lengths, 4, &arena, NULL);
        coif_guide_edits_save(&edits, path, NULL);
    } else if (index >= 2) {
        coif_pack_block block = {"data", COIF_PACK_FLOAT, 3, (coif_pack_codec)(index - 2),
                                 10,     values,          0, 0};
        pack = (coif_pack){.kind = COIF_PACK_STATE, .blocks = &block, .block_count = 1};
        coif_pack_save(&pack, path, NULL);
    }
    return take_file(path, data, capacity);
}
