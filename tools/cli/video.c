#include "tools/cli/video.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/strbuf.h"
#include "core/image/image.h"
#include "tools/cli/process.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *suffix_of(const coif_video_desc *desc)
{
    return desc->images == COIF_VIDEO_DENOISED ? "denoised." : "";
}

// The number of render0042.png or render0042.denoised.png, -1 for any other name.
static int number_of(const char *name, const coif_video_desc *desc)
{
    static const char PREFIX[] = "render";
    if (strncmp(name, PREFIX, sizeof PREFIX - 1) != 0) {
        return -1;
    }
    const char *digits = name + sizeof PREFIX - 1;
    const size_t length = strspn(digits, "0123456789");
    const char *suffix = suffix_of(desc), *rest = digits + length + 1;
    const bool ours = length >= 4 && length <= 8 && digits[length] == '.' &&
                      strncmp(rest, suffix, strlen(suffix)) == 0 &&
                      strcmp(rest + strlen(suffix), desc->format) == 0;
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
        const int number = number_of(entry->d_name, desc);
        if (number >= 0) {
            frames->first = frames->last < 0 || number < frames->first ? number : frames->first;
            frames->last = number > frames->last ? number : frames->last;
        }
    }
    closedir(directory);
    if (frames->last < 0) {
        return coif_fail(error, COIF_ERR_IO, "%s: no render0001.%s%s or any other frame",
                         desc->folder, suffix_of(desc), desc->format);
    }
    return COIF_OK;
}

static char *frame_path(const coif_video_desc *desc, int frame, coif_arena *arena)
{
    return coif_arena_print(arena, "%s/render%04d.%s%s", desc->folder, frame, suffix_of(desc),
                            desc->format);
}

// Whether every frame has a denoised image.
static bool has_denoised(const coif_video_desc *desc, coif_frame_range frames, coif_arena *arena)
{
    coif_video_desc denoised = *desc;
    denoised.images = COIF_VIDEO_DENOISED;
    bool all = frames.step == 1;
    for (int frame = frames.first; frame <= frames.last && all; ++frame) {
        const coif_arena_mark mark = coif_arena_mark_here(arena);
        all = coif_path_exists(frame_path(&denoised, frame, arena));
        coif_arena_rewind(arena, mark);
    }
    return all;
}

// The frames, and denoised images if every frame has one.
static coif_status choose_images(coif_video_desc *chosen, const coif_video_desc *desc,
                                 coif_arena *arena, coif_error *error)
{
    *chosen = *desc;
    if (!coif_frame_range_given(desc->frames)) {
        COIF_TRY(find_frames(&chosen->frames, desc, error));
    }
    if (desc->images == COIF_VIDEO_AUTO && has_denoised(desc, chosen->frames, arena)) {
        chosen->images = COIF_VIDEO_DENOISED;
        coif_log(COIF_LOG_INFO, "%s: of the denoised images", desc->path);
    }
    return COIF_OK;
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
    return coif_arena_print(arena, "file:%s/render%%04d.%s%s", folder, suffix_of(desc),
                            desc->format);
}

// ---- text

// Letters that mean nothing to the filter language of ffmpeg.
static const char PLAIN[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 ._-/#";

// The filter that draws a text, with the frame number in place of a run of #; frame: an expression.
static coif_status text_filter(const char **filter, const char *text, const char *frame,
                               coif_arena *arena, coif_error *error)
{
    const size_t plain = strspn(text, PLAIN), before = strcspn(text, "#");
    const size_t digits = strspn(text + before, "#");
    if (text[plain] != '\0' || strchr(text + before + digits, '#') != NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "--burn-in \"%s\": expected letters, digits, spaces, . _ - / and at most "
                         "one run of # for the frame number",
                         text);
    }
    const char *number =
        digits > 0 ? coif_arena_print(arena, "%%{eif\\:%s\\:d\\:%d}", frame, (int)digits) : "";
    *filter =
        coif_arena_print(arena,
                         "drawtext=font=monospace:fontsize=max(12\\,h/24):fontcolor=white:box=1:"
                         "boxcolor=black@0.5:boxborderw=4:x=h/48:y=h-th-h/48:text='%.*s%s%s'",
                         (int)before, text, number, text + before + digits);
    return COIF_OK;
}

// ---- encoding

// Rec. 709 colours, tagged as such; yuv420p needs an even width and height.
static const char FILTER[] =
    "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv";

typedef struct codec_row {
    const char *encoder, *layout, *container;
    const char *option, *value; // value NULL: the quality
} codec_row;

static const codec_row CODECS[] = {
    [COIF_VIDEO_H264] = {"libx264", "yuv420p", "mp4", "-crf", NULL},
    [COIF_VIDEO_PRORES] = {"prores_ks", "yuv422p10le", "mov", "-profile:v", "3"},
    [COIF_VIDEO_AV1] = {"libsvtav1", "yuv420p10le", "mp4", "-crf", NULL},
};

static coif_status encode(const coif_video_desc *desc, coif_frame_range frames, const char *path,
                          coif_arena *arena, coif_progress *progress, coif_error *error)
{
    const codec_row *codec = &CODECS[desc->codec];
    const char *filter = FILTER, *text;
    if (desc->burn_in != NULL) {
        const char *frame = coif_arena_print(arena, "n+%d", frames.first);
        COIF_TRY(text_filter(&text, desc->burn_in, frame, arena, error));
        filter = coif_arena_print(arena, "%s,%s", text, FILTER);
    }
    // clang-format off
    const char *const words[] = {
        "ffmpeg", "-nostdin", "-hide_banner", "-v", "error", "-y",
        "-f", "image2",
        "-framerate", coif_arena_print(arena, "%.6g", desc->fps),
        "-start_number", coif_arena_print(arena, "%d", frames.first),
        "-i", image_pattern(desc, arena),
        "-frames:v", coif_arena_print(arena, "%d", frames.last - frames.first + 1),
        "-vf", coif_arena_print(arena, "%s,format=%s", filter, codec->layout),
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
        "-color_range", "tv",
        "-c:v", codec->encoder,
        codec->option, codec->value != NULL ? codec->value : coif_arena_print(arena, "%d", desc->quality),
        "-fflags", "+bitexact", "-flags:v", "+bitexact",
        "-movflags", "+faststart",
        "-f", codec->container,
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

// With denoised images also the rendered ones and the inputs of the denoiser.
static coif_status remove_frames(const coif_video_desc *desc, coif_frame_range frames,
                                 coif_arena *arena, coif_error *error)
{
    for (int frame = frames.first; frame <= frames.last; ++frame) {
        const char *path = frame_path(desc, frame, arena);
        if (unlink(path) != 0) {
            return coif_fail(error, COIF_ERR_IO, "%s: cannot be removed: %s", path,
                             strerror(errno));
        }
        if (desc->images == COIF_VIDEO_DENOISED) {
            const char *folder = desc->folder;
            unlink(coif_arena_print(arena, "%s/render%04d.%s", folder, frame, desc->format));
            unlink(coif_arena_print(arena, "%s/render%04d.denoise", folder, frame));
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
    coif_video_desc chosen;
    COIF_TRY(choose_images(&chosen, desc, arena, error));
    desc = &chosen;
    const coif_frame_range frames = chosen.frames;
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

// ---- contact sheets

// Frames at equal distances, the first and the last included.
static int sheet_frame(int cell, int cells, int frames)
{
    return cells > 1 ? (int)((int64_t)cell * (frames - 1) / (cells - 1)) : 0;
}

static const char *sheet_filter(const coif_contact_sheet *sheet, coif_frame_range frames,
                                const char *text, coif_arena *arena)
{
    const int count = frames.last - frames.first + 1;
    const int all = sheet->columns * sheet->rows, cells = all < count ? all : count;
    coif_strbuf chosen;
    coif_strbuf_init(&chosen, arena);
    for (int i = 0; i < cells; ++i) {
        coif_strbuf_print(&chosen, "%seq(n\\,%d)", i > 0 ? "+" : "", sheet_frame(i, cells, count));
    }
    return coif_arena_print(arena,
                            "select=%s,scale=%d:-2,%s,tile=%dx%d:margin=8:padding=8:color=0x202020",
                            chosen.data, sheet->width, text, sheet->columns, sheet->rows);
}

// The frame of a cell as an expression of its number: a sum of steps.
static const char *sheet_number(const coif_contact_sheet *sheet, coif_frame_range frames,
                                coif_arena *arena)
{
    const int count = frames.last - frames.first + 1;
    const int all = sheet->columns * sheet->rows, cells = all < count ? all : count;
    return cells > 1
               ? coif_arena_print(arena, "%d+floor(n*%d/%d)", frames.first, count - 1, cells - 1)
               : coif_arena_print(arena, "%d", frames.first);
}

static coif_status write_sheet(coif_file *file, const coif_video_desc *desc,
                               const coif_contact_sheet *sheet, coif_frame_range frames,
                               coif_arena *arena, coif_progress *progress, coif_error *error)
{
    const bool jpeg = coif_path_has_extension(desc->path, "jpg");
    const char *text;
    COIF_TRY(text_filter(&text, desc->burn_in != NULL ? desc->burn_in : "####",
                         sheet_number(sheet, frames, arena), arena, error));
    // clang-format off
    const char *const words[] = {
        "ffmpeg", "-nostdin", "-hide_banner", "-v", "error", "-y",
        "-f", "image2",
        "-start_number", coif_arena_print(arena, "%d", frames.first),
        "-i", image_pattern(desc, arena),
        "-vf", sheet_filter(sheet, frames, text, arena),
        "-frames:v", "1", "-fflags", "+bitexact", "-flags:v", "+bitexact",
        "-c:v", jpeg ? "mjpeg" : "png", "-q:v", "2",
        "-update", "1", "-f", "image2", coif_arena_print(arena, "file:%s", file->temporary), NULL,
    };
    // clang-format on
    char *output;
    COIF_TRY(coif_process_run(&output, words, arena, progress, error));
    return coif_file_commit(file, error);
}

coif_status coif_video_contact_sheet(const coif_video_desc *desc, const coif_contact_sheet *sheet,
                                     coif_arena *arena, coif_progress *progress, coif_error *error)
{
    if (!coif_path_has_extension(desc->path, "png") &&
        !coif_path_has_extension(desc->path, "jpg")) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: expected .png or .jpg for a contact sheet",
                         desc->path);
    }
    coif_video_desc chosen;
    COIF_TRY(choose_images(&chosen, desc, arena, error));
    desc = &chosen;
    const coif_frame_range frames = chosen.frames;
    COIF_TRY(check_frames(desc, frames, arena, error));
    coif_file file;
    COIF_TRY(coif_file_open(&file, desc->path, COIF_FILE_WRITE, error));
    const coif_status status = write_sheet(&file, desc, sheet, frames, arena, progress, error);
    coif_file_close(&file);
    COIF_TRY(status);
    coif_image image;
    COIF_TRY(coif_image_load(&image, desc->path, arena, error));
    coif_log(COIF_LOG_INFO, "%s: %d x %d pixels", desc->path, image.width, image.height);
    return COIF_OK;
}
