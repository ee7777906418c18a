// USD crate: sections, values, compression, damage.
#include "core/archive/usd/usd_crate.h"

#include "core/archive/usd/lz4_block.h"
#include "core/archive/usd/usd_archive.h"
#include "core/base/arena.h"
#include "tests/support/crate_builder.h"
#include "tests/support/test.h"

static coif_arena arena;
static coif_error error;
static crate_builder crate;

static coif_status open_crate(coif_archive **archive, size_t size)
{
    coif_arena_init(&arena, "crate test");
    error = (coif_error){0};
    const coif_bytes bytes = {"a.usdc", crate.data, size};
    return coif_usd_archive_open_bytes(archive, &bytes, NULL, &arena, &error);
}

TEST(layers_of_both_layouts_are_read)
{
    const int versions[] = {0, 8};
    const char *const formats[] = {"USD crate 0.0.1", "USD crate 0.8.0"};
    for (int i = 0; i < 2; ++i) {
        coif_archive *archive;
        crate_build_hair(&crate, versions[i]);
        CHECK_OK(open_crate(&archive, crate.size), error);
        CHECK_TEXT(archive->format, formats[i]);
        CHECK_TEXT(archive->application, "Maker 1");
        CHECK(archive->meters_per_unit == 0.5 && archive->object_count == 2);
        CHECK_TEXT(archive->objects[0].path, "/head/hair");
        CHECK_TEXT(archive->objects[1].path, "/skin");
        CHECK(archive->objects[0].sample_count == 2 && archive->objects[0].times[1] == 0.5);
        coif_archive_curves curves;
        CHECK_OK(coif_usd_read_curves(archive, 0, 1, &curves, &arena, &error), error);
        CHECK(curves.curve_count == 2 && curves.point_count == 5 && curves.ids[1] == 5);
        // Scale 2, a quarter turn about y, (10, 20, 30), half a metre per unit.
        CHECK_NEAR((double)curves.points[4].x, 0.5 * 10, 1e-6);
        CHECK_NEAR((double)curves.points[4].y, 0.5 * (2 * 6 + 20), 1e-6);
        CHECK_NEAR((double)curves.points[4].z, 0.5 * (-2 + 30), 1e-6);
        CHECK_NEAR((double)curves.widths[2], 0.5, 1e-6);
        coif_archive_mesh mesh;
        CHECK_OK(coif_usd_read_mesh(archive, 1, 0, &mesh, &arena, &error), error);
        CHECK(mesh.face_count == 1 && mesh.corners[2] == 2 && mesh.positions[1].x == 0.5f);
        coif_arena_free(&arena);
    }
}

// Decodes a value that follows in the file, of crate 0.8.0.
static coif_status decode(coif_usd_value *value, uint64_t handle)
{
    static coif_crate tables = {.version = 800};
    const coif_usd_layer layer = {.bytes = {"a.usdc", crate.data, crate.size}, .tables = &tables};
    const coif_usd_type any = {.components = 1};
    error = (coif_error){0};
    return coif_usd_crate_decode(&layer, handle, &any, value, &arena, &error);
}

enum { COUNT = 20 };

// The coding of integers by hand: common difference 1, one difference of each width.
static uint64_t put_integers(int type, size_t width)
{
    unsigned char encoded[64] = {1};
    size_t size = width;
    const unsigned char codes[(2 * COUNT + 7) / 8] = {0, 0xe4}; // of integers 4 to 7: 0, 1, 2, 3
    memcpy(encoded + size, codes, sizeof codes);
    size += sizeof codes;
    const int64_t differences[] = {-5, 300, -70000};
    for (int i = 0; i < 3; ++i) {
        const size_t bytes = (width / 4) << i;
        memcpy(encoded + size, &differences[i], bytes);
        size += bytes;
    }
    const uint64_t value = (uint64_t)5 << 61 | crate_here(&crate, type);
    crate_put_u64(&crate, COUNT);
    crate_put_block(&crate, encoded, size);
    return value;
}

static int32_t expected_integer(int i)
{
    return i < 5 ? i + 1 : i == 5 ? 0 : i == 6 ? 300 : 300 - 70000 + (i - 7);
}

TEST(compressed_integers_are_sums_of_differences)
{
    const int types[] = {CRATE_INT, 5}; // int, int64
    coif_arena_init(&arena, "crate test");
    for (int t = 0; t < 2; ++t) {
        coif_usd_value value;
        crate_begin(&crate, 8);
        CHECK_OK(decode(&value, put_integers(types[t], t == 0 ? 4 : 8)), error);
        CHECK(value.count == COUNT && value.element == COIF_USD_INT);
        for (int i = 0; i < COUNT; ++i) {
            CHECK(((const int32_t *)value.data)[i] == expected_integer(i));
        }
    }
    coif_arena_free(&arena);
}

TEST(compressed_floats_are_integers_or_indices)
{
    coif_arena_init(&arena, "crate test");
    uint32_t integers[COUNT];
    const float table[] = {0.5f, -2.25f, 1e30f};
    coif_usd_value value;
    for (uint32_t i = 0; i < COUNT; ++i) {
        integers[i] = i % 3;
    }
    crate_begin(&crate, 8);
    uint64_t handle = (uint64_t)5 << 61 | crate_here(&crate, CRATE_FLOAT);
    crate_put_u64(&crate, COUNT);
    crate_put(&crate, "t", 1);
    crate_put_u32(&crate, 3);
    crate_put(&crate, table, sizeof table);
    crate_put_integers(&crate, integers, COUNT);
    CHECK_OK(decode(&value, handle), error);
    CHECK(((const float *)value.data)[4] == -2.25f && ((const float *)value.data)[17] == 1e30f);
    handle = (uint64_t)5 << 61 | crate_here(&crate, CRATE_DOUBLE);
    crate_put_u64(&crate, COUNT);
    crate_put(&crate, "i", 1);
    crate_put_integers(&crate, integers, COUNT);
    CHECK_OK(decode(&value, handle), error);
    CHECK(value.element == COIF_USD_DOUBLE && ((const double *)value.data)[5] == 2.0);
    integers[COUNT - 1] = 3; // beyond the table
    handle = (uint64_t)5 << 61 | crate_here(&crate, CRATE_FLOAT);
    crate_put_u64(&crate, COUNT);
    crate_put(&crate, "t", 1);
    crate_put_u32(&crate, 3);
    crate_put(&crate, table, sizeof table);
    crate_put_integers(&crate, integers, COUNT);
    CHECK(decode(&value, handle) == COIF_ERR_FORMAT);
    coif_arena_free(&arena);
}

TEST(half_floats_are_widened)
{
    coif_arena_init(&arena, "crate test");
    const uint16_t halves[] = {0x3c00, 0xc000, 0x0001, 0x7bff, 0x7c00, 0x8000};
    const float floats[] = {1.0f, -2.0f, 5.9604645e-8f, 65504.0f, INFINITY, -0.0f};
    coif_usd_value value;
    crate_begin(&crate, 8);
    CHECK_OK(decode(&value, crate_array(&crate, CRATE_VEC3H, halves, 2, 6)), error);
    CHECK(value.components == 3 && memcmp(value.data, floats, sizeof floats) == 0);
    const double codes[] = {1.5, 2.5}; // time codes are doubles
    CHECK_OK(decode(&value, crate_array(&crate, 56, codes, 2, 8)), error);
    CHECK(value.count == 2 && memcmp(value.data, codes, sizeof codes) == 0);
    coif_arena_free(&arena);
}

TEST(lz4_copies_overlap)
{
    // Literals "ab", a copy of 9 bytes from 2 back, literals "c".
    const unsigned char block[] = {0x25, 'a', 'b', 2, 0, 0x10, 'c'};
    char text[32] = {0};
    size_t size;
    CHECK(coif_lz4_decompress(text, sizeof text, &size, block, sizeof block) && size == 12);
    CHECK(memcmp(text, "abababababac", 12) == 0);
    CHECK(!coif_lz4_decompress(text, 11, &size, block, sizeof block));
    CHECK(!coif_lz4_decompress(text, sizeof text, &size, block, 4));
    const unsigned char before[] = {0x15, 'a', 2, 0};
    CHECK(!coif_lz4_decompress(text, sizeof text, &size, before, sizeof before));
}

TEST(damage_names_the_offset)
{
    coif_archive *archive;
    crate_build_hair(&crate, 8);
    CHECK(open_crate(&archive, 100) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "a.usdc: byte");
    CHECK_CONTAINS(error.text, "the file ends at 100");
    coif_arena_free(&arena);
    crate.data[9] = 200;
    CHECK(open_crate(&archive, crate.size) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "crate version 0.200.0 is not known");
    coif_arena_free(&arena);
}

TEST(blocked_values_are_missing)
{
    coif_archive *archive;
    crate_begin(&crate, 8);
    const int root = crate_spec(&crate, -1, "", CRATE_ROOT);
    const int hair = crate_prim(&crate, root, "hair", "BasisCurves");
    const float points[] = {0, 0, 0, 1, 0, 0};
    crate_attribute(&crate, hair, "points", "point3f[]");
    crate_field(&crate, "default", crate_array(&crate, CRATE_VEC3F, points, 2, 12));
    crate_attribute(&crate, hair, "curveVertexCounts", "int[]");
    crate_field(&crate, "default", crate_inlined(51, 0));
    crate_finish(&crate);
    CHECK_OK(open_crate(&archive, crate.size), error);
    coif_archive_curves curves;
    CHECK(coif_usd_read_curves(archive, 0, 0, &curves, &arena, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "the counts do not add up to the 2 points");
    coif_arena_free(&arena);
}

TEST(the_first_layer_of_a_package_is_read)
{
    static unsigned char package[CRATE_BYTES];
    crate_build_hair(&crate, 8);
    const unsigned char header[30] = {'P', 'K', 3, 4, 20};
    memcpy(package, header, sizeof header);
    const uint32_t size = (uint32_t)crate.size;
    memcpy(package + 22, &size, sizeof size);
    package[26] = 6; // length of the name, then padding
    package[28] = 28;
    memcpy(package + 30, "a.usdc", 6);
    memcpy(package + 64, crate.data, crate.size);
    coif_archive *archive;
    coif_arena_init(&arena, "crate test");
    error = (coif_error){0};
    coif_bytes bytes = {"a.usdz", package, 64 + crate.size};
    CHECK_OK(coif_usd_archive_open_bytes(&archive, &bytes, NULL, &arena, &error), error);
    CHECK(archive->object_count == 2);
    package[8] = 8; // deflated
    CHECK(coif_usd_archive_open_bytes(&archive, &bytes, NULL, &arena, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "compressed");
    error = (coif_error){0};
    package[8] = 0;
    bytes.size -= 1;
    CHECK(coif_usd_archive_open_bytes(&archive, &bytes, NULL, &arena, &error) == COIF_ERR_FORMAT);
    coif_arena_free(&arena);
}
