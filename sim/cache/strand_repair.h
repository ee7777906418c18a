// strand_repair: makes the strands of a file usable on a body.
#ifndef COIF_SIM_CACHE_STRAND_REPAIR_H
#define COIF_SIM_CACHE_STRAND_REPAIR_H

#include "core/base/jobs.h"
#include "core/hair/formats/strand_file.h"
#include "core/mesh/mesh.h"

// Steps in their order. Duplicates are removed after merging and once more at the end.
typedef enum coif_repair_step {
    COIF_REPAIR_MERGE = 1,      // removes points at the position of their predecessor
    COIF_REPAIR_REVERSE = 2,    // strands that begin at their tip
    COIF_REPAIR_STRAYS = 4,     // removes strands far from the scalp
    COIF_REPAIR_BIND = 8,       // translates strands so that their roots lie on the scalp
    COIF_REPAIR_RESAMPLE = 16,  // equal segments, on the polyline
    COIF_REPAIR_PUSH = 32,      // moves points out of the body, keeping segment lengths
    COIF_REPAIR_DUPLICATES = 64 // removes strands that are equal to one before them
} coif_repair_step;
enum { COIF_REPAIR_ALL = 127 };

typedef struct coif_strand_repair_desc {
    const coif_mesh *mesh;    // body, m
    const char *group;        // scalp; NULL: the whole mesh
    uint32_t steps;           // coif_repair_step
    float max_root_distance;  // m; a strand whose ends are both farther from the scalp is a stray
    float clearance;          // m; distance of the fibres from the body
    int32_t resample_points;  // per strand; 0: the number of the strand, before merging where
                              // that number is common to all
    float resample_tolerance; // unevenness above which a strand is resampled
    coif_jobs *jobs;
} coif_strand_repair_desc;

// Points of strands that a step moved.
typedef struct coif_repair_moves {
    int32_t strands;
    int64_t points;
    double average, largest; // m, of the moved points
} coif_repair_moves;

// Number of strands that each step changed, and how far.
typedef struct coif_strand_repair_report {
    int32_t merged_points;      // removed
    int32_t strays, duplicates; // removed
    float nearest_end;          // m; smallest distance of an end of a strand from the scalp
    int32_t reversed;
    coif_repair_moves bound;
    coif_repair_moves resampled; // points are counted where their number stays
    coif_repair_moves pushed;
    int32_t uneven; // strands that cannot be resampled within the tolerance, keeping nine tenths of
                    // their length, out of the body
    int32_t stuck;  // strands with points in the body that no rotation of segments brings out
} coif_strand_repair_report;

// Strands without a fault keep their bits. A second repair changes nothing: a strand that a step
// cannot repair stays as it is. A group without triangles is COIF_ERR_SCENE.
coif_status coif_strand_repair(coif_strand_file *file, const coif_strand_repair_desc *desc,
                               coif_strand_repair_report *report, coif_arena *arena,
                               coif_error *error);

// Steps RESAMPLE and PUSH. Points: of every strand after resampling; 0 keeps their number.
coif_status coif_strand_repair_points(coif_strand_file *file, const coif_strand_repair_desc *desc,
                                      int32_t points, coif_strand_repair_report *report,
                                      coif_arena *arena, coif_error *error);

#endif
