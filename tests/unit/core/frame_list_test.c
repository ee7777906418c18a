// Lists of frames on the command line and frames in file names.
#include "core/base/frame_list.h"

#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

TEST(frame_lists_are_parsed_or_rejected)
{
    static const struct {
        const char *text;
        double frames[6];
        int count;
    } good[] = {{"12.5", {12.5}, 1},
                {"7", {7}, 1},
                {"1-3x0.5", {1, 1.5, 2, 2.5, 3}, 5},
                {"0-1x0.3", {0, 0.3, 0.6, 0.9}, 4},
                {"0-0.3x0.1", {0, 0.1, 0.2, 0.3}, 4},
                {"2,5,9-15x3", {2, 5, 9, 12, 15}, 5}};
    coif_frame_list list;
    coif_error error = {0};
    for (size_t i = 0; i < COIF_COUNT_OF(good); ++i) {
        CHECK_OK(coif_frame_list_parse(&list, good[i].text, &arena, &error), error);
        double frame;
        for (int k = 0; k < good[i].count; ++k) {
            CHECK(coif_frame_list_at(&frame, &list, k) && frame == good[i].frames[k]);
        }
        CHECK(!coif_frame_list_at(&frame, &list, good[i].count));
    }
    const char *const bad[] = {"",       "x",        "1-", "1-2x0",     "1-2x", "5-1",
                               "1-2-3",  "-4",       "1,", ",1",        "1 2",  "1.",
                               "1.0005", "99999999", ".5", "1-2x0.0001"};
    for (size_t i = 0; i < COIF_COUNT_OF(bad); ++i) {
        error = (coif_error){0};
        CHECK(coif_frame_list_parse(&list, bad[i], &arena, &error) == COIF_ERR_ARGUMENT);
    }
    CHECK(!coif_frame_list_given(&(coif_frame_list){0}));
    CHECK_TEXT(coif_frame_text(12, &arena), "0012");
    CHECK_TEXT(coif_frame_text(12.5, &arena), "0012.500");
    CHECK_TEXT(coif_path_frame_time("a/h.###.obj", 7.125, &arena), "a/h.007.125.obj");
    CHECK_TEXT(coif_path_frame_time("h.obj", 7.125, &arena), "h.obj");
}
