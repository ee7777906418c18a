// hdr_snapshot: linear HDR copy of a render, kept so that exposure can be changed without
// re-rendering.
#ifndef COIF_RENDER_OUTPUT_HDR_SNAPSHOT_H
#define COIF_RENDER_OUTPUT_HDR_SNAPSHOT_H

#include "render/film/film.h"
#include "render/output/image_output.h"

typedef struct coif_hdr_snapshot_source {
    const coif_film *film;
    const coif_output_params *output;
    coif_rect window; // part of the image; empty: the film's region
} coif_hdr_snapshot_source;

typedef struct coif_hdr_snapshot {
    int32_t width, height;
    int32_t channel_count; // 3, or 4 for transparent images: RGB premultiplied, alpha
    coif_output_params output;
    float *pixels;   // beauty
    float *denoised; // likewise, NULL: not denoised
} coif_hdr_snapshot;

void coif_hdr_snapshot_capture(coif_hdr_snapshot *snapshot, const coif_hdr_snapshot_source *source,
                               coif_arena *arena);

// Encodes a display-referred PNG in arena, with exposure stops added to that of the scene; denoised
// is ignored when the snapshot has no denoised pixels.
coif_status coif_hdr_snapshot_encode(char **data, size_t *size, const coif_hdr_snapshot *snapshot,
                                     float stops, bool denoised, coif_arena *arena,
                                     coif_error *error);

#endif
