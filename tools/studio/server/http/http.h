// http: requests in, replies out, and events to whoever listens. The one door to libmicrohttpd.
//
// The server listens on the loopback address only. Every request passes the guard before anybody
// sees it: a Host that is ours, an Origin that is ours or absent, the token of the start address, a
// body that is not too large.
#ifndef COIF_TOOLS_STUDIO_SERVER_HTTP_HTTP_H
#define COIF_TOOLS_STUDIO_SERVER_HTTP_HTTP_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "tools/studio/server/http/binary_stream.h"

typedef struct coif_http coif_http;

typedef struct coif_request {
    const char *method; // "GET", "PUT", "POST", "DELETE"
    const char *path;   // decoded, without the query: "/api/scene"
    const char *body;   // followed by a zero byte
    size_t body_size;
    void *connection; // for coif_request_query
} coif_request;

// The value behind ?name= or &name=, NULL when it is not given.
const char *coif_request_query(const coif_request *request, const char *name);

// The same as a whole number between low and high, or fallback.
int64_t coif_request_number(const coif_request *request, const char *name, int64_t fallback,
                            int64_t low, int64_t high);

typedef struct coif_reply {
    int status;       // 200, 404, ...
    const char *type; // of the content
    const void *data; // lives as long as arena
    size_t size;
    const char *file; // name to save it under, or NULL
    coif_arena *arena;
    bool stream, thrifty; // instead of data: what coif_http_stream writes from now on
} coif_reply;

typedef struct coif_http_desc {
    int port; // 0: one that is free
    const char *token;
    size_t largest_body;
    // Called from several threads at once.
    void (*answer)(void *context, const coif_request *request, coif_reply *reply);
    void (*stream)(void *context); // called when one has begun
    void *context;
} coif_http_desc;

coif_status coif_http_open(coif_http **http, const coif_http_desc *desc, coif_arena *arena,
                           coif_error *error);
int coif_http_port(const coif_http *http);

// From now on requests are refused, and those under way are answered when this returns. Events
// still go out until close.
void coif_http_refuse(coif_http *http);
void coif_http_close(coif_http *http);

// Whether any stream would take a record now, and a record for all that would: see streams.h.
bool coif_http_waits(coif_http *http, double pause);
void coif_http_stream(coif_http *http, double pause, coif_binary_stream_write *write,
                      void *context);

// An event to every listener on /api/events; data is one line. Slow listeners lose old events,
// never the newest.
void coif_http_send(coif_http *http, const char *event, const char *data);

#endif
