// text_writer: numbers read back as the same float; short decimals stay short.
#include "core/base/text_writer.h"

#include "core/base/rng.h"
#include "core/mesh/parse_float.h"
#include "tests/support/test.h"

static bool reads_back(float value)
{
    char text[COIF_NUMBER_TEXT + 1];
    const size_t length = coif_print_number(text, value);
    text[length] = '\0';
    float back;
    return length < COIF_NUMBER_TEXT && coif_parse_float(&back, text) == text + length &&
           memcmp(&back, &value, sizeof back) == 0;
}

TEST(every_kind_of_number_reads_back)
{
    int32_t wrong = 0;
    for (int32_t i = 0; i < 400000; ++i) {
        const uint32_t bits = coif_random_word(3, (uint64_t)i, 0);
        float value;
        memcpy(&value, &bits, sizeof value);
        wrong += isfinite(value) && !reads_back(value);
        wrong += !reads_back(coif_random_unit(4, (uint64_t)i, 0) - 0.5f);
    }
    CHECK(wrong == 0);
    for (int power = -140; power < 127; ++power) {
        const float value = ldexpf(1.0f, power);
        CHECK(reads_back(value) && reads_back(-value) && reads_back(nextafterf(value, 0.0f)));
    }
    for (float ten = 1e-30f; ten < 1e30f; ten *= 10.0f) {
        CHECK(reads_back(ten) && reads_back(nextafterf(ten, 0.0f)));
    }
}

TEST(short_decimals_stay_short)
{
    static const struct {
        float value;
        const char *text;
    } CASES[] = {{0.1f, "0.1"},      {-2.5f, "-2.5"},       {0.0f, "0"},           {1e9f, "1e9"},
                 {3e-5f, "0.00003"}, {1.25e-7f, "1.25e-7"}, {123456.0f, "123456"}, {100.0f, "100"}};
    for (size_t i = 0; i < COIF_COUNT_OF(CASES); ++i) {
        char text[COIF_NUMBER_TEXT + 1];
        text[coif_print_number(text, CASES[i].value)] = '\0';
        CHECK_TEXT(text, CASES[i].text);
    }
}
