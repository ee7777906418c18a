// batch_run: simulates one groom over a frame range, restarting from the newest valid
// checkpoint.
#ifndef COIF_SIM_RUN_BATCH_RUN_H
#define COIF_SIM_RUN_BATCH_RUN_H

#include "sim/run/sim_scene.h"

typedef struct coif_batch_run_desc {
    const char *folder; // of the cache
    bool redo;          // also frames that the cache has
    const coif_groom *groom;
    const coif_node *node;    // the entry of "grooms"
    const coif_body *body;    // the one it names
    coif_partition partition; // of its strands; index 0: joins the partitions
} coif_batch_run_desc;

coif_status coif_run_groom(coif_sim_scene *sim_scene, const coif_batch_run_desc *desc,
                           coif_error *error);

#endif
