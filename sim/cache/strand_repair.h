// strand_repair: makes the strands of a file usable on a body.
#ifndef COIF_SIM_CACHE_STRAND_REPAIR_H
#define COIF_SIM_CACHE_STRAND_REPAIR_H

#include "core/base/jobs.h"
#include "core/hair/formats/strand_file.h"
#include "core/mesh/mesh.h"
#include "sim/cache/push_out.h"

typedef struct coif_strand_repair_desc {
    const coif_mesh *mesh;   // body, m
    const char *group;       // scalp; NULL: the whole mesh
    float max_root_distance; // m; a strand whose ends are both farther from the scalp is a stray
    float clearance;         // m; distance of the fibres from the body
    coif_jobs *jobs;
} coif_strand_repair_desc;

// Number of strands that each repair changed, and how far.
typedef struct coif_strand_repair_report {
    int32_t merged_points;      // points at the position of their predecessor, removed
    int32_t strays, duplicates; // removed
    float nearest_end;          // m; smallest distance of an end of a strand from the scalp
    int32_t reversed;           // the tip was at the scalp
    int32_t bound;              // translated so that the root lies on the scalp
    float largest_translation;  // m
    int32_t pushed_strands;     // with points moved out of the body
    coif_push_out_stats pushed; // their points
} coif_strand_repair_report;

// In this order: merges repeated points, reverses, removes strays and duplicates, binds roots,
// pushes points out of the body. Strands without a fault keep their bits, so that a second repair
// changes nothing but rounding. A group without triangles is COIF_ERR_SCENE.
coif_status coif_strand_repair(coif_strand_file *file, const coif_strand_repair_desc *desc,
                               coif_strand_repair_report *report, coif_arena *arena,
                               coif_error *error);

#endif
