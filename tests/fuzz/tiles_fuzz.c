// Fuzz target: tile records of strokes on painted maps. The first byte selects the map; texels are
// inside it, and the records of what was painted paint it again.
#include "tests/fuzz/studio_fuzz.h"

enum { MAPS = 3 };

static void make(coif_paint_map *map, int which)
{
    static const int32_t numbers[] = {1001, 1002, 1011};
    const coif_paint_map_shape shapes[MAPS] = {
        {.width = 256, .height = 128, .high = 1.0f},
        {.width = 70, .height = 65, .low = -1.0f, .high = 1.0f},
        {.width = 128, .height = 64, .numbers = numbers, .number_count = 3, .high = 1.0f}};
    coif_paint_map_make(map, which == 2 ? "map.<UDIM>.png" : "map.png", &shapes[which], 65535);
}

// Paints all records; false when they are malformed.
static bool paint_records(coif_paint_map *map, const void *data, size_t size)
{
    coif_tile_reader reader = {data, size, 0};
    coif_tile_texels tile;
    coif_error error = {0};
    uint64_t revision = 0;
    while (coif_tile_next(&reader, map, &tile, &error)) {
        coif_paint_map_write(map, &tile, ++revision);
        coif_tile_texels back = tile;
        coif_paint_map_read(map, &back);
    }
    return error.status == COIF_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    coif_paint_map map, copy;
    make(&map, data[0] % MAPS);
    if (paint_records(&map, data + 1, size - 1)) {
        COIF_SCOPED_ARENA(scratch, "fuzz");
        coif_strbuf records, again;
        coif_strbuf_init(&records, &scratch);
        coif_strbuf_init(&again, &scratch);
        coif_paint_map_pack(&map, 0, &records);
        make(&copy, data[0] % MAPS);
        if (!paint_records(&copy, records.data, records.size)) {
            abort();
        }
        coif_paint_map_pack(&copy, 0, &again);
        if (again.size != records.size || memcmp(again.data, records.data, again.size) != 0) {
            abort();
        }
        coif_paint_map_free(&copy);
    }
    coif_paint_map_free(&map);
    return 0;
}

// Uniform tiles, and the records of a map with a ramp.
size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    if (index >= 2 * MAPS) {
        return 0;
    }
    coif_paint_map map;
    make(&map, index / 2);
    data[0] = (uint8_t)(index / 2);
    const coif_bytes uniform = uniform_tile(0, 0, 300);
    size_t size = uniform.size;
    memcpy(data + 1, uniform.data, size);
    if (index % 2 == 1) {
        COIF_SCOPED_ARENA(scratch, "fuzz");
        coif_strbuf records;
        coif_strbuf_init(&records, &scratch);
        coif_tile_texels tile = {0};
        for (size_t i = 0; i < COIF_COUNT_OF(tile.texels); ++i) {
            tile.texels[i] = (uint16_t)(i * 13);
        }
        coif_paint_map_write(&map, &tile, 1);
        coif_paint_map_pack(&map, 0, &records);
        size = records.size < capacity ? records.size : 0;
        memcpy(data + 1, records.data, size);
    }
    coif_paint_map_free(&map);
    return size + 1;
}
