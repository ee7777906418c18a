// Block codecs on top of zstd (its only user).
//
// A block is split into chunks of COIF_PACK_CHUNK_VALUES values; each is filtered and compressed to
// one zstd frame with stored content size. Chunks are independent, so they are compressed in
// parallel and the bytes do not depend on the number of threads.
#include "core/pack/pack_codec.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/hash64.h"

#include <math.h>
#include <string.h>
#include <zstd.h>

// Reversible filter before compression: linear prediction, zigzag coding and byte planes.
//
// Neighbouring points of a strand are nearly collinear. Each value is replaced by its residual to
// the linear extrapolation of the two before it, residuals are zigzag coded, and bytes of equal
// significance are stored together, so that the high planes become runs of zeros. Integer
// arithmetic on bit patterns makes it exact for every pattern, NaN included.
typedef struct byte_filter {
    int32_t components;
    int32_t word;        // bytes: 1, 2, 4, 8
    bool sign_magnitude; // words are IEEE floats or doubles
} byte_filter;

// Words are filtered in tiles that stay in the L1 cache.
enum { TILE = 2048 };

// One pair of functions per word size. The residual to linear extrapolation is
//
//   r[i] = o[i] - (2 o[i - components] - o[i - 2 components])      with o[i] = 0 for i < 0
//
// where o is the bit pattern. Float patterns are first made monotonic: flipping the lower bits of
// negative ones orders patterns like numbers, also across zero. Zigzag coding
// 0, -1, 1, -2, ... -> 0, 1, 2, 3, ... keeps the high bytes of small negative residuals zero.
// Arithmetic wraps around, so decoding is exact. The most significant plane comes first. The loops
// are separate so that compilers can vectorise all but the prefix sum.
#define DEFINE_FILTER(bits, word, whole)                                                           \
    static inline word order##bits(word value, word low_bits)                                      \
    {                                                                                              \
        return (word)(value ^ ((word)((whole)value >> (bits - 1)) & low_bits));                    \
    }                                                                                              \
                                                                                                   \
    static inline word zigzag##bits(word residual)                                                 \
    {                                                                                              \
        return (word)((word)(residual << 1) ^ (word)((whole)residual >> (bits - 1)));              \
    }                                                                                              \
                                                                                                   \
    static void apply##bits(const byte_filter *filter, const void *from, int64_t total, void *to)  \
    {                                                                                              \
        const word *values = from;                                                                 \
        uint8_t *planes = to;                                                                      \
        const word low_bits = filter->sign_magnitude ? (word)((word)-1 >> 1) : 0;                  \
        const int64_t step = filter->components;                                                   \
        word tile[TILE];                                                                           \
        for (int64_t begin = 0; begin < total; begin += TILE) {                                    \
            const int64_t end = begin + TILE < total ? begin + TILE : total;                       \
            int64_t i = begin;                                                                     \
            for (; i < end && i < 2 * step; ++i) {                                                 \
                const word last = i < step ? 0 : order##bits(values[i - step], low_bits);          \
                tile[i - begin] =                                                                  \
                    zigzag##bits((word)(order##bits(values[i], low_bits) - 2 * last));             \
            }                                                                                      \
            for (; i < end; ++i) {                                                                 \
                const word value = order##bits(values[i], low_bits);                               \
                const word last = order##bits(values[i - step], low_bits);                         \
                const word before = order##bits(values[i - 2 * step], low_bits);                   \
                tile[i - begin] = zigzag##bits((word)(value - 2 * last + before));                 \
            }                                                                                      \
            for (int plane = 0; plane < bits / 8; ++plane) {                                       \
                uint8_t *bytes = planes + plane * total + begin;                                   \
                for (int64_t k = 0; k < end - begin; ++k) {                                        \
                    bytes[k] = (uint8_t)(tile[k] >> (bits - 8 - 8 * plane));                       \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void undo##bits(const byte_filter *filter, const void *from, int64_t total, void *to)   \
    {                                                                                              \
        const uint8_t *planes = from;                                                              \
        word *values = to;                                                                         \
        const word low_bits = filter->sign_magnitude ? (word)((word)-1 >> 1) : 0;                  \
        const int64_t step = filter->components;                                                   \
        for (int64_t i = 0; i < total; ++i) {                                                      \
            word coded = 0;                                                                        \
            for (int plane = 0; plane < bits / 8; ++plane) {                                       \
                coded = (word)(coded | (word)planes[plane * total + i] << (bits - 8 - 8 * plane)); \
            }                                                                                      \
            values[i] = (word)((word)(coded >> 1) ^ (word)(0 - (coded & 1)));                      \
        }                                                                                          \
        for (int64_t i = step; i < total; ++i) {                                                   \
            const word before = i < 2 * step ? 0 : values[i - 2 * step];                           \
            values[i] = (word)(values[i] + 2 * values[i - step] - before);                         \
        }                                                                                          \
        for (int64_t i = 0; i < total; ++i) {                                                      \
            values[i] = order##bits(values[i], low_bits);                                          \
        }                                                                                          \
    }

DEFINE_FILTER(8, uint8_t, int8_t)
DEFINE_FILTER(16, uint16_t, int16_t)
DEFINE_FILTER(32, uint32_t, int32_t)
DEFINE_FILTER(64, uint64_t, int64_t)

typedef void (*filter_fn)(const byte_filter *filter, const void *from, int64_t total, void *to);

// By word size in bytes.
static const filter_fn APPLY[] = {[1] = apply8, [2] = apply16, [4] = apply32, [8] = apply64};
static const filter_fn UNDO[] = {[1] = undo8, [2] = undo16, [4] = undo32, [8] = undo64};

static void byte_filter_apply(const byte_filter *filter, const void *values, int64_t count,
                              void *planes)
{
    APPLY[filter->word](filter, values, count * filter->components, planes);
}

static void byte_filter_undo(const byte_filter *filter, const void *planes, int64_t count,
                             void *values)
{
    UNDO[filter->word](filter, planes, count * filter->components, values);
}

// Range of one component; false when a value is not finite.
static bool component_range(coif_quantum *quantum, const char *at, int64_t stride, int64_t count)
{
    float low = INFINITY, high = -INFINITY, sum = 0.0f;
    for (int64_t i = 0; i < count; ++i) {
        const float value = *(const float *)(at + i * stride);
        low = value < low ? value : low;
        high = value > high ? value : high;
        sum += value * 0.0f; // stays zero unless a value is infinite or NaN
    }
    quantum->origin = count > 0 ? (double)low : 0.0;
    quantum->step = count > 0 ? ((double)high - (double)low) / 65535.0 : 0.0;
    return sum == 0.0f;
}

bool coif_quantise_range(coif_quantum *quanta, int32_t components, const void *values,
                         int64_t stride, int64_t count)
{
    for (int32_t component = 0; component < components; ++component) {
        const char *at = (const char *)values + (size_t)component * sizeof(float);
        if (!component_range(&quanta[component], at, stride, count)) {
            return false;
        }
    }
    return true;
}

static void quantise(uint16_t *steps, const coif_quantum *quanta, int32_t components,
                     const float *values, int64_t count)
{
    for (int32_t component = 0; component < components; ++component) {
        const coif_quantum quantum = quanta[component];
        const double inverse = quantum.step > 0.0 ? 1.0 / quantum.step : 0.0;
        for (int64_t i = component; i < count * components; i += components) {
            const double q = ((double)values[i] - quantum.origin) * inverse + 0.5;
            steps[i] = (uint16_t)(int32_t)(q < 65535.0 ? q : 65535.0);
        }
    }
}

static void dequantise(float *values, const coif_quantum *quanta, int32_t components,
                       const uint16_t *steps, int64_t count)
{
    for (int32_t component = 0; component < components; ++component) {
        const coif_quantum quantum = quanta[component];
        for (int64_t i = component; i < count * components; i += components) {
            values[i] = (float)(quantum.origin + quantum.step * (double)steps[i]);
        }
    }
}

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

static byte_filter filter_of(const coif_pack_entry *entry)
{
    const bool quantised = entry->codec == COIF_CODEC_QUANTISED;
    const bool floats = entry->type == COIF_PACK_FLOAT || entry->type == COIF_PACK_DOUBLE;
    return (byte_filter){
        .components = (int32_t)entry->components,
        .word = quantised ? 2 : (int32_t)coif_pack_type_size(entry->type),
        .sign_magnitude = floats && !quantised,
    };
}

// Uncompressed bytes of a chunk as passed to zstd.
static size_t filtered_bytes(const coif_chunk *chunk)
{
    const byte_filter filter = filter_of(chunk->entry);
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
    const byte_filter filter = filter_of(entry);
    const size_t value_bytes = entry->components * coif_pack_type_size(entry->type);
    const void *filtered = values;

    if (entry->codec == COIF_CODEC_QUANTISED) {
        quantise(context->steps, chunk->quanta, filter.components, values, chunk->count);
        dequantise(context->values, chunk->quanta, filter.components, context->steps, chunk->count);
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
        byte_filter_apply(&filter, filtered, chunk->count, context->planes);
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
    const byte_filter filter = filter_of(chunk->entry);
    const size_t expected = filtered_bytes(chunk);
    void *filtered = codec == COIF_CODEC_ZSTD ? values : context->planes;
    if (ZSTD_decompressDCtx(context->decompressor, filtered, expected, packed, bytes) != expected) {
        return false;
    }
    if (codec == COIF_CODEC_LOSSLESS) {
        byte_filter_undo(&filter, filtered, chunk->count, values);
    } else if (codec == COIF_CODEC_QUANTISED) {
        byte_filter_undo(&filter, filtered, chunk->count, context->steps);
        dequantise(values, chunk->quanta, filter.components, context->steps, chunk->count);
    }
    return true;
}
