// Fuzz target: Mitsuba curve files.
#include "tests/fuzz/fuzz_strand_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const coif_hair_import import = {.scale = 1.0f};
    read_strand_format(".txt", &import, data, size);
    return 0;
}

size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    static const char *const texts[] = {
        "0 0 0 1e-4\n0 1 0 1e-4\n\n# comment\n1 0 0 0.1\n1 1 0 0.1\n"};
    return strand_seed(".txt", index, texts, 1, data, capacity);
}
