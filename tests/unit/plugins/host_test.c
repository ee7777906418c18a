// Plugin host: valid modules are loaded, invalid ones are reported and rejected, and invalid output
// of plugins is contained.
#include "core/base/dynlib.h"
#include "core/base/fs.h"
#include "core/base/log.h"
#include "tests/support/plugin_node.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

// Everything the tests allocate; reachable to the end.
static coif_arena arena = {.name = "test"};

static const char *module_folder(const char *name)
{
    return coif_arena_print(&arena, "%s/abi/%s", coif_dynlib_program_folder(&arena), name);
}

// Everything that goes to stderr between these two calls, as text.
static int listen(void)
{
    fflush(stderr);
    const int kept = dup(2);
    const int file = open(coif_test_path("heard.txt"), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    dup2(file, 2);
    close(file);
    return kept;
}

static const char *heard(int kept)
{
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    char *text = "";
    size_t size;
    coif_error error = {0};
    CHECK_OK(coif_file_load(&text, &size, coif_test_path("heard.txt"), &arena, &error), error);
    return text;
}

static coif_plugins *open_folder(const char *folder)
{
    coif_plugins *plugins = NULL;
    coif_error error = {0};
    CHECK_OK(coif_plugins_open(&plugins, folder, &arena, &error), error);
    return plugins;
}

TEST(built_in_plugins_are_registered)
{
    static const char *const ids[] = {
        "wind.uniform", "wind.gust",  "density.texture", "density.slope", "density.noise",
        "groom.curl",   "groom.comb", "groom.clump",     "groom.frizz",   "groom.length"};
    coif_plugins *plugins = open_folder(NULL);
    for (size_t i = 0; i < COIF_COUNT_OF(ids); ++i) {
        CHECK(coif_plugins_find(plugins, ids[i]) != NULL);
    }
    CHECK(coif_plugins_count(plugins) >= (int32_t)COIF_COUNT_OF(ids));
    CHECK_TEXT(coif_plugins_origin(plugins, 0), "built in");
    CHECK(coif_plugins_at(plugins, -1) == NULL);
    CHECK(coif_plugins_at(plugins, coif_plugins_count(plugins)) == NULL);
    CHECK(coif_plugins_origin(plugins, coif_plugins_count(plugins)) == NULL);
    CHECK(coif_plugins_find(plugins, "wind.unknown") == NULL);
    const coif_plugin_lookup lookup = coif_plugins_lookup(plugins);
    CHECK(lookup.at(lookup.data, 0) == coif_plugins_at(plugins, 0));
    CHECK(lookup.at(lookup.data, coif_plugins_count(plugins)) == NULL);
    coif_plugins_close(plugins);
}

TEST(bad_modules_are_refused_by_name)
{
    static const char *const reasons[] = {
        "no_entry.so: plugin rejected: no function coif_plugin_entry",
        "null_list.so: plugin rejected: no plugins for ABI 1",
        "other_abi.so: plugin rejected: built for plugin ABI 77, this program has 1",
        "empty_list.so: plugin rejected: invalid list of 3 plugins at NULL",
        "twin.so: plugin rejected: wind.uniform is already registered (built in)",
        "twin.so: plugin rejected: twin.once is already registered (",
        "NULL entry in the plugin list",
        "struct_size 40, expected 56 to 65536",
        "struct_size 0, expected 56 to 65536",
        "struct_size 4294967295, expected 56 to 65536",
        "\"\" is not an id",
        "\"nofamily\" is not an id; expected family.name in lower case",
        "\"Lie.upper\" is not an id",
        "\"lie.\" is not an id",
        "\"lie.two.dots\" is not an id",
        "lie.version: missing version or help",
        "lie.kind: unknown kind 4",
        "lie.no_force: kind force without a force function",
        "lie.no_map: kind map without a map function",
        "lie.no_groom: kind groom without a groom function",
        "lie.needs requires inputs this program does not provide for its kind (needs 0x1)",
        "lie.null_params: 3 parameters in a NULL table",
        "lie.many_params: 100000 parameters, the limit is 256",
        "lie.stride: param_stride 80, expected at least 88",
        "lie.params_size: params of 2147483647",
        "lie.state_size: params of 24 or state of 4294967295 bytes is too large",
        "lie.null_name: parameter 0 has no valid name",
        "lie.bad_name: parameter 0 has no valid name",
        "lie.reserved: \"plugin\" is reserved by the scene format",
        "lie.no_help: parameter \"a\": missing help or unit",
        "lie.twice: duplicate parameter \"a\"",
        "lie.outside: parameter \"a\": offset 22 does not fit into params_size 24",
        "lie.far_outside: parameter \"a\": offset 4294967292 does not fit",
        "lie.crooked: parameter \"a\": offset 2 is not aligned",
        "lie.type: parameter \"a\": unknown type 99",
        "lie.default: parameter \"a\": default 7 is outside its range 0 to 1",
        "lie.backwards: parameter \"a\": invalid range 2 to 1",
        "lie.not_a_number: parameter \"a\": invalid range nan to inf",
        "lie.varying: parameter \"a\": only floats of groom modifiers",
        "lie.half: parameter \"a\": default 0.5 is outside its range",
        "lie.without: parameter \"a\": a choice without names",
        "lie.empty: parameter \"a\": a choice without names",
        "lie.same: parameter \"a\": duplicate choice \"a\"",
        "lie.beyond: parameter \"a\": default 2 is not one of 2 choices",
    };
    const int kept = listen();
    coif_plugins *plugins = open_folder(module_folder("bad"));
    const char *text = heard(kept);
    for (size_t i = 0; i < COIF_COUNT_OF(reasons); ++i) {
        CHECK_CONTAINS(text, reasons[i]);
    }
    // Of all of these one was fit: the first of two twins.
    for (int32_t i = 0; i < coif_plugins_count(plugins); ++i) {
        const char *id = coif_plugins_at(plugins, i)->id;
        CHECK(strncmp(id, "lie.", 4) != 0);
        CHECK(strcmp(coif_plugins_origin(plugins, i), "built in") == 0 ||
              strcmp(id, "twin.once") == 0);
    }
    CHECK_TEXT(coif_plugins_find(plugins, "wind.uniform")->version, "1.0.0");
    coif_plugins_close(plugins);
}

TEST(a_file_that_is_not_a_library_is_a_warning)
{
    coif_error error = {0};
    CHECK_OK(coif_file_save(coif_test_path("page.so"), "no elf here", 11, &error), error);
    CHECK_OK(coif_file_save(coif_test_path("empty.so"), "", 0, &error), error);
    CHECK_OK(coif_file_save(coif_test_path("readme.txt"), "not looked at", 13, &error), error);
    const char *path = coif_arena_print(&arena, "::/no/such/folder:%s:", coif_test_folder());
    const int kept = listen();
    coif_plugins *plugins = open_folder(path);
    const char *text = heard(kept);
    CHECK_CONTAINS(text, "/no/such/folder: plugin folder not found");
    CHECK_CONTAINS(text, "page.so: cannot load library");
    CHECK_CONTAINS(text, "empty.so: cannot load library");
    CHECK(strstr(text, "readme") == NULL);
    coif_plugins_close(plugins);
    unlink(coif_test_path("page.so"));
    unlink(coif_test_path("empty.so"));
}

// Empty parts of a path would mean the current directory, from which nothing is loaded.
TEST(the_current_directory_is_not_searched)
{
    char before[4096];
    CHECK(getcwd(before, sizeof before) != NULL);
    CHECK(chdir(module_folder("good")) == 0);
    setenv("COIF_PLUGIN_PATH", ":::", 1);
    coif_plugins *plugins = open_folder(":");
    CHECK(coif_plugins_find(plugins, "stranger.vortex") == NULL);
    coif_plugins_close(plugins);
    unsetenv("COIF_PLUGIN_PATH");
    // Unless it is requested by path, as during plugin development.
    plugins = open_folder(".");
    CHECK(coif_plugins_find(plugins, "stranger.vortex") != NULL);
    coif_plugins_close(plugins);
    CHECK(chdir(before) == 0);
}

TEST(the_environment_names_folders_too)
{
    setenv("COIF_PLUGIN_PATH", module_folder("good"), 1);
    coif_plugins *plugins = open_folder(NULL);
    unsetenv("COIF_PLUGIN_PATH");
    const coif_plugin *vortex = coif_plugins_find(plugins, "stranger.vortex");
    CHECK(vortex != NULL && strcmp(vortex->version, "2.1.0") == 0);
    for (int32_t i = 0; i < coif_plugins_count(plugins); ++i) {
        if (coif_plugins_at(plugins, i) == vortex) {
            CHECK_CONTAINS(coif_plugins_origin(plugins, i), "good_c.so");
        }
    }
    coif_plugins_close(plugins);
}

typedef struct test_air {
    float position[3][1200], velocity[3][1200];
    float wind[3][1200], push[3][1200];
} test_air;

static coif_force_batch air_batch(test_air *air, int32_t count, double time)
{
    memset(air, 0, sizeof *air);
    for (int32_t i = 0; i < count; ++i) {
        air->position[0][i] = (float)i;
    }
    return (coif_force_batch){sizeof(coif_force_batch),
                              count,
                              time,
                              air->position[0],
                              air->position[1],
                              air->position[2],
                              air->velocity[0],
                              air->velocity[1],
                              air->velocity[2],
                              air->wind[0],
                              air->wind[1],
                              air->wind[2],
                              air->push[0],
                              air->push[1],
                              air->push[2]};
}

TEST(a_module_in_c_uses_every_service)
{
    coif_plugins *plugins = open_folder(module_folder("good"));
    static const plugin_value values[] = {{"speed", {7}, NULL}, {"direction", {0}, NULL}, {0}};
    coif_plugin_instance *instance = plugin_instance(plugins, "stranger.vortex", values, &arena);
    coif_error error = {0};
    CHECK_OK(coif_plugin_begin_frame(instance, 1.0, 4.5, &error), error);
    static test_air air;
    const coif_force_batch batch = air_batch(&air, 1200, 2.5);
    CHECK(coif_plugin_eval_force(instance, &batch));
    for (int i = 0; i < 1200; ++i) {
        CHECK(air.wind[0][i] == -7.0f && air.wind[1][i] == 4.5f && air.push[2][i] == 2.5f);
    }
    CHECK_TEXT(coif_plugin_instance_plugin(instance)->id, "stranger.vortex");
    CHECK_TEXT(coif_plugin_instance_node(instance)->path, "/test/0");

    static const plugin_value dizzy[] = {{"turns", {9}, NULL}, {0}};
    coif_node *node = plugin_node(coif_plugins_find(plugins, "stranger.vortex"), dizzy, &arena);
    CHECK(coif_plugin_instance_open(&instance, node, 1.0, &arena, &error) == COIF_ERR_SCENE);
    CHECK_TEXT(error.text, "/test/0: stranger.vortex: 9 turns make everybody dizzy");
    coif_plugins_close(plugins);
}

TEST(older_and_newer_modules_are_understood)
{
    coif_plugins *plugins = open_folder(module_folder("good"));
    const coif_plugin *old = coif_plugins_find(plugins, "old.wind");
    CHECK(old != NULL && old->map == NULL && old->groom == NULL);
    coif_plugin_instance *instance = plugin_instance(plugins, "old.wind", NULL, &arena);
    static test_air air;
    coif_force_batch batch = air_batch(&air, 3, 0.0);
    CHECK(coif_plugin_eval_force(instance, &batch));
    CHECK_NEAR(air.wind[0][2], 1.0, 0.0);

    instance = plugin_instance(plugins, "newer.wind", NULL, &arena);
    batch = air_batch(&air, 3, 0.0);
    CHECK(coif_plugin_eval_force(instance, &batch));
    CHECK_NEAR(air.wind[0][2], 3.0, 0.0);
    CHECK_NEAR(air.wind[1][2], 4.0, 0.0);
    coif_plugins_close(plugins);
}

TEST(keyed_parameters_hold_their_value_at_the_substep)
{
    coif_plugins *plugins = open_folder(NULL);
    coif_node *node = plugin_node(coif_plugins_find(plugins, "wind.uniform"), NULL, &arena);
    static const double frames[] = {1, 11}, numbers[] = {0, 0, 0, 10, 20, 30};
    coif_value *value = &node->plugin_values.values[0];
    value->given = true;
    value->key_count = 2;
    value->frames = frames;
    value->numbers = numbers;
    coif_plugin_instance *instance;
    coif_error error = {0};
    CHECK_OK(coif_plugin_instance_open(&instance, node, 1.0, &arena, &error), error);
    static test_air air;
    coif_force_batch batch = air_batch(&air, 1, 0.0);
    coif_plugin_eval_force(instance, &batch);
    CHECK_NEAR(air.wind[1][0], 0.0, 0.0);
    coif_plugin_set_time(instance, 3.5);
    batch = air_batch(&air, 1, 0.0);
    coif_plugin_eval_force(instance, &batch);
    CHECK_NEAR(air.wind[1][0], 5.0, 1e-6);
    CHECK_OK(coif_plugin_begin_frame(instance, 100.0, 4.0, &error), error);
    batch = air_batch(&air, 1, 0.0);
    coif_plugin_eval_force(instance, &batch);
    CHECK_NEAR(air.wind[1][0], 20.0, 0.0);
    coif_plugins_close(plugins);
}

TEST(failing_plugins_are_reported_with_their_scene_location)
{
    coif_plugins *plugins = open_folder(module_folder("good"));
    coif_plugin_instance *instance;
    coif_error error = {0};
    coif_node *node = plugin_node(coif_plugins_find(plugins, "wild.silent"), NULL, &arena);
    CHECK(coif_plugin_instance_open(&instance, node, 1.0, &arena, &error) == COIF_ERR_IO);
    CHECK_TEXT(error.text, "/test/0: wild.silent: failed without an error message");

    error = (coif_error){0};
    node = plugin_node(coif_plugins_find(plugins, "wild.strange"), NULL, &arena);
    CHECK(coif_plugin_instance_open(&instance, node, 1.0, &arena, &error) == COIF_ERR_PLUGIN);
    CHECK_TEXT(error.text, "/test/0: wild.strange: first reason");

    error = (coif_error){0};
    instance = plugin_instance(plugins, "wild.later", NULL, &arena);
    CHECK_OK(coif_plugin_begin_frame(instance, 1.0, 0.5, &error), error);
    CHECK(coif_plugin_begin_frame(instance, 2.0, 1.5, &error) == COIF_ERR_PLUGIN);
    CHECK_TEXT(error.text, "/test/0: wild.later: no more at 1.5 s");

    error = (coif_error){0};
    coif_node nobody = {.path = "/forces/3"};
    CHECK(coif_plugin_instance_open(&instance, &nobody, 1.0, &arena, &error) == COIF_ERR_PLUGIN);
    CHECK_CONTAINS(error.text, "/forces/3");
    coif_plugins_close(plugins);
}

TEST(wild_forces_are_put_back_and_named_once)
{
    coif_plugins *plugins = open_folder(module_folder("good"));
    coif_plugin_instance *instance = plugin_instance(plugins, "wild.force", NULL, &arena);
    static test_air air;
    const coif_force_batch batch = air_batch(&air, 1200, 0.0);
    for (int i = 0; i < 1200; ++i) {
        air.push[1][i] = 5.0f;
    }
    const int kept = listen();
    CHECK(!coif_plugin_eval_force(instance, &batch));
    CHECK(!coif_plugin_eval_force(instance, &batch));
    const char *text = heard(kept);
    CHECK_CONTAINS(text, "/test/0: wild.force returned values that are not finite");
    CHECK(strstr(strstr(text, "wild.force") + 1, "wild.force") == NULL);
    for (int i = 0; i < 1200; ++i) {
        const bool wild = i % 3 == 0;
        CHECK(air.push[1][i] == (wild ? 5.0f : 2.0f));
        CHECK(air.wind[0][i] == (wild ? 0.0f : 2.0f));
    }
    coif_plugins_close(plugins);
}

TEST(wild_maps_count_as_zero)
{
    coif_plugins *plugins = open_folder(module_folder("good"));
    coif_plugin_instance *instance = plugin_instance(plugins, "wild.map", NULL, &arena);
    float zero[5] = {0}, value[5];
    const coif_map_batch batch = {.struct_size = sizeof batch,
                                  .count = 5,
                                  .u = zero,
                                  .v = zero,
                                  .x = zero,
                                  .y = zero,
                                  .z = zero,
                                  .nx = zero,
                                  .ny = zero,
                                  .nz = zero,
                                  .value = value};
    const int kept = listen();
    CHECK(!coif_plugin_eval_map(instance, &batch));
    CHECK_CONTAINS(heard(kept), "wild.map");
    for (int i = 0; i < 5; ++i) {
        CHECK(value[i] == (i % 2 == 0 ? 0.0f : 0.25f));
    }
    coif_plugins_close(plugins);
}

// Strands of 2 to 5000 points, so that batches and single strands with memory of their own both
// occur.
typedef struct test_wig {
    int32_t first[41];
    float *x, *y, *z, *radius, *frame, *uv;
    uint32_t *random;
    const float *none[8];
    coif_strand_view all;
} test_wig;

static coif_groom_batch wig_batch(test_wig *wig)
{
    memset(wig, 0, sizeof *wig);
    for (int32_t s = 0; s < 40; ++s) {
        wig->first[s + 1] = wig->first[s] + (s == 20 ? 5000 : s == 30 ? 4096 : 2 + 37 * s);
    }
    const int32_t points = wig->first[40];
    wig->x = coif_arena_new(&arena, points, float);
    wig->y = coif_arena_new(&arena, points, float);
    wig->z = coif_arena_new(&arena, points, float);
    wig->radius = coif_arena_new(&arena, points, float);
    wig->frame = coif_arena_new(&arena, 9 * 40, float);
    wig->uv = coif_arena_new(&arena, 2 * 40, float);
    wig->random = coif_arena_new(&arena, 40, uint32_t);
    for (int32_t i = 0; i < points; ++i) {
        wig->x[i] = (float)i;
        wig->radius[i] = 0.5f;
    }
    return (coif_groom_batch){.struct_size = sizeof(coif_groom_batch),
                              .strand_count = 40,
                              .first = wig->first,
                              .x = wig->x,
                              .y = wig->y,
                              .z = wig->z,
                              .radius = wig->radius,
                              .root_frame = wig->frame,
                              .root_uv = wig->uv,
                              .random = wig->random,
                              .per_strand = wig->none,
                              .per_point = wig->none,
                              .input = &wig->all};
}

TEST(invalid_plugin_output_leaves_strands_unchanged)
{
    coif_plugins *plugins = open_folder(module_folder("good"));
    coif_plugin_instance *instance = plugin_instance(plugins, "wild.groom", NULL, &arena);
    test_wig wig;
    const coif_groom_batch batch = wig_batch(&wig);
    const int kept = listen();
    CHECK(!coif_plugin_eval_groom(instance, &batch));
    CHECK_CONTAINS(heard(kept), "wild.groom");
    for (int32_t s = 0; s < 40; ++s) {
        for (int32_t i = wig.first[s]; i < wig.first[s + 1]; ++i) {
            if (wig.y[i] != (s % 2 == 1 ? 0.0f : 1.0f) || wig.radius[i] != 0.5f ||
                wig.x[i] != (float)i) {
                coif_test_failed(__FILE__, __LINE__, "strand %d point %d", s, i);
            }
        }
    }
    coif_plugins_close(plugins);
}

// The batch is split; each strand must still get its own mapped value.
TEST(a_module_in_cpp_gets_the_values_of_its_strands)
{
    coif_plugins *plugins = open_folder(module_folder("good"));
    coif_plugin_instance *instance = plugin_instance(plugins, "stranger.lift", NULL, &arena);
    test_wig wig;
    coif_groom_batch batch = wig_batch(&wig);
    CHECK(coif_plugin_eval_groom(instance, &batch));
    CHECK_NEAR(wig.y[wig.first[1] - 1], 0.5, 0.0);

    float mapped[40];
    const float *table[1] = {mapped};
    for (int s = 0; s < 40; ++s) {
        mapped[s] = (float)s;
    }
    batch = wig_batch(&wig);
    batch.per_strand = table;
    CHECK(coif_plugin_eval_groom(instance, &batch));
    for (int s = 0; s < 40; ++s) {
        CHECK(wig.y[wig.first[s]] == 0.0f && wig.y[wig.first[s + 1] - 1] == (float)s);
    }

    batch = wig_batch(&wig);
    table[0] = wig.x; // a ramp that is the number of the point
    batch.per_point = table;
    CHECK(coif_plugin_eval_groom(instance, &batch));
    CHECK_NEAR(wig.y[wig.first[40] - 1], wig.first[40] - 1, 0.0);
    coif_plugins_close(plugins);
}
