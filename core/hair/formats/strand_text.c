// Text export of strands.
#include "core/hair/formats/strand_text.h"

#include "core/base/error.h"
#include "core/base/fs.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BUFFER = 1 << 16, MAX_PRINT = 512 };

// Buffered text writer; keeps the first error.
typedef struct writer {
    coif_file file;
    coif_status status;
    coif_error *error;
    size_t used;
    char buffer[BUFFER];
} writer;

static void flush(writer *to)
{
    if (to->status == COIF_OK && to->used > 0) {
        to->status = coif_file_write(&to->file, to->buffer, to->used, to->error);
    }
    to->used = 0;
}

COIF_PRINTF(2, 3) static void put(writer *to, const char *format, ...)
{
    if (to->used + MAX_PRINT > BUFFER) {
        flush(to);
    }
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(to->buffer + to->used, MAX_PRINT, format, list);
    va_end(list);
    to->used += length < MAX_PRINT ? (size_t)length : MAX_PRINT - 1;
}

static void put_obj(writer *to, const coif_strands *strands, const coif_obj_groups *groups)
{
    put(to, "# %d strands, metres, y up\n", strands->strand_count);
    for (int32_t i = 0; i < strands->point_count; ++i) {
        const coif_vec4 p = strands->points[i];
        put(to, "v %.9g %.9g %.9g\n", (double)p.x, (double)p.y, (double)p.z);
    }
    const char *group = NULL;
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const char *name =
            groups->of_strands != NULL ? groups->names[groups->of_strands[s]] : groups->name;
        if (group == NULL || strcmp(name, group) != 0) {
            put(to, "g %.200s\n", name);
            group = name;
        }
        put(to, "l");
        for (int32_t i = strands->first[s]; i < strands->first[s + 1]; ++i) {
            put(to, " %d", i + 1);
        }
        put(to, "\n");
    }
}

coif_status coif_strands_save_obj(const coif_strands *strands, const coif_obj_groups *groups,
                                  const char *path, coif_error *error)
{
    writer to = {.status = COIF_OK, .error = error};
    COIF_TRY(coif_file_open(&to.file, path, COIF_FILE_WRITE, error));
    put_obj(&to, strands, groups);
    flush(&to);
    if (to.status == COIF_OK) {
        to.status = coif_file_commit(&to.file, error);
    }
    coif_file_close(&to.file);
    return to.status;
}
