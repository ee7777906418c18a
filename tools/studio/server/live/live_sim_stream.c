#include "tools/studio/server/live/live_sim_stream.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "tools/studio/server/live/strand_packet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double EVENT_INTERVAL = 0.24; // s

void coif_live_sim_stream_open(coif_live_sim_stream *stream)
{
    *stream = (coif_live_sim_stream){.versions = {1, 1}};
    coif_arena_init(&stream->body_arena, "live body");
}

void coif_live_sim_stream_close(coif_live_sim_stream *stream)
{
    coif_arena_free(&stream->body_arena);
}

void coif_live_sim_stream_invalidate_colors(coif_live_sim_stream *stream)
{
    stream->versions.colors += 1;
}

// A new version when the body has moved, compared once for all clients.
static void update_body_version(coif_live_sim_stream *stream, const coif_mesh *body)
{
    const size_t size = sizeof(coif_vec3) * (size_t)body->vertex_count;
    if (stream->vertex_count == body->vertex_count &&
        memcmp(stream->body_positions, body->positions, size) == 0) {
        return;
    }
    if (stream->vertex_count != body->vertex_count) {
        coif_arena_free(&stream->body_arena);
        coif_arena_init(&stream->body_arena, "live body");
        stream->body_positions =
            coif_arena_new(&stream->body_arena, body->vertex_count + 1, coif_vec3);
        stream->vertex_count = body->vertex_count;
    }
    memcpy(stream->body_positions, body->positions, size);
    stream->versions.body += 1;
}

static bool is_event_due(const coif_live_sim_stream *stream)
{
    return coif_clock_seconds() - stream->last_event >= EVENT_INTERVAL;
}

typedef struct frame_packet {
    coif_packet_versions versions;
    coif_strand_packet packet;
} frame_packet;

static void write_packet(void *context, coif_packet_versions *sent, coif_strbuf *out)
{
    const frame_packet *frame = context;
    coif_strand_packet packet = frame->packet;
    packet.parts = (sent->colors != frame->versions.colors ? COIF_PACKET_STRANDS : 0) |
                   (sent->body != frame->versions.body ? COIF_PACKET_BODY : 0);
    coif_strand_packet_write(out, &packet);
    *sent = frame->versions;
}

coif_status coif_live_sim_stream_send(coif_live_sim_stream *stream,
                                      const coif_live_frame_desc *desc, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "live frame");
    coif_strands strands;
    COIF_TRY(coif_live_get_points(&strands, desc->live, &scratch, error));
    update_body_version(stream, coif_live_body(desc->live));
    frame_packet frame = {.versions = stream->versions,
                          .packet = {.strands = &strands,
                                     .colors = desc->colors,
                                     .limit = desc->strand_limit,
                                     .frame = coif_live_frame(desc->live),
                                     .body = coif_live_body(desc->live),
                                     .rest = &coif_live_body_at_rest(desc->live)->rest,
                                     .parts = COIF_PACKET_ALL}};
    coif_broadcast_frame(desc->broadcast, desc->pause, write_packet, &frame);
    if (desc->packet != NULL) {
        coif_strand_packet_write(desc->packet, &frame.packet);
    }
    // The energy costs as much as the packet and is needed for events only.
    if (desc->packet != NULL || is_event_due(stream)) {
        stream->energy = coif_live_energy_of(desc->live, &strands);
    }
    return COIF_OK;
}

void coif_live_sim_stream_add_frame(coif_live_sim_stream *stream, const coif_step_stats *stats,
                                    double seconds)
{
    stream->stats = *stats;
    stream->seconds += seconds;
    stream->frames += 1;
}

void coif_live_sim_stream_send_stats(coif_live_sim_stream *stream, const coif_broadcast *broadcast,
                                     const coif_live *live, const coif_live_sim_stats *stats,
                                     bool at_once)
{
    if (!at_once && !is_event_due(stream)) {
        return;
    }
    char text[512];
    char elastic[32] = "null";
    if (isfinite(stream->energy.elastic)) {
        snprintf(elastic, sizeof elastic, "%.5g", stream->energy.elastic);
    }
    snprintf(text, sizeof text,
             "{\"frame\": %d, \"frames\": %d, \"ms\": %.2f, \"substeps\": %d, "
             "\"substeps_requested\": %d, "
             "\"strands_requested\": %d, \"strands\": %d, \"solve_percent\": %.0f, "
             "\"strands_solved\": %d, \"stretch\": %.3g, "
             "\"contacts\": %lld, \"reset_strands\": %d, "
             "\"kinetic\": %.5g, \"potential\": %.5g, \"elastic\": %s}",
             coif_live_frame(live), stream->frames,
             1e3 * stream->seconds / (stream->frames > 0 ? stream->frames : 1),
             stats->substeps.limited, stats->substeps.requested, stats->strands_requested,
             stats->strands, 100.0 * (double)stats->solve_fraction,
             coif_live_groom(live)->simulated_count, (double)stream->stats.stretch,
             (long long)stream->stats.contacts, stream->stats.reset_strands, stream->energy.kinetic,
             stream->energy.potential, elastic);
    coif_broadcast_event(broadcast, "frame", text);
    stream->last_event = coif_clock_seconds();
    stream->seconds = 0.0;
    stream->frames = 0;
}
