// pack_chunk: values to packed bytes and back, one chunk of a block at a time. For pack_write.c and
// pack_read.c; implemented in pack.c.
#ifndef COIF_CORE_PACK_PACK_CODEC_H
#define COIF_CORE_PACK_PACK_CODEC_H

#include "core/pack/pack_filter.h"
#include "core/pack/pack_table.h"

// What one thread packs or unpacks with: zstd's memory and room for one chunk in each stage.
typedef struct coif_codec_context {
    void *packer, *unpacker; // one of them
    void *values, *steps, *planes;
} coif_codec_context;

// Values is how many the largest chunk has, see coif_chunk_values.
coif_status coif_codec_context_open(coif_codec_context *bench, bool packs, int64_t values,
                                    coif_arena *arena, coif_error *error);
void coif_codec_context_close(coif_codec_context *bench);

// Values in the first, largest chunk of so many elements.
int64_t coif_chunk_values(int64_t count, int32_t components);

// Elements of a chunk; the last one is shorter.
int64_t coif_chunk_length(const coif_pack_entry *row, int64_t chunk);

// The most bytes a chunk of this block can take when packed.
size_t coif_chunk_bound(const coif_pack_entry *row);

// Count elements; quanta only for a quantised block. Digest is that of the values as they will be
// read back. Returns the bytes used in packed, which has room for coif_chunk_bound; 0 when zstd had
// no memory.
typedef struct coif_chunk {
    const coif_pack_entry *row;
    const coif_quantum *quanta;
    int64_t count;
} coif_chunk;
size_t coif_chunk_pack(const coif_chunk *chunk, const coif_codec_context *bench, const void *values,
                       char *packed, uint64_t *digest);

// The bytes of the chunk that packed begins with, 0 unless left holds a whole one of that length.
size_t coif_chunk_find(const coif_chunk *chunk, const char *packed, size_t left);

// Unpacks what coif_chunk_find measured. False when it is damaged.
bool coif_chunk_unpack(const coif_chunk *chunk, const coif_codec_context *bench, const char *packed,
                       size_t bytes, void *values);

#endif
