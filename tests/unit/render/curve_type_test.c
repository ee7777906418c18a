// Curve types: per image and per groom.
#include "tests/support/render_cache.h"
#include "tests/support/test.h"

static coif_arena arena;

static const coif_image *render_with(const char *first, const char *second)
{
    const char *const sets[] = {"image/write_aovs=false", "image/samples=4", first, second};
    coif_error error = {0};
    coif_image *image = coif_arena_new(&arena, 1, coif_image);
    coif_render_desc desc = ball_render_desc(ball_scene(sets, second != NULL ? 4 : 3, &arena));
    desc.overwrite = desc.source.use_rest_pose = true;
    CHECK_OK(ball_render(&desc, 1, &arena, &error), error);
    CHECK_OK(coif_image_load(image, coif_test_path("render0001.exr"), &arena, &error), error);
    return image;
}

static bool same(const coif_image *a, const coif_image *b)
{
    const size_t count = (size_t)a->width * (size_t)a->height * (size_t)a->channel_count;
    return memcmp(a->pixels, b->pixels, count * sizeof *a->pixels) == 0;
}

TEST(curve_type_of_a_groom_overrides_that_of_the_image)
{
    ball_cache(&arena);
    const coif_image *round = render_with("image/curve_type=round", NULL);
    const coif_image *flat = render_with("image/curve_type=flat", NULL);
    const coif_image *linear = render_with("image/curve_type=linear", NULL);
    CHECK(!same(round, flat) && !same(round, linear) && !same(flat, linear));
    CHECK(same(flat, render_with("image/curve_type=flat", "grooms/0/hair/curve_type=image")));
    CHECK(same(round, render_with("image/curve_type=flat", "grooms/0/hair/curve_type=round")));
    CHECK(same(flat, render_with("image/curve_type=linear", "grooms/0/hair/curve_type=flat")));
    CHECK(same(linear, render_with("image/curve_type=round", "grooms/0/hair/curve_type=linear")));
    const coif_image *ribbon =
        render_with("image/curve_type=round", "grooms/0/hair/curve_type=ribbon");
    CHECK(!same(ribbon, round) && !same(ribbon, flat));
    CHECK(same(ribbon, render_with("image/curve_type=flat", "grooms/0/hair/curve_type=ribbon")));
}

static const coif_image *pair_of(const char *one, const char *other)
{
    const char *grooms = coif_arena_print(
        &arena,
        "grooms=[{\"name\": \"hair\", \"body\": \"ball\", \"hair\": {\"curve_type\": \"%s\"}},"
        " {\"name\": \"grass\", \"body\": \"ball\", \"hair\": {\"curve_type\": \"%s\"}}]",
        one, other);
    return render_with(grooms, NULL);
}

// Their strands coincide, so both types are hit.
TEST(grooms_of_different_curve_types_share_an_image)
{
    ball_cache(&arena);
    char *data;
    size_t size;
    coif_error error = {0};
    CHECK_OK(coif_file_load(&data, &size, coif_test_path("hair.groom"), &arena, &error), error);
    CHECK_OK(coif_file_save(coif_test_path("grass.groom"), data, size, &error), error);
    const coif_image *mixed = pair_of("round", "flat");
    CHECK(!same(mixed, pair_of("round", "round")));
    CHECK(!same(mixed, pair_of("flat", "flat")));
    CHECK(same(mixed, pair_of("image", "flat")));
}
