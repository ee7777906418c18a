#include "tools/cli/video.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/image/image.h"
#include "tools/cli/process.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The number of render0042.png, -1 for any other name.
static int number_of(const char *name, const char *format)
{
    static const char PREFIX[] = "render";
    if (strncmp(name, PREFIX, sizeof PREFIX - 1) != 0) {
        return -1;
    }
    const char *digits = name + sizeof PREFIX - 1;
    const size_t length = strspn(digits, "0123456789");
    const bool ours = length >= 4 && length <= 8 && digits[length] == '.' &&
                      strcmp(digits + length + 1, format) == 0;
    return ours ? atoi(digits) : -1;
}

// First and last frame number of the images in a folder.
static coif_status find_frames(coif_frame_range *frames, const coif_video_desc *desc,
                               coif_error *error)
{
    DIR *directory = opendir(desc->folder);
    if (directory == NULL) {
        return coif_fail(error, COIF_ERR_IO, "%s: %s", desc->folder, strerror(errno));
    }
    *frames = (coif_frame_range){.first = 0, .last = -1, .step = 1};
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        const int number = number_of(entry->d_name, desc->format);
        if (number >= 0) {
            frames->first = frames->last < 0 || number < frames->first ? number : frames->first;
            frames->last = number > frames->last ? number : frames->last;
        }
    }
    closedir(directory);
    if (frames->last < 0) {
        return coif_fail(error, COIF_ERR_IO, "%s: no render0001.%s or any other frame",
                         desc->folder, desc->format);
    }
    return COIF_OK;
}

static char *frame_path(const coif_video_desc *desc, int frame, coif_arena *arena)
{
    return coif_arena_print(arena, "%s/render%04d.%s", desc->folder, frame, desc->format);
}

// ffmpeg silently repeats the previous image in place of an unreadable one.
static coif_status check_frames(const coif_video_desc *desc, coif_frame_range frames,
                                coif_arena *arena, coif_error *error)
{
    if (frames.step != 1) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "a video needs every frame, not each %dth",
                         frames.step);
    }
    coif_image first = {0};
    for (int frame = frames.first; frame <= frames.last; ++frame) {
        const coif_arena_mark mark = coif_arena_mark_here(arena);
        const char *path = frame_path(desc, frame, arena);
        if (!coif_path_exists(path)) {
            return coif_fail(error, COIF_ERR_IO, "%s: missing; frames %d to %d are required", path,
                             frames.first, frames.last);
        }
        coif_image image;
        COIF_TRY(coif_image_load(&image, path, arena, error));
        first = frame == frames.first ? image : first;
        if (image.width != first.width || image.height != first.height) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: %d x %d, the first image is %d x %d",
                             path, image.width, image.height, first.width, first.height);
        }
        coif_arena_rewind(arena, mark);
    }
    return COIF_OK;
}

// FOLDER/render%04d.png for ffmpeg; a % in the name of the folder is doubled.
static char *image_pattern(const coif_video_desc *desc, coif_arena *arena)
{
    char *folder = coif_arena_new(arena, 2 * strlen(desc->folder) + 1, char);
    char *end = folder;
    for (const char *letter = desc->folder; *letter != '\0'; ++letter) {
        *end++ = *letter;
        if (*letter == '%') {
            *end++ = '%';
        }
    }
    return coif_arena_print(arena, "file:%s/render%%04d.%s", folder, desc->format);
}

// Rec. 709 colours, tagged as such; yuv420p needs an even width and height.
static const char FILTER[] =
    "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv";

static coif_status encode(const coif_video_desc *desc, coif_frame_range frames, const char *path,
                          coif_arena *arena, coif_progress *progress, coif_error *error)
{
    const bool prores = desc->codec == COIF_VIDEO_PRORES;
    const char *layout = prores ? "yuv422p10le" : "yuv420p";
    // clang-format off
    const char *const words[] = {
        "ffmpeg", "-nostdin", "-hide_banner", "-v", "error", "-y",
        "-f", "image2",
        "-framerate", coif_arena_print(arena, "%.6g", desc->fps),
        "-start_number", coif_arena_print(arena, "%d", frames.first),
        "-i", image_pattern(desc, arena),
        "-frames:v", coif_arena_print(arena, "%d", frames.last - frames.first + 1),
        "-vf", coif_arena_print(arena, "%s,format=%s", FILTER, layout),
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
        "-color_range", "tv",
        "-c:v", prores ? "prores_ks" : "libx264",
        prores ? "-profile:v" : "-crf",
        prores ? "3" : coif_arena_print(arena, "%d", desc->quality),
        "-fflags", "+bitexact", "-flags:v", "+bitexact",
        "-movflags", "+faststart",
        "-f", prores ? "mov" : "mp4",
        coif_arena_print(arena, "file:%s", path), NULL,
    };
    // clang-format on
    char *output;
    return coif_process_run(&output, words, arena, progress, error);
}

// Decodes the whole video and compares the number of frames.
static coif_status verify(const char *path, int expected, coif_arena *arena,
                          coif_progress *progress, coif_error *error)
{
    static const char KEY[] = "nb_read_frames=";
    // clang-format off
    const char *const words[] = {
        "ffprobe", "-v", "error", "-err_detect", "explode", "-select_streams", "v:0",
        "-count_frames", "-show_entries", "stream=nb_read_frames",
        "-of", "default=noprint_wrappers=1", coif_arena_print(arena, "file:%s", path), NULL,
    };
    // clang-format on
    char *output;
    COIF_TRY(coif_process_run(&output, words, arena, progress, error));
    const char *found = strstr(output, KEY);
    const int count = found != NULL ? atoi(found + sizeof KEY - 1) : 0;
    if (count != expected) {
        return coif_fail(error, COIF_ERR_IO, "%s: %d frames can be decoded, expected %d", path,
                         count, expected);
    }
    return COIF_OK;
}

static coif_status remove_frames(const coif_video_desc *desc, coif_frame_range frames,
                                 coif_arena *arena, coif_error *error)
{
    for (int frame = frames.first; frame <= frames.last; ++frame) {
        const char *path = frame_path(desc, frame, arena);
        if (unlink(path) != 0) {
            return coif_fail(error, COIF_ERR_IO, "%s: cannot be removed: %s", path,
                             strerror(errno));
        }
    }
    return COIF_OK;
}

// ffmpeg writes to the temporary name of the file, which commit flushes and renames.
static coif_status write_video(coif_file *file, const coif_video_desc *desc,
                               coif_frame_range frames, coif_arena *arena, coif_progress *progress,
                               coif_error *error)
{
    COIF_TRY(encode(desc, frames, file->temporary, arena, progress, error));
    COIF_TRY(verify(file->temporary, frames.last - frames.first + 1, arena, progress, error));
    return coif_file_commit(file, error);
}

coif_status coif_video_ready(coif_arena *arena, coif_error *error)
{
    static const char *const programs[] = {"ffmpeg", "ffprobe"};
    for (size_t i = 0; i < COIF_COUNT_OF(programs); ++i) {
        const char *const words[] = {programs[i], "-version", NULL};
        char *output;
        COIF_TRY(coif_process_run(&output, words, arena, NULL, error));
    }
    return COIF_OK;
}

coif_status coif_video_make(const coif_video_desc *desc, coif_arena *arena, coif_progress *progress,
                            coif_error *error)
{
    coif_frame_range frames = desc->frames;
    if (!coif_frame_range_given(frames)) {
        COIF_TRY(find_frames(&frames, desc, error));
    }
    COIF_TRY(check_frames(desc, frames, arena, error));

    coif_file file;
    COIF_TRY(coif_file_open(&file, desc->path, COIF_FILE_WRITE, error));
    const coif_status status = write_video(&file, desc, frames, arena, progress, error);
    coif_file_close(&file);
    if (status != COIF_OK) {
        return status;
    }
    coif_log(COIF_LOG_INFO, "%s: %d frames at %g per second, verified", desc->path,
             frames.last - frames.first + 1, desc->fps);
    return desc->delete_frames ? remove_frames(desc, frames, arena, error) : COIF_OK;
}
