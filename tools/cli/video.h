// video: numbered pictures to one film, through ffmpeg.
#ifndef COIF_TOOLS_CLI_VIDEO_H
#define COIF_TOOLS_CLI_VIDEO_H

#include "core/base/fs.h"

typedef enum coif_video_codec { COIF_VIDEO_H264 = 0, COIF_VIDEO_PRORES = 1 } coif_video_codec;

typedef struct coif_video_desc {
    const char *folder;      // of render0001.png, ...
    const char *format;      // extension of the pictures
    const char *path;        // the film
    coif_frame_range frames; // none given: all that are there
    double fps;
    coif_video_codec codec;
    int quality;        // H.264: 0 is lossless, 18 looks so, 51 is worst
    bool delete_frames; // after the film has been decoded again and counted
} coif_video_desc;

// Whether the programs it takes can be started: known before long work, not behind it.
coif_status coif_video_ready(coif_arena *arena, coif_error *error);

// Writes to a temporary name, decodes the result, counts its frames and only then renames it. A
// gap in the numbers is COIF_ERR_IO: a film of what is left would jump. Every picture must be whole
// and of the same size.
coif_status coif_video_make(const coif_video_desc *desc, coif_arena *arena, coif_progress *progress,
                            coif_error *error);

#endif
