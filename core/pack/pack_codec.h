// Block codecs: encodes and decodes one chunk of a block at a time, for pack_write.c and
// pack_read.c.
#ifndef COIF_CORE_PACK_PACK_CODEC_H
#define COIF_CORE_PACK_PACK_CODEC_H

#include "core/pack/pack_table.h"

// Per-thread codec state: the zstd context and one chunk buffer per stage.
typedef struct coif_codec_context {
    void *compressor, *decompressor; // one of them is NULL
    void *values, *steps, *planes;
} coif_codec_context;

// Values is the size of the largest chunk, see coif_chunk_values.
coif_status coif_codec_context_open(coif_codec_context *context, bool encode, int64_t values,
                                    coif_arena *arena, coif_error *error);
void coif_codec_context_close(coif_codec_context *context);

// Range of one component of a quantised block, as stored in the file:
// value = origin + step * q, q in 0 to 65535.
typedef struct coif_quantum {
    double origin, step;
} coif_quantum;

// Sets one quantum per component; stride is in bytes. Returns false when a value is not finite.
bool coif_quantise_range(coif_quantum *quanta, int32_t components, const void *values,
                         int64_t stride, int64_t count);

// Number of values in the first, largest chunk of a block of count elements.
int64_t coif_chunk_values(int64_t count, int32_t components);

// Number of elements in a chunk; the last one is shorter.
int64_t coif_chunk_length(const coif_pack_entry *entry, int64_t chunk);

// Upper bound of the compressed size of a chunk of this block.
size_t coif_chunk_bound(const coif_pack_entry *entry);

// One chunk of count elements; quanta only for quantised blocks.
typedef struct coif_chunk {
    const coif_pack_entry *entry;
    const coif_quantum *quanta;
    int64_t count;
} coif_chunk;

// Compresses values into packed (coif_chunk_bound bytes) and returns the size, 0 when zstd is out
// of memory. Digest is that of the values as they will be decoded.
size_t coif_chunk_pack(const coif_chunk *chunk, const coif_codec_context *context,
                       const void *values, char *packed, uint64_t *digest);

// Compressed size of the chunk at the start of packed, 0 unless left bytes hold a whole valid one.
size_t coif_chunk_find(const coif_chunk *chunk, const char *packed, size_t left);

// Decodes a chunk of the size found by coif_chunk_find. Returns false when it is damaged.
bool coif_chunk_unpack(const coif_chunk *chunk, const coif_codec_context *context,
                       const char *packed, size_t bytes, void *values);

#endif
