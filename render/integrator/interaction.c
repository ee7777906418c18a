#include "render/integrator/interaction.h"

#include "render/shading/tangent_space.h"

#include <float.h>

// Rays start at this many radii from the centre line: Embree's round curves are accurate to a few
// per cent of the radius.
static const float FIBRE_CLEARANCE = 1.05f;

// Beyond this many radii h is uniform over the fibre width; closer, occlusion by touching fibres
// makes it non-uniform. 4 conserves the energy of white touching fibres (2.1 % is lost at 0) and
// costs 1 % of noise in loose hair.
static const float NEAR_RADII = 4.0f;

// Of direct light on a pixel. Where layers of fibres hide parts of each other on one side, h is not
// independent of the position: the whole width, 2, brightens blond hair in back light by 1 %, which
// 1.5 does not, at 7 % more variance.
static const float MAX_PIXEL_WINDOW = 1.5f;

// Rays that leave a triangle more steeply than this start on it, where hair casts its shadows;
// those that graze it start on the smooth surface.
static const float GRAZING_COSINE = 0.1f;

// Position of a hit along its strand, from root (0) to tip (1).
static float strand_position(const coif_geometry *geometry, int32_t strand, int32_t segment,
                             float u)
{
    const int32_t first = geometry->strands->first[strand] - strand;
    const int32_t count = coif_strands_length(geometry->strands, strand) - 1;
    return ((float)(segment - first) + u) / (float)count;
}

static coif_vec3 vertex_color(const coif_strands *strands, int32_t strand, int32_t segment, float u)
{
    const coif_vec3 *color = strands->colors + segment + strand;
    return coif_lerp(color[0], color[1], u);
}

static coif_vec3 absorption_at(const coif_geometry *geometry, int32_t segment, float u)
{
    const int32_t strand = coif_bspline_curves_strand(geometry->curves, segment);
    if (geometry->strands->colors != NULL) {
        return coif_hair_material_absorption_of(
            geometry->hair_material, vertex_color(geometry->strands, strand, segment, u));
    }
    if (geometry->color_ramp != NULL) {
        return coif_strand_color_ramp_at(geometry->color_ramp, geometry->hair_material, strand,
                                         strand_position(geometry, strand, segment, u));
    }
    const coif_strand_color *own = geometry->strand_colors != NULL
                                       ? &geometry->strand_colors[strand]
                                       : &geometry->hair_material->default_color;
    // Strands of one colour need no position along the strand.
    const bool constant = !geometry->hair_material->has_tip_color && own->tip_fade == 0.0f;
    return coif_hair_material_absorption(geometry->hair_material, own,
                                         constant ? 0.0f
                                                  : strand_position(geometry, strand, segment, u));
}

// Lobes of the whole groom, or computed for this hit where parameters vary.
static const coif_hair_lobes *lobes_at(coif_interaction *isect, const coif_geometry *geometry,
                                       int32_t segment, float u)
{
    if (geometry->varying_params == NULL) {
        return &geometry->hair_material->lobes;
    }
    const int32_t strand = coif_bspline_curves_strand(geometry->curves, segment);
    const float position =
        geometry->varying_params->ramped ? strand_position(geometry, strand, segment, u) : 0.0f;
    isect->local_lobes = coif_hair_varying_lobes(geometry->varying_params, geometry->hair_material,
                                                 strand, position);
    return &isect->local_lobes;
}

const coif_transform *coif_scene_hit_transform(coif_transform *mixed,
                                               const coif_render_scene *scene,
                                               const coif_ray_hit *hit, float time)
{
    const int32_t steps = scene->instance_steps;
    if (hit->instance < 0 || !scene->instance_transforms[hit->instance * steps].is_transformed) {
        return NULL;
    }
    const coif_transform *path = scene->instance_transforms + hit->instance * steps;
    if (steps < 2) {
        return path;
    }
    float t;
    const int32_t step = coif_motion_step_at(steps, time, &t);
    *mixed = coif_transform_lerp(&path[step], &path[step + 1], t);
    return mixed;
}

// Centre, derivative and normal of a hit on a curve, in world space.
static coif_vec3 curve_hit(coif_vec4 *centre, coif_vec4 *along, const coif_geometry *geometry,
                           const coif_ray_hit *hit, float time, const coif_transform *transform)
{
    const coif_curve_coord coord = {hit->primitive, hit->u, time};
    coif_bspline_curves_at(geometry->curves, coord, centre, along);
    if (transform == NULL) {
        return hit->normal;
    }
    const coif_vec3 p = coif_transform_point(transform, coif_vec4_xyz(*centre));
    const coif_vec3 x = coif_mat3_apply(&transform->linear, coif_vec4_xyz(*along));
    *centre = (coif_vec4){p.x, p.y, p.z, transform->scale * centre->w};
    *along = (coif_vec4){x.x, x.y, x.z, transform->scale * along->w};
    return coif_mat3_apply(&transform->linear, hit->normal);
}

static void init_section(coif_interaction *isect, const coif_bspline_curves *curves,
                         const coif_ray_hit *hit, const coif_transform *transform)
{
    coif_vec3 axis =
        coif_bspline_curves_normal(curves, (coif_curve_coord){hit->primitive, hit->u, isect->time});
    if (transform != NULL) {
        axis = coif_mat3_apply(&transform->linear, axis);
    }
    const int32_t strand = coif_bspline_curves_strand(curves, hit->primitive);
    isect->section = coif_ellipse_of(curves->section_ratio[strand], axis, isect->y, isect->z);
}

static void init_fibre_bsdf(coif_hair_bsdf *bsdf, const coif_interaction *isect,
                            const coif_hair_lobes *lobes, float h)
{
    if (coif_ellipse_is_circle(&isect->section)) {
        coif_hair_bsdf_init_local(bsdf, lobes, isect->absorption, h, isect->sin_o);
    } else {
        coif_hair_bsdf_init_ellipse(bsdf, lobes, isect->absorption, h, isect->sin_o,
                                    &isect->section);
    }
}

static void init_fibre_hit(coif_interaction *isect, const coif_geometry *geometry, coif_vec3 wo,
                           const coif_ray_hit *hit, const coif_transform *transform)
{
    coif_vec4 centre, along;
    const coif_vec3 normal = curve_hit(&centre, &along, geometry, hit, isect->time, transform);
    isect->kind = COIF_INTERACTION_FIBRE;
    isect->position = coif_vec4_xyz(centre);
    isect->radius = centre.w;
    isect->x = coif_normalize(coif_vec4_xyz(along));
    if (!(coif_dot(isect->x, isect->x) > 0.5f)) {
        isect->x = (coif_vec3){0.0f, 1.0f, 0.0f}; // coincident points have no direction
    }
    const float sin_o = coif_dot(wo, isect->x);
    coif_vec3 across = coif_mad(wo, -sin_o, isect->x);
    if (!(coif_dot(across, across) > 1e-10f)) {
        coif_vec3 other;
        coif_frame_around(isect->x, &across, &other);
    }
    isect->y = coif_normalize(across);
    isect->z = coif_cross(isect->x, isect->y);

    // A ray that starts inside a fibre hits its far wall from within; h is where its line entered.
    const float h = coif_curve_offset(geometry->curves->kind, hit->v, normal, isect->y, isect->z);
    isect->normal_y = sqrtf(coif_max(1.0f - h * h, 0.0f));
    isect->normal_z = -h;
    isect->normal =
        coif_add(coif_scale(isect->y, isect->normal_y), coif_scale(isect->z, isect->normal_z));

    isect->absorption = absorption_at(geometry, hit->primitive, hit->u);
    isect->sin_o = sin_o;
    isect->h = h;
    isect->hair_material = geometry->hair_material;
    const coif_hair_lobes *lobes = lobes_at(isect, geometry, hit->primitive, hit->u);
    isect->section.ratio = 1.0f;
    if (geometry->curves->section_ratio != NULL) {
        init_section(isect, geometry->curves, hit, transform);
        isect->h = coif_clamp(h / coif_ellipse_half_width(&isect->section), -1.0f, 1.0f);
    }
    init_fibre_bsdf(&isect->hair_bsdf, isect, lobes, isect->h);
}

// A ribbon is shaded as a thin leaf. The position comes from the ray: the error of its distance is
// small against the width of a ribbon.
static void init_ribbon_hit(coif_interaction *isect, const coif_geometry *geometry,
                            const coif_ray *ray, const coif_ray_hit *hit,
                            const coif_transform *transform)
{
    coif_vec4 centre, along;
    const coif_vec3 normal = curve_hit(&centre, &along, geometry, hit, isect->time, transform);
    isect->kind = COIF_INTERACTION_RIBBON;
    isect->h_window = 0.0f;
    isect->light_index = -1;
    isect->position = coif_mad(ray->origin, hit->distance, ray->direction);
    isect->radius = centre.w;
    isect->x = coif_normalize(coif_vec4_xyz(along));
    const float size = coif_max(coif_max(fabsf(isect->position.x), fabsf(isect->position.y)),
                                fabsf(isect->position.z));
    isect->ray_offset = 4e-6f * (size + hit->distance) + 0.01f * centre.w + 1e-7f;
    isect->lift = (coif_vec3){0.0f, 0.0f, 0.0f};

    const coif_vec3 wo = coif_scale(ray->direction, -1.0f);
    coif_vec3 geometric = coif_normalize(normal);
    geometric = coif_dot(geometric, geometric) > 0.5f ? geometric : wo;
    coif_hair_params params = geometry->hair_material->params;
    if (geometry->varying_params != NULL) {
        const int32_t strand = coif_bspline_curves_strand(geometry->curves, hit->primitive);
        params = coif_hair_varying_params_eval(
            geometry->varying_params, geometry->hair_material, strand,
            strand_position(geometry, strand, hit->primitive, hit->u));
    }
    const coif_surface leaf = {
        .color = coif_hair_material_color_of(geometry->hair_material,
                                             absorption_at(geometry, hit->primitive, hit->u)),
        .roughness = params.ribbon_roughness,
        .specular = params.ribbon_specular,
        .translucency = params.ribbon_transmission,
        .transmission_tint = coif_working_from_rec709(
            geometry->hair_material->working_space,
            (coif_vec3){params.ribbon_tint[0], params.ribbon_tint[1], params.ribbon_tint[2]}),
    };
    coif_surface_bsdf_init(&isect->surface_bsdf, &leaf, geometric, geometric, wo);
    isect->normal = isect->surface_bsdf.normal;
}

// Footprint of the ray at the hit, for mipmap selection: a pixel, or a cone after scattering.
static float ray_footprint(const coif_render_scene *scene, const coif_ray_hit *hit, int32_t depth)
{
    static const float SCATTERED = 0.03f;
    const coif_camera *camera = &scene->camera;
    if (depth > 0) {
        return SCATTERED * hit->distance;
    }
    return camera->projection == COIF_ORTHOGRAPHIC ? camera->pixel_angle
                                                   : camera->pixel_angle * hit->distance;
}

void coif_interaction_lift(coif_interaction *isect, const coif_triangle *triangle, float b1,
                           float b2, coif_vec3 smooth)
{
    coif_surface_bsdf *bsdf = &isect->surface_bsdf;
    const coif_vec3 zero = {0.0f, 0.0f, 0.0f};
    const float side = bsdf->inside ? -1.0f : 1.0f;
    const float weights[3] = {1.0f - b1 - b2, b1, b2};
    const coif_vec3 point = coif_triangle_point(triangle, b1, b2);
    coif_vec3 lift = zero;
    for (int i = 0; i < 3; ++i) {
        const coif_vec3 n = triangle->n[i];
        const float below = side * coif_dot(coif_sub(point, triangle->p[i]), n);
        if (below < 0.0f) {
            lift = coif_mad(lift, -side * weights[i] * below / coif_dot(n, n), n);
        }
    }
    const bool lifted = bsdf->surface.kind == COIF_SURFACE_LAYERED &&
                        coif_dot(lift, lift) > isect->ray_offset * isect->ray_offset;
    isect->lift = lifted ? lift : zero;
    bsdf->horizon = lifted ? coif_scale(smooth, side) : bsdf->geometric_normal;
}

static void init_surface_hit(coif_interaction *isect, const coif_render_scene *scene, coif_vec3 wo,
                             const coif_ray_hit *hit, const coif_transform *transform, float width)
{
    const coif_geometry *geometry = &scene->geometries[hit->geometry];
    const coif_mesh *mesh = geometry->mesh;
    const coif_triangle at =
        coif_triangle_at(mesh, geometry->mesh_steps, hit->primitive, isect->time, transform);
    isect->kind = COIF_INTERACTION_SURFACE;
    isect->h_window = 0.0f;
    // Barycentric interpolation is more accurate than origin + t direction.
    isect->position = coif_triangle_point(&at, hit->u, hit->v);
    const float size = coif_max(coif_max(fabsf(isect->position.x), fabsf(isect->position.y)),
                                fabsf(isect->position.z));
    isect->ray_offset = 2e-6f * size + 1e-7f;

    const coif_vec3 geometric = coif_normalize(coif_triangle_area_normal(&at));
    isect->light_index = coif_dot(geometric, wo) > 0.0f ? coif_scene_hit_light(scene, hit) : -1;
    coif_vec3 shading = coif_triangle_normal(&at, hit->u, hit->v);
    shading = coif_dot(shading, shading) > 0.5f ? shading : geometric;
    const coif_vec3 smooth = shading;
    const coif_surface_coord coord = {hit->primitive, hit->u, hit->v,
                                      transform != NULL ? width / transform->scale : width};
    const coif_surface surface = coif_material_eval(geometry->materials, mesh, &coord);
    coif_vec3 tangents[3];
    if (geometry->tangents != NULL) {
        coif_tangents_at(tangents, geometry->tangents, mesh, geometry->mesh_steps, hit->primitive,
                         isect->time, transform);
    }
    shading = coif_material_normal(geometry->materials, mesh, &coord, at.p,
                                   geometry->tangents != NULL ? tangents : NULL, shading);
    coif_surface_bsdf_init(&isect->surface_bsdf, &surface, geometric, shading, wo);
    coif_interaction_lift(isect, &at, hit->u, hit->v, smooth);
    isect->normal = isect->surface_bsdf.normal;
}

// How much of the width stands for a hit. After a scattering event h is uniform. A camera ray
// stands for a pixel, which may be wider than the fibre.
static float h_window(const coif_interaction *isect, const coif_render_scene *scene,
                      const coif_ray_hit *hit, int32_t depth)
{
    if (hit->distance < NEAR_RADII * isect->radius || (depth == 0 && !scene->hair_filtering)) {
        return 0.0f;
    }
    return depth > 0 ? 2.0f
                     : coif_min(MAX_PIXEL_WINDOW, ray_footprint(scene, hit, 0) / isect->radius);
}

void coif_interaction_init(coif_interaction *isect, const coif_render_scene *scene,
                           const coif_ray *ray, const coif_ray_hit *hit, int32_t depth)
{
    const coif_geometry *geometry = &scene->geometries[hit->geometry];
    const coif_vec3 wo = coif_scale(ray->direction, -1.0f);
    isect->time = ray->time;
    coif_transform mixed;
    const coif_transform *transform = coif_scene_hit_transform(&mixed, scene, hit, ray->time);
    if (geometry->curves != NULL && geometry->curves->kind == COIF_CURVE_RIBBON) {
        init_ribbon_hit(isect, geometry, ray, hit, transform);
    } else if (geometry->curves != NULL) {
        init_fibre_hit(isect, geometry, wo, hit, transform);
        isect->h_window = h_window(isect, scene, hit, depth);
    } else {
        init_surface_hit(isect, scene, wo, hit, transform, ray_footprint(scene, hit, depth));
    }
}

static coif_vec3 to_fibre(const coif_interaction *isect, coif_vec3 w)
{
    return (coif_vec3){coif_dot(w, isect->x), coif_dot(w, isect->y), coif_dot(w, isect->z)};
}

static coif_vec3 interaction_eval(const coif_interaction *isect, coif_vec3 wi, float *pdf)
{
    return coif_interaction_is_fibre(isect)
               ? coif_hair_bsdf_eval(&isect->hair_bsdf, to_fibre(isect, wi), pdf)
               : coif_surface_bsdf_eval(&isect->surface_bsdf, wi, pdf);
}

coif_vec3 coif_interaction_albedo(const coif_interaction *isect)
{
    return coif_interaction_is_fibre(isect)
               ? coif_hair_material_color_of(isect->hair_material, isect->absorption)
               : isect->surface_bsdf.surface.color;
}

// Scalar evaluation, for surfaces, fur and elliptical fibres.
static coif_bsdf_values_x4 eval_each(const coif_interaction *isect,
                                     const coif_interaction_query_x4 *query, bool random_h)
{
    coif_bsdf_values_x4 found = {0};
    for (int i = 0; i < COIF_QUERY_X4; ++i) {
        const coif_vec3 wi = {query->x[i], query->y[i], query->z[i]};
        coif_vec3 f;
        float pdf;
        if (!coif_interaction_is_fibre(isect) || !random_h) {
            f = interaction_eval(isect, wi, &pdf);
        } else {
            coif_hair_bsdf fibre;
            init_fibre_bsdf(&fibre, isect, isect->hair_bsdf.lobes, query->h[i]);
            f = coif_hair_bsdf_eval(&fibre, to_fibre(isect, wi), &pdf);
        }
        found.red[i] = f.x;
        found.green[i] = f.y;
        found.blue[i] = f.z;
        found.pdf[i] = pdf;
    }
    return found;
}

static coif_lanes along(const coif_interaction_query_x4 *query, coif_vec3 axis)
{
    return query->x * axis.x + query->y * axis.y + query->z * axis.z;
}

bool coif_interaction_is_round_hair(const coif_interaction *isect)
{
    return coif_interaction_is_fibre(isect) && !(isect->hair_bsdf.lobes->medulla.radius > 0.0f) &&
           coif_ellipse_is_circle(&isect->section);
}

coif_lanes coif_interaction_window_h(const coif_interaction *isect, coif_lanes u)
{
    if (isect->h_window >= 2.0f) {
        return 2.0f * u - 1.0f;
    }
    coif_lanes h = isect->h + isect->h_window * (u - 0.5f);
    h = coif_lanes_select(h > 1.0f, 2.0f - h, h);
    return coif_lanes_select(h < -1.0f, -2.0f - h, h);
}

coif_bsdf_values_x4 coif_interaction_eval_x4(const coif_interaction *isect,
                                             const coif_interaction_query_x4 *query)
{
    const bool random_h = isect->h_window > 0.0f;
    if (!coif_interaction_is_round_hair(isect)) {
        return eval_each(isect, query, random_h);
    }
    const coif_hair_query_x4 turned = {
        .x = along(query, isect->x),
        .y = along(query, isect->y),
        .z = along(query, isect->z),
        .h = query->h,
        .absorption = isect->absorption,
    };
    return random_h ? coif_hair_bsdf_eval_x4_random_h(&isect->hair_bsdf, &turned)
                    : coif_hair_bsdf_eval_x4(&isect->hair_bsdf, &turned);
}

static float ratio(float part, float whole)
{
    return whole > 0.0f ? part / whole : 0.0f;
}

void coif_interaction_lobe_fractions(const coif_interaction *isect, coif_vec3 wi, const float *h,
                                     int count, coif_vec3 fractions[COIF_HAIR_LOBES])
{
    const coif_vec3 zero = {0.0f, 0.0f, 0.0f};
    coif_vec3 sums[COIF_HAIR_LOBES] = {zero, zero, zero, zero}, all = zero;
    for (int i = 0; i < count; ++i) {
        coif_hair_bsdf bsdf;
        coif_vec3 lobes[COIF_HAIR_LOBES];
        init_fibre_bsdf(&bsdf, isect, isect->hair_bsdf.lobes, h[i]);
        coif_hair_bsdf_lobes(&bsdf, to_fibre(isect, wi), lobes);
        for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
            sums[p] = coif_add(sums[p], lobes[p]);
            all = coif_add(all, lobes[p]);
        }
    }
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        fractions[p] =
            (coif_vec3){ratio(sums[p].x, all.x), ratio(sums[p].y, all.y), ratio(sums[p].z, all.z)};
    }
}

coif_vec3 coif_interaction_sample(const coif_interaction *isect, float u, coif_vec2 v, coif_vec3 *f,
                                  float *pdf)
{
    if (!coif_interaction_is_fibre(isect)) {
        const coif_vec3 wi = coif_surface_bsdf_sample(&isect->surface_bsdf, u, v);
        *f = coif_surface_bsdf_eval(&isect->surface_bsdf, wi, pdf);
        return wi;
    }
    const coif_vec3 w = coif_hair_bsdf_sample_eval(&isect->hair_bsdf, u, v, f, pdf);
    return coif_mad(coif_mad(coif_scale(isect->x, w.x), w.y, isect->y), w.z, isect->z);
}

coif_ray coif_interaction_spawn_ray(const coif_interaction *isect, coif_vec3 wi)
{
    if (!coif_interaction_is_fibre(isect)) {
        const coif_vec3 up = isect->surface_bsdf.geometric_normal;
        const float grazing = 1.0f - coif_dot(up, wi) * (1.0f / GRAZING_COSINE);
        if (grazing > 0.0f && coif_dot(isect->lift, isect->lift) > 0.0f &&
            coif_dot(isect->surface_bsdf.horizon, wi) > 0.0f) {
            const coif_vec3 from = coif_mad(isect->position, coif_min(grazing, 1.0f), isect->lift);
            return (coif_ray){coif_mad(from, isect->ray_offset, isect->surface_bsdf.horizon),
                              wi,
                              0.0f,
                              FLT_MAX,
                              isect->time,
                              0};
        }
        const float above = coif_dot(up, wi) < 0.0f ? -isect->ray_offset : isect->ray_offset;
        return (coif_ray){coif_mad(isect->position, above, up), wi, 0.0f, FLT_MAX, isect->time, 0};
    }
    float y = isect->normal_y, z = isect->normal_z;
    const float wy = coif_dot(wi, isect->y), wz = coif_dot(wi, isect->z);
    const float outward = y * wy + z * wz;
    if (outward < 0.0f) {
        const float step = 2.0f * outward / coif_max(wy * wy + wz * wz, 1e-12f);
        y -= step * wy;
        z -= step * wz;
    }
    const float radius = FIBRE_CLEARANCE * isect->radius;
    const coif_vec3 origin =
        coif_mad(coif_mad(isect->position, radius * y, isect->y), radius * z, isect->z);
    return (coif_ray){origin, wi, 0.0f, FLT_MAX, isect->time, 0};
}
