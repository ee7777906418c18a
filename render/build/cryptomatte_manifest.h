// mattes: the names that Cryptomattes are made of: bodies, grooms and the clumps of their strands.
//
// A clump is the strands that lie nearest to one of the groom's first strands, by root and middle,
// as groom.clump gathers them; those are spread evenly over the scalp. There are as many clumps as
// that modifier makes, or 64 without it. They are called GROOM/clump0001 and so on.
#ifndef COIF_RENDER_BUILD_CRYPTOMATTE_MANIFEST_H
#define COIF_RENDER_BUILD_CRYPTOMATTE_MANIFEST_H

#include "core/hair/groom.h"
#include "core/json/json_writer.h"
#include "core/scene/scene.h"

// Cryptomatte's list of names and numbers on its way.
typedef struct coif_manifest {
    coif_json_writer writer;
} coif_manifest;

void coif_manifest_begin(coif_manifest *manifest, coif_arena *arena);
// The number of a name, which is put on the list.
float coif_manifest_add(coif_manifest *manifest, const char *name);
const char *coif_manifest_end(coif_manifest *manifest);

// The number of each strand's clump. Node is the groom's entry in the scene.
const float *coif_clump_ids(const coif_groom *groom, const coif_node *node, const char *name,
                            coif_manifest *manifest, coif_arena *arena);

#endif
