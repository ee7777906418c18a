// export_archive: USD and Alembic files of `coif export`: hair, guides, bodies and camera over
// time.
#ifndef COIF_TOOLS_CLI_EXPORT_ARCHIVE_H
#define COIF_TOOLS_CLI_EXPORT_ARCHIVE_H

#include "core/archive/archive.h"
#include "core/mesh/mesh_polygons.h"
#include "tools/cli/export_groom.h"

typedef struct coif_archive_export_desc {
    const coif_archive_writer_vtable *format;
    bool automatic_basis;   // that of the format, instead of basis
    coif_curve_basis basis; // linear, bspline or catmull-rom
    double meters_per_unit;
    char up_axis;
    bool varying_widths;
    bool with_guides, guides_only, with_body, with_camera;
} coif_archive_export_desc;

typedef struct coif_archive_export_body {
    int32_t object; // -1: not written
    bool moves;
    coif_mesh_polygons polygons;
} coif_archive_export_body;

typedef struct coif_archive_export_groom {
    coif_archive_hair_look look;
    int32_t hair, guides; // objects; -1: not written
    // Ids and groups of all grooms are distinct; names of the groups.
    int32_t first_id, first_group;
    const char **group_names;
} coif_archive_export_groom;

// A file that is being written.
typedef struct coif_archive_export {
    coif_archive_export_desc desc;
    const coif_export_grooms *sources;
    coif_archive_writer *writer;
    coif_arena arena;                  // of the writer
    coif_archive_export_groom *grooms; // per source
    int32_t camera;                    // object; -1: not written
    coif_archive_export_body *bodies;  // of the sources; NULL: not written
} coif_archive_export;

// Frames of the samples are first, first + step, ...; a single sample is static.
typedef struct coif_archive_export_times {
    double first, step;
    int32_t count;
} coif_archive_export_times;

coif_status coif_archive_export_begin(coif_archive_export *file, const char *path,
                                      const coif_archive_export_desc *desc,
                                      const coif_export_grooms *sources,
                                      const coif_archive_export_times *times, coif_error *error);

// Writes the strands of each groom (all of them, or the simulated ones) and, of these, the guides.
// Rest: the bodies are in their bind pose.
typedef struct coif_archive_export_sample {
    int32_t index;
    double frame;
    bool rest;
    const coif_strands *strands, *simulated; // per groom
} coif_archive_export_sample;
coif_status coif_archive_export_write(coif_archive_export *file,
                                      const coif_archive_export_sample *sample, coif_arena *arena,
                                      coif_error *error);

// Commits the file when status is COIF_OK, else removes it; returns the first failure.
coif_status coif_archive_export_end(coif_archive_export *file, coif_status status,
                                    coif_error *error);

#endif
