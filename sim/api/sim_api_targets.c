// sim_api_targets: goals and pins of <coif/sim.h>.
#include "sim/api/sim_api_internal.h"

#include <string.h>

static coif_status check_targets(const coif_strand_sim *sim, const coif_strand_targets *targets,
                                 int32_t set)
{
    const int64_t count = sim_api_point_count(sim);
    if (!coif_library_check_size(targets->struct_size, "coif_strand_targets")) {
        return COIF_ERR_ARGUMENT;
    }
    if (targets->strength == NULL) {
        return coif_library_invalid("strength is NULL");
    }
    if (set == COIF_TARGETS_GOAL && targets->axes != NULL) {
        return coif_library_invalid("goals have no axes");
    }
    for (int64_t i = 0; i < count; ++i) {
        COIF_TRY(coif_sim_api_check_range("strength", (double)targets->strength[i], 0.0, 1.0));
        if (targets->slack != NULL) {
            COIF_TRY(coif_sim_api_check_range("slack", (double)targets->slack[i], 0.0, 1000.0));
        }
        const float length2 = targets->axes != NULL ? coif_dot(sim_api_vec3(targets->axes, i),
                                                               sim_api_vec3(targets->axes, i))
                                                    : 0.0f;
        if (!(length2 == 0.0f || fabsf(length2 - 1.0f) < 1e-3f)) {
            return coif_library_invalid("an axis is neither zero nor of unit length");
        }
    }
    if (targets->positions != NULL && !coif_library_all_finite(targets->positions, 3 * count)) {
        return coif_library_invalid("a position is not finite");
    }
    return coif_sim_api_check_range("frame_seconds", (double)targets->frame_seconds, 0.0, 1000.0);
}

static void allocate(coif_strand_sim *sim, sim_targets *own)
{
    const int64_t count = sim_api_point_count(sim);
    if (own->strength == NULL) {
        own->begin = coif_arena_new(&sim->arena, count, coif_vec3);
        own->end = coif_arena_new(&sim->arena, count, coif_vec3);
        own->axis = coif_arena_new(&sim->arena, count, coif_vec3);
        own->strength = coif_arena_new(&sim->arena, count, float);
        own->slack = coif_arena_new(&sim->arena, count, float);
    }
}

static void copy_or_clear(void *to, const float *from, size_t bytes)
{
    if (from != NULL) {
        memcpy(to, from, bytes);
    } else {
        memset(to, 0, bytes);
    }
}

// Targets that were not there before stand still.
static coif_status set_targets(coif_strand_sim *sim, const coif_strand_targets *targets,
                               int32_t set)
{
    if (sim == NULL) {
        return coif_library_invalid("sim is NULL");
    }
    sim_targets *own = &sim->targets[set];
    if (targets == NULL) {
        own->active = false;
        return COIF_OK;
    }
    COIF_TRY(check_targets(sim, targets, set));
    const size_t floats = sizeof(float) * (size_t)sim_api_point_count(sim);
    allocate(sim, own);
    const bool moves = own->active && !own->follows_rest;
    own->active = true;
    own->follows_rest = targets->positions == NULL;
    own->has_axis = targets->axes != NULL;
    own->frame_seconds = targets->frame_seconds > 0.0f ? targets->frame_seconds : 1.0f / 24.0f;
    copy_or_clear(own->end, targets->positions, 3 * floats);
    copy_or_clear(own->axis, targets->axes, 3 * floats);
    copy_or_clear(own->slack, targets->slack, floats);
    memcpy(own->strength, targets->strength, floats);
    if (!moves) {
        memcpy(own->begin, own->end, 3 * floats);
    }
    return COIF_OK;
}

coif_status coif_strand_sim_set_goals(coif_strand_sim *sim, const coif_strand_targets *targets)
{
    return set_targets(sim, targets, COIF_TARGETS_GOAL);
}

coif_status coif_strand_sim_set_pins(coif_strand_sim *sim, const coif_strand_targets *targets)
{
    return set_targets(sim, targets, COIF_TARGETS_CONSTRAINT);
}

void coif_sim_api_begin_targets(coif_strand_sim *sim)
{
    for (int32_t set = 0; set < COIF_TARGET_SETS; ++set) {
        const sim_targets *own = &sim->targets[set];
        const coif_point_targets targets = {.begin = own->follows_rest ? NULL : own->begin,
                                            .end = own->follows_rest ? NULL : own->end,
                                            .strength = own->strength,
                                            .slack = own->slack,
                                            .axis = own->has_axis ? own->axis : NULL,
                                            .frame_seconds = own->frame_seconds};
        coif_solver_set_targets(sim->solver, set, own->active ? &targets : NULL, sim->jobs);
    }
}

void coif_sim_api_end_targets(coif_strand_sim *sim)
{
    for (int32_t set = 0; set < COIF_TARGET_SETS; ++set) {
        if (sim->targets[set].active) {
            memcpy(sim->targets[set].begin, sim->targets[set].end,
                   sizeof(coif_vec3) * (size_t)sim_api_point_count(sim));
        }
    }
}
