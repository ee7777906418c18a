// JSON tokenizer.
#include "core/json/json_scanner.h"

#include "core/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// cJSON copies a number into a buffer of 64 bytes and would split a longer one.
enum { MAX_NUMBER_LENGTH = 63 };

static const char BYTE_ORDER_MARK[] = "\xef\xbb\xbf";

bool coif_json_has_byte_order_mark(const char *text, size_t size)
{
    return size >= 3 && memcmp(text, BYTE_ORDER_MARK, 3) == 0;
}

void coif_json_line_column(const char *text, size_t offset, int *line, int *column)
{
    *line = 1;
    *column = 1;
    const size_t first = offset >= 3 && coif_json_has_byte_order_mark(text, offset) ? 3 : 0;
    for (size_t i = first; i < offset; ++i) {
        const unsigned char byte = (unsigned char)text[i];
        if (byte == '\n') {
            ++*line;
            *column = 1;
        } else if ((byte & 0xc0) != 0x80) {
            ++*column;
        }
    }
}

coif_status coif_json_scanner_error(const coif_json_scanner *scan, size_t at, const char *format,
                                    ...)
{
    char what[256];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);

    int line, column;
    coif_json_line_column(scan->text, at, &line, &column);
    return coif_fail(scan->error, COIF_ERR_FORMAT, "%s:%d:%d: %s", scan->name, line, column, what);
}

// "expected a value, found the end of the text".
coif_status coif_json_scanner_expected(const coif_json_scanner *scan, const char *what)
{
    if (scan->at >= scan->size) {
        return coif_json_scanner_error(scan, scan->size, "expected %s, found the end of the text",
                                       what);
    }
    const unsigned char byte = (unsigned char)scan->text[scan->at];
    if (byte < 0x20 || byte == 0x7f) {
        return coif_json_scanner_error(
            scan, scan->at, "expected %s, found the control character 0x%02x", what, byte);
    }
    int length = 1;
    while (scan->at + (size_t)length < scan->size &&
           ((unsigned char)scan->text[scan->at + (size_t)length] & 0xc0) == 0x80) {
        ++length;
    }
    return coif_json_scanner_error(scan, scan->at, "expected %s, found '%.*s'", what, length,
                                   scan->text + scan->at);
}

int coif_json_scanner_peek(const coif_json_scanner *scan)
{
    return scan->at < scan->size ? (unsigned char)scan->text[scan->at] : -1;
}

void coif_json_scanner_skip_space(coif_json_scanner *scan)
{
    while (scan->at < scan->size && strchr(" \t\r\n", scan->text[scan->at]) != NULL &&
           scan->text[scan->at] != '\0') {
        ++scan->at;
    }
}

static int skip_digits(coif_json_scanner *scan)
{
    int count = 0;
    while (coif_json_scanner_peek(scan) >= '0' && coif_json_scanner_peek(scan) <= '9') {
        ++scan->at;
        ++count;
    }
    return count;
}

// Length in bytes of the UTF-8 character at text (RFC 3629, section 4), 0 when it is invalid.
static size_t utf8_length(const unsigned char *text, size_t size)
{
    const unsigned char lead = text[0];
    if (lead < 0x80) {
        return 1;
    }
    const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || size < length) {
        return 0;
    }
    // The second byte excludes overlong forms, surrogates and code points above U+10FFFF.
    const unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (text[1] < low || text[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < length; ++i) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

coif_status coif_json_scanner_encoding(const coif_json_scanner *scan)
{
    const unsigned char *text = (const unsigned char *)scan->text;
    if (scan->size >= 2 &&
        ((text[0] == 0xff && text[1] == 0xfe) || (text[0] == 0xfe && text[1] == 0xff))) {
        return coif_json_scanner_error(scan, 0, "the text is UTF-16, expected UTF-8");
    }
    for (size_t at = 0; at < scan->size;) {
        if (text[at] == 0) {
            return coif_json_scanner_error(scan, at, "a zero byte is not allowed in JSON");
        }
        const size_t length = utf8_length(text + at, scan->size - at);
        if (length == 0) {
            return coif_json_scanner_error(scan, at, "byte 0x%02x is not UTF-8", text[at]);
        }
        at += length;
    }
    return COIF_OK;
}

// Value of the four hexadecimal digits after \u, -1 when there are fewer.
static int parse_hex4(const coif_json_scanner *scan, size_t at)
{
    int value = 0;
    for (size_t i = at; i < at + 4; ++i) {
        const int digit = i < scan->size ? scan->text[i] : 0;
        if (digit >= '0' && digit <= '9') {
            value = value * 16 + digit - '0';
        } else if ((digit | 0x20) >= 'a' && (digit | 0x20) <= 'f') {
            value = value * 16 + (digit | 0x20) - 'a' + 10;
        } else {
            return -1;
        }
    }
    return value;
}

// Checks \uXXXX from its u on, with the second half of a surrogate pair.
static coif_status scan_unicode(coif_json_scanner *scan)
{
    const size_t start = scan->at - 1;
    const int first = parse_hex4(scan, scan->at + 1);
    if (first < 0) {
        return coif_json_scanner_error(scan, start, "expected four hexadecimal digits after \\u");
    }
    if (first == 0) {
        return coif_json_scanner_error(scan, start, "\\u0000 is not allowed in a string");
    }
    scan->at += 5;
    if (first < 0xd800 || first > 0xdfff) {
        return COIF_OK;
    }
    const bool pair = first < 0xdc00 && scan->at + 1 < scan->size && scan->text[scan->at] == '\\' &&
                      scan->text[scan->at + 1] == 'u';
    const int second = pair ? parse_hex4(scan, scan->at + 2) : -1;
    if (second < 0xdc00 || second > 0xdfff) {
        return coif_json_scanner_error(scan, start, "\\u%04x is half of a surrogate pair",
                                       (unsigned)first);
    }
    scan->at += 6;
    return COIF_OK;
}

coif_status coif_json_scanner_string(coif_json_scanner *scan)
{
    const size_t start = scan->at;
    for (++scan->at; coif_json_scanner_peek(scan) != '"';) {
        const int byte = coif_json_scanner_peek(scan);
        if (byte < 0 || byte == '\n' || byte == '\r') {
            return coif_json_scanner_error(scan, start, "unterminated string");
        }
        if (byte < 0x20) {
            return coif_json_scanner_error(scan, scan->at,
                                           "control character 0x%02x in a string, expected \\u%04x",
                                           (unsigned)byte, (unsigned)byte);
        }
        ++scan->at;
        if (byte != '\\') {
            continue;
        }
        if (coif_json_scanner_peek(scan) == 'u') {
            COIF_TRY(scan_unicode(scan));
        } else if (coif_json_scanner_peek(scan) > 0 &&
                   strchr("\"\\/bfnrt", coif_json_scanner_peek(scan)) != NULL) {
            ++scan->at;
        } else {
            return coif_json_scanner_expected(scan, "one of \" \\ / b f n r t u after \\");
        }
    }
    ++scan->at;
    return COIF_OK;
}

coif_status coif_json_scanner_number(coif_json_scanner *scan)
{
    const size_t start = scan->at;
    if (coif_json_scanner_peek(scan) == '-') {
        ++scan->at;
    }
    const bool zero = coif_json_scanner_peek(scan) == '0';
    const int digits = skip_digits(scan);
    if (digits == 0) {
        return coif_json_scanner_expected(scan, "a digit");
    }
    if (zero && digits > 1) {
        return coif_json_scanner_error(scan, start, "a number must not have leading zeros");
    }
    if (coif_json_scanner_peek(scan) == '.') {
        ++scan->at;
        if (skip_digits(scan) == 0) {
            return coif_json_scanner_expected(scan, "a digit after the decimal point");
        }
    }
    if (coif_json_scanner_peek(scan) == 'e' || coif_json_scanner_peek(scan) == 'E') {
        ++scan->at;
        if (coif_json_scanner_peek(scan) == '+' || coif_json_scanner_peek(scan) == '-') {
            ++scan->at;
        }
        if (skip_digits(scan) == 0) {
            return coif_json_scanner_expected(scan, "a digit in the exponent");
        }
    }
    if (scan->at - start > MAX_NUMBER_LENGTH) {
        return coif_json_scanner_error(scan, start,
                                       "a number of %zu characters exceeds the maximum of %d",
                                       scan->at - start, (int)MAX_NUMBER_LENGTH);
    }
    return COIF_OK;
}
