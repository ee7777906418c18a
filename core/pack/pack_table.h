// pack_table: header and table of a pack as they stand in the file, and the checks that make their
// numbers safe to believe. For pack.c only.
#ifndef COIF_CORE_PACK_PACK_TABLE_H
#define COIF_CORE_PACK_PACK_TABLE_H

#include "core/pack/pack.h"

#include <assert.h>

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "packs are little endian and go to disk as they are in memory"
#endif

typedef struct coif_pack_header {
    char magic[8];
    uint64_t seal; // digest of everything behind it up to the end of the table
    uint32_t version;
    uint32_t kind;
    uint32_t block_count;
    uint32_t reserved; // written 0, not looked at
    uint64_t file_bytes;
    uint64_t digest; // of the content, see coif_pack_content_digest
    uint64_t reserved_too[2];
} coif_pack_header;

typedef struct coif_pack_entry {
    char name[16]; // padded with zeros
    uint16_t type;
    uint16_t codec;
    uint32_t components;
    int64_t count;
    uint64_t packed_bytes;
    uint64_t packed_digest; // of the bytes in the file
    uint64_t digest;        // of the list of digests of the chunks of unpacked values
    uint64_t reserved;      // written 0, not looked at
} coif_pack_entry;

static_assert(sizeof(coif_pack_header) == 64, "the header goes to disk as it is");
static_assert(sizeof(coif_pack_entry) == 64, "rows go to disk as they are");

// Values are packed in chunks of at most this many, each on its own: work for several threads, and
// a plane of bytes fills exactly one block of zstd.
#define COIF_PACK_CHUNK_VALUES 131072

// Elements in a whole chunk.
int64_t coif_pack_chunk_elements(int32_t components);
int64_t coif_pack_chunk_count(const coif_pack_entry *row);

// Bytes of the unpacked block; only for rows that were checked.
int64_t coif_pack_entry_bytes(const coif_pack_entry *row);

// Whether this build can unpack it.
bool coif_pack_entry_known(const coif_pack_entry *row);

uint64_t coif_pack_seal(const coif_pack_header *header, const coif_pack_entry *rows);

// A header for these blocks, before sizes and digests are known.
coif_pack_header coif_pack_header_of(const coif_pack *pack);

// The digest of kind and rows without what depends on codecs, and without "metadata".
uint64_t coif_pack_content_digest(const coif_pack_header *header, const coif_pack_entry *rows);

// Size is the length of the file; have is how many bytes of the header were there to be read.
coif_status coif_pack_check_header(const coif_pack_header *header, size_t have, uint64_t size,
                                   const char *path, coif_error *error);

// After check_header, with all rows read: afterwards every size in them lies in the file.
coif_status coif_pack_check_table(const coif_pack_header *header, const coif_pack_entry *rows,
                                  uint64_t size, const char *path, coif_error *error);

// A description in arena of what was checked; no block has data yet.
void coif_pack_describe(coif_pack *pack, const coif_pack_header *header,
                        const coif_pack_entry *rows, coif_arena *arena);

#endif
