// Writing of pack files.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/hash64.h"
#include "core/base/jobs.h"
#include "core/pack/pack_codec.h"

#include <string.h>

// State of encoding one block.
typedef struct block_writer {
    const coif_pack_block *block;
    coif_pack_entry entry;
    coif_quantum *quanta;
    const coif_codec_context *codecs; // per thread
    char *packed;                     // quantisation range if any, then all chunks
    char *slots;                      // buffer of slot_bytes per chunk, after the range
    size_t slot_bytes;
    size_t *sizes;     // compressed bytes per chunk
    uint64_t *digests; // of the values per chunk
} block_writer;

static const void *gather(const block_writer *writer, int64_t first, int64_t count, void *values)
{
    const size_t bytes = writer->entry.components * coif_pack_type_size(writer->entry.type);
    const size_t stride = writer->block->stride != 0 ? (size_t)writer->block->stride : bytes;
    const char *from = (const char *)writer->block->data + (size_t)first * stride;
    if (stride == bytes) {
        return from;
    }
    char *to = values;
    for (int64_t i = 0; i < count; ++i, from += stride, to += bytes) {
        memcpy(to, from, bytes);
    }
    return values;
}

static void pack_chunks(void *context, int64_t begin, int64_t end, int worker)
{
    const block_writer *writer = context;
    const coif_codec_context *codec = &writer->codecs[worker];
    const int64_t elements = coif_pack_chunk_elements((int32_t)writer->entry.components);

    for (int64_t i = begin; i < end; ++i) {
        const coif_chunk chunk = {.entry = &writer->entry,
                                  .quanta = writer->quanta,
                                  .count = coif_chunk_length(&writer->entry, i)};
        const void *values = gather(writer, i * elements, chunk.count, codec->values);
        writer->sizes[i] =
            coif_chunk_pack(&chunk, codec, values, writer->slots + (size_t)i * writer->slot_bytes,
                            &writer->digests[i]);
    }
}

static coif_status measure_range(block_writer *writer, coif_arena *arena, coif_error *error)
{
    const coif_pack_block *block = writer->block;
    const int64_t element_bytes = block->components * (int64_t)sizeof(float);
    COIF_REQUIRE(block->type == COIF_PACK_FLOAT);
    writer->quanta = coif_arena_new(arena, block->components, coif_quantum);
    if (!coif_quantise_range(writer->quanta, block->components, block->data,
                             block->stride != 0 ? block->stride : element_bytes, block->count)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "block %s: cannot quantise a value that is not finite", block->name);
    }
    return COIF_OK;
}

// Makes the chunks contiguous; a quantised block begins with the range of each component.
static coif_status join_chunks(block_writer *writer, int64_t chunks, coif_error *error)
{
    coif_pack_entry *entry = &writer->entry;
    size_t used = 0;
    if (entry->codec == COIF_CODEC_QUANTISED) {
        used = entry->components * sizeof(coif_quantum);
        memcpy(writer->packed, writer->quanta, used);
    }
    for (int64_t i = 0; i < chunks; ++i) {
        if (writer->sizes[i] == 0) {
            return coif_fail(error, COIF_ERR_MEMORY, "block %s: out of memory while compressing",
                             entry->name);
        }
        memmove(writer->packed + used, writer->slots + (size_t)i * writer->slot_bytes,
                writer->sizes[i]);
        used += writer->sizes[i];
    }
    entry->packed_bytes = used;
    entry->packed_digest = coif_hash64(writer->packed, used);
    entry->digest = coif_hash64(writer->digests, (size_t)chunks * sizeof *writer->digests);
    return COIF_OK;
}

static coif_status pack_block(block_writer *writer, coif_pack_codec codec, coif_jobs *jobs,
                              coif_arena *arena, coif_error *error)
{
    const coif_pack_block *block = writer->block;
    coif_pack_entry *entry = &writer->entry;
    *entry = (coif_pack_entry){.type = (uint16_t)block->type,
                               .codec = (uint16_t)codec,
                               .components = (uint32_t)block->components,
                               .count = block->count};
    COIF_REQUIRE(strlen(block->name) <= COIF_PACK_NAME && coif_pack_entry_known(entry));
    strncpy(entry->name, block->name, sizeof entry->name - 1);
    if (codec == COIF_CODEC_QUANTISED) {
        COIF_TRY(measure_range(writer, arena, error));
    }
    const int64_t chunks = coif_pack_chunk_count(entry);
    const size_t range_bytes = entry->components * sizeof(coif_quantum);
    writer->slot_bytes = coif_chunk_bound(entry);
    writer->packed = coif_arena_alloc(arena, range_bytes + (size_t)chunks * writer->slot_bytes, 1);
    writer->slots = writer->packed + range_bytes;
    writer->sizes = coif_arena_new(arena, chunks, size_t);
    writer->digests = coif_arena_new(arena, chunks, uint64_t);
    coif_parallel_for(jobs, chunks, 1, pack_chunks, writer);
    return join_chunks(writer, chunks, error);
}

// Encodes all blocks; those that do not shrink are stored raw.
static coif_status pack_all(const coif_pack *pack, block_writer *writers, coif_pack_header *header,
                            coif_arena *arena, coif_error *error)
{
    coif_pack_entry *entries = coif_arena_new(arena, pack->block_count, coif_pack_entry);
    header->file_bytes = sizeof *header + (size_t)pack->block_count * sizeof *entries;
    for (int32_t i = 0; i < pack->block_count; ++i) {
        block_writer *writer = &writers[i];
        writer->block = &pack->blocks[i];
        const coif_pack_codec codec = writer->block->codec;
        COIF_TRY(pack_block(writer, codec, pack->jobs, arena, error));
        const bool larger =
            writer->entry.packed_bytes > (uint64_t)coif_pack_entry_bytes(&writer->entry);
        if (larger && codec != COIF_CODEC_QUANTISED) {
            COIF_TRY(pack_block(writer, COIF_CODEC_RAW, pack->jobs, arena, error));
        }
        header->file_bytes += writer->entry.packed_bytes;
        entries[i] = writer->entry;
    }
    header->digest = coif_pack_content_digest(header, entries);
    header->table_digest = coif_pack_table_digest(header, entries);
    return COIF_OK;
}

static coif_status write_all(coif_file *file, const coif_pack_header *header,
                             const block_writer *writers, coif_error *error)
{
    COIF_TRY(coif_file_write(file, header, sizeof *header, error));
    for (uint32_t i = 0; i < header->block_count; ++i) {
        COIF_TRY(coif_file_write(file, &writers[i].entry, sizeof writers[i].entry, error));
    }
    for (uint32_t i = 0; i < header->block_count; ++i) {
        COIF_TRY(coif_file_write(file, writers[i].packed, writers[i].entry.packed_bytes, error));
    }
    return coif_file_commit(file, error);
}

// With path NULL only the digest is computed.
static coif_status save(coif_pack *pack, const coif_codec_context *codecs, const char *path,
                        coif_arena *arena, coif_error *error)
{
    block_writer *writers = coif_arena_new(arena, pack->block_count, block_writer);
    for (int32_t i = 0; i < pack->block_count; ++i) {
        writers[i].codecs = codecs;
    }
    coif_pack_header header = coif_pack_header_of(pack);
    COIF_TRY(pack_all(pack, writers, &header, arena, error));
    pack->digest = header.digest;
    if (path == NULL) {
        return COIF_OK;
    }
    coif_file file;
    COIF_TRY(coif_file_open(&file, path, COIF_FILE_WRITE, error));
    const coif_status status = write_all(&file, &header, writers, error);
    coif_file_close(&file);
    return status;
}

static int64_t largest_chunk(const coif_pack *pack)
{
    int64_t largest = 0;
    for (int32_t i = 0; i < pack->block_count; ++i) {
        const int64_t values = coif_chunk_values(pack->blocks[i].count, pack->blocks[i].components);
        largest = values > largest ? values : largest;
    }
    return largest;
}

coif_status coif_pack_save(coif_pack *pack, const char *path, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "pack");
    const int threads = pack->jobs != NULL ? coif_jobs_threads(pack->jobs) : 1;
    coif_codec_context *codecs = coif_arena_new(&arena, threads, coif_codec_context);
    coif_status status = COIF_OK;
    for (int i = 0; i < threads && status == COIF_OK; ++i) {
        status = coif_codec_context_open(&codecs[i], true, largest_chunk(pack), &arena, error);
    }
    if (status == COIF_OK) {
        status = save(pack, codecs, path, &arena, error);
    }
    for (int i = 0; i < threads; ++i) {
        coif_codec_context_close(&codecs[i]);
    }
    return status;
}

coif_status coif_pack_digest(coif_pack *pack, coif_error *error)
{
    return coif_pack_save(pack, NULL, error);
}
