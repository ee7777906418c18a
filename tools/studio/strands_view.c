#include "tools/studio/strands_view.h"

#include "core/image.h"
#include "render/hair_color.h"

#include <math.h>
#include <string.h>

static const uint32_t MAGIC = 0x31747363; // "cst1"

typedef struct box {
    float low[3], step[3];
} box;

static box bounds_of(const coif_strands *strands, int32_t points)
{
    box all = {{0}, {0}};
    float high[3] = {0};
    for (int32_t i = 0; i < points; ++i) {
        const float place[3] = {strands->points[i].x, strands->points[i].y, strands->points[i].z};
        for (int k = 0; k < 3; ++k) {
            all.low[k] = i == 0 ? place[k] : fminf(all.low[k], place[k]);
            high[k] = i == 0 ? place[k] : fmaxf(high[k], place[k]);
        }
    }
    for (int k = 0; k < 3; ++k) {
        all.step[k] = (high[k] - all.low[k]) / 65535.0f;
    }
    return all;
}

static uint8_t byte_of(float linear)
{
    const float encoded = coif_srgb_encode(fminf(1.0f, fmaxf(0.0f, linear)));
    return (uint8_t)(encoded * 255.0f + 0.5f);
}

// The colour that the renderer's fibres would have lit from everywhere.
static void put_colors(coif_text *out, const coif_strands_view *view, int32_t count)
{
    const coif_node *hair = coif_node_at(view->node, "hair");
    coif_hair_params params;
    coif_node_read(hair, view->frame, &params);
    coif_fibre fibre;
    coif_fibre_init(&fibre, &params);
    for (int32_t s = 0; s < count; ++s) {
        const coif_strand_traits traits = {.random = view->groom->random[s],
                                           .lock = view->groom->random[s],
                                           .surface = {0.4f, 0.3f, 0.2f}};
        const coif_strand_color strand = coif_fibre_strand(&fibre, &traits);
        const coif_vec3 color = coif_fibre_color_of(&fibre, strand.root);
        const uint8_t bytes[4] = {byte_of(color.x), byte_of(color.y), byte_of(color.z), 0};
        coif_text_add_bytes(out, (const char *)bytes, sizeof bytes);
    }
}

static void put_points(coif_text *out, const coif_strands *strands, int32_t points, const box *all)
{
    for (int32_t i = 0; i < points; ++i) {
        const float place[3] = {strands->points[i].x, strands->points[i].y, strands->points[i].z};
        uint16_t words[3];
        for (int k = 0; k < 3; ++k) {
            const float at =
                all->step[k] > 0.0f ? (place[k] - all->low[k]) / all->step[k] + 0.5f : 0.0f;
            words[k] = at >= 65535.0f ? 65535 : at > 0.0f ? (uint16_t)at : 0;
        }
        coif_text_add_bytes(out, (const char *)words, sizeof words);
    }
}

void coif_strands_pack(coif_text *out, const coif_strands_view *view)
{
    const coif_strands *strands = view->strands;
    const int32_t count = strands->strand_count < view->limit ? strands->strand_count : view->limit;
    const int32_t points = strands->first[count];
    const box all = bounds_of(strands, points);
    const uint32_t head[4] = {MAGIC, (uint32_t)count, (uint32_t)points, (uint32_t)view->frame};
    coif_text_add_bytes(out, (const char *)head, sizeof head);
    coif_text_add_bytes(out, (const char *)&all, sizeof all);
    put_colors(out, view, count);
    for (int32_t s = 0; s < count + count % 2; ++s) {
        const uint16_t length = s < count ? (uint16_t)coif_strands_length(strands, s) : 0;
        coif_text_add_bytes(out, (const char *)&length, sizeof length);
    }
    put_points(out, strands, points, &all);
    if (points % 2 != 0) {
        coif_text_add_bytes(out, "\0", 2);
    }
    const uint32_t vertices = view->body != NULL ? (uint32_t)view->body->vertex_count : 0;
    coif_text_add_bytes(out, (const char *)&vertices, sizeof vertices);
    if (vertices > 0) {
        coif_text_add_bytes(out, (const char *)view->body->positions, sizeof(coif_vec3) * vertices);
    }
}
