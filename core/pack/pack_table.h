// Header and table of a pack file: their layout on disk and their validation. Private to core/pack.
#ifndef COIF_CORE_PACK_PACK_TABLE_H
#define COIF_CORE_PACK_PACK_TABLE_H

#include "core/pack/pack.h"

#include <assert.h>

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "packs are little endian: structs are written as in memory"
#endif

typedef struct coif_pack_header {
    char magic[8];
    uint64_t table_digest; // of the rest of the header and the table
    uint32_t version;
    uint32_t kind;
    uint32_t block_count;
    uint32_t reserved; // written 0, ignored
    uint64_t file_bytes;
    uint64_t digest; // of the content, see coif_pack_content_digest
    uint64_t reserved_2[2];
} coif_pack_header;

typedef struct coif_pack_entry {
    char name[16]; // padded with zeros
    uint16_t type;
    uint16_t codec;
    uint32_t components;
    int64_t count;
    uint64_t packed_bytes;
    uint64_t packed_digest; // of the bytes in the file
    uint64_t digest;        // hash of the hashes of the decoded chunks
    uint64_t reserved;      // written 0, ignored
} coif_pack_entry;

static_assert(sizeof(coif_pack_header) == 64, "the header is written as in memory");
static_assert(sizeof(coif_pack_entry) == 64, "entries are written as in memory");

// Maximum number of values in a chunk. Chunks are independent (parallel compression), and a byte
// plane of this size fills exactly one zstd block.
#define COIF_PACK_CHUNK_VALUES 131072

// Number of elements in a full chunk.
int64_t coif_pack_chunk_elements(int32_t components);
int64_t coif_pack_chunk_count(const coif_pack_entry *entry);

// Decoded size of a block in bytes; only for validated entries.
int64_t coif_pack_entry_bytes(const coif_pack_entry *entry);

// Whether this version can decode the block.
bool coif_pack_entry_known(const coif_pack_entry *entry);

// The digest stored as table_digest.
uint64_t coif_pack_table_digest(const coif_pack_header *header, const coif_pack_entry *entries);

// A header for the blocks of pack; sizes and digests are filled in later.
coif_pack_header coif_pack_header_of(const coif_pack *pack);

// Digest of kind and decoded blocks, independent of codecs and without "metadata".
uint64_t coif_pack_content_digest(const coif_pack_header *header, const coif_pack_entry *entries);

// Size is the file size; have is the number of header bytes that were read.
coif_status coif_pack_check_header(const coif_pack_header *header, size_t have, uint64_t size,
                                   const char *path, coif_error *error);

// Validates the table after check_header: on success all sizes lie within the file.
coif_status coif_pack_check_table(const coif_pack_header *header, const coif_pack_entry *entries,
                                  uint64_t size, const char *path, coif_error *error);

// Fills pack from validated header and table, allocated in arena; no block has data yet.
void coif_pack_describe(coif_pack *pack, const coif_pack_header *header,
                        const coif_pack_entry *entries, coif_arena *arena);

#endif
