// Fuzz target: USD crate files.
#include "tests/fuzz/archive_seed.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/usd_read.h"
#include "tests/support/crate_builder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_layer(data, size);
    return 0;
}

// The layouts before and after 0.4.0; one with a compressed array; files of the writer.
size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    static crate_builder crate;
    static const int32_t sizes[20] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    static const float triangle[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const float table[] = {0.5f, 0.25f};
    uint32_t corners[60], codes[20];
    if (index > 2) {
        return archive_seed(&COIF_ARCHIVE_WRITE_USDC, index - 3, data, capacity);
    }
    if (index < 2) {
        crate_build_hair(&crate, index == 0 ? 0 : 8);
    } else {
        crate_begin(&crate, 8);
        const int root = crate_spec(&crate, -1, "", CRATE_ROOT);
        const int skin = crate_prim(&crate, root, "skin", "Mesh");
        for (uint32_t i = 0; i < 60; ++i) {
            corners[i] = i % 3;
            codes[i % 20] = i & 1;
        }
        crate_attribute(&crate, skin, "points", "point3f[]");
        crate_field(&crate, "default", crate_array(&crate, CRATE_VEC3F, triangle, 3, 12));
        crate_attribute(&crate, skin, "faceVertexCounts", "int[]");
        crate_field(&crate, "default", crate_array(&crate, CRATE_INT, sizes, 20, 4));
        crate_attribute(&crate, skin, "faceVertexIndices", "int[]");
        crate_field(&crate, "default", (uint64_t)5 << 61 | crate_here(&crate, CRATE_INT));
        crate_put_u64(&crate, 60);
        crate_put_integers(&crate, corners, 60);
        crate_attribute(&crate, skin, "primvars:st", "texCoord2f[]");
        crate_field(&crate, "interpolation", crate_text(&crate, "faceVarying"));
        crate_field(&crate, "default", (uint64_t)5 << 61 | crate_here(&crate, CRATE_FLOAT));
        crate_put_u64(&crate, 20);
        crate_put(&crate, "t", 1);
        crate_put_u32(&crate, 2);
        crate_put(&crate, table, sizeof table);
        crate_put_integers(&crate, codes, 20);
        crate_finish(&crate);
    }
    if (crate.size > capacity) {
        return 0;
    }
    memcpy(data, crate.data, crate.size);
    return crate.size;
}
