// Numbers that change over frames.
#include "sim/cache/frame_keys.h"

#include "core/base/arena.h"
#include "core/base/error.h"

#include <math.h>
#include <stdlib.h>

// A number up to one of the characters in ends, or the end of the text.
static bool read_number(double *number, const char **text, char end)
{
    char *rest;
    *number = strtod(*text, &rest);
    const bool valid = rest != *text && isfinite(*number) && (*rest == end || *rest == '\0');
    *text = rest;
    return valid;
}

static bool read_keys(coif_frame_keys *keys, double *frames, double *values, const char *text)
{
    while (*text != '\0') {
        double *frame = &frames[keys->count], *value = &values[keys->count];
        if (!read_number(frame, &text, ':') || *text != ':') {
            return false;
        }
        ++text;
        if (!read_number(value, &text, ',') || (keys->count > 0 && !(*frame > frame[-1]))) {
            return false;
        }
        ++keys->count;
        if (text[0] == ',' && text[1] == '\0') {
            return false;
        }
        text += *text == ',';
    }
    return keys->count > 0;
}

coif_status coif_frame_keys_parse(coif_frame_keys *keys, const char *text, coif_arena *arena,
                                  coif_error *error)
{
    size_t commas = 0;
    for (const char *c = text; *c != '\0'; ++c) {
        commas += *c == ',';
    }
    double *frames = coif_arena_new(arena, commas + 2, double);
    double *values = coif_arena_new(arena, commas + 2, double);
    *keys = (coif_frame_keys){.frames = frames, .values = values};
    const char *rest = text;
    if (read_number(&values[0], &rest, '\0')) {
        keys->count = 1;
        return COIF_OK;
    }
    if (!read_keys(keys, frames, values, text)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "\"%s\" is neither a number nor frame:value pairs in ascending order, as "
                         "10:0,20:1",
                         text);
    }
    return COIF_OK;
}

double coif_frame_keys_at(const coif_frame_keys *keys, double frame)
{
    int32_t k = 0;
    while (k < keys->count && keys->frames[k] <= frame) {
        ++k;
    }
    if (k == 0 || k == keys->count) {
        return keys->values[k == 0 ? 0 : k - 1];
    }
    const double t = (frame - keys->frames[k - 1]) / (keys->frames[k] - keys->frames[k - 1]);
    return keys->values[k - 1] + t * (keys->values[k] - keys->values[k - 1]);
}
