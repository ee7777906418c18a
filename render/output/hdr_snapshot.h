// hdr_snapshot: linear HDR copy of a render, kept so that exposure can be changed without
// re-rendering.
#ifndef COIF_RENDER_OUTPUT_HDR_SNAPSHOT_H
#define COIF_RENDER_OUTPUT_HDR_SNAPSHOT_H

#include "render/film/film.h"
#include "render/output/image_output.h"

// Denoised if the film has it, else beauty.
typedef struct coif_hdr_snapshot_source {
    const coif_film *film;
    const coif_output_params *output;
    coif_rect window; // part of the image; empty: the film's region
} coif_hdr_snapshot_source;

typedef struct coif_hdr_snapshot {
    int32_t width, height;
    coif_view_transform view;
    float exposure; // of the scene, stops
    float *pixels;  // RGB
} coif_hdr_snapshot;

void coif_hdr_snapshot_capture(coif_hdr_snapshot *snapshot, const coif_hdr_snapshot_source *source,
                               coif_arena *arena);

// Writes a display-referred image, with exposure stops added to that of the scene.
coif_status coif_hdr_snapshot_write_display(const coif_hdr_snapshot *snapshot, float stops,
                                            const char *path, coif_error *error);

#endif
