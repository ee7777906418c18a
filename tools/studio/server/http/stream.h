// stream: HTTP responses that stay open, with a queue of outgoing bytes per client. Any thread
// appends, the server's threads send.
//
// Server-sent events queue up to a backlog limit. Live frames (length-prefixed records, u32 size
// first) are never queued: a client that is still receiving one skips the next.
#ifndef COIF_TOOLS_STUDIO_SERVER_HTTP_STREAM_H
#define COIF_TOOLS_STUDIO_SERVER_HTTP_STREAM_H

#include "core/base/arena.h"
#include "tools/studio/server/document/broadcast.h"

#include <pthread.h>

struct MHD_Connection;
struct MHD_Response;

enum { COIF_STREAM_CLIENTS = 32 };

typedef struct coif_stream_client {
    bool used, suspended;
    struct MHD_Connection *connection;
    struct coif_stream *stream;
    coif_arena arena;
    coif_strbuf queue;
    size_t sent; // bytes of the queue
    // Live frames:
    bool cpu_rendering; // the page renders on the CPU that simulates
    bool has_frame;
    double last_frame; // time it was queued, s
    coif_packet_versions versions;
} coif_stream_client;

typedef struct coif_stream {
    pthread_mutex_t lock;
    bool closing;
    coif_stream_client clients[COIF_STREAM_CLIENTS];
} coif_stream;

typedef struct coif_stream_desc {
    const char *greeting; // sent at once
    size_t block_size;    // bytes per write
    bool cpu_rendering;
} coif_stream_desc;

void coif_stream_init(coif_stream *stream);

// The response for a new client; NULL when there are too many.
struct MHD_Response *coif_stream_open(coif_stream *stream, struct MHD_Connection *connection,
                                      const coif_stream_desc *desc);

// Queues an event of any size for every client. When a client's backlog is full, its unsent events
// are dropped first, and an event "missed" tells it so.
void coif_stream_event(coif_stream *stream, const char *name, const char *json);

// Sends an SSE comment to idle clients: a closed connection is detected by a failed write alone.
void coif_stream_ping(coif_stream *stream);

// Live frames, see coif_broadcast.
bool coif_stream_has_clients(coif_stream *stream);
bool coif_stream_frame_wanted(coif_stream *stream, double pause);
void coif_stream_frame(coif_stream *stream, double pause, coif_packet_writer *write, void *context);

// Ends all responses, so that the server can stop.
void coif_stream_close(coif_stream *stream);

#endif
