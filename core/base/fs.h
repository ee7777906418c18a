// fs: files that are either whole or not there.
//
// Writing goes to a temporary name beside the final one; coif_file_commit flushes it to the disk
// and renames it. A file closed without commit is removed, and what stood under the final name
// before stays as it was.
#ifndef COIF_CORE_BASE_FS_H
#define COIF_CORE_BASE_FS_H

#include "core/base/base.h"

typedef enum coif_file_mode { COIF_FILE_READ, COIF_FILE_WRITE } coif_file_mode;

typedef struct coif_file {
    int descriptor;
    coif_file_mode mode;
    uint64_t size; // read: bytes in the file
    char path[4096];
    char temporary[4096 + 32];
} coif_file;

coif_status coif_file_open(coif_file *file, const char *path, coif_file_mode mode,
                           coif_error *error);

// All bytes or an error that names the file (a short file is COIF_ERR_FORMAT: "ends early").
coif_status coif_file_read(coif_file *file, void *data, size_t bytes, coif_error *error);
coif_status coif_file_write(coif_file *file, const void *data, size_t bytes, coif_error *error);

// Write mode only: flush, rename, flush the directory.
coif_status coif_file_commit(coif_file *file, coif_error *error);
void coif_file_close(coif_file *file);

// The whole file in arena, followed by a zero byte.
coif_status coif_file_load(char **data, size_t *size, const char *path, coif_arena *arena,
                           coif_error *error);

// The whole file in one go, through a temporary name.
coif_status coif_file_save(const char *path, const void *data, size_t size, coif_error *error);

// A file that is in memory already; name is for messages. Readers that can be fuzzed take this.
typedef struct coif_bytes {
    const char *name;
    const void *data;
    size_t size;
} coif_bytes;

bool coif_path_exists(const char *path);
bool coif_path_is_directory(const char *path);

// Makes the directory and what is missing above it.
coif_status coif_path_make_directory(const char *path, coif_error *error);

// The folder part of a path, "." when there is none.
char *coif_path_folder(const char *path, coif_arena *arena);

// The file part of a path.
const char *coif_path_name(const char *path);

// The file that a path leads to, through links and dots; the path itself when it leads nowhere.
char *coif_path_real(const char *path, coif_arena *arena);

// Relative is taken against folder; absolute stays.
char *coif_path_join(const char *folder, const char *relative, coif_arena *arena);

// Replaces the run of # in pattern by the frame number, padded with zeros to the length of the run:
// head.####.obj, 42 -> head.0042.obj. A pattern without # is returned unchanged.
char *coif_path_frame(const char *pattern, int frame, coif_arena *arena);

// Whether path ends in that extension, given without the dot; upper and lower case are the same.
bool coif_path_has_extension(const char *path, const char *extension);

// Frames to work on, as in --frames 1-48, 7, 1-48x2; a step of 0 stands for none given.
typedef struct coif_frame_range {
    int first, last, step;
} coif_frame_range;
static inline bool coif_frame_range_given(coif_frame_range range)
{
    return range.step > 0;
}
coif_status coif_frame_range_parse(coif_frame_range *range, const char *text, coif_error *error);

#endif
