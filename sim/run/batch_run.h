// batch_run: simulates one groom over a frame range, restarting from the newest valid
// checkpoint.
#ifndef COIF_SIM_RUN_BATCH_RUN_H
#define COIF_SIM_RUN_BATCH_RUN_H

#include "sim/run/sim_scene.h"

coif_status coif_run_groom(coif_sim_scene *sim_scene, const coif_groom *groom,
                           const coif_node *node, const coif_body *body, coif_error *error);

#endif
