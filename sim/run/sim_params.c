#include "sim/run/sim_params.h"

#include "core/base/deterministic_math.h"
#include "sim/run/simulate.h"
#include "sim/solver/methods/pbd/pbd.h"
#include "sim/solver/solver.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const char *const ROUND_STIFFNESSES[] = {"shared", "plain", NULL};
static const char *const BENDINGS[] = {"distance", "angle", "dihedral", "both", NULL};
static const char *const CHILDREN[] = {"blend", "wisp", NULL};
static const char *const MOTIONS[] = {"smooth", "straight", NULL};
static const char *const LENGTH_PASSES[] = {"none", "ftl", "direct", NULL};

static const char *const ROOTS[] = {"clamped", "pinned", "free", NULL};
static const char *const TIPS[] = {"free", "pinned", "clamped", NULL};

#define ROW(field_, kind_, help_, unit_, fallback_, low_, high_)                                   \
    COIF_PARAM_ROW(coif_sim_params, field_, kind_, help_, unit_, fallback_, low_, high_)

// A number that scalp maps, and with COIF_PARAM_RAMP ramps along the strand, may drive: see vary.h.
#define VARYING(field_, flags_, help_, unit_, fallback_, low_, high_)                              \
    {                                                                                              \
        .name = #field_, .help = help_, .unit = unit_, .type = COIF_PARAM_FLOAT,                   \
        .flags = COIF_PARAM_MAPPABLE | (flags_), .offset = offsetof(coif_sim_params, field_),      \
        .fallback = {fallback_}, .low = low_, .high = high_                                        \
    }

// The same for three numbers.
#define VARYING3(field_, flags_, help_, unit_, a_, b_, c_, low_, high_)                            \
    {                                                                                              \
        .name = #field_, .help = help_, .unit = unit_, .type = COIF_PARAM_VEC3,                    \
        .flags = COIF_PARAM_MAPPABLE | (flags_), .offset = offsetof(coif_sim_params, field_),      \
        .fallback = {a_, b_, c_}, .low = low_, .high = high_                                       \
    }

// clang-format off
static const coif_param ROWS[] = {
    ROW(fps, COIF_PARAM_FLOAT, "frames per second", "1/s", 24, 1, 1000),
    ROW(first_frame, COIF_PARAM_INT, "where the simulation begins", "", 1, 0, 100000),
    ROW(last_frame, COIF_PARAM_INT, "where it ends", "", 48, 0, 100000),
    {.name = "solver", .help = "how constraints are solved", .unit = "", .type = COIF_PARAM_CHOICE,
     .offset = offsetof(coif_sim_params, solver), .fallback = {1}, .choices = COIF_METHOD_NAMES}, // rod
    ROW(substeps, COIF_PARAM_INT, "steps per frame", "", 8, 1, 1000),
    ROW(iterations, COIF_PARAM_INT, "rounds of projection per substep", "", 3, 1, 1000),
    VARYING3(gravity, COIF_PARAM_RAMP, "gravity", "m/s2", 0, -9.81, 0, -1000, 1000),
    VARYING(damping, COIF_PARAM_RAMP, "rate at which motion dies out", "1/s", 1.0, 0, 1000),
    VARYING(damping_factor, COIF_PARAM_RAMP, "share of velocity that every substep keeps, beside damping; 0.98 to 0.999 is usual", "", 1, 0, 1),
    VARYING(drag, COIF_PARAM_RAMP, "rate at which strands take on the speed of the air", "1/s", 3.0, 0, 1000),
    VARYING(drag_slip, COIF_PARAM_RAMP, "by how much less air drags along a strand than across it; 0.5: a thin cylinder", "", 0.5, 0, 1),
    VARYING(drag_blunt, COIF_PARAM_RAMP, "drag with the square of speed: the coefficient C_d of a strand; 0: none", "", 0, 0, 100),
    VARYING(stretch, COIF_PARAM_RAMP, "stiffness of segments", "", 1, 0, 1),
    VARYING(bend, COIF_PARAM_RAMP, "stiffness against bending; depends on substeps", "", 0.6, 0, 1),
    VARYING(shape, COIF_PARAM_RAMP, "stiffness of waves and curls; depends on substeps", "", 0.8, 0, 1),
    {.name = "round_stiffness", .unit = "", .type = COIF_PARAM_CHOICE, .choices = ROUND_STIFFNESSES,
     .help = "pbd: what a round takes of a stiffness k: shared is 1 - (1 - k)^(1 / iterations), plain is k",
     .offset = offsetof(coif_sim_params, round_stiffness)},
    {.name = "bending", .unit = "", .type = COIF_PARAM_CHOICE, .choices = BENDINGS,
     .help = "pbd: what resists bending: the distance of pairs, the angle between their halves, the dihedral angle of four points in a row, or both angles",
     .offset = offsetof(coif_sim_params, bending)},
    {.name = "pairs", .unit = "", .type = COIF_PARAM_STRING, .offset = offsetof(coif_sim_params, pairs),
     .help = "pbd: which points bending looks at: how many segments lie between them, or last for the whole strand, each with a share of what it is in the groom or without, as in \"2 4:0.9 last\"; empty is 2"},
    VARYING(attach, COIF_PARAM_RAMP, "pbd: stiffness that keeps points from being farther from the root than along the strand; 0 is off", "", 0, 0, 1),
    {.name = "length_pass", .help = "how lengths are made exact after the projections", .unit = "",
     .type = COIF_PARAM_CHOICE, .offset = offsetof(coif_sim_params, length_pass),
     .fallback = {COIF_LENGTH_DIRECT}, .choices = LENGTH_PASSES},
    VARYING(leader_correction, 0, "ftl: share of how far a point was moved that the one before loses in velocity; 0 is the method without correction", "", 0.9, 0, 1),
    VARYING(hold_root, 0, "frequency of the pull towards the rest shape, at the root", "1/s", 30, 0, 1000),
    VARYING(hold_tip, 0, "frequency of the pull towards the rest shape, at the tip", "1/s", 3, 0, 1000),
    VARYING(hold, COIF_PARAM_RAMP, "times as strong as both say", "", 1, 0, 100),
    VARYING(support, 0, "share of the weight that the rest shape carries: 1 does not sag", "", 1, 0, 1),
    VARYING(friction, COIF_PARAM_RAMP, "Coulomb friction on bodies", "", 0.3, 0, 10),
    VARYING(restitution, COIF_PARAM_RAMP, "share of speed that bounces off bodies", "", 0, 0, 1),
    VARYING(push_out, COIF_PARAM_RAMP, "fastest that bodies push hair out that is inside them; 0: at once", "m/s", 1, 0, 1000),
    VARYING(margin, COIF_PARAM_RAMP, "distance kept from bodies beyond the strand's radius", "m", 0.001, 0, 0.1),
    VARYING(mass, COIF_PARAM_RAMP, "times as heavy as hair is", "", 1, 0.001, 1000),
    VARYING(mass_variation, 0, "by how much strands are randomly lighter or heavier", "", 0.1, 0, 0.9),
    VARYING(hair_radius, COIF_PARAM_RAMP, "rod, xpbd, spring: radius of hair as it bends; 0: as it is drawn", "m", 4e-5, 0, 0.01),
    VARYING(hair_density, COIF_PARAM_RAMP, "rod, xpbd, spring: density of hair", "kg/m3", 1320, 1, 100000),
    VARYING(young, COIF_PARAM_RAMP, "rod, xpbd, spring: Young's modulus of hair", "Pa", 3.9e9, 0, 1e12),
    VARYING(ellipticity, 0, "rod, xpbd, spring: long over short axis of a hair's section, of the same area; the long one lies along the tangent of the root", "", 1, 1, 10),
    VARYING(poisson, 0, "rod, xpbd: Poisson's ratio, for resistance to twisting", "", 0.4, 0, 0.5),
    VARYING(stiffness, COIF_PARAM_RAMP, "rod, xpbd, spring: times as stiff as hair of this radius is; pbd: times as stiff as bend says", "", 1, 0, 1000),
    VARYING(stiffness_variation, 0, "by how much strands are randomly softer or stiffer", "", 0.1, 0, 0.9),
    VARYING(bend_damping, COIF_PARAM_RAMP, "rod, xpbd: time by which bending lags behind its moment", "s", 0.005, 0, 10),
    VARYING(spring_stretch, COIF_PARAM_RAMP, "spring: force that stretches hair to twice its length, as real hair has it", "N", 20, 0, 1000),
    VARYING(spring_core, COIF_PARAM_RAMP, "spring: force that stretches the course of a curl to twice its length", "N", 1e-5, 0, 1000),
    VARYING(spring_damping, 0, "spring: time by which springs lag behind their force, less where swings are faster", "s", 3e-5, 0, 1),
    VARYING(spring_smooth, 0, "spring: length over which the frames of curls follow the strand", "m", 0.0005, 0, 1),
    VARYING(spring_core_smooth, 0, "spring: length over which the course of a curl follows the strand", "m", 0.01, 0, 1),
    ROW(spring_steps, COIF_PARAM_INT, "spring: most steps in a substep; springs that need more are made softer", "", 1500, 1, 100000),
    {.name = "root", .help = "how roots are held; only clamped ones hold and support the rest shape", .unit = "",
     .type = COIF_PARAM_CHOICE, .offset = offsetof(coif_sim_params, root), .choices = ROOTS},
    {.name = "tip", .help = "how tips are held; those that are go with the root", .unit = "",
     .type = COIF_PARAM_CHOICE, .offset = offsetof(coif_sim_params, tip), .choices = TIPS},
    VARYING3(tip_force, 0, "force on every tip", "N", 0, 0, 0, -1000, 1000),
    ROW(fraction, COIF_PARAM_FLOAT, "share of the strands that is simulated; the others follow them", "", 1, 0, 1),
    {.name = "children", .help = "others follow three strands around them, or are varied clones of one", .unit = "",
     .type = COIF_PARAM_CHOICE, .offset = offsetof(coif_sim_params, children), .choices = CHILDREN},
    VARYING(wisp_variation, 0, "by how much clones differ from their strand", "", 0.4, 0, 1),
    {.name = "motion", .help = "how bodies and roots go from frame to frame", .unit = "",
     .type = COIF_PARAM_CHOICE, .offset = offsetof(coif_sim_params, motion), .choices = MOTIONS},
    ROW(time_scale, COIF_PARAM_FLOAT, "seconds that pass for hair in one of the film: 0.5 is slow motion", "", 1, 0.001, 100),
    ROW(preroll, COIF_PARAM_FLOAT, "time in which bodies come from their rest to the first frame, before that", "s", 0, 0, 100),
    {.name = "start", .help = "a state of another run to begin from instead; # stands for the groom's name", .unit = "",
     .type = COIF_PARAM_PATH, .offset = offsetof(coif_sim_params, start)},
    VARYING(hair_friction, COIF_PARAM_RAMP, "rate at which strands take on the motion of the hair around", "1/s", 0, 0, 1000),
    VARYING(hair_pressure, COIF_PARAM_RAMP, "speed at which hair denser than in the groom spreads again", "m/s", 0, 0, 10),
    VARYING(wind_shelter, COIF_PARAM_RAMP, "how much hair keeps wind from the hair behind it: exp(-wind_shelter S) is left behind S kg/m2 of hair; about 10 for thin cylinders, 0: none is kept away", "m2/kg", 0, 0, 1000),
    ROW(hair_cell, COIF_PARAM_FLOAT, "cells in which hair feels other hair; 0: by the amount of hair", "m", 0, 0, 1),
    ROW(hair_every, COIF_PARAM_INT, "substeps after which hair feels other hair anew; 0: a frame", "", 5, 0, 1000),
    ROW(settle, COIF_PARAM_FLOAT, "time to come to rest before the first frame", "s", 0.5, 0, 100),
    ROW(state_every, COIF_PARAM_INT, "frames between two states to restart from", "", 8, 1, 100000),
    ROW(quantise, COIF_PARAM_BOOL, "16-bit frames: a third of the size, off by some micrometres", "", 1, 0, 0),
};
// clang-format on

static coif_status check_text(const char *row, const char *text, coif_error *error)
{
    coif_bend_spans pairs;
    return strcmp(row, "pairs") == 0 ? coif_bend_spans_parse(&pairs, text, error) : COIF_OK;
}

const coif_section COIF_SIM_SECTION = {
    .name = "sim",
    .help = "how hair moves",
    .form = COIF_SECTION_OBJECT,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
    .check_text = check_text,
};

static const coif_param FORCE_ROWS[] = {
    COIF_PARAM_ROW(coif_force_params, name, COIF_PARAM_STRING, "what --set calls it, if anything",
                   "", 0, 0, 0),
    COIF_PARAM_ROW(coif_force_params, enabled, COIF_PARAM_BOOL, "off leaves it out", "", 1, 0, 0),
};

const coif_section COIF_FORCES_SECTION = {
    .name = "forces",
    .help = "winds and other fields",
    .form = COIF_SECTION_ARRAY,
    .params = FORCE_ROWS,
    .param_count = COIF_COUNT_OF(FORCE_ROWS),
    .plugin_kind = COIF_KIND_FORCE,
    .unique = "name",
};

// k' = 1 - (1 - k)^(1/n): n rounds together do what k says, whatever n is (Mueller et al. 2007).
float coif_iteration_stiffness(const coif_sim_params *params, float k)
{
    if (k >= 1.0f || params->round_stiffness == COIF_ITERATION_PLAIN) {
        return k;
    }
    return 1.0f - coif_det_pow(1.0f - k, 1.0f / (float)params->iterations);
}

double coif_frame_seconds(const coif_sim_params *params)
{
    return (double)params->time_scale / (double)params->fps;
}

float coif_max_depenetration(float speed, float h)
{
    return speed > 0.0f ? speed * h : INFINITY;
}

float coif_velocity_retention(const coif_sim_params *params, float factor, float h)
{
    return params->damping_factor *
           coif_det_exp(-(params->damping * factor + params->more_damping) * h);
}

// kg/m3, at 20 degrees.
static const float AIR_DENSITY = 1.204f;

coif_substep coif_substep_of(const coif_sim_params *params, int32_t index, double seconds,
                             double time)
{
    const float h = (float)(seconds / params->substeps);
    return (coif_substep){
        .h = h,
        .begin = (float)index / (float)params->substeps,
        .end = (float)(index + 1) / (float)params->substeps,
        .time = time + seconds * (index + 1) / params->substeps,
        .gravity = {params->gravity[0], params->gravity[1], params->gravity[2]},
        .velocity_retention = coif_velocity_retention(params, 1.0f, h),
        .drag = params->drag,
        .tangential_drag_reduction = params->drag_slip,
        .quadratic_drag = 0.5f * AIR_DENSITY * params->drag_blunt,
        .stretch_stiffness = coif_iteration_stiffness(params, params->stretch),
        .bend_stiffness = coif_iteration_stiffness(params, params->bend),
        .attachment_stiffness = coif_iteration_stiffness(params, params->attach),
        .shape_stiffness = coif_iteration_stiffness(params, params->shape),
        .tip_force = {params->tip_force[0], params->tip_force[1], params->tip_force[2]},
        .friction = params->friction,
        .restitution = params->restitution,
        .max_depenetration = coif_max_depenetration(params->push_out, h),
        .bending_damping_time = params->bend_damping,
        .iterations = params->iterations,
        .ftl_velocity_correction = params->leader_correction,
        .length_constraint = params->length_pass,
    };
}
