#include "sim/run/solver_setup.h"

#include "core/base/arena.h"
#include "core/base/rng.h"
#include "sim/groom/lock_detect.h"
#include "sim/run/bend_spans.h"
#include "sim/run/goals.h"

#include <math.h>
#include <string.h>

enum { RANDOM_MASS = 200, RANDOM_STIFFNESS = 201, GRAIN = 64 };

// Rigid strands need no state of a method; PBD has none.
enum { RIGID_METHOD = 0 };

static bool roots_are_clamped(const coif_groom_solver_desc *desc)
{
    return desc->params->root_boundary == COIF_ROOT_CLAMPED && desc->pinned > 0;
}

// Whether point k of a strand follows the body: an unclamped root is one point or none.
static bool is_pinned(const coif_groom_solver_desc *desc, int32_t k, int32_t last)
{
    static const int32_t tips[] = {
        [COIF_TIP_FREE] = 0, [COIF_TIP_PINNED] = 1, [COIF_TIP_CLAMPED] = 2};
    const int32_t roots = desc->params->root_boundary == COIF_ROOT_CLAMPED  ? desc->pinned
                          : desc->params->root_boundary == COIF_ROOT_PINNED ? 1
                                                                            : 0;
    return k < roots || k > last - tips[desc->params->tip_boundary];
}

// Value of a parameter of a strand, without its ramp.
static float strand_param(const coif_groom_solver_desc *desc, int field, int32_t strand)
{
    return coif_param_fields_value(desc->fields, field, desc->params, strand);
}

static const coif_vec4 *rest_points(const coif_groom *groom, int32_t strand)
{
    return groom->rest.points + groom->rest.first[groom->simulated[strand]];
}

// Mechanical radius of a strand, m: of the parameters, or the mean drawn radius.
static float radius_of(const coif_groom_solver_desc *desc, int32_t strand)
{
    const coif_strands *rest = &desc->groom->rest;
    const int32_t which = desc->groom->simulated[strand];
    float sum = 0.0f;
    for (int32_t i = rest->first[which]; i < rest->first[which + 1]; ++i) {
        sum += rest->points[i].w;
    }
    const float radius = strand_param(desc, COIF_FIELD_HAIR_RADIUS, strand);
    return radius > 0.0f ? radius : sum / (float)coif_strands_length(rest, which);
}

static coif_root_pose root_pose(const coif_groom *groom, const coif_mesh *mesh, int32_t strand)
{
    const int32_t rest = groom->simulated[strand];
    const int32_t triangle = groom->root_triangle[rest];
    const float *b = groom->root_barycentric + 2 * (int64_t)rest;
    const coif_mat3 frame = coif_mesh_frame(mesh, triangle, b[0], b[1]);
    return (coif_root_pose){coif_mesh_at(mesh, triangle, b[0], b[1]).position, frame.row[0],
                            frame.row[1], frame.row[2]};
}

typedef struct roots_ctx {
    const coif_groom *groom;
    const coif_mesh *mesh;
    coif_root_pose *roots;
} roots_ctx;

static void fill_roots(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const roots_ctx *ctx = context;
    for (int64_t s = begin; s < end; ++s) {
        ctx->roots[s] = root_pose(ctx->groom, ctx->mesh, (int32_t)s);
    }
}

void coif_eval_roots(coif_root_pose *roots, const coif_groom *groom, const coif_mesh *mesh,
                     coif_jobs *jobs)
{
    roots_ctx ctx = {groom, mesh, roots};
    coif_parallel_for(jobs, groom->simulated_count, GRAIN, fill_roots, &ctx);
}

// Arrays of a definition while they are filled.
typedef struct def_ctx {
    const coif_groom_solver_desc *desc;
    coif_strand_range range; // of the strands that are filled in
    const int32_t *first_point;
    coif_vec3 *rest_points;
    float *contact_distance, *inv_mass, *goal_stiffness, *gravity_ramp;
    float *param_scale[COIF_FIELD_BLOCK_ROWS];
    float *stiffness_along, *stretch_along, *core_along;
    coif_root_pose *rest_frame;
    coif_strand_material *material;
    coif_spring_material *spring;
    coif_vec3 *tip_force_scale;
} def_ctx;

// Points keep the distance they have in the groom where that is less than the margin: short fur and
// the first segments of combed hair must not be lifted off the skin.
static void fill_contact_distance(const def_ctx *ctx, int32_t strand)
{
    const coif_groom_solver_desc *desc = ctx->desc;
    const coif_vec4 *p = rest_points(desc->groom, strand);
    const int32_t first = ctx->first_point[strand];
    const int32_t last = ctx->first_point[strand + 1] - first - 1;
    const float margin = strand_param(desc, COIF_FIELD_CONTACT_MARGIN, strand);
    int32_t hint = -1;
    for (int32_t k = 0; k <= last; ++k) {
        if (is_pinned(desc, k, last)) {
            continue;
        }
        const float position = (float)k / (float)last;
        const float full =
            margin * coif_param_fields_along(desc->fields, COIF_FIELD_CONTACT_MARGIN, position) +
            p[k].w;
        const coif_closest_point_query query = {
            .position = coif_vec4_xyz(p[k]), .max_distance = 2.0f * full, .hint = hint};
        coif_closest_point nearest = {.distance = full};
        if (desc->body != NULL && coif_collider_closest_point(&nearest, desc->body, &query)) {
            hint = nearest.triangle;
        }
        ctx->contact_distance[first + k] = coif_clamp(nearest.distance, 0.2f * full, full);
    }
}

static void fill_shape(const def_ctx *ctx, int32_t strand)
{
    const coif_groom *groom = ctx->desc->groom;
    const int32_t first = ctx->first_point[strand];
    const coif_vec4 *p = rest_points(groom, strand);
    coif_mat3 frame;
    memcpy(&frame, groom->root_frame + 9 * (int64_t)groom->simulated[strand], sizeof frame);
    ctx->rest_frame[strand] = (coif_root_pose){root_pose(groom, ctx->desc->rest, strand).position,
                                               frame.row[0], frame.row[1], frame.row[2]};
    for (int32_t i = first; i < ctx->first_point[strand + 1]; ++i) {
        ctx->rest_points[i] = coif_vec4_xyz(p[i - first]);
    }
    if (ctx->contact_distance != NULL) {
        fill_contact_distance(ctx, strand);
    }
}

// Mass varies a little from strand to strand, so that neighbours separate in the wind.
static float mass_of(const coif_groom_solver_desc *desc, int32_t strand)
{
    const coif_sim_params *params = desc->params;
    const float chance = coif_random_unit(desc->seed, (uint64_t)strand, RANDOM_MASS);
    const float spread = strand_param(desc, COIF_FIELD_MASS_VARIATION, strand);
    return (1.0f + spread * (2.0f * chance - 1.0f)) * (params->mass > 0.0f ? params->mass : 1.0f) *
           coif_param_fields_strand(desc->fields, COIF_FIELD_MASS, strand);
}

// Mass is relative to that of the lightest point, so that no inverse mass is above that of a free
// point.
static float lightest_of(const coif_param_fields *fields, int32_t last)
{
    float lightest = INFINITY;
    for (int32_t k = 0; k <= last; ++k) {
        lightest = fminf(lightest, coif_param_fields_weight(fields, (float)k / (float)last));
    }
    return lightest;
}

static void fill_masses(const def_ctx *ctx, int32_t strand, float mass, float lightest)
{
    const coif_groom_solver_desc *desc = ctx->desc;
    const coif_sim_params *params = desc->params;
    const coif_param_fields *fields = desc->fields;
    const int32_t first = ctx->first_point[strand];
    const int32_t last = ctx->first_point[strand + 1] - first - 1;
    const float root = strand_param(desc, COIF_FIELD_GOAL_FREQUENCY_ROOT, strand);
    const float tip = strand_param(desc, COIF_FIELD_GOAL_FREQUENCY_TIP, strand);
    const float scale = strand_param(desc, COIF_FIELD_GOAL_SCALE, strand);
    const bool free_root = params->root_boundary != COIF_ROOT_CLAMPED;
    for (int32_t k = 0; k <= last; ++k) {
        const float position = (float)k / (float)last;
        const float weight = coif_param_fields_weight(fields, position);
        // A free end has half the mass: that of half a segment.
        float *w = &ctx->inv_mass[first + k];
        *w = is_pinned(desc, k, last) ? 0.0f : k == 0 || k == last ? 2.0f : 1.0f;
        *w *= lightest / weight;
        const float rest = 1.0f - position;
        const float rate =
            (tip + (root - tip) * (rest * rest)) *
            (scale * coif_param_fields_along(fields, COIF_FIELD_GOAL_SCALE, position));
        ctx->goal_stiffness[first + k] = free_root ? 0.0f : rate * rate / (mass * weight);
    }
}

static void fill_param_scale(const def_ctx *ctx, int32_t strand, float lightest)
{
    const coif_param_fields *fields = ctx->desc->fields;
    const int32_t first = ctx->first_point[strand];
    const int32_t last = ctx->first_point[strand + 1] - first - 1;
    for (int row = 0; row < COIF_FIELD_BLOCK_ROWS; ++row) {
        const float own = coif_param_fields_strand(fields, row, strand);
        for (int32_t k = 0; k <= last && ctx->param_scale[row] != NULL; ++k) {
            const float position = (float)k / (float)last;
            const float lighter = row == COIF_FIELD_DRAG
                                      ? lightest / coif_param_fields_weight(fields, position)
                                      : 1.0f;
            ctx->param_scale[row][first + k] =
                own * coif_param_fields_along(fields, row, position) * lighter;
        }
    }
    for (int32_t k = 0; k <= last; ++k) {
        const float position = (float)k / (float)last;
        if (ctx->gravity_ramp != NULL) {
            ctx->gravity_ramp[first + k] =
                coif_param_fields_along(fields, COIF_FIELD_GRAVITY, position);
        }
        if (ctx->stiffness_along != NULL) {
            ctx->stiffness_along[first + k] = coif_param_fields_stiffness(fields, position);
            ctx->stretch_along[first + k] =
                coif_param_fields_along(fields, COIF_FIELD_SPRING_STRETCH_FORCE, position);
            ctx->core_along[first + k] =
                coif_param_fields_along(fields, COIF_FIELD_CURL_CORE_FORCE, position);
        }
    }
    if (ctx->tip_force_scale != NULL) {
        ctx->tip_force_scale[strand] =
            coif_vec3_of(coif_param_fields_strand(fields, COIF_FIELD_TIP_FORCE, strand),
                         coif_param_fields_strand(fields, COIF_FIELD_TIP_FORCE_Y, strand),
                         coif_param_fields_strand(fields, COIF_FIELD_TIP_FORCE_Z, strand));
    }
}

// Component of the gravity that the rest shape is in equilibrium with.
static float first_gravity(const coif_groom_solver_desc *desc, int axis, int32_t strand)
{
    const float *map = desc->fields != NULL ? desc->fields->first_gravity[axis] : NULL;
    return desc->params->gravity[axis] * (map != NULL ? map[strand] : 1.0f);
}

static coif_strand_material material_of(const def_ctx *ctx, int32_t strand, float mass_scale)
{
    const coif_groom_solver_desc *desc = ctx->desc;
    const coif_sim_params *params = desc->params;
    const float chance = coif_random_unit(desc->seed, (uint64_t)strand, RANDOM_STIFFNESS);
    const float spread = strand_param(desc, COIF_FIELD_STIFFNESS_VARIATION, strand);
    const float variation = 1.0f + spread * (2.0f * chance - 1.0f);
    return (coif_strand_material){
        .youngs_modulus = strand_param(desc, COIF_FIELD_YOUNGS_MODULUS, strand),
        .poisson_ratio = strand_param(desc, COIF_FIELD_POISSON_RATIO, strand),
        .ellipticity = strand_param(desc, COIF_FIELD_ELLIPTICITY, strand),
        .density = strand_param(desc, COIF_FIELD_HAIR_DENSITY, strand),
        .radius = radius_of(desc, strand),
        .stiffness = params->stiffness * variation *
                     coif_param_fields_strand(desc->fields, COIF_FIELD_STIFFNESS, strand),
        .mass_scale = mass_scale,
        .gravity = {first_gravity(desc, 0, strand), first_gravity(desc, 1, strand),
                    first_gravity(desc, 2, strand)},
        .gravity_compensation = strand_param(desc, COIF_FIELD_GRAVITY_COMPENSATION, strand),
        .stiffness_along =
            ctx->stiffness_along != NULL ? ctx->stiffness_along + ctx->first_point[strand] : NULL,
        .clamped = roots_are_clamped(desc)};
}

static coif_spring_material spring_of(const def_ctx *ctx, int32_t strand)
{
    const coif_groom_solver_desc *desc = ctx->desc;
    const int32_t first = ctx->first_point[strand];
    return (coif_spring_material){
        .stretch = strand_param(desc, COIF_FIELD_SPRING_STRETCH_FORCE, strand),
        .core = strand_param(desc, COIF_FIELD_CURL_CORE_FORCE, strand),
        .damping_time = strand_param(desc, COIF_FIELD_SPRING_DAMPING_TIME, strand),
        .smoothing_length = strand_param(desc, COIF_FIELD_SPRING_FRAME_SMOOTHING, strand),
        .core_smoothing_length = strand_param(desc, COIF_FIELD_CURL_CORE_SMOOTHING, strand),
        .stretch_along = ctx->stretch_along != NULL ? ctx->stretch_along + first : NULL,
        .core_along = ctx->core_along != NULL ? ctx->core_along + first : NULL};
}

static void fill_strands(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const def_ctx *ctx = context;
    for (int64_t s = ctx->range.begin + begin; s < ctx->range.begin + end; ++s) {
        const int32_t strand = (int32_t)s;
        const int32_t last = ctx->first_point[s + 1] - ctx->first_point[s] - 1;
        const float mass = mass_of(ctx->desc, strand);
        const float lightest = lightest_of(ctx->desc->fields, last);
        fill_shape(ctx, strand);
        fill_masses(ctx, strand, mass, lightest);
        fill_param_scale(ctx, strand, lightest);
        ctx->material[s] = material_of(ctx, strand, mass * lightest);
        ctx->spring[s] = spring_of(ctx, strand);
    }
}

static int32_t *first_points(const coif_groom *groom, coif_arena *arena)
{
    int32_t *first = coif_arena_new(arena, groom->simulated_count + (int64_t)1, int32_t);
    for (int32_t s = 0; s < groom->simulated_count; ++s) {
        first[s + 1] = first[s] + coif_strands_length(&groom->rest, groom->simulated[s]);
    }
    return first;
}

// Per-point rows for the parameters that vary. Drag acts more on a light tip than on a heavy root.
static void allocate_param_scale(def_ctx *ctx, int64_t points, coif_arena *arena)
{
    const coif_param_fields *fields = ctx->desc->fields;
    for (int row = 0; row < COIF_FIELD_BLOCK_ROWS; ++row) {
        const bool by_weight =
            row == COIF_FIELD_DRAG && (coif_param_fields_has(fields, COIF_FIELD_MASS) ||
                                       coif_param_fields_has(fields, COIF_FIELD_HAIR_RADIUS) ||
                                       coif_param_fields_has(fields, COIF_FIELD_HAIR_DENSITY));
        if (coif_param_fields_has(fields, row) || by_weight) {
            ctx->param_scale[row] = coif_arena_new(arena, points, float);
        }
    }
    if (fields != NULL && fields->rows[COIF_FIELD_GRAVITY].ramp != NULL) {
        ctx->gravity_ramp = coif_arena_new(arena, points, float);
    }
    if (coif_param_fields_has(fields, COIF_FIELD_TIP_FORCE)) {
        ctx->tip_force_scale = coif_arena_new(arena, ctx->desc->groom->simulated_count, coif_vec3);
    }
}

static void warn_ellipticity(const coif_groom_solver_desc *desc)
{
    const coif_solver_vtable *method = coif_solver_vtable_at(desc->params->solver);
    if (desc->params->ellipticity > 1.0f && !method->has_material_frames) {
        coif_log(COIF_LOG_WARNING,
                 "sim.ellipticity %g has no effect: the solver %s has no material frames along a "
                 "strand; der, xpbd and spring have",
                 (double)desc->params->ellipticity, method->name);
    }
}

static void warn_bend_spans(const coif_groom_solver_desc *desc)
{
    const coif_sim_params *params = desc->params;
    if (coif_solver_vtable_at(params->solver) == &COIF_METHOD_PBD &&
        params->bend_constraint != COIF_BEND_DIHEDRAL) {
        coif_bend_spans_warn_too_short(params->bend_spans, desc->groom);
    }
}

static coif_bend_spans bend_spans_of(const coif_sim_params *params)
{
    coif_bend_spans spans;
    const coif_status status = coif_bend_spans_parse(&spans, params->bend_spans, NULL);
    COIF_ASSERT(status == COIF_OK); // scenes are validated
    (void)status;
    return spans;
}

static float substep_seconds(const coif_sim_params *params)
{
    const float scale = params->time_scale > 0.0f ? params->time_scale : 1.0f;
    return scale / (params->fps * (float)params->substeps);
}

static int32_t *root_triangles(const coif_groom *groom, coif_arena *arena)
{
    int32_t *triangles = coif_arena_new(arena, groom->simulated_count, int32_t);
    for (int32_t s = 0; s < groom->simulated_count; ++s) {
        triangles[s] = groom->root_triangle[groom->simulated[s]];
    }
    return triangles;
}

// Fills the arrays of a definition. contact_distance: whether these too.
static coif_solver_def make_definition(def_ctx *ctx, const coif_groom_solver *solver,
                                       bool contact_distance, coif_arena *arena, coif_jobs *jobs)
{
    const coif_groom_solver_desc *desc = ctx->desc;
    const coif_groom *groom = desc->groom;
    const coif_sim_params *params = desc->params;
    const int64_t count = groom->simulated_count;
    ctx->first_point = first_points(groom, arena);
    const int64_t points = ctx->first_point[count];
    ctx->rest_points = coif_arena_new(arena, points, coif_vec3);
    ctx->contact_distance = contact_distance ? coif_arena_new(arena, points, float) : NULL;
    ctx->inv_mass = coif_arena_new(arena, points, float);
    ctx->goal_stiffness = coif_arena_new(arena, points, float);
    ctx->rest_frame = coif_arena_new(arena, count, coif_root_pose);
    ctx->material = coif_arena_new(arena, count, coif_strand_material);
    ctx->spring = coif_arena_new(arena, count, coif_spring_material);
    allocate_param_scale(ctx, points, arena);
    ctx->stiffness_along = solver->stiffness_along;
    ctx->stretch_along = solver->stretch_along;
    ctx->core_along = solver->core_along;
    ctx->range = coif_partition_strands(desc->partition, groom->simulated_count);
    coif_parallel_for(jobs, ctx->range.end - ctx->range.begin, GRAIN, fill_strands, ctx);
    coif_solver_def def = {.kernels = desc->kernels,
                           .method = desc->rigid ? RIGID_METHOD : params->solver,
                           .strand_count = groom->simulated_count,
                           .strand_begin = ctx->range.begin,
                           .strand_end = ctx->range.end,
                           .first_point = ctx->first_point,
                           .rest_points = ctx->rest_points,
                           .contact_distance = ctx->contact_distance,
                           .inv_mass = ctx->inv_mass,
                           .goal_stiffness = ctx->goal_stiffness,
                           .gravity_ramp = ctx->gravity_ramp,
                           .rest_frame = ctx->rest_frame,
                           .material = ctx->material,
                           .spring = ctx->spring,
                           .tip_force_scale = ctx->tip_force_scale,
                           .root_clamped = roots_are_clamped(desc),
                           .compensates_gravity = params->gravity_compensation > 0.0f &&
                                                  roots_are_clamped(desc) && !desc->rigid &&
                                                  params->tip_boundary == COIF_TIP_FREE,
                           .animated_rest = desc->animated,
                           .substep_seconds = substep_seconds(params),
                           .max_spring_steps = params->max_inner_steps,
                           .bend_constraint = params->bend_constraint,
                           .bend_spans = bend_spans_of(params)};
    memcpy(def.param_scale, ctx->param_scale, sizeof def.param_scale);
    return def;
}

// Cohesion of shorter hair, such as lashes, is 0 unless the scene gives a rate.
static const float LONG_HAIR = 0.06f; // m

// Locks of strands of a file, which lie a twentieth of their mean length from one another, at most
// a centimetre.
static const int32_t *detect_locks(const coif_groom_solver_desc *desc, coif_arena *arena)
{
    const coif_strands *rest = &desc->groom->rest;
    const float mean = rest->strand_count > 0 ? coif_strands_measure(rest).mean_length : 0.0f;
    if (desc->params->cohesion < 0.0f && mean < LONG_HAIR) {
        return NULL;
    }
    int32_t *clump = coif_arena_new(arena, rest->strand_count, int32_t);
    const float distance = fminf(0.05f * mean, 0.01f);
    if (!(distance > 0.0f)) {
        return NULL;
    }
    coif_detect_locks(clump, rest, distance, arena);
    return clump;
}

void coif_groom_solver_init(coif_groom_solver *solver, const coif_groom_solver_desc *desc,
                            coif_arena *arena, coif_jobs *jobs)
{
    const coif_groom *groom = desc->groom;
    const int64_t count = groom->simulated_count;
    coif_arena temporary;
    coif_arena_init(&temporary, "solver definition");
    *solver = (coif_groom_solver){.desc = *desc, .params = *desc->params};
    solver->desc.params = NULL; // the caller's may change
    solver->root_begin = coif_arena_new(arena, count, coif_root_pose);
    solver->root_end = coif_arena_new(arena, count, coif_root_pose);
    coif_root_pose *rest_root = coif_arena_new(&temporary, count, coif_root_pose);
    coif_eval_roots(rest_root, groom, desc->rest, jobs);
    if (desc->fields != NULL) {
        const int32_t points = first_points(groom, &temporary)[count];
        solver->stiffness_along = coif_arena_new(arena, points, float);
        solver->stretch_along = coif_arena_new(arena, points, float);
        solver->core_along = coif_arena_new(arena, points, float);
    }
    def_ctx ctx = {.desc = desc};
    coif_solver_def def = make_definition(&ctx, solver, true, &temporary, jobs);
    def.locality = root_triangles(groom, &temporary);
    def.rest_root = rest_root;
    solver->core = coif_solver_create(&def, arena, jobs);
    const int32_t *clump = groom->clump;
    if (clump == NULL && desc->imported) {
        clump = detect_locks(desc, &temporary);
    }
    if (clump != NULL) {
        int32_t *locks = coif_arena_new(&temporary, count, int32_t);
        for (int32_t s = 0; s < count; ++s) {
            locks[s] = clump[groom->simulated[s]];
        }
        coif_lock_cohesion_init(&solver->cohesion, locks, groom->simulated_count, arena);
    }
    if (desc->rigid) {
        coif_rigid_strands_init(&solver->rigid, solver->core, arena);
    } else {
        warn_ellipticity(desc);
        warn_bend_spans(desc);
    }
    coif_arena_free(&temporary);
}

void coif_groom_solver_set_params(coif_groom_solver *solver, const coif_sim_params *params,
                                  bool fields_changed, coif_jobs *jobs)
{
    if (solver->desc.rigid ||
        !(fields_changed || coif_param_fields_changed(&solver->params, params))) {
        return;
    }
    if (fields_changed) {
        solver->goal_strength = -1.0f; // targets are set by the next step
    }
    coif_sim_params next = *params;
    memcpy(next.gravity, solver->params.gravity, sizeof next.gravity);
    const bool margin =
        !solver->desc.animated && next.contact_margin != solver->params.contact_margin;
    solver->params = next;
    coif_groom_solver_desc desc = solver->desc;
    desc.params = &solver->params;
    coif_arena temporary;
    coif_arena_init(&temporary, "materials");
    def_ctx ctx = {.desc = &desc};
    const coif_solver_def def = make_definition(&ctx, solver, margin, &temporary, jobs);
    coif_solver_set_materials(solver->core, &def, jobs);
    coif_arena_free(&temporary);
    solver->interaction.rest_measured = false;
}

void coif_groom_solver_reset_to_rest(coif_groom_solver *solver, const coif_mesh *posed)
{
    coif_eval_roots(solver->root_begin, solver->desc.groom, posed, NULL);
    coif_solver_reset_to_rest(solver->core, solver->root_begin);
}

static void fill_shapes(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const def_ctx *ctx = context;
    for (int64_t s = ctx->range.begin + begin; s < ctx->range.begin + end; ++s) {
        fill_shape(ctx, (int32_t)s);
    }
}

void coif_groom_solver_set_rest_shape(coif_groom_solver *solver, const coif_groom *groom,
                                      bool immediate, coif_jobs *jobs)
{
    const int64_t count = groom->simulated_count;
    coif_arena temporary;
    coif_arena_init(&temporary, "rest shape");
    coif_groom_solver_desc desc = solver->desc;
    desc.params = &solver->params;
    desc.groom = groom;
    def_ctx ctx = {.desc = &desc, .first_point = coif_solver_first_point(solver->core)};
    ctx.rest_points = coif_arena_new(&temporary, ctx.first_point[count], coif_vec3);
    ctx.contact_distance = coif_arena_new(&temporary, ctx.first_point[count], float);
    ctx.rest_frame = coif_arena_new(&temporary, count, coif_root_pose);
    ctx.range = coif_partition_strands(desc.partition, groom->simulated_count);
    coif_parallel_for(jobs, ctx.range.end - ctx.range.begin, GRAIN, fill_shapes, &ctx);
    const coif_rest_shape shape = {.points = ctx.rest_points,
                                   .contact_distance = ctx.contact_distance,
                                   .frames = ctx.rest_frame,
                                   .immediate = immediate || solver->desc.rigid};
    coif_solver_set_rest_shape(solver->core, &shape, jobs);
    coif_arena_free(&temporary);
    solver->interaction.rest_measured = false;
}

coif_solver_params coif_solver_params_of(const coif_sim_params *params)
{
    return (coif_solver_params){
        .substeps = params->substeps,
        .iterations = params->iterations,
        .gravity = {params->gravity[0], params->gravity[1], params->gravity[2]},
        .tip_force = {params->tip_force[0], params->tip_force[1], params->tip_force[2]},
        .damping = params->damping,
        .extra_damping = params->warmup_damping,
        .damping_factor = params->damping_factor,
        .rigid_damping = params->rigid_damping,
        .rigid_damping_rate = params->rigid_damping_rate,
        .drag = params->drag,
        .tangential_drag_reduction = params->tangential_drag_reduction,
        .drag_coefficient = params->drag_coefficient,
        .stretch_stiffness = params->stretch_stiffness,
        .bend_stiffness = params->bend_stiffness,
        .attachment_stiffness = params->long_range_attachment,
        .shape_stiffness = params->shape_stiffness,
        .unscaled_iterations = params->iteration_scaling == COIF_ITERATION_RAW,
        .friction = params->friction,
        .restitution = params->restitution,
        .max_depenetration_speed = params->max_depenetration_speed,
        .bending_damping_time = params->bending_damping_time,
        .ftl_velocity_correction = params->ftl_velocity_correction,
        .length_constraint = params->length_constraint};
}

typedef struct frame_ctx {
    coif_groom_solver *solver;
    const coif_groom_solver_frame *frame;
    const coif_constraints_step *constraints; // NULL: no constraints
    coif_strand_block *blocks;                // for these
    bool forces_are_animated;
    coif_solver_forces forces;
    coif_jobs *jobs;
} frame_ctx;

// Forces are added up in their order.
static int32_t eval_forces(void *context, const coif_force_points *points)
{
    const coif_groom_solver_frame *frame = ((const frame_ctx *)context)->frame;
    const coif_force_batch batch = {.struct_size = sizeof batch,
                                    .count = points->count,
                                    .time = points->time,
                                    .x = points->pos.x,
                                    .y = points->pos.y,
                                    .z = points->pos.z,
                                    .vx = points->vel.x,
                                    .vy = points->vel.y,
                                    .vz = points->vel.z,
                                    .wind_x = points->wind.x,
                                    .wind_y = points->wind.y,
                                    .wind_z = points->wind.z,
                                    .ax = points->accel.x,
                                    .ay = points->accel.y,
                                    .az = points->accel.z};
    int32_t bad = 0;
    for (int32_t f = 0; f < frame->force_count; ++f) {
        const coif_force_mask *mask = frame->force_masks != NULL ? &frame->force_masks[f] : NULL;
        const bool finite = frame->force_regions != NULL
                                ? coif_force_region_eval(&frame->force_regions[f], mask,
                                                         frame->forces[f], &batch, points->block)
                                : coif_plugin_eval_force(frame->forces[f], &batch);
        if (!finite && bad == 0) {
            bad = f + 1;
        }
    }
    return bad;
}

// Before each substep: animated parameters of forces, and free rings.
static void begin_substep(void *context, double fraction)
{
    const frame_ctx *ctx = context;
    const coif_groom_solver_frame *frame = ctx->frame;
    if (ctx->constraints != NULL && frame->constraints->has_free_ring) {
        const int32_t substep = (int32_t)(fraction * frame->params->substeps - 0.5);
        coif_constraints_begin_substep(frame->constraints, ctx->solver->core, ctx->constraints,
                                       substep, ctx->jobs);
    }
    const double at = frame->frame_begin + fraction * (frame->frame_end - frame->frame_begin);
    for (int32_t f = 0; f < frame->force_count && ctx->forces_are_animated; ++f) {
        coif_plugin_set_time(frame->forces[f], at);
        if (frame->force_regions != NULL) {
            coif_force_region_set_time(&frame->force_regions[f], at, (float)fraction);
        }
    }
}

static bool forces_are_animated(const coif_groom_solver_frame *frame)
{
    for (int32_t f = 0; f < frame->force_count; ++f) {
        if (coif_params_are_animated(&coif_plugin_instance_node(frame->forces[f])->plugin_values) ||
            (frame->force_regions != NULL && frame->force_regions[f].animated)) {
            return true;
        }
    }
    return false;
}

coif_interaction_strands coif_groom_solver_strands(coif_groom_solver *solver, coif_jobs *jobs)
{
    const coif_groom *groom = solver->desc.groom;
    const coif_solver_view view = coif_solver_view_of(solver->core, jobs);
    const int32_t strands = coif_solver_strand_count(solver->core);
    return (coif_interaction_strands){.kernels = view.kernels,
                                      .blocks = view.blocks,
                                      .block_count = view.block_count,
                                      .scratch = view.scratch,
                                      .strand_count = strands,
                                      .point_count = coif_solver_first_point(solver->core)[strands],
                                      .rest_roots = view.rest_roots,
                                      .hairs_per_strand = (float)groom->rest.strand_count /
                                                          (float)groom->simulated_count,
                                      .arena = view.arena};
}

coif_interaction_params coif_interaction_params_of(const coif_sim_params *params)
{
    return (coif_interaction_params){.friction = params->interaction_friction,
                                     .stiffness = params->interaction_stiffness,
                                     .wind_attenuation = params->wind_attenuation,
                                     .cell_size = params->interaction_cell_size};
}

static bool has_cohesion(const coif_groom_solver *solver, const coif_sim_params *params)
{
    return coif_cohesion_of(params, solver->desc.imported) > 0.0f &&
           solver->cohesion.lock_count > 0;
}

static void clear_interaction(coif_interaction_strands *strands)
{
    for (int32_t b = 0; b < strands->block_count; ++b) {
        const coif_strand_block *block = &strands->blocks[b];
        const size_t bytes = sizeof(float) * (size_t)block->length * (size_t)block->lanes;
        if (block->interaction_accel.x != NULL) {
            memset(block->interaction_accel.x, 0, bytes);
            memset(block->interaction_accel.y, 0, bytes);
            memset(block->interaction_accel.z, 0, bytes);
        }
    }
}

static void update_interaction(void *context, int32_t substep, int32_t next)
{
    const frame_ctx *ctx = context;
    const coif_groom_solver_frame *frame = ctx->frame;
    const coif_interaction_params params = coif_interaction_params_of(frame->params);
    coif_interaction_strands strands = coif_groom_solver_strands(ctx->solver, ctx->jobs);
    const int32_t substeps = frame->params->substeps;
    const coif_interaction_interval interval = {
        .root_begin = ctx->solver->root_begin,
        .root_end = ctx->solver->root_end,
        .from = (float)substep / (float)substeps,
        .to = (float)next / (float)substeps,
        .seconds = frame->seconds * (next - substep) / substeps,
        .time = frame->time + frame->seconds * (substep + 1) / substeps,
        .forces = &ctx->forces};
    coif_hair_interaction *interaction = &ctx->solver->interaction;
    if (coif_hair_interaction_enabled(&params)) {
        if (!interaction->rest_measured) {
            coif_hair_interaction_measure_rest(interaction, &strands, &params, ctx->jobs);
        }
        coif_hair_interaction_update(interaction, &strands, &params, &interval, ctx->jobs);
    } else {
        clear_interaction(&strands);
    }
    if (has_cohesion(ctx->solver, frame->params)) {
        const float rate = coif_cohesion_of(frame->params, ctx->solver->desc.imported);
        coif_lock_cohesion_update(&ctx->solver->cohesion, &strands, rate, &interval, ctx->jobs);
    }
}

static void attenuate_wind(const void *context, const coif_strand_block *block,
                           coif_solver_scratch *scratch)
{
    const frame_ctx *ctx = context;
    coif_hair_interaction_attenuate_wind(&ctx->solver->interaction, block, scratch);
}

static int32_t update_interval(const coif_groom_solver_frame *frame)
{
    const int32_t interval = frame->params->interaction_interval;
    const int32_t all = frame->substeps_in_all;
    return interval > 0 ? interval : all > 0 ? all : frame->params->substeps;
}

static void update_block_targets(void *context, int32_t block, int32_t substep)
{
    const frame_ctx *ctx = context;
    coif_constraints_update_block(ctx->frame->constraints, ctx->blocks, ctx->constraints, block,
                                  substep);
}

static coif_constraints_step constraints_step(const coif_groom_solver_frame *frame)
{
    return (coif_constraints_step){.begin = frame->poses_begin,
                                   .end = frame->poses_end,
                                   .frame_begin = frame->frame_begin,
                                   .frame_end = frame->frame_end,
                                   .seconds = frame->seconds,
                                   .substeps = frame->params->substeps,
                                   .substeps_before = frame->substeps_before,
                                   .substeps_in_all = frame->substeps_in_all,
                                   .gravity = frame->gravity};
}

coif_status coif_groom_solver_step(coif_groom_solver *solver, const coif_groom_solver_frame *frame,
                                   coif_solver_report *report, coif_jobs *jobs,
                                   coif_progress *progress)
{
    const coif_groom *groom = solver->desc.groom;
    const coif_solver_params params = coif_solver_params_of(frame->params);
    const coif_interaction_params between = coif_interaction_params_of(frame->params);
    frame_ctx ctx = {.solver = solver, .frame = frame, .jobs = jobs};
    ctx.forces = (coif_solver_forces){.context = &ctx, .eval = eval_forces};
    ctx.forces_are_animated = forces_are_animated(frame);
    coif_eval_roots(solver->root_begin, groom, frame->begin, jobs);
    coif_eval_roots(solver->root_end, groom, frame->end, jobs);
    if (solver->desc.rigid) {
        coif_rigid_strands_step(&solver->rigid, solver->core, solver->root_end, frame->seconds);
        *report = (coif_solver_report){.bad_force = -1};
        return COIF_OK;
    }
    coif_goals_begin_step(solver, frame, jobs);
    const coif_constraints_step constraints = constraints_step(frame);
    if (frame->constraints != NULL && frame->constraints->count > 0) {
        coif_constraints_begin_step(frame->constraints, solver->core, &constraints, jobs);
        ctx.constraints = &constraints;
        ctx.blocks = coif_solver_view_of(solver->core, jobs).blocks;
    }
    const bool has_free_ring = ctx.constraints != NULL && frame->constraints->has_free_ring;
    if (ctx.forces_are_animated || has_free_ring) {
        ctx.forces.set_time = begin_substep;
    }
    coif_solver_step_args args = {.params = &params,
                                  .time = frame->time,
                                  .seconds = frame->seconds,
                                  .root_begin = solver->root_begin,
                                  .root_end = solver->root_end,
                                  .bodies = frame->bodies,
                                  .body_count = frame->body_count,
                                  .forces = ctx.forces,
                                  .substeps_before = frame->substeps_before,
                                  .substeps_in_all = frame->substeps_in_all};
    if (ctx.constraints != NULL && frame->constraints->has_ring) {
        args.block_targets =
            (coif_solver_block_targets){.context = &ctx, .update = update_block_targets};
    }
    if (coif_hair_interaction_enabled(&between) || has_cohesion(solver, frame->params)) {
        args.interaction = (coif_solver_interaction){
            .context = &ctx, .interval = update_interval(frame), .update = update_interaction};
        args.interaction.attenuate_wind = between.wind_attenuation > 0.0f ? attenuate_wind : NULL;
    }
    return coif_solver_step(solver->core, &args, report, jobs, progress);
}
