// strand_builder: strands of unknown number from points in file order.
#include "core/hair/formats/strand_builder.h"

#include "core/base/array_grow.h"
#include "core/base/error.h"

#include <math.h>

coif_status coif_strand_builder_add(coif_strand_builder *builder, coif_vec4 point, const char *name,
                                    coif_error *error)
{
    if (!isfinite(point.x) || !isfinite(point.y) || !isfinite(point.z) || !(point.w >= 0.0f) ||
        !isfinite(point.w)) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: strand %zu: point %zu is %g %g %g with radius %g; expected finite "
                         "numbers and a radius of at least 0",
                         name, builder->strand_count, builder->point_count - builder->begin,
                         (double)point.x, (double)point.y, (double)point.z, (double)point.w);
    }
    if (builder->point_count >= COIF_MAX_POINTS) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: more than %d points", name, COIF_MAX_POINTS);
    }
    builder->points = coif_array_grow(builder->points, builder->point_count, 1,
                                      &builder->point_capacity, sizeof point, builder->arena);
    builder->points[builder->point_count++] = point;
    return COIF_OK;
}

void coif_strand_builder_end(coif_strand_builder *builder, coif_strand_file *file)
{
    const size_t length = builder->point_count - builder->begin;
    if (length < 2) {
        file->skipped += length == 1;
        builder->point_count = builder->begin;
        return;
    }
    builder->lengths = coif_array_grow(builder->lengths, builder->strand_count, 1,
                                       &builder->strand_capacity, sizeof(int32_t), builder->arena);
    builder->lengths[builder->strand_count++] = (int32_t)length;
    builder->begin = builder->point_count;
}

coif_status coif_strand_builder_finish(coif_strand_builder *builder, coif_strand_file *file,
                                       coif_arena *arena, coif_error *error)
{
    COIF_TRY(coif_strands_init(&file->strands, builder->lengths, (int32_t)builder->strand_count,
                               arena, error));
    if (builder->point_count > 0) {
        memcpy(file->strands.points, builder->points,
               builder->point_count * sizeof *builder->points);
    }
    return COIF_OK;
}
