#include "tools/studio/server/http/compression.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { SMALLEST = 1024, LARGEST = 1 << 30, GZIP_WINDOW = 15 + 16 };

bool coif_accepts_gzip(const char *accept_encoding)
{
    const char *found = accept_encoding != NULL ? strstr(accept_encoding, "gzip") : NULL;
    if (found == NULL) {
        return false;
    }
    const char *weight = found + strlen("gzip");
    weight += strspn(weight, " ");
    if (*weight != ';') {
        return *weight == ',' || *weight == '\0';
    }
    weight += 1 + strspn(weight + 1, " ");
    return strncmp(weight, "q=", 2) != 0 || strtod(weight + 2, NULL) > 0;
}

bool coif_is_compressible(const char *content_type, size_t size)
{
    return size >= SMALLEST && size <= LARGEST && strncmp(content_type, "image/", 6) != 0;
}

const void *coif_gzip(const void *data, size_t size, size_t *gzip_size, coif_arena *arena)
{
    // Texts are packed well, arrays of numbers quickly.
    z_stream stream = {0};
    if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        return NULL;
    }
    void *packed = coif_arena_alloc(arena, size, 1);
    stream.next_in = (Bytef *)data;
    stream.avail_in = (uInt)size;
    stream.next_out = packed;
    stream.avail_out = (uInt)size;
    const bool is_smaller = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    *gzip_size = stream.total_out;
    deflateEnd(&stream);
    return is_smaller ? packed : NULL;
}
