// Text export of strands: OBJ polylines, which have positions only.
#ifndef COIF_CORE_HAIR_FORMATS_STRAND_TEXT_H
#define COIF_CORE_HAIR_FORMATS_STRAND_TEXT_H

#include "core/hair/strands.h"

// Names of the groups of strands.
typedef struct coif_obj_groups {
    const char *const *names;
    const int32_t *of_strands; // index in names; NULL: all of the group `name`
    const char *name;
} coif_obj_groups;

// One `l` line per strand.
coif_status coif_strands_save_obj(const coif_strands *strands, const coif_obj_groups *groups,
                                  const char *path, coif_error *error);

#endif
