// scan: the words of JSON text, read strictly and with their places.
//
// A scan stands at a byte and moves over one string, number or stretch of white space at a time. It
// says what it expected in terms of the text; what the values mean is no concern of its.
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

// "expected WHAT, found ..." where the scan stands.
coif_status coif_json_scanner_expected(const coif_json_scanner *scan, const char *what);

// Whether all of the text is UTF-8 without zero bytes.
coif_status coif_json_scanner_encoding(const coif_json_scanner *scan);

// The byte where the scan stands, -1 at the end.
int coif_json_scanner_peek(const coif_json_scanner *scan);
void coif_json_scanner_skip_space(coif_json_scanner *scan);

// Each stands on the first byte of its word and ends behind the last one.
coif_status coif_json_scanner_string(coif_json_scanner *scan);
coif_status coif_json_scanner_number(coif_json_scanner *scan);

#endif
