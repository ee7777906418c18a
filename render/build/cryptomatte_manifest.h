// cryptomatte_manifest: names behind Cryptomatte identifiers: bodies, grooms and clumps of strands.
//
// Clumps are those of clump_id.h, 64 for a groom without groom.clump; they are named
// GROOM/clump0001 and so on.
#ifndef COIF_RENDER_BUILD_CRYPTOMATTE_MANIFEST_H
#define COIF_RENDER_BUILD_CRYPTOMATTE_MANIFEST_H

#include "core/hair/groom.h"
#include "core/json/json_writer.h"
#include "core/scene/scene.h"

// The manifest while it is written: a JSON object of names and hashes.
typedef struct coif_manifest {
    coif_json_writer writer;
} coif_manifest;

void coif_manifest_begin(coif_manifest *manifest, coif_arena *arena);
// Adds a name; returns its identifier.
float coif_manifest_add(coif_manifest *manifest, const char *name);
const char *coif_manifest_end(coif_manifest *manifest);

// The clump identifier of each strand. Node: the groom's entry in the scene.
const float *coif_clump_ids(const coif_groom *groom, const coif_node *node, const char *name,
                            coif_manifest *manifest, coif_arena *arena);

#endif
