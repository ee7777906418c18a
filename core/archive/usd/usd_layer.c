// USD layer: building the model, and values at a time.
#include "core/archive/usd/usd_layer.h"

#include "core/base/array_grow.h"
#include "core/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { MAX_PATH_BYTES = 4096, MAX_PRIMS = 16 << 20 };

// Ignores case: early files have the types Vec3f and PointFloat.
static bool has_prefix(const char *text, const char *prefix)
{
    return strncasecmp(text, prefix, strlen(prefix)) == 0;
}

bool coif_usd_type_of(coif_usd_type *type, const char *name)
{
    static const char *const integers[] = {"bool", "uchar", "int", "uint", "pointIndex"};
    static const char *const texts[] = {"token", "string", "asset"};
    static const char *const tuples[] = {"half",   "float",  "double", "timecode", "point",
                                         "vector", "normal", "color",  "texCoord", "quat",
                                         "matrix", "frame",  "vec"};
    enum { FIRST_TRIPLE = 4 }; // point; without a number of components it has three
    const size_t length = strlen(name);
    *type = (coif_usd_type){.components = 1};
    type->array = length > 2 && strcmp(name + length - 2, "[]") == 0;
    const char last = length > 0 ? name[length - (type->array ? 3 : 1)] : '\0';
    const char *digit = strpbrk(name, "234");
    for (size_t i = 0; i < COIF_COUNT_OF(texts); ++i) {
        if (has_prefix(name, texts[i])) {
            type->element = COIF_USD_TEXT;
            return true;
        }
    }
    for (size_t i = 0; i < COIF_COUNT_OF(integers); ++i) {
        if (has_prefix(name, integers[i])) {
            type->element = COIF_USD_INT;
            const bool wide = strstr(name, "int64") != NULL;
            type->components = digit != NULL && !wide ? *digit - '0' : 1;
            return true;
        }
    }
    for (size_t i = 0; i < COIF_COUNT_OF(tuples); ++i) {
        if (has_prefix(name, tuples[i])) {
            const bool is_double =
                last == 'd' || has_prefix(name, "double") || has_prefix(name, "timecode");
            type->element = is_double ? COIF_USD_DOUBLE : COIF_USD_FLOAT;
            type->matrix = has_prefix(name, "matrix") || has_prefix(name, "frame");
            const int32_t size = digit != NULL ? *digit - '0' : i >= FIRST_TRIPLE ? 3 : 1;
            type->components = has_prefix(name, "quat") ? 4 : type->matrix ? size * size : size;
            return true;
        }
    }
    return false;
}

int32_t coif_usd_add_prim(coif_usd_layer *layer, int32_t parent, const char *name, size_t length)
{
    const char *parent_path = parent < 0 ? "" : layer->prims[parent].path;
    if (length == 0 || length + strlen(parent_path) > MAX_PATH_BYTES ||
        layer->prim_count >= MAX_PRIMS) {
        return -1;
    }
    char *path = coif_arena_print(layer->arena, "%s/%.*s", parent_path, (int)length, name);
    layer->prims = coif_array_grow(layer->prims, layer->prim_count, 1, &layer->prim_capacity,
                                   sizeof *layer->prims, layer->arena);
    layer->prims[layer->prim_count] = (coif_usd_prim){.path = path,
                                                      .name = path + strlen(parent_path) + 1,
                                                      .type = "",
                                                      .parent = parent,
                                                      .first_attribute = -1};
    return (int32_t)layer->prim_count++;
}

int32_t coif_usd_add_attribute(coif_usd_layer *layer, int32_t prim, const char *name, size_t length)
{
    if (length > MAX_PATH_BYTES || layer->attribute_count >= MAX_PRIMS) {
        return -1;
    }
    int32_t last = -1;
    for (int32_t a = layer->prims[prim].first_attribute; a >= 0; a = layer->attributes[a].next) {
        const char *own = layer->attributes[a].name;
        if (strncmp(own, name, length) == 0 && own[length] == '\0') {
            return a;
        }
        last = a;
    }
    layer->attributes =
        coif_array_grow(layer->attributes, layer->attribute_count, 1, &layer->attribute_capacity,
                        sizeof *layer->attributes, layer->arena);
    const int32_t index = (int32_t)layer->attribute_count++;
    layer->attributes[index] =
        (coif_usd_attribute){.name = coif_arena_print(layer->arena, "%.*s", (int)length, name),
                             .type = "",
                             .element_size = 1,
                             .value = COIF_USD_NO_VALUE,
                             .next = -1};
    if (last < 0) {
        layer->prims[prim].first_attribute = index;
    } else {
        layer->attributes[last].next = index;
    }
    return index;
}

void coif_usd_note_ignored(const char **first, const char *path)
{
    if (*first == NULL) {
        *first = path;
    }
}

static int by_time(const void *a, const void *b)
{
    const coif_usd_sample *x = a, *y = b;
    const int order = (x->time > y->time) - (x->time < y->time);
    // Equal times keep the order of the file, which is that of their handles.
    return order != 0 ? order : (x->handle > y->handle) - (x->handle < y->handle);
}

void coif_usd_set_samples(coif_usd_layer *layer, coif_usd_attribute *attribute,
                          coif_usd_sample *samples, size_t count)
{
    if (count > 1) {
        qsort(samples, count, sizeof *samples, by_time);
    }
    double *times = coif_arena_new(layer->arena, count, double);
    coif_usd_handle *handles = coif_arena_new(layer->arena, count, coif_usd_handle);
    int32_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
        kept -= kept > 0 && times[kept - 1] == samples[i].time;
        times[kept] = samples[i].time;
        handles[kept++] = samples[i].handle;
    }
    attribute->sample_count = kept;
    attribute->times = times;
    attribute->samples = handles;
}

const coif_usd_attribute *coif_usd_find(const coif_usd_layer *layer, int32_t prim, const char *name)
{
    for (int32_t a = layer->prims[prim].first_attribute; a >= 0; a = layer->attributes[a].next) {
        if (strcmp(layer->attributes[a].name, name) == 0) {
            return &layer->attributes[a];
        }
    }
    return NULL;
}

coif_status coif_usd_fail(const coif_usd_query *query, const char *name, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return coif_fail(query->error, COIF_ERR_FORMAT, "%s: %.300s%s%.100s: %s",
                     query->layer->bytes.name, query->layer->prims[query->prim].path,
                     name != NULL ? "." : "", name != NULL ? name : "", text);
}

static double number_at(const coif_usd_value *value, int64_t i)
{
    return value->element == COIF_USD_INT     ? (double)((const int32_t *)value->data)[i]
           : value->element == COIF_USD_FLOAT ? (double)((const float *)value->data)[i]
                                              : ((const double *)value->data)[i];
}

// Numbers to another number type. Integers are never made of fractions.
static bool convert(coif_usd_value *value, coif_usd_element element, coif_arena *arena)
{
    if (value->element == element) {
        return true;
    }
    if (value->element == COIF_USD_TEXT || element == COIF_USD_TEXT || element == COIF_USD_INT) {
        return false;
    }
    const int64_t count = value->count * value->components;
    if (element == COIF_USD_FLOAT) {
        float *to = coif_arena_new(arena, count, float);
        for (int64_t i = 0; i < count; ++i) {
            to[i] = (float)number_at(value, i);
        }
        value->data = to;
    } else {
        double *to = coif_arena_new(arena, count, double);
        for (int64_t i = 0; i < count; ++i) {
            to[i] = number_at(value, i);
        }
        value->data = to;
    }
    value->element = element;
    return true;
}

static const char *const ELEMENT_NAMES[] = {"integers", "floats", "doubles", "text"};

// Decodes one sample. Arrays of numbers may stand for tuples: int[] with elementSize 3.
static coif_status decode(const coif_usd_query *query, const coif_usd_attribute *attribute,
                          coif_usd_handle handle, coif_usd_element element, int32_t components,
                          coif_usd_value *value)
{
    coif_usd_type type;
    *value = (coif_usd_value){.data = NULL};
    if (handle == COIF_USD_NO_VALUE) {
        return COIF_OK;
    }
    if (!coif_usd_type_of(&type, attribute->type)) {
        return coif_usd_fail(query, attribute->name, "expected %s, found type '%.60s'",
                             ELEMENT_NAMES[element], attribute->type);
    }
    COIF_TRY(query->layer->decode(query->layer, handle, &type, value, query->arena, query->error));
    if (value->data == NULL) { // a blocked value
        *value = (coif_usd_value){.data = NULL};
        return COIF_OK;
    }
    if (components > 1 && value->components == 1 && value->count % components == 0) {
        value->count /= components;
        value->components = components;
    }
    if (!convert(value, element, query->arena) ||
        (components > 0 && value->components != components)) {
        return coif_usd_fail(query, attribute->name, "expected %d %s per element, found type '%s'",
                             components > 0 ? components : 1, ELEMENT_NAMES[element],
                             attribute->type);
    }
    return COIF_OK;
}

// to = to + t (other - to)
static void interpolate(coif_usd_value *to, const coif_usd_value *other, double t)
{
    const int64_t count = to->count * to->components;
    if (to->element == COIF_USD_FLOAT) {
        float *a = to->data;
        const float *b = other->data, s = (float)t;
        for (int64_t i = 0; i < count; ++i) {
            a[i] += s * (b[i] - a[i]);
        }
    } else {
        double *a = to->data;
        const double *b = other->data;
        for (int64_t i = 0; i < count; ++i) {
            a[i] += t * (b[i] - a[i]);
        }
    }
}

coif_status coif_usd_read(const coif_usd_query *query, const coif_usd_attribute *attribute,
                          coif_usd_element element, int32_t components, coif_usd_value *value)
{
    if (attribute->sample_count == 0) {
        return decode(query, attribute, attribute->value, element, components, value);
    }
    // The last sample that is not later; before the first one it holds.
    int32_t low = 0, high = attribute->sample_count;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (attribute->times[middle] <= query->time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    COIF_TRY(decode(query, attribute, attribute->samples[low], element, components, value));
    const double *times = attribute->times;
    const bool numbers = element == COIF_USD_FLOAT || element == COIF_USD_DOUBLE;
    if (!numbers || value->data == NULL || low + 1 >= attribute->sample_count ||
        query->time <= times[low]) {
        return COIF_OK;
    }
    coif_usd_value next;
    COIF_TRY(decode(query, attribute, attribute->samples[low + 1], element, components, &next));
    if (next.data != NULL && next.count == value->count && next.components == value->components) {
        // Quaternions q and -q are the same rotation: the nearer one is interpolated.
        if (has_prefix(attribute->type, "quat") && value->count == 1) {
            double dot = 0.0;
            for (int i = 0; i < 4; ++i) {
                dot += number_at(value, i) * number_at(&next, i);
            }
            for (int i = 0; dot < 0.0 && element == COIF_USD_DOUBLE && i < 4; ++i) {
                ((double *)next.data)[i] = -((double *)next.data)[i];
            }
        }
        interpolate(value, &next, (query->time - times[low]) / (times[low + 1] - times[low]));
    }
    return COIF_OK;
}

coif_status coif_usd_get(const coif_usd_query *query, const char *name, coif_usd_element element,
                         int32_t components, coif_usd_value *value)
{
    *value = (coif_usd_value){.data = NULL};
    const coif_usd_attribute *attribute = coif_usd_find(query->layer, query->prim, name);
    return attribute == NULL ? COIF_OK
                             : coif_usd_read(query, attribute, element, components, value);
}

coif_status coif_usd_get_number(const coif_usd_query *query, const char *name, double fallback,
                                double *number)
{
    coif_usd_value value;
    COIF_TRY(coif_usd_get(query, name, COIF_USD_DOUBLE, 1, &value));
    *number = value.data != NULL && value.count == 1 ? *(const double *)value.data : fallback;
    return COIF_OK;
}

coif_status coif_usd_get_text(const coif_usd_query *query, const char *name, const char *fallback,
                              const char **text)
{
    coif_usd_value value;
    COIF_TRY(coif_usd_get(query, name, COIF_USD_TEXT, 1, &value));
    *text = value.data != NULL && value.count == 1 ? *(const char *const *)value.data : fallback;
    return COIF_OK;
}
