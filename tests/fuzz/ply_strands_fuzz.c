// Fuzz target: strands of PLY files.
#include "tests/fuzz/fuzz_strand_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const coif_hair_import import = {.scale = 1.0f};
    const coif_hair_import fixed = {.scale = 1.0f, .points_per_strand = 3};
    read_strand_format(".ply", &import, data, size);
    read_strand_format(".ply", &fixed, data, size);
    return 0;
}

size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    static const char *const texts[] = {
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
        "property float z\nproperty float radius\nproperty uchar red\n"
        "property int strand\nend_header\n0 0 0 1 255 0\n0 1 0 1 0 0\n0 2 0 1 7 0\n",
        "ply\nformat binary_big_endian 1.0\nelement vertex 2\nproperty short x\n"
        "property short y\nproperty short z\nelement edge 1\nproperty uchar vertex1\n"
        "property uchar vertex2\nend_header\nabcdefghijkl\x01\x01",
        "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
        "property float z\nelement curve 1\nproperty list uchar int vertex_index\n"
        "end_header\n0 0 0\n0 1 0\n2 0 1\n",
        ("ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
         "property float z\nelement edge 1\nproperty int vertex1\nend_header\n0 0 0\n0 1 0\n0\n"),
    };
    return strand_seed(".ply", index, texts, 4, data, capacity);
}
