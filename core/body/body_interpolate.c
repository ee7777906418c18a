// Interpolation of body motion between frames.
#include "core/body/body_interpolate.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/body/body_parent.h"

#include <string.h>

// Limited tangent between two differences: their mean, or zero where the direction reverses.
static coif_vec3 tangent_of(coif_vec3 before, coif_vec3 after)
{
    if (!(coif_dot(before, after) > 0.0f)) {
        return (coif_vec3){0.0f, 0.0f, 0.0f};
    }
    const coif_vec3 mean = coif_scale(coif_add(before, after), 0.5f);
    const float limit = 3.0f * fminf(coif_length(before), coif_length(after));
    const float length = coif_length(mean);
    return length > limit ? coif_scale(mean, limit / length) : mean;
}

coif_vec3 coif_smooth_interpolate(coif_vec3 a, coif_vec3 b, coif_vec3 c, coif_vec3 d, float t)
{
    const coif_vec3 step = coif_sub(c, b);
    const coif_vec3 tangent_b = tangent_of(coif_sub(b, a), step);
    const coif_vec3 tangent_c = tangent_of(step, coif_sub(d, c));
    const float s = 1.0f - t;
    // h01 = t^2 (3 - 2 t), h10 = t s^2, h11 = -t^2 s
    coif_vec3 p = coif_mad(b, t * t * (3.0f - 2.0f * t), step);
    p = coif_mad(p, t * s * s, tangent_b);
    return coif_mad(p, -t * t * s, tangent_c);
}

static coif_vec3 vector_of(const float v[3])
{
    return (coif_vec3){v[0], v[1], v[2]};
}

static void set_vector(float to[3], coif_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static void smooth_vector(float to[3], const float *const from[4], float t)
{
    set_vector(to, coif_smooth_interpolate(vector_of(from[0]), vector_of(from[1]),
                                           vector_of(from[2]), vector_of(from[3]), t));
}

// Keyed motion between frames; pivot and falloff are interpolated as keyed.
static coif_body_params params_between(const coif_body *body, const coif_body_window *window,
                                       float t)
{
    coif_body_params at[4], params;
    const float *translations[4], *rotations[4], *offset_translations[4], *offset_rotations[4];
    for (int i = 0; i < 4; ++i) {
        const int frame = window->begin - 1 + i;
        coif_node_read(body->node, frame < window->first ? window->first : frame, &at[i]);
        translations[i] = at[i].translate;
        rotations[i] = at[i].rotate;
        offset_translations[i] = at[i].offset_translate;
        offset_rotations[i] = at[i].offset_rotate;
    }
    coif_node_read(body->node, (double)window->begin + (double)t, &params);
    smooth_vector(params.translate, translations, t);
    smooth_vector(params.rotate, rotations, t);
    smooth_vector(params.offset_translate, offset_translations, t);
    smooth_vector(params.offset_rotate, offset_rotations, t);
    return params;
}

void coif_body_params_at(coif_body_params *params, const coif_body *body,
                         const coif_body_moment *moment)
{
    if (moment->window != NULL) {
        *params = params_between(body, moment->window, moment->t);
    } else {
        coif_node_read(body->node, moment->frame, params);
    }
    if (moment->ramp != NULL) {
        float *const motions[] = {params->translate, params->rotate, params->offset_translate,
                                  params->offset_rotate};
        for (size_t i = 0; i < COIF_COUNT_OF(motions); ++i) {
            set_vector(motions[i], coif_scale(vector_of(motions[i]), *moment->ramp));
        }
    }
}

// The rest mesh in the keyed motion of a moment, with that of its parents. No file is read.
static void pose_keyed(coif_mesh *mesh, const coif_body *body, const coif_body_moment *moment)
{
    coif_body_params params;
    coif_body_params_at(&params, body, moment);
    coif_body_transform_points(mesh, &params, body);
    coif_error none = {.status = COIF_OK};
    const coif_status status = coif_body_follow_parent(mesh, body, moment, &none);
    COIF_ASSERT(status == COIF_OK);
    (void)status;
    const coif_body_params offset = coif_body_offset(&params);
    coif_body_transform_points(mesh, &offset, body);
}

static void blend_normals(coif_mesh *mesh, const coif_mesh *from, const coif_mesh *to, float t)
{
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
        const coif_vec3 normal = coif_lerp(from->normals[i], to->normals[i], t);
        // Opposite normals keep the first one.
        mesh->normals[i] =
            coif_dot(normal, normal) > 1e-6f ? coif_normalize(normal) : from->normals[i];
    }
}

void coif_body_interpolate(coif_mesh *mesh, const coif_body *body, const coif_body_window *window,
                           float t, coif_arena *arena)
{
    coif_body_rest(mesh, body, arena);
    if (!body->follows_sequence) {
        pose_keyed(mesh, body, &(coif_body_moment){.window = window, .t = t});
        coif_body_apply_drag(mesh, body);
        return;
    }
    const coif_mesh *const *p = window->poses;
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        mesh->positions[i] = coif_smooth_interpolate(p[0]->positions[i], p[1]->positions[i],
                                                     p[2]->positions[i], p[3]->positions[i], t);
    }
    blend_normals(mesh, p[1], p[2], t);
}

static coif_status pose_neighbours(coif_mesh meshes[4], coif_body_window *window,
                                   const coif_body *body, coif_arena *arena, coif_error *error)
{
    for (int i = 0; i < 4; ++i) {
        const int frame = window->begin - 1 + i;
        COIF_TRY(coif_body_pose(&meshes[i], body, frame < window->first ? window->first : frame,
                                arena, error));
        window->poses[i] = &meshes[i];
    }
    return COIF_OK;
}

// Name of the chosen value of a choice parameter; "" without it.
static const char *choice_of(const coif_node *node, const char *name)
{
    const coif_values *values = &node->values;
    for (uint32_t i = 0; i < values->row_count; ++i) {
        const coif_param *param = &values->rows[i];
        if (strcmp(param->name, name) == 0 && param->choices != NULL) {
            return param->choices[(int)values->values[i].numbers[0]];
        }
    }
    return "";
}

coif_body_interpolation coif_body_interpolation_of(const coif_scene *scene)
{
    coif_body_interpolation interpolation = {false, 0};
    for (int32_t i = 0; i < scene->root->child_count; ++i) {
        const coif_node *node = &scene->root->children[i];
        if (strcmp(node->section->name, "sim") != 0) {
            continue;
        }
        const coif_value *first = coif_values_find(&node->values, "first_frame");
        const coif_value *state = coif_values_find(&node->values, "initial_state");
        // A run that starts from a checkpoint continues the motion of its bodies.
        const bool resumes = state != NULL && state->text != NULL && state->text[0] != '\0';
        interpolation.smooth = strcmp(choice_of(node, "body_interpolation"), "smooth") == 0;
        interpolation.first = (first != NULL ? (int)first->numbers[0] : 1) - resumes;
    }
    return interpolation;
}

coif_status coif_body_pose_interpolated(coif_mesh *mesh, const coif_body *body,
                                        const coif_body_interpolation *interpolation, double frame,
                                        coif_arena *arena, coif_error *error)
{
    coif_body_window window = {.begin = (int)floor(frame), .first = interpolation->first};
    const float t = (float)(frame - window.begin);
    if (!interpolation->smooth || body->subframes || !(t > 0.0f) || !(t < 1.0f) ||
        window.begin < interpolation->first || !coif_body_is_animated(body)) {
        return coif_body_pose(mesh, body, frame, arena, error);
    }
    COIF_SCOPED_ARENA(scratch, "poses");
    coif_mesh meshes[4];
    COIF_TRY(body->follows_sequence ? pose_neighbours(meshes, &window, body, &scratch, error)
                                    : COIF_OK);
    coif_body_interpolate(mesh, body, &window, t, arena);
    return COIF_OK;
}

coif_status coif_body_ramp(coif_mesh *mesh, const coif_body *body, double frame, float weight,
                           coif_arena *arena, coif_error *error)
{
    if (body->follows_sequence) {
        coif_mesh end;
        COIF_TRY(coif_body_pose(&end, body, frame, arena, error));
        coif_body_rest(mesh, body, arena);
        for (int32_t i = 0; i < mesh->vertex_count; ++i) {
            mesh->positions[i] = coif_lerp(body->rest.positions[i], end.positions[i], weight);
        }
        blend_normals(mesh, &body->rest, &end, weight);
        return COIF_OK;
    }
    coif_body_rest(mesh, body, arena);
    pose_keyed(mesh, body, &(coif_body_moment){.frame = frame, .ramp = &weight});
    return COIF_OK;
}
