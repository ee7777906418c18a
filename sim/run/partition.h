// partition: a range of the simulated strands of a groom that one process simulates.
//
// Strands that do not interact move independently, so that the partitions of a groom have together
// the bits of the whole. The files of a partition have the format of whole frames and states, with
// zeros for all other strands: FOLDER/partitions/NAME.2-of-8.0001.strands.
#ifndef COIF_SIM_RUN_PARTITION_H
#define COIF_SIM_RUN_PARTITION_H

#include "core/base/base.h"

typedef struct coif_partition {
    int32_t index, count; // index from 1; count 0: all strands
} coif_partition;

typedef struct coif_strand_range {
    int32_t begin, end;
} coif_strand_range;

// The simulated strands of a partition. The ranges of all partitions are in order.
static inline coif_strand_range coif_partition_strands(coif_partition partition, int32_t strands)
{
    const int64_t parts = partition.count > 0 ? partition.count : 1;
    const int64_t part = partition.count > 0 ? partition.index - 1 : 0;
    return (coif_strand_range){(int32_t)(strands * part / parts),
                               (int32_t)(strands * (part + 1) / parts)};
}

#endif
