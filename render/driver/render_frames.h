// render_frames: renders frames of a scene and its hair cache to image files, as `coif render`
// does.
#ifndef COIF_RENDER_DRIVER_RENDER_FRAMES_H
#define COIF_RENDER_DRIVER_RENDER_FRAMES_H

#include "core/base/frame_list.h"
#include "core/base/fs.h"
#include "render/build/render_assets.h"
#include "render/output/hdr_snapshot.h"

extern const coif_section COIF_CAMERA_SECTION;    // "camera"
extern const coif_section COIF_INSTANCES_SECTION; // "instances", an array
extern const coif_section COIF_LIGHTS_SECTION;    // "lights", an array
extern const coif_section COIF_IMAGE_SECTION;     // "image"
extern const coif_section COIF_HAIR_SECTION;      // "hair" of a groom
extern const coif_section COIF_MATERIAL_SECTION;  // "material" of a body

typedef struct coif_render_desc {
    coif_render_source source;
    const char *folder;     // of the images: FOLDER/render0042.png; NULL: no files are written
    coif_frame_list frames; // must be given
    bool overwrite;         // also images that are up to date
    // A preview is rendered coarse to fine: one sample for 4 x 4 pixels, 2 x 2, then each, then
    // twice as many with every pass. FOLDER/preview0042.png is written after each pass. It has no
    // checkpoint and no settings digest.
    bool preview;
    bool progressive;          // pass after pass; intermediate images are written as previews
    double checkpoint_seconds; // between checkpoints of an unfinished image; 0: none
    double time_limit;         // seconds of sampling per image; 0: none
    bool keep_checkpoint;      // also of a finished image, so that it can get more samples
    bool defer_denoise;        // films are denoised later, by coif_denoise_film
    // Called after each pass that is shown, and for each finished file, with the sample count (0
    // for a coarse pass). Path is NULL without a folder. Either may be NULL.
    void (*on_image)(void *context, const char *path, int32_t samples);
    void (*on_snapshot)(void *context, const coif_hdr_snapshot_source *source); // before on_image
    void *context;
} coif_render_desc;

// What "image/format" of the scene says: "png", "exr", ...
const char *coif_render_format(const coif_scene *scene);

// An image that runs out of time has fewer samples, the same number for all pixels, and the bits it
// would have with that sample count; its checkpoint is kept. A kept checkpoint gets the missing
// samples when "image/samples" is raised, with the bits of one uninterrupted render.
coif_status coif_render_frames(const coif_render_desc *desc, coif_jobs *jobs,
                               coif_progress *progress, coif_error *error);

#endif
