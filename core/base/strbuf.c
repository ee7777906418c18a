// String builder in an arena.
#include "core/base/strbuf.h"

#include "core/base/arena.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void coif_strbuf_init(coif_strbuf *text, coif_arena *arena)
{
    *text = (coif_strbuf){.capacity = 256, .arena = arena};
    text->data = coif_arena_new(arena, text->capacity, char);
}

// Ensures capacity for count more bytes and the zero byte.
static void reserve(coif_strbuf *text, size_t count)
{
    if (text->size + count < text->capacity) {
        return;
    }
    while (text->size + count >= text->capacity) {
        text->capacity *= 2;
    }
    char *data = coif_arena_new(text->arena, text->capacity, char);
    memcpy(data, text->data, text->size + 1);
    text->data = data;
}

void coif_strbuf_add_bytes(coif_strbuf *text, const char *bytes, size_t count)
{
    reserve(text, count);
    memcpy(text->data + text->size, bytes, count);
    text->size += count;
    text->data[text->size] = '\0';
}

void coif_strbuf_add(coif_strbuf *text, const char *piece)
{
    coif_strbuf_add_bytes(text, piece, strlen(piece));
}

void coif_strbuf_print(coif_strbuf *text, const char *format, ...)
{
    va_list list, copy;
    va_start(list, format);
    va_copy(copy, list);
    const int length = vsnprintf(NULL, 0, format, list);
    if (length > 0) {
        reserve(text, (size_t)length);
        vsnprintf(text->data + text->size, (size_t)length + 1, format, copy);
        text->size += (size_t)length;
    }
    va_end(copy);
    va_end(list);
}

void coif_strbuf_add_names(coif_strbuf *text, const char *const *names, size_t count, size_t limit)
{
    for (size_t i = 0; i < count && i < limit; ++i) {
        coif_strbuf_print(text, "%s\"%s\"", i > 0 ? ", " : "", names[i]);
    }
    if (count > limit) {
        coif_strbuf_add(text, ", ...");
    }
}

void coif_strbuf_add_number(coif_strbuf *text, double number)
{
    char digits[40];
    // Integers that a double represents exactly are written in full: 10000000, not 1e+07.
    if (number == floor(number) && fabs(number) < 1e15) {
        coif_strbuf_print(text, "%.0f", number);
        return;
    }
    for (int precision = 6; precision <= 17; ++precision) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (strtod(digits, NULL) == number) {
            break;
        }
    }
    // A library may have changed the locale and with it the decimal point.
    char *comma = strchr(digits, ',');
    if (comma != NULL) {
        *comma = '.';
    }
    coif_strbuf_add(text, digits);
}
