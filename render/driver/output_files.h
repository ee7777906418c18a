// output_files: the files of one frame, and whether they are up to date.
#ifndef COIF_RENDER_DRIVER_OUTPUT_FILES_H
#define COIF_RENDER_DRIVER_OUTPUT_FILES_H

#include "render/build/frame_setup.h"

enum { COIF_MAX_FORMATS = 6, COIF_MAX_ATTRIBUTES = 16 };

typedef struct coif_output_files {
    const char *paths[COIF_MAX_FORMATS];
    int32_t count;    // 0: no files are written
    const char *stem; // FOLDER/render0042
    const char *film; // of a tile of the image; NULL: the image is one piece
    const char *checkpoint;
    const char *stats;
    const char *preview; // of intermediate passes
    const char *inputs;  // of the denoiser, when films are denoised; else NULL
} coif_output_files;

typedef struct coif_output_files_desc {
    const char *folder;  // NULL: no files are written
    const char *formats; // separated by commas; NULL or empty: that of the scene
    bool preview;        // one format, neither checkpoint nor statistics
} coif_output_files_desc;
coif_status coif_output_files_init(coif_output_files *out, const coif_frame_setup *setup,
                                   const coif_output_files_desc *desc, coif_arena *arena,
                                   coif_error *error);

// Whether the files can be written: an error before the first ray rather than after the last.
coif_status coif_output_files_check(const coif_output_files *out, coif_error *error);

// Whether all files are complete and were made from the settings of the frame.
bool coif_output_files_up_to_date(const coif_output_files *out, const coif_frame_setup *setup);

// Metadata of an image; that of a preview has no settings digest.
int32_t coif_output_metadata(coif_image_attribute texts[COIF_MAX_ATTRIBUTES],
                             const coif_frame_setup *setup, const coif_render_assets *assets,
                             bool preview, coif_arena *arena);

// Inputs of the denoiser, with the metadata of the image.
coif_status coif_output_files_save_inputs(const coif_output_files *out,
                                          const coif_frame_setup *setup, const coif_film *film,
                                          const coif_image_attribute *texts, int32_t text_count,
                                          coif_jobs *jobs, coif_arena *arena, coif_error *error);

typedef struct coif_frame_timings {
    double build, render;                  // seconds
    double build_processor, bvh_processor; // CPU seconds before the first ray, and of the BVH build
} coif_frame_timings;

// Statistics as JSON; the only product file with timings.
coif_status coif_output_files_save_stats(const coif_output_files *out,
                                         const coif_frame_setup *setup,
                                         const coif_frame_timings *timings, coif_arena *arena,
                                         coif_error *error);

#endif
