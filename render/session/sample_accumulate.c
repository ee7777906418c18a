#include "render/session/sample_accumulate.h"

#include "render/film/cryptomatte.h"

static void add(double *sums, coif_vec3 value)
{
    sums[0] += (double)value.x;
    sums[1] += (double)value.y;
    sums[2] += (double)value.z;
}

// What the layer "variance" and squares that may be good enough want to know of a pixel's own
// samples.
static void add_own(double *sums, const coif_sample_record *exposure)
{
    const coif_vec3 c = exposure->light;
    const coif_primary_hit *first = exposure->first;
    const double y = 0.2126 * (double)c.x + 0.7152 * (double)c.y + 0.0722 * (double)c.z;
    sums[0] += (double)c.x * (double)c.x;
    sums[1] += (double)c.y * (double)c.y;
    sums[2] += (double)c.z * (double)c.z;
    sums[COIF_SUM_LUMINANCE2] += y * y;
    add(sums + COIF_SUM_COLOR, c);
    sums[COIF_SUM_ALPHA] += (double)exposure->alpha;
    sums[COIF_SUM_SHADED] +=
        first->is_shadow_catcher && first->shadowed.y != first->unshadowed.y ? 1.0 : 0.0;
}

static int32_t strand_of(const coif_geometry *shape, const coif_primary_hit *first)
{
    return coif_bspline_curves_strand(shape->curves, first->primitive);
}

static coif_vec3 corner_blend(const coif_mesh *mesh, const coif_primary_hit *first)
{
    const int32_t *corner = mesh->indices + 3 * (size_t)first->primitive;
    const coif_vec3 *p = mesh->positions;
    const float w = 1.0f - first->u - first->v;
    return coif_mad(coif_mad(coif_scale(p[corner[0]], w), first->u, p[corner[1]]), first->v,
                    p[corner[2]]);
}

// Where the place in view is at one of the frames of motion vectors.
static coif_vec3 place_at(const coif_render_scene *stage, const coif_primary_hit *first, int which)
{
    const coif_geometry *shape = &stage->geometries[first->geometry];
    coif_vec3 place;
    if (shape->motion_curves[which] != NULL) {
        coif_vec4 centre, along;
        coif_bspline_curves_at(shape->motion_curves[which],
                               (coif_curve_coord){first->primitive, first->u, 0.0f}, &centre,
                               &along);
        place = coif_vec4_xyz(centre);
    } else if (shape->motion_meshes[which] != NULL) {
        place = corner_blend(shape->motion_meshes[which], first);
    } else {
        return first->position;
    }
    return first->instance < 0
               ? place
               : coif_transform_point(
                     &stage->instance_motion[COIF_MOTION_FRAMES * first->instance + which], place);
}

// From the picture's frame to another.
static coif_vec2 motion_to(const coif_film *film, const coif_render_scene *stage,
                           const coif_primary_hit *first, int which)
{
    coif_vec2 here, there;
    if (!coif_camera_project(&stage->motion_cameras[0], place_at(stage, first, 0), &here) ||
        !coif_camera_project(&stage->motion_cameras[which], place_at(stage, first, which),
                             &there)) {
        return (coif_vec2){0.0f, 0.0f};
    }
    return (coif_vec2){(there.x - here.x) * (float)film->width,
                       (here.y - there.y) * (float)film->height};
}

static coif_vec2 root_of(const coif_render_scene *stage, const coif_primary_hit *first)
{
    const coif_geometry *shape = &stage->geometries[first->geometry];
    if (!first->hair || shape->strands->root_uv == NULL) {
        return (coif_vec2){0.0f, 0.0f};
    }
    const float *uv = shape->strands->root_uv + 2 * (size_t)strand_of(shape, first);
    return (coif_vec2){uv[0], uv[1]};
}

static void set_pair(double *sums, coif_vec2 value)
{
    sums[0] = (double)value.x;
    sums[1] = (double)value.y;
}

// Layers that show the nearest sample.
static void keep_nearest(double *sums, const coif_film *film, const coif_render_scene *stage,
                         const coif_sample_record *exposure)
{
    const int32_t *place = film->aovs.place;
    const coif_primary_hit *first = exposure->first;
    double *depth = sums + place[COIF_AOV_DEPTH];
    if (!(first->alpha > 0.0f) || (*depth != 0.0 && !((double)exposure->depth < *depth))) {
        return;
    }
    *depth = (double)exposure->depth;
    if (place[COIF_AOV_POSITION] >= 0) {
        double *to = sums + place[COIF_AOV_POSITION];
        to[0] = to[1] = to[2] = 0.0;
        add(to, first->position);
    }
    if (place[COIF_AOV_FORWARD] >= 0) {
        set_pair(sums + place[COIF_AOV_FORWARD], motion_to(film, stage, first, 1));
    }
    if (place[COIF_AOV_BACKWARD] >= 0) {
        set_pair(sums + place[COIF_AOV_BACKWARD], motion_to(film, stage, first, 2));
    }
    if (place[COIF_AOV_ROOT_UV] >= 0) {
        set_pair(sums + place[COIF_AOV_ROOT_UV], root_of(stage, first));
    }
    if (place[COIF_AOV_STRAND_ID] >= 0) {
        const coif_geometry *shape = &stage->geometries[first->geometry];
        sums[place[COIF_AOV_STRAND_ID]] =
            first->hair ? 1.0 + shape->first_strand + strand_of(shape, first) : 0.0;
    }
}

static void add_split(double *sums, const coif_aovs *aovs, const coif_light_aovs *split)
{
    for (int32_t i = 1; i < aovs->count; ++i) {
        const coif_aov *aov = &aovs->list[i];
        if (aov->kind == COIF_AOV_LIGHT) {
            add(sums + aov->place, split->groups[aov->group]);
        } else if (aov->kind < COIF_AOV_LIGHT) {
            add(sums + aov->place, split->parts[aov->kind]);
        }
    }
}

// What denoise.h wants to know of a sample.
static void add_halves(double *sums, const coif_sample_record *exposure)
{
    const float sign = exposure->second_half ? -1.0f : 1.0f;
    sums[COIF_SUM_HALF_COUNT] += (double)sign;
    add(sums + COIF_SUM_DIRECT, coif_scale(exposure->split->parts[COIF_AOV_DIRECT], sign));
    add(sums + COIF_SUM_INDIRECT, coif_scale(exposure->split->parts[COIF_AOV_INDIRECT], sign));
    const float x = exposure->course.x, y = exposure->course.y;
    add(sums + COIF_SUM_TANGENT2,
        coif_scale((coif_vec3){x * x - y * y, 2.0f * x * y, x * x + y * y},
                   exposure->first->alpha));
    if (!exposure->first->hair) {
        add(sums + COIF_SUM_ALBEDO, exposure->first->albedo);
    }
}

static void add_names(double *sums, const coif_aovs *aovs, const coif_render_scene *stage,
                      const coif_primary_hit *first)
{
    const coif_geometry *shape = &stage->geometries[first->geometry];
    if (aovs->place[COIF_AOV_CRYPTO_OBJECT] >= 0) {
        const float id = stage->instance_object_ids == NULL
                             ? shape->object_id
                             : stage->instance_object_ids[(size_t)first->instance *
                                                              (size_t)stage->geometry_count +
                                                          (size_t)first->geometry];
        coif_cryptomatte_add(sums + aovs->place[COIF_AOV_CRYPTO_OBJECT], id, first->hair,
                             first->alpha);
    }
    if (aovs->place[COIF_AOV_CRYPTO_CLUMP] >= 0) {
        const bool named = first->hair && shape->clump_ids != NULL;
        coif_cryptomatte_add(sums + aovs->place[COIF_AOV_CRYPTO_CLUMP],
                             named ? shape->clump_ids[strand_of(shape, first)] : 0.0f, first->hair,
                             first->alpha);
    }
}

void coif_sample_add_filtered(double *sums, const coif_film *film,
                              const coif_sample_record *exposure)
{
    const coif_aovs *aovs = &film->aovs;
    const int32_t *place = aovs->place;
    const coif_primary_hit *first = exposure->first;
    add(sums, exposure->light);
    sums[3] += (double)exposure->alpha;
    if (aovs->count == 1) {
        return;
    }
    if (place[COIF_AOV_ALBEDO] >= 0) {
        add(sums + place[COIF_AOV_ALBEDO], first->albedo);
    }
    if (place[COIF_AOV_NORMAL] >= 0) {
        add(sums + place[COIF_AOV_NORMAL], first->normal);
    }
    if (place[COIF_AOV_TANGENT] >= 0) {
        add(sums + place[COIF_AOV_TANGENT], coif_scale(first->tangent, first->alpha));
    }
    if (place[COIF_AOV_MASK] >= 0) {
        sums[place[COIF_AOV_MASK] + (first->hair ? 0 : 1)] += (double)first->alpha;
    }
    if (place[COIF_AOV_SHADOW_CATCHER] >= 0 && first->is_shadow_catcher) {
        double *caught = sums + place[COIF_AOV_SHADOW_CATCHER];
        add(caught, first->shadowed);
        add(caught + 3, first->unshadowed);
        add(caught + 6, first->background);
        caught[9] += 1.0;
    }
    if (exposure->split != NULL) {
        add_split(sums, aovs, exposure->split);
        if (place[COIF_AOV_DENOISED] >= 0) {
            add_halves(sums + place[COIF_AOV_DENOISED], exposure);
        }
    }
}

void coif_sample_add_unfiltered(double *sums, const coif_film *film, const coif_render_scene *stage,
                                const coif_sample_record *exposure)
{
    const coif_aovs *aovs = &film->aovs;
    const int32_t *place = aovs->place;
    if (aovs->sum_count == aovs->stride) {
        return;
    }
    if (place[COIF_AOV_VARIANCE] >= 0) {
        add_own(sums + place[COIF_AOV_VARIANCE], exposure);
    }
    if (place[COIF_AOV_DEPTH] >= 0) {
        keep_nearest(sums, film, stage, exposure);
    }
    if (exposure->first->alpha > 0.0f) {
        add_names(sums, aovs, stage, exposure->first);
    }
}
