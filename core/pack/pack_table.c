#include "core/pack/pack_table.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/hash64.h"

#include <stdio.h>
#include <string.h>

static const char MAGIC[8] = {'C', 'O', 'I', 'F', 'P', 'A', 'C', 'K'};

// More than any file of ours has; keeps products of believed numbers far from overflow.
static const uint32_t MOST_BLOCKS = 4096;
static const uint32_t MOST_COMPONENTS = 65536;
static const int64_t MOST_BYTES = (int64_t)64 << 30;

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
    }
    return "of a kind this coif does not know";
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

int64_t coif_pack_chunk_count(const coif_pack_entry *row)
{
    const int64_t elements = coif_pack_chunk_elements((int32_t)row->components);
    return (row->count + elements - 1) / elements;
}

int64_t coif_pack_entry_bytes(const coif_pack_entry *row)
{
    return row->count * row->components * (int64_t)coif_pack_type_size(row->type);
}

bool coif_pack_entry_known(const coif_pack_entry *row)
{
    return coif_pack_type_size(row->type) > 0 && row->codec <= COIF_CODEC_QUANTISED;
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

uint64_t coif_pack_seal(const coif_pack_header *header, const coif_pack_entry *rows)
{
    // Header and table touch in the file, but a digest of two digests spares a copy here.
    const char *begin = (const char *)&header->version;
    const size_t bytes = sizeof *header - offsetof(coif_pack_header, version);
    const uint64_t parts[2] = {coif_hash64(begin, bytes),
                               coif_hash64(rows, header->block_count * sizeof *rows)};
    return coif_hash64(parts, sizeof parts);
}

// What a block is, whatever way it was packed.
typedef struct identity {
    char name[16];
    uint32_t type;
    uint32_t components;
    int64_t count;
    uint64_t digest;
} identity;

static_assert(sizeof(identity) == 40, "goes into a digest as it is");

uint64_t coif_pack_content_digest(const coif_pack_header *header, const coif_pack_entry *rows)
{
    const uint64_t kind = header->kind;
    uint64_t digest = coif_hash64(&kind, sizeof kind);
    for (uint32_t i = 0; i < header->block_count; ++i) {
        identity block = {.type = rows[i].type,
                          .components = rows[i].components,
                          .count = rows[i].count,
                          .digest = rows[i].digest};
        memcpy(block.name, rows[i].name, sizeof block.name);
        if (strcmp(block.name, "metadata") != 0) {
            const uint64_t parts[2] = {digest, coif_hash64(&block, sizeof block)};
            digest = coif_hash64(parts, sizeof parts);
        }
    }
    return digest;
}

static coif_status fail_foreign(const char *bytes, size_t have, const char *path, coif_error *error)
{
    char start[4 * sizeof MAGIC + 1] = "";
    size_t used = 0;
    for (size_t i = 0; i < have && i < sizeof MAGIC; ++i) {
        const unsigned char c = (unsigned char)bytes[i];
        const bool plain = c >= ' ' && c < 127;
        used += (size_t)snprintf(start + used, sizeof start - used, plain ? "%c" : "\\x%02x", c);
    }
    return coif_fail(error, COIF_ERR_FORMAT, "%s: not a coif file: starts with \"%s\"", path,
                     start);
}

coif_status coif_pack_check_header(const coif_pack_header *header, size_t have, uint64_t size,
                                   const char *path, coif_error *error)
{
    if (have == 0) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: is empty", path);
    }
    if (memcmp(header->magic, MAGIC, have < sizeof MAGIC ? have : sizeof MAGIC) != 0) {
        return fail_foreign(header->magic, have, path, error);
    }
    if (have < sizeof *header) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: ends early: %zu bytes, the header alone is %zu", path, have,
                         sizeof *header);
    }
    if (header->version > COIF_PACK_VERSION) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: made by a newer coif: version %u, this one reads up to %u", path,
                         header->version, COIF_PACK_VERSION);
    }
    if (header->version == 0 || header->block_count > MOST_BLOCKS) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: header is damaged: version %u, %u blocks",
                         path, header->version, header->block_count);
    }
    const uint64_t table_end = sizeof *header + header->block_count * sizeof(coif_pack_entry);
    if (size < table_end) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: ends early: %llu of %llu bytes", path,
                         (unsigned long long)size, (unsigned long long)header->file_bytes);
    }
    return COIF_OK;
}

// Names are printed and compared: nothing but visible characters, and an end.
static bool name_is_plain(const char name[16])
{
    size_t length = 0;
    while (length < 16 && name[length] > ' ' && name[length] < 127) {
        ++length;
    }
    return length > 0 && length < 16 && name[length] == '\0';
}

static coif_status check_row(const coif_pack_entry *row, const char *path, coif_error *error)
{
    if (!name_is_plain(row->name)) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: a block has no proper name", path);
    }
    if (row->components < 1 || row->components > MOST_COMPONENTS || row->count < 0 ||
        row->count > MOST_BYTES / row->components / 8) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: block %s: %lld elements of %u values", path,
                         row->name, (long long)row->count, row->components);
    }
    return COIF_OK;
}

static bool name_is_new(const coif_pack_entry *rows, uint32_t index)
{
    for (uint32_t i = 0; i < index; ++i) {
        if (strcmp(rows[i].name, rows[index].name) == 0) {
            return false;
        }
    }
    return true;
}

coif_status coif_pack_check_table(const coif_pack_header *header, const coif_pack_entry *rows,
                                  uint64_t size, const char *path, coif_error *error)
{
    if (coif_pack_seal(header, rows) != header->seal) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: header or table: digest does not match",
                         path);
    }
    if (size < header->file_bytes) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: ends early: %llu of %llu bytes", path,
                         (unsigned long long)size, (unsigned long long)header->file_bytes);
    }
    if (size > header->file_bytes) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: goes on behind its end: %llu bytes, wanted %llu", path,
                         (unsigned long long)size, (unsigned long long)header->file_bytes);
    }
    uint64_t left = size - sizeof *header - header->block_count * sizeof *rows;
    int64_t total = 0;
    for (uint32_t i = 0; i < header->block_count; ++i) {
        COIF_TRY(check_row(&rows[i], path, error));
        total += coif_pack_entry_bytes(&rows[i]);
        if (rows[i].packed_bytes > left || total > MOST_BYTES) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: block %s: %llu packed bytes, %llu left",
                             path, rows[i].name, (unsigned long long)rows[i].packed_bytes,
                             (unsigned long long)left);
        }
        if (!name_is_new(rows, i)) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: two blocks %s", path, rows[i].name);
        }
        left -= rows[i].packed_bytes;
    }
    if (left > 0 || coif_pack_content_digest(header, rows) != header->digest) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: table and header do not agree", path);
    }
    return COIF_OK;
}

void coif_pack_describe(coif_pack *pack, const coif_pack_header *header,
                        const coif_pack_entry *rows, coif_arena *arena)
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
            .name = coif_arena_copy_text(arena, rows[i].name),
            .type = (coif_pack_type)rows[i].type,
            .components = (int32_t)rows[i].components,
            .codec = (coif_pack_codec)rows[i].codec,
            .count = rows[i].count,
            .packed_bytes = (int64_t)rows[i].packed_bytes,
        };
    }
}
