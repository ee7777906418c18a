// events: what listeners still have to hear. A short queue for each, filled by any thread and
// emptied by the server's.
#ifndef COIF_TOOLS_STUDIO_SERVER_HTTP_SSE_H
#define COIF_TOOLS_STUDIO_SERVER_HTTP_SSE_H

#include "core/base/base.h"

#include <pthread.h>

struct MHD_Connection;
struct MHD_Response;

enum { COIF_LISTENERS = 32, COIF_EVENT_BYTES = 16384 };

typedef struct coif_listener {
    bool used, asleep;
    struct MHD_Connection *connection;
    struct coif_sse *events;
    char queue[COIF_EVENT_BYTES];
    size_t size;
} coif_listener;

typedef struct coif_sse {
    pthread_mutex_t lock;
    bool closing;
    coif_listener listeners[COIF_LISTENERS];
} coif_sse;

void coif_sse_init(coif_sse *events);

// A response that never ends by itself; NULL when there are too many listeners.
struct MHD_Response *coif_sse_listen(coif_sse *events, struct MHD_Connection *connection);

void coif_sse_send(coif_sse *events, const char *event, const char *data);

// Ends every stream, so that the server can stop.
void coif_sse_close(coif_sse *events);

#endif
