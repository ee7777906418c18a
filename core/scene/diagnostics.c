#include "core/scene/diagnostics.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/scene/params.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// A full error text holds 8000 bytes; one line never takes more than a small part of it.
enum { MOST_LINES = 40, MOST_BYTES = 7800, LONGEST_LINE = 400, MOST_NAMES = 20 };

void coif_mistakes_init(coif_mistakes *mistakes, const char *file, coif_arena *arena)
{
    *mistakes = (coif_mistakes){.file = file, .arena = arena};
    coif_text_init(&mistakes->lines, arena);
}

bool coif_mistakes_full(const coif_mistakes *mistakes)
{
    return mistakes->count >= MOST_LINES || mistakes->lines.size + LONGEST_LINE > MOST_BYTES;
}

static void add_path(coif_text *text, const coif_where *where)
{
    if (where->up == NULL) {
        coif_text_add(text, where->key);
        return;
    }
    add_path(text, where->up);
    if (where->key != NULL) {
        coif_text_print(text, "/%s", where->key);
    } else {
        coif_text_print(text, "/%d", where->index);
    }
}

char *coif_where_path(const coif_where *where, coif_arena *arena)
{
    coif_text text;
    coif_text_init(&text, arena);
    add_path(&text, where);
    return text.data;
}

// Keys of a file may hold anything; a line stays one line, of bounded length.
static void tame(coif_text *line)
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
        coif_text_add(line, "...");
    }
}

void coif_mistake(coif_mistakes *mistakes, const coif_where *where, const char *format, ...)
{
    const bool full = coif_mistakes_full(mistakes);
    ++mistakes->count;
    if (full) {
        return;
    }
    char what[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);

    const char *path = coif_where_path(where, mistakes->arena);
    coif_text line;
    coif_text_init(&line, mistakes->arena);
    coif_text_print(&line, "%s: %s: %s", mistakes->file, path[0] != '\0' ? path : "/", what);
    if (where->json != NULL && where->json->origin != NULL) {
        coif_text_print(&line, " (from --set %s)", where->json->origin);
    }
    tame(&line);
    coif_text_print(&mistakes->lines, "%s%s", mistakes->lines.size > 0 ? "\n" : "", line.data);
}

void coif_mistake_wanted(coif_mistakes *mistakes, const coif_where *where, const char *wanted)
{
    const bool full = coif_mistakes_full(mistakes);
    coif_mistake(mistakes, where, "found %s, wanted %s",
                 full ? "" : coif_json_describe(where->json, mistakes->arena), wanted);
}

void coif_mistake_key(coif_mistakes *mistakes, const coif_where *where, const char *const *names,
                      size_t count)
{
    if (coif_mistakes_full(mistakes)) {
        ++mistakes->count;
        return;
    }
    const char *nearest = coif_nearest_name(where->key, names, count);
    if (nearest != NULL) {
        coif_mistake(mistakes, where, "unknown key, did you mean \"%s\"?", nearest);
        return;
    }
    coif_text known;
    coif_text_init(&known, mistakes->arena);
    coif_text_add_names(&known, names, count, MOST_NAMES);
    coif_mistake(mistakes, where, "unknown key (known: %s)", count > 0 ? known.data : "none");
}

void coif_mistake_name(coif_mistakes *mistakes, const coif_where *where, const char *what,
                       const char *const *names, size_t count)
{
    if (coif_mistakes_full(mistakes)) {
        ++mistakes->count;
        return;
    }
    const char *nearest = coif_nearest_name(where->json->text, names, count);
    coif_text text;
    coif_text_init(&text, mistakes->arena);
    coif_text_print(&text, "%s is not %s", coif_json_describe(where->json, mistakes->arena), what);
    if (nearest != NULL) {
        coif_text_print(&text, ", did you mean \"%s\"?", nearest);
    }
    coif_text_add(&text, " (known: ");
    coif_text_add_names(&text, names, count, MOST_NAMES);
    coif_text_add(&text, count > 0 ? ")" : "none)");
    coif_mistake(mistakes, where, "%s", text.data);
}

coif_status coif_mistakes_status(const coif_mistakes *mistakes, coif_error *error)
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
