// sealed_pack: corrects the digests of a pack, so that mutations reach the readers behind them.
#ifndef COIF_TESTS_FUZZ_SEALED_PACK_H
#define COIF_TESTS_FUZZ_SEALED_PACK_H

#include "core/base/arena.h"
#include "core/base/hash64.h"
#include "core/pack/pack_table.h"

#include <string.h>

// What the values of a block stored as they are digest to; others keep what they say.
static inline void sealed_pack_entry(coif_pack_entry *row, const char *packed, coif_arena *arena)
{
    row->packed_digest = coif_hash64(packed, row->packed_bytes);
    const size_t word = coif_pack_type_size(row->type);
    if (row->codec != COIF_CODEC_RAW || word == 0 || row->components < 1 ||
        row->components > 65536 || row->count < 0 ||
        (uint64_t)row->count > row->packed_bytes / row->components / word) {
        return;
    }
    const size_t chunks = (size_t)coif_pack_chunk_count(row);
    const size_t elements = (size_t)coif_pack_chunk_elements((int32_t)row->components);
    uint64_t *digests = coif_arena_new(arena, chunks, uint64_t);
    for (size_t i = 0; i < chunks; ++i) {
        const size_t left = (size_t)row->count - i * elements;
        const size_t bytes = row->components * word;
        digests[i] =
            coif_hash64(packed + i * elements * bytes, (left < elements ? left : elements) * bytes);
    }
    row->digest = coif_hash64(digests, chunks * sizeof *digests);
}

// A copy of the pack whose digests are those of its bytes; NULL when it has no complete table.
static inline char *sealed_pack(const void *data, size_t size, coif_arena *arena)
{
    coif_pack_header header;
    if (size < sizeof header) {
        return NULL;
    }
    char *copy = memcpy(coif_arena_alloc(arena, size, 1), data, size);
    memcpy(&header, data, sizeof header);
    size_t offset = sizeof header + (size_t)header.block_count * sizeof(coif_pack_entry);
    if (offset > size) {
        return NULL;
    }
    coif_pack_entry *rows = coif_arena_new(arena, header.block_count, coif_pack_entry);
    memcpy(rows, copy + sizeof header, header.block_count * sizeof *rows);
    for (uint32_t i = 0; i < header.block_count && rows[i].packed_bytes <= size - offset; ++i) {
        rows[i].name[15] = '\0';
        sealed_pack_entry(&rows[i], copy + offset, arena);
        offset += rows[i].packed_bytes;
    }
    header.file_bytes = size;
    header.digest = coif_pack_content_digest(&header, rows);
    header.table_digest = coif_pack_table_digest(&header, rows);
    memcpy(copy, &header, sizeof header);
    memcpy(copy + sizeof header, rows, header.block_count * sizeof *rows);
    return copy;
}

#endif
