// Poses of bodies: their own motion and that of their parents.
#include "core/base/error.h"
#include "core/body/body_parent.h"

coif_status coif_body_pose(coif_mesh *mesh, const coif_body *body, double frame, coif_arena *arena,
                           coif_error *error)
{
    coif_body_rest(mesh, body, arena);
    if (body->sequence) {
        COIF_TRY(coif_body_read_sequence(mesh, body, frame, error));
    }
    coif_body_params params;
    coif_node_read(body->node, frame, &params);
    coif_body_transform_points(mesh, &params, body);
    COIF_TRY(coif_body_follow_parent(mesh, body, &(coif_body_moment){.frame = frame}, error));
    const coif_body_params offset = coif_body_offset(&params);
    coif_body_transform_points(mesh, &offset, body);
    coif_body_apply_drag(mesh, body);
    return COIF_OK;
}

bool coif_body_is_animated(const coif_body *body)
{
    return body->sequence || coif_params_are_animated(&body->node->values) ||
           (body->parent != NULL && coif_body_is_animated(body->parent));
}
