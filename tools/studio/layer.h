// layer: a painted scalp map while it is being painted, in tiles that know when they changed.
//
// Values are 16-bit numbers, as the page holds them and PNG and TIFF files store them; scalp maps
// see the same numbers as floats. A tile travels as a record of four 16-bit words (column, row,
// kind, value), followed by its texels unless it is all one value; little endian, row by row from
// the top.
#ifndef COIF_TOOLS_STUDIO_LAYER_H
#define COIF_TOOLS_STUDIO_LAYER_H

#include "core/arena.h"
#include "core/fs.h"
#include "core/image.h"
#include "core/text.h"

enum { COIF_TILE_SIDE = 64, COIF_TILE_TEXELS = COIF_TILE_SIDE * COIF_TILE_SIDE };
enum { COIF_LAYER_LEAST = 16, COIF_LAYER_MOST = 8192 };

typedef struct coif_tile_texels {
    int32_t column, row;
    uint16_t texels[COIF_TILE_TEXELS];
} coif_tile_texels;

typedef struct coif_layer {
    const char *path; // of the file, as the scene's texture rows resolve it
    bool outside;     // of the scene's folder: nothing is written there
    coif_image image; // all channels of the file
    int32_t channel;  // the one that is painted
    int32_t columns, rows;
    uint64_t *changed; // per tile: the revision it last changed with
    uint64_t revision; // the last one
    bool dirty;        // the file is behind
    bool listed;       // the scene names it; one that it no longer names may come back by undo
    coif_arena arena;
} coif_layer;

// The file's picture; errors as of images, and one for pictures beyond COIF_LAYER_MOST.
coif_status coif_layer_load(coif_layer *layer, const char *path, coif_error *error);
// A new one, all of one value.
void coif_layer_make(coif_layer *layer, const char *path, int32_t side, uint16_t value);
void coif_layer_free(coif_layer *layer);

// In the format of its extension; the file that was there stays as NAME.previous.EXT.
coif_status coif_layer_save(coif_layer *layer, coif_error *error);
// maps/density.png -> maps/density.previous.png
char *coif_previous_name(const char *path, coif_arena *arena);

// In another place and format.
coif_status coif_layer_export(const coif_layer *layer, const char *path, coif_error *error);

void coif_layer_read(const coif_layer *layer, coif_tile_texels *tile); // of its column and row
void coif_layer_write(coif_layer *layer, const coif_tile_texels *tile, uint64_t revision);

// Adds the records of all tiles that changed after a revision.
void coif_layer_pack(const coif_layer *layer, uint64_t since, coif_text *out);

// One record after the other: false at the end, with an error when bytes make no sense.
typedef struct coif_tile_reader {
    const unsigned char *data;
    size_t size, at;
} coif_tile_reader;
bool coif_tile_next(coif_tile_reader *reader, const coif_layer *layer, coif_tile_texels *tile,
                    coif_error *error);

#endif
