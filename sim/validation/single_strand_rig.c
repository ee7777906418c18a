#include "sim/validation/single_strand_rig.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "sim/run/simulate.h"
#include "sim/validation/test_shapes.h"

#include <string.h>

const char *const COIF_STRAND_RIG_BARE =
    "damping=0 drag=0 goal_frequency_root=0 goal_frequency_tip=0 gravity_compensation=0 "
    "mass_variation=0 stiffness_variation=0 "
    "bending_damping_time=0 friction=0 tangential_drag_reduction=0 drag_coefficient=0";

// A strand at rest moves no faster than this, m/s, for this long, s.
static const double STILL = 1e-4;
static const double STILL_SECONDS = 0.25;

static const coif_section *const CHILDREN[] = {&COIF_SIM_SECTION, &COIF_FORCES_SECTION, NULL};
static const coif_section TREE = {.name = "", .form = COIF_SECTION_OBJECT, .children = CHILDREN};

static const coif_plugin *no_plugin(void *data, int32_t index)
{
    (void)data, (void)index;
    return NULL;
}

// Words as --set would say them: later ones win.
static int32_t add_words(const char **sets, int32_t count, const char *words, coif_arena *arena)
{
    char *rest = coif_arena_copy_text(arena, words);
    for (char *word; count < 100 && (word = strsep(&rest, " ")) != NULL;) {
        if (word[0] != '\0') {
            sets[count++] = coif_arena_print(arena, "sim/%s", word);
        }
    }
    return count;
}

static coif_status load_scene(coif_scene *scene, const coif_strand_rig_desc *desc,
                              coif_arena *arena, coif_error *error)
{
    const char **sets = coif_arena_new(arena, 128 + desc->set_count, const char *);
    int32_t count = add_words(sets, 0, COIF_STRAND_RIG_BARE, arena);
    count = add_words(sets, count, desc->sim != NULL ? desc->sim : "", arena);
    sets[count++] = coif_arena_print(arena, "sim/solver=%s", desc->solver);
    for (int32_t i = 0; i < desc->set_count; ++i) {
        if (strncmp(desc->sets[i], "sim/", 4) != 0) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "--set %s: an experiment knows sim/... only",
                             desc->sets[i]);
        }
        sets[count++] = desc->sets[i];
    }
    const char *source =
        coif_arena_print(arena, "{\"forces\": [%s]}", desc->forces != NULL ? desc->forces : "");
    const coif_plugin_lookup none = {NULL, no_plugin};
    const coif_plugin_lookup lookup =
        desc->plugins != NULL ? coif_plugins_lookup(desc->plugins) : none;
    const coif_scene_desc all = {.path = "experiment",
                                 .sets = sets,
                                 .set_count = count,
                                 .tree = &TREE,
                                 .plugins = &lookup,
                                 .source = source,
                                 .source_size = strlen(source)};
    return coif_scene_load(scene, &all, arena, error);
}

coif_status coif_strand_rig_settings(coif_sim_params *params, const char *words, coif_arena *arena,
                                     coif_error *error)
{
    const char **sets = coif_arena_new(arena, 128, const char *);
    const coif_plugin_lookup none = {NULL, no_plugin};
    const coif_scene_desc desc = {.path = "settings",
                                  .sets = sets,
                                  .set_count = add_words(sets, 0, words, arena),
                                  .tree = &TREE,
                                  .plugins = &none,
                                  .source = "{}",
                                  .source_size = 2};
    coif_scene *scene = coif_arena_new(arena, 1, coif_scene);
    COIF_TRY(coif_scene_load(scene, &desc, arena, error));
    coif_node_read(coif_node_at(scene->root, "sim"), 0.0, params);
    return COIF_OK;
}

static coif_status open_forces(coif_strand_rig *trial, const coif_scene *scene, coif_arena *arena,
                               coif_error *error)
{
    const coif_node *list = coif_node_at(scene->root, "forces");
    trial->forces = coif_arena_new(arena, list->child_count + 1, coif_plugin_instance *);
    for (int32_t i = 0; i < list->child_count; ++i) {
        coif_plugin_instance **force = &trial->forces[trial->force_count++];
        COIF_TRY(coif_plugin_instance_open(force, &list->children[i], 0.0, arena, error));
    }
    return COIF_OK;
}

// A groom of one strand on a level square of a metre.
static coif_status make_groom(coif_strand_rig *trial, const coif_strand_rig_desc *desc,
                              coif_arena *arena, coif_error *error)
{
    trial->scalp = coif_shape_plane(1.0f, 1, arena);
    trial->scalp_end = trial->scalp;
    coif_groom *groom = &trial->groom;
    COIF_TRY(coif_groom_init(groom, &desc->point_count, 1, arena, error));
    const coif_mat3 frame = coif_mesh_frame(&trial->scalp, 0, 0.3f, 0.3f);
    groom->root_barycentric[0] = groom->root_barycentric[1] = 0.3f;
    memcpy(groom->root_frame, &frame, sizeof frame);
    const coif_vec3 root = coif_mesh_at(&trial->scalp, 0, 0.3f, 0.3f).position;
    for (int32_t k = 0; k < desc->point_count; ++k) {
        const coif_vec3 p = coif_add(root, coif_sub(desc->shape[k], desc->shape[0]));
        const float radius = trial->params.hair_radius > 0.0f ? trial->params.hair_radius : 4e-5f;
        groom->rest.points[k] = (coif_vec4){p.x, p.y, p.z, radius};
    }
    return COIF_OK;
}

coif_status coif_strand_rig_open(coif_strand_rig *trial, const coif_strand_rig_desc *desc,
                                 coif_arena *arena, coif_error *error)
{
    *trial = (coif_strand_rig){.point_count = desc->point_count};
    coif_scene *scene = coif_arena_new(arena, 1, coif_scene);
    COIF_TRY(load_scene(scene, desc, arena, error));
    coif_node_read(coif_node_at(scene->root, "sim"), 0.0, &trial->params);
    COIF_TRY(open_forces(trial, scene, arena, error));
    COIF_TRY(make_groom(trial, desc, arena, error));
    const coif_kernels *kernels;
    COIF_TRY(coif_kernels_find(&kernels, desc->kernel, error));
    const coif_groom_solver_desc solver = {.groom = &trial->groom,
                                     .rest = &trial->scalp,
                                     .params = &trial->params,
                                     .kernels = kernels,
                                     .pinned =
                                         coif_solver_vtable_at(trial->params.solver)->pinned_points,
                                     .seed = 1};
    coif_groom_solver_init(&trial->solver, &solver, arena, NULL);
    trial->places = coif_arena_new(arena, desc->point_count, coif_vec3);
    trial->velocities = coif_arena_new(arena, desc->point_count, coif_vec3);
    coif_solver_get_points(&trial->solver.core, trial->places, trial->velocities);
    return COIF_OK;
}

static coif_vec3 rest_at(const coif_strand_rig *trial, int32_t k)
{
    return coif_vec4_xyz(trial->groom.rest.points[k]);
}

static double distance(coif_vec3 a, coif_vec3 b)
{
    const double x = (double)a.x - (double)b.x;
    const double y = (double)a.y - (double)b.y;
    const double z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

static void measure_stretch(coif_strand_rig *trial)
{
    for (int32_t k = 0; k + 1 < trial->point_count; ++k) {
        const double rest = distance(rest_at(trial, k), rest_at(trial, k + 1));
        const double now = distance(trial->places[k], trial->places[k + 1]);
        trial->max_stretch = fmax(trial->max_stretch, fabs(now / rest - 1.0));
    }
}

void coif_strand_rig_step(coif_strand_rig *trial)
{
    const double seconds = 1.0 / (double)trial->params.fps;
    const coif_groom_solver_frame frame = {.params = &trial->params,
                                     .begin = &trial->scalp,
                                     .end = &trial->scalp_end,
                                     .bodies = trial->bodies,
                                     .body_count = trial->body_count,
                                     .forces = trial->forces,
                                     .force_count = trial->force_count,
                                     .frame_begin = trial->frame,
                                     .frame_end = trial->frame + 1,
                                     .time = trial->frame * seconds,
                                     .seconds = seconds};
    coif_solver_report report;
    coif_groom_solver_step(&trial->solver, &frame, &report, NULL, NULL);
    trial->frame += 1;
    trial->healed += report.stats.reset_strands;
    coif_solver_get_points(&trial->solver.core, trial->places, trial->velocities);
    measure_stretch(trial);
}

double coif_strand_rig_settle(coif_strand_rig *trial, double least, double most)
{
    const double fps = (double)trial->params.fps;
    int32_t still = 0;
    int32_t frames = 0;
    while (frames < most * fps && (frames < least * fps || still < STILL_SECONDS * fps)) {
        coif_strand_rig_step(trial);
        still = coif_strand_rig_speed(trial) < STILL ? still + 1 : 0;
        ++frames;
    }
    return frames / fps;
}

void coif_strand_rig_write(coif_strand_rig *trial)
{
    coif_solver_set_points(&trial->solver.core, trial->places, trial->velocities);
}

double coif_strand_rig_speed(const coif_strand_rig *trial)
{
    double most = 0.0;
    for (int32_t k = 0; k < trial->point_count; ++k) {
        most = fmax(most, (double)coif_length(trial->velocities[k]));
    }
    return most;
}

double coif_strand_rig_length(const coif_strand_rig *trial)
{
    double length = 0.0;
    for (int32_t k = 0; k + 1 < trial->point_count; ++k) {
        length += distance(rest_at(trial, k), rest_at(trial, k + 1));
    }
    return length;
}

coif_vec3 coif_strand_rig_tip(const coif_strand_rig *trial)
{
    return coif_sub(trial->places[trial->point_count - 1], trial->places[0]);
}

double coif_strand_rig_bending(const coif_sim_params *params)
{
    return (double)params->stiffness * (double)params->youngs_modulus * M_PI *
           pow((double)params->hair_radius, 4.0) / 4.0;
}

double coif_strand_rig_weight(const coif_sim_params *params)
{
    return (double)params->hair_density * M_PI * pow((double)params->hair_radius, 2.0) * 9.81;
}
