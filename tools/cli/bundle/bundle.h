// bundle: a scene with all files that it reads, in one archive or folder that can be moved.
//
// Files keep their places relative to each other, so that the scene and its material libraries need
// no change; only absolute paths in the scene become relative. The manifest bundle.json lists every
// file with its size and digest, and the plugins of the scene.
#ifndef COIF_TOOLS_CLI_BUNDLE_BUNDLE_H
#define COIF_TOOLS_CLI_BUNDLE_BUNDLE_H

#include "core/scene/scene.h"
#include "plugins/host/host.h"

typedef struct coif_bundle_desc {
    const coif_scene *scene;
    const char *cache; // folder of grooms, frames and checkpoints to add, or NULL
    const char *out;   // a name with the extension coif is an archive, another one a folder
    coif_progress *progress;
} coif_bundle_desc;

typedef struct coif_bundle_summary {
    int32_t file_count;
    uint64_t bytes;
    const char *scene; // path of the scene in the bundle
    const char *cache; // folder of the cache in the bundle, "" without one
} coif_bundle_summary;

coif_status coif_bundle_write(coif_bundle_summary *summary, const coif_bundle_desc *desc,
                              coif_arena *arena, coif_error *error);

// Compares every file of an archive or folder with the manifest, and the plugins with those of the
// program. COIF_ERR_FORMAT lists all differences.
coif_status coif_bundle_check(coif_bundle_summary *summary, const char *path,
                              const coif_plugins *plugins, coif_progress *progress,
                              coif_arena *arena, coif_error *error);

// Unpacks an archive into a new or empty folder and verifies every digest.
coif_status coif_bundle_unpack(coif_bundle_summary *summary, const char *archive,
                               const char *folder, coif_progress *progress, coif_arena *arena,
                               coif_error *error);

#endif
