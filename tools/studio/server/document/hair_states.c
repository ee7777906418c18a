// States of edited guides: for undo, records of the journal, digests, masks.
#include "core/base/error.h"
#include "core/base/hash64.h"
#include "tools/studio/server/document/hair_edits.h"

#include <math.h>
#include <string.h>

// Lengths are a function of the points, so that strokes replayed on a file give the same bits.
void coif_edited_guides_measure(coif_edited_guides *guides, int32_t guide)
{
    const coif_strands *edited = &guides->guides.edited;
    for (int32_t i = edited->first[guide] + 1; i < edited->first[guide + 1]; ++i) {
        guides->segments[i] = coif_length(
            coif_sub(coif_vec4_xyz(edited->points[i]), coif_vec4_xyz(edited->points[i - 1])));
    }
}

coif_guide_state coif_edited_guides_state(const coif_edited_guides *guides, int32_t guide)
{
    const coif_guide_edits *edits = &guides->guides;
    const int32_t first = edits->edited.first[guide];
    return (coif_guide_state){edits->edited.points + first, edits->rest + first, edits->kept[guide],
                              edits->flags[guide]};
}

void coif_edited_guides_write(coif_edited_guides *guides, int32_t guide,
                              const coif_guide_state *state, uint64_t revision)
{
    coif_guide_edits *edits = &guides->guides;
    const int32_t first = edits->edited.first[guide];
    const int32_t count = coif_strands_length(&edits->edited, guide);
    const size_t bytes = sizeof(coif_vec4) * (size_t)count;
    memcpy(edits->edited.points + first, state->edited, bytes);
    if (state->rest != NULL) {
        memcpy(edits->rest + first, state->rest, bytes);
    }
    edits->kept[guide] = state->kept;
    edits->flags[guide] = state->flags;
    coif_edited_guides_measure(guides, guide);
    guides->revisions[guide] = guides->revision = revision;
    guides->dirty = true;
}

typedef struct guide_record {
    uint32_t guide, flags;
    float kept;
} guide_record;

void coif_edited_guides_pack(const coif_edited_guides *guides, uint64_t since, coif_strbuf *out)
{
    const coif_guide_edits *edits = &guides->guides;
    for (int32_t g = 0; g < edits->edited.strand_count; ++g) {
        if (guides->revisions[g] > since) {
            const guide_record record = {(uint32_t)g, edits->flags[g], edits->kept[g]};
            const int32_t first = edits->edited.first[g];
            const size_t bytes = sizeof(coif_vec4) * (size_t)coif_strands_length(&edits->edited, g);
            coif_strbuf_add_bytes(out, (const char *)&record, sizeof record);
            coif_strbuf_add_bytes(out, (const char *)(edits->edited.points + first), bytes);
            coif_strbuf_add_bytes(out, (const char *)(edits->rest + first), bytes);
        }
    }
}

coif_status coif_edited_guides_unpack(const coif_edited_guides *guides, const coif_bytes *records,
                                      coif_guide_visit *visit, void *context, coif_error *error)
{
    const coif_guide_edits *edits = &guides->guides;
    const char *data = records->data;
    COIF_SCOPED_ARENA(scratch, "guides");
    for (int apply = 0; apply < 2; ++apply) {
        for (size_t at = 0; at < records->size;) {
            guide_record record;
            size_t bytes = 0;
            if (records->size - at >= sizeof record) {
                memcpy(&record, data + at, sizeof record);
                at += sizeof record;
                if (record.guide < (uint32_t)edits->edited.strand_count) {
                    bytes = sizeof(coif_vec4) *
                            (size_t)coif_strands_length(&edits->edited, (int32_t)record.guide);
                }
            }
            if (bytes == 0 || records->size - at < 2 * bytes) {
                return coif_fail(error, COIF_ERR_FORMAT, "%s: malformed record of guides",
                                 records->name);
            }
            if (apply) {
                coif_guide_state state = {
                    .edited = coif_arena_new(&scratch, (int64_t)bytes / 16, coif_vec4),
                    .rest = coif_arena_new(&scratch, (int64_t)bytes / 16, coif_vec4),
                    .kept = record.kept,
                    .flags = (uint8_t)record.flags};
                memcpy(state.edited, data + at, bytes);
                memcpy(state.rest, data + at + bytes, bytes);
                visit(context, (int32_t)record.guide, &state);
            }
            at += 2 * bytes;
        }
    }
    return COIF_OK;
}

uint64_t coif_edited_guides_digest(const coif_edited_guides *guides)
{
    const coif_guide_edits *edits = &guides->guides;
    const size_t points = sizeof(coif_vec4) * (size_t)edits->edited.point_count;
    const size_t count = (size_t)edits->edited.strand_count;
    uint64_t digest = coif_hash64(edits->edited.points, points);
    digest = coif_hash64_extend(digest, edits->rest, points);
    digest = coif_hash64_extend(digest, edits->kept, count * sizeof *edits->kept);
    return coif_hash64_extend(digest, edits->flags, count);
}

uint8_t *coif_edited_guides_mask(const coif_edited_guides *guides, const coif_paint_map *map,
                                 uint16_t texel, coif_arena *arena)
{
    const coif_strands *edited = &guides->guides.edited;
    uint8_t *mask = coif_arena_new(arena, edited->strand_count, uint8_t);
    const float wanted = coif_paint_map_value(map, texel);
    const float tolerance =
        0.5f * fabsf(coif_paint_map_value(map, 1) - coif_paint_map_value(map, 0));
    for (int32_t g = 0; g < edited->strand_count; ++g) {
        const float u = edited->root_uv[2 * g], v = edited->root_uv[2 * g + 1];
        for (int32_t k = 0; k < map->udim_count; ++k) {
            const int32_t number = map->udims[k].number - COIF_UDIM_FIRST;
            const float u0 = number < 0 ? 0.0f : (float)(number % 10);
            const float v0 = number < 0 ? 0.0f : (float)(number / 10);
            if (u >= u0 && u <= u0 + 1.0f && v >= v0 && v <= v0 + 1.0f) {
                const float value =
                    coif_image_texel(&map->udims[k].image, map->channel, u - u0, v - v0);
                mask[g] = fabsf(value - wanted) <= tolerance;
            }
        }
    }
    return mask;
}
