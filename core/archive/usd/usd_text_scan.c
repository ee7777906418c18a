// USD text: scanner.
#include "core/archive/usd/usd_text.h"
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/mesh/parse_float.h"

#include <math.h>
#include <string.h>

enum { MAX_NESTING = 64, RELEASE_STEP = 1 << 24 };

coif_usd_scanner coif_usd_scanner_at(const coif_bytes *bytes, size_t offset, coif_error *error)
{
    const char *begin = bytes->data;
    return (coif_usd_scanner){
        .bytes = bytes, .at = begin + offset, .end = begin + bytes->size, .error = error};
}

coif_status coif_usd_scan_fail(const coif_usd_scanner *scanner, const char *expected)
{
    size_t line = 1;
    const char *begin = scanner->bytes->data, *line_begin = begin;
    for (const char *c = begin; c < scanner->at; ++c) {
        if (*c == '\n') {
            ++line;
            line_begin = c + 1;
        }
    }
    char found[32] = "the end of the file";
    if (scanner->at < scanner->end) {
        size_t length = 0;
        for (const char *c = scanner->at; c < scanner->end && length < 16; ++c) {
            if ((unsigned char)*c < 32 || (unsigned char)*c > 126) {
                break;
            }
            found[1 + length++] = *c;
        }
        found[0] = '\'';
        found[1 + length] = '\'';
        found[2 + length] = '\0';
    }
    return coif_fail(scanner->error, COIF_ERR_FORMAT, "%s:%zu:%zu: expected %s, found %s",
                     scanner->bytes->name, line, (size_t)(scanner->at - line_begin) + 1, expected,
                     found);
}

void coif_usd_skip_space(coif_usd_scanner *scanner)
{
    while (scanner->at < scanner->end) {
        const char c = *scanner->at;
        const bool slashes = c == '/' && scanner->end - scanner->at > 1 && scanner->at[1] == '/';
        if (c == '#' || slashes) {
            const char *line = memchr(scanner->at, '\n', (size_t)(scanner->end - scanner->at));
            scanner->at = line != NULL ? line : scanner->end;
        } else if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
            ++scanner->at;
        } else {
            return;
        }
    }
}

bool coif_usd_accept(coif_usd_scanner *scanner, char c)
{
    coif_usd_skip_space(scanner);
    const bool found = scanner->at < scanner->end && *scanner->at == c;
    scanner->at += found;
    return found;
}

coif_usd_span coif_usd_scan_name(coif_usd_scanner *scanner, const char *extra)
{
    coif_usd_skip_space(scanner);
    const char *begin = scanner->at;
    for (; scanner->at < scanner->end; ++scanner->at) {
        const unsigned char c = (unsigned char)*scanner->at;
        const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '_' || c == ':' || c >= 128;
        if (!word && (c == '\0' || strchr(extra, c) == NULL)) {
            break;
        }
    }
    return (coif_usd_span){begin, (size_t)(scanner->at - begin)};
}

bool coif_usd_span_is(coif_usd_span span, const char *text)
{
    return strlen(text) == span.length && memcmp(span.text, text, span.length) == 0;
}

coif_status coif_usd_scan_string(coif_usd_scanner *scanner, coif_usd_span *span)
{
    coif_usd_skip_space(scanner);
    const char quote = scanner->at < scanner->end ? *scanner->at : '\0';
    if (quote != '"' && quote != '\'' && quote != '@') {
        return coif_usd_scan_fail(scanner, "a string");
    }
    const size_t left = (size_t)(scanner->end - scanner->at);
    const bool triple = left >= 3 && scanner->at[1] == quote && scanner->at[2] == quote;
    // "" is an empty string unless a third quote follows.
    const size_t width = triple ? 3 : 1;
    const char *begin = scanner->at + width;
    for (const char *c = begin; c < scanner->end; ++c) {
        if (*c == '\\' && quote != '@') {
            ++c;
        } else if (*c == '\n' && !triple) {
            break;
        } else if (*c == quote &&
                   (!triple || (scanner->end - c >= 3 && c[1] == quote && c[2] == quote))) {
            *span = (coif_usd_span){begin, (size_t)(c - begin)};
            scanner->at = c + width;
            return COIF_OK;
        }
    }
    return coif_usd_scan_fail(scanner, "a string that ends");
}

bool coif_usd_number_is_bounded(coif_usd_scanner *scanner)
{
    coif_usd_skip_space(scanner);
    const char *c = scanner->at;
    while (c < scanner->end && ((*c >= '0' && *c <= '9') || *c == '-' || *c == '+' || *c == '.' ||
                                *c == 'e' || *c == 'E')) {
        ++c;
    }
    return c < scanner->end;
}

coif_status coif_usd_scan_number(coif_usd_scanner *scanner, double *number)
{
    const char *end = NULL;
    if (!coif_usd_number_is_bounded(scanner) ||
        (end = coif_parse_double(number, scanner->at)) == NULL) {
        const coif_usd_scanner before = *scanner;
        const bool negative = coif_usd_accept(scanner, '-');
        const coif_usd_span name = coif_usd_scan_name(scanner, "");
        if (coif_usd_span_is(name, "inf") || coif_usd_span_is(name, "nan")) {
            const double value = name.text[0] == 'i' ? (double)INFINITY : (double)NAN;
            *number = negative ? -value : value;
            return COIF_OK;
        }
        *scanner = before;
        return coif_usd_scan_fail(scanner, "a number");
    }
    scanner->at = end;
    return COIF_OK;
}

// Characters that matter inside brackets.
static bool is_plain(char c)
{
    return c != '(' && c != ')' && c != '[' && c != ']' && c != '{' && c != '}' && c != '"' &&
           c != '\'' && c != '@' && c != '<' && c != '#';
}

static coif_status skip_path(coif_usd_scanner *scanner)
{
    const char *close = memchr(scanner->at, '>', (size_t)(scanner->end - scanner->at));
    if (close == NULL) {
        return coif_usd_scan_fail(scanner, "a path that ends with '>'");
    }
    scanner->at = close + 1;
    return COIF_OK;
}

static coif_status skip_brackets(coif_usd_scanner *scanner)
{
    char closing[MAX_NESTING];
    int depth = 0;
    do {
        while (scanner->at < scanner->end && is_plain(*scanner->at)) {
            ++scanner->at;
        }
        if (scanner->at >= scanner->end) {
            return coif_usd_scan_fail(scanner, "a closing bracket");
        }
        const char c = *scanner->at;
        if (c == '(' || c == '[' || c == '{') {
            if (depth == MAX_NESTING) {
                return coif_usd_scan_fail(scanner, "at most 64 nested brackets");
            }
            closing[depth++] = c == '(' ? ')' : c == '[' ? ']' : '}';
            ++scanner->at;
        } else if (c == ')' || c == ']' || c == '}') {
            if (c != closing[depth - 1]) {
                const char expected[] = {'\'', closing[depth - 1], '\'', '\0'};
                return coif_usd_scan_fail(scanner, expected);
            }
            --depth;
            ++scanner->at;
        } else if (c == '<') {
            COIF_TRY(skip_path(scanner));
        } else if (c == '#') {
            coif_usd_skip_space(scanner);
        } else {
            coif_usd_span span;
            COIF_TRY(coif_usd_scan_string(scanner, &span));
        }
    } while (depth > 0);
    return COIF_OK;
}

static coif_status skip_value(coif_usd_scanner *scanner)
{
    coif_usd_skip_space(scanner);
    const char c = scanner->at < scanner->end ? *scanner->at : '\0';
    if (c == '(' || c == '[' || c == '{') {
        return skip_brackets(scanner);
    }
    if (c == '<') {
        return skip_path(scanner);
    }
    if (c == '"' || c == '\'' || c == '@') {
        coif_usd_span span;
        return coif_usd_scan_string(scanner, &span);
    }
    return coif_usd_scan_name(scanner, "+-.").length > 0 ? COIF_OK
                                                         : coif_usd_scan_fail(scanner, "a value");
}

coif_status coif_usd_skip_value(coif_usd_scanner *scanner)
{
    COIF_TRY(skip_value(scanner));
    if (scanner->released != NULL && scanner->at - scanner->released > RELEASE_STEP) {
        coif_file_release(scanner->released, scanner->at);
        scanner->released = scanner->at;
    }
    return COIF_OK;
}

const char *coif_usd_unescape(coif_usd_span span, coif_arena *arena)
{
    char *text = coif_arena_new(arena, span.length + 1, char);
    size_t length = 0;
    for (size_t i = 0; i < span.length; ++i) {
        char c = span.text[i];
        if (c == '\\' && i + 1 < span.length) {
            c = span.text[++i];
            c = (char)(c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c);
        }
        text[length++] = c;
    }
    return text;
}
