// Lookup of blocks and metadata values in a pack.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/pack/pack.h"

#include <string.h>

static const coif_pack_block *find_name(const coif_pack *pack, const char *name)
{
    for (int32_t i = 0; i < pack->block_count; ++i) {
        if (strcmp(pack->blocks[i].name, name) == 0) {
            return &pack->blocks[i];
        }
    }
    return NULL;
}

const coif_pack_block *coif_pack_find(const coif_pack *pack, const char *name, coif_pack_type type,
                                      int32_t components)
{
    const coif_pack_block *block = find_name(pack, name);
    const bool matches = block != NULL && block->data != NULL && block->type == type &&
                         block->components == components;
    return matches ? block : NULL;
}

static coif_status check_block(const coif_pack_block *block, const char *path,
                               const coif_pack_block *expected, coif_error *error)
{
    if (block->data == NULL) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: written by a newer coif: block %s has unknown type %d or codec %d",
                         path, block->name, (int)block->type, (int)block->codec);
    }
    if (block->type != expected->type || block->components != expected->components) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: block %s holds %s x %d, expected %s x %d",
                         path, block->name, coif_pack_type_name(block->type), block->components,
                         coif_pack_type_name(expected->type), expected->components);
    }
    if (expected->count >= 0 && block->count != expected->count) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: block %s has %lld elements, expected %lld",
                         path, block->name, (long long)block->count, (long long)expected->count);
    }
    return COIF_OK;
}

coif_status coif_pack_accept(const coif_pack_block **block, const coif_pack *pack, const char *path,
                             const coif_pack_block *expected, coif_error *error)
{
    *block = find_name(pack, expected->name);
    return *block == NULL ? COIF_OK : check_block(*block, path, expected, error);
}

coif_status coif_pack_need(const coif_pack_block **block, const coif_pack *pack, const char *path,
                           const coif_pack_block *expected, coif_error *error)
{
    COIF_TRY(coif_pack_accept(block, pack, path, expected, error));
    if (*block == NULL) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: missing block %s", path, expected->name);
    }
    return COIF_OK;
}

static void scatter(const coif_pack_block *block, const coif_pack_block *expected)
{
    const size_t bytes = (size_t)block->components * coif_pack_type_size(block->type);
    const size_t stride = expected->stride != 0 ? (size_t)expected->stride : bytes;
    const char *from = block->data;
    char *to = (char *)expected->data;
    if (stride == bytes) {
        memcpy(to, from, (size_t)block->count * bytes);
        return;
    }
    for (int64_t i = 0; i < block->count; ++i, from += bytes, to += stride) {
        memcpy(to, from, bytes);
    }
}

coif_status coif_pack_copy(const coif_pack *pack, const char *path, const coif_pack_block *expected,
                           int32_t expected_count, coif_error *error)
{
    for (int32_t i = 0; i < expected_count; ++i) {
        const coif_pack_block *block;
        COIF_TRY(coif_pack_need(&block, pack, path, &expected[i], error));
        scatter(block, &expected[i]);
    }
    return COIF_OK;
}

const char *coif_pack_metadata(const coif_pack *pack, const char *name, coif_arena *arena)
{
    const coif_pack_block *block = coif_pack_find(pack, name, COIF_PACK_BYTE, 1);
    if (block == NULL) {
        return "";
    }
    char *text = coif_arena_alloc(arena, (size_t)block->count + 1, 1);
    return memcpy(text, block->data, (size_t)block->count);
}

char *coif_metadata_value(const char *lines, const char *key, coif_arena *arena)
{
    const size_t key_length = strlen(key);
    const char *line = lines;
    while (line != NULL && *line != '\0') {
        const char *end = strchr(line, '\n');
        const size_t length = end != NULL ? (size_t)(end - line) : strlen(line);
        if (length > key_length && line[key_length] == '=' && strncmp(line, key, key_length) == 0) {
            return coif_arena_print(arena, "%.*s", (int)(length - key_length - 1),
                                    line + key_length + 1);
        }
        line = end != NULL ? end + 1 : NULL;
    }
    return NULL;
}
