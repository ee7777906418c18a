// Fuzz target: meshes of PLY files. Accepted meshes must be consistent, and memory bounded by the
// input.
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
    coif_status status = coif_ply_archive_open_bytes(&archive, &bytes, NULL, &arena, &error);
    check_status(status, &error);
    if (status == COIF_OK && archive->object_count > 0) {
        status = coif_ply_archive_read_bytes(archive, &bytes, &mesh, &arena, &error);
        check_status(status, &error);
        if (status == COIF_OK) {
            check_mesh(&mesh);
        }
    }
    check_memory(&arena, size);
    return 0;
}

size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    static file_text text;
    if (index > 2) {
        return 0;
    }
    cube_ply(&text, "alb"[index]);
    if (text.size > capacity) {
        return 0;
    }
    memcpy(data, text.data, text.size);
    return text.size;
}
