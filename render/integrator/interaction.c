#include "render/integrator/interaction.h"

#include "render/geometry/triangle.h"
#include "render/shading/tangent_space.h"

#include <float.h>

// Rays leave a fibre this many radii outside: the ray tracer's round curves are true to a few per
// cent of the radius.
static const float FIBRE_CLEARANCE = 1.05f;

// Where a fibre is met is even across its width only when seen from farther than this many radii;
// from nearer by, neighbours decide. 4 keep all white light of a lock of touching fibres (2.1 %
// were lost at 0) and cost 1 % of noise in loose hair.
static const float CROWDED = 4.0f;

// Where along its strand a hit lies, from root (0) to tip (1).
static float place_along(const coif_geometry *shape, int32_t strand, int32_t segment, float u)
{
    const int32_t first = shape->strands->first[strand] - strand;
    const int32_t count = coif_strands_length(shape->strands, strand) - 1;
    return ((float)(segment - first) + u) / (float)count;
}

static coif_vec3 painted_color(const coif_strands *strands, int32_t strand, int32_t segment,
                               float u)
{
    const coif_vec3 *color = strands->colors + segment + strand;
    return coif_lerp(color[0], color[1], u);
}

static coif_vec3 absorption_at(const coif_geometry *shape, int32_t segment, float u)
{
    const int32_t strand = coif_bspline_curves_strand(shape->curves, segment);
    if (shape->strands->colors != NULL) {
        return coif_hair_material_absorption_of(shape->hair_material,
                                                painted_color(shape->strands, strand, segment, u));
    }
    if (shape->color_ramp != NULL) {
        return coif_strand_color_ramp_at(shape->color_ramp, shape->hair_material, strand,
                                         place_along(shape, strand, segment, u));
    }
    const coif_strand_color *own =
        shape->strand_colors != NULL ? &shape->strand_colors[strand] : &shape->hair_material->plain;
    // Most strands are of one colour, and need not look up how long they are.
    const bool even = !shape->hair_material->changes && own->fade == 0.0f;
    return coif_hair_material_absorption(shape->hair_material, own,
                                         even ? 0.0f : place_along(shape, strand, segment, u));
}

// Where every fibre is alike its lobes are known; others are made here.
static const coif_hair_lobes *lobes_at(coif_interaction *vertex, const coif_geometry *shape,
                                       int32_t segment, float u)
{
    if (shape->varying_params == NULL) {
        return &shape->hair_material->lobes;
    }
    const int32_t strand = coif_bspline_curves_strand(shape->curves, segment);
    const float place =
        shape->varying_params->ramped ? place_along(shape, strand, segment, u) : 0.0f;
    vertex->own =
        coif_hair_varying_lobes(shape->varying_params, shape->hair_material, strand, place);
    return &vertex->own;
}

// The offset across the width. A ribbon tells it; on a round fibre it follows from the normal. A
// ray that starts inside a fibre meets its far wall from within: what counts is where its line
// entered.
static float offset_across(const coif_interaction *vertex, const coif_bspline_curves *curves,
                           float v, coif_vec3 normal)
{
    if (curves->kind == COIF_CURVE_FLAT) {
        return coif_clamp(-v, -1.0f, 1.0f);
    }
    const float y = coif_dot(normal, vertex->y), z = coif_dot(normal, vertex->z);
    const float length = sqrtf(y * y + z * z);
    return length > 0.0f ? coif_clamp(-z / length, -1.0f, 1.0f) : 0.0f;
}

// Where the copy stands that was hit; NULL for the thing itself.
const coif_transform *coif_scene_hit_transform(coif_transform *mixed,
                                               const coif_render_scene *stage,
                                               const coif_ray_hit *hit, float time)
{
    const int32_t steps = stage->instance_steps;
    if (hit->instance < 0 || !stage->instance_transforms[hit->instance * steps].is_transformed) {
        return NULL;
    }
    const coif_transform *path = stage->instance_transforms + hit->instance * steps;
    if (steps < 2) {
        return path;
    }
    float t;
    const int32_t step = coif_motion_step_at(steps, time, &t);
    *mixed = coif_transform_lerp(&path[step], &path[step + 1], t);
    return mixed;
}

// What a copy shows where it was hit, as if it were the thing itself in its place.
static void place_hair(const coif_transform *place, coif_vec4 *centre, coif_vec4 *along,
                       coif_vec3 *normal)
{
    const coif_vec3 p = coif_transform_point(place, coif_vec4_xyz(*centre));
    const coif_vec3 x = coif_mat3_apply(&place->linear, coif_vec4_xyz(*along));
    *centre = (coif_vec4){p.x, p.y, p.z, place->scale * centre->w};
    *along = (coif_vec4){x.x, x.y, x.z, place->scale * along->w};
    *normal = coif_mat3_apply(&place->linear, *normal);
}

static void meet_hair(coif_interaction *vertex, const coif_geometry *shape, coif_vec3 wo,
                      const coif_ray_hit *hit, const coif_transform *copy)
{
    coif_vec4 centre, along;
    coif_vec3 normal = hit->normal;
    const coif_curve_coord place = {hit->primitive, hit->u, vertex->time};
    coif_bspline_curves_at(shape->curves, place, &centre, &along);
    if (copy != NULL) {
        place_hair(copy, &centre, &along, &normal);
    }
    vertex->hair = vertex->strand = true;
    vertex->position = coif_vec4_xyz(centre);
    vertex->radius = centre.w;
    vertex->x = coif_normalize(coif_vec4_xyz(along));
    if (!(coif_dot(vertex->x, vertex->x) > 0.5f)) {
        vertex->x = (coif_vec3){0.0f, 1.0f, 0.0f}; // two points in one place have no direction
    }
    const float sin_o = coif_dot(wo, vertex->x);
    coif_vec3 across = coif_mad(wo, -sin_o, vertex->x);
    if (!(coif_dot(across, across) > 1e-10f)) {
        coif_vec3 other;
        coif_frame_around(vertex->x, &across, &other);
    }
    vertex->y = coif_normalize(across);
    vertex->z = coif_cross(vertex->x, vertex->y);

    const float h = offset_across(vertex, shape->curves, hit->v, normal);
    vertex->normal_y = sqrtf(coif_max(1.0f - h * h, 0.0f));
    vertex->normal_z = -h;
    vertex->normal =
        coif_add(coif_scale(vertex->y, vertex->normal_y), coif_scale(vertex->z, vertex->normal_z));

    vertex->crowded = hit->distance < CROWDED * vertex->radius;
    vertex->absorption = absorption_at(shape, hit->primitive, hit->u);
    vertex->sin_o = sin_o;
    vertex->h = h;
    vertex->groom = shape->hair_material;
    coif_hair_bsdf_init_local(&vertex->fibre, lobes_at(vertex, shape, hit->primitive, hit->u),
                              vertex->absorption, h, sin_o);
}

// A blade is a leaf, which has a surface. Places on it come from the ray: its width is not known to
// the curve, and is large against what a ray errs by.
static void meet_blade(coif_interaction *vertex, const coif_geometry *shape, const coif_ray *ray,
                       const coif_ray_hit *hit, const coif_transform *copy)
{
    coif_vec4 centre, along;
    coif_vec3 normal = hit->normal;
    const coif_curve_coord at = {hit->primitive, hit->u, vertex->time};
    coif_bspline_curves_at(shape->curves, at, &centre, &along);
    if (copy != NULL) {
        place_hair(copy, &centre, &along, &normal);
    }
    vertex->hair = vertex->crowded = false;
    vertex->strand = true;
    vertex->light_index = -1;
    vertex->position = coif_mad(ray->origin, hit->distance, ray->direction);
    vertex->radius = centre.w;
    vertex->x = coif_normalize(coif_vec4_xyz(along));
    const float size = coif_max(coif_max(fabsf(vertex->position.x), fabsf(vertex->position.y)),
                                fabsf(vertex->position.z));
    vertex->offset = 4e-6f * (size + hit->distance) + 0.01f * centre.w + 1e-7f;

    const coif_vec3 wo = coif_scale(ray->direction, -1.0f);
    coif_vec3 flat = coif_normalize(normal);
    flat = coif_dot(flat, flat) > 0.5f ? flat : wo;
    coif_hair_params params = shape->hair_material->params;
    if (shape->varying_params != NULL) {
        const int32_t strand = coif_bspline_curves_strand(shape->curves, hit->primitive);
        params = coif_hair_varying_params_eval(shape->varying_params, shape->hair_material, strand,
                                               place_along(shape, strand, hit->primitive, hit->u));
    }
    const coif_surface leaf = {
        .color = coif_hair_material_color_of(shape->hair_material,
                                             absorption_at(shape, hit->primitive, hit->u)),
        .roughness = params.ribbon_roughness,
        .specular = params.ribbon_specular,
        .translucency = params.ribbon_transmission,
        .transmission_tint = {params.ribbon_tint[0], params.ribbon_tint[1], params.ribbon_tint[2]},
    };
    coif_surface_bsdf_init(&vertex->skin, &leaf, flat, flat, wo);
    vertex->normal = vertex->skin.normal;
}

// How wide a ray has become where it ends: a pixel, or after a scattering a cone of its own. Only
// steers how fine textures are read.
static float width_of(const coif_render_scene *stage, const coif_ray_hit *hit, int32_t depth)
{
    static const float SCATTERED = 0.03f;
    const coif_camera *camera = &stage->camera;
    if (depth > 0) {
        return SCATTERED * hit->distance;
    }
    return camera->projection == COIF_ORTHOGRAPHIC ? camera->pixel_angle
                                                   : camera->pixel_angle * hit->distance;
}

static void meet_skin(coif_interaction *vertex, const coif_render_scene *stage, coif_vec3 wo,
                      const coif_ray_hit *hit, const coif_transform *copy, float width)
{
    const coif_geometry *shape = &stage->geometries[hit->geometry];
    const coif_mesh *mesh = shape->mesh;
    const coif_triangle at =
        coif_triangle_at(mesh, shape->mesh_steps, hit->primitive, vertex->time, copy);
    const float w = 1.0f - hit->u - hit->v;
    vertex->hair = vertex->strand = vertex->crowded = false;
    // From the corners, not from the ray: a distant ray knows its end less well than the mesh does.
    vertex->position = coif_triangle_point(&at, hit->u, hit->v);
    const float size = coif_max(coif_max(fabsf(vertex->position.x), fabsf(vertex->position.y)),
                                fabsf(vertex->position.z));
    vertex->offset = 2e-6f * size + 1e-7f;

    const coif_vec3 flat = coif_normalize(coif_triangle_area_normal(&at));
    vertex->light_index = coif_dot(flat, wo) > 0.0f ? coif_scene_hit_light(stage, hit) : -1;
    coif_vec3 smooth = coif_normalize(
        coif_mad(coif_mad(coif_scale(at.n[0], w), hit->u, at.n[1]), hit->v, at.n[2]));
    smooth = coif_dot(smooth, smooth) > 0.5f ? smooth : flat;
    const coif_surface_coord place = {hit->primitive, hit->u, hit->v,
                                      copy != NULL ? width / copy->scale : width};
    const coif_surface surface = coif_material_eval(shape->materials, mesh, &place);
    coif_vec3 tangents[3];
    if (shape->tangents != NULL) {
        coif_tangents_at(tangents, shape->tangents, mesh, shape->mesh_steps, hit->primitive,
                         vertex->time, copy);
    }
    smooth = coif_material_normal(shape->materials, mesh, &place, at.p,
                                  shape->tangents != NULL ? tangents : NULL, smooth);
    coif_surface_bsdf_init(&vertex->skin, &surface, flat, smooth, wo);
    vertex->normal = vertex->skin.normal;
}

void coif_interaction_init(coif_interaction *vertex, const coif_render_scene *stage,
                           const coif_ray *ray, const coif_ray_hit *hit, int32_t depth)
{
    const coif_geometry *shape = &stage->geometries[hit->geometry];
    const coif_vec3 wo = coif_scale(ray->direction, -1.0f);
    vertex->time = ray->time;
    coif_transform mixed;
    const coif_transform *copy = coif_scene_hit_transform(&mixed, stage, hit, ray->time);
    if (shape->curves != NULL && shape->curves->kind == COIF_CURVE_RIBBON) {
        meet_blade(vertex, shape, ray, hit, copy);
    } else if (shape->curves != NULL) {
        meet_hair(vertex, shape, wo, hit, copy);
    } else {
        meet_skin(vertex, stage, wo, hit, copy, width_of(stage, hit, depth));
    }
}

static coif_vec3 to_fibre(const coif_interaction *vertex, coif_vec3 w)
{
    return (coif_vec3){coif_dot(w, vertex->x), coif_dot(w, vertex->y), coif_dot(w, vertex->z)};
}

coif_vec3 coif_interaction_eval(const coif_interaction *vertex, coif_vec3 wi, float *pdf)
{
    return vertex->hair ? coif_hair_bsdf_eval(&vertex->fibre, to_fibre(vertex, wi), pdf)
                        : coif_surface_bsdf_eval(&vertex->skin, wi, pdf);
}

coif_vec3 coif_interaction_albedo(const coif_interaction *vertex)
{
    return vertex->hair ? coif_hair_material_color_of(vertex->groom, vertex->absorption)
                        : vertex->skin.surface.color;
}

// One by one, for what has no better way.
static coif_bsdf_values_x4 eval_each(const coif_interaction *vertex,
                                     const coif_interaction_query_x4 *tries, bool apart)
{
    coif_bsdf_values_x4 found = {0};
    for (int i = 0; i < COIF_QUERY_X4; ++i) {
        const coif_vec3 wi = {tries->x[i], tries->y[i], tries->z[i]};
        coif_vec3 f;
        float pdf;
        if (!vertex->hair || !apart) {
            f = coif_interaction_eval(vertex, wi, &pdf);
        } else {
            coif_hair_bsdf fibre;
            coif_hair_bsdf_init_local(&fibre, vertex->fibre.lobes, vertex->absorption,
                                      tries->offset[i], vertex->sin_o);
            f = coif_hair_bsdf_eval(&fibre, to_fibre(vertex, wi), &pdf);
        }
        found.red[i] = f.x;
        found.green[i] = f.y;
        found.blue[i] = f.z;
        found.pdf[i] = pdf;
    }
    return found;
}

static coif_lanes along(const coif_interaction_query_x4 *tries, coif_vec3 axis)
{
    return tries->x * axis.x + tries->y * axis.y + tries->z * axis.z;
}

coif_bsdf_values_x4 coif_interaction_eval_x4(const coif_interaction *vertex,
                                             const coif_interaction_query_x4 *tries)
{
    const bool apart = tries->apart && !vertex->crowded;
    if (!vertex->hair || vertex->fibre.lobes->medulla.radius > 0.0f) {
        return eval_each(vertex, tries, apart);
    }
    const coif_hair_query_x4 turned = {
        .x = along(tries, vertex->x),
        .y = along(tries, vertex->y),
        .z = along(tries, vertex->z),
        .h = tries->offset,
        .absorption = vertex->absorption,
    };
    return apart ? coif_hair_bsdf_eval_x4_random_h(&vertex->fibre, &turned)
                 : coif_hair_bsdf_eval_x4(&vertex->fibre, &turned);
}

static float share(float part, float whole)
{
    return whole > 0.0f ? part / whole : 0.0f;
}

void coif_interaction_lobe_fractions(const coif_interaction *vertex, coif_vec3 wi,
                                     coif_vec3 shares[COIF_HAIR_LOBES])
{
    coif_vec3 lobes[COIF_HAIR_LOBES], all = {0.0f, 0.0f, 0.0f};
    coif_hair_bsdf_lobes(&vertex->fibre, to_fibre(vertex, wi), lobes);
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        all = coif_add(all, lobes[p]);
    }
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        shares[p] = (coif_vec3){share(lobes[p].x, all.x), share(lobes[p].y, all.y),
                                share(lobes[p].z, all.z)};
    }
}

coif_vec3 coif_interaction_sample(const coif_interaction *vertex, float u, coif_vec2 v,
                                  coif_vec3 *f, float *pdf)
{
    if (!vertex->hair) {
        const coif_vec3 wi = coif_surface_bsdf_sample(&vertex->skin, u, v);
        *f = coif_surface_bsdf_eval(&vertex->skin, wi, pdf);
        return wi;
    }
    const coif_vec3 w = coif_hair_bsdf_sample_eval(&vertex->fibre, u, v, f, pdf);
    return coif_mad(coif_mad(coif_scale(vertex->x, w.x), w.y, vertex->y), w.z, vertex->z);
}

coif_ray coif_interaction_spawn_ray(const coif_interaction *vertex, coif_vec3 wi)
{
    if (!vertex->hair) {
        const coif_vec3 up = vertex->skin.geometric_normal;
        const float above = coif_dot(up, wi) < 0.0f ? -vertex->offset : vertex->offset;
        return (coif_ray){
            coif_mad(vertex->position, above, up), wi, 0.0f, FLT_MAX, vertex->time, 0};
    }
    float y = vertex->normal_y, z = vertex->normal_z;
    const float wy = coif_dot(wi, vertex->y), wz = coif_dot(wi, vertex->z);
    const float outward = y * wy + z * wz;
    if (outward < 0.0f) {
        const float step = 2.0f * outward / coif_max(wy * wy + wz * wz, 1e-12f);
        y -= step * wy;
        z -= step * wz;
    }
    const float radius = FIBRE_CLEARANCE * vertex->radius;
    const coif_vec3 origin =
        coif_mad(coif_mad(vertex->position, radius * y, vertex->y), radius * z, vertex->z);
    return (coif_ray){origin, wi, 0.0f, FLT_MAX, vertex->time, 0};
}
