#include "tools/studio/server/live/live_sim_stream.h"

#include "core/base/log.h"
#include "tools/studio/server/live/strand_packet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SELDOM = 0.24; // seconds between events

void coif_live_sim_stream_open(coif_live_sim_stream *sight)
{
    *sight = (coif_live_sim_stream){.colors = 1, .body = 1};
    coif_arena_init(&sight->body_arena, "live body");
}

void coif_live_sim_stream_close(coif_live_sim_stream *sight)
{
    coif_arena_free(&sight->body_arena);
}

void coif_live_sim_stream_renew(coif_live_sim_stream *sight)
{
    sight->colors += 1;
}

// Whether the body stands as it did is found out here, not by every page.
static void look_at_body(coif_live_sim_stream *sight, const coif_mesh *body)
{
    const size_t size = sizeof(coif_vec3) * (size_t)body->vertex_count;
    if (sight->vertices == body->vertex_count &&
        memcmp(sight->places, body->positions, size) == 0) {
        return;
    }
    if (sight->vertices != body->vertex_count) {
        coif_arena_free(&sight->body_arena);
        coif_arena_init(&sight->body_arena, "live body");
        sight->places = coif_arena_new(&sight->body_arena, body->vertex_count + 1, coif_vec3);
        sight->vertices = body->vertex_count;
    }
    memcpy(sight->places, body->positions, size);
    sight->body += 1;
}

// Whether an event is due.
static bool is_due(const coif_live_sim_stream *sight)
{
    return coif_clock_seconds() - sight->told >= SELDOM;
}

typedef struct showing {
    const coif_live_sim_stream *sight;
    coif_strands_view view;
} showing;

static void write(void *context, coif_binary_stream_known *known, coif_strbuf *out)
{
    const showing *all = context;
    coif_strands_view view = all->view;
    view.parts = (known->colors != all->sight->colors ? COIF_VIEW_STRANDS : 0) |
                 (known->body != all->sight->body ? COIF_VIEW_BODY : 0);
    coif_strands_pack(out, &view);
    *known = (coif_binary_stream_known){all->sight->colors, all->sight->body};
}

coif_status coif_live_sim_stream_show(coif_live_sim_stream *sight,
                                      const coif_live_sim_stream_desc *desc, coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "live frame");
    coif_strands strands;
    const coif_status status = coif_live_get_points(&strands, desc->live, &scratch, error);
    if (status == COIF_OK) {
        look_at_body(sight, coif_live_body(desc->live));
        const showing all = {.sight = sight,
                             .view = {.strands = &strands,
                                      .colors = desc->colors,
                                      .limit = desc->limit,
                                      .frame = coif_live_frame(desc->live),
                                      .body = coif_live_body(desc->live),
                                      .rest = &coif_live_body_at_rest(desc->live)->rest,
                                      .parts = COIF_VIEW_ALL}};
        coif_http_stream(desc->http, desc->pause, write, (void *)&all);
        if (desc->whole != NULL) {
            coif_strands_pack(desc->whole, &all.view);
        }
        // To add it up takes as long as to pack the strands, and only events tell it.
        if (desc->whole != NULL || is_due(sight)) {
            sight->energy = coif_live_energy_of(desc->live, &strands);
        }
    }
    coif_arena_free(&scratch);
    return status;
}

void coif_live_sim_stream_note(coif_live_sim_stream *sight, const coif_step_stats *stats,
                               double seconds)
{
    sight->tally = *stats;
    sight->seconds += seconds;
    sight->frames += 1;
}

void coif_live_sim_stream_tell(coif_live_sim_stream *sight, coif_http *http, const coif_live *live,
                               const coif_live_sim_stream_figures *figures, bool at_once)
{
    if (!at_once && !is_due(sight)) {
        return;
    }
    char text[512];
    char elastic[32] = "null";
    if (isfinite(sight->energy.elastic)) {
        snprintf(elastic, sizeof elastic, "%.5g", sight->energy.elastic);
    }
    snprintf(text, sizeof text,
             "{\"frame\": %d, \"frames\": %d, \"ms\": %.2f, \"substeps\": %d, "
             "\"substeps_requested\": %d, "
             "\"strands_requested\": %d, \"strands\": %d, \"solve_percent\": %.0f, "
             "\"strands_solved\": %d, \"stretch\": %.3g, "
             "\"contacts\": %lld, \"reset_strands\": %d, "
             "\"kinetic\": %.5g, \"potential\": %.5g, \"elastic\": %s}",
             coif_live_frame(live), sight->frames,
             1e3 * sight->seconds / (sight->frames > 0 ? sight->frames : 1),
             figures->substeps.limited, figures->substeps.requested, figures->wish,
             figures->strands, 100.0 * (double)figures->share,
             coif_live_groom(live)->simulated_count, (double)sight->tally.stretch,
             (long long)sight->tally.contacts, sight->tally.reset_strands, sight->energy.kinetic,
             sight->energy.potential, elastic);
    coif_http_send(http, "frame", text);
    sight->told = coif_clock_seconds();
    sight->seconds = 0.0;
    sight->frames = 0;
}
