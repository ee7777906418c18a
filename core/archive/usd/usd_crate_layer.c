// USD crate: prims and attributes from specs and their fields.
#include "core/archive/usd/usd_crate_file.h"
#include "core/base/arena.h"
#include "core/base/error.h"

#include <inttypes.h>
#include <string.h>

enum { SPEC_ATTRIBUTE = 1, SPEC_PRIM = 6, SPEC_PSEUDO_ROOT = 7, SPEC_VARIANT_SET = 11 };

static const uint32_t END_OF_SET = UINT32_MAX;

// What a path stands for in the layer.
enum { IS_LAYER = -1, IS_NOTHING = -2 };

static const char *token_of(const coif_crate_file *file, uint64_t index)
{
    return index < file->crate->token_count ? file->crate->tokens[index] : "";
}

// Next field of a set; false at its end.
static bool next_field(const coif_crate_file *file, uint64_t *at, const char **name,
                       coif_usd_handle *value)
{
    if (*at >= file->set_count || file->sets[*at] == END_OF_SET) {
        return false;
    }
    const uint32_t field = file->sets[(*at)++];
    const bool known = field < file->field_count;
    *name = known ? token_of(file, file->field_names[field]) : "";
    *value = known ? file->field_values[field] : 0;
    return true;
}

static coif_status decode(const coif_crate_file *file, coif_usd_handle handle,
                          coif_usd_value *value)
{
    const coif_usd_type any = {.components = 1};
    return coif_usd_crate_decode(file->layer, handle, &any, value, file->arena, file->error);
}

// One number or text of metadata; those of other types stay as they are.
static coif_status read_metadata_number(const coif_crate_file *file, coif_usd_handle handle,
                                        double *number)
{
    coif_usd_value value;
    COIF_TRY(decode(file, handle, &value));
    if (value.data != NULL && value.count == 1 && value.components == 1) {
        *number = value.element == COIF_USD_INT      ? *(const int32_t *)value.data
                  : value.element == COIF_USD_FLOAT  ? (double)*(const float *)value.data
                  : value.element == COIF_USD_DOUBLE ? *(const double *)value.data
                                                     : *number;
    }
    return COIF_OK;
}

static coif_status read_metadata_text(const coif_crate_file *file, coif_usd_handle handle,
                                      const char **text)
{
    coif_usd_value value;
    COIF_TRY(decode(file, handle, &value));
    if (value.data != NULL && value.count == 1 && value.element == COIF_USD_TEXT) {
        *text = *(const char *const *)value.data;
    }
    return COIF_OK;
}

static coif_status set_layer_field(const coif_crate_file *file, const char *name,
                                   coif_usd_handle value)
{
    coif_usd_layer *layer = file->layer;
    if (strcmp(name, "metersPerUnit") == 0) {
        return read_metadata_number(file, value, &layer->meters_per_unit);
    }
    if (strcmp(name, "timeCodesPerSecond") == 0) {
        return read_metadata_number(file, value, &layer->time_codes_per_second);
    }
    if (strcmp(name, "framesPerSecond") == 0) {
        return read_metadata_number(file, value, &layer->frames_per_second);
    }
    if (strcmp(name, "documentation") == 0) {
        return read_metadata_text(file, value, &layer->documentation);
    }
    if (strcmp(name, "upAxis") == 0) {
        const char *axis = "";
        COIF_TRY(read_metadata_text(file, value, &axis));
        layer->up_axis = (char)(axis[0] != '\0' ? axis[0] | 0x20 : 0);
    }
    if (strcmp(name, "subLayers") == 0) {
        coif_usd_note_ignored(&layer->ignored.composition, "/");
    }
    return COIF_OK;
}

static coif_status set_prim_field(const coif_crate_file *file, int32_t prim, const char *name,
                                  coif_usd_handle value)
{
    static const char *const arcs[] = {"references", "payload", "inheritPaths", "specializes",
                                       "clips"};
    coif_usd_prim *to = &file->layer->prims[prim];
    double number = 0.0;
    if (strcmp(name, "typeName") == 0) {
        return read_metadata_text(file, value, &to->type);
    }
    if (strcmp(name, "specifier") == 0) {
        to->abstract = coif_crate_type(value) == COIF_CRATE_SPECIFIER && (uint32_t)value == 2;
    } else if (strcmp(name, "active") == 0) {
        number = 1.0;
        COIF_TRY(read_metadata_number(file, value, &number));
        to->inactive = number == 0.0;
    } else if (strcmp(name, "instanceable") == 0) {
        COIF_TRY(read_metadata_number(file, value, &number));
        to->instanceable = number != 0.0;
    } else if (strcmp(name, "variantSetNames") == 0) {
        coif_usd_note_ignored(&file->layer->ignored.variants, to->path);
    }
    for (size_t i = 0; i < COIF_COUNT_OF(arcs); ++i) {
        if (strcmp(name, arcs[i]) == 0) {
            coif_usd_note_ignored(&file->layer->ignored.composition, to->path);
        }
    }
    return COIF_OK;
}

// Two relative offsets: to the value with the times, and behind it to the number of samples and
// their values.
static coif_status set_samples(const coif_crate_file *file, coif_usd_attribute *attribute,
                               coif_usd_handle handle)
{
    coif_crate_cursor at = coif_crate_cursor_at(file, coif_crate_payload(handle));
    uint64_t begin = at.at, offset, times, count;
    const void *data;
    COIF_TRY(coif_crate_u64(&at, &offset));
    at.at = begin + offset;
    COIF_TRY(coif_crate_u64(&at, &times));
    begin = at.at;
    COIF_TRY(coif_crate_u64(&at, &offset));
    at.at = begin + offset;
    COIF_TRY(coif_crate_u64(&at, &count));
    coif_usd_value value;
    COIF_TRY(decode(file, times, &value));
    if (value.data == NULL || value.element != COIF_USD_DOUBLE || (uint64_t)value.count != count) {
        return coif_crate_fail(&at, "the number of samples before it is not that of the times");
    }
    COIF_TRY(coif_crate_take(&at, count * 8, &data));
    coif_usd_sample *samples = coif_arena_new(file->arena, count, coif_usd_sample);
    for (uint64_t i = 0; i < count; ++i) {
        samples[i].time = ((const double *)value.data)[i];
        memcpy(&samples[i].handle, (const char *)data + i * 8, sizeof samples[i].handle);
        if (!(samples[i].time > -1e15 && samples[i].time < 1e15)) {
            return coif_crate_fail(&at, "the time of a sample before it is not finite");
        }
        if (coif_crate_type(samples[i].handle) == COIF_CRATE_VALUE_BLOCK) {
            samples[i].handle = COIF_USD_NO_VALUE;
        }
    }
    coif_usd_set_samples(file->layer, attribute, samples, count);
    return COIF_OK;
}

static coif_status set_attribute_field(const coif_crate_file *file, int32_t index, const char *name,
                                       coif_usd_handle value)
{
    coif_usd_attribute *to = &file->layer->attributes[index];
    if (strcmp(name, "typeName") == 0) {
        return read_metadata_text(file, value, &to->type);
    }
    if (strcmp(name, "interpolation") == 0) {
        return read_metadata_text(file, value, &to->interpolation);
    }
    if (strcmp(name, "default") == 0) {
        to->value = value;
    } else if (strcmp(name, "elementSize") == 0) {
        double size = 1.0;
        COIF_TRY(read_metadata_number(file, value, &size));
        to->element_size = size >= 1.0 && size <= 1e6 ? (int32_t)size : 1;
    } else if (strcmp(name, "timeSamples") == 0 &&
               coif_crate_type(value) == COIF_CRATE_TIME_SAMPLES) {
        return set_samples(file, to, value);
    }
    return COIF_OK;
}

// Adds the prim or attribute of an entry of the path tree; its index, or IS_NOTHING.
static coif_status add_entry(const coif_crate_file *file, uint64_t entry, int64_t spec,
                             int32_t parent, int32_t *index)
{
    const int32_t element = file->entry_element[entry];
    const char *name = token_of(file, (uint64_t)(element < 0 ? -(int64_t)element : element));
    const uint32_t type = file->spec_types[spec];
    uint64_t at = file->spec_sets[spec];
    coif_usd_handle value;
    *index = IS_NOTHING;
    int32_t attribute = -1;
    if (type == SPEC_PSEUDO_ROOT) {
        *index = IS_LAYER;
    } else if (type == SPEC_PRIM && parent >= IS_LAYER) {
        *index = coif_usd_add_prim(file->layer, parent, name, strlen(name));
    } else if (type == SPEC_ATTRIBUTE && parent >= 0) {
        attribute = coif_usd_add_attribute(file->layer, parent, name, strlen(name));
    } else {
        return COIF_OK;
    }
    if ((type == SPEC_PRIM && *index < 0) || (type == SPEC_ATTRIBUTE && attribute < 0)) {
        return coif_fail(file->error, COIF_ERR_FORMAT,
                         "%s: spec %" PRId64 ": a path is empty or longer than 4096 bytes",
                         file->bytes.name, spec);
    }
    while (next_field(file, &at, &name, &value)) {
        COIF_TRY(type == SPEC_PSEUDO_ROOT ? set_layer_field(file, name, value)
                 : type == SPEC_PRIM      ? set_prim_field(file, *index, name, value)
                                          : set_attribute_field(file, attribute, name, value));
    }
    return COIF_OK;
}

coif_status coif_crate_build_layer(const coif_crate_file *file)
{
    int64_t *spec_of = coif_arena_new(file->arena, file->path_count + 1, int64_t);
    int32_t *built = coif_arena_new(file->arena, file->entry_count + 1, int32_t);
    memset(spec_of, 0xff, (file->path_count + 1) * sizeof *spec_of);
    for (uint64_t i = 0; i < file->spec_count; ++i) {
        if (file->spec_paths[i] < file->path_count) {
            spec_of[file->spec_paths[i]] = (int64_t)i;
        }
    }
    for (uint64_t i = 0; i < file->entry_count; ++i) {
        const uint32_t path = file->entry_path[i];
        const int64_t parent = file->entry_parent[i];
        built[i] = IS_NOTHING;
        if (path < file->path_count && spec_of[path] >= 0) {
            COIF_TRY(add_entry(file, i, spec_of[path], parent < 0 ? IS_NOTHING : built[parent],
                               &built[i]));
            spec_of[path] = -1; // a path that occurs again adds nothing
        }
    }
    return COIF_OK;
}
