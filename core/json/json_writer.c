// JSON writer.
#include "core/json/json_writer.h"

#include "core/json/json.h"

#include <math.h>

void coif_json_writer_init(coif_json_writer *writer, coif_arena *arena)
{
    *writer = (coif_json_writer){.empty = true};
    coif_strbuf_init(&writer->text, arena);
}

// Writes comma, line break, indentation and key before a value.
static void begin_value(coif_json_writer *writer, const char *key)
{
    if (writer->depth > 0) {
        coif_strbuf_print(&writer->text, "%s\n%*s", writer->empty ? "" : ",", 2 * writer->depth,
                          "");
    }
    if (key != NULL) {
        coif_strbuf_add(&writer->text, coif_json_quote(key, writer->text.arena));
        coif_strbuf_add(&writer->text, ": ");
    }
    writer->empty = false;
}

void coif_write_open(coif_json_writer *writer, const char *key, const char *bracket)
{
    begin_value(writer, key);
    coif_strbuf_add(&writer->text, bracket);
    ++writer->depth;
    writer->empty = true;
}

void coif_write_close(coif_json_writer *writer, const char *bracket)
{
    COIF_REQUIRE(writer->depth > 0);
    --writer->depth;
    if (!writer->empty) {
        coif_strbuf_print(&writer->text, "\n%*s", 2 * writer->depth, "");
    }
    coif_strbuf_add(&writer->text, bracket);
    writer->empty = false;
}

void coif_write_raw(coif_json_writer *writer, const char *key, const char *json)
{
    begin_value(writer, key);
    coif_strbuf_add(&writer->text, json);
}

void coif_write_text(coif_json_writer *writer, const char *key, const char *text)
{
    coif_write_raw(writer, key, coif_json_quote(text, writer->text.arena));
}

void coif_write_number(coif_json_writer *writer, const char *key, double number)
{
    if (!isfinite(number)) {
        coif_write_raw(writer, key, "null");
        return;
    }
    begin_value(writer, key);
    coif_strbuf_add_number(&writer->text, number);
}
