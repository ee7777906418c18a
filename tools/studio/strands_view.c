#include "tools/studio/strands_view.h"

#include "tools/studio/strand_colors.h"

#include <math.h>
#include <string.h>

static const uint32_t MAGIC = 0x32747363; // "cst2"

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

// A body that stands as it does at rest is there already.
static uint32_t moved_vertices(const coif_strands_view *view)
{
    const coif_mesh *body = view->body;
    const coif_mesh *rest = view->rest;
    if (body == NULL || (rest != NULL && rest->vertex_count == body->vertex_count &&
                         memcmp(rest->positions, body->positions,
                                sizeof(coif_vec3) * (size_t)body->vertex_count) == 0)) {
        return 0;
    }
    return (uint32_t)body->vertex_count;
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
    coif_text_add_bytes(out, (const char *)view->colors, COIF_STRAND_COLOR_BYTES * (size_t)count);
    for (int32_t s = 0; s < count + count % 2; ++s) {
        const uint16_t length = s < count ? (uint16_t)coif_strands_length(strands, s) : 0;
        coif_text_add_bytes(out, (const char *)&length, sizeof length);
    }
    put_points(out, strands, points, &all);
    if (points % 2 != 0) {
        coif_text_add_bytes(out, "\0", 2);
    }
    const uint32_t vertices = moved_vertices(view);
    coif_text_add_bytes(out, (const char *)&vertices, sizeof vertices);
    if (vertices > 0) {
        coif_text_add_bytes(out, (const char *)view->body->positions, sizeof(coif_vec3) * vertices);
    }
}
