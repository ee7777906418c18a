#include "sim/run/sim_params.h"

#include "core/base/log.h"
#include "sim/run/bend_spans.h"
#include "sim/solver/solver.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const char *const ITERATION_SCALINGS[] = {"normalized", "raw", NULL};
static const char *const BEND_CONSTRAINTS[] = {"distance", "angle", "dihedral", "both", NULL};
static const char *const CHILD_MODES[] = {"interpolate", "clump", NULL};
static const char *const BODY_INTERPOLATIONS[] = {"smooth", "linear", NULL};
static const char *const LENGTH_CONSTRAINTS[] = {"none", "ftl", "direct", NULL};

static const char *const ROOT_BOUNDARIES[] = {"clamped", "pinned", "free", NULL};
static const char *const TIP_BOUNDARIES[] = {"free", "pinned", "clamped", NULL};

static const char *const PRESET_NAMES[] = {"none", "mueller2007", NULL};

// What the paper leaves to its user stays as it is: time step, iterations, stiffnesses, friction,
// thickness.
static const coif_param_preset PRESETS[] = {
    {"mueller2007",
     "Plain position based dynamics as in Mueller et al. 2007: pinned roots, projected constraints "
     "alone, and nothing that the paper does not have.",
     "{\"solver\": \"pbd\", \"iteration_scaling\": \"normalized\", \"root_boundary\": "
     "\"pinned\", \"length_constraint\": \"none\", \"long_range_attachment\": 0, "
     "\"shape_stiffness\": 0, \"goal_frequency_root\": 0, \"goal_frequency_tip\": 0, "
     "\"gravity_compensation\": 0, \"damping\": 0, \"damping_factor\": 1, \"drag\": 0, "
     "\"drag_coefficient\": 0, \"max_depenetration_speed\": 0, \"mass_variation\": 0, "
     "\"stiffness\": 1, \"stiffness_variation\": 0, \"interaction_friction\": 0, "
     "\"interaction_stiffness\": 0, \"wind_attenuation\": 0, \"cohesion\": 0, \"warmup_time\": 0}"},
    {NULL, NULL, NULL},
};

#define ROW(field_, kind_, help_, unit_, fallback_, low_, high_)                                   \
    COIF_PARAM_ROW(coif_sim_params, field_, kind_, help_, unit_, fallback_, low_, high_)

// A parameter that is read once and cannot have keys.
#define CONSTANT(field_, kind_, help_, unit_, fallback_, low_, high_)                              \
    COIF_CONSTANT_ROW(coif_sim_params, field_, kind_, help_, unit_, fallback_, low_, high_)

// The same for a parameter that grooms cannot override.
#define GLOBAL(field_, kind_, help_, unit_, fallback_, low_, high_)                                \
    COIF_PLUGIN_ROW(coif_sim_params, field_, kind_, COIF_PARAM_CONSTANT | COIF_PARAM_GLOBAL,       \
                    help_, unit_, fallback_, fallback_, fallback_, low_, high_)

// A number that scalp maps, and with COIF_PARAM_RAMP ramps along the strand, may drive: see
// param_fields.h.
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
    GLOBAL(fps, COIF_PARAM_FLOAT, "Frames per second of the shot.", "1/s", 24, 1, 1000),
    GLOBAL(first_frame, COIF_PARAM_INT, "First frame of the simulation.", "", 1, 0, 100000),
    GLOBAL(last_frame, COIF_PARAM_INT, "Last frame of the simulation.", "", 48, 0, 100000),
    CONSTANT(enabled, COIF_PARAM_BOOL, "Hair is simulated; if false, strands follow the body rigidly in their rest shape.", "", 1, 0, 0),
    {.name = "preset", .help = "Named set of values that take the place of the defaults of this section; keys in the scene take precedence.", .unit = "", .type = COIF_PARAM_CHOICE,
     .flags = COIF_PARAM_CONSTANT, .offset = offsetof(coif_sim_params, preset), .choices = PRESET_NAMES},
    {.name = "solver", .help = "Simulation method: pbd (position based dynamics), der (discrete elastic rods), xpbd (Cosserat rods), ftl (follow the leader) or spring (mass-spring).", .unit = "", .type = COIF_PARAM_CHOICE,
     .flags = COIF_PARAM_CONSTANT, .offset = offsetof(coif_sim_params, solver), .fallback = {1}, .choices = COIF_METHOD_NAMES}, // der
    ROW(substeps, COIF_PARAM_INT, "Time steps per frame.", "", 8, 1, 1000),
    ROW(iterations, COIF_PARAM_INT, "Constraint iterations per substep.", "", 3, 1, 1000),
    VARYING3(gravity, COIF_PARAM_RAMP, "Gravitational acceleration.", "m/s2", 0, -9.81, 0, -1000, 1000),
    VARYING(damping, COIF_PARAM_RAMP, "Exponential decay rate of velocity.", "1/s", 1.0, 0, 1000),
    VARYING(damping_factor, COIF_PARAM_RAMP, "Fraction of velocity kept by every substep, in addition to damping; 0.98 to 0.999 is common.", "", 1, 0, 1),
    VARYING(rigid_damping, 0, "Fraction of the velocity beside the rigid motion of a strand that every substep removes; translation and rotation of the strand as a whole are kept (k_damping of Mueller et al. 2007).", "", 0, 0, 1),
    VARYING(rigid_damping_rate, 0, "Decay rate of velocity beside the rigid motion of a strand: the same damping as rigid_damping, independent of substeps.", "1/s", 0, 0, 1000),
    VARYING(drag, COIF_PARAM_RAMP, "Linear drag: rate at which hair velocity approaches the wind velocity.", "1/s", 3.0, 0, 1000),
    VARYING(tangential_drag_reduction, COIF_PARAM_RAMP, "Fraction by which drag along a strand is smaller than drag across it; 0.5 is a slender cylinder.", "", 0.5, 0, 1),
    VARYING(drag_coefficient, COIF_PARAM_RAMP, "Quadratic drag coefficient C_d of a strand; 0 disables quadratic drag.", "", 0, 0, 100),
    VARYING(stretch_stiffness, COIF_PARAM_RAMP, "Stiffness of the segment length constraints, from 0 to 1.", "", 1, 0, 1),
    VARYING(bend_stiffness, COIF_PARAM_RAMP, "Stiffness of the bending constraints, from 0 to 1; the result depends on substeps.", "", 0.6, 0, 1),
    VARYING(shape_stiffness, COIF_PARAM_RAMP, "Stiffness of the smoothed centreline constraint that keeps waves and curls, from 0 to 1; the result depends on substeps.", "", 0.8, 0, 1),
    {.name = "iteration_scaling", .unit = "", .type = COIF_PARAM_CHOICE, .choices = ITERATION_SCALINGS,
     .help = "Stiffness k applied per iteration: normalized uses 1 - (1 - k)^(1 / iterations), raw uses k.",
     .offset = offsetof(coif_sim_params, iteration_scaling)},
    {.name = "bend_constraint", .unit = "", .type = COIF_PARAM_CHOICE, .choices = BEND_CONSTRAINTS,
     .help = "Quantity that the bending constraint preserves: the distance of point pairs, the angle between adjacent spans, the dihedral angle of four consecutive points, or both angles.",
     .flags = COIF_PARAM_CONSTANT, .offset = offsetof(coif_sim_params, bend_constraint)},
    {.name = "bend_spans", .unit = "", .type = COIF_PARAM_STRING, .offset = offsetof(coif_sim_params, bend_spans),
     .help = "Point pairs of the bending constraint: numbers of segments between points all along the strand, last for root to tip, or single pairs of point indices (3-17; negative ones count from the tip, 5--1), each with an optional :factor on its rest length and an optional *factor on bend_stiffness, for example \"2 4:0.9*0.5 3-17 last*0.3\"; an empty string means 2."},
    VARYING(long_range_attachment, COIF_PARAM_RAMP, "Stiffness of the long range attachment (LRA), which limits the distance of a point from the root to its arc length; 0 disables it.", "", 0, 0, 1),
    {.name = "length_constraint", .help = "Final pass that restores segment lengths exactly after the iterations.", .unit = "",
     .type = COIF_PARAM_CHOICE, .offset = offsetof(coif_sim_params, length_constraint),
     .fallback = {COIF_LENGTH_DIRECT}, .choices = LENGTH_CONSTRAINTS},
    VARYING(ftl_velocity_correction, 0, "Fraction of a point's position correction that is subtracted from the velocity of its predecessor; 0 disables the correction.", "", 0.9, 0, 1),
    VARYING(goal_frequency_root, 0, "Frequency of the goal constraint that pulls towards the rest shape, at the root.", "1/s", 30, 0, 1000),
    VARYING(goal_frequency_tip, 0, "Frequency of the goal constraint that pulls towards the rest shape, at the tip.", "1/s", 3, 0, 1000),
    VARYING(goal_scale, COIF_PARAM_RAMP, "Factor on both goal frequencies.", "", 1, 0, 100),
    VARYING(goal_strength, COIF_PARAM_RAMP, "Fraction of the distance to the goal that a point loses per frame, by a critically damped spring that moves with the goal: the rest shape on the moving body or goal_cache; 0 disables it, 1 is exactly the goal.", "", 0, 0, 1),
    ROW(goal_amount, COIF_PARAM_FLOAT, "Factor on goal_strength, for keys where that has a map.", "", 1, 0, 1),
    {.name = "goal_cache", .help = "Animated goal of goal_strength: a folder of cached frames of a groom of the same name and the same strands, strand files with # for the frame number (hair.####.hair), or an archive (Alembic, USD) with the time samples of all frames; an empty string means the rest shape.", .unit = "",
     .type = COIF_PARAM_PATH, .flags = COIF_PARAM_CONSTANT, .offset = offsetof(coif_sim_params, goal_cache)},
    CONSTANT(goal_cache_offset, COIF_PARAM_INT, "Frames added to the current frame to find the frame of goal_cache.", "", 0, -100000, 100000),
    VARYING(gravity_compensation, 0, "Fraction of the weight that is balanced in the rest shape; 1 means that hair at rest does not sag.", "", 1, 0, 1),
    VARYING(friction, COIF_PARAM_RAMP, "Coulomb friction coefficient between hair and bodies.", "", 0.3, 0, 10),
    VARYING(restitution, COIF_PARAM_RAMP, "Fraction of the normal velocity kept in a collision.", "", 0, 0, 1),
    VARYING(max_depenetration_speed, COIF_PARAM_RAMP, "Maximum speed at which penetrating hair is pushed out of a body; 0 resolves penetration at once.", "m/s", 1, 0, 1000),
    VARYING(contact_margin, COIF_PARAM_RAMP, "Distance kept between a strand's surface and bodies.", "m", 0.001, 0, 0.1),
    VARYING(mass, COIF_PARAM_RAMP, "Factor on the mass of hair.", "", 1, 0.001, 1000),
    VARYING(mass_variation, 0, "Random relative variation of mass between strands.", "", 0.1, 0, 0.9),
    VARYING(hair_radius, COIF_PARAM_RAMP, "Fibre radius used for bending and mass; 0 uses the groom's radius.", "m", 4e-5, 0, 0.01),
    VARYING(hair_density, COIF_PARAM_RAMP, "Mass density of the fibre.", "kg/m3", 1320, 1, 100000),
    VARYING(youngs_modulus, COIF_PARAM_RAMP, "Young's modulus of the fibre.", "Pa", 3.9e9, 0, 1e12),
    VARYING(ellipticity, 0, "Ratio of the major to the minor axis of the fibre's cross section at constant area; the major axis lies along the surface tangent at the root.", "", 1, 1, 10),
    VARYING(poisson_ratio, 0, "Poisson's ratio of the fibre, which sets its twisting stiffness.", "", 0.4, 0, 0.5),
    VARYING(stiffness, COIF_PARAM_RAMP, "Factor on the physical bending and twisting stiffness (der, xpbd, spring) or on bend_stiffness (pbd).", "", 1, 0, 1000),
    VARYING(stiffness_variation, 0, "Random relative variation of stiffness between strands.", "", 0.1, 0, 0.9),
    VARYING(bending_damping_time, COIF_PARAM_RAMP, "Relaxation time of viscous bending damping, the Rayleigh beta.", "s", 0.005, 0, 10),
    VARYING(spring_stretch_force, COIF_PARAM_RAMP, "Force that stretches a fibre to twice its length.", "N", 20, 0, 1000),
    VARYING(curl_core_force, COIF_PARAM_RAMP, "Force that stretches the smoothed centreline of a curl to twice its length.", "N", 1e-5, 0, 1000),
    VARYING(spring_damping_time, 0, "Relaxation time of spring damping; it is reduced where modes are faster than the step.", "s", 3e-5, 0, 1),
    VARYING(spring_frame_smoothing, 0, "Smoothing length of the frames that carry the curl.", "m", 0.0005, 0, 1),
    VARYING(curl_core_smoothing, 0, "Smoothing length of the centreline of a curl.", "m", 0.01, 0, 1),
    CONSTANT(max_inner_steps, COIF_PARAM_INT, "Maximum number of explicit steps per substep; stiffer springs are softened to stay stable.", "", 1500, 1, 100000),
    {.name = "root_boundary", .help = "Boundary condition at the root: clamped fixes position and direction, pinned fixes position, free fixes nothing; goals and gravity compensation need clamped roots.", .unit = "",
     .type = COIF_PARAM_CHOICE, .flags = COIF_PARAM_CONSTANT, .offset = offsetof(coif_sim_params, root_boundary), .choices = ROOT_BOUNDARIES},
    {.name = "tip_boundary", .help = "Boundary condition at the tip; a pinned or clamped tip moves rigidly with the root.", .unit = "",
     .type = COIF_PARAM_CHOICE, .flags = COIF_PARAM_CONSTANT, .offset = offsetof(coif_sim_params, tip_boundary), .choices = TIP_BOUNDARIES},
    VARYING3(tip_force, 0, "External force on the tip of each strand.", "N", 0, 0, 0, -1000, 1000),
    CONSTANT(simulated_fraction, COIF_PARAM_FLOAT, "Fraction of the strands that are simulated; the other strands are children of these guides.", "", 1, 0, 1),
    {.name = "child_mode", .help = "Motion of strands that are not simulated: interpolate blends the three nearest guides, clump copies one guide with variation.", .unit = "",
     .type = COIF_PARAM_CHOICE, .flags = COIF_PARAM_CONSTANT, .offset = offsetof(coif_sim_params, child_mode), .choices = CHILD_MODES},
    VARYING(clump_variation, COIF_PARAM_CONSTANT, "Random variation of a child strand.", "", 0.4, 0, 1),
    {.name = "body_interpolation", .help = "Interpolation of bodies and roots between frames.", .unit = "",
     .type = COIF_PARAM_CHOICE, .flags = COIF_PARAM_CONSTANT | COIF_PARAM_GLOBAL, .offset = offsetof(coif_sim_params, body_interpolation), .choices = BODY_INTERPOLATIONS},
    COIF_PLUGIN_ROW(coif_sim_params, time_scale, COIF_PARAM_FLOAT, COIF_PARAM_GLOBAL, "Simulated seconds per second of the film; 0.5 is slow motion.", "", 1, 1, 1, 0.001, 100),
    CONSTANT(preroll, COIF_PARAM_FLOAT, "Duration over which bodies move from their rest pose to the pose of the first frame before the simulation begins.", "s", 0, 0, 100),
    {.name = "initial_state", .help = "State file of another run to start from; # is replaced by the groom's name.", .unit = "",
     .type = COIF_PARAM_PATH, .flags = COIF_PARAM_GLOBAL, .offset = offsetof(coif_sim_params, initial_state)},
    VARYING(interaction_friction, COIF_PARAM_RAMP, "Rate at which the velocity of a strand approaches the mean velocity of the hair around it.", "1/s", 0, 0, 1000),
    VARYING(interaction_stiffness, COIF_PARAM_RAMP, "Speed at which hair that is denser than in the groom expands.", "m/s", 0, 0, 10),
    VARYING(wind_attenuation, COIF_PARAM_RAMP, "Attenuation of wind by hair: the wind behind S kg/m2 of hair is exp(-wind_attenuation S) of the free wind; about 10 for thin cylinders, 0 disables it.", "m2/kg", 0, 0, 1000),
    ROW(cohesion, COIF_PARAM_FLOAT, "Rate at which strands of a clump, or of a lock of a strand file, return to the mean motion of their clump; 0 disables it, -1 is 20 for strands of a file that are longer than 6 cm on average, and 0 for others.", "1/s", -1, -1, 1000),
    ROW(interaction_cell_size, COIF_PARAM_FLOAT, "Cell size of the hair interaction grid; 0 selects it from the amount of hair.", "m", 0, 0, 1),
    ROW(interaction_interval, COIF_PARAM_INT, "Substeps between two updates of the hair interaction grid; 0 means once per frame.", "", 5, 0, 1000),
    CONSTANT(warmup_time, COIF_PARAM_FLOAT, "Duration of the simulation before the first frame in which hair comes to rest.", "s", 0.5, 0, 100),
    CONSTANT(checkpoint_interval, COIF_PARAM_INT, "Frames between two state files to restart from.", "", 8, 1, 100000),
    CONSTANT(quantise, COIF_PARAM_BOOL, "Store frames with 16 bits per coordinate: a third of the size with an error of a few micrometres.", "", 1, 0, 0),
};
// clang-format on

static coif_status check_text(const char *row, const char *text, coif_error *error)
{
    coif_bend_spans pairs;
    return strcmp(row, "bend_spans") == 0 ? coif_bend_spans_parse(&pairs, text, error) : COIF_OK;
}

// What each solver reads; applies_to_test compares it with what changes results.
static const coif_applies_to APPLIES_TO[] = {
    {"iterations", "solver", "pbd xpbd ftl"},
    {"stretch_stiffness bend_stiffness bend_constraint bend_spans long_range_attachment", "solver",
     "pbd"},
    {"shape_stiffness iteration_scaling", "solver", "pbd ftl"},
    {"length_constraint", "solver", "pbd xpbd"},
    {"ftl_velocity_correction", "solver", "ftl"},
    {"goal_frequency_root goal_frequency_tip goal_scale", "solver", "pbd ftl"},
    {"goal_amount goal_cache goal_cache_offset", "goal_strength", ""},
    {"goal_cache_offset", "goal_cache", ""},
    {"youngs_modulus ellipticity poisson_ratio", "solver", "der xpbd spring"},
    {"stiffness stiffness_variation", "solver", "pbd der xpbd spring"},
    {"bending_damping_time", "solver", "der xpbd"},
    {"spring_stretch_force curl_core_force spring_damping_time spring_frame_smoothing "
     "curl_core_smoothing max_inner_steps",
     "solver", "spring"},
    {"tangential_drag_reduction", "drag drag_coefficient", ""},
    {"interaction_cell_size", "interaction_friction interaction_stiffness wind_attenuation", ""},
    {"interaction_interval", "interaction_friction interaction_stiffness wind_attenuation cohesion",
     ""},
    {"bend_spans", "bend_constraint", "distance angle both"},
    {"goal_frequency_root goal_frequency_tip goal_scale gravity_compensation", "root_boundary",
     "clamped"},
    {"clump_variation", "child_mode", "clump"},
    {NULL, NULL, NULL},
};

const coif_section COIF_SIM_SECTION = {
    .name = "sim",
    .basic = "fps first_frame last_frame enabled preset solver substeps gravity damping drag "
             "stiffness bend_stiffness friction mass simulated_fraction cohesion wind_attenuation",
    .help = "Simulation parameters",
    .form = COIF_SECTION_OBJECT,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
    .applies_to = APPLIES_TO,
    .presets = PRESETS,
    .check_text = check_text,
};

const coif_section COIF_GROOM_SIM_SECTION = {
    .name = "sim",
    .basic = "fps first_frame last_frame enabled preset solver substeps gravity damping drag "
             "stiffness bend_stiffness friction mass simulated_fraction cohesion wind_attenuation",
    .help = "Simulation parameters of this groom that differ from those of the scene",
    .form = COIF_SECTION_OBJECT,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
    .inherits = "sim",
    .applies_to = APPLIES_TO,
    .presets = PRESETS,
    .check_text = check_text,
};

static bool is_zero(const coif_node *node, const char *name)
{
    const coif_value *value = coif_values_find(&node->values, name);
    bool zero = value->map == NULL;
    for (int32_t k = 0; k < value->key_count; ++k) {
        zero &= value->numbers[3 * (size_t)k] == 0.0;
    }
    return zero;
}

static bool has_drag(const coif_node *sim)
{
    return !is_zero(sim, "drag") || !is_zero(sim, "drag_coefficient");
}

int32_t coif_sim_warn_wind_without_drag(const coif_scene *scene)
{
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    const coif_node *forces = coif_node_at(scene->root, "forces");
    bool drag = grooms->child_count == 0;
    for (int32_t i = 0; i < grooms->child_count; ++i) {
        const coif_node *own = coif_node_find(&grooms->children[i], "sim");
        drag |= has_drag(own != NULL ? own : coif_node_at(scene->root, "sim"));
    }
    int32_t count = 0;
    for (int32_t i = 0; i < forces->child_count && !drag; ++i) {
        const coif_node *force = &forces->children[i];
        if (force->plugin != NULL && strncmp(force->plugin->id, "wind.", 5) == 0 &&
            !is_zero(force, "enabled")) {
            coif_log(COIF_LOG_WARNING,
                     "%s: %s: %s has no effect while sim/drag and sim/drag_coefficient are 0",
                     scene->path, force->path, force->plugin->id);
            ++count;
        }
    }
    return count;
}

double coif_frame_seconds(const coif_sim_params *params)
{
    return (double)params->time_scale / (double)params->fps;
}

coif_child_params coif_child_params_of(const coif_sim_params *params, const coif_node *sim)
{
    const coif_value *value = coif_values_find(&sim->values, "clump_variation");
    const uint32_t row = (uint32_t)(value - sim->values.values);
    return (coif_child_params){
        .simulated_fraction = params->simulated_fraction,
        .clump = params->child_mode == COIF_CHILDREN_CLUMP,
        .clump_variation = params->clump_variation,
        .clump_variation_param = {coif_node_giving(sim, row), &sim->values, row, 0}};
}
