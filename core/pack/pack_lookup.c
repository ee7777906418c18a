// pack_lookup: finding blocks in a pack that was read, and lines in its metadata.
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
    const bool fits = block != NULL && block->data != NULL && block->type == type &&
                      block->components == components;
    return fits ? block : NULL;
}

static coif_status check_block(const coif_pack_block *block, const char *path,
                               const coif_pack_block *wanted, coif_error *error)
{
    if (block->data == NULL) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: made by a newer coif: block %s has type %d and codec %d", path,
                         block->name, (int)block->type, (int)block->codec);
    }
    if (block->type != wanted->type || block->components != wanted->components) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: block %s holds %s x %d, wanted %s x %d", path,
                         block->name, coif_pack_type_name(block->type), block->components,
                         coif_pack_type_name(wanted->type), wanted->components);
    }
    if (wanted->count >= 0 && block->count != wanted->count) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: block %s has %lld elements, wanted %lld",
                         path, block->name, (long long)block->count, (long long)wanted->count);
    }
    return COIF_OK;
}

coif_status coif_pack_accept(const coif_pack_block **block, const coif_pack *pack, const char *path,
                             const coif_pack_block *wanted, coif_error *error)
{
    *block = find_name(pack, wanted->name);
    return *block == NULL ? COIF_OK : check_block(*block, path, wanted, error);
}

coif_status coif_pack_need(const coif_pack_block **block, const coif_pack *pack, const char *path,
                           const coif_pack_block *wanted, coif_error *error)
{
    COIF_TRY(coif_pack_accept(block, pack, path, wanted, error));
    if (*block == NULL) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: has no block %s", path, wanted->name);
    }
    return COIF_OK;
}

static void scatter(const coif_pack_block *block, const coif_pack_block *wanted)
{
    const size_t bytes = (size_t)block->components * coif_pack_type_size(block->type);
    const size_t stride = wanted->stride != 0 ? (size_t)wanted->stride : bytes;
    const char *from = block->data;
    char *to = (char *)wanted->data;
    if (stride == bytes) {
        memcpy(to, from, (size_t)block->count * bytes);
        return;
    }
    for (int64_t i = 0; i < block->count; ++i, from += bytes, to += stride) {
        memcpy(to, from, bytes);
    }
}

coif_status coif_pack_copy(const coif_pack *pack, const char *path, const coif_pack_block *wanted,
                           int32_t wanted_count, coif_error *error)
{
    for (int32_t i = 0; i < wanted_count; ++i) {
        const coif_pack_block *block;
        COIF_TRY(coif_pack_need(&block, pack, path, &wanted[i], error));
        scatter(block, &wanted[i]);
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
