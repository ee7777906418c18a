// render_job: preview and final renders for the page, on a thread of its own.
//
// A request takes a snapshot of the scene, generates the hair unless it is cached, and renders it.
// Previews stay in memory; final renders write PNG and EXR files. A "render" event announces every
// new image. A new request cancels the running one.
#ifndef COIF_TOOLS_STUDIO_SERVER_RENDER_RENDER_JOB_H
#define COIF_TOOLS_STUDIO_SERVER_RENDER_RENDER_JOB_H

#include "tools/studio/server/document/studio.h"
#include "tools/studio/server/live/live_sim.h"
#include "tools/studio/server/render/render_history.h"

enum { COIF_MAX_OVERRIDES = 32 };

typedef struct coif_render_request {
    const char *overrides[COIF_MAX_OVERRIDES]; // as for --set: camera, size, samples
    int32_t override_count;
    int32_t crop[4];   // x, y, width, height; width 0: the full image
    const char *aovs;  // of the EXR file of a final render, or NULL
    const char *cache; // folder of a strand cache, NULL: rest pose
    int frame;
    bool live;  // the current state of the live simulation; frame is ignored
    bool final; // write render0001.png and .exr; otherwise a preview in memory
    bool draft; // first a preview with fewer strands
} coif_render_request;

typedef struct coif_render_job coif_render_job;

// Folder: for hair and files of final renders; it must exist until close.
coif_status coif_render_job_open(coif_render_job **job, coif_studio *studio, coif_live_sim *live,
                                 const char *folder, coif_arena *arena, coif_error *error);
void coif_render_job_close(coif_render_job *job);

// Texts of the request are copied.
void coif_render_job_start(coif_render_job *job, const coif_render_request *request);
void coif_render_job_cancel(coif_render_job *job);

// The scene has changed: the hair of the next preview is generated in advance after a short pause.
// May be called with the studio's lock held.
void coif_render_job_invalidate(coif_render_job *job);

typedef enum coif_render_file {
    COIF_RENDER_PNG,        // of the last final render, unless another render was started since
    COIF_RENDER_EXR,        // of the last final render of the full image
    COIF_RENDER_REGION_EXR, // of a final render of a region of it
    COIF_RENDER_FILES
} coif_render_file;

// Path of a finished file in arena, NULL when there is none.
const char *coif_render_job_file(coif_render_job *job, coif_render_file file, coif_arena *arena);

// The frame of the last request.
int coif_render_job_frame(coif_render_job *job);

coif_render_history *coif_render_job_history(coif_render_job *job);

#endif
