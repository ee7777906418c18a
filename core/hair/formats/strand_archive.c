// Import of strands from the curves of archives.
#include "core/archive/archive.h"
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/hair/formats/strand_file.h"

#include <stdio.h>
#include <string.h>

// One object and which of its curves are taken.
typedef struct curve_source {
    coif_archive_curves curves;
    const char *name;
    bool is_guide; // all curves
} curve_source;

static bool curve_is_guide(const curve_source *source, int32_t curve)
{
    return source->is_guide || (source->curves.guide != NULL && source->curves.guide[curve] != 0);
}

static bool is_unpinned_spline(const coif_archive_curves *curves)
{
    const bool spline =
        curves->basis == COIF_BASIS_BSPLINE || curves->basis == COIF_BASIS_CATMULL_ROM;
    return spline && !curves->pinned && !curves->periodic;
}

// Splines that are not pinned begin and end at their inner control points: the outer ones only
// shape them. A curve of fewer than four control points has no segment of such a spline: it is a
// polyline.
static int32_t hidden_ends(const coif_archive_curves *curves, int32_t curve)
{
    return is_unpinned_spline(curves) && curves->counts[curve] >= 4;
}

static coif_curve_basis basis_of(const coif_archive_curves *curves, int32_t curve)
{
    return is_unpinned_spline(curves) && curves->counts[curve] < 4 ? COIF_BASIS_LINEAR
                                                                   : curves->basis;
}

static int32_t strand_points(const coif_archive_curves *curves, int32_t curve)
{
    return curves->counts[curve] - 2 * hidden_ends(curves, curve);
}

// What is taken of all sources.
typedef struct selection {
    const curve_source *sources;
    int32_t source_count;
    bool guides, all;
    int32_t strand_count, left_out, skipped; // skipped: of one point
} selection;

static bool is_selected(const selection *selected, const curve_source *source, int32_t curve)
{
    return (selected->all || curve_is_guide(source, curve) == selected->guides) &&
           strand_points(&source->curves, curve) >= 2;
}

static void count_strands(selection *selected)
{
    selected->strand_count = selected->left_out = selected->skipped = 0;
    for (int32_t s = 0; s < selected->source_count; ++s) {
        const curve_source *source = &selected->sources[s];
        for (int32_t c = 0; c < source->curves.curve_count; ++c) {
            const bool single = strand_points(&source->curves, c) < 2,
                       taken = is_selected(selected, source, c);
            selected->strand_count += taken;
            selected->skipped += single;
            selected->left_out += !single && !taken;
        }
    }
}

// Point of the curve that stands for a control point.
//
// Uniform cubic B-spline, with phantom points that put the ends on the first and last control
// point:  p[i] = (c[i-1] + 4 c[i] + c[i+1]) / 6. Bezier: the inner control points of a segment give
// its points at 1/3 and 2/3.
static coif_vec3 point_of_curve(const coif_vec3 *c, int32_t i, int32_t count,
                                coif_curve_basis basis)
{
    const int32_t last = count - 1;
    if (basis == COIF_BASIS_BSPLINE && i > 0 && i < last) {
        return coif_scale(coif_mad(coif_add(c[i - 1], c[i + 1]), 4.0f, c[i]), 1.0f / 6.0f);
    }
    const int32_t in_segment = i % 3;
    if (basis == COIF_BASIS_BEZIER && in_segment != 0 && i - in_segment + 3 <= last) {
        const coif_vec3 *b = c + i - in_segment;
        const bool first = in_segment == 1;
        const coif_vec3 ends = coif_add(coif_scale(first ? b[0] : b[3], 8.0f), first ? b[3] : b[0]);
        const coif_vec3 inner = coif_add(coif_scale(b[1], first ? 12.0f : 6.0f),
                                         coif_scale(b[2], first ? 6.0f : 12.0f));
        return coif_scale(coif_add(ends, inner), 1.0f / 27.0f);
    }
    return c[i];
}

static bool has_closest_guides(const coif_archive_curves *curves)
{
    return curves->closest_guides != NULL && curves->guide_weights != NULL;
}

// Arrays that all sources have; closest guides where one has them.
static void open_arrays(coif_strand_file *file, const selection *selected, coif_arena *arena)
{
    coif_strands *strands = &file->strands;
    const int32_t count = strands->strand_count;
    bool colors = true, velocities = true, ids = true, guides = false;
    for (int32_t s = 0; s < selected->source_count; ++s) {
        const coif_archive_curves *curves = &selected->sources[s].curves;
        colors = colors && curves->colors != NULL;
        velocities = velocities && curves->velocities != NULL;
        ids = ids && curves->ids != NULL;
        guides = guides || has_closest_guides(curves);
    }
    strands->colors = colors ? coif_arena_new(arena, strands->point_count, coif_vec3) : NULL;
    strands->velocities =
        velocities ? coif_arena_new(arena, strands->point_count, coif_vec3) : NULL;
    file->groups = coif_arena_new(arena, count, int32_t);
    file->guide = coif_arena_new(arena, count, int32_t);
    file->ids = ids ? coif_arena_new(arena, count, int32_t) : NULL;
    file->closest_guides = guides ? coif_arena_new(arena, 3 * (size_t)count, int32_t) : NULL;
    file->guide_weights = guides ? coif_arena_new(arena, 3 * (size_t)count, float) : NULL;
}

// Data per strand.
static void copy_attributes(coif_strand_file *file, int32_t strand, const curve_source *source,
                            int32_t curve, coif_arena *arena)
{
    const coif_archive_curves *curves = &source->curves;
    const size_t to = 3 * (size_t)strand, from = 3 * (size_t)curve;
    if (curves->uv != NULL) {
        memcpy(file->strands.root_uv + 2 * (size_t)strand, curves->uv + 2 * (size_t)curve,
               2 * sizeof(float));
        file->has_root_uv = true;
    }
    if (file->ids != NULL) {
        file->ids[strand] = curves->ids[curve];
    }
    for (size_t k = to; file->closest_guides != NULL && k < to + 3; ++k) {
        file->closest_guides[k] = -1;
    }
    if (has_closest_guides(curves)) {
        memcpy(file->closest_guides + to, curves->closest_guides + from, 3 * sizeof(int32_t));
        memcpy(file->guide_weights + to, curves->guide_weights + from, 3 * sizeof(float));
    }
    file->guide[strand] = curve_is_guide(source, curve);
    const char *group = source->name;
    char number[16];
    if (curves->group_names != NULL) {
        group = curves->group_names[curve];
    } else if (curves->group_ids != NULL) {
        snprintf(number, sizeof number, "%d", curves->group_ids[curve]);
        group = number;
    }
    file->groups[strand] =
        coif_string_table_intern(&file->group_names, group, strlen(group), arena);
}

static void copy_strands(coif_strand_file *file, const selection *selected, coif_arena *arena)
{
    coif_strands *strands = &file->strands;
    int32_t strand = 0;
    for (int32_t s = 0; s < selected->source_count; ++s) {
        const coif_archive_curves *curves = &selected->sources[s].curves;
        const coif_vec3 *control = curves->points;
        for (int32_t c = 0; c < curves->curve_count; control += curves->counts[c++]) {
            if (!is_selected(selected, &selected->sources[s], c)) {
                continue;
            }
            const int32_t hidden = hidden_ends(curves, c);
            const coif_curve_basis basis = basis_of(curves, c);
            const ptrdiff_t from = control - curves->points + hidden;
            const int32_t to = strands->first[strand];
            for (int32_t i = 0; i < strand_points(curves, c); ++i) {
                const coif_vec3 p = point_of_curve(control, i + hidden, curves->counts[c], basis);
                const float width = curves->widths != NULL ? curves->widths[from + i] : 0.0f;
                strands->points[to + i] = (coif_vec4){p.x, p.y, p.z, 0.5f * width};
                file->has_radius = file->has_radius || width > 0.0f;
                if (strands->colors != NULL) {
                    strands->colors[to + i] = curves->colors[from + i];
                }
                if (strands->velocities != NULL) {
                    strands->velocities[to + i] =
                        point_of_curve(curves->velocities + (control - curves->points), i + hidden,
                                       curves->counts[c], basis);
                }
            }
            copy_attributes(file, strand++, &selected->sources[s], c, arena);
        }
    }
}

static coif_status take_strands(coif_strand_file *file, const char *path, selection *selected,
                                coif_arena *arena, coif_arena *scratch, coif_error *error)
{
    bool periodic = false;
    count_strands(selected);
    if (selected->strand_count == 0) {
        selected->all = true;
        count_strands(selected);
    }
    if (selected->strand_count == 0) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: no curves of two or more points", path);
    }
    int32_t *lengths = coif_arena_new(scratch, selected->strand_count, int32_t);
    int32_t strand = 0;
    for (int32_t s = 0; s < selected->source_count; ++s) {
        const curve_source *source = &selected->sources[s];
        for (int32_t c = 0; c < source->curves.curve_count; ++c) {
            if (is_selected(selected, source, c)) {
                lengths[strand++] = strand_points(&source->curves, c);
            }
        }
        periodic = periodic || source->curves.periodic;
    }
    if (selected->left_out > 0) {
        coif_log_once(COIF_LOG_INFO, "%s: %d curves; %d %s are left out", path,
                      selected->strand_count, selected->left_out,
                      selected->guides ? "that are not guides" : "guides");
    }
    if (selected->skipped > 0 || periodic) {
        coif_log_once(COIF_LOG_WARNING, "%s: %d curves of fewer than two points skipped%s", path,
                      selected->skipped, periodic ? "; closed curves are opened" : "");
    }
    COIF_TRY(coif_strands_init(&file->strands, lengths, selected->strand_count, arena, error));
    open_arrays(file, selected, arena);
    copy_strands(file, selected, arena);
    bool guides = false;
    for (int32_t s = 0; s < selected->strand_count; ++s) {
        guides = guides || file->guide[s] != 0;
    }
    file->guide = guides ? file->guide : NULL;
    return COIF_OK;
}

// Fractions of the time between two samples that are at one of them.
static const double SAMPLE_TOLERANCE = 1e-3;

// Curves at a time, between samples linearly; before the first and after the last they stand still.
static coif_status read_at(coif_archive_curves *curves, const coif_archive *archive, int32_t object,
                           double seconds, coif_arena *scratch, coif_error *error)
{
    const coif_archive_object *source = &archive->objects[object];
    int32_t after = 0;
    while (after + 1 < source->sample_count && source->times[after] < seconds) {
        ++after;
    }
    const int32_t before = after > 0 ? after - 1 : 0;
    const double span = source->times[after] - source->times[before];
    double weight = span > 0.0 ? (seconds - source->times[before]) / span : 0.0;
    weight = weight < 1.0 - SAMPLE_TOLERANCE ? weight : 1.0;
    if (weight == 1.0 || weight < SAMPLE_TOLERANCE) {
        return coif_archive_read_curves(archive, object, weight == 1.0 ? after : before, curves,
                                        scratch, error);
    }
    coif_archive_curves next;
    COIF_TRY(coif_archive_read_curves(archive, object, before, curves, scratch, error));
    COIF_TRY(coif_archive_read_curves(archive, object, after, &next, scratch, error));
    if (next.point_count != curves->point_count) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: %s: %d points at %g s and %d at %g s",
                         archive->path, source->path, curves->point_count, source->times[before],
                         next.point_count, source->times[after]);
    }
    for (int32_t i = 0; i < curves->point_count; ++i) {
        curves->points[i] = coif_lerp(curves->points[i], next.points[i], (float)weight);
    }
    curves->velocities = next.velocities != NULL ? curves->velocities : NULL;
    for (int32_t i = 0; curves->velocities != NULL && i < curves->point_count; ++i) {
        curves->velocities[i] = coif_lerp(curves->velocities[i], next.velocities[i], (float)weight);
    }
    return COIF_OK;
}

static coif_status read_sources(selection *selected, const coif_archive *archive,
                                const coif_hair_import *import, coif_arena *scratch,
                                coif_error *error)
{
    const bool named = import->object != NULL && *import->object != '\0';
    int32_t object = -1;
    curve_source *sources = coif_arena_new(scratch, archive->object_count, curve_source);
    selected->sources = sources;
    if (named) {
        COIF_TRY(coif_archive_select(&object, archive, COIF_ARCHIVE_CURVES, import->object, error));
    }
    for (int32_t i = 0; i < archive->object_count; ++i) {
        if (archive->objects[i].kind != COIF_ARCHIVE_CURVES || (named && i != object)) {
            continue;
        }
        curve_source *source = &sources[selected->source_count++];
        source->name = archive->objects[i].path;
        source->is_guide = archive->objects[i].is_guide;
        const double first = archive->objects[i].times[0];
        COIF_TRY(read_at(&source->curves, archive, i,
                         import->seconds != NULL ? *import->seconds : first, scratch, error));
    }
    return COIF_OK;
}

coif_status coif_strand_archive_read(coif_strand_file *file, const coif_archive *archive,
                                     const coif_hair_import *import, coif_arena *arena,
                                     coif_error *error)
{
    const coif_hair_import scaled = {.scale = import->scale};
    selection selected = {.guides = import->guides, .all = import->all_curves};
    COIF_SCOPED_ARENA(scratch, "curves");
    *file = (coif_strand_file){.has_radius = false};
    COIF_TRY(read_sources(&selected, archive, import, &scratch, error));
    COIF_TRY(take_strands(file, archive->path, &selected, arena, &scratch, error));
    return coif_strand_file_transform(file, archive->path, &scaled, error);
}

coif_status coif_strand_archive_load(coif_strand_file *file, const char *path,
                                     const coif_hair_import *import, coif_arena *arena,
                                     coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "archive");
    const coif_archive_import conversion = {.up_axis = import->z_up ? 'z' : 0};
    coif_archive *archive;
    COIF_TRY(coif_archive_open(&archive, path, &conversion, &scratch, error));
    return coif_strand_archive_read(file, archive, import, arena, error);
}
