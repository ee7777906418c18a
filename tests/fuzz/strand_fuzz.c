// Fuzz target: strand files of all formats that are read from memory. The first byte selects the
// format. Accepted files must be valid.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/hair/formats/strand_file.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_strands.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const coif_strand_format *format = &COIF_STRAND_FORMATS[data[0] % COIF_STRAND_FORMAT_COUNT];
    if (format->read == NULL) {
        return 0;
    }
    COIF_SCOPED_ARENA(arena, "fuzz");
    char *text = malloc(size); // the byte after the file is zero
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    const coif_bytes bytes = {.name = "fuzz", .data = text, .size = size - 1};
    const coif_hair_import import = {.scale = 1.0f, .points_per_strand = data[0] / 64};
    coif_strand_file file = {0};
    coif_error error = {0};
    const coif_status status = format->read(&file, &bytes, &import, &arena, &error);
    if (status == COIF_OK) {
        check_sound(&file.strands);
    } else if (status != COIF_ERR_FORMAT || error.text[0] == '\0') {
        abort();
    }
    free(text);
    return 0;
}

size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    static const struct {
        const char *extension, *text;
    } SEEDS[] = {
        {"x.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                  "property float z\nproperty float radius\nproperty uchar red\n"
                  "property int strand\nend_header\n0 0 0 1 255 0\n0 1 0 1 0 0\n0 2 0 1 7 0\n"},
        {"x.ply", "ply\nformat binary_big_endian 1.0\nelement vertex 2\nproperty short x\n"
                  "property short y\nproperty short z\nelement edge 1\nproperty uchar vertex1\n"
                  "property uchar vertex2\nend_header\nabcdefghijkl\x01\x01"},
        {"x.ply", "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
                  "property float z\nelement curve 1\nproperty list uchar int vertex_index\n"
                  "end_header\n0 0 0\n0 1 0\n2 0 1\n"},
        {"x.txt", "0 0 0 1e-4\n0 1 0 1e-4\n\n1 0 0 0.1\n1 1 0 0.1\n"},
        {"x.pbrt", "Shape \"curve\" \"string type\" \"cylinder\" \"string basis\" \"bspline\"\n"
                   "\"point3 P\" [ 0 0 0 0 1 0 0 2 0 ] \"float width0\" 0.2 \"float width1\" [0]\n"
                   "# comment\nTranslate 0 1 0\nShape \"sphere\"\n"},
        {"x.data", NULL},
        {"x.tfx", NULL},
    };
    if (index >= (int)(sizeof SEEDS / sizeof SEEDS[0]) || capacity < 1024) {
        return 0;
    }
    const coif_strand_format *format = coif_strand_format_of(SEEDS[index].extension);
    data[0] = (uint8_t)(format - COIF_STRAND_FORMATS);
    if (SEEDS[index].text != NULL) {
        memcpy(data + 1, SEEDS[index].text, strlen(SEEDS[index].text));
        return 1 + strlen(SEEDS[index].text);
    }
    uint32_t words[64] = {2, 2, 0, 0, 0, 0, 0x3f800000, 0, 1};
    size_t size = 4 * (1 + 1 + 6 + 1 + 3);
    if (strcmp(format->extension, "tfx") == 0) { // two strands of two points
        const uint32_t header[] = {0x40800000, 2, 2, 160};
        memcpy(words, header, sizeof header);
        size = 160 + 4 * 16;
    }
    memcpy(data + 1, words, size);
    return 1 + size;
}
