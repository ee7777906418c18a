// render_bench: how many samples per CPU-second hair on a ball costs.
//
//   render_bench [strands] [size] [samples] [threads] [round|flat|linear] [picture.png]
//                [compact] [motion STEPS] [width PIXELS] [aovs NAMES]
//
// Curly strands of 32 points on the upper half of a unit ball, a round lamp and a grey sky, brown
// hair. Prints one line; with a picture name other than - it also saves what it rendered. Memory is
// the peak of the process over what it had before the strands, so with the build and the picture.
#include "core/arena.h"
#include "core/error.h"
#include "core/image.h"
#include "core/jobs.h"
#include "render/tiles.h"
#include "render/widen.h"
#include "tests/render_ball.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { POINTS = 32 };

static void make_lights(coif_lights *lights, coif_arena *arena)
{
    lights->count = 2;
    lights->lights = coif_arena_new(arena, 2, coif_light);
    lights->lights[0] = (coif_light){.type = COIF_LIGHT_SPHERE,
                                     .position = {3.0f, 4.0f, 3.0f},
                                     .radius = 0.6f,
                                     .area = 1.1309734f,
                                     .radiance = {120.0f, 120.0f, 120.0f},
                                     .brightness = 120.0f};
    lights->lights[1] = (coif_light){.type = COIF_LIGHT_ENVIRONMENT};
    coif_environment_init(&lights->lights[1].environment, (coif_vec3){0.4f, 0.4f, 0.4f}, NULL, 0.0f,
                          arena);
}

static coif_camera make_camera(void)
{
    coif_camera camera = {.origin = {0.0f, 1.2f, 6.0f}};
    camera.forward = coif_normalize(coif_sub((coif_vec3){0.0f, 0.1f, 0.0f}, camera.origin));
    camera.right = coif_normalize(coif_cross(camera.forward, (coif_vec3){0.0f, 1.0f, 0.0f}));
    camera.up = coif_cross(camera.right, camera.forward);
    camera.half_height = camera.half_width = tanf(16.0f * 3.14159265f / 180.0f);
    return camera;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void save_picture(const coif_film *film, const char *path, coif_arena *arena,
                         coif_error *error)
{
    float *pixels = coif_arena_new(arena, 3 * (size_t)film->width * (size_t)film->height, float);
    for (int32_t i = 0; i < film->width * film->height; ++i) {
        float values[COIF_MOST_AOV_CHANNELS];
        coif_film_value(film, (size_t)i, &film->aovs.list[0], values);
        memcpy(pixels + 3 * i, values, 3 * sizeof(float));
    }
    const coif_image_desc desc = {.width = film->width,
                                  .height = film->height,
                                  .channel_count = 3,
                                  .pixels = pixels,
                                  .srgb = true};
    coif_image_save(path, &desc, error);
}

// What the command line asks for.
typedef struct bench {
    int32_t strands, size, samples, threads;
    const char *kind, *picture;
    bool compact;
    int32_t steps;
    double width;
    const char *aovs;
} bench;

static bench read_arguments(int argc, char **argv)
{
    bench wish = {.strands = argc > 1 ? atoi(argv[1]) : 10000,
                  .size = argc > 2 ? atoi(argv[2]) : 256,
                  .samples = argc > 3 ? atoi(argv[3]) : 16,
                  .threads = argc > 4 ? atoi(argv[4]) : 1,
                  .kind = argc > 5 ? argv[5] : "round",
                  .picture = argc > 6 ? argv[6] : "-",
                  .steps = 1};
    for (int i = 7; i < argc; ++i) {
        wish.compact |= strcmp(argv[i], "compact") == 0;
        if (strcmp(argv[i], "motion") == 0 && i + 1 < argc) {
            wish.steps = atoi(argv[i + 1]);
        } else if (strcmp(argv[i], "width") == 0 && i + 1 < argc) {
            wish.width = atof(argv[i + 1]);
        } else if (strcmp(argv[i], "aovs") == 0 && i + 1 < argc) {
            wish.aovs = argv[i + 1];
        }
    }
    return wish;
}

static double peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * (double)usage.ru_maxrss;
}

// The strands live only until they are curves. Moving ones drift by a few of their radii.
static coif_status make_curves(coif_curves *curves, coif_strands *kept, const bench *wish,
                               coif_arena *arena, coif_error *error)
{
    const coif_curve_kind kind = wish->kind[0] == 'f'   ? COIF_CURVE_FLAT
                                 : wish->kind[0] == 'l' ? COIF_CURVE_LINEAR
                                                        : COIF_CURVE_ROUND;
    coif_arena scratch;
    coif_arena_init(&scratch, "strands");
    coif_strands strands;
    ball_strands(&strands, wish->strands, POINTS, &scratch);
    coif_status status = coif_curves_shape(curves, &strands, kind, wish->steps, arena, error);
    for (int32_t step = 0; status == COIF_OK && step < wish->steps; ++step) {
        coif_curves_fill(curves, step, &strands, NULL);
        for (int32_t i = 0; i < strands.point_count; ++i) {
            strands.points[i].x += 0.01f / (float)wish->steps;
        }
    }
    *kept = strands;
    kept->points = NULL;
    kept->first = coif_arena_new(arena, strands.strand_count + 1, int32_t);
    memcpy(kept->first, strands.first, sizeof(int32_t) * ((size_t)strands.strand_count + 1));
    coif_arena_free(&scratch);
    return status;
}

static coif_status run(const bench *wish, coif_arena *arena, coif_error *error)
{
    const coif_image_params image = {.width = wish->size,
                                     .height = wish->size,
                                     .samples = wish->samples,
                                     .filter = COIF_FILTER_BOX};
    coif_jobs *jobs;
    COIF_TRY(coif_jobs_open(&jobs, wish->threads, arena, error));

    const double before = peak_bytes();
    coif_strands strands;
    coif_curves curves;
    COIF_TRY(make_curves(&curves, &strands, wish, arena, error));
    const coif_hair_params hair = {.color_by = COIF_HAIR_BY_ABSORPTION,
                                   .absorption = {0.2f, 0.35f, 0.75f},
                                   .eta = 1.55f,
                                   .beta_m = 0.3f,
                                   .beta_n = 0.3f,
                                   .alpha = 2.0f};
    coif_fibre fibre;
    coif_fibre_init(&fibre, &hair);
    coif_mesh ball;
    ball_mesh(&ball, 0.995f, arena);
    const coif_look look = {.surface = {.color = {0.35f, 0.25f, 0.2f}, .roughness = 1.0f}};
    coif_shape shapes[] = {{.curves = &curves, .strands = &strands, .fibre = &fibre},
                           {.mesh = &ball, .looks = &look}};
    coif_stage stage = {.shapes = shapes, .shape_count = 2, .camera = make_camera()};
    stage.moves = wish->steps > 1;
    stage.camera.pixel_angle = 2.0f * stage.camera.half_height / (float)image.height;
    const coif_widen_desc widen = {&stage.camera, 1, (float)wish->width};
    stage.widened = coif_curves_widen(&curves, &widen, arena);
    make_lights(&stage.lights, arena);

    const double start = cpu_seconds();
    const coif_accel_desc accel = {
        .isa = "auto", .threads = coif_jobs_threads(jobs), .compact = wish->compact};
    COIF_TRY(coif_accel_open(&stage.accel, &accel, arena, error));
    COIF_TRY(coif_accel_add_curves(stage.accel, &curves, error));
    COIF_TRY(coif_accel_add_mesh(stage.accel, &ball, 1, error));
    COIF_TRY(coif_accel_build(stage.accel, NULL, error));
    const double built = cpu_seconds();

    coif_film film;
    coif_aovs aovs;
    static const char *const groups[] = {"other"};
    const coif_aovs_desc layers = {wish->aovs, groups, 1, false};
    COIF_TRY(coif_aovs_choose(&aovs, &layers, arena, error));
    coif_film_init(&film, &(coif_film_desc){image.width, image.height, {0}, &aovs}, arena);
    const coif_tiles_desc desc = {.stage = &stage, .image = &image};
    COIF_TRY(coif_tiles_render(&film, &desc, jobs, NULL, error));
    const double seconds = cpu_seconds() - built;
    const double samples = (double)image.width * image.height * image.samples;
    printf("%d strands, %s%s, %d step%s, %s: %.3f M samples per CPU-second (%.2f s; build %.2f s), "
           "%.1f bytes per segment\n",
           wish->strands, wish->kind, wish->compact ? " compact" : "", wish->steps,
           wish->steps > 1 ? "s" : "", coif_accel_isa(stage.accel), samples / seconds * 1e-6,
           seconds, built - start, (peak_bytes() - before) / curves.segment_count);
    if (strcmp(wish->picture, "-") != 0) {
        save_picture(&film, wish->picture, arena, error);
    }
    coif_accel_close(stage.accel);
    coif_jobs_close(jobs);
    return error->status;
}

int main(int argc, char **argv)
{
    coif_arena arena;
    coif_error error = {0};
    const bench wish = read_arguments(argc, argv);
    coif_arena_init(&arena, "bench");
    const coif_status status = run(&wish, &arena, &error);
    if (status != COIF_OK) {
        fprintf(stderr, "%s\n", error.text);
    }
    coif_arena_free(&arena);
    return (int)status;
}
