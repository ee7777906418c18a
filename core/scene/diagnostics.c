#include "core/scene/diagnostics.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/scene/params.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// A full error text holds 8000 bytes; one line never takes more than a small part of it.
enum { MOST_LINES = 40, MOST_BYTES = 7800, LONGEST_LINE = 400, MOST_NAMES = 20 };

void coif_diagnostics_init(coif_diagnostics *mistakes, const char *file, coif_arena *arena)
{
    *mistakes = (coif_diagnostics){.file = file, .arena = arena};
    coif_strbuf_init(&mistakes->lines, arena);
}

bool coif_diagnostics_full(const coif_diagnostics *mistakes)
{
    return mistakes->count >= MOST_LINES || mistakes->lines.size + LONGEST_LINE > MOST_BYTES;
}

static void add_path(coif_strbuf *text, const coif_json_path *where)
{
    if (where->up == NULL) {
        coif_strbuf_add(text, where->key);
        return;
    }
    add_path(text, where->up);
    if (where->key != NULL) {
        coif_strbuf_print(text, "/%s", where->key);
    } else {
        coif_strbuf_print(text, "/%d", where->index);
    }
}

char *coif_json_path_text(const coif_json_path *where, coif_arena *arena)
{
    coif_strbuf text;
    coif_strbuf_init(&text, arena);
    add_path(&text, where);
    return text.data;
}

// Keys of a file may hold anything; a line stays one line, of bounded length.
static void tame(coif_strbuf *line)
{
    for (size_t i = 0; i < line->size; ++i) {
        if ((unsigned char)line->data[i] < 0x20 || line->data[i] == 0x7f) {
            line->data[i] = '?';
        }
    }
    if (line->size > LONGEST_LINE) {
        line->size = LONGEST_LINE;
        while (((unsigned char)line->data[line->size] & 0xc0) == 0x80) {
            --line->size;
        }
        line->data[line->size] = '\0';
        coif_strbuf_add(line, "...");
    }
}

void coif_diagnostics_add(coif_diagnostics *mistakes, const coif_json_path *where,
                          const char *format, ...)
{
    const bool full = coif_diagnostics_full(mistakes);
    ++mistakes->count;
    if (full) {
        return;
    }
    char what[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);

    const char *path = coif_json_path_text(where, mistakes->arena);
    coif_strbuf line;
    coif_strbuf_init(&line, mistakes->arena);
    coif_strbuf_print(&line, "%s: %s: %s", mistakes->file, path[0] != '\0' ? path : "/", what);
    if (where->json != NULL && where->json->origin != NULL) {
        coif_strbuf_print(&line, " (from --set %s)", where->json->origin);
    }
    tame(&line);
    coif_strbuf_print(&mistakes->lines, "%s%s", mistakes->lines.size > 0 ? "\n" : "", line.data);
}

void coif_diagnostics_add_expected(coif_diagnostics *mistakes, const coif_json_path *where,
                                   const char *wanted)
{
    const bool full = coif_diagnostics_full(mistakes);
    coif_diagnostics_add(mistakes, where, "found %s, wanted %s",
                         full ? "" : coif_json_describe(where->json, mistakes->arena), wanted);
}

void coif_diagnostics_add_unknown_key(coif_diagnostics *mistakes, const coif_json_path *where,
                                      const char *const *names, size_t count)
{
    if (coif_diagnostics_full(mistakes)) {
        ++mistakes->count;
        return;
    }
    const char *nearest = coif_nearest_name(where->key, names, count);
    if (nearest != NULL) {
        coif_diagnostics_add(mistakes, where, "unknown key, did you mean \"%s\"?", nearest);
        return;
    }
    coif_strbuf known;
    coif_strbuf_init(&known, mistakes->arena);
    coif_strbuf_add_names(&known, names, count, MOST_NAMES);
    coif_diagnostics_add(mistakes, where, "unknown key (known: %s)",
                         count > 0 ? known.data : "none");
}

void coif_diagnostics_add_unknown_name(coif_diagnostics *mistakes, const coif_json_path *where,
                                       const char *what, const char *const *names, size_t count)
{
    if (coif_diagnostics_full(mistakes)) {
        ++mistakes->count;
        return;
    }
    const char *nearest = coif_nearest_name(where->json->text, names, count);
    coif_strbuf text;
    coif_strbuf_init(&text, mistakes->arena);
    coif_strbuf_print(&text, "%s is not %s", coif_json_describe(where->json, mistakes->arena),
                      what);
    if (nearest != NULL) {
        coif_strbuf_print(&text, ", did you mean \"%s\"?", nearest);
    }
    coif_strbuf_add(&text, " (known: ");
    coif_strbuf_add_names(&text, names, count, MOST_NAMES);
    coif_strbuf_add(&text, count > 0 ? ")" : "none)");
    coif_diagnostics_add(mistakes, where, "%s", text.data);
}

coif_status coif_diagnostics_status(const coif_diagnostics *mistakes, coif_error *error)
{
    if (mistakes->count == 0) {
        return COIF_OK;
    }
    int32_t said = 1;
    for (const char *at = mistakes->lines.data; *at != '\0'; ++at) {
        said += *at == '\n';
    }
    if (mistakes->count > said) {
        return coif_fail(error, COIF_ERR_SCENE, "%s\n... and %d more", mistakes->lines.data,
                         mistakes->count - said);
    }
    return coif_fail(error, COIF_ERR_SCENE, "%s", mistakes->lines.data);
}
