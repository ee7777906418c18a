// video: encodes numbered images with ffmpeg.
#ifndef COIF_TOOLS_CLI_VIDEO_H
#define COIF_TOOLS_CLI_VIDEO_H

#include "core/base/fs.h"

typedef enum coif_video_codec {
    COIF_VIDEO_H264 = 0,
    COIF_VIDEO_PRORES = 1,
    COIF_VIDEO_AV1 = 2
} coif_video_codec;

// Denoised images (render0001.denoised.png) when every frame has one, else the rendered ones.
typedef enum coif_video_images {
    COIF_VIDEO_AUTO = 0,
    COIF_VIDEO_RENDERED = 1,
    COIF_VIDEO_DENOISED = 2
} coif_video_images;

typedef struct coif_video_desc {
    const char *folder; // of render0001.png, ...
    const char *format; // extension of the images
    coif_video_images images;
    const char *path;        // of the video
    coif_frame_range frames; // none given: all images of the folder
    double fps;
    coif_video_codec codec;
    int quality;         // CRF of H.264 and AV1: 0 is best, 18 visually lossless, 51 worst
    const char *burn_in; // text in the lower left corner, a run of # is the frame; NULL: none
    bool delete_frames;  // after the video has been verified
} coif_video_desc;

// One image with frames at equal distances, each with its number.
typedef struct coif_contact_sheet {
    int columns, rows;
    int width; // of a frame in it, pixels
} coif_contact_sheet;

// Checks that ffmpeg and ffprobe can be started; for use before long work.
coif_status coif_video_ready(coif_arena *arena, coif_error *error);

// Writes to a temporary file, decodes it, counts its frames and renames it. A missing frame number
// is COIF_ERR_IO. All images must be readable and of the same size.
coif_status coif_video_make(const coif_video_desc *desc, coif_arena *arena, coif_progress *progress,
                            coif_error *error);

// Writes a PNG or JPEG to the path of desc, whose codec does not count.
coif_status coif_video_contact_sheet(const coif_video_desc *desc, const coif_contact_sheet *sheet,
                                     coif_arena *arena, coif_progress *progress, coif_error *error);

#endif
