// keyed parameters: every parameter of "sim" that accepts keys follows them during simulation.
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "core/hair/frame_cache.h"
#include "sim/run/sim_params.h"
#include "sim/run/simulate.h"
#include "tests/support/sim_run.h"

static const char SCENE[] =
    "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\", \"collide\": %s,\n"
    "   \"rotate\": {\"keys\": [[1, [0, 0, 0]], [2, [0, 20, 10]]]}}],\n"
    " \"forces\": [{\"plugin\": \"wind.uniform\", \"velocity\": [3, -2, 0]}],\n"
    " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"group\": \"scalp\", \"count\": 3,\n"
    "   \"points\": 9, \"length\": 0.1, \"maps\": [%s],\n"
    "   \"modifiers\": [{\"plugin\": \"groom.clump\", \"count\": 1, \"strength\": 0}]}],\n"
    " \"sim\": {\"last_frame\": 2, \"warmup_time\": 0, \"quantise\": false, %s\n"
    "   \"%s\": %s}}\n";

// Two values of a parameter, and what it needs to have an effect.
typedef struct setting {
    const char *param, *first, *second, *others;
} setting;

#define PBD    "\"substeps\": 4, \"solver\": \"pbd\","
#define FTL    "\"substeps\": 4, \"solver\": \"ftl\","
#define DER    "\"substeps\": 4, \"solver\": \"der\","
#define XPBD   "\"substeps\": 4, \"solver\": \"xpbd\","
#define MASSES "\"substeps\": 2, \"solver\": \"spring\", \"max_inner_steps\": 60,"

#define DRAGGED                                                                                    \
    "\"goal_scale\": 0, \"gravity\": [0, 0, 0], \"drag\": 50, \"contact_margin\": 0.02, "          \
    "\"friction\": 1,"
#define TOUCH "\"contact_margin\": 0.02, \"gravity\": [0, -40, 0], \"gravity_compensation\": 0,"

static const setting SETTINGS[] = {
    {"substeps", "4", "5", "\"solver\": \"der\","},
    {"iterations", "3", "6", PBD},
    {"gravity", "[0, -9.81, 0]", "[4, -9.81, 0]", DER "\"gravity_compensation\": 0,"},
    {"damping", "1", "20", DER},
    {"damping_factor", "1", "0.9", DER},
    {"rigid_damping", "0", "0.5", DER},
    {"rigid_damping_rate", "0", "100", DER},
    {"drag", "3", "20", DER},
    {"tangential_drag_reduction", "0.5", "0", DER},
    {"drag_coefficient", "0", "1", DER},
    {"stretch_stiffness", "1", "0.5", PBD},
    {"bend_stiffness", "0.6", "0.1", PBD},
    {"shape_stiffness", "0.8", "0.1", PBD},
    {"iteration_scaling", "\"normalized\"", "\"raw\"", PBD},
    {"long_range_attachment", "0", "0.7", PBD},
    {"length_constraint", "\"direct\"", "\"none\"", PBD},
    {"ftl_velocity_correction", "0.9", "0.3", FTL},
    {"goal_frequency_root", "30", "100", PBD},
    {"goal_frequency_tip", "3", "40", FTL},
    {"goal_scale", "1", "2", PBD},
    {"goal_strength", "0.1", "0.5", DER},
    {"goal_amount", "1", "0.2", DER "\"goal_strength\": 0.5,"},
    {"gravity_compensation", "1", "0.2", PBD},
    {"gravity_compensation", "0", "1", XPBD},
    {"friction", "0.3", "2", DER TOUCH},
    {"restitution", "0", "0.8", PBD DRAGGED},
    {"max_depenetration_speed", "1", "0.01", DER TOUCH},
    {"contact_margin", "0.001", "0.02", DER},
    {"mass", "1", "5", DER},
    {"mass_variation", "0.1", "0.8", DER},
    {"hair_radius", "4e-5", "8e-5", DER},
    {"hair_density", "1320", "5000", DER},
    {"youngs_modulus", "3.9e9", "1e9", DER},
    {"youngs_modulus", "3.9e9", "1e9", MASSES},
    {"ellipticity", "1", "1.6", DER},
    {"poisson_ratio", "0.4", "0.1", XPBD},
    {"stiffness", "1", "0.2", DER},
    {"stiffness", "1", "0.2", XPBD},
    {"stiffness", "1", "0.2", PBD},
    {"stiffness_variation", "0.1", "0.6", MASSES},
    {"bending_damping_time", "0.005", "0.05", DER},
    {"spring_stretch_force", "20", "5", MASSES},
    {"curl_core_force", "1e-5", "1e-3", MASSES},
    {"spring_damping_time", "3e-5", "1e-5", MASSES},
    {"spring_frame_smoothing", "0.0005", "0.004", MASSES},
    {"curl_core_smoothing", "0.01", "0.03", "\"solver\": \"spring\","},
    {"tip_force", "[0, 0, 0]", "[1e-6, 0, 0]", DER},
    {"time_scale", "1", "0.5", DER},
    {"interaction_friction", "0", "20", DER},
    {"interaction_stiffness", "0", "2", DER},
    {"wind_attenuation", "0", "500", DER},
    {"interaction_cell_size", "0.02", "0.05", DER "\"interaction_friction\": 20,"},
    {"cohesion", "0", "20", DER},
    {"interaction_interval", "4", "1", DER "\"interaction_friction\": 20,"},
};

static coif_arena arena = {.name = "test"};

// With a value of the parameter, maps of the groom, and an argument of --set or NULL.
static uint64_t simulate_with(const setting *set, const char *value, const char *maps,
                              const char *argument)
{
    const bool collide =
        strstr(set->others, "contact_margin") != NULL || strcmp(set->param, "contact_margin") == 0;
    const sim_run run = {.scene = coif_arena_print(&arena, SCENE, collide ? "true" : "false", maps,
                                                   set->others, set->param, value),
                         .set = argument};
    const coif_strands strands = simulate_scene(&run, "hair", 2, &arena);
    return coif_strands_digest(&strands);
}

static uint64_t simulate(const setting *set, const char *value)
{
    return simulate_with(set, value, "", NULL);
}

static bool has_flag(const char *param, uint32_t flag)
{
    uint32_t r = 0;
    while (strcmp(COIF_SIM_SECTION.params[r].name, param) != 0) {
        ++r;
    }
    return (COIF_SIM_SECTION.params[r].flags & flag) != 0;
}

// The first frame is the rest shape: keys that have the second value from frame 2 on give the bits
// of that constant.
TEST(keys_and_overrides_of_a_groom_give_the_bits_of_constants)
{
    coif_log_setup(COIF_LOG_ERROR, false);
    for (size_t i = 0; i < COIF_COUNT_OF(SETTINGS); ++i) {
        const setting *set = &SETTINGS[i];
        const uint64_t first = simulate(set, set->first);
        const uint64_t second = simulate(set, set->second);
        const uint64_t keyed =
            simulate(set, coif_arena_print(&arena, "{\"keys\": [[1, %s], [2, %s]]}", set->first,
                                           set->second));
        const bool global = has_flag(set->param, COIF_PARAM_GLOBAL);
        const char *argument =
            coif_arena_print(&arena, "grooms/hair/sim/%s=%s", set->param, set->second);
        if (!global && simulate_with(set, set->first, "", argument) != second) {
            coif_test_failed(__FILE__, __LINE__, "%s under %s", argument, set->others);
        }
        if (first == second || keyed != second) {
            coif_test_failed(__FILE__, __LINE__, "%s under %s %s", set->param, set->others,
                             first == second  ? "has no effect"
                             : keyed == first ? "does not follow its keys"
                                              : "is neither of the constants");
        }
    }
}

// The same from a map whose own values are 0 and 1.
static uint64_t simulate_mapped(const setting *set, const char *first, const char *second)
{
    const char *value = coif_arena_print(&arena, "{\"map\": \"all\", \"range\": [%s, %s]}",
                                         set->first, set->second);
    const char *maps = coif_arena_print(&arena,
                                        "{\"name\": \"all\", \"plugin\": \"density.constant\","
                                        " \"value\": {\"keys\": [[1, %s], [2, %s]]}}",
                                        first, second);
    return simulate_with(set, value, maps, NULL);
}

// A groom whose maps have keys is animated: its contact distances change over the frame.
TEST(keys_of_a_map_give_the_bits_of_a_constant_map)
{
    coif_log_setup(COIF_LOG_ERROR, false);
    for (size_t i = 0; i < COIF_COUNT_OF(SETTINGS); ++i) {
        const setting *set = &SETTINGS[i];
        if (has_flag(set->param, COIF_PARAM_MAPPABLE)) {
            const uint64_t first = simulate_mapped(set, "0", "0");
            const uint64_t second = simulate_mapped(set, "1", "1");
            const uint64_t keyed = simulate_mapped(set, "0", "1");
            const bool gradual = strcmp(set->param, "contact_margin") == 0;
            if (first == second || keyed == first || (keyed != second && !gradual)) {
                coif_test_failed(__FILE__, __LINE__, "a map of %s %s", set->param,
                                 first == second  ? "has no effect"
                                 : keyed == first ? "does not follow its keys"
                                                  : "is neither of the constants");
            }
        }
    }
}

// Rods also begin with the tensions of the equilibrium at the first frame, which are part of their
// state. From one state, keys give the bits of the constant here too.
TEST(keyed_gravity_compensation_of_rods_differs_by_the_first_tensions_alone)
{
    coif_log_setup(COIF_LOG_ERROR, false);
    const setting first = {.param = "gravity_compensation",
                           .others = DER "\"checkpoint_interval\": 1,"};
    const setting next = {.param = "gravity_compensation",
                          .others = DER "\"initial_state\": \"start.state\","};
    simulate(&first, "1");
    char *path = coif_arena_copy_text(&arena, coif_test_path("start.state"));
    CHECK(rename(coif_test_path("hair.0001.state"), path) == 0);
    const uint64_t constant = simulate(&next, "1");
    CHECK(simulate(&next, "{\"keys\": [[1, 0], [2, 1]]}") == constant);
    CHECK(simulate(&next, "0") != constant);
}

TEST(what_is_read_once_refuses_keys)
{
    static const char *const params[] = {"bodies/head/scale=1",
                                         "bodies/head/rest_frame=1",
                                         "bodies/head/crease_angle=60",
                                         "bodies/head/up_axis=\"y\"",
                                         "bodies/head/collide=true",
                                         "bodies/head/visible=true",
                                         "bodies/head/softness=0",
                                         "grooms/hair/count=3",
                                         "grooms/hair/max_strands=2",
                                         "grooms/hair/strands_per_cm2=1",
                                         "grooms/hair/scatter=\"sobol\"",
                                         "grooms/hair/seed=2",
                                         "grooms/hair/density=0.5",
                                         "grooms/hair/region=1",
                                         "grooms/hair/max_points=9",
                                         "grooms/hair/simulated_fraction=0.5",
                                         "grooms/hair/guide_radius=1",
                                         "grooms/hair/file_up_axis=\"z\"",
                                         "grooms/hair/lock_distance=0",
                                         "grooms/hair/root_tolerance=1",
                                         "sim/solver=\"pbd\"",
                                         "sim/warmup_time=1"};
    const char *text = coif_arena_print(&arena, SCENE, "false", "", "", "damping", "1");
    for (size_t i = 0; i < COIF_COUNT_OF(params); ++i) {
        const char *value = strchr(params[i], '=');
        const char *set =
            coif_arena_print(&arena, "%.*s={\"keys\": [[1, %s], [2, %s]]}",
                             (int)(value - params[i]), params[i], value + 1, value + 1);
        coif_scene scene = {0};
        coif_error error = {0};
        if (load_ball_scene(&scene, text, set, &arena, &error) != COIF_ERR_SCENE ||
            strstr(error.text, "cannot have keys") == NULL) {
            coif_test_failed(__FILE__, __LINE__, "%s: \"%s\"", set, error.text);
        }
    }
}

TEST(every_parameter_that_accepts_keys_is_tried)
{
    for (uint32_t r = 0; r < COIF_SIM_SECTION.param_count; ++r) {
        const coif_param *row = &COIF_SIM_SECTION.params[r];
        bool tried = (row->flags & COIF_PARAM_CONSTANT) != 0 || row->type == COIF_PARAM_STRING ||
                     row->type == COIF_PARAM_PATH;
        for (size_t i = 0; i < COIF_COUNT_OF(SETTINGS); ++i) {
            tried |= strcmp(SETTINGS[i].param, row->name) == 0;
        }
        if (!tried) {
            coif_test_failed(__FILE__, __LINE__, "%s is not tried", row->name);
        }
    }
}
