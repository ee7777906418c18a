// --set, and digests of scenes.
#include "tests/support/scene_text.h"

static int32_t substeps_with(const char *set)
{
    const coif_scene scene = good(GOOD, set);
    fake_sim sim;
    coif_node_read(coif_node_at(scene.root, "sim"), 1, &sim);
    return sim.substeps;
}

TEST(overrides_change_values)
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

TEST(overrides_create_missing_members)
{
    const coif_scene scene = good("{}", "sim/gravity=[0, 1, 2]");
    fake_sim sim;
    coif_node_read(coif_node_at(scene.root, "sim"), 1, &sim);
    CHECK(sim.gravity[2] == 2);
    good("{}", "forces=[{\"plugin\": \"wind.gust\"}]");
    good(GOOD, "grooms/beard/hair/tint=[0, 0, 1]");
}

TEST(overrides_accept_bare_text)
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

TEST(entries_are_found_by_plugin)
{
    const coif_scene scene = good(GOOD, "grooms/hair/modifiers/groom.curl/radius=0.5");
    const coif_node *hair = &coif_node_at(scene.root, "grooms")->children[0];
    const coif_node *curl = &coif_node_at(hair, "modifiers")->children[0];
    CHECK(coif_values_find(&curl->plugin_values, "radius")->numbers[0] == 0.5);
    bad_set(GOOD, "forces/wind.breeze/strength=1",
            "s.json: --set forces/wind.breeze/strength=1: forces has no entry wind.breeze (it has "
            "2: \"wind.gust\", \"wind.calm\")");
    static const char TWINS[] =
        "{\"forces\": [{\"plugin\": \"wind.gust\"}, {\"plugin\": \"wind.gust\"}]}";
    bad_set(TWINS, "forces/wind.gust/strength=1",
            "s.json: --set forces/wind.gust/strength=1: forces has 2 entries wind.gust; select one "
            "by index (from 0) or by \"name\"");
}

TEST(errors_name_the_override)
{
    bad_set(GOOD, "sim/substeps=0",
            "s.json: /sim/substeps: 0 is below 1 (from --set "
            "sim/substeps=0)");
    bad_set(GOOD, "sim/subteps=4",
            "s.json: /sim/subteps: unknown key, did you mean \"substeps\"? "
            "(from --set sim/subteps=4)");
    bad_set(GOOD, "sim/substeps=",
            "s.json: /sim/substeps: found \"\", expected an integer (from "
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
            "s.json: --set sim/substeps/x=1: sim/substeps is a number and has no members");
    bad_set("[]", "sim/substeps=1",
            "s.json: --set sim/substeps=1: the scene has no entry sim (it has 0)\n"
            "s.json: /: found an array of 0, expected an object");
}

TEST(an_override_without_a_value_is_an_argument_error)
{
    const char *const wrong[] = {"sim/substeps", "=4", "/=4", ""};
    for (size_t i = 0; i < COIF_COUNT_OF(wrong); ++i) {
        const loaded result = load(GOOD, wrong[i], NULL, NULL);
        CHECK(result.status == COIF_ERR_ARGUMENT);
        CHECK_CONTAINS(result.error.text, "expected PATH=VALUE");
        CHECK_CONTAINS(result.error.text, wrong[i]);
    }
}

static uint64_t digest_with(const char *text, const char *set)
{
    return good(text, set).digest;
}

TEST(equal_scenes_have_equal_digests)
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

TEST(every_change_changes_the_digest)
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

// Independent of the folder; a constant, so that every machine must agree.
TEST(the_digest_is_fixed)
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

TEST(sections_of_a_scene_have_digests)
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
