// json_text: a JSON object as text for the terminal, so that a command describes its result once.
#ifndef COIF_TOOLS_CLI_JSON_TEXT_H
#define COIF_TOOLS_CLI_JSON_TEXT_H

#include "core/base/strbuf.h"

// Appends the members of an object: one line per scalar and per string of an array, arrays of
// objects as tables, empty arrays not at all. Control characters are replaced by '?'.
void coif_json_text(coif_strbuf *text, const char *object, coif_arena *arena);

#endif
