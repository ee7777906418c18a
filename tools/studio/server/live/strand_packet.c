#include "tools/studio/server/live/strand_packet.h"

#include "tools/studio/server/live/strand_colors.h"

#include <string.h>

static const uint32_t MAGIC = 0x33747363; // "cst3"

typedef struct box {
    float low[3], step[3];
} box;

static float min(float a, float b)
{
    return a < b ? a : b;
}

static float max(float a, float b)
{
    return a > b ? a : b;
}

static box box_between(coif_vec3 low, coif_vec3 high)
{
    return (box){
        {low.x, low.y, low.z},
        {(high.x - low.x) / 65535.0f, (high.y - low.y) / 65535.0f, (high.z - low.z) / 65535.0f}};
}

static box bounds_of(const coif_strands *strands, int32_t points)
{
    coif_vec4 low = points > 0 ? strands->points[0] : (coif_vec4){0};
    coif_vec4 high = low;
    for (int32_t i = 1; i < points; ++i) {
        const coif_vec4 position = strands->points[i];
        low =
            (coif_vec4){min(low.x, position.x), min(low.y, position.y), min(low.z, position.z), 0};
        high = (coif_vec4){max(high.x, position.x), max(high.y, position.y),
                           max(high.z, position.z), 0};
    }
    return box_between(coif_vec4_xyz(low), coif_vec4_xyz(high));
}

static uint16_t quantize(float position, float low, float scale)
{
    const float at = (position - low) * scale + 0.5f;
    return at >= 65535.0f ? 65535 : at > 0.0f ? (uint16_t)at : 0;
}

static void write_points(coif_strbuf *out, const coif_strands *strands, int32_t points,
                         const box *bounds)
{
    enum { BATCH = 512 };
    uint16_t values[3 * BATCH];
    float scale[3];
    for (int k = 0; k < 3; ++k) {
        scale[k] = bounds->step[k] > 0.0f ? 1.0f / bounds->step[k] : 0.0f;
    }
    for (int32_t i = 0; i < points; i += BATCH) {
        const int32_t count = points - i < BATCH ? points - i : BATCH;
        for (int32_t j = 0; j < count; ++j) {
            const coif_vec4 position = strands->points[i + j];
            values[3 * j] = quantize(position.x, bounds->low[0], scale[0]);
            values[3 * j + 1] = quantize(position.y, bounds->low[1], scale[1]);
            values[3 * j + 2] = quantize(position.z, bounds->low[2], scale[2]);
        }
        coif_strbuf_add_bytes(out, (const char *)values, 3 * sizeof *values * (size_t)count);
    }
}

void coif_strand_packet_write_points(coif_strbuf *out, const coif_strands *strands,
                                     const coif_vec3 corners[2])
{
    const box bounds = box_between(corners[0], corners[1]);
    write_points(out, strands, strands->point_count, &bounds);
}

// 0 for a body in the rest pose, which the page has already.
static uint32_t moved_vertex_count(const coif_strand_packet *packet)
{
    const coif_mesh *body = packet->body;
    const coif_mesh *rest = packet->rest;
    if (body == NULL || (rest != NULL && rest->vertex_count == body->vertex_count &&
                         memcmp(rest->positions, body->positions,
                                sizeof(coif_vec3) * (size_t)body->vertex_count) == 0)) {
        return 0;
    }
    return (uint32_t)body->vertex_count;
}

static void write_strands(coif_strbuf *out, const coif_strand_packet *packet, int32_t count)
{
    coif_strbuf_add_bytes(out, (const char *)packet->colors,
                          COIF_STRAND_COLOR_BYTES * (size_t)count);
    for (int32_t s = 0; s < count + count % 2; ++s) {
        const uint16_t length = s < count ? (uint16_t)coif_strands_length(packet->strands, s) : 0;
        coif_strbuf_add_bytes(out, (const char *)&length, sizeof length);
    }
}

static void write_body(coif_strbuf *out, const coif_strand_packet *packet)
{
    const uint32_t vertices = moved_vertex_count(packet);
    coif_strbuf_add_bytes(out, (const char *)&vertices, sizeof vertices);
    if (vertices > 0) {
        coif_strbuf_add_bytes(out, (const char *)packet->body->positions,
                              sizeof(coif_vec3) * vertices);
    }
}

void coif_strand_packet_write(coif_strbuf *out, const coif_strand_packet *packet)
{
    const coif_strands *strands = packet->strands;
    const int32_t count =
        strands->strand_count < packet->limit ? strands->strand_count : packet->limit;
    const int32_t points = strands->first[count];
    const box bounds = packet->box != NULL ? box_between(packet->box[0], packet->box[1])
                                           : bounds_of(strands, points);
    const uint32_t header[5] = {MAGIC, packet->parts, (uint32_t)count, (uint32_t)points,
                                (uint32_t)packet->frame};
    coif_strbuf_add_bytes(out, (const char *)header, sizeof header);
    coif_strbuf_add_bytes(out, (const char *)&bounds, sizeof bounds);
    if (packet->parts & COIF_PACKET_STRANDS) {
        write_strands(out, packet, count);
    }
    write_points(out, strands, points, &bounds);
    if (points % 2 != 0) {
        coif_strbuf_add_bytes(out, "\0", 2);
    }
    if (packet->parts & COIF_PACKET_BODY) {
        write_body(out, packet);
    }
}
