// Writer of USD: encoding as crate 0.8.0 (usd_crate.h).
//
// Values go to the file when they arrive; tables of tokens, fields, paths and specs follow when the
// file is finished. LZ4 blocks hold literals alone and integers four bytes each: the tables are
// small beside the values, which crates do not compress in arrays of tuples.
#include "core/archive/usd/usd_crate.h"
#include "core/archive/usd/usd_write.h"
#include "core/base/arena.h"
#include "core/base/array_grow.h"
#include "core/base/error.h"
#include "core/base/hash64.h"
#include "core/base/string_table.h"

#include <string.h>

enum { VERSION_MINOR = 8, HEADER_BYTES = 88, SECTION_COUNT = 6, ALIGNMENT = 8 };

// Types of values.
enum {
    TYPE_INT = 3,
    TYPE_FLOAT = 8,
    TYPE_DOUBLE = 9,
    TYPE_STRING = 10,
    TYPE_TOKEN = 11,
    TYPE_MATRIX4D = 15,
    TYPE_VEC2D = 19, // 2f: 20, 3d: 23, 3f: 24, 4d: 27, 4f: 28
    TYPE_TOKEN_LIST_OP = 32,
    TYPE_PATH_LIST_OP = 34,
    TYPE_TOKEN_VECTOR = 41,
    TYPE_VARIABILITY = 44
};
enum { LIST_EXPLICIT = 1, LIST_EXPLICIT_ITEMS = 2, LIST_PREPENDED_ITEMS = 32 };
enum { SPEC_ATTRIBUTE = 1, SPEC_PRIM = 6, SPEC_ROOT = 7, SPEC_RELATIONSHIP = 8 };
enum { SPECIFIER_DEF = 0, VARIABILITY_UNIFORM = 1 };
static const uint64_t IS_ARRAY = (uint64_t)1 << 63, IS_INLINED = (uint64_t)1 << 62;

// A growing array of 32-bit or 64-bit words.
typedef struct words {
    uint32_t *values;
    size_t count, capacity;
} words;

// A prim or attribute of the file.
typedef struct node {
    const char *path;
    uint32_t token, type; // last name of the path; of spec
    int32_t parent;
    coif_usd_out_prim *prim;           // NULL: root, or an Xform above a prim
    coif_usd_out_attribute *attribute; // NULL: a prim
} node;

typedef struct crate {
    coif_archive_writer *writer;
    uint64_t size; // bytes written
    coif_string_table tokens;
    words strings, field_names, sets, spec_sets;
    uint64_t *field_values;
    size_t field_value_capacity;
    node *nodes;
    size_t node_count, node_capacity;
    uint32_t *order; // nodes, depth first
    int32_t *jumps;
    size_t ordered;
} crate;

static void add_word(crate *to, words *list, uint32_t value)
{
    list->values = coif_array_grow(list->values, list->count, 1, &list->capacity, sizeof value,
                                   to->writer->arena);
    list->values[list->count++] = value;
}

static void put_bytes(crate *to, const void *data, size_t size)
{
    coif_put_bytes(to->writer->file, data, size);
    to->size += size;
}

static void put_u64(crate *to, uint64_t value)
{
    put_bytes(to, &value, sizeof value);
}

static void align(crate *to)
{
    static const char zeros[ALIGNMENT] = {0};
    put_bytes(to, zeros, (ALIGNMENT - to->size % ALIGNMENT) % ALIGNMENT);
}

static uint32_t token_of(crate *to, const char *text)
{
    return (uint32_t)coif_string_table_intern(&to->tokens, text, strlen(text), to->writer->arena);
}

static uint64_t inlined(int type, uint32_t bits)
{
    return IS_INLINED | (uint64_t)type << 48 | bits;
}

static uint64_t token_value(crate *to, const char *text)
{
    return inlined(TYPE_TOKEN, token_of(to, text));
}

static uint32_t string_of(crate *to, const char *text)
{
    add_word(to, &to->strings, token_of(to, text));
    return (uint32_t)(to->strings.count - 1);
}

// The value at the end of the file; what follows is written by the caller.
static uint64_t value_here(crate *to, int type)
{
    align(to);
    return (uint64_t)type << 48 | to->size;
}

// A double that is exact as a float is stored as that.
static uint64_t double_value(crate *to, double value)
{
    const float narrow = (float)value;
    uint32_t bits;
    if ((double)narrow == value) {
        memcpy(&bits, &narrow, sizeof bits);
        return inlined(TYPE_DOUBLE, bits);
    }
    const uint64_t here = value_here(to, TYPE_DOUBLE);
    put_bytes(to, &value, sizeof value);
    return here;
}

static int type_number(const coif_usd_type *type, const char *name)
{
    const bool is_float = type->element == COIF_USD_FLOAT;
    if (type->element == COIF_USD_TEXT) {
        return strncmp(name, "string", strlen("string")) == 0 ? TYPE_STRING : TYPE_TOKEN;
    }
    if (type->element == COIF_USD_INT) {
        return TYPE_INT;
    }
    return type->matrix            ? TYPE_MATRIX4D
           : type->components == 1 ? (is_float ? TYPE_FLOAT : TYPE_DOUBLE)
                                   : TYPE_VEC2D + 4 * (type->components - 2) + is_float;
}

// Numbers of texts in their table.
static uint32_t *text_numbers(crate *to, int number, const char *const *texts, int64_t count,
                              coif_arena *arena)
{
    uint32_t *numbers = coif_arena_new(arena, count, uint32_t);
    for (int64_t i = 0; i < count; ++i) {
        numbers[i] = number == TYPE_STRING ? string_of(to, texts[i]) : token_of(to, texts[i]);
    }
    return numbers;
}

static uint64_t write_value(crate *to, const coif_usd_out_attribute *attribute, const void *data,
                            int64_t count)
{
    COIF_SCOPED_ARENA(scratch, "USD value");
    const coif_usd_type *type = &attribute->type;
    const int number = type_number(type, attribute->desc.type);
    const size_t width = type->element == COIF_USD_DOUBLE ? sizeof(double) : sizeof(float);
    if (type->element == COIF_USD_TEXT) {
        data = text_numbers(to, number, data, count, &scratch);
    }
    if (type->array && count == 0) {
        return IS_ARRAY | (uint64_t)number << 48;
    }
    if (!type->array && number == TYPE_DOUBLE) {
        return double_value(to, *(const double *)data);
    }
    if (!type->array && type->components == 1) {
        uint32_t bits;
        memcpy(&bits, data, sizeof bits);
        return inlined(number, bits);
    }
    const uint64_t here = value_here(to, number);
    if (type->array) {
        put_u64(to, (uint64_t)count);
    }
    put_bytes(to, data, (size_t)count * (size_t)type->components * width);
    return type->array ? IS_ARRAY | here : here;
}

static uint64_t digest_of(const coif_usd_out_attribute *attribute, const void *data, int64_t count)
{
    const size_t width =
        attribute->type.element == COIF_USD_DOUBLE ? sizeof(double) : sizeof(float);
    if (attribute->type.element != COIF_USD_TEXT) {
        return coif_hash64(data, (size_t)count * (size_t)attribute->type.components * width);
    }
    uint64_t digest = 0;
    for (int64_t i = 0; i < count; ++i) {
        const char *text = ((const char *const *)data)[i];
        digest = coif_hash64_extend(digest, text, strlen(text));
    }
    return digest;
}

static coif_status put(coif_archive_writer *writer, coif_usd_out_attribute *attribute,
                       int32_t sample, const void *data, int64_t count, coif_error *error)
{
    crate *to = writer->state;
    writer->file->error = error;
    if (data == NULL) {
        return COIF_OK;
    }
    const uint64_t digest = digest_of(attribute, data, count);
    const bool same =
        attribute->count > 0 && attribute->first_count == count && attribute->digest == digest;
    const uint64_t value =
        same ? attribute->values[attribute->count - 1] : write_value(to, attribute, data, count);
    attribute->values = coif_array_grow(attribute->values, attribute->count, 1,
                                        &attribute->value_capacity, sizeof value, writer->arena);
    attribute->samples = coif_array_grow(attribute->samples, attribute->count, 1,
                                         &attribute->sample_capacity, sizeof sample, writer->arena);
    attribute->values[attribute->count] = value;
    attribute->samples[attribute->count++] = sample;
    attribute->digest = digest;
    attribute->first_count = count;
    return writer->file->status;
}

static coif_status open(coif_archive_writer *writer, const char *path, coif_error *error)
{
    static const char zeros[HEADER_BYTES] = {0};
    crate *to = coif_arena_new(writer->arena, 1, crate);
    to->writer = writer;
    writer->state = to;
    COIF_TRY(coif_text_writer_open(writer->file, path, error));
    put_bytes(to, zeros, sizeof zeros);
    // A token that no name has: those of properties are stored as negative numbers.
    token_of(to, ";-)");
    return COIF_OK;
}

static int32_t find_node(const crate *to, const char *path)
{
    for (size_t i = 0; i < to->node_count; ++i) {
        if (strcmp(to->nodes[i].path, path) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

static int32_t add_node(crate *to, const node *added)
{
    to->nodes = coif_array_grow(to->nodes, to->node_count, 1, &to->node_capacity, sizeof *to->nodes,
                                to->writer->arena);
    to->nodes[to->node_count] = *added;
    return (int32_t)to->node_count++;
}

// The node of a prim's path with those above it.
static int32_t add_prim(crate *to, const char *path, coif_usd_out_prim *prim)
{
    const int32_t known = find_node(to, path);
    if (known >= 0) {
        return known;
    }
    char *parent = coif_arena_copy_text(to->writer->arena, path);
    char *slash = strrchr(parent, '/');
    *slash = '\0';
    const node added = {.path = path,
                        .token = token_of(to, slash + 1),
                        .type = SPEC_PRIM,
                        .parent = *parent != '\0' ? add_prim(to, parent, NULL) : 0,
                        .prim = prim};
    return add_node(to, &added);
}

static void add_nodes(crate *to)
{
    const coif_archive_writer *writer = to->writer;
    const node root = {.path = "/", .token = token_of(to, ""), .type = SPEC_ROOT, .parent = -1};
    add_node(to, &root);
    for (size_t i = 0; i < writer->prim_count; ++i) {
        coif_usd_out_prim *prim = writer->prims[i];
        const int32_t parent = add_prim(to, prim->path, prim);
        for (coif_usd_out_attribute *a = prim->attributes; a != NULL; a = a->next) {
            const bool relationship = strcmp(a->desc.type, "rel") == 0;
            const node added = {
                .path = coif_arena_print(writer->arena, "%s.%s", prim->path, a->desc.name),
                .token = token_of(to, a->desc.name),
                .type = relationship ? SPEC_RELATIONSHIP : SPEC_ATTRIBUTE,
                .parent = parent,
                .attribute = a};
            add_node(to, &added);
        }
    }
}

static void add_field(crate *to, const char *name, uint64_t value)
{
    const size_t count = to->field_names.count;
    add_word(to, &to->field_names, token_of(to, name));
    to->field_values = coif_array_grow(to->field_values, count, 1, &to->field_value_capacity,
                                       sizeof value, to->writer->arena);
    to->field_values[count] = value;
    add_word(to, &to->sets, (uint32_t)count);
}

// Names of the children of a node that are properties, or prims.
static void add_children(crate *to, int32_t parent, bool properties)
{
    uint64_t count = 0;
    for (int pass = 0; pass < 2; ++pass) {
        const uint64_t value = pass == 1 ? value_here(to, TYPE_TOKEN_VECTOR) : 0;
        if (pass == 1) {
            put_u64(to, count);
        }
        for (size_t i = 0; i < to->node_count; ++i) {
            const node *child = &to->nodes[i];
            if (child->parent != parent || (child->attribute != NULL) != properties) {
                continue;
            }
            if (pass == 1) {
                put_bytes(to, &child->token, sizeof child->token);
            } else {
                ++count;
            }
        }
        if (count == 0) {
            return;
        }
        if (pass == 1) {
            add_field(to, properties ? "properties" : "primChildren", value);
        }
    }
}

// A list operation with one item.
static uint64_t list_value(crate *to, int type, uint8_t kind, uint32_t item)
{
    const uint64_t here = value_here(to, type);
    put_bytes(to, &kind, 1);
    put_u64(to, 1);
    put_bytes(to, &item, sizeof item);
    return here;
}

static uint64_t samples_value(crate *to, const coif_usd_out_attribute *attribute)
{
    const uint64_t times = value_here(to, COIF_CRATE_DOUBLE_VECTOR);
    put_u64(to, attribute->count);
    for (size_t i = 0; i < attribute->count; ++i) {
        const double time = coif_usd_time_code(to->writer, attribute->samples[i]);
        put_bytes(to, &time, sizeof time);
    }
    // Offsets from here to the value of the times, and behind it to the values.
    const uint64_t here = value_here(to, COIF_CRATE_TIME_SAMPLES);
    put_u64(to, sizeof(uint64_t));
    put_u64(to, times);
    put_u64(to, sizeof(uint64_t));
    put_u64(to, attribute->count);
    put_bytes(to, attribute->values, attribute->count * sizeof *attribute->values);
    return here;
}

static void add_attribute_fields(crate *to, const coif_usd_out_attribute *attribute)
{
    const coif_usd_out_desc *desc = &attribute->desc;
    const bool relationship = strcmp(desc->type, "rel") == 0;
    bool changes = false;
    for (size_t i = 1; i < attribute->count; ++i) {
        changes = changes || attribute->values[i] != attribute->values[0];
    }
    if (!relationship) {
        add_field(to, "typeName", token_value(to, desc->type));
    }
    if (desc->uniform || relationship) {
        add_field(to, "variability", inlined(TYPE_VARIABILITY, VARIABILITY_UNIFORM));
    }
    if (desc->interpolation != NULL) {
        add_field(to, "interpolation", token_value(to, desc->interpolation));
    }
    if (desc->element_size > 0) {
        add_field(to, "elementSize", inlined(TYPE_INT, (uint32_t)desc->element_size));
    }
    if (desc->target != NULL) {
        add_field(to, relationship ? "targetPaths" : "connectionPaths",
                  list_value(to, TYPE_PATH_LIST_OP, LIST_EXPLICIT | LIST_EXPLICIT_ITEMS,
                             (uint32_t)find_node(to, desc->target)));
    }
    if (changes) {
        add_field(to, "timeSamples", samples_value(to, attribute));
    } else if (attribute->count > 0) {
        add_field(to, "default", attribute->values[0]);
    }
}

static void add_prim_fields(crate *to, int32_t index)
{
    const coif_usd_out_prim *prim = to->nodes[index].prim;
    add_field(to, "specifier", inlined(COIF_CRATE_SPECIFIER, SPECIFIER_DEF));
    add_field(to, "typeName", token_value(to, prim != NULL ? prim->type : "Xform"));
    if (prim != NULL && prim->api_schema != NULL) {
        add_field(to, "apiSchemas",
                  list_value(to, TYPE_TOKEN_LIST_OP, LIST_PREPENDED_ITEMS,
                             token_of(to, prim->api_schema)));
    }
    add_children(to, index, true);
    add_children(to, index, false);
}

static void add_fields(crate *to, const coif_usd_out_metadata *metadata, int32_t metadata_count)
{
    for (int32_t i = 0; i < (int32_t)to->node_count; ++i) {
        add_word(to, &to->spec_sets, (uint32_t)to->sets.count);
        for (int32_t m = 0; i == 0 && m < metadata_count; ++m) {
            const coif_usd_out_metadata *entry = &metadata[m];
            add_field(to, entry->name,
                      entry->text == NULL ? double_value(to, entry->number)
                      : entry->token      ? token_value(to, entry->text)
                                          : inlined(TYPE_STRING, string_of(to, entry->text)));
        }
        if (i == 0) {
            add_children(to, 0, false);
        } else if (to->nodes[i].attribute != NULL) {
            add_attribute_fields(to, to->nodes[i].attribute);
        } else {
            add_prim_fields(to, i);
        }
        add_word(to, &to->sets, UINT32_MAX);
    }
}

// Depth first. Jump: -2 neither child nor sibling, -1 only a child, 0 only a sibling; else the
// child is next and the sibling that many entries later.
static void order_nodes(crate *to, int32_t parent, bool has_sibling)
{
    const size_t at = to->ordered++;
    int32_t child = -1;
    to->order[at] = (uint32_t)parent;
    for (int32_t i = parent + 1; i < (int32_t)to->node_count; ++i) {
        if (to->nodes[i].parent == parent) {
            if (child >= 0) {
                order_nodes(to, child, true);
            }
            child = i;
        }
    }
    if (child >= 0) {
        order_nodes(to, child, false);
    }
    to->jumps[at] = child < 0      ? (has_sibling ? 0 : -2)
                    : !has_sibling ? -1
                                   : (int32_t)(to->ordered - at);
}

// An LZ4 block of literals behind its size; the byte before it is the number of chunks, 0 for one
// block.
static void put_block(crate *to, const void *data, size_t size)
{
    const size_t extra = size < 15 ? 0 : (size - 15) / 255 + 1;
    const unsigned char begin[] = {0, (unsigned char)((size < 15 ? size : 15) << 4)};
    put_u64(to, sizeof begin + extra + size);
    put_bytes(to, begin, sizeof begin);
    for (size_t i = 0; i < extra; ++i) {
        const unsigned char byte = (unsigned char)(i + 1 < extra ? 255 : (size - 15) % 255);
        put_bytes(to, &byte, 1);
    }
    put_bytes(to, data, size);
}

// Differences of consecutive integers: the most common one (unused), a code of two bits for each,
// here 3 for four bytes, and the differences.
static void put_integers(crate *to, const uint32_t *values, size_t count)
{
    COIF_SCOPED_ARENA(scratch, "USD table");
    const size_t codes = (2 * count + 7) / 8;
    const size_t size = sizeof(uint32_t) + codes + count * sizeof(uint32_t);
    unsigned char *encoded = coif_arena_alloc(&scratch, size, 1);
    unsigned char *at = encoded + sizeof(uint32_t) + codes;
    memset(encoded + sizeof(uint32_t), 0xff, codes);
    uint32_t previous = 0;
    for (size_t i = 0; i < count; ++i, at += sizeof previous) {
        const uint32_t difference = values[i] - previous;
        memcpy(at, &difference, sizeof difference);
        previous = values[i];
    }
    put_block(to, encoded, size);
}

static void put_tokens(crate *to)
{
    COIF_SCOPED_ARENA(scratch, "USD tokens");
    size_t size = 0;
    for (int32_t i = 0; i < to->tokens.count; ++i) {
        size += strlen(to->tokens.names[i]) + 1;
    }
    char *text = coif_arena_alloc(&scratch, size, 1), *at = text;
    for (int32_t i = 0; i < to->tokens.count; ++i) {
        const size_t length = strlen(to->tokens.names[i]) + 1;
        memcpy(at, to->tokens.names[i], length);
        at += length;
    }
    put_u64(to, (uint64_t)to->tokens.count);
    put_u64(to, size);
    put_block(to, text, size);
}

static void put_paths(crate *to)
{
    COIF_SCOPED_ARENA(scratch, "USD paths");
    const size_t count = to->node_count;
    uint32_t *columns[2];
    to->order = coif_arena_new(&scratch, count, uint32_t);
    to->jumps = coif_arena_new(&scratch, count, int32_t);
    columns[0] = coif_arena_new(&scratch, count, uint32_t);
    columns[1] = coif_arena_new(&scratch, count, uint32_t);
    order_nodes(to, 0, false);
    for (size_t i = 0; i < count; ++i) {
        const node *entry = &to->nodes[to->order[i]];
        columns[0][i] = entry->attribute != NULL ? 0u - entry->token : entry->token;
        columns[1][i] = (uint32_t)to->jumps[i];
    }
    put_u64(to, count);
    put_u64(to, count);
    put_integers(to, to->order, count);
    put_integers(to, columns[0], count);
    put_integers(to, columns[1], count);
}

static void put_specs(crate *to)
{
    COIF_SCOPED_ARENA(scratch, "USD specs");
    const size_t count = to->node_count;
    uint32_t *paths = coif_arena_new(&scratch, count, uint32_t);
    uint32_t *types = coif_arena_new(&scratch, count, uint32_t);
    for (size_t i = 0; i < count; ++i) {
        paths[i] = (uint32_t)i;
        types[i] = to->nodes[i].type;
    }
    put_u64(to, count);
    put_integers(to, paths, count);
    put_integers(to, to->spec_sets.values, count);
    put_integers(to, types, count);
}

static void put_section(crate *to, int section)
{
    switch (section) {
    case 0:
        put_tokens(to);
        break;
    case 1:
        put_u64(to, to->strings.count);
        put_bytes(to, to->strings.values, to->strings.count * sizeof *to->strings.values);
        break;
    case 2:
        put_u64(to, to->field_names.count);
        put_integers(to, to->field_names.values, to->field_names.count);
        put_block(to, to->field_values, to->field_names.count * sizeof *to->field_values);
        break;
    case 3:
        put_u64(to, to->sets.count);
        put_integers(to, to->sets.values, to->sets.count);
        break;
    case 4:
        put_paths(to);
        break;
    default:
        put_specs(to);
    }
}

static coif_status finish(coif_archive_writer *writer, const coif_usd_out_metadata *metadata,
                          int32_t metadata_count, coif_error *error)
{
    static const char names[SECTION_COUNT][16] = {"TOKENS",    "STRINGS", "FIELDS",
                                                  "FIELDSETS", "PATHS",   "SPECS"};
    crate *to = writer->state;
    uint64_t sections[SECTION_COUNT][2];
    unsigned char header[24] = "PXR-USDC";
    add_nodes(to);
    add_fields(to, metadata, metadata_count);
    for (int i = 0; i < SECTION_COUNT; ++i) {
        align(to);
        sections[i][0] = to->size;
        put_section(to, i);
        sections[i][1] = to->size - sections[i][0];
    }
    align(to);
    const uint64_t contents = to->size;
    put_u64(to, SECTION_COUNT);
    for (int i = 0; i < SECTION_COUNT; ++i) {
        put_bytes(to, names[i], sizeof names[i]);
        put_bytes(to, sections[i], sizeof sections[i]);
    }
    COIF_TRY(coif_text_writer_flush(writer->file));
    header[9] = VERSION_MINOR;
    memcpy(header + 16, &contents, sizeof contents);
    COIF_TRY(coif_file_seek(&writer->file->file, 0, error));
    return coif_file_write(&writer->file->file, header, sizeof header, error);
}

static void discard(coif_archive_writer *writer)
{
    (void)writer;
}

const coif_usd_encoding COIF_USD_CRATE_ENCODING = {
    .open = open, .put = put, .finish = finish, .discard = discard};
