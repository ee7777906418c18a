// lint_hints: warnings about scenes that are valid and probably not what was meant.
#ifndef COIF_TOOLS_CLI_LINT_HINTS_H
#define COIF_TOOLS_CLI_LINT_HINTS_H

#include "core/body/body.h"

// A groom on its body with the number of strands that grow.
void coif_lint_groom_hints(const coif_scene *scene, const coif_node *node, const coif_body *body,
                           int32_t strand_count);

// A camera that no body is in front of.
void coif_lint_camera_hints(const coif_scene *scene, const coif_body *bodies, int32_t body_count);

#endif
