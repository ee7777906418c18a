// sim_warnings: given parameters of "sim" that have no effect in this scene, beside those of the
// rules in applies_to.h.
#ifndef COIF_SIM_RUN_SIM_WARNINGS_H
#define COIF_SIM_RUN_SIM_WARNINGS_H

#include "core/scene/scene.h"

// Logs a warning for each, and returns their number:
//   contact parameters without bodies or colliders that hair touches;
//   radius and density of hair under methods without material, where no force depends on mass.
int32_t coif_sim_warn_values_without_effect(const coif_scene *scene);

#endif
