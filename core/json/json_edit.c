// JSON text editing.
#include "core/json/json_edit.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/strbuf.h"
#include "core/json/json.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TOKENS = 32 };

// A JSON pointer split into its reference tokens.
typedef struct json_pointer {
    const char *tokens[MAX_TOKENS];
    int count;
} json_pointer;

static void unescape(char *token)
{
    char *to = token;
    for (const char *from = token; *from != '\0'; ++from) {
        if (from[0] == '~' && (from[1] == '0' || from[1] == '1')) {
            *to++ = *++from == '1' ? '/' : '~';
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

static coif_status parse_pointer(json_pointer *path, const char *pointer, coif_arena *arena,
                                 coif_error *error)
{
    path->count = 0;
    if (pointer[0] != '/' || pointer[1] == '\0') {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "\"%s\": expected a JSON pointer like /grooms/0/count", pointer);
    }
    char *rest = coif_arena_copy_text(arena, pointer + 1);
    char *token;
    while ((token = strsep(&rest, "/")) != NULL) {
        if (path->count == MAX_TOKENS) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "\"%s\": more than %d levels", pointer,
                             MAX_TOKENS);
        }
        unescape(token);
        path->tokens[path->count++] = token;
    }
    return COIF_OK;
}

// Array index of a token, the array length for "-"; -1 when the token is not an index.
static int32_t index_of(const coif_json *array, const char *token)
{
    if (strcmp(token, "-") == 0) {
        return array->child_count;
    }
    char *end;
    const long index = strtol(token, &end, 10);
    return token[0] >= '0' && token[0] <= '9' && *end == '\0' && index <= array->child_count
               ? (int32_t)index
               : -1;
}

static const coif_json *find_child(const coif_json *value, const char *token)
{
    if (value->kind == COIF_JSON_ARRAY) {
        return coif_json_element(value, index_of(value, token));
    }
    return value->kind == COIF_JSON_OBJECT ? coif_json_find(value, token) : NULL;
}

// Follows the path as far as values exist; *found is the number of tokens matched.
static const coif_json *follow(const coif_json *root, const json_pointer *path, int *found)
{
    const coif_json *at = root;
    for (*found = 0; *found < path->count; ++*found) {
        const coif_json *next = find_child(at, path->tokens[*found]);
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

// Line break and indentation before an offset; NULL when other text precedes it on its line.
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

// Inserts a child after the last one, formatted like it: on a line of its own or on the same line.
static void append_child(coif_strbuf *out, const coif_json_text *text, const coif_json *parent,
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

// JSON text of the missing levels below the last existing value.
static char *nested_child(const json_pointer *path, int found, const coif_json *parent,
                          const char *value, coif_arena *arena)
{
    char *nested = coif_arena_copy_text(arena, value);
    for (int i = path->count - 1; i > found; --i) {
        nested = strcmp(path->tokens[i], "-") == 0 || strcmp(path->tokens[i], "0") == 0
                     ? coif_arena_print(arena, "[%s]", nested)
                     : coif_arena_print(arena, "{%s: %s}", coif_json_quote(path->tokens[i], arena),
                                        nested);
    }
    return parent->kind == COIF_JSON_ARRAY
               ? nested
               : coif_arena_print(arena, "%s: %s", coif_json_quote(path->tokens[found], arena),
                                  nested);
}

static coif_status fail_missing(const char *pointer, const json_pointer *path, int found,
                                const coif_json *at, coif_error *error)
{
    return coif_fail(error, COIF_ERR_ARGUMENT, "%s: no \"%s\" in %s", pointer, path->tokens[found],
                     coif_json_kind_name(at));
}

coif_status coif_json_set(char **edited, const coif_json_text *text, const char *pointer,
                          const char *value, coif_arena *arena, coif_error *error)
{
    json_pointer path;
    coif_json *root, *check;
    COIF_TRY(parse_pointer(&path, pointer, arena, error));
    COIF_TRY(coif_json_parse(&check, pointer, value, strlen(value), arena, error));
    COIF_TRY(coif_json_parse(&root, text->name, text->data, text->size, arena, error));

    int found;
    const coif_json *at = follow(root, &path, &found);
    coif_strbuf out;
    coif_strbuf_init(&out, arena);
    if (found == path.count) {
        coif_strbuf_add_bytes(&out, text->data, at->begin);
        coif_strbuf_add_bytes(&out, value + check->begin, check->end - check->begin);
        coif_strbuf_add_bytes(&out, text->data + at->end, text->size - at->end);
    } else if (at->kind == COIF_JSON_OBJECT ||
               (at->kind == COIF_JSON_ARRAY &&
                index_of(at, path.tokens[found]) == at->child_count)) {
        append_child(&out, text, at, nested_child(&path, found, at, value, arena));
    } else {
        return fail_missing(pointer, &path, found, at, error);
    }
    *edited = out.data;
    return COIF_OK;
}

// Previous sibling, NULL for the first child.
static const coif_json *previous_sibling(const coif_json *parent, const coif_json *child)
{
    const coif_json *before = NULL;
    for (const coif_json *c = parent->child; c != child; c = c->next) {
        before = c;
    }
    return before;
}

coif_status coif_json_remove(char **edited, const coif_json_text *text, const char *pointer,
                             coif_arena *arena, coif_error *error)
{
    json_pointer path;
    coif_json *root;
    COIF_TRY(parse_pointer(&path, pointer, arena, error));
    COIF_TRY(coif_json_parse(&root, text->name, text->data, text->size, arena, error));

    int found, above_found;
    const coif_json *at = follow(root, &path, &found);
    json_pointer above = path;
    above.count = path.count - 1;
    const coif_json *parent = follow(root, &above, &above_found);
    size_t begin = text->size, end = text->size;
    if (found == path.count) {
        const coif_json *before = previous_sibling(parent, at);
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
