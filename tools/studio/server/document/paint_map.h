// paint_map: a scalp map while it is painted, in tiles with revision numbers.
//
// A map is one channel of one image file or of the files of a <UDIM> path, all of one size. UDIM
// tiles are laid out on one canvas, row by row; tiles of 64 x 64 texels are addressed by their
// column and row on the canvas. Clients paint 16-bit texels; 0 and 65535 mean low and high, which
// are 0 and 1 unless a float file exceeds them.
//
// Wire format of a tile, little endian: u16 column, row, kind, value. Kind 0: 64 x 64 u16 texels
// from the top follow. Kind 1: all texels equal value. Kind 2 (uploads): a bit per texel of the
// tile, then `value` u16 texels for the set bits, so that concurrent strokes in one tile merge.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_PAINT_MAP_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_PAINT_MAP_H

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/base/strbuf.h"
#include "core/image/image.h"
#include "core/image/udim.h"

enum {
    COIF_PAINT_TILE_SIZE = COIF_IMAGE_TILE,
    COIF_TILE_TEXELS = COIF_PAINT_TILE_SIZE * COIF_PAINT_TILE_SIZE
};
enum { COIF_PAINT_MAP_MIN_SIZE = 16, COIF_PAINT_MAP_MAX_SIZE = 8192, COIF_MAX_UDIMS = 100 };

typedef struct coif_tile_texels {
    int32_t column, row;
    uint16_t texels[COIF_TILE_TEXELS];
} coif_tile_texels;

// A file when it was last read or written here; all 0: it did not exist.
typedef struct coif_file_stamp {
    uint64_t inode, size;
    int64_t seconds, nanoseconds;
} coif_file_stamp;

typedef struct coif_udim_tile {
    int32_t number; // 1001 + column + 10 row; 0: the map is one file
    const char *path;
    coif_file_stamp stamp;
    coif_image image; // in tiles, all channels of the file
    bool exists;      // as a file or painted; otherwise its texels are 0
    bool dirty;       // differs from the file
} coif_udim_tile;

typedef struct coif_paint_map {
    const char *path;                     // as resolved by the scene
    const char *layout;                   // "", or UDIM numbers, size and channel
    const char *read_only_reason;         // NULL: it can be painted
    bool outside_folder;                  // of the scene: never written
    int32_t width, height, channel_count; // of each UDIM tile
    int32_t channel;                      // the painted one
    bool is_float;
    float low, high;
    coif_udim_tile *udims; // in canvas order; maps of several channels of a file share them
    int32_t udim_count, udims_per_row;
    int32_t udim_columns, udim_rows; // tiles of one UDIM tile
    int32_t columns, rows;           // tiles of the canvas
    uint64_t *tile_revisions;        // of the last change of each tile
    uint64_t revision;               // of the last change
    bool referenced;                 // by the scene; an unreferenced map may return by undo
    bool sampled;                    // referenced, and not only as a layer of another map
    bool unsaved_new; // files created by the studio that no saved scene references yet
    coif_arena arena;
} coif_paint_map;

typedef struct coif_paint_map_shape {
    int32_t width, height;
    const int32_t *numbers; // UDIM numbers, ascending
    int32_t number_count;   // 0: one file
    float low, high;
} coif_paint_map_shape;

// A new map with one value everywhere. Path contains <UDIM> when there are numbers.
void coif_paint_map_make(coif_paint_map *map, const char *path, const coif_paint_map_shape *shape,
                         uint16_t value);
void coif_paint_map_free(coif_paint_map *map);

// Moves to an unused struct; `from` is as after free.
void coif_paint_map_move(coif_paint_map *to, coif_paint_map *from);

// Another channel of the files of a map, which must outlive it: both use the same UDIM tiles.
void coif_paint_map_make_channel(coif_paint_map *map, const coif_paint_map *of, int32_t channel);

// Sets low and high to the range of the finite values of a float file, at least 0..1.
void coif_paint_map_measure_range(coif_paint_map *map);

// Construction (paint_map_io): canvas layout of the UDIM tiles; a UDIM tile of one value.
void coif_paint_map_init_layout(coif_paint_map *map);
void coif_udim_tile_clear(coif_paint_map *map, coif_udim_tile *udim, float value);

// Deep copy in arena, for work without the document lock.
void coif_paint_map_copy(coif_paint_map *copy, const coif_paint_map *map, coif_arena *arena);

float coif_paint_map_value(const coif_paint_map *map, uint16_t texel16);

bool coif_paint_map_dirty(const coif_paint_map *map);

// The UDIM tile at a canvas position and the tile index inside it; NULL outside the UDIM tiles.
coif_udim_tile *coif_paint_map_udim_at(const coif_paint_map *map, int32_t column, int32_t row,
                                       int32_t *inside);

// Reads the texels at tile->column and tile->row.
void coif_paint_map_read(const coif_paint_map *map, coif_tile_texels *tile);
void coif_paint_map_write(coif_paint_map *map, const coif_tile_texels *tile, uint64_t revision);

// Values of all texels of a tile without the rounding of texels.
void coif_paint_map_read_values(const coif_paint_map *map, int32_t column, int32_t row,
                                double *values);

// Gives the texels of a tile the values that they are a rounding of; values that round to others
// are moved within the rounding. Returns whether any changed.
bool coif_paint_map_refine(coif_paint_map *map, const coif_tile_texels *tile, const double *values,
                           uint64_t revision);

// Appends the records of all tiles that changed after a revision.
void coif_paint_map_pack(const coif_paint_map *map, uint64_t since, coif_strbuf *out);

// Reads records; next returns false at the end, and with an error for malformed bytes.
typedef struct coif_tile_reader {
    const unsigned char *data;
    size_t size, at;
} coif_tile_reader;
bool coif_tile_next(coif_tile_reader *reader, const coif_paint_map *map, coif_tile_texels *tile,
                    coif_error *error);
bool coif_tile_is_uniform(const coif_tile_texels *tile);

#endif
