// coif video: encode rendered images as a video.
#include "tools/cli/command.h"
#include "tools/cli/video.h"

#include <stdio.h>

typedef struct video_options {
    const char *images;
    const char *video;
    coif_frame_range frames;
    const char *format;
    float fps;
    int32_t codec;
    int32_t quality;
    const char *burn_in, *contact_sheet;
    int32_t cell_width;
    int32_t delete_frames;
    int32_t source;
} video_options;

static const char *const SOURCES[] = {"auto", "rendered", "denoised", NULL};
static const char *const CODECS[] = {"h264", "prores", "av1", NULL};

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARGUMENT(video_options, images, "folder of render0001.png, ..."),
    COIF_ARG_WITH(COIF_ARG_ARGUMENT, video_options, video, COIF_PARAM_PATH, "", "output file (default: output.mp4, output.mov or sheet.png in that folder)"),
    COIF_ARG(video_options, frames, COIF_ARG_FRAMES, "A-B", "frames to encode (default: all images of the folder)"),
    COIF_ARG(video_options, format, COIF_PARAM_STRING, "EXT", "format of the images: png, bmp, jpg or tif (default: png)"),
    COIF_ARG_CHOICE(video_options, source, SOURCES, "which images: denoised ones if every frame has one, or rendered ones"),
    COIF_ARG_NUMBER(video_options, fps, COIF_PARAM_FLOAT, "N", "frames per second", 24, 1, 1000),
    COIF_ARG_CHOICE(video_options, codec, CODECS, "video codec"),
    COIF_ARG_NUMBER(video_options, quality, COIF_PARAM_INT, "N", "CRF of h264 and av1: 0 best, 18 visually lossless, 51 worst", 18, 0, 51),
    COIF_ARG(video_options, burn_in, COIF_PARAM_STRING, "TEXT", "draw a text, in which a run of # is the frame number, as \"shot 12  ####\""),
    COIF_ARG(video_options, contact_sheet, COIF_PARAM_STRING, "CxR", "write one image with C columns and R rows of frames at equal distances instead of a video"),
    COIF_ARG_NUMBER(video_options, cell_width, COIF_PARAM_INT, "N", "width of a frame in the contact sheet, pixels", 320, 16, 4096),
    COIF_ARG(video_options, delete_frames, COIF_PARAM_BOOL, "", "delete the images after the video has been verified"),
};
// clang-format on

static coif_status read_sheet(coif_contact_sheet *sheet, const video_options *video,
                              coif_error *error)
{
    const char *text = video->contact_sheet;
    int end = 0;
    *sheet = (coif_contact_sheet){.width = video->cell_width};
    if (sscanf(text, "%5dx%5d%n", &sheet->columns, &sheet->rows, &end) != 2 || text[end] != '\0' ||
        sheet->columns < 1 || sheet->rows < 1 || sheet->columns > 32 || sheet->rows > 32) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "--contact-sheet \"%s\": expected columns and rows from 1 to 32, as 6x4",
                         text);
    }
    return video->delete_frames == 0
               ? COIF_OK
               : coif_fail(error, COIF_ERR_ARGUMENT,
                           "--contact-sheet and --delete-frames: expected one of them");
}

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const video_options *video = options;
    const bool sheet = video->contact_sheet != NULL;
    const char *default_name = sheet                               ? "sheet.png"
                               : video->codec == COIF_VIDEO_PRORES ? "output.mov"
                                                                   : "output.mp4";
    const coif_video_desc desc = {
        .folder = video->images,
        .format = video->format != NULL ? video->format : "png",
        .path = video->video != NULL ? video->video
                                     : coif_path_join(video->images, default_name, &app->arena),
        .images = (coif_video_images)video->source,
        .frames = video->frames,
        .fps = video->fps,
        .codec = (coif_video_codec)video->codec,
        .quality = video->quality,
        .burn_in = video->burn_in,
        .delete_frames = video->delete_frames != 0,
    };
    if (sheet) {
        coif_contact_sheet contact;
        COIF_TRY(read_sheet(&contact, video, error));
        return coif_video_contact_sheet(&desc, &contact, &app->arena, app->progress, error);
    }
    return coif_video_make(&desc, &app->arena, app->progress, error);
}

const coif_command COIF_COMMAND_VIDEO = {
    .name = "video",
    .help = "encode rendered images as a video or a contact sheet",
    .more = "Requires ffmpeg and ffprobe. The video is decoded and its frames are counted before "
            "it is\n"
            "renamed to VIDEO; a missing frame number is an error.\n",
    .examples = "  coif video out/tiny\n"
                "  coif video out/tiny out/video.mov --fps 25 --codec prores\n"
                "  coif video out/tiny out/review.mp4 --codec av1 --burn-in \"tiny  ####\"\n"
                "  coif video out/tiny out/sheet.png --contact-sheet 3x2\n",
    COIF_COMMAND_OPTIONS(video_options, OPTIONS),
    .run = run,
};
