#include "render/mattes.h"

#include "core/arena.h"
#include "render/crypto.h"

#include <stdio.h>
#include <string.h>

void coif_manifest_begin(coif_manifest *manifest, coif_arena *arena)
{
    coif_json_writer_init(&manifest->writer, arena);
    coif_write_open(&manifest->writer, NULL, "{");
}

float coif_manifest_add(coif_manifest *manifest, const char *name)
{
    char bits[9];
    snprintf(bits, sizeof bits, "%08x", coif_crypto_bits(name));
    coif_write_text(&manifest->writer, name, bits);
    return coif_crypto_id(name);
}

const char *coif_manifest_end(coif_manifest *manifest)
{
    coif_write_close(&manifest->writer, "}");
    return manifest->writer.text.data;
}

enum { USUAL_CLUMPS = 64, MOST_CLUMPS = 4096 };

// What the groom's last clumping modifier says.
static int32_t clump_count(const coif_node *node)
{
    int32_t count = USUAL_CLUMPS;
    for (int32_t i = 0; i < node->child_count; ++i) {
        const coif_node *list = &node->children[i];
        if (strcmp(list->section->name, "modifiers") != 0) {
            continue;
        }
        for (int32_t k = 0; k < list->child_count; ++k) {
            const coif_node *entry = &list->children[k];
            const coif_value *value =
                entry->plugin != NULL && strcmp(entry->plugin->id, "groom.clump") == 0
                    ? coif_values_find(&entry->plugin_values, "count")
                    : NULL;
            count = value != NULL ? (int32_t)value->numbers[0] : count;
        }
    }
    return count < MOST_CLUMPS ? count : MOST_CLUMPS;
}

static coif_vec3 point_at(const coif_strands *strands, int32_t point)
{
    return coif_vec4_xyz(strands->points[point]);
}

static int32_t nearest_clump(const coif_strands *strands, int32_t strand, int32_t count)
{
    const coif_vec3 root = point_at(strands, strands->first[strand]);
    const coif_vec3 middle =
        point_at(strands, strands->first[strand] + coif_strands_length(strands, strand) / 2);
    int32_t nearest = 0;
    float least = INFINITY;
    for (int32_t c = 0; c < count; ++c) {
        const int32_t half = strands->first[c] + coif_strands_length(strands, c) / 2;
        const coif_vec3 a = coif_sub(root, point_at(strands, strands->first[c]));
        const coif_vec3 b = coif_sub(middle, point_at(strands, half));
        const float distance = coif_dot(a, a) + 0.25f * coif_dot(b, b);
        if (distance < least) {
            least = distance;
            nearest = c;
        }
    }
    return nearest;
}

const float *coif_clump_ids(const coif_groom *groom, const coif_node *node, const char *name,
                            coif_manifest *manifest, coif_arena *arena)
{
    const coif_strands *strands = &groom->rest;
    int32_t count = clump_count(node);
    count = count < strands->strand_count ? count : strands->strand_count;
    float *ids = coif_arena_new(arena, count, float);
    for (int32_t c = 0; c < count; ++c) {
        ids[c] =
            coif_manifest_add(manifest, coif_arena_print(arena, "%s/clump%04d", name, (int)c + 1));
    }
    float *of_strands = coif_arena_new(arena, strands->strand_count, float);
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        of_strands[s] = ids[nearest_clump(strands, s, count)];
    }
    return of_strands;
}
