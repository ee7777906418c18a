// outputs: the files of one picture, and whether they are there already.
#ifndef COIF_RENDER_DRIVER_OUTPUT_FILES_H
#define COIF_RENDER_DRIVER_OUTPUT_FILES_H

#include "render/build/frame_setup.h"
#include "render/output/image_output.h"

enum { COIF_MAX_FORMATS = 6, COIF_MAX_ATTRIBUTES = 12 };

typedef struct coif_output_files {
    const char *paths[COIF_MAX_FORMATS];
    int32_t count;
    const char *checkpoint;
    const char *stats;
    const char *preview; // while it is not finished
} coif_output_files;

coif_status coif_output_files_init(coif_output_files *out, const coif_frame_setup *shot,
                                   const coif_render_desc *desc, coif_arena *arena,
                                   coif_error *error);

// Whether they can be written at all: known before the first ray rather than after the last.
coif_status coif_output_files_check(const coif_output_files *out, coif_error *error);

// Whether all files are whole and were made from the shot's settings.
bool coif_output_files_up_to_date(const coif_output_files *out, const coif_frame_setup *shot);

// What every picture says about itself.
int32_t coif_output_metadata(coif_image_attribute texts[COIF_MAX_ATTRIBUTES],
                             const coif_frame_setup *shot, const coif_render_assets *production,
                             coif_arena *arena);

// How long a picture took. Up to the first ray also what processors worked, in all and for Embree's
// hierarchy alone: the rest is reading and decoding.
typedef struct coif_frame_timings {
    double build, render;                        // seconds
    double build_processor, hierarchy_processor; // seconds of processors
} coif_frame_timings;

// Figures of how it went; the only file here that knows a clock.
coif_status coif_output_files_save_stats(const coif_output_files *out, const coif_frame_setup *shot,
                                         const coif_frame_timings *times, coif_arena *arena,
                                         coif_error *error);

#endif
