// sim_torture: what no hair should be put through. All points must stay finite and no further from
// the root than the hair is long, allowing for how far a method stretches, and none may be put
// back.
#ifndef COIF_TESTS_SIM_TORTURE_H
#define COIF_TESTS_SIM_TORTURE_H

#include "tests/sim_methods.h"

typedef struct torture {
    coif_sim_params params;
    const coif_vec3 *shape;
    int32_t points;
    double shake; // of the root, in g
    bool storm;   // of 60 m/s
    bool inside;  // the strand begins inside a head
    int32_t frames;
    double longest; // times its length that a strand may reach
} torture;

// A wind of 60 m/s, as a plugin.
static inline void blow_hard(const coif_host *host, const void *state, const void *params,
                             const coif_force_batch *batch)
{
    (void)host, (void)state, (void)params;
    for (int32_t i = 0; i < batch->count; ++i) {
        batch->wind_x[i] += 57.0f;
        batch->wind_z[i] += 19.0f;
    }
}

static inline coif_instance *open_storm(coif_arena *arena)
{
    static const coif_plugin plugin = {.struct_size = sizeof(coif_plugin),
                                       .kind = COIF_KIND_FORCE,
                                       .id = "test.storm",
                                       .version = "1.0.0",
                                       .help = "",
                                       .param_stride = sizeof(coif_param),
                                       .force = blow_hard};
    static const coif_section section = {.name = "forces", .plugin_kind = COIF_KIND_FORCE};
    coif_node *node = coif_arena_new(arena, 1, coif_node);
    *node = (coif_node){.section = &section, .path = "/forces/0", .plugin = &plugin};
    node->plugin_values.row_stride = sizeof(coif_param);
    coif_instance *storm = NULL;
    coif_error error = {0};
    CHECK_OK(coif_instance_open(&storm, node, 1.0, arena, &error), error);
    return storm;
}

// The scalp goes to and fro at 3 Hz, and turns a little.
static inline void shake_scalp(coif_mesh *to, const coif_mesh *from, double g, double time)
{
    const double rate = 2.0 * M_PI * 3.0;
    const double way = g * 9.81 / (rate * rate) * sin(rate * time);
    for (int32_t v = 0; v < from->vertex_count; ++v) {
        to->positions[v] = from->positions[v];
        to->positions[v].x += (float)way;
        to->positions[v].y += (float)(0.2 * sin(rate * time)) * from->positions[v].x;
    }
}

static inline coif_mesh own_positions(const coif_mesh *mesh, coif_arena *arena)
{
    coif_mesh own = *mesh;
    own.positions = coif_arena_new(arena, mesh->vertex_count, coif_vec3);
    memcpy(own.positions, mesh->positions, sizeof(coif_vec3) * (size_t)mesh->vertex_count);
    return own;
}

static inline double farthest(const tuft *hair)
{
    double most = 0.0;
    for (int32_t i = 0; i < hair->groom.rest.point_count; ++i) {
        const double away = coif_length(coif_sub(hair->places[i], hair->places[0]));
        most = isfinite(away) ? fmax(most, away) : INFINITY;
    }
    return most;
}

static inline double length_of(const coif_vec3 *shape, int32_t points)
{
    double length = 0.0;
    for (int32_t k = 1; k < points; ++k) {
        length += coif_length(coif_sub(shape[k], shape[k - 1]));
    }
    return length;
}

// Gives the worst stretch.
static inline double run_torture(const torture *what, coif_arena *arena)
{
    const tuft_desc desc = {.shape = what->shape,
                            .length = what->points,
                            .strand_count = 1,
                            .params = what->params,
                            .pinned = 1};
    tuft hair;
    tuft_open(&hair, &desc, arena, NULL);
    coif_mesh begin = own_positions(&hair.scalp, arena);
    coif_mesh end = own_positions(&hair.scalp, arena);
    coif_collider sphere;
    coif_mesh head;
    if (what->inside) {
        head = shape_sphere(what->shape[what->points / 2], 0.02f, 12, arena);
        coif_collider_build(&sphere, &head, arena);
        hair.bodies = &sphere;
        hair.body_count = 1;
    }
    coif_instance *storm = open_storm(arena);
    hair.forces = &storm;
    hair.force_count = what->storm ? 1 : 0;
    const double length = length_of(what->shape, what->points);
    const double seconds = 1.0 / (double)what->params.fps;
    int32_t healed = 0;
    double stretch = 0.0;
    for (int32_t f = 0; f < what->frames; ++f) {
        shake_scalp(&begin, &hair.scalp, what->shake, f * seconds);
        shake_scalp(&end, &hair.scalp, what->shake, (f + 1) * seconds);
        tuft_step_on(&hair, &begin, &end);
        healed += hair.report.healed;
        const double far = farthest(&hair);
        CHECK(far <= what->longest * length);
        stretch = fmax(stretch, tuft_stretch(&hair));
    }
    CHECK(healed == 0);
    return stretch;
}

// All of it with one method. Longest: times its length that a strand may reach. Gives the worst
// stretch of a hair shaken by 1 g, and of all.
typedef struct torture_report {
    double gentle, worst;
} torture_report;

static inline torture_report run_tortures(coif_sim_params params, double longest, coif_arena *arena)
{
    const coif_vec3 *curl = helix(40, 0.15f, 0.006f, 5.0f, arena);
    const coif_vec3 *many = helix(501, 0.3f, 0.004f, 12.0f, arena);
    coif_vec3 *one = coif_arena_new(arena, 2, coif_vec3);
    one[1] = coif_vec3_of(0.01f, 0.04f, 0.0f);
    coif_vec3 *broken = coif_arena_new(arena, 20, coif_vec3);
    for (int k = 0; k < 20; ++k) {
        broken[k] = coif_vec3_of(0.005f * (float)(k / 3), 0.003f * (float)(k / 5), 0.0f);
    }
    torture_report report = {0.0, 0.0};
    const double shakes[4] = {1.0, 5.0, 20.0, 50.0};
    for (int i = 0; i < 4; ++i) {
        const torture what = {.params = params,
                              .shape = curl,
                              .points = 40,
                              .shake = shakes[i],
                              .frames = 24,
                              .longest = longest};
        const double stretch = run_torture(&what, arena);
        report.gentle = i == 0 ? stretch : report.gentle;
        report.worst = fmax(report.worst, stretch);
    }
    coif_sim_params rough = params;
    rough.drag = 30.0f;
    coif_sim_params once = params;
    once.substeps = 1;
    const torture others[] = {
        {.params = params, .shape = curl, .points = 40, .storm = true, .frames = 24},
        {.params = rough, .shape = curl, .points = 40, .storm = true, .frames = 12},
        {.params = params, .shape = curl, .points = 40, .inside = true, .frames = 24},
        {.params = params, .shape = one, .points = 2, .shake = 10.0, .frames = 24},
        {.params = params, .shape = many, .points = 501, .shake = 2.0, .frames = 4},
        {.params = once, .shape = curl, .points = 40, .shake = 5.0, .frames = 24},
        {.params = once, .shape = curl, .points = 40, .storm = true, .frames = 12},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        torture what = others[i];
        what.longest = longest;
        report.worst = fmax(report.worst, run_torture(&what, arena));
    }
    // Points on top of each other have no stretch to speak of.
    const torture zero = {.params = params,
                          .shape = broken,
                          .points = 20,
                          .shake = 5.0,
                          .frames = 24,
                          .longest = 2.0};
    run_torture(&zero, arena);
    return report;
}

#endif
