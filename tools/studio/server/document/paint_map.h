// layer: a painted scalp map while it is being painted, in tiles that know when they changed.
//
// A layer is one file, or the files of a <UDIM> path, one square of the texture plane each, all of
// one size. The squares lie side by side in a sheet of whole tiles, in which tiles are numbered.
// The page paints words of 16 bits; 0 and 65535 mean low and high, which are 0 and 1 unless the
// file held floats beyond them. A tile travels as a record of four 16-bit words (column, row,
// kind, value), followed by its texels unless it is all one value; little endian, row by row from
// the top. A page that painted sends those of its texels alone that it changed: a bit for each of
// the tile, then their words, value tells how many. Two who paint in one tile both stay in it.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_PAINT_MAP_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_PAINT_MAP_H

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/base/strbuf.h"
#include "core/image/image.h"

enum { COIF_TILE_SIDE = COIF_IMAGE_TILE, COIF_TILE_TEXELS = COIF_TILE_SIDE * COIF_TILE_SIDE };
enum { COIF_LAYER_LEAST = 16, COIF_LAYER_MOST = 8192, COIF_LAYER_SQUARES = 100 };

typedef struct coif_tile_texels {
    int32_t column, row;
    uint16_t texels[COIF_TILE_TEXELS];
} coif_tile_texels;

// A file as it was when it was last read or written here; all 0: there was none.
typedef struct coif_stamp {
    uint64_t inode, size;
    int64_t seconds, nanoseconds;
} coif_stamp;

typedef struct coif_udim_tile {
    int32_t number; // 1001 + column + 10 row; 0: the layer is one file
    const char *path;
    coif_stamp stamp;
    coif_image image; // in tiles, all channels of the file
    bool there;       // a file, or painted: what is not reads as 0
    bool dirty;       // the file is behind
} coif_udim_tile;

typedef struct coif_paint_map {
    const char *path;    // as the scene's texture rows resolve it
    const char *sheet;   // "" or squares, size and channel: what tile numbers hold for
    const char *refusal; // why it cannot be painted; NULL: it can
    bool outside;        // of the scene's folder: nothing is written there
    int32_t width, height, channel_count; // of each square
    int32_t channel;                      // the one that is painted
    bool floats;                          // the files hold floats
    float low, high;
    coif_udim_tile *squares; // row by row in the sheet; layers of one file's channels share them
    int32_t square_count, across;
    int32_t square_columns, square_rows; // tiles of one square
    int32_t columns, rows;               // tiles of the sheet
    uint64_t *changed;                   // per tile: the revision it last changed with
    uint64_t revision;                   // the last one
    bool listed; // the scene names it; one that it no longer names may come back by undo
    bool fresh;  // its files were put there by the studio, and no saved scene has named them yet
    coif_arena arena;
} coif_paint_map;

// What a new layer is to be.
typedef struct coif_paint_map_shape {
    int32_t width, height;
    const int32_t *numbers; // of squares, rising
    int32_t number_count;   // 0: one file
    float low, high;
} coif_paint_map_shape;

// A layer all of one word. Its path has <UDIM> in it when there are numbers.
void coif_paint_map_make(coif_paint_map *layer, const char *path, const coif_paint_map_shape *shape,
                         uint16_t value);

void coif_paint_map_free(coif_paint_map *layer);

// To another place, which holds none; from is as after free.
void coif_paint_map_move(coif_paint_map *to, coif_paint_map *from);

// Another channel of the files of a layer, which must outlive it. What is painted in either is in
// the same squares.
void coif_paint_map_make_channel(coif_paint_map *layer, const coif_paint_map *of, int32_t channel);

// Low and high from what the layer's channel holds of floats; infinities are left at the ends.
void coif_paint_map_measure(coif_paint_map *layer);

// For layer_files: squares are laid out in the sheet; a square is all of one value.
void coif_paint_map_lay_out(coif_paint_map *layer);
void coif_udim_tile_clear(coif_paint_map *layer, coif_udim_tile *square, float value);

// Squares and tiles as they are now, for work without the lock; all in arena.
void coif_paint_map_copy(coif_paint_map *copy, const coif_paint_map *layer, coif_arena *arena);

// What a word means.
float coif_paint_map_value(const coif_paint_map *layer, uint16_t word);

bool coif_paint_map_dirty(const coif_paint_map *layer);

// The square that a tile of the sheet belongs to, with the tile's place in it; NULL when it is
// none.
coif_udim_tile *coif_paint_map_square(const coif_paint_map *layer, int32_t column, int32_t row,
                                      int32_t *inside);

void coif_paint_map_read(const coif_paint_map *layer,
                         coif_tile_texels *tile); // of its column and row
void coif_paint_map_write(coif_paint_map *layer, const coif_tile_texels *tile, uint64_t revision);

// Adds the records of all tiles that changed after a revision.
void coif_paint_map_pack(const coif_paint_map *layer, uint64_t since, coif_strbuf *out);

// One record after the other: false at the end, with an error when bytes make no sense.
typedef struct coif_tile_reader {
    const unsigned char *data;
    size_t size, at;
} coif_tile_reader;
bool coif_tile_next(coif_tile_reader *reader, const coif_paint_map *layer, coif_tile_texels *tile,
                    coif_error *error);
bool coif_tile_is_even(const coif_tile_texels *tile);

#endif
