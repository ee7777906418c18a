// constraint_params: "constraints" of a groom: pins, ties and attachments of chosen points.
#ifndef COIF_SIM_RUN_CONSTRAINT_PARAMS_H
#define COIF_SIM_RUN_CONSTRAINT_PARAMS_H

#include "sim/run/force_params.h"

enum { COIF_CONSTRAINT_PIN, COIF_CONSTRAINT_TIE, COIF_CONSTRAINT_ATTACH };
enum { COIF_CONSTRAINT_TO_BODY, COIF_CONSTRAINT_TO_LOCATOR, COIF_CONSTRAINT_FREE };
enum { COIF_CATCH_REST, COIF_CATCH_CURRENT };
enum { COIF_POINTS_AUTOMATIC, COIF_POINTS_ALL, COIF_POINTS_NEAREST, COIF_POINTS_PLANE };

typedef struct coif_constraint_params {
    const char *name;
    int32_t enabled;
    int32_t type;     // COIF_CONSTRAINT_PIN ...
    int32_t target;   // COIF_CONSTRAINT_TO_BODY ...
    const char *body; // "": that of the groom, of a locator none
    float position[3], axis[3];
    float radius; // of a ring, m; 0: of the points at rest
    int32_t slide;
    float strength, slack;
    int32_t catch_mode; // COIF_CATCH_...
    // Selection.
    float mask, mask_threshold;
    int32_t groom_region; // -1: all
    float from, to;       // fractions of a strand
    int32_t points;       // COIF_POINTS_...
    int32_t region;       // COIF_REGION_...
    float region_center[3], region_size[3];
    float region_radius;
    const char *points_file;
} coif_constraint_params;

extern const coif_section COIF_CONSTRAINTS_SECTION;

#endif
