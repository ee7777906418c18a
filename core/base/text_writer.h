// text_writer: buffered text output to a file that is replaced atomically.
//
// The first error is kept and reported by coif_text_writer_commit; writing after it does nothing.
#ifndef COIF_CORE_BASE_TEXT_WRITER_H
#define COIF_CORE_BASE_TEXT_WRITER_H

#include "core/base/fs.h"

enum { COIF_TEXT_BUFFER = 1 << 16, COIF_NUMBER_TEXT = 24 };

typedef struct coif_text_writer {
    coif_file file;
    coif_status status;
    coif_error *error;
    size_t used;
    char buffer[COIF_TEXT_BUFFER];
} coif_text_writer;

coif_status coif_text_writer_open(coif_text_writer *writer, const char *path, coif_error *error);

void coif_put_text(coif_text_writer *writer, const char *text);
void coif_put_bytes(coif_text_writer *writer, const void *bytes, size_t size);

// At most 512 characters.
COIF_PRINTF(2, 3) void coif_put_format(coif_text_writer *writer, const char *format, ...);

// The shortest of 6 to 9 significant digits that reads back as the same float; independent of the
// locale. inf and nan as in C.
void coif_put_number(coif_text_writer *writer, float value);

// The same into a buffer of COIF_NUMBER_TEXT bytes; returns the length.
size_t coif_print_number(char *buffer, float value);

// Writes buffered text to the temporary file; returns the first error.
coif_status coif_text_writer_flush(coif_text_writer *writer);

// Flushes, replaces the file, closes; returns the first error.
coif_status coif_text_writer_commit(coif_text_writer *writer);

// Closes without replacing the file; after a commit: nothing.
void coif_text_writer_discard(coif_text_writer *writer);

#endif
