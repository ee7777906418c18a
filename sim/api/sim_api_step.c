// sim_api_step: the solver behind <coif/sim.h>, and its steps.
#include "core/collision/collider.h"
#include "sim/api/sim_api_internal.h"
#include "sim/solver/method.h"

#include <math.h>
#include <string.h>

static float radius_of(const coif_strand_sim_desc *desc, int32_t strand)
{
    return desc->radii != NULL ? desc->radii[strand] : desc->radius;
}

// Points keep the distance they have at rest where that is less than the margin.
static float contact_distance(const coif_strand_sim *sim, int32_t strand, int32_t point)
{
    const float full = sim->desc.contact_margin + radius_of(&sim->desc, strand);
    float least = full;
    for (int32_t b = 0; b < sim->collider_count; ++b) {
        const coif_closest_point_query query = {.position = sim_api_vec3(sim->desc.points, point),
                                                .max_distance = 2.0f * full,
                                                .hint = -1};
        coif_closest_point nearest;
        if (coif_collider_closest_point(&nearest, &sim->bodies[b], &query)) {
            least = fminf(least, nearest.distance);
        }
    }
    return coif_clamp(least, 0.2f * full, full);
}

// Ends stand for half a segment and have half the mass. The goal frequency falls quadratically
// from root to tip.
static void fill_points(const coif_strand_sim *sim, int32_t strand, float *inv_mass,
                        float *goal_stiffness)
{
    const coif_strand_sim_desc *desc = &sim->desc;
    const int32_t first = desc->first_point[strand];
    const int32_t last = desc->first_point[strand + 1] - first - 1;
    const int32_t clamped = coif_solver_vtable_at(sim->method)->pinned_points;
    for (int32_t k = 0; k <= last; ++k) {
        const int32_t i = first + k;
        const bool pinned = k < clamped || (desc->pinned != NULL && desc->pinned[i] != 0);
        const float rest = 1.0f - (float)k / (float)last;
        const float rate = desc->goal_frequency_tip +
                           (desc->goal_frequency_root - desc->goal_frequency_tip) * (rest * rest);
        inv_mass[i] = pinned ? 0.0f : k == 0 || k == last ? 2.0f : 1.0f;
        goal_stiffness[i] = rate * rate;
        if (sim->solver == NULL) {
            sim->contact_distance[i] = pinned ? 0.0f : contact_distance(sim, strand, i);
        }
    }
}

static bool tips_are_free(const coif_strand_sim_desc *desc)
{
    for (int32_t s = 0; desc->pinned != NULL && s < desc->strand_count; ++s) {
        if (desc->pinned[desc->first_point[s + 1] - 1] != 0) {
            return false;
        }
    }
    return true;
}

static coif_strand_material material_of(const coif_strand_sim_desc *desc, int32_t strand)
{
    return (coif_strand_material){.youngs_modulus = desc->youngs_modulus,
                                  .poisson_ratio = desc->poisson_ratio,
                                  .ellipticity = desc->ellipticity,
                                  .density = desc->density,
                                  .radius = radius_of(desc, strand),
                                  .stiffness = desc->stiffness,
                                  .mass_scale = 1.0f,
                                  .gravity = sim_api_vec3(desc->gravity, 0),
                                  .gravity_compensation = desc->gravity_compensation,
                                  .clamped = true};
}

static coif_spring_material spring_of(const coif_strand_sim_desc *desc)
{
    return (coif_spring_material){.stretch = desc->spring_stretch_force,
                                  .core = desc->curl_core_force,
                                  .damping_time = desc->spring_damping_time,
                                  .smoothing_length = desc->spring_frame_smoothing,
                                  .core_smoothing_length = desc->curl_core_smoothing};
}

static coif_solver *create_solver(const coif_strand_sim *sim, double seconds)
{
    const coif_strand_sim_desc *desc = &sim->desc;
    const int32_t strands = desc->strand_count;
    const int32_t points = sim_api_point_count(sim);
    COIF_SCOPED_ARENA(arena, "solver definition");
    float *inv_mass = coif_arena_new(&arena, points, float);
    float *goal_stiffness = coif_arena_new(&arena, points, float);
    int32_t *locality = coif_arena_new(&arena, strands, int32_t);
    coif_strand_material *material = coif_arena_new(&arena, strands, coif_strand_material);
    coif_spring_material *spring = coif_arena_new(&arena, strands, coif_spring_material);
    for (int32_t s = 0; s < strands; ++s) {
        fill_points(sim, s, inv_mass, goal_stiffness);
        locality[s] = s;
        material[s] = material_of(desc, s);
        spring[s] = spring_of(desc);
    }
    const coif_solver_def def = {.kernels = sim->kernels,
                                 .method = sim->method,
                                 .strand_count = strands,
                                 .first_point = desc->first_point,
                                 .locality = locality,
                                 .rest_points = (const coif_vec3 *)(const void *)desc->points,
                                 .contact_distance = sim->contact_distance,
                                 .inv_mass = inv_mass,
                                 .goal_stiffness = goal_stiffness,
                                 .rest_frame = sim->rest_roots,
                                 .rest_root = sim->rest_roots,
                                 .material = material,
                                 .spring = spring,
                                 .root_clamped = true,
                                 .compensates_gravity =
                                     desc->gravity_compensation > 0.0f && tips_are_free(desc),
                                 .substep_seconds = (float)(seconds / desc->substeps),
                                 .max_spring_steps = desc->max_inner_steps,
                                 .bend_constraint = COIF_BEND_DISTANCE,
                                 .bend_spans = COIF_BEND_SPANS_DEFAULT};
    return coif_solver_create(&def, NULL, sim->jobs);
}

void coif_sim_api_ensure_solver(coif_strand_sim *sim, double seconds)
{
    if (sim->solver != NULL && seconds <= sim->solver_seconds * 1.0001) {
        return;
    }
    coif_solver *old = sim->solver;
    sim->solver = create_solver(sim, seconds);
    sim->solver_seconds = seconds;
    sim->interaction = (coif_hair_interaction){0};
    coif_solver_reset_to_rest(sim->solver, sim->root_begin);
    if (sim->has_state) {
        coif_solver_set_points(sim->solver, sim->positions, sim->velocities);
    }
    if (old != NULL) {
        COIF_SCOPED_ARENA(arena, "solver state");
        const int64_t rows = coif_solver_state_rows(old);
        float *state = coif_arena_new(&arena, rows * sim_api_point_count(sim) + 1, float);
        coif_solver_get_state(old, state);
        coif_solver_set_state(sim->solver, state);
        coif_solver_destroy(old);
    }
}

// The force field on some points; those with values that are not finite keep what they had.
static bool eval_force_batch(const coif_strand_sim *sim, const coif_force_points *points,
                             int32_t begin, int32_t count)
{
    float *const outputs[6] = {points->wind.x + begin,  points->wind.y + begin,
                               points->wind.z + begin,  points->accel.x + begin,
                               points->accel.y + begin, points->accel.z + begin};
    float before[6][SIM_API_BATCH];
    for (int r = 0; r < 6; ++r) {
        memcpy(before[r], outputs[r], sizeof(float) * (size_t)count);
    }
    const coif_force_batch batch = {.struct_size = sizeof batch,
                                    .count = count,
                                    .time = points->time,
                                    .x = points->pos.x + begin,
                                    .y = points->pos.y + begin,
                                    .z = points->pos.z + begin,
                                    .vx = points->vel.x + begin,
                                    .vy = points->vel.y + begin,
                                    .vz = points->vel.z + begin,
                                    .wind_x = outputs[0],
                                    .wind_y = outputs[1],
                                    .wind_z = outputs[2],
                                    .ax = outputs[3],
                                    .ay = outputs[4],
                                    .az = outputs[5]};
    sim->force(sim->force_context, &batch);
    bool valid = true;
    for (int32_t i = 0; i < count; ++i) {
        const float sum = outputs[0][i] + outputs[1][i] + outputs[2][i] + outputs[3][i] +
                          outputs[4][i] + outputs[5][i];
        for (int r = 0; r < 6 && !isfinite(sum); ++r) {
            outputs[r][i] = before[r][i];
        }
        valid = valid && isfinite(sum);
    }
    return valid;
}

static int32_t eval_forces(void *context, const coif_force_points *points)
{
    const coif_strand_sim *sim = context;
    const float *wind = sim->desc.wind;
    for (int32_t i = 0; i < points->count; ++i) {
        points->wind.x[i] += wind[0];
        points->wind.y[i] += wind[1];
        points->wind.z[i] += wind[2];
    }
    bool valid = true;
    for (int32_t begin = 0; sim->force != NULL && begin < points->count; begin += SIM_API_BATCH) {
        const int32_t left = points->count - begin;
        valid = eval_force_batch(sim, points, begin, left < SIM_API_BATCH ? left : SIM_API_BATCH) &&
                valid;
    }
    return valid ? 0 : 1;
}

static coif_interaction_params interaction_params_of(const coif_strand_sim_desc *desc)
{
    return (coif_interaction_params){.friction = desc->interaction_friction,
                                     .stiffness = desc->interaction_stiffness,
                                     .wind_attenuation = desc->wind_attenuation,
                                     .cell_size = desc->interaction_cell_size};
}

static void update_interaction(void *context, int32_t substep, int32_t next)
{
    coif_strand_sim *sim = context;
    const double h = sim->step_seconds / sim->desc.substeps;
    const float substeps = (float)sim->desc.substeps;
    const coif_interaction_params params = interaction_params_of(&sim->desc);
    const coif_solver_view view = coif_solver_view_of(sim->solver, sim->jobs);
    coif_interaction_strands strands = {.kernels = view.kernels,
                                        .blocks = view.blocks,
                                        .block_count = view.block_count,
                                        .scratch = view.scratch,
                                        .strand_count = sim->desc.strand_count,
                                        .point_count = sim_api_point_count(sim),
                                        .rest_roots = view.rest_roots,
                                        .hairs_per_strand = sim->desc.hairs_per_strand,
                                        .arena = view.arena};
    const coif_solver_forces forces = {.context = sim, .eval = eval_forces};
    const coif_interaction_interval interval = {.root_begin = sim->root_begin,
                                                .root_end = sim->root_end,
                                                .from = (float)substep / substeps,
                                                .to = (float)next / substeps,
                                                .seconds = h * (next - substep),
                                                .time = sim->time + h * (substep + 1),
                                                .forces = &forces};
    if (!sim->interaction.rest_measured) {
        coif_hair_interaction_measure_rest(&sim->interaction, &strands, &params, sim->jobs);
    }
    coif_hair_interaction_update(&sim->interaction, &strands, &params, &interval, sim->jobs);
}

static void attenuate_wind(const void *context, const coif_strand_block *block,
                           coif_solver_scratch *scratch)
{
    const coif_strand_sim *sim = context;
    coif_hair_interaction_attenuate_wind(&sim->interaction, block, scratch);
}

static coif_solver_interaction interaction_of(coif_strand_sim *sim)
{
    const coif_strand_sim_desc *desc = &sim->desc;
    const coif_interaction_params params = interaction_params_of(desc);
    if (!coif_hair_interaction_enabled(&params)) {
        return (coif_solver_interaction){0};
    }
    return (coif_solver_interaction){
        .context = sim,
        .interval = desc->interaction_interval > 0 ? desc->interaction_interval : desc->substeps,
        .update = update_interaction,
        .attenuate_wind = desc->wind_attenuation > 0.0f ? attenuate_wind : NULL};
}

static coif_solver_params solver_params_of(const coif_strand_sim_desc *desc)
{
    return (coif_solver_params){.substeps = desc->substeps,
                                .iterations = desc->iterations,
                                .gravity = sim_api_vec3(desc->gravity, 0),
                                .damping = desc->damping,
                                .damping_factor = 1.0f,
                                .drag = desc->drag,
                                .tangential_drag_reduction = desc->tangential_drag_reduction,
                                .drag_coefficient = desc->drag_coefficient,
                                .stretch_stiffness = desc->stretch_stiffness,
                                .bend_stiffness = desc->bend_stiffness,
                                .shape_stiffness = desc->shape_stiffness,
                                .friction = desc->friction,
                                .restitution = desc->restitution,
                                .max_depenetration_speed = desc->max_depenetration_speed,
                                .bending_damping_time = desc->bending_damping_time,
                                .ftl_velocity_correction = desc->ftl_velocity_correction,
                                .length_constraint = COIF_LENGTH_DIRECT};
}

coif_status coif_strand_sim_step(coif_strand_sim *sim, double seconds, coif_strand_sim_stats *stats)
{
    if (sim == NULL) {
        return coif_library_invalid("sim is NULL");
    }
    COIF_TRY(coif_sim_api_check_range("seconds", seconds, 1e-9, 1000.0));
    if (stats != NULL && !coif_library_check_size(stats->struct_size, "coif_strand_sim_stats")) {
        return COIF_ERR_ARGUMENT;
    }
    sim->step_seconds = seconds;
    coif_sim_api_ensure_solver(sim, seconds);
    coif_sim_api_begin_bodies(sim, seconds);
    coif_sim_api_begin_targets(sim);
    const coif_solver_params params = solver_params_of(&sim->desc);
    const coif_solver_step_args args = {.params = &params,
                                        .time = sim->time,
                                        .seconds = seconds,
                                        .root_begin = sim->root_begin,
                                        .root_end = sim->root_end,
                                        .bodies = sim->bodies,
                                        .body_count = sim->collider_count,
                                        .forces = {.context = sim, .eval = eval_forces},
                                        .interaction = interaction_of(sim)};
    coif_solver_report report;
    const coif_status status = coif_solver_step(sim->solver, &args, &report, sim->jobs, NULL);
    coif_sim_api_end_bodies(sim);
    coif_sim_api_end_targets(sim);
    memcpy(sim->root_begin, sim->root_end, sizeof(coif_root_pose) * (size_t)sim->desc.strand_count);
    coif_solver_get_points(sim->solver, sim->positions, sim->velocities);
    sim->has_state = true;
    sim->time += seconds;
    if (stats != NULL) {
        const coif_strand_sim_stats all = {.reset_strands = report.stats.reset_strands,
                                           .contacts = report.stats.contacts,
                                           .max_stretch = report.stats.stretch,
                                           .rejected_forces = report.bad_force_count};
        coif_library_write_desc(stats, stats->struct_size, &all, sizeof all);
    }
    return status;
}
