#include "core/body/attachment.h"

// Radius of the followed part relative to the size of the body, at least.
static const float PATCH_SIZE = 0.125f;

// The end of the bounding box that moves fully where motion has a falloff, on its axis.
static coif_vec3 moving_end(const coif_body *body, coif_vec3 low, coif_vec3 high)
{
    coif_vec3 point = coif_scale(coif_add(low, high), 0.5f);
    point.y = body->params.deform_y_max > body->params.deform_y_min ? high.y : low.y;
    return point;
}

bool coif_attachment_open(coif_attachment *attachment, const coif_attachment_desc *desc,
                          coif_arena *arena)
{
    *attachment = (coif_attachment){.body = -1};
    if (desc->parent == NULL || *desc->parent == '\0') {
        return true;
    }
    const coif_body *body = coif_bodies_find(desc->bodies, desc->body_count, desc->parent);
    if (body == NULL) {
        return false;
    }
    if (body->rest.triangle_count == 0) {
        return true;
    }
    coif_vec3 low;
    coif_vec3 high;
    coif_mesh_bounds(&body->rest, &low, &high);
    const bool graded = body->params.deform_y_min != body->params.deform_y_max;
    const float smallest = PATCH_SIZE * coif_length(coif_sub(high, low));
    const coif_vec3 point = desc->point != NULL ? *desc->point : moving_end(body, low, high);
    const float radius = desc->point != NULL || graded ? fmaxf(desc->radius, smallest) : INFINITY;
    attachment->body = (int32_t)(body - desc->bodies);
    coif_surface_patch_init(&attachment->patch, &body->rest, point, radius, arena);
    return true;
}

coif_affine coif_attachment_frame(const coif_attachment *attachment, const coif_mesh *meshes)
{
    if (attachment->body < 0 || meshes == NULL) {
        return COIF_AFFINE_IDENTITY;
    }
    return coif_surface_patch_fit(&attachment->patch, meshes[attachment->body].positions);
}

coif_affine coif_rigid_mix(const coif_affine *begin, const coif_affine *end, float t)
{
    coif_affine mix = coif_affine_lerp(begin, end, t);
    coif_orthonormalize(&mix.linear);
    return mix;
}
