// Image files: damage, invalid requests and full disks.
#include "tests/support/test_images.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

TEST(truncated_and_foreign_files_are_rejected)
{
    COIF_SCOPED_ARENA(arena, "test");
    enum { SIDE = 64 };
    float *pixels = coif_arena_new(&arena, SIDE * SIDE * 3, float);
    for (int i = 0; i < SIDE * SIDE * 3; ++i) {
        pixels[i] = (float)(i * 7919 % 251) / 250.0f;
    }
    const coif_image_desc desc = {
        .width = SIDE, .height = SIDE, .channel_count = 3, .pixels = pixels};
    for (size_t i = 0; i < COIF_COUNT_OF(KNOWN); ++i) {
        coif_error error = {0};
        char *data;
        size_t size;
        const char *path = coif_test_path(KNOWN[i]);
        CHECK_OK(coif_image_save(path, &desc, &error), error);
        CHECK_OK(coif_file_load(&data, &size, path, &arena, &error), error);
        // Keeping 0 bytes, a part of the header, half, and almost all.
        const size_t kept[] = {0, 1, 10, size / 2, size - size / 8};
        for (size_t k = 0; k < COIF_COUNT_OF(kept); ++k) {
            coif_image image;
            coif_error wrong = {0};
            CHECK_OK(coif_file_save(path, data, kept[k], &error), error);
            const coif_status status = coif_image_load(&image, path, &arena, &wrong);
            if (status != COIF_ERR_FORMAT) {
                coif_test_failed(__FILE__, __LINE__, "%s: %zu of %zu bytes give %d: %s", KNOWN[i],
                                 kept[k], size, (int)status, wrong.text);
            } else {
                CHECK_CONTAINS(wrong.text, path);
            }
        }
        coif_image image;
        coif_error wrong = {0};
        static const char text[] = "This is not a picture but a page about pictures.";
        CHECK_OK(coif_file_save(path, text, sizeof text, &error), error);
        CHECK(coif_image_load(&image, path, &arena, &wrong) == COIF_ERR_FORMAT);
    }
}

// A BMP file of 2 x 2 grey pixels with a palette; fields of its header are replaced.
static coif_status load_bmp(int at, int32_t value, size_t size, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "test");
    unsigned char data[54 + 4 * 256 + 8] = {
        'B', 'M', [10] = 54 & 0xff, [11] = 4, [14] = 40, [18] = 2, [22] = 2, [26] = 1, [28] = 8};
    for (int i = 0; i < 256; ++i) {
        memset(data + 54 + 4 * (size_t)i, i, 3);
    }
    memset(data + sizeof data - 8, 200, 2);
    memcpy(data + at, &value, size);
    coif_error saving = {0};
    const char *path = coif_test_path("palette.bmp");
    CHECK_OK(coif_file_save(path, data, sizeof data, &saving), saving);
    coif_image image;
    return coif_image_load(&image, path, &arena, error);
}

// Palettes, sizes and run lengths of these files are trusted by the image library.
TEST(bmp_files_that_the_library_would_trust_are_rejected)
{
    static const struct {
        int at;
        int32_t value;
        size_t size;
        const char *message;
    } cases[] = {{30, 1, 4, "8 bits per pixel and compression 1"},
                 {28, 4, 2, "4 bits per pixel"},
                 {14, 12, 4, "bits per pixel"},
                 {46, 3, 4, "not a valid BMP file"},
                 {18, 1 << 30, 4, "not a valid BMP file"},
                 {22, INT32_MIN, 4, "not a valid BMP file"},
                 {22, 3, 4, "not a valid BMP file"},
                 {10, 54, 4, "not a valid BMP file"},
                 {10, -8, 4, "not a valid BMP file"},
                 {28, 32, 2, "not a valid BMP file"}};
    coif_error error = {0};
    CHECK_OK(load_bmp(46, 256, 4, &error), error);
    for (size_t i = 0; i < COIF_COUNT_OF(cases); ++i) {
        coif_error wrong = {0};
        CHECK(load_bmp(cases[i].at, cases[i].value, cases[i].size, &wrong) == COIF_ERR_FORMAT);
        CHECK_CONTAINS(wrong.text, cases[i].message);
    }
}

// A JPEG named as a PNG is rejected.
TEST(the_extension_selects_the_format)
{
    COIF_SCOPED_ARENA(arena, "test");
    coif_error error = {0};
    float pixels[WIDTH * HEIGHT * 3];
    fill(pixels, 3);
    const coif_image_desc desc = plain(pixels, 3);
    char *data;
    size_t size;
    coif_image image;
    CHECK_OK(coif_image_save(coif_test_path("x.jpg"), &desc, &error), error);
    CHECK_OK(coif_file_load(&data, &size, coif_test_path("x.jpg"), &arena, &error), error);
    CHECK_OK(coif_file_save(coif_test_path("x.png"), data, size, &error), error);
    CHECK(coif_image_load(&image, coif_test_path("x.png"), &arena, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "not a valid PNG file");
}

static void put_big(unsigned char *bytes, uint32_t value)
{
    for (int i = 0; i < 4; ++i) {
        bytes[i] = (unsigned char)(value >> (24 - 8 * i));
    }
}

static uint32_t png_checksum(const unsigned char *bytes, size_t count)
{
    uint32_t sum = 0xffffffffu;
    for (size_t i = 0; i < count; ++i) {
        sum ^= bytes[i];
        for (int k = 0; k < 8; ++k) {
            sum = (sum >> 1) ^ (0xedb88320u & (0u - (sum & 1u)));
        }
    }
    return ~sum;
}

TEST(a_header_that_claims_too_much_allocates_nothing)
{
    COIF_SCOPED_ARENA(arena, "test");
    float pixels[WIDTH * HEIGHT * 3];
    fill(pixels, 3);
    const coif_image_desc desc = plain(pixels, 3);
    const char *path = coif_test_path("big.png");
    static const uint32_t sides[][2] = {{70000, 10}, {10, 70000}, {65536, 65536}, {30000, 30000}};
    for (size_t i = 0; i < COIF_COUNT_OF(sides); ++i) {
        coif_error error = {0};
        char *data;
        size_t size;
        CHECK_OK(coif_image_save(path, &desc, &error), error);
        CHECK_OK(coif_file_load(&data, &size, path, &arena, &error), error);
        unsigned char *header = (unsigned char *)data + 12;
        put_big(header + 4, sides[i][0]);
        put_big(header + 8, sides[i][1]);
        put_big(header + 17, png_checksum(header, 17));
        CHECK_OK(coif_file_save(path, data, size, &error), error);

        coif_image image;
        const size_t before = arena.used;
        CHECK(coif_image_load(&image, path, &arena, &error) == COIF_ERR_FORMAT);
        CHECK_CONTAINS(error.text, "big.png");
        CHECK(arena.used == before);
    }
}

TEST(invalid_requests_are_rejected)
{
    COIF_SCOPED_ARENA(arena, "test");
    static const float pixels[5] = {0};
    static const coif_image_type half[] = {COIF_IMAGE_HALF};
    static const coif_image_attribute bad_text[] = {{"", "x"}};
    const coif_image_desc good = {.width = 1, .height = 1, .channel_count = 1, .pixels = pixels};
    coif_image_desc desc = good;
    coif_image image;
    coif_error error = {0};
    CHECK(coif_image_save(coif_test_path("a.gif"), &desc, &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, ".exr .png .jpg .jpeg .tif .tiff .bmp or .hdr");
    CHECK(coif_image_load(&image, coif_test_path("a"), &arena, &error) == COIF_ERR_ARGUMENT);
    CHECK(coif_image_load(&image, coif_test_path("absent.png"), &arena, &error) == COIF_ERR_IO);

    desc.width = 0;
    CHECK(coif_image_save(coif_test_path("a.png"), &desc, NULL) == COIF_ERR_ARGUMENT);
    desc = good;
    desc.channel_types = half;
    error = (coif_error){0};
    CHECK(coif_image_save(coif_test_path("a.png"), &desc, &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "PNG does not support half channels");
    desc = good;
    desc.channel_count = 5;
    CHECK(coif_image_save(coif_test_path("a.png"), &desc, NULL) == COIF_ERR_ARGUMENT);
    CHECK(coif_image_save(coif_test_path("a.exr"), &desc, NULL) == COIF_ERR_ARGUMENT);
    desc = good;
    desc.texts = bad_text;
    desc.text_count = 1;
    CHECK(coif_image_save(coif_test_path("a.png"), &desc, NULL) == COIF_ERR_ARGUMENT);
}

// A file size limit simulates a full disk.
TEST(a_failed_save_is_an_io_error_and_keeps_the_old_file)
{
    COIF_SCOPED_ARENA(arena, "test");
    coif_error error = {0};
    float pixels[WIDTH * HEIGHT * 3];
    fill(pixels, 3);
    const coif_image_desc desc = plain(pixels, 3);
    const char *path = coif_test_path("full.bmp");
    CHECK_OK(coif_file_save(path, "old", 3, &error), error);

    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, limit.rlim_max});
    CHECK(coif_image_save(path, &desc, &error) == COIF_ERR_IO);
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_DFL);
    CHECK_CONTAINS(error.text, "full.bmp");

    char *data = NULL;
    size_t size = 0;
    CHECK_OK(coif_file_load(&data, &size, path, &arena, &error), error);
    CHECK_TEXT(data, "old");
    DIR *folder = opendir(coif_test_folder());
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        CHECK(strstr(entry->d_name, "tmp") == NULL);
    }
    closedir(folder);

    error = (coif_error){0};
    CHECK(coif_image_save(coif_test_path("no/such/folder.png"), &desc, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "folder.png");
}
