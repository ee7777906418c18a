#include "core/json/json_edit.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/strbuf.h"
#include "core/json/json.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 32 };

// A place, cut at its slashes.
typedef struct route {
    const char *steps[MOST_STEPS];
    int count;
} route;

static void unescape(char *step)
{
    char *to = step;
    for (const char *from = step; *from != '\0'; ++from) {
        if (from[0] == '~' && (from[1] == '0' || from[1] == '1')) {
            *to++ = *++from == '1' ? '/' : '~';
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

static coif_status read_route(route *way, const char *place, coif_arena *arena, coif_error *error)
{
    way->count = 0;
    if (place[0] != '/' || place[1] == '\0') {
        return coif_fail(error, COIF_ERR_ARGUMENT, "\"%s\": a place looks like /grooms/0/count",
                         place);
    }
    char *rest = coif_arena_copy_text(arena, place + 1);
    char *step;
    while ((step = strsep(&rest, "/")) != NULL) {
        if (way->count == MOST_STEPS) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "\"%s\": more than %d steps", place,
                             MOST_STEPS);
        }
        unescape(step);
        way->steps[way->count++] = step;
    }
    return COIF_OK;
}

// The number a step means in an array, its length for "-"; -1 when it is none.
static int32_t index_of(const coif_json *array, const char *step)
{
    if (strcmp(step, "-") == 0) {
        return array->child_count;
    }
    char *end;
    const long index = strtol(step, &end, 10);
    return step[0] >= '0' && step[0] <= '9' && *end == '\0' && index <= array->child_count
               ? (int32_t)index
               : -1;
}

static const coif_json *step_into(const coif_json *value, const char *step)
{
    if (value->kind == COIF_JSON_ARRAY) {
        return coif_json_element(value, index_of(value, step));
    }
    return value->kind == COIF_JSON_OBJECT ? coif_json_find(value, step) : NULL;
}

// Goes as far as the text goes; taken is how many steps that were.
static const coif_json *walk(const coif_json *root, const route *way, int *taken)
{
    const coif_json *at = root;
    for (*taken = 0; *taken < way->count; ++*taken) {
        const coif_json *next = step_into(at, way->steps[*taken]);
        if (next == NULL) {
            break;
        }
        at = next;
    }
    return at;
}

static const coif_json *last_child(const coif_json *value)
{
    const coif_json *last = value->child;
    while (last != NULL && last->next != NULL) {
        last = last->next;
    }
    return last;
}

// Where a child begins: at its key inside an object.
static size_t child_begin(const coif_json *child)
{
    return child->key != NULL ? child->key_begin : child->begin;
}

// The white space before a place, back to the line break; NULL when something else stands on the
// line before it.
static const char *indent_before(const char *text, size_t at, coif_arena *arena)
{
    size_t begin = at;
    while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) {
        --begin;
    }
    if (begin == 0 || text[begin - 1] != '\n') {
        return NULL;
    }
    const bool carriage = begin > 1 && text[begin - 2] == '\r';
    return coif_arena_print(arena, "%s%.*s", carriage ? "\r\n" : "\n", (int)(at - begin),
                            text + begin);
}

// The new child with what stands before it: as its sister before it is written, on a line of its
// own or not.
static void splice_child(coif_strbuf *out, const coif_json_text *text, const coif_json *parent,
                         const char *child)
{
    const coif_json *last = last_child(parent);
    if (last == NULL) {
        coif_strbuf_add_bytes(out, text->data, parent->begin + 1);
        coif_strbuf_add(out, child);
        coif_strbuf_add_bytes(out, text->data + parent->end - 1, text->size - parent->end + 1);
        return;
    }
    const char *indent = indent_before(text->data, child_begin(last), out->arena);
    coif_strbuf_add_bytes(out, text->data, last->end);
    coif_strbuf_print(out, ",%s%s", indent != NULL ? indent : " ", child);
    coif_strbuf_add_bytes(out, text->data + last->end, text->size - last->end);
}

// What is missing below the last value that is there, as one child of it.
static char *missing_child(const route *way, int taken, const coif_json *parent, const char *value,
                           coif_arena *arena)
{
    char *made = coif_arena_copy_text(arena, value);
    for (int i = way->count - 1; i > taken; --i) {
        made =
            strcmp(way->steps[i], "-") == 0 || strcmp(way->steps[i], "0") == 0
                ? coif_arena_print(arena, "[%s]", made)
                : coif_arena_print(arena, "{%s: %s}", coif_json_quote(way->steps[i], arena), made);
    }
    return parent->kind == COIF_JSON_ARRAY
               ? made
               : coif_arena_print(arena, "%s: %s", coif_json_quote(way->steps[taken], arena), made);
}

static coif_status refuse(const char *place, const route *way, int taken, const coif_json *at,
                          coif_error *error)
{
    return coif_fail(error, COIF_ERR_ARGUMENT, "%s: there is no \"%s\" in %s", place,
                     way->steps[taken], coif_json_kind_name(at));
}

coif_status coif_json_set(char **edited, const coif_json_text *text, const char *place,
                          const char *value, coif_arena *arena, coif_error *error)
{
    route way;
    coif_json *root, *check;
    COIF_TRY(read_route(&way, place, arena, error));
    COIF_TRY(coif_json_parse(&check, place, value, strlen(value), arena, error));
    COIF_TRY(coif_json_parse(&root, text->name, text->data, text->size, arena, error));

    int taken;
    const coif_json *at = walk(root, &way, &taken);
    coif_strbuf out;
    coif_strbuf_init(&out, arena);
    if (taken == way.count) {
        coif_strbuf_add_bytes(&out, text->data, at->begin);
        coif_strbuf_add_bytes(&out, value + check->begin, check->end - check->begin);
        coif_strbuf_add_bytes(&out, text->data + at->end, text->size - at->end);
    } else if (at->kind == COIF_JSON_OBJECT ||
               (at->kind == COIF_JSON_ARRAY && index_of(at, way.steps[taken]) == at->child_count)) {
        splice_child(&out, text, at, missing_child(&way, taken, at, value, arena));
    } else {
        return refuse(place, &way, taken, at, error);
    }
    *edited = out.data;
    return COIF_OK;
}

// The child before one, NULL for the first.
static const coif_json *sister_before(const coif_json *parent, const coif_json *child)
{
    const coif_json *before = NULL;
    for (const coif_json *c = parent->child; c != child; c = c->next) {
        before = c;
    }
    return before;
}

coif_status coif_json_remove(char **edited, const coif_json_text *text, const char *place,
                             coif_arena *arena, coif_error *error)
{
    route way;
    coif_json *root;
    COIF_TRY(read_route(&way, place, arena, error));
    COIF_TRY(coif_json_parse(&root, text->name, text->data, text->size, arena, error));

    int taken, above_taken;
    const coif_json *at = walk(root, &way, &taken);
    route above = way;
    above.count = way.count - 1;
    const coif_json *parent = walk(root, &above, &above_taken);
    size_t begin = text->size, end = text->size;
    if (taken == way.count) {
        const coif_json *before = sister_before(parent, at);
        begin = before != NULL ? before->end : child_begin(at);
        end = at->end;
        if (before == NULL && at->next != NULL) {
            end = child_begin(at->next);
        }
    }
    coif_strbuf out;
    coif_strbuf_init(&out, arena);
    coif_strbuf_add_bytes(&out, text->data, begin);
    coif_strbuf_add_bytes(&out, text->data + end, text->size - end);
    *edited = out.data;
    return COIF_OK;
}
