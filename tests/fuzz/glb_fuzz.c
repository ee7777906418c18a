// Fuzz target: GLB files. Accepted meshes must be consistent, and memory bounded by the input.
#include "core/archive/mesh/mesh_archive.h"
#include "core/base/arena.h"
#include "tests/fuzz/archive_check.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/mesh_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    COIF_SCOPED_ARENA(arena, "fuzz");
    char *copy = coif_arena_new(&arena, size + 1, char); // the byte after the file is zero
    const coif_bytes bytes = {.name = "fuzz", .data = copy, .size = size};
    coif_archive *archive;
    coif_archive_mesh mesh;
    coif_error error = {0};
    if (size > 0) {
        memcpy(copy, data, size);
    }
    const coif_status opened = coif_glb_archive_open_bytes(&archive, &bytes, NULL, &arena, &error);
    check_status(opened, &error);
    // The first objects: the others are read by the same code.
    for (int32_t i = 0; opened == COIF_OK && i < archive->object_count && i < 4; ++i) {
        const coif_arena_mark mark = coif_arena_mark_here(&arena);
        const coif_status status =
            coif_glb_archive_read_bytes(archive, &bytes, i, &mesh, &arena, &error);
        check_status(status, &error);
        if (status == COIF_OK) {
            check_mesh(&mesh);
        }
        coif_arena_rewind(&arena, mark);
    }
    check_memory(&arena, size);
    return 0;
}

size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    static file_text text;
    static const char *const documents[] = {
        CUBE_DOCUMENT "\"nodes\": [{\"mesh\": 0, \"scale\": [-1, 1, 1]}]",
        CUBE_ACCESSORS "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}, "
                       "\"mode\": 5}]}], \"nodes\": [{\"children\": [1]}, {\"mesh\": 0, "
                       "\"matrix\": [0,0,-2,0, 0,2,0,0, 2,0,0,0, 0,3,0,1]}]"};
    if (index > 1) {
        return 0;
    }
    cube_glb(&text, documents[index]);
    if (text.size > capacity) {
        return 0;
    }
    memcpy(data, text.data, text.size);
    return text.size;
}
