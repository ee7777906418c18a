#include "render/build/cryptomatte_manifest.h"

#include "core/base/arena.h"
#include "render/film/cryptomatte.h"
#include "render/shading/clump_id.h"

#include <stdio.h>

void coif_manifest_begin(coif_manifest *manifest, coif_arena *arena)
{
    coif_json_writer_init(&manifest->writer, arena);
    coif_write_open(&manifest->writer, NULL, "{");
}

float coif_manifest_add(coif_manifest *manifest, const char *name)
{
    char bits[9];
    snprintf(bits, sizeof bits, "%08x", coif_cryptomatte_hash(name));
    coif_write_text(&manifest->writer, name, bits);
    return coif_cryptomatte_id(name);
}

const char *coif_manifest_end(coif_manifest *manifest)
{
    coif_write_close(&manifest->writer, "}");
    return manifest->writer.text.data;
}

enum { DEFAULT_CLUMPS = 64, MAX_CLUMPS = 4096 };

// Whether the centres of all stored clumps are among the first MAX_CLUMPS strands.
static bool stored_clumps_fit(const coif_groom *groom)
{
    bool fit = groom->clump != NULL;
    for (int32_t s = 0; fit && s < groom->rest.strand_count; ++s) {
        fit = groom->clump[s] < MAX_CLUMPS;
    }
    return fit;
}

const float *coif_clump_ids(const coif_groom *groom, const coif_node *node, const char *name,
                            coif_manifest *manifest, coif_arena *arena)
{
    const int32_t strands = groom->rest.strand_count;
    const bool stored = stored_clumps_fit(groom);
    int32_t count = coif_clump_count(node, DEFAULT_CLUMPS);
    count = count < MAX_CLUMPS ? count : MAX_CLUMPS;
    count = count < strands ? count : strands;
    int32_t *centres = coif_arena_new(arena, strands, int32_t);
    bool used[MAX_CLUMPS] = {false};
    for (int32_t s = 0; s < strands; ++s) {
        centres[s] =
            stored ? coif_clump_of_strand(groom, s, count) : coif_nearest_clump(groom, s, count);
        used[centres[s]] = true;
    }
    float ids[MAX_CLUMPS];
    for (int32_t c = 0; c < MAX_CLUMPS; ++c) {
        if (c < count || used[c]) {
            ids[c] = coif_manifest_add(manifest,
                                       coif_arena_print(arena, "%s/clump%04d", name, (int)c + 1));
        }
    }
    float *strand_ids = coif_arena_new(arena, strands, float);
    for (int32_t s = 0; s < strands; ++s) {
        strand_ids[s] = ids[centres[s]];
    }
    return strand_ids;
}
