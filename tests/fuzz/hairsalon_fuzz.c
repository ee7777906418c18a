// Fuzz target: USC-HairSalon files.
#include "tests/fuzz/fuzz_strand_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const coif_hair_import import = {.scale = 1.0f};
    read_strand_format(".data", &import, data, size);
    return 0;
}

size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    return strand_seed(".data", index, NULL, 0, data, capacity);
}
