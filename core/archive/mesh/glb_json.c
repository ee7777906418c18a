// Document of a binary glTF file (glTF 2.0 specification, chapters 3.6 and 4.4).
#include "core/archive/mesh/glb_json.h"

#include "core/base/arena.h"
#include "core/base/error.h"

#include <string.h>

static uint32_t word_at(const coif_bytes *bytes, size_t at)
{
    const unsigned char *b = (const unsigned char *)bytes->data + at;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

int32_t coif_glb_integer(const coif_json *object, const char *key, int32_t fallback)
{
    const coif_json *value = object->kind == COIF_JSON_OBJECT ? coif_json_find(object, key) : NULL;
    if (value == NULL) {
        return fallback;
    }
    const double number = value->kind == COIF_JSON_NUMBER ? value->number : -1.0;
    return number >= 0.0 && number <= INT32_MAX && number == (double)(int32_t)number
               ? (int32_t)number
               : -2;
}

const coif_json *coif_glb_item(const coif_glb_list *list, int32_t index)
{
    return index >= 0 && index < list->count ? list->items[index] : NULL;
}

// Objects of an array of the document.
static coif_status read_list(coif_glb_list *list, const coif_glb_document *document,
                             const char *key, coif_arena *arena, coif_error *error)
{
    const coif_json *array = coif_json_find(document->root, key);
    *list = (coif_glb_list){0};
    if (array == NULL) {
        return COIF_OK;
    }
    bool valid = array->kind == COIF_JSON_ARRAY;
    list->items = coif_arena_new(arena, array->child_count, const coif_json *);
    for (const coif_json *item = array->child; item != NULL; item = item->next) {
        valid = valid && item->kind == COIF_JSON_OBJECT;
        list->items[list->count++] = item;
    }
    return valid ? COIF_OK
                 : coif_fail(error, COIF_ERR_FORMAT, "%s: %s: expected an array of objects",
                             document->path, key);
}

// Extensions that change materials or are the default here.
static bool is_harmless(const char *name)
{
    return strncmp(name, "KHR_materials_", 14) == 0 || strncmp(name, "KHR_texture_", 12) == 0 ||
           strncmp(name, "EXT_texture_", 12) == 0 || strcmp(name, "KHR_lights_punctual") == 0 ||
           strcmp(name, "KHR_mesh_quantization") == 0;
}

static coif_status check_document(const coif_glb_document *document, coif_error *error)
{
    const coif_json *required = coif_json_find(document->root, "extensionsRequired");
    for (const coif_json *name = required != NULL ? required->child : NULL; name != NULL;
         name = name->next) {
        if (name->kind != COIF_JSON_STRING || !is_harmless(name->text)) {
            return coif_fail(
                error, COIF_ERR_FORMAT, "%s: extension %s is not read; export without compression",
                document->path, name->kind == COIF_JSON_STRING ? name->text : "without a name");
        }
    }
    const coif_json *buffers = coif_json_find(document->root, "buffers");
    for (const coif_json *buffer = buffers != NULL ? buffers->child : NULL; buffer != NULL;
         buffer = buffer->next) {
        if (buffer != buffers->child || buffer->kind != COIF_JSON_OBJECT ||
            coif_json_find(buffer, "uri") != NULL) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s: buffers outside the file are not read; export one .glb with "
                             "embedded data",
                             document->path);
        }
    }
    return COIF_OK;
}

coif_status coif_glb_document_parse(coif_glb_document *document, const coif_bytes *bytes,
                                    coif_arena *arena, coif_error *error)
{
    enum { HEADER = 12, CHUNK = 8, JSON = 0x4e4f534a, BINARY = 0x004e4942 };
    *document = (coif_glb_document){.path = coif_arena_copy_text(arena, bytes->name)};
    if (bytes->size < HEADER + CHUNK || word_at(bytes, 4) != 2 ||
        word_at(bytes, HEADER + 4) != JSON) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: expected glTF 2.0 with a JSON chunk",
                         bytes->name);
    }
    const size_t json = word_at(bytes, HEADER), begin = HEADER + CHUNK;
    if (json > bytes->size - begin) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: the JSON chunk ends after byte %zu",
                         bytes->name, bytes->size);
    }
    const size_t next = begin + json;
    if (bytes->size - next >= CHUNK && word_at(bytes, next + 4) == BINARY) {
        document->binary_begin = next + CHUNK;
        document->binary_size = word_at(bytes, next);
        if (document->binary_size > bytes->size - document->binary_begin) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: the binary chunk ends after byte %zu",
                             bytes->name, bytes->size);
        }
    }
    coif_json *root;
    COIF_TRY(coif_json_parse(&root, document->path, (const char *)bytes->data + begin, json, arena,
                             error));
    if (root->kind != COIF_JSON_OBJECT) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: expected a JSON object", document->path);
    }
    document->root = root;
    COIF_TRY(check_document(document, error));
    COIF_TRY(read_list(&document->nodes, document, "nodes", arena, error));
    COIF_TRY(read_list(&document->meshes, document, "meshes", arena, error));
    COIF_TRY(read_list(&document->accessors, document, "accessors", arena, error));
    COIF_TRY(read_list(&document->views, document, "bufferViews", arena, error));
    return read_list(&document->materials, document, "materials", arena, error);
}

static size_t bytes_of_type(int32_t type)
{
    static const size_t sizes[] = {1, 1, 2, 2, 0, 4, 4};
    return type >= 5120 && type <= 5126 ? sizes[type - 5120] : 0;
}

coif_status coif_glb_accessor_open(coif_glb_accessor *accessor, const coif_glb_document *document,
                                   const coif_bytes *bytes, int32_t index, const char *type,
                                   coif_error *error)
{
    const coif_json *item = coif_glb_item(&document->accessors, index);
    const coif_json *kind = item != NULL ? coif_json_find(item, "type") : NULL;
    if (kind == NULL || kind->kind != COIF_JSON_STRING || strcmp(kind->text, type) != 0) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: accessor %d: expected type %s",
                         document->path, index, type);
    }
    const coif_json *view =
        coif_glb_item(&document->views, coif_glb_integer(item, "bufferView", -1));
    if (view == NULL || coif_json_find(item, "sparse") != NULL) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: accessor %d: sparse or compressed data are not read; export without "
                         "compression",
                         document->path, index);
    }
    const coif_json *normalized = coif_json_find(item, "normalized");
    accessor->components = *type == 'S' ? 1 : type[3] - '0';
    accessor->type = coif_glb_integer(item, "componentType", -1);
    accessor->count = coif_glb_integer(item, "count", -1);
    accessor->normalized = normalized != NULL && normalized->number != 0.0;
    const size_t size = (size_t)accessor->components * bytes_of_type(accessor->type);
    const int32_t view_offset = coif_glb_integer(view, "byteOffset", 0);
    const int32_t length = coif_glb_integer(view, "byteLength", -1);
    const int32_t offset = coif_glb_integer(item, "byteOffset", 0);
    const int32_t stride = coif_glb_integer(view, "byteStride", (int32_t)size);
    const bool valid =
        size > 0 && accessor->count > 0 && view_offset >= 0 && length >= 0 && offset >= 0 &&
        stride >= (int32_t)size && coif_glb_integer(view, "buffer", -1) == 0 &&
        (uint64_t)view_offset + (uint64_t)length <= document->binary_size &&
        (uint64_t)offset + (uint64_t)(accessor->count - 1) * (uint64_t)stride + size <=
            (uint64_t)length &&
        document->binary_begin + document->binary_size <= bytes->size;
    if (!valid) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: accessor %d: its elements do not lie in the binary chunk of %zu "
                         "bytes",
                         document->path, index, document->binary_size);
    }
    accessor->stride = (size_t)stride;
    accessor->data = (const unsigned char *)bytes->data + document->binary_begin +
                     (size_t)view_offset + (size_t)offset;
    return COIF_OK;
}

double coif_glb_accessor_at(const coif_glb_accessor *accessor, int32_t element, int32_t component)
{
    const size_t size = bytes_of_type(accessor->type);
    const unsigned char *at =
        accessor->data + (size_t)element * accessor->stride + (size_t)component * size;
    uint32_t bits = 0;
    for (size_t i = 0; i < size; ++i) {
        bits |= (uint32_t)at[i] << (8 * i);
    }
    const double low[] = {(int8_t)bits, bits & 0xff, (int16_t)bits, bits & 0xffff};
    static const double most[] = {127.0, 255.0, 32767.0, 65535.0};
    if (accessor->type == 5126) {
        float value;
        memcpy(&value, &bits, sizeof value);
        return (double)value;
    }
    if (accessor->type == 5125) {
        return bits;
    }
    const int32_t type = accessor->type - 5120;
    const double value = accessor->normalized ? low[type] / most[type] : low[type];
    return accessor->normalized && value < -1.0 ? -1.0 : value;
}
