// Header and table of a pack file.
#include "core/pack/pack_table.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/hash64.h"

#include <stdio.h>
#include <string.h>

static const char MAGIC[8] = {'C', 'O', 'I', 'F', 'P', 'A', 'C', 'K'};

// Limits far above real files; they keep products of file sizes from overflowing.
static const uint32_t MAX_BLOCKS = 4096;
static const uint32_t MAX_COMPONENTS = 65536;
static const int64_t MAX_BYTES = (int64_t)64 << 30;

size_t coif_pack_type_size(coif_pack_type type)
{
    switch (type) {
    case COIF_PACK_BYTE:
        return 1;
    case COIF_PACK_INT32:
    case COIF_PACK_FLOAT:
        return 4;
    case COIF_PACK_DOUBLE:
    case COIF_PACK_INT64:
        return 8;
    }
    return 0;
}

const char *coif_pack_kind_name(coif_pack_kind kind)
{
    switch (kind) {
    case COIF_PACK_GROOM:
        return "a groom";
    case COIF_PACK_STRANDS:
        return "strands of a frame";
    case COIF_PACK_STATE:
        return "a solver state";
    case COIF_PACK_CHECKPOINT:
        return "a render checkpoint";
    case COIF_PACK_GUIDES:
        return "edited guides";
    case COIF_PACK_DENOISE:
        return "inputs of the denoiser";
    }
    return "a pack of unknown kind";
}

const char *coif_pack_type_name(coif_pack_type type)
{
    static const char *const names[] = {"?", "byte", "int32", "float", "double", "int64"};
    return names[coif_pack_type_size(type) > 0 ? type : 0];
}

const char *coif_pack_codec_name(coif_pack_codec codec)
{
    static const char *const names[] = {"raw", "zstd", "lossless", "quantised"};
    return (unsigned)codec < COIF_COUNT_OF(names) ? names[codec] : "?";
}

int64_t coif_pack_chunk_elements(int32_t components)
{
    return COIF_PACK_CHUNK_VALUES / components > 0 ? COIF_PACK_CHUNK_VALUES / components : 1;
}

int64_t coif_pack_chunk_count(const coif_pack_entry *entry)
{
    const int64_t elements = coif_pack_chunk_elements((int32_t)entry->components);
    return (entry->count + elements - 1) / elements;
}

int64_t coif_pack_entry_bytes(const coif_pack_entry *entry)
{
    return entry->count * entry->components * (int64_t)coif_pack_type_size(entry->type);
}

bool coif_pack_entry_known(const coif_pack_entry *entry)
{
    return coif_pack_type_size(entry->type) > 0 && entry->codec <= COIF_CODEC_QUANTISED;
}

coif_pack_header coif_pack_header_of(const coif_pack *pack)
{
    coif_pack_header header = {
        .version = COIF_PACK_VERSION,
        .kind = (uint32_t)pack->kind,
        .block_count = (uint32_t)pack->block_count,
    };
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    return header;
}

uint64_t coif_pack_table_digest(const coif_pack_header *header, const coif_pack_entry *entries)
{
    // A hash of two hashes, so that header and table need not be contiguous in memory.
    const char *begin = (const char *)&header->version;
    const size_t bytes = sizeof *header - offsetof(coif_pack_header, version);
    const uint64_t parts[2] = {coif_hash64(begin, bytes),
                               coif_hash64(entries, header->block_count * sizeof *entries)};
    return coif_hash64(parts, sizeof parts);
}

// Content of a block independent of its codec, as hashed.
typedef struct identity {
    char name[16];
    uint32_t type;
    uint32_t components;
    int64_t count;
    uint64_t digest;
} identity;

static_assert(sizeof(identity) == 40, "hashed as in memory");

uint64_t coif_pack_content_digest(const coif_pack_header *header, const coif_pack_entry *entries)
{
    const uint64_t kind = header->kind;
    uint64_t digest = coif_hash64(&kind, sizeof kind);
    for (uint32_t i = 0; i < header->block_count; ++i) {
        identity block = {.type = entries[i].type,
                          .components = entries[i].components,
                          .count = entries[i].count,
                          .digest = entries[i].digest};
        memcpy(block.name, entries[i].name, sizeof block.name);
        if (strcmp(block.name, "metadata") != 0) {
            const uint64_t parts[2] = {digest, coif_hash64(&block, sizeof block)};
            digest = coif_hash64(parts, sizeof parts);
        }
    }
    return digest;
}

static coif_status fail_magic(const char *bytes, size_t have, const char *path, coif_error *error)
{
    char start[4 * sizeof MAGIC + 1] = "";
    size_t used = 0;
    for (size_t i = 0; i < have && i < sizeof MAGIC; ++i) {
        const unsigned char c = (unsigned char)bytes[i];
        const bool printable = c >= ' ' && c < 127;
        used +=
            (size_t)snprintf(start + used, sizeof start - used, printable ? "%c" : "\\x%02x", c);
    }
    return coif_fail(error, COIF_ERR_FORMAT,
                     "%s: not a coif file: begins with \"%s\", expected \"COIFPACK\"", path, start);
}

coif_status coif_pack_check_header(const coif_pack_header *header, size_t have, uint64_t size,
                                   const char *path, coif_error *error)
{
    if (have == 0) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: file is empty", path);
    }
    if (memcmp(header->magic, MAGIC, have < sizeof MAGIC ? have : sizeof MAGIC) != 0) {
        return fail_magic(header->magic, have, path, error);
    }
    if (have < sizeof *header) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: truncated: %zu bytes, expected a header of %zu", path, have,
                         sizeof *header);
    }
    if (header->version > COIF_PACK_VERSION) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: written by a newer coif: format version %u, expected at most %u",
                         path, header->version, COIF_PACK_VERSION);
    }
    if (header->version == 0 || header->block_count > MAX_BLOCKS) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: damaged header: version %u, %u blocks", path,
                         header->version, header->block_count);
    }
    const uint64_t table_end = sizeof *header + header->block_count * sizeof(coif_pack_entry);
    if (size < table_end) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: truncated: %llu of %llu bytes", path,
                         (unsigned long long)size, (unsigned long long)header->file_bytes);
    }
    return COIF_OK;
}

// Names are printed and compared: printable ASCII, zero-terminated.
static bool name_is_valid(const char name[16])
{
    size_t length = 0;
    while (length < 16 && name[length] > ' ' && name[length] < 127) {
        ++length;
    }
    return length > 0 && length < 16 && name[length] == '\0';
}

static coif_status check_entry(const coif_pack_entry *entry, const char *path, coif_error *error)
{
    if (!name_is_valid(entry->name)) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: damaged table: invalid block name", path);
    }
    if (entry->components < 1 || entry->components > MAX_COMPONENTS || entry->count < 0 ||
        entry->count > MAX_BYTES / entry->components / 8) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: block %s: invalid size of %lld elements of %u values", path,
                         entry->name, (long long)entry->count, entry->components);
    }
    return COIF_OK;
}

static bool name_is_new(const coif_pack_entry *entries, uint32_t index)
{
    for (uint32_t i = 0; i < index; ++i) {
        if (strcmp(entries[i].name, entries[index].name) == 0) {
            return false;
        }
    }
    return true;
}

coif_status coif_pack_check_table(const coif_pack_header *header, const coif_pack_entry *entries,
                                  uint64_t size, const char *path, coif_error *error)
{
    if (coif_pack_table_digest(header, entries) != header->table_digest) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: damaged: digest of header and table does not match", path);
    }
    if (size < header->file_bytes) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: truncated: %llu of %llu bytes", path,
                         (unsigned long long)size, (unsigned long long)header->file_bytes);
    }
    if (size > header->file_bytes) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: trailing data: %llu bytes, expected %llu",
                         path, (unsigned long long)size, (unsigned long long)header->file_bytes);
    }
    uint64_t left = size - sizeof *header - header->block_count * sizeof *entries;
    int64_t total = 0;
    for (uint32_t i = 0; i < header->block_count; ++i) {
        COIF_TRY(check_entry(&entries[i], path, error));
        total += coif_pack_entry_bytes(&entries[i]);
        if (entries[i].packed_bytes > left || total > MAX_BYTES) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s: block %s: %llu compressed bytes, only %llu left in the file",
                             path, entries[i].name, (unsigned long long)entries[i].packed_bytes,
                             (unsigned long long)left);
        }
        if (!name_is_new(entries, i)) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: damaged table: duplicate block %s", path,
                             entries[i].name);
        }
        left -= entries[i].packed_bytes;
    }
    if (left > 0 || coif_pack_content_digest(header, entries) != header->digest) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: damaged: header does not match the table",
                         path);
    }
    return COIF_OK;
}

void coif_pack_describe(coif_pack *pack, const coif_pack_header *header,
                        const coif_pack_entry *entries, coif_arena *arena)
{
    *pack = (coif_pack){
        .kind = (coif_pack_kind)header->kind,
        .digest = header->digest,
        .block_count = (int32_t)header->block_count,
        .blocks = coif_arena_new(arena, header->block_count, coif_pack_block),
        .version = (int32_t)header->version,
        .file_bytes = (int64_t)header->file_bytes,
    };
    for (uint32_t i = 0; i < header->block_count; ++i) {
        pack->blocks[i] = (coif_pack_block){
            .name = coif_arena_copy_text(arena, entries[i].name),
            .type = (coif_pack_type)entries[i].type,
            .components = (int32_t)entries[i].components,
            .codec = (coif_pack_codec)entries[i].codec,
            .count = entries[i].count,
            .packed_bytes = (int64_t)entries[i].packed_bytes,
        };
    }
}
