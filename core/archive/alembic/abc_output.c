// Writer of Alembic objects and properties.
#include "core/archive/alembic/abc_output.h"

#include "core/base/arena.h"
#include "core/base/array_grow.h"
#include "core/base/error.h"
#include "core/base/strbuf.h"

#include <string.h>

enum { LIBRARY_VERSION = 10800 }; // of Alembic whose layout is written: 1.8.0

coif_abc_out_object *coif_abc_out_child(coif_abc_output *output, coif_abc_out_object *parent,
                                        const char *name)
{
    coif_abc_out_object **at = &parent->children;
    for (; *at != NULL; at = &(*at)->next) {
        if (strcmp((*at)->name, name) == 0) {
            return *at;
        }
    }
    *at = coif_arena_new(output->arena, 1, coif_abc_out_object);
    (*at)->name = coif_arena_copy_text(output->arena, name);
    return *at;
}

// The end of the list where no property has the name.
static coif_abc_out_property **find(coif_abc_out_property **list, const char *name)
{
    while (*list != NULL && strcmp((*list)->name, name) != 0) {
        list = &(*list)->next;
    }
    return list;
}

coif_abc_out_property *coif_abc_out_compound(coif_abc_output *output, coif_abc_out_property **list,
                                             const char *name)
{
    coif_abc_out_property **at = find(list, name);
    if (*at == NULL) {
        *at = coif_arena_new(output->arena, 1, coif_abc_out_property);
        **at = (coif_abc_out_property){.name = name, .metadata = "", .compound = true};
    }
    return *at;
}

static void add_reference(coif_abc_output *output, coif_abc_out_property *property,
                          uint64_t reference, uint64_t dimensions)
{
    property->references =
        coif_array_grow(property->references, property->reference_count, 2,
                        &property->reference_capacity, sizeof(uint64_t), output->arena);
    property->references[property->reference_count++] = reference;
    if (property->array) {
        property->references[property->reference_count++] = dimensions;
    }
}

static void count_sample(coif_abc_output *output, coif_abc_out_property *property)
{
    ++property->sample_count;
    if (property->sample_count > output->max_samples[property->sampling]) {
        output->max_samples[property->sampling] = property->sample_count;
    }
}

// Samples equal to the one before are stored only when another change follows them.
static void store_sample(coif_abc_output *output, coif_abc_out_property *property,
                         uint64_t reference, uint64_t dimensions)
{
    const bool changed = property->sample_count > 0;
    for (uint32_t i = property->last_changed + 1;
         property->first_changed > 0 && i < property->sample_count; ++i) {
        add_reference(output, property, property->last, property->last_dimensions);
    }
    add_reference(output, property, reference, dimensions);
    property->first_changed =
        changed && property->first_changed == 0 ? property->sample_count : property->first_changed;
    property->last_changed = changed ? property->sample_count : 0;
    property->last = reference;
    property->last_dimensions = dimensions;
}

// Texts are stored with their number, as it does not follow from the size.
static coif_status put_dimensions(uint64_t *reference, coif_abc_output *output,
                                  const coif_abc_out_desc *desc, const void *data, size_t size,
                                  coif_error *error)
{
    uint64_t count = 0;
    *reference = COIF_OGAWA_DATA;
    if (!desc->array || desc->type != COIF_ABC_STRING) {
        return COIF_OK;
    }
    for (size_t i = 0; i < size; ++i) {
        count += ((const char *)data)[i] == '\0';
    }
    return coif_ogawa_put_data(reference, &output->ogawa, &count, sizeof count, error);
}

coif_status coif_abc_out_sample(coif_abc_output *output, coif_abc_out_property **list,
                                const coif_abc_out_desc *desc, const void *data, size_t size,
                                coif_error *error)
{
    static const size_t widths[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 1};
    coif_abc_out_property **at = find(list, desc->name);
    coif_ogawa_key key;
    uint64_t reference, dimensions;
    if (*at == NULL) {
        *at = coif_arena_new(output->arena, 1, coif_abc_out_property);
        **at = (coif_abc_out_property){.name = desc->name,
                                       .metadata = desc->metadata,
                                       .array = desc->array,
                                       .type = desc->type,
                                       .extent = desc->extent,
                                       .sampling = desc->sampling,
                                       .scalar_like = true,
                                       .homogeneous = true};
    }
    coif_abc_out_property *property = *at;
    COIF_TRY(coif_ogawa_put_keyed(&reference, &key, &output->ogawa, data, size, error));
    if (property->sample_count == 0 || reference != property->last) {
        COIF_TRY(put_dimensions(&dimensions, output, desc, data, size, error));
        property->homogeneous =
            property->homogeneous && (property->sample_count == 0 || size == property->last_size);
        store_sample(output, property, reference, dimensions);
        property->last_size = size;
    }
    property->scalar_like = property->scalar_like && size == desc->extent * widths[desc->type];
    coif_ogawa_key_extend(&property->digest, &key, sizeof key);
    count_sample(output, property);
    return COIF_OK;
}

void coif_abc_out_repeat(coif_abc_output *output, coif_abc_out_property *list, const char *name)
{
    coif_abc_out_property *property = *find(&list, name);
    if (property != NULL && property->sample_count > 0) {
        count_sample(output, property);
    }
}

static void add_number(coif_strbuf *bytes, uint32_t number, size_t width)
{
    coif_strbuf_add_bytes(bytes, (const char *)&number, width);
}

// Metadata follow the header.
static void add_property_header(coif_strbuf *bytes, const coif_abc_out_property *property)
{
    const size_t name = strlen(property->name), metadata = strlen(property->metadata);
    size_t longest = name > metadata ? name : metadata;
    longest = property->sample_count > longest ? property->sample_count : longest;
    const uint32_t hint = longest < 256 ? 0 : longest < 65536 ? 1 : 2;
    const size_t width = (size_t)1 << hint;
    uint32_t word = hint << COIF_ABC_WIDTH_SHIFT | (uint32_t)COIF_ABC_METADATA_INLINE
                                                       << COIF_ABC_METADATA_SHIFT;
    if (!property->compound) {
        const bool all_differ =
            property->first_changed == 1 && property->last_changed == property->sample_count - 1;
        const bool has_range = property->last_changed > 0 && !all_differ;
        word |= (property->array ? COIF_ABC_ARRAY | property->scalar_like : COIF_ABC_SCALAR) |
                (uint32_t)property->type << COIF_ABC_TYPE_SHIFT |
                property->extent << COIF_ABC_EXTENT_SHIFT |
                (property->sampling != 0 ? COIF_ABC_HAS_SAMPLING : 0) |
                (has_range ? COIF_ABC_HAS_RANGE : 0) |
                (property->homogeneous ? COIF_ABC_HOMOGENEOUS : 0) |
                (property->last_changed == 0 ? COIF_ABC_CONSTANT : 0);
        add_number(bytes, word, sizeof word);
        add_number(bytes, property->sample_count, width);
        if (has_range) {
            add_number(bytes, property->first_changed, width);
            add_number(bytes, property->last_changed, width);
        }
        if (property->sampling != 0) {
            add_number(bytes, property->sampling, width);
        }
    } else {
        add_number(bytes, word, sizeof word);
    }
    add_number(bytes, (uint32_t)name, width);
    coif_strbuf_add(bytes, property->name);
    add_number(bytes, (uint32_t)metadata, width);
    coif_strbuf_add(bytes, property->metadata);
}

static coif_status put_properties(uint64_t *reference, coif_ogawa_key *digest,
                                  coif_abc_output *output, const coif_abc_out_property *list,
                                  coif_error *error)
{
    size_t count = 0;
    for (const coif_abc_out_property *at = list; at != NULL; at = at->next) {
        ++count;
    }
    uint64_t *children = coif_arena_new(output->arena, count + 1, uint64_t);
    coif_strbuf headers;
    coif_strbuf_init(&headers, output->arena);
    count = 0;
    for (const coif_abc_out_property *at = list; at != NULL; at = at->next) {
        COIF_TRY(at->compound
                     ? put_properties(&children[count], digest, output, at->children, error)
                     : coif_ogawa_put_group(&children[count], &output->ogawa, at->references,
                                            at->reference_count, error));
        add_property_header(&headers, at);
        coif_ogawa_key_extend(digest, &at->digest, sizeof at->digest);
        ++count;
    }
    coif_ogawa_key_extend(digest, headers.data, headers.size);
    if (count > 0) {
        COIF_TRY(coif_ogawa_put_data(&children[count++], &output->ogawa, headers.data, headers.size,
                                     error));
    }
    return coif_ogawa_put_group(reference, &output->ogawa, children, count, error);
}

// "schema=A;schemaBaseType=B;schemaObjTitle=A:.geom"; properties have no title.
static const char *schema_metadata(const coif_abc_out_object *object, bool with_title,
                                   coif_arena *arena)
{
    if (object->schema == NULL) {
        return "";
    }
    return coif_arena_print(arena, "schema=%s%s%s%s%s%s", object->schema,
                            object->has_base ? ";schemaBaseType=AbcGeom_GeomBase_v1" : "",
                            with_title ? ";schemaObjTitle=" : "", with_title ? object->schema : "",
                            with_title ? ":" : "", with_title ? object->compound : "");
}

static void add_object_header(coif_strbuf *headers, const coif_abc_out_object *object)
{
    const char *metadata = schema_metadata(object, true, headers->arena);
    add_number(headers, (uint32_t)strlen(object->name), sizeof(uint32_t));
    coif_strbuf_add(headers, object->name);
    add_number(headers, COIF_ABC_METADATA_INLINE, 1);
    add_number(headers, (uint32_t)strlen(metadata), sizeof(uint32_t));
    coif_strbuf_add(headers, metadata);
}

static coif_status put_object(uint64_t *reference, coif_ogawa_key *digest, coif_abc_output *output,
                              const coif_abc_out_object *object, coif_error *error)
{
    size_t count = 2;
    for (const coif_abc_out_object *at = object->children; at != NULL; at = at->next) {
        ++count;
    }
    uint64_t *children = coif_arena_new(output->arena, count, uint64_t);
    coif_ogawa_key digests[2] = {{{0, 0}}}; // of the properties and of the children
    const coif_abc_out_property compound = {.name = object->compound,
                                            .metadata =
                                                schema_metadata(object, false, output->arena),
                                            .compound = true,
                                            .children = object->properties};
    COIF_TRY(put_properties(&children[0], &digests[0], output,
                            object->compound != NULL ? &compound : NULL, error));
    coif_strbuf headers;
    coif_strbuf_init(&headers, output->arena);
    count = 1;
    for (const coif_abc_out_object *at = object->children; at != NULL; at = at->next) {
        coif_ogawa_key of_child = {{0, 0}};
        COIF_TRY(put_object(&children[count++], &of_child, output, at, error));
        add_object_header(&headers, at);
        coif_ogawa_key_extend(&digests[1], &of_child, sizeof of_child);
    }
    coif_strbuf_add_bytes(&headers, (const char *)digests, sizeof digests);
    coif_ogawa_key_extend(digest, digests, sizeof digests);
    COIF_TRY(
        coif_ogawa_put_data(&children[count++], &output->ogawa, headers.data, headers.size, error));
    return coif_ogawa_put_group(reference, &output->ogawa, children, count, error);
}

static void add_sampling(coif_strbuf *bytes, uint32_t max_samples, double step, double start)
{
    add_number(bytes, max_samples, sizeof max_samples);
    coif_strbuf_add_bytes(bytes, (const char *)&step, sizeof step);
    add_number(bytes, 1, sizeof(uint32_t));
    coif_strbuf_add_bytes(bytes, (const char *)&start, sizeof start);
}

coif_status coif_abc_output_commit(coif_abc_output *output, coif_error *error)
{
    const int32_t versions[2] = {0, LIBRARY_VERSION};
    coif_ogawa_writer *ogawa = &output->ogawa;
    coif_ogawa_key digest = {{0, 0}};
    uint64_t children[6], root;
    coif_strbuf samplings;
    coif_strbuf_init(&samplings, output->arena);
    add_sampling(&samplings, output->max_samples[0], 1.0, 0.0);
    add_sampling(&samplings, output->max_samples[1], output->step, output->start);
    COIF_TRY(coif_ogawa_put_data(&children[0], ogawa, &versions[0], sizeof versions[0], error));
    COIF_TRY(coif_ogawa_put_data(&children[1], ogawa, &versions[1], sizeof versions[1], error));
    COIF_TRY(put_object(&children[2], &digest, output, output->top, error));
    COIF_TRY(coif_ogawa_put_data(&children[3], ogawa, output->metadata, strlen(output->metadata),
                                 error));
    COIF_TRY(coif_ogawa_put_data(&children[4], ogawa, samplings.data, samplings.size, error));
    COIF_TRY(coif_ogawa_put_data(&children[5], ogawa, NULL, 0, error));
    COIF_TRY(coif_ogawa_put_group(&root, ogawa, children, 6, error));
    return coif_ogawa_commit(ogawa, root, error);
}
