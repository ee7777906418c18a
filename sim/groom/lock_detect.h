// lock_detect: groups strands that run side by side, such as the locks of an imported groom.
#ifndef COIF_SIM_GROOM_LOCK_DETECT_H
#define COIF_SIM_GROOM_LOCK_DETECT_H

#include "core/hair/strands.h"

// Sets clump[s] to the first strand of the lock of strand s. A strand belongs to the first strand,
// by index, that is at most distance away on average over the strand; else it begins a lock.
void coif_detect_locks(int32_t *clump, const coif_strands *strands, float distance,
                       coif_arena *scratch);

#endif
