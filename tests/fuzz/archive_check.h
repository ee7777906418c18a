// Consistency of what archive readers accept, for fuzz targets.
#ifndef COIF_TESTS_FUZZ_ARCHIVE_CHECK_H
#define COIF_TESTS_FUZZ_ARCHIVE_CHECK_H

#include "core/archive/archive.h"
#include "core/base/arena.h"
#include "core/base/error.h"

#include <math.h>
#include <stdlib.h>

static inline void check_curves(const coif_archive_curves *curves)
{
    int64_t sum = 0;
    for (int32_t c = 0; c < curves->curve_count; ++c) {
        sum += curves->counts[c];
    }
    float used = curves->ids != NULL && curves->curve_count > 0 ? (float)curves->ids[0] : 0.0f;
    for (int32_t i = 0; i < curves->point_count; ++i) {
        used += curves->widths != NULL ? curves->widths[i] : 0.0f;
        if (!isfinite(curves->points[i].x)) {
            abort();
        }
    }
    if (sum != curves->point_count || used == -1.2345f) {
        abort();
    }
}

static inline void check_mesh(const coif_archive_mesh *mesh)
{
    int64_t sum = 0;
    for (int32_t f = 0; f < mesh->face_count; ++f) {
        sum += mesh->face_sizes[f];
        if (mesh->face_group != NULL && mesh->face_group[f] >= mesh->group_count) {
            abort();
        }
    }
    for (int32_t c = 0; c < mesh->corner_count; ++c) {
        if (mesh->corners[c] < 0 || mesh->corners[c] >= mesh->vertex_count) {
            abort();
        }
    }
    if (sum != mesh->corner_count) {
        abort();
    }
}

static inline void check_status(coif_status status, const coif_error *error)
{
    if (status != COIF_OK && (status != COIF_ERR_FORMAT || error->text[0] == '\0')) {
        abort();
    }
}

// Most memory for a file and for its objects, one at a time.
static inline void check_memory(const coif_arena *arena, size_t size)
{
    if (arena->peak > 400 * size + 1000000) {
        abort();
    }
}

#endif
