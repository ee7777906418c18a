// Fuzz target: .hair files. Accepted files must be valid.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/hair/formats/hair_file.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_strands.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const coif_hair_import import = {.scale = 0.01f, .z_up = true};
    const coif_bytes bytes = {.name = "fuzz", .data = data, .size = size};
    for (int turn = 0; turn < 2; ++turn) {
        COIF_SCOPED_ARENA(arena, "fuzz");
        coif_hair_file hair;
        coif_error error = {0};
        const coif_status status =
            coif_hair_file_read(&hair, &bytes, turn == 0 ? NULL : &import, &arena, &error);
        if (status == COIF_OK) {
            check_sound(&hair.strands);
        } else if (status != COIF_ERR_FORMAT || error.text[0] == '\0') {
            abort();
        }
    }
    return 0;
}

// Two strands of three points; index chooses which arrays follow the header.
size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    static const uint32_t arrays[] = {2, 3, 18, 31};
    if (index >= (int)(sizeof arrays / sizeof arrays[0]) || capacity < 1024) {
        return 0;
    }
    const uint32_t header[] = {2, 6, arrays[index], 2};
    const uint16_t segments[] = {2, 2};
    size_t size = 128;
    memset(data, 0, 1024);
    memcpy(data, "HAIR", 4);
    memcpy(data + 4, header, sizeof header);
    if ((arrays[index] & 1) != 0) {
        memcpy(data + size, segments, sizeof segments);
        size += sizeof segments;
    }
    // Zeros are good points, thicknesses and colours.
    const size_t per_point[] = {12, 4, 4, 12};
    for (int bit = 1; bit < 5; ++bit) {
        size += (arrays[index] >> bit & 1) * 6 * per_point[bit - 1];
    }
    return size;
}
