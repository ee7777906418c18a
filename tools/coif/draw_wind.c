#include "tools/coif/draw_wind.h"

#include "tools/coif/canvas.h"

#include <math.h>
#include <string.h>

enum { PAGE = 640, LEFT = 60, TOP = 70, SIDE = 520, SEEDS = 26, STEPS = 14 };

typedef struct picture {
    const coif_draw_wind_desc *desc;
    coif_instance *instance;
    coif_canvas canvas;
    coif_vec2 air[SIDE]; // one row of pixels, in the plane of the page
    float speed[SIDE];
    float fastest;
} picture;

static const coif_vec3 INK = {0.16f, 0.17f, 0.2f};
static const coif_vec3 GREY = {0.45f, 0.46f, 0.5f};

// The scene that has nothing but this force. Values come by --set, as in any scene.
static coif_status open_wind(picture *all, coif_app *app, coif_error *error)
{
    COIF_TRY(coif_app_open_plugins(app, error));
    const coif_plugin *plugin = coif_plugins_find(app->plugins, all->desc->plugin);
    if (plugin->kind != COIF_KIND_FORCE) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s is no force; only fields of air are drawn",
                         plugin->id);
    }
    const char *text = coif_arena_print(
        &app->arena, "{\"coif\": 1, \"forces\": [{\"plugin\": \"%s\"}]}", plugin->id);
    const coif_text_list *given = &app->globals.set;
    const char **sets = coif_arena_new(&app->arena, given->count, const char *);
    for (int32_t i = 0; i < given->count; ++i) {
        sets[i] = coif_arena_print(&app->arena, "forces/0/%s", given->items[i]);
    }
    const coif_plugin_lookup lookup = coif_plugins_lookup(app->plugins);
    const coif_scene_desc desc = {.path = plugin->id,
                                  .sets = sets,
                                  .set_count = given->count,
                                  .tree = coif_scene_tree(&app->arena),
                                  .plugins = &lookup,
                                  .source = text,
                                  .source_size = strlen(text)};
    coif_scene scene;
    COIF_TRY(coif_scene_load(&scene, &desc, &app->arena, error));
    const coif_node *force = &coif_node_at(scene.root, "forces")->children[0];
    COIF_TRY(coif_instance_open(&all->instance, force, 1.0, &app->arena, error));
    return coif_instance_frame(all->instance, 1.0, all->desc->time, error);
}

// Air at places of the page, given in pixels of the frame; fills air and speed.
static void ask(picture *all, const float *right, const float *down, int32_t count)
{
    static float zero[SIDE], place[2][SIDE], wind[3][SIDE], push[3][SIDE];
    memset(wind, 0, sizeof wind);
    for (int32_t i = 0; i < count; ++i) {
        place[0][i] = (float)(all->desc->extent * (2.0 * right[i] / SIDE - 1.0));
        place[1][i] = (float)(all->desc->extent * (1.0 - 2.0 * down[i] / SIDE));
    }
    const float *at[3] = {zero, zero, zero};
    const int across = all->desc->plane == COIF_WIND_ZY ? 2 : 0;
    const int up = all->desc->plane == COIF_WIND_XZ ? 2 : 1;
    at[across] = place[0];
    at[up] = place[1];
    const coif_force_batch batch = {.struct_size = sizeof batch,
                                    .count = count,
                                    .time = all->desc->time,
                                    .x = at[0],
                                    .y = at[1],
                                    .z = at[2],
                                    .vx = zero,
                                    .vy = zero,
                                    .vz = zero,
                                    .wind_x = wind[0],
                                    .wind_y = wind[1],
                                    .wind_z = wind[2],
                                    .ax = push[0],
                                    .ay = push[1],
                                    .az = push[2]};
    coif_instance_force(all->instance, &batch);
    for (int32_t i = 0; i < count; ++i) {
        const coif_vec3 air = {wind[0][i], wind[1][i], wind[2][i]};
        all->air[i] = (coif_vec2){wind[across][i], wind[up][i]};
        all->speed[i] = coif_length(air);
    }
}

// White where the air is still, blue and then dark where it is fast.
static coif_vec3 color_of(float share)
{
    static const coif_vec3 stops[] = {
        {1.0f, 1.0f, 1.0f}, {0.7f, 0.84f, 0.93f}, {0.33f, 0.6f, 0.8f}, {0.16f, 0.42f, 0.68f}};
    const float at = 3.0f * fminf(fmaxf(share, 0.0f), 1.0f);
    const int below = at < 2.0f ? (int)at : 2;
    return coif_mad(coif_scale(stops[below], 1.0f - (at - (float)below)), at - (float)below,
                    stops[below + 1]);
}

static void row_of(float *right, float *down, int32_t y)
{
    for (int32_t x = 0; x < SIDE; ++x) {
        right[x] = (float)x + 0.5f;
        down[x] = (float)y + 0.5f;
    }
}

static void paint_speed(picture *all)
{
    float right[SIDE], down[SIDE];
    for (int32_t y = 0; y < SIDE; ++y) {
        row_of(right, down, y);
        ask(all, right, down, SIDE);
        for (int32_t x = 0; x < SIDE; ++x) {
            all->fastest = fmaxf(all->fastest, all->speed[x]);
        }
    }
    for (int32_t y = 0; y < SIDE; ++y) {
        row_of(right, down, y);
        ask(all, right, down, SIDE);
        for (int32_t x = 0; x < SIDE; ++x) {
            const coif_vec3 color =
                color_of(all->fastest > 0.0f ? all->speed[x] / all->fastest : 0.0f);
            float *pixel = all->canvas.pixels + 3 * ((int64_t)(TOP + y) * PAGE + LEFT + x);
            pixel[0] = color.x, pixel[1] = color.y, pixel[2] = color.z;
        }
    }
}

// A streak follows the air from a seed; its length grows with the speed there.
static void paint_streak(picture *all, float right, float down)
{
    coif_vec2 at = {right, down};
    ask(all, &at.x, &at.y, 1);
    const float share = all->fastest > 0.0f ? all->speed[0] / all->fastest : 0.0f;
    if (share < 0.01f) {
        return;
    }
    const float step = (0.35f + 0.65f * sqrtf(share)) * 1.3f * SIDE / SEEDS / STEPS;
    coif_vec2 way = {0.0f, 0.0f};
    for (int s = 0; s < STEPS; ++s) {
        ask(all, &at.x, &at.y, 1);
        const float length = sqrtf(all->air[0].x * all->air[0].x + all->air[0].y * all->air[0].y);
        if (length < 1e-6f * all->fastest) {
            break;
        }
        way = (coif_vec2){all->air[0].x / length, -all->air[0].y / length};
        const coif_vec2 next = {at.x + step * way.x, at.y + step * way.y};
        coif_canvas_segment(&all->canvas, (coif_vec2){LEFT + at.x, TOP + at.y},
                            (coif_vec2){LEFT + next.x, TOP + next.y}, 1.2f);
        at = next;
    }
    coif_canvas_disc(&all->canvas, (coif_vec2){LEFT + at.x, TOP + at.y}, 3.6f, 3,
                     atan2f(way.y, way.x));
    coif_canvas_paint(&all->canvas, INK, 0.85f);
}

static void paint_streaks(picture *all)
{
    coif_canvas_clip(&all->canvas, LEFT, TOP, LEFT + SIDE, TOP + SIDE);
    for (int i = 0; i < SEEDS * SEEDS; ++i) {
        // Every other row is shifted, so that the eye finds no columns.
        const int row = i / SEEDS;
        const float shift = row % 2 == 0 ? 0.25f : 0.75f;
        paint_streak(all, ((float)(i % SEEDS) + shift) * SIDE / SEEDS,
                     ((float)row + 0.5f) * SIDE / SEEDS);
    }
    coif_canvas_clip_none(&all->canvas);
}

static void paint_words(picture *all, const char *help, coif_arena *arena)
{
    static const char *const rights[] = {"x", "x", "z"}, *const ups[] = {"z", "y", "y"};
    const coif_draw_wind_desc *desc = all->desc;
    coif_canvas *canvas = &all->canvas;
    const coif_lettering title = {.size = 15, .color = INK, .bold = true};
    const coif_lettering note = {.size = 10, .color = GREY};
    const coif_lettering end = {.size = 10, .color = GREY, .align = 1.0f};
    const coif_lettering side = {.size = 10, .color = GREY, .align = 0.5f, .upwards = true};
    coif_canvas_text(canvas, (coif_vec2){LEFT, 34}, desc->plugin, &title);
    coif_canvas_text(canvas, (coif_vec2){LEFT, 56}, help, &note);
    coif_canvas_text(
        canvas, (coif_vec2){LEFT + 0.5f * SIDE, TOP + SIDE + 20},
        coif_arena_print(arena, "at %g s; darkest: %.3g m/s", desc->time, (double)all->fastest),
        &(coif_lettering){.size = 10, .color = GREY, .align = 0.5f});
    const char *high = coif_arena_print(arena, "%s = %g m", rights[desc->plane], desc->extent);
    const char *low = coif_arena_print(arena, "%g m", -desc->extent);
    coif_canvas_text(canvas, (coif_vec2){LEFT, TOP + SIDE + 20}, low, &note);
    coif_canvas_text(canvas, (coif_vec2){LEFT + SIDE, TOP + SIDE + 20}, high, &end);
    coif_canvas_text(
        canvas, (coif_vec2){LEFT - 14, TOP + 0.5f * SIDE},
        coif_arena_print(arena, "%s, %g to %g m", ups[desc->plane], -desc->extent, desc->extent),
        &side);
}

coif_status coif_draw_wind(coif_app *app, const coif_draw_wind_desc *desc, coif_error *error)
{
    picture *all = coif_arena_new(&app->arena, 1, picture);
    all->desc = desc;
    COIF_TRY(open_wind(all, app, error));
    coif_canvas_init(&all->canvas, PAGE, PAGE, &app->arena);
    paint_speed(all);
    paint_streaks(all);
    paint_words(all, coif_plugins_find(app->plugins, desc->plugin)->help, &app->arena);
    return coif_canvas_save(&all->canvas, desc->path, error);
}
