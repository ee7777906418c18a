// pack: a file of named, compressed, digested blocks. Grooms, strand frames, solver states and
// render checkpoints are all packs, so one reader guards them all and `coif info` explains them
// all.
//
// On disk, little endian: a 64-byte header (magic "COIFPACK", format version, kind, block count,
// digest of everything behind the header), a table of 64-byte rows (name, element type, components,
// codec, count, packed bytes, digest of the unpacked bytes), then the packed blocks one after
// another. No clock, no host name, no path: equal content gives equal bytes.
#ifndef COIF_CORE_PACK_H
#define COIF_CORE_PACK_H

#include "core/base.h"

typedef enum coif_pack_kind {
    COIF_PACK_GROOM = 1,
    COIF_PACK_STRANDS = 2,
    COIF_PACK_STATE = 3,
    COIF_PACK_CHECKPOINT = 4
} coif_pack_kind;

typedef enum coif_pack_type {
    COIF_PACK_BYTE = 1,
    COIF_PACK_INT32 = 2,
    COIF_PACK_FLOAT = 3,
    COIF_PACK_DOUBLE = 4,
    COIF_PACK_INT64 = 5
} coif_pack_type;

typedef enum coif_pack_codec {
    COIF_CODEC_RAW = 0,      // the bytes as they are
    COIF_CODEC_ZSTD = 1,     // zstd of the bytes
    COIF_CODEC_LOSSLESS = 2, // difference to the element before, byte planes, zstd; exact
    COIF_CODEC_QUANTISED = 3 // 16-bit steps of the block's range per component, then as LOSSLESS
} coif_pack_codec;

typedef struct coif_pack_block {
    const char *name; // at most 15 characters, unique in its file
    coif_pack_type type;
    int32_t components; // 3 for a vector: consecutive elements of one component are differenced
    coif_pack_codec codec;
    int64_t count;    // elements of `components` values each
    const void *data; // write: what to store; read: where it was unpacked
} coif_pack_block;

typedef struct coif_pack {
    coif_pack_kind kind;
    uint64_t digest; // of the stored content; read: verified
    int32_t block_count;
    coif_pack_block *blocks;
} coif_pack;

// Writes through a temporary name; fills digest.
coif_status coif_pack_save(coif_pack *pack, const char *path, coif_error *error);

// Reads and verifies a whole file of the wanted kind (0: any). A truncated, altered or foreign file
// is COIF_ERR_FORMAT with the reason, and no size in it is believed before it is checked.
coif_status coif_pack_load(coif_pack *pack, const char *path, coif_pack_kind wanted,
                           coif_arena *arena, coif_error *error);

// Reads header and table only: cheap, for `coif info` and for "is this frame already done".
coif_status coif_pack_peek(coif_pack *pack, const char *path, coif_arena *arena, coif_error *error);

// The block of that name, type and components, or NULL.
const coif_pack_block *coif_pack_find(const coif_pack *pack, const char *name, coif_pack_type type,
                                      int32_t components);

// As find, but its absence or a count other than wanted (below 0: any) is an error naming path.
coif_status coif_pack_need(const coif_pack_block **block, const coif_pack *pack, const char *path,
                           const coif_pack_block *wanted, coif_error *error);

// "metadata" blocks hold lines of key=value: who made this, from what.
const char *coif_pack_text(const coif_pack *pack, const char *name, coif_arena *arena);

#endif
