// simulate: from a scene to grooms and one cache file per frame; `coif groom` and `coif sim`.
#ifndef COIF_SIM_RUN_SIMULATE_H
#define COIF_SIM_RUN_SIMULATE_H

#include "core/base/fs.h"
#include "core/scene/scene.h"
#include "sim/run/partition.h"

typedef struct coif_simulate_desc {
    const coif_scene *scene;
    const char *folder;       // of the cache
    coif_frame_range frames;  // none given: those of the scene
    bool redo;                // also frames that the cache has
    const char *from;         // checkpoint to start from; NULL: that of the scene
    const int *moment;        // frame at which coif_simulate_groom evaluates keys; NULL: the first
    const char *kernel;       // "auto", "wide4", "wide8": which compilation of the kernels
    const char *groom;        // the only one to generate and simulate; NULL: all
    coif_partition partition; // of each groom; index 0 joins the partitions
} coif_simulate_desc;

// Why the strands of a groom do not move independently of each other in some frame, so that it has
// no partitions; NULL: they do.
const char *coif_simulate_coupling(const coif_scene *scene, const coif_node *groom,
                                   coif_frame_range frames, coif_arena *arena);

// First and last frame of the scene and its frame rate.
typedef struct coif_timeline {
    int first, last;
    double fps;
} coif_timeline;
coif_timeline coif_timeline_of(const coif_scene *scene);

// Generates every groom of the scene and writes FOLDER/NAME.groom. An existing file with the
// same content is not written again.
coif_status coif_simulate_groom(const coif_simulate_desc *desc, coif_jobs *jobs,
                                coif_progress *progress, coif_error *error);

// Simulates every groom (generating it first) and writes FOLDER/NAME.0001.strands, ... and a
// checkpoint every few frames. An interrupted run restarts from the newest checkpoint with the
// same settings; the result has the same bytes as an uninterrupted run. Processes on the same
// folder divide the grooms.
coif_status coif_simulate(const coif_simulate_desc *desc, coif_jobs *jobs, coif_progress *progress,
                          coif_error *error);

#endif
