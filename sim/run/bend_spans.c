#include "sim/run/bend_spans.h"

#include "core/base/log.h"
#include "core/mesh/parse_float.h"

#include <string.h>

static const char SEPARATORS[] = " ,\t\n";

static const float MAX_INDEX = 100000.0f;
static const float MAX_SCALE = 2.0f;
static const float MAX_STIFFNESS = 1000.0f;

// A whole number. Returns where it ends, NULL when there is none.
static const char *read_integer(int32_t *integer, const char *text)
{
    float number = 0.0f;
    const char *end = coif_parse_float(&number, text);
    // Checked before the conversion to int32_t, which could overflow.
    if (end == NULL || !(number >= -MAX_INDEX) || !(number <= MAX_INDEX) ||
        number != (float)(int32_t)number) {
        return NULL;
    }
    *integer = (int32_t)number;
    return end;
}

// A point index, "17", "-1" or "last".
static const char *read_index(int32_t *index, const char *text)
{
    if (strncmp(text, "last", 4) == 0) {
        *index = -1;
        return text + 4;
    }
    return read_integer(index, text);
}

// ":0.9" or "*0.5" where the mark is there. Returns where it ends, NULL on an error.
static const char *read_factor(float *factor, char mark, float max, const char *text)
{
    if (text == NULL || *text != mark) {
        return text;
    }
    const char *end = coif_parse_float(factor, text + 1);
    return end != NULL && *factor >= 0.0f && *factor <= max ? end : NULL;
}

// One word: "4", "last" or "3-17", with ":0.9" and "*0.5". Returns where it ends, NULL when it is
// none of these.
static const char *read_span(coif_bend_span *span, const char *word)
{
    *span = (coif_bend_span){.scale = 1.0f, .stiffness = 1.0f};
    const char *end = read_index(&span->first, word);
    if (end != NULL && *end == '-') {
        end = read_index(&span->last, end + 1);
    } else if (span->first == -1 && word[0] == 'l') {
        span->first = 0;
        span->last = -1;
    } else {
        span->segments = span->first;
        span->first = 0;
        end = span->segments >= 2 ? end : NULL;
    }
    end = read_factor(&span->scale, ':', MAX_SCALE, end);
    end = read_factor(&span->stiffness, '*', MAX_STIFFNESS, end);
    return end != NULL && (*end == '\0' || strchr(SEPARATORS, *end) != NULL) ? end : NULL;
}

// Whether the points of a single pair are the same or neighbours, however long the strand is.
static bool is_too_close(const coif_bend_span *span)
{
    const int32_t away = span->last - span->first;
    return span->segments == 0 && (span->first < 0) == (span->last < 0) && away > -2 && away < 2;
}

coif_status coif_bend_spans_parse(coif_bend_spans *spans, const char *text, coif_error *error)
{
    *spans = (coif_bend_spans){0};
    const char *begin = text != NULL ? text : "";
    const char *at = begin;
    for (at += strspn(at, SEPARATORS); *at != '\0'; at += strspn(at, SEPARATORS)) {
        coif_bend_span span;
        const int position = (int)(at - begin) + 1;
        const int size = (int)strcspn(at, SEPARATORS);
        const char *end = read_span(&span, at);
        if (end == NULL) {
            return coif_fail(
                error, COIF_ERR_SCENE,
                "found \"%.*s\" at character %d, expected a number of segments from 2 on, \"last\" "
                "(root to tip) or two point indices such as 3-17 or 5--1, with an optional :factor "
                "on the rest length (0 to %g) and an optional *factor on bend_stiffness (0 to %g): "
                "\"2 4:0.9 3-17*0.5 last:0.5*0.3\"",
                size, at, position, (double)MAX_SCALE, (double)MAX_STIFFNESS);
        }
        if (is_too_close(&span)) {
            return coif_fail(error, COIF_ERR_SCENE,
                             "found \"%.*s\" at character %d, expected points that are at least "
                             "two segments apart",
                             size, at, position);
        }
        if (spans->count == COIF_BEND_SPANS_MAX) {
            return coif_fail(error, COIF_ERR_SCENE,
                             "\"%.*s\" at character %d is one more than the maximum of %d spans",
                             size, at, position, COIF_BEND_SPANS_MAX);
        }
        spans->spans[spans->count++] = span;
        at = end;
    }
    if (spans->count == 0) {
        *spans = (coif_bend_spans)COIF_BEND_SPANS_DEFAULT;
    }
    return COIF_OK;
}

void coif_bend_spans_warn_too_short(const char *text, const coif_groom *groom)
{
    coif_bend_spans spans;
    if (text == NULL || text[strspn(text, SEPARATORS)] == '\0' ||
        coif_bend_spans_parse(&spans, text, NULL) != COIF_OK) {
        return;
    }
    const char *at = text + strspn(text, SEPARATORS);
    for (int32_t i = 0; i < spans.count; ++i) {
        const int size = (int)strcspn(at, SEPARATORS);
        int32_t without = 0;
        for (int32_t s = 0; s < groom->simulated_count; ++s) {
            const int32_t points = coif_strands_length(&groom->rest, groom->simulated[s]);
            without += coif_bend_pairs_of(&spans.spans[i], points).span == 0;
        }
        if (without > 0) {
            coif_log(COIF_LOG_WARNING,
                     "sim.bend_spans: \"%.*s\" has no effect on %d of %d simulated strands, which "
                     "have too few points",
                     size, at, without, groom->simulated_count);
        }
        at += size;
        at += strspn(at, SEPARATORS);
    }
}
