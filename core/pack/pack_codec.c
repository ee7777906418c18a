// Block codecs on top of zstd (its only user).
//
// A block is split into chunks of COIF_PACK_CHUNK_VALUES values; each is filtered and compressed to
// one zstd frame with stored content size. Chunks are independent, so they are compressed in
// parallel and the bytes do not depend on the number of threads.
#include "core/pack/pack_codec.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/hash64.h"

#include <string.h>
#include <zstd.h>

// Filtered values have few repetitions, only a skewed byte distribution (entropy coding does the
// work). Measured on hair: long matches in a small table compress as well as level 3 (0.645 of the
// floats) and run four times as fast.
static bool set_plane_parameters(ZSTD_CCtx *compressor)
{
    const struct {
        ZSTD_cParameter name;
        int value;
    } settings[] = {{ZSTD_c_compressionLevel, 1},
                    {ZSTD_c_strategy, ZSTD_fast},
                    {ZSTD_c_minMatch, 7},
                    {ZSTD_c_hashLog, 10}};
    bool set = compressor != NULL;
    for (size_t i = 0; i < COIF_COUNT_OF(settings) && set; ++i) {
        set =
            !ZSTD_isError(ZSTD_CCtx_setParameter(compressor, settings[i].name, settings[i].value));
    }
    return set;
}

// Compression level of unfiltered blocks.
enum { UNFILTERED_LEVEL = 3 };

coif_status coif_codec_context_open(coif_codec_context *context, bool encode, int64_t values,
                                    coif_arena *arena, coif_error *error)
{
    *context = (coif_codec_context){
        .compressor = encode ? ZSTD_createCCtx() : NULL,
        .decompressor = encode ? NULL : ZSTD_createDCtx(),
        .values = encode ? coif_arena_alloc(arena, (size_t)values, sizeof(double)) : NULL,
        .steps = coif_arena_alloc(arena, (size_t)values, sizeof(uint16_t)),
        .planes = coif_arena_alloc(arena, (size_t)values, sizeof(double)),
    };
    if (encode ? !set_plane_parameters(context->compressor) : context->decompressor == NULL) {
        return coif_fail(error, COIF_ERR_MEMORY, "out of memory: cannot create a zstd context");
    }
    return COIF_OK;
}

void coif_codec_context_close(coif_codec_context *context)
{
    ZSTD_freeCCtx(context->compressor);
    ZSTD_freeDCtx(context->decompressor);
    *context = (coif_codec_context){0};
}

int64_t coif_chunk_values(int64_t count, int32_t components)
{
    const int64_t elements = coif_pack_chunk_elements(components);
    return (count < elements ? count : elements) * components;
}

int64_t coif_chunk_length(const coif_pack_entry *entry, int64_t chunk)
{
    const int64_t elements = coif_pack_chunk_elements((int32_t)entry->components);
    const int64_t left = entry->count - chunk * elements;
    return left < elements ? left : elements;
}

static coif_byte_filter filter_of(const coif_pack_entry *entry)
{
    const bool quantised = entry->codec == COIF_CODEC_QUANTISED;
    const bool floats = entry->type == COIF_PACK_FLOAT || entry->type == COIF_PACK_DOUBLE;
    return (coif_byte_filter){
        .components = (int32_t)entry->components,
        .word = quantised ? 2 : (int32_t)coif_pack_type_size(entry->type),
        .sign_magnitude = floats && !quantised,
    };
}

// Uncompressed bytes of a chunk as passed to zstd.
static size_t filtered_bytes(const coif_chunk *chunk)
{
    const coif_byte_filter filter = filter_of(chunk->entry);
    return (size_t)(chunk->count * filter.components * filter.word);
}

size_t coif_chunk_bound(const coif_pack_entry *entry)
{
    const coif_chunk first = {.entry = entry, .count = coif_chunk_length(entry, 0)};
    const size_t bytes = filtered_bytes(&first);
    return entry->codec == COIF_CODEC_RAW ? bytes : ZSTD_compressBound(bytes);
}

size_t coif_chunk_pack(const coif_chunk *chunk, const coif_codec_context *context,
                       const void *values, char *packed, uint64_t *digest)
{
    const coif_pack_entry *entry = chunk->entry;
    const coif_byte_filter filter = filter_of(entry);
    const size_t value_bytes = entry->components * coif_pack_type_size(entry->type);
    const void *filtered = values;

    if (entry->codec == COIF_CODEC_QUANTISED) {
        coif_quantise(context->steps, chunk->quanta, filter.components, values, chunk->count);
        coif_dequantise(context->values, chunk->quanta, filter.components, context->steps,
                        chunk->count);
        filtered = context->steps;
        values = context->values;
    }
    *digest = coif_hash64(values, (size_t)chunk->count * value_bytes);
    if (entry->codec == COIF_CODEC_RAW) {
        memcpy(packed, filtered, filtered_bytes(chunk));
        return filtered_bytes(chunk);
    }
    size_t size;
    if (entry->codec == COIF_CODEC_ZSTD) {
        size = ZSTD_compressCCtx(context->compressor, packed, coif_chunk_bound(entry), filtered,
                                 filtered_bytes(chunk), UNFILTERED_LEVEL);
    } else {
        coif_byte_filter_apply(&filter, filtered, chunk->count, context->planes);
        size = ZSTD_compress2(context->compressor, packed, coif_chunk_bound(entry), context->planes,
                              filtered_bytes(chunk));
    }
    return ZSTD_isError(size) ? 0 : size;
}

size_t coif_chunk_find(const coif_chunk *chunk, const char *packed, size_t left)
{
    const size_t bytes = filtered_bytes(chunk);
    if (chunk->entry->codec == COIF_CODEC_RAW) {
        return bytes <= left ? bytes : 0;
    }
    const size_t size = ZSTD_findFrameCompressedSize(packed, left);
    const bool whole = !ZSTD_isError(size) && ZSTD_getFrameContentSize(packed, left) == bytes;
    return whole ? size : 0;
}

bool coif_chunk_unpack(const coif_chunk *chunk, const coif_codec_context *context,
                       const char *packed, size_t bytes, void *values)
{
    const coif_pack_codec codec = (coif_pack_codec)chunk->entry->codec;
    if (codec == COIF_CODEC_RAW) {
        memcpy(values, packed, bytes);
        return true;
    }
    const coif_byte_filter filter = filter_of(chunk->entry);
    const size_t expected = filtered_bytes(chunk);
    void *filtered = codec == COIF_CODEC_ZSTD ? values : context->planes;
    if (ZSTD_decompressDCtx(context->decompressor, filtered, expected, packed, bytes) != expected) {
        return false;
    }
    if (codec == COIF_CODEC_LOSSLESS) {
        coif_byte_filter_undo(&filter, filtered, chunk->count, values);
    } else if (codec == COIF_CODEC_QUANTISED) {
        coif_byte_filter_undo(&filter, filtered, chunk->count, context->steps);
        coif_dequantise(values, chunk->quanta, filter.components, context->steps, chunk->count);
    }
    return true;
}
