// Lists of frames.
#include "core/base/frame_list.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"

#include <math.h>
#include <string.h>

static const double LAST_FRAME = 9999999.0;

// Digits with up to three decimals.
static bool parse_frame(const char **text, double *frame)
{
    const size_t whole = strspn(*text, "0123456789");
    int64_t thousandths = 0;
    for (size_t i = 0; i < whole; ++i) {
        thousandths = 10 * thousandths + ((*text)[i] - '0');
        if (thousandths > (int64_t)LAST_FRAME) {
            return false;
        }
    }
    *text += whole;
    size_t decimals = 0;
    if (whole > 0 && **text == '.') {
        ++*text;
        decimals = strspn(*text, "0123456789");
        if (decimals < 1 || decimals > 3) {
            return false;
        }
    }
    for (size_t i = 0; i < 3; ++i) {
        thousandths = 10 * thousandths + (i < decimals ? (*text)[i] - '0' : 0);
    }
    *text += decimals;
    *frame = (double)thousandths / 1000.0;
    return whole > 0;
}

static bool parse_range(const char **text, coif_frame_list *range)
{
    *range = (coif_frame_list){.step = 1.0};
    bool valid = parse_frame(text, &range->first);
    range->last = range->first;
    if (valid && **text == '-') {
        ++*text;
        valid = parse_frame(text, &range->last);
    }
    if (valid && **text == 'x') {
        ++*text;
        valid = parse_frame(text, &range->step) && range->step > 0.0;
    }
    return valid && (**text == ',' || **text == '\0');
}

coif_status coif_frame_list_parse(coif_frame_list *list, const char *text, coif_arena *arena,
                                  coif_error *error)
{
    const char *rest = text;
    coif_frame_list *range = list;
    for (;;) {
        if (!parse_range(&rest, range)) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "\"%s\" is not a list of frames; expected 12, 12.5, 1-48, 1-24x0.5 or "
                             "2,5,9-20x3, with at most three decimals",
                             text);
        }
        if (range->last < range->first) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "frames %s: last frame is before the first",
                             text);
        }
        if (*rest == '\0') {
            return COIF_OK;
        }
        ++rest;
        coif_frame_list *next = coif_arena_new(arena, 1, coif_frame_list);
        range->next = next;
        range = next;
    }
}

// Number of frames of one range; a step that ends within rounding of the last frame counts.
static int64_t count_of(const coif_frame_list *range)
{
    return (int64_t)floor((range->last - range->first) / range->step + 1e-6) + 1;
}

bool coif_frame_list_at(double *frame, const coif_frame_list *list, int64_t index)
{
    for (; list != NULL; list = list->next) {
        const int64_t count = count_of(list);
        if (index < count) {
            const double exact = list->first + (double)index * list->step;
            *frame = floor(1000.0 * exact + 0.5) / 1000.0;
            return true;
        }
        index -= count;
    }
    return false;
}

bool coif_frame_is_whole(double frame)
{
    return frame == floor(frame);
}

static int thousandths_of(double frame)
{
    return (int)floor(1000.0 * (frame - floor(frame)) + 0.5);
}

char *coif_frame_text(double frame, coif_arena *arena)
{
    return coif_path_frame_time("####", frame, arena);
}

char *coif_path_frame_time(const char *pattern, double frame, coif_arena *arena)
{
    const char *hash = strchr(pattern, '#');
    if (hash == NULL || coif_frame_is_whole(frame)) {
        return coif_path_frame(pattern, (int)frame, arena);
    }
    const int digits = (int)strspn(hash, "#");
    return coif_arena_print(arena, "%.*s%0*d.%03d%s", (int)(hash - pattern), pattern, digits,
                            (int)floor(frame), thousandths_of(frame), hash + digits);
}
