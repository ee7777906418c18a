// Frames of the caches that a correction reads.
#include "sim/cache/cache_input.h"

#include "core/base/error.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void coif_cache_input_open(coif_cache_input *input, int32_t capacity, coif_arena *arena)
{
    input->capacity = capacity;
    input->frames = coif_arena_new(arena, capacity, coif_cache_frame);
    for (int32_t i = 0; i < capacity; ++i) {
        coif_arena_init(&input->frames[i].arena, "cache frame");
    }
}

void coif_cache_input_close(coif_cache_input *input)
{
    for (int32_t i = 0; i < input->capacity; ++i) {
        coif_arena_free(&input->frames[i].arena);
    }
}

// Frame number of NAME.0042.strands; -1 for another file.
static int number_of(const char *file, const char *name)
{
    const size_t length = strlen(name);
    if (strncmp(file, name, length) != 0 || file[length] != '.') {
        return -1;
    }
    const char *digits = file + length + 1;
    const size_t count = strspn(digits, "0123456789");
    const bool ours = count >= 4 && count <= 8 && strcmp(digits + count, ".strands") == 0;
    return ours ? atoi(digits) : -1;
}

coif_status coif_cache_input_range(coif_frame_range *range, const char *folder, const char *name,
                                   coif_error *error)
{
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        return coif_fail(error, COIF_ERR_IO, "%s: %s", folder, strerror(errno));
    }
    *range = (coif_frame_range){.first = 0, .last = -1, .step = 1};
    int count = 0;
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        const int number = number_of(entry->d_name, name);
        if (number >= 0) {
            range->first = count == 0 || number < range->first ? number : range->first;
            range->last = number > range->last ? number : range->last;
            ++count;
        }
    }
    closedir(directory);
    if (count == 0) {
        return coif_fail(error, COIF_ERR_IO, "%s: no frame %s.0001.strands; run 'coif sim' first",
                         folder, name);
    }
    if (count != range->last - range->first + 1) {
        return coif_fail(error, COIF_ERR_IO,
                         "%s: %d of the frames %s.%04d.strands to %04d; expected all of them",
                         folder, count, name, range->first, range->last);
    }
    return COIF_OK;
}

coif_status coif_cache_input_frame(coif_cache_frame **frame, coif_cache_input *input,
                                   int32_t source, int number, coif_error *error)
{
    coif_cache_frame *slot = &input->frames[0];
    for (int32_t i = 0; i < input->capacity; ++i) {
        coif_cache_frame *candidate = &input->frames[i];
        if (candidate->loaded && candidate->source == source && candidate->frame == number) {
            candidate->used = ++input->clock;
            *frame = candidate;
            return COIF_OK;
        }
        slot = candidate->used < slot->used ? candidate : slot;
    }
    coif_arena_free(&slot->arena);
    coif_arena_init(&slot->arena, "cache frame");
    slot->loaded = false;
    slot->roots = NULL;
    const char *path =
        coif_frame_file_path(input->folders[source], input->name, number, &slot->arena);
    COIF_TRY(coif_frame_cache_load(&slot->strands, &slot->info, input->groom, path, &slot->arena,
                                   error));
    slot->loaded = true;
    slot->source = source;
    slot->frame = number;
    slot->used = ++input->clock;
    *frame = slot;
    return COIF_OK;
}

coif_status coif_cache_input_roots(coif_root_frame **roots, const coif_cache_input *input,
                                   double frame, coif_arena *arena, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "pose");
    coif_mesh pose;
    COIF_TRY(coif_body_pose_interpolated(&pose, input->body, &input->interpolation, frame, &scratch,
                                         error));
    *roots = coif_arena_new(arena, input->groom->simulated_count, coif_root_frame);
    coif_root_frames_posed(*roots, input->groom, &pose);
    return COIF_OK;
}
