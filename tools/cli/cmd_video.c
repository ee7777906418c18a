// coif video: pictures to a film.
#include "tools/cli/command.h"
#include "tools/cli/video.h"

typedef struct video_options {
    const char *pictures;
    const char *film;
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
    COIF_ARGUMENT(video_options, pictures, "folder of render0001.png, ..."),
    COIF_ARG_WITH(COIF_ARG_ARGUMENT, video_options, film, COIF_PARAM_PATH, "", "file to write (default: output.mp4 in that folder, or .mov)"),
    COIF_ARG(video_options, frames, COIF_ARG_FRAMES, "A-B", "frames to take; all that are there when left out"),
    COIF_ARG(video_options, format, COIF_PARAM_STRING, "EXT", "of the pictures: png, bmp, jpg or tif (default: png)"),
    COIF_ARG_NUMBER(video_options, fps, COIF_PARAM_FLOAT, "N", "frames per second", 24, 1, 1000),
    COIF_ARG_CHOICE(video_options, codec, CODECS, "how the film is coded"),
    COIF_ARG_NUMBER(video_options, quality, COIF_PARAM_INT, "N", "of h264: 0 lossless, 18 looks so, 51 worst", 18, 0, 51),
    COIF_ARG(video_options, delete_frames, COIF_PARAM_BOOL, "", "remove the pictures once the film was decoded and counted"),
};
// clang-format on

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const video_options *video = options;
    const char *usual = video->codec == COIF_VIDEO_PRORES ? "output.mov" : "output.mp4";
    const coif_video_desc desc = {
        .folder = video->pictures,
        .format = video->format != NULL ? video->format : "png",
        .path =
            video->film != NULL ? video->film : coif_path_join(video->pictures, usual, &app->arena),
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
    .help = "make a video of rendered pictures",
    .more =
        "Needs ffmpeg and ffprobe. The film is decoded again and its frames are counted before it\n"
        "gets its name; a gap in the numbers of the pictures is an error.\n",
    .examples = "  coif video out/tiny\n"
                "  coif video out/tiny out/film.mp4 --fps 25 --delete-frames\n",
    .options = OPTIONS,
    .option_count = COIF_COUNT_OF(OPTIONS),
    .options_size = sizeof(video_options),
    .run = run,
};
