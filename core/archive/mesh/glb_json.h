// Document of a binary glTF file: lists, indices and accessors.
#ifndef COIF_CORE_ARCHIVE_MESH_GLB_JSON_H
#define COIF_CORE_ARCHIVE_MESH_GLB_JSON_H

#include "core/base/fs.h"
#include "core/json/json.h"

typedef struct coif_glb_list {
    int32_t count;
    const coif_json **items;
} coif_glb_list;

typedef struct coif_glb_document {
    const char *path;
    const coif_json *root;
    coif_glb_list nodes, meshes, accessors, views, materials;
    size_t binary_begin, binary_size; // of the embedded buffer
} coif_glb_document;

// Parses the chunks. What needs external buffers or required extensions is refused.
coif_status coif_glb_document_parse(coif_glb_document *document, const coif_bytes *bytes,
                                    coif_arena *arena, coif_error *error);

// A member that is an integer from 0 to 2^31 - 1; fallback without it, -2 for anything else.
int32_t coif_glb_integer(const coif_json *object, const char *key, int32_t fallback);

// Item at an index; NULL out of range.
const coif_json *coif_glb_item(const coif_glb_list *list, int32_t index);

// Elements of an accessor, checked to lie in the bytes.
typedef struct coif_glb_accessor {
    const unsigned char *data;
    size_t stride;
    int32_t count, components, type; // type: 5120 to 5126
    bool normalized;
} coif_glb_accessor;
coif_status coif_glb_accessor_open(coif_glb_accessor *accessor, const coif_glb_document *document,
                                   const coif_bytes *bytes, int32_t index, const char *type,
                                   coif_error *error);
double coif_glb_accessor_at(const coif_glb_accessor *accessor, int32_t element, int32_t component);

#endif
