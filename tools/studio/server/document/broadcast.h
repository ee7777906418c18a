// broadcast: messages from the studio's threads to the connected pages. The HTTP server implements
// it; until it is connected messages are dropped.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_BROADCAST_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_BROADCAST_H

#include "core/base/strbuf.h"

#include <stdatomic.h>

// Versions of the seldom changing parts of a live frame that a client has received; 0: none.
typedef struct coif_packet_versions {
    uint64_t colors, body;
} coif_packet_versions;

// Appends one live frame for a client and updates its versions.
typedef void coif_packet_writer(void *context, coif_packet_versions *sent, coif_strbuf *out);

// All functions may be called from any thread.
typedef struct coif_broadcast {
    void *context;
    void (*event)(void *context, const char *name, const char *json); // json: one line
    // Live frames: whether a client can receive one now, and one for each client that can. Clients
    // that render on the CPU get at most one frame per `pause` seconds.
    bool (*frame_wanted)(void *context, double pause);
    bool (*has_frame_clients)(void *context);
    void (*frame)(void *context, double pause, coif_packet_writer *write, void *write_context);
    _Atomic bool connected; // set after the fields above: other threads send already
} coif_broadcast;

static inline void coif_broadcast_event(const coif_broadcast *to, const char *name,
                                        const char *json)
{
    if (to->connected) {
        to->event(to->context, name, json);
    }
}

static inline bool coif_broadcast_frame_wanted(const coif_broadcast *to, double pause)
{
    return to->connected && to->frame_wanted(to->context, pause);
}

static inline bool coif_broadcast_has_frame_clients(const coif_broadcast *to)
{
    return to->connected && to->has_frame_clients(to->context);
}

static inline void coif_broadcast_frame(const coif_broadcast *to, double pause,
                                        coif_packet_writer *write, void *write_context)
{
    if (to->connected) {
        to->frame(to->context, pause, write, write_context);
    }
}

#endif
