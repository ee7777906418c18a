// Strands as curves of archives (core/archive): Alembic, USD.
#ifndef COIF_CORE_HAIR_FORMATS_STRAND_CURVES_H
#define COIF_CORE_HAIR_FORMATS_STRAND_CURVES_H

#include "core/archive/archive.h"
#include "core/base/arena.h"
#include "core/hair/formats/strand_file.h"
#include "core/hair/groom.h"

// Curves through the points of strands: Catmull-Rom, or linear. Arrays that need no conversion are
// those of strands.
coif_archive_curves coif_strands_curves(const coif_strands *strands, coif_curve_basis basis,
                                        coif_arena *arena);

// The same as a uniform cubic B-spline: its control points are those of the natural spline through
// the points of each strand.
coif_archive_curves coif_strands_bspline(const coif_strands *strands, coif_arena *arena);

// Ids, guides and weights of the strands of a groom: all of them, or the simulated ones. The id of
// a strand is its index in the groom.
void coif_curves_set_groom(coif_archive_curves *curves, const coif_groom *groom, bool guides,
                           coif_arena *arena);

// Frames of the samples of an archive: sample i is frame first + i step, at that frame / fps
// seconds.
typedef struct coif_strand_times {
    double fps, first, step;
    int32_t count;
} coif_strand_times;

// A .usda, .usdc or .abc file of strands over time.
typedef struct coif_strand_curves {
    const coif_archive_writer_vtable *format;
    coif_archive_writer *writer;
    coif_strand_export export;
    coif_curve_basis basis;
    bool guides[2]; // per object: strands marked as guides, or the others
    bool has_groups;
    int32_t object_count, sample;
    coif_arena arena;
} coif_strand_curves;

// Begins a file with the objects of the first sample: NAME, and NAME_guides for strands marked as
// guides. After success end must be called.
coif_status coif_strand_curves_begin(coif_strand_curves *to, const char *path,
                                     const coif_strand_export *export,
                                     const coif_strand_times *times, const coif_strand_file *first,
                                     coif_error *error);

// Adds the next sample.
coif_status coif_strand_curves_add(coif_strand_curves *to, const coif_strand_file *file,
                                   coif_error *error);

// Commits the file; with another status than COIF_OK it is discarded, and status is returned.
coif_status coif_strand_curves_end(coif_strand_curves *to, coif_status status, coif_error *error);

#endif
