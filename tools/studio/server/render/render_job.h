// picture: the real renderer for the page, on a thread of its own.
//
// A request takes a copy of the scene and its layers, grows the hair into a folder that is removed
// at the end, unless it is there already, and renders it. Every picture that is written is
// announced by an event; the page fetches the newest. A new request ends the one before it.
#ifndef COIF_TOOLS_STUDIO_SERVER_RENDER_RENDER_JOB_H
#define COIF_TOOLS_STUDIO_SERVER_RENDER_RENDER_JOB_H

#include "tools/studio/server/document/studio.h"

enum { COIF_PICTURE_SETS = 32 };

typedef struct coif_render_job_request {
    const char *sets[COIF_PICTURE_SETS]; // as of --set: the page's camera, size, samples
    int32_t set_count;
    int32_t crop[4];
    const char *aovs;  // layers of the EXR file of a full picture, NULL: none
    const char *cache; // folder of frames, NULL: hair at rest
    int frame;
    bool live;   // hair as it moves, where it is now; frame says nothing then
    bool full;   // render0001.png and .exr, pass after pass; otherwise a preview
    bool sketch; // before a preview: a few thick hairs, which are there at once
} coif_render_job_request;

typedef struct coif_render_job coif_render_job;

coif_status coif_render_job_open(coif_render_job **picture, coif_studio *studio, coif_arena *arena,
                                 coif_error *error);
void coif_render_job_close(coif_render_job *picture);

// Begins; texts are copied.
void coif_render_job_ask(coif_render_job *picture, const coif_render_job_request *request);
void coif_render_job_cancel(coif_render_job *picture);

// Something has changed: hair for the next picture is made ready again when nothing has for a
// moment. May be called with the studio's lock held.
void coif_render_job_invalidate(coif_render_job *picture);

// The path of the newest picture of that extension in arena, NULL when there is none.
const char *coif_render_job_newest(coif_render_job *picture, const char *extension,
                                   coif_arena *arena);

// Pictures to be exposed anew.
struct coif_render_history *coif_render_job_negatives(coif_render_job *picture);

#endif
