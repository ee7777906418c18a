#include "tools/studio/server/live/strand_packet.h"

#include "tools/studio/server/live/strand_colors.h"

#include <string.h>

static const uint32_t MAGIC = 0x33747363; // "cst3"

typedef struct box {
    float low[3], step[3];
} box;

static float least(float a, float b)
{
    return a < b ? a : b;
}

static float most(float a, float b)
{
    return a > b ? a : b;
}

static box bounds_of(const coif_strands *strands, int32_t points)
{
    coif_vec4 low = points > 0 ? strands->points[0] : (coif_vec4){0};
    coif_vec4 high = low;
    for (int32_t i = 1; i < points; ++i) {
        const coif_vec4 place = strands->points[i];
        low = (coif_vec4){least(low.x, place.x), least(low.y, place.y), least(low.z, place.z), 0};
        high = (coif_vec4){most(high.x, place.x), most(high.y, place.y), most(high.z, place.z), 0};
    }
    return (box){
        {low.x, low.y, low.z},
        {(high.x - low.x) / 65535.0f, (high.y - low.y) / 65535.0f, (high.z - low.z) / 65535.0f}};
}

static uint16_t word_of(float place, float low, float scale)
{
    const float at = (place - low) * scale + 0.5f;
    return at >= 65535.0f ? 65535 : at > 0.0f ? (uint16_t)at : 0;
}

static void put_points(coif_strbuf *out, const coif_strands *strands, int32_t points,
                       const box *all)
{
    enum { ONCE = 512 };
    uint16_t words[3 * ONCE];
    float scale[3];
    for (int k = 0; k < 3; ++k) {
        scale[k] = all->step[k] > 0.0f ? 1.0f / all->step[k] : 0.0f;
    }
    for (int32_t i = 0; i < points; i += ONCE) {
        const int32_t count = points - i < ONCE ? points - i : ONCE;
        for (int32_t j = 0; j < count; ++j) {
            const coif_vec4 place = strands->points[i + j];
            words[3 * j] = word_of(place.x, all->low[0], scale[0]);
            words[3 * j + 1] = word_of(place.y, all->low[1], scale[1]);
            words[3 * j + 2] = word_of(place.z, all->low[2], scale[2]);
        }
        coif_strbuf_add_bytes(out, (const char *)words, 3 * sizeof *words * (size_t)count);
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

static void put_strands(coif_strbuf *out, const coif_strands_view *view, int32_t count)
{
    coif_strbuf_add_bytes(out, (const char *)view->colors, COIF_STRAND_COLOR_BYTES * (size_t)count);
    for (int32_t s = 0; s < count + count % 2; ++s) {
        const uint16_t length = s < count ? (uint16_t)coif_strands_length(view->strands, s) : 0;
        coif_strbuf_add_bytes(out, (const char *)&length, sizeof length);
    }
}

static void put_body(coif_strbuf *out, const coif_strands_view *view)
{
    const uint32_t vertices = moved_vertices(view);
    coif_strbuf_add_bytes(out, (const char *)&vertices, sizeof vertices);
    if (vertices > 0) {
        coif_strbuf_add_bytes(out, (const char *)view->body->positions,
                              sizeof(coif_vec3) * vertices);
    }
}

void coif_strands_pack(coif_strbuf *out, const coif_strands_view *view)
{
    const coif_strands *strands = view->strands;
    const int32_t count = strands->strand_count < view->limit ? strands->strand_count : view->limit;
    const int32_t points = strands->first[count];
    const box all = bounds_of(strands, points);
    const uint32_t head[5] = {MAGIC, view->parts, (uint32_t)count, (uint32_t)points,
                              (uint32_t)view->frame};
    coif_strbuf_add_bytes(out, (const char *)head, sizeof head);
    coif_strbuf_add_bytes(out, (const char *)&all, sizeof all);
    if (view->parts & COIF_VIEW_STRANDS) {
        put_strands(out, view, count);
    }
    put_points(out, strands, points, &all);
    if (points % 2 != 0) {
        coif_strbuf_add_bytes(out, "\0", 2);
    }
    if (view->parts & COIF_VIEW_BODY) {
        put_body(out, view);
    }
}
