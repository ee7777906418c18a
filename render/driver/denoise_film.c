#include "render/driver/denoise_film.h"

#include "core/base/arena.h"
#include "core/base/claim.h"
#include "core/base/error.h"
#include "core/base/frame_list.h"
#include "core/base/fs.h"
#include "core/base/hash64.h"
#include "render/denoise/denoise_window.h"
#include "render/output/denoise_file.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Metadata key of the digest of all inputs of an image.
static const char INPUTS_KEY[] = "coif:denoise_inputs";

static const char PREFIX[] = "render", SUFFIX[] = ".denoise";

enum { WINDOW = 2 * COIF_MAX_DENOISE_RADIUS + 1, MAX_TEXTS = 24 };

// A frame in memory.
typedef struct loaded_frame {
    double number;
    bool used;
    coif_denoise_file file;
    coif_arena arena;
} loaded_frame;

typedef struct film_pass {
    const coif_denoise_film_desc *desc;
    coif_jobs *jobs;
    coif_progress *progress;
    double *numbers; // ascending
    int32_t count;
    loaded_frame loaded[WINDOW];
    int64_t made;
} film_pass;

static char *inputs_path(const film_pass *pass, double number, coif_arena *arena)
{
    return coif_arena_print(arena, "%s/%s%s%s", pass->desc->folder, PREFIX,
                            coif_frame_text(number, arena), SUFFIX);
}

static char *image_path(const film_pass *pass, double number, const char *format, coif_arena *arena)
{
    return coif_arena_print(arena, "%s/%s%s.denoised.%s", pass->desc->folder, PREFIX,
                            coif_frame_text(number, arena), format);
}

// ---- frames of the folder

// The number of render0042.denoise or render0042.500.denoise, below 0 for any other name.
static double number_of(const char *name)
{
    const size_t length = strlen(name);
    if (strncmp(name, PREFIX, sizeof PREFIX - 1) != 0 || length < sizeof PREFIX + sizeof SUFFIX ||
        strcmp(name + length - (sizeof SUFFIX - 1), SUFFIX) != 0) {
        return -1.0;
    }
    char digits[32], *end;
    const size_t count = length - (sizeof PREFIX - 1) - (sizeof SUFFIX - 1);
    if (count >= sizeof digits ||
        strspn(name + sizeof PREFIX - 1, "0123456789.") != count + 1) { // with the dot after it
        return -1.0;
    }
    memcpy(digits, name + sizeof PREFIX - 1, count);
    digits[count] = '\0';
    const double number = strtod(digits, &end);
    return *end == '\0' && number < 1e8 ? number : -1.0;
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static coif_status list_frames(film_pass *pass, coif_arena *arena, coif_error *error)
{
    const char *folder = pass->desc->folder;
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        return coif_fail(error, COIF_ERR_IO, "%s: %s", folder, strerror(errno));
    }
    int32_t capacity = 0;
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        capacity += number_of(entry->d_name) >= 0.0;
    }
    pass->numbers = coif_arena_new(arena, capacity, double);
    rewinddir(directory);
    while ((entry = readdir(directory)) != NULL && pass->count < capacity) {
        const double number = number_of(entry->d_name);
        if (number >= 0.0) {
            pass->numbers[pass->count++] = number;
        }
    }
    closedir(directory);
    qsort(pass->numbers, (size_t)pass->count, sizeof *pass->numbers, compare_numbers);
    return COIF_OK;
}

static bool has_frame(const film_pass *pass, double number)
{
    return bsearch(&number, pass->numbers, (size_t)pass->count, sizeof *pass->numbers,
                   compare_numbers) != NULL;
}

// ---- windows of frames in memory

static loaded_frame *find_loaded(film_pass *pass, double number)
{
    for (int32_t i = 0; i < WINDOW; ++i) {
        if (pass->loaded[i].file.frame.channels != NULL && pass->loaded[i].number == number) {
            pass->loaded[i].used = true;
            return &pass->loaded[i];
        }
    }
    return NULL;
}

static coif_status load_frame(film_pass *pass, double number, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "denoised film");
    loaded_frame *to = pass->loaded;
    if (find_loaded(pass, number) != NULL) {
        return COIF_OK;
    }
    while (to->used) {
        ++to;
    }
    coif_arena_free(&to->arena);
    coif_arena_init(&to->arena, "denoised film");
    to->file.frame.channels = NULL;
    coif_denoise_file file;
    COIF_TRY(coif_denoise_file_load(&file, inputs_path(pass, number, &scratch), &to->arena, error));
    COIF_TRY(coif_denoise_frame_prepare(&file.frame, pass->jobs, pass->progress, error));
    to->file = file;
    to->number = number;
    to->used = true;
    return COIF_OK;
}

static bool same_pixels(const coif_denoise_file *a, const coif_denoise_file *b)
{
    return memcmp(&a->window, &b->window, sizeof a->window) == 0 &&
           a->full_width == b->full_width && a->full_height == b->full_height;
}

// Loads the frame and its neighbours, as far as they exist and have the same size.
static coif_status load_window(film_pass *pass, coif_denoise_window *window, uint64_t *digest,
                               double number, coif_error *error)
{
    for (int32_t i = 0; i < WINDOW; ++i) {
        const double far = pass->loaded[i].number - number;
        pass->loaded[i].used = pass->loaded[i].file.frame.channels != NULL &&
                               far >= -COIF_MAX_DENOISE_RADIUS && far <= COIF_MAX_DENOISE_RADIUS;
    }
    COIF_TRY(load_frame(pass, number, error));
    const coif_denoise_file *middle = &find_loaded(pass, number)->file;
    const int32_t radius = pass->desc->radius > 0 ? pass->desc->radius : middle->radius;
    *window = (coif_denoise_window){.radius = radius};
    *digest = coif_hash64(&radius, sizeof radius);
    for (int32_t i = -radius; i <= radius; ++i) {
        uint64_t one = 0;
        if (has_frame(pass, number + i)) {
            COIF_TRY(load_frame(pass, number + i, error));
            const coif_denoise_file *file = &find_loaded(pass, number + i)->file;
            if (same_pixels(file, middle)) {
                window->frames[radius + i] = &file->frame;
                one = file->digest;
            }
        }
        *digest = coif_hash64_extend(*digest, &one, sizeof one);
    }
    return COIF_OK;
}

// ---- images

static bool is_up_to_date(const char *path, const char *inputs, coif_arena *arena)
{
    coif_error ignored = {0};
    char *found = NULL;
    coif_image image;
    return coif_path_exists(path) &&
           coif_image_read_attribute(&found, path, INPUTS_KEY, arena, &ignored) == COIF_OK &&
           found != NULL && strcmp(found, inputs) == 0 &&
           coif_image_load(&image, path, arena, &ignored) == COIF_OK;
}

typedef struct format_list {
    char *names[8];
    int32_t count;
} format_list;

static format_list list_formats(const coif_denoise_file *file, coif_arena *arena)
{
    format_list list = {.count = 0};
    char *text = coif_arena_copy_text(arena, file->formats), *rest = NULL;
    for (char *name = strtok_r(text, ",", &rest);
         name != NULL && list.count < (int32_t)COIF_COUNT_OF(list.names);
         name = strtok_r(NULL, ",", &rest)) {
        list.names[list.count++] = name;
    }
    return list;
}

static coif_status write_images(film_pass *pass, const coif_denoise_window *window, double number,
                                const char *inputs, coif_arena *arena, coif_error *error)
{
    const coif_denoise_file *file = &find_loaded(pass, number)->file;
    const size_t pixels = (size_t)file->frame.width * (size_t)file->frame.height;
    float *rgba = coif_arena_new(arena, 4 * pixels, float);
    COIF_TRY(coif_denoise_window_filter(rgba, window, pass->jobs, pass->progress, error));
    coif_image_attribute texts[MAX_TEXTS];
    int32_t count = coif_denoise_file_texts(file, texts, MAX_TEXTS - 1, arena);
    texts[count++] = (coif_image_attribute){INPUTS_KEY, inputs};
    const coif_rgba_image image = {.pixels = rgba,
                                   .window = file->window,
                                   .full_width = file->full_width,
                                   .full_height = file->full_height,
                                   .output = &file->output,
                                   .texts = texts,
                                   .text_count = count};
    const format_list formats = list_formats(file, arena);
    for (int32_t i = 0; i < formats.count; ++i) {
        COIF_TRY(coif_rgba_save(&image, image_path(pass, number, formats.names[i], arena), error));
    }
    return COIF_OK;
}

static coif_status denoise_claimed(film_pass *pass, double number, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "denoised film");
    coif_denoise_window window;
    uint64_t digest;
    COIF_TRY(load_window(pass, &window, &digest, number, error));
    const char *inputs = coif_arena_print(&arena, "%016" PRIx64, digest);
    const format_list formats = list_formats(&find_loaded(pass, number)->file, &arena);
    bool done = !pass->desc->overwrite;
    for (int32_t i = 0; i < formats.count && done; ++i) {
        done = is_up_to_date(image_path(pass, number, formats.names[i], &arena), inputs, &arena);
    }
    if (done) {
        return COIF_OK;
    }
    const double start = coif_clock_seconds();
    COIF_TRY(write_images(pass, &window, number, inputs, &arena, error));
    coif_log(COIF_LOG_INFO, "frame %.10g: denoised over %d frames in %.1f s", number,
             2 * window.radius + 1, coif_clock_seconds() - start);
    pass->made += 1;
    return COIF_OK;
}

static coif_status denoise_frame(film_pass *pass, double number, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "denoised film");
    coif_claim claim;
    const char *path = image_path(pass, number, "image", &arena);
    COIF_TRY(coif_claim_wait(&claim, path, pass->progress, error));
    const coif_status status = denoise_claimed(pass, number, error);
    coif_claim_release(&claim);
    return status;
}

static coif_status denoise_all(film_pass *pass, coif_arena *arena, coif_error *error)
{
    COIF_TRY(list_frames(pass, arena, error));
    if (pass->count == 0 && pass->desc->optional) {
        return COIF_OK;
    }
    if (pass->count == 0) {
        return coif_fail(error, COIF_ERR_IO,
                         "%s: no render0001.denoise or any other frame; render with image/denoise "
                         "and image/denoise_frames",
                         pass->desc->folder);
    }
    for (int32_t i = 0; i < pass->count; ++i) {
        COIF_TRY(denoise_frame(pass, pass->numbers[i], error));
    }
    coif_log(COIF_LOG_INFO, "%s: %" PRId64 " of %d frames denoised, the others are up to date",
             pass->desc->folder, pass->made, pass->count);
    for (int32_t i = 0; i < pass->count && pass->desc->delete_inputs; ++i) {
        unlink(inputs_path(pass, pass->numbers[i], arena));
    }
    return COIF_OK;
}

coif_status coif_denoise_film(const coif_denoise_film_desc *desc, coif_jobs *jobs,
                              coif_progress *progress, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "denoised film");
    film_pass pass = {.desc = desc, .jobs = jobs, .progress = progress};
    for (int32_t i = 0; i < WINDOW; ++i) {
        coif_arena_init(&pass.loaded[i].arena, "denoised film");
    }
    const coif_status status = denoise_all(&pass, &arena, error);
    for (int32_t i = 0; i < WINDOW; ++i) {
        coif_arena_free(&pass.loaded[i].arena);
    }
    return status;
}
