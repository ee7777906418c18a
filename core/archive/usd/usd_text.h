// USD text (.usda): scanner, parser and values.
#ifndef COIF_CORE_ARCHIVE_USD_USD_TEXT_H
#define COIF_CORE_ARCHIVE_USD_USD_TEXT_H

#include "core/archive/usd/usd_layer.h"

// Position in a text. Text that ends too early and other errors are COIF_ERR_FORMAT with file, line
// and column.
typedef struct coif_usd_scanner {
    const coif_bytes *bytes;
    const char *at, *end;
    const char *released; // of a mapped file: pages before it have been given back; or NULL
    coif_error *error;
} coif_usd_scanner;

// A piece of the text.
typedef struct coif_usd_span {
    const char *text;
    size_t length;
} coif_usd_span;

coif_usd_scanner coif_usd_scanner_at(const coif_bytes *bytes, size_t offset, coif_error *error);
coif_status coif_usd_scan_fail(const coif_usd_scanner *scanner, const char *expected);

// Skips white space and comments.
void coif_usd_skip_space(coif_usd_scanner *scanner);

// Skips white space; whether the next character is c, which is then consumed.
bool coif_usd_accept(coif_usd_scanner *scanner, char c);

// A name of letters, digits, _ : and the characters in extra; empty without one.
coif_usd_span coif_usd_scan_name(coif_usd_scanner *scanner, const char *extra);
bool coif_usd_span_is(coif_usd_span span, const char *text);

// "x", 'x', """x""" or '''x''' and @asset@ or @@@asset@@@; the span lies between the delimiters.
coif_status coif_usd_scan_string(coif_usd_scanner *scanner, coif_usd_span *span);
coif_status coif_usd_scan_number(coif_usd_scanner *scanner, double *number);

// Skips white space; whether a character follows the digits, as the parsers of numbers need. Only
// an incomplete layer ends with a number.
bool coif_usd_number_is_bounded(coif_usd_scanner *scanner);

// Any value: number, name, string, asset, path, tuple, array or dictionary, without decoding it.
// Gives back the memory of a mapped file behind it now and then, so that parsing a file of any size
// needs that of its largest value.
coif_status coif_usd_skip_value(coif_usd_scanner *scanner);

// A copy of a string without its escapes.
const char *coif_usd_unescape(coif_usd_span span, coif_arena *arena);

// Parses a whole layer; bytes must outlive it. Mapped: they are those of a mapped file.
coif_status coif_usd_text_parse(coif_usd_layer *layer, const coif_bytes *bytes, bool mapped,
                                coif_arena *arena, coif_error *error);

// Decodes the value at a byte offset.
coif_usd_decode coif_usd_text_decode;

#endif
