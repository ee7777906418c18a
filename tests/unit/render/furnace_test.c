// White furnace tests of whole renders: hair without absorption is invisible in uniform light.
#include "tests/support/render_exr.h"

static coif_arena arena;

// Mean of the green channel over the hair and over the whole image.
static void mean_light(const coif_image *image, double *hair, double *all)
{
    const int32_t light = channel_of(image, "G"), mask = channel_of(image, "mask.hair");
    const int64_t pixels = (int64_t)image->width * image->height;
    double coverage = 0.0;
    *hair = *all = 0.0;
    for (int64_t i = 0; i < pixels; ++i) {
        const float *pixel = image->pixels + i * image->channel_count;
        coverage += (double)pixel[mask];
        *hair += (double)pixel[mask] * (double)pixel[light];
        *all += (double)pixel[light] / (double)pixels;
    }
    CHECK(coverage > 0.05 * (double)pixels);
    *hair /= coverage;
}

// A box whose faces point inwards.
static const char BOX[] = "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\n"
                          "v -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
                          "vn 0 0 1\nvn 0 0 -1\nvn 0 1 0\nvn 0 -1 0\nvn 1 0 0\nvn -1 0 0\n"
                          "f 1//1 2//1 3//1 4//1\nf 5//2 8//2 7//2 6//2\nf 1//3 5//3 6//3 2//3\n"
                          "f 4//4 3//4 7//4 8//4\nf 1//5 4//5 8//5 5//5\nf 2//6 6//6 7//6 3//6\n";

// Emission E and albedo r of a closed box give radiance E / (1 - r) everywhere; hair without
// absorption is invisible in it.
TEST(closed_emissive_box_has_uniform_radiance_with_white_hair_in_it)
{
    coif_error error = {0};
    CHECK_OK(coif_file_save(coif_test_path("box.obj"), BOX, strlen(BOX), &error), error);
    const char *bodies = coif_arena_print(
        &arena,
        "bodies=[{\"name\":\"ball\",\"mesh\":\"%s\",\"visible\":false},{\"name\":\"box\","
        "\"mesh\":\"%s\",\"material\":{\"color\":[0.6,0.6,0.6],\"specular\":0,"
        "\"emission\":[0.4,0.4,0.4]}}]",
        coif_test_source("scenes/assets/ball.obj"), coif_test_path("box.obj"));
    const char *const sets[] = {bodies,
                                "lights=[]",
                                "grooms/0/hair={\"eumelanin\":0,\"pheomelanin\":0}",
                                "image/samples=128",
                                "image/background=[0,0,0]",
                                "image/width=32",
                                "image/height=32"};
    const coif_image image = render_exr("mask", sets, COIF_COUNT_OF(sets), &arena);
    double hair, all;
    mean_light(&image, &hair, &all);
    CHECK_NEAR(hair, 1.0, 0.01);
    CHECK_NEAR(all, 1.0, 0.005);
}

// From scene file to EXR, at any scattering order.
TEST(white_hair_in_a_white_environment_is_invisible)
{
    static const char *const sets[] = {"lights=[{\"type\":\"environment\",\"visible\":true}]",
                                       "bodies/0/visible=false",
                                       "grooms/0/hair={\"eumelanin\":0,\"pheomelanin\":0}",
                                       "image/samples=64",
                                       "image/width=48",
                                       "image/height=48"};
    const coif_image image = render_exr("mask", sets, COIF_COUNT_OF(sets), &arena);
    double hair, all;
    mean_light(&image, &hair, &all);
    CHECK_NEAR(hair, 1.0, 0.005);
    CHECK_NEAR(all, 1.0, 0.005);
    CHECK_NEAR(image.pixels[0], 1.0, 1e-6); // the environment, without another background
}
