// lint_hints: warnings about scenes that are valid and probably not what was meant.
#ifndef COIF_TOOLS_CLI_LINT_HINTS_H
#define COIF_TOOLS_CLI_LINT_HINTS_H

#include "core/body/body.h"
#include "core/hair/strands.h"

// A groom on its body: some of its strands at rest, and the number of all that grow.
void coif_lint_groom_hints(const coif_scene *scene, const coif_node *node, const coif_body *body,
                           const coif_strands *rest, int32_t strand_count);

// Distance by which rest strands reach beyond the bounding box of the body at rest.
float coif_lint_hair_reach(const coif_body *body, const coif_strands *strands);

// A camera that no body and no hair is in view of. Hair_reach: per body, negative without hair.
void coif_lint_camera_hints(const coif_scene *scene, const coif_body *bodies, int32_t body_count,
                            const float *hair_reach);

#endif
