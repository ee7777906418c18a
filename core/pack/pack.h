// pack: a file of named, compressed, digested blocks. Grooms, strand frames, solver states and
// render checkpoints are all packs, so one reader guards them all and `coif info` explains them
// all.
//
// On disk, little endian: a 64-byte header, a table of 64-byte rows, then the packed blocks one
// after another (byte by byte in core/README.md). The header seals itself and the table, each row
// seals its packed bytes, so no bit of a file can change unnoticed. No clock, no host name, no
// path: equal content gives equal bytes.
//
// What later versions may do: new blocks, new metadata keys, new kinds, types and codecs need no
// new format version; a reader leaves alone what it does not look for, and says so when it needs a
// block whose codec it does not know. The version rises only when header or table change shape.
#ifndef COIF_CORE_PACK_PACK_H
#define COIF_CORE_PACK_PACK_H

#include "core/base/fs.h"

// The format version written, and the highest one read.
#define COIF_PACK_VERSION 1

// Longest name of a block.
#define COIF_PACK_NAME 15

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
    COIF_CODEC_LOSSLESS = 2, // difference to the straight continuation, byte planes, zstd; exact
    COIF_CODEC_QUANTISED = 3 // floats in 16-bit steps of the range of each component over the
                             // block, then as LOSSLESS: off by at most half a step, range / 131070
                             // (and the rounding to float); finite values only
} coif_pack_codec;

typedef struct coif_pack_block {
    const char *name; // at most COIF_PACK_NAME characters, unique in its file
    coif_pack_type type;
    int32_t components;    // 3 for a vector: consecutive elements of one component are differenced
    coif_pack_codec codec; // what does not get smaller is stored RAW
    int64_t count;         // elements of `components` values each
    const void *data;      // write: what to store; read: where it was unpacked, else NULL
    int64_t stride;        // write: bytes from one element to the next, 0 when they touch
    int64_t packed_bytes;  // read: in the file
} coif_pack_block;

typedef struct coif_pack {
    coif_pack_kind kind;
    uint64_t digest; // of every block but "metadata", whatever the codec; read: verified
    int32_t block_count;
    coif_pack_block *blocks;
    int32_t version;    // read
    int64_t file_bytes; // read
    coif_jobs *jobs;    // write: packs in parallel, same bytes; may be NULL
} coif_pack;

// Writes through a temporary name; fills digest.
coif_status coif_pack_save(coif_pack *pack, const char *path, coif_error *error);

// Reads and verifies a whole file of the wanted kind (0: any). A truncated, altered or foreign file
// is COIF_ERR_FORMAT with the reason, and no size in it is believed before it is checked. Blocks of
// a type or codec this build does not know keep data NULL.
coif_status coif_pack_load(coif_pack *pack, const char *path, coif_pack_kind wanted,
                           coif_arena *arena, coif_error *error);
coif_status coif_pack_read(coif_pack *pack, const coif_bytes *bytes, coif_pack_kind wanted,
                           coif_arena *arena, coif_error *error);

// Reads and verifies header and table only: cheap, for `coif info` and for "what is this". Damage
// inside the blocks goes unnoticed; no block has data.
coif_status coif_pack_peek(coif_pack *pack, const char *path, coif_arena *arena, coif_error *error);

// The digest that saving would give. QUANTISED blocks count with the values read back.
coif_status coif_pack_digest(coif_pack *pack, coif_error *error);

// The unpacked block of that name, type and components, or NULL.
const coif_pack_block *coif_pack_find(const coif_pack *pack, const char *name, coif_pack_type type,
                                      int32_t components);

// As find, but its absence, another type or a count other than wanted (below 0: any) is an error
// naming path.
coif_status coif_pack_need(const coif_pack_block **block, const coif_pack *pack, const char *path,
                           const coif_pack_block *wanted, coif_error *error);

// As need, but a file without a block of that name is fine and gives NULL.
coif_status coif_pack_accept(const coif_pack_block **block, const coif_pack *pack, const char *path,
                             const coif_pack_block *wanted, coif_error *error);

// As need for each of the wanted blocks, whose data is where the values are to go, stride apart:
// the list that was saved, with room behind its pointers, is also the list to load.
coif_status coif_pack_copy(const coif_pack *pack, const char *path, const coif_pack_block *wanted,
                           int32_t wanted_count, coif_error *error);

// "metadata" blocks hold lines of key=value: who made this, from what. "" when there is none.
const char *coif_pack_metadata(const coif_pack *pack, const char *name, coif_arena *arena);

// The value of a key in lines of key=value, NULL when absent.
char *coif_metadata_value(const char *lines, const char *key, coif_arena *arena);

// "a groom", "strands of a frame", ...; "float", ...; "lossless", ...
const char *coif_pack_kind_name(coif_pack_kind kind);
const char *coif_pack_type_name(coif_pack_type type);
const char *coif_pack_codec_name(coif_pack_codec codec);

// Bytes of one value; 0 for a type this build does not know.
size_t coif_pack_type_size(coif_pack_type type);

#endif
