// pack_write: blocks to a file.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/hash64.h"
#include "core/base/jobs.h"
#include "core/pack/pack_codec.h"

#include <string.h>

// One block on its way into a file.
typedef struct parcel {
    const coif_pack_block *block;
    coif_pack_entry row;
    coif_quantum *quanta;
    const coif_codec_context *benches; // per thread
    char *packed;                      // range of a quantised block, then all chunks
    char *slots;                       // room for each chunk, behind the range
    size_t slot_bytes;
    size_t *sizes;     // per chunk, packed
    uint64_t *digests; // per chunk, unpacked
} parcel;

static const void *gather(const parcel *packing, int64_t first, int64_t count, void *values)
{
    const size_t bytes = packing->row.components * coif_pack_type_size(packing->row.type);
    const size_t stride = packing->block->stride != 0 ? (size_t)packing->block->stride : bytes;
    const char *from = (const char *)packing->block->data + (size_t)first * stride;
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
    const parcel *packing = context;
    const coif_codec_context *bench = &packing->benches[worker];
    const int64_t elements = coif_pack_chunk_elements((int32_t)packing->row.components);

    for (int64_t i = begin; i < end; ++i) {
        const coif_chunk chunk = {.row = &packing->row,
                                  .quanta = packing->quanta,
                                  .count = coif_chunk_length(&packing->row, i)};
        const void *values = gather(packing, i * elements, chunk.count, bench->values);
        packing->sizes[i] =
            coif_chunk_pack(&chunk, bench, values, packing->slots + (size_t)i * packing->slot_bytes,
                            &packing->digests[i]);
    }
}

static coif_status measure_range(parcel *packing, coif_arena *arena, coif_error *error)
{
    const coif_pack_block *block = packing->block;
    const int64_t tight = block->components * (int64_t)sizeof(float);
    COIF_ASSERT(block->type == COIF_PACK_FLOAT);
    packing->quanta = coif_arena_new(arena, block->components, coif_quantum);
    if (!coif_quantise_range(packing->quanta, block->components, block->data,
                             block->stride != 0 ? block->stride : tight, block->count)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "block %s: a value is not finite and cannot be quantised", block->name);
    }
    return COIF_OK;
}

// Moves the chunks together; the range of each component stands before those of a quantised block.
static coif_status join_chunks(parcel *packing, int64_t chunks, coif_error *error)
{
    coif_pack_entry *row = &packing->row;
    size_t used = 0;
    if (row->codec == COIF_CODEC_QUANTISED) {
        used = row->components * sizeof(coif_quantum);
        memcpy(packing->packed, packing->quanta, used);
    }
    for (int64_t i = 0; i < chunks; ++i) {
        if (packing->sizes[i] == 0) {
            return coif_fail(error, COIF_ERR_MEMORY, "block %s: no memory left to pack it with",
                             row->name);
        }
        memmove(packing->packed + used, packing->slots + (size_t)i * packing->slot_bytes,
                packing->sizes[i]);
        used += packing->sizes[i];
    }
    row->packed_bytes = used;
    row->packed_digest = coif_hash64(packing->packed, used);
    row->digest = coif_hash64(packing->digests, (size_t)chunks * sizeof *packing->digests);
    return COIF_OK;
}

static coif_status pack_block(parcel *packing, coif_pack_codec codec, coif_jobs *jobs,
                              coif_arena *arena, coif_error *error)
{
    const coif_pack_block *block = packing->block;
    coif_pack_entry *row = &packing->row;
    *row = (coif_pack_entry){.type = (uint16_t)block->type,
                             .codec = (uint16_t)codec,
                             .components = (uint32_t)block->components,
                             .count = block->count};
    COIF_ASSERT(strlen(block->name) <= COIF_PACK_NAME && coif_pack_entry_known(row));
    strncpy(row->name, block->name, sizeof row->name - 1);
    if (codec == COIF_CODEC_QUANTISED) {
        COIF_TRY(measure_range(packing, arena, error));
    }
    const int64_t chunks = coif_pack_chunk_count(row);
    const size_t range_bytes = row->components * sizeof(coif_quantum);
    packing->slot_bytes = coif_chunk_bound(row);
    packing->packed =
        coif_arena_alloc(arena, range_bytes + (size_t)chunks * packing->slot_bytes, 1);
    packing->slots = packing->packed + range_bytes;
    packing->sizes = coif_arena_new(arena, chunks, size_t);
    packing->digests = coif_arena_new(arena, chunks, uint64_t);
    coif_parallel_for(jobs, chunks, 1, pack_chunks, packing);
    return join_chunks(packing, chunks, error);
}

// Packs all blocks; what does not get smaller is stored as it is.
static coif_status pack_all(const coif_pack *pack, parcel *packings, coif_pack_header *header,
                            coif_arena *arena, coif_error *error)
{
    coif_pack_entry *rows = coif_arena_new(arena, pack->block_count, coif_pack_entry);
    header->file_bytes = sizeof *header + (size_t)pack->block_count * sizeof *rows;
    for (int32_t i = 0; i < pack->block_count; ++i) {
        parcel *packing = &packings[i];
        packing->block = &pack->blocks[i];
        const coif_pack_codec codec = packing->block->codec;
        COIF_TRY(pack_block(packing, codec, pack->jobs, arena, error));
        const bool grew =
            packing->row.packed_bytes > (uint64_t)coif_pack_entry_bytes(&packing->row);
        if (grew && codec != COIF_CODEC_QUANTISED) {
            COIF_TRY(pack_block(packing, COIF_CODEC_RAW, pack->jobs, arena, error));
        }
        header->file_bytes += packing->row.packed_bytes;
        rows[i] = packing->row;
    }
    header->digest = coif_pack_content_digest(header, rows);
    header->seal = coif_pack_seal(header, rows);
    return COIF_OK;
}

static coif_status write_all(coif_file *file, const coif_pack_header *header,
                             const parcel *packings, coif_error *error)
{
    COIF_TRY(coif_file_write(file, header, sizeof *header, error));
    for (uint32_t i = 0; i < header->block_count; ++i) {
        COIF_TRY(coif_file_write(file, &packings[i].row, sizeof packings[i].row, error));
    }
    for (uint32_t i = 0; i < header->block_count; ++i) {
        COIF_TRY(coif_file_write(file, packings[i].packed, packings[i].row.packed_bytes, error));
    }
    return coif_file_commit(file, error);
}

// Path NULL: only the digest is wanted.
static coif_status save(coif_pack *pack, const coif_codec_context *benches, const char *path,
                        coif_arena *arena, coif_error *error)
{
    parcel *packings = coif_arena_new(arena, pack->block_count, parcel);
    for (int32_t i = 0; i < pack->block_count; ++i) {
        packings[i].benches = benches;
    }
    coif_pack_header header = coif_pack_header_of(pack);
    COIF_TRY(pack_all(pack, packings, &header, arena, error));
    pack->digest = header.digest;
    if (path == NULL) {
        return COIF_OK;
    }
    coif_file file;
    COIF_TRY(coif_file_open(&file, path, COIF_FILE_WRITE, error));
    const coif_status status = write_all(&file, &header, packings, error);
    coif_file_close(&file);
    return status;
}

static int64_t largest_chunk(const coif_pack *pack)
{
    int64_t most = 0;
    for (int32_t i = 0; i < pack->block_count; ++i) {
        const int64_t values = coif_chunk_values(pack->blocks[i].count, pack->blocks[i].components);
        most = values > most ? values : most;
    }
    return most;
}

coif_status coif_pack_save(coif_pack *pack, const char *path, coif_error *error)
{
    coif_arena arena;
    coif_arena_init(&arena, "pack");
    const int threads = pack->jobs != NULL ? coif_jobs_threads(pack->jobs) : 1;
    coif_codec_context *benches = coif_arena_new(&arena, threads, coif_codec_context);
    coif_status status = COIF_OK;
    for (int i = 0; i < threads && status == COIF_OK; ++i) {
        status = coif_codec_context_open(&benches[i], true, largest_chunk(pack), &arena, error);
    }
    if (status == COIF_OK) {
        status = save(pack, benches, path, &arena, error);
    }
    for (int i = 0; i < threads; ++i) {
        coif_codec_context_close(&benches[i]);
    }
    coif_arena_free(&arena);
    return status;
}

coif_status coif_pack_digest(coif_pack *pack, coif_error *error)
{
    return coif_pack_save(pack, NULL, error);
}
