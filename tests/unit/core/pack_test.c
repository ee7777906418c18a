// Pack files: codecs, digests and validation.
#include "core/pack/pack.h"

#include "core/base/fs.h"
#include "core/base/hash64.h"
#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "core/pack/pack_table.h"
#include "tests/support/test.h"

static coif_arena arena;

static coif_pack_block floats(const char *name, int32_t components, coif_pack_codec codec,
                              int64_t count, const float *data)
{
    return (coif_pack_block){.name = name,
                             .type = COIF_PACK_FLOAT,
                             .components = components,
                             .codec = codec,
                             .count = count,
                             .data = data};
}

static coif_status save(coif_pack_kind kind, coif_pack_block *blocks, int32_t count,
                        const char *path)
{
    coif_error error = {0};
    coif_pack pack = {.kind = kind, .blocks = blocks, .block_count = count};
    const coif_status status = coif_pack_save(&pack, path, &error);
    CHECK_OK(status, error);
    return status;
}

// A file with a block of each codec, short enough to be damaged at every byte.
static char *small_file(size_t *size)
{
    static float values[60];
    for (int i = 0; i < 60; ++i) {
        values[i] = 0.25f * (float)(i / 3);
    }
    static const char text[] = "coif=0.1.0\nseed=7\n";
    const char *path = coif_test_path("small.strands");
    coif_pack_block blocks[] = {
        floats("exact", 3, COIF_CODEC_LOSSLESS, 20, values),
        floats("steps", 2, COIF_CODEC_QUANTISED, 3, values),
        {"zeros", COIF_PACK_BYTE, 1, COIF_CODEC_ZSTD, 64, coif_arena_alloc(&arena, 64, 1), 0, 0},
        {"metadata", COIF_PACK_BYTE, 1, COIF_CODEC_RAW, sizeof text - 1, text, 0, 0},
    };
    char *data = NULL;
    coif_error error = {0};
    save(COIF_PACK_STRANDS, blocks, 4, path);
    CHECK_OK(coif_file_load(&data, size, path, &arena, &error), error);
    // Each block must have the requested codec, or the tests below prove less.
    CHECK(data[64 + 18] == COIF_CODEC_LOSSLESS && data[128 + 18] == COIF_CODEC_QUANTISED);
    CHECK(data[192 + 18] == COIF_CODEC_ZSTD && data[256 + 18] == COIF_CODEC_RAW);
    return data;
}

static coif_status read_bytes(const char *data, size_t size, coif_error *error)
{
    const coif_arena_mark mark = coif_arena_mark_here(&arena);
    const coif_bytes bytes = {.name = "f", .data = data, .size = size};
    coif_pack pack;
    const coif_status status = coif_pack_read(&pack, &bytes, COIF_PACK_STRANDS, &arena, error);
    coif_arena_rewind(&arena, mark);
    return status;
}

static uint64_t random_bits(int64_t i)
{
    return (uint64_t)coif_random_word(1, (uint64_t)i, 0) << 32 |
           coif_random_word(1, (uint64_t)i, 1);
}

// Random bit patterns are hard on every assumption: NaN, infinities, denormals, wrap-around.
TEST(every_exact_codec_keeps_every_bit)
{
    const int64_t words = 200000; // more than one chunk of 64-bit words
    uint64_t *data = coif_arena_new(&arena, words, uint64_t);
    for (int64_t i = 0; i < words; ++i) {
        data[i] = random_bits(i);
    }
    const char *path = coif_test_path("exact.state");
    for (int type = COIF_PACK_BYTE; type <= COIF_PACK_INT64; ++type) {
        for (int codec = COIF_CODEC_RAW; codec <= COIF_CODEC_LOSSLESS; ++codec) {
            const coif_arena_mark mark = coif_arena_mark_here(&arena);
            coif_pack_block block = {"data", type, 7, codec, words / 7, data, 0, 0};
            coif_pack pack;
            coif_error error = {0};
            save(COIF_PACK_STATE, &block, 1, path);
            CHECK_OK(coif_pack_load(&pack, path, COIF_PACK_STATE, &arena, &error), error);
            const coif_pack_block *back = coif_pack_find(&pack, "data", type, 7);
            CHECK(back != NULL && back->count == words / 7);
            const size_t bytes = (size_t)(words / 7 * 7) * coif_pack_type_size(type);
            CHECK(back != NULL && memcmp(back->data, data, bytes) == 0);
            coif_arena_rewind(&arena, mark);
        }
    }
}

TEST(quantisation_error_is_at_most_half_a_step)
{
    const int32_t count = 50000;
    float *values = coif_arena_new(&arena, 3 * count, float);
    const float widths[3] = {0.3f, 1e-6f, 1e6f};
    for (int32_t i = 0; i < 3 * count; ++i) {
        values[i] = (float)(i % 3) + widths[i % 3] * coif_random_unit(3, (uint64_t)i, 0);
    }
    const char *path = coif_test_path("steps.strands");
    coif_pack_block block = floats("data", 3, COIF_CODEC_QUANTISED, count, values);
    coif_pack pack;
    coif_error error = {0};
    save(COIF_PACK_STRANDS, &block, 1, path);
    CHECK_OK(coif_pack_load(&pack, path, 0, &arena, &error), error);
    const float *back = pack.blocks[0].data;
    double worst[3] = {0};
    for (int32_t i = 0; i < 3 * count; ++i) {
        worst[i % 3] = fmax(worst[i % 3], fabs((double)back[i] - (double)values[i]));
    }
    // Half a step, and the rounding to float of a value of that size.
    CHECK(worst[0] <= 0.3 / 131070 + 3e-8 && worst[0] > 0.0);
    CHECK(worst[1] <= 1e-6 / 131070 + 6e-8);
    CHECK(worst[2] <= 1e6 / 131070 * 1.0001 + 0.032);
}

TEST(a_constant_block_is_quantised_without_loss)
{
    float values[100];
    for (int i = 0; i < 100; ++i) {
        values[i] = 0.1f;
    }
    const char *path = coif_test_path("constant.strands");
    coif_pack_block block = floats("data", 1, COIF_CODEC_QUANTISED, 100, values);
    coif_pack pack;
    coif_error error = {0};
    save(COIF_PACK_STRANDS, &block, 1, path);
    CHECK_OK(coif_pack_load(&pack, path, 0, &arena, &error), error);
    CHECK(memcmp(pack.blocks[0].data, values, sizeof values) == 0);
}

TEST(non_finite_values_are_not_quantised)
{
    const float values[] = {1.0f, INFINITY}, nan[] = {NAN, 1.0f};
    coif_pack_block block = floats("data", 1, COIF_CODEC_QUANTISED, 2, values);
    coif_pack pack = {.kind = COIF_PACK_STRANDS, .blocks = &block, .block_count = 1};
    coif_error error = {0};
    const char *path = coif_test_path("bad.strands");
    CHECK(coif_pack_save(&pack, path, &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "block data: cannot quantise a value that is not finite");
    block.data = nan;
    CHECK(coif_pack_save(&pack, path, NULL) == COIF_ERR_ARGUMENT);
    CHECK(!coif_path_exists(path));
}

TEST(elements_may_be_strided)
{
    const float values[] = {1, 2, 3, 99, 4, 5, 6, 99};
    const char *path = coif_test_path("stride.strands");
    coif_pack_block block = floats("data", 3, COIF_CODEC_LOSSLESS, 2, values);
    block.stride = 16;
    coif_pack pack;
    coif_error error = {0};
    save(COIF_PACK_STRANDS, &block, 1, path);
    CHECK_OK(coif_pack_load(&pack, path, 0, &arena, &error), error);
    const float tight[] = {1, 2, 3, 4, 5, 6};
    CHECK(memcmp(pack.blocks[0].data, tight, sizeof tight) == 0);

    float apart[8] = {0};
    block.data = apart;
    CHECK_OK(coif_pack_copy(&pack, path, &block, 1, &error), error);
    CHECK(apart[2] == 3.0f && apart[3] == 0.0f && apart[4] == 4.0f);
}

TEST(the_digest_is_that_of_the_content)
{
    float values[500] = {0};
    for (int i = 0; i < 500; ++i) {
        values[i] = (float)(i % 10);
    }
    coif_pack_block blocks[] = {
        floats("data", 1, COIF_CODEC_LOSSLESS, 500, values),
        {"metadata", COIF_PACK_BYTE, 1, COIF_CODEC_RAW, 3, "a=1", 0, 0},
    };
    coif_pack pack = {.kind = COIF_PACK_STRANDS, .blocks = blocks, .block_count = 2};
    CHECK(coif_pack_digest(&pack, NULL) == COIF_OK);
    const uint64_t first = pack.digest;
    blocks[0].codec = COIF_CODEC_ZSTD;
    blocks[1].data = "b=2";
    CHECK(coif_pack_digest(&pack, NULL) == COIF_OK && pack.digest == first);
    values[499] = -1.0f;
    CHECK(coif_pack_digest(&pack, NULL) == COIF_OK && pack.digest != first);
    values[499] = 9.0f;
    pack.kind = COIF_PACK_STATE;
    CHECK(coif_pack_digest(&pack, NULL) == COIF_OK && pack.digest != first);
}

// Ten chunks, so that several threads compress.
TEST(bytes_do_not_depend_on_threads)
{
    const int32_t count = 10 * 131072;
    float *values = coif_arena_new(&arena, count, float);
    for (int32_t i = 0; i < count; ++i) {
        values[i] = coif_random_unit(5, (uint64_t)i / 3, 0);
    }
    uint64_t digests[3] = {0};
    for (int threads = 1; threads <= 3; ++threads) {
        coif_jobs *jobs = NULL;
        coif_error error = {0};
        CHECK_OK(coif_jobs_open(&jobs, threads, &arena, &error), error);
        coif_pack_block block = floats("data", 1, COIF_CODEC_LOSSLESS, count, values);
        coif_pack pack = {
            .kind = COIF_PACK_STATE, .blocks = &block, .block_count = 1, .jobs = jobs};
        const char *path = coif_test_path("threads.state");
        CHECK_OK(coif_pack_save(&pack, path, &error), error);
        coif_jobs_close(jobs);
        char *data;
        size_t size;
        CHECK_OK(coif_file_load(&data, &size, path, &arena, &error), error);
        digests[threads - 1] = coif_hash64(data, size);
    }
    CHECK(digests[0] == digests[1] && digests[1] == digests[2]);
}

TEST(every_flipped_bit_is_detected)
{
    size_t size = 0;
    char *data = small_file(&size);
    CHECK(read_bytes(data, size, NULL) == COIF_OK);
    for (size_t bit = 0; bit < 8 * size; ++bit) {
        coif_error error = {0};
        data[bit / 8] = (char)(data[bit / 8] ^ (1 << (bit % 8)));
        const coif_status status = read_bytes(data, size, &error);
        if (status != COIF_ERR_FORMAT || strncmp(error.text, "f: ", 3) != 0) {
            coif_test_failed(__FILE__, __LINE__, "bit %zu: status %d: %s", bit, (int)status,
                             error.text);
        }
        data[bit / 8] = (char)(data[bit / 8] ^ (1 << (bit % 8)));
    }
}

TEST(truncated_and_extended_files_are_rejected)
{
    size_t size = 0;
    char *data = small_file(&size);
    for (size_t length = 0; length < size; ++length) {
        coif_error error = {0};
        CHECK(read_bytes(data, length, &error) == COIF_ERR_FORMAT);
        CHECK(length == 0 || strstr(error.text, "truncated") != NULL);
    }
    char *longer = coif_arena_alloc(&arena, size + 1, 1);
    memcpy(longer, data, size);
    coif_error error = {0};
    CHECK(read_bytes(longer, size + 1, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "trailing data");
}

// Load and peek refuse a file on disk with the same words.
static void expect_refusal(const char *data, size_t size, const char *words)
{
    const char *path = coif_test_path("refused.strands");
    coif_error error = {0}, peek_error = {0};
    coif_pack pack;
    CHECK_OK(coif_file_save(path, data, size, &error), error);
    CHECK(coif_pack_load(&pack, path, COIF_PACK_STRANDS, &arena, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, words);
    CHECK_CONTAINS(error.text, "refused.strands: ");
    CHECK(coif_pack_peek(&pack, path, &arena, &peek_error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(peek_error.text, words);
}

TEST(messages_name_the_defect)
{
    size_t size = 0;
    char *data = small_file(&size);
    expect_refusal("", 0, "is empty");
    expect_refusal("\x89PNG and more", 13, "not a coif file: begins with \"\\x89PNG and\"");
    expect_refusal("COIF", 4, "truncated: 4 bytes, expected a header of 64");
    char words[100];
    snprintf(words, sizeof words, "truncated: %d of %zu bytes", 330, size);
    expect_refusal(data, 330, words);
    data[16] = 3;
    expect_refusal(data, size, "written by a newer coif: format version 3, expected at most 1");
    data[16] = 1;
    data[64] = 'E';
    expect_refusal(data, size, "damaged: digest of header and table does not match");
    data[64] = 'e';
    data[size - 1] = '!';
    coif_error error = {0};
    CHECK(read_bytes(data, size, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "block metadata: damaged: digest does not match");
}

TEST(a_file_of_another_kind_is_rejected_by_name)
{
    const char *path = coif_test_path("kind.groom");
    const float value = 1.0f;
    coif_pack_block block = floats("data", 1, COIF_CODEC_RAW, 1, &value);
    coif_pack pack;
    coif_error error = {0};
    save(COIF_PACK_GROOM, &block, 1, path);
    CHECK(coif_pack_load(&pack, path, COIF_PACK_STRANDS, &arena, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "is a groom, expected strands of a frame");
    CHECK(coif_pack_load(&pack, path, 0, &arena, NULL) == COIF_OK);
}

TEST(a_missing_file_is_an_input_error)
{
    coif_pack pack;
    coif_error error = {0};
    const char *path = coif_test_path("nothing.strands");
    CHECK(coif_pack_load(&pack, path, 0, &arena, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "nothing.strands");
}

// Makes seal and digest fit a table that was changed, as a forger would.
static void reseal(char *data)
{
    coif_pack_header header;
    memcpy(&header, data, sizeof header);
    coif_pack_entry *rows = coif_arena_new(&arena, header.block_count, coif_pack_entry);
    memcpy(rows, data + sizeof header, header.block_count * sizeof *rows);
    header.digest = coif_pack_content_digest(&header, rows);
    header.table_digest = coif_pack_table_digest(&header, rows);
    memcpy(data, &header, sizeof header);
}

static void expect_forgery_noticed(size_t offset, int64_t value, const char *words)
{
    size_t size = 0;
    char *data = small_file(&size);
    memcpy(data + offset, &value, sizeof value);
    reseal(data);
    COIF_SCOPED_ARENA(small, "forgery");
    const coif_bytes bytes = {.name = "f", .data = data, .size = size};
    coif_error error = {0};
    coif_pack pack;
    CHECK(coif_pack_read(&pack, &bytes, 0, &small, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, words);
    CHECK(small.peak < 10000);
}

TEST(a_forged_size_allocates_no_memory)
{
    const size_t count = 64 + offsetof(coif_pack_entry, count);
    const size_t packed = 64 + offsetof(coif_pack_entry, packed_bytes);
    expect_forgery_noticed(count, INT64_MAX,
                           "block exact: invalid size of 9223372036854775807 elements");
    expect_forgery_noticed(count, -1, "block exact: invalid size of -1 elements");
    expect_forgery_noticed(count, (int64_t)1 << 30, "a compressed chunk does not match the table");
    expect_forgery_noticed(count, 1, "a compressed chunk does not match the table");
    expect_forgery_noticed(count, 0, "more compressed bytes than its values need");
    expect_forgery_noticed(packed, INT64_MAX, "9223372036854775807 compressed bytes");
    expect_forgery_noticed(packed, 0, "header does not match the table");
    // Zero bytes blown up: the frame of 64 of them cannot be one of a million.
    expect_forgery_noticed(count + 128, 1000000, "block zeros: damaged: a compressed chunk");
}

TEST(blocks_are_found_by_name_type_and_components)
{
    size_t size = 0;
    const char *data = small_file(&size);
    const coif_bytes bytes = {.name = "f", .data = data, .size = size};
    coif_pack pack;
    coif_error error = {0};
    CHECK_OK(coif_pack_read(&pack, &bytes, 0, &arena, &error), error);
    CHECK(coif_pack_find(&pack, "exact", COIF_PACK_FLOAT, 3) == &pack.blocks[0]);
    CHECK(coif_pack_find(&pack, "exact", COIF_PACK_FLOAT, 2) == NULL);
    CHECK(coif_pack_find(&pack, "exact", COIF_PACK_INT32, 3) == NULL);
    CHECK(coif_pack_find(&pack, "nothing", COIF_PACK_FLOAT, 3) == NULL);

    const coif_pack_block *found;
    coif_pack_block wanted = floats("exact", 3, 0, 5, NULL);
    CHECK(coif_pack_need(&found, &pack, "f", &wanted, &error) == COIF_ERR_FORMAT);
    CHECK_TEXT(error.text, "f: block exact has 20 elements, expected 5");
    wanted.type = COIF_PACK_INT32;
    error = (coif_error){0};
    CHECK(coif_pack_need(&found, &pack, "f", &wanted, &error) == COIF_ERR_FORMAT);
    CHECK_TEXT(error.text, "f: block exact holds float x 3, expected int32 x 3");
    wanted.name = "nothing";
    error = (coif_error){0};
    CHECK(coif_pack_need(&found, &pack, "f", &wanted, &error) == COIF_ERR_FORMAT);
    CHECK_TEXT(error.text, "f: missing block nothing");
    CHECK(coif_pack_accept(&found, &pack, "f", &wanted, NULL) == COIF_OK && found == NULL);
}

TEST(metadata_is_key_value_lines)
{
    size_t size = 0;
    const char *data = small_file(&size);
    const coif_bytes bytes = {.name = "f", .data = data, .size = size};
    coif_pack pack;
    coif_error error = {0};
    CHECK_OK(coif_pack_read(&pack, &bytes, 0, &arena, &error), error);
    const char *text = coif_pack_metadata(&pack, "metadata", &arena);
    CHECK_TEXT(text, "coif=0.1.0\nseed=7\n");
    CHECK_TEXT(coif_metadata_value(text, "seed", &arena), "7");
    CHECK(coif_metadata_value(text, "see", &arena) == NULL);
    CHECK(coif_metadata_value("a=1", "a=1", &arena) == NULL);
    CHECK_TEXT(coif_metadata_value("a=\nb=x=y", "a", &arena), "");
    CHECK_TEXT(coif_metadata_value("a=\nb=x=y", "b", &arena), "x=y");
    CHECK_TEXT(coif_pack_metadata(&pack, "nothing", &arena), "");
}

// A later coif may add blocks in codecs of its own; only who needs them has to know them.
TEST(an_unknown_codec_is_rejected_only_when_needed)
{
    size_t size = 0;
    char *data = small_file(&size);
    data[64 + 18] = 77;
    reseal(data);
    const coif_bytes bytes = {.name = "f", .data = data, .size = size};
    coif_pack pack;
    coif_error error = {0};
    CHECK_OK(coif_pack_read(&pack, &bytes, 0, &arena, &error), error);
    CHECK(coif_pack_find(&pack, "exact", COIF_PACK_FLOAT, 3) == NULL);
    CHECK(coif_pack_find(&pack, "steps", COIF_PACK_FLOAT, 2) != NULL);
    const coif_pack_block *found, wanted = floats("exact", 3, 0, -1, NULL);
    CHECK(coif_pack_accept(&found, &pack, "f", &wanted, &error) == COIF_ERR_FORMAT);
    CHECK_TEXT(error.text,
               "f: written by a newer coif: block exact has unknown type 3 or codec 77");
}

TEST(a_failed_write_keeps_the_old_file)
{
    const float value = 1.0f, bad = NAN;
    const char *path = coif_test_path("old.strands");
    coif_pack_block block = floats("data", 1, COIF_CODEC_QUANTISED, 1, &value);
    coif_pack pack = {.kind = COIF_PACK_STRANDS, .blocks = &block, .block_count = 1};
    CHECK(coif_pack_save(&pack, path, NULL) == COIF_OK);
    block.data = &bad;
    CHECK(coif_pack_save(&pack, path, NULL) != COIF_OK);
    CHECK(coif_pack_load(&pack, path, COIF_PACK_STRANDS, &arena, NULL) == COIF_OK);
    coif_error error = {0};
    block.data = &value;
    pack.blocks = &block;
    CHECK(coif_pack_save(&pack, coif_test_path("no/such/folder.strands"), &error) == COIF_ERR_IO);
}

TEST(a_pack_without_blocks_is_valid)
{
    const char *path = coif_test_path("empty.state");
    coif_pack pack;
    coif_error error = {0};
    save(COIF_PACK_STATE, NULL, 0, path);
    CHECK_OK(coif_pack_load(&pack, path, COIF_PACK_STATE, &arena, &error), error);
    CHECK(pack.block_count == 0 && pack.file_bytes == 64 && pack.version == 1);
}
