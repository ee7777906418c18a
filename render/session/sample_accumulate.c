#include "render/session/sample_accumulate.h"

#include "render/film/cryptomatte.h"

static void add(double *sums, coif_vec3 value)
{
    sums[0] += (double)value.x;
    sums[1] += (double)value.y;
    sums[2] += (double)value.z;
}

// Sums of the variance AOV, also used by adaptive sampling.
static void add_variance(double *sums, const coif_sample_record *record)
{
    const coif_vec3 c = record->radiance;
    const coif_primary_hit *hit = record->hit;
    const double y = 0.2126 * (double)c.x + 0.7152 * (double)c.y + 0.0722 * (double)c.z;
    sums[0] += (double)c.x * (double)c.x;
    sums[1] += (double)c.y * (double)c.y;
    sums[2] += (double)c.z * (double)c.z;
    sums[COIF_SUM_LUMINANCE2] += y * y;
    add(sums + COIF_SUM_COLOR, c);
    sums[COIF_SUM_ALPHA] += (double)record->alpha;
    sums[COIF_SUM_SHADED] +=
        hit->is_shadow_catcher && hit->shadowed.y != hit->unshadowed.y ? 1.0 : 0.0;
}

static int32_t strand_of(const coif_geometry *geometry, const coif_primary_hit *hit)
{
    return coif_bspline_curves_strand(geometry->curves, hit->primitive);
}

static coif_vec3 mesh_position(const coif_mesh *mesh, const coif_primary_hit *hit)
{
    const int32_t *corner = mesh->indices + 3 * (size_t)hit->primitive;
    const coif_vec3 *p = mesh->positions;
    const float w = 1.0f - hit->u - hit->v;
    return coif_mad(coif_mad(coif_scale(p[corner[0]], w), hit->u, p[corner[1]]), hit->v,
                    p[corner[2]]);
}

// Position of the visible point at one of the frames of motion vectors.
static coif_vec3 position_at(const coif_render_scene *scene, const coif_primary_hit *hit, int which)
{
    const coif_geometry *geometry = &scene->geometries[hit->geometry];
    coif_vec3 position;
    if (geometry->motion_curves[which] != NULL) {
        coif_vec4 centre, along;
        coif_bspline_curves_at(geometry->motion_curves[which],
                               (coif_curve_coord){hit->primitive, hit->u, 0.0f}, &centre, &along);
        position = coif_vec4_xyz(centre);
    } else if (geometry->motion_meshes[which] != NULL) {
        position = mesh_position(geometry->motion_meshes[which], hit);
    } else {
        return hit->position;
    }
    return hit->instance < 0
               ? position
               : coif_transform_point(
                     &scene->instance_motion[COIF_MOTION_FRAMES * hit->instance + which], position);
}

// Motion vector from the current frame to another, in pixels.
static coif_vec2 motion_vector(const coif_film *film, const coif_render_scene *scene,
                               const coif_primary_hit *hit, int which)
{
    coif_vec2 from, to;
    if (!coif_camera_project(&scene->motion_cameras[0], position_at(scene, hit, 0), &from) ||
        !coif_camera_project(&scene->motion_cameras[which], position_at(scene, hit, which), &to)) {
        return (coif_vec2){0.0f, 0.0f};
    }
    return (coif_vec2){(to.x - from.x) * (float)film->width, (from.y - to.y) * (float)film->height};
}

static coif_vec2 root_uv(const coif_render_scene *scene, const coif_primary_hit *hit)
{
    const coif_geometry *geometry = &scene->geometries[hit->geometry];
    if (!hit->hair || geometry->strands->root_uv == NULL) {
        return (coif_vec2){0.0f, 0.0f};
    }
    const float *uv = geometry->strands->root_uv + 2 * (size_t)strand_of(geometry, hit);
    return (coif_vec2){uv[0], uv[1]};
}

static void set_pair(double *sums, coif_vec2 value)
{
    sums[0] = (double)value.x;
    sums[1] = (double)value.y;
}

// AOVs that keep the nearest sample.
static void set_nearest(double *sums, const coif_film *film, const coif_render_scene *scene,
                        const coif_sample_record *record)
{
    const int32_t *offset = film->aovs.offset;
    const coif_primary_hit *hit = record->hit;
    double *depth = sums + offset[COIF_AOV_DEPTH];
    if (!(hit->alpha > 0.0f) || (*depth != 0.0 && !((double)record->depth < *depth))) {
        return;
    }
    *depth = (double)record->depth;
    if (offset[COIF_AOV_POSITION] >= 0) {
        double *to = sums + offset[COIF_AOV_POSITION];
        to[0] = to[1] = to[2] = 0.0;
        add(to, hit->position);
    }
    if (offset[COIF_AOV_FORWARD] >= 0) {
        set_pair(sums + offset[COIF_AOV_FORWARD], motion_vector(film, scene, hit, 1));
    }
    if (offset[COIF_AOV_BACKWARD] >= 0) {
        set_pair(sums + offset[COIF_AOV_BACKWARD], motion_vector(film, scene, hit, 2));
    }
    if (offset[COIF_AOV_ROOT_UV] >= 0) {
        set_pair(sums + offset[COIF_AOV_ROOT_UV], root_uv(scene, hit));
    }
    if (offset[COIF_AOV_STRAND_ID] >= 0) {
        const coif_geometry *geometry = &scene->geometries[hit->geometry];
        sums[offset[COIF_AOV_STRAND_ID]] =
            hit->hair ? 1.0 + geometry->first_strand + strand_of(geometry, hit) : 0.0;
    }
}

static void add_split(double *sums, const coif_aovs *aovs, const coif_light_aovs *split)
{
    for (int32_t i = 1; i < aovs->count; ++i) {
        const coif_aov *aov = &aovs->list[i];
        if (aov->kind == COIF_AOV_LIGHT) {
            add(sums + aov->offset, split->groups[aov->light_group]);
        } else if (aov->kind < COIF_AOV_LIGHT) {
            add(sums + aov->offset, split->parts[aov->kind]);
        }
    }
}

// Inputs of the denoiser.
static void add_denoise_inputs(double *sums, const coif_sample_record *record)
{
    const float sign = record->second_half ? -1.0f : 1.0f;
    sums[COIF_SUM_HALF_COUNT] += (double)sign;
    add(sums + COIF_SUM_DIRECT, coif_scale(record->split->parts[COIF_AOV_DIRECT], sign));
    add(sums + COIF_SUM_INDIRECT, coif_scale(record->split->parts[COIF_AOV_INDIRECT], sign));
    const float x = record->screen_tangent.x, y = record->screen_tangent.y;
    add(sums + COIF_SUM_TANGENT2,
        coif_scale((coif_vec3){x * x - y * y, 2.0f * x * y, x * x + y * y}, record->hit->alpha));
    if (!record->hit->hair) {
        add(sums + COIF_SUM_ALBEDO, record->hit->albedo);
    }
}

static void add_cryptomatte(double *sums, const coif_aovs *aovs, const coif_render_scene *scene,
                            const coif_primary_hit *hit)
{
    const coif_geometry *geometry = &scene->geometries[hit->geometry];
    if (aovs->offset[COIF_AOV_CRYPTO_OBJECT] >= 0) {
        const float id =
            scene->instance_object_ids == NULL
                ? geometry->object_id
                : scene->instance_object_ids[(size_t)hit->instance * (size_t)scene->geometry_count +
                                             (size_t)hit->geometry];
        coif_cryptomatte_add(sums + aovs->offset[COIF_AOV_CRYPTO_OBJECT], id, hit->hair,
                             hit->alpha);
    }
    if (aovs->offset[COIF_AOV_CRYPTO_CLUMP] >= 0) {
        const bool named = hit->hair && geometry->clump_ids != NULL;
        coif_cryptomatte_add(sums + aovs->offset[COIF_AOV_CRYPTO_CLUMP],
                             named ? geometry->clump_ids[strand_of(geometry, hit)] : 0.0f,
                             hit->hair, hit->alpha);
    }
}

void coif_sample_add_filtered(double *sums, const coif_film *film, const coif_sample_record *record)
{
    const coif_aovs *aovs = &film->aovs;
    const int32_t *offset = aovs->offset;
    const coif_primary_hit *hit = record->hit;
    add(sums, record->radiance);
    sums[3] += (double)record->alpha;
    if (aovs->count == 1) {
        return;
    }
    if (offset[COIF_AOV_ALBEDO] >= 0) {
        add(sums + offset[COIF_AOV_ALBEDO], hit->albedo);
    }
    if (offset[COIF_AOV_NORMAL] >= 0) {
        add(sums + offset[COIF_AOV_NORMAL], hit->normal);
    }
    if (offset[COIF_AOV_TANGENT] >= 0) {
        add(sums + offset[COIF_AOV_TANGENT], coif_scale(hit->tangent, hit->alpha));
    }
    if (offset[COIF_AOV_MASK] >= 0) {
        sums[offset[COIF_AOV_MASK] + (hit->hair ? 0 : 1)] += (double)hit->alpha;
    }
    if (offset[COIF_AOV_SHADOW_CATCHER] >= 0 && hit->is_shadow_catcher) {
        double *catcher = sums + offset[COIF_AOV_SHADOW_CATCHER];
        add(catcher, hit->shadowed);
        add(catcher + 3, hit->unshadowed);
        add(catcher + 6, hit->background);
        catcher[9] += 1.0;
    }
    if (record->split != NULL) {
        add_split(sums, aovs, record->split);
        if (offset[COIF_AOV_DENOISED] >= 0) {
            add_denoise_inputs(sums + offset[COIF_AOV_DENOISED], record);
        }
    }
}

void coif_sample_add_unfiltered(double *sums, const coif_film *film, const coif_render_scene *scene,
                                const coif_sample_record *record)
{
    const coif_aovs *aovs = &film->aovs;
    const int32_t *offset = aovs->offset;
    if (aovs->sum_count == aovs->stride) {
        return;
    }
    if (offset[COIF_AOV_VARIANCE] >= 0) {
        add_variance(sums + offset[COIF_AOV_VARIANCE], record);
    }
    if (offset[COIF_AOV_DEPTH] >= 0) {
        set_nearest(sums, film, scene, record);
    }
    if (record->hit->alpha > 0.0f) {
        add_cryptomatte(sums, aovs, scene, record->hit);
    }
}
