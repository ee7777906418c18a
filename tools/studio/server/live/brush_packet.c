// Packets of a brush session.
#include "tools/studio/server/live/brush_strands.h"
#include "tools/studio/server/live/strand_colors.h"
#include "tools/studio/server/live/strand_packet.h"

#include <string.h>

static const uint32_t MAGIC = 0x31726263; // "cbr1"

// Index of a strand of the packet in the arrays of the session.
static int32_t index_of(const coif_brush_session *session, int32_t strand)
{
    const int32_t drawn = session->drawn.rest.strand_count;
    return strand < drawn ? session->strands.strand_count + strand : strand - drawn;
}

static void add_flags(coif_strbuf *out, const coif_brush_session *session, const int32_t *indices,
                      int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        const int32_t s = index_of(session, indices != NULL ? indices[i] : i);
        coif_strbuf_add_bytes(out, (const char *)&session->flags[s], 1);
    }
    coif_strbuf_add_bytes(out, "\0\0\0", (size_t)((4 - count % 4) % 4));
}

// The drawn strands, then those of the groom: views that display fewer strands take the first.
static void write_all(coif_strbuf *out, coif_brush_session *session)
{
    COIF_SCOPED_ARENA(scratch, "strands");
    const coif_strands *parts[2] = {&session->drawn.rest, &session->strands};
    const uint8_t *colors[2] = {session->drawn_colors, session->colors};
    coif_strands all = {.strand_count = parts[0]->strand_count + parts[1]->strand_count,
                        .point_count = parts[0]->point_count + parts[1]->point_count};
    all.first = coif_arena_new(&scratch, all.strand_count + 1, int32_t);
    all.points = coif_arena_new(&scratch, all.point_count, coif_vec4);
    uint8_t *all_colors =
        coif_arena_new(&scratch, COIF_STRAND_COLOR_BYTES * (int64_t)all.strand_count, uint8_t);
    for (int32_t i = 0, s = 0; i < 2; ++i) {
        const int32_t count = parts[i]->strand_count;
        if (count > 0) {
            memcpy(all_colors + COIF_STRAND_COLOR_BYTES * (size_t)s, colors[i],
                   COIF_STRAND_COLOR_BYTES * (size_t)count);
            memcpy(all.points + all.first[s], parts[i]->points,
                   sizeof(coif_vec4) * (size_t)parts[i]->point_count);
        }
        for (int32_t k = 0; k < count; ++k, ++s) {
            all.first[s + 1] = all.first[s] + coif_strands_length(parts[i], k);
        }
    }
    const coif_strand_packet packet = {.strands = &all,
                                       .colors = all_colors,
                                       .limit = all.strand_count,
                                       .box = session->box,
                                       .parts = COIF_PACKET_ALL};
    coif_strand_packet_write(out, &packet);
}

static void write_strand(coif_strbuf *out, const coif_brush_session *session, int32_t strand)
{
    const int32_t drawn = session->drawn.rest.strand_count;
    const coif_strands *from = strand < drawn ? &session->drawn.rest : &session->strands;
    const int32_t s = strand < drawn ? strand : strand - drawn;
    const coif_strands one = {.strand_count = 1,
                              .point_count = coif_strands_length(from, s),
                              .points = from->points + from->first[s]};
    coif_strand_packet_write_points(out, &one, session->box);
}

void coif_brush_session_write(coif_strbuf *out, coif_brush_session *session, uint32_t client,
                              uint64_t since)
{
    const uint64_t revision = session->revision;
    if (session->outside_box) {
        coif_brush_session_set_box(session);
    }
    const bool all = client != session->id;
    const int32_t strands = session->strands.strand_count + session->drawn.rest.strand_count;
    COIF_SCOPED_ARENA(scratch, "packet");
    int32_t *indices = coif_arena_new(&scratch, strands, int32_t);
    int32_t count = 0;
    for (int32_t s = 0; s < strands; ++s) {
        if (all || session->revisions[index_of(session, s)] > since) {
            indices[count++] = s;
        }
    }
    const uint32_t header[8] = {
        MAGIC,
        session->id,
        (uint32_t)revision,
        (uint32_t)(revision >> 32),
        all,
        (uint32_t)count,
        session->source != NULL ? (uint32_t)session->guides.edited.strand_count : 0,
        (uint32_t)session->pending_count};
    coif_strbuf_add_bytes(out, (const char *)header, sizeof header);
    if (all) {
        add_flags(out, session, NULL, count);
        write_all(out, session);
        return;
    }
    coif_strbuf_add_bytes(out, (const char *)indices, sizeof *indices * (size_t)count);
    add_flags(out, session, indices, count);
    for (int32_t i = 0; i < count; ++i) {
        write_strand(out, session, indices[i]);
    }
}
