// negative: a picture as it was gathered, before exposure and view, for whoever wants to look at it
// in another exposure: what the view's curve has made white comes back.
#ifndef COIF_RENDER_OUTPUT_HDR_SNAPSHOT_H
#define COIF_RENDER_OUTPUT_HDR_SNAPSHOT_H

#include "render/film/film.h"

// What a picture is taken from: without noise if that is there.
typedef struct coif_hdr_snapshot_source {
    const coif_film *film;
    const coif_image_params *image;
    coif_rect window; // of the picture; empty: what the film has
} coif_hdr_snapshot_source;

typedef struct coif_hdr_snapshot {
    int32_t width, height;
    int32_t view;   // see view.h
    float exposure; // of the scene, stops
    float *pixels;  // three each
} coif_hdr_snapshot;

void coif_hdr_snapshot_capture(coif_hdr_snapshot *negative, const coif_hdr_snapshot_source *source,
                               coif_arena *arena);

// As PNG and the like show it, so many stops brighter than the scene says.
coif_status coif_hdr_snapshot_write_display(const coif_hdr_snapshot *negative, float stops,
                                            const char *path, coif_error *error);

#endif
