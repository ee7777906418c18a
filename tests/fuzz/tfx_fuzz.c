// Fuzz target: TressFX files.
#include "tests/fuzz/fuzz_strand_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const coif_hair_import import = {.scale = 1.0f};
    read_strand_format(".tfx", &import, data, size);
    return 0;
}

size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    const coif_strand_export desc = {.tfx_version = 3, .default_radius = 1e-4f};
    return index == 1 ? write_strand_seed(".tfx", &desc, data, capacity)
                      : strand_seed(".tfx", index, NULL, 0, data, capacity);
}
