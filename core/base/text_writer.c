// text_writer: buffered text output with short float numbers.
#include "core/base/text_writer.h"

#include "core/base/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_FORMAT = 512 };

coif_status coif_text_writer_open(coif_text_writer *writer, const char *path, coif_error *error)
{
    writer->status = COIF_OK;
    writer->error = error;
    writer->used = 0;
    return coif_file_open(&writer->file, path, COIF_FILE_WRITE, error);
}

coif_status coif_text_writer_flush(coif_text_writer *writer)
{
    if (writer->status == COIF_OK && writer->used > 0) {
        writer->status =
            coif_file_write(&writer->file, writer->buffer, writer->used, writer->error);
    }
    writer->used = 0;
    return writer->status;
}

void coif_put_bytes(coif_text_writer *writer, const void *bytes, size_t size)
{
    const char *from = bytes;
    while (size > 0) {
        if (writer->used == COIF_TEXT_BUFFER) {
            coif_text_writer_flush(writer);
        }
        const size_t space = COIF_TEXT_BUFFER - writer->used;
        const size_t part = size < space ? size : space;
        memcpy(writer->buffer + writer->used, from, part);
        writer->used += part;
        from += part;
        size -= part;
    }
}

void coif_put_text(coif_text_writer *writer, const char *text)
{
    coif_put_bytes(writer, text, strlen(text));
}

void coif_put_format(coif_text_writer *writer, const char *format, ...)
{
    char text[MAX_FORMAT];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    coif_put_text(writer, text);
}

void coif_put_number(coif_text_writer *writer, float value)
{
    if (writer->used + COIF_NUMBER_TEXT > COIF_TEXT_BUFFER) {
        coif_text_writer_flush(writer);
    }
    writer->used += coif_print_number(writer->buffer + writer->used, value);
}

// 10^exponent for 0 to 22, all exact in double.
static const double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static double scale_by_ten(double value, int exponent)
{
    for (; exponent > 22; exponent -= 22) {
        value *= 1e22;
    }
    for (; exponent < -22; exponent += 22) {
        value /= 1e22;
    }
    return exponent >= 0 ? value * POWERS[exponent] : value / POWERS[-exponent];
}

// value is about digits * 10^exponent, with 6 to 9 digits. Fewer than 9 must be within 0.45 units
// in the last place of the float; 9 always are, rounding of the scaling included.
static uint32_t shortest_digits(float number, int *exponent)
{
    static const uint32_t LIMITS[] = {1000000, 10000000, 100000000, 1000000000};
    const double value = (double)number;
    const double tolerance = 0.45 * (value - (double)nextafterf(number, 0.0f));
    int exponent_of_two;
    frexp(value, &exponent_of_two);
    int power = (int)floor(0.30102999566398 * (exponent_of_two - 1)); // of ten; exact or one less
    uint32_t digits = 0;
    for (int count = 6; count <= 9; ++count) {
        *exponent = power - count + 1;
        digits = (uint32_t)(scale_by_ten(value, -*exponent) + 0.5);
        if (digits >= LIMITS[count - 6]) { // rounded up, or the power is one less
            ++power;
            ++*exponent;
            digits = (uint32_t)(scale_by_ten(value, -*exponent) + 0.5);
        }
        if (fabs(scale_by_ten(digits, *exponent) - value) <= tolerance) {
            break;
        }
    }
    for (; digits % 10 == 0; digits /= 10) {
        ++*exponent;
    }
    return digits;
}

size_t coif_print_number(char *buffer, float value)
{
    if (!isfinite(value) || value == 0.0f) {
        return (size_t)snprintf(buffer, COIF_NUMBER_TEXT, "%s%s", signbit(value) ? "-" : "",
                                value == 0.0f  ? "0"
                                : isnan(value) ? "nan"
                                               : "inf");
    }
    if (fabsf(value) < 1e-30f) { // subnormal numbers have fewer bits; rare
        return (size_t)snprintf(buffer, COIF_NUMBER_TEXT, "%.9e", (double)value);
    }
    char text[16];
    int exponent, count = 0;
    for (uint32_t digits = shortest_digits(fabsf(value), &exponent); digits > 0; digits /= 10) {
        text[count++] = (char)('0' + digits % 10); // last digit first
    }
    char *to = buffer;
    if (value < 0.0f) {
        *to++ = '-';
    }
    const int point = count + exponent; // digits before the decimal point
    if (point < -4 || point > 9) {
        for (int i = count - 1; i >= 0; --i) {
            *to++ = text[i];
            if (i == count - 1 && i > 0) {
                *to++ = '.';
            }
        }
        to += snprintf(to, 8, "e%d", point - 1);
        return (size_t)(to - buffer);
    }
    if (point <= 0) {
        *to++ = '0';
        *to++ = '.';
        for (int i = point; i < 0; ++i) {
            *to++ = '0';
        }
    }
    for (int i = 0; i < count || i < point; ++i) {
        if (i == point && point > 0) {
            *to++ = '.';
        }
        *to++ = i < count ? text[count - 1 - i] : '0';
    }
    return (size_t)(to - buffer);
}

coif_status coif_text_writer_commit(coif_text_writer *writer)
{
    coif_text_writer_flush(writer);
    if (writer->status == COIF_OK) {
        writer->status = coif_file_commit(&writer->file, writer->error);
    }
    coif_file_close(&writer->file);
    return writer->status;
}

void coif_text_writer_discard(coif_text_writer *writer)
{
    coif_file_close(&writer->file);
}
