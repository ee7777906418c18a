// Fuzz target: pbrt curve files.
#include "tests/fuzz/fuzz_strand_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const coif_hair_import import = {.scale = 1.0f};
    read_strand_format(".pbrt", &import, data, size);
    return 0;
}

size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    static const char *const texts[] = {
        "Shape \"curve\" \"string type\" \"cylinder\" \"string basis\" \"bspline\"\n"
        "\"point3 P\" [ 0 0 0 0 1 0 0 2 0 ] \"float width0\" 0.2 \"float width1\" [0]\n"
        "# comment\nTranslate 0 1 0\nShape \"sphere\"\n"};
    return strand_seed(".pbrt", index, texts, 1, data, capacity);
}
