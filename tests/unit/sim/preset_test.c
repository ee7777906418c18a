// Presets of "sim": named values in the place of defaults.
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "core/hair/frame_cache.h"
#include "core/scene/applies_to.h"
#include "sim/run/simulate.h"
#include "sim/solver/solver.h"
#include "tests/support/sim_run.h"

static coif_arena arena = {.name = "test"};

static const char *text_of(const char *sim)
{
    static const char text[] =
        "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\",\n"
        "   \"rotate\": {\"keys\": [[1, [0, 0, 0]], [2, [0, 20, 10]]]}}],\n"
        " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"group\": \"scalp\", "
        "\"count\": 5, \"points\": 9, \"length\": 0.1}],\n"
        " \"sim\": {\"last_frame\": 2, \"quantise\": false%s}}\n";
    return coif_arena_print(&arena, text, sim);
}

static coif_scene scene_of(const char *sim)
{
    return ball_scene(text_of(sim), NULL, &arena);
}

static const coif_node *sim_of(const coif_scene *scene)
{
    return coif_node_at(scene->root, "sim");
}

// Every value of a preset is that of a parameter.
TEST(presets_are_the_choices_and_set_what_they_list)
{
    uint32_t row = 0;
    while (strcmp(COIF_SIM_SECTION.params[row].name, "preset") != 0) {
        ++row;
    }
    const char *const *choices = COIF_SIM_SECTION.params[row].choices;
    CHECK_TEXT(choices[0], "none");
    for (const coif_param_preset *preset = COIF_SIM_SECTION.presets; preset->name != NULL;
         ++preset) {
        CHECK_TEXT(*++choices, preset->name);
        const coif_scene scene =
            scene_of(coif_arena_print(&arena, ", \"preset\": \"%s\"", preset->name));
        coif_json *values;
        CHECK(coif_json_parse(&values, "", preset->values, strlen(preset->values), &arena, NULL) ==
              COIF_OK);
        for (const coif_json *member = values->child; member != NULL; member = member->next) {
            const coif_value *value = coif_values_find(&sim_of(&scene)->values, member->key);
            CHECK(value != NULL && !value->given && value->preset != NULL);
            CHECK_TEXT(value->preset, preset->name);
        }
    }
    CHECK(*++choices == NULL);
}

TEST(keys_of_the_scene_take_precedence)
{
    static const char *const orders[] = {
        ", \"preset\": \"mueller2007\", \"drag\": 5, \"solver\": \"xpbd\"",
        ", \"solver\": \"xpbd\", \"drag\": 5, \"preset\": \"mueller2007\""};
    for (size_t i = 0; i < COIF_COUNT_OF(orders); ++i) {
        const coif_scene scene = scene_of(orders[i]);
        coif_sim_params params;
        coif_node_read(sim_of(&scene), 1.0, &params);
        CHECK(params.drag == 5.0f && params.damping == 0.0f);
        CHECK(params.root_boundary == COIF_ROOT_PINNED);
        CHECK_TEXT(COIF_METHOD_NAMES[params.solver], "xpbd");
        const coif_value *drag = coif_values_find(&sim_of(&scene)->values, "drag");
        CHECK(drag->given && drag->preset == NULL);
    }
    const coif_scene none = scene_of(", \"preset\": \"none\"");
    coif_sim_params params;
    coif_node_read(sim_of(&none), 1.0, &params);
    CHECK(params.damping == 1.0f && params.gravity_compensation == 1.0f);
}

// The preset of a groom takes the place of what it would inherit, but for values of the whole
// scene.
TEST(the_preset_of_a_groom_is_its_own)
{
    static const char text[] =
        "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\"}],\n"
        " \"grooms\": [{\"name\": \"a\", \"body\": \"head\", \"count\": 5, \"sim\": "
        "{\"preset\": \"mueller2007\", \"damping\": 7}},\n"
        "   {\"name\": \"b\", \"body\": \"head\", \"count\": 5}],\n"
        " \"sim\": {\"drag\": 5, \"damping\": 6, \"warmup_time\": 0.25, \"youngs_modulus\": "
        "1e9}}\n";
    const coif_scene scene = ball_scene(text, NULL, &arena);
    coif_sim_params params[2];
    for (int i = 0; i < 2; ++i) {
        const coif_node *groom = &coif_node_at(scene.root, "grooms")->children[i];
        coif_node_read(coif_node_at(groom, "sim"), 1.0, &params[i]);
    }
    CHECK(params[0].drag == 0.0f && params[1].drag == 5.0f);
    CHECK(params[0].damping == 7.0f && params[1].damping == 6.0f);
    CHECK(params[0].warmup_time == 0.0f && params[1].warmup_time == 0.25f);
    CHECK_TEXT(COIF_METHOD_NAMES[params[0].solver], "pbd");
    CHECK(coif_scene_warn_without_effect(&scene, &arena) == 0); // b is under der
    CHECK(coif_sim_warn_wind_without_drag(&scene) == 0);
}

// Keys are checked against the solver of the preset; its own values are no mistake of the scene.
TEST(keys_without_effect_under_a_preset_are_warnings)
{
    coif_log_setup(COIF_LOG_ERROR, false);
    const coif_scene plain = scene_of(", \"preset\": \"mueller2007\"");
    CHECK(coif_scene_warn_without_effect(&plain, &arena) == 0);
    const coif_scene physical = scene_of(", \"preset\": \"mueller2007\", \"youngs_modulus\": 1e9");
    CHECK(coif_scene_warn_without_effect(&physical, &arena) == 1);
    const coif_scene other = scene_of(", \"preset\": \"mueller2007\", \"solver\": \"der\"");
    CHECK(coif_scene_warn_without_effect(&other, &arena) == 0);
}

static uint64_t simulate(const char *sim)
{
    const coif_strands strands =
        simulate_scene(&(sim_run){.scene = text_of(sim)}, "hair", 2, &arena);
    return coif_strands_digest(&strands);
}

TEST(a_preset_simulates_as_its_values_do)
{
    const char *values = COIF_SIM_SECTION.presets[0].values;
    const char *spelled = coif_arena_print(&arena, ", %.*s", (int)strlen(values) - 2, values + 1);
    const uint64_t preset = simulate(", \"preset\": \"mueller2007\"");
    CHECK(preset == simulate(spelled));
    CHECK(preset != simulate(", \"solver\": \"pbd\""));
}
