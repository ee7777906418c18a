// JSON tokenizer: strict, with source locations in its messages.
//
// The scanner has a position and advances over one string, number or run of white space at a time.
// It checks syntax only and decodes no values.
#ifndef COIF_CORE_JSON_JSON_SCANNER_H
#define COIF_CORE_JSON_JSON_SCANNER_H

#include "core/base/base.h"

typedef struct coif_json_scanner {
    const char *name; // for messages
    const char *text;
    size_t size, at;
    coif_error *error;
} coif_json_scanner;

// "NAME:LINE:COLUMN: ..." for a byte of the text; COIF_ERR_FORMAT.
coif_status coif_json_scanner_error(const coif_json_scanner *scan, size_t at, const char *format,
                                    ...) COIF_PRINTF(3, 4);

// "expected WHAT, found ..." at the current position.
coif_status coif_json_scanner_expected(const coif_json_scanner *scan, const char *what);

// Fails unless all of the text is UTF-8 without zero bytes.
coif_status coif_json_scanner_encoding(const coif_json_scanner *scan);

// The current byte, -1 at the end.
int coif_json_scanner_peek(const coif_json_scanner *scan);
void coif_json_scanner_skip_space(coif_json_scanner *scan);

// Each advances from the first byte of its token to the byte after the last one.
coif_status coif_json_scanner_string(coif_json_scanner *scan);
coif_status coif_json_scanner_number(coif_json_scanner *scan);

// Whether the text begins with the UTF-8 byte order mark.
bool coif_json_has_byte_order_mark(const char *text, size_t size);

// 1-based line and column of a byte; columns count characters, not bytes.
void coif_json_line_column(const char *text, size_t offset, int *line, int *column);

#endif
