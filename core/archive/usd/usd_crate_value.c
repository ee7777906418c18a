// USD crate: values. A value is 64 bits: flags (array, inlined, compressed), type, and 48 bits with
// the value itself or its offset in the file.
#include "core/archive/usd/usd_crate.h"
#include "core/base/arena.h"
#include "core/base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum scalar { NONE, U8, I32, U32, I64, U64, F16, F32, F64, TOKEN, STRING } scalar;

static const size_t SCALAR_SIZE[] = {0, 1, 4, 4, 8, 8, 2, 4, 8, 4, 4};

// By type number: 1 bool, 2 uchar, 3 int, ... 13 matrix2d, ... 30 int4.
static const struct {
    scalar scalar;
    unsigned char components, rows; // rows: of a matrix
    bool quaternion;
} TYPES[] = {{NONE, 0, 0, 0},   {U8, 1, 0, 0},    {U8, 1, 0, 0},    {I32, 1, 0, 0}, {U32, 1, 0, 0},
             {I64, 1, 0, 0},    {U64, 1, 0, 0},   {F16, 1, 0, 0},   {F32, 1, 0, 0}, {F64, 1, 0, 0},
             {STRING, 1, 0, 0}, {TOKEN, 1, 0, 0}, {TOKEN, 1, 0, 0}, {F64, 4, 2, 0}, {F64, 9, 3, 0},
             {F64, 16, 4, 0},   {F64, 4, 0, 1},   {F32, 4, 0, 1},   {F16, 4, 0, 1}, {F64, 2, 0, 0},
             {F32, 2, 0, 0},    {F16, 2, 0, 0},   {I32, 2, 0, 0},   {F64, 3, 0, 0}, {F32, 3, 0, 0},
             {F16, 3, 0, 0},    {I32, 3, 0, 0},   {F64, 4, 0, 0},   {F32, 4, 0, 0}, {F16, 4, 0, 0},
             {I32, 4, 0, 0}};

enum { DOUBLE = 9, TOKEN_VECTOR = 41, STRING_VECTOR = 50, TIME_CODE = 56 };

enum { LEAST_COMPRESSED = 16 }; // shorter arrays are stored as they are

static float half_to_float(uint16_t half)
{
    const int exponent = half >> 10 & 31;
    const float fraction = (float)(half & 1023) / 1024.0f;
    const float value = exponent == 31 ? (fraction > 0.0f ? (float)NAN : (float)INFINITY)
                        : exponent > 0 ? ldexpf(1.0f + fraction, exponent - 15)
                                       : ldexpf(fraction, -14);
    return half >> 15 != 0 ? -value : value;
}

static const char *token_at(const coif_crate *crate, uint64_t index)
{
    return index < crate->token_count ? crate->tokens[index] : "";
}

static const char *string_at(const coif_crate *crate, uint64_t index)
{
    return index < crate->string_count ? token_at(crate, crate->strings[index]) : "";
}

static coif_usd_element element_of(scalar kind)
{
    return kind == TOKEN || kind == STRING ? COIF_USD_TEXT
           : kind == F64                   ? COIF_USD_DOUBLE
           : kind == F16 || kind == F32    ? COIF_USD_FLOAT
                                           : COIF_USD_INT;
}

// Integers of 64 bits and unsigned ones must fit 32 bits.
static bool integer_at(scalar kind, const unsigned char *from, int32_t *to)
{
    int64_t wide = 0;
    memcpy(&wide, from, SCALAR_SIZE[kind]);
    wide = kind == I32 ? (int32_t)wide : wide;
    *to = (int32_t)wide;
    return wide >= INT32_MIN && wide <= INT32_MAX;
}

// Raw numbers to the types of this program.
static coif_status convert(const coif_crate_cursor *cursor, const coif_crate *crate, scalar kind,
                           const unsigned char *from, uint64_t count, coif_usd_value *value,
                           coif_arena *arena)
{
    const size_t size = SCALAR_SIZE[kind];
    const coif_usd_element element = element_of(kind);
    value->element = element;
    value->data = coif_arena_alloc(arena, count > 0 ? count : 1,
                                   element == COIF_USD_TEXT || element == COIF_USD_DOUBLE ? 8 : 4);
    if (count == 0) {
        return COIF_OK;
    }
    if (kind == F32 || kind == F64 || kind == I32) {
        memcpy(value->data, from, count * size);
        return COIF_OK;
    }
    for (uint64_t i = 0; i < count; ++i, from += size) {
        if (kind == F16) {
            ((float *)value->data)[i] = half_to_float((uint16_t)(from[0] | from[1] << 8));
        } else if (element == COIF_USD_TEXT) {
            uint32_t index;
            memcpy(&index, from, sizeof index);
            ((const char **)value->data)[i] =
                kind == TOKEN ? token_at(crate, index) : string_at(crate, index);
        } else if (!integer_at(kind, from, (int32_t *)value->data + i)) {
            return coif_crate_fail(cursor, "an integer before it does not fit 32 bits");
        }
    }
    return COIF_OK;
}

// Real part first: the file has it last.
static void reorder_quaternions(coif_usd_value *value)
{
    for (int64_t i = 0; i < value->count; ++i) {
        if (value->element == COIF_USD_DOUBLE) {
            double *q = (double *)value->data + 4 * i;
            const double real = q[3];
            memmove(q + 1, q, 3 * sizeof *q);
            q[0] = real;
        } else {
            float *q = (float *)value->data + 4 * i;
            const float real = q[3];
            memmove(q + 1, q, 3 * sizeof *q);
            q[0] = real;
        }
    }
}

// Small scalars are in the value: doubles as floats, vectors and the diagonal of matrices as bytes.
static coif_status decode_inlined(const coif_crate_cursor *cursor, const coif_crate *crate,
                                  coif_usd_handle handle, coif_usd_value *value, coif_arena *arena)
{
    const int type = coif_crate_type(handle);
    const uint32_t bits = (uint32_t)handle;
    const int components = TYPES[type].components, rows = TYPES[type].rows;
    scalar kind = TYPES[type].scalar;
    unsigned char raw[4];
    memcpy(raw, &bits, sizeof raw);
    if (components == 1 || (size_t)components * SCALAR_SIZE[kind] <= sizeof raw) {
        kind = kind == F64 ? F32 : kind == I64 ? I32 : kind == U64 ? U32 : kind;
        return convert(cursor, crate, kind, raw, (uint64_t)components, value, arena);
    }
    float *numbers = coif_arena_new(arena, components, float);
    for (int i = 0; i < (rows > 0 ? rows : components); ++i) {
        numbers[rows > 0 ? i * (rows + 1) : i] = (float)(signed char)raw[i & 3];
    }
    value->element = COIF_USD_FLOAT;
    value->data = numbers;
    if (element_of(kind) == COIF_USD_INT) {
        int32_t *integers = coif_arena_new(arena, components, int32_t);
        for (int i = 0; i < components; ++i) {
            integers[i] = (int32_t)numbers[i];
        }
        value->element = COIF_USD_INT;
        value->data = integers;
    }
    return COIF_OK;
}

// Floats as integers ('i') or as indices into a table of the distinct ones ('t').
static coif_status decompress_floats(coif_crate_cursor *cursor, scalar kind, uint64_t count,
                                     coif_usd_value *value, coif_arena *arena)
{
    const void *code;
    void *integers;
    COIF_TRY(coif_crate_take(cursor, 1, &code));
    coif_usd_value table = {.count = 0};
    uint32_t size = 0;
    const bool indexed = *(const char *)code == 't';
    if (indexed) {
        const void *from;
        COIF_TRY(coif_crate_u32(cursor, &size));
        COIF_TRY(coif_crate_take(cursor, size * SCALAR_SIZE[kind], &from));
        COIF_TRY(convert(cursor, NULL, kind, from, size, &table, arena));
    } else if (*(const char *)code != 'i') {
        return coif_crate_fail(cursor, "unknown coding of floats before it");
    }
    COIF_TRY(coif_crate_integers(cursor, count, 4, arena, &integers));
    value->element = element_of(kind);
    const size_t width = value->element == COIF_USD_DOUBLE ? 8 : 4;
    value->data = coif_arena_alloc(arena, count, width);
    for (uint64_t i = 0; i < count; ++i) {
        const int32_t integer = ((const int32_t *)integers)[i];
        if (indexed && (uint32_t)integer >= size) {
            return coif_crate_fail(cursor,
                                   "an index into a table of floats is too large before it");
        }
        if (indexed) {
            memcpy((char *)value->data + i * width,
                   (const char *)table.data + (uint32_t)integer * width, width);
        } else if (width == 8) {
            ((double *)value->data)[i] = integer;
        } else {
            ((float *)value->data)[i] = (float)integer;
        }
    }
    return COIF_OK;
}

static coif_status decode_array(coif_crate_cursor *cursor, const coif_crate *crate,
                                coif_usd_handle handle, coif_usd_value *value, coif_arena *arena)
{
    const int type = coif_crate_type(handle);
    const scalar kind = TYPES[type].scalar;
    const uint64_t components = TYPES[type].components;
    uint32_t rank, narrow;
    uint64_t count;
    if (crate->version < 500) {
        COIF_TRY(coif_crate_u32(cursor, &rank));
    }
    if (crate->version < 700) {
        COIF_TRY(coif_crate_u32(cursor, &narrow));
        count = narrow;
    } else {
        COIF_TRY(coif_crate_u64(cursor, &count));
    }
    value->count = (int64_t)count;
    const bool compressed = (handle >> 61 & 1) != 0 && count >= LEAST_COMPRESSED &&
                            crate->version >= 500 && components == 1;
    if (compressed && kind >= F16 && kind <= F64) {
        return decompress_floats(cursor, kind, count, value, arena);
    }
    const void *from;
    void *integers;
    if (compressed && kind >= I32 && kind <= U64) {
        COIF_TRY(coif_crate_integers(cursor, count, SCALAR_SIZE[kind], arena, &integers));
        from = integers;
    } else {
        if (count > UINT32_MAX * (uint64_t)8) {
            return coif_crate_fail(cursor, "the size of an array before it is damaged");
        }
        COIF_TRY(coif_crate_take(cursor, count * components * SCALAR_SIZE[kind], &from));
    }
    return convert(cursor, crate, kind, from, count * components, value, arena);
}

// Lists with a 64-bit count, which are no arrays.
static coif_status decode_vector(coif_crate_cursor *cursor, const coif_crate *crate, scalar kind,
                                 coif_usd_value *value, coif_arena *arena)
{
    uint64_t count;
    const void *from;
    COIF_TRY(coif_crate_u64(cursor, &count));
    if (count > cursor->bytes->size) {
        return coif_crate_fail(cursor, "the size of a list before it is damaged");
    }
    COIF_TRY(coif_crate_take(cursor, count * SCALAR_SIZE[kind], &from));
    value->count = (int64_t)count;
    return convert(cursor, crate, kind, from, count, value, arena);
}

coif_status coif_usd_crate_decode(const coif_usd_layer *layer, coif_usd_handle handle,
                                  const coif_usd_type *expected, coif_usd_value *value,
                                  coif_arena *arena, coif_error *error)
{
    (void)expected;
    const coif_crate *crate = layer->tables;
    if (coif_crate_type(handle) == TIME_CODE) { // a double
        handle += (uint64_t)(DOUBLE - TIME_CODE) << 48;
    }
    const int type = coif_crate_type(handle);
    const bool array = handle >> 63 != 0, inlined = (handle >> 62 & 1) != 0;
    coif_crate_cursor cursor = {&layer->bytes, coif_crate_payload(handle), error};
    *value = (coif_usd_value){.components = 1, .count = 1};
    if (type == COIF_CRATE_VALUE_BLOCK) {
        return COIF_OK; // data is NULL: no value
    }
    if (type == TOKEN_VECTOR || type == STRING_VECTOR || type == COIF_CRATE_DOUBLE_VECTOR) {
        return decode_vector(&cursor, crate,
                             type == TOKEN_VECTOR    ? TOKEN
                             : type == STRING_VECTOR ? STRING
                                                     : F64,
                             value, arena);
    }
    if (type == 0 || type >= (int)COIF_COUNT_OF(TYPES) || (handle >> 60 & 1) != 0) {
        char what[64];
        snprintf(what, sizeof what, "a value of type %d cannot be read", type);
        return coif_crate_fail(&cursor, what);
    }
    value->components = TYPES[type].components;
    if (array && coif_crate_payload(handle) == 0) {
        value->count = 0;
        return convert(&cursor, crate, TYPES[type].scalar, NULL, 0, value, arena);
    }
    if (array) {
        COIF_TRY(decode_array(&cursor, crate, handle, value, arena));
    } else if (inlined) {
        COIF_TRY(decode_inlined(&cursor, crate, handle, value, arena));
    } else {
        const void *from;
        const uint64_t count = TYPES[type].components;
        COIF_TRY(coif_crate_take(&cursor, count * SCALAR_SIZE[TYPES[type].scalar], &from));
        COIF_TRY(convert(&cursor, crate, TYPES[type].scalar, from, count, value, arena));
    }
    if (TYPES[type].quaternion) {
        reorder_quaternions(value);
    }
    return COIF_OK;
}
