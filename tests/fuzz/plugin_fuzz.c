// Fuzz target: tables of plugins, as a module may offer them: sizes, rows, texts, choices. A table
// that is accepted gives an instance with its default values inside the struct it describes.
#include "core/base/error.h"
#include "plugins/host/plugin_validate.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/plugin_node.h"

#include <stddef.h>
#include <stdlib.h>

enum { ROWS = 6, CHOICES = 3 };

// Numbers and texts of the input in order; zeros past its end.
typedef struct source {
    const uint8_t *data;
    size_t size, at;
} source;

static uint32_t take(source *from, size_t bytes)
{
    uint32_t value = 0;
    for (size_t i = 0; i < bytes && from->at < from->size; ++i) {
        value |= (uint32_t)from->data[from->at++] << (8 * i);
    }
    return value;
}

// Up to the next zero byte; NULL for the byte 1 alone.
static const char *take_text(source *from, coif_arena *arena)
{
    const size_t begin = from->at;
    while (from->at < from->size && from->data[from->at] != 0) {
        ++from->at;
    }
    const size_t length = from->at - begin;
    from->at += from->at < from->size;
    return length == 1 && from->data[begin] == 1
               ? NULL
               : coif_arena_print(arena, "%.*s", (int)length, (const char *)from->data + begin);
}

static double take_number(source *from)
{
    const uint32_t word = take(from, 4);
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

static void take_row(coif_param *row, source *from, coif_arena *arena)
{
    *row = (coif_param){.name = take_text(from, arena),
                        .help = take_text(from, arena),
                        .unit = take_text(from, arena),
                        .type = (int32_t)take(from, 1),
                        .flags = take(from, 1),
                        .offset = take(from, 2)};
    for (int i = 0; i < 3; ++i) {
        row->fallback[i] = take_number(from);
    }
    row->low = take_number(from);
    row->high = take_number(from);
    const char **choices = coif_arena_new(arena, CHOICES + 1, const char *);
    for (uint32_t i = take(from, 1) % (CHOICES + 1); i > 0; --i) {
        choices[i - 1] = take_text(from, arena);
    }
    row->choices = take(from, 1) != 0 ? choices : NULL;
}

static coif_status start(const coif_host *host, void *state, const void *params)
{
    (void)host, (void)state, (void)params;
    return COIF_OK;
}

static void force(const coif_host *host, const void *state, const void *params,
                  const coif_force_batch *batch)
{
    (void)host, (void)state, (void)params, (void)batch;
}

static void map(const coif_host *host, const void *state, const void *params,
                const coif_map_batch *batch)
{
    (void)host, (void)state, (void)params;
    memset(batch->value, 0, (size_t)batch->count * sizeof *batch->value);
}

static void groom(const coif_host *host, const void *state, const void *params,
                  const coif_groom_batch *batch)
{
    (void)host, (void)state, (void)params, (void)batch;
}

// Rows of the stride of the table: an older or newer header has shorter or longer ones.
static void *with_stride(const coif_param *rows, uint32_t count, uint32_t stride, coif_arena *arena)
{
    char *bytes = coif_arena_alloc(arena, (size_t)count * stride + sizeof *rows, 16);
    memset(bytes, 0, (size_t)count * stride + sizeof *rows);
    for (uint32_t i = 0; i < count; ++i) {
        memcpy(bytes + (size_t)i * stride, &rows[i], stride < sizeof *rows ? stride : sizeof *rows);
    }
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    COIF_SCOPED_ARENA(arena, "fuzz");
    source from = {data, size, 0};
    coif_plugin offered = {.struct_size = sizeof offered + take(&from, 1) - 64,
                           .kind = (int32_t)take(&from, 1),
                           .param_stride = sizeof(coif_param) + 8 * take(&from, 1) - 64,
                           .params_size = take(&from, 4),
                           .state_size = take(&from, 2),
                           .needs = take(&from, 1)};
    offered.param_count = take(&from, 1) % (ROWS + 1);
    offered.id = take_text(&from, &arena);
    offered.version = take_text(&from, &arena);
    offered.help = take_text(&from, &arena);
    offered.init = start;
    offered.force = force;
    offered.map = map;
    offered.groom = groom;
    coif_param rows[ROWS] = {0};
    for (uint32_t i = 0; i < offered.param_count; ++i) {
        take_row(&rows[i], &from, &arena);
    }
    offered.params = with_stride(rows, offered.param_count, offered.param_stride & 0xffff, &arena);
    // As large as it says and no larger, so that a sanitizer sees a read past its end.
    char *table = malloc(offered.struct_size < 65536 ? offered.struct_size + 4 : 4);
    memcpy(table, &offered, offered.struct_size < sizeof offered ? offered.struct_size : 4);
    if (offered.struct_size >= sizeof offered && offered.struct_size < 65536) {
        memset(table, 0, offered.struct_size);
        memcpy(table, &offered, sizeof offered);
    }
    coif_plugin plugin;
    coif_reject_reason why = {""};
    if (coif_plugin_validate(&plugin, (const coif_plugin *)(const void *)table, &arena, &why)) {
        coif_plugin_instance *instance;
        if (plugin.state_size < 65536 && plugin.params_size < 65536 &&
            coif_plugin_instance_open(&instance, plugin_node(&plugin, NULL, &arena), 1.0, &arena,
                                      NULL) == COIF_OK) {
            coif_plugin_begin_frame(instance, 2.0, 0.5, NULL);
        }
    } else if (why.text[0] == '\0') {
        abort();
    }
    free(table);
    return 0;
}

static void put(uint8_t *data, size_t *size, const void *bytes, size_t count)
{
    memcpy(data + *size, bytes, count);
    *size += count;
}

// A valid table of two rows, one of them a choice, for each kind.
size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    if (index >= 3 || capacity < 512) {
        return 0;
    }
    size_t size = 0;
    const uint8_t head[] = {64, (uint8_t)(index + 1), 8, 16, 0, 0, 0, 8, 0, 0, 2};
    put(data, &size, head, sizeof head);
    put(data, &size, "test.one\0001.0\0does nothing", sizeof "test.one\0001.0\0does nothing");
    put(data, &size, "radius\0Radius\0m", sizeof "radius\0Radius\0m");
    const uint8_t number[] = {COIF_PARAM_FLOAT, 0, 0, 0};
    put(data, &size, number, sizeof number);
    put(data, &size, (const float[]){0.5f, 0, 0, 0, 1}, 5 * sizeof(float));
    put(data, &size, (const uint8_t[]){0, 0}, 2);
    put(data, &size, "mode\0Mode\0", sizeof "mode\0Mode\0");
    const uint8_t choice[] = {COIF_PARAM_CHOICE, 0, 4, 0};
    put(data, &size, choice, sizeof choice);
    put(data, &size, (const float[]){1, 0, 0, 0, 0}, 5 * sizeof(float));
    put(data, &size, "\2slow\0fast\0\1", sizeof "\2slow\0fast\0\1" - 1);
    return size;
}
