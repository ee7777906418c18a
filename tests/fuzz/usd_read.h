// Reading of every object of a USD layer in fuzz targets. Accepted objects must be consistent.
#ifndef COIF_TESTS_FUZZ_USD_READ_H
#define COIF_TESTS_FUZZ_USD_READ_H

#include "core/archive/usd/usd_archive.h"
#include "core/base/arena.h"
#include "tests/fuzz/archive_check.h"

static void read_object(const coif_archive *archive, int32_t object, int32_t sample,
                        coif_arena *arena)
{
    coif_error error = {0};
    coif_archive_curves curves;
    coif_archive_mesh mesh;
    coif_archive_camera camera;
    coif_status status;
    if (archive->objects[object].kind == COIF_ARCHIVE_CURVES) {
        status = coif_usd_read_curves(archive, object, sample, &curves, arena, &error);
        if (status == COIF_OK) {
            check_curves(&curves);
        }
    } else if (archive->objects[object].kind == COIF_ARCHIVE_MESH) {
        status = coif_usd_read_mesh(archive, object, sample, &mesh, arena, &error);
        if (status == COIF_OK) {
            check_mesh(&mesh);
        }
    } else {
        status = coif_usd_read_camera(archive, object, sample, &camera, arena, &error);
    }
    check_status(status, &error);
}

// The first objects and samples: the others are read by the same code.
static void read_layer(const uint8_t *data, size_t size)
{
    enum { MOST = 4 };
    const coif_bytes bytes = {.name = "fuzz", .data = data, .size = size};
    coif_arena arena;
    coif_archive *archive;
    coif_error error = {0};
    coif_arena_init(&arena, "fuzz");
    const coif_status status = coif_usd_archive_open_bytes(&archive, &bytes, NULL, &arena, &error);
    check_status(status, &error);
    for (int32_t i = 0; status == COIF_OK && i < archive->object_count && i < MOST; ++i) {
        for (int32_t s = 0; s < archive->objects[i].sample_count && s < MOST; ++s) {
            const coif_arena_mark mark = coif_arena_mark_here(&arena);
            read_object(archive, i, s, &arena);
            coif_arena_rewind(&arena, mark);
        }
    }
    check_memory(&arena, size);
    coif_arena_free(&arena);
}

#endif
