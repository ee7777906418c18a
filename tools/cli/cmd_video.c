// coif video: encode rendered images as a video.
#include "tools/cli/command.h"
#include "tools/cli/video.h"

typedef struct video_options {
    const char *images;
    const char *video;
    coif_frame_range frames;
    const char *format;
    float fps;
    int32_t codec;
    int32_t quality;
    int32_t delete_frames;
} video_options;

static const char *const CODECS[] = {"h264", "prores", NULL};

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARGUMENT(video_options, images, "folder of render0001.png, ..."),
    COIF_ARG_WITH(COIF_ARG_ARGUMENT, video_options, video, COIF_PARAM_PATH, "", "output file (default: output.mp4 or output.mov in that folder)"),
    COIF_ARG(video_options, frames, COIF_ARG_FRAMES, "A-B", "frames to encode (default: all images of the folder)"),
    COIF_ARG(video_options, format, COIF_PARAM_STRING, "EXT", "format of the images: png, bmp, jpg or tif (default: png)"),
    COIF_ARG_NUMBER(video_options, fps, COIF_PARAM_FLOAT, "N", "frames per second", 24, 1, 1000),
    COIF_ARG_CHOICE(video_options, codec, CODECS, "video codec"),
    COIF_ARG_NUMBER(video_options, quality, COIF_PARAM_INT, "N", "CRF of h264: 0 lossless, 18 visually lossless, 51 worst", 18, 0, 51),
    COIF_ARG(video_options, delete_frames, COIF_PARAM_BOOL, "", "delete the images after the video has been verified"),
};
// clang-format on

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const video_options *video = options;
    const char *default_name = video->codec == COIF_VIDEO_PRORES ? "output.mov" : "output.mp4";
    const coif_video_desc desc = {
        .folder = video->images,
        .format = video->format != NULL ? video->format : "png",
        .path = video->video != NULL ? video->video
                                     : coif_path_join(video->images, default_name, &app->arena),
        .frames = video->frames,
        .fps = video->fps,
        .codec = (coif_video_codec)video->codec,
        .quality = video->quality,
        .delete_frames = video->delete_frames != 0,
    };
    return coif_video_make(&desc, &app->arena, app->progress, error);
}

const coif_command COIF_COMMAND_VIDEO = {
    .name = "video",
    .help = "encode rendered images as a video",
    .more = "Requires ffmpeg and ffprobe. The video is decoded and its frames are counted before "
            "it is\n"
            "renamed to VIDEO; a missing frame number is an error.\n",
    .examples = "  coif video out/tiny\n"
                "  coif video out/tiny out/video.mov --fps 25 --codec prores\n",
    COIF_COMMAND_OPTIONS(video_options, OPTIONS),
    .run = run,
};
