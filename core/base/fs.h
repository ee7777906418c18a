// Files with atomic replacement, paths and frame ranges.
//
// Writing goes to a temporary file in the same directory; coif_file_commit flushes it to disk and
// renames it. Closing without commit removes the temporary and leaves an existing file unchanged.
// That of a killed writer, PATH.tmp, is removed by the next one of the same path.
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
    int unfinished; // number among the unfinished files, -1: none
} coif_file;

coif_status coif_file_open(coif_file *file, const char *path, coif_file_mode mode,
                           coif_error *error);

// Reads all bytes or fails with a message that names the file (a short file is COIF_ERR_FORMAT).
coif_status coif_file_read(coif_file *file, void *data, size_t bytes, coif_error *error);
coif_status coif_file_write(coif_file *file, const void *data, size_t bytes, coif_error *error);

// Sets the offset of the next read or write.
coif_status coif_file_seek(coif_file *file, uint64_t offset, coif_error *error);

// Write mode only: flush, rename, flush the directory.
coif_status coif_file_commit(coif_file *file, coif_error *error);
void coif_file_close(coif_file *file);

// Removes the temporary that a killed writer of this file left; the file as well, if it exists.
void coif_file_clean(const char *path);
void coif_file_remove(const char *path);

// Removes the temporaries of all unfinished files, before the program ends at once.
void coif_files_discard(void);

// Reads a whole file into arena, followed by a zero byte.
coif_status coif_file_load(char **data, size_t *size, const char *path, coif_arena *arena,
                           coif_error *error);

// Writes a whole file through a temporary name.
coif_status coif_file_save(const char *path, const void *data, size_t size, coif_error *error);

// A file in memory; name is used in messages. Parsers take this so that they can be fuzzed.
typedef struct coif_bytes {
    const char *name;
    const void *data;
    size_t size;
} coif_bytes;

// Maps a file into memory for reading, so that only the pages that are read use memory. Name is
// path, which must outlive the bytes. Unmapping empty bytes does nothing.
coif_status coif_file_map(coif_bytes *bytes, const char *path, coif_error *error);
void coif_file_unmap(coif_bytes *bytes);

// Gives back the memory of the pages in [from, to) of a mapped file; they are read again when
// needed.
void coif_file_release(const void *from, const void *to);

bool coif_path_exists(const char *path);
bool coif_path_is_directory(const char *path);

// Neither a regular file nor a directory: opening it may block, reading it may never end.
bool coif_path_is_special(const char *path);

// Creates the directory and its missing parents.
coif_status coif_path_make_directory(const char *path, coif_error *error);

// Directory part of a path, "." when there is none.
char *coif_path_folder(const char *path, coif_arena *arena);

// File name part of a path.
const char *coif_path_name(const char *path);

// Canonical path with links and dots resolved; the path itself when it does not exist.
char *coif_path_real(const char *path, coif_arena *arena);

// Joins folder and a relative path; an absolute path is returned unchanged.
char *coif_path_join(const char *folder, const char *relative, coif_arena *arena);

// Replaces the run of # in pattern by the frame number, zero-padded to the length of the run:
// head.####.obj, 42 -> head.0042.obj. A pattern without # is returned unchanged.
char *coif_path_frame(const char *pattern, int frame, coif_arena *arena);

// Whether path has that extension, given without the dot; case is ignored.
bool coif_path_has_extension(const char *path, const char *extension);

// Frames as in --frames 1-48, 7, 1-48x2; a step of 0 means not given.
typedef struct coif_frame_range {
    int first, last, step;
} coif_frame_range;
static inline bool coif_frame_range_given(coif_frame_range range)
{
    return range.step > 0;
}
coif_status coif_frame_range_parse(coif_frame_range *range, const char *text, coif_error *error);

#endif
