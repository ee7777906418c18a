// Reading of pack files; no number from the file is used before it is validated.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/hash64.h"
#include "core/pack/pack.h"
#include "core/pack/pack_codec.h"

#include <float.h>
#include <math.h>
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

// State of decoding one block.
typedef struct block_reader {
    const coif_pack_entry *entry;
    const char *path;
    const char *packed;
    size_t left; // compressed bytes from packed on
    const coif_quantum *quanta;
    const coif_codec_context *codec;
    coif_arena *scratch;
} block_reader;

static coif_status fail_block(const block_reader *reader, const char *what, coif_error *error)
{
    return coif_fail(error, COIF_ERR_FORMAT, "%s: block %s: %s", reader->path, reader->entry->name,
                     what);
}

static coif_status read_range(block_reader *reader, coif_error *error)
{
    const coif_pack_entry *entry = reader->entry;
    const size_t bytes = entry->components * sizeof(coif_quantum);
    if (entry->type != COIF_PACK_FLOAT || reader->left < bytes) {
        return fail_block(reader, "damaged: not a valid quantised block", error);
    }
    coif_quantum *quanta = coif_arena_new(reader->scratch, entry->components, coif_quantum);
    memcpy(quanta, reader->packed, bytes);
    for (uint32_t i = 0; i < entry->components; ++i) {
        const double last = quanta[i].origin + 65535.0 * quanta[i].step;
        if (!(fabs(quanta[i].origin) <= FLT_MAX && quanta[i].step >= 0.0 && last <= FLT_MAX)) {
            return fail_block(reader, "damaged: invalid quantisation range", error);
        }
    }
    reader->quanta = quanta;
    reader->packed += bytes;
    reader->left -= bytes;
    return COIF_OK;
}

static coif_chunk chunk_at(const block_reader *reader, int64_t index)
{
    return (coif_chunk){.entry = reader->entry,
                        .quanta = reader->quanta,
                        .count = coif_chunk_length(reader->entry, index)};
}

// Every chunk must be present with its exact size before memory is allocated for any: a compressed
// chunk takes at least a few bytes, so a small file cannot request much memory.
static coif_status check_chunks(const block_reader *reader, coif_error *error)
{
    const int64_t chunks = coif_pack_chunk_count(reader->entry);
    const char *packed = reader->packed;
    size_t left = reader->left;
    for (int64_t i = 0; i < chunks; ++i) {
        const coif_chunk chunk = chunk_at(reader, i);
        const size_t bytes = coif_chunk_find(&chunk, packed, left);
        if (bytes == 0) {
            return fail_block(reader, "damaged: a compressed chunk does not match the table",
                              error);
        }
        packed += bytes;
        left -= bytes;
    }
    return left == 0
               ? COIF_OK
               : fail_block(reader, "damaged: more compressed bytes than its values need", error);
}

static coif_status decode_chunks(block_reader *reader, char *values, coif_error *error)
{
    const coif_pack_entry *entry = reader->entry;
    const int64_t chunks = coif_pack_chunk_count(entry);
    const size_t element_bytes = entry->components * coif_pack_type_size(entry->type);
    uint64_t *digests = coif_arena_new(reader->scratch, chunks, uint64_t);
    for (int64_t i = 0; i < chunks; ++i) {
        const coif_chunk chunk = chunk_at(reader, i);
        const size_t bytes = coif_chunk_find(&chunk, reader->packed, reader->left);
        if (!coif_chunk_unpack(&chunk, reader->codec, reader->packed, bytes, values)) {
            return fail_block(reader, "damaged: cannot decompress", error);
        }
        digests[i] = coif_hash64(values, (size_t)chunk.count * element_bytes);
        reader->packed += bytes;
        reader->left -= bytes;
        values += (size_t)chunk.count * element_bytes;
    }
    if (coif_hash64(digests, (size_t)chunks * sizeof *digests) != entry->digest) {
        return fail_block(reader, "damaged: digest of the values does not match", error);
    }
    return COIF_OK;
}

static coif_status decode_block(const void **data, block_reader *reader, coif_arena *arena,
                                coif_error *error)
{
    const coif_pack_entry *entry = reader->entry;
    if (coif_hash64(reader->packed, reader->left) != entry->packed_digest) {
        return fail_block(reader, "damaged: digest does not match", error);
    }
    if (!coif_pack_entry_known(entry)) {
        return COIF_OK;
    }
    if (entry->codec == COIF_CODEC_QUANTISED) {
        COIF_TRY(read_range(reader, error));
    }
    COIF_TRY(check_chunks(reader, error));
    char *values = coif_arena_alloc(arena, (size_t)coif_pack_entry_bytes(entry), 1);
    *data = values;
    return decode_chunks(reader, values, error);
}

// Decodes all blocks after header and table were validated.
static coif_status read_blocks(coif_pack *pack, block_reader *reader,
                               const coif_pack_entry *entries, coif_arena *arena, coif_error *error)
{
    const char *packed = reader->packed;
    for (int32_t i = 0; i < pack->block_count; ++i) {
        reader->entry = &entries[i];
        reader->packed = packed;
        reader->left = entries[i].packed_bytes;
        COIF_TRY(decode_block(&pack->blocks[i].data, reader, arena, error));
        packed += entries[i].packed_bytes;
    }
    return COIF_OK;
}

static coif_status check_kind(const coif_pack *pack, coif_pack_kind expected, const char *path,
                              coif_error *error)
{
    if (expected != 0 && pack->kind != expected) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: is %s, expected %s", path,
                         coif_pack_kind_name(pack->kind), coif_pack_kind_name(expected));
    }
    return COIF_OK;
}

// Opens a codec context for the largest chunk and decodes all blocks.
static coif_status read_with_codec(coif_pack *pack, block_reader *reader,
                                   const coif_pack_entry *entries, coif_arena *arena,
                                   coif_error *error)
{
    int64_t largest = 0;
    for (int32_t i = 0; i < pack->block_count; ++i) {
        const int64_t values = coif_chunk_values(entries[i].count, (int32_t)entries[i].components);
        largest = values > largest ? values : largest;
    }
    coif_codec_context codec;
    reader->codec = &codec;
    coif_status status = coif_codec_context_open(&codec, false, largest, reader->scratch, error);
    if (status == COIF_OK) {
        status = read_blocks(pack, reader, entries, arena, error);
    }
    coif_codec_context_close(&codec);
    return status;
}

// The bytes need not be aligned: header and entries are copied out of them.
static coif_status read_all(coif_pack *pack, const coif_bytes *bytes, block_reader *reader,
                            coif_arena *arena, coif_error *error)
{
    coif_pack_header header = {0};
    const size_t have = bytes->size < sizeof header ? bytes->size : sizeof header;
    if (have > 0) {
        memcpy(&header, bytes->data, have);
    }
    COIF_TRY(coif_pack_check_header(&header, have, bytes->size, bytes->name, error));

    const char *table = (const char *)bytes->data + sizeof header;
    const size_t table_bytes = header.block_count * sizeof(coif_pack_entry);
    coif_pack_entry *entries = coif_arena_new(reader->scratch, header.block_count, coif_pack_entry);
    memcpy(entries, table, table_bytes);
    COIF_TRY(coif_pack_check_table(&header, entries, bytes->size, bytes->name, error));

    coif_pack_describe(pack, &header, entries, arena);
    reader->packed = table + table_bytes;
    return read_with_codec(pack, reader, entries, arena, error);
}

coif_status coif_pack_read(coif_pack *pack, const coif_bytes *bytes, coif_pack_kind expected,
                           coif_arena *arena, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "pack decoder");
    block_reader reader = {.path = bytes->name, .scratch = &scratch};
    COIF_TRY(read_all(pack, bytes, &reader, arena, error));
    return check_kind(pack, expected, bytes->name, error);
}

static coif_status read_table(coif_pack *pack, coif_file *file, coif_arena *arena,
                              coif_error *error)
{
    coif_pack_header header = {0};
    const size_t have = file->size < sizeof header ? (size_t)file->size : sizeof header;
    COIF_TRY(coif_file_read(file, &header, have, error));
    COIF_TRY(coif_pack_check_header(&header, have, file->size, file->path, error));

    coif_pack_entry *entries = coif_arena_new(arena, header.block_count, coif_pack_entry);
    COIF_TRY(coif_file_read(file, entries, header.block_count * sizeof *entries, error));
    COIF_TRY(coif_pack_check_table(&header, entries, file->size, file->path, error));
    coif_pack_describe(pack, &header, entries, arena);
    return COIF_OK;
}

coif_status coif_pack_peek(coif_pack *pack, const char *path, coif_arena *arena, coif_error *error)
{
    coif_file file;
    COIF_TRY(coif_file_open(&file, path, COIF_FILE_READ, error));
    const coif_status status = read_table(pack, &file, arena, error);
    coif_file_close(&file);
    return status;
}

// Peeks first, so that a large file of another kind is rejected without reading it.
static coif_status load_bytes(coif_bytes *bytes, const char *path, coif_pack_kind expected,
                              coif_arena *arena, coif_error *error)
{
    coif_pack pack;
    COIF_TRY(coif_pack_peek(&pack, path, arena, error));
    COIF_TRY(check_kind(&pack, expected, path, error));
    char *data;
    COIF_TRY(coif_file_load(&data, &bytes->size, path, arena, error));
    bytes->name = path;
    bytes->data = data;
    return COIF_OK;
}

coif_status coif_pack_load(coif_pack *pack, const char *path, coif_pack_kind expected,
                           coif_arena *arena, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "packed file");
    coif_bytes bytes;
    COIF_TRY(load_bytes(&bytes, path, expected, &scratch, error));
    return coif_pack_read(pack, &bytes, expected, arena, error);
}
