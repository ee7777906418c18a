// Curve files of Mitsuba (.txt): a line "x y z radius" per control point, an empty line between
// curves. Mitsuba 0.6 and research code have lines "x y z".
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/text_writer.h"
#include "core/hair/formats/strand_builder.h"
#include "core/mesh/parse_float.h"

#include <string.h>

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t\r");
}

// Reads the numbers of a line; *text is then at its end. The first line decides whether there is a
// radius.
static coif_status read_line(coif_strand_builder *builder, const char **text, int *columns,
                             int32_t line, const char *name, coif_error *error)
{
    float values[4] = {0};
    for (int i = 0; i < (*columns > 0 ? *columns : 4); ++i) {
        const char *begin = skip_blanks(*text), *end = coif_parse_float(&values[i], begin);
        if (*columns == 0 && i == 3 && (*begin == '\n' || *begin == '\0')) {
            break;
        }
        if (end == NULL || strchr(" \t\r\n", *end) == NULL) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s: line %d: expected x y z radius, found '%.24s'", name, line,
                             begin);
        }
        *text = end;
        *columns = *columns == 0 && i == 3 ? 4 : *columns;
    }
    *columns = *columns == 0 ? 3 : *columns;
    *text = skip_blanks(*text);
    if (**text != '\n' && **text != '\0') {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: line %d: more than %d numbers", name, line,
                         *columns);
    }
    const coif_vec4 point = {values[0], values[1], values[2], values[3]};
    return coif_strand_builder_add(builder, point, name, error);
}

coif_status coif_mitsuba_read(coif_strand_file *file, const coif_bytes *bytes,
                              const coif_hair_import *import, coif_arena *arena, coif_error *error)
{
    (void)import;
    COIF_SCOPED_ARENA(scratch, "curve file");
    coif_strand_builder builder = {.arena = &scratch};
    int columns = 0;
    const char *text = bytes->data, *end = text + bytes->size;
    for (int32_t line = 1; text < end; ++line) {
        text = skip_blanks(text);
        if (*text == '\n' || text >= end) {
            coif_strand_builder_end(&builder, file);
        } else if (*text == '#') {
            text += strcspn(text, "\n");
        } else {
            COIF_TRY(read_line(&builder, &text, &columns, line, bytes->name, error));
        }
        text += *text == '\n';
        if (text < end && *text == '\0') {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: line %d: a zero byte", bytes->name, line);
        }
    }
    coif_strand_builder_end(&builder, file);
    file->has_radius = columns == 4;
    return coif_strand_builder_finish(&builder, file, arena, error);
}

coif_status coif_mitsuba_save(const coif_strand_file *file, const char *path,
                              const coif_strand_export *desc, coif_error *error)
{
    const coif_strands *strands = &file->strands;
    coif_text_writer writer;
    COIF_TRY(coif_text_writer_open(&writer, path, error));
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        if (s > 0) {
            coif_put_text(&writer, "\n");
        }
        for (int32_t i = strands->first[s]; i < strands->first[s + 1]; ++i) {
            const coif_vec4 p = strands->points[i];
            const float values[] = {p.x, p.y, p.z, file->has_radius ? p.w : desc->default_radius};
            for (int k = 0; k < 4; ++k) {
                coif_put_number(&writer, values[k]);
                coif_put_text(&writer, k < 3 ? " " : "\n");
            }
        }
    }
    return coif_text_writer_commit(&writer);
}
