// Sections of a crate file, between reading and building the layer.
#ifndef COIF_CORE_ARCHIVE_USD_USD_CRATE_FILE_H
#define COIF_CORE_ARCHIVE_USD_USD_CRATE_FILE_H

#include "core/archive/usd/usd_crate.h"

typedef struct coif_crate_file {
    coif_bytes bytes;
    coif_arena *arena;
    coif_error *error;
    coif_usd_layer *layer;
    coif_crate *crate;
    uint64_t field_count, set_count, path_count, spec_count;
    const uint32_t *field_names;
    const uint64_t *field_values;
    const uint32_t *sets;
    // Tree of paths in order: parents before children.
    uint64_t entry_count;
    uint32_t *entry_path;   // index of the path
    int64_t *entry_parent;  // entry, -1: none
    int32_t *entry_element; // token; negative: of a property
    const uint32_t *spec_paths, *spec_sets, *spec_types;
} coif_crate_file;

static inline coif_crate_cursor coif_crate_cursor_at(const coif_crate_file *file, uint64_t at)
{
    return (coif_crate_cursor){&file->bytes, at, file->error};
}

// Prims and attributes of the layer from the sections.
coif_status coif_crate_build_layer(const coif_crate_file *file);

#endif
