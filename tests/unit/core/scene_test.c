// Scene loading and all its error messages.
#include "tests/support/scene_text.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

TEST(a_valid_scene_reaches_the_modules)
{
    const coif_scene scene = good(GOOD, NULL);
    CHECK_TEXT(scene.path, coif_test_path("s.json"));
    CHECK_TEXT(scene.folder, coif_test_folder());
    CHECK(scene.source_size == strlen(GOOD) && memcmp(scene.source, GOOD, strlen(GOOD)) == 0);

    const coif_node *bodies = coif_node_at(scene.root, "bodies");
    CHECK(bodies->list && bodies->child_count == 1 && bodies->parent == scene.root);
    fake_body body;
    coif_node_read(&bodies->children[0], 13, &body);
    CHECK_TEXT(body.name, "head");
    CHECK_TEXT(body.mesh, coif_test_path("head.obj"));
    CHECK_NEAR(body.rotate[1], 45, 1e-5);

    const coif_node *grooms = coif_node_at(scene.root, "grooms");
    CHECK(grooms->child_count == 2);
    CHECK_TEXT(grooms->children[1].path, "/grooms/1");
    fake_groom groom;
    coif_node_read(&grooms->children[0], 1, &groom);
    CHECK(groom.count == 500 && groom.radius == 4e-5f);
    CHECK_NEAR(groom.length, 0.2, 1e-7);
    coif_node_read(&grooms->children[1], 1, &groom);
    CHECK_TEXT(groom.name, "beard");
    CHECK(groom.count == 1000);
}

TEST(child_sections_and_plugins_are_found)
{
    const coif_scene scene = good(GOOD, NULL);
    const coif_node *groom = &coif_node_at(scene.root, "grooms")->children[0];
    fake_hair hair;
    coif_node_read(coif_node_at(groom, "hair"), 1, &hair);
    CHECK(hair.eumelanin == 1.3f && hair.tint[2] == 1);
    CHECK_TEXT(coif_node_at(groom, "hair")->path, "/grooms/0/hair");

    const coif_node *forces = coif_node_at(scene.root, "forces");
    CHECK(forces->child_count == 2 && forces->children[1].plugin == &FAKE_PLUGINS[1]);
    fake_wind wind;
    coif_values_at(&forces->children[0].plugin_values, 1, &wind);
    CHECK(wind.strength == 0.75f && wind.velocity[0] == 2);

    const coif_node *map = &coif_node_at(groom, "maps")->children[0];
    fake_image_map image;
    coif_values_at(&map->plugin_values, 1, &image);
    CHECK_TEXT(image.file, coif_test_path("long.png"));
    const coif_node *curl = &coif_node_at(groom, "modifiers")->children[0];
    CHECK_TEXT(coif_values_find(&curl->plugin_values, "radius")->map, "long");
}

TEST(absent_sections_have_defaults)
{
    const coif_scene scene = good("{}", NULL);
    fake_sim sim;
    coif_node_read(coif_node_at(scene.root, "sim"), 1, &sim);
    CHECK(sim.substeps == 4 && sim.method == 0 && sim.gravity_on == 1);
    CHECK(sim.gravity[1] == -9.81f);
    CHECK(coif_node_at(scene.root, "sim")->source == NULL);
    CHECK_TEXT(coif_node_at(scene.root, "sim")->path, "/sim");
    CHECK(coif_node_at(scene.root, "grooms")->list);
    CHECK(coif_node_at(scene.root, "grooms")->child_count == 0);
    // An object that is absent in an entry that is there.
    const coif_scene second = good(GOOD, NULL);
    const coif_node *beard = &coif_node_at(second.root, "grooms")->children[1];
    CHECK_TEXT(coif_node_at(beard, "hair")->path, "/grooms/1/hair");
    CHECK(coif_values_find(&coif_node_at(beard, "hair")->values, "eumelanin")->numbers[0] == 0.3);
}

TEST(syntax_errors_are_scene_errors)
{
    bad("{\n  \"sim\": {\n}", "s.json:3:2: expected ',' or '}', found the end of the text");
    bad("", "s.json:1:1: the text is empty, expected a value");
    bad("{\"sim\": {}, \"sim\": {}}", "s.json:1:13: key \"sim\" is given twice, first in line 1");
}

TEST(a_missing_file_is_an_io_error)
{
    coif_scene scene;
    coif_error error = {0};
    const coif_scene_desc desc = {.path = coif_test_path("none.json"), .tree = &FAKE_TREE};
    CHECK(coif_scene_load(&scene, &desc, &arena, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "none.json");
}

TEST(unknown_keys_suggest_a_similar_name)
{
    bad("{\"sim\": {\"subteps\": 4}}", "s.json: /sim/subteps: unknown key, did you mean "
                                       "\"substeps\"?");
    bad("{\"groms\": []}", "s.json: /groms: unknown key, did you mean \"grooms\"?");
    bad("{\"zebra\": 1}", "s.json: /zebra: unknown key (known: \"bodies\", \"grooms\", \"sim\", "
                          "\"forces\", \"comment\")");
    bad("{\"sim\": {\"$schema\": \"x\"}}",
        "s.json: /sim/$schema: unknown key (known: \"substeps\", \"method\", \"gravity_on\", "
        "\"gravity\", \"comment\")");
    bad("{\"forces\": [{\"plugin\": \"wind.gust\", \"strenght\": 1}]}",
        "s.json: /forces/0/strenght: unknown key, did you mean \"strength\"?");
    bad("{\"\": 1}", "s.json: /: unknown key (known: \"bodies\", \"grooms\", \"sim\", \"forces\", "
                     "\"comment\")");
    bad("{\"a\\nb\": 1}", "s.json: /a?b: unknown key (known: \"bodies\", \"grooms\", \"sim\", "
                          "\"forces\", \"comment\")");
}

TEST(sections_must_have_their_form)
{
    bad("[]", "s.json: /: found an array of 0, expected an object");
    bad("3", "s.json: /: found 3, expected an object");
    bad("{\"sim\": 3, \"forces\": {}, \"bodies\": [3]}",
        "s.json: /sim: found 3, expected an object\n"
        "s.json: /forces: found an object, expected an array of objects\n"
        "s.json: /bodies/0: found 3, expected an object");
    bad("{\"sim\": null}", "s.json: /sim: found null, expected an object");
    bad("{\"comment\": 1, \"$schema\": 2}", "s.json: /comment: found 1, expected a string\n"
                                            "s.json: /$schema: found 2, expected a string");
}

TEST(all_errors_are_reported_together)
{
    bad("{\"sim\": {\"substeps\": 0, \"methd\": \"rod\", \"gravity\": [0, \"x\", 0]},\n"
        " \"grooms\": [{\"name\": \"hair\", \"count\": -1, \"hair\": {\"eumelanin\": 11}}],\n"
        " \"bodies\": [{\"name\": \"head\", \"mesh\": \"gone.obj\"}]}",
        "s.json: /sim/substeps: 0 is below 1\n"
        "s.json: /sim/methd: unknown key, did you mean \"method\"?\n"
        "s.json: /sim/gravity/1: found \"x\", expected a number\n"
        "s.json: /grooms/0/count: -1 is below 0\n"
        "s.json: /grooms/0/hair/eumelanin: 11 is above 10\n"
        "s.json: /grooms/0: \"body\" is missing\n"
        "s.json: /bodies/0/mesh: file not found: gone.obj");
}

TEST(the_number_of_error_lines_is_limited)
{
    char text[20000] = "{\"sim\": {", *end = text + strlen(text);
    for (int i = 0; i < 100; ++i) {
        end += sprintf(end, "%s\"zebra%d\": %d", i > 0 ? ", " : "", i, i);
    }
    sprintf(end, "}}");
    const loaded result = load(text, NULL, NULL, NULL);
    CHECK(result.status == COIF_ERR_SCENE);
    CHECK_CONTAINS(result.error.text, "/sim/zebra0: ");
    CHECK(strlen(result.error.text) < sizeof result.error.text - 1);
    int lines = 1;
    for (const char *at = result.error.text; *at != '\0'; ++at) {
        lines += *at == '\n';
    }
    char last[100];
    snprintf(last, sizeof last, "\n... and %d more", 100 - (lines - 1));
    CHECK(lines > 10);
    const size_t length = strlen(result.error.text);
    CHECK_TEXT(result.error.text + length - strlen(last), last);
}

// Nothing in the loader grows faster than the file.
TEST(a_huge_hostile_scene_is_rejected)
{
    enum { COUNT = 40000 };
    char *text = coif_arena_new(&arena, 64 + COUNT * 100, char), *end = text;
    end += sprintf(end, "{\"bodies\": [");
    for (int i = 0; i < COUNT; ++i) {
        end += sprintf(end, "%s{\"name\": \"n%d\", \"msh%d\": 1, \"rotate\": \"x\"}",
                       i > 0 ? ", " : "", i / 2, i);
    }
    sprintf(end, "]}");
    const loaded result = load(text, NULL, NULL, NULL);
    CHECK(result.status == COIF_ERR_SCENE);
    char last[100];
    // Per entry: mesh is missing, rotate is no vector, a key is unknown; every second name is old.
    int lines = 0;
    for (const char *at = result.error.text; *at != '\0'; ++at) {
        lines += *at == '\n';
    }
    snprintf(last, sizeof last, "\n... and %d more", 3 * COUNT + COUNT / 2 - lines);
    CHECK_CONTAINS(result.error.text, last);
}

// 900 KB whose entries would take a gigabyte.
TEST(the_number_of_entries_is_limited)
{
    enum { COUNT = 300000 };
    char *text = coif_arena_new(&arena, 64 + COUNT * 3, char), *end = text;
    end += sprintf(end, "{\"bodies\": [{}");
    for (int i = 1; i < COUNT; ++i) {
        end += sprintf(end, ",{}");
    }
    sprintf(end, "]}");
    const size_t before = arena.used;
    const loaded result = load(text, NULL, NULL, NULL);
    CHECK(result.status == COIF_ERR_SCENE);
    CHECK_CONTAINS(result.error.text, "/bodies: 300000 entries, expected at most 100000");
    CHECK(arena.used - before < 200 * (size_t)COUNT);
}

TEST(text_may_come_from_memory)
{
    const char text[] = "{\"sim\": {\"substeps\": 0}} and what lies behind";
    coif_scene scene;
    coif_error error = {0};
    const coif_scene_desc desc = {.path = "unsaved.json",
                                  .tree = &FAKE_TREE,
                                  .plugins = &FAKE_LOOKUP,
                                  .source = text,
                                  .source_size = strlen("{\"sim\": {\"substeps\": 0}}")};
    CHECK(coif_scene_load(&scene, &desc, &arena, &error) == COIF_ERR_SCENE);
    CHECK_TEXT(error.text, "unsaved.json: /sim/substeps: 0 is below 1");
    CHECK(scene.source == text);
    CHECK_TEXT(scene.folder, ".");
}

TEST(the_length_of_a_line_is_limited)
{
    char text[4000] = "{\"";
    memset(text + 2, 'k', 3000);
    strcat(text, "\": 1}");
    const loaded result = load(text, NULL, NULL, NULL);
    CHECK(result.status == COIF_ERR_SCENE && strlen(result.error.text) < 600);
    CHECK_CONTAINS(result.error.text, "kkk...");
}

TEST(required_parameters_must_be_given)
{
    bad("{\"bodies\": [{}]}", "s.json: /bodies/0: \"name\" is missing\n"
                              "s.json: /bodies/0: \"mesh\" is missing");
    bad("{\"bodies\": [{\"name\": \"\", \"mesh\": \"\"}]}",
        "s.json: /bodies/0/name: must not be empty\n"
        "s.json: /bodies/0/mesh: must not be empty");
    // A wrong type is one error, not two.
    bad("{\"bodies\": [{\"name\": 3, \"mesh\": \"head.obj\"}]}",
        "s.json: /bodies/0/name: found 3, expected a string");
}

TEST(names_are_unique)
{
    bad_set(GOOD, "grooms/1/name=hair",
            "s.json: /grooms/1/name: \"hair\" is already the name of /grooms/0 (from --set "
            "grooms/1/name=hair)");
}

// They become file names: a stranger's scene must not write outside its folder.
TEST(names_are_valid_in_file_names)
{
    const char *const wrong[] = {"../x", "a/b", "a\\\\b", ".x", "c:x", "a\\nb"};
    for (size_t i = 0; i < COIF_COUNT_OF(wrong); ++i) {
        char text[200], wanted[200];
        snprintf(text, sizeof text, "{\"bodies\": [{\"name\": \"%s\", \"mesh\": \"head.obj\"}]}",
                 wrong[i]);
        snprintf(
            wanted, sizeof wanted,
            "s.json: /bodies/0/name: \"%s\" is not a valid name: it must not begin with a dot or "
            "contain / \\ : or control characters",
            wrong[i]);
        bad(text, wanted);
    }
    good("{\"bodies\": [{\"name\": \"Bj\xc3\xb6rn 2.1\", \"mesh\": \"head.obj\"}]}", NULL);
}

TEST(references_must_exist)
{
    bad_set(GOOD, "grooms/1/body=haed",
            "s.json: /grooms/1/body: \"haed\" is not the name of one of the bodies, did you mean "
            "\"head\"? (known: \"head\") (from --set grooms/1/body=haed)");
    bad("{\"grooms\": [{\"name\": \"a\", \"body\": \"head\"}]}",
        "s.json: /grooms/0/body: \"head\" is not the name of one of the bodies (known: none)");
    // Bodies of the wrong form do not also invalidate every reference.
    bad("{\"bodies\": 1, \"grooms\": [{\"name\": \"a\", \"body\": \"head\"}]}",
        "s.json: /bodies: found 1, expected an array of objects");
}

TEST(maps_must_exist_in_the_same_groom)
{
    bad_set(GOOD, "grooms/0/length/map=lnog",
            "s.json: /grooms/0/length/map: \"lnog\" is not the name of a map, did you mean "
            "\"long\"? (known: \"long\") (from --set grooms/0/length/map=lnog)");
    bad_set(GOOD, "grooms/beard/length={\"map\": \"long\", \"range\": [0, 1]}",
            "s.json: /grooms/1/length/map: \"long\" is not the name of a map (known: none) (from "
            "--set grooms/beard/length={\"map\": \"long\", \"range\": [0, 1]})");
    bad_set(GOOD, "grooms/0/modifiers/0/radius/map=curls",
            "s.json: /grooms/0/modifiers/0/radius/map: \"curls\" is not the name of a map (known: "
            "\"long\") (from --set grooms/0/modifiers/0/radius/map=curls)");
}

TEST(unknown_plugins_list_the_known_ones)
{
    bad("{\"forces\": [{\"plugin\": \"wind.gsut\", \"whatever\": 1}]}",
        "s.json: /forces/0/plugin: \"wind.gsut\" is not a force plugin, did you mean "
        "\"wind.gust\"? (known: \"wind.gust\", \"wind.calm\")");
    bad("{\"forces\": [{\"plugin\": \"groom.curl\"}]}",
        "s.json: /forces/0/plugin: \"groom.curl\" is not a force plugin of the loaded modules, see "
        "--plugin-path (known: \"wind.gust\", \"wind.calm\")");
    bad("{\"forces\": [{\"strength\": 1}]}",
        "s.json: /forces/0: \"plugin\" is missing (known: \"wind.gust\", \"wind.calm\")");
    bad("{\"forces\": [{\"plugin\": 3}]}",
        "s.json: /forces/0/plugin: found 3, expected the id of a plugin");
    bad("{\"sim\": {\"plugin\": \"wind.gust\"}}",
        "s.json: /sim/plugin: unknown key (known: \"substeps\", \"method\", \"gravity_on\", "
        "\"gravity\", \"comment\")");
}

TEST(a_later_format_is_the_only_error)
{
    bad("{\"coif\": 2, \"new\": {}}", "s.json: /coif: scene format 2 is not supported, expected 1");
    bad("{\"coif\": 0}", "s.json: /coif: found 0, expected 1, the format version");
    bad("{\"coif\": \"1\"}", "s.json: /coif: found \"1\", expected 1, the format version");
}
// A module that asks for a section missing from the tree has a bug; that must not become a NULL
// dereference in any build.
TEST(a_missing_section_aborts_in_every_build)
{
    const coif_scene scene = good(GOOD, NULL);
    const pid_t process = fork();
    if (process == 0) {
        coif_node_at(scene.root, "nothing");
        _exit(0);
    }
    int status = 0;
    waitpid(process, &status, 0);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}
