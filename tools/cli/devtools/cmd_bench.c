// coif bench: speed and memory of simulation and rendering on this machine.
#include "render/bench/hairball_scene.h"
#include "render/film/pixel_filter.h"
#include "tools/cli/devtools/bench.h"

#include <string.h>

static const char *const ONLY[] = {"all", "pbd", "der", "der_kernel", "scaling", "full_sim", NULL};
const char *const COIF_BENCH_KERNELS[] = {"auto", "wide4", "wide8", NULL};

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARG_WITH(COIF_ARG_ARGUMENT | COIF_ARG_REQUIRED, coif_bench_options, subject, COIF_PARAM_STRING, "", "benchmark: sim or render"),
    COIF_ARG(coif_bench_options, json, COIF_PARAM_BOOL, "", "print JSON"),
    COIF_ARG(coif_bench_options, table, COIF_PARAM_BOOL, "", "cost over the number of strands (sim: also of points, and per solver)"),
    COIF_ARG_NUMBER(coif_bench_options, strands, COIF_PARAM_INT, "N", "number of strands (default: sim 100,000, render 50,000)", 0, 8, 10000000),
    COIF_ARG_NUMBER(coif_bench_options, points, COIF_PARAM_INT, "N", "points per strand", 32, 4, 1000),
    COIF_ARG_HEADING("options of sim"),
    COIF_ARG_CHOICE(coif_bench_options, only, ONLY, "one measurement instead of all"),
    COIF_ARG_NUMBER(coif_bench_options, substeps, COIF_PARAM_INT, "N", "substeps per frame", 10, 1, 1000),
    COIF_ARG_NUMBER(coif_bench_options, frames, COIF_PARAM_INT, "N", "frames to measure, after one warm-up frame", 5, 1, 60),
    COIF_ARG_CHOICE(coif_bench_options, kernel, COIF_BENCH_KERNELS, "SIMD width of the kernels"),
    COIF_ARG_HEADING("options of render"),
    COIF_ARG_CHOICE(coif_bench_options, hairball, COIF_HAIRBALL_NAMES, "hair and lighting of the scene"),
    COIF_ARG_CHOICE(coif_bench_options, curves, COIF_CURVE_NAMES, "curve primitive"),
    COIF_ARG_CHOICE(coif_bench_options, filter, COIF_PIXEL_FILTER_NAMES, "pixel reconstruction filter"),
    COIF_ARG(coif_bench_options, compact, COIF_PARAM_BOOL, "", "compact BVH: half the memory, about a fifth slower"),
    COIF_ARG_NUMBER(coif_bench_options, motion, COIF_PARAM_INT, "STEPS", "time steps of motion blur; 1 for none", 1, 1, 16),
    COIF_ARG_NUMBER(coif_bench_options, size, COIF_PARAM_INT, "PIXELS", "width and height of the image", 640, 8, 8192),
    COIF_ARG_NUMBER(coif_bench_options, samples, COIF_PARAM_INT, "N", "samples per pixel", 4, 1, 65536),
    COIF_ARG_NUMBER(coif_bench_options, seed, COIF_PARAM_INT, "N", "seed of the sampler", 0, 0, 2147483647),
    COIF_ARG_NUMBER(coif_bench_options, depth, COIF_PARAM_INT, "N", "maximum number of scattering events per path; 0 for no limit", 0, 0, 4096),
    COIF_ARG_NUMBER(coif_bench_options, indirect_cache, COIF_PARAM_INT, "N", "as image/indirect_cache; filling it counts as rendering", 0, 0, 16),
    COIF_ARG(coif_bench_options, unfiltered, COIF_PARAM_BOOL, "", "without image/hair_filtering"),
    COIF_ARG(coif_bench_options, image, COIF_PARAM_PATH, "FILE", "write the image and print its cost only"),
    COIF_ARG(coif_bench_options, hair, COIF_PARAM_PATH, "FILE", "write the strands as .hair and exit"),
    COIF_ARG(coif_bench_options, environment, COIF_PARAM_PATH, "FILE", "write the environment image of --hairball fur and exit"),
};
// clang-format on

void coif_bench_write_values(coif_json_writer *writer, const coif_bench_value *values, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        coif_write_number(writer, values[i].name, values[i].value);
    }
}

coif_status coif_bench_print_values(coif_app *app, const coif_bench_value *values, size_t count,
                                    bool json, coif_error *error)
{
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    if (json) {
        coif_write_open(&writer, NULL, "{");
        coif_bench_write_values(&writer, values, count);
        coif_write_close(&writer, "}");
        coif_strbuf_add(&writer.text, "\n");
    }
    for (size_t i = 0; i < count && !json; ++i) {
        coif_strbuf_print(&writer.text, "%-46s %10.4g\n", values[i].name, values[i].value);
    }
    return coif_app_print(writer.text.data, NULL, error);
}

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    coif_bench_options bench = *(const coif_bench_options *)options;
    const bool sim = strcmp(bench.subject, "sim") == 0;
    if (!sim && strcmp(bench.subject, "render") != 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "unknown benchmark '%s'; known: sim, render",
                         bench.subject);
    }
    if (bench.strands == 0) {
        bench.strands = sim ? 100000 : bench.table ? 1000000 : 50000;
    }
    return sim ? coif_bench_sim(app, &bench, error) : coif_bench_render(app, &bench, error);
}

const coif_command COIF_COMMAND_BENCH = {
    .name = "bench",
    .help = "measure the speed of simulation and rendering",
    .more =
        "\n"
        "The scenes are generated in memory; no input file is needed. Names of results end with\n"
        "their unit. CPU time is insensitive to other load; wall-clock times (seconds_per_frame,\n"
        "two_thread_speedup) need an idle machine.\n"
        "\n"
        "sim: an ellipsoid of 43,200 triangles that turns by 3 degrees per frame, with wavy "
        "strands\n"
        "of 25 cm, at 24 frames per second. The default takes about 1.5 GB and half a minute.\n"
        "\n"
        "  pbd_million_particle_iterations_per_second\n"
        "      per thread, in CPU time: one distance and one bending constraint per particle and\n"
        "      iteration, prediction and velocity update included\n"
        "  der_million_vertex_substeps_per_second\n"
        "      per thread, in CPU time: the solver der without contact and hair-hair interaction\n"
        "  der_kernel_million_vertex_substeps_per_second\n"
        "      the same for the implicit step alone\n"
        "  two_thread_speedup, two_thread_speedup_cpu\n"
        "      for 20,000 strands, from wall-clock time and from CPU time\n"
        "  full_sim_seconds_per_frame, full_sim_cpu_seconds_per_frame\n"
        "      median of the frames, with contact and hair-hair interaction, on 2 threads or\n"
        "      --threads\n"
        "  peak_bytes_per_point\n"
        "      peak memory: meshes, groom, strands and scratch\n"
        "\n"
        "--table measures 1,000 to 1.5 times --strands strands, then 8 to 128 points per strand,\n"
        "then every solver, a few seconds each.\n"
        "\n"
        "render: curly dark hair on a sphere under an area light and a grey environment, on one\n"
        "thread. The default takes about 300 MB and half a minute. --table measures up to a\n"
        "million strands (4 GB, three minutes) and omits sizes that exceed free memory.\n"
        "\n"
        "  million_samples_per_cpu_second     best of three\n"
        "  embree_fraction                    of the CPU time, spent in Embree\n"
        "  closest_hit_rays_per_sample, shadow_rays_per_sample\n"
        "  two_thread_speedup, two_thread_speedup_cpu\n"
        "  peak_bytes_per_segment             over the memory of the process before\n"
        "  build_microseconds_per_segment     CPU time of the BVH build\n"
        "  curve_microseconds_per_segment     CPU time of the conversion to B-splines\n",
    .examples = "  coif bench sim\n"
                "  coif bench sim --json --strands 10000\n"
                "  coif bench sim --only der --strands 8000 --points 64 --kernel wide4\n"
                "  coif bench sim --table\n"
                "  coif bench render\n"
                "  coif bench render --table --json\n",
    COIF_COMMAND_OPTIONS(coif_bench_options, OPTIONS),
    .run = run,
};
