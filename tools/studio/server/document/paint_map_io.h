// layer_files: layers as the files they are read from and written to.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_PAINT_MAP_IO_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_PAINT_MAP_IO_H

#include "core/image/udim.h"
#include "tools/studio/server/document/paint_map.h"

// The files' pictures; errors as of images, one for pictures beyond COIF_LAYER_MOST, and
// COIF_ERR_ARGUMENT for squares that are not all alike. Numbers are squares that are wanted even
// where there is no file: those are empty.
coif_status coif_paint_map_load(coif_paint_map *layer, const char *path, const int32_t *numbers,
                                int32_t number_count, coif_error *error);

// Writes the squares that changed, each in the format of its extension; the file that was there
// stays as NAME.previous.EXT. They stay dirty: who knows that nothing was painted meanwhile says
// so.
coif_status coif_paint_map_save(const coif_paint_map *layer, coif_error *error);

// Notes how the files are now: those that are otherwise later were changed by somebody else.
void coif_paint_map_note_files(coif_paint_map *layer);
// The path of such a file among those that are to be written, NULL when there is none.
const char *coif_paint_map_foreign(const coif_paint_map *layer);

// Whether its files are those of coif_paint_map_put_off.
bool coif_paint_map_is_put_off(const coif_paint_map *layer);

// Removes its files, unless somebody else has changed them, and their folder where nothing else is
// in it.
void coif_paint_map_remove(const coif_paint_map *layer);

// maps/density.png -> maps/density.previous.png
char *coif_previous_name(const char *path, coif_arena *arena);

// The layer's channel of one square as the bytes of a file, in arena; the name's extension says
// which format. Only EXR, and TIFF of a layer of floats, hold what lies beyond 0 and 1.
coif_status coif_paint_map_encode(char **data, size_t *size, const coif_paint_map *layer,
                                  const coif_udim_tile *square, const char *name, coif_arena *arena,
                                  coif_error *error);

// Small files of one value in place of what a layer will be: its paths are there from the start,
// and its real size comes when it is saved.
coif_status coif_paint_map_put_off(const coif_paint_map *layer, uint16_t value, coif_error *error);

#endif
