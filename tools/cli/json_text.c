#include "tools/cli/json_text.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/json/json.h"

#include <math.h>
#include <string.h>

enum { KEY_WIDTH = 22, MAX_COLUMNS = 32 };

static const char *value_text(const coif_json *value, coif_arena *arena)
{
    if (value->kind == COIF_JSON_NULL) {
        return "-";
    }
    if (value->kind == COIF_JSON_ARRAY) {
        const char *text = "";
        for (const coif_json *item = value->child; item != NULL; item = item->next) {
            text = coif_arena_print(arena, "%s%s%s", text, item != value->child ? " " : "",
                                    value_text(item, arena));
        }
        return text;
    }
    if (value->kind == COIF_JSON_NUMBER) {
        return coif_arena_print(arena, value->number == floor(value->number) ? "%.0f" : "%.7g",
                                value->number);
    }
    if (value->kind != COIF_JSON_STRING) {
        return coif_json_describe(value, arena);
    }
    char *text = coif_arena_copy_text(arena, value->text);
    for (char *c = text; *c != '\0'; ++c) {
        *c = (unsigned char)*c < ' ' || *c == 127 ? '?' : *c;
    }
    return text;
}

// One row of a table, or the keys of its first row as the header.
static void add_row(coif_strbuf *text, const coif_json *row, bool header, const int *widths,
                    coif_arena *arena)
{
    coif_strbuf_add(text, "   ");
    for (const coif_json *cell = row->child; cell != NULL; cell = cell->next) {
        coif_strbuf_print(text, cell->kind == COIF_JSON_STRING ? " %-*s" : " %*s", *widths++,
                          header ? cell->key : value_text(cell, arena));
    }
    coif_strbuf_add(text, "\n");
}

static void add_table(coif_strbuf *text, const coif_json *rows, coif_arena *arena)
{
    int widths[MAX_COLUMNS] = {0};
    for (const coif_json *row = rows->child; row != NULL; row = row->next) {
        const coif_json *cell = row->child;
        for (int i = 0; cell != NULL && i < MAX_COLUMNS; ++i, cell = cell->next) {
            const int key = (int)strlen(cell->key), value = (int)strlen(value_text(cell, arena));
            widths[i] = key > widths[i] ? key : widths[i];
            widths[i] = value > widths[i] ? value : widths[i];
        }
    }
    add_row(text, rows->child, true, widths, arena);
    for (const coif_json *row = rows->child; row != NULL; row = row->next) {
        add_row(text, row, false, widths, arena);
    }
}

static void add_array(coif_strbuf *text, const coif_json *array, coif_arena *arena)
{
    coif_strbuf_print(text, "  %-*s", KEY_WIDTH, array->key);
    for (const coif_json *value = array->child; value != NULL; value = value->next) {
        const bool line_break = value != array->child && value->kind == COIF_JSON_STRING;
        coif_strbuf_print(text, line_break ? "\n  %*s%s" : "%*s%s",
                          line_break ? KEY_WIDTH : value != array->child, "",
                          value_text(value, arena));
    }
    coif_strbuf_add(text, "\n");
}

static void add_object(coif_strbuf *text, const coif_json *object, int indent, coif_arena *arena)
{
    for (const coif_json *member = object->child; member != NULL; member = member->next) {
        const bool table = member->child != NULL && member->child->kind == COIF_JSON_OBJECT &&
                           member->child->child_count <= MAX_COLUMNS;
        if (table) {
            coif_strbuf_print(text, "  %s\n", member->key);
            add_table(text, member, arena);
        } else if (member->kind == COIF_JSON_OBJECT) {
            coif_strbuf_print(text, "  %s\n", member->key);
            add_object(text, member, indent + 2, arena);
        } else if (member->kind != COIF_JSON_ARRAY) {
            coif_strbuf_print(text, "%*s%-*s%s\n", indent, "", KEY_WIDTH, member->key,
                              value_text(member, arena));
        } else if (member->child_count > 0) {
            add_array(text, member, arena);
        }
    }
}

void coif_json_text(coif_strbuf *text, const char *object, coif_arena *arena)
{
    coif_json *root;
    coif_error error = {0};
    COIF_REQUIRE(coif_json_parse(&root, "", object, strlen(object), arena, &error) == COIF_OK);
    add_object(text, root, 2, arena);
}
