// Bodies: keyed motion with height falloff, interactive drag, poses.
#include "core/body/body.h"

#include "core/base/arena.h"
#include "core/base/deterministic_math.h"
#include "core/base/error.h"
#include "core/mesh/height_deform.h"

#include <stddef.h>
#include <string.h>

const char *const COIF_BOUNDARIES[] = {"outer", "inner", NULL};

const char *const COIF_UP_AXES[] = {"auto", "y", "z", NULL};

// clang-format off
const coif_param COIF_BODY_PARAMS[] = {
    COIF_PARAM_ROW(coif_body_params, name, COIF_PARAM_STRING, "Name by which grooms and instances refer to this body.", "", 0, 0, 0),
    COIF_PARAM_ROW(coif_body_params, mesh, COIF_PARAM_PATH,
             "File with the mesh: OBJ, name.####.obj for one OBJ file per frame with the same topology, a static mesh (PLY, GLB), or an archive (Alembic, USD), whose animation is the body's.", "", 0, 0, 0),
    COIF_PARAM_ROW(coif_body_params, object, COIF_PARAM_STRING, "Mesh of an archive by its path or name; an empty string takes the only one.", "", 0, 0, 0),
    COIF_PARAM_ROW(coif_body_params, rest, COIF_PARAM_PATH,
             "OBJ file or archive with the bind pose, on which hair is groomed, if mesh is posed; same topology as mesh.", "", 0, 0, 0),
    COIF_CONSTANT_ROW(coif_body_params, rest_frame, COIF_PARAM_INT,
             "Frame of the mesh sequence or archive that is the bind pose; -1 is its first frame.", "", -1, -1, 99999999),
    COIF_PARAM_ROW(coif_body_params, include_groups, COIF_PARAM_STRING, "OBJ groups and materials to keep, separated by commas, for example \"skin, eye\"; an empty string keeps the whole mesh.", "", 0, 0, 0),
    COIF_PARAM_ROW(coif_body_params, exclude_groups, COIF_PARAM_STRING, "OBJ groups and materials to remove, separated by commas.", "", 0, 0, 0),
    COIF_CONSTANT_ROW(coif_body_params, crease_angle, COIF_PARAM_FLOAT, "Edges whose faces meet at more than this angle stay sharp when the file has no normals.", "deg", 60, 0, 180),
    COIF_CONSTANT_ROW(coif_body_params, scale, COIF_PARAM_FLOAT, "Metres per unit of the mesh file; a factor on top of the unit that an archive states.", "m", 1, 1e-6, 1e6),
    {.name = "up_axis", .help = "Up axis of the mesh file and of rest: auto is what an archive states, else y.", .unit = "",
     .type = COIF_PARAM_CHOICE, .flags = COIF_PARAM_CONSTANT, .offset = offsetof(coif_body_params, up_axis), .choices = COIF_UP_AXES},
    COIF_PARAM_ROW(coif_body_params, translate, COIF_PARAM_VEC3, "Translation of the body.", "m", 0, 0, 0),
    COIF_PARAM_ROW(coif_body_params, rotate, COIF_PARAM_VEC3, "Euler rotation about x, then y, then z, around the pivot.", "deg", 0, -36000, 36000),
    COIF_PARAM_ROW(coif_body_params, pivot, COIF_PARAM_VEC3, "Fixed point of the rotation.", "m", 0, 0, 0),
    COIF_PARAM_ROW(coif_body_params, offset_translate, COIF_PARAM_VEC3, "Second translation, after that of the body and its parent; recordings of the studio write it.", "m", 0, 0, 0),
    COIF_PARAM_ROW(coif_body_params, offset_rotate, COIF_PARAM_VEC3, "Second rotation, after that of the body and its parent, about the same pivot; recordings of the studio write it.", "deg", 0, -36000, 36000),
    COIF_PARAM_ROW(coif_body_params, deform_y_min, COIF_PARAM_FLOAT, "Height below which the body keeps its rest pose while the part above deform_y_max moves.", "m", 0, 0, 0),
    COIF_PARAM_ROW(coif_body_params, deform_y_max, COIF_PARAM_FLOAT,
             "Height above which the body moves fully; equal heights move the whole body rigidly.", "m", 0, 0, 0),
    COIF_PARAM_ROW(coif_body_params, parent, COIF_PARAM_STRING, "Body that this one follows, as eyes and a hat follow a head; its own motion is relative to the rest pose of the parent.", "", 0, 0, 0),
    COIF_CONSTANT_ROW(coif_body_params, collide, COIF_PARAM_BOOL, "Hair collides with this body.", "", 1, 0, 1),
    COIF_CONTACT_ROWS(coif_body_params),
    COIF_CONSTANT_ROW(coif_body_params, visible, COIF_PARAM_BOOL, "The body is rendered.", "", 1, 0, 1),
};
// clang-format on
const uint32_t COIF_BODY_PARAM_COUNT = COIF_COUNT_OF(COIF_BODY_PARAMS);

static const float RADIANS = 0.017453292519943295f; // per degree

// Motion of points and normals at weight s.
//
// Points move to F(p) = pivot + R(s) (p - pivot) + s t with s = s(y). Normals are transformed by
// the inverse transpose of
//
//   dF/dp = R + u g^T = R (I + w g^T)     u = dR/ds (p - pivot) + t    g = grad s    w = R^T u
//
// which by Sherman and Morrison is R (n - g (w . n) / (1 + w . g)); g points along y.
typedef struct body_motion {
    coif_mat3 rotation; // R(s), rows
    coif_vec3 shift;    // s t
    coif_vec3 shear;    // w times ds/dy
} body_motion;

static void rotate_axis(coif_vec3 *p, int axis, float sine, float cosine)
{
    float *const c[3] = {&p->x, &p->y, &p->z};
    float *const a = c[(axis + 1) % 3];
    float *const b = c[(axis + 2) % 3];
    const float old = *a;
    *a = cosine * old - sine * *b;
    *b = sine * old + cosine * *b;
}

// derivative += rate (e x p), e the unit vector of the axis: derivative of a rotation.
static void add_rotation_derivative(coif_vec3 *derivative, int axis, float rate, coif_vec3 p)
{
    const coif_vec3 e = {axis == 0 ? rate : 0.0f, axis == 1 ? rate : 0.0f, axis == 2 ? rate : 0.0f};
    *derivative = coif_add(*derivative, coif_cross(e, p));
}

// Rotation at weight s.
typedef struct body_rotation {
    float weight;
    float sine[3], cosine[3]; // of s rotate
    coif_mat3 rotation;
} body_rotation;

static body_rotation rotation_at(const coif_body_params *params, float s)
{
    body_rotation rotation = {.weight = s};
    coif_vec3 columns[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int axis = 0; axis < 3; ++axis) {
        const float rate = params->rotate[axis] * RADIANS;
        rotation.sine[axis] = coif_det_sin(s * rate);
        rotation.cosine[axis] = coif_det_cos(s * rate);
        for (int k = 0; k < 3; ++k) {
            rotate_axis(&columns[k], axis, rotation.sine[axis], rotation.cosine[axis]);
        }
    }
    rotation.rotation = (coif_mat3){.row = {{columns[0].x, columns[1].x, columns[2].x},
                                            {columns[0].y, columns[1].y, columns[2].y},
                                            {columns[0].z, columns[1].z, columns[2].z}}};
    return rotation;
}

// Motion at a point; offset is p - pivot, slope ds/dy.
static body_motion motion_at(const coif_body_params *params, const body_rotation *rotation,
                             float slope, coif_vec3 offset)
{
    const coif_vec3 translate = {params->translate[0], params->translate[1], params->translate[2]};
    body_motion motion = {.rotation = rotation->rotation,
                          .shift = coif_scale(translate, rotation->weight)};
    if (slope == 0.0f) {
        return motion; // no shear
    }
    coif_vec3 moved = offset;
    coif_vec3 derivative = {0, 0, 0}; // dR/ds (p - pivot) for the axes applied so far
    for (int axis = 0; axis < 3; ++axis) {
        rotate_axis(&moved, axis, rotation->sine[axis], rotation->cosine[axis]);
        rotate_axis(&derivative, axis, rotation->sine[axis], rotation->cosine[axis]);
        add_rotation_derivative(&derivative, axis, params->rotate[axis] * RADIANS, moved);
    }
    const coif_vec3 gradient = coif_add(derivative, translate);
    motion.shear = coif_scale(coif_mat3_apply_transposed(&motion.rotation, gradient), slope);
    return motion;
}

static coif_vec3 move_point(const body_motion *motion, coif_vec3 p, coif_vec3 pivot)
{
    const coif_vec3 turned = coif_mat3_apply(&motion->rotation, coif_sub(p, pivot));
    return coif_add(coif_add(pivot, turned), motion->shift);
}

static coif_vec3 move_normal(const body_motion *motion, coif_vec3 normal)
{
    const float stretch = 1.0f + motion->shear.y;
    if (stretch > 0.05f) { // below, the surface is folded and the formula is singular
        normal.y -= coif_dot(motion->shear, normal) / stretch;
    }
    return coif_normalize(coif_mat3_apply(&motion->rotation, normal));
}

bool coif_body_moves(const coif_body_params *params)
{
    for (int i = 0; i < 3; ++i) {
        if (params->translate[i] != 0.0f || params->rotate[i] != 0.0f) {
            return true;
        }
    }
    return false;
}

static void move_rigid(coif_mesh *mesh, const coif_body_params *params, const bool *needs_normals,
                       coif_vec3 pivot)
{
    const body_rotation rotation = rotation_at(params, 1.0f);
    const body_motion motion = motion_at(params, &rotation, 0.0f, (coif_vec3){0, 0, 0});
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        mesh->positions[i] = move_point(&motion, mesh->positions[i], pivot);
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
        if (needs_normals == NULL || needs_normals[i / 3]) {
            mesh->normals[i] = move_normal(&motion, mesh->normals[i]);
        }
    }
}

// Motion with height falloff: s = 3 x^2 - 2 x^3 with x from 0 at deform_y_min to 1 at deform_y_max.
typedef struct body_falloff {
    const coif_body_params *params;
    coif_vec3 pivot;
    body_motion ends[2]; // rigid motion beyond either end, most of a body
} body_falloff;

static body_falloff make_falloff(const coif_body_params *params)
{
    body_falloff falloff = {.params = params,
                            .pivot = {params->pivot[0], params->pivot[1], params->pivot[2]}};
    for (int end = 0; end < 2; ++end) {
        const body_rotation rotation = rotation_at(params, (float)end);
        falloff.ends[end] = motion_at(params, &rotation, 0.0f, (coif_vec3){0, 0, 0});
    }
    return falloff;
}

// Motion at a height: that of an end, or computed into own. Offset is p - pivot.
static const body_motion *motion_at_height(body_motion *own, const body_falloff *falloff,
                                           float height, coif_vec3 offset)
{
    const coif_body_params *params = falloff->params;
    const float range = params->deform_y_max - params->deform_y_min;
    const float x = coif_clamp((height - params->deform_y_min) / range, 0.0f, 1.0f);
    const float s = x * x * (3.0f - 2.0f * x);
    if (x == 0.0f || x == 1.0f) {
        return &falloff->ends[x == 1.0f];
    }
    const body_rotation rotation = rotation_at(params, s);
    *own = motion_at(params, &rotation, 6.0f * x * (1.0f - x) / range, offset);
    return own;
}

coif_affine coif_body_rigid_motion(const coif_body_params *params, float height)
{
    const body_falloff falloff = make_falloff(params);
    body_motion own;
    const bool graded = params->deform_y_min != params->deform_y_max;
    const body_motion *motion =
        graded ? motion_at_height(&own, &falloff, height, (coif_vec3){0, 0, 0}) : &falloff.ends[1];
    return (coif_affine){.linear = motion->rotation,
                         .translation = move_point(motion, (coif_vec3){0, 0, 0}, falloff.pivot)};
}

// Applies the motion to the levels of a height deformation.
static void move_levels(coif_height_deform *deform, const body_falloff *falloff)
{
    for (int32_t i = 0; i <= COIF_HEIGHT_DEFORM_LEVELS; ++i) {
        const float x = (float)i / COIF_HEIGHT_DEFORM_LEVELS;
        const float height = (1.0f - x) * deform->low + x * deform->high;
        body_motion own;
        const body_motion *motion = motion_at_height(&own, falloff, height, (coif_vec3){0, 0, 0});
        coif_affine *level = &deform->level[i];
        coif_affine moved = {.translation = move_point(motion, level->translation, falloff->pivot)};
        for (int c = 0; c < 3; ++c) {
            const coif_vec3 row = motion->rotation.row[c];
            moved.linear.row[c] = coif_mad(
                coif_mad(coif_scale(level->linear.row[0], row.x), row.y, level->linear.row[1]),
                row.z, level->linear.row[2]);
        }
        *level = moved;
    }
}

static void move_with_falloff(coif_mesh *mesh, const coif_body_params *params,
                              const coif_vec3 *rest, const bool *needs_normals, coif_arena *scratch)
{
    const body_falloff falloff = make_falloff(params);
    body_motion *own = coif_arena_new(scratch, mesh->vertex_count, body_motion);
    const body_motion **motions = coif_arena_new(scratch, mesh->vertex_count, const body_motion *);
    if (mesh->height_deform != NULL) {
        move_levels(mesh->height_deform, &falloff);
    }
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        const coif_vec3 offset = coif_sub(mesh->positions[i], falloff.pivot);
        motions[i] = motion_at_height(&own[i], &falloff, rest[i].y, offset);
        mesh->positions[i] = move_point(motions[i], mesh->positions[i], falloff.pivot);
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
        if (needs_normals == NULL || needs_normals[i / 3]) {
            mesh->normals[i] = move_normal(motions[mesh->indices[i]], mesh->normals[i]);
        }
    }
}

void coif_body_transform_points(coif_mesh *mesh, const coif_body_params *params,
                                const coif_body *body)
{
    if (!coif_body_moves(params)) {
        return; // keeps every bit
    }
    if (params->deform_y_min == params->deform_y_max) {
        move_rigid(mesh, params, body->needs_normals,
                   (coif_vec3){params->pivot[0], params->pivot[1], params->pivot[2]});
        return;
    }
    coif_arena scratch;
    coif_arena_init(&scratch, "motion");
    move_with_falloff(mesh, params, body->rest.positions, body->needs_normals, &scratch);
    coif_arena_free(&scratch);
}

coif_body_params coif_body_offset(const coif_body_params *params)
{
    coif_body_params offset = *params;
    memcpy(offset.translate, params->offset_translate, sizeof offset.translate);
    memcpy(offset.rotate, params->offset_rotate, sizeof offset.rotate);
    return offset;
}

void coif_body_apply_drag(coif_mesh *mesh, const coif_body *body)
{
    if (body->drag != NULL) {
        coif_body_transform_points(mesh, body->drag, body);
    }
}

static bool is_keyed(const coif_body *body, const char *name)
{
    return coif_values_find(&body->node->values, name)->key_count > 1;
}

// Keyed heights would change the levels between frames.
static bool has_height_deform(const coif_body *body)
{
    return !body->sequence && body->node != NULL &&
           body->params.deform_y_min != body->params.deform_y_max &&
           !is_keyed(body, "deform_y_min") && !is_keyed(body, "deform_y_max");
}

static void reset_levels(coif_height_deform *deform, const coif_body_params *params)
{
    deform->low = fminf(params->deform_y_min, params->deform_y_max);
    deform->high = fmaxf(params->deform_y_min, params->deform_y_max);
    for (int32_t i = 0; i <= COIF_HEIGHT_DEFORM_LEVELS; ++i) {
        deform->level[i] = COIF_AFFINE_IDENTITY;
    }
}

void coif_body_rest(coif_mesh *mesh, const coif_body *body, coif_arena *arena)
{
    const coif_mesh *rest = &body->rest;
    if (arena != NULL) {
        *mesh = *rest;
        mesh->rest_positions = rest->positions;
        mesh->positions = coif_arena_new(arena, rest->vertex_count, coif_vec3);
        mesh->normals = coif_arena_new(arena, 3 * (size_t)rest->triangle_count, coif_vec3);
        mesh->height_deform =
            has_height_deform(body) ? coif_arena_new(arena, 1, coif_height_deform) : NULL;
    }
    if (mesh->height_deform != NULL) {
        reset_levels(mesh->height_deform, &body->params);
    }
    memcpy(mesh->positions, rest->positions, sizeof *rest->positions * (size_t)rest->vertex_count);
    for (int32_t t = 0; t < rest->triangle_count; ++t) {
        if (body->needs_normals == NULL || body->needs_normals[t]) {
            memcpy(&mesh->normals[3 * (size_t)t], &rest->normals[3 * (size_t)t],
                   3 * sizeof *rest->normals);
        }
    }
}
