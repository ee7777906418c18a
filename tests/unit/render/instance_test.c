// Instances: appearance, motion blur, Cryptomatte names, errors.
#include "render/geometry/instance.h"

#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "core/hair/groom.h"
#include "core/image/image.h"
#include "render/film/cryptomatte.h"
#include "tests/support/render_cache.h"

static coif_arena arena;

enum { SIZE = 32, COUNT = 200, LENGTH = 8 };

static void make_groom(void)
{
    coif_error error = {0};
    coif_mesh mesh;
    CHECK_OK(coif_mesh_load(&mesh, coif_test_source("scenes/assets/ball.obj"),
                            &COIF_MESH_ALL_TRIANGLES, &arena, &error),
             error);
    int32_t lengths[COUNT];
    for (int32_t s = 0; s < COUNT; ++s) {
        lengths[s] = LENGTH;
    }
    coif_groom groom;
    CHECK_OK(coif_groom_init(&groom, lengths, COUNT, &arena, &error), error);
    for (int32_t i = 0; i < COUNT * LENGTH; i += LENGTH) {
        coif_vec4 *p = groom.rest.points + i;
        ball_strand(p, LENGTH, i / LENGTH, COUNT);
        for (int k = 0; k < LENGTH; ++k) {
            p[k] = (coif_vec4){0.1f * p[k].x, 0.1f * p[k].y, 0.1f * p[k].z, 1e-3f};
        }
        groom.random[i / LENGTH] = coif_random_word(1, (uint64_t)i, 9);
    }
    groom.mesh_digest = coif_mesh_topology_digest(&mesh);
    CHECK_OK(coif_groom_save(&groom, coif_test_path("hair.groom"), &error), error);
}

enum { MOST_SETS = 12 };

// The ball at rest in a uniform environment, with values changed.
static coif_image render_image(const char *const *more, int32_t count)
{
    static const char *const common[] = {"lights/0/intensity=0",   "lights/1/intensity=0",
                                         "image/width=32",         "image/height=32",
                                         "image/write_aovs=false", "image/samples=64"};
    const char *sets[MOST_SETS];
    memcpy(sets, common, sizeof common);
    for (int32_t i = 0; i < count; ++i) {
        sets[6 + i] = more[i];
    }
    coif_error error = {0};
    coif_jobs *jobs;
    const coif_render_desc desc = {.source.scene = ball_scene(sets, 6 + count, &arena),
                                   .source.cache = coif_test_folder(),
                                   .folder = coif_test_folder(),
                                   .source.format = "exr",
                                   .frames = {.first = 1, .last = 1, .step = 1},
                                   .source.use_rest_pose = true,
                                   .overwrite = true,
                                   .source.isa = "sse4.2"};
    CHECK_OK(coif_jobs_open(&jobs, 2, &arena, &error), error);
    CHECK_OK(coif_render_frames(&desc, jobs, NULL, &error), error);
    coif_jobs_close(jobs);
    coif_image image = {0};
    CHECK_OK(coif_image_load(&image, coif_test_path("render0001.exr"), &arena, &error), error);
    return image;
}

static double difference(const coif_image *a, const coif_image *b)
{
    double sum = 0.0;
    for (int i = 0; i < 4 * SIZE * SIZE; ++i) {
        const double gap = a->pixels[i] - b->pixels[i];
        sum += gap * gap / (b->pixels[i] * b->pixels[i] + 0.01) / (4 * SIZE * SIZE);
    }
    return sum;
}

// The camera of the scene is at (0, 0.15, 0.5) and is aimed at (0, 0.02, 0). An instance scaled by
// 2, rotated by 90 degrees about y and moved 9 m to the right, seen by a camera transformed
// likewise.
#define COPY                                                                                       \
    "instances=[{\"body\": \"ball\", \"translate\": [9, 0, 0], \"rotate\": [0, 90, 0], "           \
    "\"scale\": 2}]"
#define POSITION "camera/position=[10, 0.3, 0]"
#define TARGET   "camera/look_at=[9, 0.04, 0]"

#define TRAVELLER                                                                                  \
    "instances=[{\"body\": \"ball\", \"rotate\": [0, 90, 0], \"scale\": 2,"                        \
    " \"translate\": {\"keys\": [[1, [9, 0, 0]], [2, [9, 0, 0.4]]]}}]"

#define TWIN                                                                                       \
    "instances=[{\"body\": \"ball\", \"translate\": [9, 0, 0]}, {\"name\": \"twin\", "             \
    "\"body\": \"ball\", \"translate\": [-0.1, 0, 0]}]"

TEST(an_instance_renders_as_the_original)
{
    make_groom();
    static const char *const sets[] = {COPY, POSITION, TARGET};
    const coif_image itself = render_image(NULL, 0);
    const coif_image beside = render_image(sets, 1);    // an instance outside the view
    const coif_image copy = render_image(sets, 3);      // the instance itself
    const coif_image empty = render_image(sets + 1, 2); // the view without the instance
    CHECK_NEAR(difference(&beside, &itself), 0.0, 1e-3);
    CHECK_NEAR(difference(&copy, &itself), 0.0, 6e-3); // noise: 5e-4 with 512 samples
    CHECK(difference(&empty, &itself) > 0.06);
}

// An instance and a camera that move together give a sharp image; a static camera sees blur.
TEST(instances_have_motion_blur)
{
    make_groom();
    static const char *const sets[] = {
        "camera/shutter_close=1", TRAVELLER,
        "camera/position={\"keys\": [[1, [10, 0.3, 0]], [2, [10, 0.3, 0.4]]]}",
        "camera/look_at={\"keys\": [[1, [9, 0.04, 0]], [2, [9, 0.04, 0.4]]]}"};
    const char *const behind[] = {sets[0], sets[1], POSITION, TARGET};
    const coif_image itself = render_image(NULL, 0);
    const coif_image along = render_image(sets, 4);
    const double together = difference(&along, &itself);
    const coif_image left = render_image(behind, 4);
    CHECK_NEAR(together, 0.0, 8e-3); // noise
    CHECK(difference(&left, &itself) > 4.0 * together);
}

// Coverage of a name by first ranks, in pixels.
static double matte_of(const coif_image *image, const char *name)
{
    const float id = coif_cryptomatte_id(name);
    const int32_t channel = channel_of(image, "crypto_object00.R");
    double sum = 0.0;
    for (size_t i = 0; i < SIZE * SIZE; ++i) {
        const float *at = image->pixels + i * (size_t)image->channel_count + channel;
        sum += (at[0] == id ? at[1] : 0.0f) + (at[2] == id ? at[3] : 0.0f);
    }
    return sum;
}

// The original keeps its names; an instance has that of its entry, or its number in the list.
TEST(instances_have_cryptomatte_names)
{
    make_groom();
    static const char *const sets[] = {TWIN, "image/write_aovs=true", "image/aovs=crypto_object",
                                       "image/exr_layout=single", "image/samples=8"};
    const coif_image image = render_image(sets, COIF_COUNT_OF(sets));
    CHECK(matte_of(&image, "ball") > 20.0 && matte_of(&image, "hair") > 20.0);
    CHECK(matte_of(&image, "twin/ball") > 20.0 && matte_of(&image, "twin/hair") > 20.0);
    CHECK(matte_of(&image, "copy0001/ball") == 0.0); // outside the view, but in the manifest
    char *text = NULL;
    coif_error error = {0};
    CHECK_OK(coif_image_read_attribute(&text, coif_test_path("render0001.exr"),
                                       "cryptomatte/f834d0a/manifest", &arena, &error),
             error);
    CHECK_CONTAINS(text != NULL ? text : "", "\"copy0001/hair\"");
}

TEST(an_instance_of_an_unknown_body_is_an_error)
{
    const char *set = "instances=[{\"body\": \"cube\"}]";
    const char *text =
        coif_arena_print(&arena, BALL_SCENE, coif_test_source("scenes/assets/ball.obj"));
    const coif_scene_desc desc = {.path = coif_test_path("ball.json"),
                                  .tree = ball_tree(),
                                  .sets = &set,
                                  .set_count = 1,
                                  .source = text,
                                  .source_size = strlen(text)};
    coif_error error = {0};
    coif_scene scene;
    CHECK(coif_scene_load(&scene, &desc, &arena, &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "cube");
}
