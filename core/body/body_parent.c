#include "core/body/body_parent.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/body/body_sequence.h"

static bool follows(const coif_body *body, const coif_body *other)
{
    for (; body != NULL; body = body->parent) {
        if (body == other) {
            return true;
        }
    }
    return false;
}

// The part of the parent's surface that a child follows: as large as the child.
static void attach(coif_body *child, coif_arena *arena)
{
    coif_vec3 low;
    coif_vec3 high;
    coif_mesh_bounds(&child->rest, &low, &high);
    child->anchor = coif_scale(coif_add(low, high), 0.5f);
    if (child->parent->sequence && child->parent->rest.triangle_count > 0) {
        coif_surface_patch_init(&child->patch, &child->parent->rest, child->anchor,
                                0.5f * coif_length(coif_sub(high, low)), arena);
    }
}

coif_status coif_bodies_link(coif_body *bodies, int32_t count, const coif_scene *scene,
                             coif_arena *arena, coif_error *error)
{
    for (int32_t i = 0; i < count; ++i) {
        const char *name = bodies[i].params.parent;
        if (name == NULL || *name == '\0') {
            continue;
        }
        const coif_body *parent = coif_bodies_find(bodies, count, name);
        if (parent == NULL || follows(parent, &bodies[i])) {
            return coif_fail(error, COIF_ERR_SCENE, "%s: %s/parent: \"%s\" %s", scene->path,
                             bodies[i].node->path, name,
                             parent == NULL         ? "is not the name of a body"
                             : parent == &bodies[i] ? "is this body itself"
                                                    : "follows this body: parents form a cycle");
        }
        bodies[i].parent = parent;
    }
    for (int32_t i = 0; i < count; ++i) {
        for (const coif_body *up = &bodies[i]; up != NULL; up = up->parent) {
            bodies[i].follows_sequence = bodies[i].follows_sequence || up->sequence;
        }
        if (bodies[i].parent != NULL) {
            attach(&bodies[i], arena);
        }
    }
    return COIF_OK;
}

// Rigid motion of the patch in the frame of a sequence.
static coif_status sequence_frame(coif_affine *frame, const coif_body *child, double at,
                                  coif_error *error)
{
    const coif_body *parent = child->parent;
    if (!parent->sequence || child->patch.vertex_count == 0) {
        *frame = COIF_AFFINE_IDENTITY;
        return COIF_OK;
    }
    COIF_SCOPED_ARENA(scratch, "parent");
    coif_mesh mesh;
    coif_body_rest(&mesh, parent, &scratch);
    COIF_TRY(coif_body_read_sequence(&mesh, parent, at, error));
    *frame = coif_surface_patch_fit(&child->patch, mesh.positions);
    return COIF_OK;
}

// Motion of the parent of a body at the anchor of the body.
static coif_status parent_frame(coif_affine *frame, const coif_body *child,
                                const coif_body_moment *moment, coif_error *error)
{
    const coif_body *parent = child->parent;
    COIF_TRY(sequence_frame(frame, child, moment->frame, error));
    coif_body_params params;
    coif_body_params_at(&params, parent, moment);
    const coif_affine keyed = coif_body_rigid_motion(&params, child->anchor.y);
    *frame = coif_affine_compose(&keyed, frame);
    if (parent->parent != NULL) {
        coif_affine above;
        COIF_TRY(parent_frame(&above, parent, moment, error));
        *frame = coif_affine_compose(&above, frame);
    }
    const coif_body_params second = coif_body_offset(&params);
    if (coif_body_moves(&second)) { // else every bit is kept
        const coif_affine offset = coif_body_rigid_motion(&second, child->anchor.y);
        *frame = coif_affine_compose(&offset, frame);
    }
    if (parent->drag != NULL) {
        const coif_affine drag = coif_body_rigid_motion(parent->drag, child->anchor.y);
        *frame = coif_affine_compose(&drag, frame);
    }
    return COIF_OK;
}

coif_status coif_body_follow_parent(coif_mesh *mesh, const coif_body *body,
                                    const coif_body_moment *moment, coif_error *error)
{
    if (body->parent == NULL) {
        return COIF_OK;
    }
    coif_affine frame;
    COIF_TRY(parent_frame(&frame, body, moment, error));
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        mesh->positions[i] = coif_affine_apply(&frame, mesh->positions[i]);
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
        if (body->needs_normals == NULL || body->needs_normals[i / 3]) {
            mesh->normals[i] = coif_normalize(coif_mat3_apply(&frame.linear, mesh->normals[i]));
        }
    }
    coif_height_deform *deform = mesh->height_deform;
    for (int32_t i = 0; deform != NULL && i <= COIF_HEIGHT_DEFORM_LEVELS; ++i) {
        deform->level[i] = coif_affine_compose(&frame, &deform->level[i]);
    }
    return COIF_OK;
}
