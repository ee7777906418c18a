// run: one groom through all frames of a shot, from the newest state that fits.
#ifndef COIF_SIM_RUN_BATCH_RUN_H
#define COIF_SIM_RUN_BATCH_RUN_H

#include "sim/run/sim_scene.h"

coif_status coif_run_groom(coif_sim_scene *shot, const coif_groom *groom, const coif_node *node,
                           const coif_body *body, coif_error *error);

#endif
