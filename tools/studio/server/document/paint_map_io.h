// paint_map_io: image files of paint maps.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_PAINT_MAP_IO_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_PAINT_MAP_IO_H

#include "tools/studio/server/document/paint_map.h"

// Whether a path is absolute or leaves the folder it is relative to.
bool coif_path_escapes(const char *path);

// Whether a file to be written at path would be outside the folder, symbolic links included.
bool coif_path_leads_out(const char *folder, const char *path);

// Loads the files of a path. COIF_ERR_ARGUMENT: images above COIF_PAINT_MAP_MAX_SIZE or UDIM tiles
// of different sizes. Numbers: UDIM tiles to create even where there is no file.
coif_status coif_paint_map_load(coif_paint_map *map, const char *path, const int32_t *numbers,
                                int32_t number_count, coif_error *error);

// Writes the dirty UDIM tiles in the format of their extension; the previous file stays as
// NAME.previous.EXT. They stay dirty: only the caller knows whether they changed meanwhile.
coif_status coif_paint_map_save(const coif_paint_map *map, coif_error *error);

coif_file_stamp coif_file_stamp_of(const char *path);

// Records size and time of the files; a later difference means an external change.
void coif_paint_map_stamp_files(coif_paint_map *map);
// Path of an externally modified file among the dirty ones, or NULL.
const char *coif_paint_map_modified_file(const coif_paint_map *map);

// Writes small files of one value: the paths exist at once, the full size is written when saving.
coif_status coif_paint_map_write_placeholder(const coif_paint_map *map, uint16_t value,
                                             coif_error *error);
bool coif_paint_map_is_placeholder(const coif_paint_map *map);

// Removes the files unless they were modified externally, and their folder when it is empty.
void coif_paint_map_remove(const coif_paint_map *map);

// Copies a file that is about to be replaced: density.png to density.previous.png.
const char *coif_previous_path(const char *path, coif_arena *arena);
coif_status coif_keep_previous(const char *path, coif_error *error);

// Encodes the map's channel of one UDIM tile in the format of the extension of name. Only EXR, and
// TIFF of float maps, hold values outside 0..1.
coif_status coif_paint_map_encode(char **data, size_t *size, const coif_paint_map *map,
                                  const coif_udim_tile *udim, const char *name, coif_arena *arena,
                                  coif_error *error);

#endif
