// Fuzz target: Alembic archives. Accepted objects must be consistent, and memory bounded by the
// input.
#include "core/archive/alembic/abc_reader.h"
#include "core/base/log.h"
#include "tests/fuzz/archive_check.h"
#include "tests/fuzz/archive_seed.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

static coif_status read_object(const coif_archive *archive, int32_t object, int32_t sample,
                               coif_arena *arena, coif_error *error)
{
    coif_archive_curves curves;
    coif_archive_mesh mesh;
    coif_archive_camera camera;
    coif_status status;
    switch (archive->objects[object].kind) {
    case COIF_ARCHIVE_CURVES:
        status = coif_archive_read_curves(archive, object, sample, &curves, arena, error);
        if (status == COIF_OK) {
            check_curves(&curves);
        }
        return status;
    case COIF_ARCHIVE_MESH:
        status = coif_archive_read_mesh(archive, object, sample, &mesh, arena, error);
        if (status == COIF_OK) {
            check_mesh(&mesh);
        }
        return status;
    default:
        return coif_archive_read_camera(archive, object, sample, &camera, arena, error);
    }
}

static void check_error(coif_status status, const coif_error *error)
{
    if (status != COIF_OK && (status != COIF_ERR_FORMAT || error->text[0] == '\0')) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    coif_arena arena, frame;
    coif_arena_init(&arena, "fuzz");
    const coif_bytes bytes = {.name = "fuzz", .data = data, .size = size};
    coif_archive *archive;
    coif_error error = {0};
    const coif_status status = coif_abc_open(&archive, &bytes, NULL, &arena, &error);
    check_error(status, &error);
    for (int32_t i = 0; status == COIF_OK && i < archive->object_count && i < 16; ++i) {
        const int32_t last = archive->objects[i].sample_count - 1;
        for (int32_t sample = 0; sample <= last; sample += last > 0 ? last : 1) {
            coif_error cause = {0};
            coif_arena_init(&frame, "frame");
            check_error(read_object(archive, i, sample, &frame, &cause), &cause);
            if (frame.peak > 200 * size + 1000000) {
                abort();
            }
            coif_arena_free(&frame);
        }
    }
    if (arena.peak > 1000 * size + 20000000) {
        abort();
    }
    coif_arena_free(&arena);
    return 0;
}

size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    return archive_seed(&COIF_ARCHIVE_WRITE_ALEMBIC, index, data, capacity);
}
