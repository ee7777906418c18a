// Fuzz target: polylines of OBJ files. Accepted curves must be consistent, and memory bounded by
// the input.
#include "core/mesh/obj_polylines.h"
#include "tests/fuzz/fuzz_strand_format.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    COIF_SCOPED_ARENA(arena, "fuzz");
    char *text = coif_arena_new(&arena, size + 1, char); // the byte after the file is zero
    coif_obj_polylines curves;
    coif_error error = {0};
    if (size > 0) {
        memcpy(text, data, size);
    }
    const coif_status status =
        coif_obj_polylines_read(&curves, "fuzz.obj", text, size, &arena, &error);
    if (status != COIF_OK && (status != COIF_ERR_FORMAT || error.text[0] == '\0')) {
        abort();
    }
    for (int32_t c = 0; status == COIF_OK && c < curves.count; ++c) {
        if (curves.first[c + 1] - curves.first[c] < 2 || curves.first[c + 1] > curves.point_count ||
            curves.groups[c] < 0 || curves.groups[c] >= curves.group_names.count ||
            !isfinite(curves.points[curves.first[c]].x)) {
            abort();
        }
    }
    check_memory(&arena, size);
    return 0;
}

size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    static const char *const texts[] = {
        "# curves\ng left\nv 0 0 0\nv 0 1e-3 -.5\nv 0 2 0 1 1 1\nl 1 2 3\no right\nv 1 0 0\n"
        "v 1 1 0\nl -2/1 \\\n -1/2\nf 1 2 3\nl 5 3 1\n"};
    return strand_seed(".obj", index, texts, 1, data, capacity);
}
