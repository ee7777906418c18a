// Logical lines of an OBJ file.
#include "core/mesh/obj_lines.h"

#include "core/base/error.h"

#include <string.h>

static int64_t line_of(const char *text, const char *position)
{
    int64_t line = 1;
    for (; text < position; ++text) {
        line += *text == '\n';
    }
    return line;
}

coif_status coif_obj_lines_init(coif_obj_lines *lines, const char *name, char *text, size_t size,
                                coif_error *error)
{
    if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: UTF-16 text, expected UTF-8", name);
    }
    const char *zero = memchr(text, 0, size);
    if (zero != NULL) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: line %lld: found a zero byte, expected UTF-8 text (not UTF-16)", name,
                         (long long)line_of(text, zero));
    }
    // Byte order mark.
    const size_t mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    *lines = (coif_obj_lines){.cursor = text + mark, .end = text + size};
    if (memchr(text, '\n', size) == NULL) {
        for (char *at = text; at < lines->end; ++at) { // classic Mac line ends
            *at = *at == '\r' ? '\n' : *at;
        }
    }
    return COIF_OK;
}

// A backslash before the line end continues the line; not in comments, which contain Windows paths.
static bool continues(const char *begin, const char *newline)
{
    const char *last = newline;
    while (last > begin && last[-1] == '\r') {
        --last;
    }
    return last > begin && last[-1] == '\\' && *begin != '#';
}

char *coif_obj_lines_next(coif_obj_lines *lines)
{
    if (lines->cursor >= lines->end) {
        return NULL;
    }
    char *begin = coif_obj_skip_blanks(lines->cursor);
    char *scan = begin;
    for (;;) {
        char *newline = memchr(scan, '\n', (size_t)(lines->end - scan));
        ++lines->number;
        if (newline == NULL) {
            lines->cursor = lines->end;
            return begin;
        }
        if (!continues(begin, newline)) {
            *newline = '\0';
            lines->cursor = newline + 1;
            return begin;
        }
        scan = newline + 1;
        while (*newline != '\\') {
            *newline-- = ' ';
        }
        *newline = ' ';
    }
}
