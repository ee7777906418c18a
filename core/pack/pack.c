// pack: the codecs. The one door to zstd.
//
// A block is cut into chunks of COIF_PACK_CHUNK_VALUES values; each is filtered and becomes one
// zstd frame of known size. Chunks know nothing of each other, so they can be packed on all threads
// and the bytes do not depend on how many there are.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/hash64.h"
#include "core/pack/pack_codec.h"

#include <string.h>
#include <zstd.h>

// What is left behind the filter has hardly any repetition for zstd to look for, only uneven bytes.
// Measured on hair: looking for long matches in a small table packs as well as level 3 (0.645 of
// the floats) and is four times as fast.
static bool set_for_planes(ZSTD_CCtx *packer)
{
    const struct {
        ZSTD_cParameter name;
        int value;
    } settings[] = {{ZSTD_c_compressionLevel, 1},
                    {ZSTD_c_strategy, ZSTD_fast},
                    {ZSTD_c_minMatch, 7},
                    {ZSTD_c_hashLog, 10}};
    bool set = packer != NULL;
    for (size_t i = 0; i < COIF_COUNT_OF(settings) && set; ++i) {
        set = !ZSTD_isError(ZSTD_CCtx_setParameter(packer, settings[i].name, settings[i].value));
    }
    return set;
}

// For blocks that are not filtered.
enum { PLAIN_LEVEL = 3 };

coif_status coif_codec_context_open(coif_codec_context *bench, bool packs, int64_t values,
                                    coif_arena *arena, coif_error *error)
{
    *bench = (coif_codec_context){
        .packer = packs ? ZSTD_createCCtx() : NULL,
        .unpacker = packs ? NULL : ZSTD_createDCtx(),
        .values = packs ? coif_arena_alloc(arena, (size_t)values, sizeof(double)) : NULL,
        .steps = coif_arena_alloc(arena, (size_t)values, sizeof(uint16_t)),
        .planes = coif_arena_alloc(arena, (size_t)values, sizeof(double)),
    };
    if (packs ? !set_for_planes(bench->packer) : bench->unpacker == NULL) {
        return coif_fail(error, COIF_ERR_MEMORY, "no memory left to pack or unpack with");
    }
    return COIF_OK;
}

void coif_codec_context_close(coif_codec_context *bench)
{
    ZSTD_freeCCtx(bench->packer);
    ZSTD_freeDCtx(bench->unpacker);
    *bench = (coif_codec_context){0};
}

int64_t coif_chunk_values(int64_t count, int32_t components)
{
    const int64_t elements = coif_pack_chunk_elements(components);
    return (count < elements ? count : elements) * components;
}

int64_t coif_chunk_length(const coif_pack_entry *row, int64_t chunk)
{
    const int64_t elements = coif_pack_chunk_elements((int32_t)row->components);
    const int64_t left = row->count - chunk * elements;
    return left < elements ? left : elements;
}

static coif_byte_filter filter_of(const coif_pack_entry *row)
{
    const bool quantised = row->codec == COIF_CODEC_QUANTISED;
    const bool floats = row->type == COIF_PACK_FLOAT || row->type == COIF_PACK_DOUBLE;
    return (coif_byte_filter){
        .components = (int32_t)row->components,
        .word = quantised ? 2 : (int32_t)coif_pack_type_size(row->type),
        .sign_magnitude = floats && !quantised,
    };
}

// Bytes of a chunk as zstd gets them.
static size_t plain_bytes(const coif_chunk *chunk)
{
    const coif_byte_filter filter = filter_of(chunk->row);
    return (size_t)(chunk->count * filter.components * filter.word);
}

size_t coif_chunk_bound(const coif_pack_entry *row)
{
    const coif_chunk first = {.row = row, .count = coif_chunk_length(row, 0)};
    const size_t bytes = plain_bytes(&first);
    return row->codec == COIF_CODEC_RAW ? bytes : ZSTD_compressBound(bytes);
}

size_t coif_chunk_pack(const coif_chunk *chunk, const coif_codec_context *bench, const void *values,
                       char *packed, uint64_t *digest)
{
    const coif_pack_entry *row = chunk->row;
    const coif_byte_filter filter = filter_of(row);
    const size_t value_bytes = row->components * coif_pack_type_size(row->type);
    const void *plain = values;

    if (row->codec == COIF_CODEC_QUANTISED) {
        coif_quantise(bench->steps, chunk->quanta, filter.components, values, chunk->count);
        coif_dequantise(bench->values, chunk->quanta, filter.components, bench->steps,
                        chunk->count);
        plain = bench->steps;
        values = bench->values;
    }
    *digest = coif_hash64(values, (size_t)chunk->count * value_bytes);
    if (row->codec == COIF_CODEC_RAW) {
        memcpy(packed, plain, plain_bytes(chunk));
        return plain_bytes(chunk);
    }
    size_t size;
    if (row->codec == COIF_CODEC_ZSTD) {
        size = ZSTD_compressCCtx(bench->packer, packed, coif_chunk_bound(row), plain,
                                 plain_bytes(chunk), PLAIN_LEVEL);
    } else {
        coif_byte_filter_apply(&filter, plain, chunk->count, bench->planes);
        size = ZSTD_compress2(bench->packer, packed, coif_chunk_bound(row), bench->planes,
                              plain_bytes(chunk));
    }
    return ZSTD_isError(size) ? 0 : size;
}

size_t coif_chunk_find(const coif_chunk *chunk, const char *packed, size_t left)
{
    const size_t bytes = plain_bytes(chunk);
    if (chunk->row->codec == COIF_CODEC_RAW) {
        return bytes <= left ? bytes : 0;
    }
    const size_t size = ZSTD_findFrameCompressedSize(packed, left);
    const bool whole = !ZSTD_isError(size) && ZSTD_getFrameContentSize(packed, left) == bytes;
    return whole ? size : 0;
}

bool coif_chunk_unpack(const coif_chunk *chunk, const coif_codec_context *bench, const char *packed,
                       size_t bytes, void *values)
{
    const coif_pack_codec codec = (coif_pack_codec)chunk->row->codec;
    if (codec == COIF_CODEC_RAW) {
        memcpy(values, packed, bytes);
        return true;
    }
    const coif_byte_filter filter = filter_of(chunk->row);
    const size_t wanted = plain_bytes(chunk);
    void *plain = codec == COIF_CODEC_ZSTD ? values : bench->planes;
    if (ZSTD_decompressDCtx(bench->unpacker, plain, wanted, packed, bytes) != wanted) {
        return false;
    }
    if (codec == COIF_CODEC_LOSSLESS) {
        coif_byte_filter_undo(&filter, plain, chunk->count, values);
    } else if (codec == COIF_CODEC_QUANTISED) {
        coif_byte_filter_undo(&filter, plain, chunk->count, bench->steps);
        coif_dequantise(values, chunk->quanta, filter.components, bench->steps, chunk->count);
    }
    return true;
}
