// Strands as curves of archives.
#include "core/hair/formats/strand_curves.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/hair/strand_edit.h"

#include <stdio.h>
#include <stdlib.h>
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

// Groups as numbers: those that the names are, else their indices with the names.
static void set_groups(coif_archive_curves *curves, const coif_strand_file *file, coif_arena *arena)
{
    const coif_string_table *names = &file->group_names;
    bool numbers = true;
    int32_t *ids = coif_arena_new(arena, names->count, int32_t);
    for (int32_t g = 0; g < names->count; ++g) {
        char text[16];
        ids[g] = (int32_t)strtol(names->names[g], NULL, 10);
        snprintf(text, sizeof text, "%d", ids[g]);
        numbers = numbers && strcmp(text, names->names[g]) == 0;
    }
    curves->group_ids = coif_arena_new(arena, curves->curve_count, int32_t);
    curves->group_names = numbers ? NULL : coif_arena_new(arena, curves->curve_count, const char *);
    for (int32_t s = 0; s < curves->curve_count; ++s) {
        const int32_t group = file->groups[s];
        curves->group_ids[s] = numbers ? ids[group] : group;
        if (!numbers) {
            curves->group_names[s] = names->names[group];
        }
    }
}

// One sample, with the default radius where the file has none.
static coif_archive_curves curves_of(const coif_strand_curves *to, const coif_strand_file *file,
                                     coif_arena *arena)
{
    const coif_curve_basis basis = to->basis;
    coif_archive_curves curves = basis == COIF_BASIS_BSPLINE
                                     ? coif_strands_bspline(&file->strands, arena)
                                     : coif_strands_curves(&file->strands, basis, arena);
    for (int32_t i = 0; i < curves.point_count && !file->has_radius; ++i) {
        curves.widths[i] = 2.0f * to->export.default_radius;
    }
    curves.uv = file->has_root_uv ? curves.uv : NULL;
    curves.ids = file->ids;
    for (int32_t i = 0; file->closest_guides != NULL && i < 3 * curves.curve_count; ++i) {
        if (file->closest_guides[i] >= 0) {
            curves.closest_guides = file->closest_guides;
            curves.guide_weights = file->guide_weights;
        }
    }
    if (to->has_groups) {
        set_groups(&curves, file, arena);
    }
    return curves;
}

static bool is_guide(const coif_strand_file *file, int32_t strand)
{
    return file->guide != NULL && file->guide[strand] != 0;
}

// Without groups in a file strands are grouped by the paths of objects; a single object of hair and
// those of its guides are no groups.
static bool has_groups(const coif_strand_file *file)
{
    int32_t only = -1;
    for (int32_t s = 0; file->groups != NULL && s < file->strands.strand_count; ++s) {
        if (is_guide(file, s)) {
            continue;
        }
        if (file->group_names.names[file->groups[s]][0] != '/' ||
            (only >= 0 && file->groups[s] != only)) {
            return true;
        }
        only = file->groups[s];
    }
    return false;
}

// Objects: strands that are not guides, and guides, where there are any.
static void find_kinds(coif_strand_curves *to, const coif_strand_file *file)
{
    bool found[2] = {file->strands.strand_count == 0, false};
    for (int32_t s = 0; s < file->strands.strand_count; ++s) {
        found[is_guide(file, s)] = true;
    }
    for (int kind = 0; kind < 2; ++kind) {
        if (found[kind]) {
            to->guides[to->object_count++] = kind == 1;
        }
    }
}

coif_status coif_strand_curves_begin(coif_strand_curves *to, const char *path,
                                     const coif_strand_export *export,
                                     const coif_strand_times *times, const coif_strand_file *first,
                                     coif_error *error)
{
    const coif_archive_writer_vtable *format = coif_archive_writer_for(path);
    const bool usd = format != &COIF_ARCHIVE_WRITE_ALEMBIC;
    *to = (coif_strand_curves){.format = format, .export = *export};
    to->basis = export->has_basis ? export->basis
                : usd             ? COIF_BASIS_CATMULL_ROM
                                  : COIF_BASIS_LINEAR;
    find_kinds(to, first);
    to->has_groups = has_groups(first);
    coif_arena_init(&to->arena, "strand curves");
    const coif_archive_write_desc desc = {
        .fps = times->fps,
        .first_frame = times->first,
        .frame_step = times->step,
        .sample_count = times->count,
        .meters_per_unit = export->meters_per_unit > 0.0 ? export->meters_per_unit : 1.0,
        .up_axis = export->up_axis == 'z' ? 'z' : 'y',
        .basis = to->basis,
        .application = "coif " COIF_VERSION};
    coif_archive_write_object objects[2];
    for (int32_t i = 0; i < to->object_count; ++i) {
        objects[i] =
            (coif_archive_write_object){.path = coif_arena_print(&to->arena, "/%s%s", export->name,
                                                                 to->guides[i] ? "_guides" : ""),
                                        .kind = COIF_ARCHIVE_CURVES,
                                        .animated = times->count > 1,
                                        .is_guide = to->guides[i]};
    }
    const coif_status status =
        to->format->create(&to->writer, path, &desc, objects, to->object_count, &to->arena, error);
    if (status != COIF_OK) {
        coif_arena_free(&to->arena);
    }
    return status;
}

// The strands that are guides, or the others.
static coif_status select_kind(coif_strand_file *file, bool guides, coif_arena *arena,
                               coif_error *error)
{
    const int32_t count = file->strands.strand_count;
    int32_t *kept = coif_arena_new(arena, count, int32_t), kept_count = 0;
    for (int32_t s = 0; s < count; ++s) {
        if (is_guide(file, s) == guides) {
            kept[kept_count++] = s;
        }
    }
    return kept_count == count ? COIF_OK
                               : coif_strand_file_select(file, kept, kept_count, arena, error);
}

coif_status coif_strand_curves_add(coif_strand_curves *to, const coif_strand_file *file,
                                   coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "strand curves");
    for (int32_t object = 0; object < to->object_count; ++object) {
        coif_strand_file kind = *file;
        COIF_TRY(select_kind(&kind, to->guides[object], &scratch, error));
        const coif_archive_curves curves = curves_of(to, &kind, &scratch);
        COIF_TRY(to->format->write_curves(to->writer, object, to->sample, &curves, error));
    }
    ++to->sample;
    return COIF_OK;
}

coif_status coif_strand_curves_end(coif_strand_curves *to, coif_status status, coif_error *error)
{
    status = status == COIF_OK ? to->format->commit(to->writer, error) : status;
    to->format->discard(to->writer);
    coif_arena_free(&to->arena);
    return status;
}

coif_status coif_strand_curves_save(const coif_strand_file *file, const char *path,
                                    const coif_strand_export *export, coif_error *error)
{
    const coif_strand_times pose = {.fps = 24.0, .step = 1.0, .count = 1};
    coif_strand_curves to;
    COIF_TRY(coif_strand_curves_begin(&to, path, export, &pose, file, error));
    return coif_strand_curves_end(&to, coif_strand_curves_add(&to, file, error), error);
}
