// AOVs: sums, contents, motion vectors, variance, EXR layouts, Cryptomatte.
#include "render/film/aov.h"

#include "core/json/json.h"
#include "render/film/cryptomatte.h"
#include "tests/support/render_cache.h"

static coif_arena arena;

static coif_image load(const char *name, int32_t part)
{
    coif_image image = {0};
    coif_error error = {0};
    CHECK_OK(coif_image_load_part(&image, coif_test_path(name), part, &arena, &error), error);
    return image;
}

// Renders the ball with AOVs in one EXR part, 32-bit.
static coif_image render_aovs(const char *aovs, const char *const *sets, int32_t set_count)
{
    coif_error error = {0};
    const char *all[8] = {"image/exr_layout=single", "image/exr_pixel_type=float"};
    for (int32_t i = 0; i < set_count; ++i) {
        all[2 + i] = sets[i];
    }
    coif_render_desc desc = ball_render_desc(ball_scene(all, 2 + set_count, &arena));
    ball_cache(&arena);
    desc.source.aovs = aovs;
    desc.overwrite = true;
    CHECK_OK(ball_render(&desc, 2, &arena, &error), error);
    return load("render0001.exr", 0);
}

// Largest difference between beauty and the sum of AOVs.
static double max_difference(const coif_image *image, const char *const *layers, int32_t count)
{
    static const char colours[] = "RGB";
    double worst = 0.0;
    for (int c = 0; c < 3; ++c) {
        const int32_t whole = channel_of(image, (char[]){colours[c], '\0'});
        int32_t parts[16];
        for (int32_t i = 0; i < count; ++i) {
            parts[i] = channel_of(image, coif_arena_print(&arena, "%s.%c", layers[i], colours[c]));
        }
        for (int64_t i = 0; i < (int64_t)image->width * image->height; ++i) {
            const float *pixel = image->pixels + i * image->channel_count;
            double sum = 0.0;
            for (int32_t k = 0; k < count; ++k) {
                sum += pixel[parts[k]];
            }
            worst = fmax(worst, fabs(sum - pixel[whole]) / (pixel[whole] + 0.01));
        }
    }
    return worst;
}

static double total(const coif_image *image, const char *channel)
{
    const int32_t c = channel_of(image, channel);
    double sum = 0.0;
    for (int64_t i = 0; i < (int64_t)image->width * image->height; ++i) {
        sum += image->pixels[i * image->channel_count + c];
    }
    return sum;
}

TEST(lobes_passes_and_light_groups_add_up_to_beauty)
{
    static const char *const sets[] = {"lights/0/light_group=key", "lights/1/light_group=rim",
                                       "lights/1/visible=true"};
    static const char *const lobes[] = {"R", "TT", "TRT", "hair_multiple", "surface", "background"};
    static const char *const passes[] = {"direct", "indirect", "background"};
    static const char *const lights[] = {"light_other", "light_key", "light_rim"};
    const coif_image image =
        render_aovs("hair_lobes light_passes lights", sets, COIF_COUNT_OF(sets));
    CHECK_NEAR(max_difference(&image, lobes, COIF_COUNT_OF(lobes)), 0.0, 3e-6);
    CHECK_NEAR(max_difference(&image, passes, COIF_COUNT_OF(passes)), 0.0, 3e-6);
    CHECK_NEAR(max_difference(&image, lights, COIF_COUNT_OF(lights)), 0.0, 3e-6);
    for (size_t i = 0; i < COIF_COUNT_OF(lobes); ++i) {
        CHECK(total(&image, coif_arena_print(&arena, "%s.G", lobes[i])) > 0.1);
    }
    for (size_t i = 0; i < COIF_COUNT_OF(lights); ++i) {
        CHECK(total(&image, coif_arena_print(&arena, "%s.G", lights[i])) > 0.1);
    }
}

// Without a light the AOVs of the others stay the same, and its own AOV is the difference, up to
// noise.
TEST(a_light_group_holds_the_light_of_its_lights)
{
    static const char *const both[] = {"lights/0/light_group=key", "image/width=32",
                                       "image/height=32", "image/samples=64"};
    static const char *const alone[] = {"lights/1/intensity=0",     "lights/2/intensity=0",
                                        "image/background=[0,0,0]", "image/width=32",
                                        "image/height=32",          "image/samples=64"};
    const coif_image all = render_aovs("lights", both, COIF_COUNT_OF(both));
    const double key = total(&all, "light_key.G");
    const coif_image one = render_aovs("lights", alone, COIF_COUNT_OF(alone));
    CHECK_NEAR(key / total(&one, "G"), 1.0, 0.03);
}

TEST(aovs_do_not_change_beauty_or_depend_on_threads)
{
    coif_error error = {0};
    const coif_image plain = render_aovs("Z", NULL, 0), all = render_aovs("all", NULL, 0);
    for (int64_t i = 0; i < (int64_t)plain.width * plain.height; ++i) {
        CHECK(memcmp(plain.pixels + i * plain.channel_count, all.pixels + i * all.channel_count,
                     4 * sizeof(float)) == 0);
    }
    char *bytes[2];
    size_t sizes[2];
    for (int threads = 1; threads <= 2; ++threads) {
        coif_render_desc desc = ball_render_desc(ball_scene(NULL, 0, &arena));
        desc.source.aovs = "all";
        desc.overwrite = true;
        CHECK_OK(ball_render(&desc, threads, &arena, &error), error);
        CHECK_OK(coif_file_load(&bytes[threads - 1], &sizes[threads - 1],
                                coif_test_path("render0001.exr"), &arena, &error),
                 error);
    }
    CHECK(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
}

// Hair moves a centimetre to the right.
TEST(position_id_and_motion_are_those_of_the_visible_strand)
{
    const coif_image image =
        render_aovs("P Z N tangent root_uv strand_id forward mask samples", NULL, 0);
    const int32_t p = channel_of(&image, "P.X"), z = channel_of(&image, "Z");
    const int32_t u = channel_of(&image, "forward.u"), v = channel_of(&image, "forward.v");
    const int32_t id = channel_of(&image, "strand_id"), root = channel_of(&image, "root_uv.U");
    const int32_t n = channel_of(&image, "N.X"), hair = channel_of(&image, "mask.hair");
    const int32_t skin = channel_of(&image, "mask.surface");
    const coif_vec3 eye = {0.0f, 0.15f, 0.5f};
    const coif_vec3 ahead = coif_normalize(coif_sub((coif_vec3){0.0f, 0.02f, 0.0f}, eye));
    const double pixels = 64.0 / (2.0 * tan(15.0 * 3.14159265358979 / 180.0));
    int strands = 0, bodies = 0;
    for (int64_t i = 0; i < 64 * 64; ++i) {
        const float *at = image.pixels + i * image.channel_count;
        CHECK(at[channel_of(&image, "samples")] == 16.0f);
        if (at[z] == 0.0f) {
            // Splatted from a neighbour.
            CHECK(at[id] == 0.0f && at[p] == 0.0f && at[u] == 0.0f && at[hair] + at[skin] < 0.2f);
            continue;
        }
        const coif_vec3 position = {at[p], at[p + 1], at[p + 2]};
        // Positions on hair are on the centre line, a radius behind the surface.
        CHECK_NEAR(at[z], coif_dot(coif_sub(position, eye), ahead), 1e-3);
        CHECK(at[n] * at[n] + at[n + 1] * at[n + 1] + at[n + 2] * at[n + 2] <= 1.0001f);
        CHECK(at[hair] + at[skin] <= 1.0001f);
        if (at[id] > 0.0f) {
            ++strands;
            CHECK_NEAR(at[root], (at[id] - 0.5f) / 400.0f, 1e-6);
            CHECK_NEAR(at[u], 0.01 / at[z] * pixels, 0.01);
            CHECK_NEAR(at[v], 0.0, 0.01);
        } else {
            ++bodies;
            CHECK_NEAR(coif_length(position), 0.1, 2e-3);
            CHECK(at[u] == 0.0f && at[v] == 0.0f);
        }
    }
    CHECK(strands > 100 && bodies > 10);
}

// The camera moves down, so the image moves up.
TEST(motion_vectors_include_the_camera)
{
    static const char *const sets[] = {
        "camera/position={\"keys\": [[0, [0, 0.17, 0.5]], [1, [0, 0.15, 0.5]], [2, [0, 0.14, "
        "0.5]]]}",
        "camera/look_at={\"keys\": [[0, [0, 0.17, 0]], [1, [0, 0.15, 0]], [2, [0, 0.14, 0]]]}"};
    const coif_image image = render_aovs("forward backward Z", sets, COIF_COUNT_OF(sets));
    const int32_t back = channel_of(&image, "backward.v");
    const int32_t v = channel_of(&image, "forward.v"), z = channel_of(&image, "Z");
    const double pixels = 64.0 / (2.0 * tan(15.0 * 3.14159265358979 / 180.0));
    int seen = 0;
    for (int64_t i = 0; i < 64 * 64; ++i) {
        const float *at = image.pixels + i * image.channel_count;
        if (at[z] > 0.0f) {
            ++seen;
            CHECK_NEAR(at[v], 0.01 / at[z] * pixels, 0.01);
            CHECK_NEAR(at[back], -0.02 / at[z] * pixels, 0.02);
        }
    }
    CHECK(seen > 100);
}

// At the second frame strands were a centimetre to the left.
TEST(backward_motion_vectors_point_to_the_previous_frame)
{
    static const char *const sets[] = {"image/exr_layout=single", "image/exr_pixel_type=float"};
    ball_cache(&arena);
    coif_render_desc desc = ball_render_desc(ball_scene(sets, COIF_COUNT_OF(sets), &arena));
    desc.source.aovs = "backward strand_id Z";
    desc.frames = (coif_frame_list){2, 2, 1, NULL};
    coif_error error = {0};
    CHECK_OK(ball_render(&desc, 2, &arena, &error), error);
    coif_image image;
    CHECK_OK(coif_image_load(&image, coif_test_path("render0002.exr"), &arena, &error), error);
    const int32_t u = channel_of(&image, "backward.u"), id = channel_of(&image, "strand_id");
    const int32_t z = channel_of(&image, "Z");
    const double pixels = 64.0 / (2.0 * tan(15.0 * 3.14159265358979 / 180.0));
    int strands = 0;
    for (int64_t i = 0; i < 64 * 64; ++i) {
        const float *at = image.pixels + i * image.channel_count;
        if (at[id] > 0.0f) {
            ++strands;
            CHECK_NEAR(at[u], -0.01 / at[z] * pixels, 0.01);
        }
    }
    CHECK(strands > 100);
}

// Estimated variance against that over seeds. Sobol samples are better than independent ones, so
// the estimate is too large.
TEST(variance_matches_that_over_seeds)
{
    enum { SEEDS = 10, PIXELS = 32 * 32 };
    double *sum = coif_arena_new(&arena, PIXELS, double),
           *square = coif_arena_new(&arena, PIXELS, double);
    double estimated = 0.0, found = 0.0;
    for (int seed = 0; seed < SEEDS; ++seed) {
        const char *sets[] = {coif_arena_print(&arena, "image/seed=%d", seed), "image/samples=8",
                              "image/width=32", "image/height=32"};
        const coif_image image = render_aovs("variance", sets, 4);
        const int32_t c = channel_of(&image, "variance.G");
        for (int i = 0; i < PIXELS; ++i) {
            const float *at = image.pixels + (size_t)i * (size_t)image.channel_count;
            estimated += at[c] / SEEDS;
            sum[i] += at[1];
            square[i] += (double)at[1] * at[1];
        }
    }
    for (int i = 0; i < PIXELS; ++i) {
        found += (square[i] - sum[i] * sum[i] / SEEDS) / (SEEDS - 1);
    }
    CHECK(estimated / found > 0.9 && estimated / found < 2.0);
}

TEST(exr_layouts_name_parts_and_channels)
{
    static const char *const wanted[][3] = {
        // part, first channel, layout
        {"rgba", "R", "spec"}, {"N", "N.X", "spec"}, {"Z", "Z", "spec"},
        {"rgba", "R", "nuke"}, {"N", "X", "nuke"},   {"depth", "Z", "nuke"},
    };
    coif_error error = {0};
    ball_cache(&arena);
    for (int layout = 1; layout <= 4; ++layout) {
        coif_render_desc desc = ball_render_desc(ball_scene(NULL, 0, &arena));
        desc.source.aovs = "N Z";
        desc.source.exr_layout = layout;
        CHECK_OK(ball_render(&desc, 2, &arena, &error), error);
        for (int part = 0; part < 3 && layout < 3; ++part) {
            const char *const *row = wanted[3 * (layout - 1) + part];
            const coif_image image = load("render0001.exr", part);
            CHECK_TEXT(image.part, row[0]);
            CHECK_TEXT(image.channel_names[0], row[1]);
        }
    }
    const coif_image normal = load("render0001.N.exr", 0);
    CHECK_TEXT(normal.channel_names[0], "N.X");
    CHECK(load("render0001.exr", 0).channel_count == 4);
    coif_image none;
    CHECK(coif_image_load_part(&none, coif_test_path("render0001.exr"), 1, &arena, &error) ==
          COIF_ERR_ARGUMENT);
}

TEST(unknown_aovs_and_invalid_groups_are_errors)
{
    coif_error error = {0};
    CHECK(coif_aovs_check("N, Z  hair_lobes", &error) == COIF_OK);
    CHECK(coif_aovs_check("N,albdo", &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "\"albdo\" (did you mean \"albedo\"?)");
    error = (coif_error){0};
    CHECK(COIF_LIGHTS_SECTION.check_text("light_group", "no good", &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "no good");
}

static coif_status load_scene(coif_scene *scene, const char *text, coif_error *error)
{
    const coif_scene_desc desc = {.path = coif_test_path("list.json"),
                                  .tree = ball_tree(),
                                  .source = text,
                                  .source_size = strlen(text)};
    *error = (coif_error){0};
    return coif_scene_load(scene, &desc, &arena, error);
}

// A JSON list equals a string of names.
TEST(aovs_may_be_a_list)
{
    coif_scene list, words;
    coif_error error;
    CHECK_OK(load_scene(&list, "{\"image\": {\"aovs\": [\"N\", \"Z\"]}}", &error), error);
    CHECK_OK(load_scene(&words, "{\"image\": {\"aovs\": \"N Z\"}}", &error), error);
    CHECK_TEXT(coif_values_find(&coif_node_at(list.root, "image")->values, "aovs")->text, "N Z");
    CHECK(list.digest == words.digest);
    CHECK(load_scene(&list, "{\"image\": {\"aovs\": [\"N\", 7]}}", &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "image/aovs/1");
    CHECK(load_scene(&list, "{\"image\": {\"aovs\": [\"albdo\"]}}", &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "did you mean \"albedo\"?");
}

// Values of the reference implementation.
TEST(cryptomatte_hashes_match_the_specification)
{
    CHECK(coif_murmur3("", 0) == 0);
    CHECK(coif_murmur3("", 1) == 0x514e28b7u);
    CHECK(coif_murmur3("test", 0) == 0xba6bd213u);
    CHECK(coif_murmur3("Hello, world!", 0) == 0xc0363e43u);
    CHECK(coif_murmur3("The quick brown fox jumps over the lazy dog", 0) == 0x2e4ff723u);
    for (int i = 0; i < 2000; ++i) {
        CHECK(isnormal(coif_cryptomatte_id(coif_arena_print(&arena, "name%d", i))));
    }
}

static float matte(const float *pixel, const int32_t *ranks, float id)
{
    float covered = 0.0f;
    for (int i = 0; i < 2 * 3; ++i) {
        covered +=
            pixel[ranks[i / 2] + 2 * (i % 2)] == id ? pixel[ranks[i / 2] + 2 * (i % 2) + 1] : 0.0f;
    }
    return covered;
}

// Decoded as in a compositor: names from the manifest, coverage from the ranks.
TEST(cryptomattes_decode_to_coverage)
{
    const coif_image image = render_aovs("crypto mask", NULL, 0);
    coif_error error = {0};
    const char *path = coif_test_path("render0001.exr");
    char *text = NULL;
    const char *key =
        coif_arena_print(&arena, "cryptomatte/%.7s/manifest",
                         coif_arena_print(&arena, "%08x", coif_murmur3("crypto_object", 0)));
    CHECK_OK(coif_image_read_attribute(&text, path, key, &arena, &error), error);
    CHECK(text != NULL);
    CHECK_CONTAINS(text != NULL ? text : "",
                   coif_arena_print(&arena, "\"hair\": \"%08x\"", coif_cryptomatte_hash("hair")));
    int32_t objects[3], clumps[3];
    for (int i = 0; i < 3; ++i) {
        objects[i] = channel_of(&image, coif_arena_print(&arena, "crypto_object%02d.R", i));
        clumps[i] = channel_of(&image, coif_arena_print(&arena, "crypto_clump%02d.R", i));
    }
    const int32_t hair = channel_of(&image, "mask.hair"), skin = channel_of(&image, "mask.surface");
    double lost = 0.0, shown = 0.0;
    for (int64_t i = 0; i < 64 * 64; ++i) {
        const float *at = image.pixels + i * image.channel_count;
        const float of_hair = matte(at, objects, coif_cryptomatte_id("hair"));
        const float of_ball = matte(at, objects, coif_cryptomatte_id("ball"));
        // Splatted coverage has no identifier here.
        CHECK_NEAR(of_hair, at[hair], of_hair > 0.0f ? 1e-6 : 0.2);
        CHECK_NEAR(of_ball, at[skin], of_ball > 0.0f ? 1e-6 : 0.2);
        float all = 0.0f, before = 2.0f;
        for (int k = 0; k < 6; ++k) {
            const float coverage = at[clumps[k / 2] + 2 * (k % 2) + 1];
            CHECK(coverage <= before);
            before = coverage;
            all += coverage;
        }
        CHECK(all <= at[hair] + 1e-6f);
        lost += at[hair] - all;
        shown += all;
    }
    CHECK(shown > 100.0 && lost < 0.05 * shown);
}
