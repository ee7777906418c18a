// Corrected copies of simulated caches.
#include "sim/cache/cache_edit.h"

#include "core/base/error.h"
#include "core/base/log.h"
#include "core/pack/pack.h"
#include "sim/cache/cache_make.h"
#include "sim/groom/scalp_maps.h"

#include <string.h>

typedef struct groom_edit {
    const coif_cache_edit_desc *desc;
    coif_sim_scene *sim_scene;
    const coif_node *node;
    const char *name;
    coif_groom groom;
    coif_cache_input input;
    coif_cache_make_desc make;
    coif_frame_range output_range; // what the operation makes
    coif_cache_output outputs[3];
    coif_push_out_stats pushed; // of all written frames
} groom_edit;

// Makes a frame, unless it is one of the last three; the oldest of them is replaced.
static coif_status make_frame(coif_cache_output **made, groom_edit *edit, int frame,
                              coif_error *error)
{
    coif_cache_output *out = &edit->outputs[(unsigned)frame % COIF_COUNT_OF(edit->outputs)];
    *made = out;
    if (out->made && out->frame == frame) {
        return COIF_OK;
    }
    coif_arena_free(&out->arena);
    coif_arena_init(&out->arena, "corrected frame");
    out->made = false;
    out->frame = frame;
    out->strands = (coif_strands){0};
    COIF_TRY(coif_cache_make(out, &edit->make, error));
    out->made = true;
    return COIF_OK;
}

// ---- files

// The lines of the input without the settings of the simulation, and the corrections so far.
static const char *make_metadata(const char *metadata, const char *description, coif_arena *arena)
{
    const char *text = "";
    const char *earlier = coif_metadata_value(metadata, "corrected", arena);
    for (const char *line = metadata; *line != '\0';) {
        const int length = (int)strcspn(line, "\n");
        if (strncmp(line, "settings=", 9) != 0 && strncmp(line, "corrected=", 10) != 0) {
            text = coif_arena_print(arena, "%s%.*s\n", text, length, line);
        }
        line += length + (line[length] == '\n');
    }
    return coif_arena_print(arena, "%scorrected=%s%s%s\n", text, earlier != NULL ? earlier : "",
                            earlier != NULL ? "; " : "", description);
}

static coif_status write_frame(groom_edit *edit, int frame, coif_error *error)
{
    coif_cache_output *out, *before, *after;
    const coif_frame_range *range = &edit->output_range;
    const int first = frame > range->first ? frame - 1 : frame;
    const int last = frame < range->last ? frame + 1 : frame;
    COIF_TRY(make_frame(&before, edit, first, error));
    COIF_TRY(make_frame(&out, edit, frame, error));
    COIF_TRY(make_frame(&after, edit, last, error));
    const double seconds = (last - first) / (double)edit->sim_scene->params.fps;
    coif_strands_difference(&out->strands, out->changed, &before->strands, &after->strands,
                            seconds);
    coif_frame_cache_desc desc = out->info;
    desc.frame = frame;
    desc.metadata = make_metadata(out->info.metadata, edit->desc->description, &out->arena);
    desc.jobs = edit->sim_scene->jobs;
    const char *path = coif_frame_file_path(edit->desc->folder, edit->name, frame, &out->arena);
    COIF_TRY(coif_frame_cache_save(&out->strands, &edit->groom, &desc, path, error));
    coif_push_out_stats *sum = &edit->pushed;
    sum->points += out->pushed.points;
    sum->moved += out->pushed.moved;
    sum->average += out->pushed.average * (double)out->pushed.moved;
    sum->largest = out->pushed.largest > sum->largest ? out->pushed.largest : sum->largest;
    return COIF_OK;
}

static coif_status copy_file(const char *from, const char *to, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "copy");
    char *data;
    size_t size;
    COIF_TRY(coif_file_load(&data, &size, from, &scratch, error));
    return coif_file_save(to, data, size, error);
}

static coif_status copy_frame(groom_edit *edit, int frame, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "copy");
    return copy_file(coif_frame_file_path(edit->desc->sources[0], edit->name, frame, &scratch),
                     coif_frame_file_path(edit->desc->folder, edit->name, frame, &scratch), error);
}

static coif_status write_frames(groom_edit *edit, coif_frame_range frames,
                                coif_status (*write)(groom_edit *, int, coif_error *),
                                coif_error *error)
{
    coif_progress *progress = edit->sim_scene->progress;
    coif_progress_begin(progress, edit->name, (frames.last - frames.first) / frames.step + 1,
                        "frames");
    coif_status status = COIF_OK;
    for (int f = frames.first; status == COIF_OK && f <= frames.last; f += frames.step) {
        status = write(edit, f, error);
        if (!coif_progress_step(progress, 1) && status == COIF_OK) {
            status =
                coif_fail(error, COIF_ERR_CANCELLED, "%s: cancelled after frame %d", edit->name, f);
        }
    }
    coif_progress_end(progress);
    return status;
}

// ---- grooms

// Values of the scalp map at the simulated roots.
static coif_status evaluate_mask(groom_edit *edit, coif_error *error)
{
    coif_arena *arena = edit->sim_scene->arena;
    const coif_groom *groom = &edit->groom;
    const coif_mesh *mesh = &edit->input.body->rest;
    const int32_t count = groom->simulated_count;
    coif_surface_point *roots = coif_arena_new(arena, count, coif_surface_point);
    for (int32_t i = 0; i < count; ++i) {
        const int32_t s = groom->simulated[i];
        const float *b = groom->root_barycentric + 2 * (size_t)s;
        roots[i] = coif_mesh_at(mesh, groom->root_triangle[s], b[0], b[1]);
    }
    const coif_maps_query query = {.scene = edit->desc->scene->path,
                                   .groom = edit->node,
                                   .frame = edit->sim_scene->params.first_frame,
                                   .mesh = mesh,
                                   .count = count,
                                   .roots = roots};
    static const coif_param row = {.name = "maps"};
    coif_value value = {.map = edit->desc->map, .range = {{0.0}, {1.0}}};
    const coif_values values = {&row, 1, &value};
    const coif_param_ref param = {edit->node, &values, 0, 0};
    float *mask = coif_arena_new(arena, count, float);
    edit->make.mask = mask;
    return coif_maps_evaluate_query(mask, &query, &param, error);
}

// Roots must be on triangles of the body.
static coif_status check_body(const groom_edit *edit, coif_error *error)
{
    if (coif_mesh_topology_digest(&edit->input.body->rest) != edit->groom.mesh_digest) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: body '%s' is not the scalp of groom '%s' in %s: triangles differ",
                         edit->desc->scene->path, edit->input.body->params.name, edit->name,
                         edit->desc->sources[0]);
    }
    return coif_groom_check_roots(&edit->groom, edit->input.body->rest.triangle_count, edit->name,
                                  error);
}

static coif_status choose_frames(coif_frame_range *frames, groom_edit *edit, coif_error *error)
{
    const coif_cache_edit_desc *desc = edit->desc;
    COIF_TRY(
        coif_cache_plan_range(&edit->output_range, &desc->params, edit->make.input_range, error));
    const coif_frame_range *all = &edit->output_range;
    *frames = coif_frame_range_given(desc->frames) ? desc->frames : *all;
    if (frames->first < all->first || frames->last > all->last) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "frames %d-%d: the operation makes frames %d-%d of %s", frames->first,
                         frames->last, all->first, all->last, edit->name);
    }
    return COIF_OK;
}

static coif_status edit_frames(groom_edit *edit, coif_error *error)
{
    const coif_cache_edit_desc *desc = edit->desc;
    coif_frame_range frames;
    COIF_TRY(check_body(edit, error));
    COIF_TRY(choose_frames(&frames, edit, error));
    if (desc->map != NULL) {
        COIF_TRY(evaluate_mask(edit, error));
    }
    COIF_TRY(write_frames(edit, frames, write_frame, error));
    const coif_push_out_stats *pushed = &edit->pushed;
    if (desc->params.operation == COIF_CACHE_PUSH_OUT) {
        coif_log(COIF_LOG_INFO,
                 "%s: %lld of %lld points moved, by %.3g mm on average and %.3g mm at most",
                 edit->name, (long long)pushed->moved, (long long)pushed->points,
                 pushed->moved > 0 ? 1e3 * pushed->average / (double)pushed->moved : 0.0,
                 1e3 * pushed->largest);
    }
    coif_log(COIF_LOG_INFO, "%s: %d frames of %d strands: %s", edit->name,
             (frames.last - frames.first) / frames.step + 1, edit->groom.simulated_count,
             desc->description);
    return COIF_OK;
}

static coif_status edit_groom(groom_edit *edit, coif_error *error)
{
    const coif_cache_edit_desc *desc = edit->desc;
    coif_arena *arena = edit->sim_scene->arena;
    const char *path = coif_groom_file_path(desc->sources[0], edit->name, arena);
    COIF_TRY(coif_groom_load(&edit->groom, path, arena, error));
    COIF_TRY(coif_cache_input_range(&edit->make.input_range, desc->sources[0], edit->name, error));
    COIF_TRY(copy_file(path, coif_groom_file_path(desc->folder, edit->name, arena), error));
    if (desc->groom != NULL && strcmp(desc->groom, edit->name) != 0) {
        return write_frames(edit, edit->make.input_range, copy_frame, error);
    }
    edit->make.params = &desc->params;
    edit->make.input = &edit->input;
    edit->make.sim_scene = edit->sim_scene;
    edit->make.groom = edit->node;
    edit->input.groom = &edit->groom;
    edit->input.name = edit->name;
    const int32_t terms =
        desc->params.operation == COIF_CACHE_SMOOTH ? 2 * desc->params.radius + 1 : 4;
    coif_cache_input_open(&edit->input, terms + 1, arena);
    for (size_t i = 0; i < COIF_COUNT_OF(edit->outputs); ++i) {
        coif_arena_init(&edit->outputs[i].arena, "corrected frame");
    }
    const coif_status status = edit_frames(edit, error);
    for (size_t i = 0; i < COIF_COUNT_OF(edit->outputs); ++i) {
        coif_arena_free(&edit->outputs[i].arena);
    }
    coif_cache_input_close(&edit->input);
    return status;
}

static coif_status edit_grooms(const coif_cache_edit_desc *desc, coif_sim_scene *sim_scene,
                               coif_body_playback *playback, coif_error *error)
{
    COIF_TRY(coif_sim_scene_open(sim_scene, error));
    if (desc->params.operation == COIF_CACHE_PUSH_OUT) {
        COIF_TRY(coif_sim_scene_build_colliders(sim_scene, error));
    }
    const coif_node *grooms = coif_node_at(desc->scene->root, "grooms");
    bool found = desc->groom == NULL;
    for (int32_t g = 0; g < grooms->child_count; ++g) {
        groom_edit edit = {.desc = desc,
                           .sim_scene = sim_scene,
                           .make.playback = playback,
                           .node = &grooms->children[g],
                           .name = coif_values_find(&grooms->children[g].values, "name")->text,
                           .input.folders = {desc->sources[0], desc->sources[1]},
                           .input.interpolation = coif_body_interpolation_of(desc->scene)};
        found = found || strcmp(desc->groom, edit.name) == 0;
        COIF_TRY(coif_sim_scene_body(&edit.input.body, sim_scene, edit.node, error));
        const coif_arena_mark mark = coif_arena_mark_here(sim_scene->arena);
        COIF_TRY(edit_groom(&edit, error));
        coif_arena_rewind(sim_scene->arena, mark);
    }
    return found ? COIF_OK
                 : coif_fail(error, COIF_ERR_ARGUMENT, "%s has no groom '%s'", desc->scene->path,
                             desc->groom);
}

static coif_status check_folders(const coif_cache_edit_desc *desc, coif_arena *arena,
                                 coif_error *error)
{
    COIF_TRY(coif_path_make_directory(desc->folder, error));
    for (size_t i = 0; i < COIF_COUNT_OF(desc->sources); ++i) {
        const char *source = desc->sources[i];
        if (source != NULL &&
            strcmp(coif_path_real(source, arena), coif_path_real(desc->folder, arena)) == 0) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "%s: the output folder is the input; frames are made of several "
                             "others, which must stay as they are",
                             desc->folder);
        }
    }
    return COIF_OK;
}

coif_status coif_cache_edit(const coif_cache_edit_desc *desc, coif_jobs *jobs,
                            coif_progress *progress, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "cache");
    coif_body_playback playback;
    coif_body_playback_open(&playback);
    coif_sim_scene sim_scene = {
        .scene = desc->scene, .arena = &arena, .jobs = jobs, .progress = progress};
    coif_status status = check_folders(desc, &arena, error);
    if (status == COIF_OK) {
        status = edit_grooms(desc, &sim_scene, &playback, error);
    }
    coif_body_playback_close(&playback);
    return status;
}
