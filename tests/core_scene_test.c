// scene: a good file reaches the rooms whole; of a bad one every mistake is told, in exact words.
#include "core/fs.h"
#include "core/scene.h"
#include "tests/fake_scene.h"
#include "tests/test.h"

static coif_arena arena = {.name = "test"};

// A scene that uses everything; written beside the two files it names.
static const char GOOD[] =
    "{\n"
    "  \"$schema\": \"scene.schema.json\", \"coif\": 1, \"comment\": \"for tests\",\n"
    "  \"bodies\": [{\"name\": \"head\", \"mesh\": \"head.obj\",\n"
    "              \"rotate\": {\"keys\": [[1, [0, 0, 0]], [25, [0, 90, 0]]]}}],\n"
    "  \"grooms\": [\n"
    "    {\"name\": \"hair\", \"body\": \"head\", \"count\": 500, \"comment\": \"\",\n"
    "     \"length\": {\"map\": \"long\", \"range\": [0.1, 0.3]},\n"
    "     \"radius\": {\"value\": 4e-5, \"ramp\": [[0, 1], [1, 0.2]]},\n"
    "     \"maps\": [{\"name\": \"long\", \"plugin\": \"density.image\", \"file\": "
    "\"long.png\"}],\n"
    "     \"modifiers\": [{\"plugin\": \"groom.curl\",\n"
    "                    \"radius\": {\"map\": \"long\", \"range\": [0, 0.02]}}],\n"
    "     \"hair\": {\"eumelanin\": 1.3}},\n"
    "    {\"name\": \"beard\", \"body\": \"head\"}],\n"
    "  \"sim\": {\"substeps\": 8, \"method\": \"rod\"},\n"
    "  \"forces\": [{\"plugin\": \"wind.gust\", \"strength\": 0.75}, {\"plugin\": \"wind.calm\"}]\n"
    "}\n";

static void write_file(const char *name, const char *text)
{
    coif_error error = {0};
    CHECK_OK(coif_file_save(coif_test_path(name), text, strlen(text), &error), error);
}

typedef struct loaded {
    coif_scene scene;
    coif_status status;
    coif_error error;
} loaded;

// Loads text as FOLDER/s.json with up to three --set.
static loaded load(const char *text, const char *a, const char *b, const char *c)
{
    write_file("s.json", text);
    write_file("head.obj", "");
    write_file("long.png", "");
    const char *const sets[] = {a, b, c};
    const coif_scene_desc desc = {
        .path = coif_arena_copy_text(&arena, coif_test_path("s.json")),
        .sets = sets,
        .set_count = (a != NULL) + (b != NULL) + (c != NULL),
        .tree = &FAKE_TREE,
        .plugins = &FAKE_LOOKUP,
    };
    loaded result = {.status = COIF_OK};
    result.status = coif_scene_load(&result.scene, &desc, &arena, &result.error);
    return result;
}

static coif_scene good(const char *text, const char *set)
{
    const loaded result = load(text, set, NULL, NULL);
    if (result.status != COIF_OK) {
        coif_test_failed(__FILE__, __LINE__, "%s", result.error.text);
    }
    return result.scene;
}

// The message with FOLDER/ left out of every line.
static const char *without_folder(const char *text)
{
    const char *prefix = coif_test_path("");
    const size_t length = strlen(prefix);
    char *result = coif_arena_new(&arena, strlen(text) + 1, char), *end = result;
    while (*text != '\0') {
        if (strncmp(text, prefix, length) == 0) {
            text += length;
        } else {
            *end++ = *text++;
        }
    }
    return result;
}

static void bad_set(const char *text, const char *set, const char *wanted)
{
    const loaded result = load(text, set, NULL, NULL);
    CHECK(result.status == COIF_ERR_SCENE && result.error.status == COIF_ERR_SCENE);
    CHECK_TEXT(without_folder(result.error.text), wanted);
}

static void bad(const char *text, const char *wanted)
{
    bad_set(text, NULL, wanted);
}

static void a_good_scene_reaches_the_rooms(void)
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

static void child_sections_and_plugins_are_found(void)
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

static void what_is_absent_has_every_default(void)
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

static void syntax_errors_are_mistakes_of_the_scene(void)
{
    bad("{\n  \"sim\": {\n}", "s.json:3:2: expected ',' or '}', found the end of the text");
    bad("", "s.json:1:1: the text is empty, expected a value");
    bad("{\"sim\": {}, \"sim\": {}}", "s.json:1:13: key \"sim\" is given twice, first in line 1");
}

static void a_missing_file_is_not_a_mistake_of_the_scene(void)
{
    coif_scene scene;
    coif_error error = {0};
    const coif_scene_desc desc = {.path = coif_test_path("none.json"), .tree = &FAKE_TREE};
    CHECK(coif_scene_load(&scene, &desc, &arena, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "none.json");
}

static void unknown_keys_get_the_nearest_name(void)
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

static void sections_must_have_their_form(void)
{
    bad("[]", "s.json: /: found an array of 0, wanted an object");
    bad("3", "s.json: /: found 3, wanted an object");
    bad("{\"sim\": 3, \"forces\": {}, \"bodies\": [3]}",
        "s.json: /sim: found 3, wanted an object\n"
        "s.json: /forces: found an object, wanted an array of objects\n"
        "s.json: /bodies/0: found 3, wanted an object");
    bad("{\"sim\": null}", "s.json: /sim: found null, wanted an object");
    bad("{\"comment\": 1, \"$schema\": 2}", "s.json: /comment: found 1, wanted a string\n"
                                            "s.json: /$schema: found 2, wanted a string");
}

static void all_mistakes_come_in_one_go(void)
{
    bad("{\"sim\": {\"substeps\": 0, \"methd\": \"rod\", \"gravity\": [0, \"x\", 0]},\n"
        " \"grooms\": [{\"name\": \"hair\", \"count\": -1, \"hair\": {\"eumelanin\": 11}}],\n"
        " \"bodies\": [{\"name\": \"head\", \"mesh\": \"gone.obj\"}]}",
        "s.json: /sim/substeps: 0 is below 1\n"
        "s.json: /sim/methd: unknown key, did you mean \"method\"?\n"
        "s.json: /sim/gravity/1: found \"x\", wanted a number\n"
        "s.json: /grooms/0/count: -1 is below 0\n"
        "s.json: /grooms/0/hair/eumelanin: 11 is above 10\n"
        "s.json: /grooms/0: \"body\" is missing\n"
        "s.json: /bodies/0/mesh: file not found: gone.obj");
}

static void a_flood_of_mistakes_is_capped(void)
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
static void a_huge_hostile_scene_is_refused_quickly(void)
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

static void text_may_come_from_elsewhere(void)
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

static void one_line_stays_of_bounded_length(void)
{
    char text[4000] = "{\"";
    memset(text + 2, 'k', 3000);
    strcat(text, "\": 1}");
    const loaded result = load(text, NULL, NULL, NULL);
    CHECK(result.status == COIF_ERR_SCENE && strlen(result.error.text) < 600);
    CHECK_CONTAINS(result.error.text, "kkk...");
}

static void required_rows_must_be_given(void)
{
    bad("{\"bodies\": [{}]}", "s.json: /bodies/0: \"name\" is missing\n"
                              "s.json: /bodies/0: \"mesh\" is missing");
    bad("{\"bodies\": [{\"name\": \"\", \"mesh\": \"\"}]}",
        "s.json: /bodies/0/name: must not be empty\n"
        "s.json: /bodies/0/mesh: must not be empty");
    // A wrong type is one mistake, not two.
    bad("{\"bodies\": [{\"name\": 3, \"mesh\": \"head.obj\"}]}",
        "s.json: /bodies/0/name: found 3, wanted a string");
}

static void names_are_unique(void)
{
    bad_set(GOOD, "grooms/1/name=hair",
            "s.json: /grooms/1/name: \"hair\" is already the name of /grooms/0 (from --set "
            "grooms/1/name=hair)");
}

// They become file names: a stranger's scene must not write outside its folder.
static void names_are_fit_for_files(void)
{
    const char *const wrong[] = {"../x", "a/b", "a\\\\b", ".x", "c:x", "a\\nb"};
    for (size_t i = 0; i < COIF_COUNT_OF(wrong); ++i) {
        char text[200], wanted[200];
        snprintf(text, sizeof text, "{\"bodies\": [{\"name\": \"%s\", \"mesh\": \"head.obj\"}]}",
                 wrong[i]);
        snprintf(wanted, sizeof wanted,
                 "s.json: /bodies/0/name: \"%s\" is no name: it may not begin with a dot nor "
                 "contain / \\ : or control characters",
                 wrong[i]);
        bad(text, wanted);
    }
    good("{\"bodies\": [{\"name\": \"Bj\xc3\xb6rn 2.1\", \"mesh\": \"head.obj\"}]}", NULL);
}

static void references_must_lead_somewhere(void)
{
    bad_set(GOOD, "grooms/1/body=haed",
            "s.json: /grooms/1/body: \"haed\" is not the name of one of the bodies, did you mean "
            "\"head\"? (known: \"head\") (from --set grooms/1/body=haed)");
    bad("{\"grooms\": [{\"name\": \"a\", \"body\": \"head\"}]}",
        "s.json: /grooms/0/body: \"head\" is not the name of one of the bodies (known: none)");
    // One mistake at a time: bodies of the wrong form do not also make every reference wrong.
    bad("{\"bodies\": 1, \"grooms\": [{\"name\": \"a\", \"body\": \"head\"}]}",
        "s.json: /bodies: found 1, wanted an array of objects");
}

static void maps_must_exist_in_the_same_groom(void)
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

static void unknown_plugins_list_the_known(void)
{
    bad("{\"forces\": [{\"plugin\": \"wind.gsut\", \"whatever\": 1}]}",
        "s.json: /forces/0/plugin: \"wind.gsut\" is not a force plugin, did you mean "
        "\"wind.gust\"? (known: \"wind.gust\", \"wind.calm\")");
    bad("{\"forces\": [{\"plugin\": \"groom.curl\"}]}",
        "s.json: /forces/0/plugin: \"groom.curl\" is not a force plugin (known: \"wind.gust\", "
        "\"wind.calm\")");
    bad("{\"forces\": [{\"strength\": 1}]}",
        "s.json: /forces/0: \"plugin\" is missing (known: \"wind.gust\", \"wind.calm\")");
    bad("{\"forces\": [{\"plugin\": 3}]}",
        "s.json: /forces/0/plugin: found 3, wanted the id of a plugin");
    bad("{\"sim\": {\"plugin\": \"wind.gust\"}}",
        "s.json: /sim/plugin: unknown key (known: \"substeps\", \"method\", \"gravity_on\", "
        "\"gravity\", \"comment\")");
}

static void a_later_format_is_refused_alone(void)
{
    bad("{\"coif\": 2, \"new\": {}}",
        "s.json: /coif: the scene is of format 2, this build reads 1");
    bad("{\"coif\": 0}", "s.json: /coif: found 0, wanted 1, the number of the format");
    bad("{\"coif\": \"1\"}", "s.json: /coif: found \"1\", wanted 1, the number of the format");
}

static int32_t substeps_with(const char *set)
{
    const coif_scene scene = good(GOOD, set);
    fake_sim sim;
    coif_node_read(coif_node_at(scene.root, "sim"), 1, &sim);
    return sim.substeps;
}

static void sets_change_values(void)
{
    CHECK(substeps_with("sim/substeps=16") == 16);
    CHECK(substeps_with("/sim/substeps=17") == 17);
    CHECK(substeps_with("sim={}") == 4);
    CHECK(substeps_with("sim={\"substeps\": 3}") == 3);

    const loaded three = load(GOOD, "grooms/1/count=7", "grooms/hair/hair/eumelanin=0.5",
                              "bodies/0/rotate/keys/1/0=5");
    CHECK_OK(three.status, three.error);
    const coif_node *grooms = coif_node_at(three.scene.root, "grooms");
    CHECK(coif_values_find(&grooms->children[1].values, "count")->numbers[0] == 7);
    CHECK(coif_values_find(&coif_node_at(&grooms->children[0], "hair")->values, "eumelanin")
              ->numbers[0] == 0.5);
    const coif_node *body = &coif_node_at(three.scene.root, "bodies")->children[0];
    CHECK(coif_values_find(&body->values, "rotate")->frames[1] == 5);
}

static void sets_create_what_is_missing(void)
{
    const coif_scene scene = good("{}", "sim/gravity=[0, 1, 2]");
    fake_sim sim;
    coif_node_read(coif_node_at(scene.root, "sim"), 1, &sim);
    CHECK(sim.gravity[2] == 2);
    good("{}", "forces=[{\"plugin\": \"wind.gust\"}]");
    good(GOOD, "grooms/beard/hair/tint=[0, 0, 1]");
}

static void sets_take_bare_text(void)
{
    const coif_scene scene = good(GOOD, "sim/method=xpbd");
    fake_sim sim;
    coif_node_read(coif_node_at(scene.root, "sim"), 1, &sim);
    CHECK(sim.method == 1);
    const coif_scene second = good(GOOD, "grooms/1/name=a=b, c d");
    fake_groom groom;
    coif_node_read(&coif_node_at(second.root, "grooms")->children[1], 1, &groom);
    CHECK_TEXT(groom.name, "a=b, c d");
    good(GOOD, "bodies/0/mesh=head.obj");
}

static void mistakes_name_the_set(void)
{
    bad_set(GOOD, "sim/substeps=0",
            "s.json: /sim/substeps: 0 is below 1 (from --set "
            "sim/substeps=0)");
    bad_set(GOOD, "sim/subteps=4",
            "s.json: /sim/subteps: unknown key, did you mean \"substeps\"? "
            "(from --set sim/subteps=4)");
    bad_set(GOOD, "sim/substeps=",
            "s.json: /sim/substeps: found \"\", wanted a whole number (from "
            "--set sim/substeps=)");
    bad_set(GOOD, "sim/gravity=[1,2,300]",
            "s.json: /sim/gravity/2: 300 is above 100 (from --set sim/gravity=[1,2,300])");
    bad_set(
        GOOD, "grooms/7/count=1",
        "s.json: --set grooms/7/count=1: grooms has no entry 7 (it has 2: \"hair\", \"beard\")");
    bad_set(GOOD, "grooms/brow/count=1",
            "s.json: --set grooms/brow/count=1: grooms has no entry brow (it has 2: \"hair\", "
            "\"beard\")");
    bad_set("{}", "grooms/0/count=1", "s.json: --set grooms/0/count=1: grooms has no entry 0");
    bad_set(GOOD, "sim/substeps/x=1",
            "s.json: --set sim/substeps/x=1: sim/substeps is a number and has nothing inside");
    bad_set("[]", "sim/substeps=1",
            "s.json: --set sim/substeps=1: the scene has no entry sim (it has 0)\n"
            "s.json: /: found an array of 0, wanted an object");
}

static void a_set_of_the_wrong_form_is_wrong_use(void)
{
    const char *const wrong[] = {"sim/substeps", "=4", "/=4", ""};
    for (size_t i = 0; i < COIF_COUNT_OF(wrong); ++i) {
        const loaded result = load(GOOD, wrong[i], NULL, NULL);
        CHECK(result.status == COIF_ERR_ARGUMENT);
        CHECK_CONTAINS(result.error.text, "wanted PATH=VALUE");
        CHECK_CONTAINS(result.error.text, wrong[i]);
    }
}

static uint64_t digest_with(const char *text, const char *set)
{
    return good(text, set).digest;
}

static void equal_scenes_have_equal_digests(void)
{
    const uint64_t digest = digest_with(GOOD, NULL);
    CHECK(digest != 0 && digest == digest_with(GOOD, NULL));
    // White space, order of keys, other forms of a number, defaults and comments do not count.
    const char *one = "{\"sim\": {\"substeps\": 8, \"method\": \"rod\"}}";
    const char *two = "{\n\"coif\": 1, \"sim\":{\"comment\":\"\", \"method\":\"rod\",\"gravity_on\""
                      ":true,\"substeps\":0.8e1, \"gravity\": [0, -9.81, -0]},\"grooms\":[]}";
    const char *three = "{\"sim\": {\"substeps\": {\"keys\": [[9, 8]]}, \"method\": "
                        "{\"value\": \"rod\"}}}";
    CHECK(digest_with(one, NULL) == digest_with(two, NULL));
    CHECK(digest_with(one, NULL) == digest_with(three, NULL));
    CHECK(digest_with("{}", "sim={\"substeps\": 8, \"method\": \"rod\"}") ==
          digest_with(one, NULL));
}

static void every_change_changes_the_digest(void)
{
    const char *const sets[] = {
        "sim/substeps=9",
        "sim/method=pbd",
        "sim/gravity_on=false",
        "sim/gravity=[0,-9.8,0]",
        "grooms/0/length/range/1=0.31",
        "grooms/0/radius/ramp/1/1=0.3",
        "grooms/0/radius/value=5e-5",
        "bodies/0/mesh=./head.obj",
        "bodies/0/rotate/keys/1/0=26",
        "bodies/0/rotate/keys/1/1/1=91",
        "grooms/1/name=moustache",
        "forces/0/plugin=wind.calm",
        "forces/1/strength=1",
        "forces=[]",
        "grooms/1/hair/tint=[1,1,0.5]",
    };
    enum { COUNT = COIF_COUNT_OF(sets) };
    uint64_t digests[COUNT + 1] = {digest_with(GOOD, NULL)};
    for (int i = 1; i <= COUNT; ++i) {
        digests[i] = digest_with(GOOD, sets[i - 1]);
        for (int k = 0; k < i; ++k) {
            if (digests[i] == digests[k]) {
                coif_test_failed(__FILE__, __LINE__, "%s changes nothing", sets[i - 1]);
            }
        }
    }
}

// Where the folder lies does not count; a constant, so that every machine must agree.
static void the_digest_is_the_same_everywhere(void)
{
    const coif_scene scene = good(GOOD, NULL);
    coif_error error = {0};
    char other[1024];
    snprintf(other, sizeof other, "%s/../%s/s.json", coif_test_folder(),
             coif_path_name(coif_test_folder()));
    const coif_scene_desc desc = {.path = other, .tree = &FAKE_TREE, .plugins = &FAKE_LOOKUP};
    coif_scene moved;
    CHECK_OK(coif_scene_load(&moved, &desc, &arena, &error), error);
    CHECK(moved.digest == scene.digest);
    CHECK(digest_with("{}", NULL) == 0x6f1a8bab7df33fadu);
}

static void parts_of_a_scene_have_digests(void)
{
    const char *const except[] = {"hair", NULL};
    const coif_scene scene = good(GOOD, NULL);
    const coif_scene dyed = good(GOOD, "grooms/0/hair/eumelanin=2");
    const coif_scene longer = good(GOOD, "grooms/0/length/range/1=0.4");
    const coif_node *groom = &coif_node_at(scene.root, "grooms")->children[0];
    const coif_node *dyed_groom = &coif_node_at(dyed.root, "grooms")->children[0];
    const coif_node *longer_groom = &coif_node_at(longer.root, "grooms")->children[0];
    CHECK(coif_node_digest(groom, NULL) != coif_node_digest(dyed_groom, NULL));
    CHECK(coif_node_digest(groom, except) == coif_node_digest(dyed_groom, except));
    CHECK(coif_node_digest(groom, except) != coif_node_digest(longer_groom, except));
    CHECK(coif_node_digest(scene.root, except) == coif_node_digest(dyed.root, except));
    CHECK(coif_node_digest(scene.root, NULL) == scene.digest);
}

TEST_MAIN(TEST(a_good_scene_reaches_the_rooms), TEST(child_sections_and_plugins_are_found),
          TEST(what_is_absent_has_every_default), TEST(syntax_errors_are_mistakes_of_the_scene),
          TEST(a_missing_file_is_not_a_mistake_of_the_scene),
          TEST(unknown_keys_get_the_nearest_name), TEST(sections_must_have_their_form),
          TEST(all_mistakes_come_in_one_go), TEST(a_flood_of_mistakes_is_capped),
          TEST(a_huge_hostile_scene_is_refused_quickly), TEST(text_may_come_from_elsewhere),
          TEST(one_line_stays_of_bounded_length), TEST(required_rows_must_be_given),
          TEST(names_are_unique), TEST(names_are_fit_for_files),
          TEST(references_must_lead_somewhere), TEST(maps_must_exist_in_the_same_groom),
          TEST(unknown_plugins_list_the_known), TEST(a_later_format_is_refused_alone),
          TEST(sets_change_values), TEST(sets_create_what_is_missing), TEST(sets_take_bare_text),
          TEST(mistakes_name_the_set), TEST(a_set_of_the_wrong_form_is_wrong_use),
          TEST(equal_scenes_have_equal_digests), TEST(every_change_changes_the_digest),
          TEST(the_digest_is_the_same_everywhere), TEST(parts_of_a_scene_have_digests))
