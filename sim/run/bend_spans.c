#include "sim/run/bend_spans.h"

#include "core/mesh/parse_float.h"

#include <string.h>

static const char SEPARATORS[] = " ,\t\n";

static const float MAX_SPAN = 100000.0f;
static const float MAX_SCALE = 2.0f;

// One word, "4", "4:0.9" or "last:0.5". Returns where it ends, NULL when it is none of these.
static const char *read_pair(int32_t *span, float *scale, const char *word)
{
    float number = 1.0f;
    const char *end = word + 4;
    *span = 0;
    if (strncmp(word, "last", 4) != 0) {
        end = coif_parse_float(&number, word);
        // Checked before the conversion to int32_t, which could overflow.
        if (end == NULL || !(number >= 2.0f) || !(number <= MAX_SPAN) ||
            number != (float)(int32_t)number) {
            return NULL;
        }
        *span = (int32_t)number;
    }
    *scale = 1.0f;
    if (*end == ':') {
        end = coif_parse_float(&number, end + 1);
        if (end == NULL || !(number >= 0.0f) || !(number <= MAX_SCALE)) {
            return NULL;
        }
        *scale = number;
    }
    return *end == '\0' || strchr(SEPARATORS, *end) != NULL ? end : NULL;
}

coif_status coif_bend_spans_parse(coif_bend_spans *spans, const char *text, coif_error *error)
{
    *spans = (coif_bend_spans){0};
    const char *at = text != NULL ? text : "";
    for (at += strspn(at, SEPARATORS); *at != '\0'; at += strspn(at, SEPARATORS)) {
        int32_t span;
        float scale;
        const int size = (int)strcspn(at, SEPARATORS);
        const char *end = read_pair(&span, &scale, at);
        if (end == NULL) {
            return coif_fail(
                error, COIF_ERR_SCENE,
                "found \"%.*s\", wanted a number of segments from 2 on or \"last\", "
                "each with an optional factor on its rest length from 0 to %g: \"2 4:0.9 "
                "last\"",
                size, at, (double)MAX_SCALE);
        }
        if (spans->count == COIF_BEND_SPANS_MAX) {
            return coif_fail(error, COIF_ERR_SCENE,
                             "\"%.*s\" is one more than the maximum of %d spans", size, at,
                             COIF_BEND_SPANS_MAX);
        }
        spans->segments[spans->count] = span;
        spans->scales[spans->count++] = scale;
        at = end;
    }
    if (spans->count == 0) {
        *spans = (coif_bend_spans){.count = 1, .segments = {2}, .scales = {1.0f}};
    }
    return COIF_OK;
}
