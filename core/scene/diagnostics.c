// Collection and formatting of scene errors.
#include "core/scene/diagnostics.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/scene/params.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// A coif_error holds 8000 bytes.
enum { MAX_LINES = 40, MAX_BYTES = 7800, MAX_LINE_LENGTH = 400, MAX_NAMES = 20 };

void coif_diagnostics_init(coif_diagnostics *diagnostics, const char *file, coif_arena *arena)
{
    *diagnostics = (coif_diagnostics){.file = file, .arena = arena};
    coif_strbuf_init(&diagnostics->lines, arena);
}

bool coif_diagnostics_full(const coif_diagnostics *diagnostics)
{
    return diagnostics->count >= MAX_LINES || diagnostics->lines.size + MAX_LINE_LENGTH > MAX_BYTES;
}

static void add_path(coif_strbuf *text, const coif_json_path *location)
{
    if (location->up == NULL) {
        coif_strbuf_add(text, location->key);
        return;
    }
    add_path(text, location->up);
    if (location->key != NULL) {
        coif_strbuf_print(text, "/%s", location->key);
    } else {
        coif_strbuf_print(text, "/%d", location->index);
    }
}

char *coif_json_path_text(const coif_json_path *location, coif_arena *arena)
{
    coif_strbuf text;
    coif_strbuf_init(&text, arena);
    add_path(&text, location);
    return text.data;
}

// Replaces control characters and truncates: keys of a file may contain anything.
static void sanitize(coif_strbuf *line)
{
    for (size_t i = 0; i < line->size; ++i) {
        if ((unsigned char)line->data[i] < 0x20 || line->data[i] == 0x7f) {
            line->data[i] = '?';
        }
    }
    if (line->size > MAX_LINE_LENGTH) {
        line->size = MAX_LINE_LENGTH;
        while (((unsigned char)line->data[line->size] & 0xc0) == 0x80) {
            --line->size;
        }
        line->data[line->size] = '\0';
        coif_strbuf_add(line, "...");
    }
}

void coif_diagnostics_add(coif_diagnostics *diagnostics, const coif_json_path *location,
                          const char *format, ...)
{
    const bool full = coif_diagnostics_full(diagnostics);
    ++diagnostics->count;
    if (full) {
        return;
    }
    char what[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);

    const char *path = coif_json_path_text(location, diagnostics->arena);
    coif_strbuf line;
    coif_strbuf_init(&line, diagnostics->arena);
    coif_strbuf_print(&line, "%s: %s: %s", diagnostics->file, path[0] != '\0' ? path : "/", what);
    if (location->json != NULL && location->json->origin != NULL) {
        coif_strbuf_print(&line, " (from --set %s)", location->json->origin);
    }
    sanitize(&line);
    coif_strbuf_print(&diagnostics->lines, "%s%s", diagnostics->lines.size > 0 ? "\n" : "",
                      line.data);
}

void coif_diagnostics_add_expected(coif_diagnostics *diagnostics, const coif_json_path *location,
                                   const char *expected)
{
    const bool full = coif_diagnostics_full(diagnostics);
    coif_diagnostics_add(diagnostics, location, "found %s, expected %s",
                         full ? "" : coif_json_describe(location->json, diagnostics->arena),
                         expected);
}

void coif_diagnostics_add_unknown_key(coif_diagnostics *diagnostics, const coif_json_path *location,
                                      const char *const *names, size_t count)
{
    if (coif_diagnostics_full(diagnostics)) {
        ++diagnostics->count;
        return;
    }
    const char *nearest = coif_nearest_name(location->key, names, count);
    if (nearest != NULL) {
        coif_diagnostics_add(diagnostics, location, "unknown key, did you mean \"%s\"?", nearest);
        return;
    }
    coif_strbuf known;
    coif_strbuf_init(&known, diagnostics->arena);
    coif_strbuf_add_names(&known, names, count, MAX_NAMES);
    coif_diagnostics_add(diagnostics, location, "unknown key (known: %s)",
                         count > 0 ? known.data : "none");
}

void coif_diagnostics_add_unknown_name(coif_diagnostics *diagnostics,
                                       const coif_json_path *location, const char *what,
                                       const char *const *names, size_t count)
{
    if (coif_diagnostics_full(diagnostics)) {
        ++diagnostics->count;
        return;
    }
    const char *nearest = coif_nearest_name(location->json->text, names, count);
    coif_strbuf text;
    coif_strbuf_init(&text, diagnostics->arena);
    coif_strbuf_print(&text, "%s is not %s", coif_json_describe(location->json, diagnostics->arena),
                      what);
    if (nearest != NULL) {
        coif_strbuf_print(&text, ", did you mean \"%s\"?", nearest);
    }
    coif_strbuf_add(&text, " (known: ");
    coif_strbuf_add_names(&text, names, count, MAX_NAMES);
    coif_strbuf_add(&text, count > 0 ? ")" : "none)");
    coif_diagnostics_add(diagnostics, location, "%s", text.data);
}

coif_status coif_diagnostics_status(const coif_diagnostics *diagnostics, coif_error *error)
{
    if (diagnostics->count == 0) {
        return COIF_OK;
    }
    int32_t printed = 1;
    for (const char *at = diagnostics->lines.data; *at != '\0'; ++at) {
        printed += *at == '\n';
    }
    if (diagnostics->count > printed) {
        return coif_fail(error, COIF_ERR_SCENE, "%s\n... and %d more", diagnostics->lines.data,
                         diagnostics->count - printed);
    }
    return coif_fail(error, COIF_ERR_SCENE, "%s", diagnostics->lines.data);
}
