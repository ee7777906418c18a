// attachment: a position or region that rides on a body, whatever moves the body.
//
// Its frame is the best-fit rigid motion of the part of the body's surface that is nearest at rest.
#ifndef COIF_CORE_BODY_ATTACHMENT_H
#define COIF_CORE_BODY_ATTACHMENT_H

#include "core/body/body.h"

typedef struct coif_attachment {
    int32_t body; // -1: none
    coif_surface_patch patch;
} coif_attachment;

typedef struct coif_attachment_desc {
    const coif_body *bodies;
    int32_t body_count;
    const char *parent;     // name of a body; NULL or "": none
    const coif_vec3 *point; // at rest; NULL: the part of the body that moves fully
    float radius;           // of the region around it
} coif_attachment_desc;

// False for an unknown name.
bool coif_attachment_open(coif_attachment *attachment, const coif_attachment_desc *desc,
                          coif_arena *arena);

// From the rest space of the body to the pose, given poses of all bodies; NULL: at rest.
coif_affine coif_attachment_frame(const coif_attachment *attachment, const coif_mesh *meshes);

// Rotation and translation between two frames of an attachment.
coif_affine coif_rigid_mix(const coif_affine *begin, const coif_affine *end, float t);

#endif
