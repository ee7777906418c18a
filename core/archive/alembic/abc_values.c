// Values of Alembic properties: conversion of types, interpolation, geometry parameters.
#include "core/archive/alembic/abc_reader.h"
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 16 }; // of conversions

static const uint32_t TYPE_BYTES[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};

coif_status coif_abc_fail(const coif_abc_query *query, coif_error *error, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return coif_fail(error, COIF_ERR_FORMAT, "%s: %s: %s", query->ogawa->source.name,
                     query->node->path, text);
}

// Stored index of a sample: samples before the first change equal sample 0, those after the last
// change equal the last.
static uint64_t stored_index(const coif_abc_property *property, uint32_t sample)
{
    if (property->last_changed == 0 || sample < property->first_changed) {
        return 0;
    }
    const uint32_t last = sample < property->last_changed ? sample : property->last_changed;
    return (uint64_t)last - property->first_changed + 1;
}

// The bytes of a sample in the file, without the key.
static coif_status locate(coif_ogawa_data *data, const coif_abc_query *query,
                          const coif_abc_property *property, uint32_t sample, coif_error *error)
{
    uint64_t reference;
    const uint64_t index = stored_index(property, sample) * (property->array ? 2 : 1);
    *data = (coif_ogawa_data){0};
    if (property->sample_count == 0) {
        return COIF_OK;
    }
    COIF_TRY(coif_ogawa_child(&reference, query->ogawa, &property->group, index, error));
    COIF_TRY(coif_ogawa_data_at(data, query->ogawa, reference, error));
    const uint64_t key = data->size < COIF_ABC_KEY_BYTES ? data->size : COIF_ABC_KEY_BYTES;
    data->offset += key;
    data->size -= key;
    return COIF_OK;
}

// Half precision (IEEE 754 binary16).
static double half_value(uint16_t bits)
{
    const int exponent = bits >> 10 & 31;
    const double fraction = bits & 1023;
    const double value = exponent == 0    ? ldexp(fraction, -24)
                         : exponent == 31 ? (fraction == 0.0 ? INFINITY : NAN)
                                          : ldexp(1024.0 + fraction, exponent - 25);
    return (bits & 0x8000) != 0 ? -value : value;
}

static double number_at(const char *bytes, coif_abc_type type)
{
    union {
        uint8_t u8;
        int8_t i8;
        uint16_t u16;
        int16_t i16;
        uint32_t u32;
        int32_t i32;
        uint64_t u64;
        int64_t i64;
        float f32;
        double f64;
    } word;
    memcpy(&word, bytes, TYPE_BYTES[type]);
    switch (type) {
    case COIF_ABC_INT8:
        return word.i8;
    case COIF_ABC_UINT16:
        return word.u16;
    case COIF_ABC_INT16:
        return word.i16;
    case COIF_ABC_UINT32:
        return word.u32;
    case COIF_ABC_INT32:
        return word.i32;
    case COIF_ABC_UINT64:
        return (double)word.u64;
    case COIF_ABC_INT64:
        return (double)word.i64;
    case COIF_ABC_FLOAT16:
        return half_value(word.u16);
    case COIF_ABC_FLOAT32:
        return (double)word.f32;
    case COIF_ABC_FLOAT64:
        return word.f64;
    default:
        return word.u8;
    }
}

static int32_t int_of(double number)
{
    return number >= 2147483647.0    ? INT32_MAX
           : number <= -2147483648.0 ? INT32_MIN
           : number == number        ? (int32_t)number
                                     : 0;
}

// Reads numbers of a data block and converts them.
static coif_status convert(coif_abc_values *values, const coif_abc_query *query,
                           const coif_ogawa_data *data, coif_abc_type type, coif_abc_number number,
                           coif_error *error)
{
    char chunk[CHUNK_BYTES];
    const size_t width = TYPE_BYTES[type];
    size_t done = 0;
    for (uint64_t at = 0; at < data->size;) {
        const size_t bytes =
            data->size - at < sizeof chunk ? (size_t)(data->size - at) : sizeof chunk;
        COIF_TRY(coif_ogawa_read(query->ogawa, chunk, data->offset + at, bytes, error));
        for (size_t i = 0; i + width <= bytes; i += width) {
            const double value = number_at(chunk + i, type);
            if (number == COIF_ABC_AS_INT) {
                values->ints[done++] = int_of(value);
            } else {
                values->floats[done++] = (float)value;
            }
        }
        at += bytes;
    }
    return COIF_OK;
}

static coif_status read_sample(coif_abc_values *values, const coif_abc_query *query,
                               const coif_abc_property *property, uint32_t sample, uint32_t extent,
                               coif_abc_number number, coif_error *error)
{
    coif_ogawa_data data;
    *values = (coif_abc_values){0};
    if (property == NULL || property->compound) {
        return COIF_OK;
    }
    if (property->type > COIF_ABC_FLOAT64) {
        return coif_abc_fail(query, error, "%s holds text, expected numbers", property->name);
    }
    COIF_TRY(locate(&data, query, property, sample, error));
    const uint64_t count = data.size / TYPE_BYTES[property->type];
    if (count % extent != 0 || data.size % TYPE_BYTES[property->type] != 0 || count > INT32_MAX) {
        return coif_abc_fail(query, error,
                             "%s: %llu bytes of sample %u at offset %llu are not elements of %u "
                             "numbers of %u bytes",
                             property->name, (unsigned long long)data.size, sample,
                             (unsigned long long)data.offset, extent, TYPE_BYTES[property->type]);
    }
    values->count = (int64_t)(count / extent);
    values->floats = coif_arena_new(query->arena, count, float);
    const coif_abc_type same = number == COIF_ABC_AS_INT ? COIF_ABC_INT32 : COIF_ABC_FLOAT32;
    return property->type == same ? coif_ogawa_read(query->ogawa, values->floats, data.offset,
                                                    (size_t)data.size, error)
                                  : convert(values, query, &data, property->type, number, error);
}

coif_status coif_abc_read_values(coif_abc_values *values, const coif_abc_query *query,
                                 const coif_abc_property *property, uint32_t extent,
                                 coif_abc_number number, coif_error *error)
{
    const uint32_t sample =
        property != NULL ? coif_abc_samples_at(property, query->time).before : 0;
    return read_sample(values, query, property, sample, extent, number, error);
}

coif_status coif_abc_read_interpolated(coif_abc_values *values, const coif_abc_query *query,
                                       const coif_abc_property *property, uint32_t extent,
                                       coif_error *error)
{
    COIF_TRY(coif_abc_read_values(values, query, property, extent, COIF_ABC_AS_FLOAT, error));
    if (values->count == 0) {
        return COIF_OK;
    }
    const coif_abc_interval at = coif_abc_samples_at(property, query->time);
    if (at.before == at.after) {
        return COIF_OK;
    }
    coif_abc_values next;
    COIF_TRY(read_sample(&next, query, property, at.after, extent, COIF_ABC_AS_FLOAT, error));
    for (int64_t i = 0; next.count == values->count && i < extent * values->count; ++i) {
        values->floats[i] += (float)at.weight * (next.floats[i] - values->floats[i]);
    }
    return COIF_OK;
}

static coif_status read_doubles(double *values, uint32_t *count, const coif_abc_query *query,
                                const coif_abc_property *property, uint32_t sample,
                                coif_error *error)
{
    char bytes[CHUNK_BYTES];
    coif_ogawa_data data;
    if (property->compound || property->type > COIF_ABC_FLOAT64) {
        *count = 0;
        return COIF_OK;
    }
    COIF_TRY(locate(&data, query, property, sample, error));
    const uint32_t width = TYPE_BYTES[property->type];
    const uint64_t stored = data.size / width;
    *count = stored < *count ? (uint32_t)stored : *count;
    COIF_ASSERT(*count * width <= sizeof bytes);
    COIF_TRY(coif_ogawa_read(query->ogawa, bytes, data.offset, *count * width, error));
    for (uint32_t i = 0; i < *count; ++i) {
        values[i] = number_at(bytes + i * width, property->type);
    }
    return COIF_OK;
}

coif_status coif_abc_read_doubles(double *values, uint32_t *count, const coif_abc_query *query,
                                  const coif_abc_property *property, coif_error *error)
{
    const coif_abc_interval at = coif_abc_samples_at(property, query->time);
    COIF_TRY(read_doubles(values, count, query, property, at.before, error));
    if (at.before != at.after) {
        double *next = coif_arena_new(query->arena, *count, double);
        uint32_t next_count = *count;
        COIF_TRY(read_doubles(next, &next_count, query, property, at.after, error));
        for (uint32_t i = 0; i < next_count; ++i) {
            values[i] += at.weight * (next[i] - values[i]);
        }
    }
    return COIF_OK;
}

coif_status coif_abc_read_bytes(coif_bytes *bytes, const coif_abc_query *query,
                                const coif_abc_property *property, coif_error *error)
{
    coif_ogawa_data data;
    COIF_TRY(locate(&data, query, property, 0, error));
    char *copy = coif_arena_new(query->arena, data.size + 1, char);
    *bytes = (coif_bytes){.name = property->name, .data = copy, .size = (size_t)data.size};
    return coif_ogawa_read(query->ogawa, copy, data.offset, bytes->size, error);
}

// Copies the elements that the indices of an indexed parameter select.
static coif_status resolve_indices(coif_abc_values *values, const coif_abc_query *query,
                                   const coif_abc_property *property, uint32_t extent,
                                   coif_error *error)
{
    coif_abc_values indices;
    COIF_TRY(coif_abc_read_values(&indices, query, coif_abc_find(property, ".indices"), 1,
                                  COIF_ABC_AS_INT, error));
    if (extent * indices.count > INT32_MAX) {
        return coif_abc_fail(query, error, "%s: %lld indices", property->name,
                             (long long)indices.count);
    }
    float *resolved = coif_arena_new(query->arena, extent * indices.count, float);
    for (int64_t i = 0; i < indices.count; ++i) {
        const int32_t index = indices.ints[i];
        if (index < 0 || index >= values->count) {
            return coif_abc_fail(query, error, "%s: index %lld is %d, but there are %lld values",
                                 property->name, (long long)i, index, (long long)values->count);
        }
        memcpy(resolved + extent * i, values->floats + (int64_t)extent * index,
               extent * sizeof *resolved);
    }
    *values = (coif_abc_values){.count = indices.count, .floats = resolved};
    return COIF_OK;
}

static coif_abc_scope stated_scope(const coif_abc_property *property)
{
    static const char *const names[] = {"con", "uni", "var", "vtx", "fvr"};
    for (size_t i = 0; i < COIF_COUNT_OF(names); ++i) {
        if (coif_abc_metadata_is(property->metadata, "geoScope", names[i])) {
            return (coif_abc_scope)i;
        }
    }
    return COIF_ABC_FACE_VARYING;
}

// The stated scope if the count of values fits it, else the first that it fits; -1: none.
static int fitting_scope(const coif_abc_property *property, int64_t count, const int64_t counts[5])
{
    static const coif_abc_scope order[] = {COIF_ABC_VERTEX, COIF_ABC_UNIFORM, COIF_ABC_FACE_VARYING,
                                           COIF_ABC_VARYING, COIF_ABC_CONSTANT_SCOPE};
    const coif_abc_scope stated = stated_scope(property);
    if (counts[stated] == count) {
        return (int)stated;
    }
    for (size_t i = 0; i < COIF_COUNT_OF(order); ++i) {
        if (counts[order[i]] == count) {
            return (int)order[i];
        }
    }
    return -1;
}

coif_status coif_abc_read_param(coif_abc_param *param, const coif_abc_query *query,
                                const coif_abc_property *property, uint32_t extent,
                                coif_abc_number number, const int64_t counts[5], coif_error *error)
{
    *param = (coif_abc_param){.scope = COIF_ABC_CONSTANT_SCOPE};
    if (property == NULL) {
        return COIF_OK;
    }
    const coif_abc_property *stored =
        property->compound ? coif_abc_find(property, ".vals") : property;
    COIF_TRY(coif_abc_read_values(&param->values, query, stored, extent, number, error));
    if (property->compound) {
        COIF_TRY(resolve_indices(&param->values, query, property, extent, error));
    }
    const int scope = fitting_scope(property, param->values.count, counts);
    if (scope < 0 && param->values.count > 0) {
        coif_log(COIF_LOG_WARNING, "%s: %s: %s has %lld values, which fit no part of the object",
                 query->ogawa->source.name, query->node->path, property->name,
                 (long long)param->values.count);
    }
    param->scope = scope < 0 ? COIF_ABC_CONSTANT_SCOPE : (coif_abc_scope)scope;
    param->values.count = scope < 0 ? 0 : param->values.count;
    return COIF_OK;
}
