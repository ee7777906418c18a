// Seeds of fuzz targets of archives, made by their writers.
#ifndef COIF_TESTS_FUZZ_ARCHIVE_SEED_H
#define COIF_TESTS_FUZZ_ARCHIVE_SEED_H

#include "core/base/fs.h"
#include "tests/support/archive_shapes.h"

#include <stdlib.h>

// Curves, a mesh and a camera of two samples; one object each, and all of them.
static inline size_t archive_seed(const coif_archive_writer_vtable *format, int index,
                                  uint8_t *data, size_t capacity)
{
    static const coif_archive_write_object objects[] = {
        {"/head/hair", COIF_ARCHIVE_CURVES, false, true, NULL},
        {"/head/skin", COIF_ARCHIVE_MESH, false, true, NULL},
        {"/camera", COIF_ARCHIVE_CAMERA, false, true, NULL}};
    const coif_archive_write_desc desc = {.fps = 24.0,
                                          .frame_step = 1.0,
                                          .sample_count = 2,
                                          .meters_per_unit = 0.01,
                                          .up_axis = 'z',
                                          .basis = COIF_BASIS_BSPLINE,
                                          .application = "fuzz"};
    if (index > 3) {
        return 0;
    }
    const int32_t first = index < 3 ? index : 0, count = index < 3 ? 1 : 3;
    const char *path = coif_test_path("seed");
    COIF_SCOPED_ARENA(arena, "seed");
    coif_archive_writer *writer;
    if (format->create(&writer, path, &desc, objects + first, count, &arena, NULL) != COIF_OK) {
        abort();
    }
    for (int32_t f = 0; f < 2; ++f) {
        const coif_archive_curves curves = archive_curves(3, 4, (float)f, &arena);
        const coif_archive_mesh mesh = archive_mesh(1.0f + (float)f, &arena);
        const coif_archive_camera camera = archive_camera((float)f);
        for (int32_t i = 0; i < count; ++i) {
            const coif_archive_kind kind = objects[first + i].kind;
            const coif_status status =
                kind == COIF_ARCHIVE_CURVES ? format->write_curves(writer, i, f, &curves, NULL)
                : kind == COIF_ARCHIVE_MESH ? format->write_mesh(writer, i, f, &mesh, NULL)
                                            : format->write_camera(writer, i, f, &camera, NULL);
            if (status != COIF_OK) {
                abort();
            }
        }
    }
    char *bytes;
    size_t size;
    if (format->commit(writer, NULL) != COIF_OK ||
        coif_file_load(&bytes, &size, path, &arena, NULL) != COIF_OK || size > capacity) {
        abort();
    }
    memcpy(data, bytes, size);
    return size;
}

#endif
