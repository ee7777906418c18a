// plot: curves land where they belong, letters are all there and look different, pages are whole.
#include "core/image.h"
#include "tests/test.h"
#include "tools/coif/font.h"
#include "tools/coif/plot.h"

static coif_arena arena = {.name = "test"};

static const coif_vec3 BLACK = {0.0f, 0.0f, 0.0f};

static float darkness(const coif_canvas *canvas, int32_t x, int32_t y)
{
    return 1.0f - canvas->pixels[3 * (y * canvas->width + x)];
}

static double ink(const coif_canvas *canvas)
{
    double sum = 0.0;
    for (int64_t i = 0; i < (int64_t)canvas->width * canvas->height; ++i) {
        sum += 1.0 - (double)canvas->pixels[3 * i];
    }
    return sum;
}

// A line covers its length times its width, wherever it lies between pixels.
static void lines_have_the_area_of_lines(void)
{
    for (int i = 0; i < 8; ++i) {
        coif_canvas canvas;
        coif_canvas_init(&canvas, 64, 64, &arena);
        const float angle = 0.37f * (float)i;
        const coif_vec2 a = {32.1f, 31.7f};
        const coif_vec2 b = {32.1f + 20.0f * cosf(angle), 31.7f + 20.0f * sinf(angle)};
        coif_canvas_segment(&canvas, a, b, 3.0f);
        coif_canvas_paint(&canvas, BLACK, 1.0f);
        CHECK_NEAR(ink(&canvas), 60.0 + M_PI * 1.5 * 1.5, 4.0);
    }
}

// Painted twice a pixel gets darker; drawn twice before painting it does not.
static void strokes_that_cross_do_not_get_darker(void)
{
    coif_canvas canvas;
    coif_canvas_init(&canvas, 32, 32, &arena);
    for (int i = 0; i < 2; ++i) {
        coif_canvas_segment(&canvas, (coif_vec2){4, 16.5f}, (coif_vec2){28, 16.5f}, 1.0f);
    }
    coif_canvas_paint(&canvas, BLACK, 0.5f);
    CHECK_NEAR(darkness(&canvas, 16, 16), 0.5, 1e-6);
    CHECK_NEAR(darkness(&canvas, 16, 20), 0.0, 1e-6);
}

static void nothing_is_drawn_outside_the_clip_or_the_page(void)
{
    coif_canvas canvas;
    coif_canvas_init(&canvas, 32, 32, &arena);
    coif_canvas_clip(&canvas, 8, 8, 24, 24);
    coif_canvas_segment(&canvas, (coif_vec2){-1e6f, 16}, (coif_vec2){1e6f, 16}, 4.0f);
    coif_canvas_disc(&canvas, (coif_vec2){1e9f, -1e9f}, 5.0f, 3, 0.0f);
    coif_canvas_disc(&canvas, (coif_vec2){NAN, 3.0f}, 5.0f, 0, 0.0f);
    coif_canvas_segment(&canvas, (coif_vec2){NAN, 16}, (coif_vec2){INFINITY, 16}, 4.0f);
    coif_canvas_paint(&canvas, BLACK, 1.0f);
    CHECK_NEAR(darkness(&canvas, 16, 16), 1.0, 1e-6);
    CHECK_NEAR(darkness(&canvas, 4, 16), 0.0, 1e-6);
    CHECK_NEAR(darkness(&canvas, 28, 16), 0.0, 1e-6);
}

static void letters_differ_from_each_other(void)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  ".,:;-+=/%()[]_*^<>'|?!";
    static float pages[sizeof letters][24 * 32];
    for (size_t i = 0; i + 1 < sizeof letters; ++i) {
        const char text[2] = {letters[i], '\0'};
        coif_canvas canvas;
        coif_canvas_init(&canvas, 24, 32, &arena);
        coif_canvas_text(&canvas, (coif_vec2){4, 22}, text,
                         &(coif_lettering){.size = 14.0f, .color = BLACK});
        CHECK(ink(&canvas) > 1.0);
        for (int k = 0; k < 24 * 32; ++k) {
            pages[i][k] = canvas.pixels[3 * k];
        }
        for (size_t j = 0; j < i; ++j) {
            const bool twins = letters[i] == 'I' || letters[i] == '|'; // as l is, but for its foot
            CHECK(twins || memcmp(pages[i], pages[j], sizeof pages[i]) != 0);
        }
        // It stays between the descender and the brackets.
        CHECK(coif_font_width(text) <= 12.0f && coif_font_width(text) >= 2.0f);
    }
}

static void text_is_as_wide_as_it_says_and_may_stand_upright(void)
{
    const float wide = coif_canvas_text_width("Gamma 10", 14.0f);
    coif_canvas canvas;
    coif_canvas_init(&canvas, 200, 200, &arena);
    coif_canvas_text(&canvas, (coif_vec2){100, 100}, "Gamma 10",
                     &(coif_lettering){.size = 14.0f, .color = BLACK, .align = 0.5f});
    int32_t left = 200;
    int32_t right = 0;
    for (int32_t i = 0; i < 200 * 200; ++i) {
        if (darkness(&canvas, i % 200, i / 200) > 0.5f) {
            left = i % 200 < left ? i % 200 : left;
            right = i % 200 > right ? i % 200 : right;
        }
    }
    CHECK_NEAR(right - left, wide, 4.0);
    CHECK_NEAR(0.5 * (right + left), 100.0, 3.0);
    const double level = ink(&canvas);
    coif_canvas_init(&canvas, 200, 200, &arena);
    coif_canvas_text(
        &canvas, (coif_vec2){100, 100}, "Gamma 10",
        &(coif_lettering){.size = 14.0f, .color = BLACK, .align = 0.5f, .upwards = true});
    CHECK_NEAR(ink(&canvas), level, 0.02 * level);
    CHECK(darkness(&canvas, left, 95) < 0.5f);
}

// The mark of a point is where its coordinates say, on straight and on logarithmic axes.
static void points_land_where_the_axes_say(void)
{
    static const double x[3] = {1.0, 10.0, 100.0};
    static const double y[3] = {0.0, 5.0, 10.0};
    const coif_curve curve = {.x = x, .y = y, .count = 3, .mark = COIF_MARK_DISC, .color = 1};
    const coif_plot plot = {.title = "title",
                            .x = {"x", 1.0, 100.0, true},
                            .y = {"y", 0.0, 10.0, false},
                            .curves = &curve,
                            .curve_count = 1};
    coif_canvas canvas;
    coif_plot_draw(&canvas, &plot, &arena);
    const int32_t middle_x = (100 + COIF_PLOT_WIDTH - 28) / 2;
    const int32_t middle_y = (84 + COIF_PLOT_HEIGHT - 78) / 2;
    const float *pixel = canvas.pixels + 3 * (middle_y * canvas.width + middle_x);
    CHECK_NEAR(pixel[0], coif_plot_color(1).x, 1e-3);
    CHECK_NEAR(pixel[2], coif_plot_color(1).z, 1e-3);
}

// Values that are not numbers, no values at all, one value: a page all the same.
static void strange_curves_give_a_page(void)
{
    static const double bad[4] = {NAN, INFINITY, -1.0, 0.0};
    static const double one[1] = {3.0};
    const coif_curve curves[3] = {
        {.label = "bad", .x = bad, .y = bad, .count = 4},
        {.label = "none", .count = 0, .mark = COIF_MARK_SQUARE},
        {.label = "one", .x = one, .y = one, .count = 1, .mark = COIF_MARK_TRIANGLE}};
    for (int count = 0; count <= 3; ++count) {
        for (int log = 0; log < 2; ++log) {
            const coif_plot plot = {.title = "",
                                    .x = {.label = "", .logarithmic = log == 1},
                                    .y = {.label = "", .logarithmic = log == 1},
                                    .same_scale = count == 2,
                                    .curves = curves,
                                    .curve_count = count};
            coif_canvas canvas;
            coif_plot_draw(&canvas, &plot, &arena);
            CHECK(ink(&canvas) > 100.0);
        }
    }
}

static void a_saved_plot_is_a_picture(void)
{
    static const double x[3] = {0.0, 1.0, 2.0};
    static const double y[3] = {1.0, 3.0, 2.0};
    const coif_curve curve = {.label = "curve", .x = x, .y = y, .count = 3, .dashed = true};
    const coif_plot plot = {.title = "a plot",
                            .x = {.label = "x"},
                            .y = {.label = "y"},
                            .curves = &curve,
                            .curve_count = 1};
    coif_error error = {0};
    coif_image image;
    CHECK_OK(coif_plot_save(&plot, coif_test_path("plot.png"), &error), error);
    CHECK_OK(coif_image_load(&image, coif_test_path("plot.png"), &arena, &error), error);
    CHECK(image.width == COIF_PLOT_WIDTH && image.height == COIF_PLOT_HEIGHT);
    CHECK(image.channel_count == 3);
    CHECK(coif_plot_save(&plot, coif_test_path("no/folder/plot.png"), &error) != COIF_OK);
}

TEST_MAIN(TEST(lines_have_the_area_of_lines), TEST(strokes_that_cross_do_not_get_darker),
          TEST(nothing_is_drawn_outside_the_clip_or_the_page), TEST(letters_differ_from_each_other),
          TEST(text_is_as_wide_as_it_says_and_may_stand_upright),
          TEST(points_land_where_the_axes_say), TEST(strange_curves_give_a_page),
          TEST(a_saved_plot_is_a_picture))
