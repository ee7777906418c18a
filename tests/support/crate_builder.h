// crate_builder: small USD crate files for tests, of version 0.0.1 (sections as they are) or 0.8.0
// (compressed sections; LZ4 blocks of literals, integers of 32 bits).
#ifndef COIF_TESTS_CRATE_BUILDER_H
#define COIF_TESTS_CRATE_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { CRATE_BYTES = 1 << 15, CRATE_ITEMS = 256 };

enum { CRATE_ATTRIBUTE = 1, CRATE_PRIM = 6, CRATE_ROOT = 7 };

// Types of values.
enum {
    CRATE_BOOL = 1,
    CRATE_INT = 3,
    CRATE_FLOAT = 8,
    CRATE_DOUBLE = 9,
    CRATE_STRING = 10,
    CRATE_TOKEN = 11,
    CRATE_QUATF = 17,
    CRATE_VEC2F = 20,
    CRATE_VEC3D = 23,
    CRATE_VEC3F = 24,
    CRATE_VEC3H = 25,
    CRATE_SPECIFIER = 42,
    CRATE_SAMPLES = 46,
    CRATE_DOUBLES = 48
};

typedef struct crate_node {
    int parent, token, type, set; // set: first entry of its fields
} crate_node;

typedef struct crate_builder {
    unsigned char data[CRATE_BYTES];
    size_t size;
    int minor; // 0 or 8
    const char *tokens[CRATE_ITEMS];
    uint32_t strings[CRATE_ITEMS], field_names[CRATE_ITEMS], sets[CRATE_ITEMS];
    uint64_t field_values[CRATE_ITEMS];
    int token_count, string_count, field_count, set_count, node_count;
    crate_node nodes[CRATE_ITEMS];
    int order[CRATE_ITEMS], jumps[CRATE_ITEMS], order_count; // paths in the order of the file
    uint64_t sections[6][2];
} crate_builder;

static inline void crate_put(crate_builder *crate, const void *data, size_t size)
{
    if (size <= CRATE_BYTES - crate->size) {
        memcpy(crate->data + crate->size, data, size);
        crate->size += size;
    }
}

static inline void crate_put_u32(crate_builder *crate, uint32_t value)
{
    crate_put(crate, &value, sizeof value);
}

static inline void crate_put_u64(crate_builder *crate, uint64_t value)
{
    crate_put(crate, &value, sizeof value);
}

static inline int crate_token(crate_builder *crate, const char *text)
{
    for (int i = 0; i < crate->token_count; ++i) {
        if (strcmp(crate->tokens[i], text) == 0) {
            return i;
        }
    }
    crate->tokens[crate->token_count] = text;
    return crate->token_count++;
}

static inline void crate_begin(crate_builder *crate, int minor)
{
    memset(crate, 0, sizeof *crate);
    crate->minor = minor;
    crate->size = 88; // header
    crate_token(crate, ";-)");
}

static inline uint64_t crate_inlined(int type, uint32_t bits)
{
    return (uint64_t)1 << 62 | (uint64_t)type << 48 | bits;
}

static inline uint64_t crate_text(crate_builder *crate, const char *token)
{
    return crate_inlined(CRATE_TOKEN, (uint32_t)crate_token(crate, token));
}

static inline uint64_t crate_string(crate_builder *crate, const char *text)
{
    crate->strings[crate->string_count] = (uint32_t)crate_token(crate, text);
    return crate_inlined(CRATE_STRING, (uint32_t)crate->string_count++);
}

static inline uint64_t crate_real(float value) // a double that is exact as a float
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return crate_inlined(CRATE_DOUBLE, bits);
}

// A value outside of the field: what follows is written by the caller.
static inline uint64_t crate_here(const crate_builder *crate, int type)
{
    return (uint64_t)type << 48 | crate->size;
}

static inline uint64_t crate_array(crate_builder *crate, int type, const void *data, uint64_t count,
                                   size_t size)
{
    const uint64_t value = (uint64_t)1 << 63 | crate_here(crate, type);
    if (crate->minor == 0) {
        crate_put_u32(crate, 1);
        crate_put_u32(crate, (uint32_t)count);
    } else {
        crate_put_u64(crate, count);
    }
    crate_put(crate, data, (size_t)count * size);
    return value;
}

static inline uint64_t crate_samples(crate_builder *crate, const double *times,
                                     const uint64_t *values, uint64_t count)
{
    const uint64_t list = crate_here(crate, CRATE_DOUBLES);
    crate_put_u64(crate, count);
    crate_put(crate, times, count * sizeof *times);
    const uint64_t samples = crate_here(crate, CRATE_SAMPLES);
    crate_put_u64(crate, 8);
    crate_put_u64(crate, list);
    crate_put_u64(crate, 8);
    crate_put_u64(crate, count);
    crate_put(crate, values, count * sizeof *values);
    return samples;
}

// A prim or attribute; its fields follow. The root is the first one. Children come after their
// parents.
static inline int crate_spec(crate_builder *crate, int parent, const char *name, int type)
{
    if (crate->node_count > 0) {
        crate->sets[crate->set_count++] = UINT32_MAX;
    }
    crate->nodes[crate->node_count] =
        (crate_node){parent, crate_token(crate, name), type, crate->set_count};
    return crate->node_count++;
}

static inline void crate_field(crate_builder *crate, const char *name, uint64_t value)
{
    crate->field_names[crate->field_count] = (uint32_t)crate_token(crate, name);
    crate->field_values[crate->field_count] = value;
    crate->sets[crate->set_count++] = (uint32_t)crate->field_count++;
}

static inline int crate_attribute(crate_builder *crate, int prim, const char *name,
                                  const char *type)
{
    const int attribute = crate_spec(crate, prim, name, CRATE_ATTRIBUTE);
    crate_field(crate, "typeName", crate_text(crate, type));
    return attribute;
}

static inline int crate_prim(crate_builder *crate, int parent, const char *name, const char *type)
{
    const int prim = crate_spec(crate, parent, name, CRATE_PRIM);
    crate_field(crate, "specifier", crate_inlined(CRATE_SPECIFIER, 0));
    crate_field(crate, "typeName", crate_text(crate, type));
    return prim;
}

// An LZ4 block of literals behind its size.
static inline void crate_put_block(crate_builder *crate, const void *data, size_t size)
{
    const size_t extra = size < 15 ? 0 : (size - 15) / 255 + 1;
    crate_put_u64(crate, 1 + 1 + extra + size);
    unsigned char byte = 0;
    crate_put(crate, &byte, 1); // no chunks
    byte = (unsigned char)((size < 15 ? size : 15) << 4);
    crate_put(crate, &byte, 1);
    for (size_t i = 0; i < extra; ++i) {
        byte = (unsigned char)(i + 1 < extra ? 255 : (size - 15) % 255);
        crate_put(crate, &byte, 1);
    }
    crate_put(crate, data, size);
}

static inline void crate_put_integers(crate_builder *crate, const uint32_t *values, int count)
{
    unsigned char encoded[4 + CRATE_ITEMS + 4 * CRATE_ITEMS] = {0};
    if (crate->minor == 0) {
        crate_put(crate, values, (size_t)count * sizeof *values);
        return;
    }
    size_t size = 4 + (2 * (size_t)count + 7) / 8; // the common difference, 0, and codes
    memset(encoded + 4, 0xff, size - 4);           // all 3: 32 bits
    uint32_t previous = 0;
    for (int i = 0; i < count; ++i, size += 4) {
        const uint32_t difference = values[i] - previous;
        memcpy(encoded + size, &difference, sizeof difference);
        previous = values[i];
    }
    crate_put_block(crate, encoded, size);
}

// Depth first; jumps as in the file.
static inline void crate_order(crate_builder *crate, int node)
{
    const int position = crate->order_count++;
    int child = -1, sibling = -1;
    crate->order[position] = node;
    for (int i = node + 1; i < crate->node_count; ++i) {
        child = child < 0 && crate->nodes[i].parent == node ? i : child;
        const bool other = node > 0 && crate->nodes[i].parent == crate->nodes[node].parent;
        sibling = sibling < 0 && other ? i : sibling;
    }
    if (child >= 0) {
        crate_order(crate, child);
    }
    crate->jumps[position] = child < 0     ? (sibling < 0 ? -2 : 0)
                             : sibling < 0 ? -1
                                           : crate->order_count - position;
    if (sibling >= 0) {
        crate_order(crate, sibling);
    }
}

static inline void crate_put_paths(crate_builder *crate)
{
    const uint32_t count = (uint32_t)crate->node_count;
    uint32_t index[CRATE_ITEMS], element[CRATE_ITEMS], jump[CRATE_ITEMS];
    size_t offsets[CRATE_ITEMS], pending[CRATE_ITEMS];
    crate_order(crate, 0);
    crate_put_u64(crate, count);
    for (uint32_t i = 0; i < count; ++i) {
        const crate_node *node = &crate->nodes[crate->order[i]];
        const bool property = node->type == CRATE_ATTRIBUTE;
        index[i] = (uint32_t)crate->order[i];
        element[i] = (uint32_t)(property && crate->minor > 0 ? -node->token : node->token);
        jump[i] = (uint32_t)crate->jumps[i];
        if (crate->minor > 0) {
            continue;
        }
        const int step = crate->jumps[i];
        const uint32_t bits =
            (step == -1 || step > 0 ? 1u : 0u) | (step >= 0 ? 2u : 0u) | (property ? 4u : 0u);
        offsets[i] = crate->size;
        const uint32_t item[] = {0, index[i], element[i], bits};
        crate_put(crate, item, sizeof item);
        pending[i] = step > 0 ? crate->size : 0;
        if (step > 0) {
            crate_put_u64(crate, 0);
        }
    }
    for (uint32_t i = 0; crate->minor == 0 && i < count; ++i) {
        if (pending[i] > 0) {
            const uint64_t sibling = offsets[i + (uint32_t)crate->jumps[i]];
            memcpy(crate->data + pending[i], &sibling, sizeof sibling);
        }
    }
    if (crate->minor > 0) {
        crate_put_u64(crate, count);
        crate_put_integers(crate, index, (int)count);
        crate_put_integers(crate, element, (int)count);
        crate_put_integers(crate, jump, (int)count);
    }
}

static inline void crate_put_tokens(crate_builder *crate)
{
    char text[4096];
    size_t size = 0;
    for (int i = 0; i < crate->token_count; ++i) {
        const size_t length = strlen(crate->tokens[i]) + 1;
        memcpy(text + size, crate->tokens[i], length);
        size += length;
    }
    crate_put_u64(crate, (uint64_t)crate->token_count);
    crate_put_u64(crate, size);
    if (crate->minor > 0) {
        crate_put_block(crate, text, size);
    } else {
        crate_put(crate, text, size);
    }
}

static inline void crate_put_fields(crate_builder *crate)
{
    crate_put_u64(crate, (uint64_t)crate->field_count);
    if (crate->minor > 0) {
        crate_put_integers(crate, crate->field_names, crate->field_count);
        crate_put_block(crate, crate->field_values,
                        (size_t)crate->field_count * sizeof *crate->field_values);
        return;
    }
    for (int i = 0; i < crate->field_count; ++i) {
        crate_put_u32(crate, 0);
        crate_put_u32(crate, crate->field_names[i]);
        crate_put_u64(crate, crate->field_values[i]);
    }
}

static inline void crate_put_specs(crate_builder *crate)
{
    uint32_t columns[3][CRATE_ITEMS];
    crate_put_u64(crate, (uint64_t)crate->node_count);
    for (int i = 0; i < crate->node_count; ++i) {
        columns[0][i] = (uint32_t)i;
        columns[1][i] = (uint32_t)crate->nodes[i].set;
        columns[2][i] = (uint32_t)crate->nodes[i].type;
        const uint32_t spec[] = {0, columns[0][i], columns[1][i], columns[2][i]};
        crate_put(crate, spec, crate->minor == 0 ? sizeof spec : 0);
    }
    for (int k = 0; crate->minor > 0 && k < 3; ++k) {
        crate_put_integers(crate, columns[k], crate->node_count);
    }
}

// Writes sections, contents and header; the file is data[0 .. size).
static inline void crate_finish(crate_builder *crate)
{
    static const char names[6][16] = {"TOKENS", "STRINGS", "FIELDS", "FIELDSETS", "PATHS", "SPECS"};
    crate->sets[crate->set_count++] = UINT32_MAX;
    for (int i = 0; i < 6; ++i) {
        crate->sections[i][0] = crate->size;
        if (i == 0) {
            crate_put_tokens(crate);
        } else if (i == 1) {
            crate_put_u64(crate, (uint64_t)crate->string_count);
            crate_put(crate, crate->strings, (size_t)crate->string_count * sizeof(uint32_t));
        } else if (i == 2) {
            crate_put_fields(crate);
        } else if (i == 3) {
            crate_put_u64(crate, (uint64_t)crate->set_count);
            crate_put_integers(crate, crate->sets, crate->set_count);
        } else if (i == 4) {
            crate_put_paths(crate);
        } else {
            crate_put_specs(crate);
        }
        crate->sections[i][1] = crate->size - crate->sections[i][0];
    }
    const uint64_t contents = crate->size;
    crate_put_u64(crate, 6);
    for (int i = 0; i < 6; ++i) {
        crate_put(crate, names[i], 16);
        crate_put(crate, crate->sections[i], sizeof crate->sections[i]);
    }
    memcpy(crate->data, "PXR-USDC", 8);
    crate->data[9] = (unsigned char)crate->minor;
    crate->data[10] = crate->minor == 0;
    memcpy(crate->data + 16, &contents, sizeof contents);
}

// A moving Xform with hair of two strands in two samples, and a triangle.
static inline void crate_build_hair(crate_builder *crate, int minor)
{
    static const int32_t counts[] = {2, 3}, ids[] = {4, 5}, corners[] = {0, 1, 2}, sizes[] = {3};
    static const float points[2][15] = {{0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 2, 0, 1, 3, 0},
                                        {0, 0, 0, 0, 2, 0, 1, 0, 0, 1, 4, 0, 1, 6, 0}};
    static const float widths[] = {0.25f, 0.5f}, triangle[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const double times[] = {1, 2}, moves[2][3] = {{0, 0, 0}, {10, 20, 30}};
    static const float turn[] = {0, 0.70710678f, 0, 0.70710678f}; // imaginary part first
    crate_begin(crate, minor);
    const int root = crate_spec(crate, -1, "", CRATE_ROOT);
    crate_field(crate, "metersPerUnit", crate_real(0.5f));
    crate_field(crate, "timeCodesPerSecond", crate_real(4.0f));
    crate_field(crate, "upAxis", crate_text(crate, "Y"));
    crate_field(crate, "documentation", crate_string(crate, "Maker 1"));
    const int head = crate_prim(crate, root, "head", "Xform");
    uint64_t values[2];
    crate_attribute(crate, head, "xformOp:translate", "double3");
    for (int i = 0; i < 2; ++i) {
        values[i] = crate_here(crate, CRATE_VEC3D);
        crate_put(crate, moves[i], sizeof moves[i]);
    }
    crate_field(crate, "timeSamples", crate_samples(crate, times, values, 2));
    crate_attribute(crate, head, "xformOp:orient", "quatf");
    values[0] = crate_here(crate, CRATE_QUATF);
    crate_put(crate, turn, sizeof turn);
    crate_field(crate, "default", values[0]);
    crate_attribute(crate, head, "xformOp:scale", "float3"); // bytes in the value
    crate_field(crate, "default", crate_inlined(CRATE_VEC3F, 0x020202));
    crate_attribute(crate, head, "xformOpOrder", "token[]");
    const uint32_t order[] = {(uint32_t)crate_token(crate, "xformOp:translate"),
                              (uint32_t)crate_token(crate, "xformOp:orient"),
                              (uint32_t)crate_token(crate, "xformOp:scale")};
    crate_field(crate, "default", crate_array(crate, CRATE_TOKEN, order, 3, 4));
    const int hair = crate_prim(crate, head, "hair", "BasisCurves");
    crate_attribute(crate, hair, "type", "token");
    crate_field(crate, "default", crate_text(crate, "linear"));
    crate_attribute(crate, hair, "curveVertexCounts", "int[]");
    crate_field(crate, "default", crate_array(crate, CRATE_INT, counts, 2, 4));
    crate_attribute(crate, hair, "points", "point3f[]");
    values[0] = crate_array(crate, CRATE_VEC3F, points[0], 5, 12);
    values[1] = crate_array(crate, CRATE_VEC3F, points[1], 5, 12);
    crate_field(crate, "timeSamples", crate_samples(crate, times, values, 2));
    crate_attribute(crate, hair, "widths", "float[]");
    crate_field(crate, "interpolation", crate_text(crate, "uniform"));
    crate_field(crate, "default", crate_array(crate, CRATE_FLOAT, widths, 2, 4));
    crate_attribute(crate, hair, "primvars:groom_id", "int[]");
    crate_field(crate, "default", crate_array(crate, CRATE_INT, ids, 2, 4));
    const int skin = crate_prim(crate, root, "skin", "Mesh");
    crate_attribute(crate, skin, "points", "point3f[]");
    crate_field(crate, "default", crate_array(crate, CRATE_VEC3F, triangle, 3, 12));
    crate_attribute(crate, skin, "faceVertexCounts", "int[]");
    crate_field(crate, "default", crate_array(crate, CRATE_INT, sizes, 1, 4));
    crate_attribute(crate, skin, "faceVertexIndices", "int[]");
    crate_field(crate, "default", crate_array(crate, CRATE_INT, corners, 3, 4));
    crate_attribute(crate, skin, "subdivisionScheme", "token");
    crate_field(crate, "default", crate_text(crate, "none"));
    crate_finish(crate);
}

#endif
