// Headers of Alembic: time sampling, metadata and properties.
#include "core/archive/alembic/abc_schema.h"

#include "core/base/arena.h"
#include "core/base/array_grow.h"
#include "core/base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 64 }; // of compounds

coif_status coif_abc_take(void *to, size_t bytes, coif_abc_cursor *cursor, coif_error *error)
{
    if (bytes > cursor->size - cursor->at) {
        return coif_ogawa_fail(&cursor->file->ogawa, cursor->offset + cursor->at, error,
                               "truncated header: %zu bytes left, expected %zu",
                               cursor->size - cursor->at, bytes);
    }
    memcpy(to, cursor->data + cursor->at, bytes);
    cursor->at += bytes;
    return COIF_OK;
}

// A little-endian number of 1, 2 or 4 bytes.
static coif_status take_number(uint32_t *number, size_t width, coif_abc_cursor *cursor,
                               coif_error *error)
{
    *number = 0;
    return coif_abc_take(number, width, cursor, error);
}

coif_status coif_abc_take_text(const char **text, size_t bytes, coif_abc_cursor *cursor,
                               coif_error *error)
{
    const size_t left = cursor->size - cursor->at;
    char *copy = coif_arena_new(cursor->file->arena, (bytes < left ? bytes : left) + 1, char);
    *text = copy;
    return coif_abc_take(copy, bytes, cursor, error);
}

coif_status coif_abc_load(coif_abc_cursor *cursor, coif_abc_file *file,
                          const coif_ogawa_group *group, uint64_t index, coif_error *error)
{
    coif_bytes bytes;
    *cursor = (coif_abc_cursor){.file = file};
    COIF_TRY(
        coif_ogawa_load(&bytes, &cursor->offset, &file->ogawa, group, index, file->scratch, error));
    cursor->data = bytes.data;
    cursor->size = bytes.size;
    return COIF_OK;
}

static coif_status take_sampling(coif_abc_sampling *sampling, coif_abc_cursor *cursor,
                                 coif_error *error)
{
    uint32_t max_sample;
    const uint64_t offset = cursor->offset + cursor->at;
    COIF_TRY(take_number(&max_sample, 4, cursor, error));
    COIF_TRY(coif_abc_take(&sampling->seconds_per_cycle, 8, cursor, error));
    COIF_TRY(take_number(&sampling->count, 4, cursor, error));
    if (sampling->count == 0 || sampling->count > (cursor->size - cursor->at) / sizeof(double)) {
        return coif_ogawa_fail(&cursor->file->ogawa, offset, error,
                               "time sampling of %u times in %zu bytes", sampling->count,
                               cursor->size - cursor->at);
    }
    double *times = coif_arena_new(cursor->file->arena, sampling->count, double);
    COIF_TRY(coif_abc_take(times, sampling->count * sizeof *times, cursor, error));
    sampling->times = times;
    sampling->acyclic = sampling->seconds_per_cycle >= COIF_ABC_ACYCLIC;
    bool valid = isfinite(times[0]) && sampling->seconds_per_cycle > 0.0;
    for (uint32_t i = 1; i < sampling->count; ++i) {
        valid = valid && isfinite(times[i]) && times[i] > times[i - 1];
    }
    if (!valid || (!sampling->acyclic &&
                   times[sampling->count - 1] - times[0] > sampling->seconds_per_cycle)) {
        return coif_ogawa_fail(&cursor->file->ogawa, offset, error,
                               "times of a time sampling do not increase within its cycle of %g s",
                               sampling->seconds_per_cycle);
    }
    return COIF_OK;
}

coif_status coif_abc_read_samplings(coif_abc_file *file, const coif_ogawa_group *group,
                                    uint64_t index, coif_error *error)
{
    coif_abc_cursor cursor;
    size_t capacity = 0;
    COIF_TRY(coif_abc_load(&cursor, file, group, index, error));
    while (cursor.at < cursor.size) {
        file->samplings = coif_array_grow(file->samplings, file->sampling_count, 1, &capacity,
                                          sizeof *file->samplings, file->arena);
        COIF_TRY(take_sampling(&file->samplings[file->sampling_count], &cursor, error));
        ++file->sampling_count;
    }
    return file->sampling_count > 0 ? COIF_OK
                                    : coif_ogawa_fail(&file->ogawa, cursor.offset, error,
                                                      "no time sampling, expected the default");
}

coif_status coif_abc_read_indexed_metadata(coif_abc_file *file, const coif_ogawa_group *group,
                                           uint64_t index, coif_error *error)
{
    coif_abc_cursor cursor;
    COIF_TRY(coif_abc_load(&cursor, file, group, index, error));
    file->metadata = coif_arena_new(file->arena, COIF_ABC_METADATA_INLINE, const char *);
    file->metadata[file->metadata_count++] = "";
    while (cursor.at < cursor.size && file->metadata_count < COIF_ABC_METADATA_INLINE) {
        uint32_t size;
        COIF_TRY(take_number(&size, 1, &cursor, error));
        COIF_TRY(coif_abc_take_text(&file->metadata[file->metadata_count], size, &cursor, error));
        ++file->metadata_count;
    }
    return COIF_OK;
}

coif_status coif_abc_take_metadata(const char **metadata, uint32_t index, size_t width,
                                   coif_abc_cursor *cursor, coif_error *error)
{
    if (index == COIF_ABC_METADATA_INLINE) {
        uint32_t size;
        COIF_TRY(take_number(&size, width, cursor, error));
        return coif_abc_take_text(metadata, size, cursor, error);
    }
    if (index >= (uint32_t)cursor->file->metadata_count) {
        return coif_ogawa_fail(&cursor->file->ogawa, cursor->offset + cursor->at, error,
                               "metadata %u, but the file has %d", index,
                               cursor->file->metadata_count);
    }
    *metadata = cursor->file->metadata[index];
    return COIF_OK;
}

// Type, samples and time sampling of a scalar or array property.
static coif_status take_samples(coif_abc_property *property, uint32_t word, size_t width,
                                coif_abc_cursor *cursor, coif_error *error)
{
    coif_abc_file *file = cursor->file;
    const uint64_t offset = cursor->offset + cursor->at;
    uint32_t sampling = 0;
    property->array = (word & 3) != COIF_ABC_SCALAR;
    property->type = (coif_abc_type)(word >> COIF_ABC_TYPE_SHIFT & 0xf);
    property->extent = word >> COIF_ABC_EXTENT_SHIFT & 0xff;
    COIF_TRY(take_number(&property->sample_count, width, cursor, error));
    if ((word & COIF_ABC_HAS_RANGE) != 0) {
        COIF_TRY(take_number(&property->first_changed, width, cursor, error));
        COIF_TRY(take_number(&property->last_changed, width, cursor, error));
    } else if ((word & COIF_ABC_CONSTANT) == 0 && property->sample_count > 1) {
        property->first_changed = 1;
        property->last_changed = property->sample_count - 1;
    }
    if ((word & COIF_ABC_HAS_SAMPLING) != 0) {
        COIF_TRY(take_number(&sampling, width, cursor, error));
    }
    if (property->type > COIF_ABC_WSTRING || property->extent == 0 ||
        sampling >= file->sampling_count || property->first_changed > property->last_changed ||
        (property->last_changed > 0 && property->last_changed >= property->sample_count)) {
        return coif_ogawa_fail(&file->ogawa, offset, error,
                               "property of type %d, extent %u, %u samples changed from %u to %u, "
                               "time sampling %u of %u",
                               property->type, property->extent, property->sample_count,
                               property->first_changed, property->last_changed, sampling,
                               file->sampling_count);
    }
    property->sampling = &file->samplings[sampling];
    return COIF_OK;
}

static coif_status take_property(coif_abc_property *property, coif_abc_cursor *cursor,
                                 coif_error *error)
{
    uint32_t word, name_size;
    *property = (coif_abc_property){.metadata = ""};
    COIF_TRY(take_number(&word, 4, cursor, error));
    const size_t width = (size_t)1 << (word >> COIF_ABC_WIDTH_SHIFT & 3);
    if (width > 4) {
        return coif_ogawa_fail(&cursor->file->ogawa, cursor->offset + cursor->at, error,
                               "property header with counts of %zu bytes", width);
    }
    property->compound = (word & 3) == 0;
    if (!property->compound) {
        COIF_TRY(take_samples(property, word, width, cursor, error));
    }
    COIF_TRY(take_number(&name_size, width, cursor, error));
    COIF_TRY(coif_abc_take_text(&property->name, name_size, cursor, error));
    return coif_abc_take_metadata(&property->metadata, word >> COIF_ABC_METADATA_SHIFT & 0xff,
                                  width, cursor, error);
}

static coif_status read_headers(coif_abc_property *compound, coif_abc_file *file, coif_error *error)
{
    coif_abc_cursor cursor;
    coif_abc_property *grown = NULL;
    size_t count = 0, capacity = 0;
    COIF_TRY(coif_abc_load(&cursor, file, &compound->group, compound->group.count - 1, error));
    while (cursor.at < cursor.size) {
        grown = coif_array_grow(grown, count, 1, &capacity, sizeof *grown, file->scratch);
        COIF_TRY(take_property(&grown[count++], &cursor, error));
    }
    compound->children = coif_arena_new(file->arena, count, coif_abc_property);
    compound->child_count = (int32_t)count;
    if (count > 0) {
        memcpy(compound->children, grown, count * sizeof *grown);
    }
    return COIF_OK;
}

static coif_status read_compound(coif_abc_property *compound, coif_abc_file *file,
                                 uint64_t reference, int depth, coif_error *error);

static coif_status read_groups(coif_abc_property *compound, coif_abc_file *file, int depth,
                               coif_error *error)
{
    for (int32_t i = 0; i < compound->child_count; ++i) {
        coif_abc_property *child = &compound->children[i];
        uint64_t reference;
        COIF_TRY(coif_ogawa_child(&reference, &file->ogawa, &compound->group, (uint64_t)i, error));
        if (child->compound) {
            COIF_TRY(read_compound(child, file, reference, depth + 1, error));
        } else {
            COIF_TRY(coif_ogawa_group_at(&child->group, &file->ogawa, reference, error));
        }
    }
    return COIF_OK;
}

static coif_status read_compound(coif_abc_property *compound, coif_abc_file *file,
                                 uint64_t reference, int depth, coif_error *error)
{
    COIF_TRY(coif_ogawa_group_at(&compound->group, &file->ogawa, reference, error));
    if (depth > MAX_DEPTH) {
        return coif_ogawa_fail(&file->ogawa, reference, error,
                               "compound properties nested deeper than %d", MAX_DEPTH);
    }
    if (compound->group.count == 0) {
        return COIF_OK;
    }
    COIF_TRY(coif_ogawa_charge(&file->ogawa, 16, reference, error));
    const coif_arena_mark mark = coif_arena_mark_here(file->scratch);
    COIF_TRY(read_headers(compound, file, error));
    coif_arena_rewind(file->scratch, mark);
    return read_groups(compound, file, depth, error);
}

coif_status coif_abc_read_compound(coif_abc_property *compound, coif_abc_file *file,
                                   uint64_t reference, coif_error *error)
{
    return read_compound(compound, file, reference, 0, error);
}

const coif_abc_property *coif_abc_find(const coif_abc_property *compound, const char *name)
{
    for (int32_t i = 0; compound != NULL && i < compound->child_count; ++i) {
        if (strcmp(compound->children[i].name, name) == 0) {
            return &compound->children[i];
        }
    }
    return NULL;
}

void coif_abc_metadata_get(char *value, size_t size, const char *metadata, const char *key)
{
    const size_t length = strlen(key);
    value[0] = '\0';
    for (const char *at = metadata; *at != '\0'; at += strcspn(at, ";")) {
        at += *at == ';';
        if (strncmp(at, key, length) == 0 && at[length] == '=') {
            at += length + 1;
            snprintf(value, size, "%.*s", (int)strcspn(at, ";"), at);
            return;
        }
    }
}

bool coif_abc_metadata_is(const char *metadata, const char *key, const char *value)
{
    char text[128];
    coif_abc_metadata_get(text, sizeof text, metadata, key);
    return strcmp(text, value) == 0;
}

double coif_abc_sample_time(const coif_abc_property *property, uint32_t sample)
{
    const coif_abc_sampling *sampling = property->sampling;
    if (sampling->acyclic) {
        return sampling->times[sample < sampling->count ? sample : sampling->count - 1];
    }
    return sampling->times[sample % sampling->count] +
           sampling->seconds_per_cycle * (double)(sample / sampling->count);
}

// Times nearer to a sample than this fraction of an interval are those of the sample.
static const double TIME_TOLERANCE = 1e-4;

coif_abc_interval coif_abc_samples_at(const coif_abc_property *property, double time)
{
    uint32_t low = 0;
    uint32_t high = coif_abc_is_animated(property) ? property->sample_count - 1 : 0;
    if (high == 0 || !(time > coif_abc_sample_time(property, 0))) {
        return (coif_abc_interval){0, 0, 0.0};
    }
    if (time >= coif_abc_sample_time(property, high)) {
        return (coif_abc_interval){high, high, 0.0};
    }
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        *(time < coif_abc_sample_time(property, middle) ? &high : &low) = middle;
    }
    const double begin = coif_abc_sample_time(property, low);
    const double weight = (time - begin) / (coif_abc_sample_time(property, high) - begin);
    if (weight < TIME_TOLERANCE || weight > 1.0 - TIME_TOLERANCE) {
        const uint32_t nearest = weight < 0.5 ? low : high;
        return (coif_abc_interval){nearest, nearest, 0.0};
    }
    return (coif_abc_interval){low, high, weight};
}
