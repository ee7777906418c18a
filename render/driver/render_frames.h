// frame: from a scene and its cache to pictures. What `coif render` does.
#ifndef COIF_RENDER_DRIVER_RENDER_FRAMES_H
#define COIF_RENDER_DRIVER_RENDER_FRAMES_H

#include "core/base/fs.h"
#include "core/scene/map_query.h"
#include "core/scene/scene.h"

extern const coif_section COIF_CAMERA_SECTION;    // "camera"
extern const coif_section COIF_INSTANCES_SECTION; // "instances", an array: copies of bodies
extern const coif_section COIF_LIGHTS_SECTION;    // "lights", an array
extern const coif_section COIF_IMAGE_SECTION;     // "image"
extern const coif_section COIF_HAIR_SECTION;      // "hair" of a groom: colour and fibre
extern const coif_section COIF_MATERIAL_SECTION;  // "material" of a body

struct coif_hdr_snapshot_source;

typedef struct coif_render_desc {
    const coif_scene *scene;
    const char *cache;          // folder of .groom and .strands files
    const char *folder;         // where pictures go: FOLDER/render0042.png
    const char *format;         // "png", "exr", ... or NULL for what the scene says
    coif_frame_range frames;    // must be given
    bool rest;                  // hair at rest from the groom alone, no strands file needed
    bool clay;                  // bodies only, in grey clay
    bool redo;                  // also pictures that are there already and whole
    const char *isa;            // "auto", "avx2", "sse4.2"
    bool preview;               // quick rough pictures instead, see preview.h
    bool compact;               // less than half the memory for the hierarchy, slower rays
    coif_map_callback eval_map; // NULL: mapped parameters take the middle of their range
    double checkpoint_seconds;  // between checkpoints of an unfinished picture; 0 for none
    const char *aovs;           // instead of what "image/aovs" says, or NULL
    int32_t exr_layout;         // 1 + coif_exr_layout instead of what the scene says; 0: that
    int32_t crop[4];            // x, y, width and height of a part of the picture; width 0: all
    double time_limit;          // seconds of gathering for one picture; 0 for none
    bool progressive;           // pass after pass over the whole picture, each shown as a preview
    bool keep;                  // the checkpoint stays with a finished picture, for more samples
    // Called when a picture has been written, of so many samples; NULL: nobody wants to know.
    // Before that it can be had as light, see negative.h.
    void (*shown)(void *context, const char *path, int32_t samples);
    void (*negative)(void *context, const struct coif_hdr_snapshot_source *source);
    void *shown_context;
} coif_render_desc;

static inline void coif_render_progress_image(const coif_render_desc *desc, const char *path,
                                              int32_t samples,
                                              const struct coif_hdr_snapshot_source *source)
{
    if (desc->negative != NULL) {
        desc->negative(desc->shown_context, source);
    }
    if (desc->shown != NULL) {
        desc->shown(desc->shown_context, path, samples);
    }
}

// What "image/format" of the scene says: "png", "exr", ...
const char *coif_render_format(const coif_scene *scene);

// A picture that runs out of time has fewer samples, the same for all its pixels, and is what those
// would have given without a limit; its checkpoint stays. One whose film is kept gets its further
// samples when it is rendered again with a higher "image/samples", and has the bits of one go.
coif_status coif_render(const coif_render_desc *desc, coif_jobs *jobs, coif_progress *progress,
                        coif_error *error);

#endif
