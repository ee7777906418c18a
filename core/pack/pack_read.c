// pack_read: a file to blocks, believing nothing that was not checked.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/hash64.h"
#include "core/pack/pack_codec.h"

#include <float.h>
#include <math.h>
#include <string.h>

// One block on its way out of a file.
typedef struct unpacking {
    const coif_pack_entry *row;
    const char *path;
    const char *packed;
    size_t left; // bytes of the block behind packed
    const coif_quantum *quanta;
    const coif_codec_context *bench;
    coif_arena *scratch;
} unpacking;

static coif_status fail_block(const unpacking *from, const char *what, coif_error *error)
{
    return coif_fail(error, COIF_ERR_FORMAT, "%s: block %s: %s", from->path, from->row->name, what);
}

static coif_status read_range(unpacking *from, coif_error *error)
{
    const coif_pack_entry *row = from->row;
    const size_t bytes = row->components * sizeof(coif_quantum);
    if (row->type != COIF_PACK_FLOAT || from->left < bytes) {
        return fail_block(from, "is not a quantised block", error);
    }
    coif_quantum *quanta = coif_arena_new(from->scratch, row->components, coif_quantum);
    memcpy(quanta, from->packed, bytes);
    for (uint32_t i = 0; i < row->components; ++i) {
        const double last = quanta[i].origin + 65535.0 * quanta[i].step;
        if (!(fabs(quanta[i].origin) <= FLT_MAX && quanta[i].step >= 0.0 && last <= FLT_MAX)) {
            return fail_block(from, "has an impossible range", error);
        }
    }
    from->quanta = quanta;
    from->packed += bytes;
    from->left -= bytes;
    return COIF_OK;
}

static coif_chunk chunk_at(const unpacking *from, int64_t index)
{
    return (coif_chunk){
        .row = from->row, .quanta = from->quanta, .count = coif_chunk_length(from->row, index)};
}

// Every chunk must be there with exactly its size before room is made for any: packed it takes a
// few bytes at least, so a small file cannot ask for much memory.
static coif_status check_chunks(const unpacking *from, coif_error *error)
{
    const int64_t chunks = coif_pack_chunk_count(from->row);
    const char *packed = from->packed;
    size_t left = from->left;
    for (int64_t i = 0; i < chunks; ++i) {
        const coif_chunk chunk = chunk_at(from, i);
        const size_t bytes = coif_chunk_find(&chunk, packed, left);
        if (bytes == 0) {
            return fail_block(from, "its packed bytes are not what it says", error);
        }
        packed += bytes;
        left -= bytes;
    }
    return left == 0 ? COIF_OK : fail_block(from, "has more bytes than it says", error);
}

static coif_status unpack_chunks(unpacking *from, char *values, coif_error *error)
{
    const coif_pack_entry *row = from->row;
    const int64_t chunks = coif_pack_chunk_count(row);
    const size_t element_bytes = row->components * coif_pack_type_size(row->type);
    uint64_t *digests = coif_arena_new(from->scratch, chunks, uint64_t);
    for (int64_t i = 0; i < chunks; ++i) {
        const coif_chunk chunk = chunk_at(from, i);
        const size_t bytes = coif_chunk_find(&chunk, from->packed, from->left);
        if (!coif_chunk_unpack(&chunk, from->bench, from->packed, bytes, values)) {
            return fail_block(from, "cannot be unpacked", error);
        }
        digests[i] = coif_hash64(values, (size_t)chunk.count * element_bytes);
        from->packed += bytes;
        from->left -= bytes;
        values += (size_t)chunk.count * element_bytes;
    }
    if (coif_hash64(digests, (size_t)chunks * sizeof *digests) != row->digest) {
        return fail_block(from, "digest of its values does not match", error);
    }
    return COIF_OK;
}

static coif_status unpack_block(const void **data, unpacking *from, coif_arena *arena,
                                coif_error *error)
{
    const coif_pack_entry *row = from->row;
    if (coif_hash64(from->packed, from->left) != row->packed_digest) {
        return fail_block(from, "digest does not match", error);
    }
    if (!coif_pack_entry_known(row)) {
        return COIF_OK;
    }
    if (row->codec == COIF_CODEC_QUANTISED) {
        COIF_TRY(read_range(from, error));
    }
    COIF_TRY(check_chunks(from, error));
    char *values = coif_arena_alloc(arena, (size_t)coif_pack_entry_bytes(row), 1);
    *data = values;
    return unpack_chunks(from, values, error);
}

// After the checks of header and table.
static coif_status read_blocks(coif_pack *pack, unpacking *from, const coif_pack_entry *rows,
                               coif_arena *arena, coif_error *error)
{
    const char *packed = from->packed;
    for (int32_t i = 0; i < pack->block_count; ++i) {
        from->row = &rows[i];
        from->packed = packed;
        from->left = rows[i].packed_bytes;
        COIF_TRY(unpack_block(&pack->blocks[i].data, from, arena, error));
        packed += rows[i].packed_bytes;
    }
    return COIF_OK;
}

static coif_status check_kind(const coif_pack *pack, coif_pack_kind wanted, const char *path,
                              coif_error *error)
{
    if (wanted != 0 && pack->kind != wanted) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: is %s, wanted %s", path,
                         coif_pack_kind_name(pack->kind), coif_pack_kind_name(wanted));
    }
    return COIF_OK;
}

// Opens, unpacks all blocks, closes: nothing is opened for a file whose table is not sound.
static coif_status read_with_bench(coif_pack *pack, unpacking *from, const coif_pack_entry *rows,
                                   coif_arena *arena, coif_error *error)
{
    int64_t most = 0;
    for (int32_t i = 0; i < pack->block_count; ++i) {
        const int64_t values = coif_chunk_values(rows[i].count, (int32_t)rows[i].components);
        most = values > most ? values : most;
    }
    coif_codec_context bench;
    from->bench = &bench;
    coif_status status = coif_codec_context_open(&bench, false, most, from->scratch, error);
    if (status == COIF_OK) {
        status = read_blocks(pack, from, rows, arena, error);
    }
    coif_codec_context_close(&bench);
    return status;
}

// The bytes may begin anywhere in memory: header and rows are copied out of them.
static coif_status read_all(coif_pack *pack, const coif_bytes *bytes, unpacking *from,
                            coif_arena *arena, coif_error *error)
{
    coif_pack_header header = {0};
    const size_t have = bytes->size < sizeof header ? bytes->size : sizeof header;
    if (have > 0) {
        memcpy(&header, bytes->data, have);
    }
    COIF_TRY(coif_pack_check_header(&header, have, bytes->size, bytes->name, error));

    const char *table = (const char *)bytes->data + sizeof header;
    const size_t table_bytes = header.block_count * sizeof(coif_pack_entry);
    coif_pack_entry *rows = coif_arena_new(from->scratch, header.block_count, coif_pack_entry);
    memcpy(rows, table, table_bytes);
    COIF_TRY(coif_pack_check_table(&header, rows, bytes->size, bytes->name, error));

    coif_pack_describe(pack, &header, rows, arena);
    from->packed = table + table_bytes;
    return read_with_bench(pack, from, rows, arena, error);
}

coif_status coif_pack_read(coif_pack *pack, const coif_bytes *bytes, coif_pack_kind wanted,
                           coif_arena *arena, coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "unpack");
    unpacking from = {.path = bytes->name, .scratch = &scratch};
    coif_status status = read_all(pack, bytes, &from, arena, error);
    if (status == COIF_OK) {
        status = check_kind(pack, wanted, bytes->name, error);
    }
    coif_arena_free(&scratch);
    return status;
}

static coif_status read_table(coif_pack *pack, coif_file *file, coif_arena *arena,
                              coif_error *error)
{
    coif_pack_header header = {0};
    const size_t have = file->size < sizeof header ? (size_t)file->size : sizeof header;
    COIF_TRY(coif_file_read(file, &header, have, error));
    COIF_TRY(coif_pack_check_header(&header, have, file->size, file->path, error));

    coif_pack_entry *rows = coif_arena_new(arena, header.block_count, coif_pack_entry);
    COIF_TRY(coif_file_read(file, rows, header.block_count * sizeof *rows, error));
    COIF_TRY(coif_pack_check_table(&header, rows, file->size, file->path, error));
    coif_pack_describe(pack, &header, rows, arena);
    return COIF_OK;
}

coif_status coif_pack_peek(coif_pack *pack, const char *path, coif_arena *arena, coif_error *error)
{
    coif_file file;
    COIF_TRY(coif_file_open(&file, path, COIF_FILE_READ, error));
    const coif_status status = read_table(pack, &file, arena, error);
    coif_file_close(&file);
    return status;
}

// A peek first: a large file of somebody else's is not read to the end to find that out.
static coif_status load_bytes(coif_bytes *bytes, const char *path, coif_pack_kind wanted,
                              coif_arena *arena, coif_error *error)
{
    coif_pack pack;
    COIF_TRY(coif_pack_peek(&pack, path, arena, error));
    COIF_TRY(check_kind(&pack, wanted, path, error));
    char *data;
    COIF_TRY(coif_file_load(&data, &bytes->size, path, arena, error));
    bytes->name = path;
    bytes->data = data;
    return COIF_OK;
}

coif_status coif_pack_load(coif_pack *pack, const char *path, coif_pack_kind wanted,
                           coif_arena *arena, coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "packed file");
    coif_bytes bytes;
    coif_status status = load_bytes(&bytes, path, wanted, &scratch, error);
    if (status == COIF_OK) {
        status = coif_pack_read(pack, &bytes, wanted, arena, error);
    }
    coif_arena_free(&scratch);
    return status;
}
