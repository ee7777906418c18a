// Strand files of other programs: one table of formats that are read and written; the curves of
// archives are read.
#ifndef COIF_CORE_HAIR_FORMATS_STRAND_FILE_H
#define COIF_CORE_HAIR_FORMATS_STRAND_FILE_H

#include "core/archive/archive.h"
#include "core/base/string_table.h"
#include "core/hair/formats/hair_file.h"

typedef struct coif_strand_file {
    coif_strands strands; // radius 0 where unknown
    bool has_radius;      // some point has a radius
    bool has_root_uv;     // strands.root_uv are those of the file
    float *transparency;  // per point; NULL when absent
    // Per strand; NULL when absent.
    int32_t *groups; // index in group_names; NULL: one group
    coif_string_table group_names;
    int32_t *ids;            // groom_id
    int32_t *guide;          // 1: a guide of other strands
    int32_t *closest_guides; // 3: ids of guides
    float *guide_weights;    // 3
    int32_t skipped;         // strands of fewer than two points, which are omitted
} coif_strand_file;

typedef struct coif_strand_export {
    const char *name;     // of the object, where the format has names
    int32_t tfx_version;  // 3 or 4; 0: 4
    float default_radius; // of points without one, where the format needs a radius, m
    // Of archives.
    bool has_basis; // else Catmull-Rom in USD and linear in Alembic
    coif_curve_basis basis;
    double meters_per_unit; // 0: 1
    char up_axis;           // 0: 'y'
} coif_strand_export;

// Readers return the data of the file; coif_strand_file_load applies the import to them. Writers
// replace the file atomically. A row has read or load, and save unless it is read only.
typedef struct coif_strand_format {
    const char *extension, *name;
    coif_status (*read)(coif_strand_file *file, const coif_bytes *bytes,
                        const coif_hair_import *import, coif_arena *arena, coif_error *error);
    coif_status (*load)(coif_strand_file *file, const char *path, const coif_hair_import *import,
                        coif_arena *arena, coif_error *error);
    coif_status (*save)(const coif_strand_file *file, const char *path,
                        const coif_strand_export *desc, coif_error *error);
} coif_strand_format;

extern const coif_strand_format COIF_STRAND_FORMATS[];
extern const int32_t COIF_STRAND_FORMAT_COUNT;

// By extension; NULL: unknown.
const coif_strand_format *coif_strand_format_of(const char *path);

// ".hair .tfx .obj" of the formats that are read, or written.
const char *coif_strand_format_list(bool written, coif_arena *arena);

// Whether coif_strand_file_load reads the file as an archive.
bool coif_strand_file_is_archive(const char *path);

// Selects the format by extension, archives by content. Truncated files, inconsistent counts and
// numbers that are not finite are COIF_ERR_FORMAT with the location; strands of fewer than two
// points are omitted and reported by one warning.
coif_status coif_strand_file_load(coif_strand_file *file, const char *path,
                                  const coif_hair_import *import, coif_arena *arena,
                                  coif_error *error);

// Applies scale and axis conversion to positions, radii and velocities; a result that is not finite
// is an error that names path. The import is applied by coif_strand_file_load already.
coif_status coif_strand_file_transform(coif_strand_file *file, const char *path,
                                       const coif_hair_import *import, coif_error *error);

coif_status coif_strand_file_save(const coif_strand_file *file, const char *path,
                                  const coif_strand_export *desc, coif_error *error);

// Of archives (Alembic, USD): the curves of the first samples, or at a time. Guides and children
// are told apart by groom_guide; a file without one of them gives the other. Control points of
// B-spline and Bezier curves become points of the curve, the same number with the same ends. Groups
// are those of groom_group_id, or one per object.
coif_status coif_strand_archive_load(coif_strand_file *file, const char *path,
                                     const coif_hair_import *import, coif_arena *arena,
                                     coif_error *error);

// The same of an open archive, scaled. z_up has no effect: the archive has been opened with it.
coif_status coif_strand_archive_read(coif_strand_file *file, const coif_archive *archive,
                                     const coif_hair_import *import, coif_arena *arena,
                                     coif_error *error);

// A .usda, .usdc or .abc file of static curves. Strands marked as guides are an object of their
// own, NAME_guides. Characters of the name that the format does not allow become underscores.
coif_status coif_strand_curves_save(const coif_strand_file *file, const char *path,
                                    const coif_strand_export *desc, coif_error *error);

// Readers of the formats, for tests of damaged files; data end with a zero byte beyond size.
coif_status coif_tfx_read(coif_strand_file *file, const coif_bytes *bytes,
                          const coif_hair_import *import, coif_arena *arena, coif_error *error);
coif_status coif_tfx_save(const coif_strand_file *file, const char *path,
                          const coif_strand_export *desc, coif_error *error);
coif_status coif_ply_read(coif_strand_file *file, const coif_bytes *bytes,
                          const coif_hair_import *import, coif_arena *arena, coif_error *error);
coif_status coif_ply_save(const coif_strand_file *file, const char *path,
                          const coif_strand_export *desc, coif_error *error);
coif_status coif_hairsalon_read(coif_strand_file *file, const coif_bytes *bytes,
                                const coif_hair_import *import, coif_arena *arena,
                                coif_error *error);
coif_status coif_hairsalon_save(const coif_strand_file *file, const char *path,
                                const coif_strand_export *desc, coif_error *error);
coif_status coif_mitsuba_read(coif_strand_file *file, const coif_bytes *bytes,
                              const coif_hair_import *import, coif_arena *arena, coif_error *error);
coif_status coif_mitsuba_save(const coif_strand_file *file, const char *path,
                              const coif_strand_export *desc, coif_error *error);
coif_status coif_pbrt_read(coif_strand_file *file, const coif_bytes *bytes,
                           const coif_hair_import *import, coif_arena *arena, coif_error *error);
coif_status coif_pbrt_save(const coif_strand_file *file, const char *path,
                           const coif_strand_export *desc, coif_error *error);

#endif
