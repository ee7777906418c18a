// JSON parser with source locations.
//
// cJSON decodes the values. A second pass reads the same text in step with cJSON's tree: it records
// the byte range of each value and is stricter than cJSON, which accepts raw control characters,
// numbers like 01 or 1., duplicate keys and \u0000. When cJSON rejects a text, the second pass
// finds the location and the message. Both passes are needed: cJSON keeps no offsets.
#include "core/json/json.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/strbuf.h"
#include "core/base/string_table.h"
#include "core/json/json_scanner.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

typedef struct walker {
    coif_json_scanner scan;
    int depth;
    coif_arena *arena;
} walker;

// Parses true, false and null; any other word (NaN, Infinity, True) is quoted in the message.
static coif_status walk_literal(coif_json *value, coif_json_scanner *scan)
{
    const char *word = scan->text + scan->at;
    size_t length = 0;
    while (
        scan->at + length < scan->size && length < 40 &&
        (((word[length] | 0x20) >= 'a' && (word[length] | 0x20) <= 'z') || word[length] == '_')) {
        ++length;
    }
    if (length == 4 && memcmp(word, "true", 4) == 0) {
        value->kind = COIF_JSON_BOOL;
        value->number = 1;
    } else if (length == 5 && memcmp(word, "false", 5) == 0) {
        value->kind = COIF_JSON_BOOL;
    } else if (length == 4 && memcmp(word, "null", 4) == 0) {
        value->kind = COIF_JSON_NULL;
    } else if (length > 0) {
        return coif_json_scanner_error(scan, scan->at, "expected a value, found %.*s", (int)length,
                                       word);
    } else {
        return coif_json_scanner_expected(scan, "a value");
    }
    scan->at += length;
    return COIF_OK;
}

// First member with a duplicate key, NULL when all differ; *first is the index of the earlier one.
// Keys are compared as cJSON decoded them, so "a" and "\u0061" are equal.
static const coif_json *find_duplicate(const coif_json *object, int32_t *first, coif_arena *arena)
{
    coif_string_table names = {0};
    for (const coif_json *member = object->child; member != NULL; member = member->next) {
        const int32_t count = names.count;
        *first = coif_string_table_intern(&names, member->key, strlen(member->key), arena);
        if (*first < count) {
            return member;
        }
    }
    return NULL;
}

static coif_status check_keys(const walker *walk, const coif_json *object)
{
    const coif_arena_mark mark = coif_arena_mark_here(walk->arena);
    int32_t first = 0;
    const coif_json *duplicate = find_duplicate(object, &first, walk->arena);
    coif_arena_rewind(walk->arena, mark);
    if (duplicate == NULL) {
        return COIF_OK;
    }
    const coif_json *earlier = object->child;
    for (int32_t i = 0; i < first; ++i) {
        earlier = earlier->next;
    }
    int line, column;
    coif_json_line_column(walk->scan.text, earlier->key_begin, &line, &column);
    const coif_json key = {.kind = COIF_JSON_STRING, .text = duplicate->key};
    return coif_json_scanner_error(&walk->scan, duplicate->key_begin,
                                   "key %s is given twice, first in line %d",
                                   coif_json_describe(&key, walk->arena), line);
}

static coif_status walk_value(coif_json *value, const cJSON *item, walker *walk);

// Parses one member or element and appends it to parent.
static coif_status walk_child(coif_json *parent, coif_json ***end, const cJSON *item, walker *walk)
{
    coif_json_scanner *scan = &walk->scan;
    coif_json *child = coif_arena_new(walk->arena, 1, coif_json);
    if (parent->kind == COIF_JSON_OBJECT) {
        if (coif_json_scanner_peek(scan) != '"') {
            return coif_json_scanner_expected(scan, "a key in quotes");
        }
        child->key_begin = scan->at;
        COIF_TRY(coif_json_scanner_string(scan));
        coif_json_scanner_skip_space(scan);
        if (coif_json_scanner_peek(scan) != ':') {
            return coif_json_scanner_expected(scan, "':' after the key");
        }
        ++scan->at;
        coif_json_scanner_skip_space(scan);
        child->key = item != NULL ? coif_arena_copy_text(walk->arena, item->string) : "";
    }
    COIF_TRY(walk_value(child, item, walk));
    **end = child;
    *end = &child->next;
    ++parent->child_count;
    return COIF_OK;
}

// Parses the children of an array or object, from the opening bracket on.
static coif_status walk_children(coif_json *parent, const cJSON *item, walker *walk)
{
    coif_json_scanner *scan = &walk->scan;
    const char close = parent->kind == COIF_JSON_OBJECT ? '}' : ']';
    coif_json **end = &parent->child;
    const cJSON *next = item != NULL ? item->child : NULL;
    ++scan->at;
    coif_json_scanner_skip_space(scan);
    while (coif_json_scanner_peek(scan) != close || parent->child_count > 0) {
        COIF_TRY(walk_child(parent, &end, next, walk));
        next = next != NULL ? next->next : NULL;
        coif_json_scanner_skip_space(scan);
        if (coif_json_scanner_peek(scan) == close) {
            break;
        }
        if (coif_json_scanner_peek(scan) != ',') {
            return coif_json_scanner_expected(scan, close == '}' ? "',' or '}'" : "',' or ']'");
        }
        ++scan->at;
        coif_json_scanner_skip_space(scan);
    }
    ++scan->at;
    return parent->kind == COIF_JSON_OBJECT && item != NULL ? check_keys(walk, parent) : COIF_OK;
}

static coif_status walk_number(coif_json *value, const cJSON *item, walker *walk)
{
    value->kind = COIF_JSON_NUMBER;
    COIF_TRY(coif_json_scanner_number(&walk->scan));
    value->number = item != NULL ? item->valuedouble : 0;
    if (!isfinite(value->number)) {
        return coif_json_scanner_error(
            &walk->scan, value->begin, "%.*s is out of range of a double",
            (int)(walk->scan.at - value->begin), walk->scan.text + value->begin);
    }
    return COIF_OK;
}

// Item is the same value in cJSON's tree, NULL when cJSON rejected the text.
static coif_status walk_value(coif_json *value, const cJSON *item, walker *walk)
{
    coif_status status = COIF_OK;
    const int byte = coif_json_scanner_peek(&walk->scan);
    value->begin = walk->scan.at;
    if (byte == '{' || byte == '[') {
        if (++walk->depth > COIF_JSON_DEPTH) {
            return coif_json_scanner_error(&walk->scan, walk->scan.at, "nested more than %d deep",
                                           COIF_JSON_DEPTH);
        }
        value->kind = byte == '{' ? COIF_JSON_OBJECT : COIF_JSON_ARRAY;
        status = walk_children(value, item, walk);
        --walk->depth;
    } else if (byte == '"') {
        value->kind = COIF_JSON_STRING;
        status = coif_json_scanner_string(&walk->scan);
        value->text = item != NULL ? coif_arena_copy_text(walk->arena, item->valuestring) : "";
    } else if (byte == '-' || (byte >= '0' && byte <= '9')) {
        status = walk_number(value, item, walk);
    } else {
        status = walk_literal(value, &walk->scan);
    }
    value->end = walk->scan.at;
    return status;
}

static coif_status walk_text(coif_json *root, const cJSON *item, walker *walk)
{
    coif_json_scanner *scan = &walk->scan;
    coif_json_scanner_skip_space(scan);
    COIF_TRY(walk_value(root, item, walk));
    coif_json_scanner_skip_space(scan);
    return scan->at == scan->size ? COIF_OK
                                  : coif_json_scanner_expected(scan, "the end of the text");
}

// cJSON reports exhausted memory as a parse error.
static void set_allocator(void)
{
    cJSON_InitHooks(&(cJSON_Hooks){coif_library_malloc, coif_library_free});
}

coif_status coif_json_parse(coif_json **root, const char *name, const char *text, size_t size,
                            coif_arena *arena, coif_error *error)
{
    walker walk = {{.name = name, .text = text, .size = size, .error = error}, .arena = arena};
    if (size == 0) {
        return coif_json_scanner_error(&walk.scan, 0, "the text is empty, expected a value");
    }
    if (size > INT32_MAX) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: %zu bytes exceed the maximum JSON size of 2 GiB", name, size);
    }
    COIF_TRY(coif_json_scanner_encoding(&walk.scan));
    walk.scan.at = coif_json_has_byte_order_mark(text, size) ? 3 : 0;
    *root = coif_arena_new(arena, 1, coif_json);

    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, set_allocator);
    const char *end = text;
    cJSON *tree = cJSON_ParseWithLengthOpts(text + walk.scan.at, size - walk.scan.at, &end, 0);
    coif_status status = walk_text(*root, tree, &walk);
    if (tree == NULL && status == COIF_OK) {
        status =
            coif_json_scanner_error(&walk.scan, (size_t)(end - text), "cannot parse from here");
    }
    cJSON_Delete(tree);
    return status;
}

const coif_json *coif_json_find(const coif_json *object, const char *key)
{
    if (object == NULL || object->kind != COIF_JSON_OBJECT) {
        return NULL;
    }
    for (const coif_json *member = object->child; member != NULL; member = member->next) {
        if (strcmp(member->key, key) == 0) {
            return member;
        }
    }
    return NULL;
}

const coif_json *coif_json_element(const coif_json *array, int32_t index)
{
    if (array == NULL || array->kind != COIF_JSON_ARRAY || index < 0) {
        return NULL;
    }
    const coif_json *element = array->child;
    while (element != NULL && index-- > 0) {
        element = element->next;
    }
    return element;
}

const char *coif_json_kind_name(const coif_json *value)
{
    static const char *const names[] = {"null",     "true or false", "a number",
                                        "a string", "an array",      "an object"};
    return names[value->kind];
}

const char *coif_json_describe(const coif_json *value, coif_arena *arena)
{
    coif_strbuf text;
    coif_strbuf_init(&text, arena);
    switch (value->kind) {
    case COIF_JSON_NUMBER:
        coif_strbuf_add_number(&text, value->number);
        break;
    case COIF_JSON_STRING:
        coif_strbuf_add(&text, strlen(value->text) > 60 ? "a long string"
                                                        : coif_json_quote(value->text, arena));
        break;
    case COIF_JSON_BOOL:
        coif_strbuf_add(&text, value->number != 0 ? "true" : "false");
        break;
    case COIF_JSON_ARRAY:
        coif_strbuf_print(&text, "an array of %d", value->child_count);
        break;
    default:
        coif_strbuf_add(&text, coif_json_kind_name(value));
    }
    return text.data;
}

char *coif_json_quote(const char *text, coif_arena *arena)
{
    coif_strbuf quoted;
    coif_strbuf_init(&quoted, arena);
    coif_strbuf_add(&quoted, "\"");
    for (; *text != '\0'; ++text) {
        const char *plain = "\"\\\b\f\n\r\t";
        const char *letter = strchr(plain, *text);
        if (letter != NULL) {
            coif_strbuf_print(&quoted, "\\%c", "\"\\bfnrt"[letter - plain]);
        } else if ((unsigned char)*text < 0x20 || *text == 0x7f) {
            coif_strbuf_print(&quoted, "\\u%04x", (unsigned)*text);
        } else {
            coif_strbuf_add_bytes(&quoted, text, 1);
        }
    }
    coif_strbuf_add(&quoted, "\"");
    return quoted.data;
}
