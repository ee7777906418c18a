#include "sim/validation/single_strand_rig.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "sim/run/force_params.h"
#include "sim/run/sim_params.h"
#include "sim/validation/test_shapes.h"

#include <string.h>

const char *const COIF_STRAND_RIG_NO_FORCES =
    "damping=0 drag=0 goal_frequency_root=0 goal_frequency_tip=0 gravity_compensation=0 "
    "mass_variation=0 stiffness_variation=0 "
    "bending_damping_time=0 friction=0 tangential_drag_reduction=0 drag_coefficient=0";

// A strand is at rest when it is slower than this, m/s, for this long, s.
static const double REST_SPEED = 1e-4;
static const double REST_SECONDS = 0.25;

static const coif_section *const CHILDREN[] = {&COIF_SIM_SECTION, &COIF_FORCES_SECTION, NULL};
static const coif_section TREE = {.name = "", .form = COIF_SECTION_OBJECT, .children = CHILDREN};

static const coif_plugin *no_plugin(void *data, int32_t index)
{
    (void)data, (void)index;
    return NULL;
}

// Adds settings as overrides: later ones win.
static int32_t add_settings(const char **sets, int32_t count, const char *settings,
                            coif_arena *arena)
{
    char *rest = coif_arena_copy_text(arena, settings);
    for (char *setting; count < 100 && (setting = strsep(&rest, " ")) != NULL;) {
        if (setting[0] != '\0') {
            sets[count++] = coif_arena_print(arena, "sim/%s", setting);
        }
    }
    return count;
}

typedef struct scene_source {
    const char **sets;
    int32_t set_count;
    const char *forces;
    coif_plugins *plugins;
} scene_source;

static coif_status load_scene(coif_scene *scene, const scene_source *from, coif_arena *arena,
                              coif_error *error)
{
    const char *text =
        coif_arena_print(arena, "{\"forces\": [%s]}", from->forces != NULL ? from->forces : "");
    const coif_plugin_lookup none = {NULL, no_plugin};
    const coif_plugin_lookup lookup =
        from->plugins != NULL ? coif_plugins_lookup(from->plugins) : none;
    const coif_scene_desc desc = {.path = "experiment",
                                  .sets = from->sets,
                                  .set_count = from->set_count,
                                  .tree = &TREE,
                                  .plugins = &lookup,
                                  .source = text,
                                  .source_size = strlen(text)};
    return coif_scene_load(scene, &desc, arena, error);
}

static coif_status load_rig_scene(coif_scene *scene, const coif_strand_rig_desc *desc,
                                  coif_arena *arena, coif_error *error)
{
    const char **sets = coif_arena_new(arena, 128 + desc->set_count, const char *);
    int32_t count = add_settings(sets, 0, COIF_STRAND_RIG_NO_FORCES, arena);
    count = add_settings(sets, count, desc->sim != NULL ? desc->sim : "", arena);
    sets[count++] = coif_arena_print(arena, "sim/solver=%s", desc->solver);
    for (int32_t i = 0; i < desc->set_count; ++i) {
        if (strncmp(desc->sets[i], "sim/", 4) != 0) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "--set %s: experiments accept sim/... only",
                             desc->sets[i]);
        }
        sets[count++] = desc->sets[i];
    }
    const scene_source from = {sets, count, desc->forces, desc->plugins};
    return load_scene(scene, &from, arena, error);
}

coif_status coif_strand_rig_settings(coif_sim_params *params, const char *settings,
                                     coif_arena *arena, coif_error *error)
{
    const char **sets = coif_arena_new(arena, 128, const char *);
    const scene_source from = {.sets = sets, .set_count = add_settings(sets, 0, settings, arena)};
    coif_scene *scene = coif_arena_new(arena, 1, coif_scene);
    COIF_TRY(load_scene(scene, &from, arena, error));
    coif_node_read(coif_node_at(scene->root, "sim"), 0.0, params);
    return COIF_OK;
}

static coif_status open_forces(coif_strand_rig *rig, const coif_scene *scene, coif_arena *arena,
                               coif_error *error)
{
    const coif_node *list = coif_node_at(scene->root, "forces");
    rig->forces = coif_arena_new(arena, list->child_count + 1, coif_plugin_instance *);
    for (int32_t i = 0; i < list->child_count; ++i) {
        coif_plugin_instance **force = &rig->forces[rig->force_count++];
        COIF_TRY(coif_plugin_instance_open(force, &list->children[i], 0.0, arena, error));
    }
    return COIF_OK;
}

// A groom of one strand on a horizontal square of one metre.
static coif_status make_groom(coif_strand_rig *rig, const coif_strand_rig_desc *desc,
                              coif_arena *arena, coif_error *error)
{
    rig->scalp = coif_shape_plane(1.0f, 1, arena);
    rig->scalp_end = rig->scalp;
    coif_groom *groom = &rig->groom;
    COIF_TRY(coif_groom_init(groom, &desc->point_count, 1, arena, error));
    const coif_mat3 frame = coif_mesh_frame(&rig->scalp, 0, 0.3f, 0.3f);
    groom->root_barycentric[0] = groom->root_barycentric[1] = 0.3f;
    memcpy(groom->root_frame, &frame, sizeof frame);
    const coif_vec3 root = coif_mesh_at(&rig->scalp, 0, 0.3f, 0.3f).position;
    for (int32_t k = 0; k < desc->point_count; ++k) {
        const coif_vec3 p = coif_add(root, coif_sub(desc->shape[k], desc->shape[0]));
        const float radius = rig->params.hair_radius > 0.0f ? rig->params.hair_radius : 4e-5f;
        groom->rest.points[k] = (coif_vec4){p.x, p.y, p.z, radius};
    }
    return COIF_OK;
}

coif_status coif_strand_rig_open(coif_strand_rig *rig, const coif_strand_rig_desc *desc,
                                 coif_arena *arena, coif_error *error)
{
    *rig = (coif_strand_rig){.point_count = desc->point_count};
    coif_scene *scene = coif_arena_new(arena, 1, coif_scene);
    COIF_TRY(load_rig_scene(scene, desc, arena, error));
    coif_node_read(coif_node_at(scene->root, "sim"), 0.0, &rig->params);
    COIF_TRY(open_forces(rig, scene, arena, error));
    COIF_TRY(make_groom(rig, desc, arena, error));
    const coif_kernels *kernels;
    COIF_TRY(coif_kernels_find(&kernels, desc->kernel, error));
    const coif_groom_solver_desc solver = {
        .groom = &rig->groom,
        .rest = &rig->scalp,
        .params = &rig->params,
        .kernels = kernels,
        .pinned = coif_solver_vtable_at(rig->params.solver)->pinned_points,
        .seed = 1};
    coif_groom_solver_init(&rig->solver, &solver, arena, NULL);
    rig->positions = coif_arena_new(arena, desc->point_count, coif_vec3);
    rig->velocities = coif_arena_new(arena, desc->point_count, coif_vec3);
    coif_solver_get_points(rig->solver.core, rig->positions, rig->velocities);
    return COIF_OK;
}

static coif_vec3 rest_at(const coif_strand_rig *rig, int32_t k)
{
    return coif_vec4_xyz(rig->groom.rest.points[k]);
}

static double distance(coif_vec3 a, coif_vec3 b)
{
    const double x = (double)a.x - (double)b.x;
    const double y = (double)a.y - (double)b.y;
    const double z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

static void measure_stretch(coif_strand_rig *rig)
{
    for (int32_t k = 0; k + 1 < rig->point_count; ++k) {
        const double rest = distance(rest_at(rig, k), rest_at(rig, k + 1));
        const double length = distance(rig->positions[k], rig->positions[k + 1]);
        rig->max_stretch = fmax(rig->max_stretch, fabs(length / rest - 1.0));
    }
}

void coif_strand_rig_step(coif_strand_rig *rig)
{
    const double seconds = 1.0 / (double)rig->params.fps;
    const coif_groom_solver_frame frame = {.params = &rig->params,
                                           .begin = &rig->scalp,
                                           .end = &rig->scalp_end,
                                           .bodies = rig->bodies,
                                           .body_count = rig->body_count,
                                           .forces = rig->forces,
                                           .force_count = rig->force_count,
                                           .frame_begin = rig->frame,
                                           .frame_end = rig->frame + 1,
                                           .time = rig->frame * seconds,
                                           .seconds = seconds};
    coif_solver_report report;
    coif_groom_solver_step(&rig->solver, &frame, &report, NULL, NULL);
    rig->frame += 1;
    rig->reset_count += report.stats.reset_strands;
    coif_solver_get_points(rig->solver.core, rig->positions, rig->velocities);
    measure_stretch(rig);
}

double coif_strand_rig_settle(coif_strand_rig *rig, double min_seconds, double max_seconds)
{
    const double fps = (double)rig->params.fps;
    int32_t rest_frames = 0;
    int32_t frames = 0;
    while (frames < max_seconds * fps &&
           (frames < min_seconds * fps || rest_frames < REST_SECONDS * fps)) {
        coif_strand_rig_step(rig);
        rest_frames = coif_strand_rig_speed(rig) < REST_SPEED ? rest_frames + 1 : 0;
        ++frames;
    }
    return frames / fps;
}

void coif_strand_rig_write(coif_strand_rig *rig)
{
    coif_solver_set_points(rig->solver.core, rig->positions, rig->velocities);
}

double coif_strand_rig_speed(const coif_strand_rig *rig)
{
    double largest = 0.0;
    for (int32_t k = 0; k < rig->point_count; ++k) {
        largest = fmax(largest, (double)coif_length(rig->velocities[k]));
    }
    return largest;
}

double coif_strand_rig_length(const coif_strand_rig *rig)
{
    double length = 0.0;
    for (int32_t k = 0; k + 1 < rig->point_count; ++k) {
        length += distance(rest_at(rig, k), rest_at(rig, k + 1));
    }
    return length;
}

coif_vec3 coif_strand_rig_tip(const coif_strand_rig *rig)
{
    return coif_sub(rig->positions[rig->point_count - 1], rig->positions[0]);
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
