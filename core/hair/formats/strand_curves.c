// Strands as curves of archives.
#include "core/hair/formats/strand_curves.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/hair/formats/strand_file.h"

#include <string.h>

coif_archive_curves coif_strands_curves(const coif_strands *strands, coif_curve_basis basis,
                                        coif_arena *arena)
{
    coif_archive_curves curves = {.basis = basis,
                                  .pinned = true,
                                  .curve_count = strands->strand_count,
                                  .point_count = strands->point_count,
                                  .velocities = strands->velocities,
                                  .colors = strands->colors,
                                  .uv = strands->root_uv};
    curves.counts = coif_arena_new(arena, curves.curve_count, int32_t);
    curves.points = coif_arena_new(arena, curves.point_count, coif_vec3);
    curves.widths = coif_arena_new(arena, curves.point_count, float);
    for (int32_t s = 0; s < curves.curve_count; ++s) {
        curves.counts[s] = coif_strands_length(strands, s);
    }
    for (int32_t i = 0; i < curves.point_count; ++i) {
        curves.points[i] = coif_vec4_xyz(strands->points[i]);
        curves.widths[i] = 2.0f * strands->points[i].w;
    }
    return curves;
}

// Solves P[i-1] + 4 P[i] + P[i+1] = 6 D[i] for the inner points; the ends are those of the curve,
// where the second derivative of a pinned B-spline is zero. Thomas algorithm.
static void solve_natural_spline(coif_vec3 *points, int32_t count, float *ratios)
{
    float ratio = 0.0f;
    for (int32_t i = 1; i + 1 < count; ++i) {
        const float scale = 1.0f / (4.0f - ratio);
        points[i] = coif_scale(coif_sub(coif_scale(points[i], 6.0f), points[i - 1]), scale);
        ratio = scale;
        ratios[i] = ratio;
    }
    for (int32_t i = count - 2; i > 0; --i) {
        points[i] = coif_mad(points[i], -ratios[i], points[i + 1]);
    }
}

coif_archive_curves coif_strands_bspline(const coif_strands *strands, coif_arena *arena)
{
    coif_archive_curves curves = coif_strands_curves(strands, COIF_BASIS_BSPLINE, arena);
    float *ratios = coif_arena_new(arena, curves.point_count, float);
    if (curves.velocities != NULL) {
        curves.velocities = coif_arena_new(arena, curves.point_count, coif_vec3);
        memcpy(curves.velocities, strands->velocities,
               (size_t)curves.point_count * sizeof *curves.velocities);
    }
    for (int32_t s = 0; s < curves.curve_count; ++s) {
        const int32_t first = strands->first[s];
        solve_natural_spline(curves.points + first, curves.counts[s], ratios);
        if (curves.velocities != NULL) {
            solve_natural_spline(curves.velocities + first, curves.counts[s], ratios);
        }
    }
    return curves;
}

void coif_curves_set_groom(coif_archive_curves *curves, const coif_groom *groom, bool guides,
                           coif_arena *arena)
{
    const int32_t count = curves->curve_count;
    const bool all = count == groom->rest.strand_count && !guides;
    if (!all && count != groom->simulated_count) {
        return;
    }
    curves->ids = coif_arena_new(arena, count, int32_t);
    for (int32_t s = 0; s < count; ++s) {
        curves->ids[s] = all ? s : groom->simulated[s];
    }
    if (groom->region != NULL) {
        curves->group_ids = coif_arena_new(arena, count, int32_t);
        for (int32_t s = 0; s < count; ++s) {
            curves->group_ids[s] = groom->region[curves->ids[s]];
        }
    }
    if (groom->rest.root_uv != NULL) {
        curves->uv = coif_arena_new(arena, 2 * count, float);
        for (int32_t s = 0; s < count; ++s) {
            memcpy(curves->uv + 2 * s, groom->rest.root_uv + 2 * (int64_t)curves->ids[s],
                   2 * sizeof(float));
        }
    }
    if (all) {
        const size_t bound = (size_t)count * COIF_GUIDES_PER_CHILD;
        curves->closest_guides = coif_arena_new(arena, bound, int32_t);
        curves->guide_weights = groom->guide_weights;
        for (size_t i = 0; i < bound; ++i) {
            const int32_t guide = groom->guides[i];
            curves->closest_guides[i] = guide >= 0 ? groom->simulated[guide] : -1;
        }
    }
}

// One sample, with the default radius where the file has none.
static coif_archive_curves curves_of(const coif_strand_file *file, const coif_strand_export *desc,
                                     coif_curve_basis basis, coif_arena *arena)
{
    const coif_archive_curves curves = coif_strands_curves(&file->strands, basis, arena);
    for (int32_t i = 0; i < curves.point_count && !file->has_radius; ++i) {
        curves.widths[i] = 2.0f * desc->default_radius;
    }
    return curves;
}

coif_status coif_strand_curves_save(const coif_strand_file *file, const char *path,
                                    const coif_strand_export *export, coif_error *error)
{
    const bool usd = coif_path_has_extension(path, "usda");
    const coif_archive_writer_vtable *format =
        usd ? &COIF_ARCHIVE_WRITE_USDA : &COIF_ARCHIVE_WRITE_ALEMBIC;
    const coif_archive_write_desc desc = {.fps = 24.0,
                                          .sample_count = 1,
                                          .meters_per_unit = 1.0,
                                          .up_axis = 'y',
                                          .basis = usd ? COIF_BASIS_CATMULL_ROM : COIF_BASIS_LINEAR,
                                          .application = "coif " COIF_VERSION};
    COIF_SCOPED_ARENA(arena, "strand curves");
    const char *name = coif_arena_print(&arena, "/%s", export->name);
    const coif_archive_write_object object = {.path = name, .kind = COIF_ARCHIVE_CURVES};
    coif_archive_writer *writer;
    COIF_TRY(format->create(&writer, path, &desc, &object, 1, &arena, error));
    const coif_archive_curves curves = curves_of(file, export, desc.basis, &arena);
    coif_status status = format->write_curves(writer, 0, 0, &curves, error);
    status = status == COIF_OK ? format->commit(writer, error) : status;
    format->discard(writer);
    return status;
}
